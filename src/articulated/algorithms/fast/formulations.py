"""The formulations the compiler traces in place of the textbook, to keep the one with the fewest operations.

Each stands for the algorithm it is listed under, when run on the regrouped model (regrouping.py).
docs/formulations.md derives them; tests/laws/test_formulations.py says that they agree.  Coriolis matrices
are not here: all but the Christoffel one depend on how the inertia is divided among the bodies.
Nor are the methods of forward dynamics that are asked for by name: they run as they are written.
"""

from collections.abc import Callable
from typing import Any

from ...model import Model
from ..coriolis import christoffel
from ..forward_dynamics import forward_dynamics
from ..inverse_dynamics import bias_forces, coriolis_forces, gravity_forces, inverse_dynamics
from ..inverse_dynamics_derivatives import forward_dynamics_derivatives, inverse_dynamics_derivatives
from ..mass_matrix import mass_matrix, mass_matrix_inverse, mass_matrix_rate
from . import forward_dynamics_derivatives as of_forward_dynamics
from . import inverse_dynamics_derivatives as of_inverse_dynamics
from .forward_dynamics import forward_dynamics_at_rest, forward_dynamics_by_moments
from .inverse_dynamics import (
    bias_forces_by_moments,
    coriolis_forces_by_moments,
    gravity_forces_by_moments,
    inverse_dynamics_by_moments,
)
from .mass_matrix import mass_matrix_by_moments, mass_matrix_inverse_by_moments
from .sizes import far_bodies

FORMULATIONS: dict[Callable[..., Any], tuple[Callable[..., Any], ...]] = {
    inverse_dynamics: (inverse_dynamics_by_moments,),
    bias_forces: (bias_forces_by_moments,),
    gravity_forces: (gravity_forces_by_moments,),
    coriolis_forces: (coriolis_forces_by_moments,),
    mass_matrix: (mass_matrix_by_moments,),
    mass_matrix_inverse: (mass_matrix_inverse_by_moments,),
    mass_matrix_rate: (mass_matrix_rate,),
    christoffel: (christoffel,),
    forward_dynamics: (forward_dynamics_at_rest, forward_dynamics_by_moments),
}

#: the algorithms whose derivatives by all their arrays are one of these with zeros for what they do not take
CLOSED: dict[Callable[..., Any], Callable[..., Any]] = {
    inverse_dynamics: inverse_dynamics_derivatives,
    bias_forces: inverse_dynamics_derivatives,
    forward_dynamics: forward_dynamics_derivatives,
}
#: bodies up to which it is worth the time to try several choices of axes: beyond, they differ by a hundredth
_FEW = 16


def formulations_of_derivatives(algorithm: Callable[..., Any], model: Model) -> tuple[Callable[..., Any], ...]:
    """The formulations of the derivatives of an algorithm, for the regrouped model."""
    ways = (of_forward_dynamics if algorithm is forward_dynamics else of_inverse_dynamics).WAYS
    return ways if len(model.bodies) <= _FEW else ways[:1]


def suited(formulations: tuple[Callable[..., Any], ...], model: Model) -> tuple[Callable[..., Any], ...]:
    """Those that keep their digits on a robot.

    Where joints are far apart a mass matrix has no good inverse, and articulated bodies whose mass was moved to others
    cancel what never was large: forward dynamics then runs as the textbook has it.
    """
    far = formulations == FORMULATIONS[forward_dynamics] and far_bodies(model)
    return () if far else formulations
