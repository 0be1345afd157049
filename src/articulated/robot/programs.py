"""What a method of `Robot` asks of the compiler, and the kernels for it."""

import keyword
import re
from collections import namedtuple
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..algorithms.fast.formulations import FORMULATIONS
from ..compiler.kernel import Kernel, Source
from ..compiler.runtime.fingerprint import fingerprint
from ..errors import ArticulatedError
from .arguments import Arguments

#: the order in which a fused function takes its arrays
ORDER = ("q", "q0", "q1", "v", "dv", "a", "tau", "base_velocity", "base_acceleration")


@dataclass(frozen=True)
class Request:
    """An algorithm with its fixed choices; equal requests share a kernel."""

    function: Callable[..., Any]
    state: tuple[str, ...]  # names of the arrays
    frames: tuple[str, ...]  # where external forces act
    static: tuple[tuple[str, Any], ...]
    dtype: np.dtype

    @property
    def name(self) -> str:
        """The method that asks for it."""
        return "pose" if self.function.__name__ == "_pose_matrix" else self.function.__name__

    @property
    def arrays(self) -> tuple[str, ...]:
        """Names of all arrays, external forces last."""
        return (*self.state, *(f"force_{k}" for k in range(len(self.frames))))

    @property
    def result(self) -> type | None:
        """The NamedTuple it returns, if it does."""
        found = self.function.__annotations__.get("return")
        return found if isinstance(found, type) and issubclass(found, tuple) else None

    def evaluate(self, model: Any, arguments: Mapping[str, Any], formulation: Callable[..., Any] | None = None) -> Any:
        """Call the algorithm (or a formulation of it), with the forces put back under their names."""
        forces = {name: arguments[f"force_{k}"] for k, name in enumerate(self.frames)}
        state = {name: arguments[name] for name in self.state}
        return (formulation or self.function)(
            model, **state, **dict(self.static), **({"forces": forces} if forces else {})
        )

    def formulated(self, robot: Any, k: int, arguments: Mapping[str, Any]) -> Any:
        """The k-th formulation of the algorithm, or the last one it has, or the algorithm itself."""
        known = FORMULATIONS.get(self.function, ())
        if not known:
            return self.evaluate(robot.model, arguments)
        return self.evaluate(robot._regrouped, arguments, known[min(k, len(known) - 1)])


def kernel_of(robot: Any, wanted: Request, when_compiled: Callable[[Kernel], None]) -> Kernel:
    """The kernel of one algorithm."""
    source = Source(
        name=wanted.name,
        function=robot._numeric(lambda **arguments: wanted.evaluate(robot.model, arguments)),
        formulations=tuple(
            robot._numeric(lambda k=k, **arguments: wanted.formulated(robot, k, arguments))
            for k in range(len(FORMULATIONS.get(wanted.function, ())))
        ),
        result=wanted.result,
        identity=lambda: _identity(robot, wanted),
        remake=(_remade, (robot, wanted)),
        **_arguments(robot, wanted.name, wanted.arrays, wanted.dtype),
    )
    return Kernel(source, when_compiled)


def _remade(robot: Any, wanted: Request) -> Kernel:
    return robot._kernel(wanted)


def fused(robot: Any, wanted: Sequence[Request], names: Sequence[str], remake: tuple) -> Kernel:
    """One kernel for several algorithms: what they share is computed once."""
    if any(w.frames for w in wanted):
        raise ArticulatedError("external forces cannot be part of a compiled function")
    arrays = sorted({name for w in wanted for name in w.state}, key=ORDER.index)
    fields = [
        f"{name}_{field}" if field else name
        for name, w in zip(names, wanted, strict=True)
        for field in getattr(w.result, "_fields", [""])
    ]
    result: Any = namedtuple("Compiled", _identifiers(fields))  # type: ignore[misc]

    def gathered(found: Sequence[Any]) -> Any:
        return result(*(x for part in found for x in (part if isinstance(part, tuple) else (part,))))

    source = Source(
        name="compiled",
        function=robot._numeric(lambda **given: gathered([w.evaluate(robot.model, given) for w in wanted])),
        formulations=(robot._numeric(lambda **given: gathered([w.formulated(robot, 0, given) for w in wanted])),),
        result=result,
        identity=lambda: _identity(robot, *wanted),
        doc=f"compiled({', '.join(arrays)}, *, out=None, threads=1)\n--\n\n{', '.join(names)} of {robot.name}.",
        remake=remake,
        **_arguments(robot, " + ".join(names), arrays, wanted[0].dtype),
    )
    return Kernel(source)


def _arguments(robot: Any, method: str, names: Sequence[str], dtype: np.dtype) -> dict[str, Any]:
    """The fields of `Source` that are about what goes in."""
    sizes = {name: robot._size(name) for name in names}
    check = Arguments(method, robot.name, sizes, {name: robot._meaning(name) for name in names}, dtype)
    example = None
    if robot._long:
        example = {name: robot.neutral() if name[0] == "q" else np.zeros(size) for name, size in sizes.items()}
    return {"sizes": sizes, "check": check, "dtype": dtype, "example": example, "compiled": not robot._too_long}


def _identity(robot: Any, *wanted: Request) -> str | None:
    """All that decides what a kernel computes; None if it is not all known (symbols, a joint of the user's own)."""
    choices = [(w.function, w.state, w.frames, w.static) for w in wanted]
    return fingerprint(robot_fingerprint(robot), choices) if robot_fingerprint(robot) else None


def robot_fingerprint(robot: Any) -> str | None:
    """All that decides what the robot's algorithms compute."""
    # kept by hand: a cached_property holds a lock that a forked child would never get
    if "_fingerprint" not in vars(robot):
        model = robot.model
        parts = [(k.name, k.parent, k.joint, k.placement, k.inertia, tuple(k.frames), k.tail) for k in model.links]
        robot._fingerprint = fingerprint(parts, model.gravity)
    return robot._fingerprint


def _identifiers(names: Sequence[str]) -> list[str]:
    """The names as different field names of a NamedTuple."""
    out: list[str] = []
    for name in names:
        clean = re.sub(r"\W", "_", name).lstrip("_") or "result"
        clean = f"result_{clean}" if keyword.iskeyword(clean) or clean[0].isdigit() else clean
        copies = [clean, *(f"{clean}_{k}" for k in range(2, len(names) + 2))]
        out.append(next(c for c in copies if c not in out))
    return out
