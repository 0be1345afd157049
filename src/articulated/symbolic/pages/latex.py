"""Expressions as a lecture writes them: c_12 and s_12, dots over q, masses first, long rows broken."""

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import sympy
from sympy.printing.latex import LatexPrinter

from ..equations.notation import page
from .formula import GREEK, width

LINE = 86  # width of a line of an article in letters, names and equals signs included
DOTS = {"qd": r"\dot{q}", "qdd": r"\ddot{q}"}
DIGITS = 6  # significant ones of a decimal number
ROUNDED = "Decimal numbers are rounded to six significant digits here; in Python they have all of theirs."
#: in this order factors are written
ORDER = ("m", "g", "I", "k", "l")


def latex(expression: Any) -> str:
    """LaTeX of one expression, in one line."""
    if isinstance(expression, sympy.MatrixBase):
        rows = (" & ".join(latex(x) for x in expression.row(i)) for i in range(expression.rows))
        return r"\begin{pmatrix} " + r" \\ ".join(rows) + r" \end{pmatrix}"
    return _one_line(sympy.sympify(expression), page().angles, page().v)


@lru_cache(maxsize=20000)
def _one_line(expression: sympy.Expr, angles: frozenset[str], v: str) -> str:
    shown, names = _named(expression, angles, v)
    return _Printer({"symbol_names": names}).doprint(shown)


class _Printer(LatexPrinter):
    """SymPy's, but a sum begins with a term that has no minus sign, decimal numbers are short, fractions in front."""

    def _print_Mul(self, expr: Any) -> str:
        c, rest = expr.as_coeff_Mul()
        numbers, letters = rest.as_independent(sympy.Symbol, as_Add=False)
        divided = any(p.exp.is_negative for p in letters.atoms(sympy.Pow))
        if c.is_Integer or not c.is_Rational or divided or letters == 1 or letters.is_Symbol:
            return super()._print_Mul(expr)
        shown = self._print(letters)
        sign, above = "- " if c < 0 else "", self._print(abs(c.p) * numbers)
        return rf"{sign}\frac{{{above}}}{{{c.q}}} " + (rf"\left({shown}\right)" if letters.is_Add else shown)

    def _print_Float(self, expr: Any) -> str:
        text = super()._print_Float(sympy.Float(f"{float(expr):.{DIGITS}g}", DIGITS))
        return re.sub(r"\.0(?![0-9])", "", text)  # 123457 of 123456.7: the point would promise a digit

    def _as_ordered_terms(self, expr: Any, order: Any = None) -> list[Any]:
        terms = _by_acceleration(super()._as_ordered_terms(expr, order), lambda name: name)
        first = next((x for x in terms if not x.could_extract_minus_sign()), None)
        return terms if first is None else [first, *(x for x in terms if x is not first)]


def square_lines(weight: sympy.Expr, form: sympy.Expr, room: float) -> list[str]:
    """weight · form², broken at plus signs where it is too wide; a sum has brackets, a letter needs none."""
    form = -form if form.could_extract_minus_sign() else form
    head = "" if weight == 1 else rf"\left({latex(weight)}\right) " if weight.is_Add else f"{latex(weight)} "
    whole = head + (f"{latex(form)}^{{2}}" if form.is_Symbol else rf"\left({latex(form)}\right)^{{2}}")
    if width(whole) <= room or not form.is_Add:
        return [whole]
    return bracketed_lines(rf"{head}\bigl(", form, r"\bigr)^{2}", room - 3)


def bracketed_lines(head: str, inside: sympy.Expr, tail: str, room: float) -> list[str]:
    """A sum in brackets, broken at plus signs; what the brackets hold is indented."""
    first, *more = lines(inside, room - 2, width(head))
    out = [f"{head} {first}", *(rf"\quad {line}" for line in more)]
    return [*out[:-1], f"{out[-1]} {tail}"]


def symbol_latex(name: str) -> str:
    """q_12 as q_{12}, qd_1 with a dot, Greek letters as such; what is no letter or digit as text."""
    head, _, index = name.partition("_")
    if not index and (numbered := re.fullmatch(r"([A-Za-z]+)([0-9]+)", head)):  # m1, beta1
        head, index = numbered.groups()
    if dotted := re.fullmatch(r"(.+?)(d?dot)", head):  # SymPy's words for them
        accent = "ddot" if dotted[2] == "ddot" else "dot"
        return symbol_latex(f"{dotted[1]}_{index}" if index else dotted[1]).replace(
            symbol_latex(dotted[1]), rf"\{accent}{{{symbol_latex(dotted[1])}}}", 1
        )
    if head in DOTS:
        head = DOTS[head]
    elif head in GREEK:
        head = f"\\{head}"
    elif len(head) in (2, 3) and head[0] == "I" and set(head[1:]) <= set("xyz"):
        head, index = "I", f"{index},{head[1:]}" if index else head[1:]
    elif head in ("mx", "my", "mz"):
        head = f"(m{head[1]})"
    elif len(head) != 1 or not _harmless(head):
        head = upright(head)
    if not index:
        return head
    return f"{head}_{{{index if _harmless(index) else upright(index)}}}"


def _harmless(text: str) -> bool:
    return re.fullmatch(r"[A-Za-z0-9,]+", text) is not None


def upright(text: str) -> str:
    """Words inside a formula; characters that TeX may take for its own, or lack, by their code point."""
    written = re.sub(r"[^A-Za-z0-9_ .:;,()+-]", lambda x: f"U+{ord(x[0]):04X}", text)
    return rf"\text{{{written.replace('_', chr(92) + '_')}}}"


def _named(expression: sympy.Expr, angles: frozenset[str], v: str) -> tuple[sympy.Expr, dict[sympy.Symbol, str]]:
    """The expression with shorthands for symbols, named so that SymPy sorts them as we write them."""
    names: dict[sympy.Symbol, str] = {}
    replaced: dict[sympy.Expr, sympy.Symbol] = {}
    for f in expression.atoms(sympy.cos, sympy.sin):
        if index := _angle_index(f.args[0], angles):
            letter = "c" if isinstance(f, sympy.cos) else "s"
            replaced[f] = sympy.Symbol(f"x{letter}{index}")
            names[replaced[f]] = f"{letter}_{{{index}}}"
    replaced |= {
        x: sympy.Integer(x) for x in expression.atoms(sympy.Float) if float(x).is_integer() and abs(x) < 10**DIGITS
    }
    if expression.has(sympy.Float):  # 1.5 x beside 0.02 y
        kept = {p.exp for p in expression.atoms(sympy.Pow)}
        halves = (x for x in expression.atoms(sympy.Rational) if x.q in (2, 4) and x not in kept)
        replaced |= {x: sympy.Float(x) for x in halves}
    for symbol in expression.free_symbols:
        new = sympy.Symbol(_ranked(symbol.name, v))
        replaced[symbol], names[new] = new, symbol_latex(symbol.name)
    return expression.xreplace(replaced), names


def _ranked(name: str, v: str) -> str:
    """A name behind what it is sorted by: parameters, q (w), velocities (y), accelerations (z)."""
    head = name.partition("_")[0]
    rank = f"a{ORDER.index(head[:1])}" if head[:1] in ORDER else f"b{head}"
    if head.endswith("dot"):
        rank = "z" if head.endswith("ddot") else "y"
    state = {"q": "w", "qd": "y", "qdd": "z", "v": "y", "a": "z" if v == "v" else "a"}
    return f"{state.get(head, rank)} {name}"


def _by_acceleration(terms: list[sympy.Expr], ranked: Callable[[str], str]) -> list[sympy.Expr]:
    """The order of M a + C v + g: accelerations joint by joint, velocities behind them; of other sums as it is."""

    def key(term: sympy.Expr) -> tuple[int, int, str]:
        names = [ranked(s.name) for s in term.free_symbols]
        first = min((x for x in names if x.startswith("z ")), key=lambda x: (len(x), x), default="")
        return (0, len(first), first) if first else (1 if any(x.startswith("y ") for x in names) else 2, 0, "")

    return sorted(terms, key=key) if any(key(term)[0] == 0 for term in terms) else terms


def _angle_index(angle: sympy.Expr, angles: frozenset[str]) -> str:
    """12 of q_1 + q_2, 2-1 of q_2 - q_1, 12 of theta_1 + theta_2 if these are angles; nothing if it is another."""
    parts = []
    for term, factor in angle.as_coefficients_dict().items():
        numbered = re.fullmatch(r"[A-Za-z]+_([0-9]+)", term.name) if term.is_Symbol else None
        if abs(factor) != 1 or not numbered or not (term.name in angles or term.name.startswith("q_")):
            return ""
        parts.append((int(numbered[1]), "" if factor > 0 else "-"))
    parts.sort(key=lambda part: (part[1], part[0]))
    separator = "," if any(index > 9 for index, _ in parts) else ""
    text = parts[0][1] + str(parts[0][0])
    return text + "".join(sign + str(k) if sign else separator + str(k) for k, sign in parts[1:])


def lines(expression: sympy.Expr, room: float = LINE, before: float = 0) -> list[str]:
    """LaTeX of an expression, broken at plus signs where it is too wide; what a bracket holds is indented.

    `before` is the width of what stands before it on its first line.
    """
    if not (expression.is_Add or expression.is_Mul) or _extent(expression) <= room - before:
        return [latex(expression)]
    if expression.is_Add:
        return packed([lines(term, room - 3) for term in _ordered(expression)], room, before)
    inner = max(expression.args, key=lambda x: _extent(x) if x.is_Add else 0)
    if not inner.is_Add:
        return [latex(expression)]
    rest = sympy.Mul(*(x for x in expression.args if x is not inner))
    head = "-" if rest == -1 else rf"\left({latex(rest)}\right)" if rest.is_Add else latex(rest)
    return bracketed_lines(rf"{head} \bigl[", inner, r"\bigr]", room - 2)


def by_factor(expression: sympy.Expr, room: float = LINE - 8) -> list[str]:
    """Lines of a sum of letters of links with numbers before them: link by link, the same number once."""
    groups: dict[sympy.Expr, list[sympy.Expr]] = {}
    found = expression.as_coefficients_dict()
    for letter in sorted(found, key=_link_first):
        groups.setdefault(found[letter], []).append(letter)
    terms: list[list[str]] = []
    for factor, letters in groups.items():
        sign = "-" if factor.is_negative else ""
        if abs(factor) == 1:
            terms += [lines(factor * letter, room) for letter in letters]
            continue
        inside = " + ".join(latex(x) for x in letters)
        inside = rf"\left({inside}\right)" if len(letters) > 1 else inside
        terms.append([f"{sign} {latex(abs(factor))} {inside}".strip()])
    return packed(terms, room)


def _link_first(term: sympy.Expr) -> tuple:
    """Sort key: the number of the link whose parameter it is, the least of several; moments of inertia first."""
    numbered = [re.fullmatch(r"(I[xyz]{2}|m[xyz]?|[bfJ])_([0-9]+)", s.name) for s in term.free_symbols]
    of = min((int(x[2]) for x in numbered if x), default=0)
    first = min((x[1] for x in numbered if x), default="")
    return of, first, sympy.default_sort_key(term)


def _ordered(expression: sympy.Expr) -> list[sympy.Expr]:
    """Short terms first: constants, then what depends on the state; accelerations before them."""
    terms = sorted(expression.args, key=_extent)
    v = page().v
    return _by_acceleration(terms, lambda name: _ranked(name, v))


def _extent(expression: sympy.Expr) -> float:
    """Width in one line; of what fills many lines the number of its symbols and numbers, which is found faster."""
    leaves = sum(not x.args for x in sympy.preorder_traversal(expression))
    return leaves if leaves > 5 * LINE else width(latex(expression))


def packed(terms: list[list[str]], room: float, before: float = 0) -> list[str]:
    """Terms one after the other, on as few lines as fit; a term of several lines begins on one of its own."""
    out: list[str] = []
    used = before
    for term in terms:
        first = term[0] if not out or term[0].startswith("-") else f"+ {term[0]}"
        wide = width(first)
        if out and len(term) == 1 and used + wide <= room:
            out[-1] += f" {first}"
            used += wide
        else:
            used = (used if not out else 0) + wide if len(term) == 1 else room
            out += [first, *term[1:]]
    return out
