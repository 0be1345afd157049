"""Base parameters of a numeric robot: combinations of its ten parameters per body that the motion can tell apart."""

from typing import Any, NamedTuple

import numpy as np
import sympy

from ...algebra import scalars
from ...algebra.scalars import Array, zeros
from ...algorithms.regressor import parameters, regressor
from ..ring.convert import number
from ..ring.elimination import Vector, reduced_rows
from ..ring.polynomial import terms_of
from ..ring.state import State

PARAMETERS = ("m", "mx", "my", "mz", "Ixx", "Ixy", "Iyy", "Ixz", "Iyz", "Izz")
#: outer bodies first, mass last: what can be moved inward is
ORDER = (1, 2, 3, 4, 5, 7, 8, 6, 9, 0)


class Column(NamedTuple):
    """One parameter: its name, its value and what it is multiplied with in tau."""

    name: str
    value: Any
    entries: Array


def base_parameters(state: State, letter: str) -> tuple[list[tuple[str, sympy.Expr]], Array, list[float]]:
    """Names and combinations, Y with tau = Y a, and the values of a.

    m, m·c and I about the frame's origin of every body; b, f and J (damping, friction, rotor) of joints that have them.
    """
    columns = [*_links(state), *_joints(state)]
    rows: dict[tuple[int, int], Vector] = {}
    for j, column in enumerate(columns):
        for i, x in enumerate(column.entries):
            for m, c in terms_of(x).items():
                rows.setdefault((i, m), {})[j] = c
    reduced = reduced_rows(rows.values())
    symbols = [sympy.Symbol(column.name, real=True) for column in columns]
    items = [
        (f"{letter}_{k + 1}", sympy.Add(*(number(c) * symbols[j] for j, c in sorted(row.items()))))
        for k, (_, row) in enumerate(reduced)
    ]
    values = [float(sum(c * columns[j].value for j, c in row.items())) for _, row in reduced]
    empty = zeros(len(state.v), 0)
    Y = np.stack([columns[pivot].entries for pivot, _ in reduced], axis=1) if reduced else empty
    return items, Y, values


def _links(state: State) -> list[Column]:
    Y, values = regressor(state.model, state.q, state.v, state.a), parameters(state.source)
    out = []
    for b in reversed(state.source.bodies):
        for k in ORDER:
            j = 10 * b.index - 10 + k
            out.append(Column(f"{PARAMETERS[k]}_{b.index}", values[j], Y[:, j]))
    return out


def _joints(state: State) -> list[Column]:
    """Friction and rotors; a mimic joint's add to those of the joint it follows, each by its gear."""
    out = []
    for b, source in zip(state.model.bodies, state.source.bodies, strict=True):
        rate, gear = b.multiplier * state.v[b.dofs], b.multiplier
        felt = {
            "b": (source.damping, [gear * x for x in rate]),
            "f": (source.friction, [gear * scalars.sign(x) for x in rate]),
            "J": (source.armature, [gear * gear * x for x in state.a[b.dofs]]),
        }
        for name, (value, entries) in felt.items():
            if value != 0:
                column = zeros(len(state.v))
                column[b.dofs] = entries
                out.append(Column(f"{name}_{b.index}", value, column))
    return out
