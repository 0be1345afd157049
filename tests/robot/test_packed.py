"""`derivatives(…, packed=True)`: the same entries without those that are always zero."""

import pickle

import numpy as np
import pytest

import articulated as art
from tests.methods import arguments
from tests.near import near
from tests.robot.callables import small
from tests.zoo import with_mimic

legs = small()


def unpacked(found, pattern, whole):
    """The vectors put back where they came from."""
    for x, indices, like in zip(found, pattern, whole, strict=True):
        full = np.zeros_like(like)
        full[(..., *indices)] = x
        yield full


def check(robot, method, given, wrt=None, space="tangent", **options):
    whole = robot.derivatives(method, wrt, space)(**given, **options)
    packed = robot.derivatives(method, wrt, space, packed=True)
    pattern = packed.pattern(*([given["frame"]] if "frame" in given else []), **options)
    found = packed(**given, **options)
    assert found._fields == pattern._fields == whole._fields
    for full, expected in zip(unpacked(found, pattern, whole), whole, strict=True):
        near(full, expected, 1e-12)
    return [len(indices[0]) for indices in pattern]


@pytest.mark.filterwarnings("ignore:.*too long to be compiled")
@pytest.mark.parametrize(
    "method", ["forward_dynamics", "mass_matrix", "frame_velocity", "difference", "potential_energy"]
)
def test_results_of_every_shape(method, rng):
    legs.kernels.longest, compiled = 0, legs.kernels.longest  # as it is written: nothing here is about machine code
    try:
        check(legs, method, arguments(legs, method, rng))
    finally:
        legs.kernels.longest = compiled


@pytest.mark.parametrize("robot", [legs, with_mimic()], ids=lambda robot: robot.name)
def test_batches_forces_and_parameters(robot, rng):
    given = arguments(robot, "inverse_dynamics", rng, (3,))
    forces = {robot.frame_names[-1]: rng.normal(size=6)}
    check(robot, "inverse_dynamics", given, ["q", "forces"], forces=forces)
    check(robot, "inverse_dynamics", given, ["parameters"])
    check(robot, "inverse_dynamics", given, ["q"], "coordinates")


def test_limbs_do_not_feel_each_other(rng):
    robot = art.load("quadruped", floating_base=True)
    kept = check(robot, "inverse_dynamics", arguments(robot, "inverse_dynamics", rng))
    # each joint feels the three of its leg and the base; nobody feels where the base is
    legs_, base, n = 4 * 3 * 3, 6 * 12, robot.nv
    assert kept == [legs_ + base + 3 * n, legs_ + 2 * base + 36, legs_ + 2 * base + 36]
    assert sum(kept) < 3 * n * n / 1.5


def test_out_threads_precision_and_pickles(rng):
    robot = art.load("quadruped", floating_base=True)
    packed = robot.derivatives("inverse_dynamics", ["q", "v"], packed=True)
    given = [robot.random(rng, (2000,)), *rng.normal(size=(2, 2000, robot.nv))]
    found = packed(*given)
    out = type(found)(*map(np.empty_like, found))
    assert all(x is y for x, y in zip(packed(*given, out=out), out, strict=True))
    for again in (out, packed(*given, threads=2), pickle.loads(pickle.dumps(packed))(*given)):
        assert all((x == y).all() for x, y in zip(again, found, strict=True))
    assert all((x[7] == y).all() for x, y in zip(found, packed(*(x[7] for x in given)), strict=True))
    single = packed(*given, dtype="float32")
    assert all(x.dtype == np.float32 and near(x, y, 1e-4) for x, y in zip(single, found, strict=True))


def test_what_cannot_be_is_said():
    sympy = pytest.importorskip("sympy")
    rod = art.Link("rod", "base", art.Revolute([1, 0, 0]), inertia=art.Inertia(1.0, [0, sympy.Symbol("a"), 0]))
    arm = art.build([art.Link("base"), rod])
    for ask in (arm.derivatives("gravity_forces", packed=True).pattern,
                lambda: arm.derivatives("gravity_forces", packed=True)([0.0])):  # fmt: skip
        with pytest.raises(art.ArticulatedError, match="holds the symbols"):
            ask()
    with pytest.raises(art.ArticulatedError, match="packed is True or False; got 'q'"):
        legs.derivatives("inverse_dynamics", packed="q")
    with pytest.raises(art.ArticulatedError, match="did you mean"):
        art.load("ur5").derivatives("pose", packed=True).pattern("tool")
