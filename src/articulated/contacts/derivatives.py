"""Derivatives of the laws of contacts, each one kernel for the usual ranks of a set.

Torques are differentiated as they are computed.  Motions and impacts are so by their equations, which stay true as
their arguments x change; the law that solved them solves this as well, with columns in the place of vectors:

    M a_x - Jᵀ λ_x = E τ_x - (M a + h - Jᵀ λ)_x        J a_x = -(J a + J̇ v)_x

Where contacts are redundant, how they share their forces is not settled, but the motion is, as long as all that they
forbid agrees.
"""

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..algebra.linalg import factor_spd, solve_factored
from ..algebra.scalars import Array, Scalar, array, eye, select, zeros
from ..algorithms.fast.moments import mass_matrix_by_moments
from ..algorithms.mass_matrix import mass_matrix
from ..errors import ShapeError, unexpected, unknown
from ..inputs.choices import names as asked_names
from ..inputs.choices import number
from ..model import Model
from ..robot.arguments.forces import NO_FORCES, wrenches
from ..robot.derivatives.algorithms import Differentiated, Jacobian
from ..robot.request import AS_USUAL, result_type
from .checks import plain, wish
from .constraints import FORMULATIONS, RowAxes, constraint_acceleration, impact_residual, motion_residual
from .laws import Found, contact_impact, contact_motion, contact_torques, held
from .ranks.subspaces import TOLERANCE, Floats

#: what `wrt=` may name beside the arrays of a law
FORCES, PARAMETERS = "forces", "parameters"


@dataclass(frozen=True)
class OfFound(Differentiated):
    """Derivatives of both results of a law, and its conditioning, made 0 where they disagree."""

    @property
    def result(self) -> Any:
        """Derivatives of the value, of the forces, and the conditioning."""
        return result_type("ContactDerivatives", (*fields(("value", "forces"), self.wrt), "conditioning"))

    def __call__(self, model: Model, forces: Mapping[str, Array] = {}, **arrays: Array) -> Any:
        """The derivatives at these arrays."""
        given = self.arguments(model, arrays, forces)
        found = self.request.evaluate(model, given, self.formulation)
        way = self._as_computed if self.request.algorithm is contact_torques else self._by_equations
        return self.result(*way(model, forces, given, found), array([self._agreeing(model, given, found)]))

    def _as_computed(self, model: Model, forces: Any, given: Mapping[str, Array], found: Found) -> list[Array]:
        from ..compiler.passes.differentiate import jacobian

        blocks = [self.maps(model, given, name) for name in self.wrt]
        by = jacobian(self.traced(model), given, {part: x for block in blocks for part, x in block.items()})
        return [np.concatenate([by[part][k] for part in block], axis=-1) for k in (0, 1) for block in blocks]

    def _by_equations(self, model: Model, forces: Any, given: Mapping[str, Array], found: Found) -> list[Array]:
        structure, impact = dict(self.request.choices)["structure"], self.request.algorithm is contact_impact
        q, v, last = given["q"], given["v"], given["restitution" if impact else "tau"]
        state = {"q": q, "row_forces": found.forces}
        if impact:
            state |= {"change": found.value - v, "along": found.value + last[0] * v}
        else:
            state |= {"v": v, "a": found.value, **({"rate": given["rate"]} if "rate" in given else {})}
        residual = impact_residual if impact else motion_residual
        sizes = {name: len(x) for name, x in state.items()}
        asked = replace(
            self.request, algorithm=residual, arrays=tuple(sizes.items()), choices=(("contacts", structure.contacts),)
        )
        others = tuple(name for name in self.wrt if name != ("v" if impact else "tau"))
        own = FORMULATIONS[residual] if self.formulation else None
        d = Jacobian(asked, others, self.space, own)(model, forces, **state)
        axes = RowAxes(model, q, structure.contacts)
        factors = factor_spd((mass_matrix_by_moments if self.formulation else mass_matrix)(model, q))
        driven = eye(model.nv) if impact or len(last) == model.nv else eye(model.nv)[:, list(structure.actuated)]

        # motion without contacts by each argument, and what their rows then are
        free = {name: solve_factored(factors, -getattr(d, f"forces_{name}")) for name in others}
        rows = {name: axes.from_world(-getattr(d, f"rows_{name}")) for name in others}
        free["v" if impact else "tau"] = driven if impact else solve_factored(factors, driven)

        def wanted(J: Array) -> Array:
            rows["v" if impact else "tau"] = -last[0] * J if impact else zeros(len(J), driven.shape[1])
            return np.concatenate([rows[name] for name in self.wrt], axis=1)

        both = held(axes, structure, factors, np.concatenate([free[name] for name in self.wrt], axis=1), wanted)
        ends = np.cumsum([free[name].shape[1] for name in self.wrt])[:-1]
        return [part for x in both[:2] for part in np.split(x, ends, axis=1)]

    def _agreeing(self, model: Model, given: Mapping[str, Array], found: Found) -> Scalar:
        """The conditioning; 0 where redundant contacts contradict each other, and no acceleration meets them."""
        structure = dict(self.request.choices)["structure"]
        if self.request.algorithm is not contact_motion or structure.rank == len(found.forces):
            return found.checks[-1]
        bias, left = (
            constraint_acceleration(model, given["q"], given["v"], a, structure.contacts)
            for a in (zeros(model.nv), found.value)
        )
        most = TOLERANCE**2 * (1 + (bias * bias).sum())
        return select((left * left).sum() < most, found.checks[-1], 0)


class OfLaw:
    """The derivatives of one of the laws of a set of contacts, called as the law is."""

    def __init__(self, contacts: Any, method: Any, wrt: Any = None):
        if not isinstance(method, str) or method not in TAKES:
            raise unknown("method with derivatives:", method, "Contacts", TAKES)
        row = contacts.kernels.rows[method]
        self.contacts, self.method, self._title = contacts, method, f"derivatives of {method}"
        self.results, self.arguments = tuple(row.axes)[:2], tuple(row.arrays)
        given = [wrt] if isinstance(wrt, str) else self.arguments if wrt is None else wrt
        self.wrt = tuple(dict.fromkeys(asked_names(f"{self._title}: wrt", given)))
        if not self.wrt:
            raise ShapeError(f"{self._title}: wrt names at least one argument")

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        """Derivatives at the arguments of the law."""
        takes = arguments_of(self.method)
        for name in options:
            if name not in takes.parameters:
                raise unexpected(self._title, name, takes.parameters)
        try:
            given = takes.bind(*arguments, **options).arguments
        except TypeError as problem:
            raise TypeError(f"{self._title}: {problem}") from None
        acting = wrenches(self._title, given.pop(FORCES, None))
        known = [*self.arguments, PARAMETERS, *([FORCES] if acting else [])]
        for name in self.wrt:
            if name not in known:
                raise unknown("argument", name, f"{self._title} as it is called", known)
        kernels = self.contacts.kernels
        state = plain(self._title, kernels.vectors, {name: given[name] for name in self.arguments})
        state |= {name: self._wish(name, x) for name, x in given.items() if name not in state and x is not None}
        if self.method == "impact":
            state.setdefault("restitution", np.zeros(1))
        found = self._kernel(state, acting)(*state.values(), *acting.values())
        return self._result(found, "force_weight" in state)

    def at_rate(self, *arrays: Floats) -> Any:
        """Derivatives of a motion at q, v, tau and the rate (1,) at which velocities of contacts die out."""
        state = dict(zip((*self.arguments, "rate"), arrays, strict=True))
        return self._result(self._kernel(state, NO_FORCES)(*arrays), False)

    def _wish(self, name: str, x: Any) -> Floats:
        """An array of the law that is taken as constant."""
        if name == "restitution":
            return np.array([number(name, x, "between 0 (they stick) and 1 (they bounce back)", most=1.0)])
        found = wish(self.contacts.robot.name, name, x, self.contacts.kernels.vectors[name])
        if found.ndim > 1 and name != "tau0":
            raise ShapeError(f"{self._title}: {name} is a number or one per component; got a matrix {found.shape}")
        return found

    def _kernel(self, state: Mapping[str, Any], acting: Any) -> Any:
        kernels = self.contacts.kernels
        if not kernels.unrolled_law(self.method):
            raise ShapeError(
                f"{self._title}: {self.contacts.k} rows on {self.contacts.robot.nv} velocities are too many"
            )
        full = "tau" in state and np.shape(state["tau"])[-1:] == (self.contacts.robot.nv,)
        key = ("derivatives", self.method, self.wrt, tuple(state), tuple(acting), acting.written, full)
        if key not in kernels.ready:
            law = kernels.law_request(self.method, kernels.structure, tuple(state), acting, full)
            way = OfFound(law, self.wrt)
            # on the regrouped model, which has other inertial parameters
            ways = () if PARAMETERS in self.wrt else tuple(map(way.by, law.formulations))
            kernels.ready[key] = kernels.kernel(
                replace(law, algorithm=way, choices=(), formulations=ways, written=AS_USUAL)
            )
        return kernels.ready[key]

    def _result(self, found: Any, forces_settled: bool) -> Any:
        """A NamedTuple with a field for each result and argument; NaN where there are no derivatives."""
        structure, parts = self.contacts.structure, [np.array(x) for x in found[:-1]]
        none = ~(found.conditioning[..., 0] > TOLERANCE)
        # where nothing carries the base no torques do what is asked
        none |= self.method == "inverse_dynamics" and structure.base_rank < len(structure.unactuated)
        shared = structure.rank < self.contacts.k and not forces_settled
        for k, part in enumerate(parts):
            part[none | (shared and k >= len(self.wrt))] = np.nan
        return result_type("ContactDerivatives", fields(self.results, self.wrt))(*parts)

    def __repr__(self) -> str:
        return f"<{self._title} of {self.contacts!r}>"


def fields(results: Sequence[str], arguments: Sequence[str]) -> tuple[str, ...]:
    """The fields of derivatives: a_q, a_v, …"""
    return tuple(f"{result}_{name}" for result in results for name in arguments)


def arguments_of(method: str) -> inspect.Signature:
    """The arguments of derivatives: those of the law that they take."""
    return inspect.signature(TAKES[method])


#: laws with derivatives by the name of the method, and what these take
TAKES: dict[str, Callable[..., None]] = {
    "forward_dynamics": lambda q, v, tau, forces=None: None,
    "inverse_dynamics": lambda q, v, a, tau0=None, weight=None, force_weight=None, forces=None: None,
    "impact": lambda q, v, restitution=0.0: None,
}
