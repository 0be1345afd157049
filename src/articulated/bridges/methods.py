"""The methods of a robot for another library: a call becomes an operation and the arrays it is called with."""

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from ..algebra.scalars import select
from ..contacts import Contacts
from ..contacts import quantities as contact_quantities
from ..contacts.ranks.subspaces import TOLERANCE
from ..errors import ArticulatedError, ShapeError, unexpected, unknown
from ..model import Model
from ..robot import Robot
from ..robot.quantities import QUANTITIES, Call, Quantity
from ..robot.request import Request, result_type
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

    robot: Any
    _operations: dict[Any, Operation]  # of the calls so far
    _of: Any = Robot  # what it takes
    _rows: Mapping[str, Quantity] = {name: QUANTITIES[name] for name in METHODS}

    def __init__(self, robot: Any):
        if not isinstance(robot, self._of):
            raise ArticulatedError(f"{self._title} takes a {self._of.__name__}; got {type(robot).__name__}")
        self.robot = robot
        self._operations = {}

    def evaluated(self, method: str, asked: Asked) -> Any:
        """The result of a call."""
        raise NotImplementedError

    def _call(self, method: str, /, *arguments: Any, **options: Any) -> Any:
        return self.evaluated(method, self._asked(method, arguments, options))

    def asked(self, method: str, /, *choices: Any, forces: Iterable[str] = (), **options: Any) -> Asked:
        """A call with any arrays: `choices` follow them, forces are the names of frames."""
        if method not in self._rows:
            raise unknown("method", method, self._title, self._rows)
        acting = {"forces": dict.fromkeys(forces, "force")} if forces else {}
        return self._asked(method, [*self._rows[method].arrays, *choices], {**acting, **options})

    def _asked(self, method: str, arguments: Iterable[Any], options: dict[str, Any]) -> Asked:
        row, kernels = self._rows[method], self.robot.kernels
        for name in ("out", "dtype"):  # an operation makes its results, of the precision of its arrays
            if name in options:
                raise unexpected(method, name, [x for x in row.keywords if x not in ("out", "dtype")])
        call = row.call(kernels, list(arguments), options)

        def operation(dtype: Any) -> Operation:
            forces, threads = call.forces, call.options.get("threads", 1)
            asked = (*call.arrays, None, *forces, forces.written, *call.choices.items())
            key = (method, call.algorithm, asked, dtype, threads)
            if key not in self._operations:
                request = self._request(call._replace(options={"dtype": dtype}))
                self._operations[key] = Operation(kernels, request, threads)
            return self._operations[key]

        return Asked({**call.arrays, **{f"force_{k}": x for k, x in enumerate(call.forces.values())}}, operation)

    def _request(self, call: Call) -> Request:
        return self.robot.kernels.asked(call)

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name not in self._rows:
            raise AttributeError(str(unknown("method", name, self._title, self._rows)))
        return partial(self._call, name)

    def __dir__(self) -> list[str]:
        return [*self._rows, "robot"]

    def __repr__(self) -> str:
        return f"<{self._title} of {self.robot!r}>"

    def __reduce__(self) -> Any:
        return type(self), (self.robot,)

    @property
    def _title(self) -> str:
        return f"articulated.{type(self).__module__.rpartition('.')[2]}.{type(self).__name__}"


class BridgedContacts(Bridged):
    """A set of contacts, likewise: its laws at its usual ranks, NaN where it has lost one."""

    _of = Contacts
    _rows: Mapping[str, Quantity] = {
        name: contact_quantities.QUANTITIES[name]
        for name in ("jacobian", "bias", "forward_dynamics", "inverse_dynamics")
    }

    def _request(self, call: Call) -> Request:
        kernels, row, dtype = self.robot.kernels, self._rows[call.method], np.dtype(call.options["dtype"])
        if call.method not in contact_quantities.LAWS:
            choices = {"contacts": kernels.contacts}
            return kernels.request(call.method, call.algorithm, tuple(call.arrays), choices=choices, dtype=dtype)
        usual = {name: row.arguments[name].default for name in (*call.choices, "anchors") if name in row.arguments}
        for name, x in {**call.choices, **call.arrays}.items():
            if name in usual and x != usual[name]:
                raise ShapeError(f"{self._title}.{call.method} takes no {name}")
        law = kernels.law_request(call.method, kernels.structure, tuple(call.arrays), call.forces)
        way = Law(call.algorithm, tuple(row.axes)[:2])
        ways = tuple(replace(way, law=x) for x in law.formulations)
        return replace(law, algorithm=way, formulations=ways, dtype=dtype)


@dataclass(frozen=True)
class Law:
    """A law of contacts as an algorithm with the results that have derivatives."""

    law: Callable[..., Any]
    fields: tuple[str, ...]

    @property
    def result(self) -> type:
        """A NamedTuple of them."""
        return result_type("Found", self.fields)

    def __call__(self, model: Model, **given: Any) -> Any:
        """Both, and both NaN where the ranks are others."""
        found = self.law(model, **given)
        sound = select(found.checks[-1] > TOLERANCE, 1.0, math.nan)
        return self.result(found.value * sound, found.forces * sound)
