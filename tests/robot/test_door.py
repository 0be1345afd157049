"""Impossible robots are refused where they come in, by name; rounding is mended and noted; symbols pass."""

import math
from fractions import Fraction

import numpy as np
import pytest

import articulated as art
from articulated.model.shapes import Box
from tests.near import near
from tests.zoo import random_pose

NAN, INF = math.nan, math.inf
BAD = [NAN, INF, -INF, 10**400, 1j, "1", None, True, [1.0], np.array([1.0]), np.nan, np.bool_(True)]
bad = pytest.mark.parametrize("x", BAD, ids=lambda x: f"{type(x).__name__}_{str(x)[:4]}")


def arm(joint=None, **link):
    return art.Link(
        "arm", None, joint or art.Revolute(name="hinge"), **{"inertia": art.Inertia(1.0, (1, 0, 0)), **link}
    )


# -- inertias ----------------------------------------------------------------------------------


@bad
def test_no_inertia_holds_what_is_no_number(x):
    with pytest.raises(art.ModelError, match="mass of an Inertia = "):
        art.Inertia(x)
    for place in range(3):
        com, tensor = [0.0, 0.0, 0.0], np.eye(3).astype(object)
        com[place], tensor[2, place] = x, x
        with pytest.raises((art.ModelError, art.ShapeError), match="com of an Inertia"):
            art.Inertia(1.0, com)
        with pytest.raises((art.ModelError, art.ShapeError), match="about_com of an Inertia"):
            art.Inertia(1.0, (0, 0, 0), tensor.tolist())
        with pytest.raises((art.ModelError, art.ShapeError), match="an Inertia"):
            art.Inertia.from_moments(1.0, com, np.eye(3))


def test_numbers_too_large_for_a_robot_are_refused():
    with pytest.raises(art.ModelError, match=r"com of an Inertia\[0\] = 1e\+200; .* below 1e\+150"):
        art.Inertia(1.0, (1e200, 0, 0))
    for make in (art.about_point, lambda *given: art.from_gyration(*given[:3])):
        with pytest.raises(art.ArticulatedError):
            make(1.0, (0, NAN, 0), np.eye(3), (0, 0, 0))


def test_impossible_but_finite_bodies_stay_a_finding():
    for inertia in (
        art.Inertia.from_moments(-1.0, (0, 0, 0), np.zeros((3, 3))),
        art.Inertia(1.0, (0, 0, 0), np.diag([1.0, -1.0, 1.5])),
    ):
        assert [d.code for d in art.build([arm(inertia=inertia)]).report] == ["INERTIA001"]


# -- rotations ----------------------------------------------------------------------------------


def turned(rng):
    return np.array(random_pose(rng).R, float)


@pytest.mark.parametrize(
    "spoil, words",
    [
        (lambda R: -R, "reflection"),
        (lambda R: R * [1, 1, -1], "reflection"),
        (lambda R: 2 * R, "lengths 2"),
        (lambda R: R.round(3), "not a rotation"),
        (lambda R: R.round(5), "not a rotation"),
        (lambda R: 0 * R, "lengths 0"),
        (lambda R: R + np.eye(3), "not a rotation"),
        (lambda R: R * np.array([[1, 1, NAN]]), "finite"),
        (lambda R: R * 1e200, "below"),
    ],
)
def test_a_matrix_that_is_no_rotation_is_refused(spoil, words, rng):
    R = spoil(turned(rng))
    matrix = np.eye(4)
    matrix[:3, :3] = R
    for make in (
        lambda: art.Transform(R),
        lambda: art.Transform.from_matrix(matrix),
        lambda: art.from_screws([matrix], [[0, 0, 0, 0, 0, 1]], [art.Inertia(1.0)]),
    ):
        with pytest.raises(art.ModelError, match=words):
            make()


def test_rounding_is_mended_and_noted(rng):
    for R in (turned(rng) for _ in range(50)):
        for given in (R.round(6), R.round(9), R.astype(np.float32).astype(float)):
            X = art.Transform(given)
            mended = np.array(X.R, float)
            assert abs(mended @ mended.T - np.eye(3)).max() < 1e-15 and abs(mended - given).max() < 2e-6
            links = [art.Link("base"), arm(placement=X).replace(parent="base")]
            (note,) = art.build(links).report
            assert (note.severity, note.code) == ("note", "ROTATION001") and "'arm'" in note.text
            # a changed robot does not say it twice
            assert art.build(links).replace(name="other").report == (note,)
    frames = [arm(frames=[("tool", art.Transform(turned(rng).round(7)))])]
    assert "'tool'" in art.build(frames).report[0].text


def test_every_door_notes_a_rounded_rotation(rng):
    body = art.Inertia(1.0, (0.1, 0, 0), np.eye(3) * 0.01)
    exact, rounded = np.eye(4), np.eye(4)
    exact[:3, :3] = turned(rng)
    rounded[:3, :3] = exact[:3, :3].round(6)
    X, screw = art.Transform.from_matrix(rounded), [0, 0.5, 0, 0, 0, 1]
    sound = art.build([art.Link("a", None, art.Revolute(), inertia=body)]).add_frame("f", "a", exact)
    assert not sound.report
    for robot in (
        art.build([art.Link("a", None, art.Revolute(), X, body)]),
        art.build([art.Link("a", None, art.Revolute(), inertia=body, tail=X)]),
        art.build([art.Link("a", shapes=[Box((1, 1, 1), placement=X)])]),
        art.build([art.Link("a", placement=X @ art.Transform.from_matrix(exact))]),
        art.build([art.Link("a", placement=X.inverse())]),
        art.from_screws([rounded], [screw], [body]),
        art.from_screws([exact, rounded], [screw, screw], [body, body]),
        art.from_screws([exact, rounded], [screw, screw], [body, body], form="space"),
        sound.replace("a", placement=X),
        sound.add_frame("tool", "a", rounded),
        sound.add_frame("tool", "f", rounded),
        sound.attach("a", body, rounded),
        sound.attach("f", body, rounded),
        sound.attach("f", sound, rounded, prefix="other_"),
    ):
        assert {(d.severity, d.code) for d in robot.report} == {("note", "ROTATION001")}


def test_zeros_of_a_rounded_rotation_stay_zeros():
    c, s = round(math.cos(0.3), 6), round(math.sin(0.3), 6)
    X = art.Transform([[c, -s, 0], [s, c, 0], [0, 0, 1]])
    assert X.mended > 0 and [X.R[2, k] for k in (0, 1)] == [0, 0] and X.R[2, 2] == 1


def test_rotations_stay_as_they_are_to_the_last_bit(rng):
    for X in (random_pose(rng) for _ in range(200)):
        again = art.Transform(np.array(X.R, float), X.p)
        assert (again.R == X.R).all() and not again.mended
    product = art.Transform()
    for _ in range(1000):
        product = product @ random_pose(rng)
    assert not art.Transform(product.R).mended
    text = '<robot name="r"><link name="a"/><link name="b"/><joint name="j" type="fixed"><parent link="a"/>'
    text += '<child link="b"/><origin rpy="0.1 0.2 0.3"/></joint></robot>'
    b = art.load(text).links[1]
    assert (art.Transform(b.placement.R).R == b.placement.R).all()


@bad
def test_no_position_holds_what_is_no_number(x):
    for place in range(3):
        p = [0.0, 0.0, 0.0]
        p[place] = x
        with pytest.raises((art.ModelError, art.ShapeError), match="p of a Transform"):
            art.Transform(p=p)


def test_exact_numbers_and_symbols_pass(rng):
    sympy = pytest.importorskip("sympy")
    a, m = sympy.symbols("a m")
    turn = [[sympy.cos(a), -sympy.sin(a), 0], [sympy.sin(a), sympy.cos(a), 0], [0, 0, 1]]
    assert art.Transform(turn, (a, 0, 0)).R[0, 0] == sympy.cos(a)
    assert art.Inertia(m, (a, 0, 0), m * sympy.eye(3)).mass == m
    thirds = [[Fraction(3, 5), Fraction(-4, 5), 0], [Fraction(4, 5), Fraction(3, 5), 0], [0, 0, 1]]
    assert art.Transform(thirds).R[0, 0] == Fraction(3, 5)
    for odd in (sympy.nan, sympy.oo, sympy.zoo, sympy.I):
        with pytest.raises(art.ModelError, match="mass of an Inertia"):
            art.Inertia(odd)
    robot = art.build([arm(art.Revolute(damping=m, armature=a), inertia=art.Inertia(m, (a, 0, 0)))])
    assert sympy.expand(art.derive(robot).M[0, 0] - a * (a * m + 1)) == 0


# -- joints and robots -----------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["damping", "friction", "armature"])
@pytest.mark.parametrize("x", [*BAD, -1, -1e-300], ids=str)
def test_joint_data_is_refused_by_name(name, x):
    joint = art.Revolute(name="hinge", **{name: x})
    for make in (lambda: art.build([arm(joint)]), lambda: art.build([arm()]).replace("arm", joint=joint)):
        with pytest.raises(art.ModelError, match=f"joint 'hinge': {name} = "):
            make()


@pytest.mark.parametrize(
    "data, words",
    [
        ({"limits": art.Limits(NAN, 1)}, "limit lower"),
        ({"limits": art.Limits(0, 1, NAN)}, "limit velocity"),
        ({"limits": art.Limits(2, 1)}, "no position is between"),
        ({"limits": art.Limits(INF, INF)}, "limit"),
        ({"limits": art.Limits(0, 1, -1)}, "largest absolute value"),
        ({"limits": art.Limits(0, 1, 1, "2")}, "limit effort"),
        ({"limits": (0, 1)}, r"Limits\(lower"),
        ({"limits": None}, r"Limits\(lower"),
        ({"mimic": art.Mimic("other", NAN)}, "multiplier"),
        ({"mimic": art.Mimic("other", 1, INF)}, "offset"),
        ({"mimic": "other"}, r"Mimic\(joint"),
    ],
)
def test_limits_and_mimics_are_refused_by_name(data, words):
    with pytest.raises(art.ModelError, match=f"joint 'hinge': .*{words}"):
        art.build([art.Link("base"), arm(art.Revolute(name="hinge", **data)).replace(parent="base")])


@pytest.mark.parametrize(
    "gravity", [9.81, (0, 0), (0, 0, NAN), (0, 0, -INF), "down", None, np.zeros((3, 1)), [[0, 0, -9.81]]]
)
def test_gravity_is_three_finite_numbers(gravity):
    rows = [art.DH(0, 0, 1, 0)]
    for make in (
        lambda: art.build([arm()], gravity=gravity),
        lambda: art.build([arm()]).replace(gravity=gravity),
        lambda: art.from_dh(rows, gravity=gravity),
    ):
        with pytest.raises(art.ModelError, match="gravity"):
            make()


@bad
def test_tables_and_screws_refuse_what_is_no_number(x):
    for name in ("theta", "d", "a", "alpha"):
        with pytest.raises(art.ModelError, match=f"row 2: {name} = "):
            art.from_dh([art.DH(), art.DH(**{name: x})])
    screw = [0, 0, 0, 0, 0, x]
    with pytest.raises((art.ModelError, art.ShapeError), match=r"screws\[0\]"):
        art.from_screws([np.eye(4)], [screw], [art.Inertia(1.0)])
    with pytest.raises(art.ModelError, match="'hinge'"):
        art.build([arm()]).lock({"hinge": x} if x != [1.0] else {"hinge": [NAN]})


@pytest.mark.parametrize(
    "make, words",
    [
        (lambda: art.Revolute(dampng=1), "did you mean 'damping'"),
        (lambda: art.build([arm()]).replace("arm", inrtia=art.Inertia()), "did you mean 'inertia'"),
        (lambda: art.build([arm()]).replace(gravty=(0, 0, 0)), "did you mean 'gravity'"),
    ],
)
def test_misspelt_data_gets_the_closest_name(make, words):
    with pytest.raises(TypeError, match=words):
        make()


@pytest.mark.parametrize(
    "fields, words",
    [
        ({"name": 3}, "its name is a str"),
        ({"parent": 3}, "its parent is the name of a link"),
        ({"joint": "revolute"}, "its joint is a Joint"),
        ({"placement": np.eye(4)}, "its placement is a Transform"),
        ({"inertia": 1.0}, "its inertia is a Inertia"),
        ({"frames": [("tool", np.eye(4))]}, "its frames are a list"),
        ({"frames": 7}, "its frames are a list"),
        ({"shapes": ["box"]}, "its shapes are a list"),
    ],
)
def test_links_say_what_their_parts_are(fields, words):
    with pytest.raises(art.ModelError, match=words):
        arm().replace(**fields)


def test_a_universal_joint_follows_nobody():
    with pytest.raises(art.ModelError, match="cannot follow"):
        art.Universal(mimic=art.Mimic("j"))


def test_axes_of_any_length_have_their_direction(rng):
    for size in (1e-100, 1e-3, 1e100):
        axis = np.array(art.Revolute(np.array([3.0, 0, 4.0]) * size).axis, float)
        assert near(axis, [0.6, 0, 0.8])
