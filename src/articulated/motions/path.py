"""Path: a curve of configurations q(s) with two continuous derivatives, without a time."""

from __future__ import annotations  # help shows types as they are written here

import warnings
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ..algebra.scalars import Array
from ..errors import ModelWarning, ShapeError
from ..inputs.choices import flag, floats
from ..inputs.frozen import Frozen
from ..model import Model
from ..robot import Robot
from ..robot.arguments.arrays import Vector, as_vectors
from .manifold import ends, moved

Floats = np.ndarray
#: turn at a waypoint that is a kink if its neighbors have a tenth of it, degrees
KINK = 20.0


class Point(NamedTuple):
    """Points of a path."""

    q: Floats  # (…, nq)
    slope: Floats  # dq/ds, (…, nv), as a velocity
    bend: Floats  # its derivative by s, (…, nv)


class Path(Frozen):
    """A curve q(s) through configurations: a cubic spline, on the manifold where joints have quaternions.

    Between two knots q is the quintic in exponential coordinates with the slopes and bends of both, which in joint
    angles is the cubic spline itself.

    Parameters
    ----------
    robot : a Robot
    s : knots, (K,), ascending from any number
    q : configurations there, (…, K, nq)
    slope : dq/ds there, (…, K, nv)
    bend : its derivative by s, (…, K, nv)

    Examples
    --------
    >>> import articulated as art
    >>> way = art.path(art.load("2r"), [[0, 0], [1, 0.5], [1, -0.5]])
    >>> way.at(way.s[1]).q.round(12)
    array([1. , 0.5])
    """

    robot: Robot
    s: Floats
    q: Floats
    slope: Floats
    bend: Floats

    def __init__(self, robot: Robot, s: Floats, q: Floats, slope: Floats, bend: Floats):
        self.__dict__.update(robot=robot, s=s, q=q, slope=slope, bend=bend)

    def at(self, s: ArrayLike) -> Point:
        """Points at s, a number or (N,).

        Parameters
        ----------
        s : numbers from the first knot to the last

        Returns
        -------
        Point(q, slope, bend); of N numbers each has an axis of N before its last

        Examples
        --------
        >>> import articulated as art
        >>> art.path(art.load("2r"), [[0, 0], [1, 0.5]]).at([0.0, 0.5]).q.shape
        (2, 2)
        """
        given = floats("Path.at: s", s)
        if given.ndim > 1:
            raise ShapeError(f"Path.at: s is a number or (N,); got {given.shape}")
        wanted = np.clip(np.atleast_1d(given), self.s[0], self.s[-1])
        k = np.clip(np.searchsorted(self.s, wanted, side="right") - 1, 0, len(self.s) - 2)
        (start, legs), kernels = self._legs, self.robot.kernels
        vectors = {"leg": Vector(legs.shape[-1], "powers of s"), "s": Vector(1, "s after the beginning of the leg")}
        compiled = kernels.once("polynomials of a path", lambda: kernels.under("", vectors))
        along = {"leg": legs.take(k, axis=-2), "s": (wanted - self.s[k])[:, None]}
        found = Point(*moved(self.robot, start.take(k, axis=-2), *compiled.evaluate("Path.at", _polynomials, along)))
        return Point(*(part[..., 0, :] for part in found)) if given.ndim == 0 else found

    @cached_property
    def _legs(self) -> tuple[Floats, Floats]:
        """Start of every leg, and the Hermite quintic to its end in exponential coordinates: its powers of s."""
        start, h = self.q[..., :-1, :], np.diff(self.s)[:, None]
        x, rate, bend = ends(self.robot, start, self.q[..., 1:, :], self.slope[..., 1:, :], self.bend[..., 1:, :])
        first, before = h * self.slope[..., :-1, :], h * h * self.bend[..., :-1, :]
        # value, slope and bend at the end less those of the lower powers
        a, b, c = x - first - before / 2, h * rate - first - before, h * h * bend - before
        powers = [first, before / 2, 10 * a - 4 * b + c / 2, -15 * a + 7 * b - c, 6 * a - 3 * b + c / 2]
        return start, np.concatenate([part / h ** (j + 1) for j, part in enumerate(powers)], axis=-1)

    def __repr__(self) -> str:
        return f"<Path of {self.robot.name}: {len(self.s)} knots, s = {self.s[0]:g} … {self.s[-1]:g}>"


def _polynomials(model: Model, leg: Array, s: Array) -> tuple[Array, ...]:
    """Value, slope and bend of a polynomial from its powers of s, the first one first; on any scalar."""
    powers, found = leg.reshape(5, -1), []
    for factors in ((1, 1, 1, 1, 1), (1, 2, 3, 4, 5), (0, 2, 6, 12, 20)):
        x = factors[-1] * powers[-1]
        for factor, power in zip(factors[-2::-1], powers[-2::-1], strict=True):
            x = factor * power + s * x if factor else x
        found.append(x)
    return s * found[0], found[1], found[2]


def path(robot: Robot, waypoints: ArrayLike, knots: ArrayLike | None = None, rest: bool = False) -> Path:
    """The cubic spline through configurations, as a curve without a time.

    Parameters
    ----------
    robot : a Robot
    waypoints : configurations, (…, K, nq), at least two
    knots : s of each, (K,), ascending; the length of the way so far, in rad and m, if not given
    rest : True: slopes at both ends are zero; False: bends are

    Returns
    -------
    a Path

    Notes
    -----
    Source: de Boor, A Practical Guide to Splines, chapter IV.

    Examples
    --------
    >>> import articulated as art
    >>> art.path(art.load("2r"), [[0, 0], [1, 0.5], [1, -0.5]])
    <Path of 2r: 3 knots, s = 0 … 2.11803>
    """
    q = as_waypoints("path", robot, waypoints)
    chords = robot.difference(q[..., :-1, :], q[..., 1:, :])
    with np.errstate(over="ignore"):  # a configuration of 1e200 rad
        lengths = np.sqrt((chords**2).sum(-1)).reshape(-1, chords.shape[-2]).max(axis=0, initial=0.0)
    if knots is None:
        if not (lengths > 0).all():
            k = int(np.argmin(lengths))
            raise ShapeError(f"path: waypoints {k} and {k + 1} are the same configuration; give each once")
        s = np.concatenate([[0.0], np.cumsum(lengths)])
    else:
        s = floats("path: knots", knots)
        if not np.isfinite(s).all() or s.shape != (q.shape[-2],) or not (np.diff(s) > 0).all():
            raise ShapeError(f"path: knots are {q.shape[-2]} ascending numbers; got an array {s.shape}")
    _warn_of_kinks(chords)
    return spline(robot, s, q, np.zeros((2, robot.nv)) if flag("path: rest", rest) else None)


def _warn_of_kinks(chords: Floats) -> None:
    """Say where densely sampled waypoints turn at one of them: a spline overshoots there, and motions slow down."""
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        unit = chords / np.linalg.norm(chords, axis=-1, keepdims=True)
        turn = np.degrees(2 * np.arcsin(np.minimum(np.linalg.norm(np.diff(unit, axis=-2), axis=-1) / 2, 1.0)))
    around = np.maximum(turn[..., :-2], turn[..., 2:])
    sharp = np.argwhere((turn[..., 1:-1] > KINK) & (around < turn[..., 1:-1] / 10))
    if len(sharp):
        *batch, k = sharp[0]
        by = turn[(*batch, k + 1)]
        warnings.warn(
            f"path: a kink at waypoint {k + 2}, where the direction turns by {by:.3g}° ({len(sharp)} in all); the "
            "spline rounds it between its neighbors, and motions slow down there: stop at it, or leave waypoints out",
            ModelWarning, stacklevel=3,
        )  # fmt: skip


def spline(robot: Robot, s: Floats, q: Floats, end_slopes: Any = None) -> Path:
    """Path through q at s with these slopes at both ends; None: without bends there."""
    chords = robot.difference(q[..., :-1, :], q[..., 1:, :])
    return Path(robot, s, q, *_slopes(np.diff(s)[:, None], chords, end_slopes))


def as_waypoints(method: str, robot: Any, waypoints: Any) -> Floats:
    """Waypoints (…, K, nq), finite and with unit quaternions."""
    if not isinstance(robot, Robot):
        raise ShapeError(f"{method} takes a robot first; got {type(robot).__name__}")
    q = as_vectors(method, robot.name, "waypoints", waypoints, robot.kernels.vectors["q"])
    if q.ndim < 2 or q.shape[-2] < 2:
        raise ShapeError(f"{method}: waypoints are at least two configurations (…, K, {robot.nq}); got {q.shape}")
    if not np.isfinite(q).all() or not q.size:
        raise ShapeError(f"{method}: waypoints hold {'NaN or infinity' if q.size else 'no configuration'}")
    return robot.integrate(q, np.zeros((*q.shape[:-1], robot.nv)))


def _slopes(h: Floats, chords: Floats, end_slopes: Any) -> tuple[Floats, Floats]:
    """Slopes and bends of the cubic spline at its knots, by elimination in its tridiagonal equations."""
    d = chords / h
    K = d.shape[-2] + 1
    left, diagonal, right = np.zeros(K), np.ones(K), np.zeros(K)
    wanted = np.zeros((*d.shape[:-2], K, d.shape[-1]))
    left[1:-1], right[1:-1] = h[1:, 0], h[:-1, 0]
    diagonal[1:-1] = 2 * (h[1:, 0] + h[:-1, 0])
    wanted[..., 1:-1, :] = 3 * (h[1:] * d[..., :-1, :] + h[:-1] * d[..., 1:, :])
    if end_slopes is not None:
        wanted[..., 0, :], wanted[..., -1, :] = end_slopes
    else:
        diagonal[[0, -1]], right[0], left[-1] = 2.0, 1.0, 1.0
        wanted[..., 0, :], wanted[..., -1, :] = 3 * d[..., 0, :], 3 * d[..., -1, :]
    for k in range(1, K):
        factor = left[k] / diagonal[k - 1]
        diagonal[k] -= factor * right[k - 1]
        wanted[..., k, :] -= factor * wanted[..., k - 1, :]
    slopes = wanted
    slopes[..., -1, :] /= diagonal[-1]
    for k in range(K - 2, -1, -1):
        slopes[..., k, :] = (wanted[..., k, :] - right[k] * slopes[..., k + 1, :]) / diagonal[k]
    bends = np.empty_like(slopes)
    bends[..., :-1, :] = (6 * d - 4 * slopes[..., :-1, :] - 2 * slopes[..., 1:, :]) / h
    bends[..., -1, :] = (-6 * d[..., -1, :] + 2 * slopes[..., -2, :] + 4 * slopes[..., -1, :]) / h[-1]
    return slopes, bends
