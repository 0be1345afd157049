"""The midpoint rule: accelerations in the middle of a step, at the mean of the velocities at its ends.

    M(q_m) (v⁺ - v) = dt (τ - h(q_m, (v + v⁺)/2)),    q⁺ = q moved by dt (v + v⁺)/2

with q_m = q moved by dt v / 2.  Gyroscopic terms are implicit: a rigid body that is free keeps its energy and its
angular momentum, however fast it spins (its rotation is Cayley's map).  Velocities of free bodies are written in the
axes of the middle, so that their linear momentum does not turn with them.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from ...algebra.linalg import factor_spd, solve_factored
from ...algebra.scalars import Array, Scalar, least, select, zeros
from ...algorithms.configuration import arrival, bending, midway, steadied, straight
from ...algorithms.fast.formulations import far_bodies
from ...algorithms.fast.moments import inverse_dynamics_by_moments, mass_matrix_by_moments
from ...algorithms.inverse_dynamics import friction_forces, inverse_dynamics
from ...algorithms.kinematics import Forces
from ...algorithms.mass_matrix import mass_matrix
from ...algorithms.springs import damper_forces, implicit_springs, stiffness_rows
from ...model import Model
from ...model.with_numbers import with_outside
from ...robot import Robot
from .euler import OneBlock, Step

#: fixed-point passes of a step: six leave 1e-6 of the gyroscopic torque of a flywheel that turns by 1 rad in it
PASSES = 6
#: part of the last impulses that is expected again, if it is more: after an impact it is less
SETTLED = 0.5
#: keeps 0 / 0 away
TINY = 1e-200

#: (q, v) in the middle of a step → generalized forces
Torque = Callable[[Array, Array], Array]
#: q in the middle of a step → external forces by frame
ForcesAt = Callable[[Array], Forces]
#: model, q and M(q) → the nearest velocity that moves no contact that holds
Holding = Callable[[Model, Array, Array], Callable[[Array], Array]]


class Middle(NamedTuple):
    """A robot in the middle of a step without impulses."""

    q: Array
    before: Array  # velocities at the beginning
    v: Array  # and at the end
    factors: tuple[Array, list]  # of M
    a: Array


def euler(
    model: Model, q: Array, v: Array, dt: Scalar, torque: Torque, forces: ForcesAt,
    recursion: Callable[..., Array] = inverse_dynamics, inertia: Callable[..., Array] = mass_matrix,
) -> Middle:  # fmt: skip
    """Euler's step: everything as it is at its beginning, but springs between frames are implicit.

    One that oscillates faster than steps can follow, ω dt = √r, is damped by the part r/(1 + r) of what it would be by
    the backward Euler method; slow ones keep their energy.
    """
    factors = factor_spd(inertia(model, q) + implicit_springs(model, q, dt))
    f = torque(q, v) - recursion(model, q, v, zeros(model.nv), forces(q))
    for spring, g, *_ in stiffness_rows(model, q):
        part = dt * dt * spring.stiffness * (g @ solve_factored(factors, g))
        f = f - part * dt * spring.stiffness * (g @ v) * g
    a = solve_factored(factors, f)
    return Middle(q, v, v + dt * (a - bending(model, v)), factors, a)


def middle(
    model: Model, q: Array, v: Array, dt: Scalar, torque: Torque, forces: ForcesAt,
    recursion: Callable[..., Array] = inverse_dynamics, inertia: Callable[..., Array] = mass_matrix,
    stiff: bool = False, holding: Holding | None = None, change: Array | None = None,
) -> Middle:  # fmt: skip
    """A step from (q, v); the rotors of `model` have dt/2 of their damping added, which makes it implicit.

    `stiff`: and dt/2 of the gains of the torques, which are then those of the velocity at the beginning.  `holding`:
    the mean velocity moves no contact that holds, as it will with their impulses.  `change` is that of the velocity by
    the impulses of the step before: the part of it that undoes most of what moves the robot without them is expected
    again.  That is about all of it where a robot stands.
    """
    there, before = midway(model, q, v, dt)
    M = inertia(model, there) + implicit_springs(model, there, dt / 2)
    factors, along = factor_spd(M), holding and holding(model, there, M)
    outside, after = forces(there), before
    still = zeros(model.nv)
    weight = recursion(model, there, still, still, outside)
    for _ in range(PASSES):
        mean = (before + after) / 2
        if change is not None:
            pushed = M @ change
            part = -((after - before) @ pushed) / (change @ pushed + TINY)
            mean = mean + select(part > SETTLED, least(part, 1.0), 0.0) / 2 * change
        mean = along(mean) if along else mean
        # damping is left to `factors`, but for that of the velocity at the beginning
        motion = recursion(model, there, mean, still, outside) - weight
        motion = motion - friction_forces(model, mean - before) - damper_forces(model, there, mean - before)
        a = solve_factored(
            factors, steadied(model, torque(there, before if stiff else mean) - weight, mean, dt) - motion
        )
        after = before + dt * (a - bending(model, mean))
    return Middle(there, before, after, factors, a)


def formulation(robot: Robot, given: Mapping[str, Array]) -> tuple[Model, dict[str, Any]]:
    """The model and the recursions of a step: composite bodies as moments, unless that loses digits."""
    if "parameters" in given or far_bodies(robot.model):  # regrouped are the robot's own
        return with_outside(robot.model, given), {}
    ways = {"recursion": inverse_dynamics_by_moments, "inertia": mass_matrix_by_moments}
    return with_outside(robot.kernels.regrouped, given), ways


class Euler(OneBlock):
    """Loop of Euler's method without contacts: by any formulation of forward dynamics, if there are no lines."""

    def prepare(self) -> None:
        """The step as one block."""
        super().prepare()
        if self.model.springs:
            self.ways = [self._step]

    def _step(self, q: Array, v: Array, t: Array, tau: Array, dt: Array, **given: Array) -> Step:
        model, ways = formulation(self.plan.dynamics, given)
        there = euler(model, q, v, dt[0], lambda q, v: tau, lambda q: self.plan.sites(self.model, q, given), **ways)
        return Step(*straight(model, q, there.v, dt[0]), there.a)


class Midpoint(OneBlock):
    """Loop of the midpoint rule without contacts."""

    def prepare(self) -> None:
        """The step as one block."""
        self.ways = [self._step]

    def _step(self, q: Array, v: Array, t: Array, tau: Array, dt: Array, **given: Array) -> Step:
        model, ways = formulation(self.plan.dynamics, given)

        def torque(q: Array, v: Array) -> Array:
            return self.law(t[0] + dt[0] / 2, q, v) if self.law else tau

        forces, stiff = lambda q: self.plan.sites(self.model, q, given), "implicit" in given
        there = middle(model, q, v, dt[0], torque, forces, **ways, stiff=stiff)
        mean = (there.before + there.v) / 2
        return Step(*arrival(model, q, there.q, there.v, mean, dt[0]), there.a)
