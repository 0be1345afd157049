"""Newton's method on the map of Alart and Curnier (1991): all rows at once, quadratic where it converges; any scalar.

λ = p(λ - s / g) with p the law of each row and g its mobility.  A proximal term, a part of g, keeps the linear system
regular where contacts are redundant; it vanishes at the solution, where nothing is softened.
"""

import numpy as np

from ...algebra.scalars import Array, Scalar, array, eye, is_zero, select, sqrt, zeros
from .laws import TINY, Window, greatest, in_cone
from .problem import Problem, mean_mobility, sweep_scalars, velocities

#: rows up to which all of them take part, and all but joint limits
FEW, MANY = 16, 48
#: how much of a step is tried, the first that helps is taken
DAMPING = (1.0, 0.4, 0.1)
#: no impulse is larger
LARGEST = 1e200


def newton(problem: Problem, impulses: Array, proximal: Scalar) -> Array:
    """One step, as far as it helps; the impulses obey the cones.  Rows left out are swept after it."""
    rows, others = _rows(problem)
    found = impulses.copy()
    found[rows] = _step(_part(problem, impulses, rows, others), impulses[rows], proximal)
    return sweep_scalars(problem, found, others)


def _rows(problem: Problem) -> tuple[list[int], list[int]]:
    """Which rows take part: elimination is cubic, and joint limits, then dry friction, do without it if they must."""
    first = problem.scalars.start
    limits = [first + k for k, w in enumerate(problem.windows) if w.dry is None and w.lower is not w.upper]
    joints = limits + [first + k for k, w in enumerate(problem.windows) if w.dry is not None]
    rows = list(range(len(problem.c)))
    for others, most in (([], FEW), (limits, MANY)):
        if len(rows) - len(others) <= most:
            return [i for i in rows if i not in others], others
    return [i for i in rows if i not in joints], sorted(joints)


def _part(problem: Problem, impulses: Array, rows: list[int], others: list[int]) -> Problem:
    """The problem of some rows, the others held."""
    c = problem.c[rows] + problem.G[np.ix_(rows, others)] @ impulses[others] if others else problem.c
    windows = tuple(w for i, w in zip(problem.scalars, problem.windows, strict=True) if i not in others)
    return problem._replace(G=problem.G[np.ix_(rows, rows)], c=c, windows=windows)


def _step(problem: Problem, impulses: Array, proximal: Scalar) -> Array:
    G, s = problem.G, velocities(problem, impulses)
    g = _mobilities(problem)
    inverse = 1 / g
    F, P = _map(problem, impulses, s, inverse)
    step = _solved(eye(len(F)) - P @ ((1 - proximal) * eye(len(F)) - inverse[:, None] * G), -F)
    step = array([select(x * x < LARGEST, x, 0.0) for x in step])

    s_step = G @ step
    start = _merit(F * g)
    best, least = impulses, LARGEST
    for part in DAMPING:
        tried = impulses + part * step
        merit = _merit(_map(problem, tried, s + part * s_step, inverse)[0] * g)
        # better than those before, of which none has helped yet
        better = select(start < least, select(merit < least, 1.0, 0.0), 0.0) > 0.5
        best = array([select(better, a, b) for a, b in zip(tried, best, strict=True)])
        least = select(better, merit, least)
    for rows, friction in zip(problem.contacts, problem.friction, strict=True):
        best[rows] = in_cone(best[rows], friction)
    return best


def _mobilities(problem: Problem) -> Array:
    """g of each row; the three of a contact share theirs."""
    G, found = problem.G, problem.G.diagonal().copy()
    for rows in problem.contacts:
        found[rows] = mean_mobility(G, rows) + TINY
    return found


def _map(problem: Problem, impulses: Array, s: Array, inverse: Array) -> tuple[Array, Array]:
    """F = λ - p(λ - s / g), and the derivative of p."""
    wanted = impulses - inverse * s
    F, P = zeros(len(s)), zeros(len(s), len(s))
    for rows, friction in zip(problem.contacts, problem.friction, strict=True):
        pushed, P[rows, rows] = _disc(wanted[rows], friction)
        F[rows] = impulses[rows] - pushed
    for i, window in zip(problem.scalars, problem.windows, strict=True):
        pushed, P[i, i] = _scalar(wanted[i], inverse[i], window)
        F[i] = impulses[i] - pushed
    return F, P


def _disc(a: Array, friction: Scalar) -> tuple[Array, Array]:
    """p of a contact: the normal not negative, the rest within the disc that the normal allows; and its derivative."""
    closed = a[2] > 0
    normal = select(closed, a[2], 0.0)
    reach, length = friction * normal, sqrt(a[0] * a[0] + a[1] * a[1] + TINY)
    sticks = length < reach
    x, y = a[0] / length, a[1] / length
    along = select(sticks, 1.0, reach / length)
    # of a point beyond the disc only the part across the radius counts, and the radius itself grows with the normal
    radial = select(sticks, 0.0, along)
    widens = select(sticks, 0.0, select(closed, friction, 0.0))
    across = -radial * x * y
    P = array(
        [
            [along - radial * x * x, across, widens * x],
            [across, along - radial * y * y, widens * y],
            [0, 0, select(closed, 1.0, 0.0)],
        ]
    )
    return array([along * a[0], along * a[1], normal]), P


def _scalar(a: Scalar, inverse: Scalar, window: Window) -> tuple[Scalar, Scalar]:
    """p of a scalar row and its derivative: 0 where friction alone acts at its largest, 1 where the row is held."""
    pushed, held = a, 1.0
    if window.dry is not None:
        pushed = greatest(select(a < window.dry, a, window.dry), -window.dry)
        held = select(a * a < window.dry * window.dry, 1.0, 0.0)
    elif window.lower is None or window.lower is not window.upper:
        pushed, held = 0, 0.0
    # the velocity it is left with is (pushed - a) g: where that is beyond an end of the window, the end pushes
    if window.lower is not None:
        at_end = a + window.lower * inverse
        if window.lower is window.upper:
            return at_end, 1.0
        pushes = pushed < at_end
        pushed, held = select(pushes, at_end, pushed), select(pushes, 1.0, held)
    if window.upper is not None:
        at_end = a + window.upper * inverse
        pushes = at_end < pushed
        pushed, held = select(pushes, at_end, pushed), select(pushes, 1.0, held)
    return pushed, held


def _merit(missed: Array) -> Scalar:
    """Squared length."""
    return sum((x * x for x in missed if not is_zero(x)), start=0)


def _solved(A: Array, b: Array) -> Array:
    """x with A x = b by elimination without pivoting: the proximal term keeps the pivots away from zero."""
    A, x, n = A.copy(), b.copy(), len(b)
    for k in range(n):
        inverse = 1 / A[k, k]
        for i in range(k + 1, n):
            if not is_zero(A[i, k]):
                ratio = A[i, k] * inverse
                A[i, k + 1 :] = A[i, k + 1 :] - ratio * A[k, k + 1 :]
                x[i] = x[i] - ratio * x[k]
        A[k, k] = inverse
    for k in reversed(range(n)):
        x[k] = (x[k] - np.dot(A[k, k + 1 :], x[k + 1 :])) * A[k, k] if k + 1 < n else x[k] * A[k, k]
    return x
