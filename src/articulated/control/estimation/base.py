"""Motion of a base from an inertial sensor, joint angles and feet that stand: a right-invariant extended Kalman filter.

State: orientation R, velocity v and position p of the sensor in the world, the places d of the feet, and the biases of
gyroscope and accelerometer.  The error is that of the group of (R, v, p, d …): it evolves, and feet are seen, by
matrices that do not depend on the state but for the biases.  Source: Hartley et al. 2020.
"""

from __future__ import annotations  # help shows types as they are written here

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...algebra.rotations import exponential_quaternion, left_jacobian, normalized, quaternion, quaternion_of, skew
from ...algebra.scalars import Array, Scalar, array, eye, select, zeros
from ...algebra.spatial import Transform
from ...algorithms.kinematics import frame_pose
from ...errors import ModelError, ShapeError
from ...inputs.choices import names, number, robot_first
from ...model import Model
from ...robot import Robot
from ...robot.arguments.arrays import Vector, as_vectors
from ...text import shortened

Floats = NDArray[np.floating]


class Noise(NamedTuple):
    """Standard deviations: of the sensors per √Hz, of the drift of their biases, of feet, and at the begin."""

    gyro: float = 0.01  # rad/s /√Hz
    accelerometer: float = 0.1  # m/s² /√Hz
    gyro_bias: float = 1e-4
    accelerometer_bias: float = 1e-3
    slip: float = 0.05  # m/s /√Hz
    kinematics: float = 0.005  # m: joint angles, links, the form of the foot
    start: tuple[float, ...] = (0.05, 0.2, 0.01, 0.01, 0.02, 0.2)  # R, v, p, d, both biases


USUAL = Noise()
#: of the place of a foot in the air, m /√Hz
AIR = 1e3


class Estimate(NamedTuple):
    """State of the filter after a period, and that of the robot."""

    motion: Array  # R row by row, v, p, d …, both biases
    covariance: Array  # of the error of R, v, p, d …, both biases: the upper triangle, row by row
    q: Array
    v: Array


def estimate(
    model: Model, motion: Array, covariance: Array, gyro: Array, accelerometer: Array, joints: Array, rates: Array,
    standing: Array, settings: Array, *, feet: tuple[str, ...], imu: str,
) -> Estimate:  # fmt: skip
    """One period of the filter, on any scalar; `settings` are dt and the six standard deviations of `Noise`."""
    dt, n = settings[0], 9 + 3 * len(feet)
    R, (v, p, *d), biases = motion[:9].reshape(3, 3), motion[9 : 9 + n - 3].reshape(-1, 3), motion[-6:]
    P = zeros(n + 6, n + 6)
    P[np.triu_indices(n + 6)] = covariance
    P = P + np.triu(P, 1).T
    q = np.concatenate([array([0, 0, 0, 0, 0, 0, 1]), joints])
    own = frame_pose(model, q, imu)
    seen = [own.inverse().point(frame_pose(model, q, foot).p) for foot in feet]
    # the motion between two samples, and how its error grows
    P = _grown(P, R, array([v, p, *d]), model.gravity, standing, settings)
    acceleration = R @ (accelerometer - biases[3:]) + model.gravity
    p, v = p + dt * v + dt * dt / 2 * acceleration, v + dt * acceleration
    R = R @ quaternion(exponential_quaternion(dt * (gyro - biases[:3])))
    # feet that stand are where the joints have them
    off = np.concatenate([R @ x + p - place for x, place in zip(seen, d, strict=True)])
    x, P = _corrected(P, off, standing, settings[-1] * settings[-1])
    # the state moves by the exponential of the group
    turn, moved = quaternion(exponential_quaternion(x[:3])), x[3:n].reshape(-1, 3)
    v, p, *d = (turn @ y + left_jacobian(x[:3], shift) for y, shift in zip([v, p, *d], moved, strict=True))
    R, biases = turn @ R, biases + x[n:]
    return Estimate(
        np.concatenate([R.ravel(), v, p, *d, biases]),
        P[np.triu_indices(n + 6)],
        *_robot_state(model, own, Transform.computed(R, p), v, gyro - biases[:3], q, rates),
    )


def _grown(P: Array, R: Array, moving: Array, gravity: Array, standing: Array, settings: Array) -> Array:
    """Covariance after a period: Φ P Φᵀ and the noise of sensors and feet, Φ = exp(A dt) to the second order."""
    (dt, gyro, accelerometer, gyro_drift, accelerometer_drift, slip, _), size = settings, len(P)
    n = size - 6
    A, G = zeros(size, size), eye(size)
    A[3:6, :3], A[6:9, 3:6] = skew(gravity), eye(3)
    A[:3, n : n + 3], A[3:6, n + 3 :] = -R, -R
    for row, x in enumerate(moving, start=1):
        A[3 * row : 3 * row + 3, n : n + 3] = -skew(x) @ R
    G[:, :3] = -A[:, n : n + 3]
    for k in (1, *range(3, n // 3)):
        G[3 * k : 3 * k + 3, 3 * k : 3 * k + 3] = R
    feet = [select(on > 0, slip, AIR) for on in standing]
    sizes = np.repeat(array([gyro, accelerometer, 0, *feet, gyro_drift, accelerometer_drift]), 3)
    Phi = eye(size) + dt * A + dt * dt / 2 * (A @ A)
    half, G = Phi @ P, Phi @ G * sizes
    return _symmetric(size, lambda i, j: half[i] @ Phi[j] + dt * (G[i] @ G[j]))


def _corrected(P: Array, off: Array, standing: Array, variance: Scalar) -> tuple[Array, Array]:
    """Error of the state seen by the feet that stand, coordinate by coordinate, and its covariance after that."""
    x = zeros(len(P))
    for k, distance in enumerate(off):
        foot, base = 9 + k, 6 + k % 3
        h = P[foot] - P[base]
        gain = standing[k // 3] / (h[foot] - h[base] + variance) * h
        x = x + gain * (distance - x[foot] + x[base])
        P = _symmetric(len(P), lambda i, j, P=P, gain=gain, h=h: P[i, j] - gain[i] * h[j])
    return x, P


def _symmetric(size: int, entry: Any) -> Array:
    found = zeros(size, size)
    for i in range(size):
        for j in range(i, size):
            found[i, j] = found[j, i] = entry(i, j)
    return found


def _robot_state(
    model: Model, own: Transform, sensor: Transform, v: Array, turning: Array, q: Array, rates: Array
) -> tuple[Array, Array]:
    """(q, v) from the motion of the sensor; `own` is its pose where the base is at rest."""
    at_rest = model.bodies[0].transform(q)
    mounted = at_rest.inverse() @ own
    moved = at_rest.inverse() @ sensor @ mounted.inverse()
    spin = mounted.R @ turning
    linear = mounted.R @ (sensor.R.T @ v) + skew(mounted.p) @ spin
    return np.concatenate([moved.p, normalized(quaternion_of(moved.R)), q[7:]]), np.concatenate([linear, spin, rates])


class BaseEstimator:
    """Full state (q, v) of a robot with a free base from gyroscope, accelerometer, joints and which feet stand.

    Heading and position cannot be seen, and drift slowly; roll, pitch and velocity do not.  Leading axes of the state
    it begins in, or of the sensors, are a batch: many robots or logs at once.

    Parameters
    ----------
    robot : a Robot with a free base
    feet : frames that may stand
    dt : period of the sensors, s
    imu : frame of the inertial sensor, fixed to the base; None: the base itself
    noise : standard deviations, a `Noise`

    Examples
    --------
    >>> import articulated as art
    >>> dog = art.load("quadruped", floating_base=True)
    >>> feet, q = ["FL_FOOT", "FR_FOOT", "HL_FOOT", "HR_FOOT"], dog.poses["home"]
    >>> estimator = art.BaseEstimator(dog, feet, dt=1e-3)
    >>> estimator.reset(q, [0.0] * dog.nv)
    >>> found, moving = estimator([0, 0, 0], [0, 0, 9.81], q[7:], [0.0] * 12, [True] * 4)
    """

    def __init__(self, robot: Robot, feet: Iterable[str], dt: float, imu: str | None = None, noise: Noise = USUAL):
        base = robot_first("BaseEstimator", robot).model.bodies[0]
        if not base.joint.floats:
            raise ModelError("BaseEstimator takes a robot with a free base: art.load(…, floating_base=True)")
        self.robot, self.feet, self.noise = robot, tuple(names("BaseEstimator: feet", feet)), noise
        self.dt = number("BaseEstimator: dt", dt, "a time above zero, s", 1e-9)
        self.imu = robot.body_names[0] if imu is None else imu
        numbers = np.hstack(noise) if isinstance(noise, Noise) else np.zeros(0)
        if len(numbers) != 12 or not (np.isfinite(numbers) & (numbers >= 0)).all():
            raise ShapeError(f"BaseEstimator: noise is a Noise(gyro=…, …) of numbers from 0; got {noise!r}")
        if robot.model.frame(self.imu).body is not base:
            raise ModelError(f"BaseEstimator: imu= is a frame fixed to the base; {self.imu} is not")
        size, (nq, nv) = 15 + 3 * len(self.feet), (robot.nq - 7, robot.nv - 6)
        vectors = {
            "motion": Vector(size + 6, "of the sensor"),
            "covariance": Vector(size * (size + 1) // 2, "of its error"),
            "gyro": Vector(3, "rad/s, the sensor's axes"),
            "accelerometer": Vector(3, "m/s², the sensor's axes"),
            "joints": robot.kernels.vectors["q"]._replace(size=nq, names=robot.kernels.vectors["q"].names[7:]),
            "rates": robot.kernels.vectors["v"]._replace(size=nv, names=robot.kernels.vectors["v"].names[6:]),
            "standing": Vector(len(self.feet), f"True or False for each of {', '.join(self.feet)}"),
            "settings": Vector(7, "dt and the noise"),
        }
        self._kernels = robot.kernels.under("BaseEstimator: ", vectors)
        self._choices = {"feet": self.feet, "imu": self.imu}
        self._settings = np.array([self.dt, *noise[:6]], float)
        start, still = robot.neutral(), np.zeros(robot.nv)
        self.reset(start, still)
        self(still[:3], -robot.gravity, start[7:], still[6:], [True] * len(self.feet))  # compiles, which no tick should
        self.reset(start, still)

    def __repr__(self) -> str:
        return f"<BaseEstimator of {self.robot.name}: {len(self.feet)} feet, every {self.dt:g} s>"

    def reset(self, q: ArrayLike, v: ArrayLike) -> None:
        """Begin in a state, with biases of zero.

        Parameters
        ----------
        q : configuration, (…, nq)
        v : velocity, (…, nv)

        Returns
        -------
        None

        Examples
        --------
        >>> import articulated as art
        >>> dog = art.load("quadruped", floating_base=True)
        >>> art.BaseEstimator(dog, ["FL_FOOT"], dt=1e-3).reset(dog.poses["home"], [0.0] * dog.nv)
        """
        robot, vectors = self.robot, self.robot.kernels.vectors
        q, v = (as_vectors("reset", robot.name, name, x, vectors[name]) for name, x in (("q", q), ("v", v)))
        pose, speed = robot.pose(q, self.imu), robot.frame_velocity(q, v, self.imu)[..., :3]
        if not np.isfinite([pose.sum(), speed.sum()]).all():
            raise ShapeError("reset: q or v holds NaN or infinity, or q a quaternion of zeros")
        places = [robot.pose(q, foot)[..., :3, 3] for foot in self.feet]
        batch = np.broadcast_shapes(q.shape[:-1], v.shape[:-1])
        parts = [pose[..., :3, :3].reshape(*pose.shape[:-2], 9), speed, pose[..., :3, 3], *places, np.zeros(6)]
        self._motion = np.concatenate([np.broadcast_to(x, (*batch, x.shape[-1])) for x in parts], axis=-1)
        counts = 3 * np.array([1, 1, 1, len(self.feet), 1, 1])
        self._covariance = np.diag(np.repeat(np.square(self.noise.start), counts))[np.triu_indices(sum(counts))]

    def __call__(
        self, gyro: ArrayLike, accelerometer: ArrayLike, joints: ArrayLike, rates: ArrayLike, standing: Any
    ) -> tuple[Floats, Floats]:
        """State (q, v) after one period.

        Parameters
        ----------
        gyro : angular velocity of the sensor over the period, its own axes, (…, 3) rad/s
        accelerometer : specific force, its own axes, (…, 3) m/s²; (0, 0, 9.81) at rest
        joints : of the joints after the base, (…, nq - 7)
        rates : their velocities, (…, nv - 6)
        standing : which of the feet are on the ground, (…, feet) True or False

        Returns
        -------
        q (…, nq) and v (…, nv)

        Examples
        --------
        >>> import articulated as art
        >>> dog = art.load("quadruped", floating_base=True)
        >>> estimator, q = art.BaseEstimator(dog, ["FL_FOOT"], dt=1e-3), dog.poses["home"]
        >>> estimator.reset(q, [0.0] * dog.nv)
        >>> estimator([0, 0, 0], [0, 0, 9.81], q[7:], [0.0] * 12, [True])[0].shape
        (19,)
        """
        try:
            stands = np.asarray(standing)
        except ValueError:  # rows of different lengths
            stands = np.zeros(0)
        vectors, measured = self._kernels.vectors, {"gyro": gyro, "accelerometer": accelerometer}
        for name, x in (measured | {"joints": joints, "rates": rates}).items():
            measured[name] = as_vectors("BaseEstimator", self.robot.name, name, x, vectors[name])
            if not np.isfinite(measured[name]).all():
                raise ShapeError(f"BaseEstimator: {name} holds NaN or infinity")
        if stands.shape[-1:] != (len(self.feet),) or stands.dtype != bool:
            raise ShapeError(
                f"BaseEstimator: standing is {len(self.feet)} times True or False; got {shortened(repr(standing))}"
            )
        state = {"motion": self._motion, "covariance": self._covariance}
        arrays = {**state, **measured, "standing": stands.astype(float), "settings": self._settings}
        found = self._kernels.evaluate("the period", estimate, arrays, choices=self._choices)
        self._motion, self._covariance, q, v = found
        return q, v

    @property
    def biases(self) -> tuple[Floats, Floats]:
        """Biases of gyroscope, rad/s, and accelerometer, m/s²: (…, 3) each."""
        return self._motion[..., -6:-3], self._motion[..., -3:]

    @property
    def covariance(self) -> Floats:
        """Covariance of the error, (…, n, n): of R, v, p, the places of the feet and both biases, three rows each."""
        n = 15 + 3 * len(self.feet)
        found = np.zeros((*self._covariance.shape[:-1], n, n))
        rows, columns = np.triu_indices(n)
        found[..., rows, columns] = found[..., columns, rows] = self._covariance
        return found
