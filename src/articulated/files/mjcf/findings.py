"""Forces and constraints of an MJCF file beyond a tree of rigid bodies, each with its line."""

from typing import Any

import numpy as np

from ...text import shortened
from ..description import Findings
from ..numbers import LARGEST
from .places import Places
from .switches import Switches

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
    "tendon": ("tendon_armature", "tendon_damping", "tendon_frictionloss", "wrap_prm"),
    "actuator": ("actuator_armature", "actuator_damping"),
    "equality": ("eq_data",),
}
SIGNED = ("wrap_prm", "eq_data")
NOT_NEGATIVE = {"dof_damping": "damping", "dof_frictionloss": "frictionloss", "dof_armature": "armature"}


def refuse_bad_numbers(model: Any, report: Findings, places: Places) -> None:
    """MuJoCo takes NaN, infinity and negative damping; a robot does not."""
    for tag, lists in NUMBERS.items():
        for name in lists:
            values = np.atleast_2d(getattr(model, name).T).T  # one row for each element
            usable = _usable(values).all(axis=1) & (_unit(values) if name in UNIT else True)
            for i in np.flatnonzero(~usable).tolist():
                _add(model, report, places, "MJCF005", tag, i, f"{name.partition('_')[2]} {_row(values[i])}")
    for name, word in NOT_NEGATIVE.items():
        values = getattr(model, name)
        for d in np.flatnonzero(~(_usable(values) & (values >= 0))).tolist():
            _add(model, report, places, "MJCF005", "joint", int(model.dof_jntid[d]), f"{word} {values[d]:g}")
    for i in np.flatnonzero(~_usable(model.qpos0)).tolist():
        _add(model, report, places, "MJCF005", "joint", _owner(model, i), f"reference position {model.qpos0[i]:g}")
    if not _usable(model.opt.gravity).all():
        report.add("MJCF005", f"gravity {_row(model.opt.gravity)}", places.of("option"))
    for tag, lists in COUPLINGS.items():
        for name in lists:
            values = np.asarray(getattr(model, name, np.zeros(0)))
            if not (_usable(values).all() and (values.min(initial=0.0) >= 0 or name in SIGNED)):
                report.add("MJCF005", f"{name.partition('_')[2]} of an element", places.of(tag))
    report.stop_on_errors()


def _usable(values: Any) -> Any:
    return np.abs(np.asarray(values, float)) < LARGEST  # NaN is not


def _unit(values: Any) -> Any:
    return np.abs(np.linalg.norm(values, axis=1) - 1) < 1e-6


def _owner(model: Any, coordinate: int) -> int:
    return int(np.searchsorted(model.jnt_qposadr, coordinate, side="right")) - 1


def _row(values: Any) -> str:
    return shortened(" ".join(f"{x:g}" for x in values))


def _add(model: Any, report: Findings, places: Places, code: str, tag: str, i: int, text: str) -> None:
    report.add(code, text, places.of(tag, i), f"{tag} {getattr(model, tag)(i).name!r}")


def note_what_is_left_out(model: Any, on: Switches, report: Findings, places: Places) -> None:
    """Forces and constraints that are not part of a tree of rigid bodies."""
    _note_springs(model, on, report, places)
    if model.nu or model.ntendon:
        at = places.of("actuator" if model.nu else "tendon")
        report.add("MJCF012", f"{model.nu} actuators and {model.ntendon} tendons", at)
    for i in np.flatnonzero(model.body_gravcomp).tolist() if on.gravity else ():
        _add(model, report, places, "MJCF013", "body", i, f"gravcomp {model.body_gravcomp[i]:g}")
    if model.opt.density or model.opt.viscosity:
        text = f"density {model.opt.density:g}, viscosity {model.opt.viscosity:g}"
        report.add("MJCF015", text, places.of("option"))
    for j in np.flatnonzero(model.jnt_type == FREE).tolist():
        d = int(model.jnt_dofadr[j])
        if model.dof_armature[d] or (model.dof_frictionloss[d] and on.friction):
            _add(model, report, places, "MJCF017", "joint", j, "a free joint with armature or frictionloss")
    for j in np.flatnonzero((model.jnt_type == BALL) & (model.jnt_limited != 0)).tolist() if on.limits else ():
        _add(model, report, places, "MJCF023", "joint", j, f"range {_row(model.jnt_range[j])} of a ball joint")
    for d in np.flatnonzero(_higher(model, "dof_dampingpoly")).tolist() if on.damping else ():
        text = "damping with higher powers of the speed"
        _add(model, report, places, "MJCF016", "joint", int(model.dof_jntid[d]), text)
    if getattr(model, "nflex", 0) or model.nplugin:
        report.add("MJCF024", f"{getattr(model, 'nflex', 0)} flexes and {model.nplugin} plugins", places.of("flex"))


def _note_springs(model: Any, on: Switches, report: Findings, places: Places) -> None:
    stiff = (model.jnt_stiffness != 0) | _higher(model, "jnt_stiffnesspoly")
    for j in np.flatnonzero(stiff).tolist() if on.springs else ():
        _add(model, report, places, "MJCF010", "joint", j, f"stiffness {model.jnt_stiffness[j]:g}")


def _higher(model: Any, name: str) -> Any:
    """Where a polynomial has terms beyond the first; MuJoCo has them from 3.4 on."""
    terms = np.asarray(getattr(model, name, np.zeros((0, 1))))
    return terms.any(axis=-1) if terms.size else np.zeros(model.njnt if name[:3] == "jnt" else model.nv, bool)
