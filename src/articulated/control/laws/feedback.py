"""What the joint laws share: the robot under them, gains, references and errors."""

from __future__ import annotations  # help shows types as they are written here

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...contacts import Contacts
from ...contacts.ranks.subspaces import null_space
from ...errors import ModelError, ShapeError
from ...robot import Robot
from ...robot.arguments.arrays import Arguments, as_vectors
from ..checks import array
from .reference import Towards, joint_reference

Floats = NDArray[np.floating]
#: of a gain: squares of it are still numbers
LARGEST = 1e150
REFERENCES = ("q_ref", "v_ref", "a_ref")


class Feedback:
    """A robot on a fixed base, or on contacts, and gains Kp, Kd on errors: of its motors, or of `directions`."""

    def __init__(self, robot: Robot | Contacts, stiffness: Any, damping: Any, directions: Sequence[str] | None = None):
        self.contacts = robot if isinstance(robot, Contacts) else None
        self.robot: Robot = robot.robot if isinstance(robot, Contacts) else robot
        if not isinstance(self.robot, Robot):
            raise ShapeError(f"a law takes a robot, or art.Contacts(robot, …), first; got {type(robot).__name__}")
        if self.contacts is None and any(b.joint.floats for b in self.robot.model.bodies):
            raise ModelError(
                f"no motor drives the floating base of {self.robot.name}: give the law what it stands on, "
                "art.Contacts(robot, point=[…])"
            )
        self.actuated = self.contacts.actuated if self.contacts else list(range(self.robot.nv))
        vectors = {name: self.robot.kernels.vectors[name[0]] for name in ("q", "v", *REFERENCES)}
        self._door = Arguments("the law", self.robot.name, vectors)
        self._one, self._still = [(vector.size,) for vector in vectors.values()], np.zeros(self.robot.nv)
        names = [vectors["v"].names[k] for k in self.actuated] if directions is None else directions
        self.stiffness, self.damping = _gain("stiffness", stiffness, names), _gain("damping", damping, names)

    def __repr__(self) -> str:
        on = f" on {', '.join(self.contacts.names)}" if self.contacts else ""
        gains = f"stiffness {_shown(self.stiffness)}, damping {_shown(self.damping)}"
        return f"<{type(self).__name__} of {self._holds}{on}: {gains}>"

    @property
    def _holds(self) -> str:
        """What the law is about, in its repr."""
        return self.robot.name

    @property
    def _choice(self) -> Any:
        """What else its torques depend on, beside gains and robot."""
        return None

    def towards(self, reference: Any) -> Towards:
        """A controller (t, q, v) for `art.simulate`: to q_ref, (q_ref, v_ref, a_ref), or a function of t for these."""
        return Towards(self, reference)

    def _reference_parts(self, given: Any) -> list[Any]:
        """What follows q and v in a call of the law."""
        return joint_reference(self.robot, given)

    def _states(self, q: Any, v: Any, q_ref: Any, v_ref: Any, a_ref: Any) -> list[Floats]:
        """The arguments of a law as arrays of the same leading shape; references that are None are 0."""
        given = [q, v, q_ref, *(self._still if x is None else x for x in (v_ref, a_ref))]
        if all(
            type(x) is np.ndarray and x.dtype == float and x.shape == one
            for x, one in zip(given, self._one, strict=True)
        ):
            return given  # one state, as a controller has it: the door takes longer than the law
        given = self._door(given)
        batch = np.broadcast_shapes(*(x.shape[:-1] for x in given))
        return [np.broadcast_to(x, (*batch, x.shape[-1])) for x in given] if batch else given

    def _configuration(self, q: Any, method: str) -> Floats:
        """q if it is one configuration."""
        robot = self.robot
        x = as_vectors(method, robot.name, "q", q, robot.kernels.vectors["q"])
        if x.ndim != 1:
            raise ShapeError(f"{method} takes one configuration q ({robot.nq},); got {x.shape}")
        if not np.isfinite(x).all():
            raise ShapeError(f"{method}: q holds NaN or infinity")
        return x

    def _errors(self, q: Floats, v: Floats, q_ref: Floats, v_ref: Floats) -> tuple[Floats, Floats]:
        """Of the actuated joints: how far, and how fast, they are from the reference."""
        if self.contacts:  # what is said of the base is not used, and would not show
            for name, x in (("v", v), ("q_ref", q_ref), ("v_ref", v_ref)):
                if not np.isfinite(x).all():
                    raise ShapeError(f"the law: {name} holds NaN or infinity")
        return self.robot.difference(q, q_ref)[..., self.actuated], (v_ref - v)[..., self.actuated]

    def _reference_acceleration(self, q: Floats, v: Floats, a_ref: Floats) -> Floats:
        """`a_ref`; on contacts the nearest to it with which they do not move."""
        return a_ref if self.contacts is None else self.contacts.acceleration(q, v, a_ref)

    def _inverse_dynamics(self, q: Any, v: Any, a: Any, forces: Any = None) -> Floats:
        """Torques of the actuated joints."""
        if self.contacts is None:
            return self.robot.inverse_dynamics(q, v, a, forces=forces)
        return self.contacts.inverse_dynamics(q, v, a, forces=forces).tau

    def _motions(self, q: Any) -> Floats:
        """Columns: the velocities the robot can have, orthonormal.  (nv, n)."""
        if self.contacts is None:
            return np.eye(self.robot.nv)
        J = self.contacts.jacobian(q)
        if not np.isfinite(J).all():
            raise ShapeError("q has no Jacobian of the contacts: is there a quaternion of zeros in it?")
        return null_space(J)


def applied(K: Floats, e: Floats) -> Floats:
    """K e for arrays (…, n)."""
    with np.errstate(invalid="ignore", over="ignore"):  # an error that is not finite gives torques that are not
        return e @ K.T


def _gain(name: str, given: Any, names: Sequence[str]) -> Floats:
    """A number, one per component, or a matrix, as a matrix."""
    size = len(names)
    meaning = f"a number, ({size},) or ({size}, {size}), finite"
    K = array(name, given, meaning, names, names)
    if K.shape not in ((), (size,), (size, size)):
        raise ShapeError(f"{name} is {meaning}; got shape {K.shape}")
    if not (abs(K) < LARGEST).all():
        raise ShapeError(f"{name} is {meaning}; got {given!r}")
    K = K if K.ndim == 2 else np.diag(np.full(size, K) if K.ndim == 0 else K)
    if (np.linalg.eigvalsh((K + K.T) / 2) < -1e-9 * max(1.0, abs(K).max(initial=0))).any():
        raise ShapeError(f"{name} must not push errors away: it has a negative eigenvalue")
    return K


def _shown(gain: Floats) -> str:
    """A gain as it may have been given: a number, one per component, or a matrix by its shape."""
    own = np.diag(gain)
    if (gain != np.diag(own)).any():
        return f"{gain.shape[0]}x{gain.shape[1]}"
    each = [f"{x:.6g}" for x in own]
    return each[0] if len(set(each)) == 1 else f"[{', '.join(each)}]"
