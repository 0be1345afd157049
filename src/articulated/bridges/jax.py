"""A robot in JAX: every method under `jit`, `vmap`, `grad`, `jacfwd` and `jacrev`, to any order.

import jax
import articulated.jax

arm = articulated.jax.Robot(art.load("panda"))
jax.jit(jax.vmap(jax.jacfwd(arm.forward_dynamics)))(q, v, tau)
"""

import ctypes
import math
import re
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np

from ..compiler.emit.llvm.xla import MAJOR
from ..compiler.runtime.engine import LOCK
from ..errors import ArticulatedError, MissingExtra
from ..robot.derivatives.algorithms import Tangent
from . import runs
from .methods import Asked, Bridged, BridgedContacts
from .operations import Operation

try:
    import jax
except ModuleNotFoundError as problem:
    if problem.name not in ("jax", "jaxlib"):
        raise
    raise MissingExtra("articulated.jax needs JAX: pip install 'articulated[jax]'") from None
import jax.extend
import jax.ffi
from jax import numpy as jnp
from jax.interpreters import ad, batching, mlir

__all__ = ["Contacts", "Robot"]


class Evaluated(Bridged):
    """Methods on arrays of JAX on the CPU, float64 (with `jax_enable_x64`) or float32.

    They are called as those of the robot are, without `out=` and `dtype=`: results have the precision of the arrays.
    Derivatives by q are by its entries; a quaternion is normalized inside, so its gradient has no part along it.
    """

    def evaluated(self, method: str, asked: Asked) -> Any:
        """Arrays, or a NamedTuple of them."""
        arrays = _arrays(method, asked.arrays)
        operation = asked.operation(np.dtype(arrays[0].dtype))
        operation.check(*(x.shape for x in arrays))
        return operation.result(_evaluated.bind(*arrays, operation=operation))


class Robot(Evaluated):
    """The methods of a robot on arrays of JAX, and its runs."""

    def simulate(
        self, q0: Any, v0: Any, tau: Any, dt: float, method: str = "euler", contacts: Any = None, parameters: Any = None
    ) -> tuple[jax.Array, jax.Array]:
        """States (…, T + 1, nq) and (…, T + 1, nv) of `art.simulate` under torques (…, T, nv), with derivatives.

        Joints stop at their limits only with `contacts`, [] if there are none.  `parameters` are inertial ones in
        the place of the robot's.
        """
        given = [jnp.asarray(x, np.float64) for x in (q0, v0, tau, parameters) if x is not None]
        count = len(given)

        def run(arrays: Any) -> runs.Run:
            found = runs.Run(self.robot, dt, method, contacts)
            found.states(*map(np.asarray, arrays))
            return found

        def states(*x: Any) -> Any:
            found = run(x).found
            return np.array(found.q), np.array(found.v)

        def along(moving: list[int], *x: Any) -> Any:
            return run(x[:count]).tangents(dict(zip(moving, map(np.asarray, x[count:]), strict=True)))

        def back(moving: list[int], *x: Any) -> Any:
            found = run(x[:count]).gradients(*map(np.asarray, x[count:]))
            return tuple(_summed(found[k], x[k].shape) for k in moving)

        @jax.custom_jvp
        def called(*arrays: Any) -> Any:
            batch = np.broadcast_shapes(*(x.shape[: x.ndim - n] for x, n in zip(arrays, (1, 1, 2, 1), strict=False)))
            steps = arrays[2].shape[-2] + 1
            shapes = tuple(jax.ShapeDtypeStruct((*batch, steps, n), np.float64) for n in (self.robot.nq, self.robot.nv))
            return jax.pure_callback(states, shapes, *arrays)

        def moved(arrays: Any, moves: Any) -> Any:
            found, zero = called(*arrays), jax.custom_derivatives.SymbolicZero
            moving = [k for k, x in enumerate(moves) if not isinstance(x, zero)]
            shapes, own = (
                tuple(jax.ShapeDtypeStruct(x.shape, x.dtype) for x in xs) for xs in (found, [arrays[k] for k in moving])
            )
            return found, jax.custom_derivatives.linear_call(
                lambda at, x: jax.pure_callback(partial(along, moving), shapes, *at, *x),
                lambda at, by: jax.pure_callback(partial(back, moving), own, *at, *by),
                arrays,
                tuple(moves[k] for k in moving),
            )

        called.defjvp(moved, symbolic_zeros=True)
        return called(*given)


class Contacts(BridgedContacts, Evaluated):
    """`jacobian`, `bias`, `forward_dynamics` and `inverse_dynamics` of `art.Contacts` on arrays of JAX."""


def _arrays(method: str, given: dict[str, Any]) -> list[jax.Array]:
    """Arrays of one precision: the highest there is; JAX's own if none says."""
    arrays = {name: x if hasattr(x, "aval") else jnp.asarray(x) for name, x in given.items()}
    for name, x in arrays.items():
        if x.dtype not in (np.float64, np.float32) and not jnp.issubdtype(x.dtype, jnp.integer):
            raise ArticulatedError(f"{method}: {name} is {x.dtype}; arrays are float64 or float32")
    said = {x.dtype for x in arrays.values()} & {np.dtype(np.float64), np.dtype(np.float32)}
    dtype = max(said, key=lambda x: x.itemsize) if said else jnp.zeros(()).dtype
    return [x.astype(dtype) for x in arrays.values()]


# -- an operation as a primitive: how it is evaluated, and what each transformation makes of it ---------------

_evaluated = jax.extend.core.Primitive("articulated")
_evaluated.multiple_results = True
_ON_THE_CPU = 'this runs on the CPU: jax.default_device(jax.devices("cpu")[0])'


def _results(operation: Operation, arrays: Any) -> list[jax.ShapeDtypeStruct]:
    batch = np.broadcast_shapes(*(x.shape[:-1] for x in arrays))
    return [jax.ShapeDtypeStruct((*batch, *shape), operation.request.dtype) for shape in operation.shapes]


@_evaluated.def_abstract_eval
def _abstract(*arrays: Any, operation: Operation) -> Any:
    return [jax.core.ShapedArray(x.shape, x.dtype) for x in _results(operation, arrays)]


def _compiled(*arrays: Any, operation: Operation) -> list[jax.Array]:
    """Under `jit`, where JAX has the arrays only when the compiled program runs: XLA calls the machine code itself."""
    target, results = _target(operation), _results(operation, arrays)
    if target is None:
        return _called_back(*arrays, operation=operation)
    batch = np.broadcast_shapes(*(x.shape[:-1] for x in arrays))
    states = math.prod(batch)
    rows = [
        x.reshape(math.prod(x.shape[:-1]), x.shape[-1])  # -1 stands for nothing where there are no numbers
        if x.shape[:-1] == batch or math.prod(x.shape[:-1]) == 1
        else jnp.broadcast_to(x, (*batch, x.shape[-1])).reshape(states, x.shape[-1])
        for x in arrays
    ]
    shapes = [jax.ShapeDtypeStruct((states, math.prod(shape)), operation.request.dtype) for shape in operation.shapes]
    found = jax.ffi.ffi_call(target, shapes)(*rows)
    return [x.reshape(result.shape) for x, result in zip(found, results, strict=True)]


def _called_back(*arrays: Any, operation: Operation) -> list[jax.Array]:
    """Under `jit`, through Python."""

    def called(*given: Any) -> list[np.ndarray]:
        return list(operation(*map(np.asarray, given)))

    return jax.pure_callback(called, _results(operation, arrays), *arrays)


#: operations that XLA calls by name; their code stays where it is
_handed_over: dict[str, tuple[Operation, Any]] = {}


def _target(operation: Operation) -> str | None:
    """The name under which XLA calls the machine code of an operation; None if there is none, or threads share it.

    The name says what is computed: a program that JAX has kept on disk may find it again in another process.
    """
    version = _interface()
    if version is None or operation.threads != 1:
        return None
    name = f"articulated_{operation.key}"
    with LOCK:  # XLA keeps the address it is told first, so there must not be a second one
        if name not in _handed_over:
            code = operation.kernel.xla_handler(version)
            if code is None:
                return None
            function = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p)(code["articulated_xla"])
            jax.ffi.register_ffi_target(name, jax.ffi.pycapsule(function), platform="cpu")
            _handed_over[name] = operation, code
    return name


@cache
def _interface() -> int | None:
    """The minor version of XLA's foreign-function interface; None if it is not the one we write handlers for."""
    try:
        text = (Path(jax.ffi.include_dir()) / "xla/ffi/api/c_api.h").read_text(encoding="utf-8")
    except (AttributeError, OSError):
        return None
    found = {what: re.search(rf"#define XLA_FFI_API_{what} (\d+)", text) for what in ("MAJOR", "MINOR")}
    major, minor = found["MAJOR"], found["MINOR"]
    return int(minor[1]) if major and minor and int(major[1]) == MAJOR else None


@_evaluated.def_impl
def _at_once(*arrays: Any, operation: Operation) -> list[jax.Array]:
    for device in {device for x in arrays if isinstance(x, jax.Array) for device in x.devices()}:
        if device.platform != "cpu":
            raise ArticulatedError(f"{operation.request.method}: an array is on {device}; {_ON_THE_CPU}")
    return [jnp.asarray(x) for x in operation(*map(np.asarray, arrays))]


def _refused(*_: Any, operation: Operation) -> Any:
    raise ArticulatedError(f"{operation.request.method} is compiled for an accelerator; {_ON_THE_CPU}")


def _jvp(arrays: Any, tangents: Any, *, operation: Operation) -> Any:
    found = _evaluated.bind(*arrays, operation=operation)
    given = dict(zip(operation.names, arrays, strict=True))
    moved = {name: t for name, t in zip(given, tangents, strict=True) if type(t) is not ad.Zero}
    derived = operation.tangent(list(moved))
    return found, _evaluated.bind(*derived.arrays(given, moved.values()), operation=derived)


def _transposed(cotangents: Any, *arrays: Any, operation: Operation) -> list[Any]:
    """An operation along a direction is linear in the direction: backwards it is the gradient."""
    way = operation.request.algorithm
    assert isinstance(way, Tangent)
    plain, moving = operation.of(way.request), {way.tangent(name): name for name in way.wrt}
    taken = dict(zip(operation.names, arrays, strict=True))
    shapes = {moving[n]: x.aval.shape for n, x in taken.items() if ad.is_undefined_primal(x)}
    derived = plain.gradient(list(shapes))
    sizes = map(math.prod, plain.shapes)
    weights = [
        jnp.zeros(size, operation.request.dtype)
        if type(w) is ad.Zero
        else w.reshape(*w.shape[: w.ndim - len(shape)], size)
        for w, shape, size in zip(cotangents, plain.shapes, sizes, strict=True)
    ]
    felt = _evaluated.bind(*derived.arrays(taken, weights), operation=derived)
    found = {name: _summed(x, shape) for (name, shape), x in zip(shapes.items(), felt, strict=True)}
    return [found.get(moving.get(name, "")) for name in operation.names]


def _summed(x: Any, shape: tuple[int, ...]) -> Any:
    """Cotangent of an array that was broadcast from `shape`: the sum over all states."""
    before = x.ndim - len(shape)
    axes = [before + k for k, n in enumerate(shape) if n == 1 != x.shape[before + k]]
    return x.sum((*range(before), *axes)).reshape(shape)


def _batched(arrays: Any, axes: Any, *, operation: Operation) -> Any:
    most = max(x.ndim - (at is not None) for x, at in zip(arrays, axes, strict=True))

    def first(x: Any, at: Any) -> Any:
        if at is None:
            return x
        x = jnp.moveaxis(x, at, 0)
        return x.reshape(x.shape[0], *[1] * (most + 1 - x.ndim), *x.shape[1:])

    found = _evaluated.bind(*map(first, arrays, axes), operation=operation)
    return found, [0] * len(found)


mlir.register_lowering(_evaluated, _refused)
mlir.register_lowering(_evaluated, mlir.lower_fun(_compiled, multiple_results=True), platform="cpu")
ad.primitive_jvps[_evaluated] = _jvp
ad.primitive_transposes[_evaluated] = _transposed
batching.primitive_batchers[_evaluated] = _batched
