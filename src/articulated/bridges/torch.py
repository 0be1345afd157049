"""A robot in PyTorch: every method on tensors, differentiable forwards and backwards to any order, and under `vmap`.

import torch
import articulated.torch

arm = articulated.torch.Robot(art.load("panda"))
a = arm.forward_dynamics(q, v, tau)             # tensors in, tensors out; a.sum().backward()
"""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..errors import ArticulatedError, MissingExtra
from . import runs
from .methods import Asked, Bridged, BridgedContacts
from .operations import Operation

try:
    import torch
    from torch.autograd import forward_ad
except ModuleNotFoundError as problem:
    if problem.name != "torch":
        raise
    raise MissingExtra("articulated.torch needs PyTorch: pip install 'articulated[torch]'") from None

__all__ = ["Contacts", "Robot"]


class Evaluated(Bridged):
    """Methods on tensors on the CPU, float64 or float32, with any leading axes.

    They are called as those of the robot are, without `out=` and `dtype=`: results have the precision of the tensors.
    Derivatives by q are by its entries; a quaternion is normalized inside, so its gradient has no part along it.
    """

    def _call(self, method: str, /, *arguments: Any, **options: Any) -> Any:
        if not torch.compiler.is_compiling():
            return self._eagerly(method, arguments, options)
        if self._differentiating():
            return self._outside(method, *arguments, **options)
        # in machine code there is nothing to trace: what is asked for is found out once, and the rest is an operator
        tensors: list[torch.Tensor] = []
        places = tuple([_placed(x, tensors) for x in arguments])
        named = tuple([(name, _placed(x, tensors)) for name, x in options.items()])
        names, order, keys = self._planned(method, places, named)
        given = _tensors(method, {name: tensors[k] for name, k in zip(names, order, strict=True)})
        found = _operator(keys[given[0].dtype == torch.float64], given)
        return _results[keys[0]](*found) if keys[0] in _results else found[0]

    def _eagerly(self, method: str, arguments: tuple, options: dict[str, Any]) -> Any:
        """The result of a call; one of plain tensors of one precision finds its operation by the method's name."""
        plain = {x.dtype if isinstance(x, torch.Tensor) and x.is_cpu else None for x in arguments}
        if options or len(plain) != 1 or not plain <= _NUMPY.keys():
            return super()._call(method, *arguments, **options)
        key = (method, len(arguments), *plain)
        operation = self._operations.get(key)
        if operation is None:
            operation = self._operations[key] = self._asked(method, arguments, {}).operation(_NUMPY[plain.pop()])
        return operation.result(_evaluated(operation, *arguments))

    @torch.compiler.disable
    def _outside(self, method: str, /, *arguments: Any, **options: Any) -> Any:
        return super()._call(method, *arguments, **options)

    @torch.compiler.assume_constant_result
    def _differentiating(self) -> bool:
        """True if `torch.func` differentiates what is being compiled: it does not know how to, through an operator."""
        try:
            from torch._functorch.pyfunctorch import retrieve_all_functorch_interpreters
        except ImportError:
            return False
        return any(level.key().name != "Vmap" for level in retrieve_all_functorch_interpreters())

    @torch.compiler.assume_constant_result
    def _planned(self, method: str, places: tuple, named: tuple) -> tuple[Any, ...]:
        """Names of the arrays of a call, the place of each, and the operation in both precisions."""
        options = {name: dict(x[1:]) if isinstance(x, tuple) and x[:1] == (_MAPPING,) else x for name, x in named}
        asked = self._asked(method, places, options)
        operations = [asked.operation(dtype) for dtype in (np.float32, np.float64)]
        order = tuple(int(place.removeprefix(_PLACE)) for place in asked.arrays.values())
        keys = tuple(map(_known, operations))
        if named_tuple := operations[0].request.result:
            _results[keys[0]] = named_tuple
        return tuple(asked.arrays), order, keys

    def evaluated(self, method: str, asked: Asked) -> Any:
        """Tensors, or a NamedTuple of them."""
        tensors = _tensors(method, asked.arrays)
        operation = asked.operation(_NUMPY[tensors[0].dtype])
        return operation.result(_evaluated(operation, *tensors))


class Robot(Evaluated):
    """The methods of a robot on tensors, and its runs."""

    def simulate(
        self, q0: Any, v0: Any, tau: Any, dt: float, method: str = "euler", contacts: Any = None, parameters: Any = None
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """States (…, T + 1, nq) and (…, T + 1, nv) of `art.simulate` under torques (…, T, nv), with derivatives.

        Joints stop at their limits only with `contacts`, [] if there are none.  `parameters` are inertial ones in
        the place of the robot's.
        """
        given = (q0, v0, tau) if parameters is None else (q0, v0, tau, parameters)
        run = runs.Run(self.robot, dt, method, contacts)
        return _Run.apply(run, *(torch.as_tensor(x, dtype=torch.float64) for x in given))


class Contacts(BridgedContacts, Evaluated):
    """`jacobian`, `bias`, `forward_dynamics` and `inverse_dynamics` of `art.Contacts` on tensors."""


class _Run(torch.autograd.Function):
    """A run; backwards it is the adjoint sweep."""

    @staticmethod
    def forward(ctx: Any, run: runs.Run, *given: torch.Tensor) -> Any:
        ctx.run, ctx.given = run, given
        found = run.states(*(x.detach().numpy() for x in given))
        return torch.tensor(found.q), torch.tensor(found.v)

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx: Any, *by: torch.Tensor) -> tuple[torch.Tensor | None, ...]:
        found = map(torch.from_numpy, ctx.run.gradients(*(x.numpy() for x in by)))
        return None, *[_felt_by(x, felt) for x, felt in zip(ctx.given, found, strict=True)]

    @staticmethod
    def jvp(ctx: Any, _: None, *moves: torch.Tensor | None) -> Any:
        found = ctx.run.tangents({k: move.numpy() for k, move in enumerate(moves) if move is not None})
        return tuple(map(torch.from_numpy, found))


_NUMPY = {torch.float64: np.float64, torch.float32: np.float32}


def _tensors(method: str, given: dict[str, Any]) -> list[torch.Tensor]:
    """Tensors on the CPU, of one precision: the highest there is; float64 if none says."""
    tensors = {name: x if isinstance(x, torch.Tensor) else torch.as_tensor(np.asarray(x)) for name, x in given.items()}
    for name, x in tensors.items():
        if x.device.type != "cpu":
            raise ArticulatedError(f"{method}: {name} is on {x.device}; this runs on the CPU: pass {name}.cpu()")
        if x.is_complex() or (x.is_floating_point() and x.dtype not in _NUMPY):
            raise ArticulatedError(f"{method}: {name} is {x.dtype}; tensors are float64 or float32")
    said = {x.dtype for name, x in tensors.items() if isinstance(given[name], torch.Tensor) and x.is_floating_point()}
    dtype = torch.float64 if torch.float64 in said or not said else torch.float32
    return [x.to(dtype) for x in tensors.values()]


# -- eagerly: a function of autograd ---------------------------------------------------------


def _evaluated(operation: Operation, *tensors: torch.Tensor) -> tuple[torch.Tensor, ...]:
    """Results of an operation; as a function of autograd where something may be differentiated.

    One that `torch.func` understands takes three times as long to call.
    """
    if torch._C._are_functorch_transforms_active():
        return _Transformed.apply(operation, *tensors)
    if torch.is_grad_enabled() or forward_ad._current_level >= 0:
        return _Eager.apply(operation, *tensors)
    return _numbers(operation, tensors)


def _numbers(operation: Operation, tensors: Sequence[torch.Tensor]) -> tuple[torch.Tensor, ...]:
    return tuple(map(torch.from_numpy, operation(*[x.detach().numpy() for x in tensors])))


class _Eager(torch.autograd.Function):
    """An operation; its derivatives are operations on the same tensors, so that they have derivatives too."""

    @staticmethod
    def forward(ctx: Any, operation: Operation, *tensors: torch.Tensor) -> tuple[torch.Tensor, ...]:
        ctx.operation = operation
        ctx.save_for_backward(*tensors)
        ctx.save_for_forward(*tensors)
        return _numbers(operation, tensors)

    @staticmethod
    def backward(ctx: Any, *cotangents: torch.Tensor) -> tuple[torch.Tensor | None, ...]:
        saved, needed = ctx.saved_tensors, ctx.needs_input_grad[1:]
        # contiguous, as the shortest way through the kernel wants them: those of a sum are one number, repeated
        pairs = zip(cotangents, ctx.operation.shapes, strict=True)
        given = (*saved, *[x.contiguous() if len(shape) == 1 else _flat(x, shape) for x, shape in pairs])
        derived, order = ctx.operation.backward(needed)
        found = iter(_evaluated(derived, *[given[k] for k in order]))
        return None, *[_felt_by(x, next(found)) if asked else None for x, asked in zip(saved, needed, strict=True)]

    @staticmethod
    def jvp(ctx: Any, _: None, *tangents: torch.Tensor | None) -> tuple[torch.Tensor, ...]:
        operation, given = ctx.operation, dict(zip(ctx.operation.names, ctx.saved_tensors, strict=True))
        moved = {name: x for name, x in zip(given, tangents, strict=True) if x is not None}
        derived = operation.tangent(list(moved))
        return _evaluated(derived, *derived.arrays(given, moved.values()))


class _Transformed(_Eager):
    """The same for `torch.func`, which may be called by the compiler: what it calls is not compiled."""

    backward = staticmethod(torch.compiler.disable(_Eager.backward))
    jvp = staticmethod(torch.compiler.disable(_Eager.jvp))

    @staticmethod
    def forward(  # type: ignore[override]
        operation: Operation, *tensors: torch.Tensor
    ) -> tuple[torch.Tensor, ...]:
        return _numbers(operation, tensors)

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple, output: Any) -> None:
        ctx.operation, *tensors = inputs
        ctx.save_for_backward(*tensors)
        ctx.save_for_forward(*tensors)

    @staticmethod
    @torch.compiler.disable
    def vmap(info: Any, in_dims: tuple, operation: Operation, *tensors: torch.Tensor) -> tuple:
        found = _evaluated(operation, *_mapped(tensors, in_dims[1:]))
        return found, (0,) * len(found)


def _flat(x: torch.Tensor, shape: Sequence[int]) -> torch.Tensor:
    """A result of this shape as a vector, for each state."""
    return x.reshape(*x.shape[: x.ndim - len(shape)], math.prod(shape))


def _felt_by(x: torch.Tensor, gradient: torch.Tensor) -> torch.Tensor:
    """The gradient by a tensor: one that was broadcast feels every state."""
    return gradient if gradient.shape == x.shape else gradient.sum_to_size(x.shape)


def _mapped(tensors: Sequence[torch.Tensor], at: Sequence[int | None]) -> list[torch.Tensor]:
    """Tensors with what `vmap` maps as their first axis."""
    axes = max(x.ndim - (k is not None) for x, k in zip(tensors, at, strict=True))
    return [_first(x, k, axes) for x, k in zip(tensors, at, strict=True)]


def _first(x: torch.Tensor, at: int | None, axes: int) -> torch.Tensor:
    """The tensor with the axis `at` moved to the front and as many others behind it as the longest tensor has."""
    if at is None:
        return x
    x = x.movedim(at, 0)
    return x.reshape(x.shape[0], *[1] * (axes + 1 - x.ndim), *x.shape[1:])


# -- under torch.compile: an operator, opaque to the compiler ---------------------------------

#: operations by the key that an operator takes
_operations: dict[str, Operation] = {}
#: what methods with several results return, by the key of the operation in single precision
_results: dict[str, type] = {}
#: how a tensor and a mapping are written where only constants may stand
_PLACE, _MAPPING = "tensor ", "mapping of"


def _known(operation: Operation) -> str:
    key = operation.key
    _operations.setdefault(key, operation)
    return key


def _placed(x: Any, tensors: list[torch.Tensor]) -> Any:
    """A constant in the place of a tensor, which is appended to `tensors`."""
    if isinstance(x, dict):
        return (_MAPPING, *[(name, _placed(value, tensors)) for name, value in x.items()])
    if isinstance(x, np.ndarray):
        x = torch.as_tensor(x)
    if not isinstance(x, torch.Tensor):
        return x
    tensors.append(x)
    return f"{_PLACE}{len(tensors) - 1}"


@torch.library.custom_op("articulated::evaluated", mutates_args=())
def _operator(key: str, tensors: list[torch.Tensor]) -> list[torch.Tensor]:
    return list(_numbers(_operations[key], tensors))


@_operator.register_fake
def _(key: str, tensors: list[torch.Tensor]) -> list[torch.Tensor]:
    batch = torch.broadcast_shapes(*(x.shape[:-1] for x in tensors))
    return [tensors[0].new_empty((*batch, *shape)) for shape in _operations[key].shapes]


def _keep(ctx: Any, inputs: tuple, output: Any) -> None:
    ctx.key, tensors = inputs
    ctx.save_for_backward(*tensors)


def _felt(ctx: Any, cotangents: list[torch.Tensor | None]) -> tuple[None, list[torch.Tensor | None]]:
    operation, saved, needed = _operations[ctx.key], ctx.saved_tensors, tuple(ctx.needs_input_grad[1])
    batch = torch.broadcast_shapes(*(x.shape[:-1] for x in saved))
    pairs = zip(cotangents, operation.shapes, strict=True)
    zeros = saved[0].new_zeros
    given = (*saved, *[_flat(zeros((*batch, *shape)) if x is None else x, shape) for x, shape in pairs])
    derived, order = operation.backward(needed)
    found = iter(_operator(_known(derived), [given[k] for k in order]))
    return None, [_felt_by(x, next(found)) if asked else None for x, asked in zip(saved, needed, strict=True)]


_operator.register_autograd(_felt, setup_context=_keep)


@_operator.register_vmap
def _(info: Any, in_dims: tuple, key: str, tensors: list[torch.Tensor]) -> tuple[list[torch.Tensor], list[int]]:
    found = _operator(key, _mapped(tensors, in_dims[1]))
    return found, [0] * len(found)
