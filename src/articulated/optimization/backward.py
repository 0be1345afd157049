"""Backward pass as one compiled loop over time: derivatives of the step, quadratic model of the costs, Riccati step.

Nothing but states, controls and numbers of the costs goes in, and nothing but gains comes out: what is between stays
in caches, problems in the lanes of vectors.
"""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ..algebra.scalars import Array, array, select
from ..compiler.passes.builder import Builder
from ..compiler.passes.loops import Routine
from ..robot import Robot
from ..robot.methods import requests
from .riccati import SCALARS, Expansion, Gains, box, expanded, improved
from .routines import called
from .step import damped_over
from .terms import Part, quadratic, torques

Floats = np.ndarray


def in_lanes(
    robot: Robot, parts: tuple[Part, ...], actuated: tuple[int, ...], dt: float, rows: Mapping[str, Floats],
    limits: tuple[Floats, Floats], mu: Floats,
) -> Gains:  # fmt: skip
    """Gains of every problem.

    `rows` are q, v, u and numbers of costs, F where the step has no block, gaps, and what costs on batches add to the
    model, (N, T or T + 1, …) each, or without N where they are the same for all.
    """
    (N, T, m), x = rows["u"].shape, 2 * robot.nv
    last = {f"{name}_end": array[..., T:, :] for name, array in rows.items() if array.shape[-2] > T}
    given = {name: array[..., :T, :] for name, array in rows.items()}
    once = {"mu": mu[:, None, None], "dt": np.array([[dt]]), "low": limits[0][None], "high": limits[1][None]}
    sizes = tuple((name, array.shape[-1]) for name, array in given.items())
    key = ("backward", parts, actuated, sizes, dt if "F" not in rows else 0.0)
    sizes_out = {"feedforward": (N, T, m), "feedback": (N, T, m * x), "promised": (N, 1, 3)}
    out = {name: np.empty(shape) for name, shape in sizes_out.items()}

    def build() -> Routine:
        return _routine(robot, parts, actuated, dt, dict(sizes), [name[:-4] for name in last])

    called(robot, key, build, {**given, **last, **once}, out, {"steps": T})
    return Gains(out["feedforward"], out["feedback"].reshape(N, T, m, x), *np.moveaxis(out["promised"][:, 0], 1, 0))


def _routine(
    robot: Robot, parts: tuple[Part, ...], actuated: tuple[int, ...], dt: float, sizes: Mapping[str, int],
    ended: list[str],
) -> Routine:  # fmt: skip
    """The steps from the last to the first."""
    m, n = len(actuated), robot.nv
    x = 2 * n
    r = Builder()
    given = {name: r.input(name, size, "steps") for name, size in sizes.items()}
    last = {name: r.input(f"{name}_end", sizes[name]) for name in ended}
    once = {name: r.input(name, size) for name, size in (("mu", 1), ("dt", 1), ("low", m), ("high", m))}
    rows = [r.output("feedforward", m, "steps"), r.output("feedback", m * x, "steps")]
    promised = r.output("promised", 3)
    here = {name: r.local(f"{name} here", memory.size) for name, memory in {**given, **once}.items()}
    Vx, Vxx, total, K = r.local("Vx", x), r.local("Vxx", x * x), r.local("total", 3), r.local("K", m * x)
    room = {"low": r.local("room down", m), "high": r.local("room up", m)}
    sizes_of = {"Qx": x, "Qxx": x * x, "Qu": m, "Qux": m * x, "H": m * m}
    Q = {name: r.local(name, size) for name, size in sizes_of.items()}
    for name, memory in [*once.items(), *last.items()]:
        r.copy(memory, here[name])
    r.run(lambda: array([0.0, 0.0, 0.0]), {}, [total])
    costs = [name for name in here if name in ("q", "v", "u", "shared", "own", "lx", "lxx", "lu", "luu", "lux")]

    def end(**flat: Array) -> Any:
        found = _costs(robot, parts, (), x, u=array([]), **flat)
        return found["lx"], found["lxx"].reshape(-1)

    r.run(end, {name: here[name] for name in costs if name in ended}, [Vx, Vxx])

    def expansion(F: Array, Vx: Array, Vxx: Array, mu: Array, dt: Array, **flat: Array) -> Any:
        own = {"gap": flat.pop("gap")} if "gap" in flat else {}
        limits = flat.pop("low") - flat["u"], flat.pop("high") - flat["u"]
        found = _costs(robot, parts, actuated, x, **flat)
        F, Vxx = F.reshape(-1, x + m), Vxx.reshape(x, x)
        Q = expanded(F, **found, Vx=Vx, Vxx=Vxx, mu=mu.reshape(()), dt=dt[0], **own)
        return (*(part.reshape(-1) for part in Q), *limits)

    def step(k: Array, total: Array, low: Array, high: Array, mu: Array, **flat: Array) -> Any:
        shapes = {"Qxx": (x, x), "Qux": (m, x), "H": (m, m)}
        Q = Expansion(**{name: part.reshape(shapes.get(name, part.shape)) for name, part in flat.items()})
        K, Vx, Vxx, slope, curvature = improved(SCALARS, *Q, k, low, high, mu.reshape(()))
        price = total[2]
        for each in Vx:
            size = select(each < 0, -each, each)
            price = select(price < size, size, price)
        return K.reshape(-1), Vx, Vxx.reshape(-1), array([total[0] + slope, total[1] + curvature, price])

    if "F" not in sizes:
        here["F"] = r.local("F here", n * (x + m))
    with r.loop("t", "steps", reverse=True):
        for name, memory in given.items():
            r.copy(memory.row("t"), here[name])
        if "F" not in sizes:
            r.run(_derivatives(robot, actuated, dt), {name: here[name] for name in ("q", "v", "u")}, [here["F"]])
        r.run(expansion, {**here, "Vx": Vx, "Vxx": Vxx}, [*Q.values(), *room.values()])
        k = box(r, m, {"H": Q["H"], "g": Q["Qu"], **room})
        r.run(step, {**Q, **room, "k": k, "total": total, "mu": here["mu"]}, [K, Vx, Vxx, total])
        r.copy(k, rows[0].row("t"))
        r.copy(K, rows[1].row("t"))
    r.copy(total, promised)
    return r.routine()


def _costs(robot: Robot, parts: tuple[Part, ...], actuated: tuple[int, ...], x: int, **flat: Array) -> dict[str, Array]:
    """Quadratic model of all costs at a state: on scalars, and what comes in from those on batches."""
    m = len(actuated)
    own = {name: flat[name] for name in ("q", "v", "u", "shared", "own") if name in flat}
    found = quadratic(robot.model, parts, actuated, **own)._asdict()
    shapes = {"lx": (x,), "lxx": (x, x), "lu": (m,), "luu": (m, m), "lux": (m, x)}
    return {name: part + flat[name].reshape(shapes[name]) if name in flat else part for name, part in found.items()}


def _derivatives(robot: Robot, actuated: tuple[int, ...], dt: float) -> list[Callable[..., Array]]:
    """dt times the derivatives of forward dynamics by q, v and controls, in several formulations."""
    moving = damped_over(robot, dt)
    plain = requests(moving, ["forward_dynamics"])[0][0]
    of: Any = moving.derivatives("forward_dynamics")
    derived = of.kernels.derived(plain)
    ways: list[Any] = [(moving.kernels.regrouped, way) for way in moving.kernels.suited_ways(derived)]

    def block(model: Any, way: Any) -> Callable[..., Array]:
        def found(q: Array, v: Array, u: Array) -> Array:
            by = derived.evaluate(model, {"q": q, "v": v, "tau": torques(model, actuated, u)}, way)
            return dt * np.concatenate([by.q, by.v, by.tau[:, list(actuated)]], axis=-1).reshape(-1)

        return found

    return [block(*way) for way in ways or [(moving.model, None)]]
