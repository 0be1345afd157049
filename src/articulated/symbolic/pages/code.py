"""Programs as Python and C functions to take away."""

import re
from collections.abc import Sequence
from keyword import kwlist
from typing import Any

import numpy as np

from ...compiler.emit.c import source
from ...text import shortened
from .program import Program, operations, program

#: each operation as a Python expression
PYTHON = {
    "neg": "-{0}", "add": "{0} + {1}", "sub": "{0} - {1}", "mul": "{0} * {1}", "div": "{0} / {1}",
    "sqrt": "sqrt({0})", "sin": "sin({0})", "cos": "cos({0})", "atan2": "atan2({0}, {1})", "sign": "sign({0})",
}  # fmt: skip


#: what no function can be called, in Python or in C
RESERVED = {
    *kwlist, "auto", "case", "char", "const", "default", "do", "double", "enum", "extern", "float", "goto", "inline",
    "int", "long", "main", "register", "restrict", "short", "signed", "sizeof", "static", "struct", "switch", "typedef",
    "union", "unsigned", "void", "volatile",
}  # fmt: skip


def _title(equations: Any) -> str:
    """The robot's name, which may hold anything, as an identifier."""
    name = re.sub(r"[^A-Za-z0-9]", "_", equations.name[:60])
    return name if name[:1].isalpha() and name not in RESERVED else f"robot_{name}"


def _remark(equations: Any, what: Sequence[str], found: Program) -> str:
    parameters = ", ".join(str(p) for p in equations.parameters)
    words = f"{', '.join(what)} of {shortened(equations.name)} in closed form, {operations(found)} operations."
    words += f" The parameters p: {parameters}." if parameters else ""
    return re.sub(r"[^\w .,:;()+-]", "_", words)  # whatever the names hold, the comment ends where it should


def c_code(equations: Any, what: Sequence[str]) -> str:
    """A C99 file with one function over n states; see the comment in it for the sizes."""
    found = program(equations, what)
    return f"/* {_remark(equations, what, found)} */\n{source(found, _title(equations))}"


def python_code(equations: Any, what: Sequence[str]) -> str:
    """A Python file with one NumPy function; q, v, … have their components last, leading axes are a batch."""
    found = program(equations, what)
    body, names = _steps(found)
    results = []
    for title, output in zip(what, found.outputs, strict=True):
        entries = [_entry(e, names) for e in output.entries]
        shape = ", ".join(str(n) for n in output.shape)
        body.append(f"    {title} = stacked([{', '.join(entries)}], ({shape},), q)")
        results.append(title)
    return "\n".join(
        [
            f'"""{_remark(equations, what, found)}"""',
            "",
            "from numpy import asarray, broadcast_arrays, cos, sign, sin, sqrt, stack",
            "",
            "",
            f"def {_title(equations)}({', '.join(name for name, _ in found.inputs)}):",
            *(f"    {name} = asarray({name}, float)" for name, _ in found.inputs),
            *body,
            f"    return {', '.join(results)}",
            "",
            "",
            "def stacked(entries, shape, q):",
            '    """Entries as the last axes of one array."""',
            "    columns = broadcast_arrays(*entries, q[..., 0])[:-1]",
            "    return stack(columns, axis=-1).reshape(columns[0].shape + shape)",
            "",
        ]
    )


def casadi_code(equations: Any, what: Sequence[str]) -> str:
    """A Python file that makes one CasADi function; to run it needs CasADi, to write it does not."""
    found = program(equations, what)
    sizes = [f'{name} = SX.sym("{name}", {size})' for name, size in found.inputs]
    body, names = _steps(found, "{0}[{1}]")
    results = []
    for title, output in zip(what, found.outputs, strict=True):
        rows = np.array([_entry(e, names) for e in output.entries], object).reshape(output.shape)
        shown = [f"horzcat({', '.join(row)})" for row in (rows if rows.ndim == 2 else rows[:, None])]
        body.append(f"    {title} = vertcat({', '.join(shown)})")
        results.append(title)
    inputs = ", ".join(name for name, _ in found.inputs)
    labels = f"{[name for name, _ in found.inputs]}, {list(results)}"
    return "\n".join(
        [
            f'"""{_remark(equations, what, found)}"""',
            "",
            "from casadi import SX, Function, cos, horzcat, sign, sin, sqrt, vertcat",
            "",
            "",
            f"def {_title(equations)}():",
            '    """The CasADi function."""',
            *(f"    {line}" for line in sizes),
            *body,
            f'    return Function("{_title(equations)}", [{inputs}], [{", ".join(results)}], {labels})',
            "",
        ]
    )


def _steps(found: Program, component: str = "{0}[..., {1}]") -> tuple[list[str], list[str]]:
    body, names = [], []
    for i, (op, args) in enumerate(zip(found.ops, found.args, strict=True)):
        if op == "input":
            names.append(component.format(*args))
        elif op == "const":
            names.append(repr(float(args[0])))
        else:
            names.append(f"t{i}")
            body.append(f"    t{i} = {PYTHON[op].format(*(names[k] for k in args))}")
    return body, names


def _entry(entry: Any, names: list[str]) -> str:
    if not isinstance(entry, tuple):
        return repr(float(entry))
    return f"{'-' if entry[1] else ''}{names[entry[0]]}"
