"""Estimators, identification, motions and optimal control with arguments that work, for the fuzzer."""

import contextlib
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

import articulated as art

from .callables import FEET, Case


def cases() -> Iterator[Case]:
    """All of them."""
    yield from (*_descriptions(), *_estimators(), *_identification(), *_motions(), *_control())


def _descriptions() -> Iterator[Case]:
    arm, at = art.load("2r"), np.array([0.0, 1.0, 0.0])
    spring = {"a": "tip", "b": at, "stiffness": 100.0, "length": 0.5, "damping": 1.0}
    ram = {"a": at, "b": "tip", "name": "lift"}
    still = [0, 0]
    yield Case("Spring", lambda **x: arm.add_springs([art.Spring(**x)]).spring_forces(still, still), spring, True)
    yield Case(
        "LinearActuator", lambda **x: arm.add_actuators([art.LinearActuator(**x)]).actuator_lengths(still), ram, True
    )
    yield Case("dh_table", art.dh_table, {"robot": art.load("ur5"), "convention": "modified"})
    tasks = [art.exercise("2r", "statics")]
    yield Case(
        "exercise_sheet", art.exercise_sheet, {"exercises": tasks, "format": "md", "solutions": True, "title": "Week 3"}
    )


def _estimators() -> Iterator[Case]:
    dog, arm, rng = art.load("quadruped", floating_base=True), art.load("2r"), np.random.default_rng(8)
    home, v = dog.poses["home"], rng.normal(size=2)
    base = {"robot": dog, "feet": FEET, "dt": 1e-3, "imu": "base"}
    yield Case("BaseEstimator", art.BaseEstimator, base)
    yield Case("BaseEstimator.reset", art.BaseEstimator(**base).reset, {"q": home, "v": np.zeros(18)})
    measured = {"gyro": np.zeros(3), "accelerometer": np.array([0, 0, 9.81]), "q": home[7:], "v": np.zeros(12),
                "contacts": [True] * 4}  # fmt: skip

    def estimated(**given: Any) -> Any:
        estimator = art.BaseEstimator(**base)
        estimator.reset(home, np.zeros(18))
        return estimator(*given.values())

    yield Case("BaseEstimator()", estimated, measured)
    observer = {"robot": arm, "dt": 1e-3, "rate": 100.0}
    yield Case("MomentumObserver", art.MomentumObserver, observer)
    state = {"q": arm.random(rng), "v": v, "tau": v}
    yield Case("MomentumObserver()", lambda **given: art.MomentumObserver(**observer)(**given), state)
    logged = {name: np.tile(x, (20, 1)) for name, x in state.items()}
    yield Case("external_torques", art.external_torques, {**observer, **logged})
    payload = {"robot": arm, "link": "tip", "memory": 2.0, "noise": 0.1, "batch": ()}
    yield Case("PayloadEstimator", art.PayloadEstimator, payload)
    yield Case("PayloadEstimator.update", lambda **given: art.PayloadEstimator(**payload).update(**given),
               {**state, "a": v})  # fmt: skip
    feet = art.Contacts(dog, point=FEET)
    pushed = {"contacts": feet, "q": home, "external": rng.normal(size=18)}
    yield Case("contact_forces", art.contact_forces, pushed, True)


def _identification() -> Iterator[Case]:
    folder, arm, rng = Path(tempfile.mkdtemp(prefix="articulated-fuzz-")), art.load("2r"), np.random.default_rng(9)
    q, v, a = rng.normal(size=(3, 300, 2))
    log = {"q": q, "v": v, "a": a, "tau": arm.inverse_dynamics(q, v, a)}
    normal = {"robot": arm, "block": log, "friction": ["viscous"], "weights": np.ones(2)}
    yield Case("base_parameters", art.base_parameters, {"robot": arm})
    yield Case("regressor_names", art.regressor_names, {"robot": arm, "friction": "viscous", "wrenches": ["tip"]})
    yield Case("Normal", art.Normal, normal)
    sums = art.Normal(**normal)
    sums.save(folder / "sums.npz")
    yield Case("Normal.equations", sums.equations, {"weights": np.ones(2)})
    yield Case("Normal.save", lambda: sums.save(folder / "other.npz"), {})
    yield Case("Normal.load", art.Normal.load, {"path": str(folder / "sums.npz"), "robot": arm})
    with contextlib.suppress(ImportError):
        import dask.array

        lazy = {name: dask.array.from_array(x) for name, x in log.items()}
        yield Case("distributed_normal", art.distributed_normal, {"robot": arm, "block": lazy, "friction": ["viscous"]})
    yield Case("excitation", art.excitation, {"robot": arm, "duration": 1.0, "rate": 20.0, "harmonics": 2,
                                              "acceleration": np.full(2, 10.0), "start": q[0], "seed": 0})  # fmt: skip
    asked = {"robot": arm, "log": log, "friction": ["viscous"], "consistent": False, "trust": 1.0, "folds": 2}
    yield Case("identify", art.identify, {**asked, "prior": arm.parameters, "robust": False})
    yield Case("identify", art.identify, {**asked, "only": "payload", "link": "tip"})
    t = np.arange(0, 2, 0.01)
    np.savez(folder / "run.npz", time=t, q=np.stack([np.sin(t), np.cos(t)], 1), tau=np.zeros((200, 2)))
    yield Case("read_log", art.read_log, {"robot": arm, "source": str(folder / "run.npz"), "cutoff": 10.0, "rate": 50.0,
                                          "degrees": False})  # fmt: skip


def _motions() -> Iterator[Case]:
    arm = art.load("2r")
    points = np.array([[0, 0], [1, 0.5], [1, -0.5]])
    yield Case("path", art.path, {"robot": arm, "waypoints": points, "knots": np.array([0.0, 1.0, 2.5]), "rest": False})
    way = art.path(arm, points)
    yield Case("Path.at", lambda s: way.at(s).q, {"s": 0.5})
    limits = {"limits": {"velocity": np.full(2, 2.0), "acceleration": np.full(2, 10.0)}}
    yield Case("motion", art.motion, {"robot": arm, "waypoints": points, "kind": "trapezoidal", **limits, "dt": 0.01})
    yield Case("motion", art.motion, {"robot": arm, "waypoints": points, **limits, "duration": 9.0, "dt": 0.01})
    yield Case("time_optimal", art.time_optimal, {"robot": arm, "path": points, "torque_limits": False, **limits,
                                                  "points": 50})  # fmt: skip
    panda = art.load("panda")
    home = panda.poses["home"]
    curve = {"robot": panda, "frame": "panda_hand", "q0": home, "target": panda.pose(home, "panda_hand")}
    curve["target"][:3, 3] += [0.01, 0.02, -0.01]
    yield Case("frame_path", art.frame_path, {**curve, "shape": "straight", "points": 5})


def _control() -> Iterator[Case]:
    arm = art.load("2r")
    state = {"q": np.array([0.1, 0.2]), "v": np.array([1.0, 0.0]), "tau": np.zeros(2)}
    run = art.simulate(art.load("2r"), [0.5, 0.0], duration=0.05, dt=0.01)
    yield Case(
        "simulate_derivatives", art.simulate_derivatives, {"run": run, "feedback": np.zeros((2, 4)), "contacts": []}
    )
    asked = {"robot": arm, **state, "dt": 0.01, "method": "euler", "contacts": []}
    yield Case("linearize_step", art.linearize_step, asked, True)
    costs = [art.costs.control(1e-3), art.costs.state([0.5, 0.5], final=100)]
    asked = {"robot": arm, "horizon": 5, "costs": costs, "dt": 0.02, "method": "euler", "actuated": ["joint1"],
             "limits": False}  # fmt: skip
    yield Case("Problem", art.Problem, asked)
    problem = art.Problem(arm, 5, costs, dt=0.02)
    state = {"q0": np.zeros(2), "v0": np.zeros(2), "tau": np.zeros((5, 2)), "iterations": 3, "tolerance": 1e-4}
    yield Case("Problem.solve", lambda **given: problem.solve(**given), state)
    dog = art.load("quadruped", floating_base=True)
    walking = {"robot": dog, "gait": "trot", "feet": FEET, "soles": {}, "home": None, "friction": 0.6, "period": 0.5,
               "height": 0.05, "capture": 1.3, "terrain": None, "tasks": []}  # fmt: skip
    yield Case("Walk", lambda **given: art.Walk(**given), walking)
    walk = art.Walk(dog)
    yield Case("Walk.command", walk.command, {"vx": 0.5, "vy": 0.1, "turn": 0.2, "gait": "trot"})
