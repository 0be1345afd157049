"""What a notebook shows by itself: nothing that would fill pages, or take long to write."""

from collections.abc import Callable
from typing import Any

import sympy

MOST = 1500  # operations
LETTERS = 20_000  # of LaTeX


def bounded(*parts: Any, write: Callable[[], str]) -> str | None:
    """The formula between dollars; None where it is too long: then the notebook shows the line of `repr`."""
    if sum(_operations(x) for x in parts) > MOST:
        return None
    text = write()
    return f"$${text}$$" if len(text) <= LETTERS else None


def _operations(x: Any) -> int:
    entries = x if isinstance(x, sympy.MatrixBase) else [x]
    return sum(int(sympy.count_ops(entry)) for entry in entries)
