"""Blocks of three rows of a contact problem: a contact (along, along, off), or up to three scalar rows; any scalar.

Impulses λ change velocities by G λ.  A block knows its mobility G (3×3), its law (a contact's friction comes first; of
scalar rows the lower and the upper ends of their windows and their dry friction; at last 1, or 0 in a lane that has no
such block), and g, the mobility that makes impulses and velocities comparable.

A state moves by the same bits alone and in a batch: in a lane where a block does not act its rows are zero, and it adds
nothing but zeros to what the lane computes.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ...algebra.scalars import Array, Scalar, array, eye, select, sqrt, zeros
from .laws import TINY, greatest, in_cone, in_window, least, on_cone, resting, sliding, stopped

#: numbers of a law
LAW = 10


def matrix(flat: Array) -> Array:
    """Nine numbers as 3×3."""
    return flat.reshape(3, 3)


def windows(law: Array) -> list[tuple[Scalar, Scalar, Scalar]]:
    """Lower end, upper end and dry friction of each scalar row."""
    return list(zip(*law[:9].reshape(3, 3), strict=True))


def present(law: Array) -> Any:
    """Whether a lane has the block of this law."""
    return law[9] > 0.5


class Law(NamedTuple):
    """The functions of a kind of block."""

    mobilities: Callable[..., Array]  # (G) -> g, (3,)
    solved: Callable[..., tuple[Array, Scalar]]  # (G, s, law): the impulse, everything else held, s without its own;
    #                                             and 0 where it has to be `slid` instead
    missed: Callable[..., Array]  # (x, s, g, law): g λ - P(g λ - s), zero if and only if the law holds
    admissible: Callable[..., Array]  # (x, law): the nearest impulse that the law can give
    curnier: Callable[..., tuple[Array, Array]]  # (x, s, g, law): p(λ - s / g) and its derivative (3, 3)
    size: Callable[[Array], Scalar]  # of what is missed, squared
    safe: Callable[..., tuple[Array, Array]] = lambda c, u, law: (c, law)  # without recovery from penetrations
    given: Callable[..., Scalar] = lambda x, law: 0.0  # energy that the law is told to add where it holds
    slid: Callable[..., Array] | None = None  # (G, s, law): the impulse of a contact that slides


# -- a contact ------------------------------------------------------------------------------


def _contact_mobilities(G: Array) -> Array:
    mean = (G[0] + G[4] + G[8]) / 3 + TINY
    return array([mean, mean, mean])


def _contact_solved(G: Array, s: Array, law: Array) -> tuple[Array, Scalar]:
    return resting(matrix(G), s, law[0])


def _contact_slid(G: Array, s: Array, law: Array) -> Array:
    return sliding(matrix(G), s, law[0])


def _contact_missed(x: Array, s: Array, g: Array, law: Array) -> Array:
    """With μ |s along| added to s off the ground (de Saxcé), Signorini and Coulomb are one projection."""
    pushed = g[0] * x
    sliding = law[0] * sqrt(s[0] * s[0] + s[1] * s[1])
    return pushed - on_cone(pushed - s - array([0, 0, sliding]), law[0])


def _contact_admissible(x: Array, law: Array) -> Array:
    return in_cone(x, law[0])


def _contact_curnier(x: Array, s: Array, g: Array, law: Array) -> tuple[Array, Array]:
    """The normal not negative, the rest within the disc that the normal allows."""
    friction, a = law[0], x - s / g
    closed = a[2] > 0
    normal = select(closed, a[2], 0.0)
    reach, length = friction * normal, sqrt(a[0] * a[0] + a[1] * a[1] + TINY)
    sticks = length < reach
    along = select(sticks, 1.0, reach / length)
    # of a point beyond the disc only the part across the radius counts, and the radius itself grows with the normal
    radial = select(sticks, 0.0, along)
    widens = select(sticks, 0.0, select(closed, friction, 0.0))
    e, f = a[0] / length, a[1] / length
    across = -radial * e * f
    P = array(
        [
            [along - radial * e * e, across, widens * e],
            [across, along - radial * f * f, widens * f],
            [0, 0, select(closed, 1.0, 0.0)],
        ]
    )
    return array([along * a[0], along * a[1], normal]), P


def _contact_size(missed: Array) -> Scalar:
    return missed @ missed


def _contact_safe(c: Array, u: Array, law: Array) -> tuple[Array, Array]:
    """c and the law without recovery from a penetration: v = 0 obeys both, so that a solution gains no energy."""
    return array([c[0], c[1], greatest(c[2], u[2])]), law


CONTACT = Law(
    _contact_mobilities, _contact_solved, _contact_missed, _contact_admissible, _contact_curnier,
    _contact_size, _contact_safe, slid=_contact_slid,
)  # fmt: skip


# -- scalar rows ----------------------------------------------------------------------------


def _scalar_mobilities(G: Array) -> Array:
    return array([G[0], G[4], G[8]]) + TINY


def _scalar_solved(G: Array, s: Array, law: Array) -> tuple[Array, Scalar]:
    """One row after the other, twice."""
    M, found = matrix(G), zeros(3)
    for _ in range(2):
        for i, window in enumerate(windows(law)):
            felt = s[i] + sum((M[i, j] * found[j] for j in range(3) if j != i), start=0)
            found[i] = stopped(M[i, i] + TINY, felt, *window)
    return found, 1.0


def _scalar_missed(x: Array, s: Array, g: Array, law: Array) -> Array:
    pushed = g * x
    wanted = [stopped(g[i], s[i] - pushed[i], *window) for i, window in enumerate(windows(law))]
    return pushed - g * array(wanted)


def _scalar_admissible(x: Array, law: Array) -> Array:
    return array([in_window(a, *window) for a, window in zip(x, windows(law), strict=True)])


def _scalar_curnier(x: Array, s: Array, g: Array, law: Array) -> tuple[Array, Array]:
    """Held where friction is not at its largest or an end of the window pushes; else the impulse does not change."""
    P, found, a = eye(3), zeros(3), x - s / g
    for i, (lower, upper, dry) in enumerate(windows(law)):
        pushed = stopped(g[i], -g[i] * a[i], lower, upper, dry)
        left = g[i] * (pushed - a[i])
        at_end = select(left > lower, select(left < upper, 0.0, 1.0), 1.0)
        found[i], P[i, i] = pushed, select(a[i] * a[i] < dry * dry, 1.0, at_end)
    return found, P


def _scalar_size(missed: Array) -> Scalar:
    return greatest(missed[0] * missed[0], greatest(missed[1] * missed[1], missed[2] * missed[2]))


def _scalar_safe(c: Array, u: Array, law: Array) -> tuple[Array, Array]:
    lower, upper, rest = law[:3], law[3:6], law[6:]
    ends = [
        (select(a < b, least(a, 0.0), 0.0), select(a < b, greatest(b, 0.0), 0.0))
        for a, b in zip(lower, upper, strict=True)
    ]
    return c, np.concatenate([array([a for a, _ in ends]), array([b for _, b in ends]), rest])


def _scalar_given(x: Array, law: Array) -> Scalar:
    """Energy that rows which hold are told to give: taking back their drift may cost some."""
    return sum((select(a < b, 0.0, greatest(x[i] * a, 0.0)) for i, (a, b, _) in enumerate(windows(law))), start=0)


SCALARS = Law(
    _scalar_mobilities, _scalar_solved, _scalar_missed, _scalar_admissible, _scalar_curnier,
    _scalar_size, _scalar_safe, _scalar_given,
)  # fmt: skip


# -- both -----------------------------------------------------------------------------------


def inverse3(A: Array) -> Array:
    """The inverse of nine numbers, by cofactors."""
    M = matrix(A)
    rows = [np.roll(M, -k, axis=0) for k in range(3)]
    cofactors = array(
        [
            [rows[i][1, (j + 1) % 3] * rows[i][2, (j + 2) % 3] - rows[i][1, (j + 2) % 3] * rows[i][2, (j + 1) % 3]
             for j in range(3)]
            for i in range(3)
        ]
    )  # fmt: skip
    determinant = sum((M[0, j] * cofactors[0, j] for j in range(3)), start=0)
    return (cofactors.T / determinant).ravel()
