"""Requests of methods to the compiler, and NamedTuples whose fields are known only when they are made."""

from collections import namedtuple
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from ..algorithms.kinematics import in_their_frames
from ..model import Model
from ..model.with_numbers import with_parameters


@cache
def result_type(title: str, fields: tuple[str, ...]) -> Any:
    """The NamedTuple called `title` with these fields; the same one for the same fields."""
    found: Any = namedtuple(title, fields)  # type: ignore[misc]

    def reduced(self: Any) -> Any:
        return _remade, (title, fields, tuple(self))

    found.__reduce__ = reduced  # type: ignore[method-assign]
    return found


class AsGiven(tuple):
    """Return type of an algorithm that gives what it was given: a State of as many arrays, or one array."""


def returning_as_given(algorithm: Callable[..., Any]) -> Callable[..., Any]:
    """Say so of an algorithm, where it is looked up."""
    algorithm.__annotations__["return"] = AsGiven
    return algorithm


def as_given(arrays: Mapping[str, Any]) -> Any:
    """Arrays by name in the form that `AsGiven` stands for."""
    kind = state_type(tuple(arrays))
    return kind(*arrays.values()) if kind else next(iter(arrays.values()))


def state_type(names: tuple[str, ...]) -> Any:
    """The type of `as_given` for these names; None for one array."""
    return result_type("State", names) if len(names) > 1 else None


def _remade(title: str, fields: tuple[str, ...], values: tuple[Any, ...]) -> Any:
    return result_type(title, fields)(*values)


Algorithm = Callable[..., Any]


#: the array of inertial parameters that a method of dynamics takes in the place of the robot's own
PARAMETERS = "parameters"


class Written(NamedTuple):
    """Notation of external forces: their axes, and on what they act (as it feels them)."""

    axes: str = "frame"  # as `axes=` of a frame quantity
    on: str = "robot"  # or "environment": what the robot exerts, the opposite


AS_USUAL = Written()


@dataclass(frozen=True)
class Request:
    """`algorithm(model, **arrays, **choices, forces=…)`; equal requests share a kernel."""

    method: str  # what the user called: it stands in messages, and its fast function is kept under this name
    algorithm: Algorithm
    arrays: tuple[tuple[str, int], ...]  # name and size of each
    frames: tuple[str, ...]  # where external forces act
    choices: tuple[tuple[str, Any], ...]
    dtype: np.dtype
    #: the same on the regrouped model in fewer operations (algorithms/fast): the algorithm decides what they are
    formulations: tuple[Algorithm, ...] = field(default=(), compare=False)
    written: Written = AS_USUAL

    @property
    def sizes(self) -> dict[str, int]:
        """Sizes of all arrays, external forces last."""
        return {**dict(self.arrays), **{f"force_{k}": 6 for k in range(len(self.frames))}}

    @property
    def titles(self) -> dict[str, str]:
        """Titles in messages of arrays that are not called by their names."""
        found = {f"force_{k}": f"the force at {frame!r}" for k, frame in enumerate(self.frames)}
        for name, _ in self.arrays:
            kind, _, which = name.partition("_")
            if kind in ("tangent", "cotangent"):
                found[name] = f'tangents["{which}"]' if kind == "tangent" else "cotangents"
        return found

    @property
    def result(self) -> type | None:
        """The NamedTuple it returns, if it does."""
        if hasattr(self.algorithm, "result"):  # a derivative
            return self.algorithm.result
        found = self.algorithm.__annotations__.get("return")
        if isinstance(found, str):  # of a module with annotations as they are written
            found = getattr(self.algorithm, "__globals__", {}).get(found)
        if found is AsGiven:
            return state_type(tuple(dict(self.arrays)))
        return found if isinstance(found, type) and issubclass(found, tuple) else None

    @property
    def identity(self) -> tuple[Any, ...]:
        """Everything that decides which numbers are computed for a given robot."""
        return getattr(self.algorithm, "identity", self.algorithm), self.arrays, self.frames, self.choices, self.written

    def evaluate(self, model: Model, values: Mapping[str, Any], formulation: Algorithm | None = None) -> Any:
        """The algorithm, or a formulation of it, with the forces put back under the names of their frames."""
        arrays = {name: values[name] for name, _ in self.arrays}
        if PARAMETERS in arrays and not hasattr(self.algorithm, "identity"):  # a derivative is also by these
            model = with_parameters(model, arrays.pop(PARAMETERS))
        forces = {name: values[f"force_{k}"] for k, name in enumerate(self.frames)}
        if self.written.axes != "frame":
            forces = dict(in_their_frames(model, values["q"], forces, self.written.axes))
        if self.written.on == "environment":
            forces = {name: -force for name, force in forces.items()}
        outside = {"forces": forces} if forces else {}
        return (formulation or self.algorithm)(model, **arrays, **dict(self.choices), **outside)
