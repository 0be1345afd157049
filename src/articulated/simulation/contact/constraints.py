"""`contacts=` of `simulate`: what constrains a robot, and whether it can begin where it is told to."""

from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from ...algorithms.configuration import ranges
from ...compiler.emit.numpy import on_rows
from ...compiler.passes.trace import trace
from ...contacts import Contacts
from ...contacts.constraints import constraint_poses
from ...contacts.kinds import remade
from ...contacts.ranks.subspaces import TOLERANCE
from ...errors import ModelError, ShapeError
from ...model import Model
from ...robot import Robot
from ...text import shortened
from ..pile.pile import FEW, Entries, Pile, deepest, entries, pile_of
from .candidates import WORLD
from .dynamics import carrier_poses, unflat
from .ground import Ground
from .joints import JointRow, owner
from .meetings import MEETINGS, met
from .surfaces import FLAT
from .system import ROUNDED, System, contact_tables, system

if TYPE_CHECKING:
    from ..plan import Plan

#: meters below the ground, and radians or meters beyond a joint limit, that are a mistake and not rounding
DEEPEST = 1e-4
BEYOND = 1e-3
#: most contacts of a scene that is no pile, of which each may push each
MOST_AT_ONCE = 10_000
#: velocity of a contact that holds, m/s or rad/s, that is a mistake
SLIPPING = 1e-3
#: part of a row of J orthogonal to the others, relative to the longest row, below which it depends on them
SINGULAR = 1e-6
#: postures that are tried to tell rows that always depend on others from those that do so here
POSTURES = 3


def constraints(
    robot: Robot, contacts: Any, rows: tuple[JointRow, ...], limits: bool, plain: bool = False
) -> System | None:
    """Ground, contacts that hold, and rows of joints; None if nothing constrains the robot.

    `plain`: robots may be among the bodies of a pile, which does not take everything that a robot takes.
    """
    given = list(contacts) if isinstance(contacts, (list, tuple)) else [] if contacts is None else [contacts]
    grounds = [each for each in given if isinstance(each, Ground)]
    held = [each for each in given if isinstance(each, Contacts)]
    if len(grounds) + len(held) < len(given) or len(grounds) > 1:
        wanted = "art.Ground(…), art.Contacts(…), or a list with one ground at most"
        raise ShapeError(f"simulate: contacts is {wanted}; got {shortened(repr(contacts))}")
    for each in held:
        if each.robot.model is not robot.model and each.robot.joint_names != robot.joint_names:
            raise ShapeError(
                f"simulate: the contacts are those of {each.robot!r}, not of {robot!r}, the robot that moves"
            )
    found = _system(robot.model, grounds[0] if grounds else None, rows, limits, plain and not held)
    if held:
        if found.pile:
            raise ModelError(f"simulate: a scene of more than {FEW} objects takes no contacts that hold")
        size = max(each.structure.size for each in held)  # as in the ranks of the contacts themselves
        contacts = tuple(c for each in held for c in each.contacts)
        found = found._replace(held=contacts, negligible=max(TOLERANCE * size, ROUNDED))
    return found if found.size or found.pile else None


@lru_cache(maxsize=16)  # all are frozen, and a program takes the same for every run
def _system(model: Model, ground: Ground | None, rows: tuple[JointRow, ...], limits: bool, robots: bool) -> System:
    if not limits:
        rows = tuple(joint._replace(lower=None, upper=None) for joint in rows if joint.dry is not None)
    found = system(model, ground, (), rows, pile_of(model, ground.parts, robots) if ground else None)
    found = _left_to_robots(found, model, ground, rows)
    if len(found.contacts) > MOST_AT_ONCE and not found.pile:
        raise ModelError(
            f"simulate: {len(found.contacts)} contacts are possible in {model.name}, more than the {MOST_AT_ONCE} of a "
            f'robot; a scene of robots and more than {FEW} objects has no such bound if it moves by "euler", without '
            "parameters=, joints=, contacts that hold, frictions of a batch, rolling= and spinning=, on ground "
            "without edges"
        )
    return found


def _left_to_robots(found: System, model: Model, ground: Ground | None, rows: tuple[JointRow, ...]) -> System:
    """The same, without a pile if robots are in it and it does not take everything that there is."""
    edges = found.pile and any(touch.other is None for touch in found.pairs)
    several = any(np.ndim(touch.friction) for touch in found.pairs)  # frictions of a batch
    if found.pile and found.pile.robots and (edges or several or found.rolls):
        return system(model, ground, (), rows)
    if edges:
        raise ModelError(f"simulate: boxes in a scene of more than {FEW} objects need ground without edges")
    return found


def require_possible(robot: Robot, constrained: System, q: np.ndarray, v: np.ndarray) -> None:
    """Refuse a start beyond a joint limit, with a loop open, or of a pile whose bodies are inside each other."""
    if constrained.held:
        _require_held(holding(robot, constrained), q, v)
    if constrained.pile:
        deep, which, names = deepest(constrained.pile, constrained, *_links(robot, constrained.pile, q))
        if deep > DEEPEST:
            raise _inside(deep, *names, _of_batch(q, which))
    coordinates, ends, _ = _ends(constrained.joints)
    excess = (q[:, coordinates] - ends[0]) * ends[1]
    if (excess > BEYOND).any():
        state, k = np.unravel_index(np.argmax(excess), excess.shape)
        joint, end = _ends(constrained.joints)[2][k]
        unit, whose = _limit_of(robot, joint, end)
        raise ModelError(
            f"simulate: joint {joint.name!r} begins {excess[state, k]:.4g} {unit} beyond its {end} limit "
            f"{ends[0, k]:g} {unit}{whose}{_of_batch(q, state)}; change q0, or pass limits=False (--no-limits)"
        )


def _links(robot: Robot, pile: Pile, q: np.ndarray) -> tuple[Entries, np.ndarray, np.ndarray]:
    """Entries of a pile, q, and the poses of the links of its robots."""
    where, links = entries(robot.model, pile), np.zeros((len(q), 0, 12))
    if model := pile.robots:
        robots = robot.kernels.once("robots", lambda: Robot(model))
        bodies = [robots.model.frame(name).body for name in pile.links]
        carriers = tuple(robots.model.bodies.index(b) if b else WORLD for b in bodies)
        links = evaluated(robots, carrier_poses, q[:, where.robots_q], carriers=carriers)
    return where, q, links


@lru_cache(maxsize=16)
def _ends(joints: tuple[JointRow, ...]) -> tuple[np.ndarray, np.ndarray, list[tuple[JointRow, str]]]:
    """Coordinates that have limits; limits, and their signs as upper ones, (2, n); and whose and which they are."""
    each = [(joint, end) for joint in joints for end in ("lower", "upper") if getattr(joint, end) is not None]
    limits = [[getattr(joint, end) for joint, end in each], [1.0 if end == "upper" else -1.0 for _, end in each]]
    return np.array([joint.coordinate for joint, _ in each], int), np.array(limits), each


def require_apart(plan: "Plan", q: np.ndarray, known: np.ndarray | None = None) -> None:
    """Refuse a start below the ground, or of bodies inside each other; the gaps (n, nc) may be known.

    A pile is looked at by `require_possible`.
    """
    system = plan.system
    if not system or system.pile or not system.contacts:
        return
    found = plan.gaps(q) if known is None else known
    if found.min() < -DEEPEST:
        state, k = np.unravel_index(np.argmin(found), found.shape)
        touch = system.contacts[k]
        fixed = not any(b.joint.floats for b in plan.robot.model.bodies)
        name = touch.frame if touch.other else touch.name
        raise _inside(-found[state, k], name, touch.other, _of_batch(q, state), fixed)


def _inside(depth: float, name: str, other: str | None, where: str, fixed: bool = False) -> ModelError:
    """Error of a body that begins in the ground or in another body, of a robot whose base may be fixed."""
    if other:
        told = f"{name!r} and {other!r} begin {depth:.4g} m inside each other{where}; move them: q0, or at= of a scene"
    else:
        remedy = "free its base by floating_base=True, --floating" if fixed else "raise it by that, or bend its legs"
        told = f"{name!r} begins {depth:.4g} m below the ground{where}; {remedy}"
    return ModelError(f"simulate: {told}")


def _require_held(contacts: Contacts, q: np.ndarray, v: np.ndarray) -> None:
    J = contacts.jacobian(q)
    # what no motion could close, as the rows across the plane of a planar linkage, is left out of the equations
    apart = contacts.drift(q, contacts.poses(q))
    apart = np.einsum("nij,njk,nk->ni", J, np.linalg.pinv(J, rcond=SINGULAR), apart)
    moving = np.einsum("nij,nj->ni", J, v)
    for x, allowed, what, instead in (
        (apart, DEEPEST, "begins open by {:.4g} {}", "close it by q0 = contacts.assemble(q0)"),
        (moving, SLIPPING, "is held, but v0 moves it at {:.4g} {}/s", "take v0 = contacts.impact(q0, v0).v"),
    ):
        state, row = np.unravel_index(int(np.argmax(abs(x))), x.shape)
        if abs(x[state, row]) > allowed:
            name = contacts.rows[row]
            size = what.format(abs(x[state, row]), "rad" if " about " in name else "m")
            raise ModelError(f"simulate: {name!r} {size}{_of_batch(q, state)}; {instead}")


def _limit_of(robot: Robot, joint: JointRow, end: str) -> tuple[str, str]:
    """Unit of a coordinate, and the joint that stops there if that is one that follows."""
    b = owner(robot.model, joint)
    turns = b.joint.S[3:, joint.coordinate - b.coords.start].any()
    whose = getattr(ranges(robot.model)[b], f"{end}_of")
    said = "" if whose == joint.name else f", where {whose!r}, which follows it, is at its own"
    return "rad" if turns else "m", said


def _of_batch(q: np.ndarray, state: Any) -> str:
    return f" in state {state} of the batch" if len(q) > 1 else ""


def anchors(robot: Robot, constrained: System, q: np.ndarray) -> np.ndarray:
    """Where the contacts that hold are at the start, (n, 16 each)."""
    if not constrained.held:
        return np.zeros((len(q), 0))
    found = evaluated(robot, constraint_poses, q, contacts=constrained.held)
    return np.ascontiguousarray(found.reshape(len(q), -1))


def evaluated(robot: Robot, algorithm: Callable[..., Any], q: np.ndarray, **choices: Any) -> np.ndarray:
    """An algorithm of (model, q) at configurations (…, nq)."""
    return robot.kernels.evaluate("simulate", algorithm, {"q": q}, choices=choices)


def holding(robot: Robot, constrained: System) -> Contacts:
    """The contacts that hold, as one set."""
    held = constrained.held
    return robot.kernels.once(("holding", held), lambda: remade(Contacts, robot, held, ()))


def independent_rows(robot: Robot, constrained: System, q: np.ndarray) -> tuple[int, ...]:
    """Rows of the contacts that hold that do not follow from the others in every posture they allow near q (nq,)."""
    rng, contacts = np.random.default_rng(0), holding(robot, constrained)
    J, there, best = contacts.jacobian(q), contacts.poses(q), list[int]()
    free = np.eye(robot.nv) - np.linalg.pinv(J, rcond=SINGULAR) @ J
    for part in (0.0, *(0.1,) * POSTURES):
        posture = robot.integrate(q, part * free @ rng.normal(size=robot.nv))
        for _ in range(20):
            J = contacts.jacobian(posture)
            away = np.linalg.lstsq(J, contacts.drift(posture, there), rcond=SINGULAR)[0]
            posture = robot.integrate(posture, -away)
        best = max(best, _pivots(J), key=len)
    return tuple(sorted(best))


def _pivots(J: np.ndarray) -> list[int]:
    """Independent rows of a matrix, the longest first."""
    found, left, size = [], J.copy(), np.linalg.norm(J, axis=1).max(initial=0.0)
    for _ in range(len(J)):
        k = int(np.linalg.norm(left, axis=1).argmax())
        length = np.linalg.norm(left[k])
        if length <= SINGULAR * size:
            break
        found.append(k)
        left = left - np.outer(left @ left[k], left[k]) / length**2
        left[k] = 0
    return found


def gaps_of(robot: Robot, system: System) -> Callable[[np.ndarray], np.ndarray]:
    """How far each contact is open, (n, nc), negative where it is too deep; a function of configurations (n, nq)."""
    carriers, rows = system.carriers(robot.model), contact_tables(robot.model, system)
    ground, like = np.array(system.surface.numbers, float), system.surface.like
    parts: list[Any] = []
    for kind, first, count in system.groups:
        meeting = MEETINGS[kind]
        bodies = [rows[name][:: meeting.points] for name in (f"{kind}.first", f"{kind}.second") if name in rows]
        numbers = np.array([x.numbers for x in system.contacts[first : first + count : meeting.points]], float)
        program = _gaps_of(kind, like if meeting.ground else FLAT)  # type: ignore[arg-type]
        parts.append((slice(first, first + count), meeting.points, bodies, numbers, program))

    def gaps(q: np.ndarray) -> np.ndarray:
        poses = evaluated(robot, carrier_poses, q, carriers=carriers)
        found = np.empty((len(q), len(system.contacts)))
        for place, points, bodies, numbers, program in parts:
            given = [*(poses[:, rows] for rows in bodies), np.broadcast_to(numbers, (len(q), *numbers.shape))]
            columns = [np.ascontiguousarray(x.reshape(-1, x.shape[-1]).T) for x in given]
            if len(bodies) == 1:
                columns.append(np.broadcast_to(ground[:, None], (len(ground), columns[0].shape[1])))
            out = np.empty((columns[0].shape[1], points))
            with np.errstate(all="ignore"):
                program(columns, [out.T])
            found[:, place] = out.reshape(len(q), -1)
        return found

    return gaps


@lru_cache(maxsize=64)
def _gaps_of(kind: str, surface: Any) -> Callable[..., None]:
    """The gaps of a kind as a function of rows for NumPy."""
    sizes = {"first": 12, "second": 12, "numbers": MEETINGS[kind].size}
    if MEETINGS[kind].ground:
        del sizes["second"]
        sizes["ground"] = len(surface.numbers)

    def function(numbers: Any, ground: Any = None, **poses: Any) -> Any:
        there = surface if ground is None else surface.of(ground)
        return met(kind, there, tuple(unflat(x) for x in poses.values()), numbers)[0]

    return on_rows(trace(function, sizes))
