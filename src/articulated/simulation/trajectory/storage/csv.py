"""CSV: the columns of a log; the last one, `trajectory`, holds the header in its first row."""

import csv
import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ....housekeeping import whole_file
from ....robot import Robot
from ..columns import columns
from .header import NotATrajectory, header, laid_out, parsed
from .table import of_a_log, trajectory

if TYPE_CHECKING:
    from ..trajectory import Trajectory

HEADER = "trajectory"
#: rows that become text at a time
BLOCK = 4096


def write(run: "Trajectory", path: Path) -> None:
    """Every number with as many digits as it takes to read it back."""
    about = json.dumps(header(run, short=True))  # people look at these cells
    table = columns(run)
    names, values = [name for name, _ in table], [x for _, x in table]
    with whole_file(path) as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow([*names, HEADER])
        for start in range(0, len(values[0]), BLOCK):
            block = zip(*(x[start : start + BLOCK].tolist() for x in values), strict=True)
            rows.writerows((*row, "" if start or k else about) for k, row in enumerate(block))


class _Rows:
    def __init__(self, path: Path, names: Sequence[str], cells: Sequence[Sequence[str]]):
        self.path, self.names, self.cells, self.rows = path, names, cells, len(cells)

    def columns(self, places: Sequence[int]) -> np.ndarray:
        """Numbers of some columns."""
        try:
            return np.array([[float(row[k]) for k in places] for row in self.cells]).reshape(self.rows, len(places))
        except ValueError:
            raise NotATrajectory(self._wrong(places)) from None

    def _wrong(self, places: Sequence[int]) -> str:
        for number, row in enumerate(self.cells):
            for k in places:
                try:
                    float(row[k])
                except ValueError:
                    return f"{self.path}:{number + 2}: {row[k][:60]!r} in {self.names[k]} is not a number"
        return f"{self.path}: a cell is not a number"


def read(path: Path, robot: Robot | str | Path | None) -> "Trajectory":
    """The trajectory in a file, or in a log with the same columns."""
    names, cells = _cells(path)
    table = _Rows(path, names, cells)
    if HEADER not in names or not cells:
        return of_a_log(table, robot, path)
    about = parsed(cells[0][names.index(HEADER)], path)
    of = laid_out(about, robot, path)
    return trajectory(table, of, about, path)


def _cells(path: Path) -> tuple[list[str], list[list[str]]]:
    try:
        with open(path, encoding="utf-8-sig", newline="") as file:
            rows = csv.reader(file, strict=True)
            names = next(rows, [])
            cells = [row for row in rows if row]
            short = next((k for k, row in enumerate(cells) if len(row) != len(names)), None)
    except UnicodeDecodeError:
        raise NotATrajectory(f"{path}: not a CSV file: it is no text in UTF-8") from None
    except csv.Error as problem:
        raise NotATrajectory(f"{path}: not a whole CSV file: {problem}") from None
    if not names:
        raise NotATrajectory(f"{path}: the file is empty")
    if short is not None:
        raise NotATrajectory(f"{path}:{short + 2}: {len(cells[short])} values, but the header has {len(names)}")
    return names, cells
