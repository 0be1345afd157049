"""Robot: the model a user holds.  Every method takes arrays of any leading shape and returns arrays."""

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..algebra.frozen import read_only
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
    mass_matrix,
    operational,
    regressor,
    world_coordinates,
)
from ..algorithms.contributions import Contributions
from ..algorithms.forward_dynamics import ArticulatedBodies
from ..algorithms.kinematics import BodyMotions
from ..algorithms.operational import OperationalSpace
from ..algorithms.solvability import massless_joints
from ..errors import Diagnostic, SingularModelError, SymbolicModelError
from ..model import Link, Model, Topology
from ..model import build as build_model
from .arguments import choose, shortened
from .conventions import permutation
from .display import robot_html
from .kernels import Evaluated

Floats = NDArray[np.floating]
Forces = Mapping[str, ArrayLike] | None

#: above this many bodies a recursion that is too long to be compiled runs as it is written, state by state
LONG_TRACE = 200
#: above this many every recursion does: to compile the shortest one would take seconds
LONGEST_TRACE = 500


class Robot(Evaluated):
    """A kinematic tree and everything it can be asked.

    q (…, nq), v, a, tau (…, nv); leading axes broadcast; lists and integers are fine.
    A row of the batch that holds a NaN gives NaN results, the other rows are not affected.
    """

    def __init__(self, model: Model):
        super().__init__()
        self.model = model

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
        return np.array(self.model.gravity, float)

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
    def report(self) -> tuple[Diagnostic, ...]:
        """What the reader and the inertia checks found; empty if the description is clean."""
        return self.model.report

    @property
    def mass(self) -> float:
        """Total mass of the moving bodies."""
        return float(sum(b.inertia.mass for b in self.model.bodies))

    def topology(self) -> Topology:
        """Predecessor p, successor s, parent λ and children μ, 1-based; 0 is the base."""
        return self.model.topology()

    def permutation(self, library: str) -> NDArray[np.intp]:
        """Indices p with v_theirs = v[..., p] for "pinocchio", "mujoco" or "drake"; see `conventions` for the rest."""
        return permutation(self, library)

    def support(self) -> Floats:
        """(nb, nv): 1 where a velocity moves a body."""
        return np.array(jacobians.support(self.model), float)

    @cached_property
    def parameters(self) -> Floats:
        """The ten inertial parameters of every body, (10 nb,); see `regressor`."""
        return read_only(self._numbers(regressor.parameters(self.model)))

    def __repr__(self) -> str:
        return f"<Robot {self.name}: {len(self.model.bodies)} bodies, nq={self.nq}, nv={self.nv}>"

    def _repr_html_(self) -> str:
        """In a notebook: its tree, joints, masses and findings."""
        return robot_html(self.model)

    # -- a changed robot is a new robot -------------------------------------------------

    def floating(self) -> "Robot":
        """The same robot on a free base."""
        return Robot(self.model.floating())

    def replace(self, link: str | None = None, /, **changes: Any) -> "Robot":
        """`replace("hand", inertia=…)` changes a link; `replace(gravity=…, name=…)` the robot."""
        return Robot(self.model.replace(link, **changes))

    def lock(self, positions: Mapping[str, Any]) -> "Robot":
        """With the named joints frozen at the given positions."""
        return Robot(self.model.lock(positions))

    def frictionless(self) -> "Robot":
        """Without joint friction, damping and rotor inertia."""
        return Robot(self.model.frictionless())

    # -- configurations -----------------------------------------------------------------

    def neutral(self) -> Floats:
        """The configuration with every joint at zero."""
        return self._numbers(configuration.neutral(self.model))

    def random(self, rng: Any = None, shape: int | tuple[int, ...] = ()) -> Floats:
        """Random configurations (*shape, nq) within the joint limits; `rng` a Generator or a seed."""
        rng = np.random.default_rng(rng)
        shape = (shape,) if isinstance(shape, int) else tuple(shape)
        parts = [b.joint.sample(rng, shape) for b in self.model.bodies if b.leader is b]
        return np.concatenate([np.zeros((*shape, 0)), *parts], axis=-1)

    def integrate(self, q: ArrayLike, dv: ArrayLike, **options: Any) -> Floats:
        """The configuration reached from q with the constant velocity dv in unit time."""
        return self._call(configuration.integrate, {"q": q, "dv": dv}, **options)

    def difference(self, q0: ArrayLike, q1: ArrayLike, **options: Any) -> Floats:
        """The velocity that leads from q0 to q1 in unit time."""
        return self._call(configuration.difference, {"q0": q0, "q1": q1}, **options)

    def configuration_rate(self, q: ArrayLike, v: ArrayLike, **options: Any) -> Floats:
        """dq/dt for the velocity v, (…, nq)."""
        return self._call(configuration.configuration_rate, {"q": q, "v": v}, **options)

    # -- kinematics ---------------------------------------------------------------------

    def pose(self, q: ArrayLike, frame: str, **options: Any) -> Floats:
        """Homogeneous pose of a frame in the world, (…, 4, 4)."""
        return self._call(_pose_matrix, {"q": q}, static={"frame": self._frame(frame)}, **options)

    def jacobian(self, q: ArrayLike, frame: str, axes: str = "world", **options: Any) -> Floats:
        """Velocity of a frame per unit v, (…, 6, nv), [linear; angular]."""
        return self._call(jacobians.jacobian, {"q": q}, static=self._at(frame, axes), **options)

    def jacobian_rate(self, q: ArrayLike, v: ArrayLike, frame: str, axes: str = "world", **options: Any) -> Floats:
        """Time derivative of the Jacobian, (…, 6, nv)."""
        return self._call(jacobians.jacobian_rate, {"q": q, "v": v}, static=self._at(frame, axes), **options)

    def body_jacobians(self, q: ArrayLike, at: str = "origin", **options: Any) -> Floats:
        """Jacobian of every body in its own axes, (…, nb, 6, nv); at its origin or its "center_of_mass"."""
        static = {"at": choose("body_jacobians", "at", at, ["origin", "center_of_mass"])}
        return self._call(jacobians.body_jacobians, {"q": q}, static=static, **options)

    def frame_velocity(self, q: ArrayLike, v: ArrayLike, frame: str, axes: str = "world", **options: Any) -> Floats:
        """[linear; angular] velocity of a frame, (…, 6)."""
        return self._call(kinematics.frame_velocity, {"q": q, "v": v}, static=self._at(frame, axes), **options)

    def frame_acceleration(
        self,
        q: ArrayLike,
        v: ArrayLike,
        a: ArrayLike,
        frame: str,
        axes: str = "world",
        spatial: bool = False,
        **options: Any,
    ) -> Floats:
        """Acceleration of a frame, (…, 6): of the point at its origin, or the spatial one."""
        static = {**self._at(frame, axes), "spatial": bool(spatial)}
        return self._call(kinematics.frame_acceleration, {"q": q, "v": v, "a": a}, static=static, **options)

    def body_motions(
        self,
        q: ArrayLike,
        v: ArrayLike,
        a: ArrayLike,
        base_velocity: ArrayLike | None = None,
        base_acceleration: ArrayLike | None = None,
        **options: Any,
    ) -> BodyMotions:
        """Pose (…, nb, 4, 4), twist and spatial acceleration (…, nb, 6) of every body, the latter in its own axes."""
        state = {"q": q, "v": v, "a": a, **_moving_base(base_velocity, base_acceleration)}
        return self._call(kinematics.body_motions, state, **options)

    def screws(self, q: ArrayLike, **options: Any) -> Floats:
        """Motion per unit of each velocity in world coordinates at the world's origin, (…, nv, 6)."""
        return self._call(world_coordinates.screws, {"q": q}, **options)

    # -- dynamics -----------------------------------------------------------------------

    def inverse_dynamics(
        self,
        q: ArrayLike,
        v: ArrayLike,
        a: ArrayLike,
        forces: Forces = None,
        base_velocity: ArrayLike | None = None,
        base_acceleration: ArrayLike | None = None,
        **options: Any,
    ) -> Floats:
        """Generalized forces that give the acceleration a, (…, nv)."""
        state = {"q": q, "v": v, "a": a, **_moving_base(base_velocity, base_acceleration)}
        return self._call(inverse_dynamics.inverse_dynamics, state, forces, **options)

    def forward_dynamics(
        self,
        q: ArrayLike,
        v: ArrayLike,
        tau: ArrayLike,
        forces: Forces = None,
        method: str = "articulated_body",
        base_velocity: ArrayLike | None = None,
        base_acceleration: ArrayLike | None = None,
        **options: Any,
    ) -> Floats:
        """Acceleration under the generalized forces tau, (…, nv)."""
        self._require_mass()
        function = forward_dynamics.METHODS[choose("forward_dynamics", "method", method, forward_dynamics.METHODS)]
        state = {"q": q, "v": v, "tau": tau, **_moving_base(base_velocity, base_acceleration)}
        return self._call(function, state, forces, **options)

    def articulated_bodies(
        self,
        q: ArrayLike,
        v: ArrayLike,
        tau: ArrayLike,
        forces: Forces = None,
        base_velocity: ArrayLike | None = None,
        base_acceleration: ArrayLike | None = None,
        **options: Any,
    ) -> ArticulatedBodies:
        """Everything the articulated-body algorithm finds, by body: Mhat, bhat, Mbar, accelerations, wrenches."""
        self._require_mass()
        state = {"q": q, "v": v, "tau": tau, **_moving_base(base_velocity, base_acceleration)}
        return self._call(forward_dynamics.articulated_bodies, state, forces, **options)

    def bias_forces(self, q: ArrayLike, v: ArrayLike, forces: Forces = None, **options: Any) -> Floats:
        """h(q, v): Coriolis, gravity, friction and external forces, (…, nv)."""
        return self._call(inverse_dynamics.bias_forces, {"q": q, "v": v}, forces, **options)

    def gravity_forces(self, q: ArrayLike, **options: Any) -> Floats:
        """g(q): what it takes to hold still, (…, nv)."""
        return self._call(inverse_dynamics.gravity_forces, {"q": q}, **options)

    def coriolis_forces(self, q: ArrayLike, v: ArrayLike, **options: Any) -> Floats:
        """c(q, v): centrifugal and Coriolis forces, (…, nv)."""
        return self._call(inverse_dynamics.coriolis_forces, {"q": q, "v": v}, **options)

    def friction_forces(self, v: ArrayLike, **options: Any) -> Floats:
        """Torque it takes to overcome joint friction at the velocity v, (…, nv)."""
        return self._call(inverse_dynamics.friction_forces, {"v": v}, **options)

    def body_wrenches(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, forces: Forces = None, **options: Any) -> Floats:
        """Force each joint transmits to its body, in the body's axes, (…, nb, 6)."""
        return self._call(inverse_dynamics.body_wrenches, {"q": q, "v": v, "a": a}, forces, **options)

    def mass_matrix(self, q: ArrayLike, **options: Any) -> Floats:
        """M(q), (…, nv, nv)."""
        return self._call(mass_matrix.mass_matrix, {"q": q}, **options)

    def mass_matrix_inverse(self, q: ArrayLike, **options: Any) -> Floats:
        """The inverse of M(q), (…, nv, nv)."""
        self._require_mass()
        return self._call(mass_matrix.mass_matrix_inverse, {"q": q}, **options)

    def mass_matrix_rate(self, q: ArrayLike, v: ArrayLike, **options: Any) -> Floats:
        """dM/dt while moving with v, (…, nv, nv)."""
        return self._call(mass_matrix.mass_matrix_rate, {"q": q, "v": v}, **options)

    def coriolis_matrix(self, q: ArrayLike, v: ArrayLike, factorization: str = "christoffel", **options: Any) -> Floats:
        """C(q, v) with C v = c, (…, nv, nv); dM/dt - 2C is skew except for "nonskew"."""
        static = {
            "factorization": choose("coriolis_matrix", "factorization", factorization, [*coriolis.SKEW, "nonskew"])
        }
        return self._call(coriolis.coriolis_matrix, {"q": q, "v": v}, static=static, **options)

    def skewness_defect(self, q: ArrayLike, v: ArrayLike, factorization: str = "christoffel") -> Floats:
        """Largest entry of the symmetric part of dM/dt - 2C, (…); rounding only where C promises skewness."""
        C = self.coriolis_matrix(q, v, factorization)
        N = self.mass_matrix_rate(q, v) - 2 * C
        return abs(N + np.swapaxes(N, -1, -2)).max(axis=(-1, -2), initial=0.0) / 2

    def christoffel(self, q: ArrayLike, **options: Any) -> Floats:
        """Γ(q), (…, nv, nv, nv): C_ij = Σ_k Γ_ijk v_k."""
        return self._call(coriolis.christoffel, {"q": q}, **options)

    def composite_inertias(self, q: ArrayLike, axes: str = "spatial", **options: Any) -> Floats:
        """Inertia of each body and all beyond it, (…, nb, 6, 6): at the world's origin, or axes="frame"."""
        static = {"axes": choose("composite_inertias", "axes", axes, ["spatial", "frame"])}
        return self._call(world_coordinates.composite_inertias, {"q": q}, static=static, **options)

    def contributions(self, q: ArrayLike, v: ArrayLike, **options: Any) -> Contributions:
        """What each body adds to M, c and g."""
        return self._call(contributions.contributions, {"q": q, "v": v}, **options)

    def operational_space(
        self, q: ArrayLike, v: ArrayLike, frame: str, axes: str = "world", **options: Any
    ) -> OperationalSpace:
        """Inertia (…, 6, 6) and bias (…, 6) felt at a frame that can move in all six directions."""
        self._require_mass()
        return self._call(operational.operational_space, {"q": q, "v": v}, static=self._at(frame, axes), **options)

    # -- energy and momentum --------------------------------------------------------------

    def kinetic_energy(
        self,
        q: ArrayLike,
        v: ArrayLike,
        by_body: bool = False,
        base_velocity: ArrayLike | None = None,
        **options: Any,
    ) -> Floats:
        """Kinetic energy, (…); by_body: (…, nb)."""
        function = energy.kinetic_energies if by_body else energy.kinetic_energy
        return self._call(function, {"q": q, "v": v, **_moving_base(base_velocity, None)}, **options)

    def potential_energy(self, q: ArrayLike, by_body: bool = False, **options: Any) -> Floats:
        """Potential energy of gravity, zero at the world's origin, (…); by_body: (…, nb)."""
        return self._call(energy.potential_energies if by_body else energy.potential_energy, {"q": q}, **options)

    def center_of_mass(self, q: ArrayLike, **options: Any) -> Floats:
        """Centre of mass of the moving bodies, (…, 3)."""
        return self._call(centroidal.center_of_mass, {"q": q}, **options)

    def centroidal_momentum(self, q: ArrayLike, v: ArrayLike, **options: Any) -> Floats:
        """[linear; angular] momentum about the centre of mass, world axes, (…, 6)."""
        return self._call(centroidal.centroidal_momentum, {"q": q, "v": v}, **options)

    def centroidal_map(self, q: ArrayLike, **options: Any) -> Floats:
        """The matrix from v to the centroidal momentum, (…, 6, nv)."""
        return self._call(centroidal.centroidal_map, {"q": q}, **options)

    def regressor(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, **options: Any) -> Floats:
        """Y with tau = Y @ parameters for the links alone, (…, nv, 10 nb)."""
        return self._call(regressor.regressor, {"q": q, "v": v, "a": a}, **options)

    # -- how a method becomes numbers -------------------------------------------------------

    def __reduce__(self) -> Any:
        # from its links: kernels stay behind, and a long chain is not a deep one
        return _rebuilt, (type(self), self.model.links, self.model.gravity, self.model.name, self.model.report)

    @property
    def _long(self) -> bool:
        return self._too_long or len(self.model.bodies) > LONG_TRACE

    @property
    def _too_long(self) -> bool:
        return len(self.model.bodies) > LONGEST_TRACE

    def _size(self, name: str) -> int:
        return self.nq if name in ("q", "q0", "q1") else self.nv if name in ("v", "a", "tau", "dv") else 6

    def _meaning(self, name: str) -> str:
        if self._size(name) == 6 and name not in ("q", "q0", "q1", "v", "a", "tau", "dv"):
            return "[linear; angular] components"
        return (
            f"coordinates of {shortened(self.joint_names)}"
            if name[0] == "q"
            else f"one per velocity of {shortened(self.joint_names)}"
        )

    def _frame(self, name: str) -> str:
        return self.model.frame(name).name

    def _at(self, frame: str, axes: str) -> dict[str, str]:
        return {"frame": self._frame(frame), "axes": choose("a frame quantity", "axes", axes, kinematics.AXES)}

    def _numeric(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """`function` with a clear error if the model still holds symbols."""

        def evaluated(**arguments: Any) -> Any:
            try:
                return function(**arguments)
            except TypeError as problem:
                if self._symbols():
                    raise SymbolicModelError(
                        f"{self.name} holds the symbols {shortened(self._symbols())}; replace them by numbers first"
                    ) from problem
                raise

        return evaluated

    def _symbols(self) -> list[str]:
        places = [x for b in self.model.bodies for x in (*b.placement.R.flat, *b.placement.p)]
        known = (*regressor.parameters(self.model), *places, *self.model.gravity)
        return sorted({str(x) for x in known if not isinstance(x, (int, float))})

    def _numbers(self, values: Any) -> Floats:
        try:
            return np.array(values, float)
        except TypeError:
            raise SymbolicModelError(f"{self.name} holds the symbols {shortened(self._symbols())}") from None

    def _require_mass(self) -> None:
        """Forward dynamics needs every joint to move some mass; say which one does not."""
        if self._massless_joints:
            names = ", ".join(map(repr, self._massless_joints))
            raise SingularModelError(
                f"{self.name}: joint {names} moves no mass, so its acceleration is not determined; "
                "give a body beyond it mass, or the joint an armature, or lock it"
            )

    @property
    def _massless_joints(self) -> list[str]:
        # kept by hand: a cached_property holds a lock that a forked child would never get
        if "_massless" not in vars(self):
            found = self._numeric(massless_joints)
            self._massless = found(model=self.model, q=self.random(0))
        return self._massless


def _pose_matrix(model: Model, q: Any, frame: str) -> Any:
    return kinematics.frame_pose(model, q, frame).matrix()


def _moving_base(velocity: ArrayLike | None, acceleration: ArrayLike | None) -> dict[str, ArrayLike]:
    given = {"base_velocity": velocity, "base_acceleration": acceleration}
    return {name: value for name, value in given.items() if value is not None}


def _rebuilt(kind: type[Robot], links: Any, gravity: Any, name: str, report: Any) -> Robot:
    return kind(build_model(links, gravity, name, report))
