"""Tasks to be learned: a robot, where it begins, what is seen, what an action does, and what is good.

A task is written once, on arrays with one row per robot; `articulated.gymnasium` makes environments of it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from ..robot import Robot
from ..robot.construction import load
from ..simulation import Ground, Simulator

Floats = np.ndarray


class Judgement(NamedTuple):
    """Reward of an action, and whether the episode is over, (n,) each."""

    reward: Floats
    over: Floats


@dataclass(frozen=True)
class Task:
    """Functions of a `Simulator` with n robots; `rng` is a NumPy generator."""

    robot: Robot
    actions: int  # numbers of an action, each from -1 to 1
    start: Callable[[np.random.Generator, int], tuple[Floats, Floats]]  # q (count, nq) and v (count, nv)
    observe: Callable[[Simulator], Floats]  # (n, numbers)
    act: Callable[[Simulator, Floats], Mapping[str, Any]]  # arguments of `Simulator.step` for actions (n, actions)
    judge: Callable[[Simulator, Floats], Judgement]
    steps: int  # of the simulator for an action
    longest: int  # actions of an episode
    options: Mapping[str, Any] = field(default_factory=dict)  # of the simulator: dt, contacts, gains, …


def cart_pole() -> Task:
    """Keep a pole upright on a cart, by forces of up to 10 N on the cart, 50 times a second for 5 s."""
    robot = load("cart_pole")

    def start(rng: np.random.Generator, count: int) -> tuple[Floats, Floats]:
        q, v = rng.uniform(-0.1, 0.1, (2, count, 2))
        q[:, 1] += np.pi
        return q, v

    def tilt(sim: Simulator) -> Floats:
        return (sim.q[:, 1] % (2 * np.pi)) - np.pi

    def observe(sim: Simulator) -> Floats:
        return np.stack([sim.q[:, 0], tilt(sim), sim.v[:, 0], sim.v[:, 1]], axis=1)

    def act(sim: Simulator, action: Floats) -> dict[str, Any]:
        return {"tau": np.concatenate([10.0 * action, 0.0 * action], axis=1)}

    def judge(sim: Simulator, action: Floats) -> Judgement:
        x, angle = sim.q[:, 0], tilt(sim)
        over = ~((abs(x) < 2.4) & (abs(angle) < 0.5))
        return Judgement(np.where(over, 0.0, 1 - 0.1 * x**2 - angle**2 - 0.01 * action[:, 0] ** 2), over)

    return Task(robot, 1, start, observe, act, judge, steps=4, longest=250, options={"dt": 5e-3})


#: of the walk: strides a second, how far an action moves a joint (rad), and the speed that is asked for (m/s)
STRIDES, REACH, SPEED = 2.0, 0.4, 0.5


def quadruped() -> Task:
    """Walk forward at 0.5 m/s: actions move the targets of the twelve servos, 50 times a second for 4 s.

    Seen are the phase of a stride, the direction of gravity, the velocities of the base, and the joints.
    """
    robot = load("quadruped", floating_base=True)
    home = np.array(robot.poses["home"])

    def start(rng: np.random.Generator, count: int) -> tuple[Floats, Floats]:
        q = np.tile(home, (count, 1))
        q[:, 2] += 0.01
        q[:, 7:] += rng.uniform(-0.02, 0.02, (count, 12))
        return q, np.zeros((count, robot.nv))

    def down(q: Floats) -> Floats:
        """Direction of gravity in the axes of the base."""
        x, y, z, w = q[:, 3:7].T
        return -np.stack([2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)], axis=1)

    def observe(sim: Simulator) -> Floats:
        phase = 2 * np.pi * STRIDES * sim.t
        clock = np.stack([np.sin(phase), np.cos(phase)], axis=1)
        return np.concatenate([clock, down(sim.q), sim.v[:, :6], sim.q[:, 7:] - home[7:], 0.1 * sim.v[:, 6:]], axis=1)

    def act(sim: Simulator, action: Floats) -> dict[str, Any]:
        return {"target": home[7:] + REACH * action}

    def judge(sim: Simulator, action: Floats) -> Judgement:
        over = ~((sim.q[:, 2] > 0.18) & (down(sim.q)[:, 2] < -0.7))
        forward, across, turn = sim.v[:, 0], sim.v[:, 1], sim.v[:, 5]
        reward = 1 - abs(forward - SPEED) / SPEED - 0.5 * abs(across) - 0.2 * abs(turn)
        power = 1e-3 * abs(sim.tau[:, 6:] * sim.v[:, 6:]).sum(axis=1)
        return Judgement(np.where(over, -1.0, reward - power), over)

    options = {"dt": 2e-3, "contacts": Ground(), "stiffness": 60.0, "damping": 1.5, "clip": True}
    return Task(robot, 12, start, observe, act, judge, steps=10, longest=200, options=options)


#: by the name of the environment, "articulated/…-v0"
TASKS: dict[str, Callable[[], Task]] = {"CartPole": cart_pole, "QuadrupedWalk": quadruped}
