"""Header of a trajectory file: the robot, the batch, the contacts; as JSON."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ....errors import ArticulatedError
from ....files.addresses import with_mesh_files, with_meshes_beside
from ....files.description import RULES as OF_FILES
from ....files.description import Findings
from ....files.packages import PackageFolders
from ....files.save import readable
from ....files.toml.reader import read_toml
from ....logs import LogError
from ....robot import Robot
from ....robot.construction import load as load_robot
from ....robot.construction import robot_of
from ....text import shortened
from ...scene import Scene
from ..checks import plain_joints
from ..columns import Layout, layout
from .scenes import scene_header, scene_of

if TYPE_CHECKING:
    from ..trajectory import Trajectory

#: relative difference of torques between two readings of one robot
SAME = 1e-9
SCHEMA = "articulated/trajectory/1"
KINDS = {"robot": str, "nq": int, "nv": int, "samples": int, "batch": list, "frames": list, "info": dict}


def header(run: "Trajectory", place: Path, short: bool = False) -> dict[str, Any]:
    """Header of a trajectory, the robot as TOML; if `short`, or TOML cannot say it, by name and torques to check it.

    Scenes are their parts.
    """
    of, robot = layout(run), run.robot
    scene = scene_header(robot, partial(described, place=place)) if isinstance(robot, Scene) else None
    description = "" if short or scene else described(robot, place)
    whose = {"scene": scene} if scene else {"description": description} if description else {"torques": torques(robot)}
    return {
        "schema": SCHEMA, "robot": robot.name, "nq": robot.nq, "nv": robot.nv,
        "samples": len(run), "batch": list(of.batch), "contacts": None if of.contacts is None else list(of.contacts),
        "each_friction": run.contact is not None and run.contact.frictions.ndim > 1, "frames": list(of.frames),
        **({"moments": True} if of.moments else {}),
        **({} if run.parameters is None else {"parameters": run.parameters.tolist()}),
        **({"resistances": plain_joints(run.joints)} if run.joints else {}),
        "info": dict(run.info), **({} if short else {"joints": robot.joint_names}), **whose,
    }  # fmt: skip


def checksum(about: Mapping[str, Any], found: Mapping[str, np.ndarray]) -> str:
    """Digest of a header and of the numbers of a table."""
    digest = hashlib.sha256(json.dumps({**about, "checksum": None}, sort_keys=True).encode())
    for name in sorted(found):
        digest.update(np.ascontiguousarray(found[name], float).tobytes())
    return digest.hexdigest()[:16]


def described(robot: Robot, place: Path) -> str:
    """The robot as the text of a TOML file at `place`; empty if there is none, as with joints of one's own."""
    try:
        return readable(with_meshes_beside(robot.model, place), ".toml").text
    except ArticulatedError:
        return ""


def torques(robot: Robot) -> list[float]:
    """Size and a sum of the torques in one state: they tell one robot from another of the same name."""
    v = np.linspace(0.5, 1.0, robot.nv)
    tau = robot.inverse_dynamics(robot.integrate(robot.neutral(), v), v, v)
    return [float(np.linalg.norm(tau)), float(tau @ v)]


def parsed(text: str, place: Path) -> dict[str, Any]:
    """A header as it was written."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict) or found.get("schema") != SCHEMA:
        raise LogError(f"{place}: not a trajectory of articulated: its header is not {SCHEMA}")
    for name, kind in KINDS.items():
        if not isinstance(found.get(name), kind):
            raise LogError(f"{place}: the header of the trajectory has no valid {name}")
    sizes = found["batch"]
    if not all(type(n) is int and 0 < n < 2**40 for n in sizes):
        raise LogError(f"{place}: invalid batch shape {shortened(sizes)}")
    lists = [found["frames"], found.get("joints", []), *([] if found.get("contacts") is None else [found["contacts"]])]
    if not all(isinstance(names, list) and all(isinstance(name, str) for name in names) for names in lists):
        raise LogError(f"{place}: the header of the trajectory holds names that are not text")
    return found


def laid_out(found: Mapping[str, Any], given: Robot | str | Path | None, place: Path) -> Layout:
    """The robot of a file, which must have its joints, and the shape of what the file holds."""
    robot = _robot(found, given, place)
    joints = found.get("joints", robot.joint_names)  # a CSV file has them in the names of its columns
    if (joints, found["nq"], found["nv"]) != (robot.joint_names, robot.nq, robot.nv):
        raise LogError(
            f"{place}: the trajectory is of {shortened(found['robot'])} with nq = {found['nq']}, nv = {found['nv']}, "
            f"joints {_listed(joints)}; {shortened(robot.name)} has nq = {robot.nq}, nv = {robot.nv}, "
            f"joints {_listed(robot.joint_names)}"
        )
    contacts = found.get("contacts")
    named = None if contacts is None else tuple(contacts)
    return Layout(robot, tuple(found["batch"]), named, tuple(found["frames"]), bool(found.get("moments")))


def _listed(names: list[str]) -> str:
    return ", ".join(map(shortened, names[:8])) + (", …" if len(names) > 8 else "") or "none"


def _robot(found: Mapping[str, Any], given: Robot | str | Path | None, place: Path) -> Robot:
    if isinstance(given, Robot):
        return given
    if given is not None:
        return _based(load_robot(given), found)
    if scene := found.get("scene"):
        return scene_of(scene, partial(_read, place=place), place)
    if description := found.get("description"):
        return _read(str(description), place)
    return _by_name(found, place)


def _read(description: str, place: Path) -> Robot:
    """The robot that a description says."""
    read = read_toml(description, f"{place} (its robot)")
    report = Findings(read.name, OF_FILES)
    links = with_mesh_files(read.links, place.parent, PackageFolders((), place), report)
    return robot_of(replace(read, links=links, report=(*read.report, *report.findings)))


def _by_name(found: Mapping[str, Any], place: Path) -> Robot:
    """The robot of this name, if it is the one that moved."""
    name, ask = found["robot"], "Trajectory.load(path, robot=…), or --robot, takes the robot, its name or its file"
    if "/" in name or "\\" in name or name.lstrip().startswith("<"):  # a file says no more than a name
        raise LogError(f"{place}: the robot is {shortened(name)}; {ask}")
    try:
        robot = _based(load_robot(name), found)
    except (ArticulatedError, OSError):
        raise LogError(f"{place}: no robot of the catalogue is called {shortened(name)!r}; {ask}") from None
    if not alike(found.get("torques"), torques(robot)):
        raise LogError(f"{place}: the robot differs from {shortened(name)} in the catalogue; {ask}")
    return robot


def alike(theirs: Any, ours: list[float]) -> bool:
    """Whether these are the `torques` of the same robot, up to rounding."""
    try:
        return bool(np.allclose(np.array(theirs, float), ours, rtol=0, atol=SAME * ours[0]))
    except (TypeError, ValueError):
        return False


def _based(robot: Robot, found: Mapping[str, Any]) -> Robot:
    """On a free base, if the trajectory has one and the description has not."""
    floats = found["nv"] == robot.nv + 6 and found["nq"] == robot.nq + 7
    return robot.floating() if floats else robot
