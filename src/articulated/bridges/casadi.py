"""A robot in CasADi: every method as a `Function`, its program written out in SX, so that CasADi differentiates it.

import casadi
import articulated.casadi

f = articulated.casadi.Robot(art.load("panda")).function("forward_dynamics")
f(q, v, tau)                                    # numbers, SX or MX; f.jacobian(), f.generate("f.c")
"""

import math
import operator
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..compiler import pipeline
from ..compiler.passes.trace import Output, Program
from ..compiler.source import TooLong
from ..errors import ArticulatedError, MissingExtra, ShapeError
from .externals import Function, Library, source
from .methods import Asked, Bridged, BridgedContacts, Differentiable
from .operations import Operation

try:
    import casadi
except ModuleNotFoundError as problem:
    if problem.name != "casadi":
        raise
    raise MissingExtra("articulated.casadi needs CasADi: pip install 'articulated[casadi]'") from None

__all__ = ["Contacts", "Robot"]

#: each operation on scalars of CasADi
SX: dict[str, Any] = {
    "neg": operator.neg, "add": operator.add, "sub": operator.sub, "mul": operator.mul, "div": operator.truediv,
    "fma": lambda a, b, c: a * b + c, "fms": lambda a, b, c: a * b - c, "fnma": lambda a, b, c: c - a * b,
    "sqrt": casadi.sqrt, "sin": casadi.sin, "cos": casadi.cos, "sine": casadi.sin, "cosine": casadi.cos,
    "atan2": casadi.atan2, "sign": casadi.sign, "held": lambda x: x, "less": operator.lt, "select": casadi.if_else,
}  # fmt: skip


class Robot(Bridged):
    """The methods of a robot on columns of numbers, SX or MX; `function` gives them as functions of CasADi.

    Results are matrices: a vector is a column, and of more than two axes all but the last are rows.
    """

    def evaluated(self, method: str, asked: Asked) -> Any:
        """Expressions or numbers, as the arguments are."""
        operation = asked.operation(float)
        for name, x in asked.arrays.items():
            shape, size = x.shape if hasattr(x, "shape") else np.shape(x), operation.request.sizes[name]
            if shape[:1] != (size,):
                needed = f"{self.robot.name} needs a column of {size}, or one for each state"
                raise ShapeError(f"{method}: {name} has shape {tuple(shape)}, but {needed}")
        found = self._function(method, operation)(*asked.arrays.values())
        return operation.result(found if isinstance(found, tuple) else (found,))

    def function(self, method: Differentiable, /, *choices: Any, **options: Any) -> casadi.Function:
        """A method as a `Function` of its arrays: `function("pose", "hand")`.

        What follows the arrays is given as in a call. Further arguments of the function are asked for by name:
        `parameters=True`, `base_velocity=True`, `base_acceleration=True`, `forces=["hand", …]`.
        """
        asked: Asked = self.asked(method, *choices, **options)
        return self._function(method, asked.operation(float))

    def compiled(self, method: Differentiable, /, *choices: Any, **options: Any) -> casadi.Function:
        """The same function as machine code, with its first and second derivatives; for numbers and MX.

        It lives as long as this process, writes no C code, and takes no SX.  Where there is no machine code, or the
        package was installed without a C compiler, it is what `function` returns.
        """
        asked: Asked = self.asked(method, *choices, **options)
        operation = asked.operation(float)

        def made() -> casadi.Function:
            if not operation.entry_point() or not source():
                return self._function(method, operation)
            titles = _titles(method, operation.results, operation.names)
            with Library(Function.of(operation, titles)).file() as path:
                return casadi.external("articulated", path)

        return self.robot.kernels.once(("casadi, compiled", operation.request), made)

    def _function(self, method: str, operation: Operation) -> casadi.Function:
        def made() -> casadi.Function:
            try:
                program = pipeline.program(operation.source)
            except TooLong:
                raise ArticulatedError(f"{method} of {self.robot.name} is too long for CasADi") from None
            return _written(method, program, operation.names)

        return self.robot.kernels.once(("casadi", operation.request), made)


class Contacts(BridgedContacts, Robot):
    """`jacobian`, `bias`, `forward_dynamics` and `inverse_dynamics` of `art.Contacts`, the same."""


def _written(method: str, program: Program, names: Sequence[str]) -> casadi.Function:
    """A program as a function of CasADi."""
    given = {name: casadi.SX.sym(name, size) for name, size in program.inputs}
    made: list[Any] = []
    for op, args in zip(program.ops, program.args, strict=True):
        if op == "input":
            made.append(given[args[0]][args[1]])
        elif op == "const":
            made.append(casadi.SX(args[0]))
        else:
            made.append(SX[op](*(made[k] for k in args)))
    results = [_matrix(output, made) for output in program.outputs]
    titles = _titles(method, program.result, names)
    return casadi.Function(method, [given[name] for name in names], results, list(names), titles)


def _titles(method: str, result: type | None, names: Sequence[str]) -> list[str]:
    """Names of the results, other than those of the arrays."""
    titles = getattr(result, "_fields", None) or [method]
    return [f"{title}_result" if title in names else title for title in titles]


def _matrix(output: Output, made: Sequence[Any]) -> Any:
    entries = [(-made[e[0]] if e[1] else made[e[0]]) if isinstance(e, tuple) else casadi.SX(e) for e in output.entries]
    if len(output.shape) < 2:
        return casadi.vertcat(*entries)
    # CasADi stores columns
    return casadi.reshape(casadi.vertcat(*entries), output.shape[-1], math.prod(output.shape[:-1])).T
