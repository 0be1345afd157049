"""A multiple of a quaternion is the same rotation, for every method."""

import numpy as np

import articulated as art
from tests.methods import CONFIGURATIONS, EVALUATED, arguments, results
from tests.near import near
from tests.zoo import random_inertia, random_pose


def free(rng):
    """A ball on a slide on a free body: two quaternions, neither at the beginning of q."""
    links = [
        art.Link("body", None, art.Floating(), inertia=random_inertia(rng)),
        art.Link("slide", "body", art.Prismatic([1, 0, 0]), random_pose(rng), random_inertia(rng)),
        art.Link("ball", "slide", art.Spherical(), random_pose(rng), random_inertia(rng)),
    ]
    return art.build(links, name="free")


def stretched(robot, q, scale):
    q = np.array(q)
    for b in robot.model.bodies:
        if b.joint.quaternion:
            q[..., b.coords.start + b.joint.quaternion.start : b.coords.start + b.joint.quaternion.stop] *= scale
    return q


def test_a_multiple_is_the_same_rotation(rng):
    robot = free(rng)
    for name in sorted(set(EVALUATED) - {"configuration_rate"}):  # a rate is as long as the quaternion
        given, method = arguments(robot, name, rng, (3,)), getattr(robot, name)
        if not set(given) & set(CONFIGURATIONS):
            continue
        usual = results(method(**given))
        for scale in (1e-6, 0.5, 3.0, 1e6):
            far = {key: stretched(robot, x, scale) if key in CONFIGURATIONS else x for key, x in given.items()}
            for found, expected in zip(results(method(**far)), usual, strict=True):
                assert near(found, expected, 1e-9), name


def test_zeros_are_no_rotation(rng):
    robot = free(rng)
    q = robot.random(rng, (3,))
    found = robot.gravity_forces(np.concatenate([q[:2], stretched(robot, q[2:], 0.0)]))
    np.testing.assert_array_equal(found[:2], robot.gravity_forces(q[:2]))
    assert np.isnan(found[2]).any()
