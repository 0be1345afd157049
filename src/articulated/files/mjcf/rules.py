"""Every finding of the MJCF reader: its code, how bad it is, why it matters, how to mend it."""

from ..description import Rule

RULES: dict[str, Rule] = {
    "MJCF001": Rule("error", "MuJoCo's own compiler refuses the file", "correct what it names"),
    "MJCF002": Rule("error", "MJCF files are read through MuJoCo's compiler", "pip install 'articulated[mjcf]'"),
    "MJCF003": Rule("error", "a robot has at least one body", "add a <body>"),
    "MJCF010": Rule("note", "springs are forces this robot does not have", "add their forces to tau"),
    "MJCF011": Rule("warning", "the constraint is not part of a tree; the robot moves as if it were not there",
                    "close loops with a contact constraint"),
    "MJCF012": Rule("note", "tendons and actuators give forces; pass them as tau", "none needed"),
    "MJCF013": Rule("warning", "gravity acts on the body as on any other", "remove gravcomp, or add the forces"),
    "MJCF014": Rule("note", "a frame needs a name of its own", "give the site a name no body has"),
    "MJCF015": Rule("note", "forces of air and water are not computed", "set density and viscosity to zero"),
    "MJCF016": Rule("warning", "damping that grows with speed is not linear; the linear part is kept",
                    "remove the higher terms"),
    "MJCF017": Rule("note", "armature acts on body velocities here, on world velocities there; the bias differs",
                    "set armature to zero on the free joint"),
}  # fmt: skip
