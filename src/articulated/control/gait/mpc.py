"""Motion of a base that the forces of its feet allow, over a period to come: a convex program (Di Carlo et al. 2018).

The robot is a rigid body with the inertia of its home pose.  Its state is its rotation from the reference (a rotation
vector, world axes), its center of mass, and the rates of both; lever arms are those about the reference, so that the
motion is linear in the forces.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..qp.active_set import SOLVED, Problem, SolverFailed, least

Floats = NDArray[np.floating]
#: steps of a period
STEPS = 16
#: weights of rotation, place along the ground, height, angular and linear velocity: 1/rad², 1/m², s²/rad², s²/m²
ROTATION, PLACE, HEIGHT, TURNING, MOVING = 2.0, 20.0, 50.0, 0.02, 4.0
#: and of a force that is the weight of the robot
FORCE = 1e-4
#: part of the friction cone that is planned with: a pyramid inside it, and some reserve
RESERVE = 0.7
#: most that a foot carries, in weights of the robot
MOST = 1.5
#: a force that no foot has, in weights of the robot
FAR = 1e3


class Body(NamedTuple):
    """A robot as one rigid body, in world axes."""

    mass: float
    inertia: Floats  # (3, 3), about the center of mass
    gravity: Floats  # (3,)


def accelerations(
    body: Body, start: Floats, reference: Floats, places: Floats, loads: Floats, step: float, friction: float
) -> Floats:
    """Accelerations [angular; linear] of the steps to come, (steps, 6), world axes.

    `start` (2, 6) is the state, [rotation; place] and rates; `reference` (steps, 2, 6) those wanted at the end of each
    step.  `places` (feet, steps, 3) and `loads` (feet, steps), 0 in the air to 1, are those of the feet.
    """
    count, weight = loads.shape[1], body.mass * float(np.linalg.norm(body.gravity))
    foot, at = np.nonzero(loads > 0)
    each = np.arange(len(foot))
    # accelerations by a force of one weight of the robot along x, y, z
    lever = places[foot, at] - reference[at, 0, 3:]
    turns = np.linalg.solve(body.inertia, weight * np.cross(lever[:, None], np.eye(3)).swapaxes(1, 2))
    by_force = np.zeros((count, 6, len(foot), 3))
    by_force[at, :3, each], by_force[at, 3:, each] = turns, weight / body.mass * np.eye(3)
    B = by_force.reshape(count, 6, -1)
    # they are constant in a step
    since = np.arange(count)[:, None] - np.arange(count)
    later, falls = step * np.arange(1, count + 1)[:, None], np.concatenate([np.zeros(3), body.gravity])
    free = np.stack([start[0] + later * start[1] + later**2 / 2 * falls, start[1] + later * falls], axis=1)
    sums = np.where(since >= 0, [step**2 * (since + 0.5), np.full_like(since, step, float)], 0)
    T = np.einsum("dkj,jan->kdan", sums, B).reshape(12 * count, -1)
    w = np.tile([*[ROTATION] * 3, PLACE, PLACE, HEIGHT, *[TURNING] * 3, *[MOVING] * 3], count)
    # pyramids; a foot that takes on its load, or gives it up, carries no more than that
    G = np.zeros((len(foot), 5, len(foot), 3))
    cone = -RESERVE * friction
    G[each, :, each] = np.array([[1, 0, cone], [-1, 0, cone], [0, 1, cone], [0, -1, cone], [0, 0, 1]])
    lower, upper = np.tile([-FAR, -FAR, -FAR, -FAR, 0.0], len(foot)), np.zeros((len(foot), 5))
    upper[:, 4] = np.where(loads[foot, at] < 1, loads[foot, at], MOST)
    found = least(Problem(
        T, (reference - free).ravel(), w, np.full(3 * len(foot), FORCE), np.zeros((0, 3 * len(foot))), np.zeros(0),
        G.reshape(5 * len(foot), -1), lower, upper.ravel(), np.zeros((0, 2), np.intc),
    ), 30 * STEPS)  # fmt: skip
    if found.status != SOLVED:
        raise SolverFailed("the forces of the feet to come were not found")
    return np.asarray(B @ found.x + falls)
