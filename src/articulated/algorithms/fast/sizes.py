"""Sizes of bodies and distances between them, which decide whether a rearrangement of numbers costs digits.

Seen from a distance d a body of size s has moments d²/s² times as large; what cancels among them loses that many
digits.
"""

from statistics import median

import numpy as np

from ...algebra.spatial import Inertia
from ...model import Body, Model

#: of the usual size of a body: a joint this far from the one before it is far away
_FAR = 10.0


def sizes(model: Model) -> dict[Body, float]:
    """Distance of the mass of each body from its origin, at least that of most bodies."""
    own = {b: _size(b.inertia) for b in model.bodies}
    usual = median([size for size in own.values() if size] or [0.0])
    return {b: max(size, usual) for b, size in own.items()}


def far_bodies(model: Model, far: float = _FAR) -> set[Body]:
    """Bodies whose joint is far from its parent's, in sizes of the smallest body."""
    smallest = min(sizes(model).values(), default=0.0)
    return {b for b in model.bodies if b.parent and _length(b.placement.p) > far * smallest}


def _size(inertia: Inertia) -> float:
    """Root of the mean square distance of its mass from the origin."""
    squared = sum(float(inertia.spread[k, k]) for k in range(3)) / float(inertia.mass) if inertia.mass else 0.0
    return squared**0.5 if squared > 0 else 0.0


def _length(p: np.ndarray) -> float:
    return float(np.linalg.norm(np.array(p, float)))
