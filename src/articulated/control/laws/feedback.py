"""Joint laws: torques from the errors of the actuated joints, written once and batched by their kernel."""

from __future__ import annotations  # help shows types as they are written here

from collections.abc import Callable, Sequence
from copy import copy
from functools import partial
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from ...algebra.scalars import Array
from ...algorithms.fast.moments import inverse_dynamics_by_moments
from ...contacts import Contacts
from ...contacts.kinds import remade
from ...contacts.ranks.subspaces import null_space
from ...errors import ModelError, ShapeError
from ...model import Model
from ...robot import Robot
from ...robot.arguments.arrays import Arguments, Vector, as_vectors, choose
from ..checks import array
from ..whole_body.kernel_terms import without_joint_friction
from .joint_law import JOINT_FRICTION, Floats, JointLaw, OnContacts, Torques, coefficients, law_of_fixed_base
from .reference import REFERENCE, Towards, joint_reference

#: largest gain: its square is finite
LARGEST = 1e150


class Feedback:
    """A robot on a fixed base, or on contacts, and gains Kp, Kd on errors of its motors, or of `directions`.

    A joint law is a static method `_torques(plant, errors, **options)` on a plant of joint_law.py.  Its kernel takes
    the gains as arguments; `options` are constants of it.
    """

    _torques: Callable[..., Torques]
    springs = False  # the feedback is torques of springs and dampers, whatever the state

    def __init__(
        self,
        robot: Robot | Contacts,
        stiffness: Any,
        damping: Any,
        directions: Sequence[str] | None = None,
        joint_friction: str = "compensated",
        **options: Any,
    ):
        choose(type(self).__name__, "joint_friction", joint_friction, JOINT_FRICTION)
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
        vectors = self.robot.kernels.vectors
        names = [vectors["v"].names[k] for k in self.actuated] if directions is None else directions
        self.stiffness, self.damping = _gain("stiffness", stiffness, names), _gain("damping", damping, names)
        self.gains, self.options = (_shortest(self.stiffness), _shortest(self.damping)), options
        self.joint_friction = joint_friction
        self._still, self._vectors = np.zeros(self.robot.nv), {x: vectors[x[0]] for x in ("q", "v", *REFERENCE)}
        if self.contacts:
            held, motors = self.contacts, np.array(self.actuated, int)
            if joint_friction != "compensated":
                held = remade(type(held), without_joint_friction(self.robot), held.contacts, held.passive)
            self._plant = OnContacts(held, motors, self.robot.model, joint_friction)
        elif hasattr(self, "_torques"):
            self._kernel = self._compiled()

    def _compiled(self) -> Any:
        gains = zip(("stiffness", "damping"), self.gains, strict=True)
        vectors = self._vectors | {name: Vector(len(gain), "gains") for name, gain in gains}
        kernels = self.robot.kernels.under("", vectors)
        # in fewer operations, on the regrouped model
        fast = partial(law_of_fixed_base, recursion=inverse_dynamics_by_moments)
        choices = {"torques": self._torques, "friction": self.joint_friction, **self.options}
        return kernels.kernel(
            kernels.request("the law", law_of_fixed_base, tuple(vectors), choices=choices, formulations=(fast,))
        )

    def __repr__(self) -> str:
        on = f" on {', '.join(self.contacts.names)}" if self.contacts else ""
        gains = f"stiffness {_shown(self.stiffness)}, damping {_shown(self.damping)}"
        return f"<{type(self).__name__} of {self._holds}{on}: {gains}>"

    @property
    def _holds(self) -> str:
        """Subject of the law in its repr."""
        return self.robot.name

    def __call__(
        self, q: ArrayLike, v: ArrayLike, q_ref: ArrayLike, v_ref: ArrayLike | None = None, a_ref: Any = None
    ) -> Torques:
        """Torques (…, n) towards the reference.

        Parameters
        ----------
        q : configurations, (…, nq)
        v : velocities, (…, nv)
        q_ref : desired configuration, (…, nq); or a tuple (q_ref, v_ref, a_ref)
        v_ref : desired velocity, (…, nv); zero if not given
        a_ref : its planned acceleration, (…, nv); zero if not given

        Returns
        -------
        Torques(tau, feedforward, feedback), of the actuated joints (…, n): N m, N

        Examples
        --------
        >>> import articulated as art
        >>> law = art.PD(art.load("2r"), 100, 20)
        >>> law([0.1, 0.2], [0.0, 0.0], [0.2, 0.2]).tau.shape
        (2,)
        """
        if type(q_ref) is tuple and q_ref and np.ndim(q_ref[0]):  # as in `towards`, and in whole-body laws
            q_ref, v_ref, a_ref = (*q_ref, v_ref, a_ref)[:3]
        v_ref = self._still if v_ref is None else v_ref
        a_ref = self._still if a_ref is None else a_ref
        if self.contacts:
            return self._on_contacts(q, v, q_ref, v_ref, a_ref)
        return self._kernel.call(q, v, q_ref, v_ref, a_ref, *self.gains)

    @np.errstate(over="ignore", invalid="ignore")
    def _on_contacts(self, *given: Any) -> Torques:
        vectors = self._vectors
        state: Sequence[Any] = given
        sizes = zip(given, vectors.values(), strict=True)
        if not all(type(x) is np.ndarray and x.dtype == float and x.shape == (own.size,) for x, own in sizes):
            state = Arguments("the law", self.robot.name, vectors)(given)
            if batch := np.broadcast_shapes(*(x.shape[:-1] for x in state)):
                state = [np.broadcast_to(x, (*batch, x.shape[-1])) for x in state]
        q, v, q_ref, v_ref, a_ref = state
        for name, x in (("v", v), ("q_ref", q_ref), ("v_ref", v_ref)):  # gains of the base would have no effect
            if not np.isfinite(x).all():
                raise ShapeError(f"the law: {name} holds NaN or infinity")
        error, motors = self.robot.difference(q, q_ref), self._plant.motors
        law = JointLaw(self._torques, *self.gains, self.options)
        return law.on(self._plant._replace(v_ref=v_ref), q, v, a_ref, error[..., motors], (v_ref - v)[..., motors])

    def _on_scalars(self, model: Model, *state: Array, gains: Sequence[Array] = ()) -> Array:
        """Torques of a fixed base on any scalar; its own gains are constants."""
        fixed: Callable[..., Torques] = law_of_fixed_base
        own = {"friction": self.joint_friction, **self.options}
        return fixed(model, *state, *(gains or self.gains), self._torques, **own).tau

    def _stiffened(self, dt: float) -> Self:
        """The same law with damping Kd + dt Kp."""
        other = copy(self)
        other.damping = self.damping + dt * self.stiffness
        other.gains = (self.gains[0], _shortest(other.damping))
        return other

    def towards(self, reference: Any) -> Towards:
        """A controller (t, q, v) for `art.simulate`: to q_ref, (q_ref, v_ref, a_ref), or a function of t for these.

        Parameters
        ----------
        reference : q_ref, (q_ref, v_ref), (q_ref, v_ref, a_ref), or a function of t (s) that returns one of these

        Returns
        -------
        a controller: a function of (t, q, v) that gives generalized forces (nv,), for art.simulate

        Examples
        --------
        >>> import articulated as art
        >>> law = art.PD(art.load("2r"), 100, 20)
        >>> law.towards([0.5, -0.2])(0.0, [0.1, 0.2], [0.0, 0.0]).shape
        (2,)
        """
        return Towards(self, reference)

    def _reference_parts(self, given: Any) -> list[Any]:
        """Arguments that follow q and v in a call of the law."""
        return joint_reference(self.robot, given)

    def _configuration(self, q: Any, method: str) -> Floats:
        """The argument q of a method, one finite configuration (nq,)."""
        robot = self.robot
        x = as_vectors(method, robot.name, "q", q, robot.kernels.vectors["q"])
        if x.ndim != 1:
            raise ShapeError(f"{method} takes one configuration q ({robot.nq},); got {x.shape}")
        if not np.isfinite(x).all():
            raise ShapeError(f"{method}: q holds NaN or infinity")
        return x

    @property
    def _dissipation(self) -> Floats:
        """Damping of the joints that the law leaves in place, (nv, nv)."""
        left = 0.0 if self.joint_friction == "compensated" else 1.0
        return left * np.diag(coefficients(self.robot.model)[0].astype(float))

    def _motions(self, q: Any) -> Floats:
        """Orthonormal columns that span the velocities the contacts leave, (nv, n)."""
        if self.contacts is None:
            return np.eye(self.robot.nv)
        J = self.contacts.jacobian(q)
        if not np.isfinite(J).all():
            raise ShapeError("the contact Jacobian at q is not finite: does q hold a zero quaternion?")
        return null_space(J)


def _shortest(K: Floats) -> Floats:
    """Diagonal of a diagonal matrix; all entries of another."""
    diagonal = np.diag(K)
    return diagonal.copy() if (np.diag(diagonal) == K).all() else K.ravel()


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
        raise ShapeError(f"{name} must be positive semidefinite; it has a negative eigenvalue")
    return K


def _shown(gain: Floats) -> str:
    """A gain as it may have been given: a number, one per component, or a matrix by its shape."""
    own = np.diag(gain)
    if (gain != np.diag(own)).any():
        return f"{gain.shape[0]}x{gain.shape[1]}"
    each = [f"{x:.6g}" for x in own]
    return each[0] if len(set(each)) == 1 else f"[{', '.join(each)}]"
