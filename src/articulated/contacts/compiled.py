"""The equations and laws of one contact set as functions of arrays, compiled when they are first asked for.

A law is compiled for given ranks: the usual ones, and those of special configurations.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..compiler.kernel import Kernel
from ..robot import Robot
from ..robot.arguments.arrays import Vector
from ..robot.arguments.forces import wrenches
from .checks import require_finite
from .kinds import Contact
from .laws import FORMULATIONS, LAWS, ROUNDING, Found
from .ranks.singular_ranks import quietly, unsound
from .ranks.structure import Structure, special_structures, usual_structure
from .ranks.subspaces import TOLERANCE


class CompiledLaws:
    """Functions of arrays by the name of the equation or law; `contacts.kernels` are shared with the robot."""

    def __init__(self, robot: Robot, contacts: tuple[Contact, ...], unactuated: tuple[int, ...]):
        self.robot, self.contacts, self.unactuated = robot, contacts, unactuated
        self.rows, self.motors = sum(contact.size for contact in contacts), robot.nv - len(unactuated)
        #: the seam to the compiler, shared with the robot and all its other contact sets
        self.kernels = robot.kernels.under("contacts.", self._vectors())
        self._ready: dict[Any, Any] = {}  # compiled functions by what was asked

    def _vectors(self) -> dict[str, Vector]:
        """The arrays of a contact set, beside those of its robot."""
        usual, motors, rows = self.robot.kernels.vectors, self.motors, "one per row of the contacts"
        driven = tuple(name for k, name in enumerate(usual["tau"].names) if k not in self.unactuated)
        row_names = tuple(name for contact in self.contacts for name in contact.rows)
        return {
            "a0": usual["a"],
            "tau": Vector(motors, "one per actuated velocity, or one per velocity", names=driven),
            "tau0": Vector(motors, "one per actuated velocity", names=driven),
            "weight": Vector(motors, "one per actuated velocity", 1.0, driven),
            "force_weight": Vector(self.rows, rows, 1.0, row_names),
            "correction": Vector(self.rows, rows),
            "restitution": Vector(1, "one number"),
            "row_forces": Vector(self.rows, rows, names=row_names),
            "change": usual["v"],
            "along": usual["v"],
            "anchors": Vector(16 * len(self.contacts), "the poses (contacts, 4, 4) of the contacts"),
        }

    # -- ranks --------------------------------------------------------------------------

    @property
    def structure(self) -> Structure:
        """The ranks of the set at all but a few configurations."""
        return usual_structure(self.kernels, self.contacts, self.unactuated)

    @property
    def special_structures(self) -> tuple[Structure, ...]:
        """Lower ranks that the set has at special configurations."""
        if "special" not in self._ready:
            self._ready["special"] = special_structures(self.kernels, self.contacts, self.unactuated)
        return self._ready["special"]

    # -- any arrays ---------------------------------------------------------------------

    def equation(self, method: str, algorithm: Callable[..., Any], **state: Any) -> Any:
        """An equation of the constraints on arrays."""
        function = self._ready.get(method)
        if function is None:
            request = self.kernels.request(method, algorithm, tuple(state), choices={"contacts": self.contacts})
            function = self._ready[method] = self.kernels.kernel(request)
        return function(*state.values())

    def law(self, method: str, state: Mapping[str, Any], forces: Mapping[str, Any] | None = None) -> Any:
        """A law on arrays; its kernel is that of the arrays given, and of torques for motors or for all velocities."""
        forces = wrenches(f"{self.kernels.prefix}{method}", forces)
        if forces:
            require_finite(method, **{f"the force at {name}": force for name, force in forces.items()})
        found = self._function(method, state, forces, self.structure)(*state.values(), *forces.values())
        return self._refined(method, found, state, forces)

    def _function(
        self, method: str, state: Mapping[str, Any], forces: Mapping[str, Any], structure: Structure
    ) -> Callable[..., Any]:
        full = "tau" in state and np.shape(state["tau"])[-1:] == (self.robot.nv,)
        key = (method, tuple(state), tuple(forces), full, structure.rank, structure.base_rank)
        function = self._ready.get(key)
        if function is None:
            function = self._ready[key] = self.kernel(method, structure, tuple(state), tuple(forces), full)
        return function

    @quietly
    def _refined(self, method: str, found: Any, arrays: Mapping[str, Any], forces: Mapping[str, Any]) -> Any:
        """Results `found` by a law, unsound states computed again by the law of special ranks."""
        for structure in self.special_structures:
            bad = unsound(found.checks)
            if not bad.any():
                break
            law = self._function(method, arrays, forces, structure)
            if bad.ndim == 0:
                again = law(*arrays.values(), *forces.values())
                found = found if unsound(again.checks) else again
                continue

            def those(x: Any, bad: Any = bad) -> Any:
                x = np.atleast_1d(np.asarray(x, float))
                return np.broadcast_to(x, (*bad.shape, x.shape[-1]))[bad]

            again = law(*map(those, arrays.values()), *map(those, forces.values()))
            fits = ~unsound(again.checks)
            bad[bad] = fits
            found = type(found)(*(_with(whole, bad, part[fits]) for whole, part in zip(found, again, strict=True)))
        return found

    # -- the usual arrays, on which a controller waits ------------------------------------

    def usual(self, method: str) -> Callable[..., Any]:
        """A law in its usual arrays: compiled now, and called without a detour."""
        function = self._ready.get(method)
        if function is None:
            if method == "inverse_dynamics" and not self.contacts:
                function = self._torques_in_flight
            else:
                kernel = self.kernel(method, self.structure, ("q", "v", LAWS[method].last))
                kernel.ready()
                function = kernel.call
            self._ready[method] = function
        return function

    def specially(self, method: str, found: Any, *arrays: Any) -> Any:
        """Results `found` by a law in its usual arrays, unsound states computed again with special ranks."""
        names = ("q", "v", LAWS[method].last)
        if (found.checks[..., -1] > TOLERANCE).all():
            return found
        if found.checks.ndim > 1:
            return self._refined(method, found, dict(zip(names, arrays, strict=True)), {})
        key = ("special", method)
        if key not in self._ready:
            kernels = [self.kernel(method, structure, names) for structure in self.special_structures]
            for kernel in kernels:
                kernel.ready()
            self._ready[key] = [kernel.call for kernel in kernels]
        for law in self._ready[key]:
            if (again := law(*arrays)).checks[-1] > TOLERANCE:
                return again
        return found

    def _torques_in_flight(self, q: ArrayLike, v: ArrayLike, a: ArrayLike) -> Found:
        """`contact_torques` without contacts, where a kernel would have an empty result: those go a slow way."""
        f = self.robot.inverse_dynamics(q, v, a)
        checks = np.zeros((*f.shape[:-1], 4))
        checks[..., 0] = np.linalg.norm(f[..., list(self.unactuated)], axis=-1)
        checks[..., 2] = checks[..., 0] - ROUNDING * np.linalg.norm(f, axis=-1)
        checks[..., 3] = np.isfinite(f).all(axis=-1)
        return Found(np.delete(f, self.unactuated, axis=-1), np.zeros((*f.shape[:-1], 0)), checks)

    def kernel(
        self,
        method: str,
        structure: Structure,
        arrays: Sequence[str],
        frames: Sequence[str] = (),
        full: bool = False,
    ) -> Kernel:
        """The kernel of a law for these ranks and arrays; `full`: torques for all velocities."""
        law = LAWS[method]
        if law.needs_mass:
            self.kernels.require_mass()
        sizes = {name: self.kernels.vectors[name].size for name in arrays}
        if full:
            sizes["tau"] = self.robot.nv
        choices, formulations = {"structure": structure}, (FORMULATIONS[law.algorithm],)
        request = self.kernels.request(method, law.algorithm, sizes, frames, choices, formulations=formulations)
        return self.kernels.kernel(request)


def _with(whole: Any, there: Any, part: Any) -> Any:
    out = np.array(whole)
    out[there] = part
    return out
