"""States in the order and the coordinates of other libraries, and back.

    q, v = art.conventions.to_mujoco(robot, q, v)

Each function takes and returns as many of q, v, a, tau as it is given (a NamedTuple, or the array
if it is q alone); leading axes are a batch; `out=` takes such a tuple.  They are compiled like any
method of the robot.  What differs, base first:

    here, Pinocchio   q = x y z, qx qy qz qw      v = linear, angular, both in body axes
    MuJoCo            q = x y z, qw qx qy qz      v = linear in world axes, angular in body axes
    Drake             q = qw qx qy qz, x y z      v = angular, linear, both in world axes

Pinocchio stores a continuous joint as (cos, sin) and sorts the joints of each link by name;
MuJoCo and Drake keep the order of the document, as we do.  A free joint is placed somewhere
(`<origin>`) here, in Pinocchio and in Drake, and its coordinates begin there; those of MuJoCo
are the pose in the world.

A mimic joint has no number of its own here and in a model that Pinocchio read with `mimic=True`, but one
in MuJoCo, in Drake and in Pinocchio otherwise (`to_pinocchio(…, mimic=False)`).  `to_…` fills these in:
q = multiplier × leader + offset, v and a times the multiplier, and tau 0, for the leader has it all.
`from_…` leaves them out, and refuses a state in which a joint is not where it follows to; tau of a leader
is then the sum of multiplier × tau.
"""

from .converters import from_drake, from_mujoco, from_pinocchio, to_drake, to_mujoco, to_pinocchio

__all__ = [
    "from_drake",
    "from_mujoco",
    "from_pinocchio",
    "to_drake",
    "to_mujoco",
    "to_pinocchio",
]
