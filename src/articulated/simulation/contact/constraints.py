"""`contacts=` of `simulate`: what constrains a robot, and whether it can begin where it is told to."""

from collections.abc import Callable
from typing import Any

import numpy as np

from ...algorithms.limits import ranges
from ...contacts import Contacts
from ...contacts.constraints import constraint_poses
from ...contacts.ranks.subspaces import TOLERANCE
from ...errors import ModelError, ShapeError
from ...robot import Robot
from ...text import shortened
from .geometry import gaps
from .ground import Ground
from .joints import JointRow, owner
from .system import ROUNDED, System, system

#: metres below the ground, and radians or metres beyond a joint limit, that are a mistake and not rounding
DEEPEST = 1e-4
BEYOND = 1e-3


def constraints(robot: Robot, contacts: Any, rows: tuple[JointRow, ...], limits: bool) -> System | None:
    """Ground, contacts that hold, and rows of joints; None if nothing constrains the robot."""
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
    ground, holding = grounds[0] if grounds else None, tuple(c for each in held for c in each.contacts)
    found = system(robot.model, ground, holding, rows)
    if held:  # as in the ranks of the contacts themselves
        size = max(each.structure.size for each in held)
        found = found._replace(negligible=max(TOLERANCE * size, ROUNDED))
    if not limits:
        free = [joint._replace(lower=None, upper=None) for joint in found.joints if joint.dry is not None]
        found = found._replace(joints=tuple(free))
    return found if found.size else None


def require_possible(robot: Robot, constrained: System, q: np.ndarray) -> None:
    """Refuse a start below the ground or beyond a joint limit."""
    if constrained.contacts:
        depth = -evaluated(robot, gaps, q, system=constrained.without_friction)
        state, k = np.unravel_index(np.argmax(depth), depth.shape)
        if depth[state, k] > DEEPEST:
            pair = k >= len(constrained.touching.touches)
            where, instead = (
                ("inside each other", "move these links apart, or leave them out of self_collision")
                if pair
                else ("below the ground", "raise the robot by that, or bend its legs")
            )
            raise ModelError(
                f"simulate: {constrained.touching.names[k]!r} begins {depth[state, k]:.4g} m {where}"
                f"{_of_batch(q, state)}; {instead}"
            )
    for joint in constrained.joints:
        for end, sign, limit in (("lower", -1, joint.lower), ("upper", 1, joint.upper)):
            excess = np.full(len(q), -np.inf) if limit is None else sign * (q[:, joint.coordinate] - limit)
            worst = int(np.argmax(excess))
            if excess[worst] > BEYOND:
                unit, whose = _limit_of(robot, joint, end)
                raise ModelError(
                    f"simulate: joint {joint.name!r} begins {excess[worst]:.4g} {unit} beyond its {end} limit "
                    f"{limit:g} {unit}{whose}{_of_batch(q, worst)}; change q0, or pass limits=False (--no-limits)"
                )


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
    kernels = robot.kernels.under("", {})
    return kernels.evaluate("simulate", algorithm, {"q": q}, choices=choices)
