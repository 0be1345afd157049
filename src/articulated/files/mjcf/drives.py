"""Tendons and actuators of single joints: rotor inertia, damping, friction.

A tendon or an actuator that acts on one hinge or slide is data of that joint.  One that couples several joints is not:
its inertia would be wrong in the mass matrix, which refuses the file; its forces are left out, which is a finding.
"""

from typing import Any, NamedTuple

import numpy as np

from ..description import Findings
from .places import Places
from .switches import Switches

SLIDE, HINGE = 2, 3  # mjtJoint
ON_JOINT, ON_TENDON = (0, 1), 3  # mjtTrn
WRAP_JOINT = 1  # mjtWrap


class Drives:
    """For every degree of freedom what its joint has by itself, and what tendons and actuators add to it."""

    def __init__(self, model: Any, on: Switches):
        self.armature = model.dof_armature.astype(float)
        self.damping = model.dof_damping * float(on.damping)
        self.friction = model.dof_frictionloss * float(on.friction)
        self.levers: list[Lever | None] = []  # of the actuators


class Lever(NamedTuple):
    """The one degree of freedom something acts on, and how much its length changes with it."""

    dof: int
    ratio: float


def read_drives(model: Any, on: Switches, report: Findings, places: Places) -> Drives:
    """Everything that is data of one joint, with a finding for what is not."""
    drives = Drives(model, on)
    levers = [_tendon_lever(model, t) for t in range(model.ntendon)]
    for t, lever in enumerate(levers):
        _add_tendon(model, t, lever, drives, on, report, places)
    for k in range(model.nu):
        drives.levers.append(lever := _actuator_lever(model, k, levers))
        _add_actuator(model, k, lever, drives, on, report, places)
    return drives


def _tendon_lever(model: Any, t: int) -> Lever | None:
    first, count = int(model.tendon_adr[t]), int(model.tendon_num[t])
    if count != 1 or model.wrap_type[first] != WRAP_JOINT:
        return None
    j = int(model.wrap_objid[first])
    return Lever(int(model.jnt_dofadr[j]), float(model.wrap_prm[first]))


def _actuator_lever(model: Any, k: int, levers: list[Lever | None]) -> Lever | None:
    kind, target = int(model.actuator_trntype[k]), int(model.actuator_trnid[k, 0])
    gear = float(model.actuator_gear[k, 0])
    if kind in ON_JOINT and model.jnt_type[target] in (SLIDE, HINGE):
        return Lever(int(model.jnt_dofadr[target]), gear)
    if kind == ON_TENDON and (lever := levers[target]):
        return Lever(lever.dof, lever.ratio * gear)
    return None


def _add_tendon(
    model: Any, t: int, lever: Lever | None, drives: Drives, on: Switches, report: Findings, places: Places
) -> None:
    at, element = places.of("tendon", t), f"tendon {model.tendon(t).name!r}"
    armature = float(_optional(model, "tendon_armature", t))
    forces = {
        "damping": float(model.tendon_damping[t]) * on.damping,
        "frictionloss": float(model.tendon_frictionloss[t]) * on.friction,
    }
    if lever:
        drives.armature[lever.dof] += armature * lever.ratio**2
        drives.damping[lever.dof] += forces["damping"] * lever.ratio**2
        drives.friction[lever.dof] += forces["frictionloss"] * abs(lever.ratio)
        armature, forces = 0.0, {}
    if armature:
        report.add("MJCF006", f"armature {armature:g}", at, element)
    forces["stiffness"] = float(model.tendon_stiffness[t]) * on.springs
    if _optional(model, "tendon_stiffnesspoly", t).any() and on.springs:
        forces["stiffness with higher powers"] = 1.0
    if _optional(model, "tendon_dampingpoly", t).any() and on.damping:
        forces["damping with higher powers"] = 1.0
    if model.tendon_limited[t] and on.limits:
        forces["a limited length"] = 1.0
    if left := [name for name, value in forces.items() if value]:
        report.add("MJCF020", f"{', '.join(left)} of the tendon", at, element)


def _add_actuator(
    model: Any, k: int, lever: Lever | None, drives: Drives, on: Switches, report: Findings, places: Places
) -> None:
    armature = float(_optional(model, "actuator_armature", k))
    damping = float(_optional(model, "actuator_damping", k)) * on.damping
    at, element = places.of("actuator", k), f"actuator {model.actuator(k).name!r}"
    if lever:
        drives.armature[lever.dof] += armature * lever.ratio**2
        drives.damping[lever.dof] += damping * lever.ratio**2
    elif armature:
        report.add("MJCF006", f"armature {armature:g}", at, element)
    elif damping:
        report.add("MJCF020", "damping of the actuator", at, element)
    if _optional(model, "actuator_dampingpoly", k).any() and on.damping:
        report.add("MJCF020", "damping with higher powers of the actuator", at, element)


def _optional(model: Any, name: str, index: int) -> Any:
    """A row of an array that older versions of MuJoCo do not have."""
    return np.asarray(getattr(model, name)[index]) if hasattr(model, name) else np.zeros(1)[0]
