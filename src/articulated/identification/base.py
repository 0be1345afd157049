"""Base parameters: the combinations of inertial parameters that torques show (Gautier and Khalil 1990), in numbers.

Columns of the regressor at random states are taken from the base outward, those of a body in an order that keeps
inertias and drops mass last; one that is a combination of those before it gives its parameter to them.
"""

from __future__ import annotations  # help shows types as they are written here

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from ..algorithms.sensors import held
from ..inputs.choices import robot_first
from ..robot import Robot
from ..text import aligned, shortened
from .joint_terms import UNITS

#: positions among the ten of a body in the order in which they keep their place: for a hinge along z, Iyy, mz and m
#: go to the parent
ORDER = (4, 5, 7, 8, 9, 1, 2, 6, 3, 0)
#: part of a column of length one that may be left of a combination of others
ROUNDING = 1e-8


@dataclass(frozen=True, eq=False)
class BaseParameters:
    """Identifiable combinations of the inertial parameters of a robot: `matrix @ robot.parameters`.

    names: parameter that keeps its place in each, as in `robot.parameter_names`
    columns: its position there; `regressor[:, columns] @ values` is `regressor @ parameters`
    matrix: (base, 10 nb), 1 at each own column
    values: of the robot
    units: of each
    unseen: names of the parameters in no combination, which no torque shows
    gap: decades between the smallest column that counts and the largest remainder of one that does not
    """

    robot: str
    parameter_names: Sequence[str]
    columns: NDArray[np.intp]
    matrix: NDArray[np.floating]
    values: NDArray[np.floating]
    gap: float

    @property
    def names(self) -> list[str]:
        """Own parameters."""
        return [self.parameter_names[k] for k in self.columns]

    @property
    def units(self) -> list[str]:
        """kg, kg m or kg m²."""
        return [UNITS[k % 10] for k in self.columns]

    @property
    def unseen(self) -> list[str]:
        """Parameters that no torque shows."""
        seen = set(np.flatnonzero(self.matrix.any(axis=0)).tolist())
        return [name for k, name in enumerate(self.parameter_names) if k not in seen]

    @property
    def combinations(self) -> list[str]:
        """Each as a sum: `link1_Izz + link2_Iyy + 0.09 link3_m`."""
        return [_sum(row, own, self.parameter_names) for row, own in zip(self.matrix, self.columns, strict=True)]

    def __len__(self) -> int:
        return len(self.columns)

    def __str__(self) -> str:
        rows = zip((f"{x:.6g}" for x in self.values), self.units, self.combinations, strict=True)
        head = f"{self.robot}: {len(self)} base parameters of {len(self.parameter_names)} inertial ones"
        return "\n".join([head, *aligned(["value", "unit", "combination"], [list(row) for row in rows])])

    def __repr__(self) -> str:
        return f"<{len(self)} base parameters of {self.robot}>"


def base_parameters(robot: Robot) -> BaseParameters:
    """The combinations of inertial parameters that torques show, in the regrouped form of Khalil and Gautier.

    Links alone: friction and rotor inertias (`armature`) have columns of their own; rotors of `add_motors` are bodies.

    Parameters
    ----------
    robot : a Robot; trees, floating bases and mimic joints are fine

    Returns
    -------
    BaseParameters: names, columns, matrix, values, units, unseen; prints as a table

    Notes
    -----
    Source: Gautier and Khalil 1990; Khalil and Dombre 2002, ch. 9.

    Examples
    --------
    >>> import articulated as art
    >>> base = art.base_parameters(art.load("2r"))
    >>> len(base)
    6
    >>> len(art.base_parameters(art.load("panda")))
    43
    """
    return robot_first("base_parameters", robot).kernels.once("base parameters", partial(_found, robot))


def _found(robot: Robot) -> BaseParameters:
    W = random_rows(robot)
    size = np.linalg.norm(W, axis=0)
    live = size > 1e-10 * size.max(initial=0.0)
    unit = W / np.where(live, size, 1.0)
    kept: list[int] = []
    basis: NDArray[np.floating] = np.empty((len(W), W.shape[1]), order="F")
    least, most = 1.0, 1e-16
    for k in (10 * b + own for b in range(W.shape[1] // 10) for own in ORDER):
        if live[k]:
            known, rest = basis[:, : len(kept)], unit[:, k]
            for _ in range(2):  # once more, for the digits the first pass loses
                rest = rest - known @ (known.T @ rest)
            length = float(np.linalg.norm(rest))
            if length > ROUNDING:
                basis[:, len(kept)] = rest / length
                kept.append(k)
                least = min(least, length)
            else:
                most = max(most, length)
    columns = np.array(kept, int)
    matrix = np.zeros((len(kept), W.shape[1]))
    if kept:
        shares = np.linalg.lstsq(unit[:, kept], unit, rcond=None)[0]
        shares[abs(shares) < 1e-11] = 0.0  # of columns of length one
        matrix = shares * np.where(live, size, 0.0) / size[kept][:, None]
        near = matrix.round(12)
        matrix = np.where(abs(matrix - near) < 1e-13, near, matrix)
        matrix[:, kept] = np.eye(len(kept))
    values = matrix @ robot.parameters
    return BaseParameters(robot.name, robot.parameter_names, columns, matrix, values, math.log10(least / most))


def random_rows(robot: Robot, seed: int = 0) -> NDArray[np.floating]:
    """Rows of the regressor at random states, three times as many as it has columns.

    Columns are torques of one parameter alone: inverse dynamics is compiled sooner than the regressor.
    """
    rng, count = np.random.default_rng(seed), len(robot.parameters)
    states = 10 + 3 * count // max(robot.nv, 1)
    shape = (states, robot.nv)
    q = robot.integrate(np.broadcast_to(robot.neutral(), (states, robot.nq)), rng.normal(0, 1.5, shape))
    moves = ~held(robot.model)
    v, a = rng.normal(0, 2, shape) * moves, rng.normal(0, 5, shape) * moves
    alone = np.concatenate([np.eye(count), np.zeros((1, count))])
    each = [np.asarray(robot.inverse_dynamics(*state, parameters=alone)) for state in zip(q, v, a, strict=True)]
    return np.concatenate([(tau[:-1] - tau[-1]).T for tau in each])


def _sum(row: NDArray[np.floating], own: int, names: Sequence[str]) -> str:
    text = shortened(names[own])
    for k in np.flatnonzero(row).tolist():
        if k != own:
            size = f"{abs(row[k]):.6g} " if abs(abs(row[k]) - 1) > 1e-12 else ""
            text += f" {'-' if row[k] < 0 else '+'} {size}{shortened(names[k])}"
    return text
