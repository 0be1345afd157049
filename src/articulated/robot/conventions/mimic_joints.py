"""Mimic joints where they have numbers of their own, as in other libraries: filled in, checked, left out.

MuJoCo, Drake and Pinocchio (as it reads a URDF unless it is told `mimic=True`) have a coordinate for every joint; what
makes one follow another is a constraint there, or nothing.  Here the followers share the coordinate of their leader.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ...algebra.scalars import Array, Scalar, atan2, cos, sin, zeros
from ...compiler.kernel import Kernel, Source
from ...compiler.runtime import containers
from ...errors import ArticulatedError
from ...inputs.choices import number
from ...model import Body, Model

#: by how much a follower may be elsewhere, beside 1 + its value: logs have six digits
AGREES = 1e-6


def pairs(model: Model) -> list[tuple[Body, Body]]:
    """Every body, and its counterpart in the model without mimic joints."""
    return list(zip(model.bodies, model.unmimicked.bodies, strict=True))


def spread(model: Model, given: Mapping[str, Array]) -> Mapping[str, Array]:
    """q, v, a and tau where no joint follows another: forces stay with the leaders, which feel them as they did."""
    if model.unmimicked is model:
        return given
    found = _nothing(model.unmimicked, given)
    for b, f in pairs(model):
        for name, x in given.items():
            if name == "q":
                found[name][f.coords] = b.position(x)
            elif name != "tau":
                found[name][f.dofs] = b.rate(x)
            elif b.leader is b:
                found[name][f.dofs] = x[b.dofs]
    return found


def gathered(model: Model, given: Mapping[str, Array], circles: Collection[str]) -> Mapping[str, Array]:
    """The inverse of `spread`: motions of the leaders, and the forces they feel of all that follow them.

    `circles` are the joints whose whole turns were lost.
    """
    if model.unmimicked is model:
        return given
    found = _nothing(model, given)
    for b, f in pairs(model):
        for name, x in given.items():
            if name == "tau":
                found[name][b.dofs] = found[name][b.dofs] + b.multiplier * x[f.dofs]
            elif b.leader is b:
                found[name][_part(b, name)] = x[_part(f, name)]
    for leader in (b for b in model.independent if b.joint.name in circles):
        found["q"][leader.coords] = _with_turns(model, leader, found["q"][leader.coords][0], given["q"], circles)
    return found


def _nothing(model: Model, given: Mapping[str, Any]) -> dict[str, Array]:
    return {name: zeros(model.nq if name == "q" else model.nv) for name in given}


def _part(b: Body, name: str) -> slice:
    return b.coords if name == "q" else b.dofs


def _wrapped(angle: Scalar) -> Scalar:
    return atan2(sin(angle), cos(angle))


def _with_turns(model: Model, leader: Body, angle: Scalar, q: Array, circles: Collection[str]) -> Scalar:
    """The angle of a leader stored as (cos, sin), with the whole turns that a follower stored as an angle tells."""
    for b, f in pairs(model):
        if b.leader is leader and b.joint.name not in circles and b.multiplier:
            about = (q[f.coords][0] - b.offset) / b.multiplier
            return about + _wrapped(angle - about)
    return angle


# -- the check --------------------------------------------------------------------------------------


def tolerated(method: str, tolerance: Any) -> float:
    """`tolerance` if it is one, the usual one if it is None; infinity: whatever they do."""
    if tolerance is None:
        return AGREES
    if isinstance(tolerance, float) and tolerance == np.inf:
        return tolerance
    return number(f"conventions.{method}: tolerance", tolerance, "a number, not negative")


class Follower(NamedTuple):
    """Numbers of a joint that follows another in a vector of theirs: which vector, from where to where, whose."""

    vector: str
    numbers: slice
    body: Body


@dataclass(frozen=True)
class Following:
    """A converter from another library that refuses states in which a joint does not follow its leader.

    It does if its numbers are those that come back from our coordinates.
    """

    kernel: Kernel
    back: "Kernel | Following"
    followers: Sequence[Follower]
    tolerance: float

    @property
    def source(self) -> Source:
        """Source of the converter."""
        return self.kernel.source

    @property
    def shapes(self) -> tuple[tuple[int, ...], ...]:
        """Shapes of the results for one state."""
        return self.kernel.shapes

    def ready(self) -> Any:
        """The compiled converter."""
        return self.kernel.ready()

    @property
    def call(self) -> "Following":
        """Itself: there is no shorter way."""
        return self

    def __call__(self, *values: Any, out: Any = None, threads: int = 1) -> Any:
        """The state in our coordinates, if all follow."""
        if containers.among(values):  # each block by itself, when it is computed
            return containers.apply(self, values, out, threads)
        found = self.kernel.call(*values)
        several = found if isinstance(found, tuple) else (found,)
        wanted = self.back.call(*several)
        due = dict(zip(self.source.sizes, wanted if isinstance(wanted, tuple) else (wanted,), strict=True))
        given = dict(zip(self.source.sizes, self.source.check(values, {}), strict=True))
        for follower in self.followers:
            self._require(follower, given[follower.vector], due[follower.vector])
        return found if out is None else self.kernel.call(*values, out=out)

    def _require(self, follower: Follower, given: np.ndarray, due: np.ndarray) -> None:
        """An error about the first state in which a joint does not follow."""
        name, numbers, b = follower
        off = (abs(given - due) / (1 + abs(due)))[..., numbers].max(axis=-1)
        if not (off > self.tolerance).any():
            return
        state = tuple(map(int, np.argwhere(off > self.tolerance)[0]))
        where = f" in state {state}" if state else ""
        rule = f"{float(b.multiplier):g} × {b.leader.joint.name!r}"
        rule += f" + {float(b.offset):g}" if name == "q" and b.offset else ""
        worst = np.nanmax(off)
        raise ArticulatedError(
            f"{self.source.name}: joint {b.joint.name!r} is {rule} here, but not in the {name} given{where}: it is off "
            f"by {worst:.3g}, relative to 1 + its size; with tolerance={2 * worst:.1g} the numbers of "
            "followers are left out all the same"
        )
