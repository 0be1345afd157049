"""Poses from positions, roll-pitch-yaw angles and quaternions, and back, in batches."""

from __future__ import annotations  # help shows types as they are written here

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..algebra.rotations import to_quaternion
from ..errors import ShapeError
from ..inputs.choices import floats

Floats = NDArray[np.floating]
#: cosine of the pitch below which roll and yaw turn about the same axis
LOCKED = 1e-12


def pose(xyz: ArrayLike = (0.0, 0.0, 0.0), rpy: ArrayLike | None = None, quaternion: ArrayLike | None = None) -> Floats:
    """A pose (…, 4, 4) from a position and an orientation, given as angles or as a quaternion.

    Parameters
    ----------
    xyz : position, (…, 3): m
    rpy : roll, pitch, yaw about the fixed axes x, y, z, as in URDF, (…, 3): rad
    quaternion : x y z w, (…, 4), of any length but zero

    Returns
    -------
    (…, 4, 4)

    Examples
    --------
    >>> import articulated as art
    >>> art.spatial.pose([0.4, 0, 0.5], rpy=[0, 0, 0])[:3, 3].tolist()
    [0.4, 0.0, 0.5]
    """
    if rpy is not None and quaternion is not None:
        raise ShapeError("pose takes rpy or a quaternion, not both")
    p = _rows("xyz", xyz, 3)
    R: Floats = np.eye(3)
    if rpy is not None:
        R = _turned(_rows("rpy", rpy, 3))
    elif quaternion is not None:
        R = _of_quaternion(_rows("quaternion", quaternion, 4))
    try:
        batch = np.broadcast_shapes(p.shape[:-1], R.shape[:-2])
    except ValueError:
        raise ShapeError(f"pose: the leading axes do not broadcast: {p.shape[:-1]}, {R.shape[:-2]}") from None
    out = np.zeros((*batch, 4, 4))
    out[..., :3, :3], out[..., :3, 3], out[..., 3, 3] = R, p, 1
    return out


def xyz_rpy(g: ArrayLike) -> Floats:
    """Position and roll, pitch, yaw of a pose; where the pitch is ±π/2 the roll is zero.

    Parameters
    ----------
    g : a pose, (…, 4, 4)

    Returns
    -------
    (…, 6): m, rad

    Examples
    --------
    >>> import articulated as art
    >>> art.spatial.xyz_rpy(art.spatial.pose([1, 2, 3], rpy=[0.1, 0.2, 0.3])).round(6).tolist()
    [1.0, 2.0, 3.0, 0.1, 0.2, 0.3]
    """
    g = _matrices("xyz_rpy", g)
    R = g[..., :3, :3]
    level = np.hypot(R[..., 0, 0], R[..., 1, 0])
    locked = level < LOCKED
    roll = np.where(locked, 0.0, np.arctan2(R[..., 2, 1], R[..., 2, 2]))
    pitch = np.arctan2(-R[..., 2, 0], level)
    yaw = np.where(locked, np.arctan2(-R[..., 0, 1], R[..., 1, 1]), np.arctan2(R[..., 1, 0], R[..., 0, 0]))
    return np.concatenate([g[..., :3, 3], np.stack([roll, pitch, yaw], axis=-1)], axis=-1)


def xyz_quaternion(g: ArrayLike) -> Floats:
    """Position and quaternion x y z w of a pose, as a floating base has them in q; w is not negative.

    Parameters
    ----------
    g : a pose, (…, 4, 4)

    Returns
    -------
    (…, 7): m, and four numbers without a unit

    Examples
    --------
    >>> import articulated as art
    >>> art.spatial.xyz_quaternion(art.spatial.pose([1, 2, 3])).tolist()
    [1.0, 2.0, 3.0, 0.0, 0.0, 0.0, 1.0]
    """
    g = _matrices("xyz_quaternion", g)
    return np.concatenate([g[..., :3, 3], to_quaternion(g[..., :3, :3])], axis=-1)


def from_numbers(x: Floats) -> Floats:
    """A pose from (…, 6), position and roll, pitch, yaw, or from (…, 7), position and quaternion."""
    return pose(x[..., :3], rpy=x[..., 3:]) if x.shape[-1] == 6 else pose(x[..., :3], quaternion=x[..., 3:])


def _rows(name: str, given: Any, size: int) -> Floats:
    x = floats(f"pose: {name}", given)
    if x.ndim == 0 or x.shape[-1] != size:
        raise ShapeError(f"pose: {name} is (…, {size}); got {x.shape}")
    return x


def _matrices(name: str, g: Any) -> Floats:
    x = floats(name, g, rows=())
    if x.shape[-2:] != (4, 4):
        raise ShapeError(f"{name} takes a pose (…, 4, 4); got {x.shape}")
    return x


def _turned(rpy: Floats) -> Floats:
    """Rz(yaw) Ry(pitch) Rx(roll)."""
    (sr, sp, sy), (cr, cp, cy) = np.moveaxis(np.sin(rpy), -1, 0), np.moveaxis(np.cos(rpy), -1, 0)
    rows = [
        [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
        [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
        [-sp, cp * sr, cp * cr],
    ]
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)


def _of_quaternion(given: Floats) -> Floats:
    length = np.linalg.norm(given, axis=-1, keepdims=True)
    if (length == 0).any():
        raise ShapeError("pose: the quaternion x y z w is zero; the identity is 0 0 0 1")
    x, y, z, w = np.moveaxis(given / length, -1, 0)
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
    ]
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)
