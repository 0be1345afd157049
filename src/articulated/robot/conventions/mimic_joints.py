"""Mimic joints where they have numbers of their own, as in other libraries: filled in, checked, left out.

MuJoCo, Drake and Pinocchio (as it reads a URDF unless it is told `mimic=True`) have a coordinate for every joint; what
makes one follow another is a constraint there, or nothing.  Here the followers share the coordinate of their leader.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...algebra.scalars import Array, Scalar, atan2, cos, select, sin, zeros
from ...compiler.kernel import Kernel, Source
from ...compiler.runtime import containers
from ...errors import ArticulatedError
from ...inputs.choices import number
from ...model import Body, Model

#: by how much a follower may be elsewhere, beside 1 + its value: logs have six digits
AGREES = 1e-6


def pairs(model: Model) -> list[tuple[Body, Body]]:
    """Every body, and the same where no joint follows another."""
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
    for leader in (b for b in model.bodies if b.leader is b and b.joint.name in circles):
        found["q"][leader.coords] = _with_turns(model, leader, found["q"][leader.coords][0], given["q"], circles)
    return found


def slips(model: Model, found: Mapping[str, Array], circles: Collection[str]) -> Array:
    """Distance of each follower from where it should be, beside 1 + that value; of q, then of v, then of a."""
    due = spread(model, gathered(model, found, circles))
    out = []
    for name, x in found.items():
        for f in (f for b, f in pairs(model) if b.leader is not b):
            wanted = due[name][_part(f, name)][0]
            off = x[_part(f, name)][0] - wanted
            if name == "q" and f.joint.name in circles:
                off = _wrapped(off)
            out.append(_size(off) / (1 + _size(wanted)))
    return np.array([*zeros(0), *out], object)


def _nothing(model: Model, given: Mapping[str, Any]) -> dict[str, Array]:
    return {name: zeros(model.nq if name == "q" else model.nv) for name in given}


def _part(b: Body, name: str) -> slice:
    return b.coords if name == "q" else b.dofs


def _size(x: Scalar) -> Scalar:
    return select(x < 0, -x, x)


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


@dataclass(frozen=True)
class Following:
    """A converter from another library that refuses states in which a joint does not follow its leader."""

    kernel: Kernel
    slips: Kernel
    model: Model
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
        # forces are added up, they cannot disagree
        moving = values[: len(self.slips.source.sizes)]
        off = np.asarray(self.slips.call(*moving))
        if (off > self.tolerance).any():
            raise ArticulatedError(self._said(off))
        return self.kernel.call(*values, **({} if out is None else {"out": out}))

    def _said(self, off: np.ndarray) -> str:
        """Message about the first state in which a joint does not follow."""
        *state, k = map(int, np.argwhere(off > self.tolerance)[0])
        followers = [b for b in self.model.bodies if b.leader is not b]
        name, b = list(self.slips.source.sizes)[k // len(followers)], followers[k % len(followers)]
        where = f" in state {tuple(state)}" if state else ""
        rule = f"{float(b.multiplier):g} × {b.leader.joint.name!r}"
        rule += f" + {float(b.offset):g}" if name == "q" and b.offset else ""
        worst = np.nanmax(off)
        return (
            f"{self.source.name}: joint {b.joint.name!r} is {rule} here, but not in the {name} given{where}: it is off "
            f"by {worst:.3g}, relative to 1 + its size; with tolerance={2 * worst:.1g} the numbers of "
            "followers are left out all the same"
        )
