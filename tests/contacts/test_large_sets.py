"""Sets too large for straight-line code run in loops, or on arrays: the same numbers where all ways work."""

import numpy as np
import pytest

import articulated as art
from benchmarks.growth import ladder
from tests import doubtful
from tests.near import near
from tests.zoo import random_tree, state

from .legged import QUADRUPEDS, tripod
from .test_loops import four_bar
from .test_special_ranks import compiled_only, standing  # noqa: F401 (a fixture)
from .test_unusual import parallelogram


def linkage():
    """A four-bar, whose loop has a redundant row in space."""
    robot = four_bar()
    return art.Contacts(robot, loops=[("pin", "eye")], passive=[n for n in robot.joint_names if n != "crank"])


def lame_foot():
    """A surface, a direction and a passive knee."""
    robot = tripod()
    passive = [robot.joint_names[-1]]
    return art.Contacts(robot, surface=["foot0"], direction={"foot2": (0, 0, 1)}, passive=passive)


SETS = {
    "three feet": lambda: art.Contacts(tripod(), point=["foot0", "foot1", "foot2"]),
    "a redundant loop": linkage,
    "a singular loop": parallelogram,
    "a surface, a direction and a passive knee": lame_foot,
    "none": lambda: art.Contacts(tripod()),
}


def as_large(held, way):
    """The set as a large one, with a robot of its own."""
    large = art.Contacts.__new__(art.Contacts)
    large._set_up(art.Robot(held.robot.model), held.contacts, held.passive)
    large.kernels.unrolled, large.kernels.work = False, np.inf
    if way == "arrays":
        large.kernels._looped = lambda request: None
    return large


@pytest.fixture(scope="module", params=[(name, way) for name in SETS for way in ("loops", "arrays")], ids="-".join)
def both(request):
    """A set as it is, and as a large one."""
    name, way = request.param
    held = SETS[name]()
    return held, as_large(held, way)


def same(found, expected, tolerance=1e-9):
    named = (
        zip(expected._fields, found, expected, strict=True) if hasattr(expected, "_fields") else [("", found, expected)]
    )
    for name, x, y in named:
        if name != "conditioning":  # pivots, and singular values
            assert near(np.asarray(x, float), np.asarray(y, float), tolerance), name


def test_ranks_and_equations(both, rng):
    held, large = both
    q, v, _ = state(held.robot, rng, 3)
    assert held.structure[:-2] == large.structure[:-2] and near(held.structure.size, large.structure.size, 1e-12)
    same(large.jacobian(q), held.jacobian(q), 1e-13)
    same(large.bias(q, v), held.bias(q, v), 1e-13)
    same(large.drift(q, held.poses(q)), held.drift(q, held.poses(q)), 1e-13)
    found = large.kernels.equations(q, v)
    same(found.M, held.robot.mass_matrix(q), 1e-13)
    same(found.h, held.robot.bias_forces(q, v), 1e-13)


def configurations(held, rng):
    """Random ones, and for a loop of bars those in one line."""
    q = state(held.robot, rng, 3)[0]
    if held.robot.name == "parallelogram":
        q[0] = 0
        q[1] = [0.3, -0.3, 0.3]
    return q


def test_laws(both, rng):
    held, large = both
    q, nv = configurations(held, rng), held.robot.nv
    v = held.impact(q, rng.normal(size=(3, nv))).v
    a, tau = rng.normal(size=(3, nv)), rng.normal(size=(3, len(held.actuated)))
    push = art.Wrenches({held.robot.frame_names[-1]: rng.normal(size=(3, 6))}, "world")
    for i in (..., 1):
        for method, values, options in (
            ("acceleration", (a[i],), {}),
            ("inverse_dynamics", (held.acceleration(q, v, a)[i],), {}),
            ("inverse_dynamics", (a[i],), {"tau0": tau[i], "force_weight": 0.1}),
            ("inverse_dynamics", (a[i],), {"weight": np.arange(1.0, 1 + tau.shape[-1])}),
            ("forward_dynamics", (tau[i],), {}),
            ("forward_dynamics", (a[i],), {"baumgarte": 3.0, "anchors": held.poses(q)[i]}),
            ("impact", (0.3,), {}),
        ):
            given = (q[i], v[i], *values)
            same(getattr(large, method)(*given, **options), getattr(held, method)(*given, **options), 1e-8)
        for method in ("inverse_dynamics", "forward_dynamics"):
            given, options = (q[i], v[i], a[i]), {"parameters": 1.1 * np.array(held.robot.parameters, float)}
            same(getattr(large, method)(*given, **options), getattr(held, method)(*given, **options), 1e-8)
    acting = {"forces": push}
    same(large.inverse_dynamics(q, v, a, **acting), held.inverse_dynamics(q, v, a, **acting), 1e-8)
    same(large.forward_dynamics(q, v, tau, **acting), held.forward_dynamics(q, v, tau, **acting), 1e-8)


def test_mistakes_are_named_as_they_are_in_small_sets(both):
    held, large = both
    q, v = held.robot.neutral(), np.zeros(held.robot.nv)
    for call in (
        lambda c: c.inverse_dynamics(q[:-1], v, v),
        lambda c: c.forward_dynamics(q, v + np.nan, np.zeros(len(c.actuated))),
        lambda c: c.acceleration([q] * 2, [v] * 3, v),
    ):
        said = []
        for contacts in (held, large):
            with pytest.raises(art.ShapeError) as problem:
                call(contacts)
            said.append(str(problem.value))
        assert said[0] == said[1]


def looped(held):
    """Laws of a set that run in loops."""
    known = [kernel.source.name for kernel in held.robot.kernels._store.values() if hasattr(kernel, "source")]
    return {name.split(".")[-1].removesuffix(" in loops") for name in known if name.endswith(" in loops")}


def test_many_loops_are_large():
    """The equations of motion hold, and the laws are loops."""
    held, _ = ladder(14)
    q = held.assemble(np.tile([1.0, -0.5, 1.5], 14))
    v, tau = held.impact(q, np.ones(42)).v, np.ones(14)
    assert abs(held.jacobian(q) @ v).max() < 1e-10 and held.analyse(q).rank == 28
    a = held.forward_dynamics(q, v, tau).a
    assert abs(held.jacobian(q) @ a + held.bias(q, v)).max() < 1e-11 * abs(a).max()
    found = held.inverse_dynamics(q, v, a)
    assert found.feasible and near(found.tau, tau, 1e-9)
    assert looped(held) >= {"jacobian", "impact", "forward_dynamics", "inverse_dynamics"}


def tilted(loops):
    """Four-bars in a plane that is not one of the world's, a motor at every joint: a row of each loop is redundant."""
    robot = ladder(loops)[0].robot
    turned = art.Transform.from_rpy((0.3, 0.4, 0.5))
    first = [k.replace(placement=turned @ k.placement) if k.parent == "base" else k for k in robot.links]
    return art.Contacts(art.build(first, name="tilted"), loops=[(f"pin{i}", f"eye{i}") for i in range(loops)])


SOME = {
    "driven": lambda: art.Contacts(ladder(3)[0].robot, loops=[(f"pin{i}", f"eye{i}") for i in range(3)]),
    "redundant": lambda: tilted(3),
    "one angle": lambda: art.Contacts(random_tree(5, 5, ["revolute"]), surface=["link0"]),
    "planar legs": lambda: art.Contacts(doubtful.load("solo", floating_base=True), point=QUADRUPEDS["solo12"]),
}


@pytest.mark.parametrize("name", SOME)
def test_a_state_computes_the_same_bits_alone_and_in_a_batch(name, rng):
    held = SOME[name]()
    large = as_large(held, "loops")
    q, v, a = state(held.robot, rng, 11)
    for method in ("acceleration", "inverse_dynamics", "forward_dynamics", "impact"):
        last = {"forward_dynamics": a, "impact": 0.5}.get(method, a)
        call = getattr(large, method)
        batch = call(q, v, last)
        same(batch, getattr(held, method)(q, v, last), 1e-11)
        for i in (0, 10):
            alone = call(q[i], v[i], last if method == "impact" else last[i])
            for x, y in zip(batch, alone, strict=True) if isinstance(batch, tuple) else [(batch, alone)]:
                assert np.array_equal(np.asarray(x)[i], y)


@pytest.mark.usefixtures("compiled_only")
def test_special_ranks_in_loops(rng):
    """On flat ground planar legs have a rank less, which is found without singular values."""
    held = SOME["planar legs"]()
    large = as_large(held, "loops")
    q, v, a = state(held.robot, rng, 3)
    q[1] = standing(held.robot, rng)
    for method in ("acceleration", "inverse_dynamics", "forward_dynamics", "impact"):
        last = 0.5 if method == "impact" else a
        same(getattr(large, method)(q, v, last), getattr(held, method)(q, v, last), 1e-9)
        one = 0.5 if method == "impact" else a[1]
        same(getattr(large, method)(q[1], v[1], one), getattr(held, method)(q[1], v[1], one), 1e-9)
    assert len(large.kernels.ready["inverse_dynamics"]) > 1


def test_a_state_without_numbers_is_refused_in_loops(rng):
    held = SOME["driven"]()
    large = as_large(held, "loops")
    q, v, a = state(held.robot, rng, 9)
    v[4, 2] = np.nan
    with pytest.raises(art.ShapeError, match="v holds NaN"):
        large.forward_dynamics(q, v, a)
    with pytest.raises(art.ShapeError, match="v holds NaN"):
        large.inverse_dynamics(q[4], v[4], a[4])


def test_a_law_too_long_to_be_compiled_is_computed_on_arrays(monkeypatch, rng):
    monkeypatch.setenv("ARTICULATED_CACHE", "off")
    held, other = linkage(), linkage()
    q, v, _ = state(held.robot, rng, 3)
    tau = rng.normal(size=(3, 1))
    expected = held.forward_dynamics(q, v, tau)
    other.kernels.unrolled, other.kernels._looped = False, lambda request: None
    monkeypatch.setattr("articulated.compiler.passes.simplify.MOST_OPERATIONS", 100)
    for _ in range(2):
        same(other.forward_dynamics(q, v, tau), expected)
        same(other.forward_dynamics(q[0], v[0], tau[0]), type(expected)(*(x[0] for x in expected)))
    assert not other.kernels.compiled_law("forward_dynamics") and other.kernels.compiled_law("inverse_dynamics")
