"""Programs as C functions over many states, and what functions to take away are called."""

import re
from collections.abc import Sequence
from keyword import kwlist
from typing import Any

from ...compiler.emit.c import source
from ...text import shortened
from .program import Program, operations, program

#: what no function can be called, in Python, C, Julia or MATLAB
RESERVED = {
    *kwlist, "auto", "case", "char", "const", "default", "do", "double", "enum", "extern", "float", "goto", "inline",
    "int", "long", "main", "register", "restrict", "short", "signed", "sizeof", "static", "struct", "switch", "typedef",
    "union", "unsigned", "void", "volatile", "abstract", "baremodule", "begin", "catch", "elseif", "end", "export",
    "function", "let", "local", "macro", "mutable", "otherwise", "parfor", "persistent", "quote", "spmd", "using",
    "null", "jac", "hess",
}  # fmt: skip


def title_of(equations: Any) -> str:
    """The robot's name, which may hold anything, as an identifier."""
    name = identifier(equations.name[:60])
    return name if name[:1].isalpha() and name not in RESERVED else f"robot_{name}"


def identifier(name: str) -> str:
    """Letters, digits and single lines only: two lines together are no name for CasADi."""
    return re.sub(r"[^A-Za-z0-9]+", "_", name)


def remark_on(equations: Any, what: Sequence[str], found: Program) -> str:
    """The comment at the head of a function: its results, parameters and coefficients."""
    parameters = ", ".join(str(p) for p in equations.parameters)
    words = f"{', '.join(what)} of {shortened(equations.name)} in closed form, {operations(found)} operations."
    words += f" The parameters p: {parameters}." if parameters else ""
    if "Y" in what:
        words += f" tau is Y times {', '.join(c.name for c in equations.coefficients())} of eq.coefficients()."
    return re.sub(r"[^\w .,:;()+-]", "_", words)  # whatever the names hold, the comment ends where it should


def c_code(equations: Any, what: Sequence[str]) -> str:
    """A C99 file with one function over n states; see the comment in it for the sizes."""
    found = program(equations, what)
    return f"/* {remark_on(equations, what, found)} */\n{source(found, title_of(equations))}"
