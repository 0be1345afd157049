"""Rotation matrices from quaternions, roll-pitch-yaw and axis-angle, and back; any scalar."""

import numpy as np

from .scalars import Array, Scalar, Vector, array, atan2, cos, eye, select, sin, sqrt, zeros


def skew(p: Vector) -> Array:
    """The matrix with skew(p) @ x = p × x."""
    x, y, z = p
    return array([[0, -z, y], [z, 0, -x], [-y, x, 0]])


def cross(a: Vector, b: Vector) -> Array:
    """The vector product."""
    return array([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])


def axis_angle(axis: Vector, angle: Scalar) -> Array:
    """Rotation by `angle` about the unit vector `axis`."""
    if isinstance(angle, int) and angle == 0:
        return eye(3)
    # grouped so that an axis along x, y or z leaves nothing but sines, cosines, 0 and 1
    along = array(axis)[:, None] * array(axis)[None, :]
    return cos(angle) * (eye(3) - along) + sin(angle) * skew(axis) + along


def roll_pitch_yaw(roll: Scalar, pitch: Scalar, yaw: Scalar) -> Array:
    """Rz(yaw) Ry(pitch) Rx(roll): fixed axes x, y, z, as in URDF."""
    return axis_angle((0, 0, 1), yaw) @ axis_angle((0, 1, 0), pitch) @ axis_angle((1, 0, 0), roll)


def quaternion(q: Vector) -> Array:
    """Rotation matrix of the quaternion (x, y, z, w).

    It need not have unit length: every multiple of a quaternion is the same rotation, as long as its squares neither
    overflow nor vanish.
    """
    x, y, z, w = q
    s = 2 / (x * x + y * y + z * z + w * w)
    return array(
        [
            [1 - s * (y * y + z * z), s * (x * y - z * w), s * (x * z + y * w)],
            [s * (x * y + z * w), 1 - s * (x * x + z * z), s * (y * z - x * w)],
            [s * (x * z - y * w), s * (y * z + x * w), 1 - s * (x * x + y * y)],
        ]
    )


def quaternion_product(a: Vector, b: Vector) -> Array:
    """Hamilton product of (x, y, z, w) quaternions: first b, then a."""
    ax, ay, az, aw = a
    bx, by, bz, bw = b
    return array(
        [
            aw * bx + ax * bw + ay * bz - az * by,
            aw * by - ax * bz + ay * bw + az * bx,
            aw * bz + ax * by - ay * bx + az * bw,
            aw * bw - ax * bx - ay * by - az * bz,
        ]
    )


def normalized(q: Vector) -> Array:
    """`q` scaled to unit length; NaN or infinite if its square overflows or vanishes, never zero."""
    q = array(q)
    squared = (q * q).sum()
    return q * (sqrt(squared) / squared)


def _sine_ratios(squared: Scalar) -> tuple[Scalar, Scalar, Scalar, Scalar]:
    """(sin x / x, (1 - cos x) / x², (x - sin x) / x³, cos x) from x²; series below 0.1 rad."""
    small = squared < 1e-2
    x2 = select(small, 1.0, squared)  # keeps the branch not taken finite
    x = sqrt(x2)
    s, c = sin(x), cos(x)
    t = squared
    return (
        select(small, 1 - t / 6 * (1 - t / 20 * (1 - t / 42 * (1 - t / 72))), s / x),
        select(small, (1 - t / 12 * (1 - t / 30 * (1 - t / 56 * (1 - t / 90)))) / 2, (1 - c) / x2),
        select(small, (1 - t / 20 * (1 - t / 42 * (1 - t / 72 * (1 - t / 110)))) / 6, (x - s) / (x * x2)),
        select(small, 1 - t / 2 * (1 - t / 12 * (1 - t / 30 * (1 - t / 56 * (1 - t / 90)))), c),
    )


def exponential_quaternion(w: Vector) -> Array:
    """Quaternion of the rotation vector `w`."""
    w = array(w)
    sinc, _, _, c = _sine_ratios((w * w).sum() / 4)
    return array([*(w * sinc / 2), c])


def rotation_vector(q: Vector) -> Array:
    """Rotation vector of the unit quaternion `q`, of length at most pi."""
    q = array(q)
    flip = select(q[3] < 0, -1, 1)
    vector, w = q[:3] * flip, q[3] * flip
    squared = (vector * vector).sum()
    small = squared < 1e-2
    sine = sqrt(select(small, 1.0, squared))  # of half the angle
    return vector * 2 * select(small, _arctangent_ratio(squared, select(small, w, 1.0)), atan2(sine, w) / sine)


def _arctangent_ratio(squared: Scalar, w: Scalar) -> Scalar:
    """atan(x / w) / x from x², a tenth of w² at most: its series, which second derivatives keep their digits in."""
    t = squared / (w * w)
    series: Scalar = 0
    for odd in range(17, 0, -2):
        series = 1 / odd - t * series
    return series / w


def left_jacobian(w: Vector, v: Vector) -> Array:
    """Translation reached after unit time moving with the body twist (v, w)."""
    w, v = array(w), array(v)
    _, b, c, _ = _sine_ratios((w * w).sum())
    wv = cross(w, v)
    return v + b * wv + c * cross(w, wv)


def inverse_left_jacobian(w: Vector, p: Vector) -> Array:
    """The linear velocity `v` for which `left_jacobian(w, v)` is `p`."""
    w, p = array(w), array(p)
    squared = (w * w).sum()
    a, b, _, _ = _sine_ratios(squared)
    small = squared < 1e-2
    x2 = select(small, 1.0, squared)
    t = squared
    series = (1 + t / 60 * (1 + t / 42 * (1 + t / 40 * (1 + t * 10 / 396)))) / 12
    wp = cross(w, p)
    return p - wp / 2 + select(small, series, (1 - a / (2 * b)) / x2) * cross(w, wp)


def rotation_between(start: Array, end: Array) -> Array:
    """The rotation vector, in world axes, that takes the axes `start` to `end`; at most half a turn."""
    return rotation_vector(normalized(quaternion_of(end @ start.T)))


def quaternion_of(R: Array) -> Array:
    """A multiple of the quaternion of a rotation matrix, any scalar: the longest of four (Shepperd 1978)."""
    x, y, z = R[0, 0], R[1, 1], R[2, 2]
    xy, xz, yz = R[0, 1] + R[1, 0], R[0, 2] + R[2, 0], R[1, 2] + R[2, 1]
    wx, wy, wz = R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]
    found, most = array([wx, wy, wz, 1 + x + y + z]), x + y + z
    for trace, other in (
        (x - y - z, [1 + x - y - z, xy, xz, wx]),
        (y - x - z, [xy, 1 + y - x - z, yz, wy]),
        (z - x - y, [xz, yz, 1 + z - x - y, wz]),
    ):
        longer = most < trace
        found = array([select(longer, a, b) for a, b in zip(other, found, strict=True)])
        most = select(longer, trace, most)
    return found


def to_quaternion(R: Array) -> Array:
    """Unit quaternions (…, 4), x y z w, w >= 0, of numeric rotation matrices (…, 3, 3)."""
    # the eigenvector of the largest eigenvalue of Bar-Itzhack's matrix: no case distinctions
    m = np.asarray(R, float)
    trace = np.trace(m, axis1=-2, axis2=-1)
    K = np.empty((*m.shape[:-2], 4, 4))
    K[..., :3, :3] = m + np.swapaxes(m, -1, -2) - trace[..., None, None] * np.eye(3)
    K[..., 3, 3] = trace
    turn = m[..., [2, 0, 1], [1, 2, 0]] - m[..., [1, 2, 0], [2, 0, 1]]
    K[..., :3, 3] = K[..., 3, :3] = turn
    q = np.linalg.eigh(K)[1][..., -1]
    return np.where(q[..., 3:] >= 0, q, -q)


def aligning_z(axis: Vector) -> Array:
    """A rotation whose third column is the unit vector `axis`; exact along x, y and z."""
    x, y, z = axis
    # the first column: the coordinate axis after the one `axis` is closest to, made orthogonal
    largest = max(range(3), key=lambda k: abs(axis[k]))
    first = zeros(3)
    first[(largest + 1) % 3] = 1
    first = first - (first @ array(axis)) * array(axis)
    first = first / sqrt((first * first).sum())
    return array([first, cross(axis, first), [x, y, z]]).T
