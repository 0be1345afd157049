"""The head of every page: the D-H table, the table of joints, the sketch, Christoffel symbols one by one."""

from math import dist

import numpy as np
import pytest
import sympy

import articulated as art
from articulated.symbolic.equations import cross_checks as second_ways
from articulated.symbolic.equations.dh_table import dh_table
from articulated.symbolic.pages.derivation import derivation
from articulated.symbolic.pages.setup import robot_section
from articulated.symbolic.pages.sketch import sketch
from articulated.symbolic.pages.sketch_drawing import (
    ROUND,
    _distances,
    _frame_axes,
    _letters,
    _world_axes,
    characters,
    picture,
    svg,
)
from articulated.symbolic.ring.state import State
from tests.symbolic.robots import robots

BODY = art.Inertia(1.0, (0.1, 0, 0), np.diag([0.1, 0.1, 0.1]).tolist())
h, beta = sympy.symbols("h beta", real=True)
ROWS = {
    "standard": [art.DH(sympy.pi / 2, h, 0.3, -sympy.pi / 2), art.DH(0, 0.1, h, sympy.pi / 3), art.DH(-sympy.pi / 2)],
    "modified": [art.DH(0, 0.2, 0, beta), art.DH(beta, h, 0.4, sympy.pi / 2), art.DH(0, 0.1, 0, 0.3, "prismatic")],
}


@pytest.mark.parametrize("convention", list(ROWS))
def test_the_table_that_was_given_is_the_table_that_is_shown(convention):
    rows = ROWS[convention]
    state = State(art.from_dh(rows, convention, [BODY] * 3).model)
    found = dh_table(state)
    assert found.convention == convention
    for k, (given, shown) in enumerate(zip(rows, found.rows, strict=True)):
        q = state.symbols["q"][k]
        slides = given.joint == "prismatic"
        expected = [given.theta + (0 if slides else q), given.d + (q if slides else 0), given.a, given.alpha]
        assert all(abs(sympy.sympify(x - y).evalf()) < 1e-12 for x, y in zip(shown, expected, strict=True))


def test_frames_that_lie_otherwise_have_no_such_table():
    assert dh_table(State(art.load("ur5").model)) is None
    skew = [art.Link("a", None, art.Revolute((0, 0, 1)), inertia=BODY)]
    skew.append(art.Link("b", "a", art.Revolute((0, 1, 0)), art.Transform(p=(0.1, 0.2, 0.3)), BODY))
    section = robot_section(art.build(skew).model)
    assert "Denavit" not in "".join(section.text) and len(section.tables[0].rows) == 2
    assert "".join(section.tables[0].rows[1][2]) == "a"


def test_a_row_that_is_not_the_robots_is_not_shown():
    """Moved by a millimeter off the common normal, frames are not those of a table."""
    rows = [art.Link("a", None, art.Revolute((0, 0, 1)), inertia=BODY)]
    rows.append(art.Link("b", "a", art.Revolute((0, 0, 1)), inertia=BODY, tail=art.Transform(p=(0.3, 0, 0))))
    assert dh_table(State(art.build(rows).model)) is not None
    tail = art.Transform.from_rpy([0.5, 0, 0], [0.3, 0.001, 0])
    moved = [rows[0], rows[1].replace(tail=tail)]
    assert dh_table(State(art.build(moved).model)) is None


@pytest.mark.parametrize("name", list(robots()))
def test_every_robot_has_a_sketch(name):
    found = sketch(robots()[name].model)
    assert len(found.joints) == len(robots()[name].model.bodies)
    assert "<svg" in svg(found) and r"\begin{picture}" in picture(found) and characters(found)
    points = [p for line in found.lines for p in line] + [m.at for m in found.joints] + found.centers
    assert all(0 <= x <= found.size[0] and 0 <= y <= found.size[1] for x, y in points)


def test_the_sketch_of_a_planar_arm_is_its_shape():
    """Two links of one meter at 0.5 rad each, seen along the axis of the joints."""
    found = sketch(art.derive("2r").model)
    (a, b), (_, c), *_ = found.lines
    for (x0, y0), (x1, y1), angle in ((a, b, 0.5), (b, c, 1.0)):
        assert np.arctan2(y1 - y0, x1 - x0) == pytest.approx(angle, abs=1e-3)  # rounded to 1e-4 of its size
    assert [m.label for m in found.joints] == ["q_1", "q_2"]


def test_values_that_make_no_robot_make_no_sketch_but_a_page():
    length = sympy.Symbol("l", positive=True)
    place = art.Transform(p=(1 / (1 - length), 0, 0))
    links = [art.Link("a", None, art.Revolute((0, 0, 1)), place, BODY)]
    assert sketch(art.build(links).model) is None


def test_explanations_begin_with_the_robot():
    found = art.explain("aba", "2r")
    for form in ("text", "md", "tex", "html"):
        page = found.export(form)
        assert "Denavit" in page and "sketch" in page
    assert r"\hat{M}_{1}" in found.export("tex") and r"\begin{aligned}" in found.export("md")


def test_christoffel_symbols_one_by_one():
    eq = art.derive("3r")
    section = next(s for s in derivation(eq, christoffel=True) if s.title.startswith("Christoffel symbols"))
    zero = sum(1 for k in range(3) for i in range(3) for j in range(i, 3) if eq.christoffel[k][i, j] == 0)
    assert len(section.rows) == 18 - zero and f"{zero} do." in "".join(section.text)
    assert all(left.startswith(r"\Gamma_{") for left, _ in section.rows)
    assert not any(s.title.startswith("Christoffel symbols") for s in derivation(eq))


def test_christoffel_symbols_that_are_wrong_are_not_printed():
    eq = art.derive("2r")
    eq.polynomials["christoffel"] = -eq.polynomials["christoffel"]
    with pytest.raises(second_ways.Contradiction):
        derivation(eq, christoffel=True)


def test_quasi_velocities_have_no_christoffel_symbols():
    text = art.derive(robots()["floating_body"]).derivation("text", christoffel=True)
    assert "There are none" in text


def test_a_sum_as_a_weight_has_brackets():
    """(I - m y²) ω² is not I - m y² ω²."""
    m, k, y, z = sympy.symbols("m k y z", positive=True)
    about = [[m * (k**2 - y**2), 0, 0], [0, m * k**2 + z, 0], [0, 0, z + y]]
    rod = art.Inertia(m, (0, y, 0), about)
    eq = art.derive(art.build([art.Link("rod", None, art.Revolute((0, 0, 1)), inertia=rod)]))
    rows = next(s for s in derivation(eq) if s.title.startswith("Q3")).rows
    (_, lines), *_ = [row for row in rows if row[0] == "2 T"]
    assert lines == [r"m \left(y \dot{q}_{1}\right)^{2} + \left(y + z\right) \dot{q}_{1}^{2}"]


def test_answers_are_a_table():
    found = art.derive("2r").questions()
    assert len(found.table.rows) == 4 and str(found).count("Second way") == 4
    assert found._repr_html_().count("<tr>") == 5


def test_letters_of_the_page_are_not_those_of_the_robot():
    """A robot whose gravity is called a_g has it as a number, beside the vector; c_12 is said of its own angles."""
    l, g = sympy.symbols("l a_g", positive=True)
    arm = art.from_dh([art.DH(a=l), art.DH(a=l)], links=[art.Inertia(1.0), art.Inertia(1.0)], gravity=(0, -g, 0))
    eq = art.derive(arm, letters=["theta_1", "theta_2"])
    section, *_ = derivation(eq)
    assert section.rows[0][0] == r"\bar{a}_{g}"
    assert r"c_{12} stands for \cos(\theta_{1} + \theta_{2})" in "".join(section.text)
    assert [m.label for m in section.sketch.joints] == ["theta_1", "theta_2"] and "θ₁" in characters(section.sketch)


@pytest.mark.parametrize("name", ["2r", "3r", "scara", "stanford", "bar_disc", "cart_pole", "acrobot", "puma560"])
def test_no_letter_of_a_sketch_is_struck_through(name):
    drawn = sketch(art.load(name).model)
    strokes = [*drawn.lines, *((o, tip) for _, o, tip in _frame_axes(drawn))]
    letters = [letter.at for letter in _letters(drawn)]
    assert _distances(np.array(letters), np.array(strokes)).min() > 0.3 * ROUND
    assert min(dist(p, r) for k, p in enumerate(letters) for r in letters[:k]) > 0.5 * ROUND


@pytest.mark.parametrize("name", ["2r", "scara", "stanford", "bar_disc", "cart_pole", "acrobot"])
def test_the_letter_of_an_axis_is_nearer_to_its_tip_than_to_another(name):
    drawn = sketch(art.load(name).model)
    tips = {**dict(_world_axes(drawn)), **{k: tip for k, _, tip in _frame_axes(drawn)}}
    for letter in (x for x in _letters(drawn) if x.kind != "label"):
        own = tips[letter.name]
        assert dist(letter.at, own) < min(dist(letter.at, tip) for tip in tips.values() if dist(tip, own) > ROUND / 2)
