"""How a method of `Robot` becomes numbers: the kernel for what was asked, found or made, and a short way to it."""

import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from ..algorithms.fast.regrouping import regrouped
from ..compiler.abi import FORMS
from ..compiler.kernel import Kernel
from ..compiler.runtime import call
from ..errors import unknown
from .arguments import precision
from .programs import Request, fused, kernel_of


class Evaluated:
    """The part of `Robot` that turns an algorithm and arrays into arrays."""

    model: Any

    def __init__(self) -> None:
        self._kernels: dict[Any, Kernel] = {}
        self._frame_tables: dict[str, dict[str, Any]] = {}

    def compile(self, *methods: str | tuple, dtype: Any = float) -> Callable[..., Any]:
        """One function for several methods, which computes what they share once.

        A method is given by its name, or as a tuple of its name and what follows the arrays (a dict for keywords):
        `f = robot.compile("mass_matrix", "bias_forces", ("jacobian", "hand", {"axes": "frame"}))`.
        `f(q, v)` returns a NamedTuple with the fields mass_matrix, bias_forces, jacobian_hand_frame; it takes the
        arrays its methods take, in the order q, v, a, tau, and `out=` such a tuple.  The function for one state is
        compiled at once, the one for batches by the first call with a batch.
        """
        kernel = compiled(self, methods, dtype)
        kernel.ready("one")
        return kernel.call if kernel.entry_points else kernel

    def warm(self, *methods: str | tuple, dtype: Any = float) -> None:
        """Compile methods ahead of their first call, for one state and for batches; named as in `compile`."""
        for method in methods:
            self._kernel(_asked(self, method, dtype)[0]).ready(*FORMS)

    def c_source(self, method: str | tuple, name: str = "") -> str:
        """A method as a standalone C99 file with a loop over a batch, for a controller; named as in `compile`."""
        from ..compiler import pipeline
        from ..compiler.emit import c

        wanted, title = _asked(self, method, float)
        return c.source(pipeline.program(self._kernel(wanted).source), name or re.sub(r"\W", "_", title))

    def _call(
        self,
        function: Callable[..., Any],
        state: Mapping[str, Any],
        forces: Mapping[str, Any] | None = None,
        static: Mapping[str, Any] = {},
        out: Any = None,
        dtype: Any = float,
        threads: int = 1,
    ) -> Any:
        """Evaluate an algorithm on arrays: find or make its kernel, call it."""
        forces = forces or {}
        key = (function, tuple(state), tuple(forces), tuple(static.items()), dtype)
        kernel = self._kernels.get(key)
        if kernel is None:
            frames = tuple(self.model.frame(name).name for name in forces)
            kernel = self._kernels[key] = self._kernel(_request(function, tuple(state), frames, static, dtype))
        options = {} if out is None else {"out": out}
        if threads != 1:
            options["threads"] = threads
        return kernel.call(*state.values(), *forces.values(), **options)

    @property
    def _regrouped(self) -> Any:
        """The model the shorter formulations run on."""
        # kept by hand: a cached_property holds a lock that a forked child would never get
        if "_regrouped_model" not in vars(self):
            self._regrouped_model = regrouped(self.model)
        return self._regrouped_model

    def _kernel(self, wanted: Request) -> Kernel:
        found = self._kernels.get(wanted)
        return found or self._kernels.setdefault(wanted, kernel_of(self, wanted, partial(_shorten, self, wanted)))


def _request(function: Callable, state: tuple, frames: tuple, static: Mapping, dtype: Any) -> Request:
    return Request(function, state, frames, tuple(static.items()), precision(function.__name__, dtype))


# -- a method's own function ------------------------------------------------------------


def _shorten(robot: Evaluated, wanted: Request, kernel: Kernel) -> None:
    """Give the robot the kernel itself in place of the method that looks it up, if this was a plain call of it.

    The class keeps the method, and the function returns to it for anything out of the ordinary.
    """
    method = getattr(_robot_class(robot), wanted.name, None)
    if method is None or getattr(type(robot), wanted.name) is not method or not _is_plain(wanted, method):
        return
    fallback, doc = method.__get__(robot), f"{wanted.name}{_signature(method)}\n--\n\n{inspect.getdoc(method)}"
    frame = dict(wanted.static).get("frame")
    if frame is None:
        short = call.function(kernel.entry_points, fallback, wanted.name, doc)
    else:
        table = robot._frame_tables.setdefault(wanted.name, {})
        short = call.function_by_frame(table, frame, kernel.entry_points, fallback, wanted.name, doc)
    if short:
        vars(robot).setdefault(wanted.name, short)


def _is_plain(wanted: Request, method: Callable) -> bool:
    """Whether the method with just its arrays (and frame) asks for exactly this."""
    parameters = inspect.signature(method).parameters
    static = dict(wanted.static)
    expected = [*wanted.state, *(["frame"] if static.pop("frame", None) is not None else [])]
    usual = all(parameters[name].default == value for name, value in static.items() if name in parameters)
    return usual and expected == _required(method) and not wanted.frames and wanted.dtype == float


def _required(method: Callable) -> list[str]:
    parameters = list(inspect.signature(method).parameters.values())[1:]
    return [p.name for p in parameters if p.default is p.empty and p.kind is p.POSITIONAL_OR_KEYWORD]


def _signature(method: Callable) -> inspect.Signature:
    """Without types and `self`: what the `__text_signature__` of a builtin may hold."""
    signature = inspect.signature(method)
    parameters = [p.replace(annotation=p.empty) for p in list(signature.parameters.values())[1:]]
    return signature.replace(parameters=parameters, return_annotation=signature.empty)


def _robot_class(robot: Evaluated) -> type:
    return next(c for c in reversed(type(robot).__mro__) if c is not Evaluated and issubclass(c, Evaluated))


# -- methods by name --------------------------------------------------------------------


def compiled(robot: Evaluated, methods: Sequence[str | tuple], dtype: Any) -> Kernel:
    """The kernel of several methods together."""
    if not methods:
        raise TypeError("compile needs at least one method")
    wanted, names = zip(*(_asked(robot, method, dtype) for method in methods), strict=True)
    return fused(robot, wanted, names, (compiled, (robot, methods, dtype)))


def _asked(robot: Evaluated, method: str | tuple, dtype: Any) -> tuple[Request, str]:
    """What a method would evaluate, learnt from the method itself, and a name for it."""
    name, *rest = (method,) if isinstance(method, str) else method
    kind = _robot_class(robot)
    known = [n for n, m in vars(kind).items() if inspect.isfunction(m) and "options" in inspect.signature(m).parameters]
    if name not in known:
        raise unknown("method to compile:", name, kind.__name__, sorted(known))
    keywords = rest.pop() if rest and isinstance(rest[-1], Mapping) else {}

    class Listener(kind):  # type: ignore[valid-type, misc]
        def _call(
            self, function: Callable, state: Any, forces: Any = None, static: Any = {}, dtype: Any = float
        ) -> Any:
            return _request(function, tuple(state), tuple(forces or ()), static, dtype)

    function = getattr(Listener, name)
    arrays = [array for array in _required(function) if array != "frame"]
    wanted = function(Listener(robot.model), *arrays, *rest, dtype=dtype, **keywords)
    return wanted, "_".join([name, *map(str, rest), *(x for x in keywords.values() if isinstance(x, str))])
