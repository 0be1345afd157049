"""The parts of a step as functions of flat vectors, straight-line on any scalar: what is compiled, and looped over.

Matrices are packed: only what can be other than zero is kept (`Pattern`), of symmetric ones a half.
"""

from itertools import zip_longest
from typing import Any, NamedTuple

import numpy as np

from ...algebra.scalars import Array, Scalar, array, eye, stack, zeros
from ...algorithms.fast.inverse_dynamics import inverse_dynamics_by_moments
from ...algorithms.fast.mass_matrix import mass_matrix_by_moments
from ...algorithms.kinematics import Forces
from ...model import Model
from .geometry import Meeting
from .joints import GIVEN
from .laws import Window
from .problem import Problem
from .step import Finished, Prepared, finish, least_velocity, prepare
from .system import System, pattern


class Packed(NamedTuple):
    """Contact problem of a step, every matrix packed."""

    G: Array
    c: Array
    bounds: Array  # the ends of all windows that have any, one after the other
    v_free: Array
    L: Array
    inverse: Array
    Y: Array
    axes: Array  # of the contacts, unless the ground has the same everywhere
    gaps: Array
    positions: Array
    normals: Array


def prepare_packed(
    model: Model, q: Array, v: Array, tau: Array, anchors: Array, system: System, dt: Scalar, forces: Forces = {},
    **ways: Any,
) -> Packed:  # fmt: skip
    """`prepare`, its result packed."""
    found, where = prepare(model, q, v, tau, anchors, dt, system, forces, **ways), pattern(model, system)
    own = [joint.dry is not None and not isinstance(joint.dry, float) for joint in system.joints]
    bounds = [x for window, dry in zip_longest(found.problem.windows, own) for x in _ends(window, bool(dry))]
    axes = [] if _has_fixed_axes(system) else [x for met in found.meetings for x in met.axes.ravel()]
    return Packed(
        found.problem.G[where.G], found.problem.c, _vector(bounds),
        found.v, found.L[where.L], found.inverse, found.Y.T[where.Y], _vector(axes),
        _vector([met.gap for met in found.meetings]),
        stack([met.position for met in found.meetings], 3),
        stack([met.axes[2] for met in found.meetings], 3),
    )  # fmt: skip


def prepare_packed_by_moments(
    model: Model, q: Array, v: Array, tau: Array, anchors: Array, system: System, dt: Scalar, forces: Forces = {}
) -> Packed:
    """The same in fewer operations, on the regrouped model."""
    ways = {"recursion": inverse_dynamics_by_moments, "inertia": mass_matrix_by_moments}
    return prepare_packed(model, q, v, tau, anchors, system, dt, forces, **ways)


def finish_packed(
    model: Model, q: Array, v: Array, impulses: Array, G: Array, c: Array, bounds: Array,
    v_free: Array, L: Array, inverse: Array, Y: Array, axes: Array, system: System, dt: Scalar,
) -> Finished:  # fmt: skip
    """`finish`, from what was packed."""
    where = pattern(model, system)
    whole, spread = eye(model.nv), zeros(system.size, model.nv)
    whole[where.L] = L
    spread[where.Y] = Y
    met = [Meeting(0, zeros(3), own, zeros(3, 0)) for own in _unpacked_axes(axes, system)]
    problem = unpacked_problem(model, G, c, bounds, zeros(len(met)), system, dt)
    prepared = Prepared(problem, v_free, whole, inverse, spread.T, met)
    return finish(model, q, v, impulses, dt, prepared, system.held_rows)


def unpacked_problem(
    model: Model, G: Array, c: Array, bounds: Array, friction: Array, system: System, dt: Scalar
) -> Problem:
    """The problem of a step, its zeros exact."""
    where = pattern(model, system)
    whole = zeros(system.size, system.size)
    whole[where.G] = G
    whole.T[where.G] = G
    ends = iter(bounds)
    windows = []
    for joint in system.joints:
        lower, upper = (None if x is None else next(ends) for x in (joint.lower, joint.upper))
        dry = None if joint.dry is None else next(ends) if joint.dry == GIVEN else joint.dry * dt
        windows.append(Window(lower, upper, dry))
    windows += [Window(rate, rate, None) for rate in ends]
    return Problem(whole, c, friction, tuple(windows), least_velocity(model, dt))


def _ends(window: Window, own: bool) -> list[Scalar]:
    """Entries of a window that depend on the state, and dry friction of its own; a bilateral one has one end."""
    ends = [window.lower] if window.lower is window.upper else [window.lower, window.upper]
    return [x for x in [*ends, window.dry if own else None] if x is not None]


def _has_fixed_axes(system: System) -> bool:
    return system.surface.uniform and not system.touching.pairs


def _unpacked_axes(axes: Array, system: System) -> list[Array]:
    if _has_fixed_axes(system):
        return [system.surface.meet(zeros(3)).axes] * len(system.contacts)
    return list(axes.reshape(-1, 3, 3))


def _vector(items: list) -> Array:
    return array(items) if items else np.empty(0, object)


def sizes(model: Model, system: System) -> dict[str, int]:
    """Sizes of the vectors the blocks take beside those of the robot."""
    where = pattern(model, system)
    ends = sum((j.lower is not None) + (j.upper is not None) + (j.dry == GIVEN) for j in system.joints)
    return {
        "anchors": 16 * len(system.held), "impulses": system.size, "proximal": 1, "friction": len(system.contacts),
        "v_free": model.nv, "G": int(where.G.sum()), "c": system.size, "bounds": ends + system.held_rows,
        "L": int(where.L.sum()), "inverse": model.nv, "Y": int(where.Y.sum()),
        "axes": 0 if _has_fixed_axes(system) else 9 * len(system.contacts),
    }  # fmt: skip
