"""Forces and constraints of an MJCF file beyond a tree of rigid bodies, each with its line."""

from typing import Any

import numpy as np

from ...text import shortened
from ..numbers import LARGEST
from .compiler import Compiled

FREE, BALL = 0, 1  # mjtJoint

#: parts of the robot: the lists of the model, the element each row belongs to, what it is called
NUMBERS = {
    "body": ("body_pos", "body_quat", "body_ipos", "body_iquat", "body_mass", "body_inertia"),
    "joint": ("jnt_pos", "jnt_axis", "jnt_range", "jnt_actfrcrange"),
    "site": ("site_pos", "site_quat"),
    "geom": ("geom_pos", "geom_quat", "geom_size", "geom_rgba"),
    "mesh": ("mesh_pos", "mesh_quat", "mesh_scale"),
    "key": ("key_qpos",),
    "actuator": ("actuator_gear", "actuator_forcerange", "actuator_ctrlrange", "actuator_gainprm"),
}
#: vectors of unit length, unless they were so small or large that MuJoCo could not scale them
UNIT = ("body_quat", "body_iquat", "site_quat", "geom_quat", "jnt_axis")
COUPLINGS = {
    "tendon": ("tendon_armature", "tendon_damping", "tendon_frictionloss", "tendon_stiffness", "wrap_prm"),
    "actuator": ("actuator_armature", "actuator_damping"),
    "equality": ("eq_data",),
}
SIGNED = ("wrap_prm", "eq_data")
NOT_NEGATIVE = ("dof_damping", "dof_frictionloss", "dof_armature", "jnt_stiffness")


def refuse_bad_numbers(file: Compiled) -> None:
    """MuJoCo takes NaN, infinity and negative damping; a robot does not."""
    model, places, _, report = file
    for tag, lists in NUMBERS.items():
        for name in lists:
            values = np.atleast_2d(getattr(model, name).T).T  # one row for each element
            unit = np.abs(np.linalg.norm(values, axis=1) - 1) < 1e-6 if name in UNIT else True
            usable = _usable(values).all(axis=1) & unit
            for i in np.flatnonzero(~usable).tolist():
                file.add("MJCF005", f"{name.partition('_')[2]} {_row(values[i])}", tag, i)
    for name in NOT_NEGATIVE:
        values = getattr(model, name)
        for k in np.flatnonzero(~(_usable(values) & (values >= 0))).tolist():
            joint = int(model.dof_jntid[k]) if name.startswith("dof") else k
            file.add("MJCF005", f"{name.partition('_')[2]} {values[k]:g}", "joint", joint)
    for i in np.flatnonzero(~(_usable(model.qpos0) & _usable(model.qpos_spring))).tolist():
        owner = int(np.searchsorted(model.jnt_qposadr, i, side="right")) - 1
        file.add("MJCF005", f"reference position {model.qpos0[i]:g}", "joint", owner)
    if not _usable(model.opt.gravity).all():
        report.add("MJCF005", f"gravity {_row(model.opt.gravity)}", places.of("option"))
    for tag, lists in COUPLINGS.items():
        for name in lists:
            values = np.asarray(getattr(model, name, np.zeros(0)))
            if not (_usable(values).all() and (values.min(initial=0.0) >= 0 or name in SIGNED)):
                report.add("MJCF005", f"{name.partition('_')[2]} of an element", places.of(tag))
    report.stop_on_errors()


def _usable(values: Any) -> Any:
    return np.abs(np.asarray(values, float)) < LARGEST  # False for NaN


def _row(values: Any) -> str:
    return shortened(" ".join(f"{x:g}" for x in values))


def note_what_is_left_out(file: Compiled) -> None:
    """Forces and constraints that are not part of a tree of rigid bodies."""
    model, places, on, report = file
    for j in np.flatnonzero(_higher(model, "jnt_stiffnesspoly")).tolist() if on["springs"] else ():
        file.add("MJCF010", "stiffness with higher powers", "joint", j)
    if model.nu or model.ntendon:
        at = places.of("actuator" if model.nu else "tendon")
        report.add("MJCF012", f"{model.nu} actuators and {model.ntendon} tendons", at)
    for i in np.flatnonzero(model.body_gravcomp).tolist() if on["gravity"] else ():
        file.add("MJCF013", f"gravcomp {model.body_gravcomp[i]:g}", "body", i)
    if model.opt.density or model.opt.viscosity:
        text = f"density {model.opt.density:g}, viscosity {model.opt.viscosity:g}"
        report.add("MJCF015", text, places.of("option"))
    for j in np.flatnonzero(model.jnt_type == FREE).tolist():
        d = int(model.jnt_dofadr[j])
        if model.dof_armature[d] or (model.dof_frictionloss[d] and on["friction"]):
            file.add("MJCF017", "a free joint with armature or frictionloss", "joint", j)
    for j in np.flatnonzero((model.jnt_type == BALL) & (model.jnt_limited != 0)).tolist() if on["limits"] else ():
        file.add("MJCF023", f"range {_row(model.jnt_range[j])} of a ball joint", "joint", j)
    for d in np.flatnonzero(_higher(model, "dof_dampingpoly")).tolist() if on["damping"] else ():
        text = "damping with higher powers of the speed"
        file.add("MJCF016", text, "joint", int(model.dof_jntid[d]))
    if getattr(model, "nflex", 0) or model.nplugin:
        report.add("MJCF024", f"{getattr(model, 'nflex', 0)} flexes and {model.nplugin} plugins", places.of("flex"))


def _higher(model: Any, name: str) -> Any:
    """Rows whose polynomial has terms beyond the first; MuJoCo has them from 3.4 on."""
    terms = np.asarray(getattr(model, name, np.zeros((0, 1))))
    return terms.any(axis=-1) if terms.size else np.zeros(model.njnt if name[:3] == "jnt" else model.nv, bool)
