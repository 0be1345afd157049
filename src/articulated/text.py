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


def shortened_path(path: object, longest: int = LONGEST_NAME) -> str:
    """`plain` text of a path, or a place in a file, that fits on a line: its end names the file and the line."""
    shown = plain(path)
    return shown if len(shown) <= longest else f"…{shown[1 - longest :]}"


MOST_ROWS = 200  # of a table in a notebook


#: colors of a notebook's own theme, light or dark; a notebook that is not trusted drops it, and nothing is lost
STYLE = (
    "<style>.articulated{color:inherit;font-size:13px;line-height:1.45}"
    ".articulated p{margin:.3em 0}.articulated summary{cursor:pointer;margin:.3em 0}"
    ".articulated table{border-collapse:collapse;background:transparent;color:inherit;margin:.3em 0}"
    ".articulated ul{margin:.3em 0;padding-left:1.6em}"
    ".articulated th,.articulated td{background:transparent;padding:.15em .8em .15em 0;"
    "border:0;border-bottom:1px solid rgba(128,128,128,.35)}"
    ".articulated th{font-weight:600;border-bottom:1px solid rgba(128,128,128,.8)}"
    ".articulated td{font-variant-numeric:tabular-nums}"
    ".articulated pre{background:transparent;color:inherit;margin:.3em 0;line-height:1.25}</style>"
)
#: in colors that read on white as on black
SEVERITIES = {"error": "#d94841", "warning": "#a97400", "note": "#2b82ad"}
#: on every cell: it is stronger than a notebook's own rules, which put text to the right
PLACED = "text-align:{};vertical-align:top{}"
NUMBER = re.compile(r"[-+]?[\d.]+(e[-+]?\d+)?( [a-z]+(/[a-z]+)?²?| N m| N)?", re.IGNORECASE)


def html_block(*parts: str) -> str:
    """One object as HTML for a notebook."""
    return "".join(["<div class='articulated'>", STYLE, *parts, "</div>"])


def html_table(headers: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table for a notebook; whatever the cells hold is only shown.  Columns of numbers stand on the right."""
    numbers = [all(NUMBER.fullmatch(cell) or not cell for cell in column) for column in zip(*rows, strict=True)]

    def row(cells: Sequence[str], tag: str) -> str:
        places = numbers or [False] * len(cells)
        return f"<tr>{''.join(_cell(cell, tag, right) for cell, right in zip(cells, places, strict=True))}</tr>"

    more = f"<p>… and {len(rows) - MOST_ROWS} more</p>" if len(rows) > MOST_ROWS else ""
    return f"<table>{row(headers, 'th')}{''.join(row(r, 'td') for r in rows[:MOST_ROWS])}</table>{more}"


def _cell(text: str, tag: str, right: bool) -> str:
    """A finding has the color of how bad it is."""
    color = f";color:{SEVERITIES[text]}" if tag == "td" and text in SEVERITIES else ""
    style = PLACED.format("right" if right else "left", color)
    return f"<{tag} style='{style}'>{html.escape(text)}</{tag}>"


def html_findings(findings: Sequence[str], none: str) -> str:
    """Findings as an HTML list; `none` if there are none."""
    if not findings:
        return f"<p>{html.escape(none)}</p>"
    shown = "".join(f"<li>{html.escape(text)}</li>" for text in findings[:MOST_ROWS])
    more = f"<p>… and {len(findings) - MOST_ROWS} more</p>" if len(findings) > MOST_ROWS else ""
    return f"<p><b>Findings</b></p><ul>{shown}</ul>{more}"


def html_folded(title: str, body: str, open_: bool = False) -> str:
    """A part of a block that opens at a click."""
    return f"<details{' open' if open_ else ''}><summary>{html.escape(title)}</summary>{body}</details>"


def counted(n: int, one: str, many: str = "") -> str:
    """`1 body`, `2 bodies`."""
    return f"{n} {one if n == 1 else many or f'{one}s'}"


def aligned(headers: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """The lines of a table, its columns aligned."""
    widths = [max(map(len, column)) for column in zip(headers, *rows, strict=True)]
    table = [list(headers), *rows]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in table]
