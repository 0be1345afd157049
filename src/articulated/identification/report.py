"""The report of an identification, as text and as a page: sentences, tables, pictures of torques."""

from __future__ import annotations  # help shows types as they are written here

import html
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..robot.arguments.state_names import component_names, component_units
from ..text import aligned, counted, html_block, html_table, shortened
from .joint_terms import term_names, term_units
from .showing import advice

if TYPE_CHECKING:
    from .result import Identification

#: samples of a picture, and its size
MOST, WIDTH, HEIGHT = 1000, 620, 150
#: correlations that are shown
STRONG = 0.7


class Table(NamedTuple):
    """Names of columns, and rows of text."""

    headers: Sequence[str]
    rows: Sequence[Sequence[str]]


def sentences(result: Identification) -> list[str]:
    """Sentences on how well the model predicts, and what is doubtful."""
    lines = [f"{result.source.name}: {result.rows} torques, {counted(len(result.unknown), 'unknown')}"]
    lines += [
        f"left of the torque: {result.relative_residual:.3%}; as described it was {result.described_residual:.3%}"
    ]
    if result.held_out is not None:
        lines += [f"predicted from other parts of the log: {result.held_out_residual:.3%}"]
    lines += result.findings
    return [*lines, "every link is physically consistent" if result.consistent else "some links are not"]


def tables(result: Identification) -> Iterator[Table]:
    """Residuals by joint, terms and gains of the joints, base parameters."""
    base, robot = result.base, result.source
    rows = zip(result.residuals, result.torque, result.before, result.rms, strict=True)
    yield Table(
        ["joint", "torque rms", "left before", "left now"],
        [[shortened(joint), *(f"{x:.4g}" for x in numbers)] for joint, *numbers in rows],
    )
    if result.gains is not None:
        named = zip(component_names(robot.model, "v"), result.gains, strict=True)
        yield Table(["drive", "torque per current"], [[shortened(name), f"{x:.5g}"] for name, x in named])
    if result.terms:
        units = dict(zip(term_names(robot, result.terms), term_units(robot, result.terms), strict=True))
        first = len(robot.parameters)
        found = zip(result.names[first:], result.unknown[10 * result.sought.bodies :], result.std[first:], strict=True)
        rows_ = [[shortened(n), f"{x:.4g}", f"{s:.2g}", units[n]] for n, x, s in found]
        yield Table(["joint term", "value", "std", "unit"], rows_)
    if result.sought.bodies:
        compared = zip(base.names, base.values, base.std, result.plan.base.values, _partners(result), strict=True)
        rows_ = [[shortened(n), f"{x:.4g}", f"{s:.2g}", f"{was:.4g}", other] for n, x, s, was, other in compared]
        yield Table(["base parameter", "value", "std", "as described", "correlated with"], rows_)


def _partners(result: Identification) -> list[str]:
    """The strongest correlation of each base parameter, if it is strong."""
    C = np.array(result.base.correlations)
    np.fill_diagonal(C, 0.0)
    best = abs(C).argmax(axis=1) if len(C) else np.zeros(0, int)
    each = [(result.base.names[k], C[i, k]) for i, k in enumerate(best.tolist())]
    return [f"{shortened(name)} ({x:+.2f})" if abs(x) > STRONG else "" for name, x in each]


def text(result: Identification) -> str:
    """The report for a terminal."""
    parts = [line for table in tables(result) for line in ("", *aligned(list(table.headers), table.rows))]
    return "\n".join([*sentences(result), *parts, *(["", *advice(result)] if result.unseen else [])])


def page(result: Identification) -> str:
    """The report as HTML that needs nothing else."""
    said = [f"<p>{html.escape(line)}</p>" for line in sentences(result)]
    hints = [f"<li>{html.escape(line)}</li>" for line in (advice(result) if result.unseen else ())]
    shown = [html_table(table.headers, table.rows) for table in tables(result)]
    title = f"Identification of {html.escape(shortened(result.source.name))}"
    lists = ["<h2>What this log does not show</h2><ul>", *hints, "</ul>"] if hints else []
    body = html_block(f"<h1>{title}</h1>", *said, *_pictures(result), "<h2>Numbers</h2>", *shown, *lists)
    head = f"<meta charset='utf-8'><title>{title}</title><style>body{{font-family:sans-serif;margin:2em}}</style>"
    return f"<!doctype html><html><head>{head}</head><body>{body}</body></html>"


def _pictures(result: Identification) -> list[str]:
    """Measured (gray), predicted (blue) and what is left (red), by joint; Normals hold no samples."""
    if result.samples is None:
        return []
    every = max(1, -(-len(result.samples["q"]) // MOST))
    part = {name: x[::every] for name, x in result.samples.items()}
    found = result._predicted(part)
    out = ["<h2>Torques: measured gray, predicted blue, the difference red</h2>"]
    for k, name in enumerate(component_names(result.source.model, "tau")):
        curves = [part["tau"][:, k], found[:, k], part["tau"][:, k] - found[:, k]]
        most = max(float(np.abs(curve).max(initial=0.0)) for curve in curves) or 1.0
        lines = "".join(_line(y / most, c) for y, c in zip(curves, ("#999", "#1f77b4", "#d62728"), strict=True))
        label = f"{html.escape(shortened(name))} (up to {most:.3g} {component_units(result.source.model, 'tau')[k]})"
        out.append(f"<p>{label}</p><svg viewBox='0 0 {WIDTH} {HEIGHT}' width='{WIDTH}'>{lines}</svg>")
    return out


def _line(y: NDArray[np.floating], color: str) -> str:
    """A curve within ±1."""
    x = np.linspace(0, WIDTH, len(y))
    points = " ".join(f"{a:.1f},{b:.1f}" for a, b in zip(x, HEIGHT / 2 * (1 - 0.95 * y), strict=True))
    return f"<polyline points='{points}' fill='none' stroke='{color}' stroke-width='0.8'/>"
