"""A law as a routine: what it takes from the robot, and what laws have in common.

The columns of M and J are forces and rates of the contacts under unit accelerations: a block as long as the robot, for
eight columns at a time.  Rows that forbid nothing are left out.  A rank that is less than the rows left is brought out
by reflecting along as many random sums of columns.
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
from .panels import GROUP, Matrix, Panels, Reflections, groups, place, tiles

if TYPE_CHECKING:
    from ..kernels import ContactKernels


#: columns of J, and of M
Columns = tuple[Any, Any]


class Law:
    """A law as it is written: its arrays, its columns, and statements for what follows from them.

    `order` says which velocity each column is of; numbers from nv on fill up groups of four, and -1 is none.  `sums`
    are the rank, the columns and the rows of the matrix whose rank may be less than its columns.
    """

    order: list[int]
    sums = (0, 0, 0)
    rest: Memory | None = None  # squares of what is not in a matrix of special rank

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
        rank, width, height = self.sums
        if rank < width:
            T = np.zeros((tiles(rank), GROUP * groups(height)))
            T[:rank, :height] = np.random.default_rng(0).normal(size=(rank, height))
            self.fixed["sums"] = T.reshape(-1, GROUP)

    def _set_up(self, nv: int) -> None:
        """The order of columns, and the matrix whose rank may be less than its columns."""
        raise NotImplementedError

    @property
    def shapes(self) -> dict[str, tuple[int, ...]]:
        """Shapes of the results."""
        every = {"value": (self.model.nv,), "forces": (self.k,), "checks": (1,)}
        assert self.request.result
        return {name: every[name] for name in self.request.result._fields}  # type: ignore[attr-defined]

    def routine(self) -> Routine:
        """All of it."""
        self.r, self.inputs = Builder(), dict[str, Memory]()
        for name, size in self.request.sizes.items():
            self.inputs[name] = self.r.local(f"own {name}", size)
            self.r.copy(self.r.input(name, size), self.inputs[name])
        self.p = Panels(self.r)
        self._write()
        return self.r.routine()

    def _write(self) -> None:
        """Its statements."""
        raise NotImplementedError

    # -- what comes from the robot ----------------------------------------------------------

    def columns(self, J: Matrix, M: Matrix | None = None) -> None:
        """Columns of M and J in their order, eight at a time."""
        r, which, order = self.r, self.p.line(len(self.order)), self.r.input("order", 1, len(self.order))
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
        nv, fill = model.nv, [at(i) for i in range(model.nv, max(self.order) + 1)]
        a, still = array([at(i) for i in range(nv)]), zeros(nv)
        rates = constraint_acceleration(model, q, still, a, self.contacts)
        rows, inertias = self._filled(rates[list(self.rows)], lambda: self.recursion(model, q, still, a), fill)
        return (*grouped(rows), *grouped(inertias))

    def _filled(self, rows: Array, felt: Callable[[], Array], fill: list[Scalar]) -> Columns:
        """Columns of J and, if it is needed, of M, with what fills them up."""
        return rows, ()

    def state(self, function: Callable[..., Any], *writes: Memory) -> None:
        """What a function of the model and all arrays gives, to whole vectors."""

        def found(**given: Array) -> Any:
            vectors = self.request.evaluate(self.moving, given, function)
            return tuple(blocks.extended(x, m.whole().size) for x, m in zip(vectors, writes, strict=True))

        self.r.run(found, self.inputs, [m.whole() for m in writes])

    def results(self, function: Callable[..., Any], **reads: Memory) -> None:
        """The results, by a function of whole vectors."""
        self.r.run(
            function,
            {name: memory.whole() for name, memory in reads.items()} | ({"rest": self.rest} if self.rest else {}),
            [self.r.output(f"out {name}", *shape) for name, shape in self.shapes.items()],
        )

    def conditioning(self, extremes: Array, size: Scalar, rest: Array | None = None) -> Scalar:
        """The smallest pivot beside the largest, or a size; 0 where more rank is there than that of special ranks."""
        most = select(extremes[1] < size, size, extremes[1])
        found = extremes[0] / most
        return found if rest is None else select(sqrt(rest[0]) < TOLERANCE * most, found, 0.0)

    def spread(self, forces: Array) -> Array:
        """Forces of all rows; those that forbid nothing have none."""
        found = zeros(self.k)
        found[list(self.rows)] = forces[: len(self.rows)]
        return found

    # -- what follows -------------------------------------------------------------------------

    def bring_out(self, X: Matrix, first: int, along: Memory | None = None) -> tuple[Matrix, Reflections]:
        """X P, of as many columns as its rank and one more, and P; a vector is reflected as the rows of Xᵀ are."""
        r, p, (rank, width, height) = self.r, self.p, self.sums
        T, right = p.matrix(height, rank), tiles(rank)
        last = right + tiles(GROUP * X.groups)
        sums = r.input("sums", GROUP, T.columns * T.groups)
        with r.loop("g", T.groups), r.loop("j", T.columns):
            r.copy(place(sums, ("j", T.groups), ("g", 1)), T.at("g", "j"))
        F, less = p.matrix(width, last + 1), p.matrix(height, right + 1)
        p.multiply(X, first, T, F, rank)
        p.transpose(X, 0, X.groups, first, F.groups, F, right)
        if along:
            p.enter(along, F, last)
        P = p.reflect(F, rank, 0, last + bool(along))
        if self.structure.special:
            self.rest = p.squares(F, rank, right, height)
        p.transpose(F, 0, groups(rank), right, X.groups, less)
        if along:
            p.read(F, last, along, F.groups)
        return less, P


def grouped(x: Sequence[Any]) -> list[Array]:
    """Four numbers each, the last filled up with zeros."""
    whole = blocks.extended(x, GROUP * groups(len(x)))
    return [whole[i : i + GROUP] for i in range(0, len(whole), GROUP)]
