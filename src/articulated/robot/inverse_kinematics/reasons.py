"""Reasons why a target is not reached: by how much, at which limits joints stand, whether the search was at rest."""

from typing import TYPE_CHECKING, Any

import numpy as np

from ...algorithms.configuration import ranges
from ...algorithms.inverse_kinematics import Goal, bounded
from ...model import Model
from .starts import inside
from .targets import angle_of_chord

if TYPE_CHECKING:
    from .attempts import Attempts, Searched

#: how near a joint is to its limit, in rad or m, if it is said to be at it
AT = 1e-6
#: of a coordinate that turns, and of one that slides
UNITS = {True: "rad", False: "m"}
#: a search is at rest if a tenth of a rad or m of motion brings what is missed no nearer than by a hundredth of itself;
#: errors of rounding are not judged
REST, ROUNDING = 0.1, 1e-12
#: from where a search is at rest: a step aside, in rad or m, iterations from there, and how much nearer is nearer
ASIDE, ITERATIONS, NEARER = 0.1, 20, 0.99


@np.errstate(over="ignore", invalid="ignore")  # far is said to be inf
def reasons(model: Model, search: "Attempts", values: np.ndarray, q: np.ndarray, there: "Searched") -> list[str]:
    """A sentence about each of the best configurations that were found, (n, nq)."""
    weights = search.wanted.weights
    errors = there.error / np.where(weights > 0, weights, np.inf)  # of what weighs nothing nothing is said
    ends = _ends(model, search.bounds)
    moving = _moving(model, search.bounds, q, there)
    still = np.flatnonzero(~moving & (there.far > ROUNDING) & np.isfinite(there.far))
    moving[still] = _at_a_saddle(search, values[still], q[still], there.far[still])
    return [
        _sentence(_missed(search, errors[k]), [text for c, bound, text in ends if abs(q[k, c] - bound) < AT], moving[k])
        for k in range(len(q))
    ]


def _sentence(parts: list[str], stopped: list[str], moving: bool) -> str:
    where = f", with {', '.join(stopped)}" if stopped else ", with no joint at a limit"
    more = "; it could come nearer: more iterations or restarts may help" if moving and parts else ""
    return f"{' and '.join(parts) or 'errors of rounding are above the tolerance'}{where}{more}"


def _missed(search: "Attempts", errors: np.ndarray) -> list[str]:
    """Distances of frames from their targets, as far as they are above the tolerance."""
    parts, row = [], 0
    for goal in search.wanted.goals:
        own = errors[row : row + goal.rows]
        row += goal.rows
        if not isinstance(goal, Goal):
            if (far := abs(own).max(initial=0.0)) > search.tolerance:
                parts.append(f"{goal.name!r} does not hold by {far:.3g}")
            continue
        parts_of = {"pose": (own[:3], own[3:]), "position": (own, own[:0]), "center_of_mass": (own, own[:0])}
        place, turn = parts_of.get(goal.kind, (own[:0], own))
        if abs(place).max(initial=0.0) > search.tolerance:
            parts.append(f"{goal.name!r} stays {np.linalg.norm(place):.3g} m away")
        if abs(turn).max(initial=0.0) > search.tolerance:
            if goal.kind == "direction":
                parts.append(f"the axis of {goal.name!r} stays {angle_of_chord(turn):.3g} rad off")
            else:
                parts.append(f"{goal.name!r} stays turned by {np.linalg.norm(turn):.3g} rad")
    return parts


def _ends(model: Model, bounds: Any) -> list[tuple[int, float, str]]:
    """The limits of joints with one coordinate: which it is, where it ends, and what is said of a joint there."""
    joints = {b.coords.start: (b.joint, own) for b, own in ranges(model).items()}
    found = []
    for _, c in bounded(model, bounds):
        joint, own = joints[c]
        for end, bound, whose in zip(("lower", "upper"), bounds, (own.lower_of, own.upper_of), strict=True):
            other = "" if whose == joint.name else f", where {whose!r} is at its own"
            text = f"{joint.name!r} at its {end} limit {bound[c]:.4g} {UNITS[joint.turns]}{other}"
            found.append((c, float(bound[c]), text))
    return found


def _moving(model: Model, bounds: Any, q: np.ndarray, there: "Searched") -> np.ndarray:
    """True if some joint that its limits let move would bring frames nearer."""
    # of half the squared error, minus its slope
    slope = np.einsum("nij,ni->nj", there.J, there.error)
    for k, c in bounded(model, bounds):
        out = ((q[:, c] > bounds[1][c] - AT) & (slope[:, k] > 0)) | ((q[:, c] < bounds[0][c] + AT) & (slope[:, k] < 0))
        slope[out, k] = 0.0
    return (np.linalg.norm(slope, axis=1) > REST * there.far**2) & (there.far > ROUNDING)


def _at_a_saddle(search: "Attempts", values: np.ndarray, q: np.ndarray, far: np.ndarray) -> np.ndarray:
    """True if a search that goes on from a step aside comes nearer; at a saddle the slope is zero, too."""
    if not len(q):
        return np.zeros(0, bool)
    aside = ASIDE * np.random.default_rng(0).normal(size=search.robot.nv)
    begin = [inside(search.robot.integrate(q, sign * aside), search.box) for sign in (1, -1)]
    after = search.searched(np.tile(values, (2, 1)), np.concatenate(begin), max(search.iterations, ITERATIONS))
    return after.far.reshape(2, -1).min(axis=0) < NEARER * far
