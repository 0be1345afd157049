"""Parquet through pyarrow (extra `data`): the columns of a log, the header in the metadata of the file."""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ....errors import MissingExtra
from ....housekeeping import whole_file
from ....robot import Robot
from ..columns import columns
from .header import NotATrajectory, header, laid_out, parsed
from .table import of_a_log, trajectory

if TYPE_CHECKING:
    from ..trajectory import Trajectory

HEADER = b"articulated"


def _pyarrow() -> Any:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise MissingExtra("Parquet files need pyarrow: pip install 'articulated[data]'") from None
    return pyarrow


def write(run: "Trajectory", path: Path) -> None:
    """All or nothing."""
    pyarrow = _pyarrow()
    table = [(name, np.ascontiguousarray(x)) for name, x in columns(run)]
    schema = pyarrow.schema(
        [(name, pyarrow.from_numpy_dtype(x.dtype)) for name, x in table],
        metadata={HEADER: json.dumps(header(run)).encode()},
    )
    with (
        whole_file(path, "wb") as file,
        pyarrow.parquet.ParquetWriter(file, schema, write_page_checksum=True) as writer,
    ):
        writer.write_table(pyarrow.table([x for _, x in table], schema=schema))


class _Columns:
    def __init__(self, path: Path, source: Any):
        self.path, self.source = path, source
        self.names, self.rows = source.schema_arrow.names, source.metadata.num_rows

    @cached_property
    def table(self) -> Any:
        """Everything, read when the number of rows is known to be right."""
        with _reading(self.path):
            return self.source.read()

    def columns(self, places: Sequence[int]) -> np.ndarray:
        """Numbers of some columns."""
        pyarrow = _pyarrow()
        try:
            found = [self.table.column(k).cast("float64").to_numpy() for k in places]
        except (pyarrow.ArrowInvalid, pyarrow.ArrowNotImplementedError) as problem:
            raise NotATrajectory(f"{self.path}: {problem}") from None
        return np.column_stack(found) if found else np.empty((self.rows, 0))


@contextmanager
def _reading(path: Path) -> Iterator[None]:
    try:
        yield
    except (_pyarrow().ArrowException, OSError, ValueError) as problem:  # names may be no text
        raise NotATrajectory(f"{path}: not a whole Parquet file: {problem}") from None


def read(path: Path, robot: Robot | str | Path | None) -> "Trajectory":
    """The trajectory in a file, or in a log with the same columns."""
    pyarrow = _pyarrow()
    with open(path, "rb") as file:
        with _reading(path):
            found = _Columns(path, pyarrow.parquet.ParquetFile(file, page_checksum_verification=True))
            text = (found.source.schema_arrow.metadata or {}).get(HEADER)
        if text is None:
            return of_a_log(found, robot, path)
        about = parsed(text.decode("utf-8", "replace"), path)
        return trajectory(found, laid_out(about, robot, path), about, path)
