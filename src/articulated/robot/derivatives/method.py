"""`robot.derivatives(method)`, `robot.jvp(method)`, `robot.vjp(method)`: called as the method is."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ClassVar, Generic, TypeVar

import numpy as np

from ...compiler.kernel import Kernel
from ...compiler.runtime import call
from ...errors import ShapeError, unknown
from ...inputs import labels
from ...inputs.choices import names as asked_names
from ...text import shortened
from ..arguments.arrays import choose
from ..methods import requests
from ..quantities import Call
from ..request import PARAMETERS, Request
from .algorithms import FORCES, Closed, Differentiated, Gradient, Jacobian, Tangent
from .kernels import Differentiating

SPACES = ("tangent", "coordinates")


Result = TypeVar("Result")


class OfMethod(Generic[Result]):
    """Derivatives of a method: called as the method is, they return a `Result`."""

    title: ClassVar[str] = "derivatives"
    kind: ClassVar[type[Differentiated]] = Jacobian
    takes: ClassVar[tuple[str, ...]] = ()  # keywords of its own
    too_long: ClassVar[str] = (
        "its program is too long to be compiled and runs through NumPy or Python, many times slower"
    )
    instead: ClassVar[str] = "jvp or vjp, which are shorter"
    refused: ClassVar[bool] = False  # what is too long
    by_forces: ClassVar[bool] = True  # whether forces and inertial parameters may be among the arguments

    def __init__(self, robot: Any, method: str, wrt: tuple[str, ...] | None, space: str):
        self.robot, self.method, self.wrt, self.space = robot, method, wrt, space
        self.row = robot.kernels.rows[method]
        self.kernels = Differentiating(self, robot.kernels)
        self._run: Callable[..., Any] = self._general

    @classmethod
    def of(cls, robot: Any, method: Any, wrt: Any = None, space: Any = "tangent") -> Any:
        """Derivatives of a robot's method, made once: they keep what they have compiled."""
        known = sorted(name for name, row in robot.kernels.rows.items() if not row.check)
        if not isinstance(method, str) or method not in known:
            raise unknown("method with derivatives:", method, "Robot", known)
        if wrt is not None:
            wrt = tuple(dict.fromkeys(asked_names(f"{cls.title}: wrt", [wrt] if isinstance(wrt, str) else wrt)))
        space = choose(cls.title, "space", space, SPACES)
        if wrt == ():
            raise ShapeError(f"{cls.title} of {method}: wrt names at least one argument")
        return robot.kernels.once((cls, method, wrt, space), lambda: cls(robot, method, wrt, space))

    def _general(self, *arguments: Any, **options: Any) -> Any:
        own = {name: options.pop(name) for name in self.takes if name in options}
        asked = self.row.call(self.robot.kernels, arguments, options, self.takes)
        if self.takes:
            asked = asked._replace(arrays={**asked.arrays, **self.arrays(self._plain(asked), own)})
        return self.kernels.evaluate(*asked)

    def _plain(self, asked: Call) -> Request:
        """The request that a call of the method itself would be."""
        return self.robot.kernels.asked(asked)

    def __repr__(self) -> str:
        return f"<{self.title} of {self.method} of {self.robot.name}>"

    def __reduce__(self) -> Any:
        return type(self).of, (self.robot, self.method, self.wrt, self.space)

    # -- what its kernels ask ------------------------------------------------------------------

    def differentiated(self, request: Request, extra: Sequence[str]) -> Differentiated:
        """The algorithm that differentiates a request; `extra` are the arrays beside those of the method."""
        names = [name for name, _ in request.arrays]
        self.check(request, self.wrt or ())
        wrt = self.wrt or tuple(name for name in names if name in self.row.arrays)
        closed = self.kind is Jacobian and Closed.knows(request, wrt, self.space)
        return (Closed if closed else self.kind)(request, wrt, self.space)

    def check(self, request: Request, asked: Iterable[str]) -> list[str]:
        """The arguments of a call that there are derivatives by; an error if others are asked for."""
        known = [name for name, _ in request.arrays if name != PARAMETERS]
        if self.by_forces:
            known += [*([FORCES] if request.frames else []), *([PARAMETERS] if self.row.inertial else [])]
        for name in asked:
            if name not in known:
                raise unknown("argument", name, f"{self.title} of {self.method} as it is called", known)
        return known

    @property
    def when_too_long(self) -> str:
        """Message for a program that is too long: what to ask for instead."""
        by = self.wrt or [name for name in self.row.arrays if name in self.robot.kernels.vectors]
        fewer = "fewer arguments (wrt=), or for " if len(by) > 1 and "tangents" not in self.takes else ""
        return f"{self.too_long}; ask for {fewer}{self.instead}"

    def arrays(self, request: Request, own: Mapping[str, Any]) -> dict[str, Any]:
        """Arrays beside those of the method."""
        return {}

    def compiled(self, request: Request, kernel: Kernel) -> None:
        """Send plain calls straight to the kernel from now on."""
        if "frame" in self.row.required:
            return
        (plain,), _ = requests(self.robot, [self.method])
        if isinstance(request.algorithm, Differentiated) and request.algorithm.request == plain:
            self.keep(kernel, [name for name, _ in request.arrays[len(plain.arrays) :]])

    def keep(self, kernel: Kernel, extra: Sequence[str]) -> None:
        """The kernel of a plain call, which takes arrays of its own last."""
        self._run = self._fast(kernel, self._general) or self._general

    def _fast(self, kernel: Kernel, fallback: Callable[..., Any]) -> Callable[..., Any] | None:
        return call.function(kernel.entry_points, fallback, f"{self.title}_of_{self.method}")


class Derivatives(OfMethod[Result]):
    """The derivatives of a method: called as the method is, they return a NamedTuple with an array per argument.

    Each has the axes of the method's result and one more, the last: that of the argument.
    """

    def __call__(self, *arguments: Any, **options: Any) -> Result:
        """Derivatives at the arguments of the method."""
        return self._run(*arguments, **options)


class Jvp(OfMethod[Result]):
    """Rate of the result of a method as its arguments move along `tangents`, a dict of arrays by argument."""

    title, takes, instead = "jvp", ("tangents",), "differences of the method"
    kind: ClassVar[type[Differentiated]] = Tangent

    def __init__(self, *which: Any):
        super().__init__(*which)
        self._along: dict[tuple[str, ...], Callable[..., Any]] = {}  # fast functions, by what moves

    def __call__(self, *arguments: Any, **options: Any) -> Result:
        """Derivatives at the arguments of the method, along `tangents`."""
        tangents = options.get("tangents")
        if isinstance(tangents, dict) and (fast := self._along.get(tuple(tangents))):
            given: dict[str, Any] = {**options}
            del given["tangents"]
            return fast(*arguments, *tangents.values(), **given)
        return self._general(*arguments, **options)

    def keep(self, kernel: Kernel, extra: Sequence[str]) -> None:
        """The kernel of a plain call with tangents of these arguments, in this order."""
        names = tuple(name.removeprefix("tangent_") for name in extra)

        def fallback(*given: Any, **options: Any) -> Any:
            before = len(given) - len(names)
            along = dict(zip(names, given[before:], strict=True))
            return self._general(*given[:before], tangents=along, **options)

        if fast := self._fast(kernel, fallback):
            self._along[names] = fast

    def differentiated(self, request: Request, extra: Sequence[str]) -> Differentiated:
        """The differentiated algorithm, by the arguments that move."""
        return self.kind(request, tuple(name.removeprefix("tangent_") for name in extra), self.space)

    def arrays(self, request: Request, own: Mapping[str, Any]) -> dict[str, Any]:
        """The tangents, by the names of arrays."""
        tangents = own.get("tangents")
        if not isinstance(tangents, Mapping) or not tangents:
            raise ShapeError(
                f'jvp of {self.method} takes tangents={{"{request.arrays[0][0]}": …}}; got {shortened(repr(tangents))}'
            )
        known = self.check(request, tangents)
        return {f"tangent_{name}": tangents[name] for name in known if name in tangents}


class Vjp(OfMethod[Result]):
    """The derivatives of the result of a method times `cotangents`, an array like the result: a NamedTuple."""

    title, takes, instead = "vjp", ("cotangents",), "jvp, which is shorter"
    kind: ClassVar[type[Differentiated]] = Gradient

    def __call__(self, *arguments: Any, **options: Any) -> Result:
        """Gradients at the arguments of the method, its result weighed by `cotangents`."""
        given: dict[str, Any] = {**options}
        return self._run(*arguments, given.pop("cotangents", None), **given)

    def _general(self, *arguments: Any, **options: Any) -> Any:
        *given, cotangents = arguments
        return super()._general(*given, cotangents=cotangents, **options)

    def _shapes(self, request: Request) -> list[tuple[int, ...]]:
        return [x.shape for x in self.kernels.outputs(request)]

    def keep(self, kernel: Kernel, extra: Sequence[str]) -> None:
        """The kernel of a plain call, if the result is one vector."""
        shapes = self._shapes(requests(self.robot, [self.method])[0][0])
        if [len(shape) for shape in shapes] == [1]:
            super().keep(kernel, extra)

    def arrays(self, request: Request, own: Mapping[str, Any]) -> dict[str, Any]:
        """The cotangents, one vector for each result."""
        shapes = self._shapes(request)
        given = own.get("cotangents")
        many = request.result is not None
        if given is None or (many and (not isinstance(given, (tuple, list)) or len(given) != len(shapes))):
            wanted = f"{len(shapes)} arrays" if many else "an array"
            raise ShapeError(
                f"vjp of {self.method} takes cotangents=, {wanted} like its result; got {shortened(repr(given))}"
            )
        pairs = zip(given if many else [given], shapes, strict=True)
        return {f"cotangent_{k}": _flat(self.method, x, shape) for k, (x, shape) in enumerate(pairs)}


def _flat(method: str, given: Any, shape: tuple[int, ...]) -> Any:
    """An array (…, *shape) as (…, size)."""
    if len(shape) == 1:
        return given
    given = labels.plain(f"vjp of {method}: cotangents", given, (), rows=())
    try:
        x = np.asarray(given)
    except Exception as problem:  # ragged lists; something that refuses to be an array
        raise ShapeError(f"vjp of {method}: cotangents is not a rectangular array: {problem}") from None
    before = x.ndim - len(shape)
    if before < 0 or x.shape[before:] != shape:
        wanted = ", ".join(map(str, ("…", *shape)))
        raise ShapeError(f"vjp of {method}: cotangents has shape {x.shape}; the result is ({wanted})")
    return x.reshape(*x.shape[:before], int(np.prod(shape, dtype=int)))
