"""Descriptions that are no numbers and no symbols, and which row is to blame."""

from collections.abc import Iterable
from typing import Any

import numpy as np
import sympy

from ..errors import ModelError
from ..model import Model

UNDEFINED = (sympy.nan, sympy.zoo, sympy.oo, -sympy.oo)


def refuse_nonsense(model: Model) -> None:
    """Lengths, inertias and gravity must be finite real numbers, or symbols."""
    for b in model.bodies:
        row = f"row {b.index} (link {b.name!r}): its"
        _refuse(f"{row} placement", [*b.placement.R.ravel(), *b.placement.p])
        _refuse(f"{row} tail", [*b.tail.R.ravel(), *b.tail.p])
        _refuse(f"{row} inertia", [b.inertia.mass, *b.inertia.first, *b.inertia.second.ravel()])
    _refuse("the gravity", model.gravity)


def _refuse(what: str, entries: Iterable[Any]) -> None:
    for x in entries:
        if not isinstance(x, (int, float, np.number, sympy.Expr)):
            raise ModelError(f"{what} holds {x!r}, no number and no symbol")
        if isinstance(x, sympy.Expr) and (x.has(*UNDEFINED) or x.is_real is False):
            raise ModelError(f"{what} holds {x}; give it a real value or a symbol")
        if not isinstance(x, sympy.Expr) and not np.isfinite(x):
            raise ModelError(f"{what} holds {x}; give it a value or a symbol")
