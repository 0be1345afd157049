"""Initial state and controller of `articulated simulate`, from its options."""

from functools import partial
from typing import Any

from .exit_codes import BadInput, BadUsage

CONTROLLERS = {"pd": "PD", "computed-torque": "ComputedTorque", "impedance": "Impedance", "whole-body": "WholeBody"}
#: keys of `--ground`, each with a number
GROUND = ("friction", "restitution", "height", "slope")
GAIN = "a number, or one per driven joint with commas"


def ground_of(text: str, feet: str) -> Any:
    """The ground of `--ground`: `flat`, or key=value pairs; None without the option."""
    from ..files.numbers import angle
    from ..simulation import Ground

    if not text:
        if feet:
            raise BadUsage("--feet goes with --ground")
        return None
    given: dict[str, Any] = {}
    for word in text.replace(",", " ").split() if text.strip() != "flat" else ():
        key, equals, value = word.partition("=")
        if not equals or key not in GROUND:
            raise BadInput(f"--ground {word}: it is flat, or {', '.join(f'{name}=…' for name in GROUND)}")
        try:
            given[key] = angle(value)
        except (ValueError, OverflowError) as problem:
            raise BadInput(f"--ground {key}: {problem}") from None
    names = [name.strip() for name in feet.split(",") if name.strip()]
    return Ground(**given, feet=names or None)


def put_down(robot: Any, q: Any, text: str, ground: Any) -> Any:
    """q with the floating base raised or lowered until what is nearest to the ground touches it.

    If `text`, the words that q is made of, says nothing about the base: no words at all, or other joints by name.
    """
    import numpy as np

    from ..simulation.contact.constraints import gaps_of
    from ..simulation.contact.surfaces import Plane
    from ..simulation.contact.system import System, system

    if ground is None:
        return q
    touches: System = system(robot.model, ground)
    base, count = robot.model.bodies[0], len(touches.grounded)
    placed = text and ("=" not in text or base.joint.name in text)
    if placed or not base.joint.floats or not count or not isinstance(ground.surface, Plane):
        return q
    found = np.array(q, float)
    nearest = gaps_of(robot, touches)(found[None])[0, :count].min()
    found[base.coords.start + 2] -= nearest / float(ground.surface.axes[2][2])
    return found


def torques_of(robot: Any, name: str, stiffness: str, damping: str, ground: Any, q: Any, reference: Any) -> Any:
    """The controller, on a fixed base or on what touches the ground; gains not given suit the inertia felt at q."""
    from ..errors import unknown
    from ..simulation.drive.default_controllers import standing, usual_law

    if name not in CONTROLLERS:
        raise unknown("controller", name, "articulated", ["none", *CONTROLLERS])
    if ground is None and any(b.joint.floats for b in robot.model.bodies):
        raise BadUsage(f"--controller {name}: no motor drives a floating base; give it a --ground to stand on")
    held = standing(robot, ground, q)
    if name == "whole-body":
        if stiffness or damping:
            raise BadUsage("--stiffness and --damping are gains of joint controllers; whole-body takes neither")
        return _whole_body(robot, held, ground, q, reference)
    gains = [
        partial(_gain, option, text) if text else None
        for option, text in (("stiffness", stiffness), ("damping", damping))
    ]
    return usual_law(CONTROLLERS[name], held, q, *gains).towards(reference)


def _whole_body(robot: Any, held: Any, ground: Any, q: Any, reference: Any) -> Any:
    """Balance first, then the posture: center of mass and trunk stay where they are in the reference."""
    from ..control import WholeBody, tasks
    from ..simulation.drive.default_controllers import soles

    if held is robot:
        raise BadUsage("--controller whole-body needs a floating base: add --floating")
    trunk = robot.body_names[0]
    wanted = [
        tasks.CenterOfMass(gain=60, weight=[10, 10, 30]),
        tasks.Frame(trunk, "orientation", gain=150, weight=10),
        tasks.Posture(gain=40, weight=0.05),
    ]
    goals = {
        "center_of_mass": robot.center_of_mass(reference),
        trunk: robot.pose(reference, trunk)[:3, :3],
        "posture": reference,
    }
    friction = ground.friction if isinstance(ground.friction, float) else 0.5
    flat = soles(robot, ground, q)
    return WholeBody(held, wanted, friction=0.9 * friction, contact_damping=20, soles=flat).towards(goals)


def _gain(option: str, text: str, size: int) -> Any:
    from ..files.numbers import number

    try:
        values = [number(word) for word in text.replace(",", " ").split()]
    except (ValueError, OverflowError) as problem:
        raise BadInput(f"--{option}: {problem}") from None
    if len(values) not in (1, size):
        raise BadInput(f"--{option} has {len(values)} numbers; it is {GAIN}, {size} of them")
    return values[0] if len(values) == 1 else values
