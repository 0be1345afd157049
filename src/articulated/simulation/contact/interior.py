"""Interior point on the exact laws of a contact problem, block by block; any scalar.

Each inequality is a product of two positive numbers that is brought to zero: the normal impulse n and its slack w; the
friction left (μ n, along) and the speed (ψ, s along), both in cones; of a scalar row the impulses of its two ends and
their slacks, and the two reserves of dry friction with the parts of its velocity.  `z` is what a block carries beside
its impulses, `dz` how that changes: 21 numbers, three for each of the seven of a scalar row.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from ...algebra.scalars import Array, Scalar, array, eye, select, sqrt, zeros
from .laws import NONE, TINY, greatest, least
from .rows import windows

#: numbers that a block carries
CARRIED = 21
#: least friction: the cone of a contact without any is too thin for an interior
THIN = 1e-9
#: a step that nothing limits
FAR = 1e30


class Barrier(NamedTuple):
    """The functions of a kind of block."""

    impulses: Callable[..., Any]  # (g, law, size) -> x to begin with
    begin: Callable[..., Any]  # (s, g, law, size) -> z
    products: Callable[..., Any]  # (x, s, z, law) -> their sum, and how many they are
    system: Callable[..., Any]  # (x, s, z, law) -> C, E of C dx + E ds = r
    right: Callable[..., Any]  # (x, s, z, law, target, d, ds, dz) -> r; the last three of the predictor, or zeros
    change: Callable[..., Any]  # the same and the new d, ds -> dz, and the longest step


# -- a contact: z = w, ψ --------------------------------------------------------------------


def _friction(law: Array) -> Scalar:
    return greatest(law[0], THIN)


def _contact_impulses(g: Array, law: Array, size: Array) -> Array:
    return array([0.0, 0.0, size[0] / g[2]])


def _contact_begin(s: Array, g: Array, law: Array, size: Array) -> Array:
    z = zeros(CARRIED)
    z[0], z[1] = greatest(s[2], size[0]), 1.5 * sqrt(s[0] * s[0] + s[1] * s[1]) + size[0]
    return z


def _fit(x: Array, s: Array, z: Array, law: Array) -> Scalar:
    return _friction(law) * x[2] * z[1] + x[0] * s[0] + x[1] * s[1]


def _contact_products(x: Array, s: Array, z: Array, law: Array) -> Array:
    return array([x[2] * z[0] + _fit(x, s, z, law), 2.0])


def _contact_system(x: Array, s: Array, z: Array, law: Array) -> tuple[Array, Array]:
    friction, (w, psi) = _friction(law), z[:2]
    reach = friction * x[2]
    h = array([x[0], x[1]]) / reach
    C, E = zeros(3, 3), zeros(3, 3)
    for i in range(2):
        for j in range(2):
            C[i, j] = (psi if i == j else 0) - h[i] * s[j]
            E[i, j] = reach * ((1 if i == j else 0) - h[i] * h[j])
        C[i, 2] = friction * (s[i] - psi * h[i])
    C[2, 2], E[2, 2] = w, x[2]
    return C.ravel(), E.ravel()


def _second(d: Array, ds: Array, dz: Array, law: Array) -> tuple[Scalar, list[Scalar]]:
    """Second-order terms of the two products of the cones: those of the changes."""
    friction = _friction(law)
    first = friction * d[2] * dz[1] + d[0] * ds[0] + d[1] * ds[1]
    return first, [friction * d[2] * ds[i] + dz[1] * d[i] for i in range(2)]


def _contact_right(
    x: Array, s: Array, z: Array, law: Array, target: Array, d: Array, ds: Array, dz: Array
) -> Array:  # fmt: skip
    reach, (first, rest) = _friction(law) * x[2], _second(d, ds, dz, law)
    left = target[0] - _fit(x, s, z, law) - first
    along = [-(reach * s[i] + z[1] * x[i]) - rest[i] - x[i] / reach * left for i in range(2)]
    return array([*along, target[0] - x[2] * s[2] - dz[0] * d[2]])


def _contact_change(
    x: Array, s: Array, z: Array, law: Array, target: Array, d: Array, ds: Array, dz: Array, d1: Array, ds1: Array
) -> tuple[Array, Array]:  # fmt: skip
    friction, (first, _) = _friction(law), _second(d, ds, dz, law)
    w, psi, reach = z[0], z[1], friction * x[2]
    out = zeros(CARRIED)
    out[0] = ds1[2] + s[2] - w
    turned = sum((s[i] * d1[i] + x[i] * ds1[i] for i in range(2)), start=0)
    out[1] = (target[0] - _fit(x, s, z, law) - first - friction * psi * d1[2] - turned) / reach
    far = least(until_zero(x[2], d1[2]), until_zero(w, out[0]))
    far = least(far, until_beyond(reach, x, friction * d1[2], d1))
    return out, array([least(far, until_beyond(psi, s, out[1], ds1))])


def until_zero(t: Scalar, dt: Scalar) -> Scalar:
    """The step at which t is zero."""
    return select(dt < 0, -t / select(dt < 0, dt, -1.0), FAR)


def until_beyond(t: Scalar, x: Array, dt: Scalar, dx: Array) -> Scalar:
    """The largest step that keeps t above the length of (x, y)."""
    a = dt * dt - dx[0] * dx[0] - dx[1] * dx[1]
    b = t * dt - x[0] * dx[0] - x[1] * dx[1]
    c = greatest(t * t - x[0] * x[0] - x[1] * x[1], 0.0)
    inside = b * b - a * c
    root = sqrt(greatest(inside, 0.0))
    closing = select(inside > 0, c / greatest(root - b, TINY), FAR)
    widest = select(a < 0, (b + root) / greatest(-a, TINY), FAR)
    return select(b < 0, closing, widest)


CONTACT = Barrier(
    _contact_impulses, _contact_begin, _contact_products, _contact_system, _contact_right, _contact_change
)


# -- scalar rows: z = impulses of the ends, their slacks, friction, the parts of the velocity ------------------


class _Row(NamedTuple):
    """A scalar row and its pieces; `low`, `up` and `dry` are 1 where there is such a piece, `held` where s is given."""

    lower: Scalar
    upper: Scalar
    most: Scalar  # of dry friction
    low: Scalar
    up: Scalar
    dry: Scalar
    held: Scalar
    la: Scalar  # impulses of the ends
    lb: Scalar
    wa: Scalar  # slacks
    wb: Scalar
    f: Scalar  # friction
    a: Scalar  # velocity that it resists, one way and the other
    b: Scalar


def _rows(z: Array, law: Array) -> list[_Row]:
    found = []
    for i, (lower, upper, dry) in enumerate(windows(law)):
        held = select(lower < upper, 0.0, 1.0)
        low, up = select(lower > -NONE, 1 - held, 0.0), select(upper < NONE, 1 - held, 0.0)
        rubs = select(dry > 0, 1 - held, 0.0)
        la, lb, wa, wb, f, a, b = z[i::3]
        found.append(_Row(lower, upper, select(rubs > 0, dry, 1.0), low, up, rubs, held, la, lb, wa, wb, f, a, b))
    return found


def _scalar_impulses(g: Array, law: Array, size: Array) -> Array:
    return array([size[0] / g[i] * (row.low - row.up) for i, row in enumerate(_rows(zeros(CARRIED), law))])


def _scalar_begin(s: Array, g: Array, law: Array, size: Array) -> Array:
    z = zeros(CARRIED)
    for i, row in enumerate(_rows(z, law)):
        start = size[0] / g[i]
        z[i::3] = [
            row.low * start, row.up * start,
            select(row.low > 0, greatest(s[i] - row.lower, size[0]), 1.0),
            select(row.up > 0, greatest(row.upper - s[i], size[0]), 1.0),
            0.0, greatest(s[i], 0.0) + size[0], greatest(s[i], 0.0) + size[0] - s[i],
        ]  # fmt: skip
    return z


def _scalar_products(x: Array, s: Array, z: Array, law: Array) -> Array:
    total, count = 0.0, 0.0
    for row in _rows(z, law):
        ends = row.low * row.la * row.wa + row.up * row.lb * row.wb
        rubbing = row.a * (row.most + row.f) + row.b * (row.most - row.f)
        total, count = total + ends + row.dry * rubbing, count + row.low + row.up + 2 * row.dry
    return array([total, count])


def _slopes(row: _Row) -> tuple[Scalar, Scalar, Scalar]:
    """The change of an impulse per change of s: by the lower end, the upper end, and friction."""
    stiff = row.a / (row.most + row.f) + row.b / (row.most - row.f)
    return row.low * row.la / row.wa, row.up * row.lb / row.wb, row.dry / greatest(stiff, TINY)


def _scalar_system(x: Array, s: Array, z: Array, law: Array) -> tuple[Array, Array]:
    C, E = eye(3), zeros(3, 3)
    for i, row in enumerate(_rows(z, law)):
        C[i, i], E[i, i] = 1 - row.held, row.held + (1 - row.held) * sum(_slopes(row), start=0)
    return C.ravel(), E.ravel()


def _constants(row: _Row, s: Scalar, target: Scalar, change: Array) -> tuple[Scalar, Scalar, Scalar]:
    """The changes of the three impulses where s does not change; `change` is that of the predictor."""
    dla, dlb, dwa, dwb, df, da, db = change
    ra = row.low * (target - dla * dwa - row.la * (s - row.lower)) / row.wa
    rb = row.up * (target - dlb * dwb - row.lb * (row.upper - s)) / row.wb
    pushed = (target - da * df) / (row.most + row.f) - (target + db * df) / (row.most - row.f) - s
    return ra, rb, _slopes(row)[2] * pushed


def _scalar_right(
    x: Array, s: Array, z: Array, law: Array, target: Array, d: Array, ds: Array, dz: Array
) -> Array:  # fmt: skip
    found = []
    for i, row in enumerate(_rows(z, law)):
        ra, rb, rf = _constants(row, s[i], target[0], dz[i::3])
        found.append(select(row.held > 0, row.lower - s[i], ra - rb + rf))
    return array(found)


def _scalar_change(
    x: Array, s: Array, z: Array, law: Array, target: Array, d: Array, ds: Array, dz: Array, d1: Array, ds1: Array
) -> tuple[Array, Array]:  # fmt: skip
    out, far = zeros(CARRIED), FAR
    for i, row in enumerate(_rows(z, law)):
        (ra, rb, rf), (sa, sb, sf) = _constants(row, s[i], target[0], dz[i::3]), _slopes(row)
        da0, db0, df0 = dz[i::3][5], dz[i::3][6], dz[i::3][4]
        dla, dlb, df = ra - sa * ds1[i], rb + sb * ds1[i], rf - sf * ds1[i]
        dwa, dwb = row.low * (ds1[i] + s[i] - row.lower - row.wa), row.up * (row.upper - s[i] - ds1[i] - row.wb)
        da = row.dry * ((target[0] - da0 * df0 - row.a * (row.most + row.f + df)) / (row.most + row.f))
        db = row.dry * ((target[0] + db0 * df0 - row.b * (row.most - row.f - df)) / (row.most - row.f))
        out[i::3] = [dla, dlb, dwa, dwb, df, da, db]
        pieces = [
            (row.low, row.la, dla), (row.low, row.wa, dwa), (row.up, row.lb, dlb), (row.up, row.wb, dwb),
            (row.dry, row.a, da), (row.dry, row.b, db),
            (row.dry, row.most + row.f, df), (row.dry, row.most - row.f, -df),
        ]  # fmt: skip
        for there, t, dt in pieces:
            far = least(far, select(there > 0, until_zero(t, dt), FAR))
    return out, array([far])


SCALARS = Barrier(_scalar_impulses, _scalar_begin, _scalar_products, _scalar_system, _scalar_right, _scalar_change)
