"""Infeasible programs: an irreducible conflict of groups of rows, and the least relaxation."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from ...errors import ArticulatedError
from ..qp.active_set import DEFICIENT, INFEASIBLE, SOLVED, Problem, least
from .arrays import LawArrays, Mask, Rows
from .groups import DYNAMICS, JOINT, POSITION, VELOCITY, Group

Floats = NDArray[np.floating]


#: second derivative of the cost of a slack, beside a slope of 1
CURVED = 1e-3


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


def explained(law: LawArrays, rows: Rows) -> Infeasible:
    """The error for rows that cannot all hold."""
    some = np.isfinite(rows.lower) | np.isfinite(rows.upper)
    own = {group: _members(law, [group]) & some for group in dict.fromkeys(law.groups) if group.kind != DYNAMICS}
    members = {group: mask for group, mask in own.items() if mask.any()}
    # bounds that cross exclude each other: those on accelerations, if the position needs one the velocity forbids
    crossed = [group for group, mask in members.items() if (rows.lower > rows.upper)[mask].any()][:1]
    if crossed and crossed[0].kind == JOINT:
        crossed = [crossed[0]._replace(kind=kind) for kind in (POSITION, VELOCITY)]
    conflict = crossed or _irreducible(law, rows, list(members))
    slack = _least_slack(rows, members)
    return Infeasible(
        [str(group) for group in conflict],
        {str(group): x * group.scale for group, x in slack.items()},
        {str(group): group.unit for group in slack},
    )


def possible(rows: Rows) -> bool:
    """Whether some x meets the rows."""
    A, lower, upper = rows
    if (lower > upper).any():
        return False
    n, equal, some = A.shape[1], lower == upper, np.isfinite(lower) | np.isfinite(upper)
    return least(_problem(np.ones(n), A, lower, upper, equal, some & ~equal)).status not in (INFEASIBLE, DEFICIENT)


def _problem(d: Floats, A: Floats, lower: Floats, upper: Floats, equal: Mask, free: Mask, **cost: Floats) -> Problem:
    """Least Σ d x² within these rows."""
    cost = {"T": np.zeros((0, len(d))), "b": np.zeros(0), "w": np.zeros(0), **cost}
    prefer = np.tile(np.array([0, len(d)], np.intc), (int(equal.sum()), 1))
    return Problem(
        **cost, d=d, E=A[equal], e=lower[equal], G=A[free], lower=lower[free], upper=upper[free], prefer=prefer
    )


def _members(law: LawArrays, groups: Sequence[Group]) -> Mask:
    return np.array([group in groups for group in law.groups], bool)


def _irreducible(law: LawArrays, rows: Rows, groups: list[Group]) -> list[Group]:
    """Groups that cannot hold together though they could without any one of them (Chinneck's deletion filter)."""
    kept = list(groups)
    for group in groups:
        fewer = [other for other in kept if other != group]
        own = law.dynamics | _members(law, fewer)
        if not possible(Rows(*(x[own] for x in rows))):
            kept = fewer
    return kept


def _least_slack(rows: Rows, members: Mapping[Group, Mask]) -> dict[Group, float]:
    """One slack per group, the least sum of them, in parts of what the group bounds: a linear cost, slightly curved."""
    (A, lower, upper), own = rows, len(members)
    scale = np.array([_size(lower[mask], upper[mask]) for mask in members.values()])
    n, give = A.shape[1], np.array(list(members.values()), float).reshape(own, len(A)).T * scale
    relaxed = give.any(axis=1)
    # A x - s <= upper, A x + s >= lower, s >= 0; what is never relaxed stays one row
    low = np.concatenate([np.where(relaxed, -np.inf, lower), np.where(relaxed, lower, -np.inf), np.zeros(own)])
    high = np.concatenate([upper, np.full(len(A), np.inf), np.full(own, np.inf)])
    A = np.block([[A, -give], [A, give], [np.zeros((own, n)), np.eye(own)]])
    equal, some = low == high, np.isfinite(low) | np.isfinite(high)
    cost = {"T": np.eye(n + own)[n:], "b": np.full(own, -1 / CURVED), "w": np.full(own, CURVED)}
    d = np.concatenate([np.full(n, CURVED * 1e-4), np.zeros(own)])
    found = least(_problem(d, A, low, high, equal, some & ~equal, **cost), most=2000)
    slack = found.x[n:] if found.status == SOLVED else np.zeros(own)
    return {group: float(s * size) for group, s, size in zip(members, slack, scale, strict=True) if s > 1e-6}


def _size(lower: Floats, upper: Floats) -> float:
    """Scale of the slack of a group: its largest bound."""
    bounds = abs(np.concatenate([lower, upper]))
    return max(1.0, float(bounds[np.isfinite(bounds)].max(initial=0.0)))
