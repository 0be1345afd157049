"""`robot.derivatives(method)`, `robot.jvp(method)`, `robot.vjp(method)`: a method's own signature, and its derivatives.

The method itself says what it computes: it runs on a robot whose kernels differentiate what they are asked for.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ClassVar, Generic, TypeVar, Unpack

import numpy as np

from ..algebra.asked import names as asked_names
from ..algorithms.fast.formulations import formulations_of_derivatives
from ..compiler.kernel import Kernel
from ..compiler.runtime import call
from ..errors import ShapeError, unknown
from ..text import shortened
from .arguments import Vector, choose
from .differentiated import CONFIGURATIONS, FORCES, Closed, Differentiated, Gradient, Jacobian, Tangent
from .fast_methods import LOOKING, computing, noting, optional, requests, required
from .kernels import DYNAMIC, Kernels
from .options import Arguments, WithCotangents, WithTangents
from .request import AS_USUAL, PARAMETERS, Algorithm, Request, Written

SPACES = ("tangent", "coordinates")
#: bodies above which derivatives that are too long to be compiled run state by state: they grow with the square
LONG_TRACE = 24


Result = TypeVar("Result")


class OfMethod(Generic[Result]):
    """What all derivatives of a method have in common: called as the method is, they return a `Result`."""

    title: ClassVar[str] = "derivatives"
    kind: ClassVar[type[Differentiated]] = Jacobian
    takes: ClassVar[tuple[str, ...]] = ()  # keywords of its own
    when_too_long: ClassVar[str] = (
        "its program is too long to be compiled and runs through NumPy or Python, many times slower; "
        "ask for fewer arguments (wrt=), or for jvp or vjp, which are shorter"
    )
    refused: ClassVar[bool] = False  # what is too long
    by_forces: ClassVar[bool] = True  # whether forces and inertial parameters may be among the arguments

    def __init__(self, robot: Any, owner: type, method: str, wrt: tuple[str, ...] | None, space: str):
        self.robot, self.method, self.wrt, self.space = robot, method, wrt, space
        self._owner, self._function = owner, getattr(owner, method)
        self._noting = noting(owner, robot, _Differentiating(self, robot.kernels))
        self._run: Callable[..., Any] = self._general

    @classmethod
    def of(cls, robot: Any, owner: type, method: Any, wrt: Any = None, space: Any = "tangent") -> Any:
        """Those of a robot's method, made once: they keep what they have compiled."""
        known = sorted(set(computing(owner)) - set(LOOKING))
        if not isinstance(method, str) or method not in known:
            raise unknown("method with derivatives:", method, owner.__name__, known)
        if wrt is not None:
            wrt = tuple(dict.fromkeys(asked_names(f"{cls.title}: wrt", [wrt] if isinstance(wrt, str) else wrt)))
        space = choose(cls.title, "space", space, SPACES)
        if wrt == ():
            raise ShapeError(f"{cls.title} of {method}: wrt names at least one argument")
        return robot.kernels.once((cls, method, wrt, space), lambda: cls(robot, owner, method, wrt, space))

    def _general(self, *arguments: Any, **options: Any) -> Any:
        return self._function(self._noting, *arguments, **options)

    def __repr__(self) -> str:
        return f"<{self.title} of {self.method} of {self.robot.name}>"

    def __reduce__(self) -> Any:
        return type(self).of, (self.robot, self._owner, self.method, self.wrt, self.space)

    # -- what its kernels ask ------------------------------------------------------------------

    def differentiated(self, request: Request, extra: Sequence[str]) -> Differentiated:
        """The algorithm that differentiates a request; `extra` are the arrays beside those of the method."""
        names = [name for name, _ in request.arrays]
        self.check(request, self.wrt or ())
        wrt = self.wrt or tuple(name for name in names if name in required(self._function))
        closed = self.kind is Jacobian and Closed.knows(request, wrt, self.space)
        return (Closed if closed else self.kind)(request, wrt, self.space)

    def check(self, request: Request, asked: Iterable[str]) -> list[str]:
        """The arguments of a call that there are derivatives by; an error if others are asked for."""
        known = [name for name, _ in request.arrays if name != PARAMETERS]
        if self.by_forces:
            known += [*([FORCES] if request.frames else []), *([PARAMETERS] if self.method in DYNAMIC else [])]
        for name in asked:
            if name not in known:
                raise unknown("argument", name, f"{self.title} of {self.method} as it is called", known)
        return known

    def arrays(self, request: Request, own: Mapping[str, Any]) -> dict[str, Any]:
        """What it takes beside the arrays of the method."""
        return {}

    def compiled(self, request: Request, kernel: Kernel) -> None:
        """From now on a plain call goes straight to the kernel."""
        arrays = required(self._function)
        if self.takes or "frame" in arrays or "frames" in arrays:
            return
        (plain,), _ = requests(self.robot, self._owner, [self.method], float)
        if isinstance(request.algorithm, Differentiated) and request.algorithm.request == plain:
            fast = call.function(kernel.entry_points, self._general, f"{self.title}_of_{self.method}")
            self._run = fast or self._general


class Derivatives(OfMethod[Result]):
    """The derivatives of a method: called as the method is, they return a NamedTuple with an array per argument.

    Each has the axes of the method's result and one more, the last: that of the argument.
    """

    def __call__(self, *arguments: Any, **options: Unpack[Arguments]) -> Result:
        """Of the arguments and options of the method."""
        return self._run(*arguments, **options)


class Jvp(OfMethod[Result]):
    """How the result of a method changes as its arguments move along `tangents`, a dict of arrays by argument."""

    title, takes = "jvp", ("tangents",)
    kind: ClassVar[type[Differentiated]] = Tangent

    def __call__(self, *arguments: Any, **options: Unpack[WithTangents]) -> Result:
        """Of the arguments and options of the method."""
        return self._run(*arguments, **options)

    def differentiated(self, request: Request, extra: Sequence[str]) -> Differentiated:
        """By the arguments that move."""
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

    title, takes = "vjp", ("cotangents",)
    kind: ClassVar[type[Differentiated]] = Gradient

    def __call__(self, *arguments: Any, **options: Unpack[WithCotangents]) -> Result:
        """Of the arguments and options of the method."""
        return self._run(*arguments, **options)

    def arrays(self, request: Request, own: Mapping[str, Any]) -> dict[str, Any]:
        """The cotangents, one vector for each result."""
        shapes = self._noting.kernels.shapes(request)
        given = own.get("cotangents")
        many = request.result is not None
        if given is None or (many and (not isinstance(given, (tuple, list)) or len(given) != len(shapes))):
            wanted = f"{len(shapes)} arrays" if many else "an array"
            raise ShapeError(
                f"vjp of {self.method} takes cotangents=, {wanted} like its result; got {shortened(repr(given))}"
            )
        pairs = zip(given if many else [given], shapes, strict=True)
        return {f"cotangent_{k}": _flat(self.method, x, shape) for k, (x, shape) in enumerate(pairs)}


class _Differentiating(Kernels):
    """Kernels that compute the derivatives of what they are asked for."""

    long_trace = LONG_TRACE

    def __init__(self, derivatives: OfMethod, kernels: Kernels):
        super().__init__(kernels.model, _vectors(kernels), "", derivatives.compiled, self._options, kernels)
        self._derivatives, self.takes = derivatives, derivatives.takes
        self.when_too_long, self.refused = derivatives.when_too_long, derivatives.refused

    def _options(self, method: str) -> list[str]:
        return [*optional(self._derivatives._owner, self._derivatives.method), *self._derivatives.takes]

    def with_arrays(
        self, method: str, arrays: Mapping[str, Any], more: Mapping[str, Any], plain: Callable[[], Request]
    ) -> Mapping[str, Any]:
        """The arrays and, among further keywords, tangents and cotangents."""
        super().with_arrays(method, arrays, {name: x for name, x in more.items() if name not in self.takes}, plain)
        return {**arrays, **self._derivatives.arrays(plain(), more)} if self.takes else arrays

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
        own = [name for name in arrays if not name.startswith(("tangent_", "cotangent_"))]
        plain = super().request(method, algorithm, own, frames, choices, dtype, formulations, written)
        return self.derived(plain, [name for name in arrays if name not in own])

    def derived(self, plain: Request, extra: Sequence[str] = ()) -> Request:
        """The request for the derivatives of what a request asks for."""
        way = self._derivatives.differentiated(plain, extra)
        sizes = {name: self._size(plain, name) for name in extra}
        ways = self._suited(plain)
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
        """Of the results of a request."""

        def found() -> list[tuple[int, ...]]:
            from ..compiler.passes.trace import trace

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


def _flat(method: str, given: Any, shape: tuple[int, ...]) -> Any:
    """An array (…, *shape) as (…, size)."""
    if len(shape) == 1:
        return given
    try:
        x = np.asarray(given)
    except Exception as problem:  # ragged lists; something that refuses to be an array
        raise ShapeError(f"vjp of {method}: cotangents is not a rectangular array: {problem}") from None
    before = x.ndim - len(shape)
    if before < 0 or x.shape[before:] != shape:
        wanted = ", ".join(map(str, ("…", *shape)))
        raise ShapeError(f"vjp of {method}: cotangents has shape {x.shape}; the result is ({wanted})")
    return x.reshape(*x.shape[:before], int(np.prod(shape, dtype=int)))
