"""Inverse kinematics: configurations at which frames are where they shall be."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...errors import ModelError, ShapeError
from ...geometry.distances import near
from ...inputs.choices import flag, number, whole_number
from ...text import html_block, html_table
from ..arguments.arrays import as_vectors, check_batches
from .attempts import Attempts, Found
from .posture import rested
from .reasons import reasons
from .targets import Targets, targets_of

Floats = NDArray[np.floating]
SMALLEST = float(np.nextafter(0, 1))
#: sentences that a notebook shows
MOST_REASONS = 5
#: further solutions that are looked at where links overlap
CLEAR_ROUNDS = 40


class InverseKinematics(NamedTuple):
    """Configurations, and whether frames are where they shall be in them."""

    q: Floats  # (…, nq), within the joint limits; the best one found where there is no success
    success: NDArray[np.bool_]  # (…), whether every component of every error is within the tolerance
    error: Floats  # (…), the largest component, in m along or rad about an axis of the world; of a direction its angle
    iterations: NDArray[np.integer]  # (…), of all attempts
    reason: NDArray[np.object_]  # (…), texts: why there is no success, empty where there is

    def _repr_html_(self) -> str:
        """In a notebook: whether targets are reached, and why not."""
        failed, why = np.flatnonzero(~np.ravel(self.success)), np.ravel(self.reason)
        many, total = np.ndim(self.success) > 0, np.size(self.success)
        title = f"{total - len(failed)} of {total} reached" if many else "not reached" if len(failed) else "reached"
        rows = [[f"target {k}" if many else "why", str(why[k])] for k in failed[:MOST_REASONS]]
        rows += [["…", f"and {len(failed) - MOST_REASONS} more"]] * (len(failed) > MOST_REASONS)
        rows += [["largest component of the errors", f"{np.max(self.error, initial=0.0):.3g} (m, rad)"]]
        rows += [["iterations", f"{np.sum(self.iterations)}"]]
        rows += [] if many else [["q", " ".join(f"{x:.6g}" for x in self.q)]]
        return html_block(f"<b>inverse kinematics</b>: {title}", html_table(["", ""], rows))


@np.errstate(over="ignore", invalid="ignore")  # targets at 1e200 m have errors, and no nearest start
def inverse_kinematics(
    robot: Any, targets: Any, q0: Any, weights: Any, posture: Any, contacts: Any, tolerance: float, iterations: int,
    restarts: int, seed: Any, limits: bool, threads: int, stay_near: Any, clear_of: Any,
) -> InverseKinematics:  # fmt: skip
    """`Robot.inverse_kinematics`, which has the defaults."""
    model = robot.model
    seed = int(seed) if isinstance(seed, np.integer) else seed
    if not robot.nv:
        raise ModelError(f"inverse_kinematics: {robot.name} has no moving joint")
    vector = robot.kernels.vectors["q"]
    if stay_near is not None:
        if q0 is not None or posture is not None:
            raise ShapeError("inverse_kinematics: stay_near is start and posture in one; give it, or q0 and posture")
        q0 = posture = stay_near
    if q0 is None:
        start = robot.kernels.once("middle", lambda: _middle(robot))
    else:
        start = as_vectors("inverse_kinematics", robot.name, "q0", q0, vector)
    rest = None if posture is None else as_vectors("inverse_kinematics", robot.name, "posture", posture, vector)
    for name, x in (("q0", None if q0 is None else start), ("posture", rest)):
        if x is not None and not np.isfinite(x).all():
            raise ShapeError(f"inverse_kinematics: {name} holds NaN or infinity")
    wanted = targets_of(model, targets, weights, _held(robot, contacts, None if q0 is None else start))
    given = {"targets": wanted.values, "q0": start, **({} if rest is None else {"posture": rest})}
    batch = check_batches("inverse_kinematics", given) if any(x.ndim > 1 for x in given.values()) else ()
    search = Attempts(
        robot,
        wanted,
        number("inverse_kinematics: tolerance", tolerance, "above zero, m and rad", SMALLEST),
        whole_number("inverse_kinematics: iterations", iterations, 1),
        flag("inverse_kinematics: limits", limits),
        whole_number("inverse_kinematics: threads", threads, 1),
    )
    tries = whole_number("inverse_kinematics: restarts", restarts)
    values = _rows(wanted.values, batch)
    first = start if q0 is not None or rest is None else rest  # a posture is the best start there is
    starts, finite = _rows(first, batch), np.isfinite(values).all(axis=1)
    sound = slice(None) if finite.all() else finite
    if stay_near is None:
        found = search.all(values[sound], starts[sound], q0 is not None or rest is not None, tries, seed)
    else:
        found = search.nearest(values[sound], starts[sound], tries, seed)
    if rest is not None:
        rested(search, values[sound], _rows(rest, batch)[sound], found)
    why = np.full(len(found.q), "", object)
    if not found.success.all():
        failed = np.flatnonzero(~found.success)
        own, q = values[sound][failed], found.q[failed]
        why[failed] = reasons(model, search, own, q, search.searched(own, q, 1))
    if clear_of is not None:
        for k in np.flatnonzero(_cleared(robot, search, values[sound], found, clear_of)):
            why[k], found.success[k] = _overlap(robot, found.q[k], clear_of), False
    if sound is finite:  # a target that holds NaN fails alone
        blank = Found(np.full_like(starts, np.nan), *(np.full(len(values), x) for x in (np.nan, False, 0, np.nan)))
        reason = np.full(len(values), "the target holds NaN or infinity", object)
        for whole, part in zip((*blank, reason), (*found, why), strict=True):
            whole[sound] = part
        found, why = blank, reason
    return InverseKinematics(
        found.q.reshape(*batch, robot.nq),
        found.success.reshape(batch)[()],
        found.error.reshape(batch)[()],
        found.spent.reshape(batch)[()],
        why.reshape(batch)[()],
    )


def _held(robot: Any, contacts: Any, q0: Floats | None) -> Targets | None:
    """Contacts as targets: goals that the set states, at the poses it has at q0."""
    if contacts is None:
        return None
    if not (hasattr(contacts, "goals") and hasattr(contacts, "poses")):
        raise ShapeError(f"inverse_kinematics: contacts is an art.Contacts; got {type(contacts).__name__}")
    if contacts.robot.model is not robot.model:
        raise ShapeError(f"inverse_kinematics: the contacts are of another robot, {contacts.robot.name}")
    if q0 is None:
        raise ShapeError("inverse_kinematics: contacts stay where they are at q0, which is not given")
    goals, poses = contacts.goals, contacts.poses(q0)
    values = poses.reshape(*q0.shape[:-1], sum(goal.size for goal in goals))
    return Targets(goals, values, np.ones(sum(goal.rows for goal in goals)))


def _cleared(robot: Any, search: Attempts, values: Floats, found: Found, obstacles: Any) -> NDArray[np.bool_]:
    """Replace solutions in which links overlap by others; which of them still do."""
    for seed in range(CLEAR_ROUNDS):
        hits = found.success & robot.collides(found.q, obstacles)
        if not hits.any():
            break
        # the nearest of other random configurations leads to other solutions
        other = search.all(values[hits], found.q[hits], False, 4, seed + 1)
        better = other.success & ~robot.collides(other.q, obstacles)
        rows = np.flatnonzero(hits)[better]
        for whole, part in zip(found, other, strict=True):
            whole[rows] = part[better]
    return found.success & robot.collides(found.q, obstacles)


def _overlap(robot: Any, q: Floats, obstacles: Any) -> str:
    d = robot.distances(q, obstacles)
    one, other = near(robot.model, obstacles)[int(d.argmin())].names
    what = f"obstacle {other}" if isinstance(other, int) else repr(other)
    return f"reached only where {one!r} is {-d.min():.2g} m inside {what}"


def _middle(robot: Any) -> np.ndarray:
    """Every joint in the middle of its range, or at zero where it has none."""
    q, (lower, upper) = robot.neutral(), robot.limits[:2]
    both = np.isfinite(lower) & np.isfinite(upper)
    q[both] = (lower[both] + upper[both]) / 2
    return np.clip(q, lower, upper)


def _rows(x: Floats, batch: tuple[int, ...]) -> Any:
    whole = x if x.shape[:-1] == batch else np.broadcast_to(x, (*batch, x.shape[-1]))
    return whole.reshape(-1, x.shape[-1])
