"""A contact law of a large set as a routine with loops over rows and columns: the parts that all laws have in common.

1. Columns of M and J.  Inverse dynamics with a unit acceleration of one velocity, without gravity and motion, is a
   column of M, and the accelerations of the contacts are that column of J.  One block of straight-line code, as long as
   the robot, is run for each column, eight columns at a time.  Rows of J that are always zero are left out.
2. Elimination, on dense matrices (panels.py): blocked Cholesky for M, Householder reflections for J.  The laws differ
   in what they eliminate (torques.py, nearest_motion.py).
3. Rank.  Elimination without pivoting needs columns of full rank.  Where `structure` says that a matrix X has less, a
   random sketch compresses it first (`compressed`; Halko, Martinsson and Tropp 2011): Xᵀ Ω, with as many random columns
   Ω as the rank, spans the rows of X.  Its reflections P leave X P with that many columns that are not zero.
4. Checks.  The smallest pivot beside the largest says whether the ranks were those of `structure`.
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ...algebra.scalars import Array, Scalar, array, select, sqrt, zeros
from ...algorithms.inverse_dynamics import inverse_dynamics
from ...compiler.passes.builder import Builder
from ...compiler.passes.loops import Memory, Routine
from ...model.with_numbers import weightless, with_parameters
from ...robot.request import PARAMETERS, Request
from ..constraints import constraint_acceleration
from ..ranks.subspaces import TOLERANCE
from . import blocks
from .panels import GROUP, LinearAlgebra, Matrix, Reflections, groups, place, tiles

if TYPE_CHECKING:
    from ..kernels import ContactKernels


#: columns of J, and of M
Columns = tuple[Any, Any]


class Law:
    """A law while it is written: its arrays, and the statements that its subclasses are made of.

    `order` is the velocity that each column belongs to; numbers from nv on pad groups of four, -1 is a column of zeros.
    `deficient` is the rank, the columns and the rows of the matrix whose rank may be less than its columns.
    """

    order: list[int]
    deficient = (0, 0, 0)
    left_over: Memory | None = None  # sum of squares of what a matrix of special rank should not have

    def __init__(self, kernels: "ContactKernels", request: Request):
        self.request, self.model, self.k, self.contacts = request, kernels.model, kernels.k, kernels.contacts
        self.structure: Any = dict(request.choices).get("structure")
        self.rows = self.structure.felt if self.structure else tuple(range(self.k))
        self.seconds = 6e-9 * self.model.nv * (self.model.nv + self.k)  # of a state, roughly
        own = PARAMETERS in request.sizes
        self.moving, way = (kernels.model, inverse_dynamics) if own else kernels.ways(inverse_dynamics)[0]
        self.recursion: Callable[..., Array] = way
        self._set_up(self.model.nv)
        self.fixed = {"order": np.array(self.order, float)[:, None]}
        rank, width, height = self.deficient
        if rank < width:
            T = np.zeros((tiles(rank), GROUP * groups(height)))
            T[:rank, :height] = np.random.default_rng(0).normal(size=(rank, height))
            self.fixed["sketch"] = T.reshape(-1, GROUP)

    def _set_up(self, nv: int) -> None:
        """Set `order` and `deficient`."""
        raise NotImplementedError

    @property
    def shapes(self) -> dict[str, tuple[int, ...]]:
        """Shapes of the results."""
        every = {"value": (self.model.nv,), "forces": (self.k,), "checks": (1,)}
        assert self.request.result
        return {name: every[name] for name in self.request.result._fields}  # type: ignore[attr-defined]

    def routine(self) -> Routine:
        """The whole program."""
        self.r, self.inputs = Builder(), dict[str, Memory]()
        for name, size in self.request.sizes.items():
            self.inputs[name] = self.r.local(f"own {name}", size)
            self.r.copy(self.r.input(name, size), self.inputs[name])
        self.matrices = LinearAlgebra(self.r)
        self._write()
        return self.r.routine()

    def _write(self) -> None:
        """The statements of the law."""
        raise NotImplementedError

    # -- terms of the robot -----------------------------------------------------------------

    def columns(self, J: Matrix, M: Matrix | None = None) -> None:
        """Compute the columns of J, and of M, in the order of the law, eight at a time."""
        r, which, order = self.r, self.matrices.line(len(self.order)), self.r.input("order", 1, len(self.order))
        with r.loop("j", len(self.order)):
            r.copy(order.row("j"), which.row("j"))
        reads = {name: memory.row() for name, memory in self.inputs.items() if name in ("q", PARAMETERS)}
        writes = [A.at(g, "j") for A in (J, M) if A for g in range(A.groups)]
        with r.loop("j", len(self.order), wide=True):
            r.run(self._columns, reads | {"which": which.row("j")}, writes)

    def _columns(self, which: Array, q: Array, parameters: Array | None = None) -> tuple[Array, ...]:
        def at(i: int) -> Scalar:
            return select(which[0] < i - 0.5, 0.0, select(which[0] < i + 0.5, 1.0, 0.0))

        model = weightless(self.moving if parameters is None else with_parameters(self.moving, parameters))
        nv, padding = model.nv, [at(i) for i in range(model.nv, max(self.order) + 1)]
        a, still = array([at(i) for i in range(nv)]), zeros(nv)
        rates = constraint_acceleration(model, q, still, a, self.contacts)
        rows, inertias = self._terms(rates[list(self.rows)], lambda: self.recursion(model, q, still, a), padding)
        return (*grouped(rows), *grouped(inertias))

    def _terms(self, rows: Array, felt: Callable[[], Array], padding: list[Scalar]) -> Columns:
        """Columns of J and, if the law needs it, of M (`felt()`); `padding` is 1 in columns that pad a group."""
        return rows, ()

    def state(self, function: Callable[..., Any], *writes: Memory) -> None:
        """Evaluate a function of the model and all arrays of the law, into whole vectors."""

        def found(**given: Array) -> Any:
            vectors = self.request.evaluate(self.moving, given, function)
            return tuple(blocks.padded(x, m.whole().size) for x, m in zip(vectors, writes, strict=True))

        self.r.run(found, self.inputs, [m.whole() for m in writes])

    def results(self, function: Callable[..., Any], **reads: Memory) -> None:
        """The results, by a function of whole vectors."""
        if self.left_over:
            reads["left_over"] = self.left_over
        self.r.run(
            function,
            {name: memory.whole() for name, memory in reads.items()},
            [self.r.output(f"out {name}", *shape) for name, shape in self.shapes.items()],
        )

    def conditioning(self, extremes: Array, size: Scalar, left_over: Array | None = None) -> Scalar:
        """The smallest pivot over the largest, or over `size` if that is more; 0 if the rank exceeds a special one."""
        most = select(extremes[1] < size, size, extremes[1])
        found = extremes[0] / most
        return found if left_over is None else select(sqrt(left_over[0]) < TOLERANCE * most, found, 0.0)

    def spread(self, forces: Array) -> Array:
        """Forces of all rows; those that were left out are 0."""
        found = zeros(self.k)
        found[list(self.rows)] = forces[: len(self.rows)]
        return found

    # -- rank ---------------------------------------------------------------------------------

    def compressed(self, X: Matrix, first: int, along: Memory | None = None) -> tuple[Matrix, Reflections]:
        """X P with as many columns as the rank of X (its columns from `first` on) and one to spare, and P.

        A vector `along` becomes Pᵀ times it.  F = [Xᵀ Ω, Xᵀ, along] is reflected as a whole.
        """
        r, p, (rank, width, height) = self.r, self.matrices, self.deficient
        random, right = p.matrix(height, rank), tiles(rank)
        last = right + tiles(GROUP * X.groups)
        sketch = r.input("sketch", GROUP, random.columns * random.groups)
        with r.loop("g", random.groups), r.loop("j", random.columns):
            r.copy(place(sketch, ("j", random.groups), ("g", 1)), random.at("g", "j"))
        F, reduced = p.matrix(width, last + 1), p.matrix(height, right + 1)
        p.multiply(X, first, random, F, rank)
        p.transpose(X, 0, X.groups, first, F.groups, F, right)
        if along:
            p.set_column(along, F, last)
        P = p.reflect(F, rank, 0, last + bool(along))
        if self.structure.special:
            self.left_over = p.sum_of_squares(F, rank, right, height)
        p.transpose(F, 0, groups(rank), right, X.groups, reduced)
        if along:
            p.get_column(F, last, along, F.groups)
        return reduced, P


def grouped(x: Sequence[Any]) -> list[Array]:
    """Parts of four numbers, the last padded with zeros."""
    whole = blocks.padded(x, GROUP * groups(len(x)))
    return [whole[i : i + GROUP] for i in range(0, len(whole), GROUP)]
