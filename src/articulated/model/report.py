"""Findings about a robot's description, as a table in a terminal and in a notebook."""

from typing import Any

from ..errors import Diagnostic
from ..text import SEVERITIES, aligned, counted, html_block, html_table, shortened

HEADERS = ["", "code", "place", "finding", "fix"]


class Report(tuple[Diagnostic, ...]):
    """The findings of a reader, in their order; prints as a table, and shows as one in a notebook.

    Parameters
    ----------
    iterable : the findings, as art.Diagnostic

    Examples
    --------
    >>> art.load("panda").report
    no findings
    """

    def count(self, severity: Any) -> int:
        """Number of findings that are errors, warnings or notes; as for any tuple, of anything else.

        Parameters
        ----------
        severity : "error", "warning" or "note", or a Diagnostic

        Returns
        -------
        a whole number

        Examples
        --------
        >>> art.load("panda").report.count("warning")
        0
        """
        return sum(d.severity == severity for d in self) if isinstance(severity, str) else super().count(severity)

    @property
    def summary(self) -> str:
        """`2 warnings and 1 note`."""
        counts = ((kind, self.count(kind)) for kind in SEVERITIES)
        return " and ".join(counted(n, kind) for kind, n in counts if n) or "no findings"

    def __repr__(self) -> str:
        return "\n".join([self.summary, *aligned(HEADERS, _rows(self))] if self else [self.summary])

    __str__ = __repr__

    def _repr_html_(self) -> str:
        """Table for a notebook, errors first."""
        return html_block(f"<p>{self.summary}</p>", html_rows(self) if self else "")


def html_rows(report: Report) -> str:
    """The findings as a table of HTML, the worst first."""
    order = list(SEVERITIES)
    return html_table(HEADERS, sorted(_rows(report), key=lambda row: order.index(row[0])))


def _rows(report: Report) -> list[list[str]]:
    """The findings as text, for a table; names from files are made inert."""
    return [[d.severity, d.code, shortened(d.place), shortened(d.text, 300), d.fix] for d in report]
