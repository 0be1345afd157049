"""A law and where it shall bring the robot: a controller for `simulate`, a function of (t, q, v)."""

from collections.abc import Callable
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


class Towards:
    """`controller(t, q, v)`: the torques (nv,) of a law whose reference is known.

    The reference is q_ref, or (q_ref, v_ref) or (q_ref, v_ref, a_ref), or a function of time that returns one of
    these.  A constant one, or one from `art.traced(f)`, lets a law on a fixed base run inside the compiled loop.
    """

    def __init__(self, law: Any, reference: Any):
        self.law, self.robot = law, law.robot
        if callable(reference):
            function_of("towards: reference", reference, "t")
        self.reference = reference if callable(reference) else law._reference_parts(reference)

    def __call__(self, t: float, q: Any, v: Any) -> np.ndarray:
        """Torques (…, nv) at a time and in a state."""
        reference = self.law._reference_parts(self.reference(t)) if callable(self.reference) else self.reference
        found = self.law(q, v, *reference)
        out = np.zeros((*np.shape(found.tau)[:-1], self.robot.nv))
        out[..., self.law.actuated] = found.tau
        return out

    @property
    def on_scalars(self) -> Callable[..., Array] | None:
        """The same on scalars, if it can be compiled."""
        unknown = callable(self.reference) and not isinstance(self.reference, Traced)
        if not callable(self.reference) and any(np.ndim(x) > 1 for x in self.reference):
            return None  # a batch of references has no place in the law of one state
        if unknown or self.law.contacts is not None or not hasattr(self.law, "_on_scalars"):
            return None
        model, nv = self.robot.model, self.robot.nv

        def law(t: Any, q: Array, v: Array) -> Array:
            if isinstance(self.reference, Traced):
                parts = _traced_parts(self.reference.function, t, self.robot)
            else:
                parts = [array(x.tolist()) for x in self.reference]
            still = array([0] * nv)
            return self.law._on_scalars(model, q, v, *parts, *[still] * (3 - len(parts)))

        return law

    def reference_on_scalars(self, t: Any) -> Array:
        """A traced reference at a time, its parts one after the other."""
        return np.concatenate(_traced_parts(self.reference.function, t, self.robot))

    @property
    def key(self) -> Any:
        """What tells it from others, for the cache; None if a function is in it."""
        if callable(self.reference):
            return None
        law = self.law
        return type(law), law.stiffness, law.damping, law._choice, self.robot.kernels.identity(), self.reference

    def __repr__(self) -> str:
        return f"<{type(self.law).__name__} of {self.robot.name} towards {_shown(self.reference)}>"


def _shown(reference: Any) -> str:
    """A reference on a line."""
    if callable(reference):
        return shortened(
            repr(reference) if isinstance(reference, Traced) else getattr(reference, "__name__", reference)
        )
    return shortened(", ".join(np.array2string(np.asarray(x), precision=4, separator=", ") for x in reference))


def joint_reference(robot: Robot, reference: Any) -> list[np.ndarray]:
    """q_ref, and v_ref and a_ref as far as they are given."""
    vectors = robot.kernels.vectors
    given = reference if isinstance(reference, tuple) else (reference,)
    if not 1 <= len(given) <= 3:
        raise ShapeError(f"a reference is q_ref, (q_ref, v_ref) or (q_ref, v_ref, a_ref); got {len(given)} parts")
    names = ("q_ref", "v_ref", "a_ref")[: len(given)]
    found = [
        np.array(as_vectors("towards", robot.name, name, x, vectors[name[0]]))
        for name, x in zip(names, given, strict=True)
    ]
    for name, x in zip(names, found, strict=True):
        if not np.isfinite(x).all():
            raise ShapeError(f"towards: {name} holds NaN or infinity")
    return found


def _traced_parts(function: Callable[..., Any], t: Any, robot: Robot) -> list[Array]:
    """What a traced function of time gives."""
    nq, nv = robot.nq, robot.nv
    whole = run_on_scalars(lambda time: _flat(robot, function(time)), t)
    sizes = [nq, nv, nv]
    parts, at = [], 0
    for size in sizes:
        if at < len(whole):
            parts.append(whole[at : at + size])
        at += size
    if sum(map(len, parts)) != len(whole) or [len(p) for p in parts] != sizes[: len(parts)]:
        raise ShapeError(f"the reference has {len(whole)} numbers; q_ref has {nq}, v_ref and a_ref have {nv} each")
    return parts


def _flat(robot: Robot, reference: Any) -> list[Any]:
    given = reference if isinstance(reference, tuple) else (reference,)
    vectors = robot.kernels.vectors
    parts = [labels.plain("the reference", x, vectors["v" if k else "q"].names) for k, x in enumerate(given)]
    return [x for part in parts for x in np.atleast_1d(np.asarray(part, dtype=object))]
