"""The laws of laws.py as routines with loops over rows, for sets that are too large to be unrolled.

The columns of M and J are forces and rates of the contacts under unit accelerations: a block as long as the robot, for
eight columns at a time.  M = Rᵀ R is factored together with Jᵀ, so that W = J R⁻¹ and the motion y = R x without
contacts come out of one elimination.  All else are reflections of Wᵀ, or of J: rows that forbid nothing are left out,
and a rank that is less than the rows left is brought out by reflecting along as many random sums of columns.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from ..algebra.scalars import Array, Scalar, array, select, sqrt, zeros
from ..algorithms.inverse_dynamics import inverse_dynamics
from ..compiler.closures import Closure
from ..compiler.passes.builder import Builder
from ..compiler.passes.loops import TILE, Memory, Routine
from ..model import Model
from ..model.with_numbers import weightless, with_parameters
from ..robot.request import PARAMETERS, Request
from .constraints import constraint_acceleration, constraint_jacobian
from .laws import contact_acceleration, contact_impact, contact_motion, contact_torques, of_torques
from .panels import GROUP, Matrix, Panels, Reflections, groups, parts, place, tiles
from .ranks.structure import Structure
from .ranks.subspaces import TOLERANCE

if TYPE_CHECKING:
    from .kernels import ContactKernels

#: inertia of coordinates that fill up a group of four, which nothing moves
NO_INERTIA = 1e-200
#: arrays that laws take in loops
TAKEN = {"q", "v", "a", "a0", "tau", "tau0", "weight", "correction", "restitution", PARAMETERS}


def looped(kernels: "ContactKernels", request: Request) -> Closure | None:
    """The closure of a law, or of the Jacobian; None for what loops do not do.

    That are weights of contact forces, a base that is not carried in all directions, and rows that are all zero.
    """
    if request.algorithm is not constraint_jacobian:
        structure: Structure = dict(request.choices)["structure"]
        carried = request.algorithm is not contact_torques or structure.base_rank == len(structure.unactuated)
        if not structure.rank or not carried or not {name for name, _ in request.arrays} <= TAKEN:
            return None
    law = LAWS[request.algorithm](kernels, request)
    kernel = kernels.routine(f"{request.method} in loops", ("loops", request.identity), law.routine)
    given = {**request.sizes, **{f"out {name}": prod(shape) for name, shape in law.shapes.items()}}
    return Closure(kernel, given, law.fixed, {"bodies": law.cost}, {}, tuple(law.shapes.values()))


class _Law:
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
        self.cost = self.model.nv * (self.model.nv + self.k)
        own = PARAMETERS in request.sizes
        self.moving, way = (kernels.model, inverse_dynamics) if own else kernels.ways(inverse_dynamics)[0]
        self.recursion: Callable[..., Array] = way
        self.set_up(self.model.nv)
        self.fixed = {"order": np.array(self.order, float)[:, None]}
        rank, width, height = self.sums
        if rank < width:
            T = np.zeros((tiles(rank), GROUP * groups(height)))
            T[:rank, :height] = np.random.default_rng(0).normal(size=(rank, height))
            self.fixed["sums"] = T.reshape(-1, GROUP)

    def set_up(self, nv: int) -> None:
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
        self.write()
        return self.r.routine()

    def write(self) -> None:
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
        rows, inertias = self.filled(rates[list(self.rows)], lambda: self.recursion(model, q, still, a), fill)
        return (*_grouped(rows), *_grouped(inertias))

    def filled(self, rows: Array, felt: Callable[[], Array], fill: list[Scalar]) -> tuple[Sequence[Any], Sequence[Any]]:
        """Columns of J and M with what fills them up."""
        raise NotImplementedError

    def state(self, function: Callable[..., Any], *writes: Memory) -> None:
        """What a function of the model and all arrays gives, to whole vectors."""

        def found(**given: Array) -> Any:
            vectors = self.request.evaluate(self.moving, given, function)
            return tuple(_long(x, m.whole().size) for x, m in zip(vectors, writes, strict=True))

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
            p.each(lambda g: r.copy(along.row(g), F.at(g, last)), F.groups)
        P = p.reflect(F, rank, 0, last + bool(along))
        if self.structure.special:
            self.rest = p.squares(F, rank, right, height)
        p.transpose(F, 0, groups(rank), right, X.groups, less)
        if along:
            p.each(lambda g: r.copy(F.at(g, last), along.row(g)), F.groups)
        return less, P


class _Held(_Law):
    """The motion nearest to a free one that contacts allow, as `laws.held` has it.

    In y the mass matrix is 1, in Qᵀ y the first coordinates are what the contacts decide.
    """

    def set_up(self, nv: int) -> None:
        """The last joints are eliminated first."""
        self.order = [*reversed(range(nv)), *range(nv, GROUP * groups(nv))]
        self.sums = self.structure.rank, len(self.rows), nv

    def filled(self, rows: Array, felt: Callable[[], Array], fill: list[Scalar]) -> tuple[Sequence[Any], Sequence[Any]]:
        """M with next to no inertia of its own in what fills it up."""
        return rows, [*felt()[self.order[: self.model.nv]], *(NO_INERTIA * x for x in fill)]

    def write(self) -> None:
        """M, Jᵀ and the forces of the free motion in one matrix, which is factored."""
        p, nv, n, width = self.p, self.model.nv, len(self.order), len(self.rows)
        first, last = tiles(n), tiles(n) + tiles(width)
        J, A, U, x = p.matrix(width, n), p.matrix(nv, last + 1), p.matrix(nv, last + 1), p.vector(nv)
        pushed, wanted = p.vector(nv), p.vector(width)
        self.columns(J, A)
        p.transpose(J, 0, J.groups, 0, A.groups, A, first)
        self.state(self.free, pushed, wanted)
        p.each(lambda g: self.r.copy(pushed.row(g), A.at(g, last)), A.groups)
        largest = p.factor(A, U, last + 1)
        y, forces, extremes = self.solve(U, first, last, wanted)
        p.backward(U, 0, n, y, x)
        self.results(self._found, x=x, forces=forces, extremes=extremes, largest=largest)

    def solve(self, X: Matrix, first: int, last: int, wanted: Memory) -> tuple[Memory, Memory, Memory]:
        """The y nearest to that in the column `last` with Xᵀ y = wanted, the forces λ that change it by X λ."""
        r, p, (rank, width, height) = self.r, self.p, self.sums
        y, g, forces, P = p.vector(height), p.vector(rank), p.vector(width), None
        if rank < width:
            p.each(lambda i: r.copy(X.at(i, last), y.row(i)), X.groups)
            X, P = self.bring_out(X, first, wanted)
            first, last = 0, X.columns - TILE
            p.each(lambda i: r.copy(y.row(i), X.at(i, last)), X.groups)
        Q, line = p.reflect(X, rank, first, last + 1), p.line(X.columns)
        p.copy(wanted, line, first, groups(rank))
        p.forward(X, first, rank, line, g)
        p.each(lambda i: r.copy(X.at(i, last), y.row(i)), X.groups)
        with r.loop("g", groups(width)):
            r.run(_none, {}, [forces.row("g")])
        for begin, end, some in parts(rank):
            with r.loop("g", end, start=begin):
                rows = {"x": g.row("g"), "y": X.at("g", last)}
                r.run(_changed(some), rows, [y.row("g"), g.row("g")])
        p.backward(X, first, rank, g, forces)
        p.times(Q, y)
        if P:
            p.times(P, forces)
        return y, forces, Q.extremes

    def free(self, model: Model, **given: Any) -> tuple[Array, Array]:
        """What moves it without contacts, in the order of columns, and what their rows must be."""
        raise NotImplementedError

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
        return (value, _spread(self.k, self.rows, forces), checks) if "forces" in self.shapes else (value, checks)


class _Motion(_Held):
    def free(self, model: Model, q: Array, v: Array, tau: Array, structure: Structure,
             correction: Array | None = None, forces: Mapping[str, Array] = {}) -> tuple[Array, Array]:  # fmt: skip
        if len(tau) < model.nv:
            motors, tau = tau, zeros(model.nv)
            tau[list(structure.actuated)] = motors
        still = zeros(model.nv)
        wanted = -self._rates(model, q, v, still)
        if correction is not None:
            wanted = wanted + correction[list(self.rows)]
        return self._ordered(tau - self.recursion(model, q, v, still, forces)), wanted


class _Impact(_Held):
    def free(self, model: Model, q: Array, v: Array, restitution: Array, structure: Structure) -> tuple[Array, Array]:
        light, still = weightless(model), zeros(model.nv)
        rates = self._rates(light, q, still, v)
        return self._ordered(self.recursion(light, q, still, v)), -restitution[0] * rates


class _Acceleration(_Held):
    def set_up(self, nv: int) -> None:
        super().set_up(nv)
        self.order = [x if x < nv else -1 for x in self.order]

    def filled(self, rows: Array, felt: Callable[[], Array], fill: list[Scalar]) -> tuple[Sequence[Any], Sequence[Any]]:
        return rows, ()

    def write(self) -> None:
        p, nv, last = self.p, self.model.nv, tiles(len(self.rows))
        J, X = p.matrix(len(self.rows), len(self.order)), p.matrix(nv, last + 1)
        a0, wanted = p.vector(nv), p.vector(len(self.rows))
        self.columns(J)
        p.transpose(J, 0, J.groups, 0, X.groups, X, 0)
        self.state(self.free, a0, wanted)
        p.each(lambda g: self.r.copy(a0.row(g), X.at(g, last)), X.groups)
        y, forces, extremes = self.solve(X, 0, last, wanted)
        self.results(self._found, x=y, forces=forces, extremes=extremes)

    def free(self, model: Model, q: Array, v: Array, a0: Array, structure: Structure) -> tuple[Array, Array]:
        return self._ordered(a0), -self._rates(model, q, v, zeros(model.nv))


class _Torques(_Law):
    """The torques nearest to those wished for, as `laws.contact_torques` has them.

    Columns of velocities without a motor come first, and rows that only fill up their last group.
    """

    def set_up(self, nv: int) -> None:
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

    def filled(self, rows: Array, felt: Callable[[], Array], fill: list[Scalar]) -> tuple[Sequence[Any], Sequence[Any]]:
        """J with further rows as large as the others."""
        return [*rows, *(self.structure.size * x for x in fill)], ()

    def write(self) -> None:
        """Forces that carry the base, then internal ones that bring the torques to those wished for."""
        r, p, n, base = self.r, self.p, len(self.order), self.base
        high = len(self.rows) + self.fill
        J, f, excess, left = p.matrix(high, n), p.vector(n), p.line(n), p.line(n)
        wish, moved, weight = p.vector(n), r.local("moved", self.k), p.vector(self.motors)
        self.columns(J)
        self.state(self._state, f, wish, moved, weight)
        p.copy(wish, excess, 0, n // GROUP)
        p.copy(f, left, 0, n // GROUP)
        forces, E, Q = p.vector(high), J, None
        if base:
            E = p.matrix(high, n)
            with r.loop("g", J.groups), r.loop("j", n, wide=True):
                r.run(_same, {"x": J.at("g", "j")}, [E.at("g", "j")])
            Q, line = p.reflect(E, base, 0, n), p.line(n)
            p.copy(f, line, 0, base // GROUP)
            p.forward(E, 0, base, line, forces)
            self._take(excess, E, forces, base // GROUP, base)
        chosen = [Q.extremes] if Q else []
        with r.loop("g", J.groups, start=base // GROUP):
            r.run(_none, {}, [forces.row("g")])
        if self.sums[0]:
            chosen.append(self._choose(E, excess, weight, forces))
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
                r.run(_weighted, {"x": X.at("g", "j"), "w": weight.row("g")}, [X.at("g", "j")], entrywise=True)
        R = p.reflect(X, rank, 0, last + 1)
        p.each(lambda g: r.copy(X.at(g, last), b.row(g)), groups(rank))
        with r.loop("g", groups(width)):
            r.run(_none, {}, [own.row("g")])
        p.backward(X, 0, rank, b, own)
        if P:
            p.times(P, own)
        p.each(lambda g: r.copy(own.row(g), place(forces, (g, 1), top)), groups(width))
        return R.extremes

    def _state(self, model: Model, q: Array, v: Array, a: Array, structure: Structure, tau0: Array | None = None,
               weight: Array | None = None, forces: Mapping[str, Array] = {}) -> tuple[Array, ...]:  # fmt: skip
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
        sizes = [self.structure.size] * len(extremes)
        if "weight" in self.inputs and len(extremes) > bool(self.base):
            sizes[-1] = 0.0  # weights have a size of their own
        found = [self.conditioning(x, size) for x, size in zip(extremes.values(), sizes, strict=True)]
        if rest is not None:
            found[-1] = self.conditioning([*extremes.values()][-1], sizes[-1], rest)
        checks = of_torques(self.structure, f, left[: self.base], moved, v, a, found)
        return left[self.base : self.base + self.motors], _spread(self.k, self.rows, forces), checks


class _Jacobian(_Law):
    """The Jacobian, row by row."""

    def set_up(self, nv: int) -> None:
        self.order = [*range(nv), *[-1] * (-nv % GROUP)]

    @property
    def shapes(self) -> dict[str, tuple[int, ...]]:
        return {"J": (self.k, self.model.nv)}

    def filled(self, rows: Array, felt: Callable[[], Array], fill: list[Scalar]) -> tuple[Sequence[Any], Sequence[Any]]:
        return rows, ()

    def write(self) -> None:
        r, nv = self.r, self.model.nv
        J, found = self.p.matrix(self.k, len(self.order)), r.output("out J", 1, self.k * nv)
        self.columns(J)
        for begin, end, some in parts(self.k):
            with r.loop("g", end, start=begin), r.loop("j", nv, wide=True):
                rows = [place(found, ("g", GROUP * nv), ("j", 1), s * nv) for s in range(some)]
                r.run(_apart(some), {"x": J.at("g", "j")}, rows)


LAWS: dict[Any, type[_Law]] = {
    contact_torques: _Torques,
    contact_motion: _Motion,
    contact_impact: _Impact,
    contact_acceleration: _Acceleration,
    constraint_jacobian: _Jacobian,
}


# -- blocks ---------------------------------------------------------------------------------------


def _none() -> Array:
    return array([0.0] * GROUP)


def _same(x: Array) -> Array:
    return x


def _weighted(x: Array, w: Array) -> Array:
    return x * w


@cache
def _changed(some: int) -> Callable[..., tuple[Array, Array]]:
    def changed(x: Array, y: Array) -> tuple[Array, Array]:
        """y with the first numbers replaced, and how they change."""
        return array([*x[:some], *y[some:]]), array([*(x - y)[:some], *[0.0] * (GROUP - some)])

    return changed


@cache
def _apart(some: int) -> Callable[..., tuple[Array, ...]]:
    return lambda x: tuple(x[s : s + 1] for s in range(some))


def _long(x: Sequence[Any], size: int) -> Array:
    """A vector with zeros behind it."""
    return array([*x, *[0.0] * (size - len(x))])


def _grouped(x: Sequence[Any]) -> list[Array]:
    """Four numbers each, the last filled up with zeros."""
    whole = _long(x, GROUP * groups(len(x)))
    return [whole[i : i + GROUP] for i in range(0, len(whole), GROUP)]


def _spread(k: int, rows: tuple[int, ...], forces: Array) -> Array:
    """Forces of all rows; those that forbid nothing have none."""
    found = zeros(k)
    found[list(rows)] = forces[: len(rows)]
    return found
