"""Sums of YᵀY over a log as compiled code: several states at a time in the lanes of a vector, in tiles of 4 × 4.

The columns are the base columns of each body, beside them those of its joint: the torque, then friction and the like.
In the row of a joint only the columns of bodies that it carries are not zero.  They are cut into chunks of WIDTH, and
every pair of chunks of a row is a tile, summed over the rows of one joint.  So each joint keeps its own sums: weights
of joints, and residuals, follow without another look at the log.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from ..algebra.scalars import Array, array, zeros
from ..algorithms.regressor import joint_factors, regressor
from ..compiler.kernel import Kernel
from ..compiler.passes.builder import Builder
from ..compiler.passes.loops import Routine, Row
from ..compiler.source import TooLong
from ..robot import Robot
from ..robot.numeric import numeric
from .base import BaseParameters, base_parameters

#: columns of a chunk: sixteen sums stay in registers
WIDTH = 4
#: samples that are evaluated before their tiles are summed: their rows stay in the first cache
PASS = 8


class Layout(NamedTuple):
    """Columns of a robot's normal equations, and how they are cut into tiles.

    terms: of the joints, as of `robot.regressor`
    given: columns of each velocity that are given: the torque, or a current and the torque that is known
    joints: row of the sums of each velocity: its joint's
    chunks: positions of columns, the base columns first, then those of each velocity: given ones, terms
    slots: place of a row and a chunk in memory
    pairs: (slot, slot, tile) of every product
    tiles: (joint, chunk, chunk)
    """

    base: BaseParameters
    terms: tuple[str, ...]
    given: int
    joints: Sequence[int]
    chunks: Sequence[Sequence[int]]
    slots: Mapping[tuple[int, int], int]
    pairs: np.ndarray
    tiles: Sequence[tuple[int, int, int]]

    @property
    def own(self) -> int:
        """Columns of each velocity."""
        return self.given + len(self.terms)

    @property
    def columns(self) -> int:
        """Number of columns."""
        return len(self.base) + len(self.joints) * self.own

    @property
    def places(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Joint of every tile, the columns (WIDTH,) of its two chunks, `columns` beyond their ends, and whether it has
        a mirror image."""
        at = np.full((len(self.chunks), WIDTH), self.columns)
        for row, chunk in zip(at, self.chunks, strict=True):
            row[: len(chunk)] = chunk
        joint, one, other = np.array(self.tiles, int).reshape(-1, 3).T
        return joint, at[one], at[other], one != other

    def total(self, tiles: np.ndarray, weights: np.ndarray) -> np.ndarray:
        """Products of all columns, (columns, columns), of sums (tiles, WIDTH²) by the weights of joints."""
        joint, one, other, mirrored = self.places
        values = tiles.reshape(-1, WIDTH, WIDTH) * weights[joint][:, None, None]
        out = np.zeros((self.columns + 1, self.columns + 1))
        np.add.at(out, (one[:, :, None], other[:, None, :]), values)
        np.add.at(out, (other[mirrored][:, :, None], one[mirrored][:, None, :]), values[mirrored].transpose(0, 2, 1))
        return out[:-1, :-1]

    def times(self, tiles: np.ndarray, x: np.ndarray, weights: np.ndarray) -> np.ndarray:
        """`total` times x, (…, columns), of sums (…, tiles, WIDTH²)."""
        joint, one, other, mirrored = self.places
        values, padded = tiles.reshape(*tiles.shape[:-1], WIDTH, WIDTH), np.r_[x, 0.0]
        ahead = np.einsum("...tij,tj,t->...ti", values, padded[other], weights[joint])
        back = np.einsum("...tij,ti,t->...tj", values, padded[one], weights[joint] * mirrored)
        out = np.zeros((self.columns + 1, *tiles.shape[:-2]))
        np.add.at(out, one, np.moveaxis(ahead, (-2, -1), (0, 1)))
        np.add.at(out, other, np.moveaxis(back, (-2, -1), (0, 1)))
        return np.moveaxis(out[:-1], 0, -1)

    def squares(self, tiles: np.ndarray, x: np.ndarray) -> np.ndarray:
        """Squared lengths of Y x by joint, (…, joints), of sums (…, tiles, WIDTH²)."""
        joint, one, other, mirrored = self.places
        values, padded = tiles.reshape(*tiles.shape[:-1], WIDTH, WIDTH), np.r_[x, 0.0]
        each = np.einsum("...tij,ti,tj,t->...t", values, padded[one], padded[other], 1.0 + mirrored, optimize=True)
        out = np.zeros((max(self.joints, default=-1) + 1, *tiles.shape[:-2]))
        np.add.at(out, joint, np.moveaxis(each, -1, 0))
        return np.moveaxis(out, 0, -1).clip(min=0.0)


def layout(robot: Robot, terms: tuple[str, ...] = (), given: int = 1) -> Layout:
    """The layout for these terms and `given` columns of each velocity."""
    return robot.kernels.once(("columns of normal equations", terms, given), partial(_layout, robot, terms, given))


def _layout(robot: Robot, terms: tuple[str, ...], given: int) -> Layout:
    own = given + len(terms)
    base, bodies, carried = base_parameters(robot), robot.model.bodies, robot.support() > 0
    leaders = [b for b in bodies if b.leader is b and b.joint.nv]
    joints = [j for j, b in enumerate(leaders) for _ in range(b.joint.nv)]
    chunks: list[list[int]] = []
    rows_of: list[list[int]] = []  # of each chunk, the velocities that feel it
    for b in bodies:
        mine = [k for k, column in enumerate(base.columns) if column // 10 == b.index - 1]
        if b.leader is b:
            first, last = (len(base) + own * end for end in (b.dofs.start, b.dofs.stop))
            mine += range(first, last)
        chunks += [mine[k : k + WIDTH] for k in range(0, len(mine), WIDTH)]
        rows_of += [np.flatnonzero(carried[b.index - 1]).tolist()] * (len(chunks) - len(rows_of))
    met = [(i, c) for i in range(robot.nv) for c, rows in enumerate(rows_of) if i in rows]
    slots = {(i, c): k for k, (i, c) in enumerate(x for x in met if _feels(x[0], chunks[x[1]], len(base), own))}
    rows: dict[int, list[int]] = {}
    for i, c in slots:
        rows.setdefault(i, []).append(c)
    tiles: dict[tuple[int, int, int], int] = {}
    pairs = []
    for i, mine in rows.items():
        for k, one in enumerate(mine):
            for other in mine[k:]:
                tile = tiles.setdefault((joints[i], one, other), len(tiles))
                pairs.append((slots[i, one], slots[i, other], tile))
    return Layout(base, terms, given, joints, chunks, slots, np.array(pairs, np.int64).reshape(-1, 3), list(tiles))


def _feels(row: int, chunk: Sequence[int], base: int, own: int) -> bool:
    """Whether a chunk has a column that is not zero in the row of a velocity."""
    return any(k < base or (k - base) // own == row for k in chunk)


def sums(
    robot: Robot, plan: Layout, q: np.ndarray, v: np.ndarray, a: np.ndarray, own: np.ndarray, weights: np.ndarray
) -> np.ndarray:
    """Sums (strands, tiles, WIDTH²) over the samples of each strand.

    Arrays (strands, samples, size), samples a multiple of PASS; `own` has the given columns, nv × plan.given;
    `weights` (…, nv) multiply the rows, and may be without the first axis.
    """
    found = np.zeros((len(q), len(plan.tiles), WIDTH**2))
    if not found.size or not q.shape[1]:
        return found
    kernel = robot.kernels.once(("normal equations", plan.terms, plan.given), partial(_kernel, robot, plan))
    if kernel is None:
        for out, *strand in zip(found, q, v, a, own, np.broadcast_to(weights, v.shape), strict=True):
            _by_numpy(robot, plan, out, *strand)
        return found
    # the entry point for vectors also for a single strand: twice the same
    twice = len(q) == 1
    arrays = {"q": q, "v": v, "a": a, "own": own, "weights": weights, "sums": found}
    if twice:
        arrays = {name: x if x.ndim == 2 else np.repeat(x, 2, axis=0) for name, x in arrays.items()}
    pairs = {"left": plan.pairs[:, 0] * PASS, "right": plan.pairs[:, 1] * PASS, "tile": plan.pairs[:, 2]}
    tables = {name: np.ascontiguousarray(x) for name, x in pairs.items()}
    kernel(arrays, {"samples": q.shape[1], "passes": q.shape[1] // PASS}, tables)
    return arrays["sums"][:1] if twice else found


def _kernel(robot: Robot, plan: Layout) -> Kernel | None:
    """The compiled sums; None for a robot whose regressor is too long to be compiled."""
    if robot.kernels.long(False):
        return None
    found = robot.kernels.routine(
        "normal equations", (plan.terms, plan.given, tuple(plan.base.columns)), partial(_routine, robot, plan)
    )
    try:
        found.ready("batch")
    except TooLong:
        return None
    return found


def _routine(robot: Robot, plan: Layout) -> Routine:
    """A pass evaluates the rows of some samples, then adds their products to the tiles."""
    r, nv = Builder(), robot.nv
    given = {"q": robot.nq, "v": nv, "a": nv, "own": nv * plan.given, "weights": nv}
    inputs = {name: r.input(name, size, rows="samples") for name, size in given.items()}
    out = r.output("sums", WIDTH**2, rows=len(plan.tiles))
    total = r.local("total", WIDTH**2, rows=len(plan.tiles))
    rows = r.local("rows", WIDTH, rows=len(plan.slots) * PASS)
    left, right, tile = map(r.table, ("left", "right", "tile"))
    with r.loop("t", len(plan.tiles)):
        r.run(_nothing, {}, [total.row("t")])
    with r.loop("p", "passes"):
        with r.loop("s", PASS):
            sample = {name: memory.row({"p": PASS, "s": 1}) for name, memory in inputs.items()}
            evaluated = numeric(robot.model, partial(_rows, robot.model, plan))
            r.run(evaluated, sample, [rows.row("s", PASS * slot) for slot in plan.slots.values()])
        with r.loop("e", len(plan.pairs)):
            own = total.row("e", table=tile)
            x, y = (Row(rows, (("e", 1),), 0, (table,), span=PASS) for table in (left, right))
            r.run(_added, {"total": own, "x": x, "y": y}, [own], entrywise=True)
    with r.loop("t", len(plan.tiles)):
        r.copy(total.row("t"), out.row("t"))
    return r.routine()


def _rows(model: Any, plan: Layout, q: Array, v: Array, a: Array, own: Array, weights: Array) -> tuple[Array, ...]:
    """The rows of a sample, chunk by chunk."""
    Y, count = regressor(model, q, v, a), len(plan.base)
    terms = joint_factors(model, q, v, a, plan.terms)
    found = []
    for i, c in plan.slots:
        row = zeros(WIDTH)
        for k, column in enumerate(plan.chunks[c]):
            if column < count:
                row[k] = weights[i] * Y[i, plan.base.columns[column]]
            elif (column - count) // plan.own == i:
                place = (column - count) % plan.own
                mine = own[i * plan.given + place] if place < plan.given else terms[i, place - plan.given]
                row[k] = weights[i] * mine
        found.append(row)
    return tuple(found)


def _added(total: Array, x: Array, y: Array) -> Array:
    """Products of the rows of a pass added to a tile."""
    out = zeros(WIDTH**2)
    for k in range(WIDTH**2):
        out[k] = total[k]
        for s in range(PASS):
            out[k] = out[k] + x[WIDTH * s + k // WIDTH] * y[WIDTH * s + k % WIDTH]
    return out


def _nothing() -> Array:
    return array([0.0] * WIDTH**2)


def _by_numpy(robot: Robot, plan: Layout, out: np.ndarray, q: Any, v: Any, a: Any, own: Any, weights: Any) -> None:
    """The definition: sums (tiles, WIDTH²) of one strand."""
    count, nv, size = len(plan.base), robot.nv, plan.columns
    joint, one, other, _ = plan.places
    total = np.zeros((nv, size + 1, size + 1))
    for first in range(0, len(q), 64):
        part = slice(first, first + 64)
        Y = np.zeros((len(q[part]), nv, size + 1))
        found = np.asarray(robot.regressor(q[part], v[part], a[part], friction=plan.terms))
        Y[..., :count] = found[..., plan.base.columns]
        for i in range(nv):
            first, mine = count + i * plan.own, found[:, i, found.shape[-1] - (nv - i) * len(plan.terms) :]
            Y[:, i, first : first + plan.given] = own[part, i * plan.given : (i + 1) * plan.given]
            Y[:, i, first + plan.given : first + plan.own] = mine[:, : len(plan.terms)]
        Y *= weights[part][..., None]
        total += np.einsum("nij,nik->ijk", Y, Y, optimize=True)
    for i in range(nv):
        mine = joint == plan.joints[i]
        out[mine] += total[i][one[mine][:, :, None], other[mine][:, None, :]].reshape(-1, WIDTH**2)
