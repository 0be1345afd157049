"""Accelerations that no torque gives while contacts hold: which they are, and the nearest that some torque gives.

An acceleration is feasible if J a + J̇ v = 0 and, for the velocities N that no motor feels and no contact forbids,
Nᵀ (M a + h) = 0 (USP lecture, erratum E3.4).  The projections on both are taken in the metric of the mass matrix.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import ArticulatedError
from ..robot.arguments import as_vectors
from .by_singular_values import Torques, held
from .checks import require_finite
from .subspaces import Floats, apply, projector, pseudo_inverse
from .unusual_ranks import jacobian

if TYPE_CHECKING:
    from .contacts import Contacts

#: mass matrices of robots have condition numbers up to some 1e8
_NO_MASS = 1e-12


class InfeasibleAcceleration(ArticulatedError, ValueError):
    """No torque gives the acceleration asked for while the contacts hold."""


def torques(
    contacts: "Contacts", state: dict[str, Any], wishes: dict[str, Any], forces: dict[str, Any], on_infeasible: str
) -> Torques:
    """`Contacts.inverse_dynamics` of the nearest feasible acceleration, or an error if that is another one."""
    asked = contacts.inverse_dynamics(**state, **wishes, **forces)
    if np.all(asked.feasible):
        return asked
    if on_infeasible == "raise":
        raise InfeasibleAcceleration(_said(asked))
    near = contacts.feasible_acceleration(**state, **forces)
    found = contacts.inverse_dynamics(state["q"], state["v"], near, **wishes, **forces)
    return found._replace(feasible=asked.feasible)


def acceleration(contacts: "Contacts", state: dict[str, Any], forces: Mapping[str, Any] | None) -> Floats:
    """`Contacts.feasible_acceleration`."""
    robot, vectors, method = contacts.robot, contacts.kernels.vectors, "contacts.feasible_acceleration"
    robot.kernels.require_mass()
    q, v, a = (as_vectors(method, robot.name, name, x, vectors[name]) for name, x in state.items())
    require_finite("feasible_acceleration", q=q, v=v, a=a)
    if forces:
        require_finite("feasible_acceleration", **{f"the force at {name}": force for name, force in forces.items()})
    asked = contacts.inverse_dynamics(q, v, a, forces=forces)
    M, J, structure = robot.mass_matrix(q), jacobian(contacts, q), contacts.structure

    # contacts stay where they are
    near, _ = held(M, J, a, -contacts.bias(q, v), structure)

    # what no motor feels and no contact forbids moves as it must
    u = list(structure.unactuated)
    free = projector(J[..., u], scale=structure.size)
    f = robot.inverse_dynamics(q, v, near, forces=forces)
    near, pushed = np.array(np.broadcast_to(near, f.shape)), apply(free, f[..., u])
    inertia = free @ M[..., u, :][..., u] @ free
    near[..., u] -= apply(pseudo_inverse(inertia, _NO_MASS, scale=float(np.max(M, initial=0.0))), pushed)
    return np.where(np.asarray(asked.feasible)[..., None], a, near)


def _said(found: Torques) -> str:
    """What is wrong with the first acceleration that is not feasible."""
    bad = ~np.asarray(found.feasible)
    first = tuple(map(int, np.argwhere(bad)[0]))
    where = f" in state {first}" if bad.ndim else ""
    residual, violation = (float(np.asarray(x)[first]) for x in (found.residual, found.violation))
    return (
        f"contacts.inverse_dynamics: no torque gives the acceleration a{where}: the contacts would accelerate by "
        f"{violation:.3g} (m/s², rad/s²), and forces of {residual:.3g} (N, N m) on the base would be missing; "
        'on_infeasible="nearest" takes the nearest that is feasible'
    )
