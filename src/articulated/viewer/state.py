"""The state that the page shows: a configuration, a velocity, and its origin."""

import threading
from typing import Any, NamedTuple

import numpy as np


class Moment(NamedTuple):
    """One state of the robot; `serial` grows with every change."""

    q: np.ndarray
    v: np.ndarray
    serial: int
    origin: str  # "sliders", "motion", "drag", …
    sample: int | None = None  # of the motion that is played, if it is one


class State:
    """The moment that is shown; threads of the page set it, others read it."""

    def __init__(self, q: np.ndarray, nv: int):
        self._lock = threading.Lock()
        self._now = Moment(np.array(q, float), np.zeros(nv), 0, "start")

    @property
    def now(self) -> Moment:
        """The moment that is shown."""
        return self._now

    def set(self, q: Any, v: Any = None, origin: str = "program", sample: int | None = None) -> None:
        """Show another state; at rest without v."""
        with self._lock:
            before = self._now
            rest = np.zeros_like(before.v) if v is None else np.array(v, float)
            self._now = Moment(np.array(q, float), rest, before.serial + 1, origin, sample)

    def change(self, index: Any, values: Any, origin: str) -> None:
        """Show the same configuration with some coordinates changed."""
        with self._lock:
            before = self._now
            q = before.q.copy()
            q[index] = values
            self._now = Moment(q, np.zeros_like(before.v), before.serial + 1, origin)
