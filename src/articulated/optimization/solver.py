"""Iterations of differential dynamic programming: model and gains, a line search, multipliers of limits."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import ShapeError
from ..robot.arguments.arrays import as_vectors
from ..text import shortened
from .backward import in_lanes
from .costs import Cost
from .phases import Forces, Phase, Step, contact_forces, linearized
from .riccati import Gains, Model, in_batches
from .rollout import Motion, Rolled, rollout
from .step import STEPS, plain
from .terms import quadratics, sampled, weighted

if TYPE_CHECKING:
    from .problem import Problem

Floats = np.ndarray
#: step lengths that are tried, and the part of the promised decrease that is asked for
LENGTHS, ENOUGH = 0.5 ** np.arange(8), 1e-4
#: motions up to which all step lengths are tried at once, in the lanes of vectors
TOGETHER = 32
#: states (2 nv) up to which the backward pass is compiled: its operations grow with the cube
COMPILED = 24
#: damping, added to the curvature by the controls where no step length is short enough, and the largest
SMALLEST, LARGEST = 1e-6, 1e10
#: violation of limits that is none, decrease at which multipliers follow, growth of their weight, and the most of it
FEASIBLE, LOOSE, GROWTH, HEAVIEST = 1e-5, 1e-3, 5.0, 1e10


def first_guess(
    p: "Problem", q0: Floats, v0: Floats, tau: Any, q: Any, v: Any, batch: tuple[int, ...]
) -> tuple[Rolled, Floats]:
    """The first motion with its costs, and by how much its states miss its steps."""
    T, n, held = p.horizon, p.robot.nv, tau is None and p.schedule[0].contacts is not None
    if tau is None:
        guess = np.concatenate([_holding(p, phase, q0) for phase in p.schedule], axis=1)
    else:
        guess = _given(p, "tau", tau, T, batch)[..., list(p.actuated)]
    states = [np.repeat(x[:, None], T + 1, axis=1) for x in (q0, v0)]
    for k, (name, x) in enumerate((("q", q), ("v", v))):
        if x is not None:
            states[k][:, 1:] = _given(p, name, x, T + 1, batch)[:, 1:]
    near = Motion(states[0], states[1], np.clip(guess, *p.limits), p.terms.given(len(q0)))
    if held or q is not None:
        return _here(p, near), _missed(p, near)
    return rolled(p, near, _still(near.u, n), np.zeros(len(q0))), np.zeros((len(q0), T, 2 * n))


def _given(p: "Problem", name: str, x: Any, rows: int, batch: tuple[int, ...]) -> Floats:
    vector = p.robot.kernels.vectors[name]
    found = as_vectors("solve", p.robot.name, name, x, vector)
    try:
        return np.broadcast_to(found, (*batch, rows, vector.size)).reshape(-1, rows, vector.size)
    except ValueError:
        raise ShapeError(f"solve: {name} is {(*batch, rows, vector.size)}; got {found.shape}") from None


def _holding(p: "Problem", phase: Phase, q0: Floats) -> Floats:
    """Controls that hold the robot at q0 as well as contacts and motors can."""
    still = np.zeros((len(q0), p.robot.nv))
    if phase.contacts is None:
        found = p.robot.gravity_forces(q0)[:, list(p.actuated)]
    elif phase.contacts.k:
        found = phase.contacts.inverse_dynamics(q0, still, still, on_infeasible="nearest").tau
    else:
        found = np.zeros((len(q0), len(p.actuated)))
    return np.repeat(found[:, None], phase.end - phase.begin, axis=1)


def _missed(p: "Problem", near: Motion) -> Floats:
    """States minus those that the steps before lead to, (N, T, 2 nv)."""
    q, v = np.empty_like(near.q[:, 1:]), np.empty_like(near.v[:, 1:])
    for phase in p.schedule:
        at, count = slice(phase.begin, phase.end), len(q) * (phase.end - phase.begin)
        q0, v0, u = (x[:, at].reshape(count, 1, -1) for x in near[:3])
        rows = Motion(q0.repeat(2, 1), v0.repeat(2, 1), u, np.zeros((count, 2, near.own.shape[-1])))
        found = rolled(p, rows, _still(u, p.robot.nv), np.zeros(count), None, (Phase(0, 1, phase.contacts),)).motion
        q[:, at], v[:, at] = (x[:, 1].reshape(len(q), phase.end - phase.begin, -1) for x in found[:2])
    return np.concatenate([p.robot.difference(q, near.q[:, 1:]), near.v[:, 1:] - v], axis=-1)


def _still(u: Floats, n: int) -> Gains:
    """Gains that change nothing."""
    return Gains(np.zeros_like(u), np.zeros((*u.shape, 2 * n)), *[np.zeros(len(u))] * 3)


def rolled(
    p: "Problem", near: Motion, gains: Gains, alpha: Floats, gaps: Floats | None = None, schedule: Any = None
) -> Rolled:
    """Motions under new controls, and all their costs; infinite where they diverge."""
    about = (p.robot, p.method, p.dt, p.actuated, schedule or p.schedule)
    found = rollout(*about, near, gains, alpha, p.limits, p.terms, gaps)
    costs = found.costs
    if p.on_batches and schedule is None:
        costs = costs + _costs_on_batches(p, found.motion)
    return found._replace(costs=np.where(np.isfinite(costs), costs, np.inf))


def on_batches(p: "Problem", near: Motion, forces: Forces | None = None) -> Iterable[tuple[Cost, Any, Floats]]:
    """Every cost on batches with its residual, and its weights (T + 1, m)."""
    tau = np.zeros((len(near.u), p.horizon + 1, p.robot.nv))
    tau[:, :-1, list(p.actuated)] = near.u
    if forces is None and any(cost.of_forces for cost in p.on_batches):
        forces = contact_forces(p.schedule, *near[:3], p.dt)
    for cost in p.on_batches:
        with np.errstate(over="ignore", invalid="ignore"):
            found = cost.residual(p.robot, near.q, near.v, tau, *([forces] if cost.of_forces else []))
        along = cost.along(p.horizon, p.dt)
        shape = np.shape(found[0]) if isinstance(found, tuple) and len(found) == 3 else ()
        if len(shape) != 3 or shape[:2] != near.q.shape[:2] or along.shape[-1] not in (1, shape[2]):
            batch = "×".join(map(str, near.q.shape[:2]))
            raise ShapeError(
                f"costs.{cost.name}: a residual gives r, its derivatives by the state and by the torques; of states "
                f"({batch}, …), r is ({batch}, m), with one weight or m of them, not {along.shape[-1]}; got "
                f"{f'r of shape {shape}' if shape else shortened(repr(found))}"
            )
        yield cost, found, np.broadcast_to(along, shape[1:])


def solved(p: "Problem", start: Rolled, gaps: Floats, most: int, small: float) -> tuple[Rolled, Floats, Floats]:
    """The motion after at most so many iterations, how many there were, whether it has converged.

    Limits of positions and velocities are an augmented Lagrangian: where the motion has settled and they are violated,
    multipliers follow and their weight grows.
    """
    if not np.isfinite(start.costs).all():
        raise ShapeError("solve: the motion under the first torques diverges; give tau=, or a shorter dt")
    now, N = start, len(gaps)
    mu, spent, done = np.zeros(N), np.zeros(N, int), np.zeros(N, bool)
    for _ in range(most):
        active: Any = np.flatnonzero(~done)
        if not len(active):
            break
        active = slice(None) if len(active) == N else active
        here, open_gaps, damping = _some(now, active), gaps[active], mu[active]
        gains = gained(p, here.motion, damping, open_gaps)
        better, length = _searched(p, here, gains, open_gaps)
        spent[active] += 1
        moved, scale = length > 0, 1e-300 + abs(here.costs)
        beyond = better.over > FEASIBLE
        enough = np.where(beyond, max(small, LOOSE), small) * scale
        settled = -(gains.slope + gains.curvature / 2) <= enough
        settled |= moved & (here.costs - better.costs <= enough) & (damping == 0)
        settled &= ~open_gaps.any(axis=(1, 2))
        stuck, press = damping >= LARGEST, np.flatnonzero(settled & beyond)
        damping = np.where(moved, np.where(damping > SMALLEST, damping / 10, 0.0), np.maximum(10 * damping, SMALLEST))
        if len(press):
            stuck[press] |= _pressed(p, better.motion, press)
            settled[press], damping[press] = False, 0.0
            some = _some(better, press).motion
            better.costs[press] = rolled(p, some, _still(some.u, p.robot.nv), np.zeros(len(press))).costs
        mu[active], done[active] = damping, settled | stuck
        now = better if isinstance(active, slice) else _put(now, active, better, slice(None))
        if gaps.any():
            gaps[active] *= (1 - length)[:, None, None]
    return now, spent, done & (now.over <= FEASIBLE) & ~gaps.any(axis=(1, 2))


def _some(found: Rolled, which: Any) -> Rolled:
    return Rolled(Motion(*(x[which] for x in found.motion)), found.costs[which], found.over[which])


def _put(into: Rolled, where: Any, found: Rolled, which: Any) -> Rolled:
    """Some motions in the place of others."""
    for mine, new in zip([*into.motion, *into[1:]], [*found.motion, *found[1:]], strict=True):
        mine[where] = new[which]
    return into


def _here(p: "Problem", near: Motion) -> Rolled:
    """States that no motion goes through, with their costs."""
    found = sum(0.5 * np.einsum("ntm,ntm,ntm->n", r, r, w) for r, w in residuals(p, near))
    return Rolled(near, found + _costs_on_batches(p, near), np.zeros(len(near.u)))


def _costs_on_batches(p: "Problem", near: Motion) -> Floats:
    with np.errstate(over="ignore", invalid="ignore"):
        found = [0.5 * np.einsum("ntm,ntm,tm->n", r[0], r[0], w) for _, r, w in on_batches(p, near)]
    return np.sum([np.zeros(len(near.u)), *found], axis=0)


def residuals(p: "Problem", near: Motion) -> list[tuple[Floats, Floats]]:
    """Residuals and weights of costs on scalars, in their order, limits last."""
    found = sampled(p.robot, p.terms, p.actuated, weighted, *near) if p.terms.parts else []
    return list(zip(found[::2], found[1::2], strict=True))


def _pressed(p: "Problem", near: Motion, which: Floats) -> Floats:
    """New multipliers over a larger weight, in place; whether the weight has become too large."""
    assert p.bounds
    places = dict(p.terms.parts[-1].places)
    weight, shift = (slice(*places[name][1:]) for name in ("weight", "shift"))
    x = np.concatenate([near.q[which][..., p.bounds.q], near.v[which][..., p.bounds.v]], axis=-1)
    x += near.own[which, :, shift]
    near.own[which, :, shift] = (x - np.clip(x, p.bounds.low, p.bounds.high)) / GROWTH
    near.own[which, :, weight] *= GROWTH
    return near.own[which, 0, weight.start] >= HEAVIEST * p.terms.own[-2][0, 0, 0]


def _searched(p: "Problem", near: Rolled, gains: Gains, gaps: Floats) -> tuple[Rolled, Floats]:
    """The longest step of every problem that lowers the cost as promised, and its length.

    Gaps cost what the states after them are worth, twice; a problem that finds no step stays, with length zero.
    """
    before, length = near.costs, np.zeros(len(near.costs))
    found, open_gaps = None, gaps if gaps.any() else None
    missed = 2 * gains.price * abs(gaps).sum(axis=(1, 2)) if open_gaps is not None else np.zeros(len(before))
    left, lengths = np.arange(len(before)), LENGTHS
    while len(left) and len(lengths):
        tried = lengths if len(left) * len(lengths) <= TOGETHER else lengths[:1]
        lengths = lengths[len(tried) :]
        each = len(tried) if len(left) > 1 else 1  # a single problem is the same in all lanes
        lanes = slice(None) if each == 1 and len(left) == len(before) else np.repeat(left, each)
        start, own = Motion(*(x[lanes] for x in near.motion)), Gains(*(x[lanes] for x in gains))
        moved = rolled(p, start, own, np.tile(tried, len(left)), None if open_gaps is None else open_gaps[lanes])
        promised = tried * gains.slope[left, None] + tried**2 / 2 * gains.curvature[left, None]
        promised = np.where(missed[left, None] > 0, -tried * missed[left, None], promised)
        change = moved.costs.reshape(len(left), -1) - before[left, None] - tried * missed[left, None]
        good = (change <= ENOUGH * promised) & (change < 0)
        first, some = good.argmax(axis=1), good.any(axis=1)
        length[left[some]] = tried[first[some]]
        if len(left) == len(before) and some.all():
            return (moved if len(tried) == 1 else _some(moved, left * len(tried) + first)), length
        found = found or Rolled(Motion(*(x.copy() for x in near.motion)), near.costs.copy(), near.over.copy())
        _put(found, left[some], moved, np.flatnonzero(some) * len(tried) + first[some])
        left = left[~some]
    return found or near, length


def gained(p: "Problem", near: Motion, mu: Floats, gaps: Floats) -> Gains:
    """Gains of every problem near a motion."""
    N, gap = len(near.u), gaps if gaps.any() else None
    inside = 2 * p.robot.nv <= COMPILED
    block = inside and p.method == "euler" and plain(p.robot) and p.schedule[0].contacts is None
    F, forces = (None, None) if block else _linearized(p, near)
    extra: Any = _quadratic(p, near, forces, on_scalars=not inside)
    if F is not None and not inside:
        low, high = (limit - near.u for limit in p.limits)
        lx, lxx, lu, luu, lux = extra
        return in_batches(p.robot, Model(F, lx, lxx, lu, luu, lux, low, high, gap), mu, p.dt)
    numbers = {name: x for name, x in (("shared", p.terms.shared), ("own", near.own)) if x.shape[-1]}
    rows = {"q": near.q, "v": near.v, "u": near.u, **numbers}
    if extra is not None:
        rows |= dict(zip(("lx", "lxx", "lu", "luu", "lux"), extra, strict=True))
    rows |= {name: x for name, x in (("F", F), ("gap", gap)) if x is not None}
    flat = {name: x if x.ndim < 3 else x.reshape(N, x.shape[1], -1) for name, x in rows.items()}
    return in_lanes(p.robot, p.terms.parts, p.actuated, p.dt, flat, p.limits, mu)


def _quadratic(p: "Problem", near: Motion, forces: Forces | None, on_scalars: bool) -> list[Floats] | None:
    """lx, lxx, lu, luu and lux of costs on batches, and of those on scalars if they are asked for."""
    N, T, n, own = len(near.u), p.horizon, p.robot.nv, list(p.actuated)
    x, m = 2 * n, len(own)
    if on_scalars:
        found = sampled(p.robot, p.terms, p.actuated, quadratics, *near)
        lx, lxx, lu, luu, lux = *found[:2], *(np.ascontiguousarray(part[:, :T]) for part in found[2:])
    elif not p.on_batches:
        return None
    else:
        lx, lxx = np.zeros((N, T + 1, x)), np.zeros((N, T + 1, x, x))
        lu, luu, lux = np.zeros((N, T, m)), np.zeros((N, T, m, m)), np.zeros((N, T, m, x))
    for _, (r, by_state, by_torque), w in on_batches(p, near, forces):
        by_state, by_torque = (J() if callable(J) else J for J in (by_state, by_torque))
        by_state, by_torque = (np.diag(J) if J is not None and J.ndim == 1 else J for J in (by_state, by_torque))
        _add(lx, lxx, r, by_state, w)
        if by_torque is None:
            continue
        by_control = (by_torque[:, :T] if by_torque.ndim > 2 else by_torque)[..., own]
        _add(lu, luu, r[:, :T], by_control, w[:T])
        if by_state is not None:
            along = by_state[:, :T] if by_state.ndim > 2 else by_state
            lux[..., : along.shape[-1]] += np.swapaxes(by_control, -1, -2) @ (w[:T, :, None] * along)
    return [lx, lxx, lu, luu, lux]


def _add(gradient: Floats, hessian: Floats, r: Floats, J: Any, w: Floats) -> None:
    """½ Σ w r² to a quadratic model: its gradient Jᵀ w r, and Jᵀ w J."""
    if J is None:
        return
    n = J.shape[-1]
    weighted = w[..., None] * J
    gradient[..., :n] += (r[..., None, :] @ weighted)[..., 0, :]
    hessian[..., :n, :n] += np.swapaxes(J, -1, -2) @ weighted


def _linearized(p: "Problem", near: Motion) -> Step:
    """Derivatives of all steps."""
    if p.schedule[0].contacts is not None:
        return linearized(p.robot, p.schedule, p.actuated, *near[:3], p.dt)
    N, T, n, own = len(near.u), p.horizon, p.robot.nv, list(p.actuated)
    tau = np.zeros((N * T, n))
    tau[:, own] = near.u.reshape(N * T, -1)
    both = STEPS[p.method](p.robot, *(x[:, :T].reshape(N * T, -1) for x in near[:2]), tau, p.dt)
    columns = [*range(2 * n), *(2 * n + k for k in own)]
    return Step((both if len(own) == n else both[..., columns]).reshape(N, T, 2 * n, -1), None)
