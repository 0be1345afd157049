"""Forward pass: the motion under new controls, as one compiled loop; every problem and step length has a lane."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ..algebra.scalars import Array, Scalar, array, select
from ..algorithms.configuration import difference
from ..algorithms.forward_dynamics import forward_dynamics
from ..compiler.passes.builder import Builder
from ..compiler.passes.loops import Routine
from ..model import Model
from ..robot import Robot
from ..simulation.drive.damping import damped
from ..simulation.methods.euler import Step, euler
from ..simulation.methods.runge_kutta import RK4, end, moved, slope
from .routines import called

Floats = np.ndarray


class Motion(NamedTuple):
    """States and controls of problems, (N, T + 1, …) and (N, T, u)."""

    q: Floats
    v: Floats
    u: Floats


def rk4(model: Model, q: Array, v: Array, dt: Scalar, acceleration: Callable[..., Array]) -> Step:
    """The classical Runge-Kutta step as one block."""
    y, slopes = np.concatenate([q, v]), array([])
    for row in RK4.a:
        there = moved(y, slopes, array(row), dt) if row else y
        at, speed = there[: model.nq], there[model.nq :]
        slopes = np.concatenate([slopes, slope(model, at, speed, acceleration(at, speed))])
    return end(model, RK4, y, slopes, dt)


#: steps that can be blocks of a rollout, and whether damping is implicit in them
BLOCKS = {"euler": (euler, True), "rk4": (rk4, False)}


def rollout(
    robot: Robot, method: str, dt: float, actuated: tuple[int, ...], near: Motion, gains: Any, alpha: Floats,
    limits: tuple[Floats, Floats],
) -> Motion:  # fmt: skip
    """The motion of every lane: u = clip(u_near + alpha feedforward + feedback (x ⊖ x_near)), from the first state."""
    N, T, m = near.u.shape
    key = ("problem", method, actuated, dt if BLOCKS[method][1] else 0.0)
    given = {"q": near.q[:, :T], "v": near.v[:, :T], "u": near.u, "feedforward": gains.feedforward}
    given |= {"feedback": gains.feedback.reshape(N, T, -1), "alpha": alpha.reshape(N, 1, 1), "dt": np.array([[dt]])}
    given |= {"low": limits[0][None], "high": limits[1][None]}
    results = {"q_next": (N, T, robot.nq), "v_next": (N, T, robot.nv), "control": (N, T, m)}
    out = called(robot, key, lambda: _routine(robot, method, dt, actuated), given, results, {"steps": T})
    q = np.concatenate([near.q[:, :1], out["q_next"]], axis=1)
    return Motion(q, np.concatenate([near.v[:, :1], out["v_next"]], axis=1), out["control"])


def _routine(robot: Robot, method: str, dt: float, actuated: tuple[int, ...]) -> Routine:
    nq, nv, m = robot.nq, robot.nv, len(actuated)
    take, implicit = BLOCKS[method]
    moving = Robot(damped(robot.model, dt)) if implicit and any(b.damping for b in robot.model.bodies) else robot
    r = Builder()
    sizes = {"q": nq, "v": nv, "u": m, "feedforward": m, "feedback": m * 2 * nv}
    given = {name: r.input(name, size, "steps") for name, size in sizes.items()}
    once = {name: r.input(name, size) for name, size in (("alpha", 1), ("dt", 1), ("low", m), ("high", m))}
    out = {name: r.output(name, size, "steps") for name, size in (("q_next", nq), ("v_next", nv), ("control", m))}
    here = {name: r.local(f"{name} here", memory.size) for name, memory in {**given, **once}.items()}
    now = {"q_now": r.local("q now", nq), "v_now": r.local("v now", nv)}
    control = r.local("control now", m)
    for name, memory in once.items():
        r.copy(memory, here[name])
    for name in ("q", "v"):
        r.copy(given[name].row(0), now[f"{name}_now"])

    def controls(
        q: Array, v: Array, u: Array, feedforward: Array, feedback: Array, alpha: Array, **rest: Array
    ) -> Array:
        dx = np.concatenate([difference(robot.model, q, rest["q_now"]), rest["v_now"] - v])
        wanted = u + alpha[0] * feedforward + feedback.reshape(m, 2 * nv) @ dx
        low, high = rest["low"], rest["high"]
        return array([select(x < a, a, select(b < x, b, x)) for x, a, b in zip(wanted, low, high, strict=True)])

    def block(model: Model, dynamics: Callable[..., Array]) -> Callable[..., Any]:
        def stepped(q_now: Array, v_now: Array, control: Array, dt: Array) -> Any:
            tau = array([0] * nv)
            tau[list(actuated)] = control
            return take(robot.model, q_now, v_now, dt[0], lambda q, v: dynamics(model, q, v, tau))[:2]

        return stepped

    ways = [block(*way) for way in moving.kernels.ways(forward_dynamics)]
    with r.loop("t", "steps"):
        for name, memory in given.items():
            r.copy(memory.row("t"), here[name])
        own = {name: memory for name, memory in here.items() if name != "dt"}
        r.run(controls, {**own, **now}, [control])
        r.run(ways, {**now, "control": control, "dt": here["dt"]}, list(now.values()))
        for memory, name in ((now["q_now"], "q_next"), (now["v_now"], "v_next"), (control, "control")):
            r.copy(memory, out[name].row("t"))
    return r.routine()
