"""Rotors: they turn about their own axis of symmetry, and may be no real bodies without the one that carries them."""

from collections.abc import Iterator, Sequence

import numpy as np

from ..algebra.spatial import IDENTITY, Inertia, Transform
from .links import Link
from .parameters import inertia_defects, merge

SYMMETRIC = 1e-9  # relative to the inertia about the axis


def is_rotor(link: Link) -> bool:
    """Whether it follows another joint, and turning changes nothing but its spin: a motor as `add_motors` makes it."""
    joint = link.joint
    if joint.mimic is None or not joint.turns or link.tail is not IDENTITY:
        return False
    try:
        axis = np.array(joint.axis, np.float64)  # type: ignore[attr-defined]
        about, com = np.array(link.inertia.about_com, np.float64), np.array(link.inertia.com, np.float64)
    except TypeError:  # symbols
        return False
    along = axis @ about @ axis
    across = (np.trace(about) - along) / 2
    round_ = across * (np.eye(3) - np.outer(axis, axis)) + along * np.outer(axis, axis)
    real = link.inertia.mass >= 0 and along > 0 and across >= 0 and not com.any()
    return bool(real and abs(about - round_).max() <= SYMMETRIC * along)


def carried_defects(links: Sequence[Link], rotors: Sequence[Link]) -> Iterator[tuple[Link, list[str]]]:
    """Each rotor with what keeps its carrier and the rotors on it from being one real body; none on the world."""
    places: dict[str, tuple[str | None, Transform]] = {}  # link -> the moving link it is welded to, and where
    parts: dict[str | None, list[tuple[Transform, Inertia]]] = {}
    names = {k.name for k in rotors}
    for k in links:  # each comes before those it carries
        body, X = places[k.parent] if k.parent is not None else (None, IDENTITY)
        X = X @ k.placement
        if k.name in names:
            parts.setdefault(body, []).append((X, k.inertia))
        body, X = (k.name, IDENTITY) if k.joint.nv else (body, X @ k.tail)
        places[k.name] = body, X
        if k.name not in names:
            parts.setdefault(body, []).append((X, k.inertia))
    for k in rotors:
        body = places[k.parent][0] if k.parent is not None else None
        yield k, [] if body is None else inertia_defects(merge(parts[body]))
