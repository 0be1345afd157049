"""Forward pass: the motion under new controls, as one compiled loop; every problem and step length has a lane."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ..algebra.scalars import Array, Scalar, array, greatest, select
from ..algorithms.configuration import difference, integrate
from ..algorithms.forward_dynamics import forward_dynamics
from ..compiler.passes.builder import Builder
from ..compiler.passes.loops import Routine
from ..contacts import Contacts
from ..contacts.laws import contact_motion
from ..contacts.ranks.subspaces import TOLERANCE
from ..model import Model
from ..robot import Robot
from ..simulation.methods.euler import Step, euler
from ..simulation.methods.runge_kutta import RK4, end, moved, slope
from .phases import Phase
from .routines import called
from .step import damped_over
from .terms import Beyond, Part, Terms, excess, torques, value

Floats = np.ndarray


class Motion(NamedTuple):
    """States and controls of problems, (N, T + 1, …) and (N, T, u)."""

    q: Floats
    v: Floats
    u: Floats
    own: Floats  # numbers of costs that differ from problem to problem, (N, T + 1, …)


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


class Rolled(NamedTuple):
    """Motions with their costs on scalars, and their largest violation of limits after the start, (N,) each."""

    motion: Motion
    costs: Floats
    over: Floats


def rollout(
    robot: Robot, method: str, dt: float, actuated: tuple[int, ...], schedule: tuple[Phase, ...], near: Motion,
    gains: Any, alpha: Floats, limits: tuple[Floats, Floats], terms: Terms, gaps: Floats | None = None,
) -> Rolled:  # fmt: skip
    """The motion of every lane: u = clip(u_near + alpha feedforward + feedback (x ⊖ x_near)), from the first state.

    With `gaps` (N, T, 2 nv), by which states of `near` miss the steps that lead to them, 1 - alpha of each is kept.
    A single problem may have several lanes, one for each alpha.
    """
    N, one = len(alpha), len(near.u) < len(alpha)
    q, v, u = (np.empty((N, *x.shape[1:])) for x in near[:3])
    counts = np.zeros((N, 1, 3))
    q[:, 0], v[:, 0] = near.q[:, 0], near.v[:, 0]
    numbers = {name: x for name, x in (("shared", terms.shared), ("own", near.own)) if x.shape[-1]}
    sizes = {name: x.shape[-1] for name, x in numbers.items()}
    for phase in schedule:
        at, after = slice(phase.begin, phase.end), slice(phase.begin + 1, phase.end + 1)
        key: tuple[Any, ...] = ("problem", method, actuated, dt if BLOCKS[method][1] else 0.0, terms.parts)
        key += (gaps is not None, phase.contacts.kernels.structure if phase.contacts else None)
        given = {"q": near.q[:, at], "v": near.v[:, at], "u": near.u[:, at], "feedforward": gains.feedforward[:, at]}
        given |= {"feedback": gains.feedback[:, at].reshape(len(near.u), phase.end - phase.begin, -1)}
        given |= {} if gaps is None else {"gap": gaps[:, at]}
        given |= {name: x[..., at, :] for name, x in numbers.items()}
        given |= {f"{name}_end": x[..., phase.end : phase.end + 1, :] for name, x in numbers.items()}
        given = {name: x[0] if one and x.ndim > 2 else x for name, x in given.items()}
        begin = slice(phase.begin, phase.begin + 1)
        given |= {"dt": np.array([[dt]]), "low": limits[0][None], "high": limits[1][None]}
        given |= {"alpha": alpha.reshape(N, 1, 1), "q_start": q[:, begin], "v_start": v[:, begin], "before": counts}
        counts = np.empty_like(counts)
        results = {"q_next": q[:, after], "v_next": v[:, after], "control": u[:, at], "counts": counts}

        def build(phase: Phase = phase) -> Routine:
            return _routine(robot, method, dt, actuated, phase.contacts, gaps is not None, terms.parts, sizes)

        called(robot, key, build, given, results, {"steps": phase.end - phase.begin})
    own = np.broadcast_to(near.own, (N, *near.own.shape[1:])) if one else near.own
    return Rolled(Motion(q, v, u, own), counts[:, 0, 0] + counts[:, 0, 1], counts[:, 0, 2])


def _routine(
    robot: Robot, method: str, dt: float, actuated: tuple[int, ...], contacts: Contacts | None, gaps: bool,
    parts: tuple[Part, ...], numbers: dict[str, int],
) -> Routine:  # fmt: skip
    nq, nv, m, none = robot.nq, robot.nv, len(actuated), array([])
    take = BLOCKS[method][0]
    r = Builder()
    sizes = {"q": nq, "v": nv, "u": m, "feedforward": m, "feedback": m * 2 * nv} | ({"gap": 2 * nv} if gaps else {})
    given = {name: r.input(name, size, "steps") for name, size in (sizes | numbers).items()}
    last = {name: r.input(f"{name}_end", size) for name, size in numbers.items()}
    once = {name: r.input(name, size) for name, size in (("alpha", 1), ("dt", 1), ("low", m), ("high", m))}
    start = {"q_now": r.input("q_start", nq), "v_now": r.input("v_start", nv)}
    out = {name: r.output(name, size, "steps") for name, size in (("q_next", nq), ("v_next", nv), ("control", m))}
    here = {name: r.local(f"{name} here", memory.size) for name, memory in {**given, **once}.items()}
    now = {"q_now": r.local("q now", nq), "v_now": r.local("v now", nv)}
    control, counts, before = r.local("control now", m), r.local("counts now", 3), r.input("before", 3)
    out["counts"] = r.output("counts", 3)
    r.copy(before, counts)
    for name, memory in once.items():
        r.copy(memory, here[name])
    for name, memory in start.items():
        r.copy(memory, now[name])

    def controls(
        q: Array, v: Array, u: Array, feedforward: Array, feedback: Array, alpha: Array, **rest: Array
    ) -> Array:
        dx = np.concatenate([difference(robot.model, q, rest["q_now"]), rest["v_now"] - v])
        wanted = u + alpha[0] * feedforward + feedback.reshape(m, 2 * nv) @ dx
        low, high = rest["low"], rest["high"]
        return array([select(x < a, a, select(b < x, b, x)) for x, a, b in zip(wanted, low, high, strict=True)])

    def counted(q_now: Array, v_now: Array, counts: Array, control: Array = none, **numbers: Array) -> Array:
        tau = torques(robot.model, actuated if len(control) else (), control)
        found, (total, _, over) = value(robot.model, parts, q_now, v_now, tau, numbers), counts
        return array([total + found, 0, over]) if len(control) else array([total, found, over])

    def passed(q_now: Array, v_now: Array, counts: Array, **numbers: Array) -> Array:
        return array([*counts[:2], greatest(counts[2], excess(parts[-1], q_now, v_now, numbers))])

    def block(dynamics: Callable[..., Array]) -> Callable[..., Any]:
        def stepped(q_now: Array, v_now: Array, control: Array, dt: Array) -> Any:
            return take(robot.model, q_now, v_now, dt[0], lambda q, v: dynamics(q, v, control))[:2]

        return stepped

    def kept(q_now: Array, v_now: Array, gap: Array, alpha: Array) -> Any:
        left = (1 - alpha[0]) * gap
        return integrate(robot.model, q_now, left[:nv]), v_now + left[nv:]

    moving = damped_over(robot, dt) if BLOCKS[method][1] else robot
    ways = [block(way) for way in (_held(contacts, dt) if contacts else _free(moving, actuated))]
    with r.loop("t", "steps"):
        for name, memory in given.items():
            r.copy(memory.row("t"), here[name])
        own = {name: memory for name, memory in here.items() if name not in ("dt", "gap", *numbers)}
        r.run(controls, {**own, **now}, [control])
        counting = {**now, "counts": counts, **{name: here[name] for name in numbers}}
        r.run(counted, {**counting, "control": control}, [counts])
        r.run(ways, {**now, "control": control, "dt": here["dt"]}, list(now.values()))
        if gaps:
            r.run(kept, {**now, "gap": here["gap"], "alpha": here["alpha"]}, list(now.values()))
        if parts and isinstance(parts[-1].residual, Beyond):
            r.run(passed, counting, [counts])
        for memory, name in ((now["q_now"], "q_next"), (now["v_now"], "v_next"), (control, "control")):
            r.copy(memory, out[name].row("t"))
    for name, memory in last.items():
        r.copy(memory, here[name])
    r.run(counted, counting, [counts])
    r.copy(counts, out["counts"])
    return r.routine()


def _free(robot: Robot, actuated: tuple[int, ...]) -> list[Callable[..., Array]]:
    """Accelerations under torques, in several formulations."""

    def way(model: Model, dynamics: Callable[..., Array]) -> Callable[..., Array]:
        def acceleration(q: Array, v: Array, control: Array) -> Array:
            return dynamics(model, q, v, torques(model, actuated, control))

        return acceleration

    return [way(*each) for each in robot.kernels.ways(forward_dynamics)]


def _held(contacts: Contacts, dt: float) -> list[Callable[..., Array]]:
    """The same while contacts hold; infinite where they lose their rank."""
    kernels = contacts.kernels

    def way(model: Model, law: Callable[..., Any]) -> Callable[..., Array]:
        def acceleration(q: Array, v: Array, control: Array) -> Array:
            found = law(model, q, v, control, kernels.structure, rate=array([1 / dt]))
            return found.value / select(found.checks[-1] > TOLERANCE, 1.0, 0.0)

        return acceleration

    return [way(*each) for each in kernels.ways(contact_motion)]
