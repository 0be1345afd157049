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

from ...algebra.rotations import to_quaternion
from ...errors import ModelError, ShapeError
from ...inputs.choices import names, number, robot_first
from ...robot import Robot
from ...text import shortened
from ..checks import vector

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


class BaseEstimator:
    """Full state (q, v) of a robot with a free base from gyroscope, accelerometer, joints and which feet stand.

    Heading and position cannot be seen, and drift slowly; roll, pitch and velocity do not.

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
        self.robot, self.feet, self.noise = robot, names("BaseEstimator: feet", feet), noise
        self.dt = number("BaseEstimator: dt", dt, "a time above zero, s", 1e-9)
        self.imu = robot.body_names[0] if imu is None else imu
        if robot.model.frame(self.imu).body is not base:
            raise ModelError(f"BaseEstimator: imu= is a frame fixed to the base; {self.imu} is not")
        self.size = 9 + 3 * len(self.feet)  # of the error, without the biases
        self._at_rest = robot.neutral()
        self._gravity = np.asarray(robot.gravity, float)
        self.reset(self._at_rest, np.zeros(robot.nv))

    def __repr__(self) -> str:
        return f"<BaseEstimator of {self.robot.name}: {len(self.feet)} feet, every {self.dt:g} s>"

    def reset(self, q: ArrayLike, v: ArrayLike) -> None:
        """Begin in a state, with biases of zero.

        Parameters
        ----------
        q : configuration, (nq,)
        v : velocity, (nv,)

        Returns
        -------
        None

        Examples
        --------
        >>> import articulated as art
        >>> dog = art.load("quadruped", floating_base=True)
        >>> art.BaseEstimator(dog, ["FL_FOOT"], dt=1e-3).reset(dog.poses["home"], [0.0] * dog.nv)
        """
        robot = self.robot
        q, v = vector("q", q, robot.nq, ()), vector("v", v, robot.nv, ())
        pose = robot.pose(q, self.imu)
        self.R, self.p = pose[:3, :3], pose[:3, 3]
        self.v = robot.frame_velocity(q, v, self.imu)[:3]
        self.places = np.array([robot.pose(q, foot)[:3, 3] for foot in self.feet]).reshape(-1, 3)
        self.gyro_bias, self.accelerometer_bias = np.zeros(3), np.zeros(3)
        counts = 3 * np.array([1, 1, 1, len(self.feet), 1, 1])
        self.P = np.diag(np.repeat(np.square(self.noise.start), counts))

    def __call__(
        self, gyro: ArrayLike, accelerometer: ArrayLike, joints: ArrayLike, rates: ArrayLike, standing: Any
    ) -> tuple[Floats, Floats]:
        """State (q, v) after one period.

        Parameters
        ----------
        gyro : angular velocity of the sensor over the period, its own axes, (3,) rad/s
        accelerometer : specific force, its own axes, (3,) m/s²; (0, 0, 9.81) at rest
        joints : of the joints after the base, (nq - 7,)
        rates : their velocities, (nv - 6,)
        standing : which of the feet are on the ground, (feet,) True or False

        Returns
        -------
        q (nq,) and v (nv,)

        Examples
        --------
        >>> import articulated as art
        >>> dog = art.load("quadruped", floating_base=True)
        >>> estimator, q = art.BaseEstimator(dog, ["FL_FOOT"], dt=1e-3), dog.poses["home"]
        >>> estimator.reset(q, [0.0] * dog.nv)
        >>> estimator([0, 0, 0], [0, 0, 9.81], q[7:], [0.0] * 12, [True])[0].shape
        (19,)
        """
        gyro, accelerometer = vector("gyro", gyro, 3), vector("accelerometer", accelerometer, 3)
        joints, rates = vector("joints", joints, self.robot.nq - 7, ()), vector("rates", rates, self.robot.nv - 6, ())
        try:
            stands = np.asarray(standing)
        except ValueError:  # rows of different lengths
            stands = np.zeros(0)
        measured = {"gyro": gyro, "accelerometer": accelerometer, "joints": joints, "rates": rates}
        for name, x in measured.items():
            if not np.isfinite(x).all():
                raise ShapeError(f"BaseEstimator: {name} holds NaN or infinity")
        if stands.shape != (len(self.feet),) or stands.dtype != bool:
            raise ShapeError(
                f"BaseEstimator: standing is {len(self.feet)} times True or False; got {shortened(repr(standing))}"
            )
        q = np.concatenate([self._at_rest[:7], joints])
        own = self.robot.pose(q, self.imu)
        seen = np.array([np.linalg.solve(own, self.robot.pose(q, foot))[:3, 3] for foot in self.feet]).reshape(-1, 3)
        turning = gyro - self.gyro_bias
        self._predict(turning, accelerometer - self.accelerometer_bias, stands)
        self._correct(seen, stands)
        return self._state(own, q, gyro - self.gyro_bias, rates)

    def _predict(self, turning: Floats, force: Floats, stands: NDArray[np.bool_]) -> None:
        """A period of the sensors, and the growth of the covariance."""
        dt, n, noise, R = self.dt, self.size, self.noise, self.R
        # error: Φ = exp(A dt); [linear; …] in the order R, v, p, d …, both biases
        A, G = np.zeros((n + 6, n + 6)), np.zeros((n + 6, n + 6))
        A[3:6, :3], A[6:9, 3:6] = _cross(self._gravity), np.eye(3)
        A[:3, n : n + 3], A[3:6, n + 3 :] = -R, -R
        for row, x in enumerate((self.v, self.p, *self.places), start=1):
            A[3 * row : 3 * row + 3, n : n + 3] = -_cross(x) @ R
        G[:, :3], G[3:6, 3:6] = -A[:, n : n + 3], R
        for k in range(len(self.feet)):
            G[9 + 3 * k : 12 + 3 * k, 9 + 3 * k : 12 + 3 * k] = R
        G[n:, n:] = np.eye(6)
        feet = np.where(stands, noise.slip, AIR)
        sizes = [noise.gyro, noise.accelerometer, 0.0, *feet, noise.gyro_bias, noise.accelerometer_bias]
        Phi = np.eye(n + 6) + dt * A + dt**2 / 2 * A @ A
        G = Phi @ G * np.repeat(sizes, 3)
        self.P = Phi @ self.P @ Phi.T + dt * G @ G.T
        acceleration = R @ force + self._gravity
        self.p = self.p + dt * self.v + dt**2 / 2 * acceleration
        self.v = self.v + dt * acceleration
        self.R = R @ _exponential(dt * turning)

    def _correct(self, seen: Floats, stands: NDArray[np.bool_]) -> None:
        """Feet are where the joints have them: all that stand at once."""
        on, n = np.flatnonzero(stands), self.size
        if not len(on):
            return
        H = np.zeros((3 * len(on), n + 6))
        for row, k in enumerate(on):
            H[3 * row : 3 * row + 3, 6:9] = -np.eye(3)
            H[3 * row : 3 * row + 3, 9 + 3 * k : 12 + 3 * k] = np.eye(3)
        off = (seen[on] @ self.R.T + self.p - self.places[on]).ravel()
        S = H @ self.P @ H.T + self.noise.kinematics**2 * np.eye(len(H))
        K = np.linalg.solve(S, H @ self.P).T
        x, keep = K @ off, np.eye(n + 6) - K @ H
        self.P = keep @ self.P @ keep.T + self.noise.kinematics**2 * K @ K.T
        # the state moves by the exponential of the group
        turn, left = _exponential(x[:3]), _left_jacobian(x[:3])
        moved = x[3:n].reshape(-1, 3) @ left.T
        self.R, self.v, self.p = turn @ self.R, turn @ self.v + moved[0], turn @ self.p + moved[1]
        self.places = self.places @ turn.T + moved[2:]
        self.gyro_bias, self.accelerometer_bias = self.gyro_bias + x[n : n + 3], self.accelerometer_bias + x[n + 3 :]

    def _state(self, own: Floats, q: Floats, turning: Floats, rates: Floats) -> tuple[Floats, Floats]:
        """Base from sensor: `own` is the sensor's pose where the base is at rest."""
        sensor = np.eye(4)
        sensor[:3, :3], sensor[:3, 3] = self.R, self.p
        at_rest = self.robot.pose(q, self.robot.body_names[0])
        mounted = np.linalg.solve(at_rest, own)  # the sensor on the base
        base = sensor @ np.linalg.inv(mounted)
        moved = np.linalg.solve(at_rest, base)
        full = np.concatenate([moved[:3, 3], to_quaternion(moved[:3, :3]), q[7:]])
        spin = mounted[:3, :3] @ turning
        linear = mounted[:3, :3] @ (self.R.T @ self.v) - np.cross(spin, mounted[:3, 3])
        return full, np.concatenate([linear, spin, rates])


def _cross(x: Floats) -> Floats:
    return np.array([[0, -x[2], x[1]], [x[2], 0, -x[0]], [-x[1], x[0], 0]])


def _exponential(w: Floats) -> Floats:
    angle, W = float(np.linalg.norm(w)), _cross(w)
    return np.eye(3) + np.sinc(angle / np.pi) * W + np.sinc(angle / 2 / np.pi) ** 2 / 2 * W @ W


def _left_jacobian(w: Floats) -> Floats:
    angle, W = float(np.linalg.norm(w)), _cross(w)
    third = 1 / 6 if angle < 1e-4 else (angle - np.sin(angle)) / angle**3
    return np.eye(3) + np.sinc(angle / 2 / np.pi) ** 2 / 2 * W + third * W @ W
