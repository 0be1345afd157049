"""SymPy expressions made shorter by cheap steps only: like terms collected, sin² + cos² merged."""

from typing import Any

import sympy

LONG = 300  # operations beyond which an expression stays as it is


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
