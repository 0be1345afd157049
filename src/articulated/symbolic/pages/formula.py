"""LaTeX formulas as one line of text, and an estimate of how wide they print."""

import re
from collections.abc import Callable
from functools import lru_cache

from sympy.printing.latex import tex_greek_dictionary
from sympy.printing.pretty.pretty_symbology import greek_unicode

#: LaTeX's name of a Greek letter → the letter
GREEK = {name: x for name, x in greek_unicode.items() if tex_greek_dictionary.get(name, name).strip("\\") == name}
GREEK["ell"] = "ℓ"
SIGNS = {
    **GREEK, "cdot": "·", "times": "×", "ldots": "…", "partial": "∂", "sum": "∑", "top": "⊤", "le": "≤", "ne": "≠",
    "infty": "∞", "sin": "sin", "cos": "cos", "tan": "tan", "det": "det", "left": "", "right": "", "bigl": "",
    "bigr": "", "quad": "\u2003", "qquad": "\u2003\u2003", ",": " ", "_": "_",
}  # fmt: skip
ACCENTS = {r"\dot": "d", r"\ddot": "dd", r"\hat": "hat", r"\bar": "bar"}
INNERMOST = re.compile(
    r"\\frac\{([^{}]*)\}\{([^{}]*)\}"  # numerator and denominator
    r"|(\\(?!frac)[a-z]+(?:\[\d+\])?|[_^]|(?<!\\frac)(?<!\}))\{([^{}]*)\}"  # or what a group follows
)
MATRIX = re.compile(r"⟦([^⟦⟧]*)⟧")
SMALLER = 0.75  # indices and exponents, against the letters they stand at
POINT = "'"  # a quarter of a letter
WIDTHS = {"m": 1.7, "M": 2.0, "w": 1.4, "Y": 1.3, "l": 0.6, " ": 0.0, "\u2003": 2.0, POINT: 0.25}
WIDTHS |= dict.fromkeys("()[],|", 0.8) | dict.fromkeys("+-=<>/·×…≤≠∑;", 2.4)


def _folded(tex: str, group: Callable[[re.Match], str], matrix: Callable[[list[list[str]]], str]) -> str:
    """A formula rewritten from the innermost braces outwards."""
    text = tex.replace(r"\begin{pmatrix}", "⟦").replace(r"\end{pmatrix}", "⟧")
    text = re.sub(r"\\([A-Za-z]+|[,_])", lambda m: SIGNS.get(m[1], m[0]), text)
    text = re.sub(r"\{\}(\^\{[^{}]*\})", r"\1 ", text)  # the frame a vector is written in
    text = re.sub(r"(\^\{[^{}]*\})(_\{[^{}]*\})", r"\2\1", text)
    while (inner := INNERMOST.sub(group, text)) != text:
        text = inner
    return MATRIX.sub(lambda m: matrix([row.split("&") for row in m[1].split(r"\\")]), text)


@lru_cache(maxsize=50000)
def plain_text(tex: str) -> str:
    """A formula as one line: c12 for cos(q1 + q2), qd1 for the rate of q1, factors side by side."""
    text = _folded(tex, _text_group, lambda rows: f"[{'; '.join(', '.join(x.strip() for x in row) for row in rows)}]")
    text = re.sub(r"\s+", " ", text).strip().replace("τ", "tau").replace("⊤", "T")
    text = re.sub(r"(?<=[(\[]) | (?=[)\],;])", "", text)
    return re.sub(r"(^|[(\[=,;/^] ?)([-+]) ", r"\1\2", text)  # a sign that no term stands before


def _text_group(match: re.Match) -> str:
    over, under, mark, inside = match.groups()
    if over is not None:
        return f"{_enclosed(over)}/{_enclosed(under)}"
    if mark == "_":
        index = re.sub(r"(?<=\d),(?=[xyz]{2}$)", "", inside.replace(" ", ""))
        if re.search(r"\d-|^-", index):
            return f"_({index})"  # c_(1-2), not c1 - 2
        return f"_{index}" if index[:1].isalpha() else index
    if mark == "^":
        return f"^{_enclosed(inside)}"
    if (mark or "").startswith(r"\sqrt["):
        return f"{_enclosed(inside)}^(1/{mark[6:-1]})"
    return f"sqrt({inside})" if mark == r"\sqrt" else inside + ACCENTS.get(mark, "")


def _enclosed(text: str) -> str:
    return f"({text.strip()})" if set(text) & set(" +-/") else text


@lru_cache(maxsize=50000)
def width(tex: str) -> float:
    """Estimated width in print, in letters of text size."""
    return _letters(_folded(tex, _width_group, _matrix_width))


def _letters(text: str) -> float:
    return sum(WIDTHS.get(x, 1.0) for x in text)


def _width_group(match: re.Match) -> str:
    over, under, mark, inside = match.groups()
    if over is not None:
        return max(over, under, key=_letters) + 2 * POINT
    if mark in ("_", "^"):
        return POINT * round(4 * SMALLER * _letters(inside))
    return inside + 6 * POINT if (mark or "").startswith(r"\sqrt") else inside


def _matrix_width(rows: list[list[str]]) -> str:
    columns = zip(*rows, strict=True)
    return POINT * round(4 * (2 + sum(max(map(_letters, column)) + 2 for column in columns)))
