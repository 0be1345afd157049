"""The pieces of a URDF link or joint: attributes, numbers, origins, inertias."""

import difflib
from collections.abc import Sequence

import numpy as np

from ..parameters import inertia_defects
from ..rotations import quaternion, roll_pitch_yaw
from ..scalars import eye
from ..spatial import Inertia, Transform, rotate_symmetric
from .description import Report
from .numbers import HUGE, number, words
from .xml import Element

#: the children each element may have; those that only other programs read are in IGNORED
KNOWN: dict[str, set[str]] = {
    "robot": {"link", "joint", "material"},
    "link": {"inertial", "visual", "collision"},
    "joint": {"origin", "parent", "child", "axis", "limit", "dynamics", "mimic", "safety_controller", "calibration"},
    "inertial": {"origin", "mass", "inertia"},
    "visual": {"origin", "geometry", "material"},
    "geometry": {"box", "cylinder", "sphere", "capsule", "mesh"},
}
IGNORED = {
    "gazebo", "transmission", "ros2_control", "sensor", "mujoco", "drake", "contact", "verbose", "collision_checking",
    "self_filter", "surface", "isaac", "loop_joint", "group", "audio", "plugin", "motor", "selfCollide", "hardware",
}  # fmt: skip
OFF_DIAGONAL = ("ixy", "ixz", "iyz")


class Reader:
    """Reads attributes and children of elements, and reports under the name of their owner."""

    def __init__(self, report: Report, owner: str = ""):
        self.report, self.owner = report, owner

    def of(self, owner: str) -> "Reader":
        """The same reader for another link or joint."""
        return Reader(self.report, owner)

    def add(self, code: str, text: str, at: Element, value: str = "") -> None:
        """A finding about the owner."""
        self.report.add(code, text, at, self.owner, value)

    def attribute(self, element: Element, name: str) -> str:
        """An attribute that must be there; "" and a finding if it is not."""
        if name not in element.attributes:
            self.add("URDF014", f"<{element.tag}> has no {name}", element)
        return element.attributes.get(name, "")

    def child(self, element: Element, tag: str, needed: bool = False) -> Element | None:
        """The one child with this tag, or None."""
        found = element.all(tag)
        if len(found) > 1:
            self.add("URDF016", f"<{element.tag}> has <{tag}> in line {found[0].line} and again here", found[1])
        if not found and needed:
            self.add("URDF015", f"<{element.tag}> has no <{tag}>", element)
        return found[0] if found else None

    def numbers(self, element: Element, name: str, default: Sequence[float]) -> tuple[float, ...]:
        """As many numbers as the default has; the default, with a finding, if they cannot be read."""
        if name not in element.attributes:
            return tuple(default)
        text = element.attributes[name]
        label = f'<{element.tag} {name}="{text[:60]}">'
        parts = words(text) if len(default) > 1 else [text]
        try:
            values = tuple(number(part) for part in parts)
        except OverflowError as error:
            self.add("URDF012", f"{label}: {error}", element, text)
            return tuple(default)
        except ValueError as error:
            self.add("URDF009" if "$" in text else "URDF010", f"{label}: {error}", element, text)
            return tuple(default)
        if len(values) != len(default):
            self.add("URDF011", f"{label}: {len(default)} numbers expected, found {len(values)}", element, text)
            return tuple(default)
        if element.tag != "limit" and any(abs(value) > HUGE for value in values):
            self.add("URDF013", f"{label}: larger than {HUGE:g}", element, text)
        return values

    def number(self, element: Element, name: str, default: float = 0.0) -> float:
        """One number, or the default if the attribute is absent."""
        return self.numbers(element, name, (default,))[0]

    def needed_number(self, element: Element, name: str) -> float:
        """One number that must be there."""
        self.attribute(element, name)
        return self.number(element, name)

    def unknown_children(self, element: Element) -> None:
        """A finding for each kind of child that nobody reads."""
        for tag, first in {child.tag: child for child in reversed(element.children)}.items():
            if tag in KNOWN[element.tag] or tag in IGNORED or ":" in tag:
                continue
            close = difflib.get_close_matches(tag, KNOWN[element.tag], n=1, cutoff=0.75)
            hint = f"; did you mean <{close[0]}>?" if close else ""
            self.add("URDF061" if close else "URDF062", f"<{tag}> is not part of <{element.tag}>{hint}", first)


def read_origin(reader: Reader, element: Element) -> Transform:
    """The pose in <origin>; the identity if there is none."""
    origin = reader.child(element, "origin")
    if origin is None:
        return Transform()
    xyz = reader.numbers(origin, "xyz", (0.0, 0.0, 0.0))
    if "quat_xyzw" not in origin.attributes:
        rpy = reader.numbers(origin, "rpy", (0.0, 0.0, 0.0))
        return Transform(roll_pitch_yaw(*rpy) if any(rpy) else None, xyz)
    if "rpy" in origin.attributes:
        reader.add("URDF036", f"{origin} has rpy and quat_xyzw", origin)
    xyzw = reader.numbers(origin, "quat_xyzw", (0.0, 0.0, 0.0, 1.0))
    length = sum(x * x for x in xyzw) ** 0.5
    if length < 1e-6:
        reader.add("URDF037", f"{origin}: the quaternion is zero", origin)
        return Transform()
    if abs(length - 1) > 1e-3:
        reader.add("URDF028", f"{origin}: the quaternion has length {length:g}", origin)
    return Transform(quaternion(xyzw), xyz)


def read_inertial(reader: Reader, link: Element) -> Inertia:
    """The mass distribution of a link; nothing if it has no <inertial>."""
    inertial = reader.child(link, "inertial")
    if inertial is None:
        return Inertia()
    reader.unknown_children(inertial)
    pose = read_origin(reader, inertial)
    mass_element = reader.child(inertial, "mass", needed=True)
    tensor = reader.child(inertial, "inertia", needed=True)
    if mass_element is None or tensor is None:
        return Inertia()
    mass = reader.needed_number(mass_element, "value")
    if mass < 0:
        reader.add("URDF030", f"{mass_element}: the mass is negative", mass_element, str(mass))
        return Inertia()
    xx, yy, zz = (reader.needed_number(tensor, name) for name in ("ixx", "iyy", "izz"))
    xy, xz, yz = (reader.number(tensor, name) for name in OFF_DIAGONAL)
    if absent := [name for name in OFF_DIAGONAL if name not in tensor.attributes]:
        reader.add("URDF032", f"<inertia> has no {', '.join(absent)}", tensor)
    about_com = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]], object)
    inertia = Inertia(mass, pose.p, about_com)
    if defects := inertia_defects(inertia):
        reader.add("URDF031", "; ".join(defects), inertial)
    turned = (pose.R - eye(3)).any()
    return Inertia(mass, pose.p, rotate_symmetric(pose.R, about_com)) if turned else inertia
