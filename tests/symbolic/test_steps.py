"""`eq.derivation` and `art.explain`: every step, in Python, for any robot and any letters."""

import re

import numpy as np
import pytest
import sympy

import articulated as art
from articulated.symbolic.equations.definiteness import squares_of
from articulated.symbolic.pages.coefficients import symbols_one_by_one
from articulated.symbolic.pages.formula import width
from articulated.symbolic.pages.latex import LINE
from articulated.symbolic.pages.substitution import substitution_rows
from benchmarks.shortest import robots as textbook_robots
from tests.near import near
from tests.symbolic.robots import body, lecture, robots


@pytest.mark.parametrize("form", ["text", "md", "tex", "html"])
def test_the_derivation_in_every_form(form):
    text = lecture("2r").derivation(format=form)
    for title in ("Step 2: link2", "Inertia matrix", "Potential energy", "Check"):
        assert title.replace("2: l", "2: l") in text
    assert len(text) > 3000


def test_a_form_that_is_none_is_refused_before_the_work():
    with pytest.raises(art.UnknownName, match="text"):
        art.derive("2r").derivation(format="docx")


def test_formulas_are_shown_with_the_symbols_put_in():
    eq = art.derive("2r")
    rows, notes = substitution_rows(eq, 1)
    ((name, (formula, put_in, *_)),) = rows["T_{2}"]
    assert name == "T_{2}" and "v_{c2}" in formula and r"m_{2} \left(l_{1} s_{2} \dot{q}_{1}\right)^{2}" in put_in
    assert not notes
    assert all("s_{1}" not in lines[0] for part in rows.values() for _, lines in part if isinstance(lines, list))


@pytest.mark.parametrize("name", ["prp", "planar_body", "floating_pair", "cart_pole"])
def test_any_robot_is_derived_step_by_step(name):
    planar = art.Link("body", None, art.Planar((0, 1, 0)), inertia=body(1.0, 0.1, 0, 0.2))
    robot = robots()[name] if name in robots() else art.build([planar])
    text = art.derive(robot).derivation("text")
    assert "Second way" in text and "Check" in text


def test_letters_of_your_own():
    ell, mu = sympy.symbols("ell mu", positive=True)
    bob = art.Link("bob", None, art.Revolute((0, 1, 0)), inertia=art.Inertia(mu, (0, 0, -ell)))
    eq = art.derive(art.build([bob]))
    assert r"\mu \ell^{2}" in eq.derivation("tex") and "μ ℓ^2" in eq.derivation("text")


STATE = {"q": [0.3, -0.7], "v": [1.1, -0.4]}


def test_newton_euler_is_explained_in_both_axes():
    robot = art.load("2r")
    a = [0.5, 0.2]
    body, world = (art.explain("rnea", robot, **STATE, a=a, axes=axes) for axes in ("body", "world"))
    tau = robot.inverse_dynamics(STATE["q"], STATE["v"], a)
    for found in (body, world):
        assert near([float(found.value(f"tau{k}")[0]) for k in (1, 2)], tau)
    # the joint's share of a force is the same wherever both are written
    S, F = (np.array(world.value(x), float) for x in ("S2", "F2"))
    assert near(float((S.T @ F)[0]), tau[1])
    assert not np.allclose(F, np.array(body.value("F2"), float))
    # in the world forces add up as they are
    own, carried, total = (np.array(world.value(x), float) for x in ("F1^own", "X^* F2", "F1"))
    assert near(own + carried, total) and near(carried, F)


@pytest.mark.parametrize("algorithm", ["rnea", "crba", "aba"])
def test_every_algorithm_in_numbers_and_in_symbols(algorithm):
    numbers, symbols = art.explain(algorithm, art.load("2r"), [0.3, -0.7]), art.explain(algorithm, "2r")
    assert "at q = [0.3, -0.7]" in str(numbers) and "in symbols" in symbols.title
    for found in (numbers, symbols):
        for letter in ("S1", "R2", "p2", "m1^B", "I2^B"):
            found.value(letter)
        assert found.export("html").startswith("<!doctype html>") and found.records[0]["rows"]


def test_composites_and_forces_carry_on():
    found = art.explain("crba", "2r")
    m1, m2 = sympy.symbols("m_1 m_2", positive=True)
    assert found.value("m1^C") == m1 + m2 and found.value("m1^B") == m1


def test_what_rounding_left_is_zero():
    robot = art.load("puma560")
    text = str(art.explain("rnea", robot, np.full(6, np.pi / 2)))
    assert "e-1" not in text.partition("1. outward")[2]


def test_bad_requests_are_named():
    with pytest.raises(art.UnknownName, match="rnea"):
        art.explain("rne", "2r")
    with pytest.raises(art.ArticulatedError, match="axes"):
        art.explain("rnea", "2r", axes="tool")
    with pytest.raises(art.ShapeError, match="q has shape"):
        art.explain("rnea", "2r", [0.1])
    for algorithm, other in (("aba", "a"), ("rnea", "tau"), ("crba", "v"), ("crba", "tau")):
        for q in ([1, 2], None):
            with pytest.raises(art.ShapeError, match=f"{other} is not an input of '{algorithm}'"):
                art.explain(algorithm, "2r", q, **{other: [5, 5]})
    with pytest.raises(art.ShapeError, match="without q"):
        art.explain("rnea", "2r", v=[0, 0])
    with pytest.raises(art.UnknownName, match="V1"):
        art.explain("rnea", "2r").value("V9")


def test_nothing_that_is_too_wide_is_dropped_without_a_word():
    eq = art.derive(art.load("puma560"))
    said = 0
    for k in range(6):
        rows, notes = substitution_rows(eq, k)
        for name, ((_, lines),) in ((name, given) for name, given in rows.items() if given):
            assert isinstance(lines, list) or any(name in note for note in notes), (k, name)
            assert all(width(line) <= LINE for line in lines)
        said += len(notes)
    assert said  # its wrist is where vectors keep their names


def test_every_square_of_the_energy_is_printed():
    eq = art.derive(art.load("puma560"))
    for k in range(6):
        (((_, lines),),) = [substitution_rows(eq, k).rows[f"T_{{{k + 1}}}"]]
        squares = squares_of(eq.state, eq.steps[k], eq.state.model.bodies[k])
        assert len(re.findall(r"[=+] \\frac\{1\}\{2\} ", " ".join(lines[1:]))) == len(squares)


@pytest.mark.parametrize("name", ["3r", "SCARA", "polar"])
def test_christoffel_symbols_are_put_in_however_wide(name):
    rows = symbols_one_by_one(art.derive(textbook_robots().get(name, name))).rows
    for _, lines in rows:
        assert lines[0].startswith(r"\frac{1}{2}") and any(line.startswith("= ") for line in lines)
        assert max(map(width, lines)) <= LINE


def test_what_a_page_leaves_out_it_names(monkeypatch):
    """With a small page everything is left out, each with where it is to be had."""
    from articulated.symbolic.pages import derivation as page

    monkeypatch.setattr(page, "LONGEST", 5)
    monkeypatch.setattr(page, "PLACE", 1)
    sections = page.derivation(lecture("3r"))
    for section in sections:
        if "eft out" in (text := "".join(section.text)):
            assert "n Python" in text or "--what" in text, section.title
    assert sum("eft out" in "".join(s.text) for s in sections) > 6
