"""A document as Markdown."""

import re

from ...text import shortened
from .document import Math, Row, Section, Table, Text, block, laid_out
from .sketch_drawing import characters

ROOM = 1500  # characters of one block that renderers show at once


def markdown_page(title: str, sections: list[Section]) -> str:
    """Markdown with LaTeX between dollars, as GitHub and MathJax read it."""
    parts = [f"# {markdown_words(title)}\n"]
    if len(sections) > 3:
        parts.append("\n".join(f"- {markdown_words(section.title)}" for section in sections) + "\n")
    for section in sections:
        parts.append(f"## {markdown_words(section.title)}\n")
        if section.text:
            parts.append(f"{_markdown(section.text)}\n")
        if section.sketch:
            parts.append(
                f"```text\n{characters(section.sketch)}\n```\n\n{markdown_words(section.sketch.caption, 1000)}\n"
            )
        parts += [f"{_table(table)}\n" for table in section.tables]
        parts += [f"$$\n{block('aligned', rows)}\n$$\n" for rows in _blocks(laid_out(section.rows))]
    return "\n".join(parts)


def _table(table: Table) -> str:
    rows = [table.header, [["---"]] * len(table.header), *table.rows]
    cells = (("---" if cell == ["---"] else _markdown(cell).replace("|", r"\|") for cell in row) for row in rows)
    return "\n".join(f"| {' | '.join(row)} |" for row in cells)


def _markdown(text: Text) -> str:
    return "".join(f"${part}$" if isinstance(part, Math) else markdown_words(part, 10000) for part in text)


def markdown_words(text: str, longest: int = 80) -> str:
    """Text with Markdown's special characters escaped."""
    escaped = re.sub(r"([\\`*_\[\]#|$~])", r"\\\1", shortened(text, longest))
    return escaped.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _blocks(rows: list[Row]) -> list[list[Row]]:
    """Short rows together, a long one alone."""
    out: list[list[Row]] = []
    size = ROOM
    for row in rows:
        length = sum(len(line) for line in row.lines)
        if size + length > ROOM:
            out.append([])
            size = 0
        out[-1].append(row)
        size += length
    return out
