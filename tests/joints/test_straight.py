"""Moving straight on: `straight` and `bending` of every joint."""

import numpy as np
import pytest

from articulated.algebra.scalars import array
from articulated.joints import JOINTS

MOVING = [joint for joint in JOINTS.values() if joint.nv]


def floats(x) -> np.ndarray:
    return np.array(x, float)


@pytest.mark.parametrize("kind", MOVING, ids=lambda joint: joint.kind)
def test_straight_is_integrate_to_first_order_and_bending_its_rate(kind):
    joint, rng, h = kind(), np.random.default_rng(0), 1e-5
    q, v = array(joint.sample(rng, ()).tolist()), array(rng.normal(size=joint.nv).tolist())
    moved, seen = joint.straight(q, v, h)
    assert floats(moved) == pytest.approx(floats(joint.integrate(q, h * v)), abs=1e-9)
    assert floats(seen - v) / h == pytest.approx(floats(joint.bending(v)), abs=1e-4)
    still, same = joint.straight(q, v, 0)
    assert floats(still) == pytest.approx(floats(q), abs=1e-15)
    assert floats(same) == pytest.approx(floats(v), abs=1e-15)


@pytest.mark.parametrize("kind", [j for j in MOVING if j.kind in ("floating", "planar")], ids=lambda joint: joint.kind)
def test_a_free_origin_moves_on_a_line_and_its_velocity_does_not_change(kind):
    joint, rng, dt = kind(), np.random.default_rng(1), 0.7
    q, v = array(joint.sample(rng, ()).tolist()), array((2 * rng.normal(size=joint.nv)).tolist())
    after, seen = joint.straight(q, v, dt)
    here, there = joint.transform(q), joint.transform(after)
    velocity = [floats(X.R @ (joint.S @ u)[:3]) for X, u in ((here, v), (there, seen))]
    assert velocity[0] == pytest.approx(velocity[1], abs=1e-12)
    assert floats(there.p - here.p) == pytest.approx(dt * velocity[0], abs=1e-12)
