"""Where a contact set is not what it usually is: no internal forces, no motion, vanishing rows, half turns."""

import numpy as np
import pytest

import articulated as art
from articulated.algebra.rotations import axis_angle, rotation_between
from articulated.algebra.scalars import array
from articulated.contacts.kernels import ContactKernels

from .legged import QUADRUPEDS, Interpreted, legged

METHODS = ("qr", "projector")
FEET = QUADRUPEDS["quadruped"]


@pytest.fixture(scope="module")
def dog():
    return legged("quadruped")


@pytest.mark.parametrize("kind", ["point", "surface"])
def test_weights_do_not_matter_where_there_is_one_answer(dog, kind, rng):
    """On one foot there are no internal forces, whatever the weights."""
    held = art.Contacts(dog, **{kind: FEET[:1]})
    q, v = dog.random(rng), np.zeros(18)
    plain = held.inverse_dynamics(q, v, v)
    k, n = held.k, len(held.actuated)
    for wish in ({"weight": np.eye(n)}, {"force_weight": np.eye(k)}, {"weight": [1.0, 0.0] * 6}):
        found = held.inverse_dynamics(q, v, v, **wish)
        assert np.allclose(found.tau, plain.tau, rtol=0, atol=1e-11)
        assert np.allclose(found.residual, plain.residual, rtol=0, atol=1e-11)


def test_contacts_that_leave_no_motion(dog, rng):
    """The base clamped and four feet held: P = 0, and no torque is needed."""
    held = art.Contacts(Interpreted(dog.model), surface=["base"], point=FEET)
    q, v = dog.random(rng), np.zeros(18)
    for method in METHODS:
        assert abs(held.inverse_dynamics(q, v, v, method=method).tau).max() < 1e-11


def parallelogram():
    def bar(m, x):
        return art.Inertia(m, (x, 0, 0), np.eye(3) * 0.01 * m)

    def revolute(name):
        return art.Revolute((0, 1, 0), name=name)

    links = [
        art.Link("base"),
        art.Link("l1", "base", revolute("j1"), inertia=bar(1, 0.15)),
        art.Link("l2", "l1", revolute("j2"), art.Transform(p=(0.3, 0, 0)), bar(1, 0.2)),
        art.Link("t2", "l2", art.Fixed(), art.Transform(p=(0.4, 0, 0))),
        art.Link("l3", "base", revolute("j3"), art.Transform(p=(0.4, 0, 0)), bar(1, 0.15)),
        art.Link("t3", "l3", art.Fixed(), art.Transform(p=(0.3, 0, 0))),
    ]
    return art.Contacts(art.build(links, name="parallelogram"), loops=[("t2", "t3")], passive=["j2", "j3"])


@pytest.mark.parametrize("angle", [0.0, 1e-10])
def test_a_flat_parallelogram(angle):
    """Its bars in one line the linkage has another rank; a hair beside that, it must not be inverted."""
    held = parallelogram()
    q, still = [angle, -angle, angle], np.zeros(3)
    expected = held.inverse_dynamics(q, still, still, method="projector")
    found = held.inverse_dynamics(q, still, still)
    assert np.allclose(found.tau, expected.tau, rtol=0, atol=1e-6)
    assert np.allclose(found.residual, expected.residual, rtol=0, atol=1e-6)
    assert abs(found.forces).max() < 100


def test_one_row_that_vanishes():
    """A stretched arm against a wall: the wall cannot be reached by any small motion, and nothing presses on it."""
    robot = art.load("2r")
    tip = robot.frame_names[-1]
    held = art.Contacts(robot, direction={tip: (1, 0, 0)})
    for q in ([0.0, 0.0], [np.pi, 0.0]):
        g = robot.gravity_forces(q)
        for method in METHODS:
            found = held.inverse_dynamics(q, [0, 0], [0, 0], method=method)
            assert np.allclose(found.tau, g, rtol=0, atol=1e-12) and abs(found.forces).max() < 1e-12
        moved = held.forward_dynamics(q, [0, 0], g)
        assert np.allclose(moved.a, 0, rtol=0, atol=1e-10) and abs(moved.forces).max() < 1e-10
        assert np.allclose(held.acceleration(q, [0, 0], [1.0, 0]), [1.0, 0], rtol=0, atol=1e-12)
        assert np.allclose(held.impact(q, [1.0, 0]).v, [1.0, 0], rtol=0, atol=1e-10)
        assert held.analyse(q).rank == 0


def test_only_the_unusual_states_of_a_batch_are_done_again(rng, monkeypatch):
    held = parallelogram()
    angles = rng.uniform(0.2, 1, 50)
    angles[17] = 0
    q, still = np.stack([angles, -angles, angles], axis=-1), np.zeros(3)
    seen, moved = [], ContactKernels.moved

    def watched(kernels, q, v):
        seen.append(len(q))
        return moved(kernels, q, v)

    monkeypatch.setattr(ContactKernels, "moved", watched)
    both = held.inverse_dynamics(q, still, still)
    monkeypatch.undo()
    assert seen == [1]
    for i in (16, 17, 18):
        assert np.allclose(both.tau[i], held.inverse_dynamics(q[i], still, still).tau, rtol=0, atol=1e-12)
    tau = rng.normal(size=(50, 1))
    moved = held.forward_dynamics(q, still, tau)
    for i in (16, 17, 18):
        assert np.allclose(moved.a[i], held.forward_dynamics(q[i], still, tau[i]).a, rtol=0, atol=1e-10)


@pytest.mark.parametrize("angle", [0.0, 1e-13, 1e-3, 1.0, 3.0, np.pi - 1e-9, np.pi])
def test_rotations_up_to_half_a_turn(angle, rng):
    for _ in range(20):
        axis, start = rng.normal(size=3), np.linalg.qr(rng.normal(size=(3, 3)))[0]
        start *= np.linalg.det(start)
        axis /= np.linalg.norm(axis)
        turned = np.array(axis_angle(axis, angle), float) @ start
        found = np.array(rotation_between(array(start), array(turned)), float)
        assert abs(np.linalg.norm(found) - angle) < 1e-8
        assert min(abs(found - angle * axis).max(), abs(found + angle * axis).max()) < 1e-7


def test_upside_down_is_not_in_place(dog):
    q = dog.neutral()
    over = q.copy()
    over[3:7] = [1, 0, 0, 0]
    for held in (art.Contacts(dog, surface=["base"]), art.Contacts(dog, line={"base": (0, 1, 0)})):
        anchors = held.poses(q)
        assert abs(np.linalg.norm(held.drift(over, anchors)) - np.pi) < 1e-9
        back = held.assemble(over, anchors)
        assert abs(held.drift(back, anchors)).max() < 1e-12
        assert not np.array_equal(back, over)


def test_no_states_at_all(dog):
    held = art.Contacts(dog, point=FEET)
    none, v = np.zeros((0, 19)), np.zeros((0, 18))
    anchors = held.poses(none)
    assert held.drift(none, anchors).shape == (0, 12)
    assert held.inverse_dynamics(none, v, v).tau.shape == (0, 12)
    assert held.forward_dynamics(none, v, np.zeros((0, 12)), baumgarte=1.0, anchors=anchors).a.shape == (0, 18)
