"""A set of contacts: its rows, its equations, and what it can and cannot do."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from ..errors import ShapeError, unknown
from ..robot import Robot
from .analysis import Analysis, analysis
from .checks import require_finite, velocities_of
from .constraints import constraint_bias, constraint_drift, constraint_jacobian, constraint_poses
from .kernels import kernel, structure
from .kinds import Contact, listed, passive_names
from .laws import Found, Structure, contact_motion, contact_torques
from .subspaces import TOLERANCE, Floats


class ContactSet:
    """Contacts of a robot with the ground, and loops between two of its frames, all of which hold.

    `point` and `surface` are lists of frames; `line` maps frames to the axis (their own) they may turn about,
    `direction` frames to the one direction (of the world) they do not move along; a loop is (frame, other), or
    (frame, other, "hinge", axis), or (frame, other, "weld").  `passive` lists joints without a motor.

    Contact forces are what the ground does to the robot, one per row; `rows` names them.
    """

    def __init__(
        self,
        robot: Robot,
        point: Iterable[str] = (),
        surface: Iterable[str] = (),
        line: Mapping[str, ArrayLike] = {},
        direction: Mapping[str, ArrayLike] = {},
        loops: Iterable[Sequence[Any]] = (),
        passive: Iterable[str] = (),
    ):
        if not isinstance(robot, Robot):
            raise ShapeError(f"Contacts takes a robot first, as from art.load; got {robot!r}")
        self._set_up(robot, listed(robot.model, point, surface, line, direction, loops), passive_names(passive))

    def _set_up(self, robot: Robot, contacts: tuple[Contact, ...], passive: tuple[str, ...]) -> None:
        self.robot, self.contacts, self.passive = robot, contacts, passive
        self._unactuated = _unactuated(robot, passive)
        self._motors = robot.nv - len(self._unactuated)
        self._kernels = _Kernels(self)

    # -- what it is -------------------------------------------------------------------

    @property
    def k(self) -> int:
        """Number of rows: of constraints, and of contact forces."""
        return sum(contact.size for contact in self.contacts)

    @property
    def rows(self) -> list[str]:
        """A name for each row."""
        return [name for contact in self.contacts for name in contact.rows]

    @property
    def names(self) -> list[str]:
        """Of the contacts: the frame, or both frames of a loop."""
        return [contact.name for contact in self.contacts]

    @property
    def actuated(self) -> list[int]:
        """Which velocities have a motor, in the order of `tau`."""
        return [i for i in range(self.robot.nv) if i not in self._unactuated]

    @property
    def structure(self) -> Structure:
        """The ranks of the set at all but a few configurations."""
        return structure(self.robot, self.contacts, self._unactuated)

    def lift(self, *names: str) -> Self:
        """The set without some of its contacts."""
        for name in names:
            if name not in self.names:
                raise unknown("contact", name, "this set", self.names)
        return _remade(type(self), self.robot, tuple(c for c in self.contacts if c.name not in names), self.passive)

    def __reduce__(self) -> Any:
        return _remade, (type(self), self.robot, self.contacts, self.passive)

    def by_contact(self, forces: ArrayLike) -> dict[str, Floats]:
        """The rows (…, k) of forces, drifts or rates, sorted by contact."""
        rows = np.asarray(forces, float)
        if rows.ndim == 0 or rows.shape[-1] != self.k:
            raise ShapeError(f"by_contact: got shape {rows.shape}, but the set has {self.k} rows: (…, {self.k})")
        ends = np.cumsum([contact.size for contact in self.contacts])
        return dict(zip(self.names, np.split(rows, ends[:-1], axis=-1), strict=True)) if self.contacts else {}

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self.robot.name}: {', '.join(self.names) or 'none'}; {self.k} rows>"

    # -- equations ----------------------------------------------------------------------

    def jacobian(self, q: ArrayLike) -> Floats:
        """J: velocity in the forbidden directions per unit v.  (…, k, nv)."""
        return self._plain("jacobian", constraint_jacobian, q=q)

    def bias(self, q: ArrayLike, v: ArrayLike) -> Floats:
        """J̇ v: acceleration in the forbidden directions if v does not change.  (…, k)."""
        return self._plain("bias", constraint_bias, q=q, v=v)

    def poses(self, q: ArrayLike) -> Floats:
        """Pose of the frame of every contact.  (…, contacts, 4, 4)."""
        return self._plain("poses", constraint_poses, q=q)

    def positions(self, q: ArrayLike) -> Floats:
        """Origin of the frame of every contact.  (…, contacts, 3)."""
        return self.poses(q)[..., :3, 3]

    def drift(self, q: ArrayLike, anchors: ArrayLike | None = None) -> Floats:
        """How far contacts have moved from their `anchors` (`poses` when they were made), and loops from closed."""
        grounded = [contact.name for contact in self.contacts if contact.other is None]
        if anchors is None and grounded:
            raise ShapeError(
                f"the drift of {', '.join(grounded)} needs anchors: contacts.poses(q) of when the contact was made"
            )
        anchors = np.zeros((len(self.contacts), 4, 4)) if anchors is None else np.asarray(anchors, float)
        if anchors.shape[-3:] != (len(self.contacts), 4, 4):
            raise ShapeError(f"anchors has shape {anchors.shape}; it must be (…, {len(self.contacts)}, 4, 4)")
        if not np.isfinite(anchors).all():
            raise ShapeError("anchors holds NaN or infinity")
        flat = anchors.reshape(*anchors.shape[:-3], 16 * len(self.contacts))
        return self._plain("drift", constraint_drift, q=q, anchors=flat)

    def analyse(self, q: ArrayLike, tolerance: float = TOLERANCE) -> Analysis:
        """Ranks at one configuration, what they mean, and bases of internal forces and uncontrollable motions."""
        J = self.jacobian(q)
        if J.ndim != 2:
            raise ShapeError(f"analyse takes one configuration q ({self.robot.nq},); got {np.shape(q)}")
        require_finite("analyse", q=q)
        return analysis(J, self.structure, self.positions(q), tolerance)

    # -- how ----------------------------------------------------------------------------

    def _plain(self, method: str, function: Callable[..., Any], **state: Any) -> Any:
        call = self._kernels.get(method)
        if call is None:
            sizes = {name: self._size(name) for name in state}
            call = self._kernels[method] = kernel(self.robot, method, function, sizes, self.contacts)
        return call(*state.values())

    def _size(self, name: str) -> int:
        sizes = {"q": self.robot.nq, "v": self.robot.nv, "a": self.robot.nv, "a0": self.robot.nv, "restitution": 1}
        if name in ("tau", "tau0", "weight"):
            return len(self.actuated)
        return {**sizes, "anchors": 16 * len(self.contacts)}.get(name, self.k)


def _remade(kind: Any, robot: Robot, contacts: tuple[Contact, ...], passive: tuple[str, ...]) -> Any:
    """A set of contacts that have been checked before."""
    made = kind.__new__(kind)
    made._set_up(robot, contacts, passive)
    return made


class _Kernels(dict):
    """The calls of a set by what is asked; those on which a controller waits under a short name."""

    def __init__(self, owner: ContactSet):
        self.owner = owner

    def __missing__(self, key: Any) -> Callable[..., Any]:
        laws: dict[str, tuple[str, Callable[..., Any], str]] = {
            "torques": ("inverse_dynamics", contact_torques, "a"),
            "motion": ("forward_dynamics", contact_motion, "tau"),
        }
        method, function, last = laws[key]
        if key == "torques" and not self.owner.contacts:
            self[key] = partial(_torques_in_flight, self.owner)
            return self[key]
        if key == "motion":
            self.owner.robot._require_mass()
        sizes = {name: self.owner._size(name) for name in ("q", "v", last)}
        made = kernel(self.owner.robot, method, function, sizes, self.owner.structure)
        made.ready()
        self[key] = made.call
        return made.call


def _torques_in_flight(owner: ContactSet, q: ArrayLike, v: ArrayLike, a: ArrayLike) -> Found:
    """`contact_torques` without contacts, where the kernel would have an empty result: those go a slow way."""
    f = owner.robot.inverse_dynamics(q, v, a)
    checks = np.zeros((*f.shape[:-1], 3))
    checks[..., 0] = np.linalg.norm(f[..., list(owner._unactuated)], axis=-1)
    checks[..., 2] = np.isfinite(f).all(axis=-1)
    return Found(f[..., owner.actuated], np.zeros((*f.shape[:-1], 0)), checks)


def _unactuated(robot: Robot, passive: tuple[str, ...]) -> tuple[int, ...]:
    """Velocities of floating bases and of the passive joints."""
    own = [b for b in robot.model.bodies if b.leader is b]
    floating = [name for name, b in zip(robot.joint_names, own, strict=True) if b.joint.floats]
    return tuple(sorted({*velocities_of(robot, passive), *velocities_of(robot, floating)}))
