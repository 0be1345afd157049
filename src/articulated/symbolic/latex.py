"""Expressions as a lecture writes them: c_12 and s_12, dots over q, masses first, long rows broken."""

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

import sympy

WIDTH = 110  # characters of LaTeX that fit a line, roughly
GREEK = ("alpha", "beta", "gamma", "delta", "theta", "phi", "psi", "omega", "sigma", "tau", "mu", "rho", "pi")
DOTS = {"qd": r"\dot{q}", "qdd": r"\ddot{q}"}
#: in this order factors are written
ORDER = ("m", "g", "I", "k", "l")


def latex(expression: Any) -> str:
    """LaTeX of one expression, in one line."""
    if isinstance(expression, sympy.MatrixBase):
        rows = (" & ".join(latex(x) for x in expression.row(i)) for i in range(expression.rows))
        return r"\begin{pmatrix} " + r" \\ ".join(rows) + r" \end{pmatrix}"
    return _one_line(sympy.sympify(expression))


@lru_cache(maxsize=20000)
def _one_line(expression: sympy.Expr) -> str:
    shown, names = _named(expression)
    return sympy.latex(shown, symbol_names=names, long_frac_ratio=2)


def symbol_latex(name: str) -> str:
    """q_12 as q_{12}, qd_1 with a dot, Greek letters as such."""
    head, _, index = name.partition("_")
    if head in DOTS:
        head = DOTS[head]
    elif head in GREEK:
        head = f"\\{head}"
    elif len(head) > 1 and head[0] == "I":
        head, index = "I", f"{index},{head[1:]}" if index else head[1:]
    elif len(head) > 1 and head[0] == "m" and head[1:] in ("x", "y", "z"):
        head = f"(m{head[1]})"
    elif len(head) > 1:
        head = rf"\mathrm{{{head}}}"
    return f"{head}_{{{index}}}" if index else head


def _named(expression: sympy.Expr) -> tuple[sympy.Expr, dict[sympy.Symbol, str]]:
    """The expression with shorthands for symbols, named so that SymPy sorts them as we write them."""
    names: dict[sympy.Symbol, str] = {}
    replaced: dict[sympy.Expr, sympy.Symbol] = {}
    for f in expression.atoms(sympy.cos, sympy.sin):
        if index := _angle_index(f.args[0]):
            letter = "c" if isinstance(f, sympy.cos) else "s"
            replaced[f] = sympy.Symbol(f"x{letter}{index}")
            names[replaced[f]] = f"{letter}_{{{index}}}"
    expression = expression.xreplace(replaced)
    state = {"q": "w", "qd": "y", "qdd": "z", "v": "y", "a": "a"}
    for symbol in expression.free_symbols - set(names):
        head = symbol.name.partition("_")[0]
        rank = f"a{ORDER.index(head[0])}" if head[0] in ORDER else f"b{head}"
        new = sympy.Symbol(f"{state.get(head, rank)} {symbol.name}")
        replaced[symbol], names[new] = new, symbol_latex(symbol.name)
    return expression.xreplace(replaced), names


def _angle_index(angle: sympy.Expr) -> str:
    """12 of q_1 + q_2, 2-1 of q_2 - q_1; nothing if it is another angle."""
    parts = []
    for term, factor in angle.as_coefficients_dict().items():
        if abs(factor) != 1 or not term.is_Symbol or not term.name.startswith("q_"):
            return ""
        parts.append((int(term.name[2:]), "" if factor > 0 else "-"))
    parts.sort(key=lambda part: (part[1], part[0]))
    separator = "," if any(index > 9 for index, _ in parts) else ""
    text = parts[0][1] + str(parts[0][0])
    return text + "".join(sign + str(k) if sign else separator + str(k) for k, sign in parts[1:])


def lines(expression: sympy.Expr, width: int = WIDTH) -> list[str]:
    """LaTeX of an expression, broken at plus signs where it is too long."""
    whole = latex(expression)
    if len(whole) <= width or not (expression.is_Add or expression.is_Mul):
        return [whole]
    if expression.is_Add:
        return _packed([lines(term, width) for term in _ordered(expression)], width)
    inner = max(expression.args, key=lambda x: len(latex(x)) if x.is_Add else 0)
    if not inner.is_Add:
        return [whole]
    rest = sympy.Mul(*(x for x in expression.args if x is not inner))
    head = "-" if rest == -1 else rf"\left({latex(rest)}\right)" if rest.is_Add else latex(rest)
    inside = lines(inner, width)
    inside[0] = rf"{head} \bigl[ {inside[0]}"
    inside[-1] = rf"{inside[-1]} \bigr]"
    return inside


def _ordered(expression: sympy.Expr) -> list[sympy.Expr]:
    """Short terms first: constants, then what depends on the state."""
    return sorted(expression.args, key=lambda term: (len(latex(term)), sympy.default_sort_key(term)))


def _packed(terms: list[list[str]], width: int) -> list[str]:
    """Terms one after the other, on as few lines as fit."""
    out: list[str] = []
    for term in terms:
        first = term[0] if not out or term[0].startswith("-") else f"+ {term[0]}"
        if out and len(out[-1]) + len(first) < width and len(term) == 1:
            out[-1] += f" {first}"
        else:
            out += [first, *term[1:]]
    return out


def aligned(rows: Iterable[tuple[str, Any]], width: int = WIDTH) -> str:
    """`left &= right` in an aligned block; a right-hand side is LaTeX or an expression."""
    out = []
    for left, right in rows:
        broken = [right] if isinstance(right, str) else lines(right, width) if _scalar(right) else [latex(right)]
        out.append(f"{left} &= {broken[0]}")
        out += [rf"&\quad {line}" for line in broken[1:]]
    return "\\begin{aligned}\n" + " \\\\\n".join(out) + "\n\\end{aligned}"


def _scalar(x: Any) -> bool:
    return isinstance(x, sympy.Expr) and not isinstance(x, sympy.MatrixBase)


def rows_of(equations: Any, what: str) -> list[tuple[str, Any]]:
    """Left- and right-hand sides of a quantity: M, C, c, g, T, U, tau, friction."""
    from ..errors import unknown

    found = QUANTITIES.get(what)
    if found is None:
        raise unknown("quantity", what, "the equations", QUANTITIES)
    return found(equations)


def _entries(letter: str, matrix: sympy.Matrix) -> list[tuple[str, Any]]:
    """A vector, entry by entry."""
    return [(f"{letter}_{{{i + 1}}}", x) for i, x in enumerate(matrix)]


def _index(i: int, j: int, n: int) -> str:
    return f"{i + 1}{j + 1}" if n < 10 else f"{i + 1},{j + 1}"


def _upper(equations: Any) -> list[tuple[str, Any]]:
    """M is symmetric: its upper triangle; what is zero is said in one line."""
    M = equations.M
    n = M.rows
    rows = [(f"M_{{{_index(i, j, n)}}}", M[i, j]) for i in range(n) for j in range(i, n)]
    zero = [left for left, x in rows if x == 0]
    return [row for row in rows if row[1] != 0] + ([(" = ".join(zero), "0")] if zero else [])


def _sums(equations: Any) -> list[tuple[str, Any]]:
    M, a, h = equations.M, equations.a, equations.c + equations.g + equations.friction
    return [
        (f"\\tau_{{{i + 1}}}", sympy.Add(*(sympy.Mul(M[i, j], a[j], evaluate=True) for j in range(M.cols)), h[i]))
        for i in range(M.rows)
    ]


def _full(letter: str, matrix: sympy.Matrix) -> list[tuple[str, Any]]:
    n = matrix.cols
    return [(f"{letter}_{{{_index(i, j, n)}}}", matrix[i, j]) for i in range(matrix.rows) for j in range(n)]


#: what can be typeset → its rows
QUANTITIES: dict[str, Any] = {
    "M": _upper,
    "C": lambda eq: _full("C", eq.C),
    "c": lambda eq: _entries("c", eq.c),
    "g": lambda eq: _entries("g", eq.g),
    "friction": lambda eq: _entries(r"\tau^f", eq.friction),
    "tau": _sums,
    "T": lambda eq: [("T", eq.T)],
    "U": lambda eq: [("U", eq.U)],
    "L": lambda eq: [("L", eq.lagrangian)],
}


def equations_latex(equations: Any, what: Iterable[str]) -> str:
    """The quantities as rows of one aligned block, for math mode."""
    return aligned(row for name in what for row in rows_of(equations, name.strip()))
