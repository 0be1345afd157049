"""Answers in the notations students write: right ones are right, wrong ones are located, with a state that shows it."""

import re

import pytest
import sympy

import articulated as art
from articulated.symbolic.exercises.answers import read
from articulated.symbolic.pages.formula import plain_text
from articulated.symbolic.pages.latex import latex
from tests.symbolic.robots import lecture

DOT = "\u0307"
RIGHT = {
    "M": [
        "[I1 + I2 + m1 d1² + m2(l1² + d2² + 2 l1 d2 c2), I2 + m2 d2(d2 + l1 c2); I2 + m2d2(d2+l1c2), I2+m2 d2^2]",
        "[[I1+I2+m1*d1**2+m2*(l1**2+d2**2+2*l1*d2*cos(q2)), I2+m2*d2**2+m2*l1*d2*c_2],"
        "[I_2+m2d2^2+m2l1d2c2, I2+m2 d2**2]]",
        r"\begin{pmatrix} I_1+I_2+m_1 d_1^2+m_2\left(l_1^{2}+d_2^{2}+2 l_1 d_2 \cos q_2\right) & I_2+m_2 d_2^2+"
        r"m_2 l_1 d_2 \cos(q_2) \\ I_2+m_2 d_2^2+m_2 l_1 d_2 c_{2} & I_2 + m_2 d_2^2\end{pmatrix}",
        "M11 = I1+I2 + m1 d1² + m2[l1² + d2² + 2 l1 d2 c2], M12 = M21 = I2 + m2 d2{d2 + l1 c2}, M22 = I2 + m2 d2²",
        r"\left[\begin{matrix} I_1+I_2+m_1d_1^2+m_2(l_1^2+d_2^2+2l_1d_2c_2) & I_2+m_2d_2(d_2+l_1c_2) \\"
        r"I_2+m_2d_2(d_2+l_1c_2) & I_2+m_2d_2^2 \end{matrix}\right]",
    ],
    "c": [
        f"[-m2 l1 d2 s2 (2 q{DOT}₁q{DOT}₂ + q{DOT}₂²), m2 l1 d2 s2 q{DOT}1²]",
        r"\begin{bmatrix} -m_2 l_1 d_2 s_2 \dot{q}_2 (2\dot q_1 + \dot{q_2}) \\"
        r"m_2 l_1 d_2 s_2 \dot{q}_1^2\end{bmatrix}",
        "[-m2 l1 d2 sin(q2) (2 dq1 dq2 + qdot2^2); m2 l1 d2 sin q2 qd1^2]",
        "m2 l1 d2 s2 [-2 q1_dot q2_dot - q2_dot²; q1_dot²]",
    ],
    "g": [
        "[g0(m1 d1 c1 + m2(l1 c1 + d2 c12)); m2 g0 d2 c12]",
        "[g0 (m1d1+m2l1) cos(q1) + g0m2d2 cos(q1+q2), g0m2d2c12]",
        r"\begin{align*} g_1 &= g_0\left[(m_1d_1+m_2l_1)c_1+m_2d_2c_{1+2}\right]\\ g_2 &= g_0m_2d_2c_{1+2}\end{align*}",
        "(g0 (m1d1+m2l1) np.cos(q1) + g0*m2*d2*np.cos(q1+q2); g0*m2*d2*np.cos(q1+q2))",
        "g0 (m1 d1 + m2 l1) c1 + g0 m2 d2 c12\ng0 m2 d2 c12",
    ],
    "T": [
        r"\frac{1}{2}(I_1+m_1d_1^2)\dot{q}_1^2 + \frac12 m_2 (l_1^2 \dot q_1^2 + d_2^2(\dot q_1+\dot q_2)^2 "
        r"+ 2 l_1 d_2 c_2 \dot q_1(\dot q_1 + \dot q_2)) + ½ I_2(\dot q_1+\dot q_2)^2",
        f"½(I1+m1 d1²)q{DOT}1² + ½m2(l1²q{DOT}1²sin²(q2) + (l1 c2 q{DOT}1 + d2(q{DOT}1+q{DOT}2))²)"
        f" + ½ I2 (q{DOT}1+q{DOT}2)²",
    ],
    "U": [
        "m1g0d1 s1 + m2 g0 (l1 sin q1 + d2 sin(q1+q2))",
        "m1*g_0*d1*sin(q1) + m2*g0*(l1*s1 + d2*s12)",
        r"g_0\{m_1 d_1 \operatorname{sin} q_1 + m_2 [l_1 \mathrm{s}_1 + d_2 s_{12}]\}",
        "g0[m1 d1 s1 + m2(l1 s1 + d2 s12)]",
    ],
    "S": [
        "[-m2 l1 d2 s2 dq2, -m2 l1 d2 s2 (dq1+dq2); m2 l1 d2 s2 dq1, 0]",
        "[0, -m2l1d2s2(2qd1+qd2); m2l1d2s2qd1, 0]",
        r"-m_2l_1d_2s_2\begin{pmatrix}\dot q_2 & \dot q_1+\dot q_2\\-\dot q_1 & 0\end{pmatrix}",
        "[-m2 l1 d2 s2 qd2, m2 l1 d2 s2 qd1; -m2 l1 d2 s2 (qd1+qd2), 0]^T",
    ],
    "Y": ["[qdd1, c2(2qdd1+qdd2) - s2 qd2(2qd1+qd2), qdd2, c1, c12; 0, c2 qdd1 + s2 qd1², qdd1+qdd2, 0, c12]"],
}


@pytest.mark.parametrize(("name", "answer"), [(name, x) for name, given in RIGHT.items() for x in given])
def test_right_answers_are_right(name, answer):
    verdict = lecture("2r").check_answer(**{name: answer})
    assert verdict and verdict.text.startswith(f"{name}: Right"), verdict.text


@pytest.mark.parametrize(("name", "answer"), [(name, x) for name, given in RIGHT.items() for x in given])
def test_a_wrong_sign_or_factor_is_found(name, answer):
    """The first m2 (or c2) of every answer made something else: a wrong answer, and the verdict shows numbers."""
    wrong = re.sub(r"m_?2|c2", "(1.5 m1)", answer, count=1) if name != "Y" else answer.replace("c12; ", "c1; ", 1)
    verdict = lecture("2r").check_answer(**{name: wrong})
    assert not verdict and re.search(r"it is \S+ and should be \S+\.", verdict.text), verdict.text


def test_a_student_may_choose_the_coefficients():
    eq = lecture("2r")
    Y = (
        "[qdd1, qdd1+qdd2, g0 c1, g0 c12 + l1(c2(2qdd1+qdd2) - s2 qd2(2 qd1+qd2));"
        "0, qdd1+qdd2, 0, g0 c12 + l1(c2 qdd1 + s2 qd1²)]"
    )
    a = "[I1 + m1 d1² + m2 l1², I2+m2 d2², m1 d1 + m2 l1, m2 d2]"
    assert eq.check_answer(Y=Y, a=a) and "2 × 5" in eq.check_answer(Y=Y).text
    assert not eq.check_answer(Y=Y, a=a.replace("m2 l1²", "m2 l1"))
    known = eq.coefficients("geometry")
    assert len(known) == 4 and eq.check_answer(Y=known.Y, a=known.expressions)


def test_several_answers_and_letters_of_ones_own():
    eq = art.derive("2r", letters="theta")
    found = eq.check_answer(
        U="m1 g0 d1 sin(θ1) + m2 g0 (l1 s1 + d2 s12)",
        c=r"[-m_2 l_1 d_2 \sin\theta_2 \dot{\theta}_2(2\dot\theta_1+\dot\theta_2); "
        r"m_2 l_1 d_2 \sin\theta_2\,\dot\theta_1^2]",
        g="[0, 0]",
    )
    assert not found and [line.split()[1] for line in found.text.splitlines()] == ["Right:", "Right", "entry"]


@pytest.mark.parametrize("name", ["3r", "bar_disc"])
def test_the_librarys_own_text_and_latex_are_read(name):
    eq = lecture(name)
    for quantity in ("M", "c", "g", "T", "U", "tau"):
        value = getattr(eq, quantity)
        assert eq.check_answer(**{quantity: str(value.tolist() if isinstance(value, sympy.MatrixBase) else value)})
    tex = art.derive("2r").latex("U")
    assert art.derive("2r").check_answer(U=re.search(r"&= (.*)", tex)[1])


@pytest.mark.parametrize("asked", [{}, {"poetry": "1"}, {"M": "m_9"}, {"M": "[1, 2"}, {"T": None}])
def test_what_is_no_answer_is_refused(asked):
    with pytest.raises(art.ArticulatedError):
        lecture("2r").check_answer(**asked)


def test_what_pages_print_is_read():
    """I_{1,xx}, c_{1-2}, cos^{2}(q_1), words for letters, and a letter that Python has as a word."""
    Ixx, end, l, m = sympy.symbols("Ixx_1 end lambda m_2", positive=True)
    links = [
        art.Link(
            "a", None, art.Revolute((0, 1, 0)), inertia=art.Inertia(1, (end, 0, 0), [[Ixx, 0, 0], [0, 1, 0], [0, 0, 1]])
        )
    ]
    links.append(art.Link("b", "a", art.Revolute((0, -1, 0)), art.Transform(p=(l, 0, 0)), art.Inertia(m, (1, 0, 0))))
    eq = art.derive(art.build(links))
    for text in (
        r"I_{1,xx} c_{1-2} \lambda^{2} \text{end} \cos^{2}{\left(q_{1} \right)}",
        "I1xx c_(1-2) lambda^2 end cos²(q1)",
    ):
        assert read(eq, text) == Ixx * sympy.cos(eq.q[0] - eq.q[1]) * l**2 * end * sympy.cos(eq.q[0]) ** 2


GRAVITY = "(m1 d1 + m2 l1) g0 c1 + m2 g0 d2 c12", "m2 g0 d2 c12"


@pytest.mark.parametrize(
    "written",
    [
        "({}, {})^T", r"[{}, {}]^\top", "g = [{}; {}]", r"\mathbf{{g}} = [{}; {}]", "g1 = {}; g2 = {}",
        r"\begin{{aligned}} g_1 &= {} \\ g_2 &= {} \end{{aligned}}", "Matrix([[{}], [{}]])", "[{}\n {}]",
        r"\left[\begin{{array}}{{c}} {} \\ {} \end{{array}}\right]",
    ],
)  # fmt: skip
def test_a_vector_is_read_as_it_is_set(written):
    eq = art.derive("2r")
    assert eq.check_answer(g=written.format(*GRAVITY))
    assert not eq.check_answer(g=written.format(GRAVITY[0].replace("+ m2 g0", "- m2 g0"), GRAVITY[1]))


@pytest.mark.parametrize(("usual", "other"), [("c1", "cos θ1"), ("c12", r"\cos(\theta_1 + \theta_2)"), ("g0", "g")])
def test_usual_names_of_angles_and_gravity_are_known(usual, other):
    eq = art.derive("2r")
    assert eq.check_answer(g="; ".join(GRAVITY).replace(usual + " ", other + " ").join("[]"))


def test_primes_are_rates():
    eq = art.derive("2r")
    assert eq.check_answer(c="[-m2 l1 d2 s2 (2 q1' q2' + q2'^2); m2 l1 d2 s2 q1'^2]")
    assert not eq.check_answer(c="[-m2 l1 d2 s2 (2 q1' q2' + q2''^2); m2 l1 d2 s2 q1'^2]")


def test_a_product_of_brackets_is_no_vector():
    eq = art.derive("2r")
    assert eq.check_answer(U="(g0)(m1 d1 + m2 l1) s1 + (m2 g0)(d2 s12)")


def test_cube_roots_are_printed_and_read():
    third = sympy.Rational(1, 3)
    m, l = sympy.symbols("m l", positive=True)
    eq = art.derive(
        art.build([art.Link("arm", None, art.Revolute((0, 0, 1)), inertia=art.Inertia(m, (5**third * l, 0, 0)))])
    )
    (printed,) = [latex(x) for x in eq.M]
    assert "sqrt[" not in plain_text(printed)
    assert eq.check_answer(M=printed) and eq.check_answer(M=plain_text(printed))


def test_moments_of_inertia_without_an_index_are_read_as_they_are_printed():
    Iyy, m = sympy.symbols("Iyy m", positive=True)
    body = art.Inertia(m, (0, 0, 0), [[1, 0, 0], [0, Iyy, 0], [0, 0, 1]])
    eq = art.derive(art.build([art.Link("a", None, art.Revolute((0, 1, 0)), inertia=body)]))
    assert latex(Iyy) == "I_{yy}" and all(eq.check_answer(M=f"[{text}]") for text in ("I_{yy}", "I_yy", "Iyy"))


@pytest.mark.parametrize("quantity", ["M", "c", "g", "T", "U", "tau"])
@pytest.mark.parametrize("name", ["scara", "own letters"])
def test_what_a_page_prints_is_right(name, quantity):
    """Decimals rounded to six digits, and rates of letters of one's own: θd1."""
    eq = art.derive("scara") if name == "scara" else art.derive("3r", letters="theta")
    value = getattr(eq, quantity)
    assert eq.check_answer(**{quantity: latex(value)}) and eq.check_answer(**{quantity: plain_text(latex(value))})
    assert not eq.check_answer(**{quantity: latex(value * sympy.Rational(1001, 1000))}) or not any(value.free_symbols)
