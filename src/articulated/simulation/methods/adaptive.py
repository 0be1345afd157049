"""Step-size control of an adaptive method, on any scalar: a step is kept, or tried again shorter.

All of it is selected, not branched on: the lanes of a batch go through it together, each with a step of its own.
"""

from typing import NamedTuple

from ...algebra.scalars import Array, Scalar, array, chosen, greatest, select, sqrt, zeros
from ...model import Model
from .dormand_prince import DORMAND_PRINCE, FIFTH, THIRD
from .runge_kutta import moved, normalized

#: the next step is this part of the one that the error estimate allows
SAFETY = 0.9
#: and it is at least, and at most, this many times the last one
SHORTER, LONGER = 0.2, 10.0
#: a step that ends this near to the end of its interval goes there
NEARLY = 1.01
#: a step is too short if it is below this part of the time: rounding of the time would be seen
SHORTEST = 1e-14
#: keeps 0 / 0 away where there is no error at all
_TINY = 1e-300
#: why a lane stops
TOO_SHORT, TOO_MANY = 1.0, 2.0


class Judged(NamedTuple):
    """The state of a lane after it has tried a step."""

    q: Array
    v: Array
    a: Array  # where its interval began
    t: Array
    left: Array  # of the interval
    h: Array  # the step to try next
    done: Array
    failed: Array
    attempts: Array
    first: Array  # whether the interval has just begun
    worst: Array  # error of every coordinate and velocity in the last step, in units of what is allowed


def first_step(y: Array, slope: Array, tolerances: Array, h: Array, dt: Array) -> Array:
    """`h` if it is known (not zero), else a step so short that the state hardly changes."""
    scale = _scale(y, y, tolerances)
    size, speed = sqrt((y / scale) @ (y / scale) + 1e-10), sqrt((slope / scale) @ (slope / scale) + 1e-10)
    guess = 0.01 * size / speed
    guess = select(guess < dt[0], guess, dt[0])
    return array([select(h[0] > 0, h[0], guess)])


def interval(t: Array, dt: Array, left: Array, failed: Array) -> tuple[Array, Array, Array, Array]:
    """(goal, left, first, done) at the beginning of an interval; a lane that has failed stays where it is."""
    return t + dt, array([select(failed[0] > 0, left[0], dt[0])]), array([1.0]), failed


def tried(h: Array, left: Array) -> Array:
    """The length of the next step."""
    return array([select(left[0] < NEARLY * h[0], left[0], h[0])])


def judge(
    model: Model, y: Array, slopes: Array, tolerances: Array, step: Array, goal: Array, a: Array, t: Array, left: Array,
    h: Array, failed: Array, attempts: Array, first: Array, worst: Array,
) -> Judged:  # fmt: skip
    """Keep the step or not, and choose the next one."""
    nq, length = model.nq, step[0]
    after = moved(y, slopes, array(DORMAND_PRINCE.b), length)
    zero = zeros(len(y))
    estimates = [moved(zero, slopes, array(weights), length) for weights in (FIFTH, THIRD)]
    errors, error = _error(estimates, _scale(y, after, tolerances))
    active = select(failed[0] > 0, 0.0, left[0]) > 0
    good = select(active, select(error < 1, 1.0, 0.0), 0.0) > 0.5
    reached = select(length < left[0], 0.0, 1.0) > 0.5

    root = sqrt(sqrt(sqrt(error)))
    factor = SAFETY / root
    factor = select(factor > SHORTER, select(factor < LONGER, factor, LONGER), SHORTER)  # NaN: shorter
    longer = length * factor
    kept = select(reached, select(longer > h[0], longer, h[0]), longer)  # cut at the end of the interval: forgotten
    retry = length * select(factor < 1, factor, SHORTER)
    after_h = select(active, select(good, kept, retry), h[0])
    short = select(active, select(good, 0.0, select(retry < SHORTEST * goal[0], 1.0, 0.0)), 0.0) > 0.5

    unit = normalized(model, after[:nq])
    t_after = select(reached, goal[0], t[0] + length)
    left_after = select(good, select(reached, 0.0, left[0] - length), left[0])
    failed_after = select(short, TOO_SHORT, failed[0])
    return Judged(
        q=chosen(good, unit, y[:nq]),
        v=chosen(good, after[nq:], y[nq:]),
        a=chosen(first[0] > 0, slopes[nq : len(y)], a),
        t=array([select(good, t_after, t[0])]),
        left=array([left_after]),
        h=array([after_h]),
        done=array([select(left_after > 0, failed_after, 1.0)]),
        failed=array([failed_after]),
        attempts=array([attempts[0] + select(active, 1.0, 0.0)]),
        first=array([0.0]),
        worst=chosen(active, errors, worst),
    )


def unfinished(left: Array, failed: Array) -> Array:
    """`failed` after the last attempt: whoever has something left has needed too many."""
    return array([select(failed[0] > 0, failed[0], select(left[0] > 0, TOO_MANY, 0.0))])


def _error(estimates: list[Array], scale: Array) -> tuple[Array, Scalar]:
    """Each error, and all of them in one number, in units of what is allowed (Hairer, Nørsett, Wanner, II.10)."""
    fifth, third = (x / scale for x in estimates)
    larger, smaller = fifth @ fifth, third @ third
    return fifth, larger / sqrt((larger + 0.01 * smaller) * len(scale) + _TINY)


def _scale(y: Array, after: Array, tolerances: Array) -> Array:
    """Allowed error of each number."""
    sizes = [greatest(greatest(a, -a), greatest(b, -b)) for a, b in zip(y, after, strict=True)]
    return tolerances[0] * array(sizes) + tolerances[1]
