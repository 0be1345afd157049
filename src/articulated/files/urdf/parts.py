"""The pieces of a URDF link or joint: attributes, numbers, origins, inertias."""

from collections.abc import Sequence
from functools import lru_cache
from math import cos, pi, sin

import numpy as np

from ...algebra.rotations import quaternion
from ...algebra.scalars import array, exact_array
from ...algebra.spatial import IDENTITY, Transform
from ...errors import closest
from ..description import Findings
from ..numbers import HUGE, number, plain_numbers, separated, words
from ..xml import Element

#: the children each element may have; those that only other programs read are in IGNORED
KNOWN: dict[str, set[str]] = {
    "robot": {"link", "joint", "material"},
    "link": {"inertial", "visual", "collision"},
    "joint": {"origin", "parent", "child", "axis", "limit", "dynamics", "mimic", "safety_controller", "calibration"},
    "inertial": {"origin", "mass", "inertia"},
    "visual": {"origin", "geometry", "material"},
    "geometry": {"box", "cylinder", "sphere", "capsule", "mesh"},
}
TURN = 2 * pi + 1e-2  # rad: a larger rpy is taken for degrees
IGNORED = {
    "gazebo", "transmission", "ros2_control", "sensor", "mujoco", "drake", "contact", "verbose", "collision_checking",
    "self_filter", "surface", "isaac", "loop_joint", "group", "audio", "plugin", "motor", "selfCollide", "hardware",
}  # fmt: skip


class Reader:
    """Reads attributes and children of elements, and reports under the name of their owner."""

    def __init__(self, report: Findings, owner: str = ""):
        self.report, self.owner = report, owner

    def of(self, owner: str) -> "Reader":
        """The same reader for another link or joint."""
        return Reader(self.report, owner)

    def add(self, code: str, text: str, at: Element, value: str = "") -> None:
        """A finding about the owner."""
        self.report.add(code, text, at, self.owner, value)

    def mend(self, code: str, text: str, at: Element, old: object, new: object) -> bool:
        """True if a finding about the owner is repaired; see `Findings.mend`."""
        return self.report.mend(code, text, at, self.owner, old, new)

    def attribute(self, element: Element, name: str) -> str:
        """An attribute that must be there; "" and a finding if it is not."""
        if name not in element.attributes:
            self.add("URDF014", f"<{element.tag}> has no {name}", element)
        return element.attributes.get(name, "")

    def child(self, element: Element, tag: str, needed: bool = False) -> Element | None:
        """The one child with this tag, or None."""
        found = [child for child in element.children if child.tag == tag]
        if len(found) > 1:
            text = f"<{element.tag}> has <{tag}> in line {found[0].line} and again here"
            self.mend("URDF016", text, found[1], f"{len(found)} times <{tag}>", f"the one in line {found[0].line}")
        if not found and needed:
            self.add("URDF015", f"<{element.tag}> has no <{tag}>", element)
        return found[0] if found else None

    def numbers(self, element: Element, name: str, default: Sequence[float]) -> tuple[float, ...]:
        """As many numbers as the default has; the default, with a finding, if they cannot be read."""
        text = element.attributes.get(name)
        if text is None:
            return tuple(default)
        if (plain := plain_numbers(text)) and len(plain) == len(default):
            return plain
        label = f'<{element.tag} {name}="{text[:60]}">'
        parts = words(text) if len(default) > 1 else [text]
        try:
            values = tuple(number(part) for part in parts)
        except OverflowError as error:
            self.add("URDF012", f"{label}: {error}", element, text)
            return tuple(default)
        except ValueError as error:
            return self._with_commas(element, name, text, default, f"{label}: {error}")
        if len(values) != len(default):
            self.add("URDF011", f"{label}: {len(default)} numbers expected, found {len(values)}", element, text)
            return tuple(default)
        if element.tag != "limit" and any(abs(value) > HUGE for value in values):
            self.add("URDF013", f"{label}: larger than {HUGE:g}", element, text)
        return values

    def _with_commas(
        self, element: Element, name: str, text: str, default: Sequence[float], problem: str
    ) -> tuple[float, ...]:
        """Numbers with commas between them, read on request only."""
        spaced = separated(text, len(default))
        if spaced and self.report.repairing:
            self.mend("URDF010", problem, element, text, spaced)
            return self.numbers(Element(element.tag, {name: spaced}, element.line, element.column, []), name, default)
        self.add("URDF009" if "$" in text else "URDF010", problem, element, text)
        return tuple(default)

    def number(self, element: Element, name: str, default: float = 0.0) -> float:
        """One number, or the default if the attribute is absent."""
        text = element.attributes.get(name)
        if text is None:
            return default
        plain = plain_numbers(text)
        return plain[0] if plain and len(plain) == 1 else self.numbers(element, name, (default,))[0]

    def needed_number(self, element: Element, name: str) -> float:
        """One number that must be there."""
        self.attribute(element, name)
        return self.number(element, name)

    def unknown_children(self, element: Element) -> None:
        """A finding for each kind of child that is not read."""
        known = KNOWN[element.tag]
        strange = [child for child in element.children if child.tag not in known]
        for tag, first in {child.tag: child for child in reversed(strange)}.items():
            if tag in IGNORED or ":" in tag:
                continue
            close = closest(tag, known, cutoff=0.75)
            hint = f"; did you mean <{close}>?" if close else ""
            self.add("URDF061" if close else "URDF062", f"<{tag}> is not part of <{element.tag}>{hint}", first)


def read_origin(reader: Reader, element: Element) -> Transform:
    """The pose in <origin>; the identity if there is none."""
    origin = reader.child(element, "origin")
    if origin is None:
        return IDENTITY
    xyz = reader.numbers(origin, "xyz", (0.0, 0.0, 0.0))
    if "quat_xyzw" not in origin.attributes:
        rpy = reader.numbers(origin, "rpy", (0.0, 0.0, 0.0))
        if not any(rpy) and not any(xyz):
            return IDENTITY
        if max(map(abs, rpy)) > TURN:
            reader.add("URDF055", f"{origin}: more than a turn", origin, origin.attributes["rpy"])
        return Transform.computed(_turned(*rpy) if any(rpy) else IDENTITY.R, array(xyz))
    if "rpy" in origin.attributes:
        reader.add("URDF036", f"{origin} has rpy and quat_xyzw", origin)
    xyzw = reader.numbers(origin, "quat_xyzw", (0.0, 0.0, 0.0, 1.0))
    length = sum(x * x for x in xyzw) ** 0.5
    if length < 1e-6:
        reader.add("URDF037", f"{origin}: the quaternion is zero", origin)
        return Transform()
    if abs(length - 1) > 1e-3:
        unit = " ".join(f"{x / length:.17g}" for x in xyzw)
        text = f"{origin}: the quaternion has length {length:g}"
        reader.mend("URDF028", text, origin, origin.attributes["quat_xyzw"], unit)
    return Transform(quaternion(xyzw), xyz)


@lru_cache(maxsize=4096)  # of a robot's joints many are turned alike, mostly by right angles
def _turned(roll: float, pitch: float, yaw: float) -> np.ndarray:
    """`roll_pitch_yaw` for floats, multiplied out; read-only, because equal rotations share it."""
    (sr, cr), (sp, cp), (sy, cy) = ((sin(x), cos(x)) for x in (roll, pitch, yaw))
    rows = [
        [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
        [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
        [-sp, cp * sr, cp * cr],
    ]
    turned = exact_array(np.array(rows, object), 1e-14)
    turned.flags.writeable = False
    return turned
