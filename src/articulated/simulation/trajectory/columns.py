"""A trajectory as named arrays and as the columns of a table, for every file format."""

from collections.abc import Mapping, Sequence
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ...logs import TIME, Field, state_field
from ...logs.log import columns as table_columns
from ...robot import Robot
from ...robot.arguments.state_names import SPATIAL, component_names
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
