"""CSV logs: a header with joint names, one state per line."""

import csv
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from io import TextIOWrapper
from itertools import islice
from operator import itemgetter
from pathlib import Path
from typing import IO, Any

import numpy as np

from ...files.numbers import NUMBER
from ...robot import Robot
from ...text import plain
from ..exit_codes import BadInput
from ..output import whole_file
from .arrow_csv import Fast
from .columns import component_names, match, time_column
from .formats import Block, Log

MARKS = {";": "semicolons", "\t": "tabs"}


def read(path: Path, robot: Robot, wanted: Sequence[str], size: int) -> Log:
    """Columns by joint name; see `columns`."""
    file = open(path, encoding="utf-8-sig", newline="")  # noqa: SIM115 (closed by the generator)
    try:
        rows = csv.reader(file, strict=True)
        header = next(rows, [])
        _check_header(header, f"{path}:1", component_names(robot, "q"))
        places = {name: found for name in wanted if (found := match(robot, name, header, f"{path}:1")) is not None}
        if (time := time_column(header, f"{path}:1")) is not None:
            places["time"] = [time]
    except UnicodeDecodeError:
        file.close()
        raise BadInput(f"{path}: not a CSV file: it is no text in UTF-8") from None
    except csv.Error as problem:
        file.close()
        raise BadInput(f"{path}:1: {problem}") from None
    except BaseException:
        file.close()
        raise
    holds = [name for name in places if name != "time"]
    blocks = _slow if not path.is_file() else _fast  # a pipe is read once
    named = _named(blocks(path, rows, header, places, size), places)
    return Log(holds, _count(path), named, time is not None, file.close, header)


def _count(path: Path) -> int | None:
    """How many states there seem to be, for the bar: lines, less the header; a pipe is not counted."""
    if not path.is_file():
        return None
    with open(path, "rb") as file:
        return max(0, sum(block.count(b"\n") for block in iter(lambda: file.read(1 << 20), b"")) - 1)


def _check_header(header: Sequence[str], place: str, joints: Sequence[str]) -> None:
    """Refuse a first line that is not names between commas."""
    example = ", ".join(f"q_{plain(joint)}" for joint in joints[:2]) or "time"
    if not any(cell.strip() for cell in header):
        raise BadInput(f"{place}: the file is empty; a header names the columns, as in {example}")
    if len(header) == 1 and (found := [word for mark, word in MARKS.items() if mark in header[0]]):
        raise BadInput(f"{place}: the columns are separated by {found[0]}; a log has commas, and points in its numbers")
    if all(NUMBER.fullmatch(cell.strip()) for cell in header):
        raise BadInput(f"{place}: the first line holds numbers; a header has to name the columns, as in {example}")


def _named(arrays: Iterator[np.ndarray], places: dict[str, list[int]]) -> Iterator[Block]:
    """Columns by what they are."""
    ends = np.cumsum([len(found) for found in places.values()])[:-1]
    for values in arrays:
        parts = np.split(values, ends, axis=1)
        yield {name: part[:, 0] if name == "time" else part for name, part in zip(places, parts, strict=True)}


def _fast(
    path: Path, rows: Any, header: Sequence[str], places: dict[str, list[int]], size: int
) -> Iterator[np.ndarray]:
    """Through pyarrow, as far as it goes; then line by line."""
    fast = Fast(path, header, [i for found in places.values() for i in found])
    with fast.file:
        yield from fast.blocks(size)
    if fast.reached.lines < 2:  # not a line of numbers: `rows` is where it was
        yield from _slow(path, rows, header, places, size)
        return
    with open(path, "rb") as rest:
        rest.seek(fast.reached.offset)
        text = TextIOWrapper(rest, encoding="utf-8", newline="")
        yield from _slow(path, csv.reader(text, strict=True), header, places, size, fast.reached.lines)


def _slow(
    path: Path, rows: Any, header: Sequence[str], places: dict[str, list[int]], size: int, line: int = 0
) -> Iterator[np.ndarray]:
    """Blocks of at most `size` states; numbers only where they are asked for.  `line` lines come before `rows`."""
    order = [i for found in places.values() for i in found]
    pick = itemgetter(*order) if len(order) > 1 else lambda row: tuple(row[i] for i in order)
    filled = (row for row in rows if row)
    while True:
        try:
            values = [_numbers(row, len(header), pick) for row in islice(filled, size)]
        except UnicodeDecodeError:
            raise BadInput(f"{path}: not a CSV file: it is no text in UTF-8") from None
        except (ValueError, csv.Error) as problem:
            raise BadInput(f"{path}:{line + rows.line_num}: {problem}") from None
        if not values:
            return
        yield np.array(values)


def _numbers(row: Sequence[str], width: int, pick: Callable[[Sequence[str]], tuple[str, ...]]) -> list[float]:
    if len(row) != width:
        raise ValueError(f"{len(row)} values, but the header has {width}")
    cells = pick(row)
    whole = "".join(cells)
    if "_" in whole or not whole.isascii():  # float would read 1_000 and the digits of other scripts as numbers
        raise ValueError(f"{next(cell for cell in cells if '_' in cell or not cell.isascii())[:60]!r} is not a number")
    return list(map(float, cells))


class _CsvWriter:
    def __init__(self, file: IO[str]):
        self.file = file

    def write(self, values: np.ndarray, time: np.ndarray | None) -> None:
        """One line per state, every number with as many digits as it needs to be read back."""
        flat = values.reshape(len(values), -1)
        rows = (flat if time is None else np.column_stack([time, flat])).tolist()
        self.file.write("".join([",".join(map(repr, row)) + "\n" for row in rows]))


@contextmanager
def write(path: Path | None, columns: Sequence[str], time: bool) -> Iterator[_CsvWriter]:
    """Results as columns, to a file or to stdout."""
    header = ["time", *columns] if time else list(columns)
    if path is None:
        csv.writer(sys.stdout, lineterminator="\n").writerow(header)
        yield _CsvWriter(sys.stdout)
        return
    with whole_file(path) as file:
        csv.writer(file, lineterminator="\n").writerow(header)
        yield _CsvWriter(file)
