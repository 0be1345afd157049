"""A configuration at which equations are looked at: numbers or expressions, in a list or by symbol."""

from collections.abc import Mapping, Sequence
from typing import Any

import sympy

from ...errors import unknown
from ...inputs.numbers import numbers


def coordinates(what: str, symbols: Sequence[sympy.Symbol], given: Any) -> list[sympy.Expr]:
    """Coordinates as expressions: all in order, or some by symbol or name, the others zero.  Text is not evaluated."""
    names = list(map(str, symbols))
    if isinstance(given, Mapping):
        by_name = {str(key): x for key, x in given.items()}
        for name in by_name.keys() - set(names):
            raise unknown("coordinate", name, what, names)
        given = [by_name.get(name, 0) for name in names]
    return [sympy.sympify(x) for x in numbers(what, given, len(names))]
