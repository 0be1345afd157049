"""Jacobians of functions that work joint by joint (how a step moves coordinates), compiled; on the tangent space."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ..algebra.scalars import Array, eye
from ..algorithms.configuration import configuration_rate, difference
from ..compiler.passes.differentiate import jacobian
from ..compiler.passes.simplify import folded
from ..compiler.passes.trace import trace
from ..model import Model
from ..robot import Robot
from ..robot.arguments.arrays import Vector

Floats = np.ndarray


class Blocks:
    """Values of a function of vectors, and its Jacobian: rows of the outputs, columns of the inputs, by name.

    Inputs and outputs that are called q, or begin with q_, are configurations: their columns and rows are tangents.
    Outputs are measured from their values.
    """

    def __init__(
        self, robot: Robot, name: str, function: Callable[..., Mapping[str, Array]], inputs: Mapping[str, Any],
        columns: tuple[str, ...] | None = None,
    ):  # fmt: skip
        sizes = {"q": robot.nq, "v": robot.nv, "1": 1}
        kernels = robot.kernels.under("", {k: Vector(sizes.get(kind, kind), k) for k, kind in inputs.items()})
        by = columns or tuple(k for k, kind in inputs.items() if kind != "1")

        def kernel(algorithm: Callable[..., Any], **choices: Any) -> Any:
            asked = kernels.request(name, algorithm, tuple(inputs), choices={"function": function, **choices})
            return robot.kernels.once(("blocks", name, function, algorithm), lambda: kernels.kernel(asked))

        self._kernel = lambda: kernel(_linearized, columns=by)
        self._alone = lambda: kernel(_valued)

    def values(self, *arrays: Floats) -> Any:
        """The values, without the Jacobian."""
        return _in_rows(self._alone(), arrays)

    def __call__(self, *arrays: Floats) -> tuple[Any, Floats]:
        """The values, one after the other, and the Jacobian."""
        found = _in_rows(self._kernel(), arrays)
        return found[:-1], found[-1]


def _in_rows(kernel: Any, arrays: tuple[Floats, ...]) -> list[Floats]:
    """Results of a kernel, its arrays in one row of states: the shortest way in."""
    batch = arrays[0].shape[:-1]
    found = kernel.call(*(x.reshape(-1, x.shape[-1]) for x in arrays))
    return [x.reshape(*batch, *x.shape[1:]) for x in found]


def _valued(model: Model, function: Any, **arrays: Array) -> tuple[Array, ...]:
    return tuple(function(model, **arrays).values())


def _linearized(model: Model, function: Any, columns: tuple[str, ...], **arrays: Array) -> tuple[Array, ...]:
    values = function(model, **arrays)

    def measured(**given: Array) -> Array:
        own = {name: given[name] for name in arrays}
        rows = [
            difference(model, given[f"at_{name}"], x) if name.startswith("q") else x
            for name, x in function(model, **own).items()
        ]
        return np.concatenate(rows)

    given = {**arrays, **{f"at_{name}": x for name, x in values.items() if name.startswith("q")}}
    program = folded(trace(measured, {name: len(x) for name, x in given.items()}))
    maps = {}
    for name in columns:
        if len(arrays[name]) == model.nq and name.startswith("q"):
            rates = [configuration_rate(model, arrays[name], unit) for unit in eye(model.nv)]
            maps[name] = np.stack(rates, axis=1)
        else:
            maps[name] = eye(len(arrays[name]))
    found = jacobian(program, given, maps)
    return (*values.values(), np.concatenate([found[name][0] for name in columns], axis=-1))
