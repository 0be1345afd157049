"""A robot in PyTorch: every method on tensors, differentiable forwards and backwards to any order, and under `vmap`.

import torch
import articulated.torch

arm = articulated.torch.Robot(art.load("panda"))
a = arm.forward_dynamics(q, v, tau)             # tensors in, tensors out; a.sum().backward()
"""

import math
from typing import Any

import numpy as np

from ..errors import ArticulatedError, MissingExtra
from .methods import Asked, Bridged
from .operations import Operation

try:
    import torch
except ModuleNotFoundError as problem:
    if problem.name != "torch":
        raise
    raise MissingExtra("articulated.torch needs PyTorch: pip install 'articulated[torch]'") from None

__all__ = ["Robot"]


class Robot(Bridged):
    """The methods of a robot on tensors on the CPU, float64 or float32, with any leading axes.

    They are called as those of the robot are, without `out=` and `dtype=`: results have the precision of the tensors.
    Derivatives by q are by its entries; a quaternion is normalised inside, so its gradient has no part along it.
    """

    _call = torch.compiler.disable(Bridged._call)  # there is nothing in machine code that could be traced

    def evaluated(self, method: str, asked: Asked) -> Any:
        """Tensors, or a NamedTuple of them."""
        tensors = _tensors(method, asked.arrays)
        operation = asked.operation(_NUMPY[tensors[0].dtype])
        return operation.result(_Evaluated.apply(operation, *tensors))


_NUMPY = {torch.float64: np.float64, torch.float32: np.float32}


def _tensors(method: str, given: dict[str, Any]) -> list[torch.Tensor]:
    """Tensors on the CPU, of one precision: the highest there is; float64 if none says."""
    tensors = {name: x if isinstance(x, torch.Tensor) else torch.as_tensor(x) for name, x in given.items()}
    for name, x in tensors.items():
        if x.device.type != "cpu":
            raise ArticulatedError(f"{method}: {name} is on {x.device}; this runs on the CPU: pass {name}.cpu()")
        if x.is_complex() or (x.is_floating_point() and x.dtype not in _NUMPY):
            raise ArticulatedError(f"{method}: {name} is {x.dtype}; tensors are float64 or float32")
    said = {x.dtype for name, x in tensors.items() if isinstance(given[name], torch.Tensor) and x.is_floating_point()}
    dtype = torch.float64 if torch.float64 in said or not said else torch.float32
    return [x.to(dtype) for x in tensors.values()]


class _Evaluated(torch.autograd.Function):
    """An operation; its derivatives are operations on the same tensors, so that they have derivatives too."""

    @staticmethod
    def forward(operation: Operation, *tensors: torch.Tensor) -> tuple[torch.Tensor, ...]:
        found = operation(*(x.detach().numpy() for x in tensors))
        return tuple(map(torch.from_numpy, found))

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple, output: Any) -> None:
        ctx.operation, *tensors = inputs
        ctx.save_for_backward(*tensors)
        ctx.save_for_forward(*tensors)

    @staticmethod
    def backward(ctx: Any, *cotangents: torch.Tensor) -> tuple[torch.Tensor | None, ...]:
        operation, given = ctx.operation, dict(zip(ctx.operation.names, ctx.saved_tensors, strict=True))
        wrt = [name for name, asked in zip(given, ctx.needs_input_grad[1:], strict=True) if asked]
        pairs = zip(cotangents, operation.shapes, strict=True)
        weights = [x.reshape(*x.shape[: x.ndim - len(shape)], math.prod(shape)) for x, shape in pairs]
        derived = operation.gradient(wrt)
        found = dict(zip(wrt, _Evaluated.apply(derived, *derived.arrays(given, weights)), strict=True))
        # a tensor that was broadcast feels every state
        return None, *(found[name].sum_to_size(x.shape) if name in found else None for name, x in given.items())

    @staticmethod
    def jvp(ctx: Any, _: None, *tangents: torch.Tensor | None) -> tuple[torch.Tensor, ...]:
        operation, given = ctx.operation, dict(zip(ctx.operation.names, ctx.saved_tensors, strict=True))
        moved = {name: x for name, x in zip(given, tangents, strict=True) if x is not None}
        derived = operation.tangent(list(moved))
        return _Evaluated.apply(derived, *derived.arrays(given, moved.values()))

    @staticmethod
    def vmap(info: Any, in_dims: tuple, operation: Operation, *tensors: torch.Tensor) -> tuple:
        mapped = in_dims[1:]
        axes = max(x.ndim - (at is not None) for x, at in zip(tensors, mapped, strict=True))
        found = _Evaluated.apply(operation, *(_first(x, at, axes) for x, at in zip(tensors, mapped, strict=True)))
        return found, (0,) * len(found)


def _first(x: torch.Tensor, at: int | None, axes: int) -> torch.Tensor:
    """With the axis `at` moved to the front and as many others behind it as the longest tensor has."""
    if at is None:
        return x
    x = x.movedim(at, 0)
    return x.reshape(x.shape[0], *[1] * (axes + 1 - x.ndim), *x.shape[1:])
