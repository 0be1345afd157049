"""Kernels that compute the derivatives of what they are asked for, for `robot.derivatives(method)` and its like."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ...algorithms.fast.formulations import formulations_of_derivatives
from ...compiler.kernel import Kernel
from ..arguments.arrays import Vector
from ..kernels import Kernels
from ..request import AS_USUAL, PARAMETERS, Algorithm, Request, Written
from .algorithms import CONFIGURATIONS, FORCES

if TYPE_CHECKING:
    from .method import OfMethod

#: bodies above which derivatives that are too long to be compiled run state by state: they grow with the square
LONG_TRACE = 24


class Differentiating(Kernels):
    """Those of one `Derivatives`, which says how a request is differentiated."""

    long_trace = LONG_TRACE

    def __init__(self, derivatives: "OfMethod", kernels: Kernels):
        super().__init__(kernels.model, _vectors(kernels), shared=kernels)
        self._derivatives = derivatives
        self.when_too_long, self.refused = derivatives.when_too_long, derivatives.refused

    def compiled(self, request: Request, kernel: Kernel) -> None:
        """A plain call goes straight to its kernel from now on."""
        self._derivatives.compiled(request, kernel)

    def request(
        self,
        method: str,
        algorithm: Algorithm,
        arrays: Sequence[str] | Mapping[str, int],
        frames: Sequence[str] = (),
        choices: Mapping[str, Any] = {},
        dtype: Any = float,
        formulations: tuple[Algorithm, ...] | None = None,
        written: Written = AS_USUAL,
    ) -> Request:
        """For the derivatives of what these ask for; among `arrays` are tangents or cotangents."""
        own = [name for name in arrays if not name.startswith(("tangent_", "cotangent_"))]
        plain = super().request(method, algorithm, own, frames, choices, dtype, formulations, written)
        return self.derived(plain, [name for name in arrays if name not in own])

    def derived(self, plain: Request, extra: Sequence[str] = ()) -> Request:
        """The request for the derivatives of what a request asks for."""
        way = self._derivatives.differentiated(plain, extra)
        sizes = {name: self._size(plain, name) for name in extra}
        ways = plain.formulations
        if ways and way.closed:
            ways = formulations_of_derivatives(plain.algorithm, self.model)
        ways = () if PARAMETERS in way.wrt else tuple(map(way.by, ways))
        return Request(
            f"{self._derivatives.title} of {plain.method}",
            way,
            (*plain.arrays, *sizes.items()),
            plain.frames,
            (),
            plain.dtype,
            ways,
        )

    def _size(self, plain: Request, name: str) -> int:
        what, _, argument = name.partition("_")
        if what == "cotangent":
            return int(np.prod(self.shapes(plain)[int(argument)], dtype=int))
        if argument == FORCES:
            return 6 * len(plain.frames)
        if argument == PARAMETERS:
            return 10 * len(self.model.bodies)
        tangent = argument in CONFIGURATIONS and self._derivatives.space == "tangent"
        return self.model.nv if tangent else dict(plain.arrays)[argument]

    def shapes(self, plain: Request) -> list[tuple[int, ...]]:
        """Shapes of the results of a request."""

        def found() -> list[tuple[int, ...]]:
            from ...compiler.passes.trace import trace

            evaluated = self._numeric(lambda **values: plain.evaluate(self.model, values))
            return [output.shape for output in trace(evaluated, plain.sizes).outputs]

        return self.once(("shapes", plain), found)


#: results of one method, at most
_MOST_RESULTS = 20


def _vectors(kernels: Kernels) -> dict[str, Vector]:
    """Those of the robot, and directions along which they change."""
    usual = dict(kernels.vectors)
    directions = {f"tangent_{name}": usual["v" if name in CONFIGURATIONS else name] for name in usual}
    directions |= {f"tangent_{FORCES}": Vector(0, "[force; moment] of each frame, in the order of forces")}
    directions |= {f"tangent_{PARAMETERS}": Vector(0, "ten per body")}
    result = Vector(0, "the entries of the result")
    return {**usual, **directions, **{f"cotangent_{k}": result for k in range(_MOST_RESULTS)}}
