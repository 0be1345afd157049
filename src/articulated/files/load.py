"""A robot's description by name, path or text: where the file is, and which reader reads it."""

import errno
import os
import re
import stat
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from ..errors import ModelError, unknown
from . import catalogue
from .addresses import with_mesh_files
from .description import Description, Findings
from .mjcf.reader import read_mjcf
from .packages import PackageFolders, Packages
from .srdf import RULES as SRDF
from .srdf import beside, read_srdf
from .toml.reader import read_toml
from .urdf.reader import read_urdf
from .xacro import expand, refuse_unexpanded
from .xml import MAX_BYTES

#: file endings and who reads them; `.xml` may be either, `.xacro` becomes a URDF first
READERS: dict[str, Callable[..., Description]] = {
    ".urdf": read_urdf,
    ".xml": read_urdf,
    ".toml": read_toml,
    ".xacro": read_urdf,
}
IS_FOLDER = "is a folder, not a robot file; `articulated check FOLDER` looks at every file in it"
FIRST = re.compile(rb"<([A-Za-z_][\w.:-]*)")


class Reading(NamedTuple):
    """How files are read: what is repaired, and what else they may need."""

    repair: bool = False
    xacro: bool = False
    xacro_args: Mapping[str, Any] = {}
    packages: Packages = ()
    srdf: str | Path | None = None  # None: the one beside the URDF, if there is one


USUAL = Reading()


def describe(source: str | bytes | Path, how: Reading = USUAL) -> Description:
    """What a file or a text says, before it becomes a tree."""
    repair = how.repair
    start = source.lstrip()[:1] if isinstance(source, (str, bytes)) else ""
    if isinstance(source, bytes) or start == "<":
        return read_text(source, repair=repair)  # type: ignore[arg-type]
    if is_built_in(source):
        file = catalogue.path(str(source))
        return read_toml(file.read_bytes(), file.name, repair=repair)
    path = find(source)
    try:
        return read_file(path, how)
    except FileNotFoundError as problem:
        if problem.filename == str(path) and path.stem in {*catalogue.names(), *installed()}:
            hint = f"{problem.strerror}; the robot {path.stem!r} loads without an ending"
            raise FileNotFoundError(problem.errno, hint, str(path)) from None
        raise


def is_built_in(source: str | Path) -> bool:
    """Whether it names a robot of the catalogue, not a file."""
    path = Path(source)
    a_file = path.suffix.lower() in READERS or path.is_file()
    return not a_file and str(source) in catalogue.names()


def find(source: str | Path) -> Path:
    """The file a name or a path stands for."""
    path = Path(source)
    if path.suffix.lower() in READERS or path.is_file():
        return path
    if str(source) in catalogue.names():
        return Path(str(catalogue.path(str(source))))
    others = installed()
    if str(source) in others:
        return others[str(source)]
    if path.exists():
        return path
    place = "the catalogue" if others else "the catalogue (pip install 'articulated[robots]' for more)"
    raise unknown("robot", str(source), place, [*catalogue.names(), *others])


def installed() -> dict[str, Path]:
    """URDF files of the `example-robot-data` package, if it is installed, by their stem."""
    from importlib import metadata  # slow to import

    try:
        files = metadata.files("example-robot-data") or []
    except metadata.PackageNotFoundError:
        return {}
    urdfs = [f for f in files if f.suffix == ".urdf"]
    stems = [*catalogue.names(), *(f.stem for f in urdfs)]
    # where two packages use a stem, or one that is built in, the package is part of the name
    return {
        f.stem if stems.count(f.stem) == 1 else f"{_package(f.parts)}/{f.stem}": Path(str(f.locate())) for f in urdfs
    }


def _package(parts: Sequence[str]) -> str:
    """`anymal_b_simple_description` of …/robots/anymal_b_simple_description/…"""
    return parts[parts.index("robots") + 1] if "robots" in parts else parts[0]


def read_text(text: str | bytes, file: str = "", *, repair: bool = False) -> Description:
    """The robot in a text of XML: URDF, or MJCF if its first element is <mujoco>."""
    return (read_mjcf if _is_mjcf(text) else read_urdf)(text, file, repair=repair)


def read_file(path: Path, how: Reading = USUAL) -> Description:
    """The robot in a file, with the poses of an SRDF file and the places of its meshes."""
    packages = PackageFolders(how.packages, path)
    described = _read(path, how, packages)
    poses, found = described.poses, []
    if path.suffix.lower() != ".toml" and (srdf := Path(how.srdf) if how.srdf else beside(path)):
        report = Findings(str(srdf), SRDF)
        poses, found = {**read_srdf(_bytes(srdf), report), **poses}, report.findings
    links = with_mesh_files(described.links, path.parent, packages)
    return replace(described, links=links, poses=poses, report=(*described.report, *found))


def _read(path: Path, how: Reading, packages: PackageFolders) -> Description:
    repair = how.repair
    ending = path.suffix.lower()
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, IS_FOLDER, str(path))
    if ending not in READERS:
        raise ModelError(f"{path}: no reader for {ending!r} files; there are readers for {', '.join(READERS)}")
    data = _bytes(path)
    if ending == ".xacro":
        data = expand(path, how.xacro_args, packages) if how.xacro else refuse_unexpanded(path)
    if ending == ".xml" and _is_mjcf(data):
        return read_mjcf(data, str(path), repair=repair, folder=path.parent)
    return READERS[ending](data, str(path), repair=repair)


def _is_mjcf(text: str | bytes) -> bool:
    head = text[:65_536].encode(errors="replace") if isinstance(text, str) else text[:65_536]
    head = re.sub(rb"<!--.*?(-->|\Z)|<\?.*?(\?>|\Z)", b"", head, flags=re.DOTALL)
    first = FIRST.search(head)
    return first is not None and first[1] == b"mujoco"


def _bytes(path: Path) -> bytes:
    """The content of a regular file, not much more than a reader accepts; a pipe would never end."""
    found = os.stat(path)
    mode = found.st_mode
    if not stat.S_ISREG(mode):
        raise ModelError(f"{path}: not a regular file")
    with open(path, "rb") as file:
        return file.read(min(found.st_size, MAX_BYTES) + 1)
