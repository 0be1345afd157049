"""What the joint laws share: the robot under them, gains, references and errors."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..contacts import Contacts
from ..contacts.linear import null_space
from ..errors import ModelError, ShapeError
from ..joints import Floating
from ..robot import Robot

Floats = NDArray[np.floating]


class Feedback:
    """A robot on a fixed base, or on contacts, and gains Kp, Kd on an error of `size` components."""

    def __init__(self, robot: Robot | Contacts, stiffness: Any, damping: Any, size: int | None = None):
        self.contacts = robot if isinstance(robot, Contacts) else None
        self.robot: Robot = robot.robot if isinstance(robot, Contacts) else robot
        if not isinstance(self.robot, Robot):
            raise ShapeError(f"a law takes a robot, or art.Contacts(robot, …), first; got {type(robot).__name__}")
        if self.contacts is None and any(isinstance(b.joint, Floating) for b in self.robot.model.bodies):
            raise ModelError(
                f"no motor drives the floating base of {self.robot.name}: give the law what it stands on, "
                "art.Contacts(robot, point=[…])"
            )
        self.actuated = self.contacts.actuated if self.contacts else list(range(self.robot.nv))
        size = len(self.actuated) if size is None else size
        self.stiffness, self.damping = _gain("stiffness", stiffness, size), _gain("damping", damping, size)

    def errors(self, q: Any, v: Any, q_ref: Any, v_ref: Any) -> tuple[Floats, Floats]:
        """Of the actuated joints: how far, and how fast, they are from the reference."""
        v_ref = 0.0 if v_ref is None else np.asarray(v_ref, float)
        rate = v_ref - np.asarray(v, float)
        return self.robot.difference(q, q_ref)[..., self.actuated], rate[..., self.actuated]

    def reference_acceleration(self, q: Any, v: Any, a_ref: Any) -> Floats:
        """`a_ref`, or 0; on contacts the nearest to it with which they do not move."""
        a = np.zeros(self.robot.nv) if a_ref is None else np.asarray(a_ref, float)
        return a if self.contacts is None else self.contacts.acceleration(q, v, a)

    def inverse_dynamics(self, q: Any, v: Any, a: Any, forces: Any = None) -> Floats:
        """Torques of the actuated joints."""
        if self.contacts is None:
            return self.robot.inverse_dynamics(q, v, a, forces=forces)
        return self.contacts.inverse_dynamics(q, v, a, forces=forces).tau

    def motions(self, q: Any) -> Floats:
        """Columns: the velocities the robot can have, orthonormal.  (nv, n)."""
        return np.eye(self.robot.nv) if self.contacts is None else null_space(self.contacts.jacobian(q))


def applied(K: Floats, e: Floats) -> Floats:
    """K e for arrays (…, n)."""
    return e @ K.T


def _gain(name: str, given: Any, size: int) -> Floats:
    """A number, one per component, or a matrix, as a matrix."""
    K = np.asarray(given, float)
    if K.shape not in ((), (size,), (size, size)) or not np.isfinite(K).all():
        raise ShapeError(f"{name} is a number, ({size},) or ({size}, {size}), finite; got shape {K.shape}")
    K = K if K.ndim == 2 else np.diag(np.full(size, K) if K.ndim == 0 else K)
    if (np.linalg.eigvalsh((K + K.T) / 2) < -1e-9 * max(1.0, abs(K).max(initial=0))).any():
        raise ShapeError(f"{name} must not push errors away: it has a negative eigenvalue")
    return K
