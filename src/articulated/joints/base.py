"""What a joint states about itself."""

from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np

from ..algebra.frozen import Frozen, read_only
from ..algebra.scalars import Array, Scalar, Vector, array, exact_array, zeros
from ..algebra.spatial import Transform
from ..errors import ModelError


class Limits(NamedTuple):
    """Range of a joint coordinate, and the largest speed and effort; data, never enforced."""

    lower: float = -float("inf")
    upper: float = float("inf")
    velocity: float = float("inf")
    effort: float = float("inf")


class Mimic(NamedTuple):
    """This joint follows another: position = multiplier × (that position) + offset."""

    joint: str
    multiplier: float = 1
    offset: float = 0


@dataclass(frozen=True, eq=False)
class Joint(Frozen):
    """A subgroup of SE(3): in the frame of the body it moves, its motion subspace S is constant.

    A subclass says `nq`, `nv`, `S`, `transform(q)` and, where the coordinates are not simply
    the integrals of the velocities, `neutral`, `rate`, `integrate` and `difference`.  What else
    others need to know of it is a fact below: nobody asks a joint for its class.
    """

    nq: ClassVar[int] = 0
    nv: ClassVar[int] = 0
    span: ClassVar[float] = float(np.pi)  # how far random coordinates reach without limits
    kind: ClassVar[str]  # its word in files and tables: the name of its class in lower case, unless it says another
    turns: ClassVar[bool] = False  # it is the rotation by q about `axis`, and nothing else
    slides: ClassVar[bool] = False  # it is the translation by q along `axis`, and nothing else
    floats: ClassVar[bool] = False  # it holds its body in no direction (S is the identity), and no motor drives it
    quaternion: ClassVar[slice | None] = None  # where among its coordinates is a unit quaternion x y z w

    name: str = ""
    damping: Scalar = 0  # viscous friction per unit velocity
    friction: Scalar = 0  # Coulomb friction, opposing the motion
    armature: Scalar = 0  # rotor inertia as felt at the joint
    limits: Limits = Limits()
    mimic: Mimic | None = None

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        stated = vars(cls)
        if "kind" not in stated:
            cls.kind = cls.__name__.lower()
        # who moves in another way than its base class inherits none of these
        if "S" in stated or "transform" in stated:
            for fact in ("turns", "slides", "floats", "quaternion"):
                if fact not in stated:
                    setattr(cls, fact, getattr(Joint, fact))

    @property
    def S(self) -> Array:
        """Motion subspace, (6, nv), in the frame of the moved body."""
        return zeros(6, 0)

    def transform(self, q: Array) -> Transform:
        """Pose of the moved body's frame relative to where it is at q = neutral."""
        return Transform()

    def neutral(self) -> Array:
        """The coordinates for which `transform` is the identity."""
        return zeros(self.nq)

    def rate(self, q: Array, v: Array) -> Array:
        """q̇ for the velocity v."""
        return v

    def integrate(self, q: Array, v: Array) -> Array:
        """The coordinates after moving with constant v for unit time."""
        return q + v

    def difference(self, q0: Array, q1: Array) -> Array:
        """The v with `integrate(q0, v) = q1`."""
        return q1 - q0

    def sample(self, rng: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
        """Random coordinates, (*shape, nq): within the limits, or at most `span` where there are none."""
        lower, upper = max(self.limits.lower, -self.span), min(self.limits.upper, self.span)
        if lower > upper:  # a range that lies beyond the span
            lower, upper = (self.limits.lower, self.limits.lower + 1) if upper == self.span else (upper - 1, upper)
        return rng.uniform(lower, upper, (*shape, self.nq))

    def freeze(self) -> None:
        """Make the arrays it holds read-only; those of the joints of this package are from the start."""
        for name, value in vars(self).items():
            if type(value) is np.ndarray and value.flags.writeable:
                object.__setattr__(self, name, read_only(value))

    def split(self, link: Any) -> list[Any]:
        """The links this joint stands for: one, unless it is a shorthand."""
        return [link]

    def named(self, name: str) -> Self:
        """The same joint under another name."""
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__, name=name)
        return other

    def replace(self, **changes: Any) -> Self:
        """The same joint with some data changed."""
        return replace(self, **changes)


@dataclass(frozen=True, eq=False, init=False)
class AxisJoint(Joint):
    """A joint along or about one axis, given in the frame of the moved body; stored unit."""

    axis: np.ndarray = field(default_factory=lambda: unit_axis((0, 0, 1)))

    def __init__(self, axis: Vector = (0, 0, 1), **data: Any):
        Joint.__init__(self, **data)
        object.__setattr__(self, "axis", unit_axis(axis))


def unit_axis(axis: Vector) -> Array:
    """`axis` normalised; whole coordinate axes stay exact integers."""
    known = _COORDINATE_AXES.get(axis) if type(axis) is tuple else None
    return known if known is not None else read_only(_normalised(array(axis)))


#: the axes of nearly every joint: found, not computed
_COORDINATE_AXES = {
    axis: read_only(array(axis)) for axis in ((1, 0, 0), (0, 1, 0), (0, 0, 1), (-1, 0, 0), (0, -1, 0), (0, 0, -1))
}


def _normalised(axis: Array) -> Array:
    if axis.shape != (3,):
        raise ModelError(f"a joint axis has 3 components; got {len(axis)}: {axis.tolist()}")
    squared = axis @ axis
    if squared == 0 or squared != squared:
        raise ModelError(f"a joint axis must have a direction; got {axis.tolist()}")
    if squared == 1:
        return exact_array(axis)
    return exact_array(axis / squared**0.5, 1e-14)
