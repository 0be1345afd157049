"""Costs on scalars: their values and quadratic models at one state, as blocks of loops and as kernels of batches.

Numbers of a cost (references, weights) are arguments of the code: `shared` ones (T + 1, …) are the same for all
problems, `own` ones (N, T + 1, …) are not.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ..algebra.scalars import Array, Scalar, array, eye, greatest, select, zeros
from ..algorithms.configuration import configuration_rate
from ..compiler.passes.differentiate import jacobian
from ..compiler.passes.simplify import folded
from ..compiler.passes.trace import trace
from ..errors import ShapeError
from ..inputs.choices import floats
from ..model import Model
from ..robot import Robot
from ..robot.arguments.arrays import Vector

Floats = np.ndarray


class Part(NamedTuple):
    """A cost on scalars, with its numbers by name: "shared" or "own", the first and the end of them there."""

    residual: Callable[..., Array]
    places: tuple[tuple[str, tuple[str, int, int]], ...]


class Quadratic(NamedTuple):
    """Gradient and Gauss-Newton Hessian by states [dq; dv] and controls: as `Model` has them."""

    lx: Array
    lxx: Array
    lu: Array
    luu: Array
    lux: Array


class Terms(NamedTuple):
    """All costs on scalars of a problem, and their numbers."""

    parts: tuple[Part, ...]
    shared: Floats  # (T + 1, K)
    own: tuple[Floats, ...]  # (N or 1, T + 1 or 1, k) each

    def given(self, problems: int) -> Floats:
        """The own numbers of so many problems, (N, T + 1, K)."""
        try:
            rows = [np.broadcast_to(x, (problems, len(self.shared), x.shape[-1])) for x in self.own]
        except ValueError:
            told = f"Problem: references are for {[len(x) for x in self.own]} problems, and there are {problems}"
            raise ShapeError(told) from None
        return np.concatenate([*rows, np.zeros((problems, len(self.shared), 0))], axis=-1)


def laid_out(costs: Sequence[Any], robot: Robot, horizon: int, dt: float) -> Terms:
    """Numbers of costs in rows along the motion, and their places there."""
    parts, ends = [], {"shared": 0, "own": 0}
    rows: dict[str, list[tuple[str, int, Floats]]] = {"shared": [], "own": []}
    for cost in costs:
        places = []
        for name, (x, kind) in {"weight": (cost.along(horizon, dt), 0), **cost.numbers}.items():
            title = f"costs.{cost.name}: {name}"
            found = floats(title, x)
            width = {"q": robot.nq, "v": robot.nv, 0: found.shape[-1] if found.ndim else 1}.get(kind, kind)
            where = "own" if found.ndim > 2 else "shared"
            if found.ndim == 2 and len(found) == horizon:  # of controls, which the last state has none of
                found = np.append(found, found[-1:], axis=0)
            rows[where].append((title, width, found))
            places.append((name, (where, ends[where], ends[where] + width)))
            ends[where] += width
        parts.append(Part(cost.residual, tuple(places)))
    shared, at = np.empty((horizon + 1, ends["shared"])), 0
    for title, width, found in rows["shared"]:
        _filled(shared[:, at : at + width], title, found)
        at += width
    own = [_filled(np.empty((*x.shape[:-1], width)), title, x) for title, width, x in rows["own"]]
    return Terms(tuple(parts), shared, tuple(own))


def _filled(rows: Floats, title: str, found: Floats) -> Floats:
    try:
        rows[...] = found
    except ValueError:
        wanted = f"({rows.shape[-1]},), or {rows.shape[-2]} rows of them"
        raise ShapeError(f"{title} has shape {found.shape}; it must be {wanted}") from None
    return rows


def residuals(
    model: Model, parts: Sequence[Part], q: Array, v: Array, tau: Array, numbers: Mapping[str, Array]
) -> list[tuple[Array, Array]]:
    """Residual and weights of every cost."""
    found = []
    for part in parts:
        given = {name: numbers[where][first:end] for name, (where, first, end) in part.places}
        weight = given.pop("weight")
        r = part.residual(model, q, v, tau, **given)
        if len(weight) not in (1, len(r)):
            raise ShapeError(f"costs: a weight has {len(weight)} numbers, its residual has {len(r)}")
        found.append((r, weight if len(weight) == len(r) else array([weight[0]] * len(r))))
    return found


def value(model: Model, parts: Sequence[Part], q: Array, v: Array, tau: Array, numbers: Mapping[str, Array]) -> Scalar:
    """½ Σ w r² of all costs."""
    return 0.5 * sum((w * r * r).sum() for r, w in residuals(model, parts, q, v, tau, numbers))


def quadratic(
    model: Model, parts: Sequence[Part], actuated: tuple[int, ...], q: Array, v: Array, u: Array, **numbers: Array
) -> Quadratic:
    """The model of all costs at a state, by exact derivatives of their residuals."""

    def rows(q: Array, v: Array, u: Array, **numbers: Array) -> Array:
        return np.concatenate([r for r, _ in residuals(model, parts, q, v, torques(model, actuated, u), numbers)])

    given = {"q": q, "v": v, "u": u, **numbers}
    x, every = 2 * model.nv, 2 * model.nv + len(u)
    if not parts:
        return Quadratic(zeros(x), zeros(x, x), zeros(len(u)), zeros(len(u), len(u)), zeros(len(u), x))
    program = folded(trace(rows, {name: len(array) for name, array in given.items()}))
    along = np.stack([configuration_rate(model, q, unit) for unit in eye(model.nv)], axis=1)
    maps = {"q": along, "v": eye(model.nv), **({"u": eye(len(u))} if len(u) else {})}
    found = jacobian(program, given, maps)
    J = np.concatenate([found[name][0] for name in maps], axis=-1)
    both = residuals(model, parts, q, v, torques(model, actuated, u), numbers)
    r, w = (np.concatenate(some) for some in zip(*both, strict=True))
    weighted = w[:, None] * J
    g, H = weighted.T @ r, zeros(every, every)
    for i in range(every):
        for j in range(i + 1):
            H[i, j] = H[j, i] = (weighted[:, i] * J[:, j]).sum()
    return Quadratic(g[:x], H[:x, :x], g[x:], H[x:, x:], H[x:, :x])


def torques(model: Model, actuated: tuple[int, ...], u: Array) -> Array:
    """Generalized forces of controls."""
    tau = array([0] * model.nv)
    tau[list(actuated)] = u
    return tau


@dataclass(frozen=True)
class Beyond:
    """Distance beyond limits of these coordinates and velocities, shifted by multipliers over the weight."""

    q: tuple[int, ...]
    v: tuple[int, ...]

    def __call__(
        self, model: Model | None, q: Array, v: Array, tau: Any, low: Array, high: Array, shift: Any = 0
    ) -> Array:
        """Augmented Lagrangian of a box: zero inside."""
        x = np.concatenate([q[list(self.q)], v[list(self.v)]]) + shift
        return array([select(y < a, y - a, select(b < y, y - b, 0.0)) for y, a, b in zip(x, low, high, strict=True)])


def excess(part: Part, q: Array, v: Array, numbers: Mapping[str, Array]) -> Scalar:
    """Largest violation of limits, which a part is about."""
    places = dict(part.places)
    low, high = (numbers[where][first:end] for where, first, end in (places["low"], places["high"]))
    most: Scalar = 0.0
    for r in part.residual(None, q, v, None, low, high):
        most = greatest(most, select(r < 0, -r, r))
    return most


def sampled(
    robot: Robot, terms: Terms, actuated: tuple[int, ...], function: Callable[..., Any], *state: Floats
) -> list[Floats]:
    """`quadratics` or `weighted` at all samples: q and v (N, T + 1, …), u (N, T, …) and own numbers; by a kernel."""
    u = np.concatenate([state[2], np.zeros_like(state[2][:, :1])], axis=1)
    arrays = {"q": state[0], "v": state[1], "u": u, "shared": terms.shared, "own": state[3]}
    sizes = {name: x.shape[-1] for name, x in arrays.items() if x.shape[-1]}
    kernels = robot.kernels.under("", {name: Vector(size, name) for name, size in sizes.items()})
    asked = kernels.request("costs", function, sizes, choices={"parts": terms.parts, "actuated": actuated})
    batch = u.shape[:2]
    rows = [np.broadcast_to(arrays[name], (*batch, n)).reshape(-1, n) for name, n in sizes.items()]
    return [x.reshape(*batch, *x.shape[1:]) for x in kernels.kernel(asked).call(*map(np.ascontiguousarray, rows))]


def quadratics(model: Model, **given: Any) -> tuple[Array, ...]:
    """`quadratic` as a kernel has it."""
    return tuple(quadratic(model, **given))


def weighted(
    model: Model, parts: Any, actuated: tuple[int, ...], q: Array, v: Array, u: Array, **numbers: Array
) -> Any:
    """Residuals and weights of every cost, in turn."""
    found = residuals(model, parts, q, v, torques(model, actuated, u), numbers)
    return tuple(x for pair in found for x in pair)
