"""A method's own fast function, and methods by name: what `Robot` knows about the kernels behind its methods."""

import inspect
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

from ..compiler.kernel import Kernel
from ..compiler.runtime import call
from ..errors import WrongKind, unknown
from .kernels import Kernels
from .request import AS_USUAL, Request, Written

# -- a function in place of a method --------------------------------------------------------

#: methods that look at what they have computed: a kernel in their place would not
LOOKING = ("operational_space",)


class FastMethods:
    """The fast functions of one robot, by the name of the method they stand for.

    A method of the class looks its kernel up; its fast function is the kernel, kept in the robot under the method's
    name, and returns to the method for anything out of the ordinary.
    """

    def __init__(self, robot: Any, kind: type):
        self._robot, self._kind = robot, kind
        self._frames: dict[str, dict[str, Any]] = {}

    def keep(self, request: Request, kernel: Kernel) -> None:
        """Put the kernel in the place of the method, if a plain call of the method asks for exactly this."""
        name, frame = request.method, dict(request.choices).get("frame")
        if name in LOOKING:
            return
        method = getattr(self._kind, name)
        plain, _ = _requested(self._robot, self._kind, (name, frame) if frame else name, float)
        if request != plain or getattr(type(self._robot), name) is not method:
            return
        fallback, doc = method.__get__(self._robot), f"{name}{_signature(method)}\n--\n\n{inspect.getdoc(method)}"
        if frame is None:
            fast = call.function(kernel.entry_points, fallback, name, doc)
        else:
            by_frame = self._frames.setdefault(name, {})
            fast = call.function_by_frame(by_frame, frame, kernel.entry_points, fallback, name, doc)
        if fast:
            vars(self._robot).setdefault(name, fast)


def required(method: Callable[..., Any]) -> list[str]:
    """Names of the parameters without a default, `self` not among them."""
    parameters = list(inspect.signature(method).parameters.values())[1:]
    return [p.name for p in parameters if p.default is p.empty and p.kind is p.POSITIONAL_OR_KEYWORD]


def optional(kind: type, method: str) -> list[str]:
    """Names of the parameters of a method that have a default."""
    found = getattr(kind, method, None)
    parameters = inspect.signature(found).parameters.values() if found else ()
    return [p.name for p in parameters if p.default is not p.empty]


def _signature(method: Callable[..., Any]) -> inspect.Signature:
    """Without types and `self`: what the `__text_signature__` of a builtin may hold."""
    signature = inspect.signature(method)
    parameters = [p.replace(annotation=p.empty) for p in list(signature.parameters.values())[1:]]
    return signature.replace(parameters=parameters, return_annotation=signature.empty)


# -- methods by name --------------------------------------------------------------------------


class _Recorder(Kernels):
    """Notes what a method asks for instead of computing it."""

    def __init__(self, kernels: Kernels):
        super().__init__(kernels.model, kernels.vectors, shared=kernels)

    def evaluate(  # type: ignore[override]
        self,
        method: str,
        algorithm: Callable[..., Any],
        arrays: Mapping[str, Any],
        forces: Any = None,
        choices: Mapping[str, Any] = {},
        dtype: Any = float,
        written: Written = AS_USUAL,
        parameters: Any = None,
    ) -> Request:
        if parameters is not None:
            arrays = self.with_parameters(method, arrays, parameters)
        return self.request(method, algorithm, tuple(arrays), tuple(forces or ()), choices, dtype, written=written)


def requests(robot: Any, kind: type, methods: Sequence[str | tuple], dtype: Any) -> tuple[list[Request], list[str]]:
    """What methods of `kind` would ask for, and a name for each; see `Robot.compile` for how they are given."""
    pairs = [_requested(robot, kind, method, dtype) for method in methods]
    return [request for request, _ in pairs], [name for _, name in pairs]


@cache
def computing(kind: type) -> tuple[str, ...]:
    """The methods of `kind` that kernels evaluate."""
    functions = {name: x for name, x in vars(kind).items() if inspect.isfunction(x)}
    return tuple(name for name, x in functions.items() if "options" in inspect.signature(x).parameters)


def noting(kind: type, robot: Any, kernels: Kernels) -> Any:
    """The same robot on other kernels, to run methods on that only take notes."""
    other: Any = object.__new__(kind)
    other.model, other.kernels = robot.model, kernels
    return other


def _requested(robot: Any, kind: type, method: str | tuple, dtype: Any) -> tuple[Request, str]:
    name, *rest = method if isinstance(method, (tuple, list)) and method else (method,)
    known = computing(kind)
    if not isinstance(name, str) or name not in known:
        raise unknown("method to compile:", name, kind.__name__, sorted(known))
    if isinstance(method, list) and any(isinstance(other, str) and other in known for other in rest):
        raise WrongKind(f"methods are given one by one: {', '.join(repr(x) for x in method)}, without brackets")
    keywords = rest.pop() if rest and isinstance(rest[-1], Mapping) else {}
    function = getattr(kind, name)
    # the method itself says what it asks for: it runs on a robot whose kernels only take notes
    arrays = [array for array in required(function) if array != "frame"]
    asked = function(noting(kind, robot, _Recorder(robot.kernels)), *arrays, *rest, dtype=dtype, **keywords)
    return asked, "_".join([name, *map(str, rest), *(x for x in keywords.values() if isinstance(x, str))])
