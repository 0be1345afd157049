"""The kinematic tree of a robot: links, their masses, and the joints between them."""

from itertools import count
from typing import Any

import numpy as np

from ....model import Link, Model
from ....robot.numeric import numbers
from .style import BLUE, GRAY, INK, LIGHT, PAGE, name_of

#: links beyond which names would cover each other
MOST_NAMED = 250


def tree(figure: Any, model: Model) -> None:
    """From the root on the left to the leaves on the right; a dot for each link, its area its mass."""
    at = places(model)
    axes = figure.subplots()
    axes.set_axis_off()
    weights = numbers(model, [link.inertia.mass for link in model.links])
    masses = {link.name: float(x) for link, x in zip(model.links, weights, strict=True)}
    heaviest = max(masses.values(), default=0.0) or 1.0
    named = len(model.links) <= MOST_NAMED
    for link in model.links:
        x, y = at[link.name]
        if link.parent is not None:
            _joint(axes, link, at[link.parent], (x, y), named)
        fixed = not link.joint.nv
        size = 14 + 170 * masses[link.name] / heaviest
        axes.scatter([x], [y], s=size, color=PAGE if fixed else BLUE, edgecolors=GRAY if fixed else BLUE, linewidths=1,
                     zorder=3)  # fmt: skip
        if named:
            _name(axes, link, (x, y), size)
    depth = max(x for x, _ in at.values())
    axes.set_xlim(-0.15, depth + 0.75)
    axes.set_ylim(max(y for _, y in at.values()) + 0.6, min(y for _, y in at.values()) - 0.6)


def _name(axes: Any, link: Link, place: tuple[float, float], size: float) -> None:
    mass = float(link.inertia.mass)
    weight = f"\n{mass:.3g} kg" if mass else ""
    axes.annotate(f"{name_of(link.name, 24)}{weight}", place, (0, -np.sqrt(size) / 2 - 2), textcoords="offset points",
                  ha="center", va="top", fontsize=6.5, color=INK, linespacing=1.1, zorder=4)  # fmt: skip


def _joint(axes: Any, link: Link, start: tuple[float, float], end: tuple[float, float], named: bool) -> None:
    """A line that leaves the parent upright and arrives level; the joint's name and kind on it."""
    fixed = not link.joint.nv
    bend = start[0] + 0.3
    axes.plot([start[0], bend, bend, end[0]], [start[1], start[1], end[1], end[1]], linewidth=1, zorder=1,
              color=LIGHT if fixed else GRAY, solid_joinstyle="round")  # fmt: skip
    if named and not fixed:
        text = f"{name_of(link.joint.name or link.name, 22)}\n{link.joint.kind}"
        axes.annotate(text, ((bend + end[0]) / 2, end[1]), (0, 1.5), textcoords="offset points", ha="center",
                      va="bottom", fontsize=6, color=GRAY, linespacing=1.1)  # fmt: skip


def places(model: Model) -> dict[str, tuple[float, float]]:
    """(depth, row) of each link: leaves on rows of their own, a parent half-way between its first and last child."""
    children: dict[str | None, list[str]] = {}
    for link in model.links:
        children.setdefault(link.parent, []).append(link.name)
    depth: dict[str | None, int] = {None: -1}
    for link in model.links:  # each before those it carries
        depth[link.name] = depth[link.parent] + 1
    # leaves depth first, in the order of the description
    row: dict[str, float] = {}
    leaves, stack = count(), list(reversed(children[None]))
    while stack:
        own = children.get(name := stack.pop(), [])
        stack += reversed(own)
        if not own:
            row[name] = float(next(leaves))
    for link in reversed(model.links):
        if own := children.get(link.name, []):
            row[link.name] = (row[own[0]] + row[own[-1]]) / 2
    return {link.name: (float(depth[link.name]), row[link.name]) for link in model.links}


def size(model: Model) -> tuple[float, float]:
    """Inches that give every link room."""
    at = places(model).values()
    depth, rows = max(x for x, _ in at), max(y for _, y in at)
    return min(60.0, max(5.0, 1.25 * (depth + 1) + 0.8)), min(60.0, max(1.8, 0.62 * (rows + 1) + 0.9))
