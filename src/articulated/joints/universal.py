"""Two revolute joints in one: a shorthand that becomes two links."""

from __future__ import annotations  # help shows types as they are written here

from dataclasses import dataclass
from typing import Any, Unpack

from ..algebra.scalars import Vector
from ..algebra.spatial import Inertia, Transform
from ..errors import ModelError
from .base import Joint, JointData, unit_axis
from .data import RESISTANCES
from .one_axis import Revolute


@dataclass(frozen=True, eq=False, init=False)
class Universal(Joint):
    """Rotation about `first`, then about `second` (carried along by the first).

    Becomes a massless link `NAME_cross` on a revolute joint and the link itself on another.
    """

    first: Vector = (1, 0, 0)
    second: Vector = (0, 1, 0)

    def __init__(self, first: Vector = (1, 0, 0), second: Vector = (0, 1, 0), **data: Unpack[JointData]):
        Joint.__init__(self, **data)
        if self.mimic is not None:
            raise ModelError("a Universal joint has two coordinates and cannot follow one; use two Revolute joints")
        object.__setattr__(self, "first", unit_axis(first))
        object.__setattr__(self, "second", unit_axis(second))

    def split(self, link: Any) -> list[Any]:
        # the cross and the link
        cross = f"{link.name}_cross"
        data: Any = {field: getattr(self, field) for field in (*RESISTANCES, "limits")}
        first, second = self.rest if hasattr(self.rest, "__len__") else (self.rest, self.rest)
        name = self.name or link.name
        outer = link.replace(
            name=cross,
            joint=Revolute(self.first, name=f"{name}_1", rest=first, **data),
            inertia=Inertia(),
            shapes=(),
            frames=(),
            tail=Transform(),
        )
        turned = Revolute(self.second, name=f"{name}_2", rest=second, **data)
        inner = link.replace(parent=cross, joint=turned, placement=Transform())
        return [outer, inner]
