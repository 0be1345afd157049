"""Names along the axes of results, so that no index need be counted by hand."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..errors import unknown
from ..geometry.distances import near
from ..model import Model
from .arguments.state_names import SPATIAL, component_names, parameter_names
from .quantities import QUANTITIES

#: kind of axis -> the names along it
KINDS: dict[str, Callable[[Model], Sequence[str]]] = {
    "q": lambda model: component_names(model, "q"),
    "v": lambda model: component_names(model, "v"),
    "body": lambda model: [b.name for b in model.bodies],
    "spatial": lambda model: SPATIAL,
    "point": lambda model: ("x", "y", "z"),
    "row": lambda model: ("x", "y", "z", "1"),
    "column": lambda model: ("x axis", "y axis", "z axis", "origin"),
    "parameter": parameter_names,
    "force": lambda model: [f"{b.name}_{name}" for b in model.bodies for name in SPATIAL],
    "pair": lambda model: [f"{a}~{b}" for a, b in (x.names for x in near(model))],
    "actuator": lambda model: [x.name or f"{x.a}~{x.b}" for x in model.actuators],
    "free": lambda model: component_names(model.unmimicked, "v"),
}
#: axes of what is not in the table of methods
OTHERS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("q", "neutral", "random", "configuration"), ("q",)),
    **dict.fromkeys(("v", "velocity"), ("v",)),
    "skewness_defect": (),
    "parameters": ("parameter",),
    "support": ("body", "v"),
}


def axis_names(
    model: Model, of: Any, axes: Mapping[str, Any] | None = None, own: Mapping[str, Sequence[str]] = {}
) -> Any:
    """A list of names per axis after the batch; a dict of such by field where a method returns a NamedTuple.

    `axes` are those of the methods of another table, `own` the names along its kinds of axes.
    """
    known = axes or {**OTHERS, **{name: row.axes for name, row in QUANTITIES.items()}}
    if not isinstance(of, str) or of not in known:
        raise unknown("result", of, "names", sorted(known))

    def named(kinds: tuple[str, ...]) -> tuple[list[str], ...]:
        return tuple(list(own[kind] if kind in own else KINDS[kind](model)) for kind in kinds)

    found = known[of]
    return named(found) if isinstance(found, tuple) else {field: named(kinds) for field, kinds in found.items()}
