"""A preferred posture, approached in the null space of the targets."""

from typing import TYPE_CHECKING, Any

import numpy as np

from ...algorithms.inverse_kinematics import bounded
from .starts import inside

if TYPE_CHECKING:
    from .attempts import Attempts, Found

#: steps towards the posture; one shorter than this, in rad or m, is none
ROUNDS, STILL = 60, 1e-6
#: part of a step below which a lane gives up
LEAST = 1e-3
#: of the damping of the pseudo-inverse, where targets depend on each other
FLOOR = 1e-12


@np.errstate(over="ignore", invalid="ignore")  # a posture too far for any step is not approached
def rested(search: "Attempts", values: np.ndarray, posture: np.ndarray, found: "Found") -> None:
    """Move what has succeeded as near to its posture as the targets leave free.

    A step in the null space leaves the targets by its square; the search brings it back.  It is kept if that succeeds
    and the posture is nearer, else a shorter one is tried.
    """
    rows = np.flatnonzero(found.success)
    if not len(rows):
        return
    q, J, length = found.q[rows], search.searched(values[rows], found.q[rows], 1).J, np.ones(len(rows))
    for _ in range(ROUNDS):
        wish = search.robot.difference(q, posture[rows])
        aside = _aside(search, q, J, wish)
        moving = (abs(aside).max(axis=1, initial=0.0) > STILL) & (length > LEAST)
        if not moving.any():
            break
        k = np.flatnonzero(moving)
        trial = search.robot.integrate(q[k], length[k, None] * aside[k])
        after = search.searched(values[rows[k]], inside(trial, search.box), search.iterations)
        found.spent[rows[k]] += after.spent.astype(int)
        left = np.linalg.norm(search.robot.difference(after.best, posture[rows[k]]), axis=1)
        good = after.done & (left < np.linalg.norm(wish[k], axis=1))
        into = k[good]
        q[into], J[into], found.error[rows[into]] = after.best[good], after.J[good], after.worst[good]
        length[k] = np.where(good, np.minimum(1.0, 2 * length[k]), length[k] / 4)
    found.q[rows] = q


def _aside(search: Any, q: np.ndarray, J: np.ndarray, wish: np.ndarray) -> np.ndarray:
    """The part of a wish that moves no target, with joints that would leave their ranges held."""
    free = np.ones_like(wish)
    for _ in range(2):
        reduced = J * free[:, None, :]
        wanted = free * wish
        H = reduced @ np.swapaxes(reduced, 1, 2) + FLOOR * np.eye(J.shape[1])
        push = np.linalg.solve(H, (reduced @ wanted[..., None]))
        aside = wanted - (np.swapaxes(reduced, 1, 2) @ push)[..., 0]
        for k, c in bounded(search.robot.model, search.bounds):
            out = (q[:, c] >= search.bounds[1][c] - 1e-9) & (aside[:, k] > 0)
            out |= (q[:, c] <= search.bounds[0][c] + 1e-9) & (aside[:, k] < 0)
            free[out, k] = 0.0
    return free * aside
