"""Springs and actuators are drawn between the frames they act on."""

import numpy as np
import pytest

import articulated as art
from articulated.drawing.appearance import looks

pytest.importorskip("trimesh", reason="trimesh is not installed: pip install 'articulated[view]'")


def test_each_line_ends_at_its_frames(rng):
    arm = art.load("2r").add_frame("lug", "link1", art.Transform(p=(-0.2, 0.05, 0.1)))
    arm = arm.add_springs([art.Spring("tip", (0.2, 1.0, 0.0), stiffness=100.0)])
    arm = arm.add_actuators([art.LinearActuator("lug", "tip", "stick"), art.LinearActuator((0.1, -0.3, 0), "lug")])
    spring, *actuators = looks(arm.model).lines
    for q in rng.normal(size=(3, 2)):
        poses = np.concatenate([np.eye(4)[None], arm.body_motions(q, 0 * q, 0 * q).pose])
        placed = [line.place(poses) for line in actuators]
        assert np.allclose([length for _, length in placed], arm.actuator_lengths(q), atol=1e-12)
        pose, length = spring.place(poses)
        ends = spring.surface.scaled(np.array([1, 1, length])).moved(pose).vertices
        middle = [ends[spring.surface.vertices[:, 2] <= 0.02].mean(axis=0), pose[:3, 3] + length * pose[:3, 2]]
        assert np.linalg.norm(middle[0] - arm.pose(q, "tip")[:3, 3]) < 0.06
        assert np.allclose(middle[1], [0.2, 1.0, 0.0], atol=1e-12)


def test_a_picture_shows_them_and_the_camera_sees_their_ends():
    arm = art.load("2r")
    far = arm.add_springs([art.Spring("tip", (0.0, 3.0, 0.0), stiffness=100.0)])
    assert max(points[:, 1].max() for points in looks(far.model).points.values()) == 3.0
    assert looks(arm.model).lines == []
