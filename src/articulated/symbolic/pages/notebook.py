"""Formulas that a notebook shows by itself: none that fills pages, or takes long to write."""

import re
import sys
from collections.abc import Callable
from typing import Any

import sympy

MOST = 1500  # operations
LETTERS = 20_000  # of LaTeX
RATE = re.compile(r"qdd?_(r|ref)?[0-9]+")


def bounded(*parts: Any, write: Callable[[], str]) -> str | None:
    """The formula between dollars; None where it is too long: then the notebook shows the line of `repr`."""
    if sum(_operations(x) for x in parts) > MOST:
        return None
    text = write()
    return f"$${text}$$" if len(text) <= LETTERS else None


def _operations(x: Any) -> int:
    entries = x if isinstance(x, sympy.MatrixBase) else [x]
    return sum(int(sympy.count_ops(entry)) for entry in entries)


def show_dots() -> None:
    """Let a notebook show SymPy expressions that hold our rates with dots, whatever they were computed with.

    They are plain SymPy, whose `_repr_latex_` would write qd_1.  IPython asks its own table of types before that;
    outside of IPython there is nothing to do.
    """
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    if shell is None:
        return
    latex = shell.display_formatter.formatters["text/latex"]
    for kind in (sympy.Expr, sympy.MatrixBase):
        if latex.type_printers.get(kind) is not _shown:
            latex.for_type(kind, _shown)


def _shown(expression: Any) -> str | None:
    """LaTeX with dots where the expression holds rates; anything else as SymPy shows it."""
    from .document import aligned
    from .latex import latex

    if not any(RATE.fullmatch(s.name) for s in expression.free_symbols):
        return expression._repr_latex_()
    if isinstance(expression, sympy.MatrixBase):
        return bounded(expression, write=lambda: latex(expression))
    return bounded(expression, write=lambda: aligned([("", expression)]))
