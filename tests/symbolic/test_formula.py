"""Formulas as MathML, as text, and how wide they are."""

import re
import xml.etree.ElementTree as ElementTree

import pytest
import sympy

from articulated.symbolic.pages.document import Row
from articulated.symbolic.pages.formula import plain_text, width
from articulated.symbolic.pages.html import formulas, mathml
from articulated.symbolic.pages.latex import latex, symbol_latex
from tests.symbolic.robots import steps

EXAMPLES = {
    r"m_{2} l_{1} c_{12}": "m2 l1 c12",
    r"- \dot{q}_{1}^{2} \left(a + b\right)": "-qd1^2 (a + b)",
    r"\frac{\ddot{q}_{1}}{2}": "qdd1/2",
    r"\frac{a + b}{D_{1} D_{2}}": "(a + b)/(D1 D2)",
    r"\begin{pmatrix} a & 0 \\ 0 & b \end{pmatrix}": "[a, 0; 0, b]",
    r"\hat{M}_{1} = M + \sum X^{*}": "Mhat1 = M + ∑ X^*",
    r"\sqrt{x} \cdot 10^{-5}": "sqrt(x) · 10^(-5)",
    r"I_{1,xx} x_{c1}": "I1xx x_c1",
    r"\text{a \_ c}": "a _ c",
    r"{}^{0}\omega^{J}_{1}": "^0 ω1^J",
    r"m \bigl[ a": "m [a",
    r"\operatorname{sign}{\left(x \right)}": "sign(x)",
}


@pytest.mark.parametrize("tex", EXAMPLES)
def test_formulas_on_a_terminal(tex):
    assert plain_text(tex) == EXAMPLES[tex]


@pytest.mark.parametrize("tex", EXAMPLES)
def test_mathml_is_well_formed_and_says_the_same(tex):
    root = ElementTree.fromstring(mathml(tex).replace("&#x2062;", ""))
    shown = {x for x in "".join(root.itertext()) if x.isalnum()}
    assert shown == {
        x
        for x in plain_text(tex).replace("sqrt", "").replace("hat", "").replace("qdd", "q").replace("qd", "q")
        if x.isalnum()
    } - {"^"}


def test_indices_are_below_and_exponents_above():
    assert re.sub("</?mrow>", "", mathml("q_{12}^{2}")) == (
        "<math><msubsup><mi>q</mi><mn>12</mn><mn>2</mn></msubsup></math>"
    )
    assert "<msup><mrow /><mrow><mn>0</mn></mrow></msup>" in mathml("{}^{0}R_{1}")


def test_width_grows_with_what_is_printed():
    assert width("m_{1}") < width("m_{1} + m_{2}") < width("m_{1} + m_{2} + m_{3}")
    assert width(r"\frac{a}{b c d}") < width("a b c d")
    assert width(r"\begin{pmatrix} a + b & c \end{pmatrix}") > width("a + b c")


@pytest.mark.parametrize(
    "name", ["<script>", "a&b", "x$y", "中", "back\\slash", "a b", "_", "_x", "m_{1}", "q_a", "I_", "Ixx"]
)
def test_every_name_of_a_symbol_is_harmless(name):
    """Hostile names of symbols become text; the formula parses, and no markup comes of it."""
    tex = latex(sympy.Symbol(name) ** 2 + 1)
    ElementTree.fromstring(mathml(tex).replace("&#x2062;", ""))
    assert "<script" not in mathml(tex) and tex.count("{") - tex.count(r"\{") == tex.count("}") - tex.count(r"\}")


def test_symbols_as_in_the_lectures():
    expected = {
        "q_12": "q_{12}", "qd_1": r"\dot{q}_{1}", "alpha_2": r"\alpha_{2}", "Ixx_1": "I_{1,xx}",
        "mx_3": "(mx)_{3}", "mass": r"\text{mass}", "l": "l",
    }  # fmt: skip
    assert {name: symbol_latex(name) for name in expected} == expected


def test_an_angle_that_is_no_joint_variable():
    """cos(q_a) of a parameter q_a is no shorthand."""
    assert latex(sympy.cos(sympy.Symbol("q_a"))) == r"\cos{\left(q_{a} \right)}"


def test_every_formula_of_a_derivation_is_understood():
    from articulated.symbolic.pages.document import Math, laid_out

    for section in steps("3r"):
        for part in section.text:
            if isinstance(part, Math):
                assert not set(plain_text(part)) & set(r"{}\&")
        for row in laid_out(section.rows):
            assert not set("".join(map(plain_text, row.lines))) & set(r"{}\&") and width(row.left) < 20


def test_the_exponent_of_a_matrix_is_not_that_of_its_bracket():
    shown = ElementTree.fromstring(mathml(r"a + \begin{pmatrix} a & b \end{pmatrix}^{\top}"))
    assert next(shown.iter("msup"))[0].find(".//mtable") is not None


def test_a_minus_sign_is_that_of_a_number_after_a_bracket_and_that_of_a_difference_in_a_line_that_goes_on():
    prefix, infix = '<mo form="prefix">&#x02212;', '<mo form="infix">&#x02212;'
    for tex in (r"\left(-b, -l\right)", r"d = -b", r"\bigl[ -3 x", r"\left[-a\right]"):
        assert mathml(tex).count(prefix) == tex.count("-")
    assert prefix not in mathml(r"\left(a - b\right) - c")
    page = formulas([Row("x", ["-a", "-b", "+ c"])])
    assert page.count(infix) == 1 and page.index(infix) > page.index("<mi>a</mi>")


def test_the_exponent_of_a_large_bracket_stands_above_all_of_it():
    """A bracket that is the base itself is drawn small by Chromium."""
    base, _ = ElementTree.fromstring(mathml(r"x \bigr)^{2}")).find(".//msup")
    assert base.tag == "mrow" and [x.text for x in base] == [")"]
