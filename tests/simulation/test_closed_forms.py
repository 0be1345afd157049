"""Motions with a known end: the lecture's numbers, a pendulum, bodies without torques, and the laws of conservation."""

import json
from pathlib import Path

import mpmath
import numpy as np
import pytest

import articulated as art

from ..near import near
from ..zoo import random_inertia, random_tree
from .closed_forms import order, pendulum, swing

TRUTH = json.loads((Path(__file__).parents[1] / "oracles" / "ground_truth.json").read_text())["cases"]
CASES = {case["id"]: case for case in TRUTH}
#: steps and the least and largest orders that may be measured
TWO = (4e-3, 2e-3, 1e-3), 2
ORDERS = {"euler": ((2e-3, 1e-3, 5e-4), 1), "midpoint": TWO, "symplectic": TWO, "rk4": ((2e-2, 1e-2, 5e-3), 4)}
TINY = {"method": "adaptive", "rtol": 1e-13, "atol": 1e-13}


@pytest.mark.parametrize("method, dt", [("adaptive", 0.25), ("rk4", 2**-14)])
def test_free_motion_of_the_lecture_s_2r(method, dt):
    case, start = CASES["S2.sim.2R"], CASES["S1.2R"]["inputs"]
    tolerances = {"rtol": 1e-12} if method == "adaptive" else {}
    run = art.simulate(art.load("2r"), start["q"], start["qd"], 1.0, dt=dt, method=method, **tolerances)
    for t, expected in zip(case["inputs"]["t"], case["expected"]["states"], strict=True):
        k = round(t / dt)
        assert abs(np.concatenate([run.q[k], run.v[k]]) - expected).max() < case["tolerance"]["abs"]
    near(run.energy.total, np.full(len(run), case["expected"]["total_energy"]), 1e-10)


@pytest.mark.parametrize("method", ["euler", "rk4", "adaptive", "symplectic"])
def test_the_lecture_s_impedance_in_a_run(method):
    """The torque of the first sample is the lecture's, and the error obeys M ë + Kd ė + Kp e = 0 from there.

    Euler's method has the errors after the step in their place.
    """
    case, start = CASES["S3.impedance.2R"], CASES["S1.2R"]["inputs"]
    given, robot = case["inputs"], art.load("2r")
    law = art.Impedance(robot, given["Kp"], given["Kd"])
    q, v, a = (np.array(given[name]) for name in ("q_ref", "qd_ref", "qdd_ref"))
    target = law.towards(art.traced(lambda t: (q + v * t + a * t * t / 2, v + a * t, a)))
    run = art.simulate(robot, start["q"], start["qd"], 0.1, dt=1e-3, method=method, torque=target, limits=False)
    if method != "euler":
        assert abs(run.tau[0] - case["expected"]["tau"]).max() < case["tolerance"]["abs"]
    errors = q + np.outer(run.t, v) + np.outer(run.t**2, a) / 2 - run.q
    rates = v + np.outer(run.t, a) - run.v
    if method == "euler":
        rates = rates + 1e-3 * (a - run.a)
        errors = errors + 1e-3 * rates
    M = robot.mass_matrix(run.q)
    left = np.einsum("kij,kj->ki", M, a - run.a) + rates @ np.array(given["Kd"]) + errors @ np.array(given["Kp"])
    near(left, np.zeros_like(left), 1e-11)


@pytest.mark.parametrize("method", ORDERS)
def test_orders_of_convergence(method):
    """At the end of a swing that is known to fifty digits."""
    steps, expected = ORDERS[method]
    exact = np.array(swing(2.0, 1.0))
    errors = []
    for dt in steps:
        run = art.simulate(pendulum(), [2.0], [0], 1.0, dt=dt, method=method)
        errors.append(np.linalg.norm([run.q[-1, 0] - exact[0], run.v[-1, 0] - exact[1]]))
    assert abs(order(steps, errors) - expected) < 0.1, errors


def free_body(*inertia: float) -> art.Robot:
    about = art.Inertia(2.0, [0, 0, 0], np.diag(inertia))
    return art.build([art.Link("body", None, art.Floating(), inertia=about)], gravity=(0, 0, 0))


def spun(robot, spin, seconds, **options):
    return art.simulate(robot, robot.neutral(), [0.3, -0.2, 0.1, *spin], seconds, **options)


def test_a_symmetric_body_precesses():
    """The spin goes round the axis of the body at (I3 - I1) / I1 times what it is along it."""
    run = spun(free_body(0.2, 0.2, 0.3), [0.5, 0.0, 4.0], 3.0, dt=0.1, **TINY)
    angle = (0.3 - 0.2) / 0.2 * 4.0 * run.t
    near(run.v[:, 3:], np.stack([0.5 * np.cos(angle), 0.5 * np.sin(angle), 4.0 + 0 * angle], axis=1), 1e-11)
    # and the axis of the body turns about the angular momentum at |L| / I1
    L = np.array([0.2 * 0.5, 0, 0.3 * 4.0])
    axis = run.pose("body")[:, :3, 2]
    turn = np.linalg.norm(L) / 0.2 * run.t
    e = L / np.linalg.norm(L)
    z = np.array([0, 0, 1.0])
    along, across = (z @ e) * e, z - (z @ e) * e
    expected = along + np.outer(np.cos(turn), across) + np.outer(np.sin(turn), np.cross(e, across))
    near(axis, expected, 1e-11)


@pytest.mark.parametrize(
    "method, dt, tolerance", [("adaptive", 0.5, 1e-10), ("rk4", 1e-3, 1e-10), ("symplectic", 1e-3, 1e-4)]
)
def test_an_asymmetric_body_by_elliptic_functions(method, dt, tolerance):
    """Euler's equations in Jacobi's functions (Landau and Lifshitz, Mechanics, § 37)."""
    A, B, C = 0.1, 0.2, 0.3
    x, z = 2.0, 3.0
    run = spun(free_body(A, B, C), [x, 0.0, z], 4.0, dt=dt, **(TINY if method == "adaptive" else {"method": method}))
    E2, M2 = A * x**2 + C * z**2, (A * x) ** 2 + (C * z) ** 2
    assert M2 > E2 * B, "the other case has other formulas"
    m = (B - A) * (E2 * C - M2) / ((C - B) * (M2 - E2 * A))
    for t, spin in zip(run.t[:: round(0.5 / dt)], run.v[:: round(0.5 / dt), 3:], strict=True):
        u = t * np.sqrt((C - B) * (M2 - E2 * A) / (A * B * C))
        sn, cn, dn = (float(mpmath.ellipfun(name, u, m=m)) for name in ("sn", "cn", "dn"))
        expected = [x * cn, np.sqrt((E2 * C - M2) / (B * (C - B))) * sn, z * dn]
        near(spin, expected, tolerance)
    # the origin is the center of mass: it goes straight on
    near(run.q[:, :3], np.outer(run.t, [0.3, -0.2, 0.1]), 1e-11 if method != "symplectic" else 1e-12)


@pytest.mark.parametrize("method, dt, allowed", [("rk4", 1e-3, 1e-8), ("adaptive", 0.1, 1e-8)])
def test_energy_of_the_triple_pendulum(method, dt, allowed):
    run = art.simulate(art.load("triple_pendulum"), [1.0, 0.5, -0.5], None, 10.0, dt=dt, method=method)
    energy = run.energy.total
    assert abs(energy - energy[0]).max() < allowed * max(1, abs(energy[0]))


def test_energy_is_what_torques_give_and_dampers_take(rng):
    """The energy gained is the integral of the power, by Simpson's rule over samples 1 ms apart."""
    robot = art.load("3r")
    robot = art.build([k.replace(joint=k.joint.replace(damping=0.3)) for k in robot.links], gravity=robot.gravity)
    push = art.traced(lambda t, q, v: [3 * np.sin(5 * t), 1.0, np.cos(3 * t)])
    run = art.simulate(robot, robot.random(rng), rng.normal(size=3), 1.0, dt=1e-3, torque=push, **TINY)
    power = run.power - 0.3 * (run.v**2).sum(axis=1)
    weights = np.ones(len(run))
    weights[1:-1:2], weights[2:-1:2] = 4, 2
    gained = run.energy.total[-1] - run.energy.total[0]
    assert abs(gained - weights @ power * 1e-3 / 3) < 1e-9 * abs(power).max()


@pytest.mark.parametrize("method, dt", [("rk4", 1e-3), ("adaptive", 0.1), ("symplectic", 0.01)])
def test_momenta_of_a_falling_robot(method, dt, rng):
    """Linear momentum grows by the weight, angular momentum about the center of mass stays."""
    arm = random_tree(5, 3, ["revolute"])
    robot = arm.replace("base", inertia=random_inertia(np.random.default_rng(3))).floating()
    options = {"rtol": 1e-12} if method == "adaptive" else {}
    run = art.simulate(robot, robot.random(rng), 0.5 * rng.normal(size=robot.nv), 1.0, dt=dt, method=method, **options)
    mass = sum(b.inertia.mass for b in robot.model.bodies)
    near(run.momentum[:, :3], run.momentum[0, :3] + mass * np.outer(run.t, robot.gravity), 1e-10)
    if method != "symplectic":  # which keeps it about a point at rest
        near(run.momentum[:, 3:], np.broadcast_to(run.momentum[0, 3:], (len(run), 3)), 1e-9)
