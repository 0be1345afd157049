"""A model on polynomials: its ring, its state as generators, and derivatives along its motions."""

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import partial
from math import lcm
from typing import Any

import numpy as np
import sympy

from ...algebra.scalars import Array, array, zeros
from ...algebra.spatial import Inertia
from ...errors import ModelError
from ...model import Body, Model
from .angles import MANY, parallel_runs, turn_by_sums
from .convert import converted, free_symbols, in_ring, parameters_of, scalars_of
from .letters import coordinates, rates, without_variables
from .notebook import show_dots
from .polynomial import BITS, Polynomial, Ring, Terms, terms_of


class State:
    """The model in polynomials, with generators for q, v and a."""

    def __init__(self, model: Model, inertias: Mapping[Body, Inertia] | None = None, letters: Any = None):
        show_dots()
        self.letters = coordinates(model, letters)
        self.source = model = without_variables(model, self.letters)
        self.ring = Ring()
        self.symbols = {name: state_symbols(model, name, self.letters) for name in "qva"}
        self.parameters = tuple(sorted(parameters_of(model), key=lambda s: s.name))
        _check_names(model, self.parameters, self.symbols)
        self.q, self.v, self.a = (array([self.ring.generator(s) for s in self.symbols[n]] or zeros(0)) for n in "qva")
        for b in model.bodies:
            if b.joint.quaternion and b.leader is b:
                x, y, z, _ = self.q[b.coords][b.joint.quaternion]
                *_, w = self.symbols["q"][b.coords][b.joint.quaternion]
                self.ring.rule(w, 1 - x * x - y * y - z * z)
        self.ring.parts = _parts(model, self.symbols["q"])
        self.runs = parallel_runs(model, self.ring, self.symbols["q"])
        self.sums_are_generators = turn_by_sums(self.ring, self.runs)
        self.model = converted(model, partial(in_ring, self.ring), inertias)
        own = [b for b in model.bodies if b.leader is b]
        self.simple = all(b.joint.nq == b.joint.nv == 1 for b in own)
        self.velocities_are_rates = velocities_are_rates(model)
        self.rates = self._rates(own)

    def _rates(self, own: list[Body]) -> Array:
        """(nq, nv): the rate of each coordinate per unit of each velocity."""
        rates = zeros(self.model.nq, self.model.nv)
        for b in own:
            for k in range(b.joint.nv):
                unit = zeros(b.joint.nv)
                unit[k] = 1
                rates[b.coords, b.dofs.start + k] = b.joint.rate(self.q[b.coords], unit)
        return rates

    def along(self, k: int, x: Any) -> Any:
        """The derivative of x(q) while moving with the unit velocity k."""
        parts = [
            partial_derivative(x, symbol) * rate
            for symbol, rate in zip(self.symbols["q"], self.rates[:, k], strict=True)
            if not (isinstance(rate, int) and rate == 0)
        ]
        return sum(parts, start=0)

    def along_array(self, k: int, values: Array) -> Array:
        """`along` for every entry."""
        out = np.empty(values.shape, object)
        done: dict[int, Any] = {}  # both halves of a symmetric matrix hold the same polynomials
        for index, x in np.ndenumerate(values):
            if id(x) not in done:
                done[id(x)] = self.along(k, x)
            out[index] = done[id(x)]
        return out


def _parts(model: Model, q: Sequence[sympy.Symbol]) -> dict[sympy.Expr, int]:
    """Angles that a mimic joint follows by a fraction: q_1/2 is then what q_1 is written in, so that equal is equal."""
    found: dict[sympy.Expr, int] = {}
    for b in model.bodies:
        if b.leader is not b and b.joint.turns and not isinstance(b.multiplier, sympy.Basic):
            fraction = Fraction(float(b.multiplier)).limit_denominator(MANY)
            if abs(fraction - float(b.multiplier)) < 1e-14 and fraction.denominator > 1:
                angle = q[b.leader.coords.start]
                found[angle] = lcm(found.get(angle, 1), fraction.denominator)
    return {angle: parts for angle, parts in found.items() if parts <= MANY}


def state_symbols(model: Model, name: str, letters: tuple[sympy.Symbol, ...] = ()) -> tuple[sympy.Symbol, ...]:
    """Names of the state: q_1 …, qd_1 …, qdd_1 …; v_1 …, a_1 … where v is not the rate of q.

    With letters of one's own for q the rates are these with dots: thetadot_1, thetaddot_1.
    """
    if letters and name == "q":
        return letters
    if velocities_are_rates(model):
        if letters:
            return rates(letters, {"v": 1, "a": 2}[name])
        name = {"v": "qd", "a": "qdd"}.get(name, name)
    count = model.nq if name == "q" else model.nv
    return tuple(sympy.Symbol(f"{name}_{k + 1}", real=True) for k in range(count))


def velocities_are_rates(model: Model) -> bool:
    """Whether v is dq/dt for every joint; a planar, spherical or floating body has its v in its own axes."""
    return all(b.joint.rates for b in model.bodies if b.leader is b)


def _check_names(model: Model, parameters: tuple, symbols: Mapping[str, tuple]) -> None:
    """A parameter must not be called like a joint variable; the error names the row."""
    taken = {s.name: kind for kind, group in symbols.items() for s in group}
    for name, count in Counter(parameter.name for parameter in parameters).items():
        if count > 1:
            raise ModelError(
                f"{model.name} has {count} different symbols called {name!r}: SymPy tells symbols of other assumptions "
                "apart; make it once, as in sympy.Symbol(name, positive=True), and use that"
            )
    for parameter in parameters:
        if parameter.name in taken:
            rows = (b for b in model.bodies if parameter in free_symbols(scalars_of(b)))
            where = next((f"row {b.index} (link {b.name!r})" for b in rows), "the gravity")
            raise ModelError(
                f"{where} uses the symbol {parameter.name!r}, which is a joint variable here "
                f"({', '.join(sorted(taken))}); call it something else"
            )


def partial_derivative(x: Any, symbol: sympy.Symbol) -> Any:
    """∂x/∂symbol."""
    if not isinstance(x, Polynomial):
        return 0
    ring = x.ring
    inner: dict[int, Any] = {ring.index[symbol]: 1} if symbol in ring.index else {}
    for angle, (c, s) in list(ring.circles.items()):
        if symbol in angle.free_symbols:
            rate = in_ring(ring, sympy.diff(angle, symbol))
            inner[ring.index[sympy.cos(angle)]] = -rate * s
            inner[ring.index[sympy.sin(angle)]] = rate * c
    used = {k for m in terms_of(x) for k in ring.generators(m)} if ring.roots else set()
    for root, square in list(ring.roots.items()):
        if used & {ring.index[root], ring.index.get(1 / root)}:
            over = ring.inverse(root)
            rate = partial_derivative(square, symbol) * over * 0.5
            inner |= {ring.index[root]: rate, ring.index[1 / root]: -rate * over * over}
    total: Any = 0
    for k, rate in inner.items():
        outer: Terms = {}
        for m, c in terms_of(x).items():
            if power := (m >> BITS * k) & 0xFF:
                outer[m - (1 << BITS * k)] = power * c
        if outer:
            total = total + Polynomial(ring, outer) * rate
    return total
