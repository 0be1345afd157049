"""`joints=` of `simulate`: damping, dry friction, rotor inertia and stiffness of joints, a number for each run.

They are numbers that compiled code is given: it is that of a stand-in whose joints have them or not, and the inertial
parameters of the bodies are followed by armature, damping, friction and stiffness of each, and by the torques of dry
friction that the contact problem takes.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import ShapeError, SingularModelError, unexpected, unknown
from ..inputs.choices import floats
from ..model import Body, Model
from ..robot import Robot
from ..text import shortened
from .contact.joints import GIVEN, owner
from .drive.damping import implicit

if TYPE_CHECKING:
    from .contact.system import System

#: parameters of a joint, in the order of compiled code
PARAMETERS = ("armature", "damping", "friction", "stiffness")
#: arrays (…) by joint and by which of them
JointParameters = Mapping[str, Mapping[str, np.ndarray]]


def joint_parameters(robot: Robot, given: Any, who: str = "simulate: ") -> JointParameters:
    """`joints=`, checked: none of them below zero; empty if the robot keeps its own."""
    if given is not None and not isinstance(given, Mapping):
        raise ShapeError(f"{who}joints maps joints to their damping, …; got {shortened(repr(given))}")
    names = [b.joint.name for b in robot.model.bodies]
    found: dict[str, Mapping[str, np.ndarray]] = {}
    for joint, own in (given or {}).items():
        if joint not in names:
            raise unknown("moving joint", joint, robot.name, names)
        if not isinstance(own, Mapping):
            example = f'{{{joint!r}: {{"damping": 0.1}}}}'
            raise ShapeError(f"{who}joints is like {example}; got {shortened(repr(own))} for {joint!r}")
        found[joint] = MappingProxyType({name: _numbers(who, joint, name, x) for name, x in own.items()})
    return MappingProxyType({joint: own for joint, own in found.items() if own})


def _numbers(who: str, joint: str, name: str, value: Any) -> np.ndarray:
    if name not in PARAMETERS:
        raise unexpected(f"{who}joints[{joint!r}]", name, PARAMETERS)
    x = floats(f"{who}the {name} of joint {joint!r}", value)
    if not x.size or not np.isfinite(x).all() or (x < 0).any():
        raise ShapeError(f"{who}the {name} of joint {joint!r} is a number from 0, or an array of them; got {value}")
    x = np.array(x)
    x.flags.writeable = False
    return x


def leading_axes(given: JointParameters) -> dict[str, tuple[int, ...]]:
    """The shapes of the arrays by what messages call them."""
    return {f"{name} of {joint!r}": x.shape for joint, own in given.items() for name, x in own.items()}


def stand_in(robot: Robot, given: JointParameters) -> Robot:
    """The robot whose code is run: with 1 in the place of what some run has of its own, and 0 of what none has."""
    if not given:
        return robot
    some = tuple((joint, tuple((name, float(x.any())) for name, x in own.items())) for joint, own in given.items())

    def made() -> Robot:
        changes = {joint: dict(own) for joint, own in some}
        # a joint without a name of its own is called after its link
        links = (k.replace(joint=k.joint.replace(**changes.get(k.joint.name or k.name, {}))) for k in robot.model.links)
        return Robot(robot.model.changed(links))

    return robot.kernels.once(("stand-in", some), made)


def require_mass(robot: Robot, given: JointParameters) -> None:
    """Refuse a joint that moves no mass in some run, with the rotors that `joints=` gives."""
    rotors = {joint: own["armature"] for joint, own in given.items() if "armature" in own}
    if not rotors:
        return robot.kernels.require_mass()
    each = np.stack([x.ravel() for x in np.broadcast_arrays(*rotors.values())], axis=-1)
    for some in np.unique(each > 0, axis=0):
        own = {joint: {"armature": np.asarray(float(x))} for joint, x in zip(rotors, some, strict=True)}
        moved = stand_in(robot, own).kernels
        if made := [joint for joint in moved.massless_joints if joint not in robot.kernels.massless_joints]:
            zeros = ", ".join(repr(joint) for joint, x in zip(rotors, some, strict=True) if not x)
            where = " in some runs" if len(each) > 1 else ""
            raise SingularModelError(
                f"simulate: joints= gives {zeros} an armature of 0{where}, and joint {', '.join(map(repr, made))} then "
                "moves no mass, so its acceleration is not determined; give it one above 0, or a body beyond it mass"
            )
        moved.require_mass()


def with_given_friction(system: "System") -> "System":
    """The same, the dry friction of its joints to be given."""
    rows = (joint if joint.dry is None else joint._replace(dry=GIVEN) for joint in system.joints)
    return system._replace(joints=tuple(rows))


def numbers(
    robot: Robot, inertias: np.ndarray | None, given: JointParameters, system: "System | None", stiff: float
) -> np.ndarray:
    """Numbers for compiled code, (…, 14 nb + rows); damping and springs are implicit over a time `stiff`, s.

    With a `system` the rows of its joints have the dry friction, and the bodies none.
    """
    bodies = robot.model.bodies
    each = {name: [_of(b, given, name) for b in bodies] for name in PARAMETERS}
    felt = zip(each["armature"], each["damping"], each["stiffness"], strict=True)
    each["armature"] = [implicit(*x, stiff) for x in felt]
    dry: list[Any] = []
    if system:
        rows = (joint for joint in system.joints if joint.dry is not None)
        dry = [_dry(robot.model, each["friction"], owner(robot.model, joint)) for joint in rows]
        each["friction"] = [0.0] * len(bodies)
    own = np.asarray(robot.parameters if inertias is None else inertias, float)
    more = np.broadcast_arrays(*[x for name in PARAMETERS for x in each[name]], *dry)
    shape = np.broadcast_shapes(own.shape[:-1], more[0].shape)
    parts = [own, np.stack(more, axis=-1)]
    return np.concatenate([np.broadcast_to(x, (*shape, x.shape[-1])) for x in parts], axis=-1)


def _of(body: Body, given: JointParameters, name: str) -> Any:
    """Parameter of the joint of a body: a number, or one for each run."""
    return given.get(body.joint.name, {}).get(name, float(getattr(body, name)))


def _dry(model: Model, friction: list[Any], own: Body) -> Any:
    """The torque of dry friction about a joint: a gear passes on that of the joints that follow."""
    return sum(abs(float(b.multiplier)) * friction[b.index - 1] for b in model.bodies if b.leader is own)


def rotor_inertia(robot: Robot, given: JointParameters) -> np.ndarray:
    """Rotor inertia on the diagonal of the mass matrix, (…, nv)."""
    shape = np.broadcast_shapes(*leading_axes(given).values())
    total = np.zeros((*shape, robot.nv))
    for b in robot.model.bodies:
        total[..., b.dofs] += np.asarray(_of(b, given, "armature") * float(b.multiplier) ** 2)[..., None]
    return total


def added_stiffness(robot: Robot, given: JointParameters) -> np.ndarray:
    """Stiffness of each joint beyond the robot's own, (…, nb)."""
    own = [_of(b, given, "stiffness") - float(b.stiffness) for b in robot.model.bodies]
    return np.stack(np.broadcast_arrays(*own), axis=-1)
