"""The Denavit-Hartenberg table of a robot whose frames are placed that way; every row is proven before it is shown."""

from math import atan2, pi
from typing import Any, NamedTuple

import sympy

from ...algebra import scalars
from ...algebra.spatial import Transform
from ...model import Body
from ..ring.convert import plain
from ..ring.polynomial import terms_of
from ..ring.state import State

ROUNDING = 1e-12


class Row(NamedTuple):
    """One joint: the four parameters, the joint variable in its cell."""

    theta: sympy.Expr
    d: sympy.Expr
    a: sympy.Expr
    alpha: sympy.Expr


class DHTable(NamedTuple):
    """Rows in the order of the bodies: standard, A = Rz Tz Tx Rx, or modified, A = Rx Tx Rz Tz."""

    convention: str
    rows: list[Row]


def dh_table(state: State) -> DHTable | None:
    """The table of a robot whose every joint turns about, or slides along, the z of D-H frames; else None."""
    for convention in ("standard", "modified"):
        rows = [_row(state, b, convention) for b in state.model.bodies]
        if rows and all(row is not None for row in rows):
            return DHTable(convention, [row for row in rows if row is not None])
    return None


def _row(state: State, b: Body, convention: str) -> Row | None:
    """The parameters read off the transform at zero, if with them it is the robot's for every q."""
    if not (b.joint.turns or b.joint.slides):
        return None
    X = b.placement @ b.tail
    R, p = X.R, X.p
    if convention == "standard":
        (ct, st), (ca, sa) = (R[0, 0], R[1, 0]), (R[2, 2], R[2, 1])
        a, d = p[0] * ct + p[1] * st, p[2]
    else:
        (ct, st), (ca, sa) = (R[0, 0], -R[0, 1]), (R[2, 2], -R[1, 2])
        a, d = p[0], p[2] * ca - p[1] * sa
    theta, alpha = _angle(ct, st), _angle(ca, sa)
    if theta is None or alpha is None:
        return None
    motion = b.position(state.q)[0]
    for sign in (1, -1):  # the axis may point along -z
        turned = _turned((ct, st), sign * motion) if b.joint.turns else (ct, st)
        slid = d if b.joint.turns else d + sign * motion
        if _same(_transform(convention, turned, slid, a, (ca, sa)), b.transform(state.q)):
            moved = sign * plain(motion)
            moves = (moved, 0) if b.joint.turns else (0, moved)
            return Row(theta + moves[0], plain(d) + moves[1], plain(a), alpha)
    return None


def _turned(angle: tuple[Any, Any], by: Any) -> tuple[Any, Any]:
    (c, s), (cb, sb) = angle, (scalars.cos(by), scalars.sin(by))
    return c * cb - s * sb, s * cb + c * sb


def _transform(convention: str, theta: Any, d: Any, a: Any, alpha: Any) -> list[Any]:
    """The twelve entries of A."""
    (ct, st), (ca, sa) = theta, alpha
    if convention == "standard":
        return [ct, -st * ca, st * sa, st, ct * ca, -ct * sa, 0, sa, ca, a * ct, a * st, d]
    return [ct, -st, 0, st * ca, ct * ca, -sa, st * sa, ct * sa, ca, a, -d * sa, d * ca]


def _same(entries: list[Any], X: Transform) -> bool:
    length = max((abs(c) for x in X.p for c in terms_of(x).values()), default=1)
    allowed = [ROUNDING] * 9 + [ROUNDING * length] * 3
    left = zip(entries, [*X.R.ravel(), *X.p], allowed, strict=True)
    return all(abs(c) < rounding for x, y, rounding in left for c in terms_of(x - y).values())


def _angle(c: Any, s: Any) -> sympy.Expr | None:
    """The angle with this cosine and sine: a number, a symbol's, or one of those and right angles."""
    cosine, sine = plain(c), plain(s)
    if not (cosine.free_symbols or sine.free_symbols):
        parts = atan2(float(sine), float(cosine)) / pi * 12
        near = abs(parts - round(parts)) < ROUNDING
        return sympy.Rational(round(parts), 12) * sympy.pi if near else sympy.Float(parts * pi / 12, 15)
    for f in cosine.atoms(sympy.cos, sympy.sin):
        for sign in (1, -1):
            for right in range(4):
                angle = sign * f.args[0] + right * sympy.pi / 2
                if (cosine, sine) == (sympy.cos(angle), sympy.sin(angle)):
                    return angle
    return None
