"""Torques of a set of contacts as a routine, by reflections of J: first of the columns without a motor."""

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
    """The torques nearest to those wished for, as `laws.contact_torques` has them.

    Columns of velocities without a motor come first, and rows that only fill up their last group.
    """

    def _set_up(self, nv: int) -> None:
        """First what carries the base."""
        u, c = self.structure.unactuated, self.structure.actuated
        self.fill = -len(u) % GROUP
        self.base, self.motors = len(u) + self.fill, len(c)
        own = [*u, *range(nv, nv + self.fill), *c]
        self.order = own + [-1] * (-len(own) % GROUP)
        self.sums = self.structure.rank - len(u), len(self.rows) - len(u), len(c)

    @property
    def shapes(self) -> dict[str, tuple[int, ...]]:
        """Shapes of the results."""
        return {"value": (self.motors,), "forces": (self.k,), "checks": (4,)}

    def _filled(self, rows: Array, felt: Callable[[], Array], fill: list[Scalar]) -> Columns:
        """J with further rows as large as the others."""
        return [*rows, *(self.structure.size * x for x in fill)], ()

    def _write(self) -> None:
        """Forces that carry the base, then internal ones that bring the torques to those wished for."""
        r, p, n, base = self.r, self.p, len(self.order), self.base
        high = len(self.rows) + self.fill
        J, f, excess, left = p.matrix(high, n), p.vector(n), p.line(n), p.line(n)
        wish, moved, weight = p.vector(n), r.local("moved", self.k), p.vector(self.motors)
        self.columns(J)
        self.state(self._state, f, wish, moved, weight)
        p.put(wish, excess, 0, n // GROUP)
        p.put(f, left, 0, n // GROUP)
        forces, E, Q = p.vector(high), J, None
        if base:
            E = p.matrix(high, n)
            with r.loop("g", J.groups), r.loop("j", n, wide=True):
                r.run(blocks.same, {"x": J.at("g", "j")}, [E.at("g", "j")])
            Q, line = p.reflect(E, base, 0, n), p.line(n)
            p.put(f, line, 0, base // GROUP)
            p.forward(E, 0, base, line, forces)
            self._take(excess, E, forces, base // GROUP, base)
        chosen = [Q.extremes] if Q else []
        p.clear(forces, J.groups, base // GROUP)
        if self.sums[0]:
            chosen.append(self._choose(E, excess, weight, forces))
        elif self.structure.special:
            self.rest = p.squares(E, base, base, self.motors)
        if Q:
            p.times(Q, forces)
        self._take(left, J, forces, J.groups, 0)
        names = {f"extremes{i}": memory for i, memory in enumerate(chosen)}
        vectors = {"f": f, "left": left, "forces": forces, "moved": moved, **names}
        self.results(self._found, **vectors, v=self.inputs["v"], a=self.inputs["a"])

    def _take(self, line: Memory, J: Matrix, forces: Memory, height: int, first: int) -> None:
        """Subtract what forces are in the velocities of columns."""
        with self.r.loop("g", height), self.r.loop("j", len(self.order), start=first, wide=True):
            self.p.take(line.row("j"), J.at("g", "j"), forces.row("g"))

    def _choose(self, E: Matrix, excess: Memory, weight: Memory, forces: Memory) -> Memory:
        """The internal forces of least torques, below those that carry the base."""
        r, p, top, (rank, width, height) = self.r, self.p, self.base // GROUP, self.sums
        last, P = tiles(width), None
        X, b, own = p.matrix(height, last + 1), p.vector(rank), p.vector(width)
        p.transpose(E, top, groups(width), self.base, X.groups, X)
        if rank < width:
            X, P = self.bring_out(X, 0)
            last = X.columns - TILE
        p.each(lambda g: r.copy(place(excess, (g, GROUP), self.base, span=GROUP), X.at(g, last)), X.groups)
        if "weight" in self.inputs:
            with r.loop("g", X.groups), r.loop("j", last + 1, wide=True):
                r.run(blocks.weighted, {"x": X.at("g", "j"), "w": weight.row("g")}, [X.at("g", "j")], entrywise=True)
        R = p.reflect(X, rank, 0, last + 1)
        p.read(X, last, b, groups(rank))
        p.clear(own, groups(width))
        p.backward(X, 0, rank, b, own)
        if P:
            p.times(P, own)
        p.each(lambda g: r.copy(own.row(g), place(forces, (g, 1), top)), groups(width))
        return R.extremes

    def _state(self, model: Model, q: Array, v: Array, a: Array, structure: Structure, tau0: Array | None = None,
               weight: Array | None = None, forces: Mapping[str, Array] = {}) -> tuple[Any, ...]:  # fmt: skip
        """Forces needed, in the order of columns; the torques wished away; rows; and roots of weights."""
        nv, felt = model.nv, self.recursion(model, q, v, a, forces)
        f = array([felt[i] if 0 <= i < nv else 0.0 for i in self.order])
        wish = f.copy()
        if tau0 is not None:
            wish[self.base : self.base + self.motors] -= tau0
        moved = constraint_acceleration(model, q, v, a, structure.contacts)
        return f, wish, moved, [] if weight is None else [sqrt(w) for w in weight]

    def _found(
        self, f: Array, left: Array, forces: Array, moved: Array, v: Array, a: Array, rest: Array | None = None,
        **extremes: Array,
    ) -> tuple[Array, Array, Array]:  # fmt: skip
        *first, last = extremes.values()
        weighted = "weight" in self.inputs and self.sums[0]  # weights have a size of their own
        found = [self.conditioning(x, self.structure.size) for x in first]
        found.append(self.conditioning(last, 0.0 if weighted else self.structure.size, rest))
        checks = of_torques(self.structure, f, left[: self.base], moved, v, a, found)
        return left[self.base : self.base + self.motors], self.spread(forces), checks
