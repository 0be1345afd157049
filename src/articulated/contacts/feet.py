"""Feet of a robot, as far as the names of its frames tell."""

import warnings
from collections.abc import Collection

from ..errors import ModelWarning
from ..model import Body, Model
from ..text import shortened

#: what feet are called, the better names first
FEET = ("foot", "feet", "sole", "toe", "ankle")


def likely_feet(model: Model) -> list[str]:
    """The outermost of the frames that are named like feet."""
    last: dict[Body | None, str] = {}
    for word in reversed(FEET):  # the better name of a body last
        last |= {model.frame(name).body: name for name in model.frames if word in name.lower()}
    carriers = {b.parent for b in last if b is not None}
    return [name for body, name in last.items() if body is not None and body not in carriers]


def remark_on_fixed_base(model: Model, contacts: Collection[str]) -> None:
    """A warning where feet are in contact and the base is bolted to the world, which then carries the weight."""
    held = not any(b.joint.floats or b.joint.in_plane for b in model.bodies)
    if held and len(set(contacts) & set(likely_feet(model))) > 1:
        text = f"the base of {shortened(model.name)} is fixed, and carries what its feet should"
        warnings.warn(
            f"{text}; art.load(…, floating_base=True) or robot.floating() frees it", ModelWarning, stacklevel=3
        )
