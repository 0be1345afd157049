"""A configuration at which equations are looked at: numbers or expressions, in a list or by symbol."""

from collections.abc import Mapping, Sequence
from numbers import Real
from typing import Any

import numpy as np
import sympy

from ...errors import ShapeError
from ...text import shortened


def coordinates(what: str, symbols: Sequence[sympy.Symbol], given: Any) -> list[sympy.Expr]:
    """Coordinates as expressions: all in order, or some by symbol or name, the others zero.  Text is not evaluated."""
    names = list(map(str, symbols))
    values = _by_name(names, given)
    if values is None or not all(map(_is_real, values.values())):
        raise ShapeError(
            f"{what} is {len(names)} numbers or expressions, or a dict of some of {', '.join(names)}; "
            f"got {shortened(repr(given))}"
        )
    return [sympy.sympify(values.get(name, 0)) for name in names]


def _by_name(names: list[str], given: Any) -> dict[str, Any] | None:
    if isinstance(given, Mapping):
        values = {str(key): x for key, x in given.items()}
        return values if values.keys() <= set(names) else None
    listed = isinstance(given, (list, tuple, sympy.MatrixBase)) or (isinstance(given, np.ndarray) and given.ndim == 1)
    return dict(zip(names, given, strict=True)) if listed and len(given) == len(names) else None


def _is_real(x: Any) -> bool:
    """True for a finite real number, or an expression that may be one."""
    if not isinstance(x, (sympy.Expr, Real)) or isinstance(x, bool):
        return False
    found = sympy.sympify(x)
    return not found.has(sympy.nan) and found.is_finite is not False and found.is_real is not False
