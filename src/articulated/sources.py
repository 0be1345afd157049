"""Where robots come from: the catalogue, files, D-H tables, screws, Python."""

import sys
from collections.abc import Iterable, Sequence
from importlib import metadata
from pathlib import Path
from typing import Any

from . import robots as catalogue
from .errors import ModelError, unknown
from .model import STANDARD_GRAVITY, Link
from .model import build as build_model
from .readers.description import Description
from .readers.dh import DH, dh_links
from .readers.screws import screw_links
from .readers.toml import read_toml
from .readers.urdf import read_urdf
from .robot import Robot
from .scalars import Vector
from .spatial import Inertia

#: file endings and who reads them
READERS = {".urdf": read_urdf, ".toml": read_toml}


def robots() -> list[str]:
    """Names of the built-in robots, each one good for `load`."""
    return catalogue.names()


def load(source: str | Path, floating_base: bool | None = None) -> Robot:
    """A robot by catalogue name, by path to a .urdf or .toml file, or by name in `example-robot-data`.

    `floating_base=True` frees the root link; by default the robot stands as described.
    """
    path = _find(source)
    described = _read(path)
    robot = Robot(build_model(described.links, described.gravity or STANDARD_GRAVITY, described.name, described.report))
    return robot.floating() if floating_base else robot


def build(links: Iterable[Link], gravity: Vector = STANDARD_GRAVITY, name: str = "robot") -> Robot:
    """A robot from links in any order; refuses what is not one tree."""
    _welcome_symbols()
    return Robot(build_model(links, gravity, name))


def from_dh(
    rows: Sequence[DH],
    convention: str = "standard",
    links: Sequence[Inertia | None] | None = None,
    gravity: Vector = STANDARD_GRAVITY,
    name: str = "robot",
) -> Robot:
    """A robot from a Denavit-Hartenberg table; `links` are inertias in the D-H frame of each row."""
    _welcome_symbols()
    return build(dh_links(rows, convention, links), gravity, name)


def from_screws(
    home: Sequence[Any],
    screws: Sequence[Sequence[Any]],
    inertias: Sequence[Inertia],
    parents: Sequence[int | None] | None = None,
    form: str = "body",
    gravity: Vector = STANDARD_GRAVITY,
    name: str = "robot",
) -> Robot:
    """A robot from home poses and screw axes (local product of exponentials); see `readers.screws`."""
    _welcome_symbols()
    return build(screw_links(home, screws, inertias, parents, form), gravity, name)


def _welcome_symbols() -> None:
    """Where SymPy is in use already, its expressions are scalars like any other."""
    if "sympy" in sys.modules:
        from . import symbolic  # noqa: F401


def _find(source: str | Path) -> Path:
    """The file a name or a path stands for."""
    path = Path(source)
    if path.suffix in READERS or path.is_file():
        return path
    if str(source) in catalogue.names():
        return catalogue.path(str(source))
    installed = _example_robots()
    if str(source) in installed:
        return installed[str(source)]
    raise unknown("robot", str(source), "the catalogue", [*catalogue.names(), *installed])


def _read(path: Path) -> Description:
    if path.suffix not in READERS:
        raise ModelError(f"{path}: no reader for {path.suffix!r} files; there are readers for {', '.join(READERS)}")
    return READERS[path.suffix](path.read_bytes(), str(path))


def _example_robots() -> dict[str, Path]:
    """URDF files of the `example-robot-data` package, if it is installed, by their stem."""
    try:
        files = metadata.files("example-robot-data") or []
    except metadata.PackageNotFoundError:
        return {}
    urdfs = [f for f in files if f.suffix == ".urdf"]
    stems = [f.stem for f in urdfs]
    # where two packages use a stem, the package is part of the name
    return {
        f.stem if stems.count(f.stem) == 1 else f"{_package(f.parts)}/{f.stem}": Path(str(f.locate())) for f in urdfs
    }


def _package(parts: Sequence[str]) -> str:
    """`anymal_b_simple_description` of …/robots/anymal_b_simple_description/…"""
    return parts[parts.index("robots") + 1] if "robots" in parts else parts[0]
