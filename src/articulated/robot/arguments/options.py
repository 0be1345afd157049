"""What every method that computes takes beside its own arguments, and the words of its choices, for type checkers."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, Required, TypedDict

from numpy.typing import ArrayLike, DTypeLike

from ...algorithms.manipulability import Direction
from ..method_names import By, Further

#: where a frame quantity is seen from: at the frame's origin in world axes, in its own axes, at the world's origin
Axes = Literal["world", "frame", "spatial"]
#: on whom external forces act as they are written
ForcesOn = Literal["robot", "environment"]
#: routes to forward dynamics
Method = Literal["fastest", "articulated_body", "composite_body"]
#: of the Coriolis matrix
Factorization = Literal["christoffel", "body_jacobian", "nonskew"]
#: libraries whose order of joints is known
Library = Literal["pinocchio", "mujoco", "drake"]


class RobotChanges(TypedDict, total=False):
    """What `replace` changes of a robot, no link named."""

    gravity: ArrayLike
    name: str


class Options(TypedDict, total=False):
    """`out=` an array, or the NamedTuple of arrays, that is filled and returned; `dtype=` float64 or float32;
    `threads=` over which a batch is split."""

    out: Any
    dtype: DTypeLike
    threads: int


class DynamicOptions(Options, total=False):
    """Those, and `parameters=` (…, 10 nb): inertial parameters in the place of the robot's own, one set per state."""

    parameters: ArrayLike


class Arguments(DynamicOptions, total=False):
    """All that some method which computes takes by its name; tests/project/test_types.py compares."""

    q: ArrayLike
    v: ArrayLike
    a: ArrayLike | None
    tau: ArrayLike
    dv: ArrayLike
    q0: ArrayLike
    q1: ArrayLike
    frame: str
    frames: Sequence[str] | None
    axes: Axes
    at: Literal["origin", "center_of_mass"]
    spatial: bool
    by_body: bool
    directions: Sequence[Direction]
    forces: Mapping[str, ArrayLike] | None
    force_axes: Axes
    forces_on: ForcesOn
    base_velocity: ArrayLike | None
    base_acceleration: ArrayLike | None
    method: Method
    factorization: Factorization


class WithTangents(Arguments, total=False):
    """And `tangents=`, by argument."""

    tangents: Required[Mapping[By | Further, ArrayLike]]


class WithCotangents(Arguments, total=False):
    """And `cotangents=`, like the result: an array, or one for each of several."""

    cotangents: Required[ArrayLike | Sequence[ArrayLike]]
