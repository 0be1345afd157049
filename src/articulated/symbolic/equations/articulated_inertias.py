"""Articulated inertias in closed form (Pisa lecture: the bar with the disc)."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import sympy

from ...algebra.scalars import zeros
from ...algorithms.forward_dynamics import articulated_bodies
from ...algorithms.kinematics import upwards
from ..ring.convert import in_ring, plain
from ..ring.elimination import with_fractions
from ..ring.quotients import Quotients
from ..ring.state import State
from .lectures import model_of
from .presentation import readable
from .substitution import coordinates


class ArticulatedInertia(NamedTuple):
    """Articulated inertia of one body, and the part of it that its joint passes on to the parent."""

    name: str
    inertia: sympy.Matrix  # Mhat, 6 × 6, [linear; angular]
    projected: sympy.Matrix  # Mbar


def articulated_inertias(equations: Any, q: Any = None) -> list[ArticulatedInertia]:
    """Mhat and Mbar of every body; at the configuration q, or for all q.

    Parameters
    ----------
    q : configuration (nq,); None: for all q

    Returns
    -------
    an ArticulatedInertia by body, (6, 6) in its axes, [linear; angular]

    Notes
    -----
    Source: Featherstone 2008, ch. 7.

    Examples
    --------
    >>> import articulated as art
    >>> len(art.derive("2r").articulated_inertias([0, 0]))
    2
    """
    model = model_of(equations)
    state = State(model)
    symbols = list(state.symbols["q"])
    asked = symbols if q is None else [with_fractions(x) for x in coordinates("articulated_inertias: q", symbols, q)]
    at = {symbol: value for symbol, value in zip(symbols, asked, strict=True) if value != symbol}
    rest = zeros(model.nv)
    found = articulated_bodies(state.model, state.q, rest, rest, base_acceleration=-upwards(state.model))
    quotients = Quotients(state.ring)

    def shown(matrix: Any) -> sympy.Matrix:
        done: dict[int, sympy.Expr] = {}  # both halves hold the same polynomials
        for x in np.ravel(matrix):
            if id(x) not in done:
                done[id(x)] = _shown(state, quotients.of(x), at)
        return sympy.ImmutableMatrix(6, 6, [done[id(x)] for x in np.ravel(matrix)])

    return [
        ArticulatedInertia(b.name, shown(found.inertia[k]), shown(found.projected[k]))
        for k, b in enumerate(model.bodies)
    ]


def _shown(state: State, quotient: tuple[Any, Any], at: Mapping[sympy.Symbol, sympy.Expr]) -> sympy.Expr:
    """The quotient, at some coordinates if they are given."""
    if not at:
        above, below = quotient
        return readable(state, above) / readable(state, below)
    above, below = (plain(x).subs(at) for x in quotient)
    return readable(state, in_ring(state.ring, sympy.cancel(above / below)))
