"""Results that a notebook shows with dots over q, and not at all where they would fill pages."""

from collections.abc import Callable
from typing import Any

import sympy


def notebook_latex(*names: str) -> Callable[[Any], str | None]:
    """The method `_repr_latex_` of a class with `latex()`; the attributes named decide whether it is too long."""

    def _repr_latex_(self: Any) -> str | None:
        from ..pages.notebook import bounded

        return bounded(*(getattr(self, name) for name in names), write=self.latex)

    return _repr_latex_


class NotebookMatrix(sympy.ImmutableDenseMatrix):
    """A matrix of SymPy like any other; what is computed with it is shown in the same way."""

    def _repr_latex_(self) -> str | None:
        from ..pages.latex import latex
        from ..pages.notebook import bounded

        return bounded(self, write=lambda: latex(self))
