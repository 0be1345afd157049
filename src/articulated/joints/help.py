"""Docstrings of the joints: arguments and an example after their own sentence."""

import inspect

from .base import Joint

ARGUMENTS = {
    "axis": "(3,), in the frame of the joint; made a unit vector",
    "first": "axis (3,), in the frame of the joint",
    "second": "axis (3,), moved by the first",
    "pitch": "m per rad",
    "name": "of the joint; that of its link if it has none",
    "damping": "viscous friction: N m s/rad, N s/m",
    "friction": "dry friction, against the motion, of each velocity of the joint by itself: N m, N",
    "armature": "rotor inertia as felt at the joint, a constant on the diagonal of M: kg m², kg",
    "stiffness": "of a spring that pulls every coordinate of the joint to `rest`: N m/rad, N/m",
    "rest": "coordinates without spring force, a number or (nq,): rad, m, a quaternion; 0: those of neutral",
    "limits": "art.Limits(lower, upper, velocity, effort); quaternions have no lower and upper one",
    "mimic": "art.Mimic(joint, multiplier, offset): it follows another",
}
#: arguments that every joint has
OF_EVERY = tuple(ARGUMENTS)[4:]


def document(kind: type[Joint]) -> None:
    """Write the docstring of a joint: its own sentence, arguments, and an example."""
    if not kind.__doc__:  # python -OO has none
        return
    own = [name for name in inspect.signature(kind).parameters if name in ARGUMENTS and name not in OF_EVERY]
    given = [f"{name} : {ARGUMENTS[name]}" for name in (*own, *OF_EVERY)]
    damped = "" if not kind.nv and kind.split is Joint.split else ", damping=0.1"  # what does not move takes none
    example = [f'>>> joint = art.{kind.__name__}(name="elbow"{damped})']
    example += [">>> joint.kind, joint.nq, joint.nv", f"({kind.kind!r}, {kind.nq}, {kind.nv})"]
    sections = ["", "Parameters", "----------", *given, "", "Examples", "--------", *example]
    kind.__doc__ = "\n".join([inspect.cleandoc(kind.__doc__), *sections])
