"""Ticks of a whole-body law, kept for pictures: what held it back, and what it asked of ground and robot."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...errors import ShapeError
from ...inputs.choices import number
from ...text import shortened
from ..checks import vector
from .command import Command

Floats = NDArray[np.floating]


class Tick(NamedTuple):
    """One command of a law, in numbers and names; contacts are those on the ground, also where they are lifted."""

    t: float
    contacts: list[str]
    positions: Floats  # (n, 3) m
    forces: Floats  # (n, 3) N, on the robot, world axes
    normals: Floats  # (n, 3)
    frictions: Floats  # (n,)
    standing: NDArray[np.bool_]  # (n,)
    active: list[str]  # inequalities that hold the command back
    residuals: dict[str, float]  # norms by task: m/s² or rad/s², N
    status: str
    iterations: int
    center_of_mass: Floats  # (3,) m
    wanted: Floats | None  # its target
    footholds: dict[str, Floats]  # of the feet in the air


def tick(law: Any, t: float, done: Command, wanted: Any, footholds: Mapping[str, Any]) -> Tick:
    """The tick in which a law has given a command."""
    t = number("tick: t", t, "a time, s", -np.inf)
    if not isinstance(done, Command) or done.tau.ndim > 1:
        raise ShapeError(f"tick: done is the Command of the law in one state; got {shortened(repr(done))}")
    if not isinstance(footholds, Mapping):
        raise ShapeError(f"tick: footholds are points by foot; got {shortened(repr(footholds))}")
    wanted = None if wanted is None else vector("tick: wanted", wanted, 3)
    held, ground, q = law._all, law.ground, done._q
    found, stands = held.by_contact(done._found.x[law.contacts.robot.nv :]), done._law.numbers.standing != 0
    pushing = [(k, c) for k, c in enumerate(held.contacts) if c.other is None]
    names, cones = [c.name for _, c in pushing], [ground.cone(c) for _, c in pushing]
    rows = np.cumsum([0, *(c.size for c in held.contacts)])
    linear = [found[c.name][: len(c.linear)] @ np.array(c.linear) for _, c in pushing]
    on = [bool(stands[rows[k]]) for k, _ in pushing]
    missed = {task: float(np.linalg.norm(x)) for task, x in done.residuals.items()}
    placed = {foot: vector(f"tick: the foothold of {foot}", x, 3) for foot, x in footholds.items()}
    center = law.contacts.robot.center_of_mass(q)
    return Tick(
        t, names, held.positions(q)[[k for k, _ in pushing]], np.reshape(linear, (-1, 3)),
        np.reshape([axis for axis, _ in cones], (-1, 3)), np.array([mu for _, mu in cones]), np.array(on, bool),
        done.active, missed, done.status, int(done.iterations), center, wanted, placed,
    )  # fmt: skip
