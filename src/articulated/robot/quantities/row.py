"""A row of the tables of methods: an algorithm, what it takes and gives, and its help.

From a row follow the method itself, its docstring in NumPy's sections, requests by name, axis names, stubs, bridges and
tests.
"""

import textwrap
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, is_dataclass
from functools import cached_property
from inspect import Parameter, Signature, cleandoc, signature
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ...errors import unexpected
from ..arguments.arrays import precision
from ..arguments.forces import Wrenches, wrenches
from ..request import PARAMETERS, Algorithm
from .arguments import ARGUMENTS, OPTIONS, OWN_INERTIAS, Argument

if TYPE_CHECKING:
    from ..kernels import Kernels

WIDTH = 110
#: possible parts of a quantity, by letter
CONTENTS = {
    "g": "gravity",
    "c": "Coriolis forces",
    "f": "joint friction and damping",
    "s": "springs",
    "a": "armature",
    "e": "external forces",
}


def docstring(row: "Quantity") -> str:
    """The text of a row, its arguments, what it returns and includes, its source and an example."""
    parameters = [f"{name} : {argument.text}" for name, argument in row.arguments.items()]
    parameters += [f"{name} : {text}" for name, text in OPTIONS.items() if name in row.options]
    parameters += [f"parameters : {OWN_INERTIAS}"] if row.inertial else []
    notes = [*([_contents(row.included)] if row.included is not None else [])]
    notes += [f"Source: {row.source}."] if row.source else []
    sections = {
        "Parameters": "\n".join(map(_filled, parameters)),
        "Returns": _filled(row.returns),
        "Notes": "\n".join(_filled(note) for note in notes if note),
        "Examples": _session(row.example.strip()),
    }
    parts = [f"{name}\n{'-' * len(name)}\n{text}" for name, text in sections.items() if text]
    return "\n\n".join([cleandoc(row.text), *parts])


def _session(example: str) -> str:
    """An example as a session shows it: of `expression → value`, both in lines of their own."""
    before, _, last = example.rpartition("\n")
    expression, arrow, value = last.partition(" → ")
    return "\n".join(filter(None, [before, *([f">>> {expression}", value] if arrow else [last])]))


def _filled(text: str) -> str:
    return textwrap.fill(text, WIDTH, subsequent_indent="    ")


def _contents(included: str) -> str:
    """Parts that are included, and those one might think are."""
    forces = bool(set(included) & set("gcfs"))
    missing = [CONTENTS[letter] for letter in ("gcfsa" if forces else "a") if letter not in included]
    there = [CONTENTS[letter] for letter in CONTENTS if letter in included]
    said = [f"Included: {', '.join(there)}."] if there else []
    return " ".join([*said, *([f"Not included: {', '.join(missing)}."] if missing else [])])


class Call(NamedTuple):
    """A call of a method, its arguments checked: what `Kernels.evaluate` takes."""

    method: str
    algorithm: Algorithm
    arrays: Mapping[str, Any]
    forces: Wrenches
    choices: Mapping[str, Any]
    options: Mapping[str, Any]


@dataclass(frozen=True, eq=False)
class Quantity:
    """A method of `Robot` or of `robot.study`; its name, text and arguments are those of its algorithm if not given."""

    algorithm: Algorithm | Mapping[Any, Algorithm]  # or one for each value of the argument that selects it
    axes: tuple[str, ...] | Mapping[str, tuple[str, ...]]  # of the result after the batch, or of each of its fields
    returns: str
    text: str = ""
    name: str = ""
    takes: str = ""  # names of ARGUMENTS, in order
    included: str | None = None  # letters of docstring.CONTENTS; None if none of them could be
    source: str = ""
    example: str = ""  # an expression → its value, or as a session shows it
    inertial: bool = False  # depends on the inertial parameters: takes `parameters=`
    divides_by_mass: bool = False  # every joint must move some mass
    constants: Callable[[np.dtype], Mapping[str, Any]] | None = None  # further choices, by precision
    check: Callable[..., Any] | None = None  # check(robot, call, result): the result, or an error
    body: Callable[[Any, Call], Any] | None = None  # body(owner, call): how it is computed if not by one kernel
    quick: Callable[..., Any] | None = None  # quick(owner, values): the result of a plain call; None: no such call
    options: Collection[str] = tuple(OPTIONS)
    known: Mapping[str, Argument] = field(default_factory=lambda: ARGUMENTS)

    def __post_init__(self) -> None:
        one: Any = self.algorithm
        if not isinstance(one, Mapping):
            own = {"name": one.__name__, "text": one.__doc__ or "", "takes": " ".join([*signature(one).parameters][1:])}
            for name, value in own.items():
                object.__setattr__(self, name, getattr(self, name) or value)

    @cached_property
    def arguments(self) -> dict[str, Argument]:
        """Arguments by name, in order."""
        return {name: self.known.get(f"{self.name}.{name}") or self.known[name] for name in self.takes.split()}

    @cached_property
    def required(self) -> list[str]:
        """Arguments without a default."""
        return [name for name, argument in self.arguments.items() if argument.default is Parameter.empty]

    @property
    def arrays(self) -> list[str]:
        """The arrays it cannot do without."""
        return [name for name in self.required if self.arguments[name].check is None]

    @property
    def keywords(self) -> list[str]:
        """Names of its arguments with a default, and of its options."""
        own = [name for name in self.arguments if name not in self.required]
        return [*own, *self.options, *([PARAMETERS] if self.inertial else [])]

    @property
    def result(self) -> str:
        """The type of its result, by name."""
        one = next(iter(self.algorithm.values())) if isinstance(self.algorithm, Mapping) else self.algorithm
        found = (self.body or one).__annotations__.get("return")
        if isinstance(found, type) and (issubclass(found, tuple) or is_dataclass(found)):
            return found.__name__
        return "Floats"

    @cached_property
    def signature(self) -> Signature:
        """Signature: arguments, then options by keyword."""
        own = [
            Parameter(name, Parameter.POSITIONAL_OR_KEYWORD, default=x.default, annotation=x.type)
            for name, x in self.arguments.items()
        ]
        default = {"out": None, "dtype": "float64", "threads": 1, PARAMETERS: None}
        more = [
            Parameter(name, Parameter.KEYWORD_ONLY, default=x) for name, x in default.items() if name in self.keywords
        ]
        return Signature([Parameter("self", Parameter.POSITIONAL_OR_KEYWORD), *own, *more])

    @property
    def doc(self) -> str:
        """Docstring of the method."""
        return docstring(self)

    def call(
        self, kernels: "Kernels", values: Sequence[Any], named: Mapping[str, Any], more: Sequence[str] = ()
    ) -> Call:
        """A call with these positional and named arguments, for the kernels of a robot; `more` keywords are known."""
        given, options = self._bound(kernels.prefix, values, named, more)
        if self.divides_by_mass:
            kernels.require_mass()
        algorithm: Any = self.algorithm
        arrays: dict[str, Any] = {}
        choices: dict[str, Any] = {}
        for name, argument in self.arguments.items():
            x = given.get(name, argument.default)
            if argument.check is None:
                if name != "forces" and (x is not None or name in self.required):
                    arrays[name] = x
            elif argument.selects:
                algorithm = algorithm[argument.check(kernels.model, f"{kernels.prefix}{self.name}", x)]
            else:
                choices[name] = argument.check(kernels.model, f"{kernels.prefix}{self.name}", x)
        if (parameters := options.pop(PARAMETERS, None)) is not None:
            arrays[PARAMETERS] = parameters
        if self.constants:
            choices |= self.constants(precision(f"{kernels.prefix}{self.name}", options.get("dtype", float)))
        forces = wrenches(f"{kernels.prefix}{self.name}", given.get("forces"))
        return Call(self.name, algorithm, arrays, forces, choices, options)

    def _bound(
        self, prefix: str, values: Sequence[Any], named: Mapping[str, Any], more: Sequence[str]
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Arguments by name, and options."""
        names = list(self.arguments)
        if len(values) > len(names):
            raise TypeError(f"{prefix}{self.name}() takes ({', '.join(names)}); {len(values)} arguments were given")
        given, options = dict(zip(names, values, strict=False)), {}
        for name, x in named.items():
            if name in given:
                raise TypeError(f"{prefix}{self.name}() got multiple values for argument {name!r}")
            if name in self.arguments:
                given[name] = x
            elif name in self.keywords:
                options[name] = x
            else:
                raise unexpected(f"{prefix}{self.name}", name, [*self.keywords, *more])
        if missing := [name for name in self.required if name not in given]:
            raise TypeError(
                f"{prefix}{self.name}() needs {', '.join(map(repr, missing))}: it takes ({', '.join(names)})"
            )
        return given, options
