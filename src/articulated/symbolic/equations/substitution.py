"""Values for the symbols of a model."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import Any

import numpy as np
import sympy

from ...algebra.scalars import Array, array
from ...errors import unknown
from ...inputs.choices import LARGEST_FLOAT, number
from ...inputs.numbers import numbers
from ...model import Model
from ..ring.convert import each, inertia_of, joint_of, lines_of, parameters_of, scalars_of, transform_of
from ..ring.state import State
from ..ring.values import DRAWS, random_values


def substituted(model: Model, values: Mapping[Any, Any]) -> Model:
    """The model with the named symbols replaced; keys are symbols or names, values numbers or expressions."""
    known = {s.name: s for s in parameters_of(model)}
    replace: dict[Any, Any] = {}
    for key, value in values.items():
        if str(key) not in known:
            raise unknown("parameter", str(key), model.name, sorted(known))
        replace[known[str(key)]] = sympy.sympify(value)

    @cache  # one twist, one length stand in many entries
    def replaced(x: sympy.Basic) -> Any:
        return simple(x.xreplace(replace))

    def convert(x: Any) -> Any:
        return replaced(x) if isinstance(x, sympy.Basic) else x

    links = [
        link.replace(
            inertia=inertia_of(link.inertia, convert),
            joint=joint_of(link.joint, convert),
            placement=transform_of(link.placement, convert),
            tail=transform_of(link.tail, convert),
            frames=tuple((name, transform_of(X, convert)) for name, X in link.frames),
        )
        for link in model.links
    ]
    return model.changed(links, gravity=each(model.gravity, convert), **lines_of(model, convert))


def numeric(model: Model, values: Mapping[Any, Any]) -> Model:
    """The model with floats for all its symbols and exact numbers."""
    return substituted(model, values) if parameters_of(model) else in_numbers(model)


def numeric_states(
    equations: Any, seed: int, count: int, solution: Mapping[Any, Any] = MappingProxyType({})
) -> Iterator[tuple[Model, dict[sympy.Symbol, float]]]:
    """The robot with random numbers, but for those of the solution, at random states: numbers by symbol."""
    values = random_values(equations.state, seed, count)
    # a solution that few robots have was found with the first seed
    found = solved_numbers(equations.state, solution, seed) or solved_numbers(equations.state, solution) or {}
    model = numeric(equations.model, found)
    for k in range(count):
        yield model, {s: float(np.broadcast_to(x, (count,))[k]) for s, x in values.items()}


def solved_numbers(state: State, solution: Mapping[Any, Any], seed: int = 0) -> dict[sympy.Symbol, Any] | None:
    """Random parameters, but for those of the solution; None if for none of those tried a robot has these."""
    for k in range(DRAWS):
        values = random_values(state, seed + 1000 * k)
        numbers = {p: values[p] for p in state.parameters}
        numbers |= {p: sympy.sympify(x).subs(numbers) for p, x in solution.items()}
        if all(x.is_real and not (p.is_positive and x < 0) for p, x in numbers.items() if p in solution):
            return numbers
    return None


def vectors(equations: Any, at: Mapping[sympy.Symbol, float], names: str) -> list[Array]:
    """The vectors of a state, such as "qv", from numbers by symbol."""
    return [array([at[s] for s in equations.state.symbols[name]]) for name in names]


def in_numbers(model: Model) -> Model:
    """The model with Python's numbers for SymPy's, where it holds these and no symbol; else the model itself."""
    numbers = [x for b in model.bodies for x in scalars_of(b) if isinstance(x, sympy.Basic)]
    numbers += [x for x in model.gravity if isinstance(x, sympy.Basic)]
    if not numbers or any(x.free_symbols for x in numbers):
        return model
    return substituted(model, {})


def split_values(equations: Any, values: Mapping[Any, Any]) -> tuple[dict[sympy.Symbol, Any], dict[Any, Any]]:
    """Values of the state by symbol, and the rest."""
    for key, value in values.items():
        # no text: SymPy would make symbols of it that are not those of the equations
        if not isinstance(value, sympy.Expr) or value.is_finite is False or value.has(sympy.nan):
            number(f"subs: {key}", value, "a finite number or a SymPy expression", -LARGEST_FLOAT)
    state = {s.name: s for name in "qva" for s in equations.state.symbols[name]}
    at = {state[str(key)]: value for key, value in values.items() if str(key) in state}
    return at, {key: value for key, value in values.items() if str(key) not in state}


def in_own_symbols(equations: Any, what: str, x: Any) -> Any:
    """An expression of the reader's, with the symbols of the equations in place of others of the same name."""
    groups = (*(equations.state.symbols[name] for name in "qva"), equations.parameters)
    known = {s.name: s for group in groups for s in group}
    for s in sorted(x.free_symbols, key=str):
        if s.name not in known:
            raise unknown("symbol", s.name, f"the equations ({what})", known)
    return x.xreplace({s: known[s.name] for s in x.free_symbols})


def coordinates(what: str, symbols: Sequence[sympy.Symbol], given: Any) -> list[sympy.Expr]:
    """Coordinates as expressions: all in order, or some by symbol or name, the others zero.  Text is not evaluated."""
    names = list(map(str, symbols))
    if isinstance(given, Mapping):
        by_name = {str(key): x for key, x in given.items()}
        for name in by_name.keys() - set(names):
            raise unknown("coordinate", name, what, names)
        given = [by_name.get(name, 0) for name in names]
    return [sympy.sympify(x) for x in numbers(what, given, len(names))]


class AtState:
    """The quantities of equations at given values of q, v, a; what is not given stays a symbol."""

    def __init__(self, equations: Any, values: Mapping[sympy.Symbol, Any]):
        self.equations, self.values = equations, dict(values)

    def __getattr__(self, name: str) -> Any:
        if name not in ("M", "C", "c", "g", "T", "U", "tau", "friction", "lagrangian"):
            raise AttributeError(
                f"at a state the equations have M, C, c, g, T, U, tau, friction, lagrangian; not {name}"
            )
        return getattr(self.equations, name).subs(self.values)


def simple(x: sympy.Expr) -> Any:
    """A SymPy number as a Python one; anything else as it is."""
    if x.is_Integer:
        return int(x)
    return float(x) if x.is_number and x.is_real else x
