"""`articulated explain-algorithm`: text, page and JSON, in numbers and in symbols."""

import numpy as np
import pytest
import sympy

import articulated as art

from .command import run

STATE = ["--state", "q=0.3,-0.7; v=1.1,-0.4; a=0.5,0.2; tau=1,2"]
Q, V, A, TAU = [0.3, -0.7], [1.1, -0.4], [0.5, 0.2], [1.0, 2.0]


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (["magic", "2r"], 3, "aba"), (["aba", "2r", "--state", "z=1"], 3, "q=…"),
        (["aba", "panda", "--symbols"], 3, "7 degrees of freedom"), (["aba", "2r", "--symbols", *STATE], 2, "--state"),
        (["rnea", "nope"], 3, "nope"),
    ],
)  # fmt: skip
def test_mistakes_are_messages(words, code, says):
    done = run("explain-algorithm", *words)
    assert done.code == code and "Traceback" not in done.err and says in done.err


def test_numbers_as_json():
    robot = art.load("2r")
    expected = {
        "rnea": (robot.inverse_dynamics(Q, V, A), r"tau = S^T F"),
        "aba": (robot.forward_dynamics(Q, V, TAU), "a = D^(-1)"),
    }
    for algorithm, (values, start) in expected.items():
        done = run("explain-algorithm", algorithm, "2r", *STATE, "--json").json
        assert done["algorithm"] == algorithm and done["q"] == Q and done["output"] is None
        rows = {row["body"]: row["value"] for row in done["passes"][-1]["rows"] if row["formula"].startswith(start)}
        assert np.allclose([rows["link1"][0], rows["link2"][0]], values, atol=1e-12)
    assert "tau" not in run("explain-algorithm", "crba", "2r", "--json").json


def test_symbols_as_json_are_read_by_sympy():
    done = run("explain-algorithm", "crba", "2r", "--symbols", "--json").json
    eq = art.derive("2r")
    names = {s.name: s for s in (*eq.parameters, *eq.q)}
    rows = [row["value"][0] for row in done["passes"][-1]["rows"] if row["formula"].startswith("its rows")]
    M = sympy.Matrix([[sympy.sympify(x, names) for x in row] for row in rows])
    assert sympy.simplify(M - eq.M) == sympy.zeros(2, 2)


@pytest.mark.parametrize("robot", ["2r", "bar_disc", "cart_pole", "acrobot"])
@pytest.mark.parametrize("algorithm", ["rnea", "crba", "aba"])
def test_every_recursion_runs_on_symbols(algorithm, robot, tmp_path):
    text = run("explain-algorithm", algorithm, robot, "--symbols")
    assert text.code == 0 and "in symbols" in text.out and "sin(" not in text.out and "**" not in text.out
    page = tmp_path / "page.html"
    assert run("explain-algorithm", algorithm, robot, "--symbols", "--format", "html", "-o", page).code == 0
    assert "<math" in page.read_text(encoding="utf-8")


def test_shorthands_on_a_terminal():
    text = run("explain-algorithm", "aba", "2r", "--symbols").out
    assert "D2 = m2 d2^2 + I2" in text and "c12" in text
    assert "qdd2 = (tau2 - m2 d2 (l1 (c2 qdd1 + s2 qd1^2) + g0 c12))/D2 - qdd1" in text


def test_a_robot_of_numbers_gets_names():
    text = run("explain-algorithm", "crba", "cart_pole", "--symbols").out
    assert "m1 + m2" in text


def test_the_axes_are_asked_for_and_said():
    text = run("explain-algorithm", "rnea", "2r", "--axes", "world").out
    assert "world's axes" in text
    assert run("explain-algorithm", "rnea", "2r", "--axes", "tool").code == 2


def test_a_notebook_is_left_as_it_is():
    """No rule of the page reaches what is around it, and every number has six digits."""
    shown = art.explain("rnea", "2r", [0.1, 0.2], [1, 2], [0, 0])
    page = shown._repr_html_()
    assert "<math" in page and "body{" not in page and "<html" not in page and ":root" not in page
    assert "body{" in shown.export("html")
    text = str(shown)
    assert "0.995004 m1 g0" in text and "1.0 m1" not in text and "0.99500416" not in text
