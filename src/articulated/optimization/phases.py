"""Schedule of contacts of a problem: which of them hold in which steps.

While they hold, accelerations are those of `Contacts.forward_dynamics`, but any velocity of a contact is gone after
one step: where contacts begin, their impact is that of the first step, and part of its forces.
"""

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from ..contacts import Contacts
from ..contacts.derivatives import OfLaw
from ..contacts.kinds import XYZ, remade
from ..errors import ShapeError
from ..inputs.choices import names
from ..robot import Robot
from .joint_jacobians import Blocks
from .step import damped_over, euler_moves

Floats = np.ndarray


class Phase(NamedTuple):
    """Steps from `begin` to `end`."""

    begin: int
    end: int
    contacts: Contacts | None


class Forces(NamedTuple):
    """Forces on the points of a schedule, world axes: (N, T + 1, points, 3), zero where they are in the air; N."""

    value: Floats
    by_state: Floats | None = None  # (N, T + 1, points, 3, 2 nv)
    by_torque: Floats | None = None  # (N, T + 1, points, 3, nv)


class Step(NamedTuple):
    """Derivatives of steps by [dq; dv] and controls, and the forces during them."""

    F: Floats  # (N, T, 2 nv, 2 nv + u), or (N, T, nv, 2 nv + u) of the velocities alone
    forces: Forces | None


def phases(robot: Robot, given: Any, horizon: int, dt: float, actuated: tuple[int, ...]) -> tuple[Phase, ...]:
    """The schedule, a list of (steps, contacts), checked; contacts are a set, or frames that are points."""
    if given is None:
        return (Phase(0, horizon, None),)
    try:
        pairs = [(int(steps), held) for steps, held in given]
    except (TypeError, ValueError):
        raise ShapeError(f"Problem: contacts is a list of (steps, contacts); got {given!r}") from None
    total = sum(steps for steps, _ in pairs)
    if total != horizon or any(steps < 1 for steps, _ in pairs):
        raise ShapeError(f"Problem: the steps of contacts are {[s for s, _ in pairs]}, {total} in all, not {horizon}")
    moving, found, begin = damped_over(robot, dt), [], 0
    sets: dict[Any, Contacts] = {}
    passive = tuple(name for name in robot.joint_names if not set(range(robot.nv)[robot.index(name).v]) & {*actuated})
    for steps, held in pairs:
        if not isinstance(held, Contacts):
            held = Contacts(robot, point=names("Problem: contacts", held))
        if held.robot is not robot:
            raise ShapeError(f"Problem: a contact set is one of {held.robot.name}, not of the problem's robot")
        made = sets.setdefault(held.contacts, remade(Contacts, moving, held.contacts, passive))
        found.append(Phase(begin, begin + steps, made))
        begin += steps
    return tuple(found)


def points(schedule: Iterable[Phase]) -> list[str]:
    """Frames of all contacts that push in three directions, in the order they are met."""
    every = [c for phase in schedule if phase.contacts for c in phase.contacts.contacts]
    return list(dict.fromkeys(c.frame for c in every if c.linear == XYZ and c.other is None))


def motion(contacts: Contacts, q: Floats, v: Floats, u: Floats, h: float) -> Any:
    """Accelerations and forces at the usual ranks, whatever the numbers: motions that diverge are tried as well."""
    law = contacts.kernels.law_kernel("forward_dynamics", contacts.structure, ("q", "v", "tau", "rate"))
    return law(q, v, u, np.array([1 / h]))


def contact_forces(schedule: tuple[Phase, ...], q: Floats, v: Floats, u: Floats, h: float) -> Forces:
    """Forces along a motion."""
    feet = points(schedule)
    value = np.zeros((*q.shape[:2], len(feet), 3))
    for phase in schedule if feet else ():
        at = slice(phase.begin, phase.end)
        assert phase.contacts
        rows = motion(phase.contacts, q[:, at], v[:, at], u[:, at], h).forces
        for name, three in _rows(phase.contacts):
            value[:, at, feet.index(name)] = rows[..., three]
    return Forces(value)


def linearized(
    robot: Robot, schedule: tuple[Phase, ...], actuated: tuple[int, ...], q: Floats, v: Floats, u: Floats, h: float
) -> Step:
    """Derivatives of all steps, by the chain rule on those of constrained dynamics."""
    N, T, m = u.shape
    n, feet = robot.nv, points(schedule)
    both = np.empty((N, T, 2 * n, 2 * n + m))
    by = np.zeros((N, T + 1, len(feet), 3, 2 * n + m))
    value = np.zeros((N, T + 1, len(feet), 3))
    moves = Blocks(robot, "euler", euler_moves, {"q": "q", "v": "v", "a": "v", "dt": "1"})
    for phase in schedule:
        at, held = slice(phase.begin, phase.end), phase.contacts
        assert held
        state: Any = [np.ascontiguousarray(x[:, at]) for x in (q, v, u)]
        found = motion(held, state[0], state[1], state[2], h)
        d = OfLaw(held, "forward_dynamics").at_rate(*state, np.array([1 / h]))
        _, J = moves(*state[:2], found.value, np.full((*found.value.shape[:-1], 1), h))
        both[:, at] = J[..., 2 * n :] @ np.concatenate(d[:3], axis=-1)
        both[:, at, :, : 2 * n] += J[..., : 2 * n]
        for name, three in _rows(held):
            k = feet.index(name)
            value[:, at, k] = found.forces[..., three]
            by[:, at, k] = np.concatenate(d[3:], axis=-1)[..., three, :]
    by_torque = np.zeros((*by.shape[:-1], n))
    by_torque[..., list(actuated)] = by[..., 2 * n :]
    return Step(both, Forces(value, by[..., : 2 * n], by_torque))


def _rows(contacts: Contacts) -> list[tuple[str, slice]]:
    """Points of a set and their rows."""
    ends = np.cumsum([contact.size for contact in contacts.contacts])
    every = zip(contacts.contacts, ends, strict=True)
    return [(c.frame, slice(end - c.size, end - c.size + 3)) for c, end in every if c.linear == XYZ and c.other is None]
