"""Kernels that compute the derivatives of what they are asked for, for `robot.derivatives(method)` and its like."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ...algorithms.fast.formulations import CLOSED, formulations_of_derivatives
from ...compiler.closures import Composition
from ...compiler.kernel import Kernel
from ..arguments.arrays import Vector
from ..kernels import Kernels
from ..long_robots import loop_for
from ..request import PARAMETERS, Algorithm, Request
from .algorithms import CONFIGURATIONS, FORCES, Closed, Differentiated, Jacobian

if TYPE_CHECKING:
    from .method import OfMethod

#: bodies above which derivatives that are too long to be compiled run state by state: they grow with the square
LONG_TRACE = 24
#: states of a batch that columns of derivatives are computed in
STATES = 8192


class Differentiating(Kernels):
    """Kernels of one `Derivatives`, which says how a request is differentiated."""

    long_trace = LONG_TRACE

    def __init__(self, derivatives: "OfMethod", kernels: Kernels):
        super().__init__(kernels.model, _vectors(kernels), shared=kernels)
        self._derivatives = derivatives
        self.when_too_long, self.refused = derivatives.when_too_long, derivatives.refused

    def compiled(self, request: Request, kernel: Kernel) -> None:
        """A plain call goes straight to its kernel from now on."""
        self._derivatives.compiled(request, kernel)

    def request(self, method: str, algorithm: Algorithm, arrays: Any, *about: Any, **more: Any) -> Request:
        """The request of derivatives; among `arrays` are tangents or cotangents."""
        own = [name for name in arrays if not name.startswith(("tangent_", "cotangent_"))]
        plain = super().request(method, algorithm, own, *about, **more)
        return self.derived(plain, [name for name in arrays if name not in own])

    def _loop(self, request: Request, too_long: bool) -> Any:
        """A loop over bodies that computes derivatives in closed form, or what computes all columns as a batch."""
        if (over_pairs := None if too_long else self._over_pairs(request)) is not None:
            return over_pairs
        way, names = request.algorithm, [name for name, _ in request.arrays]
        if isinstance(way, Closed) and not request.frames and request.dtype == float and self.long(too_long):
            closed = CLOSED[way.request.algorithm]
            loop = self._numeric(lambda: loop_for(self.model, closed, names, {"wrt": way.wrt}))()
            if loop is not None:
                return loop
        return self._by_columns(way) if too_long and isinstance(way, (Closed, Jacobian)) else None

    def _by_columns(self, way: Differentiated) -> Composition | None:
        """Derivatives along all unit vectors as a batch of `jvp`, whose program is shorter; None if it is too long."""
        from .method import Jvp

        others = Jvp.of(self._derivatives.robot, self._derivatives.method, None, way.space).kernels
        along = others.derived(way.request, [f"tangent_{name}" for name in way.wrt])
        kernel, before = others.kernel(along), len(way.request.arrays)
        kernel.ready("batch")
        sizes = [along.sizes[f"tangent_{name}"] for name in way.wrt]
        ends, total = np.cumsum(sizes)[:-1], sum(sizes)

        def columns(*arrays: np.ndarray) -> tuple[np.ndarray, ...]:
            states = len(arrays[0])
            units = np.split(np.tile(np.eye(total, dtype=arrays[0].dtype), (states, 1)), ends, axis=1)
            repeated = [np.repeat(x, total, axis=0) for x in arrays]
            found = kernel(*repeated[:before], *units, *repeated[before:])
            several = found if isinstance(found, tuple) else (found,)
            whole = [np.moveaxis(x.reshape(states, total, *x.shape[1:]), 1, -1) for x in several]
            return tuple(block for x in whole for block in np.split(x, ends, axis=-1))

        return Composition(columns, max(1, STATES // total)) if kernel.entry_points else None

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
            return int(np.prod(self.outputs(plain)[int(argument)].shape, dtype=int))
        if argument == FORCES:
            return 6 * len(plain.frames)
        if argument == PARAMETERS:
            return 10 * len(self.model.bodies)
        tangent = argument in CONFIGURATIONS and self._derivatives.space == "tangent"
        return self.model.nv if tangent else dict(plain.arrays)[argument]


#: results of one method, at most
_MOST_RESULTS = 20


def _vectors(kernels: Kernels) -> dict[str, Vector]:
    """The arrays of the robot, and directions along which they change."""
    usual = dict(kernels.vectors)
    directions = {f"tangent_{name}": usual["v" if name in CONFIGURATIONS else name] for name in usual}
    directions |= {f"tangent_{FORCES}": Vector(0, "[force; moment] of each frame, in the order of forces")}
    directions |= {f"tangent_{PARAMETERS}": Vector(0, "ten per body")}
    result = Vector(0, "the entries of the result")
    return {**usual, **directions, **{f"cotangent_{k}": result for k in range(_MOST_RESULTS)}}
