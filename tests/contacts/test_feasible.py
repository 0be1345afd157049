"""Accelerations that no torque gives: said, the nearest that some torque gives, and what depends on the base frame."""

from functools import partial

import numpy as np
import pytest

import articulated as art
from articulated.contacts.ranks import subspaces

from .legged import QUADRUPEDS, SETS, Interpreted, contacts, holding, legged, relative

COMPILED = [(name, kind, feet) for name, kind, feet in SETS if name in ("quadruped", "biped")]
every_set = pytest.mark.parametrize(("name", "kind", "feet"), COMPILED, ids=["quadruped", "biped"])
FEET = QUADRUPEDS["quadruped"]


@every_set
def test_feasible_is_said(name, kind, feet, rng):
    """True of what torques do; False as soon as a contact moves, or the base needs a force that is not there."""
    for count in range(len(feet) + 1):
        held = contacts(name, kind, feet[:count])
        q, v = holding(held, rng)
        a = held.forward_dynamics(q, v, rng.normal(size=len(held.actuated))).a
        found = held.inverse_dynamics(q, v, a)
        assert found.feasible is True or found.feasible == np.True_
        assert np.array_equal(found.a, a)
        ranks = held.analyse(q)
        if ranks.uncontrollable:
            other = a + 1e-3 * max(1, abs(a).max()) * ranks.uncontrollable_basis[:, 0]
            assert not held.inverse_dynamics(q, v, other).feasible
        if held.k:
            moving = a + 1e-3 * max(1, abs(a).max()) * np.linalg.pinv(held.jacobian(q))[:, 0]
            for method in ("qr", "projector"):
                assert not held.inverse_dynamics(q, v, moving, method=method).feasible


@every_set
def test_the_nearest_is_feasible_and_nearest(name, kind, feet, rng):
    for count in range(len(feet) + 1):
        held = contacts(name, kind, feet[:count])
        q, v = holding(held, rng)
        a = rng.normal(size=held.robot.nv)
        near = held.feasible_acceleration(q, v, a)
        found = held.inverse_dynamics(q, v, near)
        assert found.feasible
        # some torque gives it
        assert relative(held.forward_dynamics(q, v, found.tau).a, near) < 1e-8
        # and what leads away from it to other feasible ones is at right angles to a - near, as M measures
        J, M = held.jacobian(q), held.robot.mass_matrix(q)
        N = held.analyse(q).uncontrollable_basis
        ways = subspaces.null_space(np.concatenate([J, N.T @ M]), scale=held.structure.size)
        slopes = ways.T @ M @ (a - near)
        assert abs(slopes).max(initial=0) < 1e-9 * max(1, abs(M @ (a - near)).max())
        # a feasible one is itself
        assert np.array_equal(held.feasible_acceleration(q, v, near), near)


def test_a_batch_is_its_states(rng):
    held = contacts("quadruped", "point", FEET[:2])
    states = [holding(held, rng) for _ in range(3)]
    q, v = (np.stack(x) for x in zip(*states, strict=True))
    a = rng.normal(size=(2, 3, 18))
    a[1, 2] = held.feasible_acceleration(q[2], v[2], a[1, 2])
    found = held.inverse_dynamics(q, v, a, on_infeasible="nearest")
    assert found.feasible.tolist() == [[False, False, False], [False, False, True]]
    assert np.array_equal(found.a[1, 2], a[1, 2])
    for i, j in np.ndindex(2, 3):
        one = held.inverse_dynamics(q[j], v[j], a[i, j], on_infeasible="nearest")
        assert one.feasible == found.feasible[i, j]
        assert relative(found.a[i, j], one.a) < 1e-12 and relative(found.tau[i, j], one.tau) < 1e-11
        assert relative(one.a, held.feasible_acceleration(q[j], v[j], a[i, j])) < 1e-12
        assert one.residual < 1e-9 * abs(one.forces).max() and one.violation < 1e-9
    wishes = {"tau0": rng.normal(size=12), "forces": art.Wrenches({"base": np.array([5.0, 0, 0, 0, 1, 0])}, "world")}
    pushed = held.inverse_dynamics(q, v, a, on_infeasible="nearest", **wishes)
    moved = held.forward_dynamics(q, v, pushed.tau, forces=wishes["forces"])
    assert relative(moved.a, pushed.a) < 1e-8


def test_an_acceleration_that_cannot_be_had_can_be_refused(rng):
    held = contacts("quadruped", "point", FEET)
    q, v = holding(held, rng)
    a = np.stack([held.acceleration(q, v, rng.normal(size=18)), rng.normal(size=18)])
    assert held.inverse_dynamics(q, v, a[0], on_infeasible="raise").feasible
    with pytest.raises(art.InfeasibleAcceleration, match=r"no torque gives the acceleration a in state \(1,\)"):
        held.inverse_dynamics(q, v, a, on_infeasible="raise")
    with pytest.raises(art.UnknownName, match=r"on_infeasible.*did you mean 'nearest'"):
        held.inverse_dynamics(q, v, a, on_infeasible="nearset")


def with_base_frame(robot, at):
    """The same robot, its free base described by a frame `at` a place in the old one."""
    root, *others = robot.model.links
    back = art.Transform.from_matrix(art.spatial.inverse(at.matrix()))
    old = art.Link(root.name, "other", art.Fixed(), back, root.inertia)
    return Interpreted(art.build([art.Link("other", None, art.Floating()), old, *others], name="other").model)


@pytest.mark.parametrize("feet", [FEET, FEET[:2]], ids=["moves a contact", "uncontrollable"])
@pytest.mark.parametrize(("shift", "angle"), [((0, 0, 0), 0.7), ((0.2, -0.1, 0.3), 0.0), ((0.2, -0.1, 0.3), 0.7)])
def test_the_torques_of_what_is_infeasible_depend_on_the_base_frame(feet, shift, angle, rng):
    """E3.4: where a force is missing, a base frame elsewhere changes them, one that is only turned does not.

    Where contacts supply all the forces, and the acceleration only moves a contact, neither does.
    """
    robot = Interpreted(legged("quadruped").model)
    at = art.Transform.from_rpy((0, 0, angle), shift)
    other = with_base_frame(robot, at)
    q, q_other = robot.neutral(), other.neutral()
    q[7:] = q_other[7:] = rng.uniform(-1, 1, 12)
    q_other[:7] = [*shift, 0, 0, np.sin(angle / 2), np.cos(angle / 2)]
    X = art.spatial.adjoint(art.spatial.inverse(at.matrix()))

    def torques(a, **options):
        """In the coordinates of either base frame, at rest: one motion, two ways to write it."""
        seen = np.concatenate([X @ a[:6], a[6:]])
        held, held_other = (art.Contacts(r, point=feet) for r in (robot, other))
        return (
            held.inverse_dynamics(q, np.zeros(18), a, **options),
            held_other.inverse_dynamics(q_other, np.zeros(18), seen, **options),
        )

    one, two = torques(rng.normal(size=18))
    assert not one.feasible and not two.feasible
    difference = relative(two.tau, one.tau)
    assert (one.residual > 1e-3) == (len(feet) == 2) and one.violation > 1e-3
    assert difference > 1e-4 if any(shift) and one.residual > 1e-3 else difference < 1e-11
    # the nearest feasible one is the same motion, and its torques are the same
    one, two = torques(rng.normal(size=18), on_infeasible="nearest")
    assert not one.feasible and not two.feasible
    assert relative(np.concatenate([X @ one.a[:6], one.a[6:]]), two.a) < 1e-10
    assert relative(two.tau, one.tau) < 1e-10
    one, two = torques(one.a)
    assert one.feasible and two.feasible and relative(two.tau, one.tau) < 1e-10


@pytest.mark.parametrize("lifted", [(), ("FR_FOOT",)])
def test_standing_still_is_feasible(lifted):
    """Nothing moves and nothing accelerates: what is left of gravity by rounding is no acceleration of a contact."""
    robot = art.load("quadruped", floating_base=True)
    feet = art.Contacts(robot, point=["FL_FOOT", "FR_FOOT", "HL_FOOT", "HR_FOOT"]).lift(*lifted)
    still = np.zeros(robot.nv)
    assert feet.inverse_dynamics(robot.poses["home"], still, still, on_infeasible="raise").feasible


# -- contacts that depend on each other ----------------------------------------------------------------


def dependent_sets():
    """Two points of one shank, a frame twice, a foot that is held in more ways than it moves; and feet that are not."""
    dog = legged("quadruped").add_frame("FL2", "FL_SHANK", art.Transform(p=(0.05, 0, -0.05)))
    dog = Interpreted(dog.add_frame("twin", "FL_FOOT", art.Transform()).model)
    yield "one shank", art.Contacts(dog, point=["FL_FOOT", "FL2"]), True
    yield "coincident", art.Contacts(dog, point=["FL_FOOT", "twin"]), False
    yield "every foot flat", art.Contacts(dog, surface=FEET), True
    yield "two feet", art.Contacts(dog, point=FEET[:2]), False
    yield "none", art.Contacts(dog), False


@pytest.mark.parametrize(("held", "contradicts"), [pytest.param(*given, id=name) for name, *given in dependent_sets()])
def test_what_is_called_feasible_is(held, contradicts, rng):
    """At any velocity: the acceleration returned is feasible, or it is said that none is."""
    robot, nearest = held.robot, partial(held.inverse_dynamics, on_infeasible="nearest")
    for _ in range(3):
        q, v, a = robot.random(rng), *rng.normal(size=(2, robot.nv))
        # J a = -bias has a solution?
        J, bias = held.jacobian(q), held.bias(q, v)
        short = abs(bias - J @ subspaces.pseudo_inverse(J) @ bias).max(initial=0)
        assert (short > 1e-6) == contradicts
        for find in (held.feasible_acceleration, lambda *state: nearest(*state).a):
            if contradicts:
                with pytest.raises(
                    art.InfeasibleAcceleration, match=r"no acceleration is feasible: .*contradict.*impact"
                ):
                    find(q, v, a)
            else:
                assert held.inverse_dynamics(q, v, find(q, v, a), on_infeasible="raise").feasible
        with pytest.raises(art.InfeasibleAcceleration) as refused:
            held.inverse_dynamics(q, v, a, on_infeasible="raise")
        assert ("nearest that is feasible" in str(refused.value)) != contradicts
        # a velocity that moves no contact is as it is said to be
        still = held.impact(q, v).v
        if not contradicts or "FL2" in held.names:
            assert held.inverse_dynamics(q, still, held.feasible_acceleration(q, still, a)).feasible


def test_only_the_reason_that_holds_is_given(rng):
    arm = Interpreted(art.load("panda").model)
    hand, (first, *_) = arm.frame_names[-1], arm.joint_names
    dog = contacts("quadruped", "point", FEET[:2])
    cases = [
        # a motor for every direction: only the contact moves
        (art.Contacts(arm, point=[hand]), rng.normal(size=7), [hand, "would accelerate"], ["missing", "base"]),
        # nothing is held: only the torque of the passive joint is missing
        (
            art.Contacts(arm, passive=[first]),
            rng.normal(size=7),
            [f"joint {first!r}", "missing"],
            ["accelerate", "base"],
        ),
        (dog, rng.normal(size=18), [*FEET[:2], "would accelerate", "on the base", "missing"], FEET[2:]),
    ]
    for held, a, words, others in cases:
        q, v = held.robot.random(rng), np.zeros(held.robot.nv)
        with pytest.raises(art.InfeasibleAcceleration) as refused:
            held.inverse_dynamics(q, v, a, on_infeasible="raise")
        said = str(refused.value).partition("acceleration a")[2].partition(";")[0]
        assert all(word in said for word in words) and not any(word in said for word in others), said
    # the feet hold, and the robot tips over the line between them
    q, v = holding(dog, rng)
    with pytest.raises(art.InfeasibleAcceleration) as refused:
        dog.inverse_dynamics(q, v, dog.acceleration(q, v, rng.normal(size=18)), on_infeasible="raise")
    assert "on the base" in str(refused.value) and "accelerate by" not in str(refused.value)
