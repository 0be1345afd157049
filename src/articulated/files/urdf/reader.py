"""URDF 1.0, 1.1 and 1.2 to links.  Nothing is repaired silently: read the report."""

from collections.abc import Mapping
from pathlib import PurePath

from ...algebra.spatial import IDENTITY, Inertia
from ...joints import Fixed
from ...model import Link
from ..description import Description, Findings
from ..xml import MAX_BYTES, Element, parse
from .contents import Shapes, read_colors, read_inertial, read_shapes
from .joints import Arc, read_joint, resolve_mimics
from .parts import Reader
from .rules import RULES
from .tree import find_root

VERSIONS = ("1.0", "1.1", "1.2")
MAX_LINKS = 200_000


def read_urdf(
    text: str | bytes,
    file: str = "",
    *,
    repair: bool = False,
    max_bytes: int = MAX_BYTES,
    max_links: int = MAX_LINKS,
) -> Description:
    """The robot in the text of a URDF file; `file` is only used to say where a finding is.

    The root link comes first, on a fixed joint to the world; the others follow in the order
    of the <joint> elements.  `repair` mends what `rules.REPAIRS` lists, and notes it with both values.
    """
    report = Findings(file, RULES, repairing=repair)
    robot = parse(text, report, max_bytes)
    _check_root(report, robot, text)
    reader = Reader(report)
    reader.unknown_children(robot)
    version = _version(report, robot)
    elements = _by_name(reader, robot, "link", "URDF020")
    if len(elements) > max_links:
        raise report.refuse("URDF004", f"{len(elements)} links, more than max_links={max_links}", robot)
    parts = _read_links(reader, robot, elements)
    arcs = [read_joint(reader, e, version) for e in _by_name(reader, robot, "joint", "URDF021").values()]
    arcs = resolve_mimics(reader, arcs)
    report.stop_on_errors()
    if not parts:
        raise report.refuse("URDF019", "the robot has no links", robot)
    root = find_root(report, elements, arcs)
    return Description(_connect(parts, root, arcs), _name(report, robot), tuple(report.findings))


def _connect(parts: Mapping[str, tuple[Inertia, Shapes]], root: str, arcs: list[Arc]) -> list[Link]:
    """The root, then the other links in the order of their joints."""
    rest = (Link(a.child, a.parent, a.joint, a.placement, *parts[a.child]) for a in arcs)
    return [Link(root, None, Fixed(), IDENTITY, *parts[root]), *rest]


def _check_root(report: Findings, robot: Element, text: str | bytes) -> None:
    if robot.tag != "robot":
        raise report.refuse("URDF008", f"the file describes a <{robot.tag[:60]}>, not a <robot>", robot)
    # without its zero bytes, UTF-16 reads like ASCII here
    mentioned = "xacro:" in text if isinstance(text, str) else b"xacro:" in text.replace(b"\0", b"")
    for element in robot.walk() if mentioned else ():
        if element.tag.startswith("xacro:"):
            raise report.refuse("URDF009", f"<{element.tag}>: this is a xacro file", element)


def _version(report: Findings, robot: Element) -> str:
    version = robot.attributes.get("version", "1.0")
    if version in VERSIONS:
        return version
    report.add("URDF017", f"URDF version {version[:60]!r} is not known", robot, value=version)
    return VERSIONS[-1]


def _name(report: Findings, robot: Element) -> str:
    if not robot.attributes.get("name"):
        report.add("URDF035", "the robot has no name", robot)
    return robot.attributes.get("name") or PurePath(report.file).stem or "robot"


def _by_name(reader: Reader, robot: Element, tag: str, repeated: str) -> dict[str, Element]:
    """The elements with this tag by name; empty, repeated and unexpanded names are findings."""
    named: dict[str, Element] = {}
    for element in robot.all(tag):
        name = element.attributes.get("name")
        if name is None:
            reader.add("URDF014", f"<{tag}> has no name", element)
        elif not name.strip():
            reader.add("URDF029", f"<{tag}> has an empty name", element)
        elif "${" in name or "$(" in name:
            reader.add("URDF009", f"<{tag}>: {name[:60]!r} is an expression that xacro should have replaced", element)
        elif name in named:
            reader.add(repeated, f"{tag} {name!r} was defined in line {named[name].line} already", element)
        else:
            named[name] = element
    return named


def _read_links(reader: Reader, robot: Element, elements: Mapping[str, Element]) -> dict[str, tuple[Inertia, Shapes]]:
    """Inertia and shapes of every link."""
    drawn = any(child.tag == "visual" for element in elements.values() for child in element.children)
    colors = read_colors(robot, reader.report) if drawn else {}
    parts = {}
    for name, element in elements.items():
        own = reader.of(f"link {name!r}")
        own.unknown_children(element)
        parts[name] = read_inertial(own, element), read_shapes(own, element, colors)
    return parts
