"""SymPy expressions as scalars of the recursions."""

from typing import Any

import sympy

from ...algebra.scalars import Array, array, atan2, cos, is_zero, select, sign, sin, sqrt

sin.register(sympy.Expr, sympy.sin)
cos.register(sympy.Expr, sympy.cos)
sqrt.register(sympy.Expr, sympy.sqrt)
atan2.register(sympy.Expr, sympy.atan2)
sign.register(sympy.Expr, sympy.sign)
is_zero.register(sympy.Expr, lambda x: x.is_zero is True)


@select.register(sympy.logic.boolalg.Boolean)
def _(condition: Any, yes: Any, no: Any) -> Any:
    return sympy.Piecewise((yes, condition), (no, True))


def symbols_of(model: Any, names: str = "q v a") -> list[Array]:
    """Vectors of real symbols for a state: q_1 …, v_1 …, a_1 … by default."""
    sizes = {"q": model.nq}
    return [
        array([sympy.Symbol(f"{name}_{k + 1}", real=True) for k in range(sizes.get(name, model.nv))])
        for name in names.split()
    ]
