"""Screws to links: the product of exponentials, local (Pisa lecture) or spatial (Lynch and Park)."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..algebra.rotations import cross
from ..algebra.scalars import Array, array, exact_array
from ..algebra.spatial import Inertia, Transform
from ..errors import ModelError, ShapeError
from ..inputs.numbers import numbers
from ..joints import Helical, Joint, Prismatic, Revolute
from ..model import Link
from ..text import shortened
from .description import did_you_mean

TOLERANCE = 1e-6  # how far from length one a screw may be; it is then scaled to it
FORMS = ("body", "space")


def screw_links(
    home: Sequence[Transform | Sequence],
    screws: Sequence[Sequence],
    inertias: Sequence[Inertia | None],
    parents: Sequence[int | None] | None = None,
    form: str = "body",
) -> list[Link]:
    """One link per screw; a screw is the unit twist [linear; angular] of its joint.

    "body": home[i] is the pose of link i in its parent at q = 0, the screw is in the axes of
    link i, and its pose at q is home exp(screw q).  "space": home[i] is the pose in the world
    at q = 0 and the screw is in world coordinates.  `parents` are positions in these lists
    (from 0), None the world; without it the links form a chain.
    """
    n = len(_listed("screws", screws))
    if not n:
        raise ModelError("a robot needs at least one screw")
    for name, values in {"home": home, "inertias": inertias, "parents": parents}.items():
        if values is not None and len(_listed(name, values)) != n:
            raise ModelError(f"there are {n} screws and {len(values)} {name}; give one per screw")
    if not isinstance(form, str) or form not in FORMS:
        raise ModelError(f"no form {form!r}; it is 'body' or 'space'{did_you_mean(str(form), FORMS)}")
    above = [i - 1 if i else None for i in range(n)] if parents is None else _checked(parents)
    poses = [_pose(X, i) for i, X in enumerate(home)]
    what = "screws[{}], 6 components [linear; angular],"
    twists = [numbers(what.format(i), X, 6, error=ModelError) for i, X in enumerate(screws)]
    if form == "space":
        twists = [pose.motion_in(twist) for pose, twist in zip(poses, twists, strict=True)]
        poses = [X if p is None else poses[p].inverse() @ X for X, p in zip(poses, above, strict=True)]
    # several links on the world hang from one base, so that there is one root
    base = [] if above.count(None) == 1 else [Link("base")]
    root = base[0].name if base else None
    links = []
    for i, parent in enumerate(above):
        joint, center = _joint(twists[i], i)
        name, carrier = f"link{i + 1}", root if parent is None else f"link{parent + 1}"
        there, back = Transform(p=center), Transform(p=-center)
        inertia = inertias[i]
        own = Inertia() if inertia is None else inertia
        links.append(Link(name, carrier, joint, poses[i] @ there, own, tail=back))
    return base + links


def _joint(twist: Array, i: int) -> tuple[Joint, Array]:
    """The joint of a unit screw, and a point on its axis."""
    linear, angular = twist[:3], twist[3:]
    name = f"joint{i + 1}"
    if (length := _length(angular)) != 0:
        linear, angular = _scaled(linear, length, i), _scaled(angular, length, i)
        pitch = angular @ linear
        center = exact_array(cross(angular, linear), 1e-15)
        if pitch == 0 or (isinstance(pitch, float) and abs(pitch) < 1e-12):
            return Revolute(angular, name=name), center
        return Helical(angular, pitch, name=name), center
    if (length := _length(linear)) == 0:
        raise ModelError(f"screws[{i}] is zero; a joint moves along or about something")
    return Prismatic(_scaled(linear, length, i), name=name), array([0, 0, 0])


def _length(vector: Array) -> float:
    length = math.hypot(*map(float, vector))
    return 0.0 if length < 1e-12 else length


def _scaled(vector: Array, length: float, i: int) -> Array:
    if abs(length - 1) > TOLERANCE:
        raise ModelError(
            f"screws[{i}] has length {length:g}; a unit screw has an angular part of length 1, "
            "or none and a linear part of length 1 (order: [linear; angular])"
        )
    return vector / length if length != 1 else vector


def _pose(pose: Any, i: int) -> Transform:
    if isinstance(pose, Transform):
        return pose
    try:
        return Transform.from_matrix(pose)
    except (ModelError, ShapeError) as problem:
        raise ModelError(f"home[{i}] is a Transform or a 4×4 matrix: {problem}") from None


def _checked(parents: Sequence[int | None]) -> list[int | None]:
    n = len(parents)
    for i, parent in enumerate(parents):
        if parent is not None and not (isinstance(parent, (int, np.integer)) and 0 <= parent < n):
            raise ModelError(f"parents[{i}] is {parent!r}; it is a position from 0 to {n - 1}, or None for the world")
    return list(parents)


def _listed(name: str, values: Any) -> Any:
    if not isinstance(values, (list, tuple, np.ndarray)) or getattr(values, "ndim", 1) == 0:
        raise ModelError(f"{name} is a list with one entry per joint; got {shortened(repr(values))}")
    return values
