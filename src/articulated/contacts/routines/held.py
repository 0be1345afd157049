"""Motions, impacts and accelerations of a set of contacts as routines.

M = Rᵀ R is factored together with Jᵀ and the forces of the free motion x, so that W = J R⁻¹ and y = R x come out of one
elimination.  All else are reflections of Wᵀ.
"""

from collections.abc import Callable, Mapping
from typing import Any

from ...algebra.scalars import Array, Scalar, array, select, sqrt, zeros
from ...compiler.passes.loops import TILE, Memory
from ...model import Model
from ...model.with_numbers import weightless
from ..constraints import constraint_acceleration
from ..ranks.structure import Structure
from . import blocks
from .law import Columns, Law
from .panels import GROUP, Matrix, groups, parts, tiles

#: inertia of coordinates that fill up a group of four, which nothing moves
NO_INERTIA = 1e-200


class Held(Law):
    """The motion nearest to a free one that contacts allow, as `laws.held` has it.

    In y the mass matrix is 1, in Qᵀ y the first coordinates are what the contacts decide.  `_free` gives what moves it
    without contacts, in the order of columns, and what their rows must be.
    """

    _free: Callable[..., Any]

    def _set_up(self, nv: int) -> None:
        """The last joints are eliminated first."""
        self.order = [*reversed(range(nv)), *range(nv, GROUP * groups(nv))]
        self.sums = self.structure.rank, len(self.rows), nv

    def _filled(self, rows: Array, felt: Callable[[], Array], fill: list[Scalar]) -> Columns:
        """M with next to no inertia of its own in what fills it up."""
        return rows, [*felt()[self.order[: self.model.nv]], *(NO_INERTIA * x for x in fill)]

    def _write(self) -> None:
        """M, Jᵀ and the forces of the free motion in one matrix, which is factored."""
        p, nv, n, width = self.p, self.model.nv, len(self.order), len(self.rows)
        first, last = tiles(n), tiles(n) + tiles(width)
        J, A, U, x = p.matrix(width, n), p.matrix(nv, last + 1), p.matrix(nv, last + 1), p.vector(nv)
        pushed, wanted = p.vector(nv), p.vector(width)
        self.columns(J, A)
        p.transpose(J, 0, J.groups, 0, A.groups, A, first)
        self.state(self._free, pushed, wanted)
        p.enter(pushed, A, last)
        largest = p.factor(A, U, last + 1)
        y, forces, extremes = self.solve(U, first, last, wanted)
        p.backward(U, 0, n, y, x)
        self.results(self._found, x=x, forces=forces, extremes=extremes, largest=largest)

    def solve(self, X: Matrix, first: int, last: int, wanted: Memory) -> tuple[Memory, Memory, Memory]:
        """The y nearest to that in the column `last` with Xᵀ y = wanted, the forces λ that change it by X λ."""
        r, p, (rank, width, height) = self.r, self.p, self.sums
        y, g, forces, P = p.vector(height), p.vector(rank), p.vector(width), None
        if rank < width:
            p.read(X, last, y, X.groups)
            X, P = self.bring_out(X, first, wanted)
            first, last = 0, X.columns - TILE
            p.enter(y, X, last)
        Q, line = p.reflect(X, rank, first, last + 1), p.line(X.columns)
        p.put(wanted, line, first, groups(rank))
        p.forward(X, first, rank, line, g)
        p.read(X, last, y, X.groups)
        p.clear(forces, groups(width))
        for begin, end, some in parts(rank):
            with r.loop("g", end, start=begin):
                rows = {"x": g.row("g"), "y": X.at("g", last)}
                r.run(blocks.changed(some), rows, [y.row("g"), g.row("g")])
        p.backward(X, first, rank, g, forces)
        p.times(Q, y)
        if P:
            p.times(P, forces)
        return y, forces, Q.extremes

    def _ordered(self, x: Array) -> Array:
        return x[self.order[: self.model.nv]]

    def _rates(self, model: Model, q: Array, v: Array, a: Array) -> Array:
        return constraint_acceleration(model, q, v, a, self.contacts)[list(self.rows)]

    def _found(
        self, x: Array, forces: Array, extremes: Array, largest: Array | None = None, rest: Array | None = None
    ) -> tuple[Array, ...]:
        size = self.structure.size if largest is None else self.structure.size / sqrt(largest[0])
        shown = (x * x).sum() + (forces * forces).sum()
        checks = array([select(shown < 1e300, self.conditioning(extremes, size, rest), 0.0)])
        value = zeros(self.model.nv)
        value[self.order[: self.model.nv]] = x[: self.model.nv]
        return (value, self.spread(forces), checks) if "forces" in self.shapes else (value, checks)


class Motion(Held):
    """Accelerations under torques."""

    def _free(self, model: Model, q: Array, v: Array, tau: Array, structure: Structure,
             correction: Array | None = None, forces: Mapping[str, Array] = {}) -> tuple[Array, Array]:  # fmt: skip
        if len(tau) < model.nv:
            motors, tau = tau, zeros(model.nv)
            tau[list(structure.actuated)] = motors
        still = zeros(model.nv)
        wanted = -self._rates(model, q, v, still)
        if correction is not None:
            wanted = wanted + correction[list(self.rows)]
        return self._ordered(tau - self.recursion(model, q, v, still, forces)), wanted


class Impact(Held):
    """Velocities after an impact: M v is the momentum before it."""

    def _free(self, model: Model, q: Array, v: Array, restitution: Array, structure: Structure) -> tuple[Array, Array]:
        light, still = weightless(model), zeros(model.nv)
        rates = self._rates(light, q, still, v)
        return self._ordered(self.recursion(light, q, still, v)), -restitution[0] * rates


class Acceleration(Held):
    """The nearest acceleration, as far as coordinates are: no matrix M, Jᵀ as it is."""

    def _set_up(self, nv: int) -> None:
        super()._set_up(nv)
        self.order = [x if x < nv else -1 for x in self.order]

    def _filled(self, rows: Array, felt: Callable[[], Array], fill: list[Scalar]) -> Columns:
        return rows, ()

    def _write(self) -> None:
        p, nv, last = self.p, self.model.nv, tiles(len(self.rows))
        J, X = p.matrix(len(self.rows), len(self.order)), p.matrix(nv, last + 1)
        a0, wanted = p.vector(nv), p.vector(len(self.rows))
        self.columns(J)
        p.transpose(J, 0, J.groups, 0, X.groups, X, 0)
        self.state(self._free, a0, wanted)
        p.enter(a0, X, last)
        y, forces, extremes = self.solve(X, 0, last, wanted)
        self.results(self._found, x=y, forces=forces, extremes=extremes)

    def _free(self, model: Model, q: Array, v: Array, a0: Array, structure: Structure) -> tuple[Array, Array]:
        return self._ordered(a0), -self._rates(model, q, v, zeros(model.nv))
