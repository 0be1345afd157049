"""What an MJCF file says beyond a tree of rigid bodies: forces and constraints, each with its line."""

from typing import Any

import numpy as np

from ..description import Report
from .places import Places

FREE = 0  # mjtJoint


def note_what_is_left_out(model: Any, report: Report, places: Places) -> None:
    """Forces and constraints that are not part of a tree of rigid bodies."""
    for j in map(int, np.flatnonzero(model.jnt_stiffness)):
        stiffness = float(model.jnt_stiffness[j])
        report.add("MJCF010", f"stiffness {stiffness:g}", places.of("joint", j), f"joint {model.joint(j).name!r}")
    if model.neq:
        report.add("MJCF011", f"{model.neq} equality constraints", places.of("equality"), value=str(model.neq))
    if model.nu or model.ntendon:
        at = places.of("actuator" if model.nu else "tendon")
        report.add("MJCF012", f"{model.nu} actuators and {model.ntendon} tendons", at)
    for i in map(int, np.flatnonzero(model.body_gravcomp)):
        gravcomp = float(model.body_gravcomp[i])
        report.add("MJCF013", f"gravcomp {gravcomp:g}", places.of("body", i), f"body {model.body(i).name!r}")
    if model.opt.density or model.opt.viscosity:
        text = f"density {model.opt.density:g}, viscosity {model.opt.viscosity:g}"
        report.add("MJCF015", text, places.of("option"))
    for j in map(int, np.flatnonzero(model.jnt_type == FREE)):
        if model.dof_armature[model.jnt_dofadr[j]]:
            report.add("MJCF017", "a free joint with armature", places.of("joint", j), f"joint {model.joint(j).name!r}")
    powers = np.asarray(getattr(model, "dof_dampingpoly", ()))  # of MuJoCo 3.4 and later
    for d in np.flatnonzero(powers.any(axis=-1)) if powers.size else ():
        j = int(model.dof_jntid[d])
        text = "damping with higher powers of the speed"
        report.add("MJCF016", text, places.of("joint", j), f"joint {model.joint(j).name!r}")
