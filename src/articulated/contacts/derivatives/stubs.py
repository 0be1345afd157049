"""Types of the derivatives of the laws of contacts, for type checkers."""

from collections.abc import Mapping
from typing import Literal, NamedTuple, TypedDict

from numpy.typing import ArrayLike

from ..ranks.subspaces import Floats

Forces = Mapping[str, ArrayLike] | None
#: laws with derivatives, and what `wrt=` may name
OfLaws = Literal["forward_dynamics", "inverse_dynamics", "impact"]
By = Literal["q", "v", "a", "tau", "forces", "parameters"]


class LawArguments(TypedDict, total=False):
    """All that some law whose derivatives there are takes by its name; tests/project/test_types.py compares."""

    q: ArrayLike
    v: ArrayLike
    a: ArrayLike
    tau: ArrayLike
    tau0: ArrayLike | None
    weight: ArrayLike | None
    force_weight: ArrayLike | None
    forces: Forces
    restitution: float


class MotionDerivatives(NamedTuple):
    """Derivatives of `forward_dynamics`: accelerations (…, nv, ·) and contact forces (…, k, ·)."""

    a_q: Floats
    a_v: Floats
    a_tau: Floats
    forces_q: Floats
    forces_v: Floats
    forces_tau: Floats


class TorqueDerivatives(NamedTuple):
    """Derivatives of `inverse_dynamics`: torques (…, motors, ·) and contact forces (…, k, ·)."""

    tau_q: Floats
    tau_v: Floats
    tau_a: Floats
    forces_q: Floats
    forces_v: Floats
    forces_a: Floats


class ImpactDerivatives(NamedTuple):
    """Derivatives of `impact`: velocities afterwards (…, nv, ·) and impulses (…, k, ·)."""

    v_q: Floats
    v_v: Floats
    impulses_q: Floats
    impulses_v: Floats
