"""Robot: the model a user holds.  Every method takes arrays of any leading shape and returns arrays."""

from __future__ import annotations  # help shows types as they are written here

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Literal, Unpack, overload

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from ..algebra.spatial import IDENTITY, Inertia, Transform
from ..algorithms import (
    centroidal,
    configuration,
    contributions,
    coriolis,
    energy,
    forward_dynamics,
    inverse_dynamics,
    jacobians,
    kinematics,
    limits,
    manipulability,
    mass_matrix,
    operational,
    regressor,
    world_coordinates,
)
from ..algorithms.contributions import Contributions
from ..algorithms.forward_dynamics import ArticulatedBodies
from ..algorithms.kinematics import BodyMotions
from ..algorithms.operational import OperationalSpace
from ..compiler.abi import ENTRY_POINTS
from ..documentation import adopt, document
from ..errors import NoSuchAttribute, ShapeError, WrongKind, unknown
from ..inputs.choices import flag, whole_number
from ..inputs.choices import names as asked_names
from ..inputs.frozen import read_only
from ..model import Link, Model, Topology
from ..model import build as build_model
from ..model.changes import attached, subtree, with_frame
from ..model.links import LinkChanges
from ..model.motors import Motor, with_motors
from ..model.report import Report
from ..model.shapes import Mesh
from ..text import counted, shortened
from . import help
from .arguments.arrays import choose, precision, vectors_of
from .arguments.axis_names import axis_names
from .arguments.forces import Forces, written
from .arguments.options import Axes, DynamicOptions, Factorization, ForcesOn, Library, Method, Options, RobotChanges
from .arguments.state_names import parameter_names
from .arguments.states import JointIndex, JointLimits, Poses, by_names, from_names, joint_index, joint_limits
from .conventions.converters import permutation
from .derivatives.linearization import LinearSystem, linearize
from .derivatives.method import OfMethod
from .derivatives.stubs import WithDerivatives
from .display import robot_html, robot_text
from .fast_methods import FastMethods, optional, requests
from .foreign_names import OF_A_ROBOT
from .inverse_kinematics.solve import InverseKinematics, inverse_kinematics
from .kernels import Kernels
from .method_names import Asked, Named
from .numeric import numbers, random_configuration
from .operational_rank import require_freedom
from .study import Study

Floats = NDArray[np.floating]


class Robot(WithDerivatives):
    """A robot: a kinematic tree, and methods that compute with it.

    q (…, nq), v, a, tau (…, nv); leading axes broadcast; lists and integers are fine.
    `forces` maps frames to (…, 6), [force; moment] on the robot at the frame's origin in its axes; `force_axes` "world"
    or "spatial" says other axes, as `axes` does elsewhere, and `forces_on="environment"` that they are what the robot
    exerts on its surroundings (SUSTech ch. 9, the final form), so that the opposite acts on the robot.
    A row of the batch that holds a NaN gives NaN results, the other rows are not affected.

        model: the tree; art.load, art.build, art.from_dh and art.from_screws make one

    >>> import articulated as art
    >>> robot = art.load("panda")
    >>> robot.inverse_dynamics(robot.poses["home"], [0.0] * 7, [0.0] * 7).shape
    (7,)
    """

    #: the description in SymPy's exact numbers, of a robot that was built from them
    exact: Model | None = None

    def __init__(self, model: Model):
        if not isinstance(model, Model):
            raise WrongKind(f"a Robot is made by art.load, art.build or art.from_dh; got {shortened(repr(model))}")
        self.model = model
        #: the seam to the compiler; contact sets and control laws of this robot share what it has made
        self.kernels = Kernels(model, vectors_of(model), "", FastMethods(self, Robot).keep, partial(optional, Robot))

    # -- what it is -------------------------------------------------------------------

    @property
    def name(self) -> str:
        """Its name."""
        return self.model.name

    @property
    def nq(self) -> int:
        """Number of coordinates."""
        return self.model.nq

    @property
    def nv(self) -> int:
        """Number of velocities."""
        return self.model.nv

    @property
    def gravity(self) -> Floats:
        """Acceleration of free fall, in the world."""
        return numbers(self.model, self.model.gravity)

    @property
    def joint_names(self) -> list[str]:
        """The moving joints in the order of q; mimic joints are not among them."""
        return list(self.model.joint_names)

    @property
    def body_names(self) -> list[str]:
        """The moving bodies 1 … N_B, in the order of `topology()`."""
        return [b.name for b in self.model.bodies]

    @property
    def frame_names(self) -> list[str]:
        """Every name `frame` arguments take: links (also fixed ones) and named frames."""
        return list(self.model.frames)

    @property
    def links(self) -> tuple[Link, ...]:
        """The links as described, each before those it carries."""
        return self.model.links

    @property
    def report(self) -> Report:
        """What the reader and the inertia checks found; empty if the description is clean.  Prints as a table."""
        return Report(self.model.report)

    @property
    def mass(self) -> float:
        """Total mass of the moving bodies; what is welded to the world does not count, `floating().mass` counts it."""
        return float(numbers(self.model, sum(b.inertia.mass for b in self.model.bodies)))

    @cached_property
    def limits(self) -> JointLimits:
        """Limits of q, (nq,), and of velocity and effort, (nv,); infinite where there are none.  Dynamics ignores them.

        A joint that others follow keeps to their ranges and velocities as well; to its own where no place suits all.
        """
        return JointLimits(*map(read_only, joint_limits(self.model)))

    @property
    def poses(self) -> Poses:
        """Named configurations of its file: `robot.poses["home"]`, (nq,)."""
        return Poses(self.model)

    @property
    def meshes(self) -> dict[str, str]:
        """The file of every mesh by its address; "" where none was found."""
        shapes = (shape for link in self.model.links for shape in link.shapes)
        return {shape.address: shape.file for shape in shapes if isinstance(shape, Mesh)}

    @property
    def parameter_names(self) -> list[str]:
        """Of `parameters` and the columns of `regressor`: `hand_m`, `hand_mx` … `hand_Izz`, ten for each body."""
        return parameter_names(self.model)

    def names(self, of: Named) -> Any:
        """Names along each axis after the batch of what a method returns, or of "q" or "v"."""
        return axis_names(self.model, of)

    def index(self, joint: str) -> JointIndex:
        """Where a joint is in q and v: slices; a mimic joint is where the joint it follows is."""
        return joint_index(self.model, joint)

    def topology(self) -> Topology:
        """Predecessor p, successor s, parent λ and children μ, 1-based; 0 is the base."""
        return self.model.topology()

    def permutation(self, library: Library) -> NDArray[np.intp]:
        """Indices p with v_theirs = v[..., p] for "pinocchio", "mujoco" or "drake"; see `conventions` for the rest.

        Mimic joints, which have velocities of their own there, are not counted.
        """
        return permutation(self, library)

    def support(self) -> Floats:
        """(nb, nv): 1 where a velocity moves a body."""
        return np.array(jacobians.support(self.model), float)

    @cached_property
    def parameters(self) -> Floats:
        """The ten inertial parameters of every body, (10 nb,); see `regressor`."""
        return read_only(numbers(self.model, regressor.parameters(self.model)))

    @property
    def study(self) -> Study:
        """The lectures' other routes to inverse dynamics, mass matrix and forward dynamics, by name."""
        return self.kernels.once("study", lambda: Study(self.kernels))

    def __str__(self) -> str:
        return robot_text(self.model)

    def __repr__(self) -> str:
        found = f"; {self.report.summary} in .report" if self.model.report else ""
        bodies = counted(len(self.model.bodies), "body", "bodies")
        return f"<Robot {self.name}: {bodies}, nq={self.nq}, nv={self.nv}{found}>"

    def _repr_html_(self) -> str:
        """In a notebook: its tree, joints, masses and findings."""
        return robot_html(self.model)

    # -- a changed robot is a new robot -------------------------------------------------

    def floating(self) -> Robot:
        """The same robot on a free base."""
        return Robot(self.model.floating())

    @overload
    def replace(self, link: str, /, **changes: Unpack[LinkChanges]) -> Robot: ...

    @overload
    def replace(self, link: None = None, /, **changes: Unpack[RobotChanges]) -> Robot: ...

    def replace(self, link: str | None = None, /, **changes: Any) -> Robot:
        """`replace("hand", inertia=…)` changes a link; `replace(gravity=…, name=…)` the robot."""
        return Robot(self.model.replace(link, **changes))

    def lock(self, positions: Mapping[str, Any]) -> Robot:
        """With the named joints frozen at the given positions."""
        return Robot(self.model.lock(positions))

    def frictionless(self) -> Robot:
        """Without joint friction, damping and armature; rotors of `add_motors` are bodies, and stay."""
        return Robot(self.model.frictionless())

    def add_frame(self, name: str, link: str, placement: Transform | ArrayLike = IDENTITY) -> Robot:
        """With a further frame at `placement` in a link or frame; it moves with it and weighs nothing."""
        return Robot(with_frame(self.model, name, link, placement))

    def attach(
        self,
        link: str,
        what: Inertia | Robot,
        placement: Transform | ArrayLike = IDENTITY,
        *,
        name: str = "payload",
        prefix: str = "",
    ) -> Robot:
        """With a payload (an Inertia, as the link `name`) or another robot (its names after `prefix`) on a frame.

        There is one gravity, that of this robot.
        """
        return Robot(attached(self.model, link, getattr(what, "model", what), placement, name, prefix))

    def add_motors(self, motors: Sequence[Motor]) -> Robot:
        """With motors whose rotors turn with the links that carry them, faster than the joints they drive."""
        return Robot(with_motors(self.model, motors))

    def subtree(self, link: str) -> Robot:
        """A link and all it carries, that link fixed to the world."""
        return Robot(subtree(self.model, link))

    # -- configurations -----------------------------------------------------------------

    def neutral(self) -> Floats:
        """The configuration with every joint at zero."""
        return numbers(self.model, configuration.neutral(self.model))

    def random(self, rng: Any = None, shape: int | tuple[int, ...] = ()) -> Floats:
        """Random configurations (*shape, nq) within the joint limits; `rng` a Generator or a seed."""
        axes = shape if isinstance(shape, (tuple, list)) else (shape,)
        return random_configuration(self.model, rng, tuple(whole_number("random: shape", n) for n in axes))

    def configuration(self, values: Mapping[str, ArrayLike], start: ArrayLike | None = None) -> Floats:
        """q (…, nq) with values by joint, `{"elbow": 0.3}`; the others as in `start`, or at zero."""
        return from_names(self.model, "configuration", values, start, "q")

    def velocity(self, values: Mapping[str, ArrayLike], start: ArrayLike | None = None) -> Floats:
        """v, a or tau (…, nv) with values by joint; the others as in `start`, or zero."""
        return from_names(self.model, "velocity", values, start, "v")

    def named(self, x: ArrayLike, kind: Literal["q", "v"] = "q") -> dict[str, Any]:
        """The part of each joint in q, or, with kind="v", in v, a or tau: numbers, or arrays for a batch."""
        return by_names(self.model, "named", x, kind)

    def distance_to_limits(self, q: ArrayLike, **options: Unpack[Options]) -> Floats:
        """The distance to the nearer limit of each coordinate, negative beyond it, infinite without limits, (…, nq)."""
        return self.kernels.evaluate("distance_to_limits", limits.distance_to_limits, {"q": q}, **options)

    def integrate(self, q: ArrayLike, dv: ArrayLike, **options: Unpack[Options]) -> Floats:
        """The configuration reached from q with the constant velocity dv in unit time."""
        return self.kernels.evaluate("integrate", configuration.integrate, {"q": q, "dv": dv}, **options)

    def difference(self, q0: ArrayLike, q1: ArrayLike, **options: Unpack[Options]) -> Floats:
        """The velocity that leads from q0 to q1 in unit time."""
        return self.kernels.evaluate("difference", configuration.difference, {"q0": q0, "q1": q1}, **options)

    def configuration_rate(self, q: ArrayLike, v: ArrayLike, **options: Unpack[Options]) -> Floats:
        """dq/dt for the velocity v, (…, nq)."""
        return self.kernels.evaluate(
            "configuration_rate", configuration.configuration_rate, {"q": q, "v": v}, **options
        )

    # -- kinematics ---------------------------------------------------------------------

    def pose(self, q: ArrayLike, frame: str, **options: Unpack[Options]) -> Floats:
        """Homogeneous pose of a frame in the world, (…, 4, 4)."""
        return self.kernels.evaluate("pose", _pose_matrix, {"q": q}, choices={"frame": self._frame(frame)}, **options)

    def jacobian(self, q: ArrayLike, frame: str, axes: Axes = "world", **options: Unpack[Options]) -> Floats:
        """Velocity of a frame per unit v, (…, 6, nv), [linear; angular]."""
        return self.kernels.evaluate("jacobian", jacobians.jacobian, {"q": q}, choices=self._at(frame, axes), **options)

    def jacobian_rate(
        self, q: ArrayLike, v: ArrayLike, frame: str, axes: Axes = "world", **options: Unpack[Options]
    ) -> Floats:
        """Time derivative of the Jacobian, (…, 6, nv)."""
        return self.kernels.evaluate(
            "jacobian_rate", jacobians.jacobian_rate, {"q": q, "v": v}, choices=self._at(frame, axes), **options
        )

    def manipulability(
        self,
        q: ArrayLike,
        frame: str,
        axes: Axes = "world",
        directions: Sequence[manipulability.Direction] = manipulability.DIRECTIONS,
        **options: Unpack[Options],
    ) -> Floats:
        """Product of the singular values of a frame's Jacobian in the named directions, (…); 0 where one is lost.

        With fewer velocities than directions it is of as many as there are: the volume that they span.
        """
        # letters are names, too: "xyz"
        named = directions if isinstance(directions, str) else asked_names("manipulability: directions", directions)
        rows = tuple(choose("manipulability", "directions", x, manipulability.DIRECTIONS) for x in named)
        if not rows or len(set(rows)) < len(rows):
            raise ShapeError(f"manipulability: directions are different ones, at least one; got {named!r}")
        choices = {**self._at(frame, axes), "directions": rows}
        return self.kernels.evaluate(
            "manipulability", manipulability.manipulability, {"q": q}, choices=choices, **options
        )

    def body_jacobians(
        self, q: ArrayLike, at: Literal["origin", "center_of_mass"] = "origin", **options: Unpack[Options]
    ) -> Floats:
        """Jacobian of every body in its own axes, (…, nb, 6, nv); at its origin or its "center_of_mass"."""
        choices = {"at": choose("body_jacobians", "at", at, ["origin", "center_of_mass"])}
        return self.kernels.evaluate("body_jacobians", jacobians.body_jacobians, {"q": q}, choices=choices, **options)

    def frame_velocity(
        self, q: ArrayLike, v: ArrayLike, frame: str, axes: Axes = "world", **options: Unpack[Options]
    ) -> Floats:
        """[linear; angular] velocity of a frame, (…, 6)."""
        return self.kernels.evaluate(
            "frame_velocity", kinematics.frame_velocity, {"q": q, "v": v}, choices=self._at(frame, axes), **options
        )

    def frame_acceleration(
        self,
        q: ArrayLike,
        v: ArrayLike,
        a: ArrayLike,
        frame: str,
        axes: Axes = "world",
        spatial: bool = False,
        **options: Unpack[Options],
    ) -> Floats:
        """Acceleration of a frame, (…, 6): of the point at its origin, or the spatial one."""
        choices = {**self._at(frame, axes), "spatial": flag("frame_acceleration: spatial", spatial)}
        return self.kernels.evaluate(
            "frame_acceleration", kinematics.frame_acceleration, {"q": q, "v": v, "a": a}, choices=choices, **options
        )

    def body_motions(
        self,
        q: ArrayLike,
        v: ArrayLike,
        a: ArrayLike,
        base_velocity: ArrayLike | None = None,
        base_acceleration: ArrayLike | None = None,
        **options: Unpack[Options],
    ) -> BodyMotions:
        """Pose (…, nb, 4, 4), twist and spatial acceleration (…, nb, 6) of every body, the latter in its own axes."""
        state = {"q": q, "v": v, "a": a, **_moving_base(base_velocity, base_acceleration)}
        return self.kernels.evaluate("body_motions", kinematics.body_motions, state, **options)

    def screws(self, q: ArrayLike, **options: Unpack[Options]) -> Floats:
        """Motion per unit of each velocity in world coordinates at the world's origin, (…, nv, 6)."""
        return self.kernels.evaluate("screws", world_coordinates.screws, {"q": q}, **options)

    # -- dynamics -----------------------------------------------------------------------

    def inverse_dynamics(
        self,
        q: ArrayLike,
        v: ArrayLike,
        a: ArrayLike,
        forces: Forces = None,
        base_velocity: ArrayLike | None = None,
        base_acceleration: ArrayLike | None = None,
        force_axes: Axes = "frame",
        forces_on: ForcesOn = "robot",
        **options: Unpack[DynamicOptions],
    ) -> Floats:
        """Generalized forces that give the acceleration a, (…, nv): M a + c + g + friction - the part of `forces`.

        Coulomb and viscous friction and the armature of the joints are part of it, as they are of forward dynamics;
        `robot.frictionless()` is without.
        """
        state = {"q": q, "v": v, "a": a, **_moving_base(base_velocity, base_acceleration)}
        return self.kernels.evaluate(
            "inverse_dynamics",
            inverse_dynamics.inverse_dynamics,
            state,
            forces,
            written=written(force_axes, forces_on),
            **options,
        )

    def forward_dynamics(
        self,
        q: ArrayLike,
        v: ArrayLike,
        tau: ArrayLike,
        forces: Forces = None,
        method: Method = "fastest",
        base_velocity: ArrayLike | None = None,
        base_acceleration: ArrayLike | None = None,
        force_axes: Axes = "frame",
        forces_on: ForcesOn = "robot",
        **options: Unpack[DynamicOptions],
    ) -> Floats:
        """Acceleration under the generalized forces tau, (…, nv); joint friction and armature are part of it.

        `method` "articulated_body" and "composite_body" run the recursions of the Pisa and the Rennes lecture as they
        are written; "fastest" the formulation with the fewest operations for this robot.
        """
        self.kernels.require_mass()
        function = forward_dynamics.METHODS[choose("forward_dynamics", "method", method, forward_dynamics.METHODS)]
        state = {"q": q, "v": v, "tau": tau, **_moving_base(base_velocity, base_acceleration)}
        return self.kernels.evaluate(
            "forward_dynamics", function, state, forces, written=written(force_axes, forces_on), **options
        )

    def articulated_bodies(
        self,
        q: ArrayLike,
        v: ArrayLike,
        tau: ArrayLike,
        forces: Forces = None,
        base_velocity: ArrayLike | None = None,
        base_acceleration: ArrayLike | None = None,
        force_axes: Axes = "frame",
        forces_on: ForcesOn = "robot",
        **options: Unpack[DynamicOptions],
    ) -> ArticulatedBodies:
        """Everything the articulated-body algorithm finds, by body: Mhat, bhat and its parts, Mbar, mhat, wrenches."""
        self.kernels.require_mass()
        state = {"q": q, "v": v, "tau": tau, **_moving_base(base_velocity, base_acceleration)}
        return self.kernels.evaluate(
            "articulated_bodies",
            forward_dynamics.articulated_bodies,
            state,
            forces,
            written=written(force_axes, forces_on),
            **options,
        )

    def bias_forces(
        self,
        q: ArrayLike,
        v: ArrayLike,
        forces: Forces = None,
        force_axes: Axes = "frame",
        forces_on: ForcesOn = "robot",
        **options: Unpack[DynamicOptions],
    ) -> Floats:
        """h(q, v): Coriolis, gravity, friction and external forces, (…, nv)."""
        return self.kernels.evaluate(
            "bias_forces",
            inverse_dynamics.bias_forces,
            {"q": q, "v": v},
            forces,
            written=written(force_axes, forces_on),
            **options,
        )

    def gravity_forces(self, q: ArrayLike, **options: Unpack[DynamicOptions]) -> Floats:
        """g(q): the forces that hold the robot still, (…, nv)."""
        return self.kernels.evaluate("gravity_forces", inverse_dynamics.gravity_forces, {"q": q}, **options)

    def coriolis_forces(self, q: ArrayLike, v: ArrayLike, **options: Unpack[DynamicOptions]) -> Floats:
        """c(q, v): centrifugal and Coriolis forces, (…, nv)."""
        return self.kernels.evaluate("coriolis_forces", inverse_dynamics.coriolis_forces, {"q": q, "v": v}, **options)

    def friction_forces(self, v: ArrayLike, **options: Unpack[Options]) -> Floats:
        """Torque it takes to overcome joint friction at the velocity v, (…, nv)."""
        return self.kernels.evaluate("friction_forces", inverse_dynamics.friction_forces, {"v": v}, **options)

    def body_wrenches(
        self,
        q: ArrayLike,
        v: ArrayLike,
        a: ArrayLike,
        forces: Forces = None,
        force_axes: Axes = "frame",
        forces_on: ForcesOn = "robot",
        **options: Unpack[DynamicOptions],
    ) -> Floats:
        """Force each joint transmits to its body, in the body's axes, (…, nb, 6)."""
        return self.kernels.evaluate(
            "body_wrenches",
            inverse_dynamics.body_wrenches,
            {"q": q, "v": v, "a": a},
            forces,
            written=written(force_axes, forces_on),
            **options,
        )

    def gravity_wrenches(self, q: ArrayLike, **options: Unpack[DynamicOptions]) -> Floats:
        """F_G: the weight of each body, [force; moment] at its origin in its own axes, (…, nb, 6)."""
        return self.kernels.evaluate("gravity_wrenches", inverse_dynamics.gravity_wrenches, {"q": q}, **options)

    def force_map(
        self, q: ArrayLike, frames: Sequence[str] | None = None, force_axes: Axes = "frame", **options: Unpack[Options]
    ) -> Floats:
        """E(q), (…, nv, 6 n): E f are the generalized forces of the external forces f = [f_1; …; f_n] on n frames.

        M a + c + g = E f + B u with the motors' B of `actuation_map`.  The frames are the bodies if none are named.
        """
        frames = [frames] if isinstance(frames, str) else frames
        names = self.body_names if frames is None else asked_names("force_map: frames", frames)
        axes = written(force_axes, "robot").axes
        choices = {"frames": tuple(self._frame(name) for name in names), "force_axes": axes}
        return self.kernels.evaluate("force_map", jacobians.force_map, {"q": q}, choices=choices, **options)

    def actuation_map(self, passive: Iterable[str] = ()) -> Floats:
        """B, (nv, number of motors): B u are the generalized forces of the motors u.

        The identity for a fixed base, zero rows for a free one and for `passive` joints, which have no motor.
        """
        names = [passive] if isinstance(passive, str) else asked_names("actuation_map: passive", passive)
        for name in names:
            if name not in self.model.joint_names:
                raise unknown("joint", name, self.name, self.model.joint_names)
        return np.array(jacobians.actuation_map(self.model, names), float)

    def mass_matrix(self, q: ArrayLike, **options: Unpack[DynamicOptions]) -> Floats:
        """M(q), (…, nv, nv)."""
        return self.kernels.evaluate("mass_matrix", mass_matrix.mass_matrix, {"q": q}, **options)

    def mass_matrix_inverse(self, q: ArrayLike, **options: Unpack[DynamicOptions]) -> Floats:
        """The inverse of M(q), (…, nv, nv)."""
        self.kernels.require_mass()
        return self.kernels.evaluate("mass_matrix_inverse", mass_matrix.mass_matrix_inverse, {"q": q}, **options)

    def mass_matrix_rate(self, q: ArrayLike, v: ArrayLike, **options: Unpack[DynamicOptions]) -> Floats:
        """dM/dt while moving with v, (…, nv, nv)."""
        return self.kernels.evaluate("mass_matrix_rate", mass_matrix.mass_matrix_rate, {"q": q, "v": v}, **options)

    def coriolis_matrix(
        self,
        q: ArrayLike,
        v: ArrayLike,
        factorization: Factorization = "christoffel",
        **options: Unpack[DynamicOptions],
    ) -> Floats:
        """C(q, v) with C v = c, (…, nv, nv); dM/dt - 2C is skew except for "nonskew"."""
        choices = {
            "factorization": choose("coriolis_matrix", "factorization", factorization, [*coriolis.SKEW, "nonskew"])
        }
        return self.kernels.evaluate(
            "coriolis_matrix", coriolis.coriolis_matrix, {"q": q, "v": v}, choices=choices, **options
        )

    def skewness_defect(self, q: ArrayLike, v: ArrayLike, factorization: Factorization = "christoffel") -> Floats:
        """Largest entry of the symmetric part of dM/dt - 2C, (…); rounding only where C promises skewness."""
        C = self.coriolis_matrix(q, v, factorization)
        with np.errstate(over="ignore", invalid="ignore"):
            N = self.mass_matrix_rate(q, v) - 2 * C
            return abs(N + np.swapaxes(N, -1, -2)).max(axis=(-1, -2), initial=0.0) / 2

    def christoffel(self, q: ArrayLike, **options: Unpack[DynamicOptions]) -> Floats:
        """Γ(q), (…, nv, nv, nv): C_ij = Σ_k Γ_ijk v_k."""
        return self.kernels.evaluate("christoffel", coriolis.christoffel, {"q": q}, **options)

    def composite_inertias(
        self, q: ArrayLike, axes: Literal["spatial", "frame"] = "spatial", **options: Unpack[DynamicOptions]
    ) -> Floats:
        """Inertia of each body and all beyond it, (…, nb, 6, 6): at the world's origin, or axes="frame"."""
        choices = {"axes": choose("composite_inertias", "axes", axes, ["spatial", "frame"])}
        return self.kernels.evaluate(
            "composite_inertias", world_coordinates.composite_inertias, {"q": q}, choices=choices, **options
        )

    def contributions(
        self,
        q: ArrayLike,
        v: ArrayLike,
        a: ArrayLike | None = None,
        forces: Forces = None,
        force_axes: Axes = "frame",
        forces_on: ForcesOn = "robot",
        **options: Unpack[DynamicOptions],
    ) -> Contributions:
        """The contribution of each body to M, c and g, and, with its acceleration and the forces on it, to tau."""
        state = {"q": q, "v": v, **({} if a is None else {"a": a})}
        return self.kernels.evaluate(
            "contributions",
            contributions.contributions,
            state,
            forces,
            written=written(force_axes, forces_on),
            **options,
        )

    def operational_space(
        self, q: ArrayLike, v: ArrayLike, frame: str, axes: Axes = "world", **options: Unpack[DynamicOptions]
    ) -> OperationalSpace:
        """Inertia (…, 6, 6) and bias (…, 6) felt at a frame that can move in all six directions.

        Where it cannot, one state is refused, and a state of a batch is NaN.
        """
        self.kernels.require_mass()
        single = precision("operational_space", options.get("dtype", float)) == np.float32
        choices = {**self._at(frame, axes), "least": 1e-5 if single else operational.LEAST}
        found = self.kernels.evaluate(
            "operational_space", operational.operational_space, {"q": q, "v": v}, choices=choices, **options
        )
        return require_freedom(self, frame, q, v, found)

    # -- energy and momentum --------------------------------------------------------------

    def kinetic_energy(
        self,
        q: ArrayLike,
        v: ArrayLike,
        by_body: bool = False,
        base_velocity: ArrayLike | None = None,
        **options: Unpack[DynamicOptions],
    ) -> Floats:
        """Kinetic energy of the moving bodies and rotors, (…); by_body: (…, nb).

        On a moving base, what is welded to the platform is none of them: it has ½ Vᵀ I V more, with
        I = robot.model.base_inertia.matrix() and V the base_velocity.
        """
        each = flag("kinetic_energy: by_body", by_body)
        function = energy.kinetic_energies if each else energy.kinetic_energy
        return self.kernels.evaluate(
            "kinetic_energy", function, {"q": q, "v": v, **_moving_base(base_velocity, None)}, **options
        )

    def potential_energy(self, q: ArrayLike, by_body: bool = False, **options: Unpack[DynamicOptions]) -> Floats:
        """Potential energy of gravity, zero at the world's origin, (…); by_body: (…, nb)."""
        each = flag("potential_energy: by_body", by_body)
        function = energy.potential_energies if each else energy.potential_energy
        return self.kernels.evaluate("potential_energy", function, {"q": q}, **options)

    def center_of_mass(self, q: ArrayLike, **options: Unpack[DynamicOptions]) -> Floats:
        """Centre of mass of the moving bodies, (…, 3)."""
        return self.kernels.evaluate("center_of_mass", centroidal.center_of_mass, {"q": q}, **options)

    def centroidal_momentum(self, q: ArrayLike, v: ArrayLike, **options: Unpack[DynamicOptions]) -> Floats:
        """[linear; angular] momentum about the centre of mass, world axes, (…, 6)."""
        return self.kernels.evaluate("centroidal_momentum", centroidal.centroidal_momentum, {"q": q, "v": v}, **options)

    def centroidal_map(self, q: ArrayLike, **options: Unpack[DynamicOptions]) -> Floats:
        """The matrix from v to the centroidal momentum, (…, 6, nv)."""
        return self.kernels.evaluate("centroidal_map", centroidal.centroidal_map, {"q": q}, **options)

    def regressor(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, **options: Unpack[Options]) -> Floats:
        """Y with tau = Y @ parameters for the links alone, (…, nv, 10 nb)."""
        return self.kernels.evaluate("regressor", regressor.regressor, {"q": q, "v": v, "a": a}, **options)

    # -- derivatives --------------------------------------------------------------------------

    def _of(self, kind: type[OfMethod], method: Any, wrt: Any, space: Any) -> Any:
        return kind.of(self, Robot, method, wrt, space)

    def linearize(
        self,
        q: ArrayLike,
        v: ArrayLike,
        tau: ArrayLike,
        dt: float | None = None,
        forces: Forces = None,
        force_axes: Axes = "frame",
        forces_on: ForcesOn = "robot",
    ) -> LinearSystem:
        """A (…, 2 nv, 2 nv) and B (…, 2 nv, nv) of d/dt x = A x + B u, x = [dq; dv] and u = dtau, near a state.

        With `dt`, of x_next = A x + B u, u constant for dt seconds.  `art.lqr` takes them.
        """
        return linearize(self, q, v, tau, dt, {"forces": forces, "force_axes": force_axes, "forces_on": forces_on})

    def inverse_kinematics(
        self,
        targets: Mapping[str, Any],
        q0: ArrayLike | None = None,
        *,
        weights: Mapping[str, ArrayLike] | None = None,
        posture: ArrayLike | None = None,
        contacts: Any = None,
        tolerance: float = 1e-8,
        iterations: int = 40,
        restarts: int = 100,
        seed: Any = 0,
        limits: bool = True,
        threads: int = 1,
    ) -> InverseKinematics:
        """Configurations that bring frames to their targets, within joint limits; batches of targets at once.

        Damped least squares from q0 (if not given, from the nearest of random configurations), then from others.
        With `contacts`, an `art.Contacts` of this robot, these stay where they are at q0, and loops are closed.
        """
        return inverse_kinematics(
            self, targets, q0, weights, posture, contacts, tolerance, iterations, restarts, seed, limits, threads
        )

    # -- compiled ahead, or taken away ------------------------------------------------------

    def compile(self, *methods: Asked, dtype: DTypeLike = float) -> Callable[..., Any]:
        """One function for several methods, which computes what they share once.

        A method is given by its name, or as a tuple of its name and what follows the arrays (a dict for keywords):
        `f = robot.compile("mass_matrix", "bias_forces", ("jacobian", "hand", {"axes": "frame"}))`.
        `f(q, v)` returns a NamedTuple with the fields mass_matrix, bias_forces, jacobian_hand_frame; it takes the
        arrays its methods take, in the order q, v, a, tau, and `out=` such a tuple.  The function for one state is
        compiled at once, the one for batches by the first call with a batch.
        """
        if not methods:
            raise WrongKind("compile needs at least one method")
        kernel = self.kernels.fused(*requests(self, Robot, methods, dtype))
        kernel.ready("one")
        return kernel.call if kernel.entry_points else kernel

    def warm(self, *methods: Asked, dtype: DTypeLike = float) -> None:
        """Compile methods ahead of their first call, for one state and for batches; named as in `compile`."""
        for request in requests(self, Robot, methods, dtype)[0]:
            self.kernels.kernel(request).ready(*ENTRY_POINTS)

    def c_source(self, method: Asked, name: str = "") -> str:
        """A method as a standalone C99 file with a loop over a batch, for a controller; named as in `compile`."""
        from ..compiler import pipeline
        from ..compiler.emit import c

        if not isinstance(name, str):
            raise ShapeError(f"c_source: name is a text; got {shortened(repr(name))}")
        (request,), (title,) = requests(self, Robot, [method], float)
        program = pipeline.program(self.kernels.kernel(request).source)
        return c.source(program, name or re.sub(r"\W", "_", title))

    def __reduce__(self) -> Any:
        # from its links: kernels stay behind, and a long chain is not a deep one
        model = self.model
        return _rebuilt, (
            type(self),
            model.links,
            model.gravity,
            model.name,
            model.report,
            {name: dict(pose) for name, pose in model.poses.items()},
        )

    def _missing(self, name: str) -> Any:
        raise NoSuchAttribute("Robot", name, [x for x in dir(type(self)) if not x.startswith("_")], OF_A_ROBOT)

    if not TYPE_CHECKING:  # a type checker would take it for every name there could be
        __getattr__ = _missing

    # -- choices, checked ---------------------------------------------------------------------

    def _frame(self, name: str) -> str:
        return self.model.frame(name).name

    def _at(self, frame: str, axes: Axes) -> dict[str, str]:
        return {"frame": self._frame(frame), "axes": choose("a frame quantity", "axes", axes, kinematics.AXES)}


adopt(Robot, WithDerivatives)
document(Robot, help.ARGUMENTS, help.METHODS)


def _pose_matrix(model: Model, q: Any, frame: str) -> Any:
    return kinematics.frame_pose(model, q, frame).exact_matrix()


def _moving_base(velocity: ArrayLike | None, acceleration: ArrayLike | None) -> dict[str, ArrayLike]:
    given = {"base_velocity": velocity, "base_acceleration": acceleration}
    return {name: value for name, value in given.items() if value is not None}


def _rebuilt(kind: type[Robot], links: Any, gravity: Any, name: str, report: Any, poses: Any) -> Robot:
    return kind(build_model(links, gravity, name, report, poses))
