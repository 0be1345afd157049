"""CSV read by pyarrow (extra `data`): the same numbers as csv.py, many times as fast.

Only what both read alike is taken: plain lines of numbers.  Whatever is not, a quote, a cell pyarrow refuses, goes to
csv.py, which reads it or says which line is wrong.
"""

from collections.abc import Iterator, Sequence
from io import BytesIO
from pathlib import Path
from typing import IO, Any, NamedTuple

import numpy as np

CHUNK = 1 << 22  # bytes
#: cells that only one of the two takes for a number: quoted, 1_000, nan(1)
APART = (b'"', b"_", b"(", b"\0")


class Reached(NamedTuple):
    """How far the fast reader came: bytes and lines of the file."""

    offset: int
    lines: int


class Fast:
    """The numbers of the first lines of a file, as long as they are plain; then `reached` says where to go on."""

    def __init__(self, path: Path, header: Sequence[str], columns: Sequence[int]):
        self.path, self.columns, self.width = path, columns, len(header)
        self.reached = Reached(0, 0)
        self.file: IO[bytes] = open(path, "rb")  # noqa: SIM115 (closed by the log)

    def blocks(self, size: int) -> Iterator[np.ndarray]:
        """Arrays of at most `size` lines, one column for each that is asked for."""
        csv = _pyarrow_csv()
        if csv is None or not self.columns or not self._after_header():
            return
        self.file.seek(self.reached.offset)
        left = b""
        while data := self.file.read(CHUNK):
            lines, newline, left = (left + data).rpartition(b"\n")
            values = self._parsed(csv, lines + newline) if newline else None
            if values is None:
                return
            self._advance(lines + newline)
            yield from (values[k : k + size] for k in range(0, len(values), size))
        if left and (values := self._parsed(csv, left)) is not None:  # the last line may end without one
            self._advance(left)
            yield from (values[k : k + size] for k in range(0, len(values), size))

    def _after_header(self) -> bool:
        first = self.file.readline(CHUNK)
        self.reached = Reached(len(first), 1)
        return first.endswith(b"\n") and b'"' not in first and b"\r" not in first[:-2]

    def _advance(self, lines: bytes) -> None:
        offset, count = self.reached
        self.reached = Reached(offset + len(lines), count + lines.count(b"\n"))

    def _parsed(self, csv: Any, lines: bytes) -> np.ndarray | None:
        """None if the lines are not plain, or hold what is no number."""
        if not lines.isascii() or any(mark in lines for mark in APART) or lines.count(b"\r") != lines.count(b"\r\n"):
            return None
        if not lines.strip():
            return np.empty((0, len(self.columns)))
        names = list(map(str, range(self.width)))
        wanted = [str(i) for i in self.columns]
        try:
            table = csv.read_csv(
                BytesIO(lines),
                csv.ReadOptions(column_names=names, block_size=CHUNK),
                csv.ParseOptions(quote_char=False, newlines_in_values=False),
                csv.ConvertOptions(
                    include_columns=list(dict.fromkeys(wanted)), column_types=dict.fromkeys(wanted, "float64"),
                    null_values=[], strings_can_be_null=False,
                ),
            )  # fmt: skip
        except (ValueError, TypeError):  # ArrowInvalid and its kin
            return None
        return np.column_stack([table.column(name).to_numpy() for name in wanted])


def _pyarrow_csv() -> Any:
    try:
        from pyarrow import csv
    except ImportError:
        return None
    return csv
