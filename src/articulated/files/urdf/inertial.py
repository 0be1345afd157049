"""The mass distribution of a URDF link."""

import numpy as np

from ...algebra.scalars import eye
from ...algebra.spatial import IDENTITY, Inertia, rotate_symmetric
from ...model.parameters import inertia_defects, nearest_physical
from ..xml import Element
from .parts import Reader, read_origin

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
