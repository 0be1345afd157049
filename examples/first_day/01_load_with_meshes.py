"""Load a URDF with its meshes and named poses."""

from pathlib import Path

import articulated as art

here = Path(__file__).parent
robot = art.load(here / "arm_description" / "urdf" / "arm.urdf", packages=[here])
print(robot.report)  # what the reader found
for address, file in robot.meshes.items():
    print(address, "->", Path(file).name)
print(robot.poses)
