"""Doubts about a log that does not fit the robot: other gravity, joints in another order or of another sign.

Each is a robot or a log that is changed; one that leaves far less of the torque, friction aside, is what is said.
"""

from __future__ import annotations  # help shows types as they are written here

import warnings
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from ..algorithms.regressor import SLOW
from ..errors import ModelWarning
from ..robot import Robot
from ..text import shortened
from .joint_terms import driven

Floats = NDArray[np.floating]
Samples = Mapping[str, Floats]
#: samples that are looked at, and joints of which any two may be exchanged
SAMPLES, JOINTS = 400, 16
#: part of what is left that a change must leave, to be believed
BETTER = 0.6
#: part of the torque that no change may leave
POOR = 0.75


def doubts(robot: Robot, samples: Samples) -> list[str]:
    """Sentences; none if the log is as described, as far as the torques tell."""
    every = -(-len(samples["q"]) // SAMPLES)
    now = {name: samples[name][::every] for name in ("q", "v", "a", "tau")}
    if "external" in samples:
        now["tau"] = now["tau"] + samples["external"][::every]
    with warnings.catch_warnings():  # of degrees, which are among what is tried
        warnings.simplefilter("ignore", ModelWarning)
        return _found(robot, now)


def _found(robot: Robot, now: Samples) -> list[str]:
    """The changes, one after the other, that leave far less."""
    said: list[str] = []
    first = least = _left(robot, now)
    while len(said) < robot.nv:
        tried = [(_left(other, part), text, other, part) for text, other, part in _changes(robot, now)]
        left, text, changed, part = min(tried, key=lambda x: x[0], default=(np.inf, "", robot, now))
        if not left < BETTER * least:
            break
        said, least, robot, now = [*said, text], left, changed, part
    if least > POOR:
        nothing = (
            "the robot as described explains hardly any of these torques: order and signs of joints, units, gravity?"
        )
        return [nothing] if first > 0.9 else []
    return [f"these torques look as if {text}" for text in said]


def _left(robot: Robot, part: Samples) -> float:
    """Part of the torque that is left by the robot as described and any friction: root of the mean over joints."""
    tau, v, rows = part["tau"], part["v"], np.flatnonzero(driven(robot))
    rest = tau - np.asarray(robot.inverse_dynamics(part["q"], v, part["a"]))
    squares, whole = 0.0, 0.0
    for k in rows.tolist():
        columns = np.stack([np.ones(len(v)), v[:, k], np.tanh(v[:, k] / SLOW)], axis=1)
        left, all_of_it = (x - columns @ np.linalg.lstsq(columns, x, rcond=None)[0] for x in (rest[:, k], tau[:, k]))
        scale = max(float((tau[:, k] ** 2).sum()), 1e-4 * float((tau**2).sum()), 1e-300)
        squares, whole = squares + float((left**2).sum()) / scale, whole + float((all_of_it**2).sum()) / scale
    return float(np.sqrt(squares / whole)) if whole else 0.0


def _changes(robot: Robot, part: Samples) -> Iterator[tuple[str, Robot, Samples]]:
    """Mistakes that logs have: a sentence, and the robot and the log that would be right then."""
    if (g := _gravity(robot, part)) is not None:
        there, here = (", ".join(f"{x + 0.0:.1f}" for x in vector) for vector in (g, robot.gravity))
        told = f"gravity were ({there}) m/s²; the robot has ({here}): is it mounted otherwise?"
        yield told, robot.replace(gravity=tuple(g)), part
    joints = [b for b in robot.model.independent if b.joint.nq == b.joint.nv == 1]
    names = [shortened(b.joint.name) for b in joints]
    at = {key: [(b.coords if key == "q" else b.dofs).start for b in joints] for key in part}
    count = range(len(joints))

    def changed(order: Sequence[int], signs: Floats | float = 1.0, those: Sequence[str] = tuple(at)) -> Samples:
        out = {key: np.array(x) for key, x in part.items()}
        for key in those:
            out[key][:, at[key]] = part[key][:, [at[key][k] for k in order]] * signs
        return out

    for k, name in enumerate(names):
        sign = np.where(np.arange(len(joints)) == k, -1.0, 1.0)
        yield f"{name} turned the other way", robot, changed(count, sign)
        yield f"the torque of {name} had the other sign", robot, changed(count, sign, ("tau",))
    for i, j in combinations(count if len(joints) <= JOINTS else (), 2):
        yield f"{names[i]} and {names[j]} were exchanged", robot, changed([{i: j, j: i}.get(k, k) for k in count])
    yield "the joints were in the opposite order", robot, changed(count[::-1])
    yield "angles were in degrees", robot, changed(count, np.pi / 180, ("q", "v", "a"))


def _gravity(robot: Robot, part: Samples) -> Floats | None:
    """Gravity of the torques, in tenths of m/s²; None if they do not tell all of it."""
    q, rows = part["q"], driven(robot)
    rest = (
        part["tau"] - np.asarray(robot.inverse_dynamics(q, part["v"], part["a"])) + np.asarray(robot.gravity_forces(q))
    )
    columns = [np.asarray(robot.replace(gravity=g).gravity_forces(q))[:, rows].ravel() for g in np.eye(3)]
    found, _, rank, _ = np.linalg.lstsq(np.stack(columns, axis=1), rest[:, rows].ravel(), rcond=1e-6)
    return found.round(1) if rank == 3 and np.linalg.norm(found) > 0 else None
