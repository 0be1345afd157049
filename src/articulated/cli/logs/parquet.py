"""Parquet logs through pyarrow (extra `data`): columns by joint name, as in CSV."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from ...robot import Robot
from ...text import shortened
from ..exit_codes import BadInput
from ..output import whole_file
from .columns import match, time_column
from .formats import Block, Log

READ_AHEAD = 1 << 18  # bytes of each column chunk


def _pyarrow() -> Any:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise BadInput("Parquet files need pyarrow: pip install 'articulated[data]'") from None
    # Arrow's own pool keeps what it has let go of, a sixth of what a long log takes
    pyarrow.set_memory_pool(pyarrow.system_memory_pool())
    return pyarrow


def read(path: Path, robot: Robot, wanted: Sequence[str], size: int) -> Log:
    """Columns by joint name; see `columns`."""
    pyarrow = _pyarrow()
    with open(path, "rb"):  # a missing file is the system's error, not Arrow's
        pass
    try:
        # pre-buffering would keep every column chunk that was read until the end
        file = pyarrow.parquet.ParquetFile(path, memory_map=False, pre_buffer=False, buffer_size=READ_AHEAD)
        header = file.schema_arrow.names
    except (pyarrow.ArrowException, OSError, ValueError) as problem:  # names may be no text
        raise BadInput(f"{path}: not a Parquet file: {problem}") from None
    places = {name: found for name in wanted if (found := match(robot, name, header, str(path))) is not None}
    if (time := time_column(header, str(path))) is not None:
        places["time"] = [time]
    for i in (i for found in places.values() for i in found):
        _require_numbers(path, file.schema_arrow.field(i))
    holds = [name for name in places if name != "time"]
    return Log(
        holds, file.metadata.num_rows, _blocks(path, file, header, places, size), time is not None, file.close, header
    )


def _require_numbers(path: Path, field: Any) -> None:
    """Texts and truth values are no numbers, as in CSV; a column of nothing is NaN."""
    types = _pyarrow().types
    kinds = (types.is_floating, types.is_integer, types.is_decimal, types.is_null)
    if not any(holds(field.type) for holds in kinds):
        raise BadInput(f"{path}: the column {shortened(field.name)!r} holds {field.type}, not numbers")


def _blocks(path: Path, file: Any, header: Sequence[str], places: dict[str, list[int]], size: int) -> Iterator[Block]:
    pyarrow = _pyarrow()
    names = list(dict.fromkeys(header[i] for found in places.values() for i in found))
    try:
        for batch in file.iter_batches(batch_size=size, columns=names):
            columns = {n: batch.column(n).cast("float64").to_numpy(zero_copy_only=False) for n in names}
            block = {k: np.column_stack([columns[header[i]] for i in found]) for k, found in places.items()}
            yield {name: part[:, 0] if name == "time" else part for name, part in block.items()}
    except (pyarrow.ArrowException, OSError, ValueError) as problem:
        raise BadInput(f"{path}: {problem}") from None


class _ParquetWriter:
    def __init__(self, writer: Any, schema: Any):
        self.writer, self.schema = writer, schema

    def write(self, values: np.ndarray, time: np.ndarray | None) -> None:
        """One row group per block."""
        flat = values.reshape(len(values), -1)
        columns = [np.ascontiguousarray(column) for column in flat.T]
        columns = columns if time is None else [time, *columns]
        self.writer.write_table(_pyarrow().table(columns, schema=self.schema))


@contextmanager
def write(path: Path, columns: Sequence[str], time: bool) -> Iterator[_ParquetWriter]:
    """Results as columns."""
    pyarrow = _pyarrow()
    names = ["time", *columns] if time else list(columns)
    schema = pyarrow.schema([(name, pyarrow.float64()) for name in names])
    # numbers that are measured hardly repeat: a dictionary of them is memory and time for nothing
    with (
        whole_file(path, "wb") as file,
        pyarrow.parquet.ParquetWriter(file, schema, use_dictionary=False) as writer,
    ):
        yield _ParquetWriter(writer, schema)
