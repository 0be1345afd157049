"""Names come from files and may hold anything: here they become text that only shows."""

import html
import unicodedata
from collections.abc import Sequence

LONGEST_NAME = 80
#: invisible characters: controls, formats (also those that turn the writing direction), halves of pairs, unassigned
UNSEEN = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")


def chain_of(names: Sequence[str]) -> str:
    """Names that lead from one to the next; of a long chain its ends."""
    return " → ".join(names if len(names) <= 20 else [*names[:10], "…", *names[-9:]])


def plain(text: object) -> str:
    """`text` with every invisible character written out, so that a terminal shows it and does nothing else."""
    shown = str(text)
    if shown.isascii() and shown.isprintable():
        return shown
    return "".join(_written(c) if unicodedata.category(c) in UNSEEN else c for c in shown)


def _written(character: str) -> str:
    return character.encode("unicode_escape").decode()


def shortened(text: object, longest: int = LONGEST_NAME) -> str:
    """`plain` text that fits on a line."""
    shown = plain(text)
    return shown if len(shown) <= longest else f"{shown[: longest - 1]}…"


MOST_ROWS = 200  # of a table in a notebook


def html_table(headers: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table for a notebook; whatever the cells hold is only shown."""

    def row(cells: Sequence[str], tag: str) -> str:
        return "<tr>" + "".join(f"<{tag}>{html.escape(cell)}</{tag}>" for cell in cells) + "</tr>"

    more = f"<p>… and {len(rows) - MOST_ROWS} more</p>" if len(rows) > MOST_ROWS else ""
    return f"<table>{row(headers, 'th')}{''.join(row(r, 'td') for r in rows[:MOST_ROWS])}</table>{more}"


def aligned(headers: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """The lines of a table, its columns aligned."""
    widths = [max(map(len, column)) for column in zip(headers, *rows, strict=True)]
    table = [list(headers), *rows]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in table]
