"""Joint damping taken at the end of a step, so that stiff dampers do not blow up."""

from ...model import Model


def damped(model: Model, dt: float) -> Model:
    """A model whose acceleration is (M + dt D)⁻¹ (tau - h): D the damping of its joints, part of h as ever.

    With it v⁺ = v + dt a solves M (v⁺ - v)/dt = tau - h(q, v) - D (v⁺ - v): the damping acts on the new velocity.
    dt D is added where a rotor's inertia is.
    """
    return model.changed(
        link.replace(joint=link.joint.replace(armature=link.joint.armature + dt * link.joint.damping))
        for link in model.links
    )
