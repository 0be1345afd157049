"""The one seam between a method and its code: from an algorithm, its arrays and its fixed choices to a callable.

A robot, a contact set and a control law hold a `Kernels` each; those of one robot share what was made.
"""

import keyword
import math
import re
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

import numpy as np

from ..algorithms.by_rows.one_axis import row_states
from ..algorithms.fast.formulations import FORMULATIONS, suited, suited_derivatives
from ..algorithms.fast.regrouping import regrouped
from ..algorithms.forward_dynamics import massless_joints
from ..algorithms.regressor import parameters
from ..compiler.closures import Composition
from ..compiler.kernel import Kernel, Source
from ..compiler.passes.loops import Routine
from ..compiler.passes.trace import Output
from ..compiler.runtime.fingerprint import fingerprint
from ..errors import ArticulatedError, SingularModelError
from ..model import Model
from ..model import build as build_model
from .arguments.arrays import Arguments, Vector, precision, remark_on_degrees
from .arguments.forces import NO_FORCES, Wrenches
from .long_robots import loop_for
from .numeric import numeric, random_configuration
from .pair_loops import closure_of
from .quantities import Call, Quantity
from .request import AS_USUAL, PARAMETERS, Algorithm, Request, Written, result_type

#: above this many bodies recursions are loops over them; what has no such loop, and is too long to be compiled, runs as
#: it is written, state by state
LONG_TRACE = 200
#: the order in which a function of several methods takes its arrays
ORDER = ("q", "q0", "q1", "v", "dv", "a", "tau", "base_velocity", "base_acceleration", "parameters")

T = TypeVar("T")


class Kernels:
    """The compiled algorithms of one model, made when they are first asked for.

    `vectors` says what the arrays are called, how long they are and what they mean; `rows` are the methods that ask
    here.  What was made is `shared` with other kernels of the same robot.
    """

    #: text of the warning for a program too long to be compiled; an error if `refused`
    when_too_long, refused = "", False
    #: bodies above which what is too long to be compiled runs as it is written
    long_trace = LONG_TRACE

    def __init__(
        self,
        model: Model,
        vectors: Mapping[str, Vector],
        prefix: str = "",
        rows: Mapping[str, Quantity] = {},
        shared: "Kernels | None" = None,
    ):
        self.model = model
        self.vectors = vectors
        self.prefix = prefix
        #: methods that ask here, by name, and the callees of their plain calls, by frame or under None
        self.rows = rows
        self.callees: dict[str, dict[str | None, Any]] = {name: {} for name in rows}
        #: bodies up to which recursions are compiled
        self.longest: float = shared.longest if shared else math.inf
        self._store: dict[Any, Any] = shared._store if shared else {}
        self._known: dict[Any, Kernel] = {}
        #: converters of states (conventions/converters.py) by their name and those of their arrays
        self.converters: dict[str, Callable[..., Any]] = {}

    def under(self, prefix: str, vectors: Mapping[str, Vector], rows: Mapping[str, Quantity] = {}) -> "Kernels":
        """Kernels of a contact set or a law of the same robot: more vectors, messages that begin with `prefix`."""
        return Kernels(self.model, {**self.vectors, **vectors}, prefix, rows, shared=self)

    def __reduce__(self) -> Any:
        return _rebuilt, (self.model.described, dict(self.vectors), self.prefix)

    # -- from a question to an answer ---------------------------------------------------------

    def evaluate(
        self,
        method: str,
        algorithm: Algorithm,
        arrays: Mapping[str, Any],
        forces: Wrenches = NO_FORCES,
        choices: Mapping[str, Any] = {},
        options: Mapping[str, Any] = {},
    ) -> Any:
        """The algorithm on arrays, with the options out, dtype and threads: its kernel found or made, and called."""
        dtype = options.get("dtype", float)
        if not isinstance(dtype, Hashable):
            precision(f"{self.prefix}{method}", dtype)
        # a `Request` takes longer to make than the key of one
        key = (method, algorithm, tuple(arrays), tuple(forces), tuple(choices.items()), dtype, forces.written)
        known = self._known.get(key)
        kernel = known or self.kernel(self.asked(Call(method, algorithm, arrays, forces, choices, options)))
        own = {name: x for name, x in options.items() if name != "dtype"}
        found = kernel.call(*arrays.values(), *forces.values(), **own)
        if known is None:
            self._known[key] = kernel
            if "q" in arrays:  # once for each method
                remark_on_degrees(self.model, arrays["q"])
        return found

    def asked(self, call: Call) -> Request:
        """The request of a call."""
        dtype = call.options.get("dtype", float)
        return self.request(
            call.method, call.algorithm, tuple(call.arrays), tuple(call.forces), call.choices, dtype,
            written=call.forces.written,
        )  # fmt: skip

    def request(
        self,
        method: str,
        algorithm: Algorithm,
        arrays: Sequence[str] | Mapping[str, int],
        frames: Sequence[str] = (),
        choices: Mapping[str, Any] = {},
        dtype: Any = float,
        formulations: tuple[Algorithm, ...] | None = None,
        written: Written = AS_USUAL,
    ) -> Request:
        """The request of a question to `evaluate`; `arrays` are names, or names with sizes other than the usual."""
        sizes = arrays if isinstance(arrays, Mapping) else {name: self.vectors[name].size for name in arrays}
        if formulations is None:  # they run on regrouped inertias, so none with parameters of one's own
            formulations = () if PARAMETERS in sizes else FORMULATIONS.get(algorithm, ())
        return Request(
            f"{self.prefix}{method}",
            algorithm,
            tuple(sizes.items()),
            tuple(self.model.frame(name).name for name in frames),
            tuple(choices.items()),
            precision(f"{self.prefix}{method}", dtype),
            formulations,
            written if frames else AS_USUAL,
        )

    def kernel(self, request: Request) -> Kernel:
        """`kernel(*arrays, out=None, threads=1)`; equal requests get the same one."""
        return self.once(request, partial(self._make, request))

    @property
    def made(self) -> dict[Request, Kernel]:
        """Everything that has been asked for so far."""
        return {request: kernel for request, kernel in list(self._store.items()) if isinstance(request, Request)}

    def _make(self, request: Request) -> Kernel:
        source = Source(
            name=request.method,
            function=self._numeric(lambda **values: request.evaluate(self.model, values)),
            formulations=lambda: tuple(
                self._numeric(lambda way=way, **values: request.evaluate(self.regrouped, values, way))
                for way in self.suited_ways(request)
            ),
            result=request.result,
            identity=lambda: self.identity(request.identity),
            remake=(Kernels.kernel, (self, request)),
            when_too_long=self.when_too_long and f"{request.method} of {self.model.name}: {self.when_too_long}",
            refused=self.refused,
            loop=partial(self._loop, request),
            **self._takes(request.method, request.sizes, request.dtype, request.titles),
        )
        return Kernel(source, partial(self.compiled, request))

    def compiled(self, request: Request, kernel: Kernel) -> None:
        """Plain calls of a method, with a frame if it takes one, go straight to their kernel from now on."""
        row = self.rows.get(request.method.removeprefix(self.prefix))
        if row is None or row.check or row.body or kernel.entry_points is None:
            return
        frame = dict(request.choices).get("frame") if "frame" in row.required else None
        plain = row.call(self, [*row.arrays, *([frame] if frame else [])], {})
        if request == self.asked(plain) and kernel.entry_points.callee:
            self.callees[row.name][frame] = kernel.entry_points.callee

    def _loop(self, request: Request, too_long: bool) -> Any:
        """The loop over bodies that computes a request, of many bodies or too long a program; None if none does."""
        if not self.long(too_long):
            return self._over_pairs(request)
        if request.dtype != float:
            return self._in_double(replace(request, dtype=np.dtype(float)), too_long)
        if request.algorithm is row_states:
            return None
        arrays = tuple(name for name, _ in request.arrays)
        about = (dict(request.choices), self._row_states, request.frames, request.written)
        return self._numeric(lambda: loop_for(self.model, request.algorithm, arrays, *about))()

    def _over_pairs(self, request: Request) -> Any:
        """The loop over pairs of shapes that computes a request; None if it is not about them."""
        if len(self.model.bodies) > self.longest:
            return None
        routine = partial(self.routine, "distances")
        found = self._numeric(lambda: closure_of(self.model, request, routine))()
        if found is None or request.dtype == float:
            return found
        return self._in_double(replace(request, dtype=np.dtype(float)), False)

    def _row_states(self, arrays: tuple[str, ...], moving: bool) -> Kernel:
        """The kernel of the states of rows, for loops over these."""
        return self.kernel(self.request("states of rows", row_states, arrays, choices={"moving": moving}))

    def outputs(self, request: Request) -> tuple[Output, ...]:
        """Results of a request: their shapes, and which entries are zero whatever the arrays are; of loops none is."""

        def found() -> tuple[Output, ...]:
            from ..compiler.passes.trace import trace

            if loop := self._over_pairs(replace(request, dtype=np.dtype(float))):
                return tuple(Output(shape, (1,) * math.prod(shape)) for shape in loop.shapes)
            evaluated = self._numeric(lambda **values: request.evaluate(self.model, values))
            return tuple(trace(evaluated, request.sizes).outputs)

        return self.once(("outputs", request), found)

    def long(self, too_long: bool) -> bool:
        """True if loops over bodies are in place."""
        return too_long or len(self.model.bodies) > LONG_TRACE

    def _in_double(self, request: Request, too_long: bool) -> Composition | None:
        """The loop in double precision, for arrays and results of another one."""
        if self._loop(request, too_long) is None:
            return None
        kernel = self.kernel(request)
        return Composition(lambda *arrays: kernel(*(x.astype(float) for x in arrays)))

    def fused(self, requests: Sequence[Request], names: Sequence[str]) -> Kernel:
        """One kernel for several algorithms, which computes what they share once; a NamedTuple with these names."""
        if any(request.frames for request in requests):
            raise ArticulatedError("external forces cannot be part of a compiled function")
        sizes = {name: size for request in requests for name, size in request.arrays}
        sizes = {name: sizes[name] for name in sorted(sizes, key=ORDER.index)}
        fields = [
            f"{name}_{field}" if field else name
            for name, request in zip(names, requests, strict=True)
            for field in getattr(request.result, "_fields", [""])
        ]
        result = result_type("Compiled", tuple(_identifiers(fields)))

        def gathered(parts: Sequence[Any]) -> Any:
            return result(*(x for part in parts for x in (part if isinstance(part, tuple) else (part,))))

        def textbook(**values: Any) -> Any:
            return gathered([request.evaluate(self.model, values) for request in requests])

        def fast(k: int, **values: Any) -> Any:
            return gathered([self._formulated(request, values, k) for request in requests])

        def formulations() -> tuple[Callable[..., Any], ...]:
            most = max(1, *(len(self.suited_ways(request)) for request in requests))
            return tuple(self._numeric(partial(fast, k)) for k in range(most))

        source = Source(
            name="compiled",
            function=self._numeric(textbook),
            formulations=formulations,
            result=result,
            identity=lambda: self.identity([request.identity for request in requests]),
            doc=f"compiled({', '.join(sizes)}, *, out=None, threads=1)\n--\n\n{', '.join(names)} of {self.model.name}.",
            remake=(Kernels.fused, (self, tuple(requests), tuple(names))),
            **self._takes(" + ".join(names), sizes, requests[0].dtype),
        )
        return Kernel(source)

    def routine(self, method: str, key: Any, build: Callable[[], Routine], alone: bool = False) -> Kernel:
        """A program with loops; equal keys get the same one, and one from the cache is not built.

        `alone`: it takes one state after the other, not in lanes.
        """
        identity = self.identity(key) if key else None
        source = Source(f"{self.prefix}{method}", build=build, identity=lambda: identity, alone=alone)
        return self.once(("routine", identity), lambda: Kernel(source)) if identity else Kernel(source)

    def ways(self, algorithm: Algorithm) -> list[tuple[Model, Algorithm]]:
        """The formulations of an algorithm, each with the model it runs on; the algorithm itself if it has none."""
        found = self._keeping_digits(FORMULATIONS.get(algorithm, ()))
        return [(self.regrouped, way) for way in found] or [(self.model, algorithm)]

    def _formulated(self, request: Request, values: Mapping[str, Any], k: int) -> Any:
        """Formulation k of an algorithm, the last if it has fewer, or the algorithm itself if it has none."""
        ways = self.suited_ways(request)
        if not ways:
            return request.evaluate(self.model, values)
        return request.evaluate(self.regrouped, values, ways[min(k, len(ways) - 1)])

    def suited_ways(self, request: Request) -> tuple[Algorithm, ...]:
        """The formulations of a request that keep their digits; derivatives of a formulation if that does."""
        own = [_innermost(way) for way in request.formulations]
        kept = self._keeping_digits(tuple(own))
        return tuple(way for way, inner in zip(request.formulations, own, strict=True) if inner in kept)

    def _keeping_digits(self, ways: tuple[Algorithm, ...]) -> tuple[Algorithm, ...]:
        def found() -> tuple[Algorithm, ...]:
            return suited_derivatives(suited(ways, self.model), self.model, lambda: self.regrouped)

        return self.once(("keeping digits", ways), self._numeric(found))

    def _takes(
        self, method: str, sizes: Mapping[str, int], dtype: np.dtype, titles: Mapping[str, str] = {}
    ) -> dict[str, Any]:
        """The fields of `Source` that are about what goes in."""
        vectors = {name: self._vector(name, size)._replace(title=titles.get(name, "")) for name, size in sizes.items()}
        bodies, example = len(self.model.bodies), None
        if bodies > min(self.long_trace, self.longest):
            example = {name: self._example(name, vector) for name, vector in vectors.items()}
        check = Arguments(method, self.model.name, vectors, dtype)
        return {
            "sizes": dict(sizes), "check": check, "dtype": dtype,
            "example": example, "compiled": bodies <= self.longest,
            "names": {name: vector.names for name, vector in vectors.items()},
            "titles": {name: vector.title for name, vector in vectors.items() if vector.title},
        }  # fmt: skip

    def _vector(self, name: str, size: int) -> Vector:
        usual = self.vectors["force" if name.startswith("force_") and name[6:].isdigit() else name]
        if name == "tau" and size == self.vectors["v"].size:
            usual = self.vectors["v"]  # on contacts torques are those of the motors, or of all velocities
        return usual._replace(size=size)

    def _example(self, name: str, vector: Vector) -> np.ndarray:
        """A value at which everything can be computed: no stretched leg, no weight of zero."""
        if name == PARAMETERS:
            return np.array(parameters(self.model), float)
        return random_configuration(self.model, 0) if name[0] == "q" else np.full(vector.size, vector.example)

    def _numeric(self, function: Callable[..., Any]) -> Callable[..., Any]:
        return numeric(self.model, function)

    # -- what follows from the model, found once -----------------------------------------------

    def once(self, key: Any, make: Callable[[], T]) -> T:
        """The value of `make`, made once for this robot and all its contact sets and laws."""
        # a plain dict: a cached_property holds a lock that a forked child would never get
        return self._store[key] if key in self._store else self._store.setdefault(key, make())

    @property
    def regrouped(self) -> Model:
        """The model that formulations run on."""
        return self.once("regrouped", lambda: regrouped(self.model))

    def identity(self, *choices: Any) -> str | None:
        """A name for all that decides what is computed; None if it is not all known (symbols, a user's own joint)."""

        def robot() -> str | None:
            parts = [
                (k.name, k.parent, k.joint, k.placement, k.inertia, tuple(k.frames), k.tail) for k in self.model.links
            ]
            return fingerprint(parts, self.model.gravity, self.model.springs, self.model.actuators)

        own = self.once("identity", robot)
        return fingerprint(own, *choices) if own else None

    @property
    def massless_joints(self) -> list[str]:
        """The joints that move no mass."""

        def found() -> list[str]:
            return self._numeric(massless_joints)(model=self.model, q=random_configuration(self.model, 0))

        return self.once("massless joints", found)

    def require_mass(self) -> None:
        """Forward dynamics needs every joint to move some mass; say which one does not."""
        if found := self.massless_joints:
            names = ", ".join(map(repr, found))
            said = f"joint {names} moves" if len(found) == 1 else f"each of the joints {names} moves"
            raise SingularModelError(
                f"{self.model.name}: {said} no mass, so its acceleration is not determined; "
                "give the link it moves, or a body beyond it, mass and inertia, or the joint an armature, or lock it"
            )


def _rebuilt(described: Mapping[str, Any], vectors: Mapping[str, Vector], prefix: str) -> Kernels:
    return Kernels(build_model(**described), vectors, prefix)


def _innermost(way: Algorithm) -> Algorithm:
    """The formulation of an algorithm, or of a closed form of its derivatives, that others are derivatives of."""
    while (inner := getattr(way, "formulation", None)) is not None:
        way = inner
    return way


def _identifiers(names: Sequence[str]) -> list[str]:
    """The names as different field names of a NamedTuple."""
    out: list[str] = []
    for name in names:
        clean = re.sub(r"\W", "_", name).lstrip("_") or "result"
        clean = f"result_{clean}" if keyword.iskeyword(clean) or clean[0].isdigit() else clean
        copies = [clean, *(f"{clean}_{k}" for k in range(2, len(names) + 2))]
        out.append(next(c for c in copies if c not in out))
    return out
