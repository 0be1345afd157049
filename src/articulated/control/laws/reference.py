"""Controllers for `simulate`: a law with its reference, a function of (t, q, v)."""

from collections.abc import Callable
from copy import copy
from typing import Any

import numpy as np

from ...algebra.scalars import Array, array
from ...errors import ShapeError
from ...inputs import labels
from ...inputs.choices import function_of
from ...robot import Robot
from ...robot.arguments.arrays import as_vectors
from ...text import shortened
from ..tracing.tracing import Traced, run_on_scalars

#: parts of the reference of a joint law
REFERENCE = ("q_ref", "v_ref", "a_ref")


class Towards:
    """`controller(t, q, v)`: the torques (nv,) of a law whose reference is known.

    The reference is q_ref, or (q_ref, v_ref) or (q_ref, v_ref, a_ref), a function of time that returns one of these, or
    a trajectory, at whose end the robot is held.  A constant one, or one from `art.traced(f)`, lets a law on a fixed
    base run inside the compiled loop.
    """

    def __init__(self, law: Any, reference: Any):
        self.law, self.robot, self.lead = law, law.robot, 0.0  # v_ref is that of `lead` seconds later
        if hasattr(reference, "at") and hasattr(reference, "t"):
            reference = _along(reference)
        if callable(reference):
            function_of("towards: reference", reference, "t")
        self.reference = reference if callable(reference) else law._reference_parts(reference)

    def __call__(self, t: float, q: Any, v: Any) -> np.ndarray:
        """Torques (…, nv) at a time and in a state."""
        reference = self.law._reference_parts(self.reference(t)) if callable(self.reference) else self.reference
        found = self.law(q, v, *self._led(reference))
        out = np.zeros((*np.shape(found.tau)[:-1], self.robot.nv))
        out[..., self.law.actuated] = found.tau
        return out

    def _led(self, parts: Any) -> list[Any]:
        """The reference, its velocity `lead` seconds later."""
        led = self.lead and len(parts) == 3
        return [parts[0], parts[1] + self.lead * parts[2], parts[2]] if led else list(parts)

    def at_end_of_step(self, dt: float) -> tuple["Towards", np.ndarray] | None:
        """(other, D): with the errors after a step tau⁺ = other(t, q, v) - D (v⁺ - v), D (nv,).

        e⁺ = e + dt ė⁺ and ė⁺ = v_ref + dt a_ref - v⁺ make Kp e⁺ + Kd ė⁺ = Kp e + D (v_ref + dt a_ref - v⁺) with
        D = Kd + dt Kp.  None for a law without springs, or with gains that couple joints.
        """
        law = self.law
        if not getattr(law, "springs", False) or any(len(gain) != len(law.actuated) for gain in law.gains):
            return None
        other, D = copy(self), np.zeros(self.robot.nv)
        other.law, other.lead = law._stiffened(dt), dt
        D[law.actuated] = other.law.gains[1]
        return other, D

    @property
    def on_scalars(self) -> Callable[..., Array] | None:
        """The same on scalars, (t, q, v, **numbers), if it can be compiled."""
        unknown = callable(self.reference) and not isinstance(self.reference, Traced)
        if unknown or self.law.contacts is not None or not hasattr(self.law, "_torques"):
            return None
        model, nv = self.robot.model, self.robot.nv

        def law(t: Any, q: Array, v: Array, stiffness: Array, damping: Array, **parts: Array) -> Array:
            if isinstance(self.reference, Traced):
                found = self._led(_traced_parts(self.reference.function, t, self.robot))
            else:
                found = list(parts.values())
            still = array([0] * nv)
            return self.law._on_scalars(model, q, v, *found, *[still] * (3 - len(found)), gains=(stiffness, damping))

        return law

    @property
    def numbers(self) -> dict[str, np.ndarray]:
        """Numbers of the compiled law: its gains, and its reference where that is constant."""
        gains = dict(zip(("stiffness", "damping"), self.law.gains, strict=True))
        parts = () if callable(self.reference) else self._led(self.reference)
        return gains | dict(zip(REFERENCE, parts, strict=False))

    def reference_on_scalars(self, t: Any) -> Array:
        """A traced reference at a time, its parts one after the other."""
        return np.concatenate(_traced_parts(self.reference.function, t, self.robot))

    @property
    def key(self) -> Any:
        """Cache key: all that decides which torques it computes from its numbers; None if a function is in it."""
        if callable(self.reference):
            return None
        law = self.law
        return law._torques, law.joint_friction, tuple(law.options.items()), self.robot.kernels.identity()

    def __repr__(self) -> str:
        return f"<{type(self.law).__name__} of {self.robot.name} towards {_shown(self.reference)}>"


def _shown(reference: Any) -> str:
    """A reference on a line."""
    if callable(reference):
        return shortened(
            repr(reference) if isinstance(reference, Traced) else getattr(reference, "__name__", reference)
        )
    return shortened(", ".join(np.array2string(np.asarray(x), precision=4, separator=", ") for x in reference))


def _along(motion: Any) -> Callable[[float], tuple[Any, ...]]:
    """q, v and a of a trajectory as a function of time; at rest before it begins and after it ends."""
    first, last = motion.t[0], motion.t[-1]

    def along(t: float) -> tuple[Any, ...]:
        found = motion.at(min(max(t, first), last))
        inside = first <= t < last
        return found.q, found.v * inside, found.a * inside

    along.__name__ = repr(motion)
    return along


def joint_reference(robot: Robot, reference: Any) -> list[np.ndarray]:
    """q_ref, and v_ref and a_ref as far as they are given."""
    vectors = robot.kernels.vectors
    given = reference if isinstance(reference, tuple) else (reference,)
    if not 1 <= len(given) <= 3:
        raise ShapeError(f"a reference is q_ref, (q_ref, v_ref) or (q_ref, v_ref, a_ref); got {len(given)} parts")
    names = REFERENCE[: len(given)]
    found = [
        np.array(as_vectors("towards", robot.name, name, x, vectors[name[0]]))
        for name, x in zip(names, given, strict=True)
    ]
    for name, x in zip(names, found, strict=True):
        if not np.isfinite(x).all():
            raise ShapeError(f"towards: {name} holds NaN or infinity")
    return found


def _traced_parts(function: Callable[..., Any], t: Any, robot: Robot) -> list[Array]:
    """Parts of a traced reference at time t."""
    nq, nv = robot.nq, robot.nv
    whole = run_on_scalars(lambda time: _flat(robot, function(time)), t)
    if len(whole) not in (ends := [nq, nq + nv, nq + 2 * nv]):
        raise ShapeError(f"the reference has {len(whole)} numbers; q_ref has {nq}, v_ref and a_ref have {nv} each")
    return np.split(whole, [end for end in ends if end < len(whole)])


def _flat(robot: Robot, reference: Any) -> list[Any]:
    given = reference if isinstance(reference, tuple) else (reference,)
    vectors = robot.kernels.vectors
    parts = [labels.plain("the reference", x, vectors["v" if k else "q"].names) for k, x in enumerate(given)]
    return [x for part in parts for x in np.atleast_1d(np.asarray(part, dtype=object))]
