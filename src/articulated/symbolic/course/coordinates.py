"""Other coordinates for the same robot: q = f(p), and everything Lagrange's equations make of that."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import sympy

from ...errors import ModelError, ShapeError, unknown
from ...text import shortened
from ..ring.letters import rates
from ..ring.signs import vanishes
from .system import System, short, system_of


class Changed(System):
    """A system in new coordinates p; `old` says what q is in them, `jacobian` is dq/dp.

    The generalized forces are those of p: jacobianᵀ tau, the same power.  Where `determinant` vanishes p is no
    coordinate, and the equations say nothing.
    """

    old: dict[sympy.Symbol, sympy.Expr]
    jacobian: sympy.Matrix
    determinant: sympy.Expr


def change(equations: Any, old: Any) -> Changed:
    """`old` gives each q by the new coordinates, {"q_2": p_2 - p_1}, or is "absolute"."""
    system = system_of(equations)
    given = absolute_angles(equations) if isinstance(old, str) and old == "absolute" else old
    put = _put(system, given)
    new = tuple(sorted({s for x in put.values() for s in x.free_symbols} - set(system.parameters), key=_natural))
    v, a = rates(new, 1), rates(new, 2)
    _refuse_clashes(system, (*new, *v, *a))
    if len(new) != len(system.q):
        raise ShapeError(
            f"change: {len(system.q)} coordinates need as many new ones; these expressions have {len(new)}: "
            f"{', '.join(map(str, new)) or 'none'}"
        )
    jacobian = sympy.Matrix([put[x] for x in system.q]).jacobian(sympy.Matrix(new))
    determinant = short(jacobian.det())
    if vanishes(determinant):
        raise ModelError("change: the new coordinates depend on each other; their Jacobian is singular everywhere")
    velocities = dict(zip(system.v, jacobian * sympy.Matrix(v), strict=True))
    everything = {**put, **velocities}
    M = jacobian.T * system.M.subs(put, simultaneous=True) * jacobian
    friction = jacobian.T * system.friction.subs(everything, simultaneous=True)
    inputs = jacobian.T * system.inputs
    found = Changed(system.name, (new, v, a), M, system.U.subs(put, simultaneous=True), friction, inputs)
    found.old, found.jacobian, found.determinant = put, sympy.ImmutableMatrix(jacobian), determinant
    return found


def absolute_angles(equations: Any) -> dict[sympy.Symbol, sympy.Expr]:
    """Absolute angles along chains of parallel axes: p_k = q_1 + … + q_k."""
    q = list(equations.state.symbols["q"])
    before: dict[sympy.Symbol, tuple[sympy.Expr, int]] = {}
    for run in equations.state.runs:
        for k in range(1, len(run)):
            angle = run[k] if run[k].is_Symbol else -run[k]
            before[angle] = (sum(run[:k]), 1 if run[k].is_Symbol else -1)
    if not before:
        raise ModelError(f"{equations.name} has no joints with parallel axes: there are no angles to add")
    p = {x: sympy.Symbol(f"p_{k + 1}", real=True) for k, x in enumerate(q)}
    # the sum up to a joint is that joint's new coordinate; the first of a run keeps its angle
    sums = {x: p[x] for x in q if x not in before}
    for x in (x for x in q if x in before):
        rest, sign = before[x]
        last = max(rest.free_symbols, key=q.index)
        sums[x] = sign * (p[x] - p[last])
    return sums


def _put(system: System, old: Any) -> dict[sympy.Symbol, sympy.Expr]:
    if not isinstance(old, Mapping):
        raise ShapeError(
            "change takes the old coordinates by the new ones, {'q_1': p_1, 'q_2': p_2 - p_1}, or 'absolute'; "
            f"got {shortened(repr(old))}"
        )
    known = {x.name: x for x in system.q}
    put: dict[sympy.Symbol, sympy.Expr] = {}
    for key, value in old.items():
        if str(key) not in known:
            raise unknown("coordinate", str(key), system.name, known)
        if not isinstance(value, sympy.Expr):
            raise ShapeError(f"change: {key} is an expression of new coordinates; got {shortened(repr(value))}")
        put[known[str(key)]] = value
    kept = {name: x for name, x in known.items() if x not in put}
    for name in kept:
        raise ShapeError(f"change: {name} is missing; write {{{name!r}: {name}}} with a new letter for it")
    moving = {s.name for s in (*system.q, *system.v, *system.a)}
    for key, value in put.items():
        if taken := sorted({s.name for s in value.free_symbols} & moving):
            raise ModelError(f"change: {key} = {value} uses {', '.join(taken)}, a letter of the old state")
    return put


def _refuse_clashes(system: System, state: Sequence[sympy.Symbol]) -> None:
    """Refuse symbols of one name and different assumptions, which SymPy distinguishes and a reader does not."""
    names = Counter(s.name for s in state)
    for s in state:
        if names[s.name] > 1:
            raise ModelError(f"change: {s.name!r} would stand for two things; call one of them something else")
        if s.name in {p.name for p in system.parameters}:
            raise ModelError(
                f"change: {s.name!r} is a parameter of {system.name}; call the new coordinate something else, or write "
                f"eq.symbol({s.name!r}) if the parameter is meant"
            )


def _natural(symbol: sympy.Symbol) -> tuple:
    head, _, index = symbol.name.partition("_")
    return head, int(index) if index.isdigit() else 0, index
