"""Robot: the model a user holds.  Every method takes arrays of any leading shape and returns arrays."""

from __future__ import annotations  # help shows types as they are written here

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, Unpack, overload

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from ..algebra.spatial import IDENTITY, Inertia, Transform
from ..algorithms import configuration, jacobians, regressor
from ..compiler.abi import ENTRY_POINTS
from ..errors import NoSuchAttribute, ShapeError, WrongKind, unknown
from ..geometry.distances import Obstacle, near
from ..inputs.choices import names as asked_names
from ..inputs.choices import whole_number
from ..inputs.frozen import read_only
from ..model import Link, Model, Topology
from ..model import build as build_model
from ..model.changes import attached, subtree, with_frame
from ..model.findings import Report
from ..model.lines import LinearActuator, Spring, listed
from ..model.links import LinkChanges
from ..model.motors import Motor, with_motors, with_series_springs
from ..model.shapes import Mesh
from ..text import counted, shortened
from .arguments.arrays import vectors_of
from .arguments.forces import Forces
from .arguments.state_names import parameter_names
from .arguments.states import JointIndex, JointLimits, Poses, by_names, from_names, joint_index, joint_limits
from .axis_names import axis_names
from .conventions.converters import permutation
from .derivatives.linearization import LinearSystem, linearize
from .derivatives.method import Derivatives, Jvp, Vjp
from .derivatives.second_order import Hessians, SecondDerivatives
from .display import robot_html, robot_text
from .foreign_names import OF_A_ROBOT
from .hulls import with_hulls
from .inverse_kinematics.every import every_solution
from .inverse_kinematics.solve import InverseKinematics, inverse_kinematics
from .kernels import Kernels
from .methods import add_methods, requests
from .numeric import numbers, random_configuration
from .quantities import QUANTITIES
from .study import Study

Floats = NDArray[np.floating]


class Robot:
    """A robot: a kinematic tree, and methods that compute with it.

    q (…, nq), v, a, tau (…, nv); leading axes broadcast; lists and integers are fine.
    `forces` maps frames to (…, 6), [force; moment] on the robot at the frame's origin in its axes; `art.Wrenches` has
    them in other axes, or as what the robot exerts on its surroundings.
    A row of the batch that holds a NaN gives NaN results, the other rows are not affected.

    Parameters
    ----------
    model : the tree; art.load, art.build, art.from_dh and art.from_screws make one

    Examples
    --------
    >>> robot = art.load("panda")
    >>> robot.inverse_dynamics(robot.poses["home"], [0.0] * 7, [0.0] * 7).shape
    (7,)
    """

    model: Model
    #: the seam to the compiler; contact sets and control laws of this robot share what it has made
    kernels: Kernels
    #: the description in SymPy's exact numbers, of a robot that was built from them
    exact: Model | None = None
    #: sentences about what it has beside its model, which no file holds
    beside_model: tuple[str, ...] = ()

    def __init__(self, model: Model):
        if not isinstance(model, Model):
            raise WrongKind(f"a Robot is made by art.load, art.build or art.from_dh; got {shortened(repr(model))}")
        self.model = model
        self.kernels = Kernels(model, vectors_of(model), rows=QUANTITIES)

    # -- what it is -------------------------------------------------------------------

    @property
    def name(self) -> str:
        """Name of the robot."""
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
        """Findings of the reader and of the inertia checks; empty if the description is clean.  Prints as a table."""
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
        return {shape.address: shape.file for shape in shapes if isinstance(shape, Mesh) and shape.address}

    @property
    def distance_pairs(self) -> list[tuple[str, str]]:
        """Pairs of links that can meet, in the order of `distances`."""
        return [(str(a), str(b)) for a, b in (x.names for x in near(self.model))]

    def collides(self, q: ArrayLike, obstacles: Sequence[Obstacle] = ()) -> Any:
        """True if links overlap each other or an obstacle, (…,) of bool; also where q holds NaN.

        Parameters
        ----------
        q : configuration, (…, nq): rad, m, quaternions x y z w
        obstacles : shapes placed in the world, or lists of shapes, of which the nearest counts

        Returns
        -------
        (…,): False where all distances of `distances` are zero or more

        Examples
        --------
        >>> panda = art.load("panda")
        >>> panda.collides([[0, -0.8, 0, -2.4, 0, 1.6, 0.8], [0, 1.7, 0, -2.9, 0, 0.0, 0]]).tolist()
        [False, True]
        """
        return ~(np.asarray(self.distances(q, obstacles)) >= 0).all(axis=-1)

    @property
    def parameter_names(self) -> list[str]:
        """Names of `parameters` and the columns of `regressor`: `hand_m`, `hand_mx` … `hand_Izz`, ten for a body."""
        return parameter_names(self.model)

    def names(self, of: str) -> Any:
        """Names along each axis after the batch of what a method returns, or of "q" or "v".

        Parameters
        ----------
        of : name of a method, or "q" or "v"

        Returns
        -------
        a tuple of lists, one per axis after the batch; a dict of such by field where the method returns a
            NamedTuple

        Examples
        --------
        >>> rows, columns = art.load("2r").names("jacobian")
        >>> rows, columns
        (['x', 'y', 'z', 'rx', 'ry', 'rz'], ['joint1', 'joint2'])
        """
        return axis_names(self.model, of)

    def index(self, joint: str) -> JointIndex:
        """Slices of a joint in q and v; those of a mimic joint are those of the joint it follows.

        Parameters
        ----------
        joint : name of a joint

        Returns
        -------
        JointIndex(q, v): slices

        Examples
        --------
        >>> robot = art.load("panda")
        >>> robot.index("panda_joint4")
        JointIndex(q=slice(3, 4, None), v=slice(3, 4, None))
        >>> robot.limits.lower[robot.index("panda_joint4").q]
        array([-3.0718])
        """
        return joint_index(self.model, joint)

    def topology(self) -> Topology:
        """Predecessor p, successor s, parent λ and children μ, 1-based; 0 is the base.

        Returns
        -------
        Topology(predecessor, successor, parent, children): lists of numbers, 1-based; 0 is the base

        Notes
        -----
        Source: Featherstone 2008, section 4.1; Pisa lecture.

        Examples
        --------
        >>> art.load("tree4").topology().parent
        [0, 1, 2, 2]
        """
        return self.model.topology()

    def permutation(self, library: str) -> NDArray[np.intp]:
        """Indices p with v_theirs = v[..., p] for "pinocchio", "mujoco" or "drake"; see `conventions` for the rest.

        Mimic joints, which have velocities of their own there, are not counted.

        Parameters
        ----------
        library : "pinocchio", "mujoco" or "drake"

        Returns
        -------
        indices (nv,)

        Examples
        --------
        >>> art.load("panda").permutation("pinocchio").tolist()
        [0, 1, 2, 3, 4, 5, 6]
        """
        return permutation(self, library)

    def support(self) -> Floats:
        """(nb, nv): 1 where a velocity moves a body.

        Returns
        -------
        (nb, nv) of 0 and 1

        Notes
        -----
        Source: SUSTech ch. 9, section 3.

        Examples
        --------
        >>> art.load("2r").support().tolist()
        [[1.0, 0.0], [1.0, 1.0]]
        """
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
        """The robot in a notebook: tree, joints, masses and findings."""
        return robot_html(self.model)

    # -- a changed robot is a new robot -------------------------------------------------

    def floating(self) -> Robot:
        """The robot on a free base.

        Returns
        -------
        a new Robot: q begins with x y z, qx qy qz qw, the pose of the base in the world, wherever it was fixed; v
            begins with [linear; angular] in the axes of the base

        Examples
        --------
        >>> art.load("quadruped").floating().nq
        19
        """
        return Robot(self.model.floating())

    @overload
    def replace(self, link: str, /, **changes: Unpack[LinkChanges]) -> Robot: ...

    @overload
    def replace(self, link: None = None, /, *, gravity: ArrayLike = ..., name: str = ...) -> Robot: ...

    def replace(self, link: str | None = None, /, **changes: Any) -> Robot:
        """`replace("hand", inertia=…)` changes a link; `replace(gravity=…, name=…)` the robot.

        Parameters
        ----------
        link : name of a link
        changes : fields of the link, or gravity and name of the robot

        Returns
        -------
        a new Robot

        Examples
        --------
        >>> art.load("2r").replace(gravity=(0, 0, 0)).gravity_forces([0.3, 0.2]).tolist()
        [0.0, 0.0]
        """
        return Robot(self.model.replace(link, **changes))

    def lock(self, positions: Mapping[str, Any]) -> Robot:
        """The robot with the named joints frozen at the given positions.

        Parameters
        ----------
        positions : coordinates by joint

        Returns
        -------
        a new Robot without these joints; their links are where the positions put them

        Examples
        --------
        >>> art.load("panda").lock({"panda_joint1": 0.5}).nq
        6
        """
        return Robot(self.model.lock(positions))

    def with_hulls(self, most: int = 32) -> Robot:
        """The robot whose collision meshes are convex hulls: they touch, collide and have distances.

        Parameters
        ----------
        most : points of a hull, up to 64; of more, those furthest from each other are kept

        Returns
        -------
        a new Robot; meshes are drawn as before

        Examples
        --------
        >>> art.load("panda").with_hulls().name
        'panda'
        """
        return Robot(with_hulls(self.model, most))

    def allow_collisions(self, pairs: Iterable[tuple[str, str]]) -> Robot:
        """The robot of which these pairs of links have no distance, and do not collide with each other.

        Parameters
        ----------
        pairs : names of links, in either order; `load` adds those of an SRDF file

        Returns
        -------
        a new Robot with fewer `distance_pairs`

        Examples
        --------
        >>> panda = art.load("panda")
        >>> d = panda.distances(panda.random(0, (1000,)))
        >>> never = [pair for pair, x in zip(panda.distance_pairs, d.T) if x.min() > 0]     # as far as samples tell
        >>> len(panda.allow_collisions(never).distance_pairs) < len(panda.distance_pairs)
        True
        """
        found = [frozenset(self.model.frame(x).name for x in pair) for pair in pairs]
        if any(len(pair) != 2 for pair in found):
            raise ShapeError("allow_collisions: every pair names two different links")
        allowed = [*self.model.allowed_collisions, *found]
        return Robot(self.model.changed(self.model.links, allowed_collisions=allowed))

    def frictionless(self) -> Robot:
        """Without joint friction, damping and armature; springs stay, and rotors of `add_motors`, which are bodies.

        Returns
        -------
        a new Robot

        Examples
        --------
        >>> art.load("puma560").frictionless().friction_forces([1.0] * 6).tolist()
        [0.0, 0.0, 0.0, 0.0, 0.0, 0.0]
        """
        return Robot(self.model.frictionless())

    def add_frame(self, name: str, link: str, placement: Transform | ArrayLike = IDENTITY) -> Robot:
        """The robot with a further frame at `placement` in a link or frame; it weighs nothing.

        Parameters
        ----------
        name : of the new frame
        link : name of a link, or of a frame on it
        placement : where it is in that link: a Transform, or a 4×4 matrix

        Returns
        -------
        a new Robot with one frame more

        Examples
        --------
        >>> robot = art.load("2r").add_frame("camera", "link2", art.Transform(p=(0, 0.1, 0)))
        >>> robot.pose([0, 0], "camera")[:3, 3].tolist()
        [0.9, 0.1, 0.0]
        """
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
        """The robot with a payload (an Inertia, as the link `name`) or another robot (names after `prefix`) on a frame.

        There is one gravity, that of this robot.

        Parameters
        ----------
        link : name of a link, or of a frame on it
        what : an Inertia, or a Robot
        placement : where it is in that link: a Transform, or a 4×4 matrix
        name : of the link that a payload becomes
        prefix : put before every name of an attached robot

        Returns
        -------
        a new Robot

        Examples
        --------
        >>> robot = art.load("2r")
        >>> round(robot.attach("tip", art.Inertia(1.5)).mass - robot.mass, 12)
        1.5
        >>> robot.attach("tip", robot, prefix="other_").joint_names
        ['joint1', 'joint2', 'other_joint1', 'other_joint2']
        """
        return Robot(attached(self.model, link, getattr(what, "model", what), placement, name, prefix))

    def add_motors(self, motors: Sequence[Motor]) -> Robot:
        """The robot with motors whose rotors turn with the links that carry them, faster than their joints.

        Parameters
        ----------
        motors : a list of art.Motor(joint, ratio, inertia, on, axis, at, mass, across)

        Returns
        -------
        a new Robot of the same joints; a rotor is a link that follows the joint it drives

        Notes
        -----
        Source: Siciliano et al. 2009, 7.1.1.

        Examples
        --------
        >>> robot = art.load("2r")
        >>> geared = robot.add_motors([art.Motor("joint2", ratio=100, inertia=1e-4)])
        >>> (geared.mass_matrix([0, 0]) - robot.mass_matrix([0, 0])).round(4).tolist()
        [[0.0001, 0.01], [0.01, 1.0]]
        """
        return Robot(with_motors(self.model, motors))

    def series_elastic(self, stiffness: Mapping[str, Any], armature: Mapping[str, Any] = {}) -> Robot:
        """The robot with a spring between the motor and the link of each named joint.

        The motor becomes a joint of its own, "elbow_motor", with the friction and limits of the joint; the joint
        "elbow" is then the deflection of the spring, and the link is at the sum of both.  Torques of the motor are
        those of "elbow_motor"; "elbow" has none.

        Parameters
        ----------
        stiffness : by joint: N m/rad, N/m
        armature : inertia of the motors as felt at their joints, by joint: kg m², kg; that of the joint if not given

        Returns
        -------
        a new Robot with one coordinate more for each of them

        Notes
        -----
        Source: Spong 1987.

        Examples
        --------
        >>> art.load("2r").series_elastic({"joint2": 500.0}, {"joint2": 0.01}).joint_names
        ['joint1', 'joint2_motor', 'joint2']
        """
        return Robot(with_series_springs(self.model, stiffness, armature))

    def add_springs(self, springs: Sequence[Spring]) -> Robot:
        """The robot with springs and dampers between two frames, or between a frame and a point of the world.

        A joint has a spring of its own by `stiffness=` and `rest=`.

        Parameters
        ----------
        springs : a list of art.Spring(a, b, stiffness, length, damping)

        Returns
        -------
        a new Robot

        Examples
        --------
        >>> robot = art.load("2r").add_springs([art.Spring("tip", (0.9, 1.0, 0.0), stiffness=100.0)])
        >>> robot.spring_forces([0, 0], [0, 0]).round(6).tolist()
        [-90.0, -40.0]
        """
        return Robot(self.model.changed(self.model.links, springs=listed("springs", self.model.springs, springs)))

    def add_actuators(self, actuators: Sequence[LinearActuator]) -> Robot:
        """The robot with linear actuators between two frames, hydraulic cylinders for example.

        They have no force of their own: `actuation_map(q=q)` gives the generalized forces of their thrusts.

        Parameters
        ----------
        actuators : a list of art.LinearActuator(a, b, name)

        Returns
        -------
        a new Robot

        Examples
        --------
        >>> robot = art.load("2r").add_actuators([art.LinearActuator((0.0, -0.5, 0.0), "link1")])
        >>> robot.actuator_lengths([0.0, 0.0]).round(4).tolist()
        [0.7071]
        """
        more = listed("actuators", self.model.actuators, actuators)
        return Robot(self.model.changed(self.model.links, actuators=more))

    def subtree(self, link: str) -> Robot:
        """A link and all it carries, that link fixed to the world.

        Parameters
        ----------
        link : name of a link

        Returns
        -------
        a new Robot

        Examples
        --------
        >>> art.load("panda").subtree("panda_link5").joint_names
        ['panda_joint6', 'panda_joint7']
        """
        return Robot(subtree(self.model, link))

    # -- configurations -----------------------------------------------------------------

    def neutral(self) -> Floats:
        """The configuration with every joint at zero.

        Returns
        -------
        (nq,)

        Examples
        --------
        >>> art.load("quadruped", floating_base=True).neutral()[:7].tolist()
        [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0]
        """
        return numbers(self.model, configuration.neutral(self.model))

    def random(self, rng: Any = None, shape: int | tuple[int, ...] = ()) -> Floats:
        """Random configurations (*shape, nq) within the joint limits; `rng` a Generator or a seed.

        Parameters
        ----------
        rng : a numpy Generator, or a seed
        shape : leading shape of the result

        Returns
        -------
        (*shape, nq): uniform within the limits, or within ±π (m: ±1) where there are none

        Examples
        --------
        >>> art.load("panda").random(0, (3, 5)).shape
        (3, 5, 7)
        """
        axes = shape if isinstance(shape, (tuple, list)) else (shape,)
        return random_configuration(self.model, rng, tuple(whole_number("random: shape", n) for n in axes))

    def configuration(self, values: Mapping[str, ArrayLike], start: ArrayLike | None = None) -> Floats:
        """q (…, nq) with values by joint, `{"elbow": 0.3}`; the others as in `start`, or at zero.

        Parameters
        ----------
        values : numbers or arrays by joint, or by component ("floating_base_z")
        start : the array the other entries come from

        Returns
        -------
        (…, nq), the leading shape of the values

        Examples
        --------
        >>> art.load("2r").configuration({"joint2": [0.1, 0.2]}).tolist()
        [[0.0, 0.1], [0.0, 0.2]]
        """
        return from_names(self.model, "configuration", values, start, "q")

    def velocity(self, values: Mapping[str, ArrayLike], start: ArrayLike | None = None) -> Floats:
        """v, a or tau (…, nv) with values by joint; the others as in `start`, or zero.

        Parameters
        ----------
        values : numbers or arrays by joint, or by component ("floating_base_z")
        start : the array the other entries come from

        Returns
        -------
        (…, nv)

        Examples
        --------
        >>> art.load("2r").velocity({"joint2": 0.5}).tolist()
        [0.0, 0.5]
        """
        return from_names(self.model, "velocity", values, start, "v")

    def named(self, x: ArrayLike, kind: Literal["q", "v"] = "q") -> dict[str, Any]:
        """The part of each joint in q, or, with kind="v", in v, a or tau: numbers, or arrays for a batch.

        Parameters
        ----------
        x : an array of the size of q or v
        kind : "q", or "v" for everything of the size of v: v, a, tau

        Returns
        -------
        a dict by joint: floats for one state, arrays for a batch or a joint with several numbers

        Examples
        --------
        >>> art.load("2r").named([0.1, 0.2])
        {'joint1': 0.1, 'joint2': 0.2}
        """
        return by_names(self.model, "named", x, kind)

    # -- dynamics beside the table of methods ---------------------------------------------

    def actuation_map(self, passive: Iterable[str] = (), q: ArrayLike | None = None) -> Floats:
        """B, (nv, number of motors and linear actuators): B u are the generalized forces of u.

        One column for each velocity of a joint with a motor.  Floating joints, wherever in the tree, and `passive`
        joints have none: their rows are zero.  The identity where every joint has a motor.  Then a column for each
        linear actuator, ∂l/∂q of its length, which depends on q.

        Parameters
        ----------
        passive : joints without a motor
        q : configuration, (…, nq): rad, m, quaternions x y z w; needed by linear actuators only

        Returns
        -------
        (…, nv, motors and actuators); without linear actuators (nv, motors)

        Notes
        -----
        Source: USP lecture (Sᵀ); Rennes lecture, B(q).

        Examples
        --------
        >>> art.load("2r").actuation_map(passive=["joint2"]).tolist()
        [[1.0], [0.0]]
        """
        names = [passive] if isinstance(passive, str) else asked_names("actuation_map: passive", passive)
        for name in names:
            if name not in self.model.joint_names:
                raise unknown("joint", name, self.name, self.model.joint_names)
        B = np.array(jacobians.actuation_map(self.model, names), float)
        if not self.model.actuators:
            return B
        if q is None:
            raise ShapeError(
                f"actuation_map: {self.name} has linear actuators, whose part depends on q: actuation_map(q=…)"
            )
        thrusts = np.swapaxes(self.derivatives("actuator_lengths")(q).q, -1, -2)
        return np.concatenate([np.broadcast_to(B, (*thrusts.shape[:-2], *B.shape)), thrusts], axis=-1)

    def skewness_defect(self, q: ArrayLike, v: ArrayLike, factorization: str = "christoffel") -> Floats:
        """Largest entry of the symmetric part of dM/dt - 2C, (…); rounding only where C promises skewness.

        Parameters
        ----------
        q : configuration, (…, nq): rad, m, quaternions x y z w
        v : velocity, (…, nv): rad/s, m/s; of a free base [linear; angular] in its own axes
        factorization : "christoffel", "body_jacobian" or "nonskew"

        Returns
        -------
        (…): N m s/rad, and the like

        Notes
        -----
        Source: Sapienza lecture, question 4.

        Examples
        --------
        >>> bool(art.load("2r").skewness_defect([0, 1.0], [1, 1]) < 1e-12)
        True
        """
        C = self.coriolis_matrix(q, v, factorization)
        with np.errstate(over="ignore", invalid="ignore"):
            N = self.mass_matrix_rate(q, v) - 2 * C
            return abs(N + np.swapaxes(N, -1, -2)).max(axis=(-1, -2), initial=0.0) / 2

    # -- derivatives --------------------------------------------------------------------------

    def derivatives(self, method: str, wrt: Any = None, space: str = "tangent") -> Derivatives:
        """The derivatives of a method with respect to its arrays: `robot.derivatives("inverse_dynamics")(q, v, a)`.

        The result is called like the method and returns a NamedTuple with an array for each argument, whose last axis
        is that of the argument.  Derivatives with respect to q are in the tangent space, that of the dv of
        `integrate(q, dv)`; with space="coordinates" they are with respect to the entries of q.  `wrt` selects
        arguments; it may name "forces" (six columns for each frame that has one) and "parameters" (the inertial
        parameters, ten for each body).

        Parameters
        ----------
        method : the name of a method, such as "mass_matrix"
        wrt : arguments to differentiate with respect to, also "forces" and "parameters"; all arrays if not given
        space : with respect to: "tangent", the dv of integrate; "coordinates", the entries of q

        Returns
        -------
        Derivatives, which is called like the method and returns a NamedTuple with a field per argument

        Notes
        -----
        Source: closed forms after Singh, Russell and Wensing 2022; other methods by differentiating their programs.

        Examples
        --------
        >>> robot = art.load("2r")
        >>> d = robot.derivatives("inverse_dynamics")([0.1, 0.2], [0, 0], [0, 0])
        >>> d._fields, d.q.shape
        (('q', 'v', 'a'), (2, 2))
        >>> bool((abs(d.a - robot.mass_matrix([0.1, 0.2])) < 1e-12).all())
        True
        """
        return Derivatives.of(self, method, wrt, space)

    def jvp(self, method: str, space: str = "tangent") -> Jvp:
        """Derivatives of a method along a direction: `robot.jvp("pose")(q, "hand", tangents={"q": dv})`.

        Parameters
        ----------
        method : the name of a method, such as "mass_matrix"
        space : with respect to: "tangent", the dv of integrate; "coordinates", the entries of q

        Returns
        -------
        Jvp, which is called like the method, with tangents= a dict of arrays, and returns what the method does

        Examples
        --------
        >>> robot = art.load("2r")
        >>> robot.jvp("center_of_mass")([0, 0], tangents={"q": [1, 0]}).shape
        (3,)
        """
        return Jvp.of(self, method, None, space)

    def vjp(self, method: str, wrt: Any = None, space: str = "tangent") -> Vjp:
        """Gradients of a method's result times `cotangents`, by argument, in one pass backwards.

        `robot.vjp("inverse_dynamics")(q, v, a, cotangents=w)` is the gradient of w · tau: a NamedTuple q, v, a.

        Parameters
        ----------
        method : the name of a method, such as "mass_matrix"
        wrt : arguments to differentiate with respect to, also "forces" and "parameters"; all arrays if not given
        space : with respect to: "tangent", the dv of integrate; "coordinates", the entries of q

        Returns
        -------
        Vjp, which is called like the method, with cotangents= an array like its result, and returns a NamedTuple

        Examples
        --------
        >>> robot = art.load("2r")
        >>> felt = robot.vjp("potential_energy")([0.1, 0.2], cotangents=1.0).q
        >>> bool((abs(felt - robot.gravity_forces([0.1, 0.2])) < 1e-12).all())
        True
        """
        return Vjp.of(self, method, wrt, space)

    def hessian(self, method: str, wrt: Any = None, space: str = "tangent") -> Hessians:
        """Second derivatives of a method's result times `cotangents`, each pair of arguments a field: q_q, q_v, …

        `robot.hessian("inverse_dynamics")(q, v, a, cotangents=w).q_q` is that of w · tau, (…, nv, nv).

        Parameters
        ----------
        method : the name of a method, such as "mass_matrix"
        wrt : arguments to differentiate with respect to, also "forces" and "parameters"; all arrays if not given
        space : with respect to: "tangent", the dv of integrate; "coordinates", the entries of q

        Returns
        -------
        Hessians, called like the method, with cotangents=; it returns a NamedTuple of symmetric blocks

        Examples
        --------
        >>> robot = art.load("2r")
        >>> robot.hessian("inverse_dynamics", wrt=["q", "v"])([0.1, 0.2], [1, 0], [0, 0], cotangents=[1, 0])._fields
        ('q_q', 'q_v', 'v_v')
        """
        return Hessians.of(self, method, wrt, space)

    def second_derivatives(self, method: str, wrt: Any = None, space: str = "tangent") -> SecondDerivatives:
        """All second derivatives of a method, (…, *result, n, n) for each pair of arguments: q_q, q_v, …

        They are nv times as many as first derivatives: for a humanoid, ask for a `hessian`.

        Parameters
        ----------
        method : the name of a method, such as "mass_matrix"
        wrt : arguments to differentiate with respect to, also "forces" and "parameters"; all arrays if not given
        space : with respect to: "tangent", the dv of integrate; "coordinates", the entries of q

        Returns
        -------
        SecondDerivatives, called like the method; it returns a NamedTuple of blocks

        Examples
        --------
        >>> robot = art.load("2r")
        >>> robot.second_derivatives("inverse_dynamics", wrt=["q"])([0.1, 0.2], [1, 0], [0, 0]).q_q.shape
        (2, 2, 2)
        """
        return SecondDerivatives.of(self, method, wrt, space)

    def linearize(
        self,
        q: ArrayLike,
        v: ArrayLike,
        tau: ArrayLike,
        dt: float | None = None,
        forces: Forces = None,
    ) -> LinearSystem:
        """A (…, 2 nv, 2 nv) and B (…, 2 nv, nv) of d/dt x = A x + B u, x = [dq; dv] and u = dtau, near a state.

        With `dt`, of x_next = A x + B u, u constant for dt seconds: the zero-order hold of the system frozen at this
        state, exact at equilibria only; `art.linearize_step` is the derivative of a step.  `art.lqr` takes them.

        Parameters
        ----------
        q : configuration, (…, nq): rad, m, quaternions x y z w
        v : velocity, (…, nv): rad/s, m/s; of a free base [linear; angular] in its own axes
        tau : generalized forces, (…, nv): N m, N
        dt : a time step in s; None: continuous time
        forces : external forces by frame, (…, 6), [force; moment] on the robot at its origin: N, N m

        Returns
        -------
        LinearSystem(A (…, 2 nv, 2 nv), B (…, 2 nv, nv))

        Notes
        -----
        Source: the derivatives of forward dynamics; sampling by the exponential of a matrix.

        Examples
        --------
        >>> A, B = art.load("2r").linearize([0, 0], [0, 0], [0, 0])
        >>> A.shape, B.shape
        ((4, 4), (4, 2))
        """
        return linearize(self, q, v, tau, dt, forces)

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
        stay_near: ArrayLike | None = None,
        clear_of: Sequence[Obstacle] | None = None,
    ) -> InverseKinematics:
        """Configurations that bring frames to their targets, within joint limits; batches of targets at once.

        Damped least squares from q0 (if not given, from the nearest of random configurations), then from others.
        With `contacts`, an `art.Contacts` of this robot, these stay where they are at q0, and loops are closed.

        Parameters
        ----------
        targets : by frame: a pose (…, 4, 4), a position (…, 3), art.Orientation(R) or art.Direction(axis, along);
            by "center_of_mass" its position (…, 3); by two frames, ("left", "right"), that of the first in the axes
            of the second.  A target of a batch that holds NaN fails alone
        q0 : a configuration, (…, nq)
        weights : by frame: a number, or one for each row of the error; 0 leaves a row out
        posture : configuration that is preferred where targets leave a choice, (…, nq)
        contacts : an art.Contacts of this robot: they stay where they are at q0, and loops are closed
        tolerance : largest component of an error in a success: m, rad; of a direction, that of unit vectors
        iterations : at most, of each attempt
        restarts : attempts from random configurations, where the first one fails
        seed : of the random configurations: a number or a Generator
        limits : False: joints may leave their ranges
        threads : over which a batch is split
        stay_near : configuration (…, nq), in the place of q0 and posture: the start, the posture, and where the search
            from it fails that whose nearest solution is chosen
        clear_of : obstacles that no link may overlap, nor another link; [] for the links alone.  Other solutions are
            tried until one is clear; with a posture, that of a replaced solution is not approached

        Returns
        -------
        a NamedTuple: q (…, nq), success, error (its largest component: m, rad; of a direction its angle: rad),
            iterations, and reason, a text that says why not, (…) each

        Notes
        -----
        Source: Levenberg 1944, Marquardt 1963; joints at a limit are held as in a projected Newton method.

        Examples
        --------
        >>> arm = art.load("2r")
        >>> found = arm.inverse_kinematics({"tip": [0.5, 0.6, 0]}, q0=[0.1, 0.2])
        >>> bool(found.success), arm.pose(found.q, "tip")[:2, 3].round(6).tolist()
        (True, [0.5, 0.6])
        >>> arm.inverse_kinematics({"tip": [1.0, 0, 0]}, restarts=2).reason
        "'tip' stays 0.1 m away, with no joint at a limit"
        >>> dog = art.load("quadruped", floating_base=True)
        >>> feet = art.Contacts(dog, point=["FL_FOOT", "FR_FOOT", "HL_FOOT", "HR_FOOT"])
        >>> bool(dog.inverse_kinematics({"base": [0.02, 0, 0.2]}, q0=dog.poses["home"], contacts=feet).success)
        True
        """
        return inverse_kinematics(
            self, targets, q0, weights, posture, contacts, tolerance, iterations, restarts, seed, limits, threads,
            stay_near, clear_of,
        )  # fmt: skip

    def inverse_kinematics_solutions(
        self, targets: Mapping[str, Any], *, limits: bool = True, tolerance: float = 1e-10, seed: Any = 0
    ) -> NDArray[np.floating]:
        """All configurations that bring frames to their targets, of a robot with as many joints as conditions.

        Searches begin anywhere, 256 at a time, until every solution has been found several times: none is known to be
        missing, which is no proof.  Angles are between -pi and pi where limits allow that.  Refused where an arm is
        singular, so that its joints can move while targets are met.

        Parameters
        ----------
        targets : by frame, as those of `inverse_kinematics`; one of each
        limits : False: joints may leave their ranges
        tolerance : largest component of an error in a solution: m, rad
        seed : of the random configurations: a number or a Generator

        Returns
        -------
        configurations, (solutions, nq), by their first coordinate; none if there is none

        Examples
        --------
        >>> import articulated as art
        >>> arm = art.load("puma560")
        >>> tool = arm.pose([0.1, -0.8, 0.3, 0.4, 0.5, 0.6], "tool")
        >>> arm.inverse_kinematics_solutions({"tool": tool}, limits=False).shape
        (8, 6)
        """
        return every_solution(self, targets, limits, tolerance, seed)

    # -- compiled ahead, or taken away ------------------------------------------------------

    def compile(self, *methods: Any, dtype: DTypeLike = float) -> Callable[..., Any]:
        """One function for several methods, which computes what they share once.

        A method is given by its name, or as a tuple of its name and what follows the arrays (a dict for keywords):
        `f = robot.compile("mass_matrix", "bias_forces", ("jacobian", "hand", {"axes": "frame"}))`.
        `f(q, v)` returns a NamedTuple with the fields mass_matrix, bias_forces, jacobian_hand_frame; it takes the
        arrays its methods take, in the order q, v, a, tau, and `out=` such a tuple.  The function for one state is
        compiled at once, the one for batches by the first call with a batch.

        Parameters
        ----------
        dtype : float64 or float32
        methods : names of methods, or tuples of a name and what follows the arrays: ("jacobian", "hand")

        Returns
        -------
        a function of the arrays that gives a NamedTuple with a field per method

        Examples
        --------
        >>> f = art.load("2r").compile("mass_matrix", "bias_forces")
        >>> f([0.1, 0.2], [0, 0]).mass_matrix.shape
        (2, 2)
        """
        if not methods:
            raise WrongKind("compile needs at least one method")
        kernel = self.kernels.fused(*requests(self, methods, dtype))
        kernel.ready("one")
        return kernel.call if kernel.entry_points else kernel

    def warm(self, *methods: Any, dtype: DTypeLike = float) -> None:
        """Compile methods ahead of their first call, for one state and for batches; named as in `compile`.

        Parameters
        ----------
        dtype : float64 or float32
        methods : names of methods, or tuples of a name and what follows the arrays: ("jacobian", "hand")

        Returns
        -------
        nothing: the kernels are ready

        Examples
        --------
        >>> art.load("2r").warm("mass_matrix", ("pose", "tip"))
        """
        for request in requests(self, methods, dtype)[0]:
            self.kernels.kernel(request).ready(*ENTRY_POINTS)

    def c_source(self, method: Any, name: str = "") -> str:
        """A method as a standalone C99 file with a loop over a batch, for a controller; named as in `compile`.

        Parameters
        ----------
        method : the name of a method, such as "mass_matrix"
        name : of the C function; that of the method if not given

        Returns
        -------
        the text of a C99 file

        Examples
        --------
        >>> "void gravity_forces" in art.load("2r").c_source("gravity_forces")
        True
        """
        from ..compiler import pipeline
        from ..compiler.emit import c

        if not isinstance(name, str):
            raise ShapeError(f"c_source: name is a text; got {shortened(repr(name))}")
        (request,), (title,) = requests(self, [method])
        program = pipeline.program(self.kernels.kernel(request).source)
        return c.source(program, name or re.sub(r"\W", "_", title))

    def __reduce__(self) -> Any:
        # from its links: kernels stay behind, and a long chain is not a deep one
        return _rebuilt, (type(self), self.model.described)

    def _missing(self, name: str) -> Any:
        raise NoSuchAttribute("Robot", name, [x for x in dir(type(self)) if not x.startswith("_")], OF_A_ROBOT)

    if not TYPE_CHECKING:  # a type checker would take it for every name there could be
        __getattr__ = _missing


add_methods(Robot, QUANTITIES)


def _rebuilt(kind: type[Robot], described: Mapping[str, Any]) -> Robot:
    return kind(build_model(**described))
