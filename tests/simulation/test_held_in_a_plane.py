"""Contacts that hold in directions in which nothing can move: such rows carry no force and change no motion."""

import numpy as np
import pytest

import articulated as art

from ..contacts.test_loops import LOOPS, four_bar

#: each step is solved to 1e-6 of what gravity does in it
SOLVED = 1e-6
OPTIONS = {"duration": 0.2, "dt": 1e-3}


def chain(**first):
    """Three links in the plane of x and z; the first joint with a range or dry friction if asked for."""
    inertia = art.Inertia(1.0, (0.2, 0, 0.01), np.diag([0.01, 0.02, 0.02]))
    links, parent = [], None
    for k in range(3):
        joint = art.Revolute((0, 1, 0), name=f"j{k}", **(first if not k else {}))
        place = art.Transform(p=(0.4 if k else 0, 0, 0))
        links.append(art.Link(f"l{k}", parent, joint, place, inertia))
        parent = f"l{k}"
    return art.build(links, name="chain").add_frame("tip", "l2", art.Transform(p=(0.4, 0, 0)))


def in_plane(robot, frame="tip"):
    """Contacts that hold a point of a planar robot, without the direction across its plane."""
    return [art.Contacts(robot, direction={frame: axis}) for axis in ((1, 0, 0), (0, 0, 1))]


CHAINS = {
    "plain": {},
    "dry friction": {"friction": 0.8},
    "limits": {"limits": art.Limits(-2.0, 0.42)},
    "both": {"friction": 0.5, "limits": art.Limits(-2.0, 0.42)},
}
BENT = np.array([0.4, 0.9, 0.7])


@pytest.mark.parametrize(
    ("kind", "driven"),
    [("plain", "free"), ("plain", "called"), ("dry friction", "given"), ("limits", "free"), ("both", "called")],
)
def test_a_point_of_a_planar_robot_is_held_in_its_plane(kind, driven):
    robot = chain(**CHAINS[kind])
    pushed = {"free": None, "given": [-0.5, 0.1, 0.2], "called": lambda t, q, v: 0.3 - 0.1 * v}[driven]
    q = BENT + np.array([[0.0], [-0.1]])
    run = art.simulate(robot, q, torque=pushed, contacts=art.Contacts(robot, point=["tip"]), **OPTIONS)
    alike = art.simulate(robot, q, torque=pushed, contacts=in_plane(robot), **OPTIONS)
    assert np.abs(run.q - alike.q).max() < SOLVED and np.abs(run.v - alike.v).max() < 10 * SOLVED
    assert np.allclose(run.contact.forces[:, :, 0], alike.contact.forces.sum(axis=2), atol=1e-3)
    assert not run.contact.forces[..., 1].any() and run.contact.residual.max() <= 1e-6
    one = art.simulate(robot, q[1], torque=pushed, contacts=art.Contacts(robot, point=["tip"]), **OPTIONS)
    assert np.abs(run.q[1] - one.q).max() < SOLVED


def test_across_the_plane_nothing_is_held():
    robot = chain(friction=0.3, limits=art.Limits(-2.0, 0.42))
    run = art.simulate(robot, BENT, contacts=art.Contacts(robot, direction={"tip": (0, 1, 0)}), **OPTIONS)
    free = art.simulate(robot, BENT, **OPTIONS)
    assert np.abs(run.q - free.q).max() < 1e-9 and not run.contact.forces.any()


@pytest.mark.parametrize("kind", ["point", "surface"])
def test_a_frame_on_an_axis(kind):
    """The origin of the second link of a Panda lies on the first two axes: only its attitude can be held."""
    robot = art.load("panda")
    q = np.array([0.1, 0.2, 0.1, -1.0, 0.2, 1.0, 0.1])
    held = art.Contacts(robot, **{kind: ["panda_link2"]})
    run = art.simulate(robot, q, contacts=held, duration=0.05)
    assert np.allclose(run.a[0], held.forward_dynamics(q, np.zeros(7), np.zeros(7)).a, atol=1e-3)
    assert not run.contact.forces.any() and run.contact.moments.any() == (kind == "surface")
    assert np.abs(run.q[:, :2] - q[:2]).max() < 1e-7 or kind == "point"


def test_beside_the_ground():
    """A planar leg whose foot slides on the ground while its ankle is held across the plane."""
    robot, q = chain(), np.array([0.5, 0.3, 0.2])
    ground = art.Ground(0.4, height=float(robot.pose(q, "tip")[2, 3]) - 1e-3, feet=["tip"])
    alone = art.simulate(robot, q, contacts=ground, **OPTIONS)
    both = art.simulate(robot, q, contacts=[ground, art.Contacts(robot, direction={"l2": (0, 1, 0)})], **OPTIONS)
    assert alone.contact.states.any() and np.abs(both.q - alone.q).max() < SOLVED
    assert not both.contact.forces[:, 1].any()
    pinned = art.simulate(robot, q, contacts=[ground, art.Contacts(robot, point=["l2"])], **OPTIONS)
    alike = art.simulate(robot, q, contacts=[ground, *in_plane(robot, "l2")], **OPTIONS)
    assert np.abs(pinned.q - alike.q).max() < SOLVED and pinned.contact.states[:, 0].any()


def integrated(held, q, duration, steps=200):
    """Where a robot at rest gets to under gravity: Runge and Kutta's method on `held.forward_dynamics`."""
    n, h = len(q), duration / steps

    def rate(x):
        return np.concatenate([x[n:], held.forward_dynamics(x[:n], x[n:], np.zeros(n)).a])

    x = np.concatenate([q, np.zeros(n)])
    for _ in range(steps):
        k1 = rate(x)
        k2 = rate(x + h / 2 * k1)
        k3 = rate(x + h / 2 * k2)
        x = x + h / 6 * (k1 + 2 * k2 + 2 * k3 + rate(x + h * k3))
    return x[:n]


@pytest.mark.parametrize("kind", LOOPS)
def test_a_four_bar_moves_as_its_forward_dynamics_says(kind):
    """Euler's method has order 1: half the step, half the error."""
    robot = four_bar()
    held = art.Contacts(robot, loops=[LOOPS[kind]])
    q = held.assemble([1.0, -0.5, 1.5], locked=["crank"])
    there, missed = integrated(held, q, 0.2), []
    for dt in (1e-3, 5e-4):
        run = art.simulate(robot, q, duration=0.2, dt=dt, contacts=held)
        missed.append(np.abs(run.q[-1] - there).max())
    assert np.abs(there - q).max() > 0.05 and missed[0] < 1e-3 and missed[1] < 0.51 * missed[0]
    assert not run.contact.forces[..., 1].any() and not run.contact.moments.any()


def test_a_gap_across_the_plane_does_not_matter():
    """Frames of a loop that lie side by side cannot be brought together, and are not pulled."""
    aside = four_bar().add_frame("aside", "rocker", art.Transform(p=(1.5, 0.01, 0)))
    q = art.Contacts(aside, loops=[("pin", "eye")]).assemble([1.0, -0.5, 1.5], locked=["crank"])
    runs = [
        art.simulate(aside, q, duration=0.1, contacts=art.Contacts(aside, loops=[("pin", end)]))
        for end in ("eye", "aside")
    ]
    assert np.abs(runs[0].q - runs[1].q).max() < SOLVED and not runs[1].contact.forces[..., 1].any()


@pytest.mark.parametrize("turned", [0.0, np.pi, 1e-9])
def test_a_stretched_arm_cannot_be_pulled(turned):
    """The row along the arm vanishes there, exactly or as far as numbers tell."""
    robot, tau = chain(), np.array([0.3, 0.1, -0.2])
    q = np.array([turned, 0, 0])
    for held in (art.Contacts(robot, direction={"tip": (1, 0, 0)}), art.Contacts(robot, point=["tip"])):
        told = held.forward_dynamics(q, np.zeros(3), tau)
        run = art.simulate(robot, q, torque=tau, contacts=held, duration=0.01)
        assert np.allclose(run.a[0], told.a, atol=1e-2) and not run.contact.forces[0, 0, :2].any()


def test_through_a_configuration_where_the_row_vanishes():
    """A folded arm of two equal links turns about its base, where its tip is: at 0 nothing can move that along x."""
    inertia = art.Inertia(1.0, (0.25, 0, 0), np.diag([0.01, 0.02, 0.02]))
    links = [
        art.Link("a", None, art.Revolute((0, 1, 0)), inertia=inertia),
        art.Link("b", "a", art.Revolute((0, 1, 0)), art.Transform(p=(0.5, 0, 0)), inertia),
    ]
    robot = art.build(links, gravity=(0, 0, 0)).add_frame("tip", "b", art.Transform(p=(0.5, 0, 0)))
    held = art.Contacts(robot, direction={"tip": (1, 0, 0)})
    # the 101st sample is at 0
    run = art.simulate(robot, [-0.1, np.pi], [1.0, 0.0], duration=0.2, torque=[0, 0.3], contacts=held)
    assert abs(run.q[100, 0]) < 1e-12 and not run.contact.forces[100].any() and run.contact.forces[99].any()
    assert np.allclose(run.q[-1], [0.1, np.pi], atol=1e-5) and run.contact.residual.max() < 1e-6
