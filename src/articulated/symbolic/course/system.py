"""A mechanical system by its inertia matrix and energies: everything else follows by Lagrange's equations."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import sympy

from ...errors import ShapeError, unknown
from ...inputs.choices import LARGEST_FLOAT, number
from ...text import shortened
from ..equations.lagrangian_system import LagrangianSystem
from ..ring.notebook import NotebookMatrix, bounded

LONG = 300  # operations beyond which an expression stays as it is


class System(LagrangianSystem):
    """M(q) a + c(q, v) + g(q) + friction(v) = B u, in SymPy; v is the rate of q.

    `M`, `C` (by Christoffel symbols), `c`, `g`, `friction`, `T`, `U`, `tau` as in `Equations`; g = dU/dq holds what
    springs do, too.  `inputs` is B: the rows u acts on.
    """

    def __init__(
        self,
        name: str,
        state: tuple[Sequence[sympy.Symbol], Sequence[sympy.Symbol], Sequence[sympy.Symbol]],
        M: sympy.Matrix,
        U: sympy.Expr,
        friction: sympy.Matrix | None = None,
        inputs: sympy.Matrix | None = None,
    ):
        self.name = name
        self.q, self.v, self.a = (NotebookMatrix(list(part)) for part in state)
        n = len(self.q)
        self.M = sympy.ImmutableMatrix(sympy.Matrix(M).applyfunc(short))
        self.U = short(U)
        self.friction = sympy.ImmutableMatrix(
            sympy.zeros(n, 1) if friction is None else sympy.Matrix(friction).applyfunc(short)
        )
        self.inputs = sympy.ImmutableMatrix(sympy.eye(n) if inputs is None else inputs)
        found = self.M.free_symbols | self.U.free_symbols | self.friction.free_symbols | self.inputs.free_symbols
        self.parameters = tuple(sorted(found - {*self.q, *self.v, *self.a}, key=lambda s: s.name))

    @cached_property
    def C(self) -> sympy.Matrix:
        """The Coriolis matrix by Christoffel symbols: C v = c, and dM/dt - 2 C is skew."""
        M, q, v, n = self.M, self.q, self.v, len(self.q)
        rate = [M.diff(x) for x in q]

        def entry(i: int, j: int) -> sympy.Expr:
            return short(sum((rate[k][i, j] + rate[j][i, k] - rate[i][j, k]) * v[k] for k in range(n)) / 2)

        return sympy.ImmutableMatrix(n, n, entry)

    @cached_property
    def c(self) -> sympy.Matrix:
        """Centrifugal and Coriolis forces."""
        return sympy.ImmutableMatrix((self.C * self.v).applyfunc(short))

    @cached_property
    def g(self) -> sympy.Matrix:
        """dU/dq: gravity, and springs where there are some."""
        return sympy.ImmutableMatrix([short(self.U.diff(x)) for x in self.q])

    @cached_property
    def T(self) -> sympy.Expr:
        """Kinetic energy."""
        return short((self.v.T * self.M * self.v)[0] / 2)

    def subs(self, values: Mapping[Any, Any]) -> "System":
        """The system with some parameters given, by symbol or name."""
        if not isinstance(values, Mapping):
            raise ShapeError(f"subs takes values by symbol or name, {{name: value}}; got {shortened(repr(values))}")
        moving = {*self.q, *self.v, *self.a}
        known = {p.name: p for p in self.parameters}
        put: dict[sympy.Symbol, sympy.Expr] = {}
        for key, value in values.items():
            if str(key) not in known:
                raise unknown("parameter", str(key), self.name, known)
            if not isinstance(value, sympy.Expr) or value.free_symbols & moving:
                value = number(f"subs: {key}", value, "a finite number or an expression of parameters", -LARGEST_FLOAT)
            put[known[str(key)]] = sympy.sympify(value)
        parts = (x.subs(put) for x in (self.M, self.U, self.friction, self.inputs))
        M, U, friction, inputs = parts
        return System(self.name, (list(self.q), list(self.v), list(self.a)), M, U, friction, inputs)

    def _repr_latex_(self) -> str | None:
        return bounded(self.M, self.U, write=lambda: self.latex("tau"))

    def __repr__(self) -> str:
        return f"System({self.name!r}, {len(self.q)} degrees of freedom: {', '.join(map(str, self.q))})"


def system_of(equations: Any) -> System:
    """Equations of a robot whose velocities are rates, as a system; one that is one already stays."""
    if isinstance(equations, System):
        return equations
    if not equations.state.velocities_are_rates:
        raise ShapeError(
            f"{equations.name}: its velocities are not rates of coordinates (a planar, spherical or floating body); "
            "describe the body by prismatic and revolute joints for this"
        )
    state = tuple(list(equations.state.symbols[name]) for name in "qva")
    return System(equations.name, state, equations.M, equations.U, equations.friction)  # type: ignore[arg-type]


def short(x: Any) -> sympy.Expr:
    """An equal expression, the shortest of what was tried."""
    x = sympy.sympify(x)
    if not x.args or x.count_ops() > LONG:
        return x
    expanded = sympy.expand(x)
    pairs = (sympy.sin, sympy.cos), (sympy.cos, sympy.sin)
    forms = [expanded, *(_without_squares(expanded, *pair) for pair in pairs)]
    shortest = min(forms, key=lambda form: len(sympy.Add.make_args(form)))
    return min([x, sympy.factor_terms(x), shortest, sympy.factor_terms(shortest)], key=sympy.count_ops)


def _without_squares(expanded: sympy.Expr, function: Any, other: Any) -> sympy.Expr:
    """The expression with 1 - cos² for sin², or the other way round."""
    squares = [p for p in expanded.atoms(sympy.Pow) if isinstance(p.base, function) and p.exp.is_Integer and p.exp > 1]
    put = {}
    for p in squares:
        pairs, one = divmod(int(p.exp), 2)
        put[p] = (1 - other(*p.base.args) ** 2) ** pairs * p.base**one
    return sympy.expand(expanded.xreplace(put)) if put else expanded
