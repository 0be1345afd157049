"""External forces beside the contacts', written in other axes or as what the robot exerts."""

import numpy as np
import pytest

import articulated as art
from tests.near import near
from tests.zoo import state

from .legged import tripod


@pytest.fixture(scope="module")
def feet():
    return art.Contacts(tripod(), point=["foot0", "foot1", "foot2"])


@pytest.mark.parametrize("method", ["inverse_dynamics", "forward_dynamics"])
def test_forces_in_other_axes_are_the_same_forces(feet, method, rng):
    robot, frame = feet.robot, "heel1"
    q, v, a = state(robot, rng, 3)
    F = rng.normal(size=(3, 6))
    g = robot.pose(q, frame)
    turned = np.concatenate([(g[:, :3, :3] @ part[..., None])[..., 0] for part in (F[:, :3], F[:, 3:])], axis=-1)
    moved = (art.spatial.coadjoint(g) @ F[..., None])[..., 0]
    ask = getattr(feet, method)
    expected = ask(q, v, a, forces={frame: F})
    for axes, force in {"frame": F, "world": turned, "spatial": moved}.items():
        for on, sign in {"robot": 1, "environment": -1}.items():
            found = ask(q, v, a, forces=art.Wrenches({frame: sign * force}, axes, on))
            assert all(near(x, y, 1e-9) for x, y in zip(found, expected, strict=True))
            one = ask(q[1], v[1], a[1], forces=art.Wrenches({frame: (sign * force[1]).tolist()}, axes, on))
            assert all(near(x, y[1], 1e-9) for x, y in zip(one, expected, strict=True))


def test_mistakes_are_named(feet):
    robot = feet.robot
    still = np.zeros(robot.nv)
    with pytest.raises(art.ShapeError, match=r"the force at 'heel1' has shape \(3,\)"):
        feet.forward_dynamics(robot.neutral(), still, still, forces=art.Wrenches({"heel1": [0, 0, 1]}, "world"))
