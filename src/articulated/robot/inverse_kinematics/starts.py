"""Starts of searches: of random configurations those at which the frames are nearest to their targets.

A start near the middle of the ranges is a good one: joints that begin at a limit are soon held there.
"""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ...algorithms.inverse_kinematics import Goal, bounded
from ...inputs.choices import generator
from ...model import Model

if TYPE_CHECKING:
    from .attempts import Attempts

#: random configurations of a round, from which every target takes its nearest
MANY = 128
#: what part of the ranges they come from, round by round
SPREADS = (0.7, 1.0)
#: rounds that are drawn at once, after the first, and at most tried at once
AHEAD = 16
#: scaled blocks of rounds that are kept, of each kind of question
KEPT = 8
#: of a free base, rad: an axis that points opposite to its target has no shortest way there
TURN = 0.1
#: targets that are compared at once: few enough that a product of matrices takes one thread
BLOCK = 128


class Pool(NamedTuple):
    """Random configurations (rounds, MANY, nq), and where frames are at them, in the numbers of targets."""

    q: np.ndarray
    there: np.ndarray


class Pools:
    """Pools for the same goals, drawn when first needed and kept for further calls with the same seed."""

    def __init__(self, search: "Attempts", goals: Sequence[Goal], axes: Mapping[int, np.ndarray], seed: Any):
        self.robot, self.bounds, self.box = search.robot, search.bounds, search.box
        self.goals, self.axes, self.seed = goals, axes, seed
        self._known: dict[int, Pool] = {}
        self._scaled: dict[tuple[int, bytes], tuple[np.ndarray, np.ndarray]] = {}

    def rounds(self, k: int, most: int, scaling: np.ndarray) -> tuple[Pool, np.ndarray, np.ndarray]:
        """Round k and those after it that were drawn with it, at most so many.

        And of their scaled places, one after the other, the squares, and twice the transposed: for one target they take
        as long as all the rest, so those of the blocks that are asked for most are kept.
        """
        block, within = ((k - 1) // AHEAD + 1, (k - 1) % AHEAD) if k else (0, 0)
        if block not in self._known:
            # a block has a seed of its own: threads that draw it at once draw the same
            self._known.setdefault(block, self._drawn(block, [self.seed, block] if self.kept else self.seed))
        pool, key = self._known[block], (block, scaling.tobytes())
        found = self._scaled.get(key)
        if found is None:
            there = (pool.there * scaling).reshape(-1, len(scaling))
            found = (there * there).sum(axis=1), 2 * there.T
            if len(self._scaled) < KEPT:
                self._scaled[key] = found
        own = slice(within, within + most)
        states = slice(within * MANY, (within + most) * MANY)
        return Pool(*(x[own] for x in pool)), found[0][states], found[1][:, states]

    @property
    def kept(self) -> bool:
        """True if the seed is one that can be used again."""
        return isinstance(self.seed, int)

    def _drawn(self, block: int, seed: Any) -> Pool:
        rounds = AHEAD if block else 1
        rng = generator("inverse_kinematics: seed", seed)
        q = inside(self.robot.random(rng, (rounds * MANY,)), self.box)
        lower, upper = self.bounds
        ends = np.isfinite(lower) & np.isfinite(upper)
        middle = (lower[ends] + upper[ends]) / 2
        spreads = np.resize(np.roll(SPREADS, -min(block, 1)), rounds).repeat(MANY)[:, None]
        q[:, ends] = middle + spreads * (q[:, ends] - middle)
        return Pool(*(x.reshape(rounds, MANY, -1) for x in (q, self._places(q))))

    def _places(self, q: np.ndarray) -> np.ndarray:
        found = []
        for k, goal in enumerate(self.goals):
            if goal.kind == "center_of_mass":
                found.append(self.robot.center_of_mass(q))
                continue
            pose = self.robot.pose(q, goal.frame)
            if goal.base is not None:
                pose = np.linalg.inv(self.robot.pose(q, goal.base)) @ pose
            R, p = pose[:, :3, :3], pose[:, :3, 3]
            if goal.kind == "direction":
                found += [np.zeros_like(p), R @ self.axes[k]]
            else:
                found += [R.reshape(-1, 9)] * (goal.kind != "position") + [p] * (goal.kind != "orientation")
        return np.concatenate(found, axis=1)


class Starts:
    """Starts of one question with targets (n, size) and first starts (n, nq), round by round."""

    def __init__(self, search: "Attempts", values: np.ndarray, first: np.ndarray, seed: Any):
        self.search, self.robot, self.wanted = search, search.robot, search.wanted
        self.first, self.round, self._seed = first, 0, seed
        if type(seed) is not int or seed < 0:  # what is no seed is refused at once
            self.__dict__["rng"] = generator("inverse_kinematics: seed", seed)
        self.goals = [goal for goal in self.wanted.goals if isinstance(goal, Goal)]
        floats = self.robot.kernels.once("floats", lambda: any(b.joint.floats for b in self.robot.model.bodies))
        self.comparable = not floats and len(self.goals) == len(self.wanted.goals) and len(values) > 0
        if self.comparable:
            self._pools, self._scaling = self._known(values, seed)
            self._marks = values * self._scaling

    @cached_property
    def rng(self) -> np.random.Generator:
        """Made when it is first needed: that takes a while, and a seed has its pools."""
        return generator("inverse_kinematics: seed", self._seed)

    def next(self, rows: np.ndarray, most: int) -> np.ndarray:
        """A start for each of some targets, the same whichever others there are: (rounds, rows, nq), `most` rounds."""
        if not self.comparable:
            found = self._anywhere(self.first[rows])[None]
        else:
            pool, offset, twice = self._pools.rounds(self.round, most, self._scaling)
            wanted = self._marks if len(rows) == len(self._marks) else self._marks[rows]
            blocks = [offset - wanted[k : k + BLOCK] @ twice for k in range(0, len(wanted), BLOCK)]
            nearest = np.concatenate([x.reshape(len(x), -1, MANY).argmin(axis=2) for x in blocks]).T
            found = pool.q[np.arange(len(nearest))[:, None], nearest]
        self.round += len(found)
        return found

    def _known(self, values: np.ndarray, seed: Any) -> tuple[Pools, np.ndarray]:
        """The pools of the last question, if this one is of the same kind and seed, and the scale of its numbers."""
        axes, at = {}, 0
        for k, goal in enumerate(self.goals):
            if goal.kind == "direction":
                axes[k] = values[0, at : at + 3]
            at += goal.size
        if not isinstance(seed, int):
            return Pools(self.search, self.goals, axes, self.rng), self._scale()
        directions = tuple((k, *axis.tolist()) for k, axis in axes.items())
        kind = (self.wanted.goals, directions, self.search.limits, seed)
        scaled = (*kind, self.wanted.weights.tobytes())
        last: dict[Any, Any] = self.robot.kernels.once("starts of inverse kinematics", dict)
        found = last.get(scaled)
        if found is None:
            pools = last.get(kind)
            last.clear()
            pools = pools or Pools(self.search, self.goals, axes, seed)
            last[kind], last[scaled] = pools, (found := (pools, self._scale()))
        return found

    def _anywhere(self, first: np.ndarray) -> np.ndarray:
        """Joints anywhere in their ranges, a free base where it was and turned a little; one draw for all targets."""
        model = self.robot.model
        out = np.repeat(self.robot.random(self.rng, (1,)), len(first), axis=0)
        turn = np.zeros(model.nv)
        for b in model.bodies:
            if b.joint.floats:
                out[:, b.coords] = first[:, b.coords]
                turn[b.dofs][3:] = TURN * self.rng.normal(size=3)
        return inside(self.robot.integrate(out, turn), self.search.box)

    def _scale(self) -> np.ndarray:
        """Scale of the numbers of targets: with it their distance is about the error."""
        found, row = [], 0
        for goal in self.goals:
            weights = self.wanted.weights[row : row + goal.rows]
            # ½ |R - R'|² is the square of a small angle between them
            about = np.full(9, np.sqrt((weights[-3:] ** 2).mean() / 2))
            parts = {
                "pose": [about, weights[:3]],
                "position": [weights],
                "center_of_mass": [weights],
                "orientation": [about],
                "direction": [np.zeros(3), weights],
            }
            found += parts[goal.kind]
            row += goal.rows
        return np.concatenate(found)


def box(model: Model, bounds: Any) -> tuple[np.ndarray, np.ndarray]:
    """The limits of joints with one coordinate, infinite for all other coordinates."""
    lower, upper = np.full(model.nq, -np.inf), np.full(model.nq, np.inf)
    for _, c in bounded(model, bounds):
        lower[c], upper[c] = bounds[0][c], bounds[1][c]
    return lower, upper


def inside(q: np.ndarray, limits: tuple[np.ndarray, np.ndarray]) -> np.ndarray:
    """The nearest configurations within such limits, others than q itself."""
    return np.minimum(np.maximum(q, limits[0]), limits[1], order="C")
