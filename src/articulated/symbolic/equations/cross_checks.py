"""Claims of a page computed by a second route: the recursions on floats, at random states.

Each function returns the sentence that a page prints beside the claim, and raises `Contradiction` where the two routes
disagree: such a page is never written.
"""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import mpmath
import numpy as np
import sympy

from ...algebra.scalars import array, zeros
from ...algorithms.coriolis import christoffel, coriolis_matrix
from ...algorithms.inverse_dynamics import inverse_dynamics
from ...algorithms.mass_matrix import mass_matrix, mass_matrix_rate
from ...errors import ArticulatedError
from ...model import Model
from ..ring.values import evaluated_array, random_values
from . import cofactors
from .definiteness import Definiteness, weighted_squares
from .factorizations import Factorization
from .substitution import numeric, numeric_states, vectors

STATES = 8
DIGITS = 40
NOTHING: Mapping[Any, Any] = MappingProxyType({})
ROUNDING = 1e-9  # relative: far above what rounding leaves of what is claimed to vanish
FAINT = 1e-13  # relative: a dependence that is claimed may be as small, of a gram beside tons


class Contradiction(ArticulatedError):
    """Two routes to one claim that do not agree: a defect of the library."""

    def __init__(self, claim: str):
        super().__init__(f"{claim}: the closed form and the recursion on floats disagree; please report this robot")


def constancy(equations: Any, claimed: bool, solutions: Sequence[Mapping[Any, Any]] = ()) -> str:
    """M by composite bodies at random configurations; with each of the solutions it must be constant."""
    _require("whether M is constant", _constant, equations, claimed, solutions)
    return _sentence("$@M$ by composite bodies", "the same", claimed, solutions)


def balance(equations: Any, claimed: bool, solutions: Sequence[Mapping[Any, Any]] = ()) -> str:
    """g by the recursion at random configurations; with each of the solutions it must vanish."""
    _require("whether g vanishes", _weightless, equations, claimed, solutions)
    return _sentence("$@g$ by Newton-Euler at rest", "zero", claimed, solutions)


def _require(claim: str, holds: Callable[..., bool], equations: Any, claimed: bool, solutions: Sequence[Any]) -> None:
    seen = holds(equations, rounding=ROUNDING if claimed else FAINT)
    if seen != claimed or not all(holds(equations, solution) for solution in solutions):
        raise Contradiction(claim)


def _sentence(what: str, seen: str, claimed: bool, solutions: Sequence[Any]) -> str:
    also = f", and is {seen} once the condition holds" if solutions else ""
    return (
        f"Second way: {what} on floats, at {STATES} random configurations, is {'' if claimed else 'not '}{seen}{also}."
    )


def _weightless(equations: Any, solution: Mapping[Any, Any] = NOTHING, rounding: float = ROUNDING) -> bool:
    """True if g is zero up to rounding, relative to all weight at the robot's length."""
    found = _samples(equations, lambda model, q: inverse_dynamics(model, q, zeros(model.nv), zeros(model.nv)), solution)
    model, at = next(numeric_states(equations, 3, STATES, solution))
    (q,) = vectors(equations, at, "q")
    slid = [q[b.coords] for b in model.bodies if not b.joint.turns]
    fixed = [x for b in model.bodies for x in (b.placement.p, b.tail.p, b.inertia.com)]
    length = sum(np.linalg.norm(np.array(x, float)) for x in (*slid, *fixed))
    mass = sum(abs(float(b.inertia.mass)) for b in model.bodies)
    felt = np.linalg.norm(np.array(model.gravity, float)) * mass * length
    return bool(abs(found).max(initial=0) <= rounding * felt)


def regular(equations: Any, solution: Mapping[Any, Any]) -> bool:
    """True if M is regular at random configurations once the solution holds."""
    return all(cofactors.regular(M) for M in _samples(equations, mass_matrix, solution))


def _constant(equations: Any, solution: Mapping[Any, Any] = NOTHING, rounding: float = ROUNDING) -> bool:
    """True if M is the same at all configurations, up to rounding."""
    found = _samples(equations, mass_matrix, solution)
    size = np.sqrt(abs(found).max(axis=0).diagonal())  # rows have units, and a tiny link may hang on a huge one
    felt = rounding * np.outer(size, size) + 1e-15 * abs(found).max()
    return bool((abs(found - found[0]).max(axis=0) <= felt).all())


def definiteness(equations: Any, found: Definiteness) -> str:
    """The smallest eigenvalue of M at random configurations, for weights that are positive."""
    model, values = _physical(equations)
    if model is None:
        return "No second way: no positive weights were found at random."
    q = np.stack([values[s] for s in equations.state.symbols["q"]], axis=-1)
    eigenvalues = np.array([np.linalg.eigvalsh(np.array(mass_matrix(model, array(list(x))), float)) for x in q])
    ratio = float((eigenvalues[:, 0] / eigenvalues[:, -1]).min())
    if found.identity and (ratio < -ROUNDING or (found.positive_definite and ratio <= 0)):
        raise Contradiction("whether M is positive definite")
    sign = "positive" if ratio > 0 else "not negative"
    return (
        f"Second way: the smallest eigenvalue of $@M$ by composite bodies on floats is {sign} at {STATES} random "
        "configurations."
    )


def _physical(equations: Any) -> tuple[Model | None, dict]:
    """The robot with random numbers for which every weight of the squares is positive."""
    weights = [w for w, _ in weighted_squares(equations)]
    for seed in range(40):
        values = random_values(equations.state, seed, STATES)
        for p in equations.parameters:
            if not p.is_positive:  # centers of mass: small against lengths, so that inertias stay inertias
                values[p] *= 0.5 ** (seed // 4)
        numbers = {p: values[p] for p in equations.parameters}
        if all(_positive(equations, w, numbers) for w in weights):
            return numeric(equations.model, numbers), values
    return None, {}


def _positive(equations: Any, weight: Any, numbers: dict) -> bool:
    entries = evaluated_array(equations.state.ring, np.ravel(np.array(weight, object)), numbers)
    if len(entries) == 1:
        return entries[0] > 0
    return bool(np.linalg.eigvalsh(entries.reshape(3, 3)).min() > 0)


def skewness(equations: Any, found: Sequence[Factorization]) -> str:
    """dM/dt by its own recursion, C evaluated, at random states."""
    state = equations.state
    for model, at in numeric_states(equations, 5, STATES):
        q, v = vectors(equations, at, "qv")
        rate = np.array(mass_matrix_rate(model, q, v), float)
        force = np.array(coriolis_matrix(model, q, v), float) @ np.array(v, float)
        felt = abs(np.array(mass_matrix(model, q), float)).max() * abs(np.array(v, float)).max()
        for f in found:
            C = evaluated_array(state.ring, f.polynomials, at)
            scale = max(abs(rate).max(), abs(C).max(), felt)
            left = (rate - 2 * C + (rate - 2 * C).T) / scale
            gap = abs(C @ np.array(v, float) - force).max() / scale
            if (f.skew and abs(left).max() > ROUNDING) or (f.gives_c and gap > ROUNDING):
                raise Contradiction(f"the factorization {f.name}")
    return (
        rf"Second way: with $\dot{{@M}}$ and $@c$ from their recursions on floats, at {STATES} random states, what "
        f"should vanish is below $10^{{-9}}$ of the largest entry."
    )


def christoffel_symbols(equations: Any) -> str:
    """Christoffel symbols by their own recursion, at random configurations."""
    state = equations.state
    symbols = equations.polynomials["christoffel"]
    for model, at in numeric_states(equations, 9, STATES):
        (q,) = vectors(equations, at, "q")
        found, felt = np.array(christoffel(model, q), float), abs(np.array(mass_matrix(model, q), float)).max(initial=0)
        closed = evaluated_array(state.ring, symbols, at)
        if abs(found - closed).max(initial=0) > ROUNDING * max(abs(found).max(initial=0), felt):
            raise Contradiction("the Christoffel symbols")
    return (
        f"Second way: all of them by the recursion of composite bodies on floats, at {STATES} random configurations, "
        f"agree within $10^{{-9}}$ of the largest."
    )


def count(found: Any) -> str:
    """The rank of Y at random states: as many as there are coefficients."""
    rank, states = regressor_rank(found, 7)
    if rank != len(found):
        raise Contradiction("the number of coefficients")
    return f"Second way: $@Y$ at numbers, stacked over {states} random states, has rank {rank}."


def regressor_rank(found: Any, seed: int) -> tuple[int, int]:
    """Rank of Y, its columns scaled, stacked over random states; and the number of states.

    Floats see no column that differs from the others by less than 1e-12, as of a micrometer beside kilometers.
    """
    state = found.state
    states = 4 + 2 * len(found) // max(1, len(state.v))
    values = random_values(state, seed, states)
    each = [{s: float(np.broadcast_to(x, (states,))[k]) for s, x in values.items()} for k in range(states)]
    flat = np.concatenate([evaluated_array(state.ring, found.polynomials, at) for at in each])
    flat = flat / np.maximum(abs(flat).max(axis=0, initial=0), 1e-300)
    if not flat.size:
        return 0, states
    rank = int(np.linalg.matrix_rank(flat, tol=1e-12 * max(1.0, float(np.linalg.norm(flat, 2)))))
    return rank if rank == len(found) else _rank_in_digits(found, each), states


def _rank_in_digits(found: Any, each: Sequence[Mapping[Any, float]]) -> int:
    """The same rank in DIGITS digits; coefficients of polynomials may be rounded as floats."""
    symbols = list(each[0])
    with mpmath.workdps(DIGITS):
        Y = sympy.lambdify(symbols, found.Y, "mpmath")
        flat = mpmath.matrix([row for at in each for row in Y(*(mpmath.mpf(at[s]) for s in symbols)).tolist()])
        for k in range(flat.cols):
            flat[:, k] /= max(mpmath.mnorm(flat[:, k], "f"), mpmath.mpf(1e-300))
        sizes = mpmath.svd_r(flat, compute_uv=False)
        return sum(x > sizes[0] * np.finfo(float).eps for x in sizes)


def _samples(equations: Any, algorithm: Any, solution: Mapping[Any, Any] = NOTHING) -> np.ndarray:
    """A recursion at random configurations of the robot with random numbers, but for the solution's."""
    states = numeric_states(equations, 3, STATES, solution)
    return np.array([np.array(algorithm(model, *vectors(equations, at, "q")), float) for model, at in states])
