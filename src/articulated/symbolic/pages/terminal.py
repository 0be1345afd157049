"""A document as plain text for a terminal."""

from ...text import plain, shortened
from .document import Math, Section, Table, Text, laid_out
from .formula import plain_text
from .sketch_drawing import characters

WIDE = 110  # most characters of a matrix on one line


def in_words(text: Text) -> str:
    """Words and formulas as one line of text."""
    return "".join(plain_text(x) if isinstance(x, Math) else plain(x) for x in text)


def _table(table: Table) -> list[str]:
    """Columns below each other."""
    cells = [[in_words(cell) for cell in row] for row in (table.header, *table.rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return ["  " + "  ".join(f"{x:{w}}" for x, w in zip(row, widths, strict=True)).rstrip() for row in cells]


def text_page(title: str, sections: list[Section]) -> str:
    """A document for a terminal."""
    out = [shortened(title, 120), "=" * min(len(title), 120)]
    for section in sections:
        out += section_lines(section)
    return "\n".join(out) + "\n"


def section_lines(section: Section) -> list[str]:
    """One section of a document, line by line."""
    out = ["", shortened(section.title), "-" * len(shortened(section.title))]
    if section.text:
        out.append(in_words(section.text))
    if section.sketch:
        out += ["", characters(section.sketch), "", section.sketch.caption]
    for table in section.tables:
        out += ["", *_table(table), ""]
    for left, (first, *more) in laid_out(section.rows):
        head = f"  {plain_text(left)} = " if left else "  "
        out.append(head + _by_rows(plain_text(first), len(head)))
        out += [f"      {_going_on(plain_text(line))}" for line in more]
    return out


def _by_rows(line: str, indent: int) -> str:
    """A wide matrix with its rows below each other."""
    return line.replace("; ", f";\n{' ' * (indent + 1)}") if len(line) > WIDE else line


def _going_on(line: str) -> str:
    """A continued line, with a space after its sign."""
    return f"{line[0]} {line[1:].lstrip()}" if line[:1] in ("+", "-") else line
