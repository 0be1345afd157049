"""A trajectory as named arrays and as the columns of a table: for files, pandas and xarray."""

from collections.abc import Mapping, Sequence
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ...errors import MissingExtra
from ...logs import TIME, Field, state_field
from ...logs.log import columns as table_columns
from ...robot import Robot
from ...robot.arguments.state_names import SPATIAL, component_names, component_units
from ...text import plain
from .contact_history import AXES, ContactHistory

if TYPE_CHECKING:
    from .trajectory import Trajectory


class Layout(NamedTuple):
    """Facts that decide which arrays and columns a trajectory has."""

    robot: Robot
    batch: tuple[int, ...]
    contacts: tuple[str, ...] | None
    frames: tuple[str, ...]
    moments: bool = False  # whether contacts have moments


def layout(run: "Trajectory") -> Layout:
    """Layout of a trajectory."""
    contact = run.contact
    named, turned = (None, False) if contact is None else (contact.names, contact.moments is not None)
    return Layout(run.robot, run.batch.shape, named, tuple(run.forces), turned)


def fields(of: Layout) -> list[Field]:
    """Every array over time, in the order of the columns; names of joints are written as in logs."""
    found = [TIME]
    if of.batch:
        found.append(Field("batch", ["batch"], ()))
    found += [state_field(name, component_names(of.robot.model, name)) for name in ("q", "v", "a", "tau")]
    if of.contacts is not None:
        found += _contact_fields(of)
    for k, frame in enumerate(of.frames):
        found.append(Field(f"forces_{k}", [f"force_{plain(frame)}_{part}" for part in SPATIAL], (6,)))
    return found


def _contact_fields(of: Layout) -> list[Field]:
    points: Sequence[str] = of.contacts or ()
    found, count = [], len(points)
    words = {"forces": "force", "positions": "position", "normals": "normal", "gaps": "gap", "states": "state"}
    words |= {"frictions": "friction", **({"moments": "moment"} if of.moments else {})}
    for name, word in words.items():
        vector = AXES.get(name, 1) == 2
        ends = [f"{plain(p)}_{x}" for p, x in product(points, "xyz")] if vector else [plain(p) for p in points]
        columns = [f"contact_{word}_{end}" for end in ends]
        found.append(Field(f"contact_{name}", columns, (count, 3) if vector else (count,)))
    return [*found, Field("contact_residual", ["contact_residual"], ())]


def arrays(run: "Trajectory") -> dict[str, np.ndarray]:
    """The arrays of a trajectory by their names in files."""
    found = {"time": run.t, "q": run.q, "v": run.v, "a": run.a, "tau": run.tau}
    if run.contact is not None:
        found |= {f"contact_{name}": getattr(run.contact, name) for name in (*run.contact.axes, "frictions")}
    return found | {f"forces_{k}": x for k, x in enumerate(run.forces.values())}


def rows(run: "Trajectory") -> dict[str, np.ndarray]:
    """The fields of a table, (rows, *tail), of a batch one run below the other."""
    of, known = layout(run), arrays(run)
    shape = (*of.batch, len(run))
    known["batch"] = np.arange(prod(of.batch)).reshape(*of.batch, 1)
    if run.contact is not None:
        known["contact_frictions"] = known["contact_frictions"][..., None, :]
    return {
        field.name: np.broadcast_to(known[field.name], (*shape, *field.tail)).reshape(prod(shape), *field.tail)
        for field in fields(of)
    }


def columns(run: "Trajectory") -> list[tuple[str, np.ndarray]]:
    """Names and values of the columns of a table."""
    wanted = fields(layout(run))
    names = [name for field in wanted for name in field.columns]
    return list(zip(names, table_columns(wanted, rows(run)), strict=True))


def assembled(of: Layout, found: Mapping[str, np.ndarray], about: Mapping[str, Any]) -> "Trajectory":
    """The trajectory of arrays by their names in files, and of its header."""
    from .trajectory import Trajectory

    contact = None
    if of.contacts is not None:
        names = [name for name in (*AXES, "frictions") if name != "moments" or of.moments]
        contact = ContactHistory(of.contacts, **{name: found[f"contact_{name}"] for name in names})
    forces = {frame: found[f"forces_{k}"] for k, frame in enumerate(of.frames)}
    state: dict[str, Any] = {name: found[name] for name in ("q", "v", "a", "tau")}
    told: dict[str, Any] = {"info": about.get("info") or {}, "parameters": about.get("parameters")}
    told["joints"] = about.get("resistances")
    return Trajectory(of.robot, found["time"], **state, contact=contact, forces=forces, **told)


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
