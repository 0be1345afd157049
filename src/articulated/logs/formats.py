"""Formats of logs by the ending of the file."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from io import BufferedReader
from pathlib import Path
from typing import Any, NamedTuple

from ..errors import MissingExtra, unknown
from . import bags, csv, npz, parquet
from .fields import Field, LogError
from .log import Log, Writer


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
#: class of an open log and the extra it needs, by the ending: all formats, other tables, and bags
READERS: dict[str, tuple[Callable[[Path, BufferedReader], Log], str]] = {
    **{ending: (kind.read, kind.extra) for ending, kind in FORMATS.items()},
    **dict.fromkeys((".txt", ".tsv", ".dat"), (csv.Csv, "")),
    **dict.fromkeys(bags.ENDINGS, (bags.Bag, "ros")),
}


def format_of(path: Path, known: Iterable[str] = FORMATS) -> Format:
    """The format of a file by its ending."""
    ending = path.suffix.lower()
    if path.is_dir():
        raise LogError(f"{path}: is a folder, not a file")
    if ending not in FORMATS:
        raise LogError(f"{path}: {unknown('kind of file', ending, 'the list', known)}")
    return FORMATS[ending]


def reader(path: Path) -> Log:
    """The log in a file, or in the folder of a bag."""
    folder = path.is_dir() and bags.is_bag(path)
    ending = bags.ENDINGS[0] if folder else path.suffix.lower()
    if ending not in READERS or path.is_dir() != folder:
        format_of(path, READERS)  # says so
    read, extra = READERS[ending]
    file = open(path / "metadata.yaml" if folder else path, "rb")  # noqa: SIM115 (closed by the log)
    try:
        with _extra(extra):
            return read(path, file)
    except BaseException:
        file.close()
        raise


def writer(path: Path | None, fields: Sequence[Field], header: str = "") -> AbstractContextManager[Writer]:
    """A file that appears when everything is in it; None is CSV on stdout."""
    kind = FORMATS[".csv"] if path is None else format_of(path)
    with _extra(kind.extra):
        return kind.write(path, fields, header)


@contextmanager
def _extra(extra: str) -> Iterator[None]:
    try:
        yield
    except ImportError as problem:
        raise MissingExtra(f"such files need {problem.name}: pip install 'articulated[{extra}]'") from None
