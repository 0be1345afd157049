"""Derivatives of a straight-line program: forward, backward, or its whole Jacobian by the cheaper of the two.

A program is replayed on scalars of any kind, usually nodes of another graph, and what small changes do is computed
along with it.  What cannot depend on an argument is never formed.  This runs on programs as they were traced: before
multiplications and additions are fused, and before sines are lowered.

Where a derivative is a matter of choice:
- a select has the derivative of the branch that is taken; what happens in the other one, NaN included, does not matter
  (backward, whatever leads to that branch only is left out by the same condition, so that this holds at every order);
- a square root at zero and the angle of the point (0, 0) have derivative zero, as a length at its minimum;
- the sign of a number and a comparison have derivative zero, also where they jump.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ...algebra import scalars
from ...algebra.scalars import Array, Scalar, select, zeros
from ...errors import ArticulatedError
from .branches import Branch, Paths
from .graph import LEAVES, Node
from .simplify import REPLAY
from .trace import Program

#: the scalars of a row by column; what is not there is zero
Sparse = dict[int, Scalar]


def _of_root(x: Scalar, y: Scalar) -> tuple:
    # y itself where it is not positive: zero, or NaN
    return (select(y > 0, 0.5 / select(y > 0, y, 1.0), y),)


def _of_angle(y: Scalar, x: Scalar, angle: Scalar) -> tuple:
    squared = x * x + y * y
    inverse = select(squared > 0, 1 / select(squared > 0, squared, 1.0), squared)
    return x * inverse, -(y * inverse)


def _of_quotient(a: Scalar, b: Scalar, y: Scalar) -> tuple:
    inverse = 1 / b
    return inverse, -(y * inverse)


#: the derivative of each operation by each operand, given the operands and the result
PARTIALS: dict[str, Callable[..., tuple]] = {
    "neg": lambda a, y: (-1,),
    "add": lambda a, b, y: (1, 1),
    "sub": lambda a, b, y: (1, -1),
    "mul": lambda a, b, y: (b, a),
    "div": _of_quotient,
    "sqrt": _of_root,
    "sin": lambda a, y: (scalars.cos(a),),
    "cos": lambda a, y: (-scalars.sin(a),),
    "atan2": _of_angle,
    "sign": lambda a, y: (0,),
    "held": lambda a, y: (0,),
    "less": lambda a, b, y: (0, 0),
    "select": lambda c, yes, no, y: (0, Branch(c, True), Branch(c, False)),
}


class Linearized:
    """A program at `arguments`, vectors of scalars by name: its values, and what small changes do to them."""

    def __init__(self, program: Program, arguments: Mapping[str, Array]):
        self.program = program
        self._made: list[Scalar] = []
        self._partials: list[tuple] = []
        for op, args in zip(program.ops, program.args, strict=True):
            if op in LEAVES:
                self._made.append(arguments[args[0]][args[1]] if op == "input" else args[0])
                self._partials.append(())
                continue
            if op not in PARTIALS:
                raise ArticulatedError(f"there is no rule for the derivative of the operation {op!r}")
            operands = [self._made[k] for k in args]
            self._made.append(_computed(REPLAY[op], operands))
            self._partials.append(_computed(PARTIALS[op], [*operands, self._made[-1]], len(args)))

    def forward(self, tangents: Mapping[str, Array]) -> list[Array]:
        """The change of each output, (*shape, columns), as arguments change along the columns of (size, columns)."""
        outputs = self.program.outputs
        columns = next(x.shape[1] for x in tangents.values())
        found = [zeros(len(output.entries), columns) for output in outputs]
        # one column after the other: what one needs is not in use any more when the next begins
        for column in range(columns):
            moved = self._moved({name: x[:, column] for name, x in tangents.items()})
            for rows, output in zip(found, outputs, strict=True):
                for row, entry in zip(rows, output.entries, strict=True):
                    if isinstance(entry, tuple):
                        row[column] = -moved[entry[0]] if entry[1] else moved[entry[0]]
        return [rows.reshape(*output.shape, columns) for rows, output in zip(found, outputs, strict=True)]

    def _moved(self, tangents: Mapping[str, Array]) -> list[Scalar]:
        """The change of every operation as arguments change along vectors."""
        moved: list[Scalar] = []
        for op, args, partials in zip(self.program.ops, self.program.args, self._partials, strict=True):
            total: Scalar = 0
            if op == "input" and args[0] in tangents:
                total = tangents[args[0]][args[1]]
            for k, partial in zip(args, partials, strict=True) if op not in LEAVES else ():
                total = _sum(total, partial, moved[k])
            moved.append(total)
        return moved

    def backward(self, cotangents: Sequence[Array], names: Sequence[str]) -> dict[str, Array]:
        """The sum, by name, of (rows, size of an output) times the derivatives of that output: (rows, size)."""
        found = {name: zeros(len(cotangents[0]), size) for name, size in self.program.inputs if name in names}
        guards = self._guards()
        for row in range(len(cotangents[0])):
            felt = self._felt([weights[row] for weights in cotangents], guards)
            for x, op, args in zip(felt, self.program.ops, self.program.args, strict=True):
                if op == "input" and args[0] in found:
                    found[args[0]][row, args[1]] = x
        return found

    def _felt(self, weights: Sequence[Array], guards: Sequence[Branch | None]) -> list[Scalar]:
        """The derivative of the sum of all outputs times `weights` by every operation."""
        ops, args = self.program.ops, self.program.args
        felt: list[Scalar] = [0] * len(ops)
        for vector, output in zip(weights, self.program.outputs, strict=True):
            for x, entry in zip(vector, output.entries, strict=True):
                if isinstance(entry, tuple):
                    felt[entry[0]] = _sum(felt[entry[0]], -1 if entry[1] else 1, x)
        for i in reversed(range(len(ops))):
            for k, partial in zip(args[i], self._partials[i], strict=True) if ops[i] not in LEAVES else ():
                felt[k] = _sum(felt[k], partial, felt[i], guards[i])
        return felt

    def _guards(self) -> list[Branch | None]:
        """The condition under which each operation reaches an output; None where it always does."""
        paths = Paths()
        reached = [paths.NEVER] * len(self.program.ops)
        for output in self.program.outputs:
            for entry in output.entries:
                if isinstance(entry, tuple):
                    reached[entry[0]] = paths.ALWAYS
        for i in reversed(range(len(reached))):
            args = self.program.args[i] if self.program.ops[i] not in LEAVES else ()
            for k, partial in zip(args, self._partials[i], strict=True):
                if isinstance(partial, Branch):
                    reached[k] = paths.either(reached[k], paths.through(reached[i], args[0], partial.first))
                elif not _vanishes(partial):
                    reached[k] = paths.either(reached[k], reached[i])
        guards = paths.guards(reached, self._made)
        return [guards[number] for number in reached]


def jacobian(
    program: Program, arguments: Mapping[str, Array], maps: Mapping[str, Array], forward: bool | None = None
) -> dict[str, list[Array]]:
    """Derivatives of every output by each argument in `maps`, (*shape, columns); forward, backward, or as is cheaper.

    A map (size, columns) says how the scalars of its argument change along the directions that are asked for.
    """
    if forward is None:
        forward = cost_forward(program, maps) <= cost_backward(program, maps)
    return (_by_columns if forward else _by_rows)(Linearized(program, arguments), maps)


def _by_columns(at: Linearized, maps: Mapping[str, Array]) -> dict[str, list[Array]]:
    ends = np.cumsum([x.shape[1] for x in maps.values()]).tolist()
    tangents = {}
    for (name, columns), end in zip(maps.items(), ends, strict=True):
        tangents[name] = zeros(len(columns), ends[-1])
        tangents[name][:, end - columns.shape[1] : end] = columns
    whole = at.forward(tangents) if maps else []
    return {
        name: [x[..., end - columns.shape[1] : end] for x in whole]
        for (name, columns), end in zip(maps.items(), ends, strict=True)
    }


def _by_rows(at: Linearized, maps: Mapping[str, Array]) -> dict[str, list[Array]]:
    outputs = at.program.outputs
    sizes = [len(output.entries) for output in outputs]
    rows, stops = scalars.eye(sum(sizes)), np.cumsum(sizes).tolist()
    felt = at.backward([rows[:, stop - n : stop] for n, stop in zip(sizes, stops, strict=True)], list(maps))
    return {
        name: [
            _product(felt[name][stop - n : stop], columns).reshape(*output.shape, columns.shape[1])
            for output, n, stop in zip(outputs, sizes, stops, strict=True)
        ]
        for name, columns in maps.items()
    }


# -- which way is cheaper --------------------------------------------------------------------


def cost_forward(program: Program, maps: Mapping[str, Array]) -> int:
    """Products it takes forward: for each operation the columns that reach it."""
    moved: list[int] = []
    first, cost = 0, 0
    masks = {}
    for name, columns in maps.items():
        for k, row in enumerate(columns):
            masks[name, k] = sum(1 << (first + c) for c, x in enumerate(row) if not _vanishes(x))
        first += columns.shape[1]
    for op, args in zip(program.ops, program.args, strict=True):
        mask = masks.get(args, 0) if op == "input" else 0
        for k in () if op in LEAVES else args:
            mask |= moved[k]
            cost += moved[k].bit_count() if op not in _FREE else 0
        moved.append(mask)
    return cost


def cost_backward(program: Program, maps: Mapping[str, Array]) -> int:
    """Products it takes backward: for each operation the outputs it reaches, and the maps in the end."""
    felt, row, cost = [0] * len(program.ops), 0, 0
    for output in program.outputs:
        for entry in output.entries:
            if isinstance(entry, tuple):
                felt[entry[0]] |= 1 << row
            row += 1
    matters = [False] * len(program.ops)
    for i, (op, args) in enumerate(zip(program.ops, program.args, strict=True)):
        matters[i] = args[0] in maps if op == "input" else op != "const" and any(matters[k] for k in args)
    for i in reversed(range(len(felt))):
        op, args = program.ops[i], program.args[i]
        if op == "input" and args[0] in maps:
            entries = [x for x in maps[args[0]][args[1]] if not _vanishes(x)]
            cost += felt[i].bit_count() * sum(isinstance(x, Node) for x in entries)
        for k in () if op in LEAVES else args:
            if matters[k]:
                felt[k] |= felt[i]
                cost += felt[i].bit_count() if op not in _FREE else 0
    return cost


#: their derivatives are 0, 1 or -1
_FREE = ("neg", "add", "sub", "sign", "held", "less")


# -- sums of products --------------------------------------------------------------------------


def _sum(total: Scalar, partial: Any, x: Scalar, guard: Branch | None = None) -> Scalar:
    """`total` and a partial derivative times `x`; what vanishes is not formed."""
    if _vanishes(x) or _vanishes(partial):
        return total
    if isinstance(partial, Branch):
        term = partial.times(x)
    else:
        term = partial * x
        if guard and not isinstance(partial, int):
            term = guard.times(term)  # the partial derivative need not be finite where the operation does not count
    return term if _vanishes(total) else total + term


def _sparse(row: Sequence[Scalar]) -> Sparse:
    return {k: x for k, x in enumerate(row) if not _vanishes(x)}


def _vanishes(x: Any) -> bool:
    return isinstance(x, (int, float)) and x == 0


def _product(a: Array, b: Array) -> Array:
    """a b where most entries are zero."""
    out = zeros(len(a), b.shape[1])
    columns = [_sparse(row) for row in b]
    for row, given in zip(out, a, strict=True):
        for k, x in _sparse(given).items():
            for column, y in columns[k].items():
                row[column] = row[column] + x * y
    return out


def _computed(function: Callable[..., Any], values: list[Any], count: int = 0) -> Any:
    """`function` of values; NaN where numbers have no result (`count` of them if it gives several)."""
    try:
        return function(*values)
    except (ArithmeticError, ValueError):
        return (math.nan,) * count if count else math.nan
