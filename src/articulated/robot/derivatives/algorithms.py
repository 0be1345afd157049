"""Derivatives as algorithms: each takes the model and the arrays of a request, and differentiates what it computes.

The compiler traces them as it does any recursion.  They trace what they differentiate themselves, on a graph of their
own, and replay it on the scalars they are given.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ...algebra.scalars import Array, eye, zeros
from ...algorithms.configuration import configuration_rate
from ...algorithms.fast.formulations import CLOSED
from ...algorithms.inverse_dynamics_derivatives import closed
from ...algorithms.regressor import parameters
from ...model import Model
from ...model.with_numbers import with_parameters
from ..request import AS_USUAL, PARAMETERS, Algorithm, Request, result_type

#: configurations: what is differentiated by them is so by the velocities that `integrate` takes
CONFIGURATIONS = ("q", "q0", "q1")
#: `wrt=` of all external forces
FORCES = "forces"


@dataclass(frozen=True)
class Differentiated:
    """Base of all derivatives of a request; `wrt` names the arguments it is differentiated by."""

    request: Request
    wrt: tuple[str, ...]
    space: str = "tangent"  # or "coordinates": the entries of q as they are
    formulation: Algorithm | None = None  # of the request

    @property
    def closed(self) -> bool:
        """True if its formulations are those of a closed form of the derivatives."""
        return False

    @property
    def identity(self) -> tuple[Any, ...]:
        """Everything that decides which numbers are computed."""
        return type(self).__qualname__, self.request.identity, self.wrt, self.space

    @property
    def result(self) -> type | None:
        """The NamedTuple it returns: a field for each argument; one for each pair if the method has several results."""
        fields = getattr(self.request.result, "_fields", None)
        names = [f"{field}_{name}" for field in fields for name in self.wrt] if fields else self.wrt
        return result_type("Derivatives", tuple(names))

    def __call__(self, model: Model, forces: Mapping[str, Array] = {}, **arrays: Array) -> Any:
        """The derivatives at these arrays."""
        raise NotImplementedError

    def by(self, formulation: Algorithm) -> "Differentiated":
        """The same derivatives of another formulation of the request."""
        return replace(self, formulation=formulation)

    def traced(self, model: Model) -> Any:
        """The program of the request, its arrays by name; forces are called as in the request."""
        from ...compiler.passes.simplify import folded
        from ...compiler.passes.trace import trace

        request = self.request
        if PARAMETERS in self.wrt and PARAMETERS not in request.sizes:
            request = replace(request, arrays=(*request.arrays, (PARAMETERS, 10 * len(model.bodies))))
        return folded(trace(lambda **values: request.evaluate(model, values, self.formulation), request.sizes))

    def apart(self, title: str) -> str:
        """Title of arrays of its own, if the request is a derivative and has some that are called `title`."""
        while any(name.startswith(f"{title}_") for name, _ in self.request.arrays):
            title = f"further_{title}"
        return title

    def arguments(self, model: Model, arrays: Mapping[str, Array], forces: Mapping[str, Array]) -> dict[str, Array]:
        """The scalars of the program by name."""
        found = {name: arrays[name] for name, _ in self.request.arrays}
        found |= {f"force_{k}": forces[frame] for k, frame in enumerate(self.request.frames)}
        return {PARAMETERS: parameters(model), **found} if PARAMETERS in self.wrt else found

    def maps(self, model: Model, arguments: Mapping[str, Array], name: str) -> dict[str, Array]:
        """Rates of the program's arguments along the directions of the argument `name`, (size, columns) each.

        Forces are several arguments of the program; their columns follow each other.
        """
        if name == FORCES:
            return {f"force_{k}": eye(6) for k in range(len(self.request.frames))}
        if name in CONFIGURATIONS and self.space == "tangent":
            units = [configuration_rate(model, arguments[name], unit) for unit in eye(model.nv)]
            return {name: np.stack(units, axis=1) if units else zeros(model.nq, 0)}
        return {name: eye(len(arguments[name]))}


@dataclass(frozen=True)
class Jacobian(Differentiated):
    """All derivatives of every result by every argument."""

    def __call__(self, model: Model, forces: Mapping[str, Array] = {}, **arrays: Array) -> Any:
        """The derivatives at these arrays."""
        from ...compiler.passes.differentiate import jacobian

        given = self.arguments(model, arrays, forces)
        blocks = {name: self.maps(model, given, name) for name in self.wrt}
        maps = {part: columns for block in blocks.values() for part, columns in block.items()}
        program = self.traced(model)
        found = jacobian(program, given, maps)
        assert self.result
        return self.result(
            *(
                np.concatenate([found[part][k] for part in block], axis=-1)
                for k in range(len(program.outputs))
                for block in blocks.values()
            )
        )


@dataclass(frozen=True)
class Closed(Differentiated):
    """All derivatives by a closed form: the textbook's, or a formulation of it."""

    @property
    def closed(self) -> bool:
        """True: a closed form."""
        return True

    def __call__(self, model: Model, forces: Mapping[str, Array] = {}, **arrays: Array) -> Any:
        """The derivatives at these arrays."""
        if not closed(model):
            return Jacobian(self.request, self.wrt, self.space)(model, forces, **arrays)
        if PARAMETERS in arrays:
            model = with_parameters(model, arrays[PARAMETERS])
        way = self.formulation or CLOSED[self.request.algorithm]
        last = "tau" if "tau" in arrays else "a"
        given = {name: arrays[name] if name in arrays else zeros(model.nv) for name in ("q", "v", last)}
        found = way(model, **given, **({"forces": forces} if forces else {}))
        assert self.result
        return self.result(*(getattr(found, name) for name in self.wrt))

    @staticmethod
    def knows(request: Request, wrt: tuple[str, ...], space: str) -> bool:
        """True if there is one: for the usual arrays, with forces in the axes of their frames."""
        names = {name for name, _ in request.arrays}
        usual = space == "tangent" and request.written == AS_USUAL and names <= {"q", "v", "a", "tau", PARAMETERS}
        return usual and request.algorithm in CLOSED and (names - {PARAMETERS}).issuperset(wrt)


@dataclass(frozen=True)
class Tangent(Differentiated):
    """Rate of the result as the arguments move along `tangent_…`: a Jacobian times a vector."""

    @property
    def result(self) -> type | None:
        """The NamedTuple it returns, if it does."""
        return self.request.result

    def tangent(self, name: str) -> str:
        """The array along which an argument moves."""
        return f"{self.apart('tangent')}_{name}"

    def __call__(self, model: Model, forces: Mapping[str, Array] = {}, **arrays: Array) -> Any:
        """The derivatives at these arrays."""
        from ...compiler.passes.differentiate import Linearized

        given = self.arguments(model, arrays, forces)
        moved = {}
        for name in self.wrt:
            along = arrays[self.tangent(name)]
            if name in CONFIGURATIONS and self.space == "tangent":
                moved[name] = configuration_rate(model, given[name], along)[:, None]
            elif name == FORCES:
                moved |= {f"force_{k}": along[6 * k : 6 * k + 6, None] for k in range(len(along) // 6)}
            else:
                moved[name] = along[:, None]
        found = [x[..., 0] for x in Linearized(self.traced(model), given).forward(moved)]
        return self.result(*found) if self.result else found[0]


@dataclass(frozen=True)
class Gradient(Differentiated):
    """The derivatives of the sum of all results times their `cotangent_…`: a vector times a Jacobian."""

    @property
    def result(self) -> type | None:
        """The NamedTuple it returns, if it does."""
        return result_type("Gradient", self.wrt)

    def cotangent(self, k: int) -> str:
        """The array that weighs result k."""
        return f"{self.apart('cotangent')}_{k}"

    def __call__(self, model: Model, forces: Mapping[str, Array] = {}, **arrays: Array) -> Any:
        """The derivatives at these arrays."""
        from ...compiler.passes.differentiate import Linearized

        given = self.arguments(model, arrays, forces)
        program = self.traced(model)
        weights = [arrays[self.cotangent(k)][None, :] for k in range(len(program.outputs))]
        maps = {name: self.maps(model, given, name) for name in self.wrt}
        felt = Linearized(program, given).backward(weights, [part for block in maps.values() for part in block])
        assert self.result
        return self.result(
            *(np.concatenate([felt[part][0] @ x for part, x in block.items()]) for block in maps.values())
        )
