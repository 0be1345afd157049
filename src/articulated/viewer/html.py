"""Tables, bars and maps as HTML that looks right on a light and on a dark page."""

import base64
from collections.abc import Sequence
from html import escape
from typing import Any

import numpy as np

from ..drawing.film import png
from ..text import shortened

BLUE, RED = np.array([42, 109, 176]), np.array([198, 66, 46])
INKS = ("#2a7fd0", "#d68f1c", "#3c9d66", "#d0503c", "#8a68c0", "#3fa9bd", "#9c7a50", "#d074a4")
#: numbers below this part of the largest are shown as zero
TINY = 1e-12
#: pixels of the longest bar, on either side of zero
WIDE = 34
STYLE = (
    "<style>.art{font-size:12px;line-height:1.4;overflow-x:auto;padding:0 8px}"
    ".art h4{margin:.8em 0 .25em;font-size:12px}"
    ".art table{border-collapse:collapse;font-variant-numeric:tabular-nums}.art td,.art th{padding:1px 5px;"
    "text-align:right;white-space:nowrap;font-weight:400}.art th,.art td.name{text-align:left;opacity:.75}"
    ".art .bar{display:inline-block;height:.7em}.art pre{font-size:11px;line-height:1.3;margin:0}"
    ".art table.dense{font-size:9.5px;letter-spacing:-.2px}.art table.dense td{padding:2px 2px}"
    ".art p{margin:.3em 0}.art .dim{opacity:.65}.art math{font-size:1.15em}"
    ".art .wrap td{white-space:normal;text-align:left}</style>"
)


def block(*parts: str) -> str:
    """A panel."""
    return f"<div class='art'>{STYLE}{''.join(parts)}</div>"


def shown(thing: Any) -> str:
    """HTML that a notebook shows of a thing, its long cells wrapped."""
    return f"<div class='wrap'>{thing._repr_html_()}</div>"


def name(text: object, longest: int = 28) -> str:
    """A name from a file: it only shows."""
    return escape(shortened(text, longest))


def number(x: float, scale: float = 1.0) -> str:
    """Four digits; rounding errors of `scale` as the zero they mean."""
    return "0" if abs(x) <= TINY * scale else f"{x:.4g}"


def table(rows: Sequence[Sequence[str]], headers: Sequence[str] = (), kind: str = "") -> str:
    """Cells are HTML already."""
    head = "<tr>" + "".join(f"<th>{h}</th>" for h in headers) + "</tr>" if headers else ""
    body = "".join("<tr>" + "".join(cell if cell[:3] == "<td" else f"<td>{cell}</td>" for cell in row) + "</tr>"
                   for row in rows)  # fmt: skip
    return f"<table class='{kind}'>{head}{body}</table>"


def bars(
    names: Sequence[str],
    values: Sequence[float],
    units: Sequence[str],
    groups: Sequence[object],
    key: str,
    scale: float,
) -> str:
    """A row for each value, with a bar to the left of zero or to the right, to one scale for each group and unit.

    Rounding errors of `scale` are zero.
    """
    most: dict[object, float] = {}
    for x, unit, group in zip(values, units, groups, strict=True):
        most[unit, group] = max(most.get((unit, group), 0.0), abs(x) if abs(x) > TINY * scale else 0.0)
    rows = []
    for k, (label, x, one, group) in enumerate(zip(names, values, units, groups, strict=True)):
        width = WIDE * min(1.0, abs(x) / (most[one, group] or np.inf))
        ink, left = ("#d0503c", WIDE - width) if x < 0 else ("#2a7fd0", WIDE)
        bar = f"<span class='bar' style='width:{width:.1f}px;margin-left:{left:.1f}px;background:{ink}'></span>"
        value = f"<td data-{key}='{k}' data-value='{x!r}'>{number(x, scale)}</td>"
        rows.append([f"<td class='name'>{name(label)}</td>", value, f"<td class='name'>{one}</td>",
                     f"<td style='text-align:left;width:{2 * WIDE}px'>{bar}</td>"])  # fmt: skip
    return table(rows)


# -- matrices ---------------------------------------------------------------------------------


def heat(M: np.ndarray) -> np.ndarray:
    """Red, green, blue and alpha of every entry, (..., 4) up to 255: blue for positive, red for negative.

    Linear up to a thousandth of the largest, logarithmic beyond.
    """
    sizes = np.abs(M)
    strength = np.clip(1 + np.log10(np.maximum(sizes / (sizes.max(initial=0.0) or 1.0), 1e-9)) / 3, 0.0, 1.0)
    return np.concatenate([np.where(M[..., None] < 0, RED, BLUE), 255 * 0.85 * strength[..., None]], axis=-1)


def matrix(M: np.ndarray, names: Sequence[str], key: str, numbered: int = 7) -> str:
    """A square matrix: a table with numbers if it is small, else a map; color says sign and order of magnitude."""
    most = float(abs(M).max()) if M.size else 0.0
    if len(M) > numbered:
        return picture(heat(M), f"{key}, {len(M)} × {len(M)}")
    rows, colors = [], heat(M)
    for i, row in enumerate(M):
        cells = [f"<td class='name'>{name(names[i], 12)}</td>"]
        for j, x in enumerate(row):
            red, green, blue, alpha = colors[i, j]
            style = f"background:rgba({red:.0f},{green:.0f},{blue:.0f},{alpha / 255 * 0.75:.2f})"
            cells.append(f"<td data-{key}='{i},{j}' data-value='{float(x)!r}' style='{style}'>{_short(x, most)}</td>")
        rows.append(cells)
    return table(rows, kind="dense")


def _short(x: float, most: float) -> str:
    """Two or three digits, without the zeros people do not write."""
    return "0" if abs(x) <= TINY * most else f"{x:.2g}".replace("e-0", "e-") if abs(x) < 1 else f"{x:.3g}"


def picture(pixels: np.ndarray, title: str) -> str:
    """(rows, columns, 4) from 0 to 255 as an image of large dots."""
    coded = base64.b64encode(png([pixels.astype(np.uint8)], 0.0)).decode()
    style = "width:100%;max-width:340px;image-rendering:pixelated;border:1px solid rgba(128,128,128,.3)"
    return f"<img alt='{escape(title)}' style='{style}' src='data:image/png;base64,{coded}'>"


def legend(names: Sequence[str], values: np.ndarray, units: Sequence[str]) -> str:
    """A row for each curve: its color, name and value."""
    return table([
        [f"<td class='name'><span style='color:{INKS[i % len(INKS)]}'>■</span> {name(label, 24)}</td>",
         f"<td data-line='{i}' data-value='{float(x)!r}'>{number(float(x))}</td>",
         f"<td class='name'>{escape(unit)}</td>"]
        for i, (label, x, unit) in enumerate(zip(names, values, units, strict=True))
    ])  # fmt: skip
