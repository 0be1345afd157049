"""The largest effort of every joint: what its motors can give, and those of the joints that follow it."""

from collections.abc import Mapping, Sequence
from math import inf
from typing import Any

import numpy as np

from ...joints import Mimic
from ...model.gears import gears
from ..description import Findings
from .drives import Lever
from .places import Places
from .switches import Switches

FIXED, NO_BIAS, NO_DYNAMICS = 0, 0, 0  # mjtGain, mjtBias, mjtDyn
GROUPS = 31  # of actuators that can be switched off together


def read_efforts(
    model: Any, levers: Sequence[Lever | None], on: Switches, report: Findings, places: Places
) -> dict[int, float]:
    """Largest effort of the motors of each degree of freedom that has one."""
    found: dict[int, float] = {}
    for k, lever in enumerate(levers):
        off = not on.actuation or _is_off(model, k)
        if off:
            report.add(
                "MJCF025", "it is switched off", places.of("actuator", k), f"actuator {model.actuator(k).name!r}"
            )
        if lever:
            largest = 0.0 if off or not lever.ratio else abs(lever.ratio) * _largest_force(model, k)
            found[lever.dof] = found.get(lever.dof, 0.0) + largest
    return found


def _is_off(model: Any, k: int) -> bool:
    group = int(model.actuator_group[k])
    return 0 <= group < GROUPS and bool(int(getattr(model.opt, "disableactuator", 0)) >> group & 1)


def _largest_force(model: Any, k: int) -> float:
    """The largest force of an actuator: its own limit, or what its control can ask for."""
    found = inf
    if model.actuator_forcelimited[k]:
        found = float(abs(model.actuator_forcerange[k]).max())
    kinds = (model.actuator_gaintype[k], model.actuator_biastype[k], model.actuator_dyntype[k])
    if kinds == (FIXED, NO_BIAS, NO_DYNAMICS) and model.actuator_ctrllimited[k]:
        found = min(found, float(abs(model.actuator_gainprm[k, 0] * model.actuator_ctrlrange[k]).max()))
    return found


def within_ranges(model: Any, own: Mapping[int, float], report: Findings, places: Places) -> dict[int, float]:
    """Efforts within `actuatorfrcrange`, which is a limit also where there is no motor."""
    found = dict(own)
    for j in np.flatnonzero(model.jnt_actfrclimited).tolist():
        lower, upper = model.jnt_actfrcrange[j].tolist()
        dof = int(model.jnt_dofadr[j])
        found[dof] = min(found.get(dof, inf), max(abs(lower), abs(upper)))
        if lower != -upper:
            text = f"actuatorfrcrange {lower:g} … {upper:g}"
            report.add("MJCF021", text, places.of("joint", j), f"joint {model.joint(j).name!r}")
    return found


def at_leaders(
    model: Any, own: Mapping[int, float], driven: Mapping[int, float], names: Sequence[str], mimics: Mapping[int, Mimic]
) -> dict[int, float]:
    """With what the motors of followers give at the joint they follow: the gear's factor times theirs."""
    given: dict[int, float] = {}
    dofs = {name: int(model.jnt_dofadr[j]) for j, name in enumerate(names)}
    turned = gears({name: mimics.get(j) for j, name in enumerate(names)})
    for j in mimics:
        gear, dof = turned[names[j]], dofs[names[j]]
        if dof in driven and gear.multiplier:
            leader = dofs[gear.leader]
            # a leader without a motor gives nothing of its own, whatever its range is
            before = given.get(leader, own[leader] if leader in driven else 0.0)
            given[leader] = before + abs(gear.multiplier) * own[dof]
    return {**own, **given}
