"""A joint law on a plant: errors of the actuated joints, springs and dampers on them, and the law's own torques."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...algebra.scalars import Array
from ...algorithms.inverse_dynamics import inverse_dynamics
from ...model import Model
from .plants import FixedBase

Floats = NDArray[np.floating]


class Torques(NamedTuple):
    """tau = feedforward + feedback, of the actuated joints."""

    tau: Floats
    feedforward: Floats
    feedback: Floats


class Errors(NamedTuple):
    """State and error of a robot as a joint law sees them; the last three of the actuated joints."""

    q: Array
    v: Array
    a_ref: Array  # planned acceleration, (nv,)
    error: Array  # from q to q_ref
    rate: Array  # v_ref - v
    feedback: Array  # Kp error + Kd rate


def law_on_plant(
    plant: Any, state: Sequence[Any], gains: Sequence[Any], torques: Callable[..., Torques], options: Mapping[str, Any]
) -> Torques:
    """`torques(plant, errors, **options)` in a state (q, v, q_ref, v_ref, a_ref) with gains (Kp, Kd)."""
    q, v, q_ref, v_ref, a_ref = state
    error, rate = plant.actuated(plant.difference(q, q_ref)), plant.actuated(v_ref - v)
    springs, dampers = (_applied(K, e) for K, e in zip(gains, (error, rate), strict=True))
    return torques(plant, Errors(q, v, a_ref, error, rate, springs + dampers), **options)


def law_of_fixed_base(
    model: Model,
    q: Array,
    v: Array,
    q_ref: Array,
    v_ref: Array,
    a_ref: Array,
    stiffness: Array,
    damping: Array,
    torques: Callable[..., Torques],
    recursion: Callable[..., Array] = inverse_dynamics,
    **options: Any,
) -> Torques:
    """The same of one state on any scalar: what the kernel of a law computes."""
    state, gains = (q, v, q_ref, v_ref, a_ref), (stiffness, damping)
    return law_on_plant(FixedBase(model, recursion), state, gains, torques, options)


def _applied(K: Any, e: Any) -> Any:
    """K e for the diagonal (n,) or all entries (n²,) of a matrix of gains."""
    n = e.shape[-1]
    return K * e if len(K) == n else e @ K.reshape(n, n).T
