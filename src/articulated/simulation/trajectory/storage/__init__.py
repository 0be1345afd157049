"""Trajectories in files of every format of logs, whole or not at all, never pickled."""

import json
from collections.abc import Mapping, Sequence
from contextlib import closing
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ....errors import ShapeError
from ....inputs.choices import file_path
from ....logs import Block, Field, Log, LogError, format_of, reader, writer
from ....logs.npz import Npz, Shape
from ....robot import Robot
from ....robot.construction import load as load_robot
from ....text import shortened
from ..columns import Layout, arrays, assembled, fields, layout, rows
from .header import checksum, header, laid_out, parsed

if TYPE_CHECKING:
    from ..trajectory import Trajectory

BLOCK = 16384  # rows read at a time

__all__ = ["load", "save"]


def save(run: "Trajectory", path: str | Path) -> None:
    """Write a file in the format of its ending."""
    place = file_path("save", path)
    kind = format_of(place)
    short = place.suffix.lower() == ".csv"  # people look at its cells, and other formats have a checksum of their own
    about = header(run, place, short)
    text = json.dumps(about | ({"checksum": checksum(about, rows(run))} if short else {}))
    stored = [field for field in fields(layout(run)) if not (kind.arrays and field.name == "batch")]
    with writer(place, stored, text) as file:
        file.write(arrays(run) if kind.arrays else rows(run))


def load(path: str | Path, robot: Robot | str | Path | None = None) -> "Trajectory":
    """Read a file in the format of its ending."""
    place = file_path("load", path)
    if robot is not None and not isinstance(robot, (Robot, str, Path)):
        raise ShapeError(f"load: robot is a robot, a name or a path; got {shortened(repr(robot))}")
    with closing(reader(place)) as log:
        text = log.header()
        if text is None:
            return _headless(log, robot)
        about = parsed(text, place)
        of, samples = laid_out(about, robot, place), about["samples"]
        if isinstance(log, Npz):
            return assembled(of, log.whole(_shapes(of, samples)), about)
        found = _whole(log, fields(of), of.batch, samples)
        run = assembled(of, _batched(log, of, found, about), about)
        if about.get("checksum") not in (None, checksum(about, found)):
            raise LogError(
                f"{place}: it is not as it was written, its checksum differs; to read it as a log of another program, "
                "remove its last column, trajectory"
            )
        return run


def _shapes(of: Layout, samples: int) -> dict[str, set[Shape]]:
    """Shapes that each array may have."""
    found: dict[str, set[Shape]]
    found = {field.name: {(*of.batch, samples, *field.tail)} for field in fields(of) if field.name != "batch"}
    found["time"] = {(samples,)}
    if of.contacts is not None:
        found["contact_frictions"] = {(len(of.contacts),), (*of.batch, len(of.contacts))}
    return found


def _whole(log: Log, wanted: Sequence[Field], batch: Shape = (), samples: int | None = None) -> Block:
    """All rows of a log; if there are more than `samples` for each run of the batch, no more of them are read."""
    log.require(wanted)
    members, found, count = prod(batch), [], 0
    for block in log.blocks(BLOCK):
        found.append(block)
        count += len(block["time"])
        if samples is not None and count > members * samples:
            break
    if not count or (samples is not None and count != members * samples):
        belong = f"; {members} × {samples} belong to the trajectory" if samples is not None else ""
        raise LogError(
            f"{log.path}: it has {'more rows' if count > members * (samples or 0) else f'{count} rows'}{belong}"
        )
    return {field.name: np.concatenate([block[field.name] for block in found]) for field in wanted}


def _batched(log: Log, of: Layout, found: Block, about: Mapping[str, Any]) -> Block:
    """Rows of a table as arrays of a trajectory."""
    first = (0,) * len(of.batch)
    found = {name: x.reshape(*of.batch, -1, *x.shape[1:]) for name, x in found.items()}
    if of.batch:
        member, times = (found[name].reshape(-1, found[name].shape[-1]) for name in ("batch", "time"))
        if not ((member == np.arange(len(member))[:, None]).all() and (times == times[0]).all()):
            raise LogError(f"{log.path}: its rows are not one run of the batch below the other with the same times")
        found["time"] = found["time"][first]
    if "contact_frictions" in found:
        each = found["contact_frictions"][..., 0, :]
        differ = about.get("each_friction", (each != each[first]).any())
        found["contact_frictions"] = each if differ else each[first]
    return found


def _headless(log: Log, robot: Robot | str | Path | None) -> "Trajectory":
    """The trajectory in a log with time, q, v, a and tau, by the names of its columns."""
    if robot is None:
        raise LogError(f"{log.path}: it does not name its robot: Trajectory.load(path, robot=…), or --robot")
    more = [name for name in log.names if name == "batch" or name.startswith(("contact_", "force_"))]
    if more:
        raise LogError(
            f"{log.path}: its column {more[0]!r} is not read from a table; run.save(…) keeps batches, contacts and "
            "external forces; without such columns the table is read as one run"
        )
    of = Layout(robot if isinstance(robot, Robot) else load_robot(robot), (), None, ())
    return assembled(of, _whole(log, fields(of)), {})
