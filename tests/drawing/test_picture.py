"""Pictures without a display: which triangle is seen where, and where the shadow falls."""

import numpy as np
import pytest

from articulated.drawing.camera import Camera
from articulated.drawing.forces import Touching, force_arrow
from articulated.drawing.picture import LAMP, Item, Picture
from articulated.drawing.raster import visible
from articulated.drawing.stage import pitch
from articulated.drawing.surfaces import along

pytest.importorskip("trimesh", reason="trimesh is not installed: pip install 'articulated[view]'")
from articulated.drawing.surfaces import ball


def test_the_nearest_triangle_is_seen_at_every_pixel(rng):
    """Against the definition, pixel by pixel."""
    width, height, count = 40, 30, 25
    corners = rng.uniform(-10, 50, (count, 3, 2))
    near = rng.uniform(0.1, 0.9, (count, 3))
    x, y = np.meshgrid(np.arange(width) + 0.5, np.arange(height) + 0.5)
    depth = np.full((height, width, count), -np.inf)
    for k, (a, b, c) in enumerate(corners):
        parts = np.linalg.solve(
            np.array([[a[0], b[0], c[0]], [a[1], b[1], c[1]], [1, 1, 1]]), np.stack([x, y, 1 + 0 * x]).reshape(3, -1)
        )
        depth[..., k] = np.where((parts > 0).all(axis=0), near[k] @ parts, -np.inf).reshape(height, width)
    wanted = np.where(np.isfinite(depth).any(axis=-1), depth.argmax(axis=-1), -1)
    assert np.array_equal(visible(corners, near, width, height), wanted)


def test_triangles_beside_the_picture_and_none_at_all_are_no_trouble():
    beside = np.array([[[-9.0, -9], [-5, -9], [-9, -5]], [[3, 3], [3, 3], [3, 3]]])
    assert (visible(beside, np.full((2, 3), 0.5), 8, 6) == -1).all()
    assert (visible(np.zeros((0, 3, 2)), np.zeros((0, 3)), 8, 6) == -1).all()


def scene(dark=False, glows=False, height=1.0):
    """A red ball over the origin, seen from above."""
    pose = np.eye(4)
    pose[2, 3] = height
    picture = Picture(160, 160, dark, 10.0, along((0, 0, 0), (0, 0, 1)))
    camera = Camera(np.array([0.0, 0.0, 8.0]), np.zeros(3), 0.8)
    ground = picture.draw([], camera).astype(int)
    return ground, picture.draw([Item(ball(0.4), (200, 30, 30), pose, glows)], camera).astype(int)


@pytest.mark.parametrize("dark", [False, True])
def test_the_ball_has_its_size_and_its_shadow_its_place(dark):
    """Both by the intercept theorem; the eye is at 8 m, the ball at 1 m."""
    ground, image = scene(dark)
    scale = 80 / np.tan(0.4)  # pixels for a slope of one
    red = image[..., 0] > image[..., 1] + 40
    assert np.isclose(red.sum(), np.pi * (0.4 / 7 * scale) ** 2, rtol=0.05)
    row, column = np.nonzero(~red & (image.sum(axis=-1) < 0.8 * ground.sum(axis=-1)))
    there = np.array([80 - row.mean() - 0.5, column.mean() + 0.5 - 80])  # x is up in this picture, y to the left
    found = np.array([there[0], -there[1]]) / scale * 8
    assert np.allclose(sorted(abs(found)), sorted(abs(LAMP[:2] / LAMP[2])), atol=0.12)


def test_arrows_glow_and_cast_no_shadow():
    ground, image = scene(glows=True)
    far = abs(image - ground).max(axis=-1) > 8
    assert np.array_equal(far, far & (image[..., 0] > image[..., 1] + 10))


def test_a_force_is_as_long_as_its_weight_says_and_none_is_not_drawn():
    (item,) = force_arrow(np.array([1.0, 0, 0]), np.array([0, 0, -30.0]), (0, 0, 0), size=2.0, weight=60.0)
    tips = item.surface.moved(item.pose).vertices
    assert np.isclose(tips[:, 2].min(), -0.6) and np.isclose(tips[:, 2].max(), 0.0)
    assert force_arrow(np.zeros(3), np.zeros(3), (0, 0, 0), 2.0, 60.0) == []


def test_forces_inside_their_cones(rng):
    normals = np.tile([0.0, 0, 1], (3, 1))
    forces = np.array([[0.5, 0, 1], [0.8, 0, 1], [0, 0, -1.0]])
    assert Touching(0 * normals, forces, normals, np.full(3, 0.7), forces[:, 2] > 0).inside.tolist() == [1, 0, 0]


def test_lines_are_a_third_of_the_robot_apart_at_most():
    for size in np.logspace(-2, 3, 60):
        assert size / 7.6 < pitch(size) <= size / 3 * (1 + 1e-9)
