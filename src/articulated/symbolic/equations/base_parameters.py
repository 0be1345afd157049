"""Base parameters (Gautier and Khalil 1990): the identifiable combinations of ten parameters per body.

Each is one parameter of a link, with factor one, plus what is regrouped into it from the links beyond: columns of the
regressor are taken from the base outward, and one that is a combination of those before it gives its parameter to them.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import sympy

from ...algebra import scalars
from ...algebra.scalars import Array, zeros
from ...algorithms.regressor import regressor
from ...errors import ModelError
from ...model.parameters import PARAMETER_NAMES, from_parameters, to_parameters
from ..ring.convert import number, plain
from ..ring.elimination import Vector, reduced_rows
from ..ring.polynomial import Polynomial, Ring, terms_of
from ..ring.state import State

#: of one body, in the order in which they keep their place: for a hinge along z, Iyy, mz and m go to the parent
ORDER = (4, 5, 7, 8, 9, 1, 2, 6, 3, 0)


class Column(NamedTuple):
    """One parameter: its name, its value and what it is multiplied with in tau."""

    name: str
    value: Any
    entries: Array


def regrouped(state: State) -> tuple[list[sympy.Expr], Array, list[Any]]:
    """Combinations a, Y with tau = Y a, and the values of a.

    m, m·c and I about the frame's origin of every body; b, f, J and k (damping, friction, rotor, spring) of joints.
    Symbols of placements and gravity are known: they are factors of what is regrouped, and in Y.
    """
    columns = [*_links(state), *_joints(state)]
    reduced, Y = reduced_columns(state, [column.entries for column in columns])
    symbols = [sympy.Symbol(column.name, real=True) for column in columns]
    combinations = [_combination(state.ring, symbols, pivot, row) for pivot, row in reduced]
    values = [_value(sum(c * columns[j].value for j, c in row.items())) for _, row in reduced]
    return combinations, Y, values


def reduced_columns(state: State, columns: list[Array]) -> tuple[list[tuple[int, Vector]], Array]:
    """The reduced row echelon form of columns that are functions of the state, and those that keep their place."""
    moving = {s for group in state.symbols.values() for s in group}
    known = state.ring.bits(lambda atom: not atom.free_symbols & moving)
    letters = state.ring.bits(lambda atom: atom.free_symbols and not atom.free_symbols & moving)
    rows: dict[tuple[int, int], dict[int, dict[int, Any]]] = {}
    for j, column in enumerate(columns):
        for i, x in enumerate(column):
            for m, c in terms_of(x).items():
                rows.setdefault((i, m & ~known), {}).setdefault(j, {})[m & known] = c
    parts = [(m, c) for row in rows.values() for entry in row.values() for m, c in entry.items()]
    used = [state.ring.atoms[k] for k in {k for m, _ in parts for k in state.ring.generators(m)}]
    if angle := next((x for x in used if x.free_symbols and not x.is_Symbol), None):
        raise ModelError(f"base parameters need numbers for angles between axes; {angle} is a symbol's")
    exact = not any(isinstance(c, float) for _, c in parts)
    if any(m & letters for m, _ in parts) and not exact:
        raise ModelError(
            "base parameters, and coefficients with known letters, need exact numbers beside letters for lengths; a "
            "general angle between axes has none; give the lengths as numbers, too"
        )
    given = [{j: _known(state.ring, entry) for j, entry in row.items()} for row in rows.values()]
    found = reduced_rows(given if exact else ({j: float(x) for j, x in row.items()} for row in given))
    kept = [columns[pivot] for pivot, _ in found]
    return found, np.stack(kept, axis=1) if kept else zeros(len(state.v), 0)


def _known(ring: Ring, entry: Mapping[int, Any]) -> Any:
    """A factor made of numbers, roots and known letters."""
    if set(entry) == {0}:
        return entry[0]
    return sympy.Add(*(number(c, False) * plain(Polynomial(ring, {m: 1})) for m, c in entry.items()))


def _combination(ring: Ring, symbols: list[sympy.Symbol], pivot: int, row: Vector) -> sympy.Expr:
    """The parameter that keeps its place, and the others; those with the same factor together."""
    groups: dict[sympy.Expr, list[sympy.Symbol]] = {}
    for j, c in sorted(row.items()):
        if j != pivot:
            groups.setdefault(c if isinstance(c, sympy.Basic) else number(c, ring.decimals), []).append(symbols[j])
    return sympy.Add(symbols[pivot], *(factor * sympy.Add(*group) for factor, group in groups.items()))


def _value(x: Any) -> Any:
    """A number, or an expression of the robot's own symbols."""
    found = sympy.factor_terms(sympy.sympify(x)) if isinstance(x, sympy.Basic) else x
    return found if isinstance(found, sympy.Basic) and found.free_symbols else float(found)


def _links(state: State) -> list[Column]:
    """Ten of each body, in the frame of its joint; of the body about its own frame the regressor is known."""
    Y = regressor(state.model, state.q, state.v, state.a)
    out = []
    for b, source in zip(state.model.bodies, state.source.bodies, strict=True):
        own, values = Y[:, 10 * b.index - 10 : 10 * b.index], to_parameters(source.inertia.moved_out(source.tail))
        back = b.tail.inverse()
        for k in ORDER:
            unit = from_parameters([int(j == k) for j in range(10)]).moved_out(back)
            out.append(Column(f"{PARAMETER_NAMES[k]}_{b.index}", values[k], own @ to_parameters(unit)))
    return out


def _joints(state: State) -> list[Column]:
    """Friction, rotors and springs; a mimic joint's add to those of the joint it follows, each by its gear."""
    out = []
    for b, source in zip(state.model.bodies, state.source.bodies, strict=True):
        rate, gear = b.multiplier * state.v[b.dofs], b.multiplier
        felt = {
            "b": (source.damping, [gear * x for x in rate]),
            "f": (source.friction, [gear * scalars.sign(x) for x in rate]),
            "J": (source.armature, [gear * gear * x for x in state.a[b.dofs]]),
            "k": (source.stiffness, gear * b.stretch(state.q) if source.stiffness != 0 else []),
        }
        for name, (value, entries) in felt.items():
            if value != 0:
                column = zeros(len(state.v))
                column[b.dofs] = entries
                out.append(Column(f"{name}_{b.index}", value, column))
    return out
