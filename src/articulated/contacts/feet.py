"""Which frames of a robot are its feet, as far as their names tell."""

from ..model import Body, Model

#: what feet are called, the better names first
FEET = ("foot", "feet", "sole", "toe", "ankle")


def likely_feet(model: Model) -> list[str]:
    """The outermost of the frames that are named like feet."""
    last: dict[Body | None, str] = {}
    for word in reversed(FEET):  # the better name of a body last
        last |= {model.frame(name).body: name for name in model.frames if word in name.lower()}
    carriers = {b.parent for b in last if b is not None}
    return [name for body, name in last.items() if body is not None and body not in carriers]
