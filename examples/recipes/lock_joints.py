"""Lock fingers, free the base.

topic: Robot files
words: lock joints, fix joints, reduced model, floating base, freeze, simplify
change: `robot.lock({})` locks none; `robot.subtree(link)` keeps a part of a robot.
"""

import articulated as art

robot = art.load("humanoid")
arms = {
    name: 0.0
    for name in robot.joint_names
    if "arm" in name.lower() or "shoulder" in name.lower() or "elbow" in name.lower()
}
print(robot.nv, "joints;", robot.lock(arms).nv, "without the arms;", robot.floating().nv, "on a free base")
