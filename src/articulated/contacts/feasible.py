"""Accelerations that no torque gives while contacts hold: which they are, and the nearest that some torque gives.

An acceleration is feasible if J a + J̇ v = 0 and, for the velocities N that no motor feels and no contact forbids,
Nᵀ (M a + h) = 0 (USP lecture, erratum E3.4).  The projections on both are taken in the metric of the mass matrix.
Where rows of J depend on each other, J̇ v may contradict them: then there is none, and that is said.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

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


# -- what is said ------------------------------------------------------------------------------------


class _Reasons(NamedTuple):
    """Of the first acceleration that is not feasible: which state, what contacts do, which forces are missing."""

    where: str
    moving: str  # empty if the contacts stay where they are
    missing: str  # empty if contacts and motors supply all forces
    sliding: bool  # whether the velocity moves the contacts already


def _refusal(contacts: "Contacts", state: Mapping[str, Any], forces: Forces, found: Torques) -> str:
    reasons = _reasons(contacts, state, forces, found)
    return (
        f"contacts.inverse_dynamics: no torque gives the acceleration a{reasons.where}: "
        f"{' and '.join(filter(None, (reasons.moving, reasons.missing)))}; "
        'on_infeasible="nearest" takes the nearest that is feasible'
    )


def _contradiction(contacts: "Contacts", method: str, state: Mapping[str, Any], forces: Forces, found: Torques) -> str:
    reasons = _reasons(contacts, state, forces, found)
    said = f"contacts.{method}: no acceleration is feasible{reasons.where}: "
    if not reasons.moving:
        return f"{said}even of the nearest one {reasons.missing}"
    said += f"the contacts contradict each other at this q and v, so that even at the nearest one {reasons.moving}"
    return f"{said}; v moves them, contacts.impact(q, v).v does not" if reasons.sliding else said


def _reasons(contacts: "Contacts", state: Mapping[str, Any], forces: Forces, found: Torques) -> _Reasons:
    bad = ~np.asarray(found.feasible)
    first = tuple(map(int, np.argwhere(bad)[0]))

    def there(x: Any) -> Floats:
        x = np.asarray(x, float)
        return np.broadcast_to(x, (*bad.shape, x.shape[-1]))[first]

    q, v, a, row_forces = (there(x) for x in (state["q"], state["v"], found.a, found.forces))
    f = contacts.robot.inverse_dynamics(q, v, a, forces={name: there(x) for name, x in (forces or {}).items()})
    J, u = contacts.jacobian(q), list(contacts.structure.unactuated)
    moved, missed = J @ a + contacts.bias(q, v), f[u] - J[:, u].T @ row_forces
    limits = negligible(contacts, a, v), ROUNDING * float(np.linalg.norm(f))
    shares = [np.linalg.norm(x) / max(limit, TINY) for x, limit in zip((moved, missed), limits, strict=True)]
    # by how much each exceeds rounding errors; the larger one if the law, with roundings of its own, saw another
    moves, misses = (share > 1 or share == max(shares) for share in shares)
    return _Reasons(
        f" in state {first}" if bad.ndim else "",
        _moving(contacts, moved, limits[0]) if moves else "",
        _missing(contacts, missed, limits[1]) if misses else "",
        bool(np.linalg.norm(J @ v) > ROUNDING * contacts.structure.size * np.linalg.norm(v)),
    )


def _moving(contacts: "Contacts", moved: Floats, limit: float) -> str:
    rows = contacts.by_contact(moved)
    names = [name for name, x in rows.items() if np.linalg.norm(x) > limit / 2] or contacts.names
    return f"{_listed(names)} would accelerate by {np.linalg.norm(moved):.3g} (m/s², rad/s²)"


def _missing(contacts: "Contacts", missed: Floats, limit: float) -> str:
    unactuated = contacts.structure.unactuated
    size = {i: abs(x) for i, x in zip(unactuated, missed, strict=True)}
    bodies = [b for b in contacts.robot.model.bodies if b.leader is b and b.dofs.start in size]
    felt = [b for b in bodies if any(size[i] > limit / 10 for i in range(b.dofs.start, b.dofs.stop))] or bodies
    names = ["the base" if b.joint.floats and b.parent is None else f"joint {b.joint.name!r}" for b in felt]
    return f"forces of {np.linalg.norm(missed):.3g} (N, N m) on {_listed(names)}, without a motor, would be missing"


def _listed(names: Sequence[str]) -> str:
    shown = [*names[:6], *([f"{len(names) - 6} more"] if len(names) > 6 else [])]
    return " and ".join(filter(None, (", ".join(shown[:-1]), shown[-1])))
