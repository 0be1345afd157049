"""Formulas for a terminal: c12 for cos(q1 + q2), qd1 for the rate of q1, factors side by side."""

from collections.abc import Callable
from functools import lru_cache

from ...text import plain, shortened
from .document import Math, Section, Table, Text, laid_out
from .formula import EMPTY, Node, parsed
from .sketch_drawn import characters

#: accents as they are spelled: qd, qdd, Mhat
ACCENTS = {"˙": "d", "¨": "dd", "^": "hat", "‾": "bar"}
NAMES = {"τ": "tau", "⊤": "T"}


def plain_text(tex: str) -> str:
    """A formula as one line of text."""
    return _text(parsed(tex))


@lru_cache(maxsize=50000)
def _text(node: Node) -> str:
    return FORMS[node.kind](node)


def _parts(node: Node) -> list[str]:
    return [_text(part) for part in node.parts]


def _row(node: Node) -> str:
    """Factors a space apart; a sign that no term stands before close to its own."""
    out = ""
    for part in node.parts:
        text = _text(part)
        sign = part.kind == "operator" and part.text not in "()[],|∑"
        if sign and out and not out.endswith(("(", "[", ", ")):
            out += f" {text} "
        elif sign:
            out += text
        elif part.kind == "operator" and part.text == ",":
            out += ", "
        elif out and not out.endswith((" ", "(", "[", "-", "+")) and not text.startswith((")", "]")):
            out += f" {text}"
        else:
            out += text
    return out


def _scripts(node: Node) -> str:
    base, below, above = node.parts
    index = _text(below).replace(" ", "").replace(",", "" if _text(base) == "I" else ",")
    out = _text(base) + (f"_{index}" if index[:1].isalpha() else index)
    return out if above == EMPTY else f"{out}^{_enclosed(_text(above))}"


def _enclosed(text: str) -> str:
    return f"({text})" if set(text) & set(" +-/") else text


FORMS: dict[str, Callable[[Node], str]] = {
    "row": _row,
    "scripts": _scripts,
    "accent": lambda node: _text(node.parts[0]) + ACCENTS[node.text],
    "letter": lambda node: NAMES.get(node.text, node.text),
    "number": lambda node: node.text,
    "operator": lambda node: node.text,
    "words": lambda node: node.text,
    "space": lambda node: "",
    "matrix": lambda node: "[" + "; ".join(", ".join(_parts(row)) for row in node.parts) + "]",
    "fraction": lambda node: "/".join(_enclosed(part) for part in _parts(node)),
    "root": lambda node: f"sqrt({_parts(node)[0]})",
    "fenced": lambda node: f"{node.text[0]}{_parts(node)[0]}{node.text[1]}",
}


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
        out.append(f"  {plain_text(left)} = {plain_text(first)}" if left else f"  {plain_text(first)}")
        out += [f"      {_going_on(plain_text(line))}" for line in more]
    return out


def _going_on(line: str) -> str:
    """A line that begins with a sign between two terms."""
    return f"{line[0]} {line[1:].lstrip()}" if line[:1] in ("+", "-") else line
