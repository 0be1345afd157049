"""Commands against the program as docs/control.md states it, written once more from M, h, J and the page's words."""

import numpy as np
import pytest

import articulated as art
from articulated.algebra.rotations import aligning_z

from ..near import near
from .standing import FEET, base, pose, robot, targets, tasks

SOLES = {"left_sole": (-0.05, 0.1), "right_sole": (0.2, 0.1)}
#: robot, contacts, options of the law
CASES = {
    "points": ("solo12", {"point": FEET}, {}),
    "slopes and ice": (
        "solo12",
        {"point": FEET[1:], "direction": {FEET[0]: (0, 0.2, 1)}},
        {"normals": {FEET[1]: (0.3, 0.1, 1)}, "sides": 6, "friction": {FEET[2]: 0.3, FEET[3]: 0.0}},
    ),
    "motors and conveyor": (
        "solo12",
        {"point": FEET},
        {"torque_limits": 1.5, "no_load_speeds": 8.0, "contact_damping": 10.0},
    ),
    "soles": ("biped", {"surface": list(SOLES)}, {"soles": dict.fromkeys(SOLES, (0.2, 0.1)), "torsion": 0.01}),
    "line": ("biped", {"line": {"left_sole": (1, 0, 0)}, "surface": ["right_sole"]}, {"soles": SOLES}),
}
MOVING = {FEET[1]: ([0.3, 0.1, 0], [0, 1.0, 0])}


class Stated:
    """lower <= A x <= upper with x = [a, forces / weight], row by row."""

    def __init__(self, nv, k, weight):
        self.size, self.weight, self.parts = nv + k, weight, []

    def add(self, row, lower, upper):
        self.parts.append((row, lower, upper))

    def push(self, start, row, lower=-np.inf, upper=0.0):
        """A row on the forces of one contact."""
        self.add(np.pad(row, (start, self.size - start - len(row))), lower, upper)

    @property
    def rows(self):
        A, lower, upper = zip(*self.parts, strict=True)
        return np.array(A), np.array(lower, float), np.array(upper, float)


def ground(stated, start, contact, R, options):
    """Pyramid inside the cone, pressure on the sole, torsion."""
    if contact.kind == "direction":
        return stated.push(start, np.ones(1), 0.0, np.inf)
    n = np.array(options.get("normals", {}).get(contact.name, (0, 0, 1.0)))
    n, sides, friction = n / np.linalg.norm(n), options.get("sides", 4), options.get("friction", {})
    mu, across = friction.get(contact.name, 0.6), np.array(aligning_z(tuple(n.tolist())), float)
    stated.push(start, n, 0.0, np.inf)
    for i in range(sides if mu else 0):
        side = across[:, :2] @ [np.cos(turn := (2 * i + 1) * np.pi / sides), np.sin(turn)]
        stated.push(start, side - mu * np.cos(np.pi / sides) * n)
    for axis in () if mu else across.T[:2]:
        stated.push(start, axis, 0.0, 0.0)
    if contact.name in options.get("soles", {}):
        line = contact.kind == "line"
        (x0, x1), (y0, y1) = (SOLES[contact.name], (0, 0)) if line else ((-0.1, 0.1), (-0.05, 0.05))
        moments = R @ np.array(contact.angular).T if line else np.eye(3)
        x = R[:, 0] - n * (n @ R[:, 0])
        x /= np.linalg.norm(x)
        y = np.cross(n, x)
        reach = options.get("torsion", mu * (x1 - x0 if line else 0.1) / 2)
        # a force at x px + y py has the moment (py, -px, 0) n · f about x, y, n
        bounds = [(-y, x0, x1), (n, -reach, reach), *([] if line else [(x, y0, y1)])]
        for about, least, most in bounds:
            stated.push(start, np.append(-most * n, about @ moments))
            stated.push(start, np.append(least * n, -about @ moments))
    return None


def rows(own, held, q, v, options, moving):
    """Motors, contacts that follow their ground, and the ground; and M a + h - Jᵀ λ as D x + h."""
    nv, weight, J = own.nv, own.mass * 9.81, held.jacobian(q)
    stated, effort = Stated(nv, held.k, weight), np.zeros(nv)
    effort[held.actuated] = options.get("torque_limits", own.limits.effort[held.actuated])
    D, h = np.hstack([own.mass_matrix(q), -weight * J.T]), own.bias_forces(q, v)
    for i in range(nv):
        drives = max(0.0, 1 - abs(v[i]) / options.get("no_load_speeds", np.inf))
        up, down = (drives, 1.0) if v[i] > 0 else (1.0, drives)
        stated.add(D[i] / weight, (-down * effort[i] - h[i]) / weight, (up * effort[i] - h[i]) / weight)
    start, stay = 0, -held.bias(q, v)
    for contact in held.contacts:
        here = slice(start, start + contact.size)
        velocity, acceleration = moving.get(contact.name, (np.zeros(contact.size),) * 2)
        stay[here] += acceleration - options.get("contact_damping", 0.0) * (J[here] @ v - velocity)
        ground(stated, nv + start, contact, own.pose(q, contact.frame)[:3, :3], options)
        start += contact.size
    for row, wanted in zip(J, stay, strict=True):
        stated.add(np.pad(row, (0, held.k)), wanted, wanted)
    return stated.rows, D, h


def cost(own, name, k, q, v, given):
    """T, b and w of the tasks of `standing`."""
    nv, com, turning = own.nv, own.centroidal_map(q)[:3] / own.mass, own.jacobian(q, base(name))[3:]
    ahead = own.centroidal_momentum(own.integrate(q, 1e-6 * v), v) - own.centroidal_momentum(q, v)
    wanted = [
        100 * (given["center_of_mass"] - own.center_of_mass(q)) - 20 * com @ v - ahead[:3] / own.mass / 1e-6,
        20 * own.difference(q, given["posture"])[6:] - 2 * np.sqrt(20) * v[6:],
        -2 * np.sqrt(50) * turning @ v - own.frame_acceleration(q, v, np.zeros(nv), base(name))[3:],
    ]
    T = np.pad(np.concatenate([com, np.eye(nv)[6:], turning]), ((0, 0), (0, k)))
    return T, np.concatenate(wanted), np.repeat([10.0, 0.1, 1.0], [3, nv - 6, 3])


@pytest.mark.parametrize("case", CASES)
def test_a_command_is_the_least_of_the_program_on_the_page(case, rng):
    daqp = pytest.importorskip("daqp")
    name, kinds, options = CASES[case]
    own, nv, compared = robot(name), robot(name).nv, 0
    held = art.Contacts(own, **kinds)
    law, moving = art.WholeBody(held, tasks(name), **options), MOVING if "contact_damping" in options else {}
    for trial in range(8):
        q, v = own.integrate(pose(name), 0.2 * rng.normal(size=nv)), (0.3, 3.0)[trial % 2] * rng.normal(size=nv)
        given = targets(name, q, 0.1 * rng.normal(size=3))
        done = law(q, v, moving=moving, **given)
        (A, lower, upper), D, h = rows(own, held, q, v, options, moving)
        T, b, w = cost(own, name, held.k, q, v, given)
        H, f = (T.T * w) @ T + np.diag(np.repeat([1e-6, 1e-4], [nv, held.k])), -T.T @ (w * b)
        sense, ends = np.where(lower == upper, 5, 0).astype(np.int32), np.clip([upper, lower], -1e30, 1e30)
        x, _, flag, _ = daqp.solve(2 * H, 2 * f, A, *ends, sense, primal_tol=1e-10)
        y = np.append(done.a, done.forces / (own.mass * 9.81))
        assert near((D @ y + h)[held.actuated], done.tau, 1e-8 * (1 + abs(done.tau).max()))
        if done.status != "solved":
            assert flag != 1
            continue
        assert np.maximum(lower - A @ y, A @ y - upper).max() < 1e-8 * (1 + abs(y).max())
        if flag == 1:  # daqp refuses some that can be solved
            compared += 1
            least, reached = (z @ H @ z + 2 * f @ z for z in (x, y))
            assert near(reached, least, 1e-6 * (1 + w @ b**2))
    assert compared > 3
