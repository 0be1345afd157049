"""Shorter texts of the same quantities: the compiler traces them all and keeps the one with the fewest operations.

Each stands for the algorithm it is listed under, when run on the regrouped model (regrouping.py);
tests/laws/test_formulations.py says that they agree.  Coriolis matrices are not here: all but the
Christoffel one depend on how the inertia is divided among the bodies.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

from ..coriolis import christoffel
from ..forward_dynamics import (
    forward_dynamics,
    forward_dynamics_at_rest,
    forward_dynamics_by_composite_bodies,
    forward_dynamics_by_moments,
)
from ..inverse_dynamics import (
    bias_forces,
    coriolis_forces,
    gravity_forces,
    inverse_dynamics,
    inverse_dynamics_by_moments,
)
from ..mass_matrix import mass_matrix, mass_matrix_by_moments, mass_matrix_inverse, mass_matrix_rate

FORMULATIONS: dict[Callable[..., Any], tuple[Callable[..., Any], ...]] = {
    inverse_dynamics: (inverse_dynamics_by_moments,),
    bias_forces: (partial(bias_forces, recursion=inverse_dynamics_by_moments),),
    gravity_forces: (partial(gravity_forces, recursion=inverse_dynamics_by_moments),),
    coriolis_forces: (partial(coriolis_forces, recursion=inverse_dynamics_by_moments),),
    mass_matrix: (mass_matrix_by_moments,),
    mass_matrix_inverse: (partial(mass_matrix_inverse, route=mass_matrix_by_moments),),
    mass_matrix_rate: (mass_matrix_rate,),
    christoffel: (christoffel,),
    forward_dynamics: (forward_dynamics_at_rest, forward_dynamics_by_moments),
    forward_dynamics_by_composite_bodies: (forward_dynamics_by_moments, forward_dynamics_at_rest),
}
