"""How far a configuration is from the limits of the joints."""

from math import inf

import numpy as np

from ..algebra.scalars import Array, Scalar, array, select, zeros
from ..joints import Joint
from ..model import Model


def distance_to_limits(model: Model, q: Array) -> Array:
    """The way to the nearer limit of each coordinate, negative beyond it, infinite where there is none.  (nq,)."""
    own = [b for b in model.bodies if b.leader is b]
    return np.concatenate([zeros(0), *(array([_distance(b.joint, x) for x in q[b.coords]]) for b in own)])


def _distance(joint: Joint, x: Scalar) -> Scalar:
    lower, upper = (joint.limits.lower, joint.limits.upper) if joint.quaternion is None else (-inf, inf)
    if lower == -inf:
        return upper - x if upper < inf else inf + 0.0 * x
    return x - lower if upper == inf else select(x + x < lower + upper, x - lower, upper - x)
