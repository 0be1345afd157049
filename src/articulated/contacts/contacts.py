"""Contacts: the equations and the dynamics of a robot while a set of contacts holds."""

from __future__ import annotations  # help shows types as they are written here

from collections.abc import Iterable, Mapping, Sequence
from numbers import Real
from typing import Any, Literal, NamedTuple, Self, overload

import numpy as np
from numpy.typing import ArrayLike

from ..compiler.abi import ENTRY_POINTS
from ..errors import ShapeError, unknown
from ..inputs.choices import flag, floats, number
from ..robot import Robot
from ..robot.arguments.arrays import as_vectors, choose
from ..robot.arguments.forces import in_frames
from . import feasible
from .analysis import Analysis, analysis
from .checks import in_order, plain, require_finite, velocities_of, wish
from .compiled import CompiledLaws
from .constraints import constraint_bias, constraint_drift, constraint_jacobian, constraint_poses
from .derivatives.method import OfLaw
from .derivatives.stubs import By, ImpactDerivatives, MotionDerivatives, OfLaws, TorqueDerivatives
from .display import contacts_html
from .ik_goals import Held
from .kinds import Contact, listed, passive_names
from .laws import LAWS
from .loops import closed
from .ranks import singular_ranks as unusual_ranks
from .ranks.by_singular_values import Torques
from .ranks.structure import Structure
from .ranks.subspaces import TOLERANCE, Floats, apply
from .study import Study

Forces = Mapping[str, ArrayLike] | None

#: of `inverse_dynamics`: the compiled law of laws.py, and the lecture's formulas
METHODS = QR, *_ = ("qr", "projector", "full_qr")
#: what is compiled
Law = Literal["acceleration", "inverse_dynamics", "forward_dynamics", "impact"]
ON_INFEASIBLE = LEAST_SQUARES, *_ = ("least_squares", "nearest", "raise")


class Motion(NamedTuple):
    """Accelerations (…, nv) and the contact forces (…, k) that go with them."""

    a: Floats
    forces: Floats


class Impact(NamedTuple):
    """Velocities (…, nv) after an impact and the impulses (…, k) it took."""

    v: Floats
    impulses: Floats


class Contacts:
    """Contacts of a robot with the ground, and loops between two of its frames, all of which hold.

    Contact forces are what the ground does to the robot, one per row; `rows` names them.  Arrays have any leading
    shape.  Where contacts have another rank than they usually have, or have on flat ground (feet that coincide, a
    stretched leg), it is found from singular values, some hundred times slower.

    Parameters
    ----------
    robot : a Robot
    point : frames that do not move, but turn
    surface : frames that neither move nor turn
    line : frames by the axis (in their own) that they may turn about
    direction : frames by the one direction (of the world) that they do not move along
    loops : (frame, other), (frame, other, "hinge", axis) or (frame, other, "weld")
    passive : joints without a motor

    Examples
    --------
    >>> import articulated as art
    >>> dog = art.load("quadruped", floating_base=True)
    >>> art.Contacts(dog, point=["FL_FOOT"], surface=["HR_FOOT"])
    <Contacts of quadruped: FL_FOOT, HR_FOOT; 9 rows>
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
        self._laws = CompiledLaws(robot, contacts, _unactuated(robot, passive))
        self.kernels = self._laws.kernels

    # -- what it is -------------------------------------------------------------------

    @property
    def k(self) -> int:
        """Number of rows: of constraints, and of contact forces."""
        return self._laws.rows

    @property
    def rows(self) -> list[str]:
        """A name for each row."""
        return [name for contact in self.contacts for name in contact.rows]

    @property
    def names(self) -> list[str]:
        """Names of the contacts: the frame, or both frames of a loop."""
        return [contact.name for contact in self.contacts]

    @property
    def actuated(self) -> list[int]:
        """Which velocities have a motor, in the order of `tau`."""
        return [i for i in range(self.robot.nv) if i not in self._laws.unactuated]

    @property
    def study(self) -> Study:
        """The set as the USP lecture writes it: base last, S, P, Q, R, S_c and S_u."""
        return Study(self)

    @property
    def goals(self) -> tuple[Held, ...]:
        """Goals of inverse kinematics: every contact stays at a pose, every loop is closed."""
        return tuple(map(Held, self.contacts))

    @property
    def structure(self) -> Structure:
        """The ranks of the set at all but a few configurations."""
        return self._laws.structure

    @property
    def special_structures(self) -> tuple[Structure, ...]:
        """Lower ranks that the set has at special configurations, as planar legs have on flat ground."""
        return self._laws.special_structures

    def lift(self, *names: str) -> Self:
        """The set without some of its contacts.

        Parameters
        ----------
        names : of contacts: the frame, or both frames of a loop

        Returns
        -------
        a new set of contacts

        Examples
        --------
        >>> import articulated as art
        >>> dog = art.load("quadruped", floating_base=True)
        >>> feet = art.Contacts(dog, point=["FL_FOOT", "FR_FOOT", "HL_FOOT", "HR_FOOT"])
        >>> q, still = dog.poses["home"], [0.0] * dog.nv
        >>> feet.lift("FR_FOOT").names
        ['FL_FOOT', 'HL_FOOT', 'HR_FOOT']
        """
        for name in names:
            if not isinstance(name, str) or name not in self.names:
                raise unknown("contact", name, "this set", self.names)
        return _remade(type(self), self.robot, tuple(c for c in self.contacts if c.name not in names), self.passive)

    def __reduce__(self) -> Any:
        return _remade, (type(self), self.robot, self.contacts, self.passive)

    def by_contact(self, forces: ArrayLike) -> dict[str, Floats]:
        """The rows (…, k) of forces, drifts or rates, sorted by contact.

        Parameters
        ----------
        forces : rows (…, k), such as contact forces

        Returns
        -------
        a dict by contact of (…, rows of the contact)

        Examples
        --------
        >>> import articulated as art
        >>> dog = art.load("quadruped", floating_base=True)
        >>> feet = art.Contacts(dog, point=["FL_FOOT", "FR_FOOT", "HL_FOOT", "HR_FOOT"])
        >>> q, still = dog.poses["home"], [0.0] * dog.nv
        >>> feet.by_contact([1.0] * 12)["FL_FOOT"].tolist()
        [1.0, 1.0, 1.0]
        """
        rows = floats("by_contact: forces", forces, self.rows)
        if rows.ndim == 0 or rows.shape[-1] != self.k:
            raise ShapeError(f"by_contact: got shape {rows.shape}, but the set has {self.k} rows: (…, {self.k})")
        ends = np.cumsum([contact.size for contact in self.contacts])
        return dict(zip(self.names, np.split(rows, ends[:-1], axis=-1), strict=True)) if self.contacts else {}

    def _repr_html_(self) -> str:
        """In a notebook: a row for each contact, and what its forces are."""
        return contacts_html(self.robot.name, self.contacts, self.passive)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self.robot.name}: {', '.join(self.names) or 'none'}; {self.k} rows>"

    # -- equations ----------------------------------------------------------------------

    def jacobian(self, q: ArrayLike) -> Floats:
        """J: velocity in the forbidden directions per unit v.  (…, k, nv).

        Parameters
        ----------
        q : configuration, (…, nq): rad, m, quaternions x y z w

        Returns
        -------
        (…, k, nv), world axes

        Notes
        -----
        Source: SUSTech ch. 9; Mistry, Buchli, Schaal 2010.

        Examples
        --------
        >>> import articulated as art
        >>> dog = art.load("quadruped", floating_base=True)
        >>> feet = art.Contacts(dog, point=["FL_FOOT", "FR_FOOT", "HL_FOOT", "HR_FOOT"])
        >>> q, still = dog.poses["home"], [0.0] * dog.nv
        >>> feet.jacobian(q).shape
        (12, 18)
        """
        return self._laws.equation("jacobian", constraint_jacobian, q=q)

    def bias(self, q: ArrayLike, v: ArrayLike) -> Floats:
        """J̇ v: acceleration in the forbidden directions if v does not change.  (…, k).

        Parameters
        ----------
        q : configuration, (…, nq): rad, m, quaternions x y z w
        v : velocity, (…, nv): rad/s, m/s; of a free base [linear; angular] in its own axes

        Returns
        -------
        (…, k): m/s², rad/s²

        Examples
        --------
        >>> import articulated as art
        >>> dog = art.load("quadruped", floating_base=True)
        >>> feet = art.Contacts(dog, point=["FL_FOOT", "FR_FOOT", "HL_FOOT", "HR_FOOT"])
        >>> q, still = dog.poses["home"], [0.0] * dog.nv
        >>> feet.bias(q, still).shape
        (12,)
        """
        return self._laws.equation("bias", constraint_bias, q=q, v=v)

    def poses(self, q: ArrayLike) -> Floats:
        """Pose of the frame of every contact.  (…, contacts, 4, 4).

        Parameters
        ----------
        q : configuration, (…, nq): rad, m, quaternions x y z w

        Returns
        -------
        (…, contacts, 4, 4)

        Examples
        --------
        >>> import articulated as art
        >>> dog = art.load("quadruped", floating_base=True)
        >>> feet = art.Contacts(dog, point=["FL_FOOT", "FR_FOOT", "HL_FOOT", "HR_FOOT"])
        >>> q, still = dog.poses["home"], [0.0] * dog.nv
        >>> feet.poses(q).shape
        (4, 4, 4)
        """
        return self._laws.equation("poses", constraint_poses, q=q)

    def positions(self, q: ArrayLike) -> Floats:
        """Origin of the frame of every contact.  (…, contacts, 3).

        Parameters
        ----------
        q : configuration, (…, nq): rad, m, quaternions x y z w

        Returns
        -------
        (…, contacts, 3): m

        Examples
        --------
        >>> import articulated as art
        >>> dog = art.load("quadruped", floating_base=True)
        >>> feet = art.Contacts(dog, point=["FL_FOOT", "FR_FOOT", "HL_FOOT", "HR_FOOT"])
        >>> q, still = dog.poses["home"], [0.0] * dog.nv
        >>> feet.positions(q).shape
        (4, 3)
        """
        return self.poses(q)[..., :3, 3]

    def drift(self, q: ArrayLike, anchors: ArrayLike | None = None) -> Floats:
        """How far contacts have moved from their `anchors` (`poses` when they were made), and loops from closed.

        Parameters
        ----------
        q : configuration, (…, nq): rad, m, quaternions x y z w
        anchors : poses (…, contacts, 4, 4) of when the contacts were made

        Returns
        -------
        (…, k): m, rad

        Examples
        --------
        >>> import articulated as art
        >>> dog = art.load("quadruped", floating_base=True)
        >>> feet = art.Contacts(dog, point=["FL_FOOT", "FR_FOOT", "HL_FOOT", "HR_FOOT"])
        >>> q, still = dog.poses["home"], [0.0] * dog.nv
        >>> abs(feet.drift(q, feet.poses(q))).max().item()
        3.644466849528879e-17
        """
        grounded = [contact.name for contact in self.contacts if contact.other is None]
        if anchors is None and grounded:
            raise ShapeError(
                f"the drift of {', '.join(grounded)} needs anchors: contacts.poses(q) of when the contact was made"
            )
        anchors = np.zeros((len(self.contacts), 4, 4)) if anchors is None else floats("anchors", anchors, rows=())
        if anchors.shape[-3:] != (len(self.contacts), 4, 4):
            raise ShapeError(f"anchors has shape {anchors.shape}; it must be (…, {len(self.contacts)}, 4, 4)")
        if not np.isfinite(anchors).all():
            raise ShapeError("anchors holds NaN or infinity")
        flat = anchors.reshape(*anchors.shape[:-3], 16 * len(self.contacts))
        return self._laws.equation("drift", constraint_drift, q=q, anchors=flat)

    def analyse(self, q: ArrayLike, tolerance: float = TOLERANCE) -> Analysis:
        """Ranks at one configuration, what they mean, and bases of internal forces and uncontrollable motions.

        Parameters
        ----------
        q : configuration, (…, nq): rad, m, quaternions x y z w
        tolerance : ranks: singular values smaller than this part of the largest are zero; assemble: m, rad

        Returns
        -------
        Analysis: k, rank, internal, uncontrollable (ints), actuation ("under", "fully" or "over"), and bases

        Notes
        -----
        Source: Mistry, Buchli, Schaal 2010.

        Examples
        --------
        >>> import articulated as art
        >>> dog = art.load("quadruped", floating_base=True)
        >>> feet = art.Contacts(dog, point=["FL_FOOT", "FR_FOOT", "HL_FOOT", "HR_FOOT"])
        >>> q, still = dog.poses["home"], [0.0] * dog.nv
        >>> found = feet.analyse(q)
        >>> found.k, found.rank, found.actuation
        (12, 12, 'over')
        """
        q = plain("analyse", self.kernels.vectors, {"q": q})["q"]
        J = self.jacobian(q)
        if J.ndim != 2:
            raise ShapeError(f"analyse takes one configuration q ({self.robot.nq},); got {np.shape(q)}")
        require_finite("analyse", q=q)
        if not np.isfinite(J).all():
            raise ShapeError(
                "contacts.analyse: q has a quaternion without direction, or numbers too large to compute with"
            )
        return analysis(J, self.structure, self.positions(q), tolerance)

    # -- dynamics while they hold ---------------------------------------------------------

    def acceleration(self, q: ArrayLike, v: ArrayLike, a0: ArrayLike) -> Floats:
        """The acceleration nearest to `a0` for which the contacts stay where they are.

        Where contacts contradict each other, at a velocity that moves them, they do so as nearly as they can.

        Parameters
        ----------
        q : configuration, (…, nq): rad, m, quaternions x y z w
        v : velocity, (…, nv): rad/s, m/s; of a free base [linear; angular] in its own axes
        a0 : acceleration one would like, (…, nv)

        Returns
        -------
        (…, nv): rad/s², m/s²

        Examples
        --------
        >>> import articulated as art
        >>> dog = art.load("quadruped", floating_base=True)
        >>> feet = art.Contacts(dog, point=["FL_FOOT", "FR_FOOT", "HL_FOOT", "HR_FOOT"])
        >>> q, still = dog.poses["home"], [0.0] * dog.nv
        >>> abs(feet.acceleration(q, still, still)).max().round(9).item()
        0.0
        """
        state = self._in_order("acceleration", q=q, v=v, a0=a0)
        return unusual_ranks.acceleration(self, self._laws.law("acceleration", state), state)

    def inverse_dynamics(
        self,
        q: ArrayLike,
        v: ArrayLike,
        a: ArrayLike,
        tau0: ArrayLike | None = None,
        weight: ArrayLike | None = None,
        force_weight: ArrayLike | None = None,
        forces: Forces = None,
        method: Literal["qr", "projector", "full_qr"] = "qr",
        on_infeasible: Literal["least_squares", "nearest", "raise"] = "least_squares",
    ) -> Torques:
        """Torques that give the acceleration `a` whatever the contact forces are, and the contact forces.

        Of all such torques, those with the smallest sum of weight (tau - tau0)² + force_weight forces²; a weight is
        a number, one per component, or a matrix.  `method` "projector" and "full_qr" are the lecture's formulas,
        for study: the same to rounding.  `forces` are other external forces, as in
        `Robot.inverse_dynamics`.

        Where no torque gives `a`, `feasible` is False: it moves a contact (`violation`), or needs forces no contact
        can supply (`residual`).  The latter are missed by least squares in coordinates of the base frame, so the
        torques then depend on where that frame is.  With `on_infeasible="nearest"` they are those of the nearest
        acceleration that is feasible, which is the result's `a` and depends on no frame; with "raise" there is an
        `InfeasibleAcceleration`, and with both where no acceleration at all is feasible.

        Parameters
        ----------
        q : configuration, (…, nq): rad, m, quaternions x y z w
        v : velocity, (…, nv): rad/s, m/s; of a free base [linear; angular] in its own axes
        a : acceleration, the rate of v, (…, nv): rad/s², m/s²
        tau0 : torques one would like, (…, motors): N m, N
        weight : of the torques: a number, (motors,), or a matrix
        force_weight : of the contact forces: a number, (k,), or a matrix
        forces : external forces by frame, besides contact forces, (…, 6), [force; moment] at its origin: N, N m
        method : of inverse_dynamics "qr", or the lecture's "projector" and "full_qr"; of derivatives the name of a
            law
        on_infeasible : "least_squares": as near as torques come; "nearest": those of the nearest feasible a; or
            "raise"

        Returns
        -------
        Torques(tau (…, motors) in N m or N, forces (…, k) on the robot in N and N m, residual, violation,
            conditioning, feasible, a (…, nv))

        Notes
        -----
        Included: gravity, Coriolis forces, joint friction and damping, armature, external forces.
        Source: orthogonal decomposition (Mistry, Buchli, Schaal 2010).

        Examples
        --------
        >>> import articulated as art
        >>> dog = art.load("quadruped", floating_base=True)
        >>> feet = art.Contacts(dog, point=["FL_FOOT", "FR_FOOT", "HL_FOOT", "HR_FOOT"])
        >>> q, still = dog.poses["home"], [0.0] * dog.nv
        >>> tau, forces, *_ = feet.inverse_dynamics(q, still, still)
        >>> round(forces[2::3].sum().item() / dog.mass, 6)
        9.81
        """
        if not type(q) is type(v) is type(a) is np.ndarray:
            q, v, a = self._in_order("inverse_dynamics", q=q, v=v, a=a).values()
        if on_infeasible is not LEAST_SQUARES:
            choose("contacts.inverse_dynamics", "on_infeasible", on_infeasible, ON_INFEASIBLE)
        if on_infeasible != LEAST_SQUARES:
            which = {"tau0": tau0, "weight": weight, "force_weight": force_weight, "method": method}
            return feasible.torques(self, {"q": q, "v": v, "a": a}, which, forces, on_infeasible)
        if method is not QR:
            choose("contacts.inverse_dynamics", "method", method, METHODS)
        if tau0 is None and weight is None and force_weight is None and _none(forces) and method == QR:
            tau, contact_forces, checks = found = self._laws.usual("inverse_dynamics")(q, v, a)
            if checks.ndim == 1 and type(checks) is np.ndarray:
                # one state, the usual ranks: what a controller waits for
                residual, violation, excess, conditioning = checks.tolist()
                if not conditioning > TOLERANCE:
                    tau, contact_forces, checks = found = self._laws.specially("inverse_dynamics", found, q, v, a)
                    residual, violation, excess, conditioning = checks.tolist()
                if conditioning > TOLERANCE:  # (the constructor takes as long as a tenth of the law)
                    asked = np.array(a, float)
                    return tuple.__new__(
                        Torques, (tau, contact_forces, residual, violation, conditioning, excess <= 0, asked)
                    )
            else:
                found = self._laws.specially("inverse_dynamics", found, q, v, a)
            return unusual_ranks.torques(self, found, {"q": q, "v": v, "a": a}, {}, None)
        forces = self._pushes(q, forces)
        given = {"tau0": tau0, "weight": weight, "force_weight": force_weight}
        wishes = {
            name: wish(self.robot.name, name, x, self.kernels.vectors[name])
            for name, x in given.items()
            if x is not None
        }
        state, found = {"q": q, "v": v, "a": a}, None
        if method == QR and all(name == "tau0" or x.ndim == 1 for name, x in wishes.items()):
            found = self._laws.law("inverse_dynamics", {**state, **wishes}, forces)
        return unusual_ranks.torques(self, found, state, wishes, forces, method)

    def feasible_acceleration(
        self,
        q: ArrayLike,
        v: ArrayLike,
        a: ArrayLike,
        forces: Forces = None,
    ) -> Floats:
        """The acceleration nearest to `a` that some torque gives while the contacts hold.

        Nearest as kinetic energy measures, (x - a)ᵀ M (x - a), so that it depends on no base frame.  In the directions
        that are uncontrollable gravity and inertia decide.  An `InfeasibleAcceleration` where there is none: contacts
        that depend on each other may contradict each other at this velocity.

        Parameters
        ----------
        q : configuration, (…, nq): rad, m, quaternions x y z w
        v : velocity, (…, nv): rad/s, m/s; of a free base [linear; angular] in its own axes
        a : acceleration, the rate of v, (…, nv): rad/s², m/s²
        forces : external forces by frame, besides contact forces, (…, 6), [force; moment] at its origin: N, N m

        Returns
        -------
        (…, nv): rad/s², m/s²

        Notes
        -----
        Included: gravity, Coriolis forces, joint friction and damping, armature, external forces.
        Source: projections in the metric of M.

        Examples
        --------
        >>> import articulated as art
        >>> dog = art.load("quadruped", floating_base=True)
        >>> feet = art.Contacts(dog, point=["FL_FOOT", "FR_FOOT", "HL_FOOT", "HR_FOOT"])
        >>> q, still = dog.poses["home"], [0.0] * dog.nv
        >>> trot = feet.lift("FR_FOOT", "HL_FOOT")
        >>> a = trot.feasible_acceleration(q, still, [1.0] * 18)
        >>> bool(trot.inverse_dynamics(q, still, a).feasible)
        True
        """
        forces = self._pushes(q, forces)
        return feasible.acceleration(self, {"q": q, "v": v, "a": a}, forces)

    def forward_dynamics(
        self,
        q: ArrayLike,
        v: ArrayLike,
        tau: ArrayLike,
        forces: Forces = None,
        baumgarte: float | None = None,
        anchors: ArrayLike | None = None,
    ) -> Motion:
        """Accelerations under the torques `tau` (actuated joints, or all velocities), and the contact forces.

        `baumgarte` (rad/s) pulls contacts that have drifted back to their `anchors`, critically damped.

        Parameters
        ----------
        q : configuration, (…, nq): rad, m, quaternions x y z w
        v : velocity, (…, nv): rad/s, m/s; of a free base [linear; angular] in its own axes
        tau : torques of the actuated joints (…, motors), or generalized forces (…, nv): N m, N
        forces : external forces by frame, besides contact forces, (…, 6), [force; moment] at its origin: N, N m
        baumgarte : rate in rad/s at which drift is pulled back; none: it is not
        anchors : poses (…, contacts, 4, 4) of when the contacts were made

        Returns
        -------
        Motion(a (…, nv), forces (…, k) on the robot in N and N m)

        Notes
        -----
        Included: gravity, Coriolis forces, joint friction and damping, armature, external forces.
        Source: Featherstone 2008, chapter 8.

        Examples
        --------
        >>> import articulated as art
        >>> dog = art.load("quadruped", floating_base=True)
        >>> feet = art.Contacts(dog, point=["FL_FOOT", "FR_FOOT", "HL_FOOT", "HR_FOOT"])
        >>> q, still = dog.poses["home"], [0.0] * dog.nv
        >>> tau = feet.inverse_dynamics(q, still, still).tau
        >>> abs(feet.forward_dynamics(q, still, tau).a).max().item() < 1e-9
        True
        """
        if anchors is not None and baumgarte is None:
            raise ShapeError("contacts.forward_dynamics: anchors are where baumgarte pulls contacts to; give both")
        if not type(q) is type(v) is type(tau) is np.ndarray:
            q, v, tau = self._in_order("forward_dynamics", q=q, v=v, tau=tau).values()
        state: dict[str, Any] = {"q": q, "v": v, "tau": tau}
        forces = None if _none(forces) else self._pushes(q, forces)
        if not forces and baumgarte is None and isinstance(tau, np.ndarray) and tau.shape[-1:] == (self._laws.motors,):
            found = self._laws.usual("forward_dynamics")(q, v, tau)
            if not (found.checks.ndim == 1 and found.checks[0] > TOLERANCE):
                found = self._laws.specially("forward_dynamics", found, q, v, tau)
            if found.checks.ndim == 1 and found.checks[0] > TOLERANCE:
                return Motion(found.value, found.forces)
        else:
            if baumgarte is not None:
                state["correction"] = self._correction(q, v, baumgarte, anchors)
            found = self._laws.law("forward_dynamics", state, forces)
        return Motion(*unusual_ranks.motion(self, found, state, forces))

    def impact(self, q: ArrayLike, v: ArrayLike, restitution: float = 0.0) -> Impact:
        """Velocities after the contacts have been made at once: J v₊ = -restitution J v, and the impulses.

        Parameters
        ----------
        q : configuration, (…, nq): rad, m, quaternions x y z w
        v : velocity, (…, nv): rad/s, m/s; of a free base [linear; angular] in its own axes
        restitution : 0 (they stick) to 1 (they bounce back)

        Returns
        -------
        Impact(v (…, nv), impulses (…, k) in N s)

        Notes
        -----
        Included: armature.
        Source: Featherstone 2008, section 11.7.

        Examples
        --------
        >>> import articulated as art
        >>> dog = art.load("quadruped", floating_base=True)
        >>> feet = art.Contacts(dog, point=["FL_FOOT", "FR_FOOT", "HL_FOOT", "HR_FOOT"])
        >>> q, still = dog.poses["home"], [0.0] * dog.nv
        >>> feet.impact(q, [0, 0, -1.0] + [0] * 15).v.shape
        (18,)
        """
        if not (isinstance(restitution, Real) and 0 <= restitution <= 1):
            raise ShapeError(f"restitution is between 0 (they stick) and 1 (they bounce back); got {restitution!r}")
        state = self._in_order("impact", q=q, v=v)
        found = self._laws.law("impact", {**state, "restitution": restitution})
        return Impact(*unusual_ranks.impact(self, found, state, restitution))

    @overload
    def derivatives(self, method: Literal["forward_dynamics"], wrt: None = None) -> OfLaw[MotionDerivatives]: ...
    @overload
    def derivatives(self, method: Literal["inverse_dynamics"], wrt: None = None) -> OfLaw[TorqueDerivatives]: ...
    @overload
    def derivatives(self, method: Literal["impact"], wrt: None = None) -> OfLaw[ImpactDerivatives]: ...
    @overload
    def derivatives(self, method: OfLaws, wrt: By | Sequence[By]) -> OfLaw[Any]: ...
    def derivatives(self, method: OfLaws, wrt: By | Sequence[By] | None = None) -> OfLaw[Any]:
        """The derivatives of a law with respect to its arrays: `contacts.derivatives("forward_dynamics")(q, v, tau)`.

        `wrt` names some of them, or further ones: `"parameters"` (of `robot.parameters`), `"forces"` (six columns for
        each frame in `forces=`).  By q in the tangent space.  NaN are those of contact forces where contacts are
        redundant, and all where a rank changes, (forward dynamics) contacts contradict each other, or (inverse
        dynamics) nothing carries the base.  Inverse dynamics takes `tau0`, `weight` and `force_weight`; `forces` are
        taken by both.

        Parameters
        ----------
        method : of inverse_dynamics "qr", or the lecture's "projector" and "full_qr"; of derivatives the name of a
            law
        wrt : arguments to differentiate with respect to, also "forces" and "parameters"; all arrays if not given

        Returns
        -------
        a function of what the law takes; it returns a NamedTuple with a field per result and argument: a_q, a_v, …

        Notes
        -----
        Source: the equations of the law, differentiated at its solution.

        Examples
        --------
        >>> import articulated as art
        >>> dog = art.load("quadruped", floating_base=True)
        >>> feet = art.Contacts(dog, point=["FL_FOOT", "FR_FOOT", "HL_FOOT", "HR_FOOT"])
        >>> q, still = dog.poses["home"], [0.0] * dog.nv
        >>> tau = feet.inverse_dynamics(q, still, still).tau
        >>> feet.derivatives("forward_dynamics")(q, still, tau).a_q.shape
        (18, 18)
        """
        return OfLaw(self, method, wrt)

    def assemble(
        self,
        q: ArrayLike,
        anchors: ArrayLike | None = None,
        locked: tuple[str, ...] = (),
        tolerance: float = 1e-12,
        steps: int = 100,
    ) -> Floats:
        """A configuration near q, joints `locked` as they are, in which loops are closed and contacts at `anchors`.

        Parameters
        ----------
        q : configuration, (…, nq): rad, m, quaternions x y z w
        anchors : poses (…, contacts, 4, 4) of when the contacts were made
        locked : joints that stay as they are
        tolerance : ranks: singular values smaller than this part of the largest are zero; assemble: m, rad
        steps : the most steps that are tried

        Returns
        -------
        (nq,)

        Notes
        -----
        Source: Gauss-Newton on the drift.

        Examples
        --------
        >>> import articulated as art
        >>> dog = art.load("quadruped", floating_base=True)
        >>> feet = art.Contacts(dog, point=["FL_FOOT", "FR_FOOT", "HL_FOOT", "HR_FOOT"])
        >>> q, still = dog.poses["home"], [0.0] * dog.nv
        >>> feet.assemble(q, feet.poses(q)).shape
        (19,)
        """
        return closed(self, q, anchors, locked, tolerance, steps)

    def warm(self, *methods: Law, subsets: bool = False) -> None:
        """Compile ahead: `methods` (all), and for every subset of the contacts if asked.

        Parameters
        ----------
        subsets : True: for every subset of the contacts as well
        methods : names of laws to compile

        Returns
        -------
        nothing: the kernels are ready

        Examples
        --------
        >>> import articulated as art
        >>> dog = art.load("quadruped", floating_base=True)
        >>> feet = art.Contacts(dog, point=["FL_FOOT", "FR_FOOT", "HL_FOOT", "HR_FOOT"])
        >>> q, still = dog.poses["home"], [0.0] * dog.nv
        >>> feet.warm("acceleration")
        """
        for method in methods or LAWS:
            if not isinstance(method, str) or method not in LAWS:
                raise unknown("method to warm:", method, "Contacts", LAWS)
            for structure in (self.structure, *self.special_structures):
                self._laws.kernel(method, structure, ("q", "v", LAWS[method].last)).ready(*ENTRY_POINTS)
        if flag("subsets", subsets):
            for i in range(1, 2 ** len(self.names)):
                self.lift(*(name for j, name in enumerate(self.names) if i >> j & 1)).warm(*methods)

    # -- how ----------------------------------------------------------------------------

    def _in_order(self, method: str, **state: Any) -> dict[str, Any]:
        """The arrays of a law, checked for labels."""
        return in_order(method, self.kernels.vectors, state)

    @np.errstate(over="ignore", invalid="ignore")  # forces that are not finite are refused by name
    def _pushes(self, q: ArrayLike, forces: Forces) -> Forces:
        """Other external forces, in the axes of their frames."""
        return in_frames(self.robot, q, forces)

    def _correction(self, q: Any, v: Any, rate: float, anchors: Any) -> Floats:
        rate = number("baumgarte", rate, "a rate in rad/s, a number that is not negative", most=1e100)
        v = as_vectors("contacts.forward_dynamics", self.robot.name, "v", v, self.kernels.vectors["v"])
        drift = self.drift(q, anchors)
        try:
            np.broadcast_shapes(drift.shape[:-1], np.shape(q)[:-1], v.shape[:-1])
        except ValueError:
            shapes = f"q {np.shape(q)}, v {v.shape}, anchors {np.shape(anchors)}"
            raise ShapeError(f"contacts.forward_dynamics: the leading axes do not broadcast: {shapes}") from None
        with np.errstate(over="ignore", invalid="ignore"):  # what overflows shows in the result
            return -(rate**2) * drift - 2 * rate * apply(self.jacobian(q), v)


def _none(forces: Any) -> bool:
    """Whether there are no other forces."""
    return forces is None or (isinstance(forces, Mapping) and not forces)


def _remade(kind: Any, robot: Robot, contacts: tuple[Contact, ...], passive: tuple[str, ...]) -> Any:
    """A set of contacts that have been checked before."""
    made = kind.__new__(kind)
    made._set_up(robot, contacts, passive)
    return made


def _unactuated(robot: Robot, passive: tuple[str, ...]) -> tuple[int, ...]:
    """Velocities of floating bases and of the passive joints."""
    own = [b for b in robot.model.bodies if b.leader is b]
    floating = [name for name, b in zip(robot.joint_names, own, strict=True) if b.joint.floats]
    return tuple(sorted({*velocities_of(robot, passive), *velocities_of(robot, floating)}))
