"""The joints: each a subgroup of SE(3), one file each.  To add one, write its file and list it."""

from . import help
from .base import Joint
from .continuous import Continuous
from .cylindrical import Cylindrical
from .data import Limits, Mimic
from .fixed import Fixed
from .floating import Floating
from .helical import Helical
from .planar import Planar
from .prismatic import Prismatic
from .revolute import Revolute
from .spherical import Spherical
from .universal import Universal

#: every joint that can carry a body, by its kind: the word readers and writers use
JOINTS: dict[str, type[Joint]] = {
    joint.kind: joint
    for joint in (
        Fixed, Revolute, Continuous, Prismatic, Helical, Cylindrical, Planar, Spherical, Floating, Universal,
    )
}  # fmt: skip

for _joint in JOINTS.values():
    help.document(_joint)

__all__ = ["JOINTS", "Joint", "Limits", "Mimic", *(joint.__name__ for joint in JOINTS.values())]
