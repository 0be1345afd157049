"""Robots from the catalogue, files, text, D-H tables, screws and Python; and back to files."""

import sys
import warnings
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from ..algebra.asked import flag
from ..algebra.scalars import Vector
from ..algebra.spatial import Inertia
from ..errors import ModelWarning, ShapeError
from ..files import catalogue
from ..files.description import FileError
from ..files.dh import DH, dh_links
from ..files.load import Reading, describe
from ..files.packages import PackageFolders, Packages
from ..files.screws import screw_links
from ..housekeeping import uncollected
from ..model import STANDARD_GRAVITY, Link
from ..model import build as build_model
from ..text import shortened
from .arguments import choose
from .robot import Robot

MODES = ("default", "strict", "repair")


def robots() -> list[str]:
    """Names of the built-in robots, each one good for `load`."""
    return catalogue.names()


def load(
    source: str | bytes | Path,
    floating_base: bool | None = None,
    *,
    on_error: Literal["default", "strict", "repair"] = "default",
    packages: Packages = (),
    srdf: str | Path | None = None,
    xacro: bool = False,
    xacro_args: Mapping[str, Any] | None = None,
) -> Robot:
    """A robot by catalogue name, by path to a .urdf, .xml (MJCF) or .toml file, or by name in `example-robot-data`.

    A text that begins with `<` is the description itself.  `floating_base=True` frees the root link; by default the
    robot stands as described.  `on_error="strict"` refuses warnings, too; `"repair"` mends what docs/files.md lists
    and reports each change with its old and new value.  A robot with warnings in its report says so once, by a
    `ModelWarning`.

    `packages` says where `package://` addresses of meshes lead: folders by the name of the package, or folders that
    hold packages; then the folders above the file and those in ROS_PACKAGE_PATH and AMENT_PREFIX_PATH are looked at.
    `robot.poses` come from `srdf`, or from the SRDF file beside a URDF.  `xacro=True`, or `xacro_args`, expands a
    .xacro file, which runs what it says.
    """
    choose("load", "on_error", on_error, MODES)
    if not isinstance(source, (str, bytes, Path)):
        raise ShapeError(f"load takes a source: a name, a path or a text; got {shortened(repr(source))}")
    if srdf is not None and not isinstance(srdf, (str, Path)):
        raise ShapeError(f"load: srdf is a path; got {shortened(repr(srdf))}")
    if xacro_args is not None and not isinstance(xacro_args, Mapping):
        raise ShapeError(f"load: xacro_args is a dict of values by name; got {shortened(repr(xacro_args))}")
    expanded = flag("load: xacro", xacro) or xacro_args is not None
    floating_base = floating_base is not None and flag("load: floating_base", floating_base)
    PackageFolders(packages)  # looked at, whether the file needs it or not
    with uncollected():
        described = describe(source, Reading(on_error == "repair", expanded, xacro_args or {}, packages, srdf))
        gravity = described.gravity or STANDARD_GRAVITY
        robot = Robot(build_model(described.links, gravity, described.name, described.report, described.poses))
    if on_error == "strict" and (doubts := [d for d in robot.report if d.severity == "warning"]):
        raise FileError(doubts)
    if robot.report.count("warning"):
        text = f"{shortened(robot.name)}: {robot.report.summary}; print(robot.report) lists them"
        warnings.warn(text, ModelWarning, stacklevel=2)
    return robot.floating() if floating_base else robot


def save(robot: Robot, path: str | Path) -> tuple[str, ...]:
    """Write a .urdf, .toml or .xml (MJCF) file, whole or not at all; returns what the format cannot say."""
    from ..files.save import write_file  # slow to import, and few write files

    if not isinstance(robot, Robot):
        raise ShapeError(f"save takes a robot first; got {shortened(repr(robot))}")
    if not isinstance(path, (str, Path)):
        raise ShapeError(f"save takes a path; got {shortened(repr(path))}")
    return write_file(robot.model, Path(path))


def build(links: Iterable[Link], gravity: Vector = STANDARD_GRAVITY, name: str = "robot") -> Robot:
    """A robot from links in any order; refuses what is not one tree."""
    _welcome_symbols()
    return Robot(build_model(links, gravity, name))


def from_dh(
    rows: Sequence[DH],
    convention: Literal["standard", "modified"] = "standard",
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
    form: Literal["body", "space"] = "body",
    gravity: Vector = STANDARD_GRAVITY,
    name: str = "robot",
) -> Robot:
    """A robot from home poses and screw axes (local product of exponentials); see `files/screws.py`."""
    _welcome_symbols()
    return build(screw_links(home, screws, inertias, parents, form), gravity, name)


def _welcome_symbols() -> None:
    """Where SymPy is in use already, its expressions are scalars like any other."""
    if "sympy" in sys.modules:
        from .. import symbolic  # noqa: F401
