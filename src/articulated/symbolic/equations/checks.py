"""Comparison of two independent routes to the same equations."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import sympy

from ...algorithms.inverse_dynamics import inverse_dynamics
from ...inputs.choices import whole_number
from ...text import shortened
from ..ring.polynomial import largest
from ..ring.values import evaluated_array, function_of
from .lagrange import size
from .substitution import numeric_states, vectors

TOLERANCE = 1e-12
LONG = 3000  # terms of c beyond which SymPy is not asked to show them first
LARGEST = 500_000  # terms beyond which expressions are compared by numbers alone


@dataclass(frozen=True, repr=False)
class Check:
    """Comparison of two routes to the same equations; true if they agree."""

    robot: str
    proven: bool | None  # whether the difference of the two expressions is zero; None: not tried
    residue: float  # largest coefficient left of the difference, relative to the largest of tau
    error: float  # largest difference at random states, relative to the largest torque at any of them
    states: int

    def __bool__(self) -> bool:
        return self.proven is not False and self.error <= TOLERANCE

    def __str__(self) -> str:
        return (
            f"{self.robot}: Lagrange by moving frames and Newton-Euler by the recursion are {self._verdict()}; "
            f"at {self.states} random states they differ by {self.error:.1e} of the largest torque"
        )

    __repr__ = __str__  # what a notebook shows

    def _verdict(self) -> str:
        if self.proven is None:
            return "not compared as expressions (too large)"
        if not self.proven:
            return f"DIFFERENT as expressions (relative residue {self.residue:.1e})"
        if self.residue == 0:
            return "equal as expressions (their difference is zero, term by term)"
        return f"equal as expressions up to the rounding of the robot's numbers (relative residue {self.residue:.1e})"


def check(equations: Any, states: int = 20, seed: int = 0) -> Check:
    """Lagrange against Newton-Euler: as expressions, and as numbers at random states.

    Parameters
    ----------
    states : how many random states are compared
    seed : of the random states

    Returns
    -------
    a Check, true if both agree; prints as a sentence

    Examples
    --------
    >>> import articulated as art
    >>> bool(art.derive("2r").check())
    True
    """
    states, seed = whole_number("check: states", states, 1), whole_number("check: seed", seed)
    proven, residue = _compare_expressions(equations)
    return Check(shortened(equations.name), proven, residue, _compare_numbers(equations, states, seed), states)


def _compare_expressions(equations: Any) -> tuple[bool | None, float]:
    state = equations.state
    lagrange = equations.polynomials["tau"]
    if size(lagrange) > LARGEST:
        return None, 0.0
    newton = inverse_dynamics(state.model, state.q, state.v, state.a)
    residues = (largest([x - y]) / (largest([x]) or 1.0) for x, y in zip(lagrange, newton, strict=True))
    worst = max(residues, default=0.0)
    return worst < 1e-12, worst


def _compare_numbers(equations: Any, states: int, seed: int) -> float:
    """The closed form, evaluated, against the recursion on floats."""
    tau = _closed_form(equations)
    pairs = []
    for model, at in numeric_states(equations, seed, states):
        q, v, a = vectors(equations, at, "qva")
        pairs.append((inverse_dynamics(model, q, v, a), tau(at)))
    recursion, closed = (np.array(x, float) for x in zip(*pairs, strict=True))
    return float(abs(recursion - closed).max() / (abs(recursion).max() or 1.0))


def _closed_form(equations: Any) -> Callable[[Mapping[sympy.Symbol, float]], Any]:
    """tau at numbers by symbol: of the expressions as shown, or of the polynomials, if they are long."""
    state, polynomials = equations.state, equations.polynomials
    if size([polynomials["c"]]) > LONG:
        return lambda at: evaluated_array(state.ring, polynomials["tau"], at)
    symbols = [*state.parameters, *(s for name in "qva" for s in state.symbols[name])]
    function = function_of(equations.tau, symbols)
    return lambda at: function(*(at[s] for s in symbols))
