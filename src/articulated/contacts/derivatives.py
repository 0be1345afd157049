"""Derivatives of the laws of contacts: at what a law has found, residuals stay zero as its arguments change.

    M da - Jᵀ dλ = E dtau - (what the residual changes by with q and v)        J da = -(the same of the rows)

One kernel gives the derivatives of the residuals; the small linear systems are solved by NumPy.  Where contacts are
redundant, how they share their forces is not settled, but the motion is, as long as all that they forbid agrees.
"""

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..errors import ShapeError, unexpected, unknown
from ..inputs.choices import names as asked_names
from ..robot.arguments.arrays import as_vectors
from ..robot.arguments.forces import wrenches
from ..robot.derivatives.algorithms import Jacobian
from ..robot.request import Request
from ..robot.results import result_type
from .checks import plain, wish
from .ranks.linear_systems import Equations, independent, solved, usual_rank
from .ranks.subspaces import TOLERANCE, Floats
from .residuals import SHORTER, residual

#: what `wrt=` may name beside the arrays of a law
FORCES, PARAMETERS = "forces", "parameters"
Forces = Mapping[str, ArrayLike] | None


class OfLaw:
    """The derivatives of one of the laws of a set of contacts, called as the law is."""

    def __init__(self, contacts: Any, method: Any, wrt: Any = None):
        if not isinstance(method, str) or method not in EQUATIONS:
            raise unknown("method with derivatives:", method, "Contacts", EQUATIONS)
        row = contacts.kernels.rows[method]
        self.contacts, self.method, self._title = contacts, method, f"derivatives of {method}"
        self.results, self.arguments = tuple(row.axes)[:2], tuple(row.arrays)
        given = [wrt] if isinstance(wrt, str) else self.arguments if wrt is None else wrt
        self.wrt = tuple(dict.fromkeys(asked_names(f"{self._title}: wrt", given)))
        if not self.wrt:
            raise ShapeError(f"{self._title}: wrt names at least one argument")

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        """Derivatives at the arguments of the law."""
        equations = EQUATIONS[self.method]
        takes = arguments_of(self.method)
        for name in options:
            if name not in takes.parameters:
                raise unexpected(self._title, name, takes.parameters)
        try:
            given = takes.bind(*arguments, **options).arguments
        except TypeError as problem:
            raise TypeError(f"{self._title}: {problem}") from None
        forces = given.get(FORCES)
        known = [*self.arguments, PARAMETERS, *([FORCES] if isinstance(forces, Mapping) and forces else [])]
        for name in self.wrt:
            if name not in known:
                raise unknown("argument", name, f"{self._title} as it is called", known)
        state = {name: x for name, x in given.items() if name in self.arguments}
        given = {**given, **plain(self._title, self.contacts.kernels.vectors, state)}
        return self._result(equations(self.contacts, self.wrt, **given))

    def __repr__(self) -> str:
        return f"<{self._title} of {self.contacts!r}>"

    def _result(self, equations: Equations) -> Any:
        """A NamedTuple with a field for each result and argument."""
        system, given, first = equations.system, equations.given, equations.first
        batch = np.broadcast_shapes(system.shape[:-2], *(x.shape[:-2] for x in given.values()))
        columns = [np.broadcast_to(given[name], (*batch, *given[name].shape[-2:])) for name in self.wrt]
        ends = np.cumsum([x.shape[-1] for x in columns])[:-1]
        found = np.split(solved(equations, np.concatenate(columns, axis=-1)), ends, axis=-1)
        last = system.shape[-1] - self.contacts.k
        kind = result_type("ContactDerivatives", fields(self.results, self.wrt))
        return kind(*(x[..., first, :] for x in found), *(x[..., last:, :] for x in found))


def fields(results: Sequence[str], arguments: Sequence[str]) -> tuple[str, ...]:
    """The fields of derivatives: a_q, a_v, …"""
    return tuple(f"{result}_{name}" for result in results for name in arguments)


def arguments_of(method: str) -> inspect.Signature:
    """The arguments of derivatives: those of the equations after the contacts and `wrt`."""
    whole = inspect.signature(EQUATIONS[method])
    return whole.replace(parameters=list(whole.parameters.values())[2:])


def of_forward_dynamics(
    contacts: Any,
    wrt: tuple[str, ...],
    q: ArrayLike,
    v: ArrayLike,
    tau: ArrayLike,
    forces: Forces = None,
) -> Equations:
    """Equations for the derivatives of accelerations and contact forces by q, v and tau."""
    found = contacts.forward_dynamics(q, v, tau, forces=forces)
    others = [name for name in wrt if name != "tau"]
    d = _residual(contacts, ("a", *others), {"q": q, "v": v, "a": found.a, "row_forces": found.forces}, forces)
    n, k = contacts.robot.nv, contacts.k
    system = np.zeros((*d.forces_a.shape[:-2], n + k, n + k))
    system[..., :n, :n], system[..., n:, :n] = d.forces_a, d.rows_a
    system[..., :n, n:] = -np.swapaxes(d.rows_a, -1, -2)
    pushed = np.eye(n + k)[:, _columns(contacts, tau)]
    given = {name: -_both(d, name) for name in others} | {"tau": pushed}
    # redundant contacts that contradict each other are met by no acceleration, and then nothing can be said of it
    bias = contacts.bias(q, v)
    left = abs(np.einsum("...ij,...j->...i", d.rows_a, found.a) + bias).max(axis=-1, initial=0.0)
    agree = left <= TOLERANCE * (1 + abs(bias).max(axis=-1, initial=0.0))
    return Equations(system, given, independent(d.rows_a), usual_rank(contacts, d.rows_a) & agree, slice(n))


def of_inverse_dynamics(
    contacts: Any,
    wrt: tuple[str, ...],
    q: ArrayLike,
    v: ArrayLike,
    a: ArrayLike,
    tau0: ArrayLike | None = None,
    weight: ArrayLike | None = None,
    force_weight: ArrayLike | None = None,
    forces: Forces = None,
) -> Equations:
    """Equations for the derivatives of the best torques, and their contact forces, by q, v and a.

    With multipliers z of what must balance, f - Jᵀ λ - E tau = 0, they are best where Eᵀ z = weight (tau - tau0) and
    J z = force_weight λ.
    """
    found = contacts.inverse_dynamics(q, v, a, tau0, weight, force_weight, forces=forces)
    n, k = contacts.robot.nv, contacts.k
    u, c = list(contacts.structure.unactuated), contacts.actuated
    W, F = (_weight(contacts, name, x) for name, x in (("weight", weight), ("force_weight", force_weight)))
    scale = max(abs(W).max(initial=0.0), abs(F).max(initial=0.0)) or 1.0
    W, F = W / scale, F / scale  # only their ratios count
    J = contacts.jacobian(q)
    along = np.zeros((*found.tau.shape[:-1], n))
    wanted = 0 if tau0 is None else wish(contacts.robot.name, "tau0", tau0, contacts.kernels.vectors["tau0"])
    along[..., c] = (found.tau - wanted) @ W
    # what is left is met by the multipliers of the base
    left = found.forces @ F - np.einsum("...ij,...j->...i", J[..., c], along[..., c])
    along[..., u] = np.einsum("...ij,...j->...i", np.linalg.pinv(J[..., u]), left)
    d = _residual(contacts, wrt, {"q": q, "v": v, "a": a, "row_forces": found.forces, "along": along}, forces)
    # columns: torques, multipliers of the base, contact forces
    system = np.zeros((*along.shape[:-1], n + k, n + k))
    system[..., c, c] = 1
    system[..., :n, n:] = np.swapaxes(J, -1, -2)
    system[..., n:, :n], system[..., n:, n:] = J, -F
    system[..., n:, c] = J[..., c] @ W
    # where nothing carries the base no torques do what is asked; what weighs nothing may be anything
    carrying = independent(np.swapaxes(J[..., u], -1, -2))
    settled = independent(J if weight is None and force_weight is None else system)
    given = {name: _both(d, name, -1) for name in wrt}
    usual = carrying & usual_rank(contacts, J) & (weight is None)
    return Equations(system, given, settled & carrying, usual, c)


def _weight(contacts: Any, name: str, given: ArrayLike | None) -> Floats:
    """A weight as a symmetric matrix; if it is not given, torques count alike and forces not at all."""
    vector = contacts.kernels.vectors[name]
    if given is None:
        return np.eye(vector.size) if name == "weight" else np.zeros((vector.size, vector.size))
    found = wish(contacts.robot.name, name, given, vector)
    return np.diag(found) if found.ndim == 1 else (found + found.T) / 2


def of_impact(contacts: Any, wrt: tuple[str, ...], q: ArrayLike, v: ArrayLike, restitution: float = 0.0) -> Equations:
    """Equations for the derivatives of the velocities after an impact, and its impulses, by q and v."""
    found = contacts.impact(q, v, restitution)
    n, k = contacts.robot.nv, contacts.k
    before = as_vectors("contacts.impact", contacts.robot.name, "v", v, contacts.robot.kernels.vectors["v"])
    state = {"q": q, "change": found.v - before, "row_forces": found.impulses, "along": found.v + restitution * before}
    others = [name for name in wrt if name != "v"]
    d = _residual(contacts, ("change", "along", *others), state, None)
    M, J = d.forces_change, d.rows_along
    system = np.zeros((*M.shape[:-2], n + k, n + k))
    system[..., :n, :n], system[..., n:, :n], system[..., :n, n:] = M, J, -np.swapaxes(J, -1, -2)
    given = {name: -_both(d, name) for name in others} | {"v": np.concatenate([M, -restitution * J], axis=-2)}
    return Equations(system, given, independent(J), usual_rank(contacts, J), slice(n))


#: laws with derivatives, by the name of the method
EQUATIONS: dict[str, Callable[..., Equations]] = {
    "forward_dynamics": of_forward_dynamics,
    "inverse_dynamics": of_inverse_dynamics,
    "impact": of_impact,
}


def _both(d: Any, name: str, sign: int = 1) -> Floats:
    """Derivatives of both parts of a residual by an argument, one above the other; the rows times `sign`."""
    return np.concatenate([getattr(d, f"forces_{name}"), sign * getattr(d, f"rows_{name}")], axis=-2)


def _residual(contacts: Any, wrt: Sequence[str], state: Mapping[str, Any], forces: Forces) -> Any:
    """The derivatives of the residual at a state, its kernel made once."""
    kernels, robot = contacts.kernels, contacts.robot
    sizes = {name: contacts.k if name == "row_forces" else kernels.vectors[name].size for name in state}
    acting = wrenches("contacts.derivatives", forces)
    plain = kernels.request(
        "derivatives", residual, sizes, tuple(acting), {"contacts": contacts.contacts},
        # on the regrouped model, which has other inertial parameters
        formulations=() if PARAMETERS in wrt else (SHORTER,), written=acting.written,
    )  # fmt: skip
    way = Jacobian(plain, tuple(wrt))
    asked = Request(
        plain.method, way, plain.arrays, plain.frames, (), plain.dtype, tuple(map(way.by, plain.formulations))
    )
    values = [as_vectors("contacts.derivatives", robot.name, name, x, kernels.vectors[name]._replace(size=sizes[name]))
              for name, x in state.items()]  # fmt: skip
    return kernels.kernel(asked)(*values, *acting.values())


def _columns(contacts: Any, tau: ArrayLike) -> list[int]:
    """Indices of the velocities that the torques act on: those with motors, or all."""
    return list(range(contacts.robot.nv)) if np.shape(tau)[-1:] == (contacts.robot.nv,) else contacts.actuated
