"""`art.spatial`: the algebra of the lectures on plain arrays, any leading shape.

Six numbers are a motion [linear; angular] or a force [force; moment]; g is the pose (…, 4, 4) of a child frame in its
parent, as `robot.pose` gives it.  The lectures' names:

| here | Pisa | SUSTech, g the pose of i in p | Rennes |
|---|---|---|---|
| `adjoint(g)` | Ad_g = A | X, motions of i to p | |
| `adjoint(inverse(g))` | Ad_g⁻¹ | X, motions of p to i | |
| `coadjoint(g)` | Ad_g⁻ᵀ = A* | X*, forces of i to p | |
| `motion_cross(V)` | ad_V | Ṽ | ξ × |
| `force_cross(V)` | ad*_V = -ad_Vᵀ | Ṽ* | ξ ×* |
| `exp(X q)` | exp(X̂ q) | | |

`pose` makes g from a position and roll-pitch-yaw angles or a quaternion; `xyz_rpy` and `xyz_quaternion` go back.
SUSTech and Rennes write [angular; linear]: `angular_first` takes vectors and matrices there, `linear_first` back.
Sources: Murray, Li, Sastry 1994, chapter 2, with [linear; angular] order; Featherstone 2008, sections 2.9 and 2.14.
"""

from __future__ import annotations  # help shows types as they are written here

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import ShapeError
from ..inputs.choices import floats
from ..inputs.labels import COMPONENTS
from ..inputs.numbers import ROUNDED
from .arguments.arrays import check_batches, rotation_errors
from .pose_numbers import pose, xyz_quaternion, xyz_rpy

__all__ = [
    "adjoint",
    "angular_first",
    "bias_wrench",
    "body_wrench",
    "coadjoint",
    "exp",
    "force_cross",
    "hat",
    "inverse",
    "linear_first",
    "motion_cross",
    "pose",
    "vee",
    "xyz_quaternion",
    "xyz_rpy",
]

Floats = NDArray[np.floating]
#: decorator that silences floating-point warnings: overflow shows in the result
_quietly = np.errstate(invalid="ignore", over="ignore")


def hat(x: ArrayLike) -> Floats:
    """(…, 3) to the skew matrix (…, 3, 3) with hat(x) @ y = x × y; a motion (…, 6) to (…, 4, 4), the rate of a pose.

    Parameters
    ----------
    x : (…, 3), or a motion (…, 6), [linear; angular]

    Returns
    -------
    (…, 3, 3) or (…, 4, 4)

    Examples
    --------
    >>> art.spatial.hat([1, 2, 3]).tolist()
    [[0.0, -3.0, 2.0], [3.0, 0.0, -1.0], [-2.0, 1.0, 0.0]]
    """
    x = _checked("hat", x, (3,), (6,))
    if x.shape[-1] == 6:
        out = np.zeros((*x.shape[:-1], 4, 4))
        out[..., :3, :3], out[..., :3, 3] = hat(x[..., 3:]), x[..., :3]
        return out
    out = np.zeros((*x.shape[:-1], 3, 3))
    for (i, j), k in {(2, 1): 0, (0, 2): 1, (1, 0): 2}.items():
        out[..., i, j], out[..., j, i] = x[..., k], -x[..., k]
    return out


@_quietly
def vee(X: ArrayLike) -> Floats:
    """The vector whose `hat` is X.

    Parameters
    ----------
    X : (…, 3, 3), skew but for rounding, or (…, 4, 4), such a matrix and a column above a row of zeros

    Returns
    -------
    (…, 3) or (…, 6)

    Examples
    --------
    >>> art.spatial.vee(art.spatial.hat([1, 2, 3])).tolist()
    [1.0, 2.0, 3.0]
    """
    X = _checked("vee", X, (3, 3), (4, 4))
    if X.shape[-1] == 4:
        if (abs(X[..., 3, :]) > ROUNDED).any():
            raise ShapeError("vee: the last row of the rate of a pose is zero")
        return np.concatenate([X[..., :3, 3], vee(X[..., :3, :3])], axis=-1)
    off = abs(X + np.swapaxes(X, -1, -2)).max(axis=(-2, -1))
    if (off > ROUNDED * np.maximum(1, abs(X).max(axis=(-2, -1)))).any():
        raise ShapeError("vee takes skew matrices, X = -Xᵀ; of another matrix (X - Xᵀ) / 2 is the skew part")
    return np.stack([X[..., 2, 1], X[..., 0, 2], X[..., 1, 0]], axis=-1)


@_quietly
def exp(twist: ArrayLike) -> Floats:
    """The pose (…, 4, 4) reached in unit time by the constant motion `twist` (…, 6): the exponential of its hat.

    Parameters
    ----------
    twist : (…, 6), [linear; angular]: m, rad

    Returns
    -------
    (…, 4, 4)

    Examples
    --------
    >>> art.spatial.exp([1, 0, 0, 0, 0, 0])[:3, 3].tolist()
    [1.0, 0.0, 0.0]
    """
    twist = _checked("exp", twist, (6,))
    v, W = twist[..., :3], hat(twist[..., 3:])
    square, x2 = W @ W, (twist[..., 3:] ** 2).sum(axis=-1)
    a, b, c = (part[..., None, None] for part in _sine_ratios(x2))
    out = np.zeros((*x2.shape, 4, 4))
    out[..., :3, :3] = np.eye(3) + a * W + b * square
    out[..., :3, 3] = ((np.eye(3) + b * W + c * square) @ v[..., None])[..., 0]
    out[..., 3, 3] = 1
    return out


def _sine_ratios(x2: Floats) -> tuple[Floats, Floats, Floats]:
    """sin x / x, (1 - cos x) / x², (x - sin x) / x³ from x²; of the last, a series where it would lose digits."""
    x = np.sqrt(x2)
    small, t = x < 0.5, x2
    safe = np.where(small, 1.0, x)
    series = sum((-t) ** k / factorial for k, factorial in enumerate(_FACTORIALS))
    third = np.where(small, series, (safe - np.sin(safe)) / safe**3)
    return np.sinc(x / np.pi), np.sinc(x / (2 * np.pi)) ** 2 / 2, third


#: 3!, 5!, 7! …: of the series of (x - sin x) / x³, to the last digit below 0.5
_FACTORIALS = (6, 120, 5040, 362880, 39916800, 6227020800, 1307674368000)


@_quietly
def inverse(g: ArrayLike) -> Floats:
    """The pose of the parent in the child.

    Parameters
    ----------
    g : a pose, (…, 4, 4): of a child in its parent

    Returns
    -------
    (…, 4, 4)

    Examples
    --------
    >>> art.spatial.inverse(art.spatial.exp([1, 0, 0, 0, 0, 0]))[:3, 3].tolist()
    [-1.0, -0.0, -0.0]
    """
    g = _poses("inverse", g)
    out = np.zeros_like(g)
    out[..., :3, :3] = np.swapaxes(g[..., :3, :3], -1, -2)
    out[..., :3, 3:] = -(out[..., :3, :3] @ g[..., :3, 3:])
    out[..., 3, 3] = 1
    return out


@_quietly
def adjoint(g: ArrayLike) -> Floats:
    """Ad_g, (…, 6, 6): takes motions of the child's coordinates to the parent's.

    Parameters
    ----------
    g : a pose, (…, 4, 4): of a child in its parent

    Returns
    -------
    (…, 6, 6)

    Examples
    --------
    >>> art.spatial.adjoint(art.spatial.exp([0, 0, 1, 0, 0, 0]))[0].tolist()
    [1.0, 0.0, 0.0, 0.0, -1.0, 0.0]
    """
    g = _poses("adjoint", g)
    R = g[..., :3, :3]
    return _blocks(R, hat(g[..., :3, 3]) @ R, np.zeros_like(R), R)


@_quietly
def coadjoint(g: ArrayLike) -> Floats:
    """Ad_g⁻ᵀ, (…, 6, 6): takes forces of the child's coordinates to the parent's; the power is the same there.

    Parameters
    ----------
    g : a pose, (…, 4, 4): of a child in its parent

    Returns
    -------
    (…, 6, 6)

    Examples
    --------
    >>> art.spatial.coadjoint(art.spatial.exp([0, 0, 1, 0, 0, 0]))[3].tolist()
    [0.0, -1.0, 0.0, 1.0, 0.0, 0.0]
    """
    g = _poses("coadjoint", g)
    R = g[..., :3, :3]
    return _blocks(R, np.zeros_like(R), hat(g[..., :3, 3]) @ R, R)


def motion_cross(V: ArrayLike) -> Floats:
    """ad_V, (…, 6, 6): the rate of a motion carried along by V.

    Parameters
    ----------
    V : a motion, (…, 6), [linear; angular]

    Returns
    -------
    (…, 6, 6)

    Examples
    --------
    >>> (art.spatial.motion_cross([0, 0, 0, 0, 0, 1]) @ [1, 0, 0, 0, 0, 0]).tolist()
    [0.0, 1.0, 0.0, 0.0, 0.0, 0.0]
    """
    V = _checked("motion_cross", V, (6,))
    v, w = hat(V[..., :3]), hat(V[..., 3:])
    return _blocks(w, v, np.zeros_like(v), w)


def force_cross(V: ArrayLike) -> Floats:
    """ad*_V = -ad_Vᵀ, (…, 6, 6): the rate of a force carried along by V.

    Parameters
    ----------
    V : a motion, (…, 6), [linear; angular]

    Returns
    -------
    (…, 6, 6)

    Examples
    --------
    >>> (art.spatial.force_cross([0, 0, 0, 0, 0, 1]) @ [1, 0, 0, 0, 0, 0]).tolist()
    [0.0, 1.0, 0.0, 0.0, 0.0, 0.0]
    """
    return -np.swapaxes(motion_cross(_checked("force_cross", V, (6,))), -1, -2)


@_quietly
def body_wrench(inertia: ArrayLike, V: ArrayLike, A: ArrayLike) -> Floats:
    """M A + ad*_V M V, (…, 6): the force that moves a body of inertia (…, 6, 6) with twist V and acceleration A.

    Parameters
    ----------
    inertia : (…, 6, 6), as `Inertia.matrix()`
    V : twist, (…, 6), in the axes of the body: m/s, rad/s
    A : spatial acceleration, (…, 6): m/s², rad/s²

    Returns
    -------
    (…, 6), [force; moment]: N, N m; no gravity in it

    Examples
    --------
    >>> art.spatial.body_wrench(art.Inertia(2.0).matrix(), [0] * 6, [0, 0, 9.81, 0, 0, 0]).tolist()
    [0.0, 0.0, 19.62, 0.0, 0.0, 0.0]
    """
    M, A = _checked("body_wrench", inertia, (6, 6)), _checked("body_wrench", A, (6,))
    check_batches("body_wrench", {"inertia": M[..., 0, :], "A": A, "V": floats("body_wrench: V", V, COMPONENTS)})
    return (M @ A[..., None])[..., 0] + bias_wrench(M, V)


@_quietly
def bias_wrench(inertia: ArrayLike, V: ArrayLike) -> Floats:
    """ad*_V M V, (…, 6): the force it takes not to accelerate.

    Parameters
    ----------
    inertia : (…, 6, 6), as `Inertia.matrix()`
    V : twist, (…, 6), in the axes of the body: m/s, rad/s

    Returns
    -------
    (…, 6), [force; moment]: N, N m; no gravity in it

    Examples
    --------
    >>> art.spatial.bias_wrench(art.Inertia(2.0).matrix(), [1, 0, 0, 0, 0, 3]).tolist()
    [0.0, 6.0, 0.0, 0.0, 0.0, 0.0]
    """
    M, V = _checked("bias_wrench", inertia, (6, 6)), _checked("bias_wrench", V, (6,))
    check_batches("bias_wrench", {"inertia": M[..., 0, :], "V": V})
    return (force_cross(V) @ (M @ V[..., None]))[..., 0]


def angular_first(x: ArrayLike, axis: int | Sequence[int] = -1) -> Floats:
    """[linear; angular] as [angular; linear] along `axis`; a 6×6 matrix has two such axes, (-2, -1).

    Parameters
    ----------
    x : an array with 6 entries along each such axis
    axis : one, or several

    Returns
    -------
    an array of the same shape

    Examples
    --------
    >>> art.spatial.angular_first([1, 2, 3, 4, 5, 6]).tolist()
    [4.0, 5.0, 6.0, 1.0, 2.0, 3.0]
    """
    x = floats("angular_first: x", x)
    for one in axis if isinstance(axis, (tuple, list)) else (axis,):
        if not isinstance(one, (int, np.integer)):
            raise ShapeError(f"angular_first: axis is a whole number, or several; got {axis!r}")
        if not -x.ndim <= one < x.ndim or x.shape[one] != 6:
            raise ShapeError(f"angular_first: axis {one} of an array of shape {x.shape} does not have 6 entries")
        x = np.roll(x, 3, axis=one)
    return x


def linear_first(x: ArrayLike, axis: int | Sequence[int] = -1) -> Floats:
    """[angular; linear] as [linear; angular]: the halves change places, as in `angular_first`.

    Parameters
    ----------
    x : an array with 6 entries along each such axis
    axis : one, or several

    Returns
    -------
    an array of the same shape

    Examples
    --------
    >>> art.spatial.linear_first([4, 5, 6, 1, 2, 3]).tolist()
    [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]
    """
    return angular_first(x, axis)


def _blocks(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    return np.concatenate([np.concatenate([a, b], axis=-1), np.concatenate([c, d], axis=-1)], axis=-2)


def _checked(name: str, x: ArrayLike, *shapes: tuple[int, ...]) -> Floats:
    """`x` as floats whose last axes have one of the shapes."""
    x = floats(name, x, COMPONENTS, rows=COMPONENTS if len(shapes[0]) > 1 else None)
    if not any(x.shape[-len(shape) :] == shape for shape in shapes):
        wanted = " or ".join(f"(…, {', '.join(map(str, shape))})" for shape in shapes)
        raise ShapeError(f"{name} takes an array {wanted}; got {x.shape}")
    return x


def _poses(name: str, g: ArrayLike) -> Floats:
    """`g` as poses (…, 4, 4); six decimals are enough, and what is NaN passes."""
    g = _checked(name, g, (4, 4))
    if (abs(g[..., 3, :] - (0, 0, 0, 1)) > ROUNDED).any():
        raise ShapeError(f"{name} takes poses: the last row of a pose is 0, 0, 0, 1")
    if any(np.any(error > ROUNDED) for error in rotation_errors(g[..., :3, :3])):
        raise ShapeError(f"{name} takes poses: the 3×3 part of a pose is a rotation, with six decimals or more")
    return g


def __dir__() -> list[str]:
    """The functions, not what they are made of."""
    return __all__
