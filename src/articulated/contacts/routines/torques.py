"""Inverse dynamics of a large set as a routine (`laws.contact_torques` in loops), by reflections of J alone.

Columns of J are those of velocities without a motor (the base), then those of the motors:  J = [J_u, J_c].

1. Householder reflections of J_u = Q [R; 0], applied to J_c as well, give E = Qᵀ J.
2. Rᵀ λ₁ = f_u are the contact forces that carry the base, in the first rows of Qᵀ λ.  The other rows of E are forces
   that only press the contacts against each other.
3. These internal forces are chosen by least squares, so that the torques f_c - J_cᵀ λ are nearest to those wished for.
4. What remains, f - Jᵀ λ, are the torques, and in the columns of the base the part that contacts cannot supply.
"""

from collections.abc import Callable, Mapping
from typing import Any

from ...algebra.scalars import Array, Scalar, array, sqrt
from ...compiler.passes.loops import TILE, Memory
from ...model import Model
from ..constraints import constraint_acceleration
from ..laws import of_torques
from ..ranks.structure import Structure
from . import blocks
from .law import Columns, Law
from .panels import GROUP, Matrix, groups, place, tiles


class Torques(Law):
    """The torques nearest to those wished for.

    The columns of the base are padded to whole groups, by rows of their own in which only the padding is not zero.
    """

    def _set_up(self, nv: int) -> None:
        """Columns of the base first; internal forces may have a rank below their number."""
        u, c = self.structure.unactuated, self.structure.actuated
        self.padding = -len(u) % GROUP
        self.base, self.motors = len(u) + self.padding, len(c)
        own = [*u, *range(nv, nv + self.padding), *c]
        self.order = own + [-1] * (-len(own) % GROUP)
        self.deficient = self.structure.rank - len(u), len(self.rows) - len(u), len(c)

    @property
    def shapes(self) -> dict[str, tuple[int, ...]]:
        """Shapes of the results."""
        return {"value": (self.motors,), "forces": (self.k,), "checks": (4,)}

    def _terms(self, rows: Array, felt: Callable[[], Array], padding: list[Scalar]) -> Columns:
        """Columns of J, with rows that pad the base, as large as the others."""
        return [*rows, *(self.structure.size * x for x in padding)], ()

    def _write(self) -> None:
        """The forces that carry the base, then the internal ones, then the torques."""
        r, p, n, base = self.r, self.matrices, len(self.order), self.base
        high = len(self.rows) + self.padding
        J, f, excess, left = p.matrix(high, n), p.vector(n), p.line(n), p.line(n)
        wish, moved, weight = p.vector(n), r.local("moved", self.k), p.vector(self.motors)
        self.columns(J)
        self.state(self._state, f, wish, moved, weight)
        p.to_line(wish, excess, 0, n // GROUP)
        p.to_line(f, left, 0, n // GROUP)
        forces, E, Q = p.vector(high), J, None
        if base:
            E = p.matrix(high, n)
            with r.loop("g", J.groups), r.loop("j", n, wide=True):
                r.copy(J.at("g", "j"), E.at("g", "j"))
            Q, line = p.reflect(E, base, 0, n), p.line(n)
            p.to_line(f, line, 0, base // GROUP)
            p.forward(E, 0, base, line, forces)
            self._take(excess, E, forces, base // GROUP, base)
        pivots = [Q.extremes] if Q else []
        p.clear(forces, J.groups, base // GROUP)
        if self.deficient[0]:
            pivots.append(self._internal(E, excess, weight, forces))
        elif self.structure.special:
            self.left_over = p.sum_of_squares(E, base, base, self.motors)
        if Q:
            p.apply(Q, forces)
        self._take(left, J, forces, J.groups, 0)
        names = {f"extremes{i}": memory for i, memory in enumerate(pivots)}
        vectors = {"f": f, "left": left, "forces": forces, "moved": moved, **names}
        self.results(self._found, **vectors, v=self.inputs["v"], a=self.inputs["a"])

    def _take(self, line: Memory, J: Matrix, forces: Memory, height: int, first: int) -> None:
        """Subtract Jᵀ times `height` groups of forces from a line, in the columns from `first` on."""
        with self.r.loop("g", height), self.r.loop("j", len(self.order), start=first, wide=True):
            self.matrices.subtract_product(line.row("j"), J.at("g", "j"), forces.row("g"))

    def _internal(self, E: Matrix, excess: Memory, weight: Memory, forces: Memory) -> Memory:
        """Choose the internal forces by least squares, into the groups below those that carry the base; the pivots."""
        r, p, top, (rank, width, height) = self.r, self.matrices, self.base // GROUP, self.deficient
        last, P = tiles(width), None
        X, b, own = p.matrix(height, last + 1), p.vector(rank), p.vector(width)
        p.transpose(E, top, groups(width), self.base, X.groups, X)
        if rank < width:
            X, P = self.compressed(X, 0)
            last = X.columns - TILE
        p.each(lambda g: r.copy(place(excess, (g, GROUP), self.base, span=GROUP), X.at(g, last)), X.groups)
        if "weight" in self.inputs:
            with r.loop("g", X.groups), r.loop("j", last + 1, wide=True):
                r.run(blocks.weighted, {"x": X.at("g", "j"), "w": weight.row("g")}, [X.at("g", "j")], entrywise=True)
        R = p.reflect(X, rank, 0, last + 1)
        p.get_column(X, last, b, groups(rank))
        p.clear(own, groups(width))
        p.backward(X, 0, rank, b, own)
        if P:
            p.apply(P, own)
        p.each(lambda g: r.copy(own.row(g), place(forces, (g, 1), top)), groups(width))
        return R.extremes

    def _state(self, model: Model, q: Array, v: Array, a: Array, structure: Structure, tau0: Array | None = None,
               weight: Array | None = None, forces: Mapping[str, Array] = {}) -> tuple[Any, ...]:  # fmt: skip
        """f = M a + h and f - tau0 in the order of columns, J a + J̇ v, and the roots of the weights."""
        nv, felt = model.nv, self.recursion(model, q, v, a, forces)
        f = array([felt[i] if 0 <= i < nv else 0.0 for i in self.order])
        wish = f.copy()
        if tau0 is not None:
            wish[self.base : self.base + self.motors] -= tau0
        moved = constraint_acceleration(model, q, v, a, structure.contacts)
        return f, wish, moved, [] if weight is None else [sqrt(w) for w in weight]

    def _found(
        self, f: Array, left: Array, forces: Array, moved: Array, v: Array, a: Array, left_over: Array | None = None,
        **extremes: Array,
    ) -> tuple[Array, Array, Array]:  # fmt: skip
        *first, last = extremes.values()
        weighted = "weight" in self.inputs and self.deficient[0]  # weights have a size of their own
        found = [self.conditioning(x, self.structure.size) for x in first]
        found.append(self.conditioning(last, 0.0 if weighted else self.structure.size, left_over))
        checks = of_torques(self.structure, f, left[: self.base], moved, v, a, found)
        return left[self.base : self.base + self.motors], self.spread(forces), checks
