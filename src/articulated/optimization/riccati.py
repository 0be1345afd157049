"""Backward step of differential dynamic programming with control limits (Tassa, Mansard and Todorov 2014).

It is written once on matrices of any scalar: `backward.py` compiles it as a loop over time where it is short, problems
in the lanes; NumPy runs it on batches of matrices where it is long.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ..algebra.linalg import factor_spd, solve_factored
from ..algebra.scalars import Array, array, eye, select, zeros
from ..compiler.passes.builder import Builder
from ..compiler.passes.loops import Memory, Routine
from ..robot import Robot
from .routines import called

Floats = np.ndarray
#: passes of the box-constrained Newton step, at most; each holds or frees controls
PASSES = 12


class Model(NamedTuple):
    """Quadratic model of a problem along a motion: (…, T, …) but for the states, of which there are T + 1."""

    F: Floats  # (N, T, x, x + u), or (N, T, x / 2, x + u) of the velocities alone: q⁺ = q + dt v⁺
    lx: Floats  # (N, T + 1, x)
    lxx: Floats  # (N, T + 1, x, x)
    lu: Floats  # (N, T, u)
    luu: Floats  # (N, T, u, u)
    lux: Floats  # (N, T, u, x)
    low: Floats  # (N, T, u), how far controls may go
    high: Floats
    gap: Floats | None = None  # (N, T, x), by which states miss the steps that lead to them


class Gains(NamedTuple):
    """Changes of the controls: u + α feedforward + feedback dx, and the improvement that the model predicts."""

    feedforward: Floats  # (N, T, u)
    feedback: Floats  # (N, T, u, x)
    slope: Floats  # (N,), of the cost by α
    curvature: Floats  # (N,)
    price: Floats  # (N,), largest slope of the cost to come by a state


class Expansion(NamedTuple):
    """Cost of a step and of all to come, by its state and its controls; H is Quu with `mu` on its diagonal."""

    Qx: Any
    Qxx: Any
    Qu: Any
    Qux: Any
    H: Any


class Kind(NamedTuple):
    """Operations on one kind of matrix."""

    below: Callable[[Any, Any], Any]
    choose: Callable[..., Any]
    solver: Callable[[Any], Callable[[Any], Any]]
    eye: Callable[[int], Any]


def _on_scalars(H: Array) -> Callable[[Array], Array]:
    factors = factor_spd(H)
    return lambda b: solve_factored(factors, b.copy())


def _chosen(condition: Any, a: Any, b: Any) -> Array:
    pairs = np.broadcast(condition, np.asarray(a, object), np.asarray(b, object))
    return np.array([select(c, x, y) for c, x, y in pairs], object).reshape(pairs.shape)


BATCHES = Kind(np.less, np.where, lambda H: lambda b: np.linalg.solve(H, b), np.eye)
SCALARS = Kind(np.frompyfunc(lambda a, b: a < b, 2, 1), _chosen, _on_scalars, eye)


def expanded(
    F: Any, lx: Any, lxx: Any, lu: Any, luu: Any, lux: Any, Vx: Any, Vxx: Any, mu: Any, dt: Any, gap: Any = None
) -> Expansion:
    """The expansion before a step, from that of the cost to come after it; matrices (…, rows, columns)."""
    x, u = lx.shape[-1], lu.shape[-1]
    Vx = Vx if gap is None else Vx - _times(Vxx, gap)
    slope, (XX, UX, UU) = (_whole if F.shape[-2] == x else _of_velocities)(F, Vx, Vxx, dt)
    H = luu + UU + mu[..., None, None] * np.eye(u, dtype=int)
    return Expansion(lx + slope[..., :x], lxx + XX, lu + slope[..., x:], lux + UX, H)


def _whole(F: Any, Vx: Any, Vxx: Any, dt: Any) -> tuple[Any, Any]:
    """Fᵀ Vx, and the blocks of Fᵀ Vxx F: states, controls by states, controls."""
    x = Vx.shape[-1]
    A, B = F[..., :x], F[..., x:]
    VA = Vxx @ A
    return _times(np.swapaxes(F, -1, -2), Vx), (_symmetric(A, VA), np.swapaxes(B, -1, -2) @ VA, _symmetric(B, Vxx @ B))


def _of_velocities(D: Any, Vx: Any, Vxx: Any, h: Any) -> tuple[Any, Any]:
    """The same of v⁺ = v + D dx and q⁺ = q + h v⁺, in less than half of the operations: F = E + S D, E and S of ones
    and h."""
    n, x = D.shape[-2], Vx.shape[-1]
    VS = h * Vxx[..., :n] + Vxx[..., n:]
    M = h * VS[..., :n, :] + VS[..., n:, :]
    across = np.concatenate([np.swapaxes(VS[..., :n, :], -1, -2), M], axis=-1)  # Sᵀ V E
    slope = _times(np.swapaxes(D, -1, -2), h * Vx[..., :n] + Vx[..., n:])
    slope[..., :n] += Vx[..., :n]
    slope[..., n:x] += h * Vx[..., :n] + Vx[..., n:]
    R = M @ D
    R[..., :x] += across
    Dx, Du = D[..., :x], D[..., x:]
    XX = _symmetric(np.concatenate([Dx, across], axis=-2), np.concatenate([R[..., :x], Dx], axis=-2))
    # Eᵀ V E, the part without D
    Vqq, Vqv = Vxx[..., :n, :n], Vxx[..., :n, n:]
    turn = h * Vqq + Vqv
    XX[..., :n, :n] += Vqq
    XX[..., :n, n:] += turn
    XX[..., n:, :n] += np.swapaxes(turn, -1, -2)
    XX[..., n:, n:] += h * turn + h * np.swapaxes(Vqv, -1, -2) + Vxx[..., n:, n:]
    return slope, (XX, np.swapaxes(Du, -1, -2) @ R[..., :x], _symmetric(Du, R[..., x:]))


def _symmetric(A: Any, B: Any) -> Any:
    """Aᵀ B, known to be symmetric: one half of it on scalars."""
    if A.dtype != object:
        P = np.swapaxes(A, -1, -2) @ B
        return (P + np.swapaxes(P, -1, -2)) / 2
    n = A.shape[-1]
    out = zeros(n, n)
    for i in range(n):
        for j in range(i + 1):
            out[i, j] = out[j, i] = (A[:, i] * B[:, j]).sum()
    return out


def improved(kind: Kind, Qx: Any, Qxx: Any, Qu: Any, Qux: Any, H: Any, k: Any, low: Any, high: Any, mu: Any) -> Any:
    """(feedback, Vx, Vxx, slope, curvature) where k is the best change of the controls within their limits."""
    free, solve = _free(kind, H, Qu, k, low, high)
    K = -solve(free[..., :, None] * Qux)
    # free rows of H k + Qu and of H K + Qux are zero, held ones of K are
    rest = Qux - mu[..., None, None] * K
    Vx = Qx + _times(np.swapaxes(rest, -1, -2), k)
    curvature = (k * (_times(H, k) - mu[..., None] * k)).sum(-1)
    return K, Vx, Qxx + _symmetric(K, rest), (k * Qu).sum(-1), curvature


def _box_step(H: Array, g: Array, low: Array, high: Array, k: Array, done: Array) -> tuple[Array, Array]:
    """A pass to the k within its limits with the least ½ k H k + g k: a Newton step on the free controls, kept where it
    lowers it, then a sweep over single controls, which always does.  Done where the step neither meets a limit nor
    changes which controls are free."""
    free, solve = _free(SCALARS, H, g, k, low, high)
    wanted = k - solve(free * (g + H @ k))
    tried = _clipped(wanted, low, high)
    same = array([1])
    for one, other, a, b in zip(free, _free_at(SCALARS, H, g, tried, low, high), wanted, tried, strict=True):
        kept = select(a < b, 0, select(b < a, 0, select(one < other, 0, select(other < one, 0, 1))))
        same = same * kept
    lower = _value(H, g, tried) < _value(H, g, k)
    swept = array([select(lower, a, b) for a, b in zip(tried, k, strict=True)])
    for i in range(len(g)):
        here = swept[i] - (g[i] + (H[i] * swept).sum()) / H[i, i]
        swept[i] = _clipped(array([here]), low[i : i + 1], high[i : i + 1])[0]
    return array([select(same[0] > 0, a, b) for a, b in zip(tried, swept, strict=True)]), 1.0 * same


def _value(H: Array, g: Array, k: Array) -> Any:
    return (k * (g + (H @ k) / 2)).sum()


def _clipped(x: Array, low: Array, high: Array) -> Array:
    return array([select(y < a, a, select(b < y, b, y)) for y, a, b in zip(x, low, high, strict=True)])


def _free_at(kind: Kind, H: Any, Qu: Any, k: Any, low: Any, high: Any) -> Any:
    """Which controls are free at k, as 1 and 0: those not at a limit they are pushed against."""
    slope = Qu + _times(H, k)
    one, zero = np.ones(Qu.shape), np.zeros(Qu.shape)
    at_low = kind.choose(kind.below(low, k), one, kind.choose(kind.below(zero, slope), zero, one))
    at_high = kind.choose(kind.below(k, high), one, kind.choose(kind.below(slope, zero), zero, one))
    return at_low * at_high


def _free(kind: Kind, H: Any, Qu: Any, k: Any, low: Any, high: Any) -> tuple[Any, Any]:
    """Which controls are free at k, and the solver of H without the others."""
    free = _free_at(kind, H, Qu, k, low, high)
    masked = H * (free[..., :, None] * free[..., None, :]) + kind.eye(H.shape[-1]) * (1 - free)[..., None]
    return free, kind.solver(masked)


def _times(M: Any, x: Any) -> Any:
    return (M @ x[..., None])[..., 0]


def box(r: Builder, u: int, reads: dict[str, Memory]) -> Memory:
    """Statements that find the best controls within their limits: H, g, low and high in, k out."""
    k, done = r.local("k here", u), r.local("done", 1)
    r.run(lambda: (array([0.0] * u), array([0.0])), {}, [k, done])

    def block(H: Array, **rest: Array) -> Any:
        return _box_step(H.reshape(u, u), **rest)

    with r.loop("pass", PASSES, until=done):
        r.run(block, {**reads, "k": k, "done": done}, [k, done])
    return k


def _box(u: int) -> Routine:
    """The best controls of many problems."""
    r = Builder()
    given = {name: r.input(name, size) for name, size in (("H", u * u), ("g", u), ("low", u), ("high", u))}
    here, out = {name: r.local(f"{name} here", memory.size) for name, memory in given.items()}, r.output("k", u)
    for name, memory in given.items():
        r.copy(memory, here[name])
    r.copy(box(r, u, here), out)
    return r.routine()


def in_batches(robot: Robot, model: Model, mu: Floats, dt: float) -> Gains:
    """Gains along the whole motion of every problem, with `mu` (N,) added to the curvature by the controls."""
    (N, T, u), x = model.lu.shape, model.lx.shape[-1]
    Vx, Vxx = model.lx[:, T], model.lxx[:, T]
    ff, fb = np.empty((N, T, u)), np.empty((N, T, u, x))
    slope = curvature = price = np.zeros(N)
    parts = {name: part for name, part in model._asdict().items() if part is not None}
    low, high = parts.pop("low"), parts.pop("high")
    for t in reversed(range(T)):
        Q = expanded(**{name: part[:, t] for name, part in parts.items()}, Vx=Vx, Vxx=Vxx, mu=mu, dt=dt)
        given = {"H": Q.H.reshape(N, -1), "g": Q.Qu, "low": low[:, t], "high": high[:, t]}
        rows = {name: np.ascontiguousarray(x)[:, None] for name, x in given.items()}
        called(robot, ("box", u), lambda: _box(u), rows, {"k": ff[:, t : t + 1]}, {})
        fb[:, t], Vx, Vxx, first, second = improved(BATCHES, *Q, ff[:, t], low[:, t], high[:, t], mu)
        slope, curvature = slope + first, curvature + second
        price = np.maximum(price, abs(Vx).max(-1))
    return Gains(ff, fb, slope, curvature, price)
