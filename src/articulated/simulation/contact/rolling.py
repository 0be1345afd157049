"""Rolling and spinning friction of a contact: a block of three rows of angular velocity, two along and one off.

The moment along the ground is at most `rolling` times the normal impulse, that about the normal at most `spinning`
times it, each against its motion.  Both limits are numbers of the law, known before the block is solved: those of the
normal impulse that was found last; the step is solved again where that has changed.  With limits that are given the
moments cannot gain energy.
"""

from ...algebra.scalars import Array, Scalar, array, select, sqrt, zeros
from .interior import CARRIED, FAR, Barrier, until_beyond, until_zero
from .laws import TINY, coulomb, greatest, in_cone, least
from .rows import Law, matrix

#: a limit of nothing, as a part of the other: the interior of a disc of no radius is empty
THIN = 1e-9


def _limits(law: Array) -> tuple[Scalar, Scalar]:
    return law[0], law[1]


def _open_limits(law: Array) -> tuple[Scalar, Scalar]:
    """Limits with an interior."""
    return greatest(law[0], THIN * law[1] + TINY), greatest(law[1], THIN * law[0] + TINY)


def _within(x: Array, rolling: Scalar, spinning: Scalar) -> Array:
    """The nearest moments within the limits."""
    along = in_cone(array([x[0], x[1], 1.0]), rolling)
    return array([along[0], along[1], greatest(least(x[2], spinning), -spinning)])


# -- the law ------------------------------------------------------------------------------------------


def _mobilities(G: Array) -> Array:
    mean = (G[0] + G[4]) / 2 + TINY
    return array([mean, mean, G[8] + TINY])


def _solved(G: Array, s: Array, law: Array) -> tuple[Array, Scalar]:
    """Rolling and spinning in turn, twice."""
    M, (rolling, spinning), x = matrix(G), _limits(law), zeros(3)
    alone = array([[M[0, 0], M[0, 1], 0.0], [M[1, 0], M[1, 1], 0.0], [0.0, 0.0, 1.0]])
    for _ in range(2):
        # as a contact whose normal impulse is 1
        x[:2] = coulomb(alone, array([s[0] + M[0, 2] * x[2], s[1] + M[1, 2] * x[2], -1.0]), rolling)[:2]
        free = -(s[2] + M[2, 0] * x[0] + M[2, 1] * x[1]) / (M[2, 2] + TINY)
        x[2] = greatest(least(free, spinning), -spinning)
    return x, 1.0


def _missed(x: Array, s: Array, g: Array, law: Array) -> Array:
    pushed, (rolling, spinning) = g * x, _limits(law)
    return pushed - _within(pushed - s, g[0] * rolling, g[2] * spinning)


def _curnier(x: Array, s: Array, g: Array, law: Array) -> tuple[Array, Array]:
    (rolling, spinning), a = _limits(law), x - s / g
    length = sqrt(a[0] * a[0] + a[1] * a[1] + TINY)
    rests = length < rolling
    along = select(rests, 1.0, rolling / length)
    radial = select(rests, 0.0, along)  # beyond the disc only the part across the radius counts
    e, f = a[0] / length, a[1] / length
    P = zeros(3, 3)
    P[0, 0], P[1, 1] = along - radial * e * e, along - radial * f * f
    P[0, 1] = P[1, 0] = -radial * e * f
    P[2, 2] = select(a[2] * a[2] < spinning * spinning, 1.0, 0.0)
    return _within(a, rolling, spinning), P


def _admissible(x: Array, law: Array) -> Array:
    return _within(x, *_limits(law))


def _size(missed: Array) -> Scalar:
    return greatest(missed[0] * missed[0] + missed[1] * missed[1], missed[2] * missed[2])


ROLLING = Law(_mobilities, _solved, _missed, _admissible, _curnier, _size)


# -- interior point: z = ψ of the cones (limit, along) and (ψ, s along), the spin one way, and the other -------


def _impulses(g: Array, law: Array, size: Array) -> Array:
    return array([0.0, 0.0, 0.0])


def _begin(s: Array, g: Array, law: Array, size: Array) -> Array:
    z = zeros(CARRIED)
    z[0] = 1.5 * sqrt(s[0] * s[0] + s[1] * s[1]) + size[0]
    z[1] = greatest(s[2], 0.0) + size[0]
    z[2] = z[1] - s[2]
    return z


def _products(x: Array, s: Array, z: Array, law: Array) -> Array:
    D, S = _open_limits(law)
    rubbing = z[1] * (S + x[2]) + z[2] * (S - x[2])
    return array([D * z[0] + x[0] * s[0] + x[1] * s[1] + rubbing, 3.0])


def _slope(x: Array, z: Array, S: Scalar) -> Scalar:
    """The change of the spinning moment per change of its velocity."""
    return 1 / greatest(z[1] / (S + x[2]) + z[2] / (S - x[2]), TINY)


def _system(x: Array, s: Array, z: Array, law: Array) -> tuple[Array, Array]:
    (D, S), C, E = _open_limits(law), zeros(3, 3), zeros(3, 3)
    for i in range(2):
        for j in range(2):
            same = 1 if i == j else 0
            C[i, j] = same * z[0] - x[i] / D * s[j]
            E[i, j] = D * (same - x[i] * x[j] / (D * D))
    C[2, 2], E[2, 2] = 1, _slope(x, z, S)
    return C.ravel(), E.ravel()


def _first(x: Array, s: Array, z: Array, D: Scalar, target: Array, d: Array, ds: Array) -> Scalar:
    return target[0] - D * z[0] - x[0] * s[0] - x[1] * s[1] - d[0] * ds[0] - d[1] * ds[1]


def _right(x: Array, s: Array, z: Array, law: Array, target: Array, d: Array, ds: Array, dz: Array) -> Array:
    D, S = _open_limits(law)
    first = _first(x, s, z, D, target, d, ds)
    along = [-(D * s[i] + z[0] * x[i]) - dz[0] * d[i] - x[i] / D * first for i in range(2)]
    spun = (target[0] - dz[1] * d[2]) / (S + x[2]) - (target[0] + dz[2] * d[2]) / (S - x[2]) - s[2]
    return array([*along, _slope(x, z, S) * spun])


def _change(
    x: Array, s: Array, z: Array, law: Array, target: Array, d: Array, ds: Array, dz: Array, d1: Array, ds1: Array
) -> tuple[Array, Array]:  # fmt: skip
    (D, S), out = _open_limits(law), zeros(CARRIED)
    turned = sum((s[i] * d1[i] + x[i] * ds1[i] for i in range(2)), start=0)
    out[0] = (_first(x, s, z, D, target, d, ds) - turned) / D
    out[1] = (target[0] - dz[1] * d[2] - z[1] * (S + x[2] + d1[2])) / (S + x[2])
    out[2] = (target[0] + dz[2] * d[2] - z[2] * (S - x[2] - d1[2])) / (S - x[2])
    far = least(until_beyond(D, x, 0.0, d1), until_beyond(z[0], s, out[0], ds1))
    for t, dt in ((z[1], out[1]), (z[2], out[2]), (S + x[2], d1[2]), (S - x[2], -d1[2])):
        far = least(far, until_zero(t, dt))
    return out, array([least(far, FAR)])


BARRIER = Barrier(_impulses, _begin, _products, _system, _right, _change)
