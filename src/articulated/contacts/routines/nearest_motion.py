"""Forward dynamics, impacts and nearest accelerations of a large set as routines (`laws.held` in loops).

The motion nearest to a free one in kinetic energy, under J x = wanted:

1. Cholesky of [M, Jᵀ, f] with M = Rᵀ R and f the forces of the free motion leaves Wᵀ = R⁻ᵀ Jᵀ beside it and the free
   motion y = R⁻ᵀ f in coordinates y = R x, in which the mass matrix is 1.
2. Householder reflections of Wᵀ = Q [C; 0]: the constraints decide the first coordinates of Qᵀ y, by Cᵀ g = wanted, and
   leave the others.
3. C λ = the change of these are the contact forces, and R x = y is the motion.

Columns are in reversed order of velocities, so that R has the zeros of a tree.
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
from .panels import GROUP, Matrix, groups, place, tiles

#: inertia of the coordinates that pad a group of four; nothing moves them
NO_INERTIA = 1e-200


class NearestMotion(Law):
    """The motion nearest to a free one that contacts allow.

    `_free` gives the forces of the free motion, in the order of columns, and the wanted rates of the rows.
    """

    _free: Callable[..., Any]

    def _set_up(self, nv: int) -> None:
        """The last joints are eliminated first."""
        self.order = [*reversed(range(nv)), *range(nv, GROUP * groups(nv))]
        self.deficient = self.structure.rank, len(self.rows), nv

    def _terms(self, rows: Array, felt: Callable[[], Array], padding: list[Scalar]) -> Columns:
        """Columns of J and M, with next to no inertia in those that pad a group."""
        return rows, [*felt()[self.order[: self.model.nv]], *(NO_INERTIA * x for x in padding)]

    def _write(self) -> None:
        """Factor [M, Jᵀ, f], solve for y and the forces, and go back to velocities."""
        p, nv, n, width = self.matrices, self.model.nv, len(self.order), len(self.rows)
        first, last = tiles(n), tiles(n) + tiles(width)
        J, A, U, x = p.matrix(width, n), p.matrix(nv, last + 1), p.matrix(nv, last + 1), p.vector(nv)
        force, wanted = p.vector(nv), p.vector(width)
        self.columns(J, A)
        p.transpose(J, 0, J.groups, 0, A.groups, A, first)
        self.state(self._free, force, wanted)
        p.set_column(force, A, last)
        largest = p.factor(A, U, last + 1)
        y, forces, extremes = self.solve(U, first, last, wanted)
        p.backward(U, 0, n, y, x)
        self.results(self._found, x=x, forces=forces, extremes=extremes, largest=largest)

    def solve(self, X: Matrix, first: int, last: int, wanted: Memory) -> tuple[Memory, Memory, Memory]:
        """The y nearest to column `last` of X with Xᵀ y = wanted, the λ that change it by X λ, and the pivots."""
        r, p, (rank, width, height) = self.r, self.matrices, self.deficient
        y, g, forces, P = p.vector(height), p.vector(rank), p.vector(width), None
        if rank < width:
            p.get_column(X, last, y, X.groups)
            X, P = self.compressed(X, first, wanted)
            first, last = 0, X.columns - TILE
            p.set_column(y, X, last)
        Q, line = p.reflect(X, rank, first, last + 1), p.line(X.columns)
        p.to_line(wanted, line, first, groups(rank))
        p.forward(X, first, rank, line, g)
        p.get_column(X, last, y, X.groups)
        p.clear(forces, groups(width))
        for h, some in p.fours(rank):
            head, found = place(g, (h, 1)), place(y, (h, 1))
            r.run(blocks.replaced(some), {"x": head, "y": X.at(h, last)}, [found, head])
        p.backward(X, first, rank, g, forces)
        p.apply(Q, y)
        if P:
            p.apply(P, forces)
        return y, forces, Q.extremes

    def _ordered(self, x: Array) -> Array:
        return x[self.order[: self.model.nv]]

    def _rates(self, model: Model, q: Array, v: Array, a: Array) -> Array:
        return constraint_acceleration(model, q, v, a, self.contacts)[list(self.rows)]

    def _found(
        self, x: Array, forces: Array, extremes: Array, largest: Array | None = None, left_over: Array | None = None
    ) -> tuple[Array, ...]:
        size = self.structure.size if largest is None else self.structure.size / sqrt(largest[0])
        shown = (x * x).sum() + (forces * forces).sum()
        checks = array([select(shown < 1e300, self.conditioning(extremes, size, left_over), 0.0)])
        value = zeros(self.model.nv)
        value[self.order[: self.model.nv]] = x[: self.model.nv]
        return (value, self.spread(forces), checks) if "forces" in self.shapes else (value, checks)


class ForwardDynamics(NearestMotion):
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


class Impact(NearestMotion):
    """Velocities after an impact: M v is the momentum before it."""

    def _free(self, model: Model, q: Array, v: Array, restitution: Array, structure: Structure) -> tuple[Array, Array]:
        light, still = weightless(model), zeros(model.nv)
        rates = self._rates(light, q, still, v)
        return self._ordered(self.recursion(light, q, still, v)), -restitution[0] * rates


class Acceleration(NearestMotion):
    """The acceleration nearest to a0 as the coordinates measure it: 1 in place of M, so that Wᵀ is Jᵀ."""

    def _set_up(self, nv: int) -> None:
        super()._set_up(nv)
        self.order = [x if x < nv else -1 for x in self.order]

    def _terms(self, rows: Array, felt: Callable[[], Array], padding: list[Scalar]) -> Columns:
        return rows, ()

    def _write(self) -> None:
        p, nv, last = self.matrices, self.model.nv, tiles(len(self.rows))
        J, X = p.matrix(len(self.rows), len(self.order)), p.matrix(nv, last + 1)
        a0, wanted = p.vector(nv), p.vector(len(self.rows))
        self.columns(J)
        p.transpose(J, 0, J.groups, 0, X.groups, X, 0)
        self.state(self._free, a0, wanted)
        p.set_column(a0, X, last)
        y, forces, extremes = self.solve(X, 0, last, wanted)
        self.results(self._found, x=y, forces=forces, extremes=extremes)

    def _free(self, model: Model, q: Array, v: Array, a0: Array, structure: Structure) -> tuple[Array, Array]:
        return self._ordered(a0), -self._rates(model, q, v, zeros(model.nv))
