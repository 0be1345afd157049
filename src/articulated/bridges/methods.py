"""The methods of a robot for another library: a call becomes an operation and the arrays it is called with."""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, NamedTuple

from ..errors import ArticulatedError, unexpected, unknown
from ..robot import Robot
from ..robot.quantities import QUANTITIES
from .operations import Operation

#: methods that are operations: all whose result needs no look at it
METHODS = sorted(name for name, row in QUANTITIES.items() if not row.check)
#: the name of one of them; the stub lists them
Differentiable = str


class Asked(NamedTuple):
    """A call of a method: its arrays by name, and the operation in a precision."""

    arrays: dict[str, Any]
    operation: Callable[[Any], Operation]


class Bridged:
    """A robot whose methods take the arrays of another library; a bridge says how they are evaluated."""

    robot: Robot
    _operations: dict[Any, Operation]  # of the calls so far

    def __init__(self, robot: Robot):
        if not isinstance(robot, Robot):
            raise ArticulatedError(f"{self._title} takes a Robot, as art.load returns it; got {type(robot).__name__}")
        self.robot = robot
        self._operations = {}

    def evaluated(self, method: str, asked: Asked) -> Any:
        """The result of a call."""
        raise NotImplementedError

    def _call(self, method: str, /, *arguments: Any, **options: Any) -> Any:
        return self.evaluated(method, self._asked(method, arguments, options))

    def asked(self, method: str, /, *choices: Any, forces: Iterable[str] = (), **options: Any) -> Asked:
        """A call with any arrays: `choices` follow them, forces are the names of frames."""
        if method not in METHODS:
            raise unknown("method", method, self._title, METHODS)
        acting = {"forces": dict.fromkeys(forces, "force")} if forces else {}
        return self._asked(method, [*QUANTITIES[method].arrays, *choices], {**acting, **options})

    def _asked(self, method: str, arguments: Iterable[Any], options: dict[str, Any]) -> Asked:
        row, kernels = QUANTITIES[method], self.robot.kernels
        for name in ("out", "dtype"):  # an operation makes its results, of the precision of its arrays
            if name in options:
                raise unexpected(method, name, [x for x in row.keywords if x not in ("out", "dtype")])
        call = row.call(kernels, list(arguments), options)

        def operation(dtype: Any) -> Operation:
            forces, threads = call.forces, call.options.get("threads", 1)
            asked = (*call.arrays, None, *forces, forces.written, *call.choices.items())
            key = (method, call.algorithm, asked, dtype, threads)
            if key not in self._operations:
                request = kernels.asked(call._replace(options={"dtype": dtype}))
                self._operations[key] = Operation(self.robot, request, threads)
            return self._operations[key]

        return Asked({**call.arrays, **{f"force_{k}": x for k, x in enumerate(call.forces.values())}}, operation)

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name not in METHODS:
            raise AttributeError(str(unknown("method", name, self._title, METHODS)))
        return partial(self._call, name)

    def __dir__(self) -> list[str]:
        return [*METHODS, "robot"]

    def __repr__(self) -> str:
        return f"<{self._title} {self.robot.name}>"

    def __reduce__(self) -> Any:
        return type(self), (self.robot,)

    @property
    def _title(self) -> str:
        return f"articulated.{type(self).__module__.rpartition('.')[2]}.Robot"
