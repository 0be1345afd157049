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
from ..documentation import document
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
from .arguments.arrays import vectors_of
from .arguments.forces import Forces
from .arguments.state_names import parameter_names
from .arguments.states import JointIndex, JointLimits, Poses, by_names, from_names, joint_index, joint_limits
from .axis_names import axis_names
from .conventions.converters import permutation
from .derivatives.linearization import LinearSystem, linearize
from .derivatives.method import Derivatives, Jvp, Vjp
from .derivatives.second_order import Hessians, SecondDerivatives
from .derivatives.sparse import PackedDerivatives
from .display import robot_html, robot_text
from .foreign_names import OF_A_ROBOT
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

        model: the tree; art.load, art.build, art.from_dh and art.from_screws make one

    >>> import articulated as art
    >>> robot = art.load("panda")
    >>> robot.inverse_dynamics(robot.poses["home"], [0.0] * 7, [0.0] * 7).shape
    (7,)
    """

    model: Model
    #: the seam to the compiler; contact sets and control laws of this robot share what it has made
    kernels: Kernels
    #: the description in SymPy's exact numbers, of a robot that was built from them
    exact: Model | None = None

    def __init__(self, model: Model):
        if not isinstance(model, Model):
            raise WrongKind(f"a Robot is made by art.load, art.build or art.from_dh; got {shortened(repr(model))}")
        self.model = model
        self.kernels = Kernels(model, vectors_of(model), rows=QUANTITIES)

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

    def names(self, of: str) -> Any:
        """Names along each axis after the batch of what a method returns, or of "q" or "v"."""
        return axis_names(self.model, of)

    def index(self, joint: str) -> JointIndex:
        """Where a joint is in q and v: slices; a mimic joint is where the joint it follows is."""
        return joint_index(self.model, joint)

    def topology(self) -> Topology:
        """Predecessor p, successor s, parent λ and children μ, 1-based; 0 is the base."""
        return self.model.topology()

    def permutation(self, library: str) -> NDArray[np.intp]:
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
    def replace(self, link: None = None, /, *, gravity: ArrayLike = ..., name: str = ...) -> Robot: ...

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

    # -- dynamics beside the table of methods ---------------------------------------------

    def actuation_map(self, passive: Iterable[str] = ()) -> Floats:
        """B, (nv, number of motors): B u are the generalized forces of the motors u.

        The identity for a fixed base, zero rows for a free one and for `passive` joints, which have no motor.
        """
        names = [passive] if isinstance(passive, str) else asked_names("actuation_map: passive", passive)
        for name in names:
            if name not in self.model.joint_names:
                raise unknown("joint", name, self.name, self.model.joint_names)
        return np.array(jacobians.actuation_map(self.model, names), float)

    def skewness_defect(self, q: ArrayLike, v: ArrayLike, factorization: str = "christoffel") -> Floats:
        """Largest entry of the symmetric part of dM/dt - 2C, (…); rounding only where C promises skewness."""
        C = self.coriolis_matrix(q, v, factorization)
        with np.errstate(over="ignore", invalid="ignore"):
            N = self.mass_matrix_rate(q, v) - 2 * C
            return abs(N + np.swapaxes(N, -1, -2)).max(axis=(-1, -2), initial=0.0) / 2

    # -- derivatives --------------------------------------------------------------------------

    def derivatives(self, method: str, wrt: Any = None, space: str = "tangent", packed: bool = False) -> Derivatives:
        """The derivatives of a method with respect to its arrays: `robot.derivatives("inverse_dynamics")(q, v, a)`.

        The result is called like the method and returns a NamedTuple with an array for each argument, whose last axis
        is that of the argument.  Derivatives with respect to q are in the tangent space, that of the dv of
        `integrate(q, dv)`; with space="coordinates" they are with respect to the entries of q.  `wrt` selects
        arguments; it may name "forces" (six columns for each frame that has one) and "parameters" (the inertial
        parameters, ten for each body).

        With packed=True the arrays are vectors of the entries that can differ from zero; `pattern()` of the result has
        their indices.
        """
        kind = PackedDerivatives if flag("derivatives: packed", packed) else Derivatives
        return kind.of(self, method, wrt, space)

    def jvp(self, method: str, space: str = "tangent") -> Jvp:
        """Derivatives of a method along a direction: `robot.jvp("pose")(q, "hand", tangents={"q": dv})`."""
        return Jvp.of(self, method, None, space)

    def vjp(self, method: str, wrt: Any = None, space: str = "tangent") -> Vjp:
        """Gradients of a method's result times `cotangents`, by argument, in one pass backwards.

        `robot.vjp("inverse_dynamics")(q, v, a, cotangents=w)` is the gradient of w · tau: a NamedTuple q, v, a.
        """
        return Vjp.of(self, method, wrt, space)

    def hessian(self, method: str, wrt: Any = None, space: str = "tangent") -> Hessians:
        """Second derivatives of a method's result times `cotangents`, each pair of arguments a field: q_q, q_v, …

        `robot.hessian("inverse_dynamics")(q, v, a, cotangents=w).q_q` is that of w · tau, (…, nv, nv).
        """
        return Hessians.of(self, method, wrt, space)

    def second_derivatives(self, method: str, wrt: Any = None, space: str = "tangent") -> SecondDerivatives:
        """All second derivatives of a method, (…, *result, n, n) for each pair of arguments: q_q, q_v, …

        They are nv times as many as first derivatives: for a humanoid, ask for a `hessian`.
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

        With `dt`, of x_next = A x + B u, u constant for dt seconds.  `art.lqr` takes them.
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
    ) -> InverseKinematics:
        """Configurations that bring frames to their targets, within joint limits; batches of targets at once.

        Damped least squares from q0 (if not given, from the nearest of random configurations), then from others.
        With `contacts`, an `art.Contacts` of this robot, these stay where they are at q0, and loops are closed.
        """
        return inverse_kinematics(
            self, targets, q0, weights, posture, contacts, tolerance, iterations, restarts, seed, limits, threads
        )

    # -- compiled ahead, or taken away ------------------------------------------------------

    def compile(self, *methods: Any, dtype: DTypeLike = float) -> Callable[..., Any]:
        """One function for several methods, which computes what they share once.

        A method is given by its name, or as a tuple of its name and what follows the arrays (a dict for keywords):
        `f = robot.compile("mass_matrix", "bias_forces", ("jacobian", "hand", {"axes": "frame"}))`.
        `f(q, v)` returns a NamedTuple with the fields mass_matrix, bias_forces, jacobian_hand_frame; it takes the
        arrays its methods take, in the order q, v, a, tau, and `out=` such a tuple.  The function for one state is
        compiled at once, the one for batches by the first call with a batch.
        """
        if not methods:
            raise WrongKind("compile needs at least one method")
        kernel = self.kernels.fused(*requests(self, methods, dtype))
        kernel.ready("one")
        return kernel.call if kernel.entry_points else kernel

    def warm(self, *methods: Any, dtype: DTypeLike = float) -> None:
        """Compile methods ahead of their first call, for one state and for batches; named as in `compile`."""
        for request in requests(self, methods, dtype)[0]:
            self.kernels.kernel(request).ready(*ENTRY_POINTS)

    def c_source(self, method: Any, name: str = "") -> str:
        """A method as a standalone C99 file with a loop over a batch, for a controller; named as in `compile`."""
        from ..compiler import pipeline
        from ..compiler.emit import c

        if not isinstance(name, str):
            raise ShapeError(f"c_source: name is a text; got {shortened(repr(name))}")
        (request,), (title,) = requests(self, [method])
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


add_methods(Robot, QUANTITIES)
document(Robot, help.ARGUMENTS, help.METHODS)


def _rebuilt(kind: type[Robot], links: Any, gravity: Any, name: str, report: Any, poses: Any) -> Robot:
    return kind(build_model(links, gravity, name, report, poses))
