"""The problem of one step: which impulses keep the velocities s = G λ + c within the laws of all rows; any scalar."""

from collections.abc import Iterable
from typing import NamedTuple

from ...algebra.scalars import Array, Scalar, array, is_zero, sqrt
from .laws import Window, coulomb, greatest, on_cone, scalar_impulse


class Problem(NamedTuple):
    """Contacts first, three rows each (along, along, off), then scalar rows."""

    G: Array  # velocity per unit impulse, symmetric, (m, m)
    c: Array  # velocities without impulses, drift and restitution in them, (m,)
    friction: Array  # of each contact, (nc,)
    windows: tuple[Window, ...]  # of each scalar row
    least: Scalar  # the velocity that counts as one where no impulse acts: g dt

    @property
    def contacts(self) -> list[slice]:
        """The rows of each contact."""
        return [slice(3 * k, 3 * k + 3) for k in range(len(self.friction))]

    @property
    def scalars(self) -> range:
        """The rows that stand alone."""
        return range(3 * len(self.friction), len(self.c))


def velocities(problem: Problem, impulses: Array) -> Array:
    """s = G λ + c."""
    return problem.G @ impulses + problem.c


def sweep(problem: Problem, impulses: Array) -> Array:
    """Every row solved exactly in turn, the others held as they are by then: block Gauss-Seidel."""
    G, c, found = problem.G, problem.c, impulses.copy()
    for rows, friction in zip(problem.contacts, problem.friction, strict=True):
        s = c[rows] + _felt(G, found, rows.start, 3)
        found[rows] = coulomb(G[rows, rows], s, friction)
    return sweep_scalars(problem, found, problem.scalars)


def sweep_scalars(problem: Problem, impulses: Array, rows: Iterable[int]) -> Array:
    """Some of the scalar rows solved in turn."""
    G, found = problem.G, impulses.copy()
    for i in rows:
        s = problem.c[i] + _felt(G, found, i, 1)[0]
        found[i] = scalar_impulse(G[i, i], s, problem.windows[i - problem.scalars.start])
    return found


def _felt(G: Array, impulses: Array, start: int, size: int) -> Array:
    """Velocity of some rows under the impulses of all others."""
    others = [j for j in range(len(impulses)) if not start <= j < start + size]
    return G[start : start + size, others] @ impulses[others] if others else array([0] * size)


def residual(problem: Problem, impulses: Array) -> Scalar:
    """How far the impulses are from obeying all laws, as a part of the largest velocity an impulse changes.

    Of a contact |g λ - P(g λ - s)|, P the projection on the friction cone, g its mean mobility and μ |s along| added to
    s off the ground (de Saxcé): zero if and only if Signorini and Coulomb hold.  Of a scalar row the same with its law.
    """
    G, s = problem.G, velocities(problem, impulses)
    worst, largest = 0.0, problem.least * problem.least
    for rows, friction in zip(problem.contacts, problem.friction, strict=True):
        along, g = s[rows], mean_mobility(G, rows)
        pushed = g * impulses[rows]
        sliding = friction * sqrt(along[0] * along[0] + along[1] * along[1])
        missed = pushed - on_cone(pushed - along - array([0, 0, sliding]), friction)
        worst, largest = greatest(worst, _squared(missed)), greatest(largest, _squared(pushed))
    for i, window in zip(problem.scalars, problem.windows, strict=True):
        pushed = G[i, i] * impulses[i]
        missed = pushed - G[i, i] * scalar_impulse(G[i, i], s[i] - pushed, window)
        worst, largest = greatest(worst, missed * missed), greatest(largest, pushed * pushed)
    return sqrt(worst / largest)


def mean_mobility(G: Array, rows: slice) -> Scalar:
    """Mean mobility of a contact over its three directions."""
    first = rows.start
    return (G[first, first] + G[first + 1, first + 1] + G[first + 2, first + 2]) / 3


def _squared(x: Array) -> Scalar:
    return sum((a * a for a in x if not is_zero(a)), start=0)
