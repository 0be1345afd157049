"""States in which a contact set has other ranks than it usually has.

A law compiled for the usual ranks says in `checks` how far it is from losing one; where that is too near, the state
is unsound.  It is computed again by the law compiled for the ranks of special configurations, if it has those, else
from singular values, some hundred times slower.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ...errors import ShapeError
from ...robot.arguments.arrays import check_batches
from ..checks import require_finite
from ..laws import FALL, ROUNDING
from . import by_singular_values
from .by_singular_values import Torques
from .subspaces import TOLERANCE, Floats, apply, pseudo_inverse

if TYPE_CHECKING:
    from ..contacts import Contacts

Forces = Mapping[str, Any] | None
Those = Callable[[Any], Any]  # the states of an array that are computed again


#: numbers that overflow show in the result; nobody is warned of them as well
quietly = np.errstate(over="ignore", invalid="ignore")


def unsound(checks: Any) -> Any:
    """In which states the ranks are not the usual ones."""
    return ~(checks[..., -1] > TOLERANCE)


@quietly
def acceleration(contacts: "Contacts", found: Any, state: Mapping[str, Any]) -> Floats:
    """`Contacts.acceleration`."""
    bad = unsound(found.checks)
    if not bad.any():
        return found.value
    require_finite("acceleration", **state)
    q, v, a0 = state.values()

    def again(those: Those) -> list[Any]:
        J, start = jacobian(contacts, those(q)), those(a0)
        missing = apply(J, start) + contacts.bias(those(q), those(v))
        return [start - apply(pseudo_inverse(J, scale=contacts.structure.size), missing)]

    return by_singular_values.redone([found.value], bad, again)[0]


@quietly
def torques(contacts: "Contacts", found: Any, state: dict, wishes: dict, forces: Forces, method: str = "qr") -> Torques:
    """`Contacts.inverse_dynamics`; every state if nothing was `found`."""
    if found is None:
        require_finite("inverse_dynamics", **state)
        return _ranked(contacts, state, wishes, forces, method)
    residual, violation, excess, conditioning = (found.checks[..., i] for i in range(4))
    a = np.array(state["a"], float)
    if a.shape[:-1] != excess.shape:
        a = np.array(np.broadcast_to(a, (*excess.shape, contacts.robot.nv)))
    usual = Torques(found.value, found.forces, residual, violation, conditioning, excess <= 0, a)
    bad = unsound(found.checks)
    if not bad.any():
        return usual
    require_finite("inverse_dynamics", **state)

    def again(those: Those) -> Torques:
        there = {name: those(x) for name, x in state.items()}
        wanted = {name: those(x) if name == "tau0" else x for name, x in wishes.items()}
        pushed = {name: those(force) for name, force in (forces or {}).items()}
        return _ranked(contacts, there, wanted, pushed, method)

    both = Torques(*by_singular_values.redone(usual, bad, again))
    # the conditioning stays: it says which states these were
    return both._replace(conditioning=np.nan_to_num(usual.conditioning, nan=0.0))


def _ranked(contacts: "Contacts", state: dict, wishes: dict, forces: Forces, method: str) -> Torques:
    f, J = contacts.robot.inverse_dynamics(**state, forces=forces), jacobian(contacts, state["q"])
    if "tau0" in wishes:
        check_batches("contacts.inverse_dynamics", {"q, v and a": f, "tau0": wishes["tau0"]})
    a, v = np.array(np.broadcast_to(state["a"], f.shape), float), np.asarray(state["v"], float)
    moved = apply(J, a) + contacts.bias(state["q"], v)
    return by_singular_values.torques(f, J, moved, negligible(contacts, a, v), a, contacts.structure, method, **wishes)


def negligible(contacts: "Contacts", a: Floats, v: Floats) -> Any:
    """Accelerations of contacts that are rounding errors."""
    return ROUNDING * contacts.structure.size * (np.linalg.norm(a, axis=-1) + (v * v).sum(axis=-1) + FALL)


@quietly
def motion(contacts: "Contacts", found: Any, state: Mapping[str, Any], forces: Forces) -> Sequence[Any]:
    """`Contacts.forward_dynamics`: accelerations and contact forces."""
    bad = unsound(found.checks)
    if not bad.any():
        return found[:2]
    require_finite("forward_dynamics", **state)

    def again(those: Those) -> Sequence[Any]:
        q, v, correction = those(state["q"]), those(state["v"]), state.get("correction")
        pushed = {name: those(force) for name, force in (forces or {}).items()}
        free = contacts.robot.forward_dynamics(q, v, _spread(contacts, those(state["tau"])), forces=pushed)
        wanted = (0 if correction is None else those(correction)) - contacts.bias(q, v)
        return _held(contacts, q, free, wanted)

    return by_singular_values.redone(found[:2], bad, again)


@quietly
def impact(contacts: "Contacts", found: Any, state: Mapping[str, Any], restitution: float) -> Sequence[Any]:
    """`Contacts.impact`: velocities and impulses."""
    bad = unsound(found.checks)
    if not bad.any():
        return found[:2]
    require_finite("impact", **state)

    def again(those: Those) -> Sequence[Any]:
        q, before = those(state["q"]), those(state["v"])
        return _held(contacts, q, before, -restitution * apply(jacobian(contacts, q), before))

    return by_singular_values.redone(found[:2], bad, again)


def _held(contacts: "Contacts", q: Floats, free: Floats, wanted: Floats) -> Sequence[Any]:
    M, J = contacts.robot.mass_matrix(q), jacobian(contacts, q)
    return by_singular_values.held(M, J, free, wanted, contacts.structure)


def jacobian(contacts: "Contacts", q: Any) -> Floats:
    """J, refused where there is none."""
    J = contacts.jacobian(q)
    if not np.isfinite(J).all():
        raise ShapeError("q has no Jacobian: is there a quaternion of zeros in it?")
    return J


def _spread(contacts: "Contacts", tau: Any) -> Floats:
    """Torques of the actuated joints as generalized forces."""
    tau = np.asarray(tau, float)
    if tau.shape[-1] == contacts.robot.nv:
        return tau
    out = np.zeros((*tau.shape[:-1], contacts.robot.nv))
    out[..., contacts.actuated] = tau
    return out
