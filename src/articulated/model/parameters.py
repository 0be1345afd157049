"""The ten inertial parameters of a body, and whether a real body can have them.

Order, as in Pinocchio: m, m·c (3), then the rotational inertia about the frame's origin
Ixx, Ixy, Iyy, Ixz, Iyz, Izz.
"""

from __future__ import annotations  # help shows types as they are written here

from collections.abc import Sequence

import numpy as np

from ..algebra.scalars import Array, Scalar, Vector, array, zeros
from ..algebra.spatial import Inertia, Transform, point_second_moment
from ..inputs import numbers

LARGEST = 1e150  # beyond, the squares in a test may overflow

#: (row, column) of the six entries of the rotational inertia, in parameter order
SECOND_MOMENT_ENTRIES = ((0, 0), (0, 1), (1, 1), (0, 2), (1, 2), (2, 2))
#: names of the ten inertial parameters
PARAMETER_NAMES = ("m", "mx", "my", "mz", "Ixx", "Ixy", "Iyy", "Ixz", "Iyz", "Izz")


def to_parameters(inertia: Inertia) -> Array:
    """The ten parameters of a body."""
    return array([inertia.mass, *inertia.first, *(inertia.second[ij] for ij in SECOND_MOMENT_ENTRIES)])


def from_parameters(parameters: Vector) -> Inertia:
    """The body with these ten parameters."""
    return Inertia.from_moments(parameters[0], array(parameters[1:4]), symmetric(parameters[4:]))


def symmetric(entries: Vector) -> Array:
    """The rotational inertia with these six entries, in parameter order."""
    second = zeros(3, 3)
    for (i, j), value in zip(SECOND_MOMENT_ENTRIES, entries, strict=True):
        second[i, j] = second[j, i] = value
    return second


def about_point(mass: Scalar, com: Vector, inertia: Vector, point: Vector) -> Inertia:
    """A body whose rotational inertia is given about `point` instead of the center of mass.

    Parameters
    ----------
    mass : kg
    com : center of mass, (3,): m, in the frame of the body
    inertia : rotational inertia about `point`, (3, 3): kg m²
    point : (3,): m

    Returns
    -------
    an Inertia

    Notes
    -----
    Source: the parallel-axis theorem (Steiner).

    Examples
    --------
    >>> art.about_point(2.0, (1, 0, 0), [[1, 0, 0], [0, 3, 0], [0, 0, 3]], (0, 0, 0)).about_com.tolist()
    [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
    """
    mass, com = numbers.scalar("mass", mass), numbers.numbers("com", com, 3)
    offset = com - numbers.numbers("point", point, 3)
    return Inertia(mass, com, numbers.numbers("inertia", inertia, 3, 3) - point_second_moment(mass, offset))


def from_gyration(mass: Scalar, com: Vector, squared_radii: Vector) -> Inertia:
    """A body given by its squared radii of gyration about the axes of its frame (I = m k²).

    Parameters
    ----------
    mass : kg
    com : center of mass, (3,): m, in the frame of the body
    squared_radii : (3,): m², about the axes through the origin of the frame

    Returns
    -------
    an Inertia

    Examples
    --------
    >>> art.from_gyration(2.0, (0, 0, 0), (0.5, 0.5, 0.5)).about_com.tolist()
    [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
    """
    mass, squared_radii = numbers.scalar("mass", mass), numbers.numbers("squared_radii", squared_radii, 3)
    inertia = zeros(3, 3)
    for i in range(3):
        inertia[i, i] = mass * squared_radii[i]
    return about_point(mass, com, inertia, zeros(3))


def inertia_defects(inertia: Inertia, tolerance: float = 1e-9) -> list[str]:
    """Reasons why no real body has this inertia, one sentence each; empty for a physical one."""
    mass = inertia.mass
    if _clearly_physical(inertia):
        return []
    about_com = np.array(inertia.about_com, float)
    if mass == 0 and not about_com.any():
        return []
    defects = []
    if not (np.isfinite(mass) and np.isfinite(np.array(inertia.com, float)).all() and np.isfinite(about_com).all()):
        return ["it holds a number that is not finite"]
    if mass < 0:
        defects.append(f"its mass is negative ({mass:g} kg)")
    if mass == 0:
        defects.append("it has rotational inertia but no mass")
    size = abs(about_com).max()
    if abs(about_com - about_com.T).max() > tolerance * size:
        defects.append("its rotational inertia is not symmetric")
        return defects
    small, middle, large = np.linalg.eigvalsh(about_com)
    shown = f"principal moments {small:.4g}, {middle:.4g}, {large:.4g} kg m²"
    if small < -tolerance * size:
        defects.append(f"its rotational inertia is not positive definite ({shown})")
    elif large > (small + middle) * (1 + tolerance) + tolerance * size:
        defects.append(f"its principal moments break the triangle inequality ({shown})")
    return defects


def _clearly_physical(inertia: Inertia) -> bool:
    """True if floats prove it: positive mass, and second moments with positive leading minors."""
    entries = inertia.about_com.ravel().tolist()
    if not (type(inertia.mass) is float and inertia.mass > 0 and all(type(x) in (float, int) for x in entries)):
        return False
    xx, xy, xz, yx, yy, yz, zx, zy, zz = entries
    half = (xx + yy + zz) / 2
    a, b, c = half - xx, half - yy, half - zz
    two, finite = a * b - xy * xy, -LARGEST < inertia.com @ inertia.com < LARGEST
    three = c * two - a * yz * yz - b * xz * xz - 2 * xy * xz * yz
    return bool((xy, xz, yz) == (yx, zx, zy) and a > 0 and two > 0 and LARGEST > three > 0 and finite)


def nearest_physical(inertia: Inertia) -> Inertia:
    """The real body closest to this one: same mass and center, the nearest rotational inertia (Frobenius norm).

    A rotational inertia is that of a real body if its second moments (half the trace minus each principal
    moment) are not negative.  The axes stay; of the eight ways to set some of them to zero, the closest is it.
    """
    tensor = np.array(inertia.about_com, float)
    if not inertia.mass > 0:
        return Inertia(0.0, inertia.com, np.zeros((3, 3)))
    moments, axes = np.linalg.eigh((tensor + tensor.T) / 2)
    to_moments = np.ones((3, 3)) - np.eye(3)  # principal moments from second moments
    best, least = np.zeros(3), np.inf
    for kept in ([i for i in range(3) if pattern >> i & 1] for pattern in range(8)):
        spread = np.zeros(3)
        spread[kept] = np.linalg.lstsq(to_moments[:, kept], moments, rcond=None)[0]
        distance = float(((to_moments @ spread - moments) ** 2).sum())
        if spread.min() >= 0 and distance < least:
            best, least = to_moments @ spread, distance
    return Inertia(inertia.mass, inertia.com, (axes * best) @ axes.T)


def merge(parts: Sequence[tuple[Transform, Inertia]]) -> Inertia:
    """One body made of several, each placed in the common frame."""
    total = Inertia()
    for placement, inertia in parts:
        total = total + inertia.moved_out(placement)
    return total
