"""Terms of a whole-body law in one state, as one kernel; any scalar."""

from collections.abc import Callable
from functools import partial
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from ...algebra.rotations import cross
from ...algebra.scalars import Array, array, sqrt, zeros
from ...algorithms.fast.moments import inverse_dynamics_by_moments, mass_matrix_by_moments
from ...algorithms.inverse_dynamics import inverse_dynamics
from ...algorithms.kinematics import frame_pose
from ...algorithms.mass_matrix import mass_matrix
from ...compiler.kernel import Kernel
from ...contacts.constraints import constraint_bias, constraint_jacobian
from ...contacts.kinds import Contact
from ...model import Model
from ...robot import Robot
from ...robot.arguments.arrays import Vector
from .goals import GOALS, OF_MASS, Goal
from .limits import JointLimits

Axis = tuple[float, float, float]


class Asked(NamedTuple):
    """Structure of a law: all that decides which program is compiled."""

    contacts: tuple[Contact, ...]
    goals: tuple[Goal, ...]
    soles: tuple[tuple[Contact, Axis], ...]  # contacts with a sole, and the normal of the ground there
    force: float  # the unit of contact forces in `balance`
    joints: JointLimits


class Terms(NamedTuple):
    """With x = [a, contact forces / force]: M a + h - Jᵀ λ = balance[:nv] x + h, J a + J̇ v = balance[nv:] x + bias."""

    balance: Array  # [[M, -force Jᵀ], [J, 0]], (nv + k, nv + k)
    h: Array  # (nv,)
    bias: Array  # J̇ v, (k,)
    speed: Array  # J v, (k,)
    tasks: Array  # (m, nv)
    wanted: Array  # tasks @ a should be this, (m,)
    moments: Array  # rows on the moment of each sole: twice where the pressure is along it, twice across, (soles, 4, 3)
    bounds: Array  # least accelerations, then the largest, with which joints keep their ranges, (2 nv,)
    velocity: Array  # (nv,)


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
        np.concatenate(parts), np.concatenate(wishes), _moments(model, q, asked.soles), asked.joints.bounds(q, v), v,
    )  # fmt: skip


def _moments(model: Model, q: Array, soles: tuple[tuple[Contact, Axis], ...]) -> Array:
    """With the frame's x axis laid on the ground, and y to its left: -y, -y, x, x, whose moments are x p, y p.

    Of a line, x is the line itself, and the rows across it are about the normal; its moments are about two axes.
    """
    found = zeros(max(1, len(soles)), 4, 3)  # never empty: the call in C takes no empty arrays
    for k, (contact, normal) in enumerate(soles):
        n, R = array(normal), frame_pose(model, q, contact.frame).R
        axes = [R @ array(a) for a in contact.angular]
        x = cross(*axes) if contact.kind == "line" else R[:, 0]
        along = x - n * (n @ x)
        along = along / sqrt((along * along).sum())
        rows, left = (n, cross(n, along)) if contact.kind == "line" else (along, cross(n, along))
        found[k] = array([-left, -left, rows, rows])
        if contact.kind == "line":
            found[k] = array([[row @ axes[0], row @ axes[1], 0] for row in found[k]])
    return found


def without_joint_friction(robot: Robot) -> Robot:
    """The robot without damping and dry friction of its joints."""
    if not any(b.friction or b.damping for b in robot.model.bodies):
        return robot
    links = (link.replace(joint=link.joint.replace(friction=0, damping=0)) for link in robot.model.links)
    return Robot(robot.model.changed(links))


# -- as machine code ----------------------------------------------------------------------


def terms_kernel(robot: Robot, asked: Asked) -> Kernel:
    """`terms` of one robot, compiled; equal questions share a kernel."""
    vectors = {
        "targets": Vector(sum(sum(goal.sizes(robot.model)) for goal in asked.goals), "the targets of the tasks"),
        "gains": Vector(2 * sum(goal.rows for goal in asked.goals), "the gains of the tasks"),
    }
    kernels = robot.kernels.under("", vectors)
    # in fewer operations, on the regrouped model; the masses of a task are where the robot has them
    fast = partial(terms, recursion=inverse_dynamics_by_moments, inertia=mass_matrix_by_moments, weighed=robot.model)
    request = kernels.request(
        "the law", terms, ("q", "v", "targets", "gains"), choices={"asked": asked}, formulations=(fast,)
    )
    return kernels.kernel(request)
