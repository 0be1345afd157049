"""Motions that would show what a log does not: joints that are moved, alone or by twos, in several poses."""

from __future__ import annotations  # help shows types as they are written here

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..algorithms.sensors import held
from ..text import shortened

if TYPE_CHECKING:
    from .result import Identification

#: poses, with velocities and accelerations of this size
POSES, SPEED, ACCELERATION = 60, 1.5, 5.0


def advice(result: Identification) -> list[str]:
    """A sentence for each motion, with the base parameters that it would show; then those that none of them shows."""
    names, linear = result.base.names, result.sought.linear[: len(result.base.names)]
    unseen = [names.index(name) for name in result.unseen]
    prior = np.linalg.norm(linear, axis=1)
    values, V = np.linalg.eigh(result.covariance)
    known = V / values.clip(min=1e-9 * values.max()) @ V.T  # without noise some are known to rounding
    left, lines = set(unseen), []
    for said, rows in _candidates(result):
        more = rows @ linear
        C = np.linalg.inv(known + more.T @ more)
        std = np.sqrt(np.einsum("ij,jk,ik->i", linear, C, linear).clip(min=0.0))
        if shown := [k for k in sorted(left) if std[k] < 0.25 * prior[k]]:
            left -= set(shown)
            lines.append(f"{said} would show {', '.join(shortened(names[k]) for k in shown)}")
    if left:
        rest = ", ".join(shortened(names[k]) for k in sorted(left))
        lines.append(f"art.excitation makes a motion of all joints, for {rest}")
    return [f"not shown by this log: {', '.join(map(shortened, result.unseen))}", *lines]


def _candidates(result: Identification) -> list[tuple[str, NDArray[np.floating]]]:
    """Motions, the simplest first, and their weighted rows of the base columns."""
    robot, joints = result.source, np.array(result.plan.joints)
    rng, count = np.random.default_rng(0), len(result.plan.labels)
    names = [shortened(name) for name in result.residuals]
    # the noise of the log, or a thousandth of the torque
    noise = np.maximum(result.rms, 1e-3 * np.maximum(result.torque, result.torque.max(initial=1e-9) * 1e-2))[joints]
    q = np.asarray(robot.random(rng, (POSES,)))
    sets = [(), *((j,) for j in range(count)), *((j, j + 1) for j in range(count - 1))]
    found = []
    for moved in sets:
        able = np.isin(joints, moved) & ~held(robot.model)
        v, a = (size * able * rng.normal(size=(POSES, robot.nv)) for size in (SPEED, ACCELERATION))
        Y = np.asarray(robot.regressor(q, v, a))[..., result.plan.base.columns] / noise[:, None]
        told = " and ".join(names[j] for j in moved)
        said = f"accelerating {told} in many poses" if moved else "standing in many poses"
        found.append((said, Y.reshape(-1, Y.shape[-1])))
    return found
