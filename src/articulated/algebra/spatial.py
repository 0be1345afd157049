"""Rigid motions, spatial vectors and inertias; the conventions, stated once.

A spatial vector is six scalars, [linear; angular] for a motion and [force; moment] for a
force, at the origin and in the axes of one frame.  `Transform(R, p)` is the pose of a child
frame in its parent: x_parent = R x_child + p.  Motions and forces cross it in either
direction; the power F · V is the same on both sides:

    V_child  = X.motion_in(V_parent)       V_parent = X.motion_out(V_child)
    F_child  = X.force_in(F_parent)        F_parent = X.force_out(F_child)

In the Pisa lecture these are Ad⁻¹, Ad, Adᵀ and Ad⁻ᵀ of g = (R, p).
"""

from __future__ import annotations  # help shows types as they are written here

import numpy as np

from ..errors import ModelError, ShapeError
from ..inputs import numbers
from ..inputs.frozen import Frozen, read_only
from ..inputs.labels import RPY
from ..inputs.vectors import of_arrays
from .rotations import cross, roll_pitch_yaw, skew
from .scalars import Array, Scalar, Vector, exact, exact_array, eye, is_zero, plain, zeros

_set = object.__setattr__
_NOT_TURNED, _ZERO, _ZEROS = read_only(eye(3)), read_only(zeros(3)), read_only(zeros(3, 3))


class Transform(Frozen):
    """Pose (R, p) of a child frame in its parent frame; `X_ab @ X_bc` is `X_ac`.

    A matrix that is no rotation is refused, one rounded to six decimals or more is replaced by the nearest.

    Parameters
    ----------
    R : rotation (3, 3), the child's axes in its columns; none if not given
    p : the child's origin, (3,) m, in the parent's axes; zero if not given

    Examples
    --------
    >>> (art.Transform(p=(1, 0, 0)) @ art.Transform.from_rpy((0, 0, 0), (0, 2, 0))).p.tolist()
    [1, 2, 0]
    """

    __slots__ = ("R", "_mended", "p")
    R: Array
    p: Array
    _mended: float

    def __init__(self, R: Vector | None = None, p: Vector | None = None):
        turned, mended = _NOT_TURNED, 0.0
        if R is not None:
            turned, mended = numbers.rotation("R of a Transform", numbers.numbers("R of a Transform", R, 3, 3))
        _set(self, "R", read_only(turned))
        _set(self, "p", read_only(zeros(3) if p is None else numbers.numbers("p of a Transform", p, 3)))
        _set(self, "_mended", mended)

    @classmethod
    def computed(cls, R: Array, p: Array) -> Transform:
        """The transform of a rotation and a position that were computed, not given: nothing is checked."""
        self = cls.__new__(cls)
        _set(self, "R", read_only(R))
        _set(self, "p", read_only(p))
        _set(self, "_mended", 0.0)
        return self

    @classmethod
    def from_rpy(cls, rpy: Vector = (0, 0, 0), xyz: Vector = (0, 0, 0)) -> Transform:
        """The transform of fixed-axis roll, pitch, yaw and a translation, as in URDF.

        Parameters
        ----------
        rpy : roll, pitch, yaw about the parent's fixed x, y, z, (3,): rad
        xyz : the child's origin in the parent's axes, (3,): m

        Returns
        -------
        a Transform

        Notes
        -----
        Source: the convention of URDF: Rz(yaw) Ry(pitch) Rx(roll).

        Examples
        --------
        >>> art.Transform.from_rpy((0, 0, 1.5707963267948966), (1, 0, 0)).matrix().round(6)[:3, 0].tolist()
        [0.0, 1.0, 0.0]
        """
        return cls(roll_pitch_yaw(*numbers.numbers("rpy of a Transform", rpy, 3, names=RPY)), xyz)

    @classmethod
    def from_matrix(cls, matrix: Vector) -> Transform:
        """The transform of a homogeneous 4×4 matrix.

        Parameters
        ----------
        matrix : homogeneous, (4, 4): [[R, p], [0, 1]]

        Returns
        -------
        a Transform

        Examples
        --------
        >>> X = art.Transform([[0, -1, 0], [1, 0, 0], [0, 0, 1]], (1, 0, 0))
        >>> art.Transform.from_matrix(X.matrix()).p.tolist()
        [1.0, 0.0, 0.0]
        """
        m = numbers.numbers("the matrix of a Transform", matrix, 4, 4)
        if any(x != y for x, y in zip(m[3], (0, 0, 0, 1), strict=True)):
            raise ModelError(f"the last row of a homogeneous matrix is 0, 0, 0, 1; got {m[3].tolist()}")
        return cls(m[:3, :3], m[:3, 3])

    @property
    def mended(self) -> float:
        """Distance of the matrix it was made from from a rotation, if R is not that matrix; else 0."""
        return self._mended

    def exact(self) -> Transform:
        """The pose with entries that mean 0, 1 or -1 made exactly that; IDENTITY if it is the identity."""
        if self is IDENTITY:
            return self
        R = self.R if self.R is IDENTITY.R else exact_array(self.R, 1e-14)
        found = Transform.computed(R, exact_array(self.p))
        same = all(type(x) is int and x == y for x, y in zip(found.exact_matrix().flat, eye(4).flat, strict=True))
        return IDENTITY if same else found

    def matrix(self) -> Array:
        """The homogeneous 4×4 matrix; of floats, unless there are symbols in it.

        Returns
        -------
        (4, 4): [[R, p], [0, 1]]

        Examples
        --------
        >>> X = art.Transform([[0, -1, 0], [1, 0, 0], [0, 0, 1]], (1, 0, 0))
        >>> X.matrix()[0].tolist()
        [0.0, -1.0, 0.0, 1.0]
        """
        return plain(self.exact_matrix())

    def exact_matrix(self) -> Array:
        """The homogeneous 4×4 matrix of any scalars, its zeros and ones exact."""
        out = eye(4)
        out[:3, :3], out[:3, 3] = self.R, self.p
        return out

    def __matmul__(self, other: Transform) -> Transform:
        if not isinstance(other, Transform):
            raise TypeError(
                f"X @ other composes two Transforms; got {type(other).__name__}: Transform.from_matrix takes a matrix, "
                "X.point, X.motion_out and X.force_out transform points, motions and forces"
            )
        if self is IDENTITY or other is IDENTITY:
            return other if self is IDENTITY else self
        return Transform.computed(self.R @ other.R, self.R @ other.p + self.p)._made_of(self, other)

    def inverse(self) -> Transform:
        """The pose of the parent in the child.

        Returns
        -------
        a Transform

        Examples
        --------
        >>> X = art.Transform([[0, -1, 0], [1, 0, 0], [0, 0, 1]], (1, 0, 0))
        >>> (X.inverse() @ X).p.tolist()
        [0, 0, 0]
        """
        return Transform.computed(self.R.T, -(self.R.T @ self.p))._made_of(self)

    def _made_of(self, *parts: Transform) -> Transform:
        """Flag of repairs: a product of poses is repaired if one of them is."""
        for part in parts:
            if part._mended > self._mended:
                _set(self, "_mended", part._mended)
        return self

    @of_arrays(3)
    def point(self, x: Array) -> Array:
        """A point given in the child, in the parent.

        Parameters
        ----------
        x : a point in the child's axes from its origin, (3,): m; or several, in the columns of (3, n)

        Returns
        -------
        (3,), or (3, n): m, in the parent's axes from its origin

        Examples
        --------
        >>> X = art.Transform([[0, -1, 0], [1, 0, 0], [0, 0, 1]], (1, 0, 0))
        >>> X.point([1, 0, 0]).tolist()
        [1.0, 1.0, 0.0]
        """
        return self.R @ x + (self.p if x.ndim == 1 else self.p[:, None])

    @of_arrays(6)
    def motion_in(self, V: Array) -> Array:
        """A motion of the parent's coordinates in the child's.

        Parameters
        ----------
        V : motion, (6,), [linear; angular] at the origin of the frame it is given in: m/s, rad/s; or columns (6, n)

        Returns
        -------
        (6,), or (6, n), in the child's axes at its origin: m/s, rad/s

        Examples
        --------
        >>> X = art.Transform([[0, -1, 0], [1, 0, 0], [0, 0, 1]], (1, 0, 0))
        >>> X.motion_in([0, 0, 0, 0, 0, 2]).tolist()
        [2.0, 0.0, 0.0, 0.0, 0.0, 2.0]
        """
        w = V[3:]
        return np.concatenate([self.R.T @ (V[:3] + cross(w, self.p)), self.R.T @ w])

    @of_arrays(6)
    def motion_out(self, V: Array) -> Array:
        """A motion of the child's coordinates in the parent's.

        Parameters
        ----------
        V : motion, (6,), [linear; angular] at the origin of the frame it is given in: m/s, rad/s; or columns (6, n)

        Returns
        -------
        (6,), or (6, n), in the parent's axes at its origin: m/s, rad/s

        Examples
        --------
        >>> X = art.Transform([[0, -1, 0], [1, 0, 0], [0, 0, 1]], (1, 0, 0))
        >>> X.motion_out([2, 0, 0, 0, 0, 2]).tolist()
        [0.0, 0.0, 0.0, 0.0, 0.0, 2.0]
        """
        w = self.R @ V[3:]
        return np.concatenate([self.R @ V[:3] + cross(self.p, w), w])

    @of_arrays(6)
    def force_in(self, F: Array) -> Array:
        """A force of the parent's coordinates in the child's.

        Parameters
        ----------
        F : force, (6,), [force; moment] at the origin of the frame it is given in: N, N m; or columns (6, n)

        Returns
        -------
        (6,), or (6, n), in the child's axes at its origin: N, N m

        Examples
        --------
        >>> X = art.Transform([[0, -1, 0], [1, 0, 0], [0, 0, 1]], (1, 0, 0))
        >>> X.force_in([0, 3, 0, 0, 0, 0]).tolist()
        [3.0, 0.0, 0.0, 0.0, 0.0, -3.0]
        """
        f = F[:3]
        return np.concatenate([self.R.T @ f, self.R.T @ (F[3:] - cross(self.p, f))])

    @of_arrays(6)
    def force_out(self, F: Array) -> Array:
        """A force of the child's coordinates in the parent's.

        Parameters
        ----------
        F : force, (6,), [force; moment] at the origin of the frame it is given in: N, N m; or columns (6, n)

        Returns
        -------
        (6,), or (6, n), in the parent's axes at its origin: N, N m

        Examples
        --------
        >>> X = art.Transform([[0, -1, 0], [1, 0, 0], [0, 0, 1]], (1, 0, 0))
        >>> X.force_out([3, 0, 0, 0, 0, 0]).tolist()
        [0.0, 3.0, 0.0, 0.0, 0.0, 3.0]
        """
        f = self.R @ F[:3]
        return np.concatenate([f, self.R @ F[3:] + cross(self.p, f)])

    @of_arrays(6, 6)
    def tensor_out(self, M: Array) -> Array:
        """A 6×6 map from motions to forces, of the child's coordinates in the parent's."""
        A, B, C, D = (self.R @ block @ self.R.T for block in (M[:3, :3], M[:3, 3:], M[3:, :3], M[3:, 3:]))
        P = skew(self.p)
        B = B - A @ P
        return np.block([[A, B], [C + P @ A, D + P @ B - C @ P]])

    def __reduce__(self) -> str | tuple:
        # there is one identity, in a pickle too
        return "IDENTITY" if self is IDENTITY else (Transform, (self.R, self.p))

    def __repr__(self) -> str:
        return f"Transform(R={self.R.tolist()}, p={self.p.tolist()})"


#: where nothing is turned or moved; one for all, because most links of a large robot have several
IDENTITY = Transform()


def mirrored(M: Array) -> Array:
    """`M` with its lower triangle replaced by the upper one, scalar for scalar."""
    out = M.copy()
    for i in range(len(M)):
        for j in range(i):
            out[i, j] = out[j, i]
    return out


def rotate_symmetric(R: Array, M: Array) -> Array:
    """R M Rᵀ of a rotation R and a symmetric 3×3 matrix."""
    for i, j in np.ndindex(3, 3):
        others = [R[i, k] for k in range(3) if k != j] + [R[k, j] for k in range(3) if k != i]
        if isinstance(R[i, j], int) and abs(R[i, j]) == 1 and all(is_zero(x) for x in others):
            return _turn_symmetric(R, M, i, j)
    return mirrored((R @ M) @ R.T)


def _turn_symmetric(R: Array, M: Array, i: int, j: int) -> Array:
    """`rotate_symmetric` where R takes the axis j to ± the axis i: a rotation in the plane of the others.

    With the first row (a, b) of that rotation, a² + b² = 1 and w = a (M11 - M22) + 2 b M12, the turned
    matrix is [[M22 + a w, M12 - b w], [·, M11 - a w]]: 10 operations instead of 18.
    """
    (i1, i2), (j1, j2) = ([k for k in range(3) if k != fixed] for fixed in (i, j))
    a, b = R[i1, j1], R[i1, j2]
    proper = R[i, j] * (-1) ** (i + j)  # of the 2×2 rotation, R being one
    w = a * (M[j1, j1] - M[j2, j2]) + 2 * b * M[j1, j2]
    out = zeros(3, 3)
    out[i, i] = M[j, j]
    out[i1, i1], out[i2, i2] = M[j2, j2] + a * w, M[j1, j1] - a * w
    out[i1, i2] = out[i2, i1] = proper * (M[j1, j2] - b * w)
    for k in (i1, i2):
        out[k, i] = out[i, k] = R[i, j] * (R[k, j1] * M[j1, j] + R[k, j2] * M[j2, j])
    return out


def symmetric_out(X: Transform, M: Array) -> Array:
    """`X.tensor_out(M)` of a symmetric M, each entry computed once."""
    R, P = X.R, skew(X.p)
    A, D = rotate_symmetric(R, M[:3, :3]), rotate_symmetric(R, M[3:, 3:])
    B = R @ M[:3, 3:] @ R.T
    shifted = B - A @ P
    D = mirrored(D + P @ shifted - B.T @ P)
    return np.block([[A, shifted], [shifted.T, D]])


def cross_motion(V: Array, W: Array) -> Array:
    """V × W: the rate of the motion W carried along by V."""
    v, w = V[:3], V[3:]
    return np.concatenate([cross(w, W[:3]) + cross(v, W[3:]), cross(w, W[3:])])


def cross_force(V: Array, F: Array) -> Array:
    """V ×* F: the rate of the force F carried along by V."""
    v, w = V[:3], V[3:]
    return np.concatenate([cross(w, F[:3]), cross(w, F[3:]) + cross(v, F[:3])])


def motion_cross_matrix(V: Array) -> Array:
    """The 6×6 matrix with `@ W = cross_motion(V, W)`; minus its transpose acts on forces."""
    v, w = skew(V[:3]), skew(V[3:])
    return np.block([[w, v], [zeros(3, 3), w]])


def momentum_cross_matrix(H: Array) -> Array:
    """The skew 6×6 matrix with `@ V = cross_force(V, H)`."""
    f, n = skew(H[:3]), skew(H[3:])
    return np.block([[zeros(3, 3), -f], [-f, -n]])


class Inertia(Frozen):
    """Mass distribution of a rigid body in some frame: maps a motion to its momentum.

    Held as the moments of order 0, 1, 2 at the frame's origin (mass, first, second), which add.

    Parameters
    ----------
    mass : kg
    com : center of mass in the frame, (3,): m; the origin if not given
    about_com : rotational inertia about the center of mass, along the frame's axes: kg m²; (3, 3), its
        diagonal, or one number for all axes, which is enough for a link that moves in a plane; zero if not
        given

    Examples
    --------
    >>> rod = art.Inertia(2.0, (0.5, 0, 0), [[0, 0, 0], [0, 0.17, 0], [0, 0, 0.17]])
    >>> (rod + rod).mass
    4.0
    """

    __slots__ = ("_about_com", "_com", "_spread", "first", "mass", "second")
    mass: Scalar
    first: Array
    second: Array
    _spread: Array | None
    _com: Array | None
    _about_com: Array | None

    def __init__(self, mass: Scalar = 0, com: Vector | None = None, about_com: Vector | None = None):
        if com is about_com is None and type(mass) is int and mass == 0:  # most of them are nothing at all
            return self._hold(0, _ZERO, _ZEROS, com=_ZERO, about_com=_ZEROS)
        c = zeros(3) if com is None else numbers.shaped("com of an Inertia", com, 3)
        about = zeros(3, 3) if about_com is None else numbers.tensor("about_com of an Inertia", about_com)
        if not numbers.clearly_finite([mass, *c, *about.ravel().tolist()]):
            numbers.scalar("mass of an Inertia", mass)
            numbers.numbers("com of an Inertia", c, 3)
            numbers.numbers("about_com of an Inertia", about, 3, 3)
        if isinstance(mass, (int, float)) and mass < 0:
            raise ModelError(f"Inertia: mass must not be negative; got {mass:g} kg")
        self._hold(mass, mass * c, mirrored(about + point_second_moment(mass, c)), com=c, about_com=about)

    @classmethod
    def from_moments(cls, mass: Scalar, first: Vector, second: Vector) -> Inertia:
        """The inertia of a mass, mass × center of mass, and the rotational inertia about the origin.

        Parameters
        ----------
        mass : kg
        first : mass times center of mass in the frame, (3,): kg m
        second : rotational inertia about the frame's origin along its axes, (3, 3): kg m²

        Returns
        -------
        an Inertia

        Examples
        --------
        >>> rod = art.Inertia(2.0, (0.5, 0, 0), (0, 0.25, 0.25))
        >>> art.Inertia.from_moments(2.0, (1, 0, 0), rod.second).com.tolist()
        [0.5, 0.0, 0.0]
        """
        numbers.scalar("mass of an Inertia", mass)
        first = numbers.numbers("first of an Inertia", first, 3)
        return cls.computed(mass, first, numbers.numbers("second of an Inertia", second, 3, 3))

    @classmethod
    def computed(cls, mass: Scalar, first: Array, second: Array) -> Inertia:
        """`from_moments` of numbers that were computed, not given: there is nothing to check."""
        self = cls.__new__(cls)
        self._hold(mass, first, second)
        return self

    @classmethod
    def from_spread(cls, mass: Scalar, first: Array, spread: Array) -> Inertia:
        """The inertia of a mass, mass × center of mass, and `spread`, all computed."""
        self = cls.__new__(cls)
        self._hold(mass, first, np.trace(spread) * eye(3) - spread, spread=spread)
        return self

    def _hold(
        self,
        mass: Scalar,
        first: Array,
        second: Array,
        com: Array | None = None,
        about_com: Array | None = None,
        spread: Array | None = None,
    ) -> None:
        """Set all fields; the last three follow from the others, and are found when asked for if not known."""
        _set(self, "mass", mass)
        _set(self, "first", read_only(first))
        _set(self, "second", read_only(second))
        _set(self, "_com", None if com is None else read_only(com))
        _set(self, "_about_com", None if about_com is None else read_only(about_com))
        _set(self, "_spread", None if spread is None else read_only(spread))

    @property
    def spread(self) -> Array:
        """Σ, the second moments ∫ x xᵀ dm: with the rotational inertia I, I = tr(Σ) 1 - Σ."""
        if self._spread is None:
            _set(self, "_spread", read_only(np.trace(self.second) / 2 * eye(3) - self.second))
        return self._spread  # type: ignore[return-value]

    @property
    def com(self) -> Array:
        """Center of mass; the origin for a massless body."""
        if self._com is None:
            _set(self, "_com", read_only(self.first / self.mass if self.mass != 0 else zeros(3)))
        return self._com  # type: ignore[return-value]

    @property
    def about_com(self) -> Array:
        """Rotational inertia about the center of mass, in the axes of the frame."""
        if self._about_com is None:
            _set(self, "_about_com", read_only(self.second - point_second_moment(self.mass, self.com)))
        return self._about_com  # type: ignore[return-value]

    def exact(self) -> Inertia:
        """The inertia with whole 0, 1, -1 as integers, so that structure folds."""
        return Inertia.computed(exact(self.mass, 0.0), exact_array(self.first), exact_array(self.second))

    def __add__(self, other: Inertia) -> Inertia:
        if not isinstance(other, Inertia):
            return NotImplemented
        return Inertia.computed(self.mass + other.mass, self.first + other.first, self.second + other.second)

    @of_arrays(6)
    def __matmul__(self, V: Array) -> Array:
        """Momentum of the motion V."""
        v, w = V[:3], V[3:]
        return np.concatenate([self.mass * v + cross(w, self.first), self.second @ w + cross(self.first, v)])

    def moved_out(self, X: Transform) -> Inertia:
        """The inertia seen from the parent of the frame with pose `X`.

        Parameters
        ----------
        X : pose of the frame it is given in, in the frame it shall be seen from: a Transform

        Returns
        -------
        an Inertia

        Notes
        -----
        Source: the parallel axis theorem (Steiner).

        Examples
        --------
        >>> X = art.Transform([[0, -1, 0], [1, 0, 0], [0, 0, 1]], (1, 0, 0))
        >>> rod = art.Inertia(2.0, (0.5, 0, 0), (0, 0.25, 0.25))
        >>> rod.moved_out(X).com.tolist()
        [1.0, 0.5, 0.0]
        """
        if not isinstance(X, Transform):
            raise ShapeError(f"Inertia.moved_out: X is a Transform; got {type(X).__name__}")
        p, before = X.p, X.R @ self.first
        after = before + self.mass * p
        shift = (p @ (before + after)) * eye(3) - (p[:, None] * before[None, :] + after[:, None] * p[None, :])
        second = mirrored(rotate_symmetric(X.R, self.second) + shift)
        return Inertia.computed(self.mass, after, second)

    def matrix(self) -> Array:
        """The symmetric 6×6 matrix, [linear; angular]; of floats, unless there are symbols in it.

        Returns
        -------
        (6, 6), [linear; angular]: kg, kg m, kg m²

        Examples
        --------
        >>> rod = art.Inertia(2.0, (0.5, 0, 0), (0, 0.25, 0.25))
        >>> rod.matrix().diagonal().tolist()
        [2.0, 2.0, 2.0, 0.0, 0.75, 0.75]
        """
        return plain(self.exact_matrix())

    def exact_matrix(self) -> Array:
        """The symmetric 6×6 matrix of any scalars, its zeros exact."""
        f = skew(self.first)
        return np.block([[self.mass * eye(3), -f], [f, self.second]])

    def __repr__(self) -> str:
        return f"Inertia(mass={self.mass}, com={self.com.tolist()}, about_com={self.about_com.tolist()})"


def joined(body: Inertia, other: Inertia, X: Transform) -> Inertia:
    """A body with another one, placed at X, attached to it: the moments of order 0, 1 and 2 add."""
    p, before = X.p, X.R @ other.first
    after = before + other.mass * p
    shift = p[:, None] * before[None, :] + after[:, None] * p[None, :]
    spread = mirrored(body.spread + rotate_symmetric(X.R, other.spread) + shift)
    return Inertia.from_spread(body.mass + other.mass, body.first + after, spread)


def point_second_moment(mass: Scalar, c: Array) -> Array:
    """Rotational inertia about the origin of a point mass at `c`."""
    return mass * ((c @ c) * IDENTITY.R - c[:, None] * c[None, :])
