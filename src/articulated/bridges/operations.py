"""A method of a robot as an operation on arrays, whose derivatives are operations too: all a framework has to know.

Derivatives are by the coordinates of q as they are: the chain rule of a framework knows arrays, not rotations.
"""

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any, TypeVar

import numpy as np

from ..algorithms.fast.formulations import formulations_of_derivatives
from ..compiler.kernel import Kernel
from ..compiler.passes.trace import Output
from ..compiler.source import Source
from ..robot.arguments.arrays import Vector
from ..robot.derivatives.algorithms import Closed, Gradient, Jacobian, Tangent
from ..robot.kernels import Kernels
from ..robot.request import AS_USUAL, Request

T = TypeVar("T")


@dataclass(frozen=True)
class Operation:
    """A request of a robot, or of its contacts, as a function of arrays (…, size) in the order of `names`."""

    kernels: Kernels
    request: Request
    threads: int = 1
    _found: dict[Any, Any] = field(
        default_factory=dict, init=False, compare=False, repr=False
    )  # its kernel, derivatives

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the arrays it takes."""
        return self._once("names", lambda: tuple(self.request.sizes))

    @property
    def shapes(self) -> tuple[tuple[int, ...], ...]:
        """Shapes of its results for one state."""
        algorithm = self.request.algorithm

        def made() -> tuple[tuple[int, ...], ...]:
            if isinstance(algorithm, Gradient):
                return tuple((algorithm.request.sizes[name],) for name in algorithm.wrt)
            if isinstance(algorithm, Tangent):
                return self.of(algorithm.request).shapes
            return tuple(output.shape for output in self.outputs)

        return self._once("shapes", made)

    @property
    def outputs(self) -> tuple[Output, ...]:
        """Results as a program gives them: which of their entries are zero whatever the arrays are."""
        return self.kernels.outputs(self.request)

    def __call__(self, *arrays: Any) -> tuple[np.ndarray, ...]:
        """Results for arrays of the precision of the request; leading axes broadcast."""
        kernel, results = self._once("to run", lambda: (self.kernel, self.results))
        found = kernel.call(*arrays) if self.threads == 1 else kernel.call(*arrays, threads=self.threads)
        return tuple(map(np.asarray, found)) if results else (np.asarray(found),)

    def of(self, request: Request) -> "Operation":
        """The operation of another request."""
        return replace(self, request=request)

    def check(self, *shapes: tuple[int, ...]) -> tuple[int, ...]:
        """The leading axes of the results for arrays of these shapes; an error if they do not fit."""
        arrays = [np.broadcast_to(self.request.dtype.type(0), shape) for shape in shapes]
        return np.broadcast_shapes(*(x.shape[:-1] for x in self.source.check(arrays, {})))

    def result(self, found: Sequence[Any]) -> Any:
        """Results as the method returns them: one, or a NamedTuple."""
        return self.results(*found) if self.results else found[0]

    @property
    def results(self) -> type | None:
        """NamedTuple of its results; None if there is one."""
        return self._once("results", lambda: self.request.result)

    def arrays(self, given: Mapping[str, Any], further: Iterable[Any]) -> list[Any]:
        """Arrays of a derivative, in order: those of the operation it differentiates, then its own."""
        others = iter(further)
        return [given[name] if name in given else next(others) for name in self.names]

    @property
    def key(self) -> str:
        """A name that says what it computes, the same in every process (but for a user's own joints)."""
        what = self.source.identity() or f"{id(self.kernels)} {self.request!r}"
        return hashlib.sha256(f"{what} {self.request.dtype} {self.threads}".encode()).hexdigest()[:32]

    def entry_point(self) -> int | None:
        """Address of its machine code for one state; None if there is none."""
        self.kernel.ready("one")
        made = self.kernel.entry_points
        return made.address("one") if made else None

    # -- derivatives --------------------------------------------------------------------------

    def gradient(self, wrt: Sequence[str]) -> "Operation":
        """Gradients, by argument, of the products with a vector (…, size) for each result."""

        def made() -> Operation:
            way = Gradient(self.request, tuple(wrt), "coordinates")
            sizes = [(way.cotangent(k), int(np.prod(shape, dtype=int))) for k, shape in enumerate(self.shapes)]
            return self._derived("gradient", way, sizes)

        return self._once(("gradient", *wrt), made)

    def backward(self, needed: tuple[bool, ...]) -> tuple["Operation", list[int]]:
        """Gradient by some of the arrays, and the order in which it takes these arrays and the vectors after them."""

        def made() -> tuple[Operation, list[int]]:
            derived = self.gradient([name for name, asked in zip(self.names, needed, strict=True) if asked])
            return derived, derived.arrays({name: k for k, name in enumerate(self.names)}, count(len(self.names)))

        return self._once(("backward", needed), made)

    def tangent(self, wrt: Sequence[str]) -> "Operation":
        """Rate of the results along a direction for each of `wrt`."""

        def made() -> Operation:
            way = Tangent(self.request, tuple(wrt), "coordinates")
            return self._derived("tangent", way, [(way.tangent(name), self.request.sizes[name]) for name in wrt])

        return self._once(("tangent", *wrt), made)

    def jacobian(self) -> "Operation":
        """Derivatives of every result by every array: of each result, one for each array."""

        def made() -> Operation:
            model, request = self.kernels.model, self.request
            # the same where there are no rotations, and known in closed form
            space = "tangent" if model.nq == model.nv else "coordinates"
            if not Closed.knows(request, self.names, space):
                return self._derived("jacobian", Jacobian(request, self.names, "coordinates"), [])
            ways = formulations_of_derivatives(request.algorithm, model) if request.formulations else ()
            whole = self.of(replace(request, formulations=ways))
            return whole._derived("jacobian", Closed(request, self.names, space), [])

        return self._once("jacobian", made)

    def _derived(self, title: str, way: Any, extra: list[tuple[str, int]]) -> "Operation":
        """External forces stay the last arrays, as they are of every request."""
        request = replace(
            self.request,
            method=f"{title} of {self.request.method}",
            algorithm=way,
            arrays=(*self.request.arrays, *extra),
            choices=(),
            written=AS_USUAL,
            formulations=tuple(map(way.by, self.request.formulations)),
        )
        return self.of(request)

    @property
    def source(self) -> Source:
        """Source of its kernel."""
        return self.kernel.source

    @property
    def kernel(self) -> Kernel:
        """Kernel that evaluates it."""

        def made() -> Kernel:
            usual = self.kernels
            others = {name: Vector(n, "derivatives") for name, n in self.request.arrays if name not in usual.vectors}
            return (usual.under("", others) if others else usual).kernel(self.request)

        return self._once("kernel", made)

    def _once(self, key: Any, make: Callable[[], T]) -> T:
        return self._found[key] if key in self._found else self._found.setdefault(key, make())
