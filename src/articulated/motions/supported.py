"""Time-optimal motions on contacts: which s̈ and ṡ² have torques within their limits and forces within their cones.

At a point of the path inverse dynamics are linear in u = s̈ and x = ṡ², and so is what motors and contacts supply: the
feasible (u, x) are a convex polygon, a projection.  Its corners are extreme points in some directions, then in those
normal to the edges found so far (Bretl and Lall 2008, Testing static equilibrium for legged robots).
"""

from typing import Any, NamedTuple

import numpy as np

from ..contacts import Contacts
from ..control.qp.active_set import Problem, least
from ..control.whole_body.friction_cones import FrictionCones
from ..errors import ShapeError
from ..inputs.choices import names
from ..robot import Robot
from ..simulation.drive.torques import undriven
from .path import Point

Floats = np.ndarray
#: times that the number of corners is doubled, from four
ROUNDS = 2
#: how far a target is beyond a polygon of about unit size, and the weight of forces beside the distance from it
AWAY, LIGHT = 100.0, 1e-6
#: speed of a contact that is held, m per unit of the path, which rounding and splines may leave
MOVES = 1e-3
#: by which corners of a polygon may miss a limit, of the weight of the robot
ROUNDING = 1e-9
#: acceleration that scales u and x, m/s²
USUAL = 10.0


class Support(NamedTuple):
    """Rows of the quadratic programs of N points: E z = e and lower ≤ G z ≤ upper, z = [forces; u; x], scaled."""

    E: Floats
    e: Floats
    G: Floats
    lower: Floats
    upper: Floats
    scale: Floats  # (N, 2), of u and x
    force: float
    frames: tuple[str, ...]


def support(robot: Robot, held: Any, friction: Any, at: Point, rows: Any, top: Floats) -> Support:
    """The quadratic programs of all points on the frames `held`; `rows` are the coefficients of inverse dynamics."""
    contacts = Contacts(robot, point=names("time_optimal: contacts", held))
    if rows.damping.any():
        raise ShapeError("time_optimal: with contacts joints have no damping; take robot.frictionless()")
    J = contacts.jacobian(at.q)
    speed = abs((J @ at.slope[..., None])[..., 0]) / (1e-300 + abs(at.slope).max())
    if speed.max() > MOVES:
        k, row = np.unravel_index(int(speed.argmax()), speed.shape)
        name = contacts.contacts[row // 3].frame
        raise ShapeError(
            f"time_optimal: {name!r} is held, but at point {k} of {len(J)} the path moves it, {speed[k, row]:.3g} m "
            "for each rad of the joints; frame_path(…, hold=…) makes paths that do not"
        )
    N, k, F = len(J), J.shape[1], float(robot.parameters[::10].sum() * np.linalg.norm(robot.gravity))
    scale = np.stack([USUAL / (1e-9 + abs(at.slope).max(-1)), USUAL / (USUAL / 1e4 + abs(at.bend).max(-1))], axis=-1)
    scale[:, 1] = np.minimum(scale[:, 1], top)
    free = np.array(undriven(robot), int)
    driven = np.setdiff1d(np.arange(robot.nv), free)
    # inverse dynamics minus what contacts supply, over the weight of the robot
    both = np.stack([rows.inertia, rows.velocity], axis=-1) * scale[:, None]
    left = np.concatenate([-F * np.swapaxes(J, -1, -2), both], axis=-1) / F
    cones = FrictionCones(contacts.contacts, friction).rows(contacts.contacts, F)
    G = np.zeros((N, len(driven) + len(cones.rows) + 1, k + 2))
    G[:, : len(driven)], G[:, len(driven) : -1, :k], G[:, -1, -1] = left[:, driven], cones.rows, 1.0
    most, rest = rows.most[driven] / F, rows.rest[:, driven] / F
    lower = np.concatenate([-most - rest, np.tile(cones.lower, (N, 1)), np.zeros((N, 1))], axis=-1)
    upper = np.concatenate([most - rest, np.tile(cones.upper, (N, 1)), (top / scale[:, 1])[:, None]], axis=-1)
    return Support(
        left[:, free], -rows.rest[:, free] / F, G, lower, upper, scale, F, tuple(c.frame for c in contacts.contacts)
    )


def polygons(given: Support) -> tuple[Floats, Floats, Floats]:
    """inertia, velocity and rest (N, corners): |inertia u + velocity x + rest| ≤ 1 on the polygons of all points."""
    N = len(given.E)
    directions = np.tile([[1.0, 0], [0, 1], [-1, 0], [0, -1]], (N, 1, 1))
    corners = _extreme(given, directions)
    for _ in range(ROUNDS):
        edges = np.roll(corners, -1, axis=1) - corners
        middle = directions + np.roll(directions, -1, axis=1)
        normal = np.stack([edges[..., 1], -edges[..., 0]], axis=-1)
        long = np.linalg.norm(normal, axis=-1, keepdims=True)
        middle /= np.linalg.norm(middle, axis=-1, keepdims=True)
        normal = np.where(long > 1e-9, normal / np.maximum(long, 1e-9), middle)
        found = _extreme(given, normal)
        corners, directions = (
            np.stack([a, b], axis=2).reshape(N, -1, 2) for a, b in ((corners, found), (directions, normal))
        )
    edges = np.roll(corners, -1, axis=1) - corners
    normal = np.stack([edges[..., 1], -edges[..., 0]], axis=-1)
    heights = normal @ np.swapaxes(corners, -1, -2)
    high, low = heights.max(axis=-1), heights.min(axis=-1)
    width = np.maximum((high - low) / 2, 1e-12)
    normal = normal / (width[..., None] * given.scale[:, None])
    return normal[..., 0], normal[..., 1], -(high + low) / 2 / width


def _extreme(given: Support, directions: Floats) -> Floats:
    """The feasible (u, x), scaled, that are farthest in directions (N, m, 2)."""
    N, m, _ = directions.shape
    n = given.E.shape[-1]
    own = [np.repeat(x, m, axis=0) for x in given[:5]]
    pick = np.zeros((2, n))
    pick[:, -2:] = np.eye(2)
    d = np.full(n, LIGHT)
    d[-2:] = 0.0
    found = least(_program(pick, AWAY * directions.reshape(-1, 2), d, own))
    bad = np.flatnonzero(found.status.reshape(N, m).any(axis=1))
    if len(bad):
        why = "no contact forces within their cones and torques within their limits hold the robot"
        raise ShapeError(f"time_optimal: at point {bad[0]} of {N} {why}")
    return found.x[:, -2:].reshape(N, m, 2)


def forces(robot: Robot, given: Support, q: Floats, x: Floats, u: Floats) -> dict[str, Floats]:
    """Least contact forces of a motion, [force; moment] (N, 6) in the axes of each frame."""
    fixed = np.stack([u, x], axis=-1)[..., None] / given.scale[..., None]
    E, G = given.E[..., :-2], given.G[:, :-1, :-2]
    at = (given.G[:, :-1, -2:] @ fixed)[..., 0]
    bounds = given.lower[:, :-1] - at - ROUNDING, given.upper[:, :-1] - at + ROUNDING
    rows = [E, given.e - (given.E[..., -2:] @ fixed)[..., 0], G, *bounds]
    found = least(_program(np.zeros((1, E.shape[-1])), np.zeros((len(E), 1)), np.ones(E.shape[-1]), rows))
    out = {}
    for k, name in enumerate(given.frames):
        world = given.force * found.x[:, 3 * k : 3 * k + 3, None]
        own = np.swapaxes(robot.pose(q, name)[:, :3, :3], -1, -2) @ world
        out[name] = np.concatenate([own[..., 0], np.zeros((len(q), 3))], axis=-1)
    return out


def _program(T: Floats, b: Floats, d: Floats, rows: Any) -> Problem:
    E, e, G, lower, upper = rows
    prefer = np.tile(np.array([[0, E.shape[-1]]], np.intc), (E.shape[1], 1))
    return Problem(T, b, np.ones(len(T)), d, E, e, G, lower, upper, prefer)
