"""Infeasible programs: an irreducible conflict of groups of rows, and the least relaxation."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from ...errors import ArticulatedError
from ..qp.feasibility import possible, slowly
from ..qp.solver import EQUALITY, Mask, Program, SolverFailed, quickly
from .constraint_rows import ProgramRows
from .groups import DYNAMICS, JOINT, POSITION, VELOCITY, Group

Floats = NDArray[np.floating]


class Infeasible(ArticulatedError, ValueError):
    """No accelerations and forces meet all constraints of a whole-body law.

    `conflict` are groups of constraints that exclude each other (without any one of them the others could hold);
    `relaxation` is by how much each group would have to give so that all can hold, little in few of them.
    """

    def __init__(self, conflict: Sequence[str], relaxation: dict[str, float], units: dict[str, str]):
        self.conflict, self.relaxation = tuple(conflict), relaxation
        given = ", ".join(f"{name} by {amount:.3g} {units[name]}" for name, amount in relaxation.items())
        super().__init__(
            "no motion meets all constraints"
            + (f"; enough would be to relax {given}" if given else "")
            + f"; these exclude each other: {', '.join(conflict)}"
        )


def explained(rows: ProgramRows, A: Floats, lower: Floats, upper: Floats) -> Infeasible:
    """The error for rows that cannot all hold."""
    G = np.concatenate([np.eye(rows.bounded, rows.n), A])
    members = {group: _members(rows, [group]) for group in dict.fromkeys(rows.groups) if group.kind != DYNAMICS}
    # bounds that cross exclude each other: those on accelerations, if the position needs one the velocity forbids
    crossed = [group for group, own in members.items() if (lower > upper)[own].any()][:1]
    if crossed and crossed[0].kind == JOINT:
        crossed = [crossed[0]._replace(kind=kind) for kind in (POSITION, VELOCITY)]
    conflict = crossed or _irreducible(rows, G, lower, upper, list(members))
    slack = _least_slack(G, lower, upper, members)
    return Infeasible(
        [str(group) for group in conflict],
        {str(group): x * group.scale for group, x in slack.items()},
        {str(group): group.unit for group in slack},
    )


def _members(rows: ProgramRows, groups: Sequence[Group]) -> Mask:
    return np.array([group in groups for group in rows.groups], bool)


def _irreducible(rows: ProgramRows, G: Floats, lower: Floats, upper: Floats, groups: list[Group]) -> list[Group]:
    """Groups that cannot hold together though they could without any one of them (Chinneck's deletion filter)."""
    kept = list(groups)
    for group in groups:
        fewer = [other for other in kept if other != group]
        own = rows.dynamics | _members(rows, fewer)
        if not _can_hold(G[own], lower[own], upper[own], rows.accelerations[own]):
            kept = fewer
    return kept


def _can_hold(G: Floats, lower: Floats, upper: Floats, gives: Mask) -> bool:
    n = G.shape[1]
    try:
        return possible(Program(np.eye(n), np.zeros(n), G, lower, upper, _kind(lower, upper)), gives)
    except SolverFailed:  # so near to both that the group in question is better kept
        return True


def _least_slack(G: Floats, lower: Floats, upper: Floats, members: Mapping[Group, Mask]) -> dict[Group, float]:
    """One slack per group, the least sum of them (in parts of what the group bounds), found by one linear cost."""
    n, own = G.shape[1], len(members)
    give = np.array(list(members.values()), float).reshape(own, len(G)).T
    relaxed = give.any(axis=1)
    scale = np.array([_size(lower[rows], upper[rows]) for rows in members.values()])
    # G x - s <= upper, G x + s >= lower, s >= 0; what is never relaxed stays one row
    A = np.block([[G, -give], [G, give], [np.zeros((own, n)), np.eye(own)]])
    low = np.concatenate([np.where(relaxed, -np.inf, lower), np.where(relaxed, lower, -np.inf), np.zeros(own)])
    high = np.concatenate([upper, np.full(len(G), np.inf), np.full(own, np.inf)])
    H = np.diag(np.concatenate([np.full(n, 1e-8), 1e-6 / scale**2]))
    program = Program(H, np.concatenate([np.zeros(n), 1 / scale]), A, low, high, _kind(low, high))
    found = quickly(program) or slowly(program)
    slack = np.zeros(own) if found is None else found.x[n:]
    return {group: float(s) for group, s, size in zip(members, slack, scale, strict=True) if s > 1e-6 * size}


def _size(lower: Floats, upper: Floats) -> float:
    """Scale of the slack of a group: its largest bound."""
    bounds = abs(np.concatenate([lower, upper]))
    return max(1.0, float(bounds[np.isfinite(bounds)].max(initial=0.0)))


def _kind(lower: Floats, upper: Floats) -> NDArray[np.int32]:
    return np.where(lower == upper, EQUALITY, 0).astype(np.int32)
