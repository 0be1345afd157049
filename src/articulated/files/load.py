"""Robots by name, path or text."""

import errno
import os
import stat
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from ..errors import ModelError, closest, unknown
from ..inputs.choices import file_path
from . import catalogue
from .addresses import with_mesh_files
from .description import RULES as OF_FILES
from .description import Description, Findings
from .formats import FORMATS, endings, of_file, of_text
from .packages import FAMILIES, PACKAGE, PackageFolders, Packages, installed
from .srdf import RULES as SRDF
from .srdf import beside, read_srdf
from .xacro import expand, refuse_unexpanded
from .xml import MAX_BYTES

IS_FOLDER = "is a folder, not a robot file; `articulated check FOLDER` looks at every file in it"


class Reading(NamedTuple):
    """Options of reading: what is repaired, and what else they may need."""

    repair: bool = False
    xacro: bool = False
    xacro_args: Mapping[str, Any] = {}
    packages: Packages = ()
    srdf: str | Path | None = None  # None: the one beside the URDF, if there is one


USUAL = Reading()


def describe(source: str | bytes | Path, how: Reading = USUAL) -> Description:
    """The content of a file or a text, before it becomes a tree."""
    if isinstance(source, bytes) or (isinstance(source, str) and of_text(source)):
        return read_text(source, repair=how.repair)
    if is_built_in(source):
        file = catalogue.path(str(source))
        return FORMATS["toml"].read(file.read_bytes(), file.name, repair=how.repair)
    path = find(source)
    try:
        described = read_file(path, how)
    except FileNotFoundError as problem:
        if problem.filename == str(path):
            hint = f"{problem.strerror}{_nearest_file(path)}"
            raise FileNotFoundError(problem.errno, hint, str(path)) from None
        raise
    if name := family(source):
        noted = Findings(str(path), OF_FILES)
        noted.add("FILE003", f"{str(source)!r} is {name!r} of {PACKAGE}")
        return replace(described, report=(*noted.findings, *described.report))
    return described


def family(source: str | Path) -> str | None:
    """The robot that a family name stands for, unless a file or a robot has this very name."""
    taken = str(source) not in FAMILIES or Path(source).exists()
    return None if taken else FAMILIES[str(source)]


def _nearest_file(path: Path) -> str:
    """Folder in which a missing file was looked for, and which file, or which robot, may be meant."""
    if path.stem in {*catalogue.names(), *installed()}:
        return f"; the robot {path.stem!r} loads without an ending"
    folder = Path(os.path.abspath(path)).parent
    if not folder.is_dir():
        return f"; there is no folder {folder}"
    there = sorted(file.name for file in folder.iterdir() if file.suffix.lower() in endings())
    if close := closest(path.name, there):
        return f" in {folder}; did you mean {close!r}?"
    shown = f"robot files there: {', '.join(there[:5])}" if there else "no robot file is there"
    return f"; looked in {folder}; {shown}"


def is_built_in(source: str | Path) -> bool:
    """True if it names a robot of the catalogue, not a file."""
    path = Path(source)
    a_file = path.suffix.lower() in endings() or path.is_file()
    return not a_file and str(source) in catalogue.names()


def find(source: str | Path) -> Path:
    """The file a name or a path stands for."""
    path = file_path("load", source)
    if path.suffix.lower() in endings() or path.is_file():
        return path
    if str(source) in catalogue.names():
        return Path(str(catalogue.path(str(source))))
    others = installed()
    if str(source) in others:
        return others[str(source)]
    if (name := family(source)) and name in others:
        return others[name]
    if path.exists():
        return path
    place = "the catalogue" if others else "the catalogue (pip install 'articulated[robots]' for more)"
    raise unknown("robot", str(source), place, [*catalogue.names(), *others])


def read_text(text: str | bytes, file: str = "", *, repair: bool = False) -> Description:
    """The robot in a text: of the format that recognizes it, or else URDF."""
    return (of_text(text) or FORMATS["urdf"]).read(text, file, repair=repair)


def read_file(path: Path, how: Reading = USUAL) -> Description:
    """The robot in a file, with the poses and allowed collisions of an SRDF file and the places of its meshes."""
    ending = path.suffix.lower()
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, IS_FOLDER, str(path))
    if ending not in endings():
        raise ModelError(f"{path}: no reader for {ending!r} files; there are readers for {', '.join(endings())}")
    packages = PackageFolders(how.packages, path)
    data = _bytes(path)
    if ending == ".xacro":
        data = expand(path, how.xacro_args, packages) if how.xacro else refuse_unexpanded(path)
    format = of_file(ending, data)
    assert format is not None  # its ending is known
    described = format.read(data, str(path), repair=how.repair, folder=path.parent)
    poses, allowed, found = described.poses, described.allowed_collisions, []
    if format.srdf and (srdf := Path(how.srdf) if how.srdf else beside(path)):
        report = Findings(str(srdf), SRDF)
        named, allowed = read_srdf(_bytes(srdf), report)
        poses, found = {**named, **poses}, report.findings
    report = Findings(str(path), OF_FILES)
    links = with_mesh_files(described.links, path.parent, packages, report)
    every = (*described.report, *found, *report.findings)
    return replace(described, links=links, poses=poses, allowed_collisions=allowed, report=every)


def _bytes(path: Path) -> bytes:
    """The content of a regular file, not much more than a reader accepts; a pipe would never end."""
    found = os.stat(path)
    mode = found.st_mode
    if not stat.S_ISREG(mode):
        raise ModelError(f"{path}: not a regular file")
    with open(path, "rb") as file:
        return file.read(min(found.st_size, MAX_BYTES) + 1)
