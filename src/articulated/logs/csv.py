"""CSV: names of columns in the first line, numbers in the others; commas, semicolons, tabs or spaces between them.

Lines are read in chunks.  The numbers of a chunk come from pyarrow where it is installed (extra `data`) and the chunk
is plain; otherwise from Python, which also finds the line that is wrong.
"""

import csv
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from datetime import UTC, datetime
from functools import partial
from io import BufferedReader, BytesIO
from itertools import chain
from pathlib import Path
from typing import IO, Any

import numpy as np

from ..housekeeping import whole_file
from ..text import shortened
from .fields import Field, LogError
from .log import HEADER, Table, columns

CHUNK = 1 << 22  # bytes
#: rows that become text at a time
ROWS = 4096
SEPARATORS = (b",", b";", b"\t")
#: bytes of cells that pyarrow and Python read differently: quoted, 1_000, nan(1)
AMBIGUOUS = (b'"', b"_", b"(", b"\0")


class Csv(Table):
    """A CSV file; the header of a trajectory is the first cell of the column `trajectory`."""

    def __init__(self, path: Path, file: BufferedReader):
        super().__init__(path, file)
        #: lines that are not whole, whose numbers are NaN; None: such a line is an error
        self.damaged: list[int] | None = None
        self.line, first, head = 0, b"", b""
        while not first.strip() and (line := file.readline(CHUNK)):
            self.line += 1
            line = line.removeprefix(b"\xef\xbb\xbf")
            first, head = (b"", line.lstrip(b"#% ")) if line.startswith((b"#", b"%")) else (line, head)
        self.separator = max(SEPARATORS, key=(first or head).count)
        if self.separator not in (first or head):
            self.separator = b" "
        self.names: list[str] = []
        cells, named = (next((row for _, row in self._rows(self._plain(x), 0)), []) for x in (first, head))
        # names may stand in a comment above numbers
        above = len(cells) == len(named) and any(map(_is_number, cells)) and not any(map(_is_number, named))
        self.names, self.left = (named, first) if above or not cells else (cells, b"")
        self.line -= bool(self.left)
        self._check_names()
        self.chunks = self._chunks()
        self.first = next(self.chunks, b"")

    def _plain(self, lines: bytes) -> bytes:
        """Lines with commas between the columns, and without comments."""
        if b"#" in lines or b"%" in lines:
            lines = re.sub(rb"(?m)^[#%].*", b"", lines)
        if self.separator == b",":
            return lines
        lines = lines.replace(b",", b".")  # of decimals
        return (
            re.sub(rb"[ \t]+", b",", re.sub(rb"(?m)^[ \t]+|[ \t]+(?=\r?$)", b"", lines))
            if self.separator == b" "
            else lines.replace(self.separator, b",")
        )

    def _check_names(self) -> None:
        place, example = f"{self.path}:{max(self.line, 1)}", "as in q_elbow, q_wrist"
        if not any(name.strip() for name in self.names):
            raise LogError(f"{place}: the file is empty; a header names the columns, {example}")
        if all(map(_is_number, self.names)):
            raise LogError(f"{place}: the first line holds numbers; a header has to name the columns, {example}")

    @property
    def rows(self) -> int | None:
        """Lines, less that of the names; a pipe is not counted."""
        if not self.path.is_file():
            return None
        with open(self.path, "rb") as file:
            return max(0, sum(data.count(b"\n") for data in iter(partial(file.read, 1 << 20), b"")) - 1)

    def header(self) -> str | None:
        """The first cell of its column."""
        if HEADER not in self.names:
            return None
        return next((row[self.names.index(HEADER)] for _, row in self._rows(self.first, self.line)), None)

    def numbers(self, columns: Sequence[int], size: int) -> Iterator[np.ndarray]:
        """Blocks of at most `size` rows."""
        line = self.line
        for lines in chain([self.first], self.chunks):
            values = _by_pyarrow(lines, len(self.names), columns)
            if values is None:
                values = self._by_python(lines, line, columns)
            line += lines.count(b"\n")
            yield from (values[k : k + size] for k in range(0, len(values), size))

    def _chunks(self) -> Iterator[bytes]:
        """Whole lines, about CHUNK bytes of them."""
        left = self.left
        while data := self.file.read1(CHUNK):  # a pipe gives what it has
            lines, newline, left = (left + data).rpartition(b"\n")
            if not newline and len(left) > CHUNK:
                raise LogError(f"{self.path}: a line is longer than {CHUNK} bytes")
            if newline:
                yield self._plain(lines + newline)
        if left:
            yield self._plain(left)

    def _rows(self, lines: bytes, before: int) -> Iterator[tuple[int, list[str]]]:
        """Line number and cells, one for each column, of the lines that are not empty."""
        try:
            rows = csv.reader(lines.decode().split("\n"), strict=True)
        except UnicodeDecodeError:
            raise LogError(f"{self.path}: not a CSV file: not UTF-8 text") from None
        try:
            for count, row in enumerate(rows, 1):
                if rows.line_num != count:
                    raise csv.Error("a cell spans several lines")
                if row and len(row) != len(self.names or row):
                    if self.damaged is not None:
                        self.damaged.append(before + count)
                        yield before + count, ["nan"] * len(self.names)
                        continue
                    raise csv.Error(f"{len(row)} values, but the header has {len(self.names)}")
                if row:
                    yield before + count, row
        except csv.Error as problem:
            raise LogError(f"{self.path}:{before + rows.line_num}: {problem}") from None

    def _by_python(self, lines: bytes, before: int, columns: Sequence[int]) -> np.ndarray:
        number = _number if b"_" in lines or not lines.isascii() else float
        found = []
        for line, row in self._rows(lines, before):
            try:
                found.append([number(row[k]) for k in columns])
            except ValueError:
                if self.damaged is not None:
                    found.append([_number_or_date(row[k]) for k in columns])
                    self.damaged += [line] if np.isnan(found[-1]).any() else []
                    continue
                k = next(k for k in columns if not _is_number(row[k]))
                what = f"{row[k][:60]!r} in {shortened(self.names[k])}"
                raise LogError(f"{self.path}:{line}: {what} is not a number") from None
        return np.array(found).reshape(len(found), len(columns))


def _number(cell: str) -> float:
    """A number in ASCII: `float` would take 1_000 and the digits of other scripts."""
    if "_" in cell or not cell.isascii():
        raise ValueError(cell)
    return float(cell)


def _number_or_date(cell: str) -> float:
    """A number, seconds of an ISO 8601 date, or NaN."""
    if _is_number(cell):
        return _number(cell)
    try:
        when = datetime.fromisoformat(cell.strip())
    except ValueError:
        return np.nan
    return (when if when.tzinfo else when.replace(tzinfo=UTC)).timestamp()


def _is_number(cell: str) -> bool:
    try:
        _number(cell)
    except ValueError:
        return False
    return True


def _by_pyarrow(lines: bytes, width: int, columns: Sequence[int]) -> np.ndarray | None:
    """Numbers of plain lines; None of others, or without pyarrow."""
    if not columns or not lines.strip() or not lines.isascii() or any(mark in lines for mark in AMBIGUOUS):
        return None
    if lines.count(b"\r") != lines.count(b"\r\n"):
        return None
    try:
        from pyarrow import csv as arrow
    except ImportError:
        return None
    wanted = list(map(str, columns))
    try:
        table = arrow.read_csv(
            BytesIO(lines),
            arrow.ReadOptions(column_names=list(map(str, range(width))), block_size=CHUNK),
            arrow.ParseOptions(quote_char=False, newlines_in_values=False),
            arrow.ConvertOptions(
                include_columns=list(dict.fromkeys(wanted)), column_types=dict.fromkeys(wanted, "float64"),
                null_values=[], strings_can_be_null=False,
            ),
        )  # fmt: skip
    except (ValueError, TypeError):  # ArrowInvalid and its kin
        return None
    return np.column_stack([table.column(name).to_numpy() for name in wanted])


class _Writer:
    def __init__(self, file: IO[str], fields: Sequence[Field], header: str):
        self.file, self.fields = file, fields
        names = [name for field in fields for name in field.columns]
        csv.writer(file, lineterminator="\n").writerow([*names, HEADER] if header else names)
        self.end, self.ends = "\n", "\n"  # of the next line, and of all others
        if header:
            quoted = header.replace('"', '""')
            self.end, self.ends = f',"{quoted}"\n', ",\n"

    def write(self, block: Mapping[str, Any]) -> None:
        """One line per row, every number with as many digits as it needs to be read back."""
        table = columns(self.fields, block)
        for start in range(0, len(table[0]) if table else 0, ROWS):
            for row in zip(*(x[start : start + ROWS].tolist() for x in table), strict=True):
                self.file.write(",".join(map(repr, row)) + self.end)
                self.end = self.ends


@contextmanager
def write(path: Path | None, fields: Sequence[Field], header: str) -> Iterator[_Writer]:
    """A writer to a file or to stdout."""
    with nullcontext(sys.stdout) if path is None else whole_file(path) as file:
        yield _Writer(file, fields, header)
