"""The control laws: a new one is a file beside pd.py and a row here."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NamedTuple

from ..differential_ik import DifferentialIK
from ..tasks import CenterOfMass
from ..whole_body.law import WholeBody
from .cartesian_impedance import CartesianImpedance
from .computed_torque import ComputedTorque
from .impedance import Impedance
from .pd import PD


class Law(NamedTuple):
    """A control law, and how an example of it is made and brought to a configuration."""

    kind: type
    example: Callable[..., Any]  # of a robot, or of its contacts, and options
    towards: Callable[[Any, Any], Any]  # the controller of an example to a configuration q
    options: tuple[Mapping[str, Any], ...] = ({},)  # choices that change what is computed
    contacts: bool = False  # whether it needs contacts


def _to_pose(law: Any, q: Any) -> Any:
    return law.towards(law.robot.pose(q, law.frame))


def _through_joints(law: Any, q: Any) -> Any:
    poses = {frame: law.robot.pose(q, frame) for frame in law.frames}
    return law.towards(poses, through=ComputedTorque(law.robot, 100, 20))


def _to_center(law: Any, q: Any) -> Any:
    return law.towards({"center_of_mass": law.contacts.robot.center_of_mass(q)})


ROWS = (
    Law(PD, partial(PD, stiffness=80, damping=15), PD.towards, ({}, {"gravity": False})),
    Law(ComputedTorque, partial(ComputedTorque, stiffness=100, damping=20), ComputedTorque.towards),
    Law(Impedance, partial(Impedance, stiffness=80, damping=15), Impedance.towards, ({}, {"feedforward": "passive"})),
    Law(CartesianImpedance, lambda robot: CartesianImpedance(robot, robot.body_names[-1], 300, 30), _to_pose),
    Law(DifferentialIK, lambda robot: DifferentialIK(robot, robot.body_names[-1:]), _through_joints),
    Law(WholeBody, lambda feet: WholeBody(feet, [CenterOfMass()]), _to_center, contacts=True),
)
#: by public name
LAWS = {row.kind.__name__: row for row in ROWS}
