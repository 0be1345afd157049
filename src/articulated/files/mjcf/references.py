"""Files that an MJCF file names: MuJoCo would open any path, and wait for a pipe for ever."""

import os
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path

from ..addresses import LARGEST
from ..description import Findings, Position

#: attributes that name files and folders, in whatever stands around them: no parser to agree with
FILE = re.compile(rb"(?<![\w.-])file\w*\s*=\s*(?:\"([^\"]*)\"|'([^']*)')")
FOLDER = re.compile(rb"(?<![\w.-])(?:asset|mesh|texture)dir\s*=\s*(?:\"([^\"]*)\"|'([^']*)')")
MOST_FOLDERS = 20
#: elements that read another MJCF file
NESTED = re.compile(rb"<(?:include|model)(?![\w.-])")


def named_files(text: str | bytes, folder: Path | None, report: Findings) -> list[bytes]:
    """The text and those it includes; an error for what is no regular file below `folder`, without one for any file."""
    main = text.encode(errors="replace") if isinstance(text, str) else text
    if folder is None:
        for found in FILE.finditer(main):
            raise report.refuse("MJCF007", f"it names the file {next(_names(found))!r}", _place(main, found))
        return [main]
    texts, folders = [(main, folder)], {""}
    seen: set[Path] = set()
    known: set[str] = set()
    while known != folders:  # a folder that a later text sets holds for all of them
        known = set(folders)
        for data, here in texts:
            folders |= {name for found in FOLDER.finditer(data) for name in _names(found)}
            if len(folders) > MOST_FOLDERS:
                raise report.refuse("MJCF004", f"more than {MOST_FOLDERS} folders of files", Position(1, 1))
            for found in FILE.finditer(data):
                for path in _candidates(_names(found), {folder, here}, folders) - seen:
                    if problem := _problem(path, folder):
                        at = _place(main, found) if data is main else Position(1, 1)
                        raise report.refuse("MJCF007", f"the file {str(path)!r} {problem}", at)
                    seen.add(path)
                    if NESTED.search(data):
                        texts.append((path.read_bytes(), path.parent))
    return [data for data, _ in texts if data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<")]


def _place(data: bytes, found: re.Match[bytes]) -> Position:
    return Position(data.count(b"\n", 0, found.start()) + 1, 1)


def _names(found: re.Match[bytes]) -> Iterator[str]:
    """A name as it is written, and as a parser may read it."""
    written = (found[1] or found[2] or b"").decode(errors="surrogateescape")
    yield from {written, unescape(written)}


def _candidates(names: Iterator[str], bases: set[Path], folders: set[str]) -> set[Path]:
    """The files that are there and may be meant; `strippath` of MuJoCo takes the last part of a name."""
    parts = {part for name in names for part in (name, Path(name).name)}
    every = {base / folder / part for base in bases for folder in folders for part in parts}
    return {path for path in every if "\0" not in str(path) and path.exists() and not path.is_dir()}


def _problem(path: Path, folder: Path) -> str:
    if not path.is_file():
        return "is not a regular file"
    if not Path(os.path.realpath(path)).is_relative_to(os.path.realpath(folder)):
        return f"lies outside {folder}"
    return f"has more than {LARGEST} bytes" if path.stat().st_size > LARGEST else ""
