"""Trajectories for pandas and xarray."""

from typing import TYPE_CHECKING, Any

import numpy as np

from ...errors import MissingExtra
from ...robot.arguments.state_names import SPATIAL, component_names, component_units
from .columns import columns

if TYPE_CHECKING:
    from .trajectory import Trajectory

CONTACT_UNITS = {"forces": "N", "moments": "N m", "positions": "m", "gaps": "m"}


def data_frame(run: "Trajectory") -> Any:
    """The columns of the files, without the header."""
    try:
        import pandas
    except ImportError:
        raise MissingExtra("to_pandas needs pandas: pip install 'articulated[data]'") from None
    table = columns(run)
    frame = pandas.DataFrame({k: np.array(x) for k, (_, x) in enumerate(table)})
    frame.columns = pandas.Index([name for name, _ in table])
    return frame


def dataset(run: "Trajectory") -> Any:
    """Axes batch (batch_0, batch_1, … of several), time, coordinate of q, joint of v, a and tau, contact, axis."""
    try:
        import xarray
    except ImportError:
        raise MissingExtra("to_xarray needs xarray: pip install 'articulated[data]'") from None
    count, model = len(run.batch.shape), run.robot.model
    leading = ("batch",) if count == 1 else tuple(f"batch_{k}" for k in range(count))
    axes = (*leading, "time")
    found: dict[str, Any] = {}
    for name in ("q", "v", "a", "tau"):
        along = "coordinate" if name == "q" else "joint"
        found[name] = ((*axes, along), getattr(run, name))
    named = {
        "time": ("time", run.t, {"units": "s"}),
        "coordinate": component_names(model, "q"), "joint": component_names(model, "v"),
        "coordinate_unit": ("coordinate", component_units(model, "q")),
        **{f"{name}_unit": ("joint", component_units(model, name)) for name in ("v", "a", "tau")},
    }  # fmt: skip
    for name, energy in run.energy._asdict().items():
        found[f"{name}_energy"] = (axes, energy, {"units": "J"})
    if run.forces:
        found["forces"] = ((*axes, "frame", "component"), np.stack(list(run.forces.values()), axis=-2))
        named |= {"frame": list(run.forces), "component": list(SPATIAL)}
    if run.contact is not None:
        found |= _contacts(run.contact, axes, leading)
        named |= {"contact": list(run.contact.names), "axis": list("xyz")}
    if run.parameters is not None:
        found["parameters"] = ((*(leading if run.parameters.ndim > 1 else ()), "parameter"), run.parameters)
        named["parameter"] = run.robot.parameter_names
    for joint, own in run.joints.items():
        for name, x in own.items():
            found[f"{name} of {joint}"] = (leading, np.broadcast_to(x, run.batch.shape))
    return xarray.Dataset(found, named, {"robot": run.robot.name})


def _contacts(contact: Any, axes: tuple[str, ...], leading: tuple[str, ...]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, after in contact.axes.items():
        attributes = {"units": CONTACT_UNITS[name]} if name in CONTACT_UNITS else {}
        found[f"contact_{name}"] = ((*axes, *("contact", "axis")[:after]), getattr(contact, name), attributes)
    each = leading if contact.frictions.ndim > 1 else ()
    return found | {"contact_frictions": ((*each, "contact"), contact.frictions)}
