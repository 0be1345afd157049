"""Trajectories in files of every format of logs, whole or not at all, never pickled."""

import json
from collections.abc import Mapping, Sequence
from contextlib import closing
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ....errors import ShapeError, unknown
from ....inputs.choices import file_path
from ....logs import Block, Field, Log, LogError, format_of, reader, writer
from ....logs.npz import Npz, Shape
from ....robot import Robot
from ....robot.arguments.state_names import SPATIAL
from ....robot.construction import load as load_robot
from ....text import plain, shortened
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
                f"{place}: its checksum differs: the file was changed after it was written; to read it as a plain "
                "log, remove its last column, trajectory"
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
            raise LogError(f"{log.path}: the runs of its batch are not in order, or have different times")
        found["time"] = found["time"][first]
    if "contact_frictions" in found:
        each = found["contact_frictions"][..., 0, :]
        differ = about.get("each_friction", (each != each[first]).any())
        found["contact_frictions"] = each if differ else each[first]
    return found


# -- logs without a header: contents by the names of the columns ------------------------------


def _headless(log: Log, robot: Robot | str | Path | None) -> "Trajectory":
    """The trajectory in a log, or in what `to_pandas` gives."""
    if robot is None:
        raise LogError(f"{log.path}: it does not name its robot: Trajectory.load(path, robot=…)")
    mover = robot if isinstance(robot, Robot) else load_robot(robot)
    batch = (1,) if "batch" in log.names else ()
    of = Layout(mover, batch, _contacts(log), _frames(log, mover), bool(_after(log, "contact_moment_")))
    found = _whole(log, fields(of))
    if of.batch:
        of = of._replace(batch=_members(log, found["batch"]))
    return assembled(of, _batched(log, of, found, {}), {})


def _after(log: Log, word: str) -> list[str]:
    """Rest of the names of columns that begin with a word."""
    return [name.removeprefix(word) for name in log.names if name.startswith(word)]


def _members(log: Log, runs: np.ndarray) -> Shape:
    """Shape of a batch whose runs are numbered in the column `batch`."""
    last = runs.max()
    count = int(last) + 1 if 0 <= last < len(runs) else 0
    if not count or len(runs) % count:
        raise LogError(
            f"{log.path}: its column batch numbers the runs, from 0, one below the other and with as many rows each; "
            f"the largest number is {last:g}, and there are {len(runs)} rows"
        )
    return (count,)


def _contacts(log: Log) -> tuple[str, ...] | None:
    points = [point for word in ("gap", "state", "friction") for point in _after(log, f"contact_{word}_")]
    return tuple(dict.fromkeys(points)) if points or "contact_residual" in log.names else None


def _frames(log: Log, robot: Robot) -> tuple[str, ...]:
    """Where external forces act; six columns for a frame that the robot does not have are a mistake."""
    known, parts = {plain(frame): frame for frame in robot.frame_names}, _after(log, "force_")
    named = [part.removesuffix("_x") for part in parts if part.endswith("_x")]
    for name in named:
        if name not in known and {f"{name}_{part}" for part in SPATIAL} <= set(parts):
            missing = unknown("frame", name, robot.name, known)
            raise LogError(f"{log.path}: columns force_{shortened(name)}_x … _rz: {missing}")
    return tuple(known[name] for name in named if name in known)
