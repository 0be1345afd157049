"""What every method that computes takes beside its own arguments, and the words of its choices, for type checkers."""

from typing import Any, Literal, TypedDict

from numpy.typing import ArrayLike, DTypeLike

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
