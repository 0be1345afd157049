"""Singular states, in which a contact set has other ranks than almost everywhere.

`checks` of a law compiled for the usual ranks end with its conditioning; a state where that is too small is unsound.
It is computed again by the law compiled for the ranks of special configurations, if it has those, else from singular
values, some hundred times slower.
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
    """Mask of the states whose ranks are not those the law was compiled for."""
    return ~(checks[..., -1] > TOLERANCE)


def _resolved(
    method: str, found: Any, results: Sequence[Any], state: Mapping[str, Any], again: Callable[[Those], Sequence[Any]]
) -> Sequence[Any]:
    """`results` of a law, unsound states computed `again`, which takes those states of an array."""
    bad = unsound(found.checks)
    if not bad.any():
        return results
    require_finite(method, **state)

    def those(x: Any) -> Any:
        x = np.asarray(x, float)
        return np.broadcast_to(x, (*bad.shape, x.shape[-1]))[bad]

    out = [np.array(x) for x in results]
    for whole, part in zip(out, again(those), strict=True):
        whole[bad] = part
    return [x[()] for x in out]


@quietly
def acceleration(contacts: "Contacts", found: Any, state: Mapping[str, Any]) -> Floats:
    """`Contacts.acceleration`."""

    def again(those: Those) -> list[Any]:
        q, v, a0 = map(those, state.values())
        J = jacobian(contacts, q)
        missing = apply(J, a0) + contacts.bias(q, v)
        return [a0 - apply(pseudo_inverse(J, scale=contacts.structure.size), missing)]

    return _resolved("acceleration", found, [found.value], state, again)[0]


@quietly
def torques(contacts: "Contacts", found: Any, state: dict, wishes: dict, forces: Forces, method: str = "qr") -> Torques:
    """`Contacts.inverse_dynamics`; every state if nothing was `found`."""
    if found is None:
        require_finite("inverse_dynamics", **state)
        return _ranked(contacts, state, wishes, forces, method)
    residual, violation, excess, conditioning = (found.checks[..., i] for i in range(4))
    a = np.array(np.broadcast_to(np.asarray(state["a"], float), (*excess.shape, contacts.robot.nv)))
    usual = Torques(found.value, found.forces, residual, violation, conditioning, excess <= 0, a)

    def again(those: Those) -> Torques:
        there = {name: those(x) for name, x in state.items()}
        wanted = {name: those(x) if name == "tau0" else x for name, x in wishes.items()}
        return _ranked(contacts, there, wanted, _pushed(forces, those), method)

    both = Torques(*_resolved("inverse_dynamics", found, usual, state, again))
    # the conditioning stays: it says which states these were
    return both._replace(conditioning=np.nan_to_num(conditioning, nan=0.0))


def _ranked(contacts: "Contacts", state: dict, wishes: dict, forces: Forces, method: str) -> Torques:
    f, J = contacts.robot.inverse_dynamics(**state, forces=forces), jacobian(contacts, state["q"])
    if "tau0" in wishes:
        check_batches("contacts.inverse_dynamics", {"q, v and a": f, "tau0": wishes["tau0"]})
    a, v = np.array(np.broadcast_to(state["a"], f.shape), float), np.asarray(state["v"], float)
    moved = apply(J, a) + contacts.bias(state["q"], v)
    return by_singular_values.torques(f, J, moved, negligible(contacts, a, v), a, contacts.structure, method, **wishes)


def negligible(contacts: "Contacts", a: Floats, v: Floats) -> Any:
    """Accelerations of contacts that are rounding errors, (…)."""
    return ROUNDING * contacts.structure.size * (np.linalg.norm(a, axis=-1) + (v * v).sum(axis=-1) + FALL)


@quietly
def motion(contacts: "Contacts", found: Any, state: Mapping[str, Any], forces: Forces) -> Sequence[Any]:
    """`Contacts.forward_dynamics`: accelerations and contact forces."""

    def again(those: Those) -> Sequence[Any]:
        q, v, tau = (those(state[name]) for name in ("q", "v", "tau"))
        if tau.shape[-1] < contacts.robot.nv:  # of the motors alone
            tau = apply(by_singular_values.selection(contacts.structure), tau)
        free = contacts.robot.forward_dynamics(q, v, tau, forces=_pushed(forces, those))
        wanted = (those(state["correction"]) if "correction" in state else 0) - contacts.bias(q, v)
        return _held(contacts, q, free, wanted)

    return _resolved("forward_dynamics", found, found[:2], state, again)


@quietly
def impact(contacts: "Contacts", found: Any, state: Mapping[str, Any], restitution: float) -> Sequence[Any]:
    """`Contacts.impact`: velocities and impulses."""

    def again(those: Those) -> Sequence[Any]:
        q, before = those(state["q"]), those(state["v"])
        return _held(contacts, q, before, -restitution * apply(jacobian(contacts, q), before))

    return _resolved("impact", found, found[:2], state, again)


def _held(contacts: "Contacts", q: Floats, free: Floats, wanted: Floats) -> Sequence[Any]:
    M, J = contacts.robot.mass_matrix(q), jacobian(contacts, q)
    return by_singular_values.held(M, J, free, wanted, contacts.structure)


def _pushed(forces: Forces, those: Those) -> dict[str, Any]:
    return {name: those(force) for name, force in (forces or {}).items()}


def jacobian(contacts: "Contacts", q: Any) -> Floats:
    """J, refused where there is none."""
    J = contacts.jacobian(q)
    if not np.isfinite(J).all():
        raise ShapeError("q has no Jacobian: is there a quaternion of zeros in it?")
    return J
