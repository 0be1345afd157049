"""The LaTeX that latex.py writes, read back as a tree, and how wide it prints.

Only what our own formulas hold is understood; an unknown command is an error, so that no page shows half a formula.
"""

import re
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

WORDS = r"\\(?:text|mathrm|operatorname)\{(?:\\.|[^{}\\])*\}"
TOKEN = re.compile(rf"{WORDS}|\\(?:begin|end)\{{pmatrix\}}|\\[A-Za-z]+|\\.|\d+(?:\.\d+)?|\S", re.S)

#: commands that are one letter, sign or word
SIGNS = {
    r"\alpha": "α", r"\beta": "β", r"\gamma": "γ", r"\delta": "δ", r"\theta": "θ", r"\phi": "φ", r"\psi": "ψ",
    r"\omega": "ω", r"\sigma": "σ", r"\tau": "τ", r"\mu": "μ", r"\rho": "ρ", r"\pi": "π", r"\cdot": "·", r"\det": "det",
    r"\times": "×", r"\sin": "sin", r"\cos": "cos", r"\tan": "tan", r"\ldots": "…", r"\partial": "∂", r"\sum": "∑",
    r"\top": "⊤", r"\&": "&", r"\%": "%", r"\#": "#", r"\_": "_", r"\$": "$", r"\{": "{", r"\}": "}", r"\,": " ",
    r"\epsilon": "ε", r"\zeta": "ζ", r"\eta": "η", r"\iota": "ι", r"\kappa": "κ", r"\lambda": "λ", r"\nu": "ν",
    r"\xi": "ξ", r"\upsilon": "υ", r"\chi": "χ", r"\ell": "ℓ", r"\Gamma": "Γ", r"\Delta": "Δ", r"\Theta": "Θ",
    r"\Lambda": "Λ", r"\Xi": "Ξ", r"\Pi": "Π", r"\Sigma": "Σ", r"\Upsilon": "Υ", r"\Phi": "Φ", r"\Psi": "Ψ",
    r"\Omega": "Ω",
    r"\le": "≤", r"\ne": "≠", r"\infty": "∞",
}  # fmt: skip
SPACES = {r"\quad": "1", r"\qquad": "2"}
ACCENTS = {r"\dot": "˙", r"\ddot": "¨", r"\hat": "^", r"\bar": "‾"}
OPERATORS = "+-=,;()[]<>|/·×…≤≠∑"


class Node(NamedTuple):
    """A part of a formula: its kind, its parts, and the text of a leaf."""

    kind: str
    parts: tuple["Node", ...] = ()
    text: str = ""


EMPTY = Node("row")


@lru_cache(maxsize=50000)
def parsed(tex: str) -> Node:
    """The tree of a formula."""
    reader = _Reader(TOKEN.findall(tex))
    row = reader.row(())
    if reader.peek():
        raise ValueError(f"{reader.peek()!r} is not expected in {tex!r}")
    return row


class _Reader:
    """One pass over the tokens."""

    def __init__(self, tokens: list[str]):
        self.tokens, self.at = tokens, 0

    def next(self) -> str:
        self.at += 1
        return self.tokens[self.at - 1]

    def peek(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def row(self, ends: tuple[str, ...]) -> Node:
        """Up to one of `ends`, or a closing brace, which is left in place."""
        parts: list[Node] = []
        while self.peek() and self.peek() not in (*ends, "}"):
            parts.append(self.scripted())
        return parts[0] if len(parts) == 1 else Node("row", tuple(parts))

    def scripted(self) -> Node:
        """One part, with the indices and exponents that follow it."""
        base, below, above = self.part(), EMPTY, EMPTY
        while self.peek() in ("_", "^"):
            if self.next() == "_":
                below = self.part()
            else:
                above = self.part()
        return base if below == above == EMPTY else Node("scripts", (base, below, above))

    def part(self) -> Node:
        token = self.next()
        if token in READERS:
            return READERS[token](self)
        if token in ACCENTS:
            return Node("accent", (self.part(),), ACCENTS[token])
        if token in SPACES:
            return Node("space", text=SPACES[token])
        if len(token) > 2 and token.endswith("}"):
            inside = token[token.index("{") + 1 : -1]
            return Node("words", text=re.sub(r"\\.", lambda m: SIGNS.get(m[0], m[0]), inside))
        text = SIGNS.get(token, token)
        if text.startswith("\\"):
            raise ValueError(f"no page knows the command {text}")
        kind = "number" if text[0].isdigit() else "operator" if text in OPERATORS else "letter"
        return Node(kind, text=text)

    def group(self) -> Node:
        found = self.row(())
        self.next()
        return found

    def fraction(self) -> Node:
        return Node("fraction", (self.part(), self.part()))

    def root(self) -> Node:
        return Node("root", (self.part(),))

    def fenced(self) -> Node:
        opening, inside = self.next(), self.row((r"\right",))
        self.next()
        return Node("fenced", (inside,), opening + self.next())

    def bracket(self) -> Node:
        """Half of a pair that may close on another line."""
        return Node("operator", text=self.next())

    def matrix(self) -> Node:
        rows: list[Node] = []
        cells: list[Node] = []
        end = ""
        while end != r"\end{pmatrix}":
            cells.append(self.row(("&", "\\\\", r"\end{pmatrix}")))
            end = self.next()
            if end != "&":
                rows.append(Node("cells", tuple(cells)))
                cells = []
        return Node("matrix", tuple(rows))


READERS: dict[str, Callable[[_Reader], Node]] = {
    "{": _Reader.group, r"\frac": _Reader.fraction, r"\sqrt": _Reader.root, r"\left": _Reader.fenced,
    r"\bigl": _Reader.bracket, r"\bigr": _Reader.bracket, r"\begin{pmatrix}": _Reader.matrix,
}  # fmt: skip


def width(tex: str) -> float:
    """How wide a formula prints, in letters of text size."""
    return _width(parsed(tex))


SMALLER = 0.75  # indices and exponents, against the letters they stand at
WIDE = {"m": 1.7, "M": 2.0, "w": 1.4, "Y": 1.3, "l": 0.6}  # in the italics of TeX; the other letters are near one


def _width(node: Node) -> float:
    parts = [_width(part) for part in node.parts]
    match node.kind:
        case "matrix":
            columns = zip(*(row.parts for row in node.parts), strict=True)
            return 2 + sum(max(_width(cell) for cell in column) + 2 for column in columns)
        case "fraction":
            return max(parts) + 0.5
        case "scripts":
            return parts[0] + SMALLER * max(parts[1:])
        case "operator":
            return 0.8 if node.text in "()[],|" else 2.4
        case "space":
            return 2.0 * int(node.text)
        case "fenced":
            return parts[0] + 2
        case "root":
            return parts[0] + 1.5
    return sum(parts) if parts else WIDE.get(node.text, float(len(node.text)))
