"""Backward pass of differential dynamic programming with control limits (Tassa, Mansard and Todorov 2014).

One step is written once on matrices of any scalar: compiled as a loop over time where it is short, problems in the
lanes, and run by NumPy on batches of matrices where it is long.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from ..algebra.linalg import factor_spd, solve_factored
from ..algebra.scalars import Array, array, eye, select
from ..compiler.passes.builder import Builder
from ..compiler.passes.loops import Routine
from ..robot import Robot
from .routines import called

Floats = np.ndarray
#: passes of the box-constrained Newton step, each of which holds or frees controls
PASSES = 4
#: states (2 nv) up to which the step is compiled: its operations grow with the cube
COMPILED = 24


class Model(NamedTuple):
    """Quadratic model of a problem along a motion: (…, T, …) but for the states, of which there are T + 1."""

    F: Floats  # (N, T, x, x + u), or (N, T, x / 2, x + u) of the velocities alone: q⁺ = q + dt v⁺
    lx: Floats  # (N, T + 1, x)
    lxx: Floats  # (N, T + 1, x, x)
    lu: Floats  # (N, T, u)
    luu: Floats  # (N, T, u, u)
    low: Floats  # (N, T, u), how far controls may go
    high: Floats
    lux: Floats | None = None  # (N, T, u, x), where a cost is of both
    gap: Floats | None = None  # (N, T, x), by which states miss the steps that lead to them


class Gains(NamedTuple):
    """Changes of the controls: u + α feedforward + feedback dx, and what the model promises of them."""

    feedforward: Floats  # (N, T, u)
    feedback: Floats  # (N, T, u, x)
    slope: Floats  # (N,), of the cost by α
    curvature: Floats  # (N,)
    price: Floats  # (N,), largest slope of the cost to come by a state


class Kind(NamedTuple):
    """Operations on one kind of matrix."""

    below: Callable[[Any, Any], Any]
    choose: Callable[..., Any]
    solver: Callable[[Any], Callable[[Any], Any]]
    eye: Callable[[int], Any]
    least: Callable[..., Any]  # the best controls within their limits


def _by_numpy(H: Floats) -> Callable[[Floats], Floats]:
    return lambda b: np.linalg.solve(H, b[..., None])[..., 0] if b.ndim < H.ndim else np.linalg.solve(H, b)


def _on_scalars(H: Array) -> Callable[[Array], Array]:
    factors = factor_spd(H)
    return lambda b: solve_factored(factors, b.copy())


def _chosen(condition: Any, a: Any, b: Any) -> Array:
    pairs = np.broadcast(condition, np.asarray(a, object), np.asarray(b, object))
    return np.array([select(c, x, y) for c, x, y in pairs], object).reshape(pairs.shape)


def _on_batches(robot: Robot) -> Kind:
    def least(H: Floats, g: Floats, low: Floats, high: Floats) -> Floats:
        given = {"H": H.reshape(len(H), 1, -1), **{k: x[:, None] for k, x in (("g", g), ("low", low), ("high", high))}}
        u = g.shape[-1]
        return called(robot, ("box", u), lambda: _box(u), given, {"k": (len(H), 1, u)}, {})["k"][:, 0]

    return Kind(np.less, np.where, _by_numpy, np.eye, least)


def _box(u: int) -> Routine:
    """The best controls within their limits, of many problems."""
    r = Builder()
    given = {name: r.input(name, size) for name, size in (("H", u * u), ("g", u), ("low", u), ("high", u))}
    here = {name: r.local(f"{name} here", memory.size) for name, memory in given.items()}
    found, out = r.local("k here", u), r.output("k", u)
    for name, memory in given.items():
        r.copy(memory, here[name])
    r.run(lambda H, **rest: SCALARS.least(H.reshape(u, u), **rest), here, [found])
    r.copy(found, out)
    return r.routine()


def step(
    kind: Kind, F: Any, lx: Any, lxx: Any, lu: Any, luu: Any, low: Any, high: Any, Vx: Any, Vxx: Any, mu: Any, dt: Any,
    lux: Any = 0, gap: Any = None,
) -> Any:  # fmt: skip
    """(feedforward, feedback, Vx, Vxx, slope, curvature) of one step; matrices (…, rows, columns)."""
    x = lx.shape[-1]
    Vx = Vx if gap is None else Vx - _times(Vxx, gap)
    slope, (XX, UX, UU) = (_whole if F.shape[-2] == x else _of_velocities)(F, Vx, Vxx, dt)
    Qx, Qu = lx + slope[..., :x], lu + slope[..., x:]
    Qxx, Qux, Quu = lxx + XX, lux + UX, luu + UU
    H = Quu + mu[..., None, None] * kind.eye(UU.shape[-1])
    k = kind.least(H, Qu, low, high)
    free, solve = _free(kind, H, Qu, k, low, high)
    K = -solve(free[..., :, None] * Qux)
    Kt = np.swapaxes(K, -1, -2)
    Huk = _times(Quu, k)
    Vx = Qx + _times(Kt, Huk + Qu) + _times(np.swapaxes(Qux, -1, -2), k)
    KQ = Kt @ Qux
    V = Qxx + Kt @ (Quu @ K) + KQ + np.swapaxes(KQ, -1, -2)
    return k, K, Vx, (V + np.swapaxes(V, -1, -2)) / 2, (k * Qu).sum(-1), (k * Huk).sum(-1)


def _whole(F: Any, Vx: Any, Vxx: Any, dt: Any) -> tuple[Any, Any]:
    """Fᵀ Vx, and the blocks of Fᵀ Vxx F: states, controls by states, controls."""
    x = Vx.shape[-1]
    A, Bt = F[..., :x], np.swapaxes(F[..., x:], -1, -2)
    VA = Vxx @ A
    return _times(np.swapaxes(F, -1, -2), Vx), (np.swapaxes(A, -1, -2) @ VA, Bt @ VA, Bt @ Vxx @ F[..., x:])


def _of_velocities(D: Any, Vx: Any, Vxx: Any, h: Any) -> tuple[Any, Any]:
    """The same of v⁺ = v + D dx and q⁺ = q + h v⁺, in half of the operations: F = E + S D, E and S of ones and h."""
    n, x = D.shape[-2], Vx.shape[-1]
    Dt = np.swapaxes(D, -1, -2)
    VS = h * Vxx[..., :n] + Vxx[..., n:]
    SVS = h * VS[..., :n, :] + VS[..., n:, :]
    slope = _times(Dt, h * Vx[..., :n] + Vx[..., n:])
    slope[..., :n] += Vx[..., :n]
    slope[..., n:x] += h * Vx[..., :n] + Vx[..., n:]
    half = Dt @ (SVS / 2)
    half[..., :n, :] += VS[..., :n, :]
    half[..., n:x, :] += SVS
    Q = half @ D
    Q = Q + np.swapaxes(Q, -1, -2)
    # Eᵀ V E, the part without D
    Vqq, Vqv = Vxx[..., :n, :n], Vxx[..., :n, n:]
    across = h * Vqq + Vqv
    XX = Q[..., :x, :x]
    XX[..., :n, :n] += Vqq
    XX[..., :n, n:] += across
    XX[..., n:, :n] += np.swapaxes(across, -1, -2)
    XX[..., n:, n:] += h * across + h * np.swapaxes(Vqv, -1, -2) + Vxx[..., n:, n:]
    return slope, (XX, Q[..., x:, :x], Q[..., x:, x:])


def _least(kind: Kind, H: Any, g: Any, low: Any, high: Any) -> Any:
    """The k within its limits with the least ½ k H k + g k: Newton steps on the free controls, kept where they lower
    it, each followed by a sweep over single controls, which always does."""
    k = 0 * g
    for _ in range(PASSES):
        free, solve = _free(kind, H, g, k, low, high)
        tried = _clipped(kind, k - solve(free * (g + _times(H, k))), low, high)
        lower = kind.below(_value(H, g, tried), _value(H, g, k))
        k = kind.choose(lower[..., None] if hasattr(lower, "shape") else lower, tried, k)
        for i in range(g.shape[-1]):
            here = k[..., i] - (g[..., i] + (H[..., i, :] * k).sum(-1)) / H[..., i, i]
            k[..., i] = _clipped(kind, here, low[..., i], high[..., i])
    return k


SCALARS: Kind = Kind(
    np.frompyfunc(lambda a, b: a < b, 2, 1),
    _chosen,
    _on_scalars,
    eye,
    lambda *given, **by: _least(SCALARS, *given, **by),
)


def _value(H: Any, g: Any, k: Any) -> Any:
    return (k * (g + _times(H, k) / 2)).sum(-1)


def _clipped(kind: Kind, x: Any, low: Any, high: Any) -> Any:
    return kind.choose(kind.below(x, low), low, kind.choose(kind.below(high, x), high, x))


def _free(kind: Kind, H: Any, Qu: Any, k: Any, low: Any, high: Any) -> tuple[Any, Any]:
    """Which controls are free at k, as 1 and 0, and the solver of H without the others."""
    slope = Qu + _times(H, k)
    one, zero = np.ones(Qu.shape), np.zeros(Qu.shape)
    at_low = kind.choose(kind.below(low, k), one, kind.choose(kind.below(zero, slope), zero, one))
    at_high = kind.choose(kind.below(k, high), one, kind.choose(kind.below(slope, zero), zero, one))
    free = at_low * at_high
    masked = H * (free[..., :, None] * free[..., None, :]) + kind.eye(H.shape[-1]) * (1 - free)[..., None]
    return free, kind.solver(masked)


def _times(M: Any, x: Any) -> Any:
    return (M @ x[..., None])[..., 0]


def backward(robot: Robot, model: Model, mu: Floats, dt: float) -> Gains:
    """Gains along the whole motion of every problem, with `mu` (N,) added to the curvature by the controls."""
    return (_compiled if model.lx.shape[-1] <= COMPILED else _in_batches)(robot, model, mu, dt)


def _in_batches(robot: Robot, model: Model, mu: Floats, dt: float) -> Gains:
    T = model.F.shape[1]
    Vx, Vxx = model.lx[:, T], model.lxx[:, T]
    ff, fb = np.empty_like(model.lu), np.empty((*model.lu.shape, model.lx.shape[-1]))
    slope = curvature = price = np.zeros(len(mu))
    kind = _on_batches(robot)
    for t in reversed(range(T)):
        here = {name: part[:, t] for name, part in model._asdict().items() if part is not None}
        ff[:, t], fb[:, t], Vx, Vxx, first, second = step(kind, **here, Vx=Vx, Vxx=Vxx, mu=mu, dt=dt)
        slope, curvature = slope + first, curvature + second
        price = np.maximum(price, abs(Vx).max(-1))
    return Gains(ff, fb, slope, curvature, price)


def _compiled(robot: Robot, model: Model, mu: Floats, dt: float) -> Gains:
    (N, T, u), x = model.lu.shape, model.lx.shape[-1]
    parts = {name: part[:, :T] for name, part in model._asdict().items() if part is not None}
    sizes = {name: int(np.prod(part.shape[2:])) for name, part in parts.items()}
    parts |= {"dt": np.full((N, 1, 1), dt), "mu": mu[:, None, None], "Vx": model.lx[:, T:], "Vxx": model.lxx[:, T:]}
    arrays = {name: part.reshape(N, part.shape[1], -1) for name, part in parts.items()}
    results = {"feedforward": (N, T, u), "feedback": (N, T, u * x), "promised": (N, 1, 3)}
    out = called(robot, ("riccati", x, u, *sizes.items()), lambda: _routine(x, u, sizes), arrays, results, {"steps": T})
    return Gains(out["feedforward"], out["feedback"].reshape(N, T, u, x), *np.moveaxis(out["promised"][:, 0], 1, 0))


def _routine(x: int, u: int, sizes: Mapping[str, int]) -> Routine:
    """The steps from the last to the first."""
    r = Builder()
    given = {name: r.input(name, size, "steps") for name, size in sizes.items()}
    once = {name: r.input(name, size) for name, size in (("mu", 1), ("dt", 1), ("Vx", x), ("Vxx", x * x))}
    rows = [r.output("feedforward", u, "steps"), r.output("feedback", u * x, "steps")]
    promised = r.output("promised", 3)
    here = {name: r.local(f"{name} here", memory.size) for name, memory in {**given, **once}.items()}
    here["total"] = r.local("total", 3)
    gains = [r.local("k", u), r.local("K", u * x)]
    for name, memory in once.items():
        r.copy(memory, here[name])
    r.run(lambda: array([0.0, 0.0, 0.0]), {}, [here["total"]])

    def block(total: Array, **flat: Array) -> Any:
        shapes = {"lxx": (x, x), "luu": (u, u), "lux": (u, x), "Vxx": (x, x), "mu": (), "dt": (), "F": (-1, x + u)}
        parts = {name: part.reshape(shapes.get(name, part.shape)) for name, part in flat.items()}
        k, K, Vx, Vxx, slope, curvature = step(SCALARS, **parts)
        price = total[2]
        for each in Vx:
            size = select(each < 0, -each, each)
            price = select(price < size, size, price)
        return k, K.reshape(-1), Vx, Vxx.reshape(-1), array([total[0] + slope, total[1] + curvature, price])

    with r.loop("t", "steps", reverse=True):
        for name, memory in given.items():
            r.copy(memory.row("t"), here[name])
        r.run(block, here, [*gains, here["Vx"], here["Vxx"], here["total"]])
        for memory, row in zip(gains, rows, strict=True):
            r.copy(memory, row.row("t"))
    r.copy(here["total"], promised)
    return r.routine()
