"""A recursion executed body by body: every quantity of every pass, as numbers or as expressions."""

from collections.abc import Callable, Mapping
from html import escape
from typing import Any, NamedTuple

import numpy as np

from ..algorithms.forward_dynamics import articulated_bodies
from ..algorithms.inverse_dynamics import inverse_dynamics, wrenches
from ..algorithms.kinematics import motions, upwards, velocities
from ..algorithms.mass_matrix import composite_bodies, mass_matrix
from ..errors import unknown
from ..model import Model
from ..scalars import Array
from .lifting import number
from .polynomial import Polynomial
from .state import State
from .tidy import readable


class Row(NamedTuple):
    """One quantity of one body: the formula it comes from, and its value."""

    body: str
    formula: str
    value: Any


class Pass(NamedTuple):
    """One sweep over the tree."""

    title: str
    rows: list[Row]


State_ = Mapping[str, Array]


def rnea(model: Model, state: State_) -> list[Pass]:
    """Newton-Euler: outward motions, inward forces."""
    q, v, a = state["q"], state["v"], state["a"]
    X, V, A = motions(model, q, v, a, base_acceleration=upwards(model))
    F, tau = wrenches(model, q, v, a), inverse_dynamics(model, q, v, a)
    outward, inward = [], []
    for b in model.bodies:
        outward.append(Row(b.name, "p: its origin in the parent", X[b].p))
        outward.append(Row(b.name, "V = X V(parent) + S v", V[b]))
        outward.append(Row(b.name, "A = X A(parent) + S a + V × S v", A[b]))
    for b in reversed(model.bodies):
        inward.append(Row(b.name, "F = I A + V ×* I V + Σ X* F(child)", F[b]))
        inward.append(Row(b.name, "tau = Sᵀ F (+ friction, rotor)", tau[b.dofs]))
    return [
        Pass("1. outward: how each body moves, the world accelerating upwards", outward),
        Pass("2. inward: the force each joint carries", inward),
    ]


def crba(model: Model, state: State_) -> list[Pass]:
    """Composite bodies: inward inertias, then forces down to the base."""
    q = state["q"]
    composite = composite_bodies(model, {b: b.transform(q) for b in model.bodies})
    M = mass_matrix(model, q)
    inward, columns = [], []
    for b in reversed(model.bodies):
        inward.append(Row(b.name, "mass of it and all beyond", composite[b].mass))
        inward.append(Row(b.name, "first moment", composite[b].first))
        inward.append(Row(b.name, "rotational inertia at its origin", composite[b].second))
    for b in model.bodies:
        columns.append(Row(b.name, "F = I S, for a unit acceleration", (composite[b] @ b.S).T))
        columns.append(Row(b.name, "its rows of M: Sᵀ F, at its joint and at those below", M[b.dofs]))
    return [Pass("1. inward: composite bodies", inward), Pass("2. columns of M", columns)]


def aba(model: Model, state: State_) -> list[Pass]:
    """Articulated bodies: inward inertias and biases, outward accelerations."""
    found = articulated_bodies(model, state["q"], state["v"], state["tau"])
    _, V = velocities(model, state["q"], state["v"])
    first = [Row(b.name, "V = X V(parent) + S v", V[b]) for b in model.bodies]
    inward, outward = [], []
    for b in reversed(model.bodies):
        k = b.index - 1
        inward.append(Row(b.name, "Mhat = M + Σ X* Mbar(child) X", found.inertia[k]))
        inward.append(Row(b.name, "bhat: force that keeps it from accelerating", found.bias[k]))
        inward.append(Row(b.name, "Mbar = Mhat - Mhat S (Sᵀ Mhat S)⁻¹ Sᵀ Mhat", found.projected[k]))
    for b in model.bodies:
        outward.append(Row(b.name, "a = (Sᵀ Mhat S)⁻¹ (tau - Sᵀ (Mhat A + bhat))", found.a[b.dofs]))
        outward.append(Row(b.name, "A, the world accelerating upwards", found.acceleration[b.index - 1]))
    return [
        Pass("1. outward: twists", first),
        Pass("2. inward: articulated inertias and biases", inward),
        Pass("3. outward: accelerations", outward),
    ]


#: name → (its passes, what it takes)
ALGORITHMS: dict[str, Callable[[Model, State_], list[Pass]]] = {"rnea": rnea, "crba": crba, "aba": aba}


def explained(algorithm: str, model: Model, state: State_) -> list[Pass]:
    """The passes of an algorithm on numbers."""
    if algorithm not in ALGORITHMS:
        raise unknown("algorithm", algorithm, "the list", ALGORITHMS)
    return ALGORITHMS[algorithm](model, state)


def explained_in_symbols(algorithm: str, model: Model) -> list[Pass]:
    """The passes of rnea or crba on expressions, for small robots."""
    state = State(model)
    found = explained(algorithm, state.model, {"q": state.q, "v": state.v, "a": state.a})

    def show(x: Any) -> Any:
        if isinstance(x, np.ndarray):
            return np.array([show(y) for y in x], object)
        return readable(state, x) if isinstance(x, Polynomial) else number(x)

    return [Pass(p.title, [Row(r.body, r.formula, show(r.value)) for r in p.rows]) for p in found]


def _cells(value: Any) -> list[str]:
    """A scalar or vector in one line, a matrix in one per row."""
    array = np.array(value, object)
    if array.ndim == 2:
        return [f"[{', '.join(_short(x) for x in row)}]" for row in array]
    return [f"[{', '.join(_short(x) for x in array)}]" if array.ndim else _short(array.item())]


def _short(x: Any) -> str:
    return f"{float(x):.6g}" if isinstance(x, (int, float, np.number)) else str(x)


def as_text(title: str, passes: list[Pass]) -> str:
    """Passes for a terminal."""
    out = [title]
    for found in passes:
        out += ["", found.title]
        body = None
        for row in found.rows:
            if row.body != body:
                out.append(f"  {row.body}")
                body = row.body
            cells = _cells(row.value)
            out.append(f"    {row.formula}")
            out += [f"      {cell}" for cell in cells]
    return "\n".join(out) + "\n"


def as_html(title: str, passes: list[Pass]) -> str:
    """Passes as a page that needs nothing but a browser."""
    style = "body{font:16px/1.5 Georgia,serif;margin:2rem}td{padding:.2em 1em;vertical-align:top}td pre{margin:0}"
    parts = [f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>']
    parts.append(f"<style>{style}</style></head><body><h1>{escape(title)}</h1>")
    for found in passes:
        parts.append(f"<h2>{escape(found.title)}</h2><table>")
        for row in found.rows:
            cells = escape("\n".join(_cells(row.value)))
            parts.append(
                f"<tr><td>{escape(row.body)}</td><td>{escape(row.formula)}</td><td><pre>{cells}</pre></td></tr>"
            )
        parts.append("</table>")
    return "".join([*parts, "</body></html>\n"])
