"""Kernels of one contact set: its equations and laws, compiled when they are first asked for.

A law is straight-line code for given ranks: the usual ones, and those of special configurations.  One that would be
too long for that is a routine with loops over rows (routines/); what neither does its method computes on arrays.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..compiler.closures import Closure
from ..compiler.kernel import Kernel
from ..compiler.runtime import engine
from ..compiler.source import TooLong
from ..errors import ShapeError
from ..model import Model
from ..robot import Robot
from ..robot.arguments.arrays import Vector
from ..robot.arguments.forces import NO_FORCES, Wrenches
from ..robot.kernels import Kernels
from ..robot.request import PARAMETERS, Algorithm, Request
from .constraints import constraint_bias, constraint_jacobian
from .kinds import Contact
from .laws import FORMULATIONS
from .ranks.structure import Structure, special_structures, usual_structure
from .ranks.subspaces import TOLERANCE, Floats, quietly
from .routines.table import looped

#: nv (10 k² + nv²) up to which a set is straight-line code: a humanoid on two hands and two feet
MOST_WORK = 280_000
#: the same of laws on closed loops, whose rows need all joints below them, by whether there are internal forces or the
#: mass matrix, which fills the zeros of J: twelve linkages, or six
MOST_LOOPS = {False: 520_000, True: 65_000}
#: the same of derivatives and of laws that have no routine, by whether they divide by the mass matrix
MOST_LAW = {True: 600_000, False: 5_000_000}


class Found(NamedTuple):
    """Equations of motion at a state: M a + h and J a + bias."""

    M: Floats  # (…, nv, nv)
    h: Floats  # (…, nv)
    J: Floats  # (…, k, nv)
    bias: Floats  # (…, k)


class ContactKernels(Kernels):
    """Kernels of a robot with contacts; what was made is shared with the robot and all its other contact sets."""

    def __init__(self, robot: Robot, contacts: tuple[Contact, ...], unactuated: tuple[int, ...], rows: Mapping):
        self.robot, self.contacts, self.unactuated = robot, contacts, unactuated
        self.k, self.motors = sum(contact.size for contact in contacts), robot.nv - len(unactuated)
        super().__init__(
            robot.model, {**robot.kernels.vectors, **self._own_vectors()}, "contacts.", rows, robot.kernels
        )
        self.work = robot.nv * (10 * self.k**2 + robot.nv**2)
        #: whether its equations are straight-line code
        self.unrolled = self.work <= MOST_WORK
        self.ready: dict[Any, Any] = {}  # compiled functions by what was asked
        self._long: set[str] = set()  # laws that have turned out to be too long to be compiled

    def _own_vectors(self) -> dict[str, Vector]:
        """The arrays of a contact set, beside those of its robot."""
        usual, motors, rows = self.robot.kernels.vectors, self.motors, "one per row of the contacts"
        driven = tuple(name for k, name in enumerate(usual["tau"].names) if k not in self.unactuated)
        row_names = tuple(name for contact in self.contacts for name in contact.rows)
        return {
            "a0": usual["a"],
            "tau": Vector(motors, "one per actuated velocity, or one per velocity", names=driven),
            "tau0": Vector(motors, "one per actuated velocity", names=driven),
            "weight": Vector(motors, "one per actuated velocity", 1.0, driven),
            "force_weight": Vector(self.k, rows, 1.0, row_names),
            "correction": Vector(self.k, rows),
            "restitution": Vector(1, "one number"),
            "rate": Vector(1, "one number"),
            "row_forces": Vector(self.k, rows, names=row_names),
            "change": usual["v"],
            "along": usual["v"],
            "anchors": Vector(16 * len(self.contacts), "the poses (contacts, 4, 4) of the contacts"),
        }

    # -- ranks --------------------------------------------------------------------------

    @property
    def structure(self) -> Structure:
        """The ranks of the set at all but a few configurations."""
        if "usual" not in self.ready:
            self.ready["usual"] = usual_structure(self)
        return self.ready["usual"]

    @property
    def special_structures(self) -> tuple[Structure, ...]:
        """Lower ranks that the set has at special configurations."""
        if "special" not in self.ready:
            self.ready["special"] = special_structures(self)
        return self.ready["special"]

    # -- equations ------------------------------------------------------------------------

    def evaluate(self, method: str, algorithm: Algorithm, arrays: Mapping[str, Any], *more: Any, **options: Any) -> Any:
        """A row of the table that is an equation."""
        return self.equation(method, algorithm, **arrays)

    def equation(self, method: str, algorithm: Algorithm, **arrays: Any) -> Any:
        """An equation of the constraints on arrays."""
        kernel = self.ready.get(algorithm)
        if kernel is None:
            asked = self.request(method, algorithm, tuple(arrays), choices={"contacts": self.contacts})
            kernel = self.ready[algorithm] = self.kernel(asked)
        found = kernel.call(*arrays.values())
        if kernel.entry_points and not self.callees.get(method, True):
            self.callees[method][None] = kernel.entry_points.callee  # plain calls go straight there from now on
        return found

    def jacobian(self, q: Any) -> Floats:
        """J, (…, k, nv)."""
        return self.equation("jacobian", constraint_jacobian, q=q)

    def moved(self, q: Any, v: Any) -> tuple[Floats, Floats]:
        """J and J̇ v, refused where there are none."""
        J, bias = self.jacobian(q), self.equation("bias", constraint_bias, q=q, v=v)
        if not np.isfinite(J).all():
            raise ShapeError("the contact Jacobian at q is not finite: does q hold a zero quaternion?")
        return J, bias

    def equations(self, q: Any, v: Any, forces: Wrenches = NO_FORCES, **parameters: Any) -> Found:
        """The equations of motion at a state."""
        M, h = self.robot.mass_matrix(q, **parameters), self.robot.bias_forces(q, v, forces, **parameters)
        return Found(M, h, *self.moved(q, v))

    # -- laws ---------------------------------------------------------------------------

    def compiled_law(self, method: str) -> bool:
        """True if a law is compiled, or at least short enough for a program of NumPy."""
        return method not in self._long and (self.unrolled or engine.reason() is None)

    def unrolled_law(self, method: str) -> bool:
        """True if a law may be straight-line code, as its derivatives have to be."""
        most = MOST_LAW[self.rows[method].divides_by_mass]
        return self.unrolled or (self.work <= most and engine.reason() is None)

    def _loop(self, request: Request, too_long: bool) -> Any:
        """Loops over rows for what would be too long; where there are none, a law is left to its method."""
        double = request.dtype == float
        if request.algorithm is constraint_jacobian and double and (too_long or not self.unrolled):
            return self._looped(request)
        if request.algorithm not in FORMULATIONS:
            return super()._loop(request, too_long)
        method, structure = request.method.removeprefix(self.prefix), dict(request.choices)["structure"]
        filled = self.rows[method].divides_by_mass or structure.rank > structure.base_rank
        ground = all(contact.other is None for contact in self.contacts)
        if not too_long and self.work <= (MOST_WORK if ground else MOST_LOOPS[filled]):
            return None
        found = self._looped(request)
        if found is None and (too_long or not self.unrolled_law(method)):
            raise TooLong
        return found

    def _looped(self, request: Request) -> Closure | None:
        """A routine with loops over rows, if its blocks are not too long."""
        try:
            found = self._numeric(lambda: looped(self, request))()
            if found:
                found.kernel.ready()
            return found
        except TooLong:
            return None

    def law(self, method: str, state: Mapping[str, Any], forces: Wrenches) -> Any:
        """A law on arrays, states without the usual ranks computed again by that of special ranks; None if too long."""
        values = [*state.values(), *forces.values()]
        found = self._called(method, state, forces, self.structure, values)
        if found is None or (found.checks[..., -1] > TOLERANCE).all():
            return found
        return self._refined(method, found, state, forces, values)

    def _called(
        self, method: str, state: Mapping[str, Any], forces: Wrenches, structure: Structure, values: Sequence[Any]
    ) -> Any:
        """The kernel of the arrays given, and of torques for motors or for all velocities; None if too long."""
        full = "tau" in state and np.shape(state["tau"])[-1:] == (self.model.nv,)
        key = (method, tuple(state), tuple(forces), forces.written, full, structure.rank, structure.base_rank)
        try:
            if key not in self.ready:
                self.ready[key] = self.law_kernel(method, structure, tuple(state), forces, full)
            return self.ready[key].call(*values) if self.ready[key] else None
        except TooLong:
            self.ready[key] = None
            return None

    @quietly
    def _refined(
        self, method: str, found: Any, state: Mapping[str, Any], forces: Wrenches, values: Sequence[Any]
    ) -> Any:
        for structure in self.special_structures:
            bad = np.array(unsound(found.checks))
            again = self._called(method, state, forces, structure, [those(x, bad) for x in values])
            if again is None:
                continue
            fits = ~unsound(again.checks)
            bad[bad] = fits
            found = type(found)(*map(np.array, found))
            for whole, part in zip(found, again, strict=True):
                whole[bad] = part[fits]
        return found

    def quick(self, method: str, arrays: Sequence[Any]) -> Any:
        """A law of one state in its usual arrays, on which a controller waits; None if it has none of the ranks."""
        if not self.compiled_law(method):
            return None
        laws = self.ready.get(method) or self.prepared(method, [self.structure])
        if not laws:
            self._long.add(method)
            return None
        found = laws[0](*arrays)
        if found.checks.item(-1) > TOLERANCE:
            return found
        if len(laws) == 1:
            laws = self.prepared(method, [self.structure, *self.special_structures])
        for law in laws[1:]:
            if (found := law(*arrays)).checks[-1] > TOLERANCE:
                return found
        return None

    def prepared(self, method: str, structures: Sequence[Structure], *entries: str) -> list[Any]:
        """The laws of these ranks that are not too long, compiled."""
        kernels = [self.law_kernel(method, structure) for structure in structures]
        for kernel in list(kernels):
            try:
                kernel.ready(*entries)
            except TooLong:
                kernels.remove(kernel)
        self.ready[method] = [kernel.call for kernel in kernels]
        return self.ready[method]

    def law_kernel(
        self,
        method: str,
        structure: Structure,
        arrays: Sequence[str] = (),
        forces: Wrenches = NO_FORCES,
        full: bool = False,
    ) -> Kernel:
        """The kernel of a law for these ranks and arrays, or the usual ones; `full`: torques for all velocities."""
        return self.kernel(self.law_request(method, structure, arrays, forces, full))

    def ways(self, algorithm: Algorithm) -> list[tuple[Model, Algorithm]]:
        """The formulations of a law, or those of the robot's algorithms."""
        if algorithm not in FORMULATIONS:
            return super().ways(algorithm)
        kept = self._keeping_digits((FORMULATIONS[algorithm],))
        return [(self.regrouped, way) for way in kept] or [(self.model, algorithm)]

    def law_request(
        self, method: str, structure: Structure, arrays: Sequence[str], forces: Wrenches = NO_FORCES, full: bool = False
    ) -> Request:  # fmt: skip
        """The request of that kernel."""
        row = self.rows[method]
        algorithm: Any = row.algorithm
        if row.divides_by_mass:
            self.require_mass()
        sizes = {name: self.vectors[name].size for name in arrays or row.takes.split()[:3]}
        if full:
            sizes["tau"] = self.model.nv
        formulations = () if PARAMETERS in sizes else (FORMULATIONS[algorithm],)
        return self.request(
            method, algorithm, sizes, tuple(forces), {"structure": structure},
            formulations=formulations, written=forces.written,
        )  # fmt: skip


def unsound(checks: Any) -> Any:
    """Mask of the states whose ranks are not those the law was compiled for."""
    return ~(checks[..., -1] > TOLERANCE)


def those(x: Any, which: Any) -> Floats:
    """Selected states of an array that broadcasts to all of them."""
    x = np.atleast_1d(np.asarray(x, float))
    return np.broadcast_to(x, (*which.shape, x.shape[-1]))[which]
