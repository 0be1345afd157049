"""Blocks of a step with contacts: where they are, which act, their terms, and the state after them; any scalar."""

from collections.abc import Callable
from typing import Any

import numpy as np

from ...algebra.rotations import cross
from ...algebra.scalars import Array, array, chosen, select, sqrt, zeros
from ...algorithms.configuration import arrival, bending, straight
from ...geometry.support import Convex, Search
from . import dynamics, meetings
from .dynamics import drift, least_velocity, unflat
from .laws import NONE, greatest
from .problem import TOLERANCE
from .rows import windows

#: velocities that can move a contact: rows of contacts have no others
Reach = tuple[int, ...]
#: nothing, where a robot has no such numbers
NOTHING = np.empty(0, object)
#: law of scalar rows that nothing holds
UNBOUND = array([-NONE] * 3 + [NONE] * 3 + [0.0] * 4)
#: part of a normal impulse by which it may differ from what friction against rolling goes by
SETTLED = 1e-5
#: tangential velocity below which a contact is said to stick, relative to what gravity adds in a step
STILL = 1e-3


def slowest(model: Any, dt: Array) -> Array:
    """Velocity that gravity adds in a step."""
    return array([least_velocity(model, dt[0])])


def met(
    kind: str, surface: Any, numbers: Array, first: Array, second: Array | None = None, ground: Array | None = None
) -> tuple[Array, ...]:
    """Gaps, positions, axes and normals of the points of a kind."""
    gaps, positions, axes = meetings.met(
        kind,
        surface if ground is None else surface.of(ground),
        tuple(unflat(x) for x in (first, second) if x is not None),
        numbers,
    )
    return gaps, positions.ravel(), axes.ravel(), axes[:, 6:].ravel()


def shapes(kind: str, numbers: Array, first: Array, second: Array) -> tuple[Convex, Convex]:
    """Both shapes of a kind that is searched."""
    pairing = meetings.MEETINGS[kind].pairing
    assert pairing
    return pairing.both((unflat(first), unflat(second)), numbers)


def found(kind: str, search: Array, **given: Array) -> tuple[Array, ...]:
    """The same as `met` when a search has ended."""
    pairing = meetings.MEETINGS[kind].pairing
    assert pairing and pairing.found
    gaps, positions, axes = meetings.as_arrays(pairing.found(*shapes(kind, **given), Search.of(search)))
    return gaps, positions.ravel(), axes.ravel(), axes[:, 6:].ravel()


def closing(
    gaps: Array, positions: Array, normals: Array, origin: Array, dt: Array, slowest: Array, first: Array,
    second: Array | None = None,
) -> Any:  # fmt: skip
    """Velocity by which a contact would be too deep after the step."""
    return -(normals @ _velocity(positions, origin, first, second)) - drift(gaps[0], dt[0], slowest[0])


def _velocity(position: Array, origin: Array, first: Array, second: Array | None) -> Array:
    """Velocity of a point of a body, against another body."""
    twist = first if second is None else first - second
    return twist[:3] + cross(twist[3:], position - origin)


def stopping(rows: Array, laws: Array, v: Array, slowest: Array) -> Any:
    """Velocity by which a row is outside its window; a row with dry friction, or one that holds, acts always."""
    worst = _beyond(rows, laws, v)
    for lower, upper, dry in windows(laws):
        worst = greatest(worst, select(dry > 0, slowest[0], select(lower < upper, -1.0, slowest[0])))
    return worst


def _beyond(rows: Array, laws: Array, v: Array) -> Any:
    """Velocity by which a joint is outside its window."""
    s, worst = rows.reshape(3, -1) @ v, -1.0
    for i, (lower, upper, _) in enumerate(windows(laws)):
        outside = greatest(lower - s[i], s[i] - upper)
        worst = greatest(worst, select(lower < upper, outside, -1.0))
    return worst


def sinking(violation: Callable[..., Any]) -> Callable[..., Any]:
    """Violated by the mean velocity of the step."""

    def block(impulses: Array, flags: Array, fresh: Array, slowest: Array, **given: Array) -> tuple[Array, Array]:
        deep = _beyond(**given) if violation is stopping else violation(**given, slowest=slowest)
        return flags, array([greatest(fresh[0], select(deep > STILL * slowest[0], 1.0, 0.0))])

    return block


def flagged(violation: Callable[..., Any]) -> Callable[..., Any]:
    """Violated without impulses, or pushed in the step before."""

    def block(impulses: Array, flags: Array, fresh: Array, **given: Array) -> tuple[Array, Array]:
        pushed = impulses @ impulses
        acts = select(violation(**given) > 0, 1.0, select(pushed > 0, 1.0, 0.0))
        return array([acts]), array([greatest(fresh[0], acts)])

    return block


def joining(violation: Callable[..., Any], tolerance: float = TOLERANCE) -> Callable[..., Any]:
    """Violated by the impulses of the others."""

    def block(impulses: Array, flags: Array, fresh: Array, **given: Array) -> tuple[Array, Array]:
        joins = select(flags[0] > 0.5, 0.0, select(violation(**given) > tolerance * given["slowest"][0], 1.0, 0.0))
        return array([greatest(flags[0], joins)]), array([greatest(fresh[0], joins)])

    return block


def gathered(
    axes: Reach, mask: Array, position: Array, frame: Array, gap: Array, friction: Array, impulses: Array, flag: Array
) -> Array:
    """Numbers of a contact that acts, one after the other, as `contact_terms` takes them."""
    return np.concatenate([position, frame, gap, friction, impulses, flag, mask[list(axes)]])


def contact_terms(
    model: Any, reach: Reach, axes: Array, origin: Array, free: Array, dt: Array, slowest: Array, gathered: Array
) -> tuple[Array, ...]:
    """J, u, c, the law, and the impulses to begin with."""
    position, frame, (gap, friction) = gathered[:3], gathered[3:12], gathered[12:14]
    impulses, flag, mask = gathered[14:17], gathered[17:18], gathered[18:]
    J = dynamics.contact_rows(model, reach, axes, mask, frame, flag, position - origin)
    u = J.reshape(3, -1) @ free[list(reach)]
    c = array([u[0], u[1], u[2] + flag[0] * drift(gap, dt[0], slowest[0])])
    return J, u, c, np.concatenate([array([friction]), zeros(8) + 0.0, flag]), impulses


def scalar_terms(rows: Array, free: Array, laws: Array, impulses: Array, flag: Array) -> tuple[Array, ...]:
    """J, u, c, the law and the impulses to begin with; in lanes where the rows do not act nothing holds them."""
    J = flag[0] * rows
    u = J.reshape(3, -1) @ free
    return J, u, u, chosen(flag[0] > 0.5, laws, UNBOUND), impulses


def rolling(rolling: Array, contact: Array, impulses: Array) -> tuple[Array, ...]:
    """Normal impulse that the friction of a contact against rolling goes by, whether it acts, and its last moments."""
    acts = select((rolling[0] + rolling[1]) * contact[2] > 0, 1.0, 0.0)
    return contact[2:], array([acts]), acts * impulses


def rolling_changed(rolling: Array, normal: Array, impulses: Array, fresh: Array) -> Array:
    """Whether the normal impulse has become another one."""
    change, now = normal[0] - impulses[2], greatest(normal[0], impulses[2])
    rolls = (rolling[0] + rolling[1]) * change * change > (rolling[0] + rolling[1]) * SETTLED * SETTLED * now * now
    return array([select(rolls, 1.0, fresh[0])])


def rolling_terms(
    model: Any, reach: Reach, axes: Array, mask: Array, frame: Array, free: Array, rolling: Array, normal: Array,
    impulses: Array, flag: Array,
) -> tuple[Array, ...]:  # fmt: skip
    """J, u, c, the law and the moments to begin with, of friction against rolling."""
    J = dynamics.contact_rows(model, reach, axes, mask[dynamics.reaching(model, reach)], frame, flag)
    u = J.reshape(3, -1) @ free[list(reach)]
    return J, u, u, np.concatenate([normal[0] * rolling, zeros(7) + 0.0, flag]), impulses


def turned(best: Array, frame: Array, dt: Array) -> Array:
    """The moment of a contact in world axes."""
    return frame.reshape(3, 3).T @ best / dt[0]


def kept(best: Array, old: Array, complete: Array) -> tuple[Array, Array]:
    """Impulses of a lane that was complete before stay as they are."""
    found = chosen(complete[0] > 0.5, old, best)
    return found, found


def kept_residual(least: Array, reached: Array, complete: Array) -> Array:
    """The residual of a lane that was complete before stays as it is."""
    return chosen(complete[0] > 0.5, reached, least)


def bouncing(
    reach: Reach, J: Array, before: Array, u: Array, c: Array, gap: Array, dt: Array, bounce: Array
) -> tuple[Array, Array]:
    """c of a contact that bounces, by Newton's law, and its restitution; 0 where it does not.

    A contact that would be below the ground after the step bounces if it arrives faster than `slow`.
    """
    arriving = J.reshape(3, -1)[2] @ before[list(reach)]
    bounces = select(u[2] + gap[0] / dt[0] < 0, select(arriving < -bounce[1], bounce[0], 0.0), 0.0)
    offset = select(bounces > 0, u[2] + bounces * arriving, c[2])
    return array([c[0], c[1], offset]), array([bounces])


def bouncing_within(
    reach: Reach, J: Array, before: Array, u: Array, c: Array, gap: Array, dt: Array, bounce: Array, impact: Array
) -> tuple[Array, ...]:
    """The same at the moment of the impact, and that moment as a part of the step: the first of those in it."""
    arriving = J.reshape(3, -1)[2] @ before[list(reach)]
    gained, way = u[2] - arriving, greatest(gap[0], 0.0) / dt[0]
    meets = way + arriving + gained / 2 < 0
    # way + arriving s + gained s²/2 = 0
    root = sqrt(greatest(arriving * arriving - 2 * gained * way, 0.0))
    moment = select(meets, 2 * way / greatest(root - arriving, 1e-300), 1.0)
    faster = arriving + moment * gained
    bounces = select(meets, select(faster < -bounce[1], bounce[0], 0.0), 0.0)
    offset = select(bounces > 0, u[2] + bounces * faster - (1 - moment) * gained, c[2])
    first = select(bounces > 0, select(moment < impact[0], moment, impact[0]), impact[0])
    return array([c[0], c[1], offset]), array([bounces]), array([first])


def mobility(Y: Array, other: Array) -> Array:
    """A block of G."""
    return (Y.reshape(3, -1) @ other.reshape(3, -1).T).ravel()


def response(model: Any, reach: Reach, scale: Array, J: Array, L: Array = NOTHING) -> Array:
    """Y of three rows, in the columns of velocities that can move them."""
    rows = zeros(3, model.nv)
    rows[:, list(reach)] = J.reshape(3, -1)
    return dynamics.response(model, L, scale, rows)[:, list(reach)].ravel()


def twists(model: Any, carriers: tuple[int, ...], axes: Array, v: Array) -> Array:
    """Velocities of bodies, made flat."""
    return dynamics.twists(model, axes, v, carriers).ravel()


def push(pushed: Array, Y: Array, best: Array) -> Array:
    """The sum of Y λ, one block more."""
    return pushed + best @ Y.reshape(3, -1)


def moved(model: Any, reach: Reach, free: Array, scale: Array, pushed: Array, L: Array = NOTHING) -> Array:
    """Velocities after impulses."""
    whole = zeros(model.nv)
    whole[list(reach)] = pushed
    return dynamics.moved(model, free, L, scale, whole)


def acting(best: Array, velocity: Array, frame: Array, dt: Array, slowest: Array) -> tuple[Array, Array]:
    """The force of a contact in world axes, and whether it is open (0), sticks (1) or slides (2)."""
    still = STILL * slowest[0]
    sticks = velocity[0] * velocity[0] + velocity[1] * velocity[1] < still * still
    state = select(best[2] > 0, select(sticks, 1.0, 2.0), 0.0)
    return frame.reshape(3, 3).T @ best / dt[0], array([state])


def rate(impulses: Array, dt: Array) -> Array:
    """Forces from impulses."""
    return impulses / dt[0]


def gap_before(
    gaps: Array, positions: Array, normals: Array, origin: Array, dt: Array, first: Array, second: Array | None = None
) -> Array:
    """The gap at the beginning of a step, from that in its middle."""
    return gaps - dt / 2 * (normals @ _velocity(positions, origin, first, second))


def way(before: Array, free: Array, after: Array, impact: Array) -> Array:
    """Mean velocity of a step in which impulses act at a moment: in the middle, unless something bounces.

    Beside the impulses the velocity changes evenly.
    """
    s, gained = select(impact[0] > 1, 0.5, impact[0]), free - before
    return s * before + (1 - s) * after + (s - 0.5) * gained


def arrived(
    model: Any, q: Array, there: Array, before: Array, after: Array, way: Array, fresh: Array, dt: Array
) -> tuple[Array, ...]:
    """The state after the step; where its mean velocity leads into something, it moves at the last instead."""
    mean = chosen(fresh[0] > 0.5, after, way)
    a = (after - before) / dt[0] + bending(model, (before + after) / 2)
    return *arrival(model, q, there, after, mean, dt[0]), a


def finished(model: Any, q: Array, v: Array, after: Array, dt: Array) -> tuple[Array, ...]:
    """The state after the step, and the acceleration with which inverse dynamics gives its torques and forces."""
    a = (after - v) / dt[0] + bending(model, v)
    return *straight(model, q, after, dt[0]), a
