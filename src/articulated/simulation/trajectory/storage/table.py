"""Tables in and out: which column is which number, for CSV and Parquet alike."""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from ....errors import unknown
from ....robot import Robot
from ....robot.arguments.state_names import SPATIAL
from ....robot.construction import load as load_robot
from ....text import plain, shortened
from ..columns import Field, Layout, assembled, fields
from .header import NotATrajectory

if TYPE_CHECKING:
    from ..trajectory import Trajectory


class Table(Protocol):
    """Columns of numbers by position."""

    names: Sequence[str]
    rows: int

    def columns(self, places: Sequence[int]) -> np.ndarray:
        """(rows, n) of the columns at these places."""
        ...


def trajectory(table: Table, of: Layout, about: Mapping[str, Any], path: Path) -> "Trajectory":
    """The trajectory in a table."""
    members = int(np.prod(of.batch))
    samples = about.get("samples", table.rows)
    if not table.rows or table.rows != samples * members:
        raise NotATrajectory(
            f"{path}: it has {table.rows} rows; {members} × {max(1, samples)} belong to the trajectory"
        )
    found = {}
    for field, places in _places(table, of, path):
        found[field.name] = table.columns(places).reshape(*of.batch, samples, *field.tail)
    if of.batch:
        _require_whole(found.pop("batch"), found["time"], path)
        found["time"] = found["time"][(0,) * len(of.batch)]
    if "contact_frictions" in found:
        first = found["contact_frictions"][..., 0, :]
        one = first[(0,) * len(of.batch)]
        found["contact_frictions"] = first if about.get("each_friction", (first != one).any()) else one
    return assembled(of, found, about)


def of_a_log(table: Table, robot: Robot | str | Path | None, path: Path) -> "Trajectory":
    """The trajectory in a table that nobody has called one: a log, or what `to_pandas` gives."""
    if robot is None:
        raise NotATrajectory(f"{path}: it does not say whose trajectory it is; Trajectory.load(path, robot=…)")
    found = robot if isinstance(robot, Robot) else load_robot(robot)
    batch = _members(table, path) if "batch" in table.names else ()
    of = Layout(found, batch, _contacts(table), _frames(table, found, path), bool(_after(table, "contact_moment_")))
    return trajectory(table, of, {"samples": table.rows // int(np.prod(batch))}, path)


# -- what a table without a header holds, by the names of its columns ---------------------------


def _after(table: Table, word: str) -> list[str]:
    """What follows a word in the names of columns."""
    return [name.removeprefix(word) for name in table.names if name.startswith(word)]


def _members(table: Table, path: Path) -> tuple[int, ...]:
    """The shape of a batch whose runs are numbered in the column `batch`."""
    last = table.columns([list(table.names).index("batch")]).max(initial=-1.0)
    count = int(last) + 1 if 0 <= last < table.rows else 0
    if not count or table.rows % count:
        raise NotATrajectory(
            f"{path}: its column batch numbers the runs, from 0, one below the other and with as many rows each; "
            f"the largest number is {last:g}, and there are {table.rows} rows"
        )
    return (count,)


def _contacts(table: Table) -> tuple[str, ...] | None:
    points = [point for word in ("gap", "state", "friction") for point in _after(table, f"contact_{word}_")]
    return tuple(dict.fromkeys(points)) if points or "contact_residual" in table.names else None


def _frames(table: Table, robot: Robot, path: Path) -> tuple[str, ...]:
    """Where external forces act; six columns for a frame that the robot does not have are a mistake."""
    known, parts = {plain(frame): frame for frame in robot.frame_names}, _after(table, "force_")
    named = [part.removesuffix("_x") for part in parts if part.endswith("_x")]
    for name in named:
        if name not in known and {f"{name}_{part}" for part in SPATIAL} <= set(parts):
            missing = unknown("frame", name, robot.name, known)
            raise NotATrajectory(f"{path}: columns force_{shortened(name)}_x … _rz: {missing}")
    return tuple(known[name] for name in named if name in known)


def _places(table: Table, of: Layout, path: Path) -> list[tuple[Field, list[int]]]:
    """Where the columns of each field are: in our own order, or wherever their names are."""
    wanted = fields(of)
    every = [name for field in wanted for name in field.columns]
    if list(table.names[: len(every)]) == every:
        at = iter(range(len(every)))
        return [(field, [next(at) for _ in field.columns]) for field in wanted]
    held = Counter(table.names)
    for name in every:
        if held[name] != 1:
            others = [other for other in table.names if other not in set(every)]
            missing = unknown("column", name, "the header", others)
            raise NotATrajectory(f"{path}: {f'two columns are called {shortened(name)}' if held[name] else missing}")
    place = {name: k for k, name in enumerate(table.names)}
    return [(field, [place[name] for name in field.columns]) for field in wanted]


def _require_whole(member: np.ndarray, time: np.ndarray, path: Path) -> None:
    """One run below the other, all with the same times."""
    flat, times = member.reshape(-1, member.shape[-1]), time.reshape(-1, time.shape[-1])
    if not ((flat == np.arange(len(flat))[:, None]).all() and (times == times[0]).all()):
        raise NotATrajectory(f"{path}: its rows are not one run of the batch below the other with the same times")
