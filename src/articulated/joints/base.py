"""The base of all joints: the facts that each one states."""

from __future__ import annotations  # help shows types as they are written here

from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, ClassVar, Self, TypedDict, Unpack

import numpy as np

from ..algebra.scalars import Array, Scalar, Vector, array, exact_array, zeros
from ..algebra.spatial import Transform
from ..errors import ModelError, unexpected
from ..inputs import numbers
from ..inputs.frozen import Frozen, read_only
from ..text import shortened
from .data import RESISTANCES, UNLIMITED, Limits, Mimic, check_limits, check_mimic, refuse_idle


class JointData(TypedDict, total=False):
    """Data of any joint beside its axes."""

    name: str
    damping: Scalar
    friction: Scalar
    armature: Scalar
    stiffness: Scalar
    rest: Scalar | Vector
    limits: Limits
    mimic: Mimic | None


@dataclass(frozen=True, eq=False, init=False)
class Joint(Frozen):
    """A subgroup of SE(3): in the frame of the body it moves, its motion subspace S is constant.

    A subclass says `nq`, `nv`, `S`, `transform(q)` and, where the coordinates are not simply
    the integrals of the velocities, `neutral`, `rate`, `integrate` and `difference`.  What else
    others need to know of it is a fact below: nobody asks a joint for its class.

    From `stretch` on its methods are for recursions and integrators: coordinates q (nq,), velocities v (nv,) in the
    axes of the moved body, forces f, momenta p and displacements d (velocity times time) as v, dt in s.
    """

    nq: ClassVar[int] = 0
    nv: ClassVar[int] = 0
    span: ClassVar[float] = float(np.pi)  # how far random coordinates reach without limits
    kind: ClassVar[str]  # its word in files and tables: the name of its class in lower case, unless it says another
    turns: ClassVar[bool] = False  # it is the rotation by q about `axis`, and nothing else
    senses: ClassVar[bool] = False  # nothing moves, and its forces are those of a sensor
    slides: ClassVar[bool] = False  # it is the translation by q along `axis`, and nothing else
    floats: ClassVar[bool] = False  # it holds its body in no direction (S is the identity), and no motor drives it
    in_plane: ClassVar[bool] = False  # it moves in the plane normal to `axis`: two translations and the rotation
    quaternion: ClassVar[slice | None] = None  # where among its coordinates is a unit quaternion x y z w
    coordinates: ClassVar[Sequence[str]] = ()  # words for its coordinates, where it has several; else they are numbered
    velocities: ClassVar[Sequence[str]] = ()  # the same for its velocities, accelerations and forces
    rates: ClassVar[bool] = True  # v is dq/dt; false for a joint with its own `rate`
    balances: ClassVar[bool] = True  # `halfway` and `momenta` are stated for the way it moves

    name: str = ""
    damping: Scalar = 0  # viscous friction per unit velocity
    friction: Scalar = 0  # Coulomb friction, opposing the motion
    armature: Scalar = 0  # rotor inertia as felt at the joint: a constant on the diagonal of M
    stiffness: Scalar = 0  # of a spring that pulls the joint to `rest`
    rest: Scalar | Vector = 0  # its coordinates without force, (nq,) or one number; 0: neutral
    limits: Limits = UNLIMITED
    mimic: Mimic | None = None

    def __init__(self, **data: Unpack[JointData]):
        # written out: a dataclass would name its base class in the error for a misspelt keyword
        for other in data.keys() - _DATA.keys():
            raise unexpected(type(self).__name__, other, (field.name for field in fields(self)))
        self.__dict__.update(_DATA)
        self.__dict__.update(data)
        if isinstance(self.rest, (list, np.ndarray)) and np.ndim(self.rest):
            self.__dict__["rest"] = tuple(self.rest)
        self._refuse_idle()

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        stated = vars(cls)
        if "kind" not in stated:
            cls.kind = cls.__name__.lower()
        # a joint that moves in another way than its base class inherits none of these facts
        if "S" in stated or "transform" in stated:
            for fact in ("turns", "slides", "floats", "in_plane", "quaternion", "coordinates", "velocities"):
                if fact not in stated:
                    setattr(cls, fact, getattr(Joint, fact))
        if "rate" in stated and "rates" not in stated:
            cls.rates = False
        if "rate" in stated or "integrate" in stated:
            cls.balances = "halfway" in stated and "momenta" in stated

    @property
    def S(self) -> Array:
        """Motion subspace, (6, nv), in the frame of the moved body."""
        return zeros(6, 0)

    def transform(self, q: Array) -> Transform:
        """Pose of the moved body's frame relative to where it is at q = neutral.

        Parameters
        ----------
        q : coordinates, (nq,): rad, m, a quaternion x y z w

        Returns
        -------
        a Transform, of the moved body's frame in its frame at neutral

        Examples
        --------
        >>> hinge = art.Revolute((0, 0, 1), name="hinge")
        >>> hinge.transform([np.pi / 2]).R.astype(float).round(6)[:, 0].tolist()
        [0.0, 1.0, 0.0]
        """
        return Transform()

    def neutral(self) -> Array:
        """The coordinates for which `transform` is the identity.

        Returns
        -------
        (nq,)

        Examples
        --------
        >>> ball = art.Spherical()
        >>> ball.neutral().tolist()
        [0, 0, 0, 1]
        """
        return zeros(self.nq)

    def rate(self, q: Array, v: Array) -> Array:
        """q̇ for the velocity v.

        Parameters
        ----------
        q : coordinates, (nq,): rad, m, a quaternion x y z w
        v : velocity, (nv,): rad/s, m/s, in the axes of the moved body

        Returns
        -------
        (nq,): rad/s, m/s, 1/s of a quaternion

        Examples
        --------
        >>> ball = art.Spherical()
        >>> ball.rate(ball.neutral(), [0, 0, 2]).tolist()
        [0.0, 0.0, 1.0, 0.0]
        """
        return v

    def integrate(self, q: Array, v: Array) -> Array:
        """The coordinates after moving with constant v for unit time.

        Parameters
        ----------
        q : coordinates, (nq,): rad, m, a quaternion x y z w
        v : velocity times time, (nv,): rad, m, in the axes of the moved body

        Returns
        -------
        (nq,)

        Examples
        --------
        >>> hinge = art.Revolute((0, 0, 1), name="hinge")
        >>> hinge.integrate(np.array([0.5]), np.array([0.25])).tolist()
        [0.75]
        """
        return q + v

    def difference(self, q0: Array, q1: Array) -> Array:
        """The v with `integrate(q0, v) = q1`.

        Parameters
        ----------
        q0 : coordinates, (nq,)
        q1 : other coordinates, (nq,)

        Returns
        -------
        (nv,): rad, m, in the axes of the moved body at q0

        Examples
        --------
        >>> hinge = art.Revolute((0, 0, 1), name="hinge")
        >>> hinge.difference(np.array([0.5]), np.array([0.75])).tolist()
        [0.25]
        """
        return q1 - q0

    def stretch(self, rest: Array, q: Array) -> Array:
        """Elongation e of a spring at rest at `rest`: its energy is ½ k e · e, and k e its force against the motion."""
        return self.difference(rest, q)

    def straight(self, q: Array, v: Array, dt: Scalar) -> tuple[Array, Array]:
        """Coordinates after dt in which its origin moves straight on and its axes turn evenly, and v seen from there.

        `integrate` moves on a screw instead: v stays the same in axes that turn.
        """
        return self.integrate(q, dt * v), v

    def bending(self, v: Array) -> Array:
        """The rate of v while its origin moves straight on: that of the axes it is written in."""
        return zeros(self.nv)

    def steadied(self, f: Array, v: Array, dt: Scalar) -> Array:
        """The force for which the midpoint rule changes the momentum as f does, held in space while the body turns."""
        return f

    def midway(self, q: Array, v: Array, dt: Scalar) -> tuple[Array, Array]:
        """The middle of the step of dt that ends where `arrival` at the velocity v does, and v seen from there."""
        return self.straight(q, v, dt / 2)

    def arrival(self, q: Array, middle: Array, v: Array, mean: Array, dt: Scalar) -> tuple[Array, Array]:
        """Coordinates after a step of dt from q at a mean velocity, and v seen from there.

        A rotation in space is Cayley's map, with which the midpoint rule keeps angular momentum.
        """
        return self.integrate(q, dt * mean), v

    def halfway(self, q: Array, d: Array) -> tuple[Array, Array]:
        """The coordinates in the middle and at the end of a step of displacement d: its velocity times its time.

        With `momenta` it defines the variational integrator; a joint that changes `rate` states both anew.
        """
        return q + d / 2, q + d

    def momenta(self, d: Array, p: Array, f: Array) -> tuple[Array, Array]:
        """Momenta at both ends of such a step, from the momentum p and the impulse f of the forces in its middle.

        Of the action <p, δd> + <f, δq> of the step, with δq in its middle: what multiplies the variations of its ends.
        """
        return p - f / 2, p + f / 2

    def sample(self, rng: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
        """Random coordinates, (*shape, nq): within the limits, or at most `span` where there are none."""
        lower, upper = max(self.limits.lower, -self.span), min(self.limits.upper, self.span)
        if lower > upper:  # a range that lies beyond the span
            lower, upper = (self.limits.lower, self.limits.lower + 1) if upper == self.span else (upper - 1, upper)
        return rng.uniform(lower, upper, (*shape, self.nq))

    def _refuse_idle(self) -> None:
        shorthand = type(self).split is not Joint.split  # its data goes to the joints it stands for
        if (not self.nv or self.quaternion is not None) and not shorthand:
            refuse_idle(self)

    def split(self, link: Any) -> list[Any]:
        """The links this joint stands for: one, unless it is a shorthand."""
        return [link]

    def named(self, name: str) -> Self:
        """The joint under another name.

        Parameters
        ----------
        name : the new name

        Returns
        -------
        a joint

        Examples
        --------
        >>> hinge = art.Revolute((0, 0, 1), name="hinge")
        >>> hinge.named("elbow").name
        'elbow'
        """
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__, name=name)
        return other

    def replace(self, **changes: Any) -> Self:
        """The joint with some data changed.

        Parameters
        ----------
        changes : fields of the joint: name, damping, friction, armature, stiffness, rest, limits, mimic, and its own
            such as axis

        Returns
        -------
        a joint

        Examples
        --------
        >>> hinge = art.Revolute((0, 0, 1), name="hinge")
        >>> hinge.replace(damping=0.5).damping
        0.5
        """
        return replace(self, **changes)


#: data of a joint that is given none
_DATA = {field.name: field.default for field in fields(Joint)}


def rest_of(joint: Joint, told: str = "") -> Array:
    """Coordinates at which the spring of a joint has no force, (nq,)."""
    if type(joint.rest) is int and joint.rest == 0:
        return read_only(joint.neutral())
    given = [joint.rest] if joint.nq == 1 and not hasattr(joint.rest, "__len__") else joint.rest
    return read_only(exact_array(numbers.numbers(f"{told}rest", given, joint.nq, error=ModelError, names=())))


def check_joint(joint: Joint, owner: str) -> None:
    """Refuse data no joint can have; `owner` is the link it carries."""
    if not isinstance(joint.name, str):
        raise ModelError(f"the joint of link {owner!r}: its name is a text; got {shortened(repr(joint.name))}")
    told = f"joint {joint.name or owner!r}: "
    for name in RESISTANCES:
        x = getattr(joint, name)
        if type(x) is not int or x:
            numbers.not_negative(told + name, x)
    if joint.nv:
        rest_of(joint, told)
    if joint.limits is not UNLIMITED:
        check_limits(told, joint.limits)
    if joint.mimic is not None:
        check_mimic(told, joint.mimic)
    joint._refuse_idle()  # a subclass may have its own __init__


@dataclass(frozen=True, eq=False, init=False)
class AxisJoint(Joint):
    """A joint along or about one axis, given in the frame of the moved body; stored unit."""

    axis: np.ndarray = field(default_factory=lambda: unit_axis((0, 0, 1)))

    def __init__(self, axis: Vector = (0, 0, 1), **data: Unpack[JointData]):
        Joint.__init__(self, **data)
        object.__setattr__(self, "axis", unit_axis(axis))


def unit_axis(axis: Vector) -> Array:
    """`axis` normalized; whole coordinate axes stay exact integers."""
    try:
        known = _COORDINATE_AXES.get(axis) if type(axis) is tuple else None
    except TypeError:  # a list in the tuple
        known = None
    if known is not None:
        return known
    x = numbers.numbers("a joint axis", axis, 3, error=ModelError)
    squared: Any = (x * x).sum()
    if squared == 0:
        raise ModelError(f"a joint axis must have a direction; got {x.tolist()}")
    return read_only(exact_array(x) if squared == 1 else exact_array(x / squared**0.5, 1e-14))


#: the axes of nearly every joint: found, not computed
_COORDINATE_AXES = {
    axis: read_only(array(axis)) for axis in ((1, 0, 0), (0, 1, 0), (0, 0, 1), (-1, 0, 0), (0, -1, 0), (0, 0, -1))
}
