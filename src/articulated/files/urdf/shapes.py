"""The <visual> and <collision> elements of a URDF link.  Mesh files are named, never opened."""

from collections.abc import Mapping
from typing import Any

from ...model.shapes import Mesh, Shape
from ..description import Findings
from ..writers import SOLIDS, solid
from ..xml import Element
from .parts import KNOWN, Reader, read_origin

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
