"""Robots from the catalogue, files, text, D-H tables, screws and Python; and back to files."""

from __future__ import annotations  # help shows types as they are written here

import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from ..algebra.scalars import Vector
from ..algebra.spatial import Inertia
from ..errors import ReportWarning, ShapeError, warn
from ..files import catalogue
from ..files.description import Description, FileError
from ..files.dh import CONVENTIONS, DH, dh_links, remarks_on_degrees
from ..files.dh_assignment import Assigned, assigned
from ..files.load import Reading, describe
from ..files.packages import PackageFolders, Packages
from ..files.screws import screw_links
from ..housekeeping import uncollected
from ..inputs.choices import file_path, flag, robot_first
from ..model import STANDARD_GRAVITY, Link, Model
from ..model import build as build_model
from ..text import shortened
from .arguments.arrays import choose
from .numeric import numeric
from .robot import Robot

MODES = ("default", "strict", "repair")


def robots() -> list[str]:
    """Names of the built-in robots, for `load`.

    Returns
    -------
    a list of names

    Examples
    --------
    >>> "panda" in art.robots()
    True
    """
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

    A family name, as "talos", stands for one of its files; the report says which.  A text that begins with `<` is the
    description itself.  `floating_base=True` frees the root link; by default the
    robot stands as described.  `on_error="strict"` refuses warnings, too; `"repair"` fixes what docs/files.md lists
    and reports each change with its old and new value.  A robot with warnings in its report says so once, by a
    `ModelWarning`.

    `packages` says where `package://` addresses of meshes lead: folders by the name of the package, or folders that
    hold packages; then the folders above the file and those in ROS_PACKAGE_PATH and AMENT_PREFIX_PATH are searched.
    `robot.poses` and the pairs of links that may collide come from `srdf`, or from the SRDF file beside a URDF.
    `xacro=True`, or `xacro_args`, expands a .xacro file, which evaluates the expressions in it.

    Parameters
    ----------
    source : a name, a path, or the text of a description
    floating_base : True: the root link is free; None or False: as described
    on_error : "default", "strict" or "repair"
    packages : {name: folder}, or folders that hold packages
    srdf : path of the file with named poses
    xacro : True: a .xacro file is expanded
    xacro_args : values by name for <xacro:arg>

    Returns
    -------
    a Robot; `robot.report` has what was found

    Examples
    --------
    >>> art.load("panda")
    <Robot panda: 7 bodies, nq=7, nv=7>
    >>> art.load("quadruped", floating_base=True).nq
    19
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
        robot = robot_of(described)
    if on_error == "strict" and (doubts := [d for d in robot.report if d.severity == "warning"]):
        raise FileError(doubts)
    if robot.report.count("warning"):
        warn(ReportWarning(f"{shortened(robot.name)}: {robot.report.summary}"))
    return robot.floating() if floating_base else robot


def robot_of(described: Description) -> Robot:
    """The robot that a reader found."""
    gravity = described.gravity or STANDARD_GRAVITY
    more: dict[str, Any] = {name: getattr(described, name) for name in ("springs", "actuators", "allowed_collisions")}
    model = build_model(described.links, gravity, described.name, described.report, described.poses, **more)
    return _robot(model) if described.expressions else Robot(model)


def save(robot: Robot, path: str | Path) -> tuple[str, ...]:
    """Write a .urdf, .toml or .xml (MJCF) file, completely or not at all; returns what the format cannot express.

    Parameters
    ----------
    robot : a Robot
    path : of the file; its ending says the format

    Returns
    -------
    sentences about what is lost, none if nothing is

    Examples
    --------
    >>> import os, tempfile
    >>> art.save(art.load("2r"), os.path.join(tempfile.mkdtemp(), "arm.toml"))
    ()
    """
    from ..files.save import write_file  # slow to import, and few write files

    return (*write_file(robot_first("save", robot).model, file_path("save", path)), *robot.beside_model)


def build(links: Iterable[Link], gravity: Vector = STANDARD_GRAVITY, name: str = "robot") -> Robot:
    """A robot from links in any order; refuses anything but one tree.

    Parameters
    ----------
    links : art.Link(name, parent, joint, placement, inertia), in any order
    gravity : acceleration of free fall in the world, (3,): m/s²
    name : of the robot

    Returns
    -------
    a Robot

    Examples
    --------
    >>> arm = art.build([art.Link("arm", None, art.Revolute((0, 1, 0)), inertia=art.Inertia(2.0, (0.5, 0, 0)))])
    >>> arm.gravity_forces([0.0]).tolist()
    [-9.81]
    """
    _welcome_symbols()
    return _robot(build_model(links, gravity, name))


def from_dh(
    rows: Sequence[DH],
    convention: Literal["standard", "modified"] = "standard",
    links: Sequence[Inertia | None] | None = None,
    gravity: Vector = STANDARD_GRAVITY,
    name: str = "robot",
) -> Robot:
    """A robot from a Denavit-Hartenberg table; `links` are inertias in the D-H frame of each row.

    Parameters
    ----------
    rows : art.DH(theta, d, a, alpha, joint, name), or its four values: rad, m; the joint variable adds to theta
        or d (a whole number beyond a turn, such as 90, is remarked on by a ModelWarning); also as an array or a
        table of pandas or xarray, then by the names of its columns
    convention : "standard", or "modified" (Craig)
    links : an Inertia, in the D-H frame of its row, or None, per row
    gravity : acceleration of free fall in the world, (3,): m/s²
    name : of the robot

    Returns
    -------
    a Robot whose link frames are the D-H frames

    Notes
    -----
    Source: Denavit and Hartenberg 1955; Craig 2005 (modified).

    Examples
    --------
    >>> arm = art.from_dh([art.DH(a=0.5), art.DH(a=0.4)])
    >>> arm.pose([0, 0], "link2")[:3, 3].tolist()
    [0.9, 0.0, 0.0]
    """
    _welcome_symbols()
    robot = build(dh_links(rows, convention, links), gravity, name)
    for text in remarks_on_degrees(rows):
        warn(f"{shortened(robot.name)}: {text}")
    return robot


def dh_table(robot: Robot, convention: Literal["standard", "modified"] = "standard") -> Assigned:
    """Denavit-Hartenberg frames laid into any serial arm, at q = 0; the free choices are stated.

    Parameters
    ----------
    robot : a serial arm of revolute and prismatic joints
    convention : "standard", or "modified" (Craig)

    Returns
    -------
    rows (an art.DH each), base and tool (4, 4): base A_1 … A_n tool is the pose of the last link for every q; choices

    Notes
    -----
    Source: Denavit and Hartenberg 1955; Craig 2005 (modified).

    Examples
    --------
    >>> table = art.dh_table(art.load("ur5"))
    >>> [round(row.a, 3) for row in table.rows]
    [0.0, 0.425, 0.392, 0.0, 0.0, 0.0]
    """
    model = robot_first("dh_table", robot).model
    chosen = choose("dh_table", "convention", convention, CONVENTIONS)
    return numeric(model, assigned)(model=model, convention=chosen)


def from_screws(
    home: Sequence[Any],
    screws: Sequence[Sequence[Any]],
    inertias: Sequence[Inertia],
    parents: Sequence[int | None] | None = None,
    form: Literal["body", "space"] = "body",
    gravity: Vector = STANDARD_GRAVITY,
    name: str = "robot",
) -> Robot:
    """A robot from home poses and screw axes (local product of exponentials); see `files/screws.py`.

    Parameters
    ----------
    home : poses of the links at q = 0, Transforms or 4×4 matrices: in the parent ("body") or the world
        ("space")
    screws : unit screws (6,), [linear; angular], one per joint
    inertias : an Inertia per link, in its frame
    parents : of each link, its position in the list or None for the world; none: a chain
    form : "body" (the screw is in the axes of its link) or "space" (in the world)
    gravity : acceleration of free fall in the world, (3,): m/s²
    name : of the robot

    Returns
    -------
    a Robot

    Notes
    -----
    Source: Brockett 1984; Park, Bobrow, Ploen 1995.

    Examples
    --------
    >>> arm = art.from_screws([np.eye(4)], [[0, 0, 0, 0, 0, 1]], [art.Inertia(1.0)])
    >>> arm.joint_names
    ['joint1']
    """
    _welcome_symbols()
    return build(screw_links(home, screws, inertias, parents, form), gravity, name)


def _robot(model: Model) -> Robot:
    """A robot of SymPy's numbers, such as pi/2 and 1/3, computes with floats; closed forms keep the exact ones."""
    if "sympy" in sys.modules:
        from ..symbolic import in_numbers

        floats = in_numbers(model)
        if floats is not model:
            robot = Robot(floats)
            robot.exact = model
            return robot
    return Robot(model)


def _welcome_symbols() -> None:
    """SymPy, once it is in use: its expressions are scalars like any other."""
    if "sympy" in sys.modules:
        from .. import symbolic  # noqa: F401
