"""Two small formats to write by hand: a list of [[link]] tables, or a list of [[dh]] rows.

name = "pendulum"
gravity = [0, 0, -9.81]
allowed_collisions = []       # pairs of links that have no distance: [["rod", "base"]]

[[link]]
name = "rod"
joint = "revolute"            # a name of JOINTS; without it the link is welded
axis = [0, 1, 0]
mass = 1.0
com = [0, 0, -0.5]
inertia = [0.083, 0.083, 0]   # or six: ixx ixy ixz iyy iyz izz; about the center of mass
shapes = [{capsule = [0.02, 1.0], xyz = [0, 0, -0.5]}]

[[spring]]                    # between two frames, or a frame and a point of the world; [[actuator]] likewise
ends = ["rod", [0.5, 0, 0]]
stiffness = 100
length = 0.2                  # without force
damping = 1

[symbols]                     # then any of these numbers may be an expression: mass = "m_1", com = [0, 0, "-l_1/2"]
positive = ["m_1", "l_1"]
real = ["d_1"]

[poses.home]                  # coordinates by joint; those that are not named are at zero
rod = "pi/2"
"""

import re
import tomllib
from typing import Any

from ...model import Link
from ...model.lines import LinearActuator, Spring
from ..description import Description, FileError, Findings, Pairs, Position
from ..dh import CONVENTIONS, DH, DH_JOINTS, dh_links, joint_variable, looks_like_degrees
from .parts import read_frames, read_inertia, read_joint, read_joint_data, read_line, read_pose, read_shapes
from .poses import read_poses
from .symbols import read_symbols
from .tables import RULES, Lines, Table

HEADER = re.compile(r"\s*\[\[\s*(\w+)\s*\]\]")
DEEPEST = 64  # parts of a dotted key; the parser takes the square of it
PART = r"(?:[A-Za-z0-9_-]+|\"[^\"\n]*\"|'[^'\n]*')"
DEEP_KEY = re.compile(rf"(?:^|[{{,\[])[ \t]*{PART}(?:[ \t]*\.[ \t]*{PART}){{{DEEPEST},}}", re.MULTILINE)


def read_toml(text: str | bytes, file: str = "", *, repair: bool = False) -> Description:
    """The robot in the text of a TOML file; `file` is only used to say where a finding is."""
    report = Findings(file, RULES, repairing=repair)
    values, lines = _parse(text, report)
    top = Table(values, "the robot", report, lines)
    top.symbols = read_symbols(top)
    name, gravity = top.text("name", "robot"), top.scalars("gravity", [3], ())
    convention = top.word("convention", "standard", CONVENTIONS)
    rows = {key: _tables(top, key) for key in ("link", "dh", "spring", "actuator")}
    poses, allowed = top.table("poses"), _allowed(top)
    top.finish()
    if bool(rows["link"]) == bool(rows["dh"]):
        found = "both [[link]] and [[dh]]" if rows["dh"] else "neither [[link]] nor [[dh]]"
        top.add("TOML007", f"the file has {found} tables")
    links = [_link(table) for table in rows["link"]] or _chain(rows["dh"], convention)
    states = read_poses(poses, links) if poses else {}
    known = {name for link in links for name in (link.name, *(frame for frame, _ in link.frames))}
    springs, actuators = (
        tuple(read_line(table, kind, known) for table in rows[key])
        for key, kind in (("spring", Spring), ("actuator", LinearActuator))
    )
    report.stop_on_errors()
    more: dict[str, Any] = {"springs": springs, "actuators": actuators, "allowed_collisions": allowed}
    return Description(links, name, tuple(report.findings), gravity or None, states, report.expressions, **more)


def _parse(text: str | bytes, report: Findings) -> tuple[dict, Lines]:
    try:
        text = text.decode("utf-8-sig") if isinstance(text, bytes) else text
        text.encode()  # a str may hold half a surrogate pair
        if found := DEEP_KEY.search(text):
            at = Position(text.count("\n", 0, found.start() + 1) + 1, 1)
            raise report.refuse("TOML010", f"a key of more than {DEEPEST} parts", at)
        return tomllib.loads(text), Lines(text)
    except UnicodeDecodeError as error:
        raise report.refuse("TOML001", f"not valid UTF-8 at byte {error.start}") from None
    except UnicodeEncodeError as error:
        line = str(text).count("\n", 0, error.start) + 1
        raise report.refuse("TOML001", f"character {error.start} is a lone surrogate", Position(line, 1)) from None
    except RecursionError:
        raise report.refuse("TOML001", "the values are nested too deeply") from None
    except FileError:
        raise
    except ValueError as error:  # TOMLDecodeError, and integers with too many digits
        place = re.search(r"line (\d+), column (\d+)", str(error))
        end = Position(len(str(text).splitlines()) or 1, 1)
        at = Position(int(place[1]), int(place[2])) if place else end
        raise report.refuse("TOML001", str(error), at) from None


def _allowed(top: Table) -> Pairs:
    """Pairs of links that may collide."""
    given = top.get("allowed_collisions") or []
    pairs = given if isinstance(given, list) else [given]
    if not all(isinstance(x, list) and len(x) == 2 and all(isinstance(y, str) for y in x) for x in pairs):
        top.add("TOML003", 'pairs of links are expected, [["a", "b"], …]', "allowed_collisions")
        return ()
    return pairs


def _tables(top: Table, key: str) -> list[Table]:
    """The [[key]] tables, each with its name and the line of its header."""
    headers = [i for i, line in enumerate(top.lines.all, start=1) if (m := HEADER.match(line)) and m[1] == key]
    tables = top.tables(key)
    for number, table in enumerate(tables, start=1):
        own = table.values.get("name")
        table.label = f"{key} {own!r}" if isinstance(own, str) and key == "link" else f"{key} {number}"
        table.line = headers[number - 1] if len(headers) == len(tables) else 1
    return tables


def _link(table: Table) -> Link:
    name = table.text("name", needed=True)
    parent = table.text("parent") or None
    link = Link(
        name,
        parent,
        read_joint(table, table.text("joint_name", name)),
        read_pose(table),
        read_inertia(table, name),
        read_shapes(table),
        read_frames(table),
    )
    table.finish()
    return link


def _chain(tables: list[Table], convention: str) -> list[Link]:
    """The links of a D-H table, with whatever else its rows say."""
    rows, inertias, extras = [], [], []
    for i, table in enumerate(tables, start=1):
        name, kind = table.text("name", f"link{i}"), table.word("joint", "revolute", list(DH_JOINTS))
        table.cell, table.variables = joint_variable(kind, i)
        theta, d, a, alpha = (table.scalar(key) for key in ("theta", "d", "a", "alpha"))
        for key, angle in (("theta", theta), ("alpha", alpha)):
            if not isinstance(table.get(key), str) and looks_like_degrees(angle):
                table.add("TOML012", f"{angle:g} rad", key)
        rows.append(DH(theta, d, a, alpha, kind, name))  # type: ignore[arg-type]
        inertias.append(read_inertia(table, name))
        joint = {"name": table.text("joint_name", f"joint{i}"), **read_joint_data(table, DH_JOINTS[kind]())}
        extras.append((joint, read_shapes(table), read_frames(table)))
        table.finish()
    chain = dh_links(rows, convention, inertias) if rows else []
    return [
        link.replace(joint=link.joint.replace(**joint), shapes=shapes, frames=frames)
        for link, (joint, shapes, frames) in zip(chain, extras, strict=True)
    ]
