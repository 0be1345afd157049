"""Closed loops: linkages held together at a point, a hinge or a weld."""

import numpy as np
import pytest

import articulated as art
from articulated.contacts.loops import AssemblyError

from ..zoo import random_inertia


def four_bar(coupler: float = 2.0) -> art.Robot:
    """Crank 1, coupler, rocker 1.5 on a base of length 2, about y; the coupler's end is to meet the rocker's."""

    def bar(length):
        return art.Inertia(length, (length / 2, 0, 0), np.diag([1e-3, length**3 / 12, length**3 / 12]))

    y = (0, -1, 0)
    foot, pin, eye = (art.Transform(p=[x, 0, 0]) for x in (2.0, coupler, 1.5))
    links = [
        art.Link("base"),
        art.Link("crank", "base", art.Revolute(y), inertia=bar(1.0)),
        art.Link(
            "coupler", "crank", art.Revolute(y), art.Transform(p=[1.0, 0, 0]), bar(coupler), frames=[("pin", pin)]
        ),
        art.Link("rocker", "base", art.Revolute(y), foot, bar(1.5), frames=[("eye", eye)]),
    ]
    return art.build(links, name="four_bar")


LOOPS = {"point": ("pin", "eye"), "hinge": ("pin", "eye", "hinge", (0, 1, 0))}


@pytest.fixture(params=LOOPS)
def linkage(request):
    """The four-bar with a motor at the crank; in space, a planar loop has rows that say nothing."""
    robot = four_bar()
    held = art.Contacts(robot, loops=[LOOPS[request.param]], passive=[n for n in robot.joint_names if n != "crank"])
    q = held.assemble([1.0, -0.5, 1.5], locked=["crank"])
    return held, q


def test_assembly_closes_the_loop_and_leaves_the_crank(linkage):
    held, q = linkage
    assert q[0] == 1.0 and abs(held.drift(q)).max() < 1e-12
    pin, eye = (held.robot.pose(q, name)[:3, 3] for name in ("pin", "eye"))
    assert np.allclose(pin, eye, rtol=0, atol=1e-12)


def test_assembly_closes_a_stretched_loop_that_is_held_twice():
    """At the end of its reach each step halves the error, and half of the rows are redundant."""
    held = art.Contacts(four_bar(1.5), loops=[("pin", "eye"), ("eye", "pin")])
    q = held.assemble([np.pi, 0.2, -0.3], locked=["crank"])
    assert q[0] == np.pi and abs(held.drift(q)).max() < 1e-12


def test_a_planar_loop_has_two_equations(linkage):
    held, q = linkage
    found = held.analyse(q)
    assert (found.rank, found.internal, found.uncontrollable, found.actuation) == (2, 0, 0, "fully")
    assert len(found.redundant) == held.k - 2


def test_crank_torque_from_virtual_work(linkage, rng):
    """One degree of freedom: the torque is the sum of all generalized forces times their speed ratios."""
    held, q = linkage
    robot = held.robot
    J = held.jacobian(q)
    ratios = np.linalg.svd(J)[2][-1]
    ratios = ratios / ratios[0]
    v = 0.7 * ratios
    a = held.acceleration(q, v, [0.3, 0, 0])
    found = held.inverse_dynamics(q, v, a)
    assert found.residual < 1e-12 and found.violation < 1e-12
    assert np.allclose(found.tau, ratios @ robot.inverse_dynamics(q, v, a), rtol=1e-12)
    assert np.allclose(held.forward_dynamics(q, v, found.tau).a, a, rtol=0, atol=1e-11)


def test_energy_is_kept(linkage):
    """Released from rest, the linkage swings; the loop's forces do no work."""
    held, q = linkage
    robot, dt = held.robot, 1e-3
    v = np.zeros(3)

    def rate(q, v):
        return held.forward_dynamics(q, v, [0.0], baumgarte=20.0).a

    start = robot.potential_energy(q)
    for _ in range(500):
        k1 = rate(q, v)
        k2 = rate(robot.integrate(q, dt / 2 * v), v + dt / 2 * k1)
        k3 = rate(robot.integrate(q, dt / 2 * (v + dt / 2 * k1)), v + dt / 2 * k2)
        k4 = rate(robot.integrate(q, dt * (v + dt / 2 * k2)), v + dt * k3)
        q = robot.integrate(q, dt * v + dt**2 / 6 * (k1 + k2 + k3))
        v = v + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    assert abs(v).max() > 0.1
    assert abs(robot.kinetic_energy(q, v) + robot.potential_energy(q) - start) < 1e-8 * start
    assert abs(held.drift(q)).max() < 1e-9


def test_a_weld_makes_two_arms_one(rng):
    """Two halves of a bar, each carried by six joints of its own: welded, they move as one."""
    links = [art.Link("world")]
    for side, x in (("left", -0.3), ("right", 0.3)):
        parent, place = "world", art.Transform(p=[x, 0, 0])
        for i, axis in enumerate([(0, 0, 1), (0, 1, 0), (0, 1, 0), (1, 0, 0), (0, 1, 0), (1, 0, 0)]):
            links.append(art.Link(f"{side}{i}", parent, art.Revolute(axis), place, random_inertia(rng)))
            parent, place = f"{side}{i}", art.Transform(p=[0, 0, 0.25])
    two = art.build(links, name="two")
    held = art.Contacts(two, loops=[("left5", "right5", "weld")])
    q = held.assemble(0.3 * rng.normal(size=12))
    left, right = (two.pose(q, f"{side}5") for side in ("left", "right"))
    assert np.allclose(left, right, rtol=0, atol=1e-11)
    v = rng.normal(size=two.nv)
    J = held.jacobian(q)
    v = v - np.linalg.pinv(J) @ (J @ v)
    tau = rng.normal(size=two.nv)
    a, forces = held.forward_dynamics(q, v, tau)
    left, right = (two.frame_acceleration(q, v, a, f"{side}5") for side in ("left", "right"))
    assert np.allclose(left, right, rtol=0, atol=1e-9 * abs(a).max())
    assert np.allclose(two.inverse_dynamics(q, v, a), tau + J.T @ forces, rtol=0, atol=1e-9 * abs(forces).max())


def test_stretched_legs_bend():
    """All legs straight and the body to go down: no small step of a knee helps, so the first one is a guess."""
    robot = art.load("quadruped", floating_base=True)
    feet = art.Contacts(robot, point=["FL_FOOT", "FR_FOOT", "HL_FOOT", "HR_FOOT"])
    q = robot.neutral()
    anchors, lower = feet.poses(q), q.copy()
    lower[2] -= 0.05
    found = feet.assemble(lower, anchors, locked=["floating_base"])
    assert np.array_equal(found[:7], lower[:7]) and abs(feet.drift(found, anchors)).max() < 1e-12


def test_lengths_that_cannot_meet_are_said(rng):
    held = art.Contacts(four_bar(coupler=0.2), loops=[("pin", "eye")])
    with pytest.raises(AssemblyError, match=r"pin~eye [xz] is still off by .*; start closer"):
        held.assemble([np.pi, 0, 0], locked=["crank"])


#: robots with frames that a hinge may hold together, and its axis
HINGED = {
    "four_bar": ("pin", "eye", (0, 1, 0)),
    "quadruped": ("FL_FOOT", "FR_FOOT", (0, 1, 0)),
    "tree9": ("b9", "b4", (1, 2, 3)),
}


@pytest.mark.parametrize(
    ("name", "floats"), [("four_bar", False), ("four_bar", True), ("tree9", False), ("quadruped", True)]
)
def test_a_hinge_on_any_base(name, floats, rng):
    """J is the rate of the drift, the bias that of J v, and the laws hold them."""
    frame, other, axis = HINGED[name]
    robot = four_bar() if name == "four_bar" else art.load(name, floating_base=False)
    if floats:  # a base that floats needs mass of its own
        robot = robot.replace(robot.links[0].name, inertia=random_inertia(rng)).floating()
    held = art.Contacts(robot, loops=[(frame, other, "hinge", axis)])
    q, v, step = robot.random(rng), rng.normal(size=robot.nv), 1e-6
    if name in ("four_bar", "quadruped"):  # the others cannot meet so
        q = held.assemble(q)
    J = held.jacobian(q)
    there, back = (robot.integrate(q, s * step * v) for s in (1, -1))
    rate = (held.drift(there) - held.drift(back)) / (2 * step)
    closed = slice(None) if name == "four_bar" else slice(3)  # far from closed, the tilt is no angle about the rows
    assert np.allclose(rate[closed], (J @ v)[closed], rtol=0, atol=1e-7)
    rate = (held.jacobian(there) @ v - held.jacobian(back) @ v) / (2 * step)
    assert np.allclose(rate, held.bias(q, v), rtol=0, atol=1e-6 * (1 + abs(rate).max()))
    assert np.isfinite(held.drift(robot.random(rng, (7,)))).all()
    a = held.acceleration(q, v, rng.normal(size=robot.nv))
    found = held.inverse_dynamics(q, v, a)
    assert np.isfinite(found.tau).all() and np.isfinite(held.impact(q, v).v).all()
    moved = held.forward_dynamics(q, v, found.tau)
    for rate in (a, moved.a):
        missed = J @ rate + held.bias(q, v)  # what a closed planar loop cannot meet, no acceleration does
        assert np.linalg.norm(J.T @ missed) < 1e-7 * (1 + abs(rate).max())
    assert np.isfinite(held.forward_dynamics(q, v, found.tau, baumgarte=10.0).a).all()
