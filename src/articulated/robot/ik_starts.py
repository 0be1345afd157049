"""Where searches begin: of random configurations those at which the frames are nearest to their targets.

A start near the middle of the ranges is a good one: joints that begin at a limit are soon held there.
"""

from typing import Any

import numpy as np

from ..algorithms.inverse_kinematics import Goal, bounded
from ..model import Model
from .ik_targets import Targets

#: random configurations of a round, from which every target takes its nearest
MANY = 128
#: what part of the ranges they come from, round by round
SPREADS = (0.7, 1.0)
#: rounds that are drawn at once, after the first
AHEAD = 8
#: targets that are compared at once: few enough that a product of matrices takes one thread
BLOCK = 128


class Starts:
    """Of one question, its targets (n, size) and first starts (n, nq): configurations to begin at, round by round."""

    def __init__(self, robot: Any, wanted: Targets, values: np.ndarray, first: np.ndarray, bounds: Any, rng: Any):
        self.robot, self.wanted, self.values, self.first, self.rng = robot, wanted, values, first, rng
        self.bounds, self.round = bounds, 0
        floats = any(b.joint.floats for b in robot.model.bodies)
        self.goals = [goal for goal in wanted.goals if isinstance(goal, Goal)]
        self.comparable = not floats and len(self.goals) == len(wanted.goals)
        self._pools: list[tuple[np.ndarray, np.ndarray]] = []
        self._marks = (values * self._scale()).astype(np.float32) if self.comparable else None

    def next(self, rows: np.ndarray, many: int) -> np.ndarray:
        """`many` starts for each of some targets, (rows · many, nq)."""
        self.round += 1
        if self._marks is None:
            return self._anywhere(np.repeat(self.first[rows], many, axis=0))
        if not self._pools:
            self._pools = self._drawn(1 if self.round == 1 else AHEAD)
        pool, there = self._pools.pop()
        wanted = self._marks if len(rows) == len(self._marks) else self._marks[rows]
        offset, twice = (there * there).sum(axis=1), 2 * there.T
        blocks = [wanted[k : k + BLOCK] @ twice for k in range(0, len(wanted), BLOCK)]
        return pool[np.concatenate([_least(offset - x, many) for x in blocks]).ravel()]

    def _anywhere(self, first: np.ndarray) -> np.ndarray:
        """Joints anywhere in their ranges; a free base where it was."""
        out = self.robot.random(self.rng, (len(first),))
        for b in self.robot.model.bodies:
            if b.joint.floats:
                out[:, b.coords] = first[:, b.coords]
        return inside(self.robot.model, out, self.bounds)

    def _drawn(self, rounds: int) -> list[tuple[np.ndarray, np.ndarray]]:
        """Random configurations of some rounds, the next one last, and where the frames are at them."""
        q = inside(self.robot.model, self.robot.random(self.rng, (rounds * MANY,)), self.bounds)
        lower, upper = self.bounds
        ends = np.isfinite(lower) & np.isfinite(upper)
        middle = (lower[ends] + upper[ends]) / 2
        spreads = np.resize(np.roll(SPREADS, 1 - self.round), rounds).repeat(MANY)[:, None]
        q[:, ends] = middle + spreads * (q[:, ends] - middle)
        there = (self._places(q) * self._scale()).astype(np.float32)
        return list(zip(np.split(q, rounds), np.split(there, rounds), strict=True))[::-1]

    def _places(self, q: np.ndarray) -> np.ndarray:
        """Where frames are at q, in the numbers of targets."""
        found, at = [], 0
        for goal in self.goals:
            pose, axis = self.robot.pose(q, goal.frame), self.values[0, at : at + 3]
            R, p = pose[:, :3, :3], pose[:, :3, 3]
            if goal.kind == "direction":
                found += [np.zeros_like(p), R @ axis]
            else:
                found += [R.reshape(-1, 9)] * (goal.kind != "position") + [p] * (goal.kind != "orientation")
            at += goal.size
        return np.concatenate(found, axis=1)

    def _scale(self) -> np.ndarray:
        """Of the numbers of targets: with it their distance is about the error."""
        found, row = [], 0
        for goal in self.goals:
            weights = self.wanted.weights[row : row + goal.rows]
            # ½ |R - R'|² is the square of a small angle between them
            about = np.full(9, np.sqrt((weights[-3:] ** 2).mean() / 2))
            parts = {
                "pose": [about, weights[:3]],
                "position": [weights],
                "orientation": [about],
                "direction": [np.zeros(3), weights],
            }
            found += parts[goal.kind]
            row += goal.rows
        return np.concatenate(found)


def _least(distances: np.ndarray, many: int) -> np.ndarray:
    """Which `many` of each row are least, in order."""
    if many == 1:
        return distances.argmin(axis=1)[:, None]
    return np.argsort(distances, axis=1, kind="stable")[:, :many]


def inside(model: Model, q: np.ndarray, bounds: Any) -> np.ndarray:
    """The nearest configurations within the limits."""
    out = q.copy()
    for _, c in bounded(model, bounds):
        out[:, c] = np.clip(out[:, c], bounds[0][c], bounds[1][c])
    return out
