"""A student's own robot: tables as textbooks fill them, symbols by name, clashes said."""

import warnings

import numpy as np
import pytest
import sympy

import articulated as art
from tests.near import near
from tests.symbolic.robots import lecture

l1, l2, m1, m2 = sympy.symbols("l_1 l_2 m_1 m_2", positive=True)
BODIES = [art.Inertia(m1, (-l1 / 2, 0, 0)), art.Inertia(m2, (-l2 / 2, 0, 0))]


@pytest.mark.parametrize("names", ["q_1 q_2", "q1 q2", "theta_1 theta_2", "theta1 theta2"])
def test_the_joint_variable_in_its_cell(names):
    q1, q2 = sympy.symbols(names, real=True)
    plain = art.derive(art.from_dh([art.DH(a=l1), art.DH(theta=sympy.pi / 2, a=l2)], links=BODIES))
    table = art.derive(art.from_dh([art.DH(q1, a=l1), art.DH(q2 + sympy.pi / 2, a=l2)], links=BODIES))
    assert table.M == plain.M and table.c == plain.c and table.g == plain.g


def test_the_joint_variable_of_a_slider():
    d1, offset = sympy.symbols("d_1 h", real=True)
    body = [art.Inertia(m1)]
    table = art.derive(art.from_dh([art.DH(d=d1 + offset, joint="prismatic")], links=body))
    plain = art.derive(art.from_dh([art.DH(d=offset, joint="prismatic")], links=body))
    assert table.U == plain.U


def test_what_is_no_joint_variable_stays_a_symbol_or_is_refused():
    twice = sympy.Symbol("theta_1", real=True)
    robot = art.from_dh([art.DH(2 * twice, a=l1), art.DH(a=l2)], links=BODIES)
    assert "theta_1" in {p.name for p in art.derive(robot).parameters}
    with pytest.raises(art.ModelError, match="q_1"):
        art.derive(art.from_dh([art.DH(a=l1), art.DH(sympy.Symbol("q_1"), a=l2)], links=BODIES))


def test_symbols_by_name():
    eq = art.derive("2r")
    assert eq.symbol("l_1") in eq.parameters and eq.symbol("qd_2") == eq.v[1]
    with pytest.raises(art.UnknownName, match="l_1"):
        eq.symbol("l_3")


def test_one_name_with_two_assumptions_is_said():
    other = sympy.Symbol("l_1")
    robot = art.from_dh([art.DH(a=l1), art.DH(a=other)], links=BODIES)
    with pytest.raises(art.ModelError, match=r"2 different symbols called 'l_1'"):
        art.derive(robot)


def test_an_asymmetric_inertia_is_refused():
    a, b = sympy.symbols("a b", positive=True)
    for about in ([[1, a, 0], [b, 1, 0], [0, 0, 1]], [[1, 0.1, 0], [0.2, 1, 0], [0, 0, 1]]):
        link = art.Link("rock", None, art.Revolute((0, 0, 1)), inertia=art.Inertia(m1, (0, 0, 0), about))
        with pytest.raises(art.ModelError, match=r"'rock'.*not symmetric"):
            art.derive(art.build([link]))


@pytest.mark.parametrize("name", ["c_2", "s1"])
def test_a_parameter_called_like_a_cosine_is_remarked_on(name):
    length = sympy.Symbol(name, positive=True)
    with pytest.warns(art.ModelWarning, match=name):
        art.derive(art.from_dh([art.DH(a=length), art.DH(a=l2)], links=BODIES))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        art.derive("2r")


def test_matrices_of_sympy_are_taken():
    column, diagonal = sympy.Matrix([l1, 0, 0]), sympy.diag(0, 0, sympy.Rational(1, 2))
    link = art.Link("rod", None, art.Revolute((0, 0, 1)), inertia=art.Inertia(m1, list(column), diagonal))
    assert art.derive(art.build([link])).M[0, 0] == m1 * l1**2 + sympy.Rational(1, 2)


def test_notebooks_show_what_fits():
    assert "ddot{q}" in art.derive("2r")._repr_latex_()
    assert lecture("stanford")._repr_latex_() is None
    assert np.shape(art.derive("2r").M) == (2, 2)


# -- letters of one's own ---------------------------------------------------------------------


def test_coordinates_in_ones_own_letters():
    usual, own = art.derive("2r"), art.derive("2r", letters="theta")
    assert [str(x) for x in (*own.q, *own.v, *own.a)] == [
        "theta_1", "theta_2", "thetadot_1", "thetadot_2", "thetaddot_1", "thetaddot_2",
    ]  # fmt: skip
    old, new = ([*eq.q, *eq.v, *eq.a] for eq in (usual, own))
    for name in ("M", "C", "c", "g", "tau"):
        assert getattr(usual, name).subs(dict(zip(old, new, strict=True))) == getattr(own, name)
    assert own.check() and own.subs({"l_1": 2}).q == own.q and own.symbol("thetadot_2") == own.v[1]
    assert r"\ddot{\theta}_{2}" in own.latex("tau") and r"\dot{\theta}_{1}" in sympy.latex(own.v)


def test_letters_of_some_joints_and_a_students_own_symbols():
    x = sympy.Symbol("x")  # not declared real: it stays the student's
    eq = art.derive("cart_pole", letters=[x, "phi"])
    assert eq.q[0] is x and eq.M.diff(sympy.Symbol("phi", real=True)) != sympy.zeros(2, 2)
    slider = art.load("cart_pole").joint_names[0]
    assert [str(q) for q in art.derive("cart_pole", letters={slider: "x"}).q] == ["x", "q_2"]
    assert [str(q) for q in art.derive("cart_pole", letters="x, phi").v] == ["xdot", "phidot"]


def test_the_joint_variable_in_its_cell_in_any_letter():
    phi, s = sympy.symbols("phi s")
    rows = [art.DH(phi + sympy.pi / 2, alpha=sympy.pi / 2), art.DH(d=s + l1, joint="prismatic")]
    bodies = [art.Inertia(m1, (0, 0, l1), m1), art.Inertia(m2)]
    plain_rows = [art.DH(sympy.pi / 2, alpha=sympy.pi / 2), art.DH(d=l1, joint="prismatic")]
    for convention in ("standard", "modified"):
        table = art.derive(art.from_dh(rows, convention, bodies), letters=[phi, s])
        plain = art.derive(art.from_dh(plain_rows, convention, bodies), letters=[phi, s])
        assert table.M == plain.M and table.g == plain.g and table.check()


@pytest.mark.parametrize(
    ("letters", "words"),
    [
        ("a, b, c", "2 names"),
        (["x", "x"], "two things"),
        (["x", "xdot"], "two things"),
        (["l_1", "x"], "joint variable"),
        ({"joint9": "x"}, "joint1"),
        ({"joint1": ["x", "y"]}, "1 coordinates"),
        (["1x", "y"], "not a name"),
        ([sympy.Symbol("x", imaginary=True), "y"], "not a name"),
        (7, "names of the coordinates"),
    ],
)
def test_letters_that_are_none(letters, words):
    with pytest.raises(art.ArticulatedError, match=words):
        art.derive("2r", letters=letters)


def test_a_variable_that_acts_elsewhere_is_refused():
    phi = sympy.Symbol("phi")
    for row in (art.DH(2 * phi), art.DH(a=phi), art.DH(alpha=phi)):
        with pytest.raises(art.ModelError, match="phi"):
            art.derive(art.from_dh([row, art.DH(a=l2)], links=BODIES), letters=[phi, "q_2"])


# -- what SymPy's users write -----------------------------------------------------------------


def test_columns_rows_diagonals_and_one_number():
    column, row = sympy.Matrix([l1, 0, 0]), sympy.Matrix([[l1, 0, 0]])
    same = [art.Inertia(m1, com).com.tolist() for com in ((l1, 0, 0), column, row)]
    assert same[0] == same[1] == same[2]
    assert art.Transform(p=column).p.tolist() == [l1, 0, 0]
    assert art.Revolute(sympy.Matrix([0, 0, 1])).axis.tolist() == [0, 0, 1]
    I = sympy.Symbol("I_1", positive=True)
    for given, wanted in (
        ((1, 2, 3), np.diag([1, 2, 3])), (sympy.Matrix([1, 2, 3]), np.diag([1, 2, 3])),
        (np.array([1.0, 2.0, 3.0]), np.diag([1, 2, 3])), (0.5, 0.5 * np.eye(3)),
        (sympy.diag(1, 2, 3), np.diag([1, 2, 3])),
    ):  # fmt: skip
        assert (np.array(art.Inertia(m1, (0, 0, 0), given).about_com, float) == wanted).all()
    plane = art.derive(art.from_dh([art.DH(a=l1)], links=[art.Inertia(m1, (0, 0, 0), I)], gravity=column * 0))
    assert plane.M[0, 0] == I + l1**2 * m1
    for wrong in ((1, 2), "I", True, [[1, 2, 3]], object()):
        with pytest.raises(art.ArticulatedError):
            art.Inertia(m1, (0, 0, 0), wrong)


def test_a_table_as_one_matrix_and_exact_numbers_on_the_numeric_side(rng):
    half, third = sympy.pi / 2, sympy.Rational(1, 3)
    table = sympy.Matrix([[0, third, 0, half], [half, 0, sympy.sqrt(2), 0]])
    bodies = [art.Inertia(sympy.Rational(3, 2), sympy.Matrix([third, 0, 0]), third)] * 2
    exact = art.from_dh(table, links=bodies)
    floats = art.from_dh(
        [art.DH(0, 1 / 3, 0, np.pi / 2), art.DH(np.pi / 2, 0, 2**0.5, 0)],
        links=[art.Inertia(1.5, (1 / 3, 0, 0), np.eye(3) / 3)] * 2,
    )
    q, v, a = rng.normal(size=(3, 2))
    assert near(exact.inverse_dynamics(q, v, a), floats.inverse_dynamics(q, v, a))
    assert near(exact.pose(q, "link2"), floats.pose(q, "link2")) and exact.mass == 3.0
    M = art.derive(exact).M
    assert not M.has(sympy.Float) and M.has(sympy.sqrt(2))
    assert near(np.array(M.subs(dict(zip(art.derive(exact).q, q, strict=True))), float), floats.mass_matrix(q))


@pytest.mark.parametrize(("cell", "said"), [({"alpha": 90}, "alpha = 90"), ({"theta": -45.0}, "theta = -45")])
def test_degrees_are_remarked_on(cell, said):
    with pytest.warns(art.ModelWarning, match=said):
        art.from_dh([art.DH(**cell)])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        art.from_dh([art.DH(alpha=np.pi / 2), art.DH(theta=6), art.DH(alpha=-6.5), art.DH(d=90, a=90)])


def own_numbers(robot, letters):
    """Number of every letter: lengths and inertias of the bodies in the frames of their joints."""
    found = {}
    for b, link in zip(robot.model.bodies, letters.links, strict=True):
        placement = b.parent.tail @ b.placement if b.parent else b.placement
        inertia = b.inertia.moved_out(b.tail)
        for letter, number in zip(
            [*link.placement.p, link.inertia.mass, *link.inertia.com, *link.inertia.about_com.flat],
            [*placement.p, inertia.mass, *inertia.com, *inertia.about_com.flat],
            strict=True,
        ):
            if getattr(letter, "free_symbols", None):
                (symbol,) = letter.free_symbols
                found[symbol] = float(number / letter.coeff(symbol))
    return found


@pytest.mark.parametrize("name", ["2r", "cart_pole", "acrobot", "scara", "stanford", "tree4"])
def test_letters_of_a_textbook_mean_the_robot(name, rng):
    """Lengths and inertias are letters; with the robot's numbers it is the robot again."""
    robot = art.load(name)
    eq = art.derive(robot, symbols="all")
    if name == "2r":
        assert str(eq.M) == str(art.derive("2r").M) and str(eq.g) == str(art.derive("2r").g)
    values = own_numbers(robot, eq.model) | {
        sympy.Symbol("g_0", positive=True): float(abs(np.array(robot.gravity)).max())
    }
    q = rng.uniform(-1, 1, robot.nv)
    at = {**values, **dict(zip(eq.q, q, strict=True))}
    M = np.array(eq.M.subs(at).evalf(), float)
    assert np.allclose(M, robot.mass_matrix(q), atol=1e-9 * abs(M).max())
    g = np.array(eq.g.subs(at).evalf(), float)[:, 0]
    assert np.allclose(g, robot.gravity_forces(q), atol=1e-9 * max(1.0, abs(g).max()))


def test_numbers_of_a_robot_with_symbols_name_them():
    robot = art.from_dh([art.DH(a=l1)], links=[art.Inertia(m1)])
    for ask in (lambda: robot.mass, lambda: robot.mass_matrix([0.1]), lambda: robot.parameters):
        with pytest.raises(art.ArticulatedError, match="symbols l_1, m_1"):
            ask()


def test_notebooks_show_dots_and_no_pages():
    eq = art.derive("2r")
    assert r"\dot{q}_{1}" in eq.c._repr_latex_() and r"\ddot{q}" in (eq.M * eq.a)._repr_latex_()
    assert sympy.Matrix(eq.M) == eq.M and hash(eq.M) == hash(art.derive("2r").M)
    long = lecture("stanford")
    assert long.M._repr_latex_() is None
    for shown in (long.coefficients(), long.moving_frames, art.derive("3r").linearize([0, 0, 0])):
        text = shown._repr_latex_()
        assert text is None or len(text) < 20_100


def test_derive_means_the_same_on_the_command_line(tmp_path, capsys):
    """Names, letters, symbols: one function is behind both."""
    import json

    from articulated.cli.app import app

    for words, given in (
        (["2r"], {"robot": "2r"}),
        (["cart_pole", "--letters", "x,theta"], {"robot": "cart_pole", "letters": "x,theta"}),
        (["scara", "--symbols"], {"robot": "scara", "symbols": True}),
    ):
        with pytest.raises(SystemExit):
            app(["derive", *words, "--what", "M,g", "--json"])
        record = json.loads(capsys.readouterr().out)
        eq = art.derive(**given)
        assert record["q"] == [str(x) for x in eq.q] and record["v"] == [str(x) for x in eq.v]
        assert record["quantities"]["M"] == [[str(x) for x in row] for row in eq.M.tolist()]


def test_a_length_may_be_any_function_of_letters():
    beta, m, l = sympy.symbols("beta m l", positive=True)
    rows = [art.DH(a=l * sympy.tan(beta)), art.DH(a=sympy.exp(beta) * sympy.sqrt(l))]
    eq = art.derive(art.from_dh(rows, links=[art.Inertia(m)] * 2))
    assert eq.check(states=3).proven and eq.M[1, 1] == m * l * sympy.exp(2 * beta)
