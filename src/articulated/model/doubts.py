"""Inertias that are possible and unlikely: moving parts without mass, bodies far too hard to turn for their size."""

from collections.abc import Iterator, Sequence
from math import hypot

import numpy as np

from .links import Link
from .rotors import is_rotor
from .shapes import Box, Capsule, Cylinder, Ellipsoid, Shape, Sphere

#: radius of gyration over size: of an even bar it is below 0.6
UNLIKELY = 10
#: m; size of a link whose shapes do not say
USUAL = 1.0
#: of the robot's mass: links below are not looked at
SMALL = 0.01


def massless(links: Sequence[Link]) -> Iterator[str]:
    """Links on moving joints that have no mass, nor anything welded to them, though they are drawn or carry nothing.

    A link without shapes that carries others is an axis of a joint of several axes, and may be without mass.  A robot
    without any mass is a description of its kinematics.
    """
    moving: dict[str, str] = {}  # link → the link of its rigid part that the joint moves
    mass: dict[str, float] = {}
    drawn: set[str] = set()
    carrying: set[str] = set()
    for link in links:  # each comes after its parent
        own = link.name if link.joint.nv or link.parent is None else moving.get(link.parent, link.name)
        moving[link.name] = own
        mass[own] = mass.get(own, 0.0) + float(link.inertia.mass)
        if link.shapes:
            drawn.add(own)
        if own == link.name and link.parent is not None:
            carrying.add(moving.get(link.parent, ""))
    for link in links if any(mass.values()) else ():
        name, idle = link.name, not mass.get(link.name) and not link.joint.armature and not is_rotor(link)
        if link.joint.nv and idle and (name in drawn or name not in carrying):
            yield name


def oversized(links: Sequence[Link]) -> Iterator[tuple[Link, str]]:
    """Links whose rotational inertia does not suit their mass and shapes, and why; small parts excepted."""
    least = SMALL * sum(link.inertia.mass for link in links)
    for link in links:
        body, size = link.inertia, _size(link) if link.shapes else USUAL
        # about the frame, which is never less than about the center of mass, and at hand
        if body.mass > least and max(map(body.second.item, (0, 4, 8))) > size * size * body.mass:
            across = 2 * float(max(body.about_com.diagonal()) / body.mass) ** 0.5
            if across > 2 * UNLIKELY * size:
                yield link, f"{float(body.mass):.4g} kg with this inertia would be a body about {across:.2g} m across"


def _size(link: Link) -> float:
    """Largest distance from the frame of a link to its shapes."""
    radii = {shape: _radius(shape) for shape in link.shapes}
    return max(
        (r + float(np.linalg.norm(np.array(s.placement.p, float))) for s, r in radii.items() if r), default=USUAL
    )


def _radius(shape: Shape) -> float:
    """Radius of the ball around a solid; 0 for a mesh, which is not opened."""
    match shape:
        case Box():
            return float(np.linalg.norm(np.array(shape.size, float))) / 2
        case Ellipsoid():
            return max(map(float, shape.size)) / 2
        case Sphere():
            return float(shape.radius)
        case Cylinder() | Capsule():
            return hypot(
                float(shape.radius), float(shape.length) / 2 + float(shape.radius) * isinstance(shape, Capsule)
            )
    return 0.0
