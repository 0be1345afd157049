"""Gains of drives: torques are K i of measured currents i, with K of each joint unknown as the parameters are.

The error is that of the currents, since a column K i beside the others would be drawn to zero by the noise of i.
Gauss and Newton on (Y x + known) / K - i, from sums alone.  Torques that are known, of a payload or at a force sensor,
fix the scale; without them it is that of the robot as described, for the middle one of its joints.
"""

from __future__ import annotations  # help shows types as they are written here

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import ShapeError
from ..robot import Robot
from .normal import cell_sums, split
from .tiles import PASS, Layout, layout
from .unknowns import Unknowns, solved_by_rank, unknowns

Floats = NDArray[np.floating]
STEPS, ENOUGH = 60, 1e-8
#: part of its weight that the prior has here: it holds what the log does not show
WEAK = 1e-3


def drive_gains(robot: Robot, samples: dict[str, Floats], terms: tuple[str, ...], *sought: Any) -> Floats:
    """(nv,): N m or N per unit of the currents in `samples`; `sought` is as of `unknowns`."""
    plan = layout(robot, terms, 2)
    unknown = unknowns(robot, plan, terms, *sought)
    cell = max(len(samples["q"]) // PASS, 1) * PASS
    tiles = cell_sums(robot, plan, samples, cell).sum(axis=0)
    joints = np.array(plan.joints)
    used = np.array([np.count_nonzero(samples["weights"][:, joints == j]) for j in range(max(plan.joints) + 1)])
    if not (np.abs(samples["tau"]).max(axis=0, initial=0.0)[joints >= 0] > 0).all():
        raise ShapeError("identify: gains need a current of every joint; one of them is zero throughout")
    kappa, described = _inverse_gains(plan, unknown, tiles, used)
    if "external" not in samples:
        kappa = kappa * np.median(described / kappa)
    return 1 / kappa[joints]


def _inverse_gains(plan: Layout, sought: Unknowns, tiles: Floats, rows: NDArray[np.integer]) -> tuple[Floats, Floats]:
    """1 / K of each joint, and of the prior alone."""
    torque = split(plan)[1]
    each = [plan.total(tiles, one) for one in np.eye(len(rows))]
    start, X, y = np.array(sought.start), sought.linear, np.array(sought.prior)
    current = np.where(start == -1, -1.0, 0.0)
    start[torque], start[torque + 1] = 0.0, 1.0  # and the torque that is known
    c = start + X @ y
    kappa = np.array([-(c @ G @ current) / max(c @ G @ c, 1e-300) for G in each])
    described = kappa = np.where(kappa == 0, 1.0, kappa)
    precision = WEAK * sought.precision
    size, n = np.array([current @ G @ current for G in each]), len(y)
    for _ in range(STEPS):
        c = start + X @ y
        H, g = np.zeros((n + len(rows), n + len(rows))), np.zeros(n + len(rows))
        H[:n, :n], g[:n] = np.diag(precision), precision * (y - sought.prior)
        for j, (G, k) in enumerate(zip(each, kappa, strict=True)):
            left = k * c + current
            weight = rows[j] / max(left @ G @ left, 1e-12 * size[j])
            slopes = np.c_[k * X, c]
            place = np.r_[:n, n + j]
            H[np.ix_(place, place)] += weight * slopes.T @ G @ slopes
            g[place] += weight * slopes.T @ (G @ left)
        step = -solved_by_rank(H, g)
        # no gain is more than halved or doubled
        part = min(1.0, 0.5 / max(float(abs(step[n:] / kappa).max()), 1e-300))
        y, kappa = y + part * step[:n], kappa + part * step[n:]
        if abs(step[n:] / kappa).max() < ENOUGH:
            break
    return kappa, described
