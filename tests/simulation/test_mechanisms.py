"""Closed loops in every method that holds them, against published motions; and starts that are refused."""

import numpy as np
import pytest

import articulated as art
from articulated.simulation.methods.table import INTEGRATORS

from .mechanisms import (
    ANGLES,
    SQUEEZED,
    Mechanism,
    at,
    bricard,
    four_bars,
    hinge,
    rod,
    slider_crank,
    squeezer,
    squeezing,
)
from .test_held_contacts import pair

TIGHT = {"rtol": 1e-12, "atol": 1e-12}
HOLDING = [name for name, row in INTEGRATORS.items() if not row.contacts]


def simulate(mechanism, duration, dt, method, **options):
    given = mechanism.robot, mechanism.q, mechanism.v, duration, dt
    return art.simulate(*given, contacts=mechanism.loops, method=method, **options)


def energy_error(run):
    return abs(run.energy.total - run.energy.total[..., :1]).max()


@pytest.mark.parametrize("method, dt, options", [("rk4", 2e-5, {}), ("adaptive", 0.03, TIGHT)])
def test_the_squeezer_at_the_end(method, dt, options):
    """PSIDE with tolerances of 1e-14: sixteen digits of angles and velocities."""
    found = squeezer()
    run = simulate(found, 0.03, dt, method, torque=squeezing, **options)
    order = [found.robot.joint_names.index(name) for name in ANGLES]
    assert abs(run.a[0, order][:2] - [14222.4439199541, -10666.8329399656]).max() < 1e-5
    assert abs(run.q[-1, order] - SQUEEZED["q"]).max() < 1e-8
    assert abs(run.v[-1, order] - SQUEEZED["v"]).max() < 1e-5
    assert run.contact.residual.max() < 1e-15  # meters


@pytest.mark.parametrize("method, dt, options", [("rk4", 1e-3, {}), ("adaptive", 0.1, TIGHT)])
def test_four_bars_through_their_singular_postures(method, dt, options, rng):
    """3 θ̈ = 3.5 g sin θ; Exudyn at 0.125 ms is off by 2e-5 J.  Wherever it starts, stages come as near as they may."""
    found = four_bars()
    turn, speed = rng.uniform(-3, 3, (32, 1)), rng.uniform(0.5, 3, (32, 1))
    turn[0], speed[0] = 0, 1  # as published
    found = found._replace(q=-turn * found.v, v=speed * found.v)
    run = simulate(found, 10.0, dt, method, **options)
    off = abs(run.energy.total - run.energy.total[:, :1]).max(axis=1)
    assert off[0] < 1e-9 and off.max() < 4e-9  # others have up to 70 J, and pass as near to the posture as may be
    assert abs(found.loops.drift(run.q)).max() < 1e-12
    assert abs(found.robot.pose(run.q[0, -1], "tip0")[:2, 3] - [0.3284581115, 0.9445185382]).max() < 1e-9


@pytest.mark.parametrize("method", HOLDING)
def test_bricard_s_mechanism_is_overconstrained(method):
    found = bricard()
    told = found.loops.analyse(found.q)
    assert (told.k, told.rank, len(told.redundant)) == (5, 4, 1)
    run = simulate(found, 10.0, 5e-3, method)
    assert energy_error(run) < {"symplectic": 3e-4}.get(method, 1e-8) and np.ptp(run.energy.kinetic) > 4
    assert abs(found.loops.drift(run.q)).max() < 1e-14  # of all five rows


@pytest.mark.parametrize("method", HOLDING)
def test_the_spatial_slider_crank(method):
    """Published: 0.24 m/s of the slider, (1.92, -0.96, 0.48) rad/s of the rod."""
    found = slider_crank()
    assert found.v[found.robot.joint_names.index("slider")] == pytest.approx(0.24, abs=1e-12)
    turning = found.robot.jacobian(found.q, "rod")[3:] @ found.v
    assert turning == pytest.approx([1.92, -0.96, 0.48], abs=1e-12)
    run = simulate(found, 2.0, 1e-3, method)
    assert energy_error(run) < {"symplectic": 1e-4}.get(method, 1e-7)
    moving = np.einsum("tij,tj->ti", found.loops.jacobian(run.q), run.v)
    assert abs(found.loops.drift(run.q)).max() < 1e-14 and abs(moving).max() < 1e-12


def test_the_symplectic_method_holds_loops_to_its_order():
    """The squeezer's angles, second order; a singular posture ends the run in words."""
    found = squeezer()
    order = [found.robot.joint_names.index(name) for name in ANGLES]
    errors = [
        abs(simulate(found, 0.03, dt, "symplectic", torque=squeezing).q[-1, order] - SQUEEZED["q"]).max()
        for dt in (2e-5, 1e-5)
    ]
    assert errors[1] < 1e-4 and errors[0] / errors[1] == pytest.approx(4, rel=0.01)
    with pytest.raises(art.Diverged, match=r'stopped at t = 0.71.* posture of its loops, "rk4" passes'):
        simulate(four_bars(), 1.0, 1e-3, "symplectic")


def test_the_midpoint_rule_is_of_order_two_with_loops():
    found = four_bars()
    exact = simulate(found, 0.4, 1e-3, "rk4")
    errors = []
    for dt in (2e-3, 1e-3):
        run = simulate(found, 0.4, dt, "midpoint")
        errors.append(max(abs(run.q[-1] - exact.q[-1]).max(), abs(run.v[-1] - exact.v[-1]).max()))
        assert abs(found.loops.drift(run.q)).max() < 1e-13
    assert errors[1] < 1e-5 and 3.5 < errors[0] / errors[1] < 4.5
    assert np.allclose(
        run.contact.forces[-2], exact.contact.forces[-2], rtol=0.01, atol=0.05
    )  # of the middle of a step


def test_the_midpoint_rule_is_of_order_two_where_bars_turn():
    """Unlike those of a parallelogram: what velocities do depends on what the loop lets through."""
    lengths, masses = (0.5, 1.1, 0.8), (0.7, 1.3, 0.9)
    inertias = [rod((x, 0, 0), m, 0.02) for x, m in zip(lengths, masses, strict=True)]
    links = [
        art.Link("ground"),
        art.Link("crank", "ground", hinge("crank"), inertia=inertias[0]),
        art.Link("bar", "crank", hinge("bar"), at(0.5, 0, 0), inertias[1], frames=[("end", at(1.1, 0, 0))]),
        art.Link("rocker", "ground", hinge("rocker"), at(1, 0, 0), inertias[2], frames=[("tip", at(0.8, 0, 0))]),
    ]
    robot = art.build(links, gravity=(0, -9.81, 0))
    loops = art.Contacts(robot, loops=[("end", "tip")])
    q = loops.assemble([1.0, -0.3, 1.5])
    found = Mechanism(robot, loops, q, loops.impact(q, [4.0, 0, 0]).v)
    exact = simulate(found, 0.4, 5e-4, "rk4")
    errors = [abs(simulate(found, 0.4, dt, "midpoint").q[-1] - exact.q[-1]).max() for dt in (2e-3, 1e-3)]
    assert errors[1] < 1e-4 and 3.5 < errors[0] / errors[1] < 5


def test_forces_are_those_of_the_equations_of_motion():
    """A batch of free robots that hold on to the world."""
    robot = pair()
    held = art.Contacts(robot, surface=["left_hand"], direction={"right_hand": (0, 0, 1)})
    q = robot.integrate(robot.neutral(), 0.3 * np.random.default_rng(0).normal(size=(2, robot.nv)))
    push = np.random.default_rng(1).normal(size=6)
    run = art.simulate(robot, q, None, 0.01, 2e-3, contacts=held, method="rk4", forces={"trunk": push})
    told = held.forward_dynamics(run.q, run.v, run.tau, forces=run.forces)
    assert run.contact.names == tuple(held.names) and np.allclose(run.a, told.a, atol=1e-6)
    assert np.allclose(run.contact.forces[..., 0, :], told.forces[..., :3], atol=1e-6)
    assert np.allclose(run.contact.moments[..., 0, :], told.forces[..., 3:6], atol=1e-6)
    assert np.allclose(run.contact.forces[..., 1, 2], told.forces[..., 6], atol=1e-6)
    assert abs(held.drift(run.q, held.poses(q)[:, None])).max() < 1e-13


def test_loops_that_are_open_and_velocities_that_open_them_are_refused():
    found = four_bars()
    bent = found.q + np.array([0, 0, 0.01, 0, 0])
    for method in ("euler", "rk4"):
        with pytest.raises(art.ModelError, match=r"'end1~tip2 x' begins open by 0.01005 m; close it by q0 = "):
            art.simulate(found.robot, bent, None, 0.01, contacts=found.loops, method=method)
        with pytest.raises(
            art.ModelError, match=r"' is held, but v0 moves it at \S+ m/s in state 1 of the batch; take v0"
        ):
            v = np.array([found.v, found.v * [1, 1, 1, 0, 0]])
            art.simulate(found.robot, found.q, v, 0.01, contacts=found.loops, method=method)
    again = found._replace(q=found.loops.assemble(bent, locked=["crank0"]))
    again = again._replace(v=found.loops.impact(again.q, found.v).v)
    assert energy_error(simulate(again, 0.1, 1e-3, "rk4")) < 1e-9


@pytest.mark.parametrize("method", HOLDING)
def test_the_ground_is_not_for_every_method(method):
    found = four_bars()
    both = [found.loops, art.Ground(height=-5.0, feet=["tip0"])]
    with pytest.raises(art.ShapeError, match=f'contacts needs method="euler" or "midpoint", .*; got {method!r}'):
        art.simulate(found.robot, found.q, found.v, 0.01, contacts=both, method=method)


@pytest.mark.parametrize("method", HOLDING)
def test_whatever_drives_a_linkage(method):
    """A function that is called, samples apart, events within steps, a batch with numbers of its own."""
    found = four_bars()
    options = {"method": method, "contacts": found.loops}
    one = art.simulate(found.robot, found.q, found.v, 0.04, **options)
    called = art.simulate(found.robot, found.q, found.v, 0.04, torque=lambda t, q, v: 0 * v, every=4, **options)
    assert np.allclose(called.q, one.q[::4], rtol=0, atol=1e-12)
    assert np.allclose(called.contact.forces, one.contact.forces[::4], rtol=0, atol=1e-9)
    own = np.array(found.robot.parameters) * np.array([[1.0], [2.0]])
    many = art.simulate(found.robot, found.q, found.v, 0.04, parameters=own, **options)
    assert np.allclose(many.q, one.q, rtol=0, atol=1e-11)  # twice as heavy, it moves alike
    assert np.allclose(many.contact.forces[1], 2 * one.contact.forces, rtol=0, atol=1e-7)
    ends = {"at": (lambda t, q, v: abs(q[0]) - 0.02, {"terminal": True})}
    event = art.simulate(found.robot, found.q, found.v, 0.04, events=ends, **options)
    assert abs(event.q[-1, 0]) == pytest.approx(0.02, abs=1e-12) and event.contact.residual.max() < 1e-13
