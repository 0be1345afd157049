"""Inertia in all its spellings, and which ones no real body can have."""

import numpy as np
import pytest

import articulated as art
from articulated.algebra.spatial import symmetric_out
from articulated.model.parameters import from_parameters, inertia_defects, to_parameters
from tests.near import near
from tests.zoo import random_inertia, random_pose


def test_the_ten_parameters_say_it_all(rng):
    inertia = random_inertia(rng)
    again = from_parameters(to_parameters(inertia))
    assert near(again.matrix(), inertia.matrix())
    assert near(again.com, inertia.com) and near(again.about_com, inertia.about_com)


def test_inertia_about_any_point(rng):
    body = random_inertia(rng)
    point = rng.normal(size=3)
    arm = np.array(body.com, float) - point
    about_point = np.array(body.about_com, float) + body.mass * (arm @ arm * np.eye(3) - np.outer(arm, arm))
    assert near(art.about_point(body.mass, body.com, about_point, point).matrix(), body.matrix())


def test_radii_of_gyration():
    """A uniform rod about its end: k² = l²/3 (Sapienza lecture, S1.2)."""
    m, length = 3.0, 0.8
    rod = art.from_gyration(m, (length / 2, 0, 0), (0, length**2 / 3, length**2 / 3))
    assert near(rod.about_com, np.diag([0, m * length**2 / 12, m * length**2 / 12]))


def test_moving_an_inertia_moves_its_matrix(rng):
    inertia, X = random_inertia(rng), random_pose(rng)
    assert near(inertia.moved_out(X).matrix(), X.tensor_out(inertia.matrix()))
    assert near(symmetric_out(X, inertia.matrix()), X.tensor_out(inertia.matrix()))
    back = inertia.moved_out(X).moved_out(X.inverse())
    assert near(back.matrix(), inertia.matrix())


def test_inertia_times_motion_is_its_matrix_times_motion(rng):
    inertia, V = random_inertia(rng), rng.normal(size=6)
    assert near(inertia @ V.astype(object), np.array(inertia.matrix(), float) @ V)


GOOD = np.diag([1.0, 2.0, 2.5])


@pytest.mark.parametrize(
    "mass, about_com, words",
    [
        (-1.0, GOOD, "negative"),
        (0.0, GOOD, "no mass"),
        (1.0, np.diag([1.0, 1.0, 2.5]), "triangle"),
        (1.0, np.diag([1.0, -1.0, 1.5]), "positive definite"),
        (1.0, [[1, 0.1, 0], [0, 2, 0], [0, 0, 2.5]], "symmetric"),
    ],
)
def test_impossible_bodies_are_reported(mass, about_com, words):
    inertia = art.Inertia.from_moments(mass, (0, 0, 0), about_com)
    assert words in inertia_defects(inertia)[0]
    robot = art.build([art.Link("odd", None, art.Revolute(), inertia=inertia)])
    assert [d.severity for d in robot.report] == ["warning"] and "'odd'" in robot.report[0].text


@pytest.mark.parametrize(
    "inertia",
    [
        art.Inertia(),
        art.Inertia(1.0, (0.3, 0, 0)),
        art.Inertia(1.0, (0, 0, 0), np.diag([0, 1, 1])),
        art.Inertia(2.0, about_com=GOOD),
    ],
    ids=["nothing", "point", "rod", "solid"],
)
def test_possible_bodies_are_not(inertia):
    assert inertia_defects(inertia) == []


def test_shapes_are_checked():
    with pytest.raises(art.ShapeError, match=r"\(2,\)"):
        art.Inertia(1.0, (0, 0))
    with pytest.raises(art.ShapeError, match=r"\(2, 2\)"):
        art.Transform(np.eye(2))
