"""Sets too large for straight-line code are computed on arrays: the same numbers where both ways work."""

import numpy as np
import pytest

import articulated as art
from articulated.contacts.kernels import ContactKernels
from benchmarks.growth import ladder
from tests.near import near
from tests.zoo import state

from .legged import tripod
from .test_loops import four_bar
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


@pytest.fixture(scope="module", params=SETS)
def both(request):
    """A set as it is, and as a large one, with a robot of its own."""
    held = SETS[request.param]()
    large = art.Contacts.__new__(art.Contacts)
    large._set_up(art.Robot(held.robot.model), held.contacts, held.passive)
    large.kernels.unrolled, large.kernels.work = False, np.inf
    return held, large


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


def test_many_loops_are_large():
    """The equations of motion hold, and no law is compiled."""
    held, _ = ladder(28)
    assert not held.kernels.unrolled and isinstance(held.kernels, ContactKernels)
    q = held.assemble(np.tile([1.0, -0.5, 1.5], 28))
    v, tau = held.impact(q, np.ones(84)).v, np.ones(28)
    assert abs(held.jacobian(q) @ v).max() < 1e-10 and held.analyse(q).rank == 56
    a = held.forward_dynamics(q, v, tau).a
    assert abs(held.jacobian(q) @ a + held.bias(q, v)).max() < 1e-8 * abs(a).max()
    found = held.inverse_dynamics(q, v, a)
    assert found.feasible and near(found.tau, tau, 1e-7)
    assert not any("dynamics" in r.method and "contacts." in r.method for r in held.robot.kernels.made)


def test_a_law_too_long_to_be_compiled_is_computed_on_arrays(monkeypatch, rng):
    monkeypatch.setenv("ARTICULATED_CACHE", "off")
    held, other = linkage(), linkage()
    q, v, _ = state(held.robot, rng, 3)
    tau = rng.normal(size=(3, 1))
    expected = held.forward_dynamics(q, v, tau)
    other.kernels.unrolled = False
    monkeypatch.setattr("articulated.compiler.passes.simplify.MOST_OPERATIONS", 100)
    for _ in range(2):
        same(other.forward_dynamics(q, v, tau), expected)
        same(other.forward_dynamics(q[0], v[0], tau[0]), type(expected)(*(x[0] for x in expected)))
    assert not other.kernels.unrolled_law("forward_dynamics") and other.kernels.unrolled_law("inverse_dynamics")
