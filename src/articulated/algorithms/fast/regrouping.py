"""The same robot in numbers with more zeros: origins moved along hinges, inertia moved inward.

A hinge leaves every point of its axis in place, so any of them can be the origin of the body it carries, and no
torque depends on which.  Each coordinate of a joint's place in its parent costs five operations in inverse dynamics,
and more in a mass matrix: a leg of solo12 has five of them in its file and needs three.  No origin moves much further
than mass is from it already (formulations.py).

A line of mass along a hinge moves with either body; so does the rotational inertia of a slider (Gautier and Khalil
1990).  Moving all of it inward changes no torque and no acceleration, but leaves most bodies without mass and with a
third of their inertial parameters zero: fewer operations.  What belongs to a single body (its energy, the force at its
joint) does change, and so does the whole robot's mass if some of it goes to the world.  All is done with second moments
Σ: rotational inertias of bodies far from their origin would lose digits.
"""

from ...algebra.scalars import Array, exact, exact_array, zeros
from ...algebra.spatial import IDENTITY, Inertia, Transform, joined
from ...joints import Joint
from ...model import Body, Model
from ...model.with_numbers import twin
from .formulations import sizes

#: what is left of a sum of coordinates that cancel, relative to the largest
_ROUNDING = 4e-16
#: what one body gives up a neighbor may take, so all are looked at again, this often at most
_SWEEPS = 3
#: component of an axis below which a coordinate would vanish only far away
_ALONG = 0.5
#: how far an origin may move, in sizes of its body
_REACH = 2.0
_NONE = (0.0, 0.0, 0.0)

Numbers = tuple[float, ...]


def settled(model: Model) -> Model:
    """The same robot, the places of its joints with as many zeros as its hinges allow."""
    hinges = _Hinges(model)
    for _ in range(_SWEEPS):
        if not sum(hinges.move(b) for b in model.bodies):
            break
    # an origin that moves by a vector sees everything on its body moved by minus that
    away = {b: Transform(p=-hinges.along[b] * exact_array(hinges.line.get(b, _NONE))) for b in model.bodies}
    return twin(
        model,
        lambda b: {
            "placement": Transform.computed(b.placement.R, exact_array(hinges.place(b))),
            "inertia": joined(Inertia(), b.inertia, away[b]),
        },
        lambda frame: away[frame.body] @ frame.placement if frame.body else frame.placement,
    )


def hinged(b: Body) -> bool:
    """True if a body turns about an axis through its origin, whose every point could be its origin."""
    return b.joint.turns and b.tail is IDENTITY


class _Hinges:
    """Distance that each origin has moved along its hinge."""

    def __init__(self, model: Model):
        self.children: dict[Body | None, list[Body]] = {b: [] for b in (None, *model.bodies)}
        self.along: dict[Body | None, float] = dict.fromkeys((None, *model.bodies), 0.0)
        self.line: dict[Body | None, Numbers] = {}  # of each hinge: its axis, in the axes of the body
        self.base: dict[Body, Numbers] = {}  # the same in those of the parent
        self.given: dict[Body, Numbers] = {b: tuple(map(float, b.placement.p)) for b in model.bodies}
        self.sizes = sizes(model)
        for b in model.bodies:
            self.children[b.parent].append(b)
            if hinged(b):
                axis = b.joint_subspace[3:, 0]
                self.line[b] = tuple(map(float, axis))
                self.base[b] = tuple(map(float, b.placement.R @ axis))

    def place(self, b: Body) -> Numbers:
        """Place of the joint of a body in its parent."""
        lines = self.base.get(b, _NONE), self.line.get(b.parent, _NONE)
        return tuple(
            _sum(p, x * self.along[b], -y * self.along[b.parent]) for p, x, y in zip(self.given[b], *lines, strict=True)
        )

    def move(self, b: Body) -> bool:
        """Move one origin to where it and its children have fewest coordinates; False if it is there."""
        if b not in self.line:
            return False
        before = self.along[b]
        found: dict[float, int] = {}
        for along in (before, *self._candidates(b)):
            self.along[b] = along
            found.setdefault(along, self._coordinates(b))
        self.along[b] = min(found, key=lambda along: found[along])
        return self.along[b] != before

    def _candidates(self, b: Body) -> list[float]:
        """Positions at which a coordinate of its place, or of a child's, vanishes."""
        moves = [-p / x for p, x in zip(self.place(b), self.base[b], strict=True) if abs(x) > _ALONG]
        for child in self.children[b]:
            moves += [p / x for p, x in zip(self.place(child), self.line[b], strict=True) if abs(x) > _ALONG]
        return [along for x in moves if abs(along := self.along[b] + x) <= _REACH * self.sizes[b]]

    def _coordinates(self, b: Body) -> int:
        """Number of zeros; those of a joint on the world cost nothing."""
        around = [b, *self.children[b]] if b.parent else self.children[b]
        return sum(x != 0 for each in around for x in self.place(each))


def _sum(*terms: float) -> float:
    total = sum(terms)
    return total if abs(total) > _ROUNDING * max(map(abs, terms)) else 0.0


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
