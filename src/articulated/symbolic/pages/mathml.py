"""Formulas as MathML, which browsers typeset without a script or a network."""

from collections.abc import Callable
from functools import lru_cache
from html import escape

from .formula import EMPTY, Node, parsed


def mathml(tex: str) -> str:
    """A formula for the line of text it stands in."""
    return f"<math>{_element(parsed(tex))}</math>"


def displayed(tex: str) -> str:
    """A formula with the spacing of one on a line of its own."""
    return f'<math class="d" displaystyle="true">{_element(parsed(tex))}</math>'


@lru_cache(maxsize=50000)
def _element(node: Node) -> str:
    return ELEMENTS[node.kind](node)


def _parts(node: Node) -> list[str]:
    return [_element(part) for part in node.parts]


def _row(node: Node) -> str:
    out = ""
    for before, part in zip((None, *node.parts), node.parts, strict=False):
        times = "<mo>&#x2062;</mo>" if before and _factor(before) and _factor(part) else ""
        out += times + _element(part)
    return f"<mrow>{out}</mrow>"


def _factor(node: Node) -> bool:
    return node.kind not in ("operator", "space") and node != EMPTY and node.text not in ("sin", "cos", "det", "∂")


def _scripts(node: Node) -> str:
    base, below, above = node.parts
    if base == EMPTY:
        return f"<msup><mrow></mrow>{_element(above)}</msup>"
    name = "msubsup" if EMPTY not in (below, above) else "msub" if above == EMPTY else "msup"
    return f"<{name}>{''.join(_element(part) for part in node.parts if part != EMPTY)}</{name}>"


def _letter(node: Node) -> str:
    # one letter is set in italics, a word upright: the rule of MathML for mi
    return f"<mi>{escape(node.text)}</mi>"


def _operator(node: Node) -> str:
    # a plus is infix also where a line begins with it; what a bracket holds may close on another line
    how = {"+": ' form="infix"'}.get(node.text, ' stretchy="false"' if node.text in "()[]|" else "")
    return f"<mo{how}>{'−' if node.text == '-' else escape(node.text)}</mo>"


def _matrix(node: Node) -> str:
    rows = ("".join(f"<mtd>{_element(cell)}</mtd>" for cell in row.parts) for row in node.parts)
    return f'<mrow class="fence"><mtable>{"".join(f"<mtr>{row}</mtr>" for row in rows)}</mtable></mrow>'


def _fenced(node: Node) -> str:
    """Brackets around something tall are drawn by the page: without a font for mathematics they would not grow."""
    inside = _parts(node)[0]
    if node.text == "()" and _tall(node.parts[0]):
        return f'<mrow class="fence">{inside}</mrow>'
    return f"<mrow><mo>{node.text[0]}</mo>{inside}<mo>{node.text[1]}</mo></mrow>"


def _tall(node: Node) -> bool:
    return node.kind in ("fraction", "matrix") or any(_tall(part) for part in node.parts)


ELEMENTS: dict[str, Callable[[Node], str]] = {
    "row": _row,
    "scripts": _scripts,
    "letter": _letter,
    "operator": _operator,
    "matrix": _matrix,
    "number": lambda node: f"<mn>{node.text}</mn>",
    "words": lambda node: f"<mtext>{escape(node.text)}</mtext>",
    "space": lambda node: f'<mspace width="{node.text}em"/>',
    # not accent="true": browsers then set a dot into the letter
    "accent": lambda node: f'<mover>{_parts(node)[0]}<mo stretchy="false">{node.text}</mo></mover>',
    "fraction": lambda node: f"<mfrac>{''.join(_parts(node))}</mfrac>",
    "root": lambda node: f"<msqrt>{_parts(node)[0]}</msqrt>",
    "fenced": _fenced,
}
