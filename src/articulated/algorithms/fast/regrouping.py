"""Inertia that no joint force can tell from its parent's, moved there (Gautier and Khalil 1990).

A line of mass along a hinge moves with either body; so does the rotational inertia of a
slider.  Moving all of it inward changes no torque and no acceleration, but leaves most
bodies without mass and with a third of their inertial parameters zero: fewer operations.
What belongs to a single body (its energy, the force at its joint) does change, and so does the
whole robot's mass if some of it goes to the world.  All is done with second moments Σ: rotational
inertias of bodies far from their origin would lose digits.
"""

from ...algebra.scalars import Array, exact, zeros
from ...algebra.spatial import Inertia, joined
from ...joints import Joint
from ...model import Model
from ...model.with_numbers import twin
from .origins import settled

#: what is left of a subtraction of equals, relative to the largest parameter of the body
ROUNDING = 4e-16
_NOTHING = Inertia()


def regrouped(model: Model) -> Model:
    """A model with the same joint-space dynamics and as many zero numbers as the joints allow, its origins moved."""
    model = settled(model)
    inertia = {b: b.inertia for b in model.bodies}
    for b in reversed(model.bodies):
        shared = _shared(b.joint, joined(_NOTHING, inertia[b], b.tail))
        inertia[b] = _without(inertia[b], joined(_NOTHING, shared, b.tail.inverse()))
        if b.parent:
            inertia[b.parent] = joined(inertia[b.parent], shared, b.placement)
    return twin(model, lambda b: {"inertia": inertia[b]})


def _shared(joint: Joint, inertia: Inertia) -> Inertia:
    """The part of a body that could as well belong to its parent: the joint does not move it."""
    if joint.turns:  # a line of mass along the axis
        axis = joint.S[3:, 0]
        along = axis[:, None] * axis[None, :]
        return Inertia.from_spread(inertia.mass, (axis @ inertia.first) * axis, (axis @ inertia.spread @ axis) * along)
    if joint.slides:  # the second moments: a slider turns with its parent
        return Inertia.from_spread(0, zeros(3), inertia.spread)
    return Inertia()


def _without(whole: Inertia, part: Inertia) -> Inertia:
    """The rest of a body; rounding left over from the subtraction becomes an exact zero."""
    size = max(abs(x) for x in (whole.mass, *whole.first, *whole.second.ravel()))

    def cleaned(values: Array) -> Array:
        out = zeros(*values.shape)
        for index, x in enumerate(values.flat):
            out.flat[index] = exact(x, 0.0) if abs(x) > ROUNDING * size else 0
        return out

    mass = whole.mass - part.mass
    first = cleaned(whole.first - part.first)
    return Inertia.from_spread(mass if abs(mass) > ROUNDING * size else 0, first, cleaned(whole.spread - part.spread))
