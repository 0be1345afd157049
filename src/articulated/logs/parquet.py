"""Parquet through pyarrow (extra `data`): a column per number."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from io import BufferedReader
from pathlib import Path
from typing import IO, Any

import numpy as np

from ..housekeeping import whole_file
from ..text import shortened
from .fields import Field, LogError
from .log import Table, Writer, columns

#: of the metadata of the file, which hold the header of a trajectory
METADATA = b"articulated"


class Parquet(Table):
    """A Parquet file."""

    def __init__(self, path: Path, file: BufferedReader):
        from pyarrow.parquet import ParquetFile

        super().__init__(path, file)
        with self._reading():
            # pre-buffering would keep every column chunk that was read until the end
            self.source = ParquetFile(file, pre_buffer=False, page_checksum_verification=True)
            self.schema = self.source.schema_arrow
            self.names = self.schema.names

    @property
    def rows(self) -> int:
        """Number of rows in the metadata of the file."""
        return int(self.source.metadata.num_rows)

    def header(self) -> str | None:
        """The text in the metadata."""
        found = (self.schema.metadata or {}).get(METADATA)
        return None if found is None else str(found, "utf-8", "replace")

    def numbers(self, columns: Sequence[int], size: int) -> Iterator[np.ndarray]:
        """A few columns of one row group at a time; a cell without a number is NaN."""
        self._require_numbers(columns)
        wanted = list(dict.fromkeys(self.names[k] for k in columns))
        held = [k for name in wanted for k, other in enumerate(self.names) if other == name]  # two may have one name
        with self._reading():
            for batch in self.source.iter_batches(batch_size=size, columns=wanted):
                values = np.empty((batch.num_rows, len(columns)))
                for j, k in enumerate(columns):
                    column = batch.column(held.index(k))
                    kind = "int64" if "timestamp" in str(column.type) else "float64"
                    values[:, j] = column.cast(kind).to_numpy(zero_copy_only=False)
                yield values

    def _require_numbers(self, columns: Sequence[int]) -> None:
        from pyarrow import types

        kinds = (types.is_floating, types.is_integer, types.is_decimal, types.is_null, types.is_timestamp)
        for field in map(self.schema.field, columns):
            if not any(kind(field.type) for kind in kinds):
                raise LogError(f"{self.path}: the column {shortened(field.name)!r} holds {field.type}, not numbers")

    @contextmanager
    def _reading(self) -> Iterator[None]:
        from pyarrow import ArrowException

        try:
            yield
        except (ArrowException, OSError, ValueError) as problem:  # names may be no text
            raise LogError(f"{self.path}: not a whole Parquet file: {problem}") from None


class _Writer:
    def __init__(self, file: IO[bytes], fields: Sequence[Field], header: str, stack: ExitStack):
        self.file, self.fields, self.stack = file, fields, stack
        self.names = [name for field in fields for name in field.columns]
        self.metadata = {METADATA: header.encode()} if header else None
        self.writer: Any = None

    def write(self, block: Mapping[str, Any]) -> None:
        """A row group."""
        import pyarrow
        from pyarrow.parquet import ParquetWriter

        arrays = [pyarrow.array(np.ascontiguousarray(x)) for x in columns(self.fields, block)]
        schema = pyarrow.schema([(name, x.type) for name, x in zip(self.names, arrays, strict=True)], self.metadata)
        if self.writer is None:
            # numbers that are measured hardly repeat: a dictionary of them is memory and time for nothing
            options: Any = {"use_dictionary": False, "write_page_checksum": True}
            self.writer = self.stack.enter_context(ParquetWriter(self.file, schema, **options))
        self.writer.write_table(pyarrow.table(arrays, schema=schema))


def write(path: Path, fields: Sequence[Field], header: str) -> AbstractContextManager[Writer]:
    """A writer, a row group for each block."""
    import pyarrow.parquet  # noqa: F401 (missing? before anything is written)

    return _writing(path, fields, header)


@contextmanager
def _writing(path: Path, fields: Sequence[Field], header: str) -> Iterator[_Writer]:
    with whole_file(path, "wb") as file, ExitStack() as stack:
        writer = _Writer(file, fields, header, stack)
        yield writer
        if writer.writer is None:
            writer.write({field.name: np.empty((0, *field.tail)) for field in fields})
