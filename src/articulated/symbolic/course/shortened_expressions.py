"""SymPy expressions made shorter by cheap steps only: like terms collected, sin² + cos² merged."""

import random
from typing import Any

import sympy

ROUNDED, EXACT = 1e-12, 1e-30  # what is left of a sum that is zero, relative to its terms: of decimals, of fractions
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


def vanishes(x: Any) -> bool:
    """Whether an expression is zero for all values of its symbols: it is at ten random ones, to thirty digits."""
    terms = sympy.Add.make_args(sympy.expand(sympy.sympify(x)))
    symbols = sorted({s for term in terms for s in term.free_symbols}, key=lambda s: s.name)
    rounding = ROUNDED if any(term.has(sympy.Float) for term in terms) else EXACT
    rng = random.Random(1)
    for _ in range(10 if symbols else 1):
        at = {s: sympy.Float(rng.uniform(0.2, 1.4), 60) for s in symbols}
        values = [sympy.N(term.subs(at), 60) for term in terms]
        if abs(sum(values)) > rounding * sum(map(abs, values)):
            return False
    return True


def _without_squares(expanded: sympy.Expr, function: Any, other: Any) -> sympy.Expr:
    """With 1 - cos² for sin², or the other way round."""
    squares = [p for p in expanded.atoms(sympy.Pow) if isinstance(p.base, function) and p.exp.is_Integer and p.exp > 1]
    put = {}
    for p in squares:
        pairs, one = divmod(int(p.exp), 2)
        put[p] = (1 - other(*p.base.args) ** 2) ** pairs * p.base**one
    return sympy.expand(expanded.xreplace(put)) if put else expanded
