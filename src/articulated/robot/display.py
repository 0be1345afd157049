"""A robot as people look at it: its tree as text, its parts as HTML for a notebook.

Names come from files and may hold anything; here everything that shows one writes it out or escapes it.
"""

import html
from collections.abc import Sequence
from typing import Any

from ..model import Model
from ..model.report import Report
from ..text import MOST_ROWS, html_table, shortened


def tree_lines(model: Model) -> list[str]:
    """One line per link, indented below the link that carries it, with its joint."""
    children: dict[str | None, list[Any]] = {}
    for link in model.links:
        children.setdefault(link.parent, []).append(link)
    lines: list[str] = []
    stack = [(link, "", "", "") for link in reversed(children[None])]
    while stack:
        link, before, branch, below = stack.pop()
        lines.append(f"{before}{branch}{_link_text(link)}")
        own = children.get(link.name, [])
        inside = before + below
        rows = [(k, inside, "├─ ", "│  ") for k in own[:-1]] + [(k, inside, "└─ ", "   ") for k in own[-1:]]
        stack.extend(reversed(rows))
    return lines


def _link_text(link: Any) -> str:
    name = shortened(link.name)
    mass = number(link.inertia.mass)
    weight = f" {mass} kg" if mass != "0" else ""
    if not link.joint.nv:
        return f"{name}{weight}" + ("" if link.parent is None else " (fixed)")
    follows = f", follows {shortened(link.joint.mimic.joint)}" if link.joint.mimic else ""
    return f"{name}{weight} ({link.joint.kind} {shortened(link.joint.name or link.name)}{follows})"


def number(x: Any) -> str:
    """A number as a person writes it; a symbol as it is."""
    return f"{x:.6g}" if isinstance(x, (int, float)) else shortened(x)


def joint_rows(model: Model) -> list[list[str]]:
    """joint, kind, body, axis, lower, upper, velocity, effort, mass of the body; one row per moving body."""
    rows = []
    for b in model.bodies:
        shown = " ".join(number(x) for x in getattr(b.joint, "axis", ()))
        limits = [number(x) for x in b.joint.limits]
        rows.append([shortened(b.joint.name), b.joint.kind, shortened(b.name), shown, *limits, number(b.inertia.mass)])
    return rows


JOINT_HEADERS = ["joint", "kind", "body", "axis", "lower", "upper", "velocity", "effort", "mass"]


def robot_html(model: Model) -> str:
    """The robot for a notebook: what it is, its tree, its joints and masses, and what its file gets wrong."""
    head = f"<b>{html.escape(shortened(model.name))}</b>: {len(model.bodies)} bodies, nq = {model.nq}, nv = {model.nv}"
    parts = [
        f"<div class='articulated'><p>{head}</p>",
        _folded("tree", f"<pre>{html.escape(_cut(tree_lines(model)))}</pre>"),
        _folded("joints", html_table(JOINT_HEADERS, joint_rows(model))),
    ]
    if model.report:
        report = Report(model.report)
        parts.append(_folded(f"{len(report)} findings", report._repr_html_(), open_=True))
    return "".join([*parts, "</div>"])


def _cut(lines: Sequence[str]) -> str:
    more = len(lines) - MOST_ROWS
    return "\n".join([*lines[:MOST_ROWS], *([f"… and {more} more"] if more > 0 else [])])


def _folded(title: str, body: str, open_: bool = False) -> str:
    return f"<details{' open' if open_ else ''}><summary>{title}</summary>{body}</details>"
