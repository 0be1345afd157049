"""The kinematic tree, with parents λ and children μ."""

from html import escape
from typing import TYPE_CHECKING

from ...model import Model
from ...robot.display import tree_lines
from .. import html
from .panel import Panel

if TYPE_CHECKING:
    from ..page import Page

MOST = 300


class Tree(Panel):
    """The kinematic tree, which no state changes."""

    def __init__(self, page: "Page"):
        super().__init__(page)
        self._text = page.gui.add_html(tree(page.robot.model))


def tree(model: Model) -> str:
    """The links below each other, and for every body i its parent λ(i) and its children μ(i)."""
    found = model.topology()
    rows = [
        [str(b.index), _cell(b.name), _cell(b.joint.name),
         f"<td data-parent='{b.index}'>{found.parent[b.index - 1]}</td>",
         f"<td data-children='{b.index}'>{_set(found.children[b.index])}</td>"]
        for b in model.bodies[:MOST]
    ]  # fmt: skip
    base = ["0", _cell("base"), "", "", f"<td data-children='0'>{_set(found.children[0])}</td>"]
    lines = tree_lines(model)
    more = f"\n… and {len(lines) - MOST} more" if len(lines) > MOST else ""
    return html.block(
        html.table([base, *rows], ["i", "body", "joint", "λ(i)", "μ(i)"]),
        "<h4>Links</h4><pre>", escape("\n".join(lines[:MOST]) + more), "</pre>",
    )  # fmt: skip


def _cell(text: str) -> str:
    return f"<td class='name'>{html.name(text, 22)}</td>"


def _set(numbers: list[int]) -> str:
    return "{" + ", ".join(map(str, numbers)) + "}" if numbers else "∅"
