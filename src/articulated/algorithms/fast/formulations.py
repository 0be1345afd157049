"""The formulations the compiler traces in place of the textbook, to keep the one with the fewest operations.

Each stands for the algorithm it is listed under, when run on the regrouped model (regrouping.py).
docs/formulations.md derives them; tests/laws/test_formulations.py says that they agree.  Coriolis matrices
are not here: all but the Christoffel one depend on how the inertia is divided among the bodies.
Nor are the methods of forward dynamics that are asked for by name: they run as they are written.

Digits that they keep on a robot.  Seen from a distance d a body of size s has moments d²/s² times as large; what
cancels among them loses that many digits.

The diagonal of a mass matrix has the inertia a joint would move, were all joints beyond it frozen, and so have the
torques that hold a robot against gravity; what is left of them after elimination is what the joint feels.  Where it is
k times less, k roundings of the one are lost in the other.  Articulated bodies never form what is frozen: where heavy
bodies slide on light ones they lose less, often nothing.

No rule on distances and masses says which derivatives lose digits: it depends on which of the large numbers, in axes
that bodies share, the joints see in the end.  Inverse dynamics and its derivatives divide by nothing, so the textbook
keeps its digits, and what differs from it on a few states has lost some.
"""

from collections.abc import Callable, Iterator
from functools import partial
from statistics import median
from typing import Any, NamedTuple

import numpy as np

from ...algebra.scalars import Array, array, eye
from ...algebra.spatial import Inertia
from ...model import Body, Model
from ..configuration import integrate, neutral
from ..coriolis import christoffel
from ..forward_dynamics import forward_dynamics
from ..inverse_dynamics import bias_forces, coriolis_forces, gravity_forces, inverse_dynamics
from ..inverse_dynamics_derivatives import forward_dynamics_derivatives, inverse_dynamics_derivatives
from ..mass_matrix import mass_matrix, mass_matrix_inverse, mass_matrix_rate
from .inverse_dynamics_derivatives import FORWARD_WAYS, WAYS
from .moments import (
    forward_dynamics_at_rest,
    forward_dynamics_by_moments,
    inverse_dynamics_by_moments,
    mass_matrix_by_moments,
    mass_matrix_inverse_by_moments,
)

#: of the usual size of a body: a joint this far from the one before it is far away
_FAR = 10.0


def sizes(model: Model) -> dict[Body, float]:
    """Distance of the mass of each body from its origin, at least that of most bodies."""
    own = {b: _size(b.inertia) for b in model.bodies}
    usual = median([size for size in own.values() if size] or [0.0])
    return {b: max(size, usual) for b, size in own.items()}


def far_bodies(model: Model, far: float = _FAR) -> set[Body]:
    """Bodies whose joint is far from its parent's, in sizes of the smallest body."""
    smallest = min(sizes(model).values(), default=0.0)
    return {b for b in model.bodies if b.parent and np.linalg.norm(np.array(b.placement.p, float)) > far * smallest}


def _size(inertia: Inertia) -> float:
    """Root of the mean square distance of its mass from the origin."""
    squared = sum(float(inertia.spread[k, k]) for k in range(3)) / float(inertia.mass) if inertia.mass else 0.0
    return squared**0.5 if squared > 0 else 0.0


#: looked at
_CONFIGURATIONS = 3


class Ratio(NamedTuple):
    """Inertia with everything beyond a joint frozen, over that with it free: the largest of all joints."""

    any: float
    sliding: float  # in directions in which a joint slides and does not turn


def frozen_to_felt(model: Model) -> Ratio:
    """In most of a few configurations: hinges that happen to be in line hide the inertia of any robot."""
    rng = np.random.default_rng(0)
    moved = [array(rng.normal(size=model.nv)) for _ in range(_CONFIGURATIONS)]
    found = [_at(model, integrate(model, neutral(model), dv)) for dv in moved]
    return Ratio(*map(median, zip(*found, strict=True)))


def _at(model: Model, q: Array) -> Ratio:
    frozen = {b: np.array(b.inertia.exact_matrix(), float) for b in model.bodies}
    felt, largest = {b: frozen[b].copy() for b in model.bodies}, Ratio(1.0, 1.0)
    for b in reversed(model.bodies):
        if b.leader is b:  # a follower moves as its leader does: here it is held
            S, rotor = np.array(b.joint_subspace, float), float(b.armature) * np.eye(b.joint.nv)
            rigid, free = S.T @ frozen[b] @ S + rotor, S.T @ felt[b] @ S + rotor
            slides = ~S[3:].any(axis=0)
            own = Ratio(_ratio(rigid, free), _ratio(rigid[slides][:, slides], free[slides][:, slides]))
            largest = Ratio(*map(max, largest, own))
            if own.any < np.inf:
                felt[b] -= felt[b] @ S @ np.linalg.solve(free, S.T @ felt[b])
        if b.parent:
            X = np.array(b.transform(q).motion_in(eye(6)), float)
            frozen[b.parent] += X.T @ frozen[b] @ X
            felt[b.parent] += X.T @ felt[b] @ X
    return largest


def _ratio(rigid: np.ndarray, free: np.ndarray) -> float:
    """The largest λ with rigid x = λ free x; infinite if some motion meets no inertia at all."""
    try:
        return float(np.abs(np.linalg.eigvals(np.linalg.solve(free, rigid))).max(initial=1.0))
    except np.linalg.LinAlgError:
        return np.inf


#: how far derivatives may be apart, relative to the largest entry of each; those of all robots of example-robot-data
#: and of the catalogue are within 21 roundings
APART = 32 * float(np.finfo(float).eps)
_STATES = 2


def faithful(
    formulations: tuple[Callable[..., Any], ...], textbook: Callable[..., Any], model: Model, fast: Model
) -> tuple[bool, ...]:
    """True if the matrices of each formulation on the model `fast` are those of the textbook, to rounding."""
    kept = [True] * len(formulations)
    for state in _states(model):
        expected = textbook(model, *state)
        for k, way in enumerate(formulations):
            kept[k] = kept[k] and _apart(way(fast, *state), expected) <= APART
    return tuple(kept)


def _states(model: Model) -> Iterator[tuple[Array, Array, Array]]:
    rng = np.random.default_rng(0)
    for _ in range(_STATES):
        moved, v, a = (array(rng.normal(size=model.nv)) for _ in range(3))
        yield integrate(model, neutral(model), moved), v, a


def _apart(found: tuple[Array, ...], expected: tuple[Array, ...]) -> float:
    """The largest difference of two matrices relative to their largest entry; not a number if one of them is none."""
    pairs = [(np.array(x, float), np.array(y, float)) for x, y in zip(found, expected, strict=True)]
    return max(float(np.abs(x - y).max(initial=0.0) / (np.abs(y).max(initial=0.0) or 1.0)) for x, y in pairs)


FORMULATIONS: dict[Callable[..., Any], tuple[Callable[..., Any], ...]] = {
    inverse_dynamics: (inverse_dynamics_by_moments,),
    bias_forces: (partial(bias_forces, recursion=inverse_dynamics_by_moments),),
    gravity_forces: (gravity_forces,),
    coriolis_forces: (partial(coriolis_forces, recursion=inverse_dynamics_by_moments),),
    mass_matrix: (mass_matrix_by_moments,),
    mass_matrix_inverse: (mass_matrix_inverse_by_moments,),
    mass_matrix_rate: (mass_matrix_rate,),
    christoffel: (christoffel,),
    forward_dynamics: (forward_dynamics_at_rest, forward_dynamics_by_moments),
}

#: the algorithms whose derivatives by all their arrays are one of these with zeros for what they do not take
CLOSED: dict[Callable[..., Any], Callable[..., Any]] = {
    inverse_dynamics: inverse_dynamics_derivatives,
    bias_forces: inverse_dynamics_derivatives,
    forward_dynamics: forward_dynamics_derivatives,
}
#: in sizes of bodies: joints so far apart that the inverse of a mass matrix of moments loses digits; those of the
#: robots of example-robot-data are up to 14
_TOO_FAR = 15.0
#: of what a joint would move to what it feels, up to which forward dynamics through a bias and a mass matrix keeps its
#: digits; the robots of example-robot-data and of the catalogue have up to 1400 and 4, on free bases, too
_MOST_FROZEN = Ratio(2000.0, 10.0)
#: bodies up to which it is worth the time to try several choices of axes: beyond, they differ by a hundredth
_FEW = 16

#: of each formulation of derivatives, that of inverse dynamics' in the same axes
_IN_SAME_AXES: dict[Callable[..., Any], Callable[..., Any]] = {
    way: inverse for ways in (WAYS, FORWARD_WAYS) for way, inverse in zip(ways, WAYS, strict=True)
}


def formulations_of_derivatives(algorithm: Callable[..., Any], model: Model) -> tuple[Callable[..., Any], ...]:
    """The formulations of the derivatives of an algorithm, for the regrouped model."""
    ways = FORWARD_WAYS if algorithm is forward_dynamics else WAYS
    return ways if len(model.bodies) <= _FEW else ways[:1]


def suited(formulations: tuple[Callable[..., Any], ...], model: Model) -> tuple[Callable[..., Any], ...]:
    """Formulations that keep their digits on a robot; none where the textbook has to do.

    Where joints are far apart a mass matrix has no good inverse, and articulated bodies whose mass was moved to others
    cancel what never was large; where what is heavy slides on what is light, its weight and its mass hide the other's.
    """
    if formulations == FORMULATIONS[forward_dynamics]:
        hidden = any(x > most for x, most in zip(frozen_to_felt(model), _MOST_FROZEN, strict=True))
        return () if far_bodies(model) or hidden else formulations
    if formulations == FORMULATIONS[mass_matrix_inverse]:
        return () if far_bodies(model, _TOO_FAR) else formulations
    return formulations


def suited_derivatives(
    formulations: tuple[Callable[..., Any], ...], model: Model, fast: Callable[[], Model]
) -> tuple[Callable[..., Any], ...]:
    """Formulations of derivatives that keep their digits on a robot; others stay as they are.

    `fast()` is the regrouped model.  Derivatives of forward dynamics are those of inverse dynamics in the same axes,
    solved with the mass matrix: they keep their digits where both do.
    """
    if not formulations or formulations[0] not in _IN_SAME_AXES:
        return formulations
    if formulations[0] in FORWARD_WAYS and not suited(FORMULATIONS[forward_dynamics], model):
        return ()
    axes = tuple(_IN_SAME_AXES[way] for way in formulations)
    kept = faithful(axes, inverse_dynamics_derivatives, model, fast())
    return tuple(way for way, keeps in zip(formulations, kept, strict=True) if keeps)
