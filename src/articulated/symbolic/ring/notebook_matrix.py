"""A matrix that a notebook shows with dots over q, and not at all where it would fill pages."""

import sympy


class NotebookMatrix(sympy.ImmutableDenseMatrix):
    """A matrix of SymPy like any other; what is computed with it is shown in the same way."""

    def _repr_latex_(self) -> str | None:
        from ..pages.latex import latex
        from ..pages.notebook import bounded

        return bounded(self, write=lambda: latex(self))
