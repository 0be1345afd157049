"""law.c and law.h for `controller.cpp`: a quadruped stands by a whole-body law.

`python write_law.py [robot] [folder]`
"""

import sys
from pathlib import Path

import articulated as art

name, folder = (sys.argv[1:] + ["quadruped", "."][len(sys.argv) - 1 :])[:2]
robot = art.load(name, floating_base=True)
home = next(iter(robot.poses.values()))
base, feet = robot.body_names[0], art.Walk(robot).law.contacts
law = art.WholeBody(
    feet,
    [
        art.tasks.CenterOfMass(gain=60, weight=30, target=robot.center_of_mass(home)),
        art.tasks.Frame(base, "orientation", gain=150, weight=3, target=robot.pose(home, base)[:3, :3]),
        art.tasks.Posture(gain=40, weight=0.05, target=home),
    ],
    contact_damping=20,
)
joints = ", ".join(f'"{joint}"' for joint in robot.joint_names[1:])
HEADER = f"""/* Torques of a law; q is [place, quaternion x y z w, joints], v [linear, angular in base axes, joints]. */
#define LAW_JOINTS {len(feet.actuated)}
#define LAW_JOINT_NAMES {{{joints}}}
#ifdef __cplusplus
extern "C"
#endif
int law_tick(const double *q, const double *v, const double *center_of_mass, double *tau);
"""
TICK = """
#include "law.h"
int law_tick(const double *q, const double *v, const double *center_of_mass, double *tau)
{
    static law_settings settings;
    static law_workspace workspace;
    law_defaults(&settings);
    memcpy(settings.targets, center_of_mass, 3 * sizeof(double));
    return law(q, v, &settings, &workspace, tau);
}
"""
Path(folder, "law.c").write_text(law.c_source("law") + TICK, "utf-8")
Path(folder, "law.h").write_text(HEADER, "utf-8")
