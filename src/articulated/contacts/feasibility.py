"""Infeasible accelerations, which no torque gives while contacts hold, and the nearest feasible ones.

An acceleration is feasible if J a + J̇ v = 0 and, for the velocities N that no motor feels and no contact forbids,
Nᵀ (M a + h) = 0 (USP lecture, erratum E3.4).  The projections on both are taken in the metric of the mass matrix.
Where rows of J depend on each other, J̇ v may contradict them: then there is none, and that is said.
"""

from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import ArticulatedError
from ..robot.arguments.arrays import as_vectors
from ..robot.quantities import Call
from ..robot.request import PARAMETERS
from .checks import require_finite
from .laws import FALL, ROUNDING
from .ranks.by_singular_values import Torques, held
from .ranks.subspaces import Floats, apply, projector, pseudo_inverse

if TYPE_CHECKING:
    from .contacts import Contacts

#: mass matrices of robots have condition numbers up to some 1e8
_NO_MASS = 1e-12
TINY = float(np.finfo(float).tiny)


class InfeasibleAcceleration(ArticulatedError, ValueError):
    """No torque gives the acceleration asked for while the contacts hold."""


def torques(contacts: "Contacts", call: Call) -> Torques:
    """`Contacts.inverse_dynamics` of the nearest feasible acceleration, or an error if that is another one."""
    given = {**call.arrays, "forces": call.forces, "method": call.choices["method"]}
    asked = contacts.inverse_dynamics(**given)
    if np.all(asked.feasible):
        return asked
    near = acceleration(contacts, call)
    if call.choices["on_infeasible"] == "raise":
        raise InfeasibleAcceleration(_refusal(contacts, call, asked))
    found = contacts.inverse_dynamics(**{**given, "a": near})
    return found._replace(feasible=asked.feasible)


def acceleration(contacts: "Contacts", call: Call) -> Floats:
    """`Contacts.feasible_acceleration`; an error that begins with the method called where there is none."""
    robot, vectors, method, forces = contacts.robot, contacts.kernels.vectors, call.method, call.forces
    robot.kernels.require_mass()
    q, v, a = (as_vectors(f"contacts.{method}", robot.name, name, call.arrays[name], vectors[name]) for name in "qva")
    require_finite(method, q=q, v=v, a=a)
    call = call._replace(arrays={**call.arrays, "q": q, "v": v})
    own = {"forces": forces, **{name: x for name, x in call.arrays.items() if name == PARAMETERS}}
    asked = contacts.inverse_dynamics(q, v, a, **own)
    M, _, J, bias = contacts.kernels.equations(q, v, **own)
    structure = contacts.structure

    # contacts stay where they are
    near, _ = held(M, J, a, -bias, structure)

    # what no motor feels and no contact forbids moves as it must
    u = list(structure.unactuated)
    free = projector(J[..., u], scale=structure.size)
    f = robot.inverse_dynamics(q, v, near, **own)
    near, pushed = np.array(np.broadcast_to(near, f.shape)), apply(free, f[..., u])
    inertia = free @ M[..., u, :][..., u] @ free
    near[..., u] -= apply(pseudo_inverse(inertia, _NO_MASS, scale=float(np.max(M, initial=0.0))), pushed)
    near = np.where(np.asarray(asked.feasible)[..., None], a, near)

    reached = contacts.inverse_dynamics(q, v, near, **own)
    if not np.all(reached.feasible):
        raise InfeasibleAcceleration(_contradiction(contacts, call, reached))
    return near


# -- messages ----------------------------------------------------------------------------------------


def _refusal(contacts: "Contacts", call: Call, found: Torques) -> str:
    where, moving, missing = _reasons(contacts, call, found)
    return (
        f"contacts.inverse_dynamics: no torque gives the acceleration a{where}: "
        f'{" and ".join(filter(None, (moving, missing)))}; on_infeasible="nearest" takes the nearest that is feasible'
    )


def _contradiction(contacts: "Contacts", call: Call, found: Torques) -> str:
    where, moving, missing = _reasons(contacts, call, found)
    said = f"contacts.{call.method}: no acceleration is feasible{where}: "
    if not moving:
        return f"{said}even of the nearest one {missing}"
    return (
        f"{said}the contacts contradict each other at this q and v, so that even at the nearest one {moving}; "
        "at the velocity contacts.impact(q, v).v they do not move"
    )


def _reasons(contacts: "Contacts", call: Call, found: Torques) -> tuple[str, str, str]:
    """Index, moving contacts and missing forces of the first infeasible state; empty where they are not the reason."""
    bad = ~np.asarray(found.feasible)
    first = tuple(map(int, np.argwhere(bad)[0]))

    def there(x: Any) -> Floats:
        x = np.asarray(x, float)
        return np.broadcast_to(x, (*bad.shape, x.shape[-1]))[first]

    q, v, a, row_forces = (there(x) for x in (call.arrays["q"], call.arrays["v"], found.a, found.forces))
    f = contacts.robot.inverse_dynamics(q, v, a, call.forces._each(there))
    J, u = contacts.jacobian(q), list(contacts.structure.unactuated)
    moved, missed = J @ a + contacts.bias(q, v), f[u] - J[:, u].T @ row_forces
    sizes = np.linalg.norm(moved), np.linalg.norm(missed)
    still = ROUNDING * contacts.structure.size * float(np.linalg.norm(a) + v @ v + FALL)
    limits = max(still, TINY), max(ROUNDING * float(np.linalg.norm(f)), TINY)
    # the larger excess over rounding is the reason also where the law, with roundings of its own, saw another
    shares = sizes[0] / limits[0], sizes[1] / limits[1]
    moves, misses = (share > 1 or share == max(shares) for share in shares)
    feet = [name for name, x in contacts.by_contact(moved).items() if np.linalg.norm(x) > limits[0] / 2]
    size = dict(zip(u, abs(missed), strict=True))
    undriven = [b for b in contacts.robot.model.independent if b.dofs.start in size]
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
