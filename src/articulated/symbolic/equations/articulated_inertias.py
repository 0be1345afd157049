"""Articulated inertias in closed form (Pisa lecture: the bar with the disc)."""

from typing import Any, NamedTuple

import numpy as np
import sympy

from ...algebra.scalars import array, zeros
from ...algorithms.forward_dynamics import articulated_bodies
from ...algorithms.kinematics import upwards
from ..ring.convert import in_ring
from ..ring.state import State
from .configurations import coordinates
from .lectures import model_of
from .tidy import readable


class ArticulatedInertia(NamedTuple):
    """Of one body: what a hand that holds it feels, and what of that passes through its joint."""

    name: str
    inertia: sympy.Matrix  # Mhat, 6 × 6, [linear; angular]
    projected: sympy.Matrix  # Mbar


def articulated_inertias(robot: Any, q: Any = None) -> list[ArticulatedInertia]:
    """Mhat and Mbar of every body; at the configuration q, or for all q."""
    model = model_of(robot)
    state = State(model)
    symbols = list(state.symbols["q"])
    asked = symbols if q is None else [sympy.nsimplify(x) for x in coordinates("articulated_inertias: q", symbols, q)]
    at = array(asked)
    rest = zeros(model.nv)
    found = articulated_bodies(model, at, rest, rest, base_acceleration=-upwards(model))
    return [
        ArticulatedInertia(b.name, _shown(state, found.inertia[k]), _shown(state, found.projected[k]))
        for k, b in enumerate(model.bodies)
    ]


def _shown(state: State, matrix: Any) -> sympy.Matrix:
    entries = [readable(state, in_ring(state.ring, sympy.cancel(sympy.sympify(x)))) for x in np.ravel(matrix)]
    return sympy.ImmutableMatrix(6, 6, entries)
