"""Contacts and loops that hold, in methods of higher order: accelerations that keep them, states brought back to them.

Rows that depend on others in every posture, as of an overconstrained linkage, are left out from the start
(`independent_rows`).  Where the others depend on each other, in a singular posture, the later ones fade out (by
Tikhonov's regularization): what they would say is 0 / 0 there, and any error of the state counts as that over the
distance to the posture.  The motion is smooth through it: what these rows do is the mean of what they do a little
before and after.
"""

from collections.abc import Callable
from functools import reduce
from typing import TYPE_CHECKING, Any, NamedTuple

from ...algebra.linalg import factor_spd, solve_factored, solve_lower, solve_upper
from ...algebra.scalars import Array, Scalar, array, select, sqrt, zeros
from ...algorithms.configuration import integrate
from ...algorithms.inverse_dynamics import inverse_dynamics
from ...algorithms.kinematics import Forces
from ...algorithms.mass_matrix import mass_matrix
from ...contacts.constraints import constraint_bias, constraint_drift, constraint_jacobian
from ...contacts.kinds import Contact
from ...model import Model
from ..methods.midpoint import formulation
from .laws import greatest

if TYPE_CHECKING:
    from ..loop.routine import Writer

#: part of a row orthogonal to those before it, relative to the longest row, below which it fades out
DEPENDENT = 3e-4
TINY = 1e-30
#: Newton's steps back to the contacts after each step of a method
STEPS_BACK = 2


class HeldRows(NamedTuple):
    """Contacts, and which of their rows are independent."""

    contacts: tuple[Contact, ...]
    rows: tuple[int, ...]


class Held(NamedTuple):
    """Accelerations (nv,), forces of the independent rows, and what these add to accelerations, as `Rows` has it."""

    a: Array
    forces: Array
    added: Array
    regular: Array  # 1, or 0 in a singular posture, (1,)


class Rows:
    """Rows J of contacts at q in coordinates in which the mass matrix is 1, as orthonormal rows: J L⁻¹ D^-½ = R Q."""

    def __init__(self, model: Model, q: Array, held: "HeldRows", inertia: Callable[..., Array]):
        self.factors = L, inverse = factor_spd(inertia(model, q))
        self.J = constraint_jacobian(model, q, held.contacts)[list(held.rows)]
        self.scale = array([sqrt(d) for d in inverse])
        self.Q: list[Array] = []
        self.R: list[list[Scalar]] = []  # a row for each row of J: its parts along those before, and 1 / what is left
        self.free: list[Scalar] = []  # part of each that has faded
        self.regular: Scalar = 1.0
        rows = (self.scale[:, None] * solve_upper(L, self.J.T)).T
        size = reduce(greatest, (row @ row for row in rows), 0.0)
        for row in rows:
            along, left = [0.0] * len(self.Q), row
            for _ in range(2):  # once more: what is left is orthogonal to rounding
                for i, unit in enumerate(self.Q):
                    part = unit @ left
                    left, along[i] = left - part * unit, along[i] + part
            squared, least = left @ left + TINY * size, DEPENDENT * DEPENDENT * size
            singular = squared < least
            faded, length = select(singular, least, 0.0), sqrt(squared)
            self.Q.append(left / length)
            self.R.append([*along, length / (squared + faded)])
            self.free.append(faded / (squared + faded))
            self.regular = select(singular, 0.0, self.regular)

    def along(self, v: Array) -> Array:
        """The velocity nearest to v that moves no contact."""
        return v + self.step(-(self.J @ v))[0]

    def step(self, wanted: Array, near: Array | None = None) -> tuple[Array, Array, Array]:
        """The shortest change of motion x with J x = wanted, as kinetic energy measures, λ with M x = Jᵀ λ, and Q x.

        Along rows that have faded x is that of `near`, if it is given.
        """
        parts: list[Scalar] = []
        for b, (*along, inverse), unit, free in zip(wanted, self.R, self.Q, self.free, strict=True):
            done = sum((part * y for part, y in zip(along, parts, strict=True)), start=0.0)
            parts.append(inverse * (b - done) + (0.0 if near is None else free * (unit @ near)))
        y = sum((part * unit for part, unit in zip(parts, self.Q, strict=True)), start=zeros(len(self.scale)))
        forces = list(parts)
        for i in reversed(range(len(forces))):  # Rᵀ λ = parts
            later = range(i + 1, len(forces))
            forces[i] = self.R[i][i] * (forces[i] - sum((self.R[j][i] * forces[j] for j in later), start=0.0))
        return solve_lower(self.factors[0], self.scale * y), array(forces), y


def held_motion(
    model: Model, q: Array, v: Array, tau: Array, held: HeldRows, forces: Forces = {},
    recursion: Callable[..., Array] = inverse_dynamics, inertia: Callable[..., Array] = mass_matrix,
    near: Array | None = None,
) -> Held:  # fmt: skip
    """Accelerations while contacts hold, and their forces: M a + h = tau + Jᵀ λ, J a + J̇ v = 0."""
    rows = Rows(model, q, held, inertia)
    free = solve_factored(rows.factors, tau - recursion(model, q, v, zeros(model.nv), forces))
    bias = constraint_bias(model, q, v, held.contacts)[list(held.rows)]
    change, row_forces, added = rows.step(-bias - rows.J @ free, near)
    return Held(free + change, row_forces, added, array([rows.regular]))


def apart(model: Model, q: Array, anchors: Array, held: HeldRows) -> Array:
    """How far the contacts are from their anchors, in the independent rows."""
    return constraint_drift(model, q, anchors, held.contacts)[list(held.rows)]


class Holding:
    """Statements of a compiled loop whose contacts hold."""

    def __init__(self, writer: "Writer"):
        self.writer, system, r = writer, writer.plan.system, writer.r
        assert system
        self.held = HeldRows(system.held, system.independent)
        self.anchors = writer.copied("anchors", 16 * len(system.held))
        if writer.plan.switching:
            return
        self.now = {"held": r.local("held now", 3 * system.blocks), "residual": r.local("drift now", 1)}
        self.stored = {name: r.output(name, here.size, "samples") for name, here in self.now.items()}

    def accelerations(self) -> list[Callable[..., Any]]:
        """Accelerations (q, v, tau, given) of a block."""
        return [lambda *state: self.motion(*state).a]

    def motion(self, q: Array, v: Array, tau: Array, given: dict[str, Array], near: Array | None = None) -> Held:
        """Motion of the robot; along rows that have faded it is that of `near`."""
        plan = self.writer.plan
        model, ways = formulation(plan.dynamics, given)
        sites = plan.sites(self.writer.model, q, given)
        return held_motion(model, q, v, tau, self.held, sites, **ways, near=near)

    def look(self) -> None:
        """The forces at a sample, and how far the contacts are from where they were, m or rad."""
        reads = self._state("q", "v", "tau") | {"anchors": self.anchors}
        self.writer.r.run(self._forces, reads, list(self.now.values()))

    def _forces(self, q: Array, v: Array, tau: Array, anchors: Array, **given: Array) -> tuple[Array, Array]:
        found, furthest = self.motion(q, v, tau, given).forces, 0.0
        for x in constraint_drift(self.writer.model, q, anchors, self.held.contacts):
            furthest = greatest(furthest, greatest(x, -x))
        forces = zeros(self.now["held"].size)
        forces[list(self.held.rows)] = found
        return forces, array([furthest])

    def settle(self) -> None:
        """Bring the state back to the contacts."""
        now = self.writer.now
        self.writer.r.run(self.brought_back, self._state("q", "v") | {"anchors": self.anchors}, [now["q"], now["v"]])

    def brought_back(self, q: Array, v: Array, anchors: Array, **given: Array) -> tuple[Array, Array]:
        """The state near (q, v) in which the contacts are at their anchors, and do not move."""
        rows, model = self.rows_at(q, **given), self.writer.model
        for _ in range(STEPS_BACK):
            q = integrate(model, q, rows.step(-apart(model, q, anchors, self.held))[0])
        return q, self.rows_at(q, **given).along(v)

    def along(self, model: Model, q: Array, M: Array) -> Callable[[Array], Array]:
        """Velocity to the nearest one that moves no contact."""
        return Rows(model, q, self.held, lambda model, q: M).along

    def rows_at(self, q: Array, **given: Array) -> Rows:
        """Rows of the contacts."""
        model, ways = formulation(self.writer.plan.dynamics, given)
        return Rows(model, q, self.held, ways.get("inertia", mass_matrix))

    def _state(self, *names: str) -> dict[str, Any]:
        return {name: self.writer.now[name] for name in names} | self.writer.outside()

    def keep(self, sample: str) -> None:
        """Store what was seen."""
        for name, memory in self.stored.items():
            self.writer.r.copy(self.now[name], memory.row(sample))
