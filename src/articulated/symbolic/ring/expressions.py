"""Parser of expressions, without evaluation of code: sums, products, powers, roots, sines and cosines."""

import ast
import keyword
import operator
import re
from collections.abc import Callable, Mapping
from typing import Any

import sympy

from ...errors import ModelError, unknown
from ...text import shortened

FUNCTIONS: dict[str, Callable[[Any], Any]] = {
    "sin": sympy.sin, "cos": sympy.cos, "tan": sympy.tan, "sqrt": sympy.sqrt,
}  # fmt: skip
OPERATIONS: dict[type, Callable[[Any, Any], Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
    ast.Pow: operator.pow,
}  # fmt: skip
KEYWORDS = re.compile(rf"\b({'|'.join(keyword.kwlist)})\b")  # of Python, which may be letters of a robot: lambda
LONGEST, HIGHEST = 20_000, 20  # characters of an expression, and the largest exponent


def symbol(name: str, positive: bool = False) -> sympy.Symbol:
    """A real symbol of that name, or a positive one."""
    if not name.isidentifier() or name in FUNCTIONS or name == "pi":
        raise ModelError(f"{shortened(repr(name))} is not a symbol name: letters, digits and underscores, as in l_1")
    return sympy.Symbol(name, positive=True) if positive else sympy.Symbol(name, real=True)


def parsed(text: str, known: Mapping[str, Any], what: str = "the expression") -> Any:
    """The expression a text spells, with `known` for its names; lists become matrices.  `^` is a power, too."""
    if len(text) > LONGEST:
        raise ModelError(f"{what} has {len(text)} characters; at most {LONGEST} are read")
    try:
        spelled = KEYWORDS.sub(r"\1_", text.strip().replace("^", "**"))
        tree = ast.parse(spelled, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as problem:
        where = f" (at character {problem.offset})" if isinstance(problem, SyntaxError) and problem.offset else ""
        raise ModelError(f"{what} cannot be read{where}: {shortened(text)}") from None
    try:
        return _value(tree, known, what)
    except (TypeError, sympy.matrices.exceptions.ShapeError, RecursionError, OverflowError):
        raise ModelError(f"{what} is not an expression: {shortened(text)}") from None


def _value(node: ast.AST, known: Mapping[str, Any], what: str) -> Any:
    if isinstance(node, ast.Constant) and type(node.value) in (int, float):
        return sympy.sympify(node.value)
    if isinstance(node, ast.Name):
        return _named(node.id, known, what)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.UAdd)):
        inner = _value(node.operand, known, what)
        return -inner if isinstance(node.op, ast.USub) else inner
    if isinstance(node, ast.BinOp) and type(node.op) in OPERATIONS:
        left, right = (_value(part, known, what) for part in (node.left, node.right))
        if isinstance(node.op, ast.Pow):
            right = sympy.Rational(str(right)) if right.is_Float else right  # 0.5 is 1/2
            if not (right.is_Rational and abs(right) <= HIGHEST):
                raise ModelError(f"{what}: a power is a number up to {HIGHEST}, not {shortened(str(right))}")
        return OPERATIONS[type(node.op)](left, right)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and len(node.args) == 1 and not node.keywords:
        if node.func.id not in FUNCTIONS:
            raise unknown("function", node.func.id, what, FUNCTIONS)
        return FUNCTIONS[node.func.id](_value(node.args[0], known, what))
    if isinstance(node, ast.Attribute) and node.attr == "T":
        return sympy.Matrix([_value(node.value, known, what)]).T
    if isinstance(node, (ast.List, ast.Tuple)):
        return _matrix([_value(part, known, what) for part in node.elts], what)
    raise ModelError(f"{what}: {shortened(ast.unparse(node))} is not a sum, product, power, root, sine or cosine")


def _named(name: str, known: Mapping[str, Any], what: str) -> Any:
    if (plain := name.removesuffix("_") if keyword.iskeyword(name[:-1]) else name) in known:
        return known[plain]
    if name == "pi":
        return sympy.pi
    raise unknown("symbol", name, what, known)


def _matrix(entries: list[Any], what: str) -> sympy.Matrix:
    rows = [list(x) if isinstance(x, sympy.MatrixBase) else [x] for x in entries]
    if not rows or len({len(row) for row in rows}) != 1:
        raise ModelError(f"{what}: the rows of a matrix have the same length")
    return sympy.Matrix(rows)
