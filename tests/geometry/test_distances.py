"""Signed distances of balls, capsules and boxes: equal to coal's, symmetric, and of the length of their own way."""

import numpy as np
import pytest

from articulated.algebra.scalars import array
from articulated.algebra.spatial import Transform
from articulated.geometry.bricks import Brick, between

coal = pytest.importorskip("coal")

SIDES = {"point": 0, "segment": 1, "box": 3}


def placed(rng, turned=True):
    from scipy.spatial.transform import Rotation

    R = Rotation.random(random_state=rng).as_matrix() if turned else np.eye(3)
    return R, rng.normal(size=3) * rng.choice([0.1, 0.4, 1.0])


def pose(R, p):
    return Transform.computed(array(R.tolist()), array(p.tolist()))


def theirs(kind, half):
    """The same in coal, with a radius that is nothing."""
    return {"point": coal.Sphere(1e-12), "segment": coal.Capsule(1e-12, 2 * half[2]), "box": coal.Box(*(2 * half))}[
        kind
    ]


@pytest.mark.parametrize("second", SIDES)
@pytest.mark.parametrize("first", SIDES)
def test_the_distance_is_that_of_coal(first, second):
    """Random ones and aligned ones, apart and overlapping."""
    rng = np.random.default_rng(1)
    asked, found = coal.DistanceRequest(), coal.DistanceResult()
    asked.enable_signed_distance, asked.gjk_tolerance, asked.epa_tolerance = True, 1e-12, 1e-12
    for k in range(60):
        (R, p), (S, r), h, g = placed(rng, k % 3), placed(rng, k % 4), *rng.uniform(0.05, 0.5, (2, 3))
        a, b = (
            Brick(pose(*at), (0, 0, 0) if kind == "point" else (0, 0, x[2]) if kind == "segment" else tuple(x.tolist()))
            for kind, at, x in ((first, (R, p), h), (second, (S, r), g))
        )
        got, back = between(a, b), between(b, a)
        found.clear()
        exact = coal.distance(
            theirs(first, h), coal.Transform3s(R, p), theirs(second, g), coal.Transform3s(S, r), asked, found
        )
        assert float(got.distance) == pytest.approx(exact, abs=1e-9)
        assert float(back.distance) == pytest.approx(exact, abs=1e-9)
        n = np.array(got.normal, float)
        assert n @ n == pytest.approx(1)
        way = np.array(got.first - got.second, float)
        assert way == pytest.approx(float(got.distance) * n, abs=1e-9)
