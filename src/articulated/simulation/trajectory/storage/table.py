"""Tables in and out: which column is which number, for CSV and Parquet alike."""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from ....errors import unknown
from ....robot import Robot
from ....robot.construction import load as load_robot
from ....text import shortened
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
        found["contact_frictions"] = first if about.get("each_friction") else first[(0,) * len(of.batch)]
    return assembled(of, found, about)


def of_a_log(table: Table, robot: Robot | str | Path | None, path: Path) -> "Trajectory":
    """The trajectory in a table that nobody has called one: a log with time, q, v, a and tau by joint."""
    if robot is None:
        raise NotATrajectory(f"{path}: it does not say whose trajectory it is; Trajectory.load(path, robot=…)")
    found = robot if isinstance(robot, Robot) else load_robot(robot)
    return trajectory(table, Layout(found, (), None, ()), {}, path)


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
