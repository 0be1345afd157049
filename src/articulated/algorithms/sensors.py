"""Force sensors in a model: connections that are held, so that the force through them is a row of its dynamics."""

from collections.abc import Collection

import numpy as np

from ..algebra.scalars import Array
from ..errors import ModelError
from ..joints import Fixed
from ..joints.held import Held
from ..model import Model


def sensed(model: Model, sensors: Collection[str]) -> Model:
    """The robot with a force sensor below each of these links, which stand on fixed joints."""
    links = {k.name: k for k in model.links}
    for name in sensors:
        model.frame(name)
        if name not in links or links[name].joint.nv:
            raise ModelError(f"{model.name}: a force sensor is at a link on a fixed joint; {name} is not one")
    return model.changed(
        k.replace(joint=Held(name=k.joint.name or k.name)) if k.name in sensors else k for k in model.links
    )


def unsensed(model: Model) -> Model:
    """The robot without its sensors."""
    if not held(model).any():
        return model
    joints = {k.name: Fixed(name=k.joint.name) if k.joint.senses else k.joint for k in model.links}
    return model.changed(k.replace(joint=joints[k.name]) for k in model.links)


def held(model: Model) -> Array:
    """(nv,): whether a velocity is zero at a sensor."""
    out = np.zeros(model.nv, bool)
    for b in model.bodies:
        out[b.dofs] |= b.joint.senses
    return out


def with_sensors(model: Model, v: Array) -> Array:
    """Velocities, accelerations or forces (…, nv) of the robot without sensors, with zeros at them."""
    moving = ~held(model)
    if moving.all():
        return v
    out = np.zeros((*v.shape[:-1], model.nv), v.dtype)
    out[..., moving] = v
    return out
