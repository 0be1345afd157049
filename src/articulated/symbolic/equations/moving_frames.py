"""The moving-frames algorithm of the Sapienza lecture, link after link, every intermediate kept."""

from collections.abc import Iterator, Sequence
from functools import cached_property
from operator import index
from typing import Any, NamedTuple

import numpy as np
import sympy

from ...algebra.rotations import cross
from ...algebra.scalars import Array, zeros
from ...algebra.spatial import Inertia, Transform
from ...algorithms.springs import spring_energies
from ...errors import unknown
from ...inputs.numbers import numbers
from ...model import Body, Model
from ..ring.convert import in_ring, plain
from ..ring.notebook import formula
from ..ring.polynomial import Polynomial, largest, without_rounding
from ..ring.state import State
from .cofactors import refuse_asymmetric, refuse_turning_springs
from .lectures import model_of
from .presentation import shown


class Step(NamedTuple):
    """One link; vectors in its own axes unless the name says otherwise.  Entries are polynomials or SymPy."""

    name: str
    parent: str | None
    sigma: int | None  # 0 for a revolute joint, 1 for a prismatic one
    R: Any  # orientation in the parent
    r: Any  # origin in the parent
    omega_before: Any  # ω_i in the axes of the parent
    omega: Any
    v: Any  # of the origin
    r_com: Any
    v_com: Any
    r_com_world: Any
    T: Any
    U: Any

    @property
    def v_c(self) -> Any:
        """The letter of the lecture for `v_com`."""
        return self.v_com


def _by_link(name: str, text: str) -> Any:
    """A property: one quantity of every step."""
    return property(lambda frames: [getattr(step, name) for step in frames.steps], doc=text)


@formula("T", "U")
class MovingFrames(Sequence):
    """The steps of the algorithm as SymPy expressions; `omega[i]`, `v[i]`, `v_c[i]`, `T[i]`, `U[i]` by link."""

    def __init__(self, state: State, steps: list[Step]):
        self.state = state
        self.polynomials = steps

    @cached_property
    def steps(self) -> list[Step]:
        """The steps, typeset."""
        return [_shown(self.state, step) for step in self.polynomials]

    def __getitem__(self, k: Any) -> Any:
        """A step by its number from 0, or by the name of its link."""
        names = [step.name for step in self.polynomials]
        if isinstance(k, str):
            if k not in names:
                raise unknown("link", k, self.state.model.name, names)
            k = names.index(k)
        if not isinstance(k, slice) and not -len(names) <= index(k) < len(names):
            raise IndexError(f"moving_frames: {self.state.model.name} has {len(names)} links, from 0 on; got {k}")
        return self.steps[k]

    def __len__(self) -> int:
        return len(self.polynomials)

    def __iter__(self) -> Iterator[Step]:
        return iter(self.steps)

    def __repr__(self) -> str:
        links = ", ".join(step.name for step in self.polynomials)
        return f"<moving frames of {self.state.model.name}: {links}; [i] has omega, v, v_c, T and U of a link>"

    @property
    def numbers(self) -> dict[str | None, int]:
        """The number of each link's frame; 0 is the world's."""
        return {None: 0} | {step.name: k for k, step in enumerate(self.polynomials, start=1)}

    omega = _by_link("omega", "Angular velocity of each link, in its own axes.")
    v = _by_link("v", "Velocity of each link's origin, in its own axes.")
    v_c = _by_link("v_com", "Velocity of each center of mass, in the axes of its link.")
    T = _by_link("T", "Kinetic energy of each link.")
    U = _by_link("U", "Potential energy of each link.")

    @cached_property
    def jacobians(self) -> list[tuple[sympy.Matrix, sympy.Matrix]]:
        """Jacobians J_L and J_A of each link, (3, nv): v_ci = J_L v and ω_i = J_A v, in the axes of the link."""
        v = list(self.state.symbols["v"])
        return [(step.v_com.jacobian(v), step.omega.jacobian(v)) for step in self.steps]

    def latex(self) -> str:
        """The derivation, step by step."""
        from ..pages.derivation import frames_latex

        return frames_latex(self)


def moving_frames(robot: Any, base_velocity: Any = None) -> MovingFrames:
    """ω_i, v_i, v_ci, T_i, U_i of every link; `base_velocity` is that of the frame 0, [linear; angular]."""
    model = model_of(robot)
    refuse_asymmetric(model)
    refuse_turning_springs(model)
    state = State(model)
    return MovingFrames(state, frames(state, base_velocity))


def frames(state: State, base_velocity: Any = None) -> list[Step]:
    """The steps on polynomials."""
    model, q, v = state.model, state.q, state.v
    given = zeros(6) if base_velocity is None else numbers("base_velocity", base_velocity, 6)
    V0 = np.array([in_ring(state.ring, x) for x in given], object)
    omega: dict[Body | None, Array] = {None: V0[3:]}
    velocity: dict[Body | None, Array] = {None: V0[:3]}
    world: dict[Body | None, Transform] = {None: Transform()}
    sprung = spring_energies(model, q)
    steps = []
    for b in model.bodies:
        X = b.transform(q)
        own = b.S @ v[b.dofs]
        omega[b] = X.R.T @ omega[b.parent] + own[3:]
        velocity[b] = X.R.T @ (velocity[b.parent] + cross(omega[b.parent], X.p)) + own[:3]
        world[b] = world[b.parent] @ X
        rate = b.multiplier * v[b.dofs]
        T = _kinetic_energy(model, b, omega[b], velocity[b]) + b.armature * (rate @ rate) * 0.5
        r_com = _center(state, b)
        moment = world[b].R @ b.inertia.first + b.inertia.mass * world[b].p
        weight = without_rounding(-(model.gravity @ moment), largest(model.gravity) * largest(moment))
        U = weight + sprung.get(b, 0)
        steps.append(
            Step(
                b.name, b.parent.name if b.parent else None, _sigma(b), X.R, X.p, X.R @ omega[b], omega[b], velocity[b],
                r_com, velocity[b] + cross(omega[b], r_com), world[b].point(r_com), T, U,
            )
        )  # fmt: skip
    return steps


def _sigma(b: Body) -> int | None:
    return 0 if b.joint.turns else 1 if b.joint.slides else None


def parts(model: Model, b: Body) -> list[tuple[Transform, Inertia]]:
    """The links a body is made of, each with its place in the body."""
    frames = [(model.frames[link.name], link.inertia) for link in model.links]
    return [(frame.placement, inertia) for frame, inertia in frames if frame.body is b]


def energy_of_bodies(state: State, steps: list[Step]) -> Any:
    """T without the rotors of the joints (`armature`)."""
    moving = zip(state.model.bodies, steps, strict=True)
    return sum((_kinetic_energy(state.model, b, step.omega, step.v) for b, step in moving), start=0)


def _kinetic_energy(model: Model, b: Body, omega: Array, v: Array) -> Any:
    return sum((_kinetic(omega, v, *part) for part in parts(model, b)), start=0)


def _kinetic(omega: Array, v: Array, X: Transform, inertia: Inertia) -> Any:
    """König: ½ m v_c² + ½ ωᵀ I_c ω."""
    v_com = v + cross(omega, X.point(inertia.com))
    turned = X.R.T @ omega
    return (inertia.mass * (v_com @ v_com) + turned @ (inertia.about_com @ turned)) * 0.5


def _center(state: State, b: Body) -> Array:
    """Center of mass of a body; a fraction of symbols where several links with symbolic masses are welded."""
    massive = [(X, I) for X, I in parts(state.model, b) if not (isinstance(I.mass, int) and I.mass == 0)]
    if len(massive) == 1:
        return massive[0][0].point(massive[0][1].com)
    if not isinstance(b.inertia.mass, Polynomial):
        return b.inertia.com
    mass = plain(b.inertia.mass)
    return np.array([in_ring(state.ring, sympy.cancel(plain(x) / mass)) for x in b.inertia.first], object)


def _shown(state: State, step: Step) -> Step:
    kept = {"name", "parent", "sigma"}
    return Step(**{k: x if k in kept else shown(state, x) for k, x in step._asdict().items()})
