"""What the rows and columns of every result are called, so that no index need be counted by hand."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ...errors import unknown
from ...model import Model
from .state_names import SPATIAL, component_names, parameter_names

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
    "free": lambda model: component_names(model.unmimicked, "v"),
}
_EACH = ("body", "spatial")
_INERTIA = ("body", "spatial", "spatial")

#: method -> the axes of its result after the batch, or those of each field of a NamedTuple
AXES: dict[str, tuple[str, ...] | Mapping[str, tuple[str, ...]]] = {
    **dict.fromkeys(("q", "neutral", "random", "configuration", "integrate", "configuration_rate"), ("q",)),
    "distance_to_limits": ("q",),
    **dict.fromkeys(("v", "velocity", "difference", "inverse_dynamics", "forward_dynamics", "bias_forces"), ("v",)),
    **dict.fromkeys(("gravity_forces", "coriolis_forces", "friction_forces"), ("v",)),
    "pose": ("row", "column"),
    **dict.fromkeys(("jacobian", "jacobian_rate", "centroidal_map"), ("spatial", "v")),
    **dict.fromkeys(("frame_velocity", "frame_acceleration", "centroidal_momentum"), ("spatial",)),
    "body_jacobians": ("body", "spatial", "v"),
    "body_motions": {"pose": ("body", "row", "column"), "velocity": _EACH, "acceleration": _EACH},
    "screws": ("v", "spatial"),
    **dict.fromkeys(("body_wrenches", "gravity_wrenches"), _EACH),
    "force_map": ("v", "force"),
    **dict.fromkeys(("mass_matrix", "mass_matrix_inverse", "mass_matrix_rate", "coriolis_matrix"), ("v", "v")),
    "christoffel": ("v", "v", "v"),
    "composite_inertias": _INERTIA,
    "contributions": {
        "mass_matrix": ("body", "v", "v"),
        **dict.fromkeys(("coriolis", "gravity", "inertial", "external", "torque"), ("body", "v")),
    },
    "articulated_bodies": {
        "a": ("v",), "inertia": _INERTIA, "bias": _EACH, "projected": _INERTIA, "acceleration": _EACH,
        "wrench": _EACH, "joint_inertia": ("free", "free"), "own_bias": _EACH, "projected_bias": _EACH,
        "actuation": _EACH, "coriolis": _EACH,
    },
    "operational_space": {"inertia": ("spatial", "spatial"), "bias": ("spatial",)},
    **dict.fromkeys(("kinetic_energy", "potential_energy", "manipulability", "skewness_defect"), ()),
    "center_of_mass": ("point",),
    "regressor": ("v", "parameter"),
    "parameters": ("parameter",),
    "support": ("body", "v"),
}  # fmt: skip


def axis_names(model: Model, of: Any) -> Any:
    """A list of names per axis after the batch; a dict of such by field where a method returns a NamedTuple."""
    if not isinstance(of, str) or of not in AXES:
        raise unknown("result", of, "names", sorted(AXES))
    axes = AXES[of]
    if isinstance(axes, tuple):
        return _named(model, axes)
    return {field: _named(model, own) for field, own in axes.items()}


def _named(model: Model, axes: tuple[str, ...]) -> tuple[list[str], ...]:
    return tuple(list(KINDS[kind](model)) for kind in axes)
