"""Formats of logs by the ending of the file."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from io import BufferedReader
from pathlib import Path
from typing import Any, NamedTuple

from ..errors import MissingExtra, unknown
from . import csv, npz, parquet
from .log import Field, Log, LogError, Writer


class Format(NamedTuple):
    """A way to store a log.

    read: open log of a path and its open file
    write: writer for a path (None is stdout), fields and the text of a header
    arrays: whether fields may have axes of their own instead of rows
    extra: extra of articulated that it needs
    """

    read: Callable[[Path, BufferedReader], Log]
    write: Callable[[Any, Sequence[Field], str], AbstractContextManager[Writer]]
    arrays: bool = False
    extra: str = ""


FORMATS = {
    ".npz": Format(npz.Npz, npz.write, arrays=True),
    ".parquet": Format(parquet.Parquet, parquet.write, extra="data"),
    ".csv": Format(csv.Csv, csv.write),
}


def format_of(path: Path) -> Format:
    """The format of a file by its ending."""
    ending = path.suffix.lower()
    if path.is_dir():
        raise LogError(f"{path}: is a folder, not a file")
    if ending not in FORMATS:
        raise LogError(f"{path}: {unknown('kind of file', ending, 'the list', FORMATS)}")
    return FORMATS[ending]


def reader(path: Path) -> Log:
    """The log in a file."""
    kind = format_of(path)
    file = open(path, "rb")  # noqa: SIM115 (closed by the log)
    try:
        with _extra(kind):
            return kind.read(path, file)
    except BaseException:
        file.close()
        raise


def writer(path: Path | None, fields: Sequence[Field], header: str = "") -> AbstractContextManager[Writer]:
    """A file that appears when everything is in it; None is CSV on stdout."""
    kind = FORMATS[".csv"] if path is None else format_of(path)
    with _extra(kind):
        return kind.write(path, fields, header)


@contextmanager
def _extra(kind: Format) -> Iterator[None]:
    try:
        yield
    except ImportError as problem:
        raise MissingExtra(f"such files need {problem.name}: pip install 'articulated[{kind.extra}]'") from None
