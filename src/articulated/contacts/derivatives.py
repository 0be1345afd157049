"""Derivatives of the laws of contacts: at what a law has found, residuals stay zero as its arguments change.

    M da - Jᵀ dλ = E dtau - (what the residual changes by with q and v)        J da = -(the same of the rows)

One kernel gives the derivatives of the residuals; the small linear systems are solved by NumPy.  Redundant contacts
have none: what they forbid twice agrees in some directions only.
"""

import inspect
from collections.abc import Callable, Mapping
from typing import Any, Generic, NamedTuple, TypedDict, TypeVar, Unpack

import numpy as np
from numpy.typing import ArrayLike

from ..errors import unexpected, unknown
from ..robot.arguments import as_vectors
from ..robot.differentiated import Jacobian
from ..robot.forces import written
from ..robot.options import Axes, ForcesOn
from ..robot.request import AS_USUAL, Request, Written
from . import residuals
from .checks import wish
from .subspaces import TOLERANCE, Floats

Forces = Mapping[str, ArrayLike] | None


class MotionDerivatives(NamedTuple):
    """Of `forward_dynamics`: accelerations (…, nv, ·) and contact forces (…, k, ·), by q in the tangent space."""

    a_q: Floats
    a_v: Floats
    a_tau: Floats
    forces_q: Floats
    forces_v: Floats
    forces_tau: Floats


class TorqueDerivatives(NamedTuple):
    """Of `inverse_dynamics`: torques (…, motors, ·) and contact forces (…, k, ·), by q in the tangent space."""

    tau_q: Floats
    tau_v: Floats
    tau_a: Floats
    forces_q: Floats
    forces_v: Floats
    forces_a: Floats


class ImpactDerivatives(NamedTuple):
    """Of `impact`: velocities afterwards (…, nv, ·) and impulses (…, k, ·), by q in the tangent space."""

    v_q: Floats
    v_v: Floats
    impulses_q: Floats
    impulses_v: Floats


class LawArguments(TypedDict, total=False):
    """All that some law whose derivatives there are takes by its name; tests/project/test_types.py compares."""

    q: ArrayLike
    v: ArrayLike
    a: ArrayLike
    tau: ArrayLike
    tau0: ArrayLike | None
    weight: ArrayLike | None
    force_weight: ArrayLike | None
    forces: Forces
    force_axes: Axes
    forces_on: ForcesOn
    restitution: float


Result = TypeVar("Result")


class OfLaw(Generic[Result]):
    """The derivatives of one of the laws of a set of contacts, called as the law is."""

    def __init__(self, contacts: Any, method: Any):
        if not isinstance(method, str) or method not in METHODS:
            raise unknown("method with derivatives:", method, "Contacts", METHODS)
        self.contacts, self.method = contacts, method

    def __call__(self, *arguments: Any, **options: Unpack[LawArguments]) -> Result:
        """Of the arguments and options of the law."""
        law = METHODS[self.method]
        taken = list(inspect.signature(law).parameters)[1:]
        for name in options:
            if name not in taken:
                raise unexpected(f"derivatives of {self.method}", name, taken)
        return law(self.contacts, *arguments, **options)

    def __repr__(self) -> str:
        return f"<derivatives of {self.method} of {self.contacts!r}>"


def of_forward_dynamics(
    contacts: Any,
    q: ArrayLike,
    v: ArrayLike,
    tau: ArrayLike,
    forces: Forces = None,
    force_axes: Axes = "frame",
    forces_on: ForcesOn = "robot",
) -> MotionDerivatives:
    """Of accelerations and contact forces by q, v and tau."""
    found = contacts.forward_dynamics(q, v, tau, forces=forces, force_axes=force_axes, forces_on=forces_on)
    how = written(force_axes, forces_on)
    d = _residual(contacts, residuals.motion_residual, ("q", "v", "a"), (q, v, found.a, found.forces), forces, how)
    n, k = contacts.robot.nv, contacts.k
    system = np.zeros((*d.forces_a.shape[:-2], n + k, n + k))
    system[..., :n, :n], system[..., n:, :n] = d.forces_a, d.rows_a
    system[..., :n, n:] = -np.swapaxes(d.rows_a, -1, -2)
    columns = _columns(contacts, tau)
    given = np.zeros((*system.shape[:-1], 2 * n + len(columns)))
    given[..., :n, :n], given[..., :n, n : 2 * n] = -d.forces_q, -d.forces_v
    given[..., n:, :n], given[..., n:, n : 2 * n] = -d.rows_q, -d.rows_v
    given[..., columns, range(2 * n, 2 * n + len(columns))] = 1
    by_q, by_v, by_tau = np.split(_solved(system, given, _independent(d.rows_a)), [n, 2 * n], axis=-1)
    return MotionDerivatives(
        *(x[..., :n, :] for x in (by_q, by_v, by_tau)), *(x[..., n:, :] for x in (by_q, by_v, by_tau))
    )


def of_inverse_dynamics(
    contacts: Any,
    q: ArrayLike,
    v: ArrayLike,
    a: ArrayLike,
    tau0: ArrayLike | None = None,
    weight: ArrayLike | None = None,
    force_weight: ArrayLike | None = None,
    forces: Forces = None,
    force_axes: Axes = "frame",
    forces_on: ForcesOn = "robot",
) -> TorqueDerivatives:
    """Of the best torques, and the contact forces that go with them, by q, v and a.

    With multipliers z of what must balance, f - Jᵀ λ - E tau = 0, they are best where Eᵀ z = weight (tau - tau0) and
    J z = force_weight λ.
    """
    pushed = {"forces": forces, "force_axes": force_axes, "forces_on": forces_on}
    found = contacts.inverse_dynamics(q, v, a, tau0, weight, force_weight, **pushed)
    how = written(force_axes, forces_on)
    n, k = contacts.robot.nv, contacts.k
    u, c = list(contacts.structure.unactuated), contacts.actuated
    W, F = (_weight(contacts, name, x) for name, x in (("weight", weight), ("force_weight", force_weight)))
    J = contacts.jacobian(q)
    along = np.zeros((*found.tau.shape[:-1], n))
    along[..., c] = (found.tau if tau0 is None else found.tau - np.asarray(tau0, float)) @ W
    # what is left is met by the multipliers of the base
    left = found.forces @ F - np.einsum("...ij,...j->...i", J[..., c], along[..., c])
    along[..., u] = np.einsum("...ij,...j->...i", np.linalg.pinv(J[..., u]), left)
    d = _residual(contacts, residuals.torque_residual, ("q", "v", "a"), (q, v, a, found.forces, along), forces, how)
    # columns: torques, multipliers of the base, contact forces
    system = np.zeros((*d.forces_q.shape[:-2], n + k, n + k))
    system[..., c, c] = 1
    system[..., :n, n:] = np.swapaxes(J, -1, -2)
    system[..., n:, :n], system[..., n:, n:] = J, -F
    system[..., n:, c] = J[..., c] @ W
    given = np.concatenate([np.concatenate([d.forces_q, d.forces_v, d.forces_a], axis=-1),
                            -np.concatenate([d.rows_q, d.rows_v, d.rows_a], axis=-1)], axis=-2)  # fmt: skip
    # where nothing carries the base no torques do what is asked; what weighs nothing may be anything
    carrying = _independent(np.swapaxes(J[..., u], -1, -2))
    settled = _independent(J if weight is None and force_weight is None else system)
    parts = np.split(_solved(system, given, settled & carrying), [n, 2 * n], axis=-1)
    return TorqueDerivatives(*(x[..., c, :] for x in parts), *(x[..., n:, :] for x in parts))


def _weight(contacts: Any, name: str, given: ArrayLike | None) -> Floats:
    """A weight as a symmetric matrix; if it is not given, torques count alike and forces not at all."""
    size = contacts.kernels.vectors[name].size
    if given is None:
        return np.eye(size) if name == "weight" else np.zeros((size, size))
    found = wish(contacts.robot.name, name, given, size)
    return np.diag(found) if found.ndim == 1 else (found + found.T) / 2


def of_impact(contacts: Any, q: ArrayLike, v: ArrayLike, restitution: float = 0.0) -> ImpactDerivatives:
    """Of the velocities after an impact, and its impulses, by q and v."""
    found = contacts.impact(q, v, restitution)
    n, k = contacts.robot.nv, contacts.k
    before = as_vectors("contacts.impact", contacts.robot.name, "v", v, contacts.robot.kernels.vectors["v"])
    state = (q, found.v - before, found.impulses, found.v + restitution * before)
    d = _residual(contacts, residuals.impact_residual, ("q", "change", "along"), state, None)
    M, J = d.forces_change, d.rows_along
    system = np.zeros((*M.shape[:-2], n + k, n + k))
    system[..., :n, :n], system[..., n:, :n], system[..., :n, n:] = M, J, -np.swapaxes(J, -1, -2)
    given = np.concatenate([np.concatenate([-d.forces_q, M], axis=-1),
                            np.concatenate([-d.rows_q, -restitution * J], axis=-1)], axis=-2)  # fmt: skip
    by_q, by_v = np.split(_solved(system, given, _independent(J)), [n], axis=-1)
    return ImpactDerivatives(by_q[..., :n, :], by_v[..., :n, :], by_q[..., n:, :], by_v[..., n:, :])


#: by the name of the method
METHODS: dict[str, Callable[..., Any]] = {
    "forward_dynamics": of_forward_dynamics,
    "inverse_dynamics": of_inverse_dynamics,
    "impact": of_impact,
}


def _residual(
    contacts: Any,
    residual: Callable[..., Any],
    wrt: tuple[str, ...],
    state: Any,
    forces: Forces,
    how: Written = AS_USUAL,
) -> Any:
    """The derivatives of a residual at a state, its kernel made once."""
    kernels, robot = contacts.kernels, contacts.robot
    names = {residuals.motion_residual: ("q", "v", "a", "row_forces"),
             residuals.torque_residual: ("q", "v", "a", "row_forces", "along"),
             residuals.impact_residual: ("q", "change", "row_forces", "along")}[residual]  # fmt: skip
    sizes = {name: contacts.k if name == "row_forces" else kernels.vectors[name].size for name in names}
    forces = kernels.by_frame("derivatives", forces)
    plain = kernels.request(
        "derivatives", residual, sizes, tuple(forces), {"contacts": contacts.contacts},
        formulations=(residuals.FORMULATIONS[residual],), written=how,
    )  # fmt: skip
    way = Jacobian(plain, wrt)
    asked = Request(
        plain.method, way, plain.arrays, plain.frames, (), plain.dtype, tuple(map(way.by, plain.formulations))
    )
    values = [as_vectors("contacts.derivatives", robot.name, name, x, kernels.vectors[name]._replace(size=size))
              for (name, size), x in zip(sizes.items(), state, strict=True)]  # fmt: skip
    return kernels.kernel(asked)(*values, *forces.values())


def _columns(contacts: Any, tau: ArrayLike) -> list[int]:
    """Which velocities the torques act on: those with motors, or all."""
    return list(range(contacts.robot.nv)) if np.shape(tau)[-1:] == (contacts.robot.nv,) else contacts.actuated


def _solved(system: Floats, given: Floats, determined: Any) -> Floats:
    """The solution of each system that has one; NaN elsewhere."""
    given = np.broadcast_to(given, (*system.shape[:-1], given.shape[-1]))
    x = np.full(given.shape, np.nan)
    good = determined & np.isfinite(system).all(axis=(-1, -2))
    x[good] = np.linalg.solve(system[good], given[good])
    return x


def _independent(J: Floats) -> Any:
    """Whether the rows of J are."""
    values = np.linalg.svd(np.nan_to_num(J), compute_uv=False)
    count = (values > TOLERANCE * values.max(axis=-1, initial=0.0, keepdims=True)).sum(axis=-1)
    return count == J.shape[-2]
