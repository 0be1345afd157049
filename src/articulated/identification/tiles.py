"""Sums of YᵀY over a log as compiled code: several states at a time in the lanes of a vector, in tiles of 4 × 4.

The columns of a row are the base columns of the bodies that its joint carries, its torque, and terms of its joint:
friction and the like.  They are cut into chunks of WIDTH, and every pair of chunks of a row is a tile, summed over the
rows of one joint.  So each joint keeps its own sums: weights of joints, and residuals, follow without another look at
the log, and columns of a joint itself need a place once in each branch of the tree only.
"""

from collections.abc import Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from ..algebra.scalars import Array, array, held, zeros
from ..algorithms.regressor import regressor
from ..compiler.kernel import Kernel
from ..compiler.passes.builder import Builder
from ..compiler.passes.loops import Routine, Row
from ..compiler.source import TooLong
from ..robot import Robot
from ..robot.numeric import numeric
from .base import BaseParameters, base_parameters
from .samples import free_of_contacts

#: columns of a chunk: sixteen sums stay in registers
WIDTH = 4
#: samples that are evaluated before their tiles are summed: the rows of a joint stay in the first cache
PASS = 8


class Layout(NamedTuple):
    """Columns of a robot's normal equations, and how they are cut into tiles.

    The columns are the base columns, then those of each velocity: given ones, terms.

    terms: of the joints, as of `robot.regressor`
    given: columns of each velocity that are given: the torque, or a current and the torque that is known
    contacts: frames of unknown forces, which rows are freed of: then they are sums of rows of all joints
    labels: names of the rows of sums: those of joints
    joints: row of the sums of each velocity: its joint's
    rows: velocity of each slot, a row and a chunk in memory
    sources: (slots, WIDTH), place of its numbers in a row of `robot.regressor`, the given ones behind, and a zero
    pairs: (slot, slot, tile) of every product
    places: of each tile its joint, the columns (WIDTH,) of its two chunks, `columns` where there is none, and whether
        it has a mirror image
    """

    base: BaseParameters
    terms: tuple[str, ...]
    given: int
    contacts: tuple[str, ...]
    labels: Sequence[str]
    joints: Sequence[int]
    rows: np.ndarray
    sources: np.ndarray
    pairs: np.ndarray
    places: tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]

    @property
    def own(self) -> int:
        """Columns of each velocity."""
        return self.given + len(self.terms)

    @property
    def columns(self) -> int:
        """Number of columns."""
        return len(self.base) + len(self.joints) * self.own

    @property
    def tiles(self) -> int:
        """Number of tiles."""
        return len(self.places[0])

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
        out = np.zeros((len(self.labels), *tiles.shape[:-2]))
        np.add.at(out, joint, np.moveaxis(each, -1, 0))
        return np.moveaxis(out, 0, -1).clip(min=0.0)


def layout(robot: Robot, terms: tuple[str, ...] = (), given: int = 1, contacts: tuple[str, ...] = ()) -> Layout:
    """The layout for these terms, `given` columns of each velocity, and unknown forces at contacts."""
    key = ("columns of normal equations", terms, given, contacts)
    return robot.kernels.once(key, partial(_layout, robot, terms, given, contacts))


def _layout(robot: Robot, terms: tuple[str, ...], given: int, contacts: tuple[str, ...]) -> Layout:
    mixed = bool(contacts)
    base, bodies, links = base_parameters(robot), robot.model.bodies, len(robot.parameters)
    parts = [(0, robot.nv, "rows free of contact forces")] if mixed else [
        (b.dofs.start, 0 if b.joint.floats else b.joint.nv, b.joint.name)
        for b in bodies if b.leader is b and b.joint.nv
    ]  # fmt: skip
    starts = np.array([first for first, _, _ in parts], int)
    joints = (np.searchsorted(starts, np.arange(robot.nv), side="right") - 1).tolist()
    carried = (robot.support() > 0) | mixed
    branches = _branches(bodies)
    # the joint's own columns stand at the tip of each branch; a row uses those of the first branch that it carries
    size = given + len(terms) * max((turning for _, turning, _ in parts), default=0)
    chunks: list[list[tuple[int, int]]] = []  # (-1, base column), or branch and own column
    for k, branch in enumerate(branches):
        columns = [(k, slot) for slot in range(size)]
        columns += [(-1, c) for b in branch for c, column in enumerate(base.columns) if column // 10 == b.index - 1]
        chunks += [columns[c : c + WIDTH] for c in range(0, len(columns), WIDTH)]

    def places(i: int, branch: int, k: int) -> tuple[int, int]:
        """Where a column of the rows of a joint comes from, i among them, and its place among all columns; -1: nowhere,
        none."""
        if branch < 0:
            column = int(base.columns[k])
            return column if carried[column // 10, i] else -1, k
        first, turning, _ = parts[joints[i]]
        here = next(n for n, b in enumerate(branches) if carried[b[0].index - 1, i]) == branch
        if k < given:
            return links + len(terms) * robot.nv + k if here else -1, len(base) + first * (given + len(terms)) + k
        turn, term = divmod(k - given, len(terms))
        if turn >= turning:
            return -1, -1
        place = len(base) + (first + turn) * (given + len(terms)) + given + term
        return links + (first + turn) * len(terms) + term if here else -1, place

    rows: list[int] = []
    sources: list[list[int]] = []
    columns_at: dict[tuple[int, int], list[int]] = {}
    pairs: list[tuple[int, int, int]] = []
    tiles: dict[tuple[int, int, int], int] = {}
    for i, j in enumerate(joints):
        mine: list[tuple[int, int]] = []
        for c, chunk in enumerate(chunks):
            found = [places(i, *column) for column in chunk] + [(-1, -1)] * (WIDTH - len(chunk))
            if any(source >= 0 for source, _ in found):
                columns_at[j, c] = [column for _, column in found]
                mine.append((len(rows), c))
                rows.append(i)
                sources.append([source for source, _ in found])
        for n, (slot, c) in enumerate(mine):
            pairs += [(slot, k, tiles.setdefault((j, c, d), len(tiles))) for k, d in mine[n:]]
    joint = np.array([j for j, _, _ in tiles], int)
    one, other = (np.array([columns_at[x[0], x[k]] for x in tiles], int).reshape(-1, WIDTH) for k in (1, 2))
    return Layout(
        base, terms, given, contacts, [name for _, _, name in parts], joints, np.array(rows, int),
        np.array(sources, int).reshape(-1, WIDTH), np.array(pairs, np.int64).reshape(-1, 3),
        (joint, one, other, np.array([c != d for _, c, d in tiles], bool)),
    )  # fmt: skip


def _branches(bodies: Sequence[Any]) -> list[list[Any]]:
    """Bodies from each tip of the tree towards the base, each body once."""
    found: list[list[Any]] = []
    for b in reversed(bodies):
        if not found or found[-1][-1].parent is not b:
            found.append([])
        found[-1].append(b)
    return found


def sums(
    robot: Robot, plan: Layout, q: np.ndarray, v: np.ndarray, a: np.ndarray, own: np.ndarray, weights: np.ndarray
) -> np.ndarray:
    """Sums (strands, tiles, WIDTH²) over the samples of each strand.

    Arrays (strands, samples, size), samples a multiple of PASS; `own` has the given columns, nv × plan.given;
    `weights` (…, nv) multiply the rows, and may be without the first axis.
    """
    found = np.zeros((len(q), plan.tiles, WIDTH**2))
    if not found.size or not q.shape[1]:
        return found
    kernel = robot.kernels.once(("normal equations", plan.terms, plan.given), partial(_kernel, robot, plan))
    if kernel is None:
        for out, *strand in zip(found, q, v, a, own, np.broadcast_to(weights, v.shape), strict=True):
            by_numpy(robot, plan, out, *strand)
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
    out = r.output("sums", WIDTH**2, rows=plan.tiles)
    total = r.local("total", WIDTH**2, rows=plan.tiles)
    rows = r.local("rows", WIDTH, rows=len(plan.rows) * PASS)
    left, right, tile = map(r.table, ("left", "right", "tile"))
    with r.loop("t", plan.tiles):
        r.run(_nothing, {}, [total.row("t")])
    with r.loop("p", "passes"):
        with r.loop("s", PASS):
            sample = {name: memory.row({"p": PASS, "s": 1}) for name, memory in inputs.items()}
            evaluated = numeric(robot.model, partial(_rows, robot.model, plan))
            r.run(evaluated, sample, [rows.row("s", PASS * slot) for slot in range(len(plan.rows))])
        with r.loop("e", len(plan.pairs)):
            own = total.row("e", table=tile)
            x, y = (Row(rows, (("e", 1),), 0, (table,), span=PASS) for table in (left, right))
            r.run(_added, {"total": own, "x": x, "y": y}, [own], entrywise=True)
    with r.loop("t", plan.tiles):
        r.copy(total.row("t"), out.row("t"))
    return r.routine()


def _rows(model: Any, plan: Layout, q: Array, v: Array, a: Array, own: Array, weights: Array) -> tuple[Array, ...]:
    """The rows of a sample, chunk by chunk."""
    Y = regressor(model, q, v, a, plan.terms)
    whole = np.concatenate([Y, own.reshape(model.nv, plan.given), zeros(model.nv, 1)], axis=1)
    return tuple(weights[i] * whole[i, source] for i, source in zip(plan.rows, plan.sources, strict=True))


def _added(total: Array, x: Array, y: Array) -> Array:
    """Products of the rows of a pass added to a tile: outer products, so that every number is loaded once."""
    out = list(total)
    for s in range(PASS):
        for k in range(WIDTH**2):
            out[k] = held(out[k] + x[WIDTH * s + k // WIDTH] * y[WIDTH * s + k % WIDTH])  # in this order
    return array(out)


def _nothing() -> Array:
    return array([0.0] * WIDTH**2)


def by_numpy(
    robot: Robot, plan: Layout, out: np.ndarray, q: Any, v: Any, a: Any, own: Any, weights: Any, mask: Any = None
) -> None:
    """The definition: sums (tiles, WIDTH²) of one strand; `mask` says which components of contact forces act."""
    joint, (_, first) = plan.places[0], np.unique(plan.pairs[:, 2], return_index=True)
    one, other = (plan.sources[plan.pairs[first, k]] for k in (0, 1))
    for k in range(0, len(q), 256):
        part = slice(k, k + 256)
        Y = np.asarray(robot.regressor(q[part], v[part], a[part], friction=plan.terms))
        mine = own[part].reshape(len(Y), robot.nv, plan.given)
        rows = np.concatenate([Y, mine, np.zeros((*Y.shape[:2], 1))], axis=2) * weights[part][..., None]
        if mask is not None:
            rows = free_of_contacts(robot, plan.contacts, q[part], mask[part], weights[part], rows)
        for j in range(len(plan.labels)):
            its, tiles = rows[:, np.array(plan.joints) == j].reshape(-1, rows.shape[2]), joint == j
            G = its.T @ its
            out[tiles] += G[one[tiles][:, :, None], other[tiles][:, None, :]].reshape(-1, WIDTH**2)
