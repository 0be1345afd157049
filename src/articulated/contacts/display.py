"""A set of contacts as a notebook shows it."""

import html
from collections.abc import Sequence

from ..text import counted, html_block, html_table, shortened
from .kinds import Contact


def contacts_html(robot: str, contacts: Sequence[Contact], passive: Sequence[str]) -> str:
    """Table of contacts with the directions they forbid; forces are N along a direction, N m about one."""
    rows, first = [], 0
    for contact in contacts:
        directions = [name.removeprefix(f"{contact.name} ") for name in contact.rows]
        units = ["N"] * len(contact.linear) + ["N m"] * len(contact.angular)
        forces = ", ".join(f"{name} ({unit})" for name, unit in zip(directions, units, strict=True))
        rows.append([shortened(contact.name), contact.kind, f"{first}:{first + contact.size}", forces])
        first += contact.size
    head = f"<p><b>contacts of {html.escape(shortened(robot))}</b>: {counted(first, 'row')}</p>"
    more = f"<p>without a motor: {html.escape(', '.join(map(shortened, passive)))}</p>" if passive else ""
    return html_block(head, html_table(["contact", "kind", "rows", "forces on the robot"], rows), more)
