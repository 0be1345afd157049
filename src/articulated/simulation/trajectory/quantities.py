"""Named results of a trajectory, and the limits of its components."""

from typing import Any, NamedTuple

import numpy as np

from ...model import Model
from ...robot.arguments.states import joint_limits

STATE = ("q", "v", "a", "tau")
#: numbers of an array that are shown before only its ends are
SHOWN = 60


def _shown(values: Any) -> str:
    """A NamedTuple that fits on a screen, however long its arrays are."""
    with np.printoptions(threshold=SHOWN, edgeitems=2):
        parts = [f"{name}={np.asarray(x)!r}" for name, x in zip(values._fields, values, strict=True)]
    return f"{type(values).__name__}({', '.join(parts)})"


class State(NamedTuple):
    """One moment of a trajectory, or K of them: t (K,), q (…, K, nq), the others (…, K, nv)."""

    t: np.ndarray
    q: np.ndarray
    v: np.ndarray
    a: np.ndarray
    tau: np.ndarray

    def __repr__(self) -> str:
        return _shown(self)


class Energy(NamedTuple):
    """Energies in joules, (…, T); the potential energy is zero at the world's origin."""

    kinetic: np.ndarray
    potential: np.ndarray
    total: np.ndarray

    def __repr__(self) -> str:
        return _shown(self)


class Bounds(NamedTuple):
    """The range of each number of q, v or tau; infinite where there is none."""

    lower: np.ndarray
    upper: np.ndarray


def bounds(model: Model, name: str) -> Bounds:
    """Limits of the joints: of positions, speeds or efforts."""
    limits = joint_limits(model)
    if name == "q":
        return Bounds(limits.lower, limits.upper)
    most = {"v": limits.velocity, "tau": limits.effort}[name]
    return Bounds(-most, most)
