"""Contacts: the dynamics of a robot while a set of contacts holds."""

from collections.abc import Callable, Mapping, Sequence
from numbers import Real
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ..compiler.abi import FORMS
from ..errors import ShapeError, unknown
from ..robot.arguments import choose
from . import by_singular_values
from .by_singular_values import Torques
from .checks import require_finite, wish
from .kernels import kernel
from .laws import contact_acceleration, contact_impact, contact_motion, contact_torques
from .loops import closed
from .set import ContactSet
from .subspaces import TOLERANCE, Floats, apply, pseudo_inverse

Forces = Mapping[str, ArrayLike] | None
Those = Callable[[Any], Any]  # the states of an array that are done again

#: of `inverse_dynamics`: the compiled law of laws.py, and the lecture's formulas
METHODS = ("qr", "projector", "full_qr")


class Motion(NamedTuple):
    """Accelerations (…, nv) and the contact forces (…, k) that go with them."""

    a: Floats
    forces: Floats


class Impact(NamedTuple):
    """Velocities (…, nv) after an impact and the impulses (…, k) it took."""

    v: Floats
    impulses: Floats


class Contacts(ContactSet):
    """Contacts of a robot with the ground, and loops between two of its frames, all of which hold.

    `point` and `surface` are lists of frames; `line` maps frames to the axis (their own) they may turn about,
    `direction` frames to the one direction (of the world) they do not move along; a loop is (frame, other), or
    (frame, other, "hinge", axis), or (frame, other, "weld").  `passive` lists joints without a motor.

    Contact forces are what the ground does to the robot, one per row; `rows` names them.  Arrays have any leading
    shape.  Where contacts have another rank than they usually have (feet that coincide, a stretched leg), it is
    found from singular values, some hundred times slower.
    """

    def acceleration(self, q: ArrayLike, v: ArrayLike, a0: ArrayLike) -> Floats:
        """The acceleration nearest to `a0` for which the contacts stay where they are."""
        found = self._law("acceleration", contact_acceleration, {"q": q, "v": v, "a0": a0})
        unsound = _unsound(found.checks)
        if not unsound.any():
            return found.value
        require_finite("acceleration", q=q, v=v, a0=a0)

        def again(those: Those) -> list[Any]:
            J, start = self._jacobian_there(those(q)), those(a0)
            missing = apply(J, start) + self.bias(those(q), those(v))
            return [start - apply(pseudo_inverse(J, scale=self.structure.size), missing)]

        return by_singular_values.redone([found.value], unsound, again)[0]

    def inverse_dynamics(
        self,
        q: ArrayLike,
        v: ArrayLike,
        a: ArrayLike,
        tau0: ArrayLike | None = None,
        weight: ArrayLike | None = None,
        force_weight: ArrayLike | None = None,
        forces: Forces = None,
        method: str = "qr",
    ) -> Torques:
        """Torques that give the acceleration `a` whatever the contact forces are, and the contact forces.

        Of all such torques, those with the smallest sum of weight (tau - tau0)² + force_weight forces²; a weight is
        a number, one per component, or a matrix.  `method` "projector" and "full_qr" are the lecture's formulas,
        for study: the same to rounding.  `forces` are other external ones, as in `Robot.inverse_dynamics`.
        """
        if tau0 is None and weight is None and force_weight is None and not forces and method == "qr":
            tau, contact_forces, checks = found = self._kernels["torques"](q, v, a)
            if checks.ndim == 1:
                # one state, the usual ranks: what a controller waits for
                residual, violation, conditioning = checks.tolist()
                if conditioning > TOLERANCE:  # (the constructor takes as long as a tenth of the law)
                    return tuple.__new__(Torques, (tau, contact_forces, residual, violation, conditioning))
            return self._judged(found, {"q": q, "v": v, "a": a}, {}, None)
        choose("contacts.inverse_dynamics", "method", method, METHODS)
        given = {"tau0": tau0, "weight": weight, "force_weight": force_weight}
        wishes = {name: wish(self.robot.name, name, x, self._size(name)) for name, x in given.items() if x is not None}
        state, found = {"q": q, "v": v, "a": a}, None
        if method == "qr" and all(name == "tau0" or x.ndim == 1 for name, x in wishes.items()):
            found = self._law("inverse_dynamics", contact_torques, {**state, **wishes}, forces)
        return self._judged(found, state, wishes, forces, method)

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
        """
        state: dict[str, Any] = {"q": q, "v": v, "tau": tau}
        if not forces and baumgarte is None and isinstance(tau, np.ndarray) and tau.shape[-1:] == (self._motors,):
            found = self._kernels["motion"](q, v, tau)
            if found.checks.ndim == 1 and found.checks[0] > TOLERANCE:
                return Motion(found.value, found.forces)
        else:
            if baumgarte is not None:
                state["correction"] = self._correction(q, v, baumgarte, anchors)
            found = self._law("forward_dynamics", contact_motion, state, forces)
        unsound = _unsound(found.checks)
        if not unsound.any():
            return Motion(found.value, found.forces)
        require_finite("forward_dynamics", **state)

        def again(those: Those) -> Sequence[Any]:
            there, speed = those(q), those(v)
            pushed = {name: those(force) for name, force in (forces or {}).items()}
            free = self.robot.forward_dynamics(there, speed, self._spread(those(tau)), forces=pushed)
            wanted = (those(state["correction"]) if "correction" in state else 0) - self.bias(there, speed)
            J = self._jacobian_there(there)
            return by_singular_values.held(self.robot.mass_matrix(there), J, free, wanted, self.structure)

        return Motion(*by_singular_values.redone(found[:2], unsound, again))

    def impact(self, q: ArrayLike, v: ArrayLike, restitution: float = 0.0) -> Impact:
        """Velocities after the contacts have been made at once: J v₊ = -restitution J v, and the impulses."""
        if not (isinstance(restitution, Real) and 0 <= restitution <= 1):
            raise ShapeError(f"restitution is between 0 (they stick) and 1 (they bounce back); got {restitution!r}")
        found = self._law("impact", contact_impact, {"q": q, "v": v, "restitution": restitution})
        unsound = _unsound(found.checks)
        if not unsound.any():
            return Impact(found.value, found.forces)
        require_finite("impact", q=q, v=v)

        def again(those: Those) -> Sequence[Any]:
            J, before = self._jacobian_there(those(q)), those(v)
            wanted = -restitution * apply(J, before)
            return by_singular_values.held(self.robot.mass_matrix(those(q)), J, before, wanted, self.structure)

        return Impact(*by_singular_values.redone(found[:2], unsound, again))

    def assemble(
        self,
        q: ArrayLike,
        anchors: ArrayLike | None = None,
        locked: tuple[str, ...] = (),
        tolerance: float = 1e-12,
        steps: int = 100,
    ) -> Floats:
        """A configuration near q, joints `locked` as they are, in which loops are closed and contacts at `anchors`."""
        return closed(self, q, anchors, locked, tolerance, steps)

    def warm(self, *methods: str, subsets: bool = False) -> None:
        """Compile ahead: `methods` (all), and for every subset of the contacts if asked."""
        laws: dict[str, tuple[Callable[..., Any], str]] = {
            "inverse_dynamics": (contact_torques, "a"),
            "forward_dynamics": (contact_motion, "tau"),
            "acceleration": (contact_acceleration, "a0"),
            "impact": (contact_impact, "restitution"),
        }
        for method in methods or laws:
            if method not in laws:
                raise unknown("method to warm:", method, "Contacts", laws)
            function, last = laws[method]
            sizes = {name: self._size(name) for name in ("q", "v", last)}
            kernel(self.robot, method, function, sizes, self.structure).ready(*FORMS)
        if subsets:
            for i in range(1, 2 ** len(self.names)):
                self.lift(*(name for j, name in enumerate(self.names) if i >> j & 1)).warm(*methods)

    # -- how ----------------------------------------------------------------------------

    def _law(self, method: str, function: Callable[..., Any], state: Mapping[str, Any], forces: Forces = None) -> Any:
        full = "tau" in state and np.shape(state["tau"])[-1:] == (self.robot.nv,)
        key = (method, tuple(state), tuple(forces or ()), full)
        found = self._kernels.get(key)
        if forces:
            require_finite(method, **{f"the force at {name}": force for name, force in forces.items()})
        if found is None:
            if function in (contact_motion, contact_impact):
                self.robot._require_mass()
            sizes = {name: self.robot.nv if full and name == "tau" else self._size(name) for name in state}
            frames = tuple(self.robot.model.frame(name).name for name in forces or ())
            found = self._kernels[key] = kernel(self.robot, method, function, sizes, self.structure, frames)
        return found.call(*state.values(), *(forces or {}).values())

    def _judged(self, found: Any, state: dict, wishes: dict, forces: Forces, method: str = "qr") -> Torques:
        """What was `found`, done again by singular values where it is not sound; all of it if nothing was found."""
        if found is None:
            require_finite("inverse_dynamics", **state)
            return self._ranked(state, wishes, forces, method)
        usual = Torques(found.value, found.forces, *(found.checks[..., i] for i in range(3)))
        unsound = _unsound(found.checks)
        if not unsound.any():
            return usual
        require_finite("inverse_dynamics", **state)

        def again(those: Those) -> Torques:
            there = {name: those(x) for name, x in state.items()}
            wanted = {name: those(x) if name == "tau0" else x for name, x in wishes.items()}
            return self._ranked(there, wanted, {name: those(force) for name, force in (forces or {}).items()}, method)

        both = Torques(*by_singular_values.redone(usual, unsound, again))
        # the conditioning stays: it says which states these were
        return both._replace(conditioning=np.nan_to_num(usual.conditioning, nan=0.0))

    def _ranked(self, state: dict, wishes: dict, forces: Forces, method: str) -> Torques:
        """Torques by singular values."""
        f, J = self.robot.inverse_dynamics(**state, forces=forces), self._jacobian_there(state["q"])
        moved = apply(J, np.asarray(state["a"], float)) + self.bias(state["q"], state["v"])
        return by_singular_values.torques(f, J, moved, self.structure, method, **wishes)

    def _jacobian_there(self, q: Any) -> Floats:
        J = self.jacobian(q)
        if not np.isfinite(J).all():
            raise ShapeError("q has no Jacobian: is there a quaternion of zeros in it?")
        return J

    def _correction(self, q: Any, v: Any, rate: float, anchors: Any) -> Floats:
        if not (isinstance(rate, Real) and np.isfinite(rate) and rate >= 0):
            raise ShapeError(f"baumgarte is a rate in rad/s, a number that is not negative; got {rate!r}")
        return -(rate**2) * self.drift(q, anchors) - 2 * rate * apply(self.jacobian(q), np.asarray(v, float))

    def _spread(self, tau: Any) -> Floats:
        """Torques of the actuated joints as generalized forces."""
        tau = np.asarray(tau, float)
        if tau.shape[-1] == self.robot.nv:
            return tau
        out = np.zeros((*tau.shape[:-1], self.robot.nv))
        out[..., self.actuated] = tau
        return out


def _unsound(checks: Any) -> Any:
    """In which states the ranks are not the usual ones."""
    return ~(checks[..., -1] > TOLERANCE)
