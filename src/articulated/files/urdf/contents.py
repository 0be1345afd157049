"""The contents of a URDF link: its mass distribution, its <visual> and <collision> elements."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from ...algebra.scalars import eye
from ...algebra.spatial import IDENTITY, Inertia, rotate_symmetric
from ...model.parameters import inertia_defects, nearest_physical
from ...model.shapes import Mesh, Shape
from ..description import Findings
from ..writers import SOLIDS, solid
from ..xml import Element
from .parts import KNOWN, Reader, read_origin

DIAGONAL, OFF_DIAGONAL = ("ixx", "iyy", "izz"), ("ixy", "ixz", "iyz")


def read_inertial(reader: Reader, link: Element) -> Inertia:
    """The mass distribution of a link; nothing if it has no <inertial>."""
    inertial = reader.child(link, "inertial")
    if inertial is None:
        return Inertia()
    reader.unknown_children(inertial)
    pose = read_origin(reader, inertial)
    mass_element, tensor = (_needed(reader, inertial, tag) for tag in ("mass", "inertia"))
    if mass_element is None or tensor is None:
        return Inertia()
    mass = reader.needed_number(mass_element, "value")
    if mass < 0:
        reader.add("URDF030", f"{mass_element}: the mass is negative", mass_element, str(mass))
        return Inertia()
    body = Inertia(mass, pose.p, _about_com(reader, tensor))
    if defects := inertia_defects(body):
        mended = nearest_physical(body)
        if reader.mend("URDF031", "; ".join(defects), inertial, _entries(body), _entries(mended)):
            body = mended
    turned = pose.R is not IDENTITY.R and (pose.R - eye(3)).any()
    return Inertia(body.mass, pose.p, rotate_symmetric(pose.R, body.about_com)) if turned else body


def _needed(reader: Reader, inertial: Element, tag: str) -> Element | None:
    """A child without which the link has no inertia; left out entirely only on request."""
    found = reader.child(inertial, tag)
    if found is None:
        reader.mend("URDF015", f"<inertial> has no <{tag}>", inertial, "<inertial>", "a link without inertia")
    return found


def _about_com(reader: Reader, tensor: Element) -> np.ndarray:
    xx, yy, zz = (reader.needed_number(tensor, name) for name in DIAGONAL)
    xy, xz, yz = (reader.number(tensor, name) for name in OFF_DIAGONAL)
    if absent := [name for name in OFF_DIAGONAL if name not in tensor.attributes]:
        text = f"<inertia> has no {', '.join(absent)}"
        reader.mend("URDF032", text, tensor, "absent", " ".join(f'{name}="0"' for name in absent))
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]], object)


def _entries(body: Inertia) -> str:
    tensor = body.about_com
    names = [(DIAGONAL[i], i, i) for i in range(3)] + [("ixy", 0, 1), ("ixz", 0, 2), ("iyz", 1, 2)]
    return " ".join(f"{name}={float(tensor[i, j]):.6g}" for name, i, j in names)


Color = tuple[float, float, float]  # red, green, blue, 0 to 1
Shapes = tuple[Shape, ...]
PURPOSES = {"visual": {}, "collision": {"visual": False, "collision": True}}


def read_shapes(reader: Reader, link: Element, colors: Mapping[str, Color]) -> Shapes:
    """Visual and collision shapes of a link; one that cannot be read is left out with a warning."""
    shapes = []
    for element in link.children:
        if element.tag not in PURPOSES:
            continue
        apart = Reader(Findings(reader.report.file, reader.report.rules), reader.owner)
        shape = _shape(apart, element, colors)
        # a bad shape must not stop the dynamics: its errors become one warning
        if errors := apart.report.errors():
            text = errors[0].text.removeprefix(f"{reader.owner}: ")
            reader.add("URDF060", f"<{element.tag}>: {text}", element)
        elif shape is not None:
            shapes.append(shape)
    return tuple(shapes)


def _shape(reader: Reader, element: Element, colors: Mapping[str, Color]) -> Shape | None:
    geometry = reader.child(element, "geometry", needed=True)
    if geometry is None:
        return None
    reader.unknown_children(geometry)
    solids = [child for child in geometry.children if child.tag in KNOWN["geometry"]]
    if len(solids) != 1:
        reader.add("URDF015", f"<geometry> holds {len(solids)} shapes, not one", geometry)
        return None
    one = solids[0]
    placed: dict[str, Any] = {"placement": read_origin(reader, element), **PURPOSES[element.tag]}
    if element.tag == "visual":
        placed["color"] = _color(reader, element, colors)
    if one.tag == "mesh":
        scale = reader.numbers(one, "scale", (1.0, 1.0, 1.0))
        return Mesh(reader.attribute(one, "filename"), scale, **placed)
    if one.tag == "box":
        reader.attribute(one, "size")
        sizes = reader.numbers(one, "size", (0.0, 0.0, 0.0))
    else:
        sizes = tuple(reader.needed_number(one, name) for name in ("radius", "length")[: SOLIDS[one.tag][1]])
    if any(size < 0 for size in sizes):
        reader.add("URDF025", f"{one}: a size is negative", one)
    return solid(one.tag, sizes, placed)


def _color(reader: Reader, visual: Element, colors: Mapping[str, Color]) -> Color | None:
    """The color of a <visual>: its own, or that of the material it names."""
    for material in visual.all("material"):
        return _own_color(reader, material) or colors.get(material.attributes.get("name", ""))
    return None


def _own_color(reader: Reader, material: Element) -> Color | None:
    for color in material.all("color"):
        red, green, blue, _ = reader.numbers(color, "rgba", (0.5, 0.5, 0.5, 1.0))
        return red, green, blue
    return None


def read_colors(robot: Element, report: Findings) -> dict[str, Color]:
    """Every named material with a color; the first definition of a name counts."""
    colors: dict[str, Color] = {}
    reader = Reader(Findings(report.file, report.rules))  # its findings come again with the shapes
    for material in robot.walk():
        if material.tag == "material" and (color := _own_color(reader, material)):
            colors.setdefault(material.attributes.get("name", ""), color)
    return colors
