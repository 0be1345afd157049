"""A robot as people look at it: its tree as text, its parts as HTML for a notebook.

Names come from files and may hold anything; here everything that shows one writes it out or escapes it.
"""

import html
from collections.abc import Mapping
from math import inf
from typing import Any

from ..algorithms.configuration import Range, ranges
from ..joints import Joint
from ..joints.data import units
from ..model import Body, Model
from ..model.findings import Report, html_rows
from ..text import MOST_ROWS, aligned, counted, html_block, html_folded, html_table, shortened

SHOWN = 20  # names in a line


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


JOINT_HEADERS = ["joint", "kind", "body", "axis", "q", "unit", "lower", "upper", "velocity", "effort", "mass kg"]


def joint_rows(model: Model) -> list[list[str]]:
    """A row per moving body, as JOINT_HEADERS say; limits are those of `robot.limits`, of a follower its own."""
    rows, found = [], _ranges(model)
    for b in model.bodies:
        axis = " ".join(number(x) for x in getattr(b.joint, "axis", ()))
        unit, speed, force = (_units(b.joint, name) for name in ("q", "v", "tau"))
        lower, upper, velocity, *_ = found.get(b, b.joint.limits)
        limits = [_limit(lower, ""), _limit(upper, ""), _limit(velocity, f" {speed}")]
        limits.append(_limit(b.joint.limits.effort, f" {force}"))
        rows.append([shortened(b.joint.name), b.joint.kind, shortened(b.name), axis, _place(b), unit, *limits,
                     number(b.inertia.mass)])  # fmt: skip
    return rows


def _ranges(model: Model) -> Mapping[Body, Range]:
    try:
        return ranges(model)
    except TypeError:  # symbols: the limits are as they were given
        return {}


def _units(joint: Joint, name: str) -> str:
    """Units of its numbers, each once; a quaternion as the order of its parts."""
    return ", ".join(dict.fromkeys(unit or "x y z w" for unit in units(joint, name)))


def _limit(x: Any, unit: str) -> str:
    return "" if isinstance(x, float) and abs(x) == inf else f"{number(x)}{unit}"


def _place(b: Body) -> str:
    """Indices of a joint in q; one that follows has none of its own."""
    if b.leader is not b:
        return f"= {number(b.multiplier)} {shortened(b.leader.joint.name)} + {number(b.offset)}"
    start, stop = b.coords.start, b.coords.stop
    return str(start) if stop == start + 1 else f"{start}:{stop}"


def robot_text(model: Model) -> str:
    """Text of `print(robot)`: a heading, and a row per joint."""
    lines = [f"{shortened(model.name)}: {_size(model)}"]
    rows = joint_rows(model)
    if rows:
        lines += ["", *aligned(JOINT_HEADERS, rows[:MOST_ROWS])]
    if len(rows) > MOST_ROWS:
        lines.append(f"… and {len(rows) - MOST_ROWS} more")
    own = {b.name for b in model.bodies}
    frames = [shortened(name) for name in model.frames if name not in own]
    if frames:
        lines += ["", f"other frames: {', '.join(frames[:SHOWN])}" + (f", … ({len(frames)})" if frames[SHOWN:] else "")]
    if model.poses:
        lines.append(f"poses: {', '.join(map(shortened, model.poses))}")
    if model.report:
        lines.append(f"findings: {Report(model.report).summary}; print(robot.report)")
    return "\n".join(lines)


def _size(model: Model) -> str:
    mass = number(sum(b.inertia.mass for b in model.bodies))
    return f"{counted(len(model.bodies), 'body', 'bodies')}, nq = {model.nq}, nv = {model.nv}, {mass} kg"


def robot_html(model: Model) -> str:
    """The robot for a notebook: what it is, what its file gets wrong, its joints with units, its poses, its tree."""
    parts = [f"<p><b>{html.escape(shortened(model.name))}</b>: {html.escape(_size(model))}</p>"]
    if model.report:
        report = Report(model.report)
        parts.append(html_folded(report.summary, html_rows(report), open_=True))
    parts.append(html_folded("joints", html_table(JOINT_HEADERS, joint_rows(model)), open_=True))
    if model.poses:
        rows = []
        for name, pose in model.poses.items():
            moved = [f"{shortened(joint)} {' '.join(map(number, x))}" for joint, x in pose.items() if any(x)]
            rows.append([shortened(name), ", ".join(moved[:SHOWN]) + (", …" if moved[SHOWN:] else "")])
        parts.append(html_folded("poses", html_table(["pose", "joints that are not at zero"], rows)))
    lines = tree_lines(model)
    shown = [*lines[:MOST_ROWS], *([f"… and {len(lines) - MOST_ROWS} more"] if len(lines) > MOST_ROWS else [])]
    parts.append(html_folded("tree", f"<pre>{html.escape(chr(10).join(shown))}</pre>"))
    return html_block(*parts)
