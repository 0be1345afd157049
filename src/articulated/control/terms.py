"""Everything a whole-body law needs of the robot in one state, as one kernel; any scalar."""

from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from ..algebra.rotations import cross
from ..algebra.scalars import Array, array, sqrt, zeros
from ..algorithms.fast.inverse_dynamics import inverse_dynamics_by_moments
from ..algorithms.fast.mass_matrix import mass_matrix_by_moments
from ..algorithms.inverse_dynamics import inverse_dynamics
from ..algorithms.kinematics import frame_pose
from ..algorithms.mass_matrix import mass_matrix
from ..compiler.kernel import Kernel, Source
from ..compiler.runtime.fingerprint import fingerprint
from ..contacts.constraints import constraint_bias, constraint_jacobian
from ..contacts.kinds import Contact
from ..model import Model
from ..robot import Robot
from ..robot.arguments import Arguments
from ..robot.programs import robot_fingerprint
from .goals import GOALS, OF_MASS, Goal

Axis = tuple[float, float, float]


class Asked(NamedTuple):
    """What decides which numbers are computed."""

    contacts: tuple[Contact, ...]
    goals: tuple[Goal, ...]
    soles: tuple[tuple[str, Axis], ...]  # frames with a sole, and the normal of the ground there
    force: float  # the unit of contact forces in `balance`


class Terms(NamedTuple):
    """With x = [a, contact forces / force]: M a + h - Jᵀ λ = balance[:nv] x + h, J a + J̇ v = balance[nv:] x + bias."""

    balance: Array  # [[M, -force Jᵀ], [J, 0]], (nv + k, nv + k)
    h: Array  # (nv,)
    bias: Array  # J̇ v, (k,)
    speed: Array  # J v, (k,)
    tasks: Array  # (m, nv)
    wanted: Array  # tasks @ a should be this, (m,)
    moments: Array  # rows on the moment of each sole: twice where the pressure is along it, twice across, (soles, 4, 3)


def terms(
    model: Model,
    q: Array,
    v: Array,
    targets: Array,
    gains: Array,
    asked: Asked,
    recursion: Callable[..., Array] = inverse_dynamics,
    inertia: Callable[..., Array] = mass_matrix,
    weighed: Model | None = None,
) -> Terms:
    """`targets` are those of the tasks one after the other; `gains` are first all Kp, then all Kd.

    `weighed` is the robot with its masses where they are, if `model` is a regrouped one.
    """
    nv, still = model.nv, zeros(model.nv)
    J = constraint_jacobian(model, q, asked.contacts)
    balance = zeros(nv + len(J), nv + len(J))
    balance[:nv, :nv], balance[nv:, :nv] = inertia(model, q), J
    balance[:nv, nv:] = -asked.force * J.T

    m = len(gains) // 2
    parts, wishes, start, row = [zeros(0, nv)], [zeros(0)], 0, 0
    for goal in asked.goals:
        ends = start + np.cumsum((0, *goal.sizes(model)))
        value, rate, acc = (targets[i:j] for i, j in pairwise(ends))
        about = weighed if weighed and goal.kind in OF_MASS else model
        found = GOALS[goal.kind](about, q, v, goal, value, rate, acc)
        Kp, Kd = gains[row : row + goal.rows], gains[m + row : m + row + goal.rows]
        parts.append(found.J)
        wishes.append(found.feedforward + Kp * found.error + Kd * found.error_rate - found.drift)
        start, row = int(ends[-1]), row + goal.rows

    return Terms(
        balance, recursion(model, q, v, still), constraint_bias(model, q, v, asked.contacts), J @ v,
        np.concatenate(parts), np.concatenate(wishes), _moments(model, q, asked.soles),
    )  # fmt: skip


def _moments(model: Model, q: Array, soles: tuple[tuple[str, Axis], ...]) -> Array:
    """With the frame's x axis laid on the ground, and y to its left: -y, -y, x, x, whose moments are x p, y p."""
    found = zeros(max(1, len(soles)), 4, 3)  # never empty: the short way to a kernel wants numbers
    for k, (frame, normal) in enumerate(soles):
        n, x = array(normal), frame_pose(model, q, frame).R[:, 0]
        along = x - n * (n @ x)
        along = along / sqrt((along * along).sum())
        found[k] = array([-cross(n, along), -cross(n, along), along, along])
    return found


# -- as machine code ----------------------------------------------------------------------


def terms_kernel(robot: Robot, asked: Asked) -> Kernel:
    """`terms` of one robot, compiled; equal questions share a kernel."""
    key = (terms, asked)
    return robot._kernels.get(key) or robot._kernels.setdefault(key, _made(robot, asked))


def _made(robot: Robot, asked: Asked) -> Kernel:
    formulation: Mapping[str, Any] = {
        "recursion": inverse_dynamics_by_moments,
        "inertia": mass_matrix_by_moments,
        "weighed": robot.model,
    }
    sizes = {
        "q": robot.nq,
        "v": robot.nv,
        "targets": sum(sum(goal.sizes(robot.model)) for goal in asked.goals),
        "gains": 2 * sum(goal.rows for goal in asked.goals),
    }
    meanings = {name: robot._meaning(name) if name in "qv" else name for name in sizes}
    source = Source(
        name="whole_body",
        function=robot._numeric(lambda **arrays: terms(robot.model, **arrays, asked=asked)),
        formulations=(robot._numeric(lambda **arrays: terms(robot._regrouped, **arrays, asked=asked, **formulation)),),
        sizes=sizes,
        check=Arguments("the law", robot.name, sizes, meanings),
        result=Terms,
        identity=lambda: (own := robot_fingerprint(robot)) and fingerprint(own, asked),
        remake=(terms_kernel, (robot, asked)),
        example=_example(robot, sizes) if robot._long else None,
        compiled=not robot._too_long,
    )
    return Kernel(source)


def _example(robot: Robot, sizes: Mapping[str, int]) -> dict[str, np.ndarray]:
    return {name: robot.neutral() if name == "q" else np.zeros(size) for name, size in sizes.items()}
