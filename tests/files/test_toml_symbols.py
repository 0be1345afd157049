"""Symbols in TOML files: read as expressions, misspellings found, numbers as they were."""

import warnings

import numpy as np
import pytest

import articulated as art
from tests.near import near

sympy = pytest.importorskip("sympy")

TABLE = """
name = "mine"
gravity = [0, "-g_0", 0]

[symbols]
positive = ["m_1", "m_2", "l_1", "l_2", "I_1", "I_2", "g_0"]
real = ["d_1", "d_2"]

[[dh]]
theta = "q_1"
a = "l_1"
mass = "m_1"
com = ["d_1 - l_1", 0, 0]
inertia = [0, 0, "I_1"]

[[dh]]
theta = "q2"
a = "l_2"
mass = "m_2"
com = ["d_2 - l_2", 0.0, 0]
inertia = [0, 0, "I_2"]
"""
LINKS = """
[symbols]
positive = ["m", "k", "b"]
real = ["h"]

[[link]]
name = "post"

[[link]]
name = "rod"
parent = "post"
joint = "revolute"
axis = [0, 1, 0]
xyz = [0, 0, "2*h^2"]
rpy = ["pi/2", "90 deg", 0]
mass = "m"
com = [0, 0, "-sqrt(h)/2 + cos(pi/3)"]
gyration = ["k", "k", 1e-3]
damping = "b"
armature = "m*k**2/10"
frames = [{name = "tip", xyz = [0, 0, "-h"]}]
"""


@pytest.fixture
def load(tmp_path):
    def loaded(text, **options):
        (tmp_path / "robot.toml").write_text(text, "utf-8")
        return art.load(tmp_path / "robot.toml", **options)

    return loaded


def test_the_lectures_arm_from_a_file(load):
    robot, wanted = load(TABLE), art.derive("2r")
    eq = art.derive(robot)
    assert eq.parameters == wanted.parameters and eq.check()
    assert eq.M == wanted.M and eq.c == wanted.c and eq.g == wanted.g


def test_every_number_of_a_link(load):
    robot = load(LINKS)
    eq = art.derive(robot)
    assert {p.name for p in eq.parameters} == {"m", "k", "h", "b"}
    m, k, h, b = (eq.symbol(name) for name in "mkhb")
    assert m.is_positive and h.is_positive is None and h.is_real
    assert eq.friction == sympy.Matrix([b * eq.v[0]])
    assert sympy.simplify(eq.M[0, 0] - (k**2 * m + m * k**2 / 10)) == 0
    assert robot.links[1].inertia.com[2] == -sympy.sqrt(h) / 2 + sympy.Rational(1, 2)
    # with numbers in place of the symbols it is the robot of these numbers
    for name, number in (("2*h^2", "0.5"), ("-sqrt(h)/2 + cos(pi/3)", repr(0.5 - 0.5**0.5 / 2)), ("-h", "-0.5"),
                         ("m*k**2/10", "0.125")):  # fmt: skip
        LINK = (locals().get("LINK") or LINKS).replace(f'"{name}"', number)
    for name, number in (('"m"', "2.0"), ('"k"', "0.7"), ('"b"', "0.3")):
        LINK = LINK.replace(f"= {name}", f"= {number}").replace(f"[{name}, {name}", f"[{number}, {number}")
    numeric = load(LINK.partition("[[link]]")[1] + LINK.partition("[[link]]")[2])
    values = {"m": 2.0, "k": 0.7, "h": 0.5, "b": 0.3}
    found = sympy.lambdify([eq.q[0], eq.v[0]], eq.subs(values).g[0] + eq.subs(values).friction[0])(0.4, -0.9)
    assert near(float(found), float(numeric.bias_forces([0.4], [-0.9])[0]))


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('"m_1"\ncom', '"m_3"\ncom', "no symbol 'm_3'"),
        ('"d_1 - l_1"', '"d_1 -"', "cannot be read"),
        ('"d_1 - l_1"', "\"__import__('os')\"", "no function '__import__'"),
        ('"d_1 - l_1"', '"d_1**d_2"', "a power is a number"),
        ('"d_1 - l_1"', '"[d_1, l_1]"', "a number is expected"),
        ('real = ["d_1"', 'real = ["m_1", "d_1"', "named twice"),
        ('real = ["d_1"', 'real = ["d 1", "d_1"', "not a symbol name"),
        ('real = ["d_1"', 'real = ["pi", "d_1"', "not a symbol name"),
        ('real = ["d_1", "d_2"]', 'real = "d_1"', "a list of names"),
        ("real =", "reel =", "did you mean 'real'"),
        ('theta = "q_1"', 'theta = "q_2"', "no symbol 'q_2'"),
        ('theta = "q_1"', 'theta = "2*q_1"', "'2*q_1' holds the joint variable; it is added to theta"),
        ('theta = "q_1"', 'theta = "q_1 + theta_1"', "holds the joint variable"),
        ('theta = "q_1"', 'alpha = "q_1"', "holds the joint variable"),
        ('mass = "m_1"', 'mass = "q_1"', "holds the joint variable"),
        ('mass = "m_1"', 'mass = "-m_1"', "-m_1 kg is negative"),
        ('mass = "m_1"', 'mass = "-m_1 - l_1"', "kg is negative"),
        ('mass = "m_1"', 'mass = "m_1"\ndamping = "-m_1"', "-m_1 is negative"),
    ],
)
def test_slips_are_found_with_their_line(old, new, said, load):
    assert old in TABLE
    with pytest.raises(art.ModelError) as problem:
        load(TABLE.replace(old, new, 1))
    lines = [d for d in problem.value.diagnostics if said in d.text]
    assert lines and all(d.code.startswith("TOML0") and d.line > 1 for d in lines), problem.value


def test_without_symbols_a_word_is_no_number(load):
    text = '[[dh]]\na = "l_1"\nmass = 1.0\n'
    with pytest.raises(art.ModelError, match="is not a number"):
        load(text)
    for wrong in ('shapes = [{sphere = "l"}]', 'limits = [0, "l"]', 'axis = [0, 0, "l"]'):
        link = f'[symbols]\nreal = ["l"]\n[[link]]\nname = "a"\njoint = "revolute"\n{wrong}\n'
        with pytest.raises(art.ModelError, match="is not a number"):
            load(link)


def test_the_joint_variable_in_its_cell_of_a_robot_of_numbers(load):
    """`theta = "q_1 + pi/2"` needs no [symbols]."""
    row = '[[dh]]\ntheta = "{}"\na = 0.5\nmass = 1.0\ncom = [-0.2, 0, 0]\ninertia = [0.1, 0.1, 0.1]\n'
    plain, own = load(row.format("pi/2")), load(row.format("q_1 + pi/2"))
    assert near(own.pose([0.3], "link1"), plain.pose([0.3], "link1"))
    assert near(own.mass_matrix([0.3]), plain.mass_matrix([0.3])) and np.isfinite(own.mass)


@pytest.mark.parametrize("entry", ['a = "q_1"', 'a = "sin(q_1)"', 'mass = "q_1"', 'theta = "sin(theta_1)"'])
def test_the_joint_variable_in_another_place(entry, load):
    with pytest.raises(art.ModelError, match="holds the joint variable; it is added to theta") as problem:
        load(f"[[dh]]\n{entry}\n")
    assert problem.value.diagnostics[0].line == 2


def test_an_offset_is_not_the_joint_variable(load):
    """A symbol of the file that is called as textbooks call the variable."""
    text = '[symbols]\nreal = ["theta_1"]\n[[dh]]\ntheta = "q_1 + theta_1"\na = 1\nmass = 1\n'
    assert {p.name for p in art.derive(load(text)).parameters} == {"theta_1"}


def test_degrees_are_remarked_on(load):
    row = "[[dh]]\nalpha = {}\na = 0.5\nmass = 1.0\ninertia = [0.1, 0.1, 0.1]\n"
    with pytest.warns(art.ModelWarning):
        robot = load(row.format("90"))
    assert [d.code for d in robot.report] == ["TOML012"] and "90 rad" in robot.report[0].text
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for right in ('"90 deg"', '"pi/2"', "1.5707963", "6"):
            assert not load(row.format(right)).report


def test_a_robot_with_symbols_is_not_written_and_has_no_numbers(load, tmp_path):
    robot = load(TABLE)
    with pytest.raises(art.ModelError, match="symbols"):
        art.save(robot, tmp_path / "out.toml")
    with pytest.raises(art.ArticulatedError, match="I_1, I_2, d_1"):
        robot.mass_matrix([0, 0])
