"""Formulas as students write them, turned into the syntax that `parsed` reads.

LaTeX and plain text, products without a sign (l1 c2, m2l1d2), powers as ², ^2 or ^{2}, sin²(q2) and sin q2, dots over
letters (q̇₁, \\dot q_1), q1', diff(q1, t), brackets of any kind, matrices as lists, with semicolons or as pmatrix, the
lower half of a symmetric one as * or sym.
"""

import re
from collections.abc import Mapping
from typing import Any
from unicodedata import normalize

from ..ring.expressions import FUNCTIONS

NAMES = "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau phi chi psi omega"
GREEK = dict(zip("αβγδεζηθικλμνξπρστφχψω", NAMES.split(), strict=True))
GREEK |= {x.upper(): name.capitalize() for x, name in GREEK.items()}
POWERS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
INDICES = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")
#: what is written → what it means
SIGNS = {
    "−": "-", "·": "*", "×": "*", "⋅": "*", "∗": "*", "½": "(1/2)", "¼": "(1/4)", "√": "sqrt", "ϑ": "theta", "...": "",
    r"\[": "", r"\]": "", r"\(": "", r"\)": "",
    r"\cdot": "*", r"\times": "*", r"\left": "", r"\right": "", r"\vartheta": "theta", r"\,": " ",
    r"\;": " ", r"\!": "",
    r"\quad": " ", "~": " ", "&": ",", r"\big": "", r"\Big": "", r"\bigl": "", r"\bigr": "",
    r"\{": "(", r"\}": ")", "\\\\": ";", r"\ ": " ",
}  # fmt: skip
TOKEN = re.compile(r"\s*(\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+|\.T\b|[A-Za-z_]\w*|\*\*|.)", re.S)
MATRIX = re.compile(
    r"\\begin\{[pbvB]?matrix\}(.*?)\\end\{[pbvB]?matrix\}"
    r"|\\left\s*[\[(]\s*\\begin\{array\}\{[^}]*\}(.*?)\\end\{array\}\s*\\right\s*[\])]",
    re.S,
)
ACROSS = re.compile(r"(?<=[\[,;&\\}])\s*(?:\*|\\ast|(?:\\text\{)?sym+\.?\}?)\s*(?=[\],;&]|\\)")
TRANSPOSED = re.compile(r"(?<=[\])}])\s*(?:\^\s*\{?\s*(?:T|\\top)\s*\}?|'|ᵀ)")


def spelled(text: str, known: Mapping[str, Any]) -> str:
    """The text with every product written, and names as they are known."""

    def called(found: re.Match) -> str:
        """dq(1) as dq1, c(q1) as cos(q1); a product as it is."""
        name, inside = found.groups()
        if name in known or (f"{name}{inside}" not in known and name not in "cCsS"):
            return found[0]
        return f"{name}{inside}" if f"{name}{inside}" in known else f"{'sin' if name in 'sS' else 'cos'}({inside})"

    if "t" not in known:
        text = re.sub(r"(?<=\w)\(t\)", "", text)
    text = re.sub(r"(?<![A-Za-z])([A-Za-z]+)\(([^()]*)\)", called, _without_latex(text))
    return "".join(_with_products(_tokens(text, known)))


def _without_latex(text: str) -> str:
    text = re.sub(r"\b(?:np|numpy|math|sp|sympy)\.(?=[A-Za-z])", "", text)
    text = re.sub(r"\b(?:Matrix|array)\s*\((.*)\)", r"\1", ACROSS.sub(" sym ", text), flags=re.S)
    text = re.sub(r"(?i)(?<![a-z])(cos|sin|sqrt)(?![a-z])", lambda found: found[0].lower(), text)
    text = re.sub(r"\bdiff\((\w+), ?t(, ?2|, ?t)?\)", lambda x: f" {x[1]}{'dd' if x[2] else 'd'}ot ", text)
    text = MATRIX.sub(lambda found: "[" + _lines(found[1] or found[2]) + "]", TRANSPOSED.sub(".T", text))
    text = re.sub(r"\{([^{}]*)\\over(?![A-Za-z])([^{}]*)\}", r"((\1)/(\2))", text)
    text = re.sub(r"(?<=[^\W\d_])('{1,2})_?(\d+)", r"\2\1", text)  # q'1
    text = re.sub(r"(\w)\u0308", r"\\ddot{\1}", re.sub(r"(\w)\u0307", r"\\dot{\1}", normalize("NFD", text)))
    for sign, meaning in sorted(SIGNS.items(), key=lambda pair: -len(pair[0])):
        text = text.replace(sign, meaning)
    for letter, name in GREEK.items():
        text = re.sub(rf"(?<![A-Za-z])(d?d?){letter}", rf" \1{name}", text).replace(letter, f" {name}")  # dθ
    text = re.sub(r"[₀-₉]+", lambda found: "_" + found[0].translate(INDICES), text)
    text = re.sub(r"[⁰¹²³⁴-⁹]+", lambda found: "^" + found[0].translate(POWERS), text)
    text = re.sub(r"\\(?:text|mathrm|operatorname)\{([^{}]*)\}(?=(_)?)", _upright, text)
    text = re.sub(r"(?<![A-Za-z])([cs])_[{(]([-+\d]+)[})]", _of_a_difference, text)
    text = re.sub(r"_\{\\?([\w, ]+)\}", lambda found: "_" + re.sub(r"[, ]", "", found[1]), text)
    text = re.sub(r"\\(d?dot)\s*(?:\{\s*\\?([A-Za-z]+)(?:_?(\d+))?\s*\}|\\?([A-Za-z]+))(?:_?(\d+))?", _dotted, text)
    text = re.sub(r"\\sqrt\[(\d+)\]\{([^{}]*)\}", r"(\2)^(1/\1)", text)
    while (found := re.search(r"\\[td]?frac(?![A-Za-z])", text)) is not None:
        above, rest = _group(text, found.end())
        below, rest = _group(text, rest)
        text = f"{text[: found.start()]}(({above})/({below})){text[rest:]}"
    text = re.sub(r"\\([A-Za-z]+)", r" \1", text).replace("{", "(").replace("}", ")")
    return text.replace("^", "**").replace("_ ", "_")


def _upright(found: re.Match) -> str:
    return f" {found[1]}".replace("\\_", "_") + ("" if found[2] else " ")


def _lines(inside: str) -> str:
    """Rows of a LaTeX matrix, separated by semicolons."""
    return ";".join(row for row in re.split(r"\\\\", inside) if row.strip())


def _of_a_difference(found: re.Match) -> str:
    """c_{2-1} as cos(q_2-q_1), c_{1+2} as cos(q_1+q_2); c_{12} as it is."""
    if found[2].isdigit():
        return found[0]
    angle = "".join(f"{sign or '+'}q_{k}" for sign, k in re.findall(r"([-+]?)(\d)", found[2]))
    return f" {'cos' if found[1] == 'c' else 'sin'}({angle.removeprefix('+')})"


def _dotted(found: re.Match) -> str:
    letter, index, mark = found[2] or found[4], found[3] or found[5], found[1]
    name = {"dot": "qd", "ddot": "qdd"}[mark] if letter == "q" else letter + mark
    return f" {name}_{index} " if index else f" {name} "


def _group(text: str, start: int) -> tuple[str, int]:
    """The braces that begin at or after `start`, and where they end; a single character stands for itself."""
    while start < len(text) and text[start].isspace():
        start += 1
    if start >= len(text) or text[start] != "{":
        return text[start : start + 1], start + 1
    depth = 0
    for k in range(start, len(text)):
        depth += {"{": 1, "}": -1}.get(text[k], 0)
        if not depth:
            return text[start + 1 : k], k + 1
    return text[start + 1 :], len(text)


def _tokens(text: str, known: Mapping[str, Any]) -> list[str]:
    out: list[str] = []
    for token in TOKEN.findall(text.strip()):
        if token.isspace() or not token:
            continue
        if token == "'" and out and (rate := _rate(out[-1], known)):
            out[-1] = rate
            continue
        name = re.match(r"[A-Za-z_]", token) and token not in known and token not in FUNCTIONS and token != "pi"
        out += (_split(token, known) or [token]) if name else [token]
    return _grouped(out)


def _rate(name: str, known: Mapping[str, Any]) -> str:
    """The rate of a coordinate, or of a rate: q1dot, q1ddot; nothing where it has none."""
    found = f"{name.removesuffix('dot')}ddot" if name.endswith("dot") else f"{name}dot"
    return found if found in known else ""


def _grouped(tokens: list[str]) -> list[str]:
    """Brackets of any kind: those that hold commas or semicolons as lists, the others as round ones."""
    inside: list[list[list[list[str]]]] = [[[[]]]]  # of each bracket that is open its rows, of each row its entries
    for token in tokens:
        if token in ("(", "["):
            inside.append([[[]]])
        elif token in (")", "]"):
            if len(inside) == 1:
                return tokens  # the parser says where
            closed = _closed(inside.pop())
            inside[-1][-1][-1] += closed
        elif token == ";":
            inside[-1].append([[]])
        elif token == ",":
            inside[-1][-1].append([])
        else:
            inside[-1][-1][-1].append(token)
    return tokens if len(inside) > 1 else _closed(inside[0])


def _closed(rows: list[list[list[str]]]) -> list[str]:
    """The content of one bracket: an expression in brackets, a list, or a list of rows."""
    rows = [row for row in rows if any(row)]
    if len(rows) > 1:
        return ["[", *(x for k, row in enumerate(rows) for x in (*([","] if k else []), *_list(row))), "]"]
    return _list(rows[0]) if rows and len(rows[0]) > 1 else ["(", *(rows[0][0] if rows else []), ")"]


def _list(row: list[list[str]]) -> list[str]:
    return ["[", *(x for k, entry in enumerate(row) for x in (*([","] if k else []), *entry)), "]"]


def _split(token: str, known: Mapping[str, Any]) -> list[str]:
    """A run of names without spaces, as m2l1c2, taken apart; nothing where it is none."""
    if not token:
        return []
    for end in range(len(token), 0, -1):
        head, rest = token[:end], token[end:]
        if head in known or head in FUNCTIONS or head == "pi":
            if not rest:
                return [head]
            if further := _split(rest, known):
                return [head, *further]
    return []


def _with_products(tokens: list[str]) -> list[str]:
    """Products where two factors follow each other, and the argument of a function that has no brackets."""
    out: list[str] = []
    k = 0
    while k < len(tokens):
        token = tokens[k]
        if out and _ends(out[-1]) and _begins(token):
            out.append("*")
        if token in FUNCTIONS:
            piece, k = _applied(tokens, k)
            out.append(piece)
        else:
            out.append(token)
            k += 1
    return out


def _applied(tokens: list[str], k: int) -> tuple[str, int]:
    """sin²(q2), sin q2 or sin(q2) from position k, and where it ends."""
    name, k = tokens[k], k + 1
    power = ""
    if found := re.match(r"\*\* \(? ?(\d+)(?: \))?", " ".join(tokens[k : k + 4])):  # ^2 or ^{2}
        power, k = f"**{found[1]}", k + len(found[0].split())
    if k < len(tokens) and tokens[k] == "(":
        depth, start = 0, k
        while k < len(tokens):
            depth += {"(": 1, ")": -1}.get(tokens[k], 0)
            k += 1
            if not depth:
                break
        inside = tokens[start + 1 : k - 1]
    else:
        inside, k = tokens[k : k + 1], k + 1
    return f"({name}({''.join(_with_products(inside))}){power})", k


def _ends(token: str) -> bool:
    return bool(re.search(r"[\w).\]]$", token)) and token not in FUNCTIONS


def _begins(token: str) -> bool:
    return bool(re.match(r"[\w(.\[]", token)) and token != ".T"
