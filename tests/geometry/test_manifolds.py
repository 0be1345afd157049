"""Contact points of every pair of shapes: on their surfaces, gaps along their normals, the same whichever is first."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from articulated.algebra.scalars import array
from articulated.algebra.spatial import Transform
from articulated.geometry.manifolds import FAR
from articulated.geometry.table import HULLS, KINDS, PAIRINGS, kind_of
from articulated.model.shapes import Box, Capsule, Cylinder, Ellipsoid, Hull, Sphere


def prism(corners):
    """A hull of so many corners."""
    angles = np.arange(corners // 2) * 4 * np.pi / corners + 0.1
    ring = np.stack([0.1 * np.cos(angles), 0.15 * np.sin(angles)], axis=-1)
    return Hull(points=[(x, y, z) for x, y in ring for z in (-0.05, 0.05)])


SHAPES = {
    "capsule": Capsule(0.05, 0.3), "cylinder": Cylinder(0.1, 0.3), "box": Box((0.2, 0.3, 0.1)),
    "ellipsoid": Ellipsoid((0.3, 0.2, 0.1)), **{f"hull{n}": prism(n) for n in HULLS},
}  # fmt: skip
HALF = {"capsule": 0.2, "cylinder": 0.15} | dict.fromkeys([*SHAPES][2:], 0.05)  # along z, standing
ROUND = {"capsule", "ellipsoid"}
#: kinds to run the law on: the smallest and the largest hull stand for all
PAIRS = [pair for pair in PAIRINGS if not {"hull16", "hull32"}.intersection(pair)]


def pose(R, p):
    return Transform.computed(array(np.asarray(R).tolist()), array([float(x) for x in p]))


def met(a, b, first, second):
    """Contact points of two shapes that are there."""
    pairing = PAIRINGS[kind_of(a), kind_of(b)]
    numbers = [float(x) for x in (*pairing.first(a, Transform()), *pairing.second(b, Transform()))]
    found = pairing.meet((first, second), array(numbers))
    assert len(found) == pairing.points
    return [x for x in found if x.gap < FAR / 2]


def test_every_kind_has_a_shape_and_every_pair_a_row():
    assert {*SHAPES} == {*KINDS} and {*PAIRINGS} == {(a, b) for a in SHAPES for b in SHAPES}


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_one_on_the_other(first, second):
    """The lowest gap of a shape that stands on another is what is between them, whichever is first."""
    rng = np.random.default_rng(0)
    for gap in (0.01, 1e-6, -1e-6):
        world = pose(Rotation.random(random_state=rng).as_matrix(), rng.normal(size=3))
        turned = Rotation.from_euler("z", rng.uniform(0, 3)).as_matrix()
        upper = world @ pose(turned, (0.01, 0.02, HALF[first] + HALF[second] + gap))
        if {first, second} <= ROUND:
            upper = world @ pose(turned, (0, 0, HALF[first] + HALF[second] + gap))
        a, b = SHAPES[first], SHAPES[second]
        points, back = met(a, b, upper, world), met(b, a, world, upper)
        slack = 1e-3 if ROUND & {first, second} and first != second else 1e-9  # round on flat
        assert min(x.gap for x in points) == pytest.approx(gap, abs=slack if gap > 1e-3 else 1e-9)
        assert min(x.gap for x in back) == pytest.approx(min(x.gap for x in points), abs=1e-9)
        deepest = min(points, key=lambda x: x.gap)
        assert np.array(deepest.normal, float) == pytest.approx(np.array(world.R[:, 2], float), abs=1e-6)
        if not ROUND & {first, second}:
            assert sum(x.gap < gap + 1e-9 for x in points) >= 4  # a face on a face stands


def test_a_ball_is_a_capsule_without_length():
    up = pose(np.eye(3), (0.05, 0, 0.2))
    for other in SHAPES.values():
        ball, stick = met(Sphere(0.05), other, up, Transform()), met(Capsule(0.05, 0.0), other, up, Transform())
        assert [float(x.gap) for x in ball] == [float(x.gap) for x in stick]


def test_planks_across_each_other_share_four_corners():
    plank = Box((1.0, 0.1, 0.02))
    across = pose(Rotation.from_euler("z", 90, degrees=True).as_matrix(), (0, 0, 0.02))
    found = met(plank, plank, across, Transform())
    corners = {tuple(np.round(np.array(x.position[:2], float), 9)) for x in found if abs(x.gap) < 1e-12}
    assert corners == {(x, y) for x in (-0.05, 0.05) for y in (-0.05, 0.05)}


def test_edges_that_cross():
    """Two boxes on edge, a quarter turn apart: one point, half way."""
    box = Box((0.2, 0.2, 0.2))
    low = pose(Rotation.from_euler("x", 45, degrees=True).as_matrix(), (0, 0, 0))
    high = pose(Rotation.from_euler("y", 45, degrees=True).as_matrix(), (0.01, 0.02, 0.2 * 2**0.5 + 1e-3))
    (point,) = met(box, box, high, low)
    assert float(point.gap) == pytest.approx(1e-3)
    assert np.array(point.position, float) == pytest.approx([0.01, 0.0, 0.1 * 2**0.5 + 5e-4], abs=1e-9)
    assert np.array(point.normal, float) == pytest.approx([0, 0, 1], abs=1e-12)
