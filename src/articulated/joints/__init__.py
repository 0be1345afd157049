"""Joints: each a subgroup of SE(3).  To add one, write its file and list it here."""

from . import help
from .base import Joint as Joint
from .base import check_joint as check_joint
from .data import Limits as Limits
from .data import Mimic as Mimic
from .floating import Floating as Floating
from .one_axis import Continuous as Continuous
from .one_axis import Cylindrical as Cylindrical
from .one_axis import Fixed as Fixed
from .one_axis import Helical as Helical
from .one_axis import Prismatic as Prismatic
from .one_axis import Revolute as Revolute
from .planar import Planar as Planar
from .spherical import Spherical as Spherical
from .universal import Universal as Universal

#: every joint that can carry a body, by its kind: the word readers and writers use
JOINTS: dict[str, type[Joint]] = {
    joint.kind: joint
    for joint in (
        Fixed, Revolute, Continuous, Prismatic, Helical, Cylindrical, Planar, Spherical, Floating, Universal,
    )
}  # fmt: skip

for _joint in JOINTS.values():
    help.document(_joint)
