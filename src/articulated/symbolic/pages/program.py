"""Closed forms as straight-line programs: common subexpressions shared, operations counted."""

from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from ...algebra.scalars import Array
from ...algorithms.fast.moments import inverse_dynamics_by_moments, mass_matrix_by_moments
from ...algorithms.fast.regrouping import regrouped
from ...algorithms.inverse_dynamics import bias_forces, coriolis_forces, gravity_forces
from ...algorithms.mass_matrix import mass_matrix
from ...compiler.passes.trace import Program, trace
from ...errors import unknown
from ...model import Model
from ..equations.factorizations import coriolis_matrix
from ..equations.presentation import shortest
from ..equations.substitution import in_numbers
from ..ring.convert import converted
from ..ring.polynomial import Polynomial
from ..ring.values import evaluate, generator_values, value

#: what a program can compute, from the equations, and what it needs beside q
WANTED: dict[str, tuple[Callable[[Any], Any], str]] = {
    "M": (lambda eq: eq.polynomials["M"], ""),
    "C": (lambda eq: coriolis_matrix(eq, "christoffel"), "v"),
    "c": (lambda eq: eq.polynomials["c"], "v"),
    "g": (lambda eq: eq.polynomials["g"], ""),
    "friction": (lambda eq: eq.polynomials["friction"], "v"),
    "T": (lambda eq: eq.polynomials["T"], "v"),
    "U": (lambda eq: eq.polynomials["U"], ""),
    "tau": (lambda eq: eq.polynomials["tau"], "va"),
    "Y": (lambda eq: eq.coefficients().polynomials, "va"),
}
ARITHMETIC = ("add", "sub", "mul", "div", "neg", "sin", "cos", "sqrt")


def program(equations: Any, what: Sequence[str]) -> Program:
    """The program of some of `WANTED` as a function of q, v, a as needed, and of the parameters p."""
    state = equations.state
    for name in what:
        if name not in WANTED:
            raise unknown("quantity to export:", name, "the equations", WANTED)
    arrays = [np.asarray(WANTED[name][0](equations), object) for name in what]
    needed = {letter for name in what for letter in WANTED[name][1]} | {"q"}
    sizes = {"q": len(state.q), "v": len(state.v), "a": len(state.a), "p": len(state.parameters)}
    sizes = {name: size for name, size in sizes.items() if name in needed or (name == "p" and size)}
    return trace(lambda **given: _values(equations, arrays, given), sizes)


def _values(equations: Any, arrays: list[Array], given: dict[str, Array]) -> Any:
    state = equations.state
    symbols = {"q": state.symbols["q"], "v": state.symbols["v"], "a": state.symbols["a"], "p": state.parameters}
    values = {s: x for name, vector in given.items() for s, x in zip(symbols[name], vector, strict=True)}
    terms: dict[int, Any] = {}
    for x in (x for entries in arrays for x in entries.ravel()):
        if isinstance(x, Polynomial) and id(x) not in terms:
            terms[id(x)] = shortest(state, x)
    at = generator_values(state.ring, values)
    done: dict[int, Any] = {}

    def result(x: Any) -> Any:
        if not isinstance(x, Polynomial):
            return float(x)
        if id(x) not in done:
            done[id(x)] = evaluate(state.ring, terms[id(x)], at)
        return done[id(x)]

    out = []
    for entries in arrays:
        found = np.empty(entries.shape, object)
        for index, x in np.ndenumerate(entries):
            found[index] = result(x)
        out.append(found)
    return tuple(out) if len(out) > 1 else out[0]


#: quantities that a recursion has, with the formulation of the fewest operations
RECURSIONS: dict[str, Callable[..., Any]] = {
    "M": mass_matrix_by_moments,
    "c": partial(coriolis_forces, recursion=inverse_dynamics_by_moments),
    "g": gravity_forces,
    "tau": inverse_dynamics_by_moments,
}


def shortest_program(equations: Any, what: Sequence[str]) -> tuple[Program, str]:
    """The shorter of the closed form and the recursion traced on the parameters, and what it is in words."""
    closed = program(equations, what)
    if any(name not in RECURSIONS for name in what):
        return closed, "in closed form"
    sizes = dict(closed.inputs)

    def customized(**given: Array) -> Any:
        model = _described(equations, given.get("p", ()))
        found = [RECURSIONS[name](model, *(given[x] for x in ("q", *WANTED[name][1]))) for name in what]
        return tuple(found) if len(found) > 1 else found[0]

    recursion = trace(customized, sizes)
    return min((closed, "in closed form"), (recursion, "by its recursion"), key=lambda pair: operations(pair[0]))


def _described(equations: Any, p: Any) -> Model:
    """The robot on the scalars of a trace; one of numbers with its inertias regrouped."""
    if not equations.parameters:
        return regrouped(in_numbers(equations.model))
    return _on_scalars(equations, p)


def _on_scalars(equations: Any, p: Any) -> Model:
    """The robot with the scalars of a trace for its parameters."""
    values = dict(zip(equations.state.parameters, p, strict=True))
    return converted(equations.model, lambda x: value(x, values) if hasattr(x, "free_symbols") else x)


class Counts(NamedTuple):
    """Operations of the closed form, beside those of the recursion for the same quantities."""

    quantity: str
    closed_form: int
    recursion: int


def operation_counts(equations: Any) -> list[Counts]:
    """Operation counts of M, and of the bias c + g (+ friction)."""
    state, model = equations.state, equations.model
    n = {"q": model.nq, "v": model.nv, "p": len(state.parameters)}
    closed = {"M": program(equations, ["M"]), "c, g": program(equations, ["c", "g"])}
    recursions = {
        "M": trace(lambda q, p: mass_matrix(_on_scalars(equations, p), q), {"q": n["q"], "p": n["p"]}),
        "c, g": trace(lambda q, v, p: bias_forces(_on_scalars(equations, p), q, v), n),
    }
    return [Counts(name, operations(closed[name]), operations(recursions[name])) for name in closed]


def operations(found: Program) -> int:
    """Arithmetic operations, sines and cosines included."""
    counts = Counter(found.ops)
    return sum(counts[op] for op in ARITHMETIC)
