"""Samples of robots that were not chosen for it."""

import numpy as np

import articulated as art


def samples(robot: art.Robot, count: int, seed: int = 1234) -> dict[str, np.ndarray]:
    """Random states and the torques of the robot."""
    rng = np.random.default_rng(seed)
    v, a = rng.normal(size=(2, count, robot.nv))
    q = robot.integrate(np.broadcast_to(robot.neutral(), (count, robot.nq)), rng.normal(size=(count, robot.nv)))
    return {"q": np.asarray(q), "v": v, "a": a, "tau": np.asarray(robot.inverse_dynamics(q, v, a))}


def part(block: dict[str, np.ndarray], rows: slice) -> dict[str, np.ndarray]:
    return {name: x[rows] for name, x in block.items()}
