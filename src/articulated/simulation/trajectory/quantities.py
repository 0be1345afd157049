"""What a trajectory answers with, by name."""

from typing import NamedTuple

import numpy as np

STATE = ("q", "v", "a", "tau")


class State(NamedTuple):
    """One moment of a trajectory, or K of them: t (K,), q (…, K, nq), the others (…, K, nv)."""

    t: np.ndarray
    q: np.ndarray
    v: np.ndarray
    a: np.ndarray
    tau: np.ndarray


class Energy(NamedTuple):
    """Energies in joules, (…, T); the potential energy is zero at the world's origin."""

    kinetic: np.ndarray
    potential: np.ndarray
    total: np.ndarray
