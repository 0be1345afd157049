"""One tick of a whole-body law: its program from the terms of a state, level by level.

This is the definition, in NumPy, for one state; `tick.c` is the same for many, where the package was built with a
compiler.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..qp.active_set import SOLVED, Problem, Solved, active_set, native
from .arrays import (
    ACCELERATION_WEIGHT,
    CONTACT_WEIGHT,
    FORCE,
    FORCE_WEIGHT,
    TORQUE_WEIGHT,
    LawArrays,
    Mask,
    Rows,
)
from .kernel_terms import Terms

Floats = NDArray[np.floating]
#: costs of slacks, relative to the heaviest task: the second where the first leaves too few digits
PENALTIES = (1e8, 1e6)
#: violations of rows that give way, relative to the accelerations, that are none
MISSED = 1e-7
#: kinds of rows
JOINTS, MOTORS, CONTACTS, GROUND, GIVEN = range(5)


class Found(NamedTuple):
    """Results of ticks: x = [accelerations, forces], multipliers of the rows by level, and how it went."""

    x: Floats  # (…, nv + contacts)
    multipliers: Floats  # (…, levels, rows)
    tau: Floats  # (…, motors)
    residual: Floats  # (…, tasks)
    cost: Floats  # (…, 1)
    about: NDArray[np.intc]  # (…, 3): 0 solved, 1 nearest, 2 none or 3 not finite; steps; first level unconfirmed


def ticks(s: LawArrays, structure: tuple[Any, ...], found: Terms, out: Found | None = None) -> tuple[Found, int]:
    """Results for terms of one state, or of many, (…,), in arrays of their own or in `out`; the worst status."""
    if native:
        results, worst = native.tick(structure, s.numbers, found, *(() if out is None else (tuple(out),)))
        return Found._make(results), worst
    batch = found.h.shape[:-1]
    out = out or results_of(s, batch)
    for k in np.ndindex(batch):
        own = _tick(s.at(k), Terms(*(x[k] for x in found)))
        for x, part in zip(out, own, strict=True):
            x[k] = part
    return out, int(out.about[..., 0].max(initial=0))


def results_of(s: LawArrays, batch: tuple[int, ...]) -> Found:
    """Room for the results of many states."""
    sizes = (s.nv + s.contacts,), (len(s.levels), len(s.groups)), (len(s.motors),), (len(s.alone),), (1,)
    return Found._make([*(np.empty((*batch, *size)) for size in sizes), np.empty((*batch, 3), np.intc)])


def _tick(s: LawArrays, found: Terms) -> Found:
    """Results for one state.

    Contacts that stay and joints without a motor are equalities; motors, ground and joint ranges are rows.  Where
    nothing meets them all, contacts and joints give way by slacks that cost far more than tasks; at last motors and
    ground do, too.  A lower level keeps what the levels above have reached, and starts from rows that hold.
    """
    n, rows, multipliers = s.numbers, s.rows(found), np.zeros((len(s.levels), len(s.groups)))
    finite = np.isfinite(found.h @ found.h + found.wanted @ found.wanted)
    none = Solved(np.zeros(rows.A.shape[1]), multipliers[0], 0, 0)
    solved, status = _first_level(s, found, rows) if finite else (none, 3)
    steps, unconfirmed, x = solved.steps, len(s.levels), solved.x
    multipliers[0] = solved.multipliers
    for level in range(1, len(s.levels) if status < 2 else 0):
        y = rows.A @ x
        equal = rows.lower == rows.upper
        lower, upper = np.where(equal, y, np.minimum(rows.lower, y)), np.where(equal, y, np.maximum(rows.upper, y))
        solved = _solved(s, found, Rows(rows.A, lower, upper), level, reached=x)
        steps += solved.steps
        if solved.status == SOLVED:
            x, multipliers[level] = solved.x, solved.multipliers
        else:
            unconfirmed = min(unconfirmed, level)
    regular = n.options[[ACCELERATION_WEIGHT, FORCE_WEIGHT]].repeat([s.nv, s.contacts])
    tau, residual = (found.balance[: s.nv] @ x + found.h)[s.motors], _tasks(s, found) @ x - found.wanted
    cost = (n.weight * residual) @ residual + (regular * x) @ x + n.options[TORQUE_WEIGHT] * (tau @ tau)
    about = np.array([status, steps, unconfirmed], np.intc)
    return Found(np.append(x[: s.nv], n.options[FORCE] * x[s.nv :]), multipliers, tau, residual, cost, about)


def _tasks(s: LawArrays, found: Terms) -> Floats:
    """Rows of all tasks over x."""
    pushes = s.alone[:, None] == s.nv + np.arange(s.contacts)
    return np.concatenate([found.tasks, s.numbers.options[FORCE] * pushes], axis=1)


def _first_level(s: LawArrays, found: Terms, rows: Rows) -> tuple[Solved, int]:
    heaviest = max(1.0, s.numbers.options[CONTACT_WEIGHT], s.numbers.weight.max(initial=0.0))
    crossed, softer = rows.lower > rows.upper, Rows(rows.A, rows.lower.copy(), rows.upper.copy())
    softer.lower[crossed] = softer.upper[crossed] = (rows.lower[crossed] + rows.upper[crossed]) / 2
    solved = _solved(s, found, rows, 0) if not crossed.any() else None
    if solved and solved.status == SOLVED:
        return solved, 0
    for gives in (s.accelerations, ~s.dynamics):
        for penalty in PENALTIES:
            solved = _solved(s, found, softer, 0, gives, penalty * heaviest)
            if solved.status == SOLVED:
                y = rows.A @ solved.x
                beyond = np.maximum(rows.lower - y, y - rows.upper)[gives].max(initial=0.0)
                return solved, int(beyond > MISSED * (1 + abs(solved.x[: s.nv]).max(initial=0.0)))
    assert solved
    return solved._replace(x=np.zeros(s.nv + s.contacts), multipliers=np.zeros(len(s.groups))), 2


def _solved(
    s: LawArrays, found: Terms, rows: Rows, level: int, gives: Any = None, penalty: float = 0.0, reached: Any = None
) -> Solved:
    """The least x of a level; of the columns of contacts that stand, and slacks of the rows that give way."""
    nv, n = s.nv, s.numbers
    columns = np.concatenate([np.ones(nv, bool), n.standing != 0])
    some, own = (rows.lower > -np.inf) | (rows.upper < np.inf), slice(nv, 2 * nv)
    kinds = np.repeat([JOINTS, MOTORS, CONTACTS, GROUND, GIVEN], [nv, nv, s.contacts, len(s.column), len(n.least)])
    equal = some & (kinds == CONTACTS)
    equal[own] = n.limit == 0
    slack = np.eye(len(kinds))[:, gives & some] if gives is not None else np.zeros((len(kinds), 0))
    A, used = np.concatenate([rows.A[:, columns], slack], axis=1), int(columns.sum())
    scale = np.where(kinds == MOTORS, 1 / n.options[FORCE], 1.0)[equal]
    E, e = scale[:, None] * A[equal], scale * rows.lower[equal]
    prefer = [(nv, used) if kind == MOTORS else (0, nv) for kind in kinds[equal]]
    tasks = _tasks(s, found)[:, columns]
    counts = (n.weight > 0) & ((s.alone < nv) | tasks[:, nv:].any(axis=1))
    if reached is not None:
        above = np.flatnonzero(counts[: s.levels[level].start])
        E = np.concatenate([E, np.pad(tasks[above], ((0, 0), (0, slack.shape[1])))])
        e = np.concatenate([e, tasks[above] @ reached[columns]])
        prefer += [(0, nv) if s.alone[i] < nv else (nv, used) for i in above]
    own_tasks = np.arange(len(n.weight))[s.levels[level]]
    T, b, w = _wishes(s, found, tasks, own_tasks[counts[own_tasks]], columns)
    regular = n.options[[ACCELERATION_WEIGHT, FORCE_WEIGHT]].repeat([nv, used - nv])
    free = some & ~equal
    solved = active_set(Problem(
        np.pad(T, ((0, 0), (0, slack.shape[1]))), b, w, np.append(regular, np.full(slack.shape[1], penalty)), E, e,
        A[free], rows.lower[free], rows.upper[free], np.array(prefer, np.intc).reshape(-1, 2),
    ))  # fmt: skip
    x, multipliers = np.zeros(nv + s.contacts), np.zeros(len(kinds))
    x[columns], multipliers[free] = solved.x[:used], solved.multipliers
    return solved._replace(x=x, multipliers=multipliers)


def _wishes(s: LawArrays, found: Terms, tasks: Floats, own: Any, columns: Mask) -> tuple[Floats, Floats, Floats]:
    """T, b and w of a level: its `own` rows of the tasks, contacts that are one, and torques."""
    nv, n, balance = s.nv, s.numbers, found.balance[:, columns]
    stands, motors = columns[nv:] & (n.options[CONTACT_WEIGHT] > 0), (n.limit != 0) & (n.options[TORQUE_WEIGHT] > 0)
    T = [tasks[own], balance[nv:][stands], balance[:nv][motors]]
    w = [n.weight[own], n.options[[CONTACT_WEIGHT, TORQUE_WEIGHT]].repeat([stands.sum(), motors.sum()])]
    b = [found.wanted[own], s.stay(found)[stands], -found.h[motors]]
    return np.concatenate(T), np.concatenate(b), np.concatenate(w)
