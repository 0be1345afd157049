"""Names come from files and may hold anything: here they become text that only shows."""

import html
import re
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


#: colours of a notebook's own theme, light or dark; lines and marks that show on both
STYLE = (
    "<style>.articulated{color:inherit;font-size:13px;line-height:1.45}"
    ".articulated p{margin:.3em 0}.articulated summary{cursor:pointer;margin:.3em 0}"
    ".articulated table{border-collapse:collapse;background:transparent;color:inherit;margin:.3em 0}"
    ".articulated th,.articulated td{background:transparent;color:inherit;text-align:left;padding:.15em .8em .15em 0;"
    "border:0;border-bottom:1px solid rgba(128,128,128,.35);vertical-align:top}"
    ".articulated th{font-weight:600;border-bottom:1px solid rgba(128,128,128,.8)}"
    ".articulated td.number{text-align:right;font-variant-numeric:tabular-nums}"
    ".articulated td.error{color:#d9534f}.articulated td.warning{color:#c98a00}.articulated td.note{color:#3a8fb7}"
    ".articulated pre{background:transparent;color:inherit;margin:.3em 0;line-height:1.25}</style>"
)
SEVERITIES = ("error", "warning", "note")
NUMBER = re.compile(r"[-+]?[\d.]+(e[-+]?\d+)?( [a-z]+(/[a-z]+)?²?| N m| N)?", re.IGNORECASE)


def html_block(*parts: str) -> str:
    """What a notebook shows of one thing."""
    return "".join(["<div class='articulated'>", STYLE, *parts, "</div>"])


def html_table(headers: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table for a notebook; whatever the cells hold is only shown."""

    def row(cells: Sequence[str], tag: str) -> str:
        return "<tr>" + "".join(f"<{tag}{_kind(cell, tag)}>{html.escape(cell)}</{tag}>" for cell in cells) + "</tr>"

    more = f"<p>… and {len(rows) - MOST_ROWS} more</p>" if len(rows) > MOST_ROWS else ""
    return f"<table>{row(headers, 'th')}{''.join(row(r, 'td') for r in rows[:MOST_ROWS])}</table>{more}"


def _kind(cell: str, tag: str) -> str:
    """Numbers stand on the right; findings have the colour of how bad they are."""
    if tag == "td" and cell in SEVERITIES:
        return f" class='{cell}'"
    return " class='number'" if tag == "td" and NUMBER.fullmatch(cell) else ""


def aligned(headers: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """The lines of a table, its columns aligned."""
    widths = [max(map(len, column)) for column in zip(headers, *rows, strict=True)]
    table = [list(headers), *rows]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in table]
