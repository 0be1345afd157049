"""Every finding of the MJCF reader: its code, how bad it is, why it matters, how to mend it."""

from ..description import Rule

RULES: dict[str, Rule] = {
    "MJCF001": Rule("error", "MuJoCo's own compiler refuses the file", "correct what it names"),
    "MJCF002": Rule("error", "MJCF files are read through MuJoCo's compiler", "pip install 'articulated[mjcf]'"),
    "MJCF003": Rule("error", "a robot has at least one body", "add a <body>"),
    "MJCF004": Rule("error", "MuJoCo takes long, or much memory, to read them; limits keep a hostile file from using "
                    "up the machine", "write fewer of them, or a smaller number"),
    "MJCF005": Rule("error", "no robot can have this value", "write a finite number that is not negative where it is "
                    "a mass, an armature, a damping, a stiffness or a friction, and directions of about length one"),
    "MJCF006": Rule("error", "inertia that couples several joints is not part of a tree; the mass matrix would be "
                    "wrong without it", "remove the armature, or give it to single joints"),
    "MJCF007": Rule("error", "MuJoCo would open any file or pipe; a robot file may name only regular files below "
                    "its own folder, and a robot given as text or uploaded none",
                    "copy the file below the folder of the robot file"),
    "MJCF010": Rule("warning", "a spring is linear here; the linear part is kept", "add the other forces to tau"),
    "MJCF011": Rule("warning", "the constraint is not part of a tree; the robot moves as if it were not there",
                    "close loops with a contact constraint"),
    "MJCF012": Rule("note", "tendons and actuators give forces; pass them as tau", "none needed"),
    "MJCF013": Rule("warning", "gravity acts on the body as on any other", "remove gravcomp, or add the forces"),
    "MJCF014": Rule("note", "a frame needs a name of its own", "give the site a name no body has"),
    "MJCF015": Rule("note", "fluid forces are not computed", "set density and viscosity to zero"),
    "MJCF016": Rule("warning", "damping that grows with speed is not linear; the linear part is kept",
                    "remove the higher terms"),
    "MJCF017": Rule("note", "they act on body velocities here, on world velocities there; the bias differs",
                    "set both to zero on the free joint"),
    "MJCF018": Rule("warning", "MuJoCo's compiler warns about the file", "correct what it names"),
    "MJCF019": Rule("note", "of keyframes, positions are kept as robot.poses, by name; the rest is left out",
                    "give the keyframe a name; set velocities and activations yourself"),
    "MJCF020": Rule("warning", "a tendon is a spring of one joint or between two sites, linear and with one length; "
                    "the robot moves as if the rest were not there", "add their forces to tau"),
    "MJCF021": Rule("note", "an effort limit is one number for both directions; the larger one is kept",
                    "write a range that is the same in both directions"),
    "MJCF022": Rule("note", "a joint equality is read as a mimic joint, a rigid gear: the joint has no coordinate of "
                    "its own", "none needed"),
    "MJCF023": Rule("warning", "limits belong to joints with one coordinate; this one is left out",
                    "watch the angle yourself"),
    "MJCF024": Rule("warning", "flexible bodies and plugin forces are not part of a tree of rigid bodies",
                    "remove them, or add their forces to tau"),
    "MJCF025": Rule("note", "an actuator that is switched off gives no force, and adds nothing to the effort limit of "
                    "its joint", "switch it on, if it is to drive the joint"),
    "MJCF026": Rule("note", "a joint that follows another has no coordinate of its own; the pose is that of its leader",
                    "write positions for which the joint equality holds"),
}  # fmt: skip
