"""Exercises: the solution is right by another way, right answers pass in any form, wrong ones do not."""

import random
import re
import warnings

import pytest
import sympy

import articulated as art
from articulated.symbolic.exercises.answers import read
from articulated.symbolic.exercises.topics import TOPICS
from tests.symbolic.robots import furuta, planar_biped

TASKS = [("2r", topic, seed) for topic in TOPICS for seed in (0, 1)]
TASKS += [("bar_disc", topic, 0) for topic in ("inertia", "gravity", "coriolis")] + [("3r", "coriolis", 4)]


def text(x):
    return str(x.tolist() if isinstance(x, sympy.MatrixBase) else x)


@pytest.mark.parametrize(("name", "topic", "seed"), TASKS)
def test_right_answers_pass_in_any_form_and_wrong_ones_do_not(name, topic, seed):
    try:
        task = art.exercise(name, topic, seed)
    except art.ModelError as problem:
        assert "choose another topic" in str(problem)  # the disc has no such terms
        return
    rng = random.Random(seed)
    solution = task.solution
    assert task.question.endswith(("?", ".")) and len(task.hints) >= 2 and "recursion on floats" in task.checked
    assert task.check(solution) and task.check(text(solution))
    for other in (sympy.expand(solution), solution.subs(*_sum_of_angles(task))):
        assert task.check(other) and task.check(text(other).replace("**", "^").replace("_", ""))
    wrong = rng.choice(task.equations.parameters) * sympy.Rational(1, 1000)
    spoilt = solution + (wrong * sympy.eye(*solution.shape) if isinstance(solution, sympy.MatrixBase) else wrong)
    for answer in (spoilt, 2 * solution, -solution) if topic != "null_space" else (spoilt, 0 * solution):
        verdict = task.check(answer)
        assert not verdict and str(verdict).startswith("Not right")


def _sum_of_angles(task):
    q = [x for x in task.equations.q if task.solution.has(sympy.sin(x)) or task.solution.has(sympy.cos(x))]
    old = sympy.cos(q[0]) if q else task.equations.q[0]
    return old, (sympy.cos(q[0] / 2) ** 2 - sympy.sin(q[0] / 2) ** 2 if q else old)


def test_the_same_seed_is_the_same_exercise_and_seeds_differ():
    one, two = (art.exercise("2r", "inertia", 7) for _ in range(2))
    assert one.question == two.question and one.solution == two.solution
    assert len({art.exercise("2r", "inertia", seed).question for seed in range(4)}) == 2
    assert {art.exercise("2r", seed=seed).topic for seed in range(20)} == set(TOPICS)


def test_any_c_that_is_skew_is_right():
    """S is not unique: the body Jacobians' one, and S + N with N v = 0 and N skew, pass; others do not."""
    task = art.exercise("3r", "skew")
    eq = task.equations
    assert task.check(eq.coriolis("body_jacobian"))
    u = sympy.Matrix(eq.v)
    m1, N = eq.symbol("m_1"), sympy.Matrix([[0, -u[2], u[1]], [u[2], 0, -u[0]], [-u[1], u[0], 0]])
    assert task.check(eq.C + m1 * N)
    verdict = task.check(eq.coriolis("nonskew"))
    assert not verdict and "S v = c for all q and v, and dM/dt - 2 S is not skew" in verdict.text
    assert "3 rows" in task.check("m_1").text


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ("-(I2 + m2*d2^2 + m2*d2*l1*c2)", "The sign is wrong"),
        ("2*I2 + 2*m2*d2^2 + 2*m2*d2*l1*c2", "2 times what it should be"),
        ("I2 + m2*d2^2 + m2*d2*l1*c1", "does not depend on q_1.*depends on q_2.*with I_2 are right"),
        ("0", "not zero"),
        ("[[I2, 0]]", "One expression"),
        (sympy.Symbol("I_2"), "depends on q_2"),
    ],
)
def test_what_is_wrong_is_said(answer, words):
    task = art.exercise("2r", "inertia", 1)
    assert task.question.startswith("Find M12")
    verdict = task.check(answer)
    assert not verdict and re.search(words, verdict.text), verdict.text


@pytest.mark.parametrize(
    ("topic", "seed", "answer"),
    [
        ("inertia", 1, "I2 + m2*d2*(d2 + l1*sqrt(1 - s2^2))"),
        ("coriolis", 0, "-d_2*l_1*m_2*sqrt(qd_2^2)*(2*qd_1 + sqrt(qd_2^2))*sin(q_2)"),
        ("gravity", 1, "sqrt(d_2^2)*g_0*m_2*cos(q_1 + q_2)"),
    ],
)
def test_what_is_right_for_one_sign_only_is_wrong(topic, seed, answer):
    """States were drawn where all is positive: |x| was x, and every cosine positive."""
    assert not art.exercise("2r", topic, seed).check(answer)


def test_answers_that_are_not_defined_everywhere_are_right_where_they_are():
    task = art.exercise("2r", "gravity", 1)
    assert task.check("d2*g0*m2*sin(2*(q1 + q2))/(2*s12)") and task.check(
        "d2*g0*m2*c12*(q1 - q2)^2/(q1 - q2)/(q1 - q2)"
    )


def test_the_verdict_says_what_was_compared():
    task = art.exercise("2r", "kinetic", 1)
    right, m1 = task.solution, task.equations.symbol("m_1")
    assert "is zero, term by term" in task.check(right).text
    assert "below 1e-12 of" in task.check(right + 1e-14 * m1).text
    assert "to twelve digits" in task.check("pi*(I1 + m1*d1^2)*qd1^2/2/3.14159265358979").text
    assert not task.check(right + 1e-10 * m1)


@pytest.mark.parametrize("answer", ["I2 + m2*d2**2 + m2*d2*l1*cos(q2)", "I_2 + d2*m2*(d_2 + l1*c_2)"])
def test_letters_people_use(answer):
    assert art.exercise("2r", "inertia", 1).check(answer)


def test_rates_and_sums_of_angles_people_use():
    eq = art.derive("3r")
    q1, q2, q3 = eq.q
    assert read(eq, "dq1*qd_2 + ddq3") == eq.v[0] * eq.v[1] + eq.a[2]
    assert read(eq, "c12*s_123") == sympy.cos(q1 + q2) * sympy.sin(q1 + q2 + q3)
    assert read(eq, "sqrt(m1^2)/2 + pi") == eq.symbol("m_1") / 2 + sympy.pi


@pytest.mark.parametrize(
    "answer",
    ["", "I2 +", "m_9", "__import__('os').system('true')", "9**9**9", "c14", "lambda: 1", "[1, 2] + 3", "[[1], [1, 2]]",
     "1/0", "x" * 30_000, "(" * 5000, None, True, float("nan"), {}, sympy.oo, "f(1)", "'text'"],
    ids=lambda x: repr(x)[:20],
)  # fmt: skip
def test_what_is_no_answer_is_an_error_of_ours(answer):
    with pytest.raises(art.ArticulatedError), warnings.catch_warnings():
        warnings.simplefilter("error")
        art.exercise("2r", "inertia", 1).check(answer)


def test_other_robots():
    task = art.exercise(furuta(), "gravity")
    assert task.check(task.solution) and "rod" in task.robot
    assert art.exercise(art.load("ur5"), "potential").equations.symbol("m_1")
    with pytest.raises(art.ModelError, match="not rates"):
        art.exercise(planar_biped())
    with pytest.raises(art.ModelError, match="another topic"):
        art.exercise(art.build([art.Link("x", None, art.Prismatic((1, 0, 0)), inertia=art.Inertia(1.0))]), "gravity")
    for bad in ({"topic": "poetry"}, {"seed": -1}, {"seed": "x"}, {"topic": 3}):
        with pytest.raises(art.ArticulatedError):
            art.exercise("2r", **bad)


def test_an_exercise_shows_itself():
    task = art.exercise("2r", "skew")
    assert task.question in str(task) and "link2" in str(task) and r"\dot{q}" in task.latex()
    assert task._repr_markdown_().startswith("**2r, skew**") and "skew" in repr(task)


@pytest.mark.parametrize("topic", ["inertia", "gravity", "coriolis"])
def test_a_number_beyond_all_floats_is_wrong(topic):
    assert not art.exercise("2r", topic=topic, seed=1).check(10**400)
    eq = art.derive("2r")
    assert not eq.factorization(eq.C * 10**400)


@pytest.mark.parametrize("form", ["tex", "html", "md", "text"])
def test_sheets_ask_and_answer(form):
    tasks = [art.exercise("2r", topic) for topic in ("kinetic", "statics", "skew")]
    asked, solved = (art.exercise_sheet(tasks, form, solutions) for solutions in (False, True))
    assert "Exercise 3: skew" in asked and "Solution 3: skew" in solved and "recursion on floats" in solved
    assert asked.count("The robot 2r") >= 1 and len(solved) > len(asked) - 2000
    if form == "md":
        assert r"\dot{q}" not in asked.split("Exercise 1")[1] and r"\dot{q}" in solved


def test_blanks_hide_results_and_nothing_else():
    eq = art.derive("2r")
    full, some, every = (eq.derivation("md", blanks=share) for share in (0, 0.4, 1))
    blank = "................"
    assert blank not in full and 0 < some.count(blank) < every.count(blank)
    assert eq.derivation("md", blanks=0.4) == some != eq.derivation("md", blanks=0.4, seed=1)
    assert "M_{11} &= " in full and "I_{1} + I_{2}" not in every.split("Inertia matrix")[-1].split("Q1")[0]
    with pytest.raises(art.ArticulatedError):
        eq.derivation("md", blanks=2)


def test_no_factorization_of_zero_is_asked_for():
    """What rounding left of it in the recursion was held against the solution."""
    m, l = sympy.symbols("m l", positive=True)
    first = art.Link("a", None, art.Revolute((0, 0, 1), name="j"), inertia=art.Inertia(m, (l, 0, 0)))
    other = art.Revolute((0, 0, 1), mimic=art.Mimic("j", -1.0))
    robot = art.build([first, art.Link("b", "a", other, art.Transform(p=(l, 0, 0)), art.Inertia(m, (l, 0, 0)))])
    with pytest.raises(art.ModelError, match="no centrifugal and Coriolis forces"):
        art.exercise(robot, "skew")


def test_a_wrong_number_is_told_without_the_right_one():
    task = art.exercise("2r", topic="coefficients")
    assert task.check("4") and task.check("5").text == "Not right. It is too large."
    assert task.check("q1").text.startswith("Not right. It does not depend on q_1.")
