"""Links for writers: link frames at their joints, named frames as massless links."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from math import atan2, cos, sin
from typing import Any, NamedTuple

import numpy as np

from ..algebra.spatial import Inertia, Transform
from ..errors import ModelError
from ..joints import JOINTS, Fixed, Joint
from ..model import Link, Model
from ..model.shapes import Box, Capsule, Cylinder, Ellipsoid, Shape, Sphere

#: shapes with sizes, by the word for them in every format, and how many sizes they have
SOLIDS: dict[str, tuple[type[Shape], int]] = {
    "box": (Box, 3), "sphere": (Sphere, 1), "cylinder": (Cylinder, 2), "capsule": (Capsule, 2),
    "ellipsoid": (Ellipsoid, 3),
}  # fmt: skip


class Written(NamedTuple):
    """Text of a file, and what the format cannot express."""

    text: str
    lost: tuple[str, ...]


#: a loss of a format: what of (a joint, a link, or nothing), its name, and the sentence
Loss = tuple[str, str, str]
NAMED = 3  # names of those that share a loss


def told(losses: Iterable[Loss]) -> tuple[str, ...]:
    """Losses as sentences, each once: `joint 'a': …`, or `7 joints, 'a', 'b', 'c' …: …`."""
    owners: dict[tuple[str, str], list[str]] = {}
    for what, name, text in losses:
        owners.setdefault((what, text), []).append(name)
    found = []
    for (what, text), names in owners.items():
        first = ", ".join(map(repr, names[:NAMED])) + (" …" if len(names) > NAMED else "")
        many = f"{len(names)} {what}s, {first}: " if len(names) > 1 else f"{what} {first}: "
        found.append(f"{many if what else ''}{text}")
    return tuple(found)


def without_tails(links: Iterable[Link], keep: Callable[[Link], bool] = lambda link: False) -> list[Link]:
    """The same robot without tails; a link whose joint turns about another point gets a massless one before it.

    Links for which `keep` holds stay as they are.
    """
    links = list(links)
    taken = {name for k in links for name in (k.name, *(frame for frame, _ in k.frames))}
    return [part for link in links for part in ([link] if keep(link) else _parts(link, taken))]


def solid(word: str, sizes: Sequence[float], placed: Mapping[str, Any]) -> Shape:
    """The shape of this word: edges of a box, axes of an ellipsoid, else radius and length."""
    kind: Any = SOLIDS[word][0]
    return kind(tuple(sizes), **placed) if SOLIDS[word][1] == 3 else kind(*sizes, **placed)


def word_and_sizes(shape: Any) -> tuple[str, tuple[float, ...]]:
    """The same the other way; no sizes for a mesh."""
    sizes = getattr(shape, "size", None) or [getattr(shape, x) for x in ("radius", "length") if hasattr(shape, x)]
    return type(shape).__name__.lower(), tuple(map(float, sizes))


def frames_as_links(links: Iterable[Link]) -> Iterator[Link]:
    """Every named frame as a link of its own, welded where it is."""
    for link in links:
        yield link.replace(frames=())
        for name, placement in link.frames:
            yield Link(name, link.name, Fixed(name=name), placement)


def lost_poses(model: Model, kind: str, elsewhere: str = "") -> list[Loss]:
    """Named poses and allowed collisions as losses of a format that has none."""
    lost = [f"poses {', '.join(model.poses)}"] if model.poses else []
    lost += ["allowed collisions"] if model.allowed_collisions else []
    return [("", "", f"{x}: {kind} has none{elsewhere}") for x in lost]


def _parts(link: Link, taken: set[str]) -> list[Link]:
    joint, tail = link.joint, link.tail
    R, p = numbers(tail.R, link.name), numbers(tail.p, link.name)
    if not p.any() and (np.eye(3) == R).all():
        return [link]
    joint = joint if joint.name else joint.named(link.name)
    if not joint.nv:
        return [link.replace(placement=link.placement @ tail, tail=Transform())]
    if joint.turns or joint.slides:
        axis = numbers(joint.axis, link.name)  # type: ignore[attr-defined]
        # a rotation about an axis through the new origin, or a translation, is the same joint seen from there
        if joint.slides or not np.cross(axis, p).any():
            seen = joint.replace(axis=R.T @ axis)
            return [link.replace(joint=seen, placement=link.placement @ tail, tail=Transform())]
    name = f"{link.name}_joint_side"
    while name in taken:
        name += "_"
    taken.add(name)
    moved = Link(name, link.parent, joint, link.placement)
    return [moved, link.replace(parent=name, joint=Fixed(name=f"{name}_to_link"), placement=tail, tail=Transform())]


def kind_in(format: str, joint: Joint, known: Collection[str]) -> str:
    """The word for a joint, refused if the format has none."""
    if joint.kind not in known:
        other = ": write a .toml file" if joint.kind in JOINTS else ""
        raise ModelError(f"joint {joint.name!r} is {joint.kind}; {format} has only {', '.join(known)}{other}")
    return joint.kind


def numbers(values: object, owner: str) -> np.ndarray:
    """Scalars as floats; a file cannot hold symbols."""
    try:
        return np.array(values, float)
    except TypeError:
        raise ModelError(f"link {owner!r} holds symbols; replace them by numbers before writing a file") from None


def roll_pitch_yaw_of(R: np.ndarray) -> tuple[float, float, float]:
    """Fixed-axis angles of a rotation; each one is found after the last was undone, so errors do not add up."""
    yaw = atan2(R[1, 0], R[0, 0])
    c, s = cos(yaw), sin(yaw)
    across = -s * R[0] + c * R[1]  # the second row of Rz(-yaw) R
    return atan2(-across[2], across[1]), atan2(-R[2, 0], c * R[0, 0] + s * R[1, 0]), yaw


def pose_numbers(X: Transform, owner: str) -> tuple[list[float], list[float]]:
    """xyz and rpy."""
    R, p = numbers(X.R, owner), numbers(X.p, owner)
    rpy = [0.0, 0.0, 0.0] if (np.eye(3) == R).all() else [x + 0.0 for x in roll_pitch_yaw_of(R)]
    return [x + 0.0 for x in p.tolist()], rpy


def row(values: Sequence[float]) -> str:
    """Numbers with spaces between them, with as many digits as they need to be read back."""
    return " ".join(repr(float(x)) for x in values)


def inertia_numbers(inertia: Inertia, owner: str) -> Mapping[str, float]:
    """mass, x y z of the center, ixx ixy ixz iyy iyz izz about it."""
    c, I = numbers(inertia.com, owner), numbers(inertia.about_com, owner)
    entries = {"ixx": I[0, 0], "ixy": I[0, 1], "ixz": I[0, 2], "iyy": I[1, 1], "iyz": I[1, 2], "izz": I[2, 2]}
    center = dict(zip("xyz", c.tolist(), strict=True))
    mass = float(numbers([inertia.mass], owner)[0])
    return {"mass": mass, **center, **{name: float(x) for name, x in entries.items()}}
