"""The formulations the compiler traces in place of the textbook, to keep the one with the fewest operations.

Each stands for the algorithm it is listed under, when run on the regrouped model (regrouping.py).
docs/formulations.md derives them; tests/laws/test_formulations.py says that they agree.  Coriolis matrices
are not here: all but the Christoffel one depend on how the inertia is divided among the bodies.
Nor are the methods of forward dynamics that are asked for by name: they run as they are written.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

from ...model import Model
from ..coriolis import christoffel
from ..forward_dynamics import forward_dynamics
from ..inverse_dynamics import bias_forces, coriolis_forces, gravity_forces, inverse_dynamics
from ..inverse_dynamics_derivatives import forward_dynamics_derivatives, inverse_dynamics_derivatives
from ..mass_matrix import mass_matrix, mass_matrix_inverse, mass_matrix_rate
from . import forward_dynamics as of_forward_dynamics
from . import inverse_dynamics_derivatives as of_inverse_dynamics
from .digits import Ratio, faithful, far_bodies, frozen_to_felt
from .forward_dynamics import forward_dynamics_at_rest, forward_dynamics_by_moments
from .moments import inverse_dynamics_by_moments, mass_matrix_by_moments, mass_matrix_inverse_by_moments

FORMULATIONS: dict[Callable[..., Any], tuple[Callable[..., Any], ...]] = {
    inverse_dynamics: (inverse_dynamics_by_moments,),
    bias_forces: (partial(bias_forces, recursion=inverse_dynamics_by_moments),),
    gravity_forces: (gravity_forces,),
    coriolis_forces: (partial(coriolis_forces, recursion=inverse_dynamics_by_moments),),
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
#: in sizes of bodies: joints so far apart that the inverse of a mass matrix of moments loses digits; those of the
#: robots of example-robot-data are up to 14
_TOO_FAR = 15.0
#: of what a joint would move to what it feels, up to which forward dynamics through a bias and a mass matrix keeps its
#: digits; the robots of example-robot-data and of the catalogue have up to 1400 and 4, on free bases, too
_MOST_FROZEN = Ratio(2000.0, 10.0)
#: bodies up to which it is worth the time to try several choices of axes: beyond, they differ by a hundredth
_FEW = 16

#: of each formulation of derivatives, that of inverse dynamics' in the same axes
_IN_SAME_AXES: dict[Callable[..., Any], Callable[..., Any]] = {
    way: inverse
    for ways in (of_inverse_dynamics.WAYS, of_forward_dynamics.WAYS)
    for way, inverse in zip(ways, of_inverse_dynamics.WAYS, strict=True)
}


def formulations_of_derivatives(algorithm: Callable[..., Any], model: Model) -> tuple[Callable[..., Any], ...]:
    """The formulations of the derivatives of an algorithm, for the regrouped model."""
    ways = (of_forward_dynamics if algorithm is forward_dynamics else of_inverse_dynamics).WAYS
    return ways if len(model.bodies) <= _FEW else ways[:1]


def suited(formulations: tuple[Callable[..., Any], ...], model: Model) -> tuple[Callable[..., Any], ...]:
    """Formulations that keep their digits on a robot; none where the textbook has to do.

    Where joints are far apart a mass matrix has no good inverse, and articulated bodies whose mass was moved to others
    cancel what never was large; where what is heavy slides on what is light, its weight and its mass hide the other's.
    """
    if formulations == FORMULATIONS[forward_dynamics]:
        hidden = any(x > most for x, most in zip(frozen_to_felt(model), _MOST_FROZEN, strict=True))
        return () if far_bodies(model) or hidden else formulations
    if formulations == FORMULATIONS[mass_matrix_inverse]:
        return () if far_bodies(model, _TOO_FAR) else formulations
    return formulations


def suited_derivatives(
    formulations: tuple[Callable[..., Any], ...], model: Model, fast: Callable[[], Model]
) -> tuple[Callable[..., Any], ...]:
    """Formulations of derivatives that keep their digits on a robot; others stay as they are.

    `fast()` is the regrouped model.  Derivatives of forward dynamics are those of inverse dynamics in the same axes,
    solved with the mass matrix: they keep their digits where both do.
    """
    if not formulations or formulations[0] not in _IN_SAME_AXES:
        return formulations
    if formulations[0] in of_forward_dynamics.WAYS and not suited(FORMULATIONS[forward_dynamics], model):
        return ()
    axes = tuple(_IN_SAME_AXES[way] for way in formulations)
    kept = faithful(axes, inverse_dynamics_derivatives, model, fast())
    return tuple(way for way, keeps in zip(formulations, kept, strict=True) if keeps)
