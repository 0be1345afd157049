"""URDF to MJCF and back.

topic: Robot files
words: convert, URDF to MJCF, MuJoCo XML, export URDF, save model, xacro
change: The ending says the format: .urdf, .xml (MJCF) or .toml. `art.save` returns what a format cannot express.
"""

import articulated as art

arm = art.load("ur5")
for ending in ("urdf", "xml", "toml"):
    lost = art.save(arm, f"arm.{ending}")
    print(f"arm.{ending}:", art.load(f"arm.{ending}"), f"{len(lost)} losses")
