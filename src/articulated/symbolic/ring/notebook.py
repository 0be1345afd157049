"""Formulas in notebooks, with dots over q; none that fills pages or takes long to typeset."""

import re
import sys
from collections.abc import Callable
from typing import Any, TypeVar

import sympy

Kind = TypeVar("Kind", bound=type)
MOST = 1500  # operations
LETTERS = 20_000  # of LaTeX
RATE = re.compile(r"qdd?_(r|ref)?[0-9]+")


def bounded(*parts: Any, write: Callable[[], str]) -> str | None:
    """The formula between dollars; None where it is too long: then the notebook shows the line of `repr`."""
    if sum(_operations(x) for x in parts) > MOST:
        return None
    text = write()
    return f"$${text}$$" if len(text) <= LETTERS else None


def formula(*fields: str) -> Callable[[Kind], Kind]:
    """Class decorator: a notebook shows `latex()`, unless the fields named have too many operations."""

    def shown(self: Any) -> str | None:
        return bounded(*(getattr(self, name) for name in fields), write=self.latex)

    def decorated(kind: Kind) -> Kind:
        kind._repr_latex_ = shown  # type: ignore[attr-defined]
        return kind

    return decorated


def _operations(x: Any) -> int:
    if isinstance(x, (list, tuple, sympy.MatrixBase)):
        return sum(map(_operations, x))
    return int(sympy.count_ops(x))


class NotebookMatrix(sympy.ImmutableDenseMatrix):
    """A matrix of SymPy like any other; what is computed with it is shown in the same way."""

    def _repr_latex_(self) -> str | None:
        from ..pages.latex import latex

        return bounded(self, write=lambda: latex(self))

    def _plainly(self, printer: Any) -> str:
        """As SymPy writes its own matrices: printers of code name the class, which no reader knows."""
        return str(printer._print(self.as_mutable()))

    _pythoncode = _mpmathcode = _lambdacode = _sympyrepr = _plainly


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
    from ..pages.document import aligned
    from ..pages.latex import latex

    if not any(RATE.fullmatch(s.name) for s in expression.free_symbols):
        return expression._repr_latex_()
    if isinstance(expression, sympy.MatrixBase):
        return bounded(expression, write=lambda: latex(expression))
    return bounded(expression, write=lambda: aligned([("", expression)]))
