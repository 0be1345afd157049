"""Parts of a model that `<flag>` switches off: they count as absent."""

from typing import Any, NamedTuple

#: fields of `Switches` and the bits of opt.disableflags that switch each off, in any version of MuJoCo
BITS = {
    "gravity": ("GRAVITY",),
    "damping": ("DAMPER", "PASSIVE"),
    "springs": ("SPRING", "PASSIVE"),
    "friction": ("FRICTIONLOSS", "CONSTRAINT"),
    "limits": ("LIMIT", "CONSTRAINT"),
    "equalities": ("EQUALITY", "CONSTRAINT"),
    "actuation": ("ACTUATION",),
}


class Switches(NamedTuple):
    """Whether each kind of force or constraint acts."""

    gravity: bool
    damping: bool
    springs: bool
    friction: bool
    limits: bool
    equalities: bool
    actuation: bool


def switches(model: Any) -> Switches:
    """Switches as the file sets them."""
    import mujoco

    known = mujoco.mjtDisableBit.__members__
    flags = int(model.opt.disableflags)
    return Switches(
        **{
            field: not any(flags & int(known[f"mjDSBL_{bit}"]) for bit in bits if f"mjDSBL_{bit}" in known)
            for field, bits in BITS.items()
        }
    )
