"""Second derivatives of every method where numbers are exactly zero: against differences of its first derivatives.

Random states never have an adjoint, an angle or a velocity of exactly zero; homes, rest and pure rotations do.
"""

import itertools

import numpy as np
import pytest

import articulated as art
from articulated.algebra.rotations import quaternion_product
from articulated.robot.quantities import QUANTITIES
from tests.many_digits import mpmath
from tests.methods import CONFIGURATIONS, required, results

#: central differences of eighth order: where, and what each counts
STEP = 0.005
OFFSETS = np.array([-4, -3, -2, -1, 1, 2, 3, 4])
WEIGHTS = np.array([1 / 280, -4 / 105, 1 / 5, -4 / 5, 4 / 5, -1 / 5, 4 / 105, -1 / 280]) / STEP


def ball() -> art.Robot:
    body = art.Inertia(1.0, [0.1, 0, 0.2], np.diag([0.2, 0.3, 0.4]))
    return art.build([art.Link("base"), art.Link("body", "base", art.Spherical(), inertia=body)], name="ball")


def leg() -> art.Robot:
    """A floating trunk with a leg, its axis and masses along axes of coordinates."""
    trunk = art.Inertia(5.0, [0, 0, 0], np.diag([0.1, 0.2, 0.25]))
    limb = art.Inertia(1.0, [0, 0, -0.1], np.diag([0.1, 0.2, 0.25]))
    links = [
        art.Link("trunk", inertia=trunk),
        art.Link("thigh", "trunk", art.Revolute([0, 1, 0]), art.Transform(p=[0.2, 0, 0]), limb),
    ]
    return art.build(links, name="leg").floating()


def arm() -> art.Robot:
    return art.load("3r").frictionless()


def states(robot: art.Robot) -> dict[str, np.ndarray]:
    """The arguments of methods, a state in each row: at zero, at home, and moved from there along and about axes."""
    zero, unit = np.zeros(robot.nv), np.eye(robot.nv)
    turn = slice(3, 6) if robot.model.bodies[0].joint.floats else slice(0, 3)
    yaw, oblique = zero.copy(), zero.copy()
    yaw[turn], oblique[turn] = [0, 0, 0.3], [0.2, -0.3, 0.4]
    dv = np.array([zero, zero, yaw, oblique, 0.4 * unit[0], 0.4 * unit[0] + yaw, 1e-9 * oblique])
    v = np.array([zero, unit[-1], zero, unit[0], zero, unit[0] + unit[-1], zero])
    home = robot.poses["home"] if "home" in robot.poses else robot.neutral()
    q0 = np.array([robot.neutral(), *[home] * (len(dv) - 1)])
    q = robot.integrate(q0, dv)
    return {"q": q, "q0": q0, "q1": q, "dv": dv, "v": v, "a": v[::-1], "tau": v[::-1]}


def differences(robot, method, given, frame, weights):
    """Derivatives of the gradient by `a` by the argument `b`, (states, n, n) by (a, b)."""
    found, gradient = {}, robot.vjp(method)
    for b, x in given.items():
        along = np.eye(robot.nv if b in CONFIGURATIONS else x.shape[-1])
        steps = STEP * OFFSETS[:, None, None, None] * along[:, None]  # (offset, direction, state, size)
        moved = robot.integrate(x, steps) if b in CONFIGURATIONS else x + steps
        g = gradient(*{**given, b: moved}.values(), *frame, cotangents=weights)
        found |= {(a, b): np.einsum("okni,o->nik", getattr(g, a), WEIGHTS) for a in given}
    return found


def weighted(second, weights):
    """All second derivatives, (states, *shape, n, n) each, times weights of the results."""
    sums = [np.einsum("nsij,s->nij", x.reshape(len(x), -1, *x.shape[-2:]), np.ravel(weights)) for x in second]
    return type(second)(*sums)


def complaints(robot: art.Robot, method: str, rng: np.random.Generator) -> list[str]:
    frame = [robot.frame_names[-1]] if "frame" in required(art.Robot, method) else []
    given = {name: x for name, x in states(robot).items() if name in required(art.Robot, method)}
    plain = getattr(robot, method)(*given.values(), *frame)
    if method == "manipulability":  # has a kink where it vanishes
        given = {name: x[plain > 1e-3] for name, x in given.items()}
    weights = [rng.normal(size=x.shape[1:]) for x in results(plain)]
    many = isinstance(plain, tuple)
    w = tuple(weights) if many else weights[0]
    found = {"hessian": robot.hessian(method)(*given.values(), *frame, cotangents=w)}
    if not many:
        found["second derivatives"] = weighted(robot.second_derivatives(method)(*given.values(), *frame), w)
    true, said = differences(robot, method, given, frame, w), []
    for (title, H), (a, b) in itertools.product(found.items(), true):
        if hasattr(H, f"{a}_{b}"):
            # of one argument both orders, of which the mean is given
            expected = (true[a, b] + np.swapaxes(true[b, a], -1, -2)) / 2
            error = abs(getattr(H, f"{a}_{b}") - expected).max(axis=(1, 2))
            wrong = np.flatnonzero(~(error < 1e-8 * (1 + abs(expected).max())))
            said += [f"{title} of {method} by {a} and {b}, state {k}: off by {error[k]:.1e}" for k in wrong]
    return said


METHODS = [name for name, row in QUANTITIES.items() if not row.check]


@pytest.mark.parametrize(
    "make, methods",
    [
        (ball, METHODS),
        (leg, METHODS),
        (arm, ["pose", "jacobian", "manipulability", "difference", "inverse_dynamics", "forward_dynamics"]),
    ],
)
def test_second_derivatives_at_structured_states(make, methods, rng, monkeypatch):
    monkeypatch.setenv("ARTICULATED_JIT", "off")  # a law about numbers: nothing is compiled for it
    robot = make()
    assert [said for method in methods for said in complaints(robot, method, rng)] == []


def turned(k: int, angle) -> np.ndarray:
    """The quaternion of a rotation about an axis of coordinates, of many digits."""
    return np.array([mpmath.sin(angle / 2) * (i == k) for i in range(3)] + [mpmath.cos(angle / 2)])


def logarithm(q) -> np.ndarray:
    """The rotation vector of a unit quaternion of many digits."""
    sine = mpmath.sqrt(sum(x * x for x in q[:3]))
    return np.array([2 * mpmath.atan2(sine, q[3]) / sine * x if sine else sine for x in q[:3]])


def mixed_differences(q1: np.ndarray) -> np.ndarray:
    """Second derivatives of the rotation vector from 1 to q1, by both."""
    end = np.array([mpmath.mpf(float(x)) for x in q1])
    end, step = end / mpmath.sqrt(end @ end), mpmath.mpf(10) ** -25
    found = np.zeros((3, 3, 3), object)
    for i, j in itertools.product(range(3), repeat=2):
        for s, t in itertools.product((1, -1), repeat=2):
            moved = quaternion_product(turned(i, -s * step), quaternion_product(end, turned(j, t * step)))
            found[:, i, j] += s * t * logarithm(moved) / (4 * step * step)
    return found.astype(float)


def test_second_derivatives_of_a_difference_keep_their_digits_at_small_angles():
    robot, axis, said = ball(), np.array([0.48, -0.6, 0.64]), []
    for dtype, tolerance in ((np.float64, 1e-14), (np.float32, 1e-6)):
        for angle in (0.0, *(10.0**k for k in range(-12, 0)), 0.1999, 0.2001, 0.5):
            q0, q1 = (x.astype(dtype) for x in (robot.neutral(), robot.integrate(robot.neutral(), angle * axis)))
            with mpmath.workdps(100):
                expected = mixed_differences(q1)
            found = robot.second_derivatives("difference")(q0, q1, dtype=dtype).q0_q1
            if not abs(found - expected).max() < tolerance:
                said.append(f"{np.dtype(dtype)} at {angle:g} rad: off by {abs(found - expected).max():.1e}")
    assert said == []
