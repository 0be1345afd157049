"""Gains of drives: torques are K i of measured currents i, with K of each joint unknown as the parameters are.

The error is that of the currents, since a column K i beside the others would be drawn to zero by the noise of i.
Gauss and Newton on (Y x + known) / K - i, from sums alone.  Torques that are known, of a payload or at a force sensor,
fix the scale; without them it is that of the robot as described, by the joints that tell it best.
"""

from __future__ import annotations  # help shows types as they are written here

from collections.abc import Sequence
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
    unknown = unknowns(robot, plan, *sought)
    cell = max(len(samples["q"]) // PASS, 1) * PASS
    tiles = cell_sums(robot, plan, samples, cell).sum(axis=0)
    joints = np.array(plan.joints)
    used = np.array([np.count_nonzero(samples["weights"][:, joints == j]) for j in range(len(plan.labels))])
    if not (np.abs(samples["tau"]).max(axis=0, initial=0.0)[joints >= 0] > 0).all():
        raise ShapeError("identify: gains need a current of every joint; one of them is zero throughout")
    kappa, described, sure = _inverse_gains(plan, unknown, tiles, used)
    if "external" not in samples:
        kappa = kappa * (sure @ (described / kappa)) / sure.sum()
    return 1 / kappa[joints]


def _inverse_gains(
    plan: Layout, sought: Unknowns, tiles: Floats, rows: NDArray[np.integer]
) -> tuple[Floats, Floats, Floats]:
    """1 / K of each joint, that of the robot as described, and how sure the latter is."""
    _, torque, places = split(plan)
    each = [plan.total(tiles, one) for one in np.eye(len(rows))]
    start, X, y = np.array(sought.start), sought.linear, np.array(sought.prior)
    current = np.where(start == -1, -1.0, 0.0)
    start[torque], start[torque + 1] = 0.0, 1.0  # and the torque that is known
    precision, n = WEAK * sought.precision, len(y)
    size = np.array([current @ G @ current for G in each])
    described, sure = _described(plan, start + X @ y, current, each, rows, places)
    kappa = np.array(described)
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
            # a drive whose joint hardly but rubs has about the gain of the others
            H[n + j, n + j] += 1 / described[j] ** 2
            g[n + j] += (k - described[j]) / described[j] ** 2
        step = -solved_by_rank(H, g)
        # no gain is more than halved or doubled
        part = min(1.0, 0.5 / max(float(abs(step[n:] / kappa).max()), 1e-300))
        y, kappa = y + part * step[:n], kappa + part * step[n:]
        if abs(step[n:] / kappa).max() < ENOUGH:
            break
    return kappa, described, sure


def _described(
    plan: Layout,
    c: Floats,
    current: Floats,
    each: Sequence[Floats],
    rows: NDArray[np.integer],
    places: NDArray[np.integer],
) -> tuple[Floats, Floats]:
    """1 / K of each joint if the links are as described, beside any friction, and how sure that is."""
    kappa, sure = np.ones(len(rows)), np.zeros(len(rows))
    for j, G in enumerate(each):
        mine = [k for k in places.tolist() if G[k, k] > 0]
        B = np.c_[c, np.eye(len(c))[:, mine]]
        A = B.T @ G @ B
        found = solved_by_rank(A, -B.T @ (G @ current))
        left = B @ found + current
        noise = max(left @ G @ left, 1e-12 * float(current @ G @ current)) / max(rows[j], 1)
        kappa[j], sure[j] = found[0], found[0] ** 2 / max(noise * np.linalg.pinv(A)[0, 0], 1e-300)
    known = sure > 100.0  # to a tenth
    usual = float(np.median(abs(kappa[known]))) if known.any() else 1.0
    return np.where(known, kappa, np.where(kappa < 0, -usual, usual)), np.where(known, sure, 0.0) + 1e-300
