"""Simulations with arguments that work, for tests/robot/fuzz.py: every method, option and kind of input."""

from collections.abc import Iterator
from typing import Any

import numpy as np

import articulated as art
from tests.robot.callables import FEET, Case

#: ten steps
SHORT = {"duration": 0.01, "dt": 0.001, "progress": False}


def cases() -> Iterator[Case]:
    """All of them."""
    arm, rng = art.load("ur5"), np.random.default_rng(6)
    state = {"robot": arm, "q0": rng.normal(size=6), "v0": rng.normal(size=6), **SHORT}
    pushed = {"forces": art.Wrenches({"tool0": rng.normal(size=6)}, "world", "environment")}
    torque = {"torque": rng.normal(size=(10, 6)), **pushed, "every": 2, "threads": 1}
    yield Case("simulate", _moved, {**state, **torque, "limits": False}, True)
    other = {"parameters": arm.parameters, "joints": {"elbow_joint": {"damping": 0.1, "armature": 0.2}}}
    yield Case("simulate", _moved, {**state, **other, "method": "rk4", "limits": None}, True)
    events = {"first": _crossed, "last": (_crossed, {"terminal": True, "direction": -1})}
    yield Case("simulate", _moved, {**state, "method": "adaptive", "rtol": 1e-6, "atol": 1e-8, "events": events})
    yield Case("simulate", _moved, {**state, "method": "symplectic", "torque": art.traced(_pushed), "every": 5})
    law = art.PD(arm, 100.0, 20.0).towards(np.zeros(6))
    yield Case("simulate", _moved, {**state, "torque": law, "events": [_crossed]})
    yield Case("traced", lambda function: _moved(**state, torque=art.traced(function)), {"function": _pushed})
    dog = art.load("quadruped", floating_base=True)
    stand = {"robot": dog, "q0": dog.neutral() + 0.0, "v0": np.zeros(dog.nv), **SHORT}
    stand["q0"][2] = 0.5
    yield Case("simulate", _moved, {**stand, "contacts": art.Ground(feet=FEET), "torque": np.zeros((10, dog.nv))}, True)
    yield Case("simulate", _moved, {**stand, "contacts": [art.Contacts(dog, point=FEET[:1])], "forces": None})


def _moved(**given: Any) -> np.ndarray:
    run = art.simulate(**given)
    return np.concatenate([run.q.ravel(), run.v.ravel()])


def _crossed(t: float, q: Any, v: Any) -> Any:
    """The height of an event."""
    return q[0] - 0.01


def _pushed(t: float, q: Any, v: Any) -> Any:
    """Damping."""
    return -0.1 * v
