"""Tendons and actuators of single joints: rotor inertia, damping, friction, springs, largest efforts.

A tendon or an actuator that acts on one hinge or slide is data of that joint, and one between two sites is a spring or
a linear actuator.  Of others the inertia would be wrong in the mass matrix, which refuses the file; their forces are
left out, which is a finding.
"""

from collections.abc import Mapping, Sequence
from math import inf
from typing import Any, NamedTuple

import numpy as np

from ...algebra.scalars import exact
from ...joints import Mimic
from ...model.assemble import gears
from ...model.lines import LinearActuator, Spring
from .compiler import Compiled

SLIDE, HINGE = 2, 3  # mjtJoint
ON_JOINT, ON_TENDON = (0, 1), 3  # mjtTrn
WRAP_JOINT, WRAP_SITE = 1, 3  # mjtWrap
FIXED, NO_BIAS, NO_DYNAMICS = 0, 0, 0  # mjtGain, mjtBias, mjtDyn
GROUPS = 31  # of actuators that can be switched off together


class Drives:
    """Properties of every degree of freedom: its joint's own, and what tendons and actuators add."""

    def __init__(self, file: Compiled):
        model, on = file.model, file.on
        self.armature = model.dof_armature.astype(float)
        self.damping = model.dof_damping * float(on["damping"])
        self.friction = model.dof_frictionloss * float(on["friction"])
        self.stiffness, self.pull = np.zeros(model.nv), np.zeros(model.nv)  # of springs, and their force at zero
        for j in range(model.njnt) if on["springs"] else ():
            d = int(model.jnt_dofadr[j])
            self.stiffness[d] = model.jnt_stiffness[j]
            if model.jnt_type[j] in (SLIDE, HINGE):
                self.pull[d] = model.jnt_stiffness[j] * model.qpos_spring[model.jnt_qposadr[j]]
        self.levers: list[Lever | None] = []  # of the actuators
        self.springs: list[Spring] = []
        self.actuators: list[LinearActuator] = []

    def rest(self, dof: int) -> float:
        """Coordinate at which the springs of a hinge or slide have no force."""
        return float(self.pull[dof] / self.stiffness[dof]) if self.stiffness[dof] else 0.0

    def add(self, lever: "Lever", armature: float, damping: float, friction: float = 0.0) -> None:
        """Add rotor inertia, damping and friction that act on one degree of freedom through a lever."""
        self.armature[lever.dof] += armature * lever.ratio**2
        self.damping[lever.dof] += damping * lever.ratio**2
        self.friction[lever.dof] += friction * abs(lever.ratio)


class Lever(NamedTuple):
    """The one degree of freedom something acts on, and how much its length changes with it."""

    dof: int
    ratio: float


def read_drives(file: Compiled, sites: Mapping[int, str]) -> Drives:
    """Everything that is data of one joint or acts between two `sites`, with a finding for what does not."""
    drives, model = Drives(file), file.model
    levers = [_tendon_lever(model, t) for t in range(model.ntendon)]
    for t, lever in enumerate(levers):
        _add_tendon(file, t, lever, _ends(model, t, sites), drives)
    for k in range(model.nu):
        drives.levers.append(lever := _actuator_lever(model, k, levers))
        _add_actuator(file, k, lever, drives)
        if model.actuator_trntype[k] == ON_TENDON and (ends := _ends(model, int(model.actuator_trnid[k, 0]), sites)):
            drives.actuators.append(LinearActuator(ends[0], ends[1], model.actuator(k).name))
    return drives


def _tendon_lever(model: Any, t: int) -> Lever | None:
    first, count = int(model.tendon_adr[t]), int(model.tendon_num[t])
    if count != 1 or model.wrap_type[first] != WRAP_JOINT:
        return None
    j = int(model.wrap_objid[first])
    return Lever(int(model.jnt_dofadr[j]), float(model.wrap_prm[first]))


def _ends(model: Any, t: int, sites: Mapping[int, str]) -> list[str] | None:
    """The frames of a tendon between two sites."""
    parts = slice(int(model.tendon_adr[t]), int(model.tendon_adr[t]) + 2)
    if model.tendon_num[t] != 2 or (model.wrap_type[parts] != WRAP_SITE).any():
        return None
    return [sites[int(k)] for k in model.wrap_objid[parts]]


def _actuator_lever(model: Any, k: int, levers: list[Lever | None]) -> Lever | None:
    kind, target = int(model.actuator_trntype[k]), int(model.actuator_trnid[k, 0])
    gear = float(model.actuator_gear[k, 0])
    if kind in ON_JOINT and model.jnt_type[target] in (SLIDE, HINGE):
        return Lever(int(model.jnt_dofadr[target]), gear)
    if kind == ON_TENDON and (lever := levers[target]):
        return Lever(lever.dof, lever.ratio * gear)
    return None


def _add_tendon(file: Compiled, t: int, lever: Lever | None, ends: list[str] | None, drives: Drives) -> None:
    model, on = file.model, file.on
    armature, damping = float(_optional(model, "tendon_armature", t)), float(model.tendon_damping[t]) * on["damping"]
    friction = float(model.tendon_frictionloss[t]) * on["friction"]
    stiffness, (length, longest) = (
        float(model.tendon_stiffness[t]) * on["springs"],
        model.tendon_lengthspring[t].tolist(),
    )
    linear = length == longest and not armature
    if lever:
        drives.add(lever, armature, damping, friction)
        drives.stiffness[lever.dof] += linear * stiffness * lever.ratio**2
        drives.pull[lever.dof] += linear * stiffness * lever.ratio * length
    elif armature:
        file.add("MJCF006", f"armature {armature:g}", "tendon", t)
    elif ends and linear and (stiffness or damping):
        values = (exact(x, 0.0) for x in (stiffness, length if stiffness else 0.0, damping))
        drives.springs.append(Spring(*ends, *values))
    kept = lever or (ends and linear)
    left = {
        "damping": damping and not kept,
        "frictionloss": friction and not lever,
        "stiffness": stiffness and not (kept and linear),
        "stiffness with higher powers": _optional(model, "tendon_stiffnesspoly", t).any() and on["springs"],
        "damping with higher powers": _optional(model, "tendon_dampingpoly", t).any() and on["damping"],
        "a limited length": model.tendon_limited[t] and on["limits"],
    }
    if any(left.values()):
        file.add("MJCF020", f"{', '.join(name for name, acts in left.items() if acts)} of the tendon", "tendon", t)


def _add_actuator(file: Compiled, k: int, lever: Lever | None, drives: Drives) -> None:
    model, on = file.model, file.on
    armature = float(_optional(model, "actuator_armature", k))
    damping = float(_optional(model, "actuator_damping", k)) * on["damping"]
    if lever:
        drives.add(lever, armature, damping)
    elif armature:
        file.add("MJCF006", f"armature {armature:g}", "actuator", k)
    elif damping:
        file.add("MJCF020", "damping of the actuator", "actuator", k)
    if _optional(model, "actuator_dampingpoly", k).any() and on["damping"]:
        file.add("MJCF020", "damping with higher powers of the actuator", "actuator", k)


def _optional(model: Any, name: str, index: int) -> Any:
    """A row of an array that older versions of MuJoCo do not have."""
    return np.asarray(getattr(model, name)[index]) if hasattr(model, name) else np.zeros(1)[0]


# -- the largest effort of every joint --------------------------------------------------------


def read_efforts(file: Compiled, levers: Sequence[Lever | None]) -> dict[int, float]:
    """Largest effort of the motors of each degree of freedom that has one."""
    found: dict[int, float] = {}
    for k, lever in enumerate(levers):
        off = not file.on["actuation"] or _is_off(file.model, k)
        if off:
            file.add("MJCF025", "it is switched off", "actuator", k)
        if lever:
            largest = 0.0 if off or not lever.ratio else abs(lever.ratio) * _largest_force(file.model, k)
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


def within_ranges(file: Compiled, own: Mapping[int, float]) -> dict[int, float]:
    """Efforts within `actuatorfrcrange`, which is a limit also where there is no motor."""
    found, model = dict(own), file.model
    for j in np.flatnonzero(model.jnt_actfrclimited).tolist():
        lower, upper = model.jnt_actfrcrange[j].tolist()
        dof = int(model.jnt_dofadr[j])
        found[dof] = min(found.get(dof, inf), max(abs(lower), abs(upper)))
        if lower != -upper:
            file.add("MJCF021", f"actuatorfrcrange {lower:g} … {upper:g}", "joint", j)
    return found


def at_leaders(
    model: Any, own: Mapping[int, float], driven: Mapping[int, float], names: Sequence[str], mimics: Mapping[int, Mimic]
) -> dict[int, float]:
    """Efforts with those of the motors of followers at the joint they follow: the gear's factor times theirs."""
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
