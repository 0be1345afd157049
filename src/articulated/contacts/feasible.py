"""Infeasible accelerations, which no torque gives while contacts hold, and the nearest feasible ones.

An acceleration is feasible if J a + J̇ v = 0 and, for the velocities N that no motor feels and no contact forbids,
Nᵀ (M a + h) = 0 (USP lecture, erratum E3.4).  The projections on both are taken in the metric of the mass matrix.
Where rows of J depend on each other, J̇ v may contradict them: then there is none, and that is said.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import ArticulatedError
from ..robot.arguments.arrays import as_vectors
from .checks import require_finite
from .laws import ROUNDING
from .ranks.by_singular_values import Torques, held
from .ranks.singular_ranks import Forces, jacobian, negligible
from .ranks.subspaces import Floats, apply, projector, pseudo_inverse

if TYPE_CHECKING:
    from .contacts import Contacts

#: mass matrices of robots have condition numbers up to some 1e8
_NO_MASS = 1e-12
TINY = float(np.finfo(float).tiny)


class InfeasibleAcceleration(ArticulatedError, ValueError):
    """No torque gives the acceleration asked for while the contacts hold."""


def torques(
    contacts: "Contacts", state: dict[str, Any], wishes: dict[str, Any], forces: Forces, on_infeasible: str
) -> Torques:
    """`Contacts.inverse_dynamics` of the nearest feasible acceleration, or an error if that is another one."""
    asked = contacts.inverse_dynamics(**state, **wishes, forces=forces)
    if np.all(asked.feasible):
        return asked
    pushed = contacts._pushes(state["q"], forces)
    near = acceleration(contacts, state, pushed, "inverse_dynamics")
    if on_infeasible == "raise":
        raise InfeasibleAcceleration(_refusal(contacts, state, pushed, asked))
    found = contacts.inverse_dynamics(state["q"], state["v"], near, **wishes, forces=forces)
    return found._replace(feasible=asked.feasible)


def acceleration(
    contacts: "Contacts", state: dict[str, Any], forces: Forces, method: str = "feasible_acceleration"
) -> Floats:
    """`Contacts.feasible_acceleration`; an error that begins with `method` where there is none."""
    robot, vectors = contacts.robot, contacts.kernels.vectors
    robot.kernels.require_mass()
    q, v, a = (as_vectors(f"contacts.{method}", robot.name, name, x, vectors[name]) for name, x in state.items())
    require_finite(method, q=q, v=v, a=a)
    if forces:
        require_finite(method, **{f"the force at {name}": force for name, force in forces.items()})
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
    near = np.where(np.asarray(asked.feasible)[..., None], a, near)

    reached = contacts.inverse_dynamics(q, v, near, forces=forces)
    if not np.all(reached.feasible):
        raise InfeasibleAcceleration(_contradiction(contacts, method, {"q": q, "v": v}, forces, reached))
    return near


# -- messages ----------------------------------------------------------------------------------------


def _refusal(contacts: "Contacts", state: Mapping[str, Any], forces: Forces, found: Torques) -> str:
    where, moving, missing = _reasons(contacts, state, forces, found)
    return (
        f"contacts.inverse_dynamics: no torque gives the acceleration a{where}: "
        f'{" and ".join(filter(None, (moving, missing)))}; on_infeasible="nearest" takes the nearest that is feasible'
    )


def _contradiction(contacts: "Contacts", method: str, state: Mapping[str, Any], forces: Forces, found: Torques) -> str:
    where, moving, missing = _reasons(contacts, state, forces, found)
    said = f"contacts.{method}: no acceleration is feasible{where}: "
    if not moving:
        return f"{said}even of the nearest one {missing}"
    return (
        f"{said}the contacts contradict each other at this q and v, so that even at the nearest one {moving}; "
        "at the velocity contacts.impact(q, v).v they do not move"
    )


def _reasons(contacts: "Contacts", state: Mapping[str, Any], forces: Forces, found: Torques) -> tuple[str, str, str]:
    """Index, moving contacts and missing forces of the first infeasible state; empty where they are not the reason."""
    bad = ~np.asarray(found.feasible)
    first = tuple(map(int, np.argwhere(bad)[0]))

    def there(x: Any) -> Floats:
        x = np.asarray(x, float)
        return np.broadcast_to(x, (*bad.shape, x.shape[-1]))[first]

    q, v, a, row_forces = (there(x) for x in (state["q"], state["v"], found.a, found.forces))
    f = contacts.robot.inverse_dynamics(q, v, a, forces={name: there(x) for name, x in (forces or {}).items()})
    J, u = contacts.jacobian(q), list(contacts.structure.unactuated)
    moved, missed = J @ a + contacts.bias(q, v), f[u] - J[:, u].T @ row_forces
    sizes = np.linalg.norm(moved), np.linalg.norm(missed)
    limits = max(negligible(contacts, a, v), TINY), max(ROUNDING * float(np.linalg.norm(f)), TINY)
    # the larger excess over rounding is the reason also where the law, with roundings of its own, saw another
    shares = sizes[0] / limits[0], sizes[1] / limits[1]
    moves, misses = (share > 1 or share == max(shares) for share in shares)
    feet = [name for name, x in contacts.by_contact(moved).items() if np.linalg.norm(x) > limits[0] / 2]
    size = dict(zip(u, abs(missed), strict=True))
    undriven = [b for b in contacts.robot.model.bodies if b.leader is b and b.dofs.start in size]
    joints = [
        "the base" if b.joint.floats else f"joint {b.joint.name!r}"
        for b in undriven
        if max(size[i] for i in range(b.dofs.start, b.dofs.stop)) > limits[1] / 10
    ]
    return (
        f" in state {first}" if bad.ndim else "",
        f"{', '.join(feet)} would accelerate by {sizes[0]:.3g} (m/s², rad/s²)" if moves else "",
        f"forces of {sizes[1]:.3g} (N, N m) on {', '.join(joints)}, without a motor, would be missing"
        if misses
        else "",
    )
