"""All solutions of inverse kinematics, where they are isolated: searches from everywhere, until each came up often."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import ShapeError
from ...inputs.choices import flag, generator, number
from .attempts import Attempts
from .starts import inside
from .targets import targets_of

METHOD = "inverse_kinematics_solutions"
#: searches of a round, rounds at most, and iterations of a search
LANES, ROUNDS, STEPS = 256, 60, 40
#: every solution has been found so often before the search ends
OFTEN = 4
#: solutions whose coordinates differ by less are one: m, rad
SAME = 1e-5
#: more of them are a curve of solutions; arms with six joints have sixteen at most
MOST = 64


@np.errstate(over="ignore", invalid="ignore")
def every_solution(robot: Any, targets: Any, limits: bool, tolerance: float, seed: Any) -> NDArray[np.floating]:
    """See `Robot.inverse_kinematics_solutions`."""
    wanted = targets_of(robot.model, targets, None, method=METHOD)
    if wanted.values.ndim > 1:
        raise ShapeError(f"{METHOD}: one target of each frame; got {wanted.values.shape[:-1]} of them")
    if len(wanted.weights) < robot.nv:
        raise ShapeError(
            f"{METHOD}: {robot.nv} joints meet {len(wanted.weights)} conditions in infinitely many ways; lock "
            f"{robot.nv - len(wanted.weights)} of them with robot.lock(…), or ask inverse_kinematics for one"
        )
    tolerance = number(f"{METHOD}: tolerance", tolerance, "above zero, m and rad", np.nextafter(0, 1))
    search = Attempts(robot, wanted, tolerance, STEPS, flag(f"{METHOD}: limits", limits), 1)
    rng = generator(f"{METHOD}: seed", seed)
    angles = np.zeros(robot.nq, bool)
    for b in robot.model.bodies:
        angles[b.coords] |= b.joint.turns
    found, counts = np.zeros((0, robot.nq)), np.zeros(0, int)
    for k in range(ROUNDS):
        start = inside(robot.random(rng, (LANES,)), search.box)
        out = search.searched(np.tile(wanted.values, (LANES, 1)), start, STEPS)
        for q in out.best[out.done]:
            turned = np.where(angles, (q + np.pi) % (2 * np.pi) - np.pi, q)
            q = np.where((turned >= search.box[0]) & (turned <= search.box[1]), turned, q)
            off = q - found
            off = abs(np.where(angles, (off + np.pi) % (2 * np.pi) - np.pi, off)).max(axis=1, initial=0.0)
            if len(found) and off.min() < SAME:
                counts[off.argmin()] += 1
            else:
                found, counts = np.vstack([found, q]), np.append(counts, 1)
        if len(found) > MOST:
            raise ShapeError(
                f"{METHOD}: joints can move while the targets are met, as where an arm is singular: there are "
                "infinitely many solutions; ask inverse_kinematics for one"
            )
        if counts.min(initial=k + 1) >= OFTEN:  # none was found: as many rounds
            break
    return found[np.lexsort(found.round(4).T[::-1])]
