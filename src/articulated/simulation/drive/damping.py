"""Joint damping and springs that are implicit in a step, so that stiff ones do not blow up."""

from typing import Any

from ...joints import Joint
from ...model import Model


def implicit(armature: Any, damping: Any, stiffness: Any, stiff: float) -> Any:
    """Rotor inertia with that of damping and of a spring that are implicit over a time `stiff`."""
    return armature + stiff * damping + stiff * stiff * stiffness


def damped(model: Model, stiff: float) -> Model:
    """A model whose acceleration is (M + s D + s² K)⁻¹ (tau - h) for a time s, damping and springs part of h as ever.

    With s = dt, v⁺ = v + dt a solves M (v⁺ - v)/dt = tau - h(q, v) - D (v⁺ - v): the damping acts on the new velocity.
    s² K slows a spring down that a step is too long for: Euler's step stays stable however stiff it is, and is
    symplectic as without.  With s = dt/2 it is the implicit midpoint rule.  Both are added where a rotor's inertia is.
    """

    def with_rotor(joint: Joint) -> Joint:
        return joint.replace(armature=implicit(joint.armature, joint.damping, joint.stiffness, stiff))

    return model.changed(link.replace(joint=with_rotor(link.joint)) for link in model.links)
