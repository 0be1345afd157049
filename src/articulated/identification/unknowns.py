"""Unknowns of an identification: a linear map from them to the columns of the normal equations."""

from __future__ import annotations  # help shows types as they are written here

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..algorithms.regressor import TERMS
from ..algorithms.sensors import held
from ..errors import ShapeError
from ..inputs.choices import floats
from ..model.parameters import from_parameters, to_parameters
from ..robot import Robot
from .consistent import ONE, coordinates, pseudo_inertia, softened
from .joint_terms import driven
from .normal import split
from .tiles import Layout

Floats = NDArray[np.floating]
#: part of the effort limit that friction and offsets are expected to stay within
USUAL_FRICTION = 0.03
#: kg and m of a payload before anything is known of it
PAYLOAD = (1.0, 0.05)


class Unknowns(NamedTuple):
    """Coefficients of the columns, -1 for the torques, as `start + linear @ y`.

    start, linear: (columns,), (columns, unknowns)
    bodies: how many bodies the first unknowns are, ten for each
    inertial: (10 nb,), (10 nb, unknowns): inertial parameters likewise, as (start, linear)
    terms: velocity and name of each of the other unknowns
    positive: those that cannot be negative
    prior, precision: expected value of each unknown, and one over its variance
    """

    start: Floats
    linear: Floats
    bodies: int
    inertial: tuple[Floats, Floats]
    terms: Sequence[tuple[int, str]]
    positive: NDArray[np.bool_]
    prior: Floats
    precision: Floats


def unknowns(robot: Robot, plan: Layout, only: str | None, link: str | None, prior: Any, trust: float) -> Unknowns:
    """Unknowns of a fit: all inertial parameters and terms; `only` "friction", or the "payload" of a link."""
    known, terms = np.array(robot.parameters), plan.terms
    own: Floats = np.zeros((len(known), 0))
    expected = known if prior is None else floats("identify: prior", prior)
    if expected.shape != known.shape or not np.isfinite(expected).all():
        raise ShapeError(f"identify: prior is {len(known)} finite numbers; got shape {expected.shape}")
    center = np.zeros(0)
    if only is None:
        own = coordinates(softened(pseudo_inertia(expected.reshape(-1, 10))))
        center, known = np.linalg.solve(own, expected), np.zeros(len(known))
    elif only == "payload":
        own = payload_map(robot, link) @ coordinates(ball(*PAYLOAD)[None])
        center, trust = ONE, 1e-3 * trust
    base, torque, places = split(plan)
    sensor = held(robot.model)
    able = [(i, name) for i in np.flatnonzero(driven(robot)).tolist() for name in terms]
    able = [(i, name) for i, name in able if name == "offset" or not sensor[i]]  # which have an offset alone
    columns = {(i, name): places[i * len(terms) + terms.index(name)] for i, name in able}
    ten, count = own.shape[1], own.shape[1] + len(able)
    start, linear = np.zeros(plan.columns), np.zeros((plan.columns, count))
    start[base], start[torque] = plan.base.matrix @ known, -1.0
    linear[base, :ten] = plan.base.matrix @ own
    linear[list(columns.values()), range(ten, count)] = 1.0
    effort = np.array([robot.limits.effort[i] for i, _ in able])
    weak = np.where(np.isfinite(effort) & (effort > 0), 1 / (USUAL_FRICTION * np.where(effort > 0, effort, 1.0)), 0.0)
    return Unknowns(
        start, linear, ten // 10, (known, np.c_[own, np.zeros((len(known), len(able)))]), able,
        positive=np.r_[np.zeros(ten, bool), [TERMS[name].positive for _, name in able]].astype(bool),
        prior=np.r_[center, np.zeros(len(able))],
        precision=np.r_[np.full(ten, trust), (trust > 0) * weak**2],
    )  # fmt: skip


def ball(mass: float, radius: float) -> Floats:
    """Pseudo-inertia of a ball at the origin."""
    return pseudo_inertia(np.array([mass, 0, 0, 0, *(mass * radius**2 * 0.4 * x for x in (1, 0, 1, 0, 0, 1))]))


def payload_map(robot: Robot, link: str | None) -> Floats:
    """(10 nb, 10): inertial parameters per unit of those of a body on a frame, in its axes."""
    frame = robot.model.frame(robot.frame_names[-1] if link is None else link)
    out = np.zeros((len(robot.parameters), 10))
    if frame.body is not None:
        first = 10 * frame.body.index - 10
        for k, unit in enumerate(np.eye(10)):
            moved = from_parameters(unit).moved_out(frame.placement)
            out[first : first + 10, k] = np.array(to_parameters(moved), float)
    return out


def solved_by_rank(A: Floats, b: Floats, rounding: float = 1e-13) -> Floats:
    """x of A x = b for a semidefinite A of any rank, of least length where it is free."""
    d = 1 / np.sqrt(np.where(np.diag(A) > 0, np.diag(A), 1.0))
    values, vectors = np.linalg.eigh(A * d * d[:, None])
    good = values > rounding * max(values.max(initial=0.0), 1e-300) * len(values)
    inner = vectors[:, good]
    # directions that are free are not those of the scaled unknowns: the shortest of all solutions is the projection
    x = d * (inner @ ((inner.T @ (d * b)) / values[good]))
    free = d[:, None] * vectors[:, ~good]
    return x - free @ np.linalg.lstsq(free, x, rcond=None)[0] if free.shape[1] else x
