"""Sentences that were once false, each tried on the robot that made it so, and on its neighbors."""

import re

import numpy as np
import pytest
import sympy

import articulated as art
from articulated.symbolic.equations.definiteness import positive_definiteness
from articulated.symbolic.equations.notation import STYLES
from articulated.symbolic.equations.presentation import readable
from articulated.symbolic.equations.questions import constant_inertia, in_a_plane, no_gravity
from articulated.symbolic.pages.answers import question_sections
from articulated.symbolic.ring.convert import in_ring
from tests.symbolic.random_pages import random_equations
from tests.symbolic.robots import Y, Z, lecture, robots

X = (1, 0, 0)
m, l, g0 = sympy.symbols("m l g_0", positive=True)
half = sympy.Rational(1, 2)


def answers(eq) -> str:
    return str(eq.questions())


def two_links(a1):
    """A counterweight and a wheel on a hinge, the wheel at a1: g is proportional to d_1 m_1 + a1 m_2."""
    m1, m2, d1 = sympy.Symbol("m_1", positive=True), sympy.Symbol("m_2", positive=True), sympy.Symbol("d_1", real=True)
    wheel = art.Inertia(m2, (0, 0, 0), [[0, 0, 0], [0, 0, 0], [0, 0, m]])
    links = [art.Link("arm", None, art.Revolute(Z), inertia=art.Inertia(m1, (d1, 0, 0)))]
    links.append(art.Link("wheel", "arm", art.Revolute(Z), art.Transform(p=(a1, 0, 0)), wheel))
    return art.derive(art.build(links, gravity=(0, -g0, 0)))


# -- Q3 -----------------------------------------------------------------------------------


@pytest.mark.parametrize("angle", [sympy.pi / 4, sympy.pi / 6, sympy.pi / 3, 0])
def test_a_thin_rod_in_letters_is_not_taken_for_a_body(angle):
    """A rod without thickness, mounted obliquely on a universal joint: det M vanishes where it lies along the axis."""
    along = sympy.Matrix([sympy.cos(angle), 0, sympy.sin(angle)])
    about = (m * l**2 / 12 * (sympy.eye(3) - along * along.T)).tolist()
    links = [art.Link("yoke", None, art.Revolute(X))]
    links.append(art.Link("rod", "yoke", art.Revolute(Y), inertia=art.Inertia(m, (0, 0, 0), about)))
    eq = art.derive(art.build(links))
    found = positive_definiteness(eq)
    assert not found.positive_definite and found.exceptions
    singular = {eq.q[1]: -angle if sympy.det(eq.M).subs(eq.q[1], -angle) == 0 else angle}
    assert sympy.simplify(sympy.det(eq.M).subs(singular)) == 0
    assert any(abs(complex(x.subs({**singular, m: 1, l: 1}))) < 1e-12 for x in found.exceptions)


def test_a_full_tensor_of_letters_still_is_definite():
    I = sympy.symbols("I_xx I_yy I_zz I_xy I_xz I_yz", real=True)
    about = [[I[0], I[3], I[4]], [I[3], I[1], I[5]], [I[4], I[5], I[2]]]
    links = [art.Link("yoke", None, art.Revolute(X))]
    links.append(art.Link("body", "yoke", art.Revolute(Y), inertia=art.Inertia(m, (0, 0, 0), about)))
    assert positive_definiteness(art.derive(art.build(links))).positive_definite


def test_one_square_is_one():
    eq = art.derive(art.build([art.Link("bob", None, art.Revolute(Y), inertia=art.Inertia(m, (l, 0, 0)))]))
    assert "1 squares" not in answers(eq) and "2 T is one square" in answers(eq)


# -- Q1, Q2 -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "a1", [sympy.sqrt(3), sympy.sqrt(2) / 2, sympy.sqrt(96), 1 + sympy.sqrt(5), sympy.Rational(7, 3)]
)
def test_exact_irrational_numbers_stay_in_conditions(a1):
    eq = two_links(a1)
    (solution,) = no_gravity(eq).solutions
    assert all(sympy.simplify(x.subs(solution)) == 0 for x in eq.g)
    m1, m2, d1 = (eq.symbol(name) for name in ("m_1", "m_2", "d_1"))
    assert sympy.simplify(solution[d1] + a1 * m2 / m1) == 0
    question_sections(eq, 1500)  # the second way agrees


def test_a_plane_at_45_degrees_is_never_balanced():
    slanted = -g0 * sympy.sqrt(2) / 2
    eq = art.derive(
        art.build(
            [art.Link("bob", None, art.Revolute(Z), inertia=art.Inertia(m, (l, 0, 0)))], gravity=(0, slanted, slanted)
        )
    )
    assert "Q2: when does gravity vanish?\n  Never" in answers(eq) and "0 = 1" not in answers(eq)


def test_the_factor_that_does_not_vanish_is_the_robots_number():
    """g = -58.86 c_1 is not 1 times anything, and the weight of a slider is no function of the configuration."""
    eq = art.derive(
        art.build(
            [art.Link("a", None, art.Revolute(Y), inertia=art.Inertia(6, (1, 0, 0), [[l, 0, 0], [0, l, 0], [0, 0, l]]))]
        )
    )
    assert no_gravity(eq).vanishing == (sympy.Float("58.86", 15),)
    assert "58.86 is the factor of -c1 in g" in answers(eq)
    slider = art.derive(art.build([art.Link("a", None, art.Prismatic(Z), inertia=art.Inertia(m))], gravity=(0, 0, -g0)))
    assert "m g0 is the constant part of g" in answers(slider)
    upside_down = art.build([art.Link("a", None, art.Prismatic(Z), inertia=art.Inertia(m))], gravity=(0, 0, g0))
    assert "m g0 is minus the constant part of g" in answers(art.derive(upside_down))


def test_the_robot_moves_in_a_plane_only_if_it_does():
    slider = art.derive(art.build([art.Link("a", None, art.Prismatic(Z), inertia=art.Inertia(m))], gravity=(0, 0, -g0)))
    assert not in_a_plane(slider) and not in_a_plane(lecture("bar_disc"))
    assert in_a_plane(lecture("2r")) and in_a_plane(lecture("3r")) and not in_a_plane(lecture("stanford"))


def test_a_robot_without_mass_does_not_rest():
    d = sympy.Symbol("d", real=True)
    bob = art.Link("bob", None, art.Revolute(Y), inertia=art.Inertia(m, (d, 0, 0)))
    assert "rests in every" not in answers(art.derive(art.build([bob], gravity=(0, 0, -g0))))
    big = sympy.Symbol("M", positive=True)  # a difference of masses that vanishes
    bob = art.Link("bob", None, art.Revolute(Y), inertia=art.Inertia(big - m, (1, 0, 0)))
    text = answers(art.derive(art.build([bob], gravity=(0, 0, -g0))))
    assert "M - m = 0" in text and "rests in every" not in text
    with pytest.raises(art.ModelError, match="negative"):
        art.derive(art.build([art.Link("bob", None, art.Revolute(Y), inertia=art.Inertia(-m, (1, 0, 0)))]))


@pytest.mark.parametrize("seed", range(12))
def test_rounding_is_no_gravity(seed):
    """The first axis lies along gravity, in a direction of no special numbers: it carries no weight."""
    rng = np.random.default_rng(seed)
    first, second = (x / np.linalg.norm(x) for x in rng.normal(size=(2, 3)))
    body = art.Inertia(float(rng.uniform(1e-3, 1e3)), rng.normal(size=3).tolist(), 0.1)
    links = [art.Link("a", None, art.Revolute(first.tolist()), inertia=body)]
    links.append(art.Link("b", "a", art.Revolute(second.tolist()), art.Transform(p=rng.normal(size=3).tolist()), body))
    eq = art.derive(art.build(links, gravity=(-9.81 * first).tolist()))
    assert eq.g[0] == 0 and eq.g[1] != 0


# -- derivations that were refused, or merged what is not the same -------------------------


@pytest.mark.parametrize("small", [8.2e-4, 1e-9])
def test_a_small_body_on_a_large_one_has_mass(small):
    crane = art.Link("jib", None, art.Revolute(Z), inertia=art.Inertia(50000, (30, 0, 0), 10.0))
    body = art.Inertia(small, (0, 0, 0), small)
    camera = art.Link("camera", "jib", art.Revolute(X), art.Transform(p=(30, 0, 0)), body)
    eq = art.derive(art.build([crane, camera]))
    assert float(eq.M[1, 1]) == pytest.approx(small) and eq.check()
    with pytest.raises(art.ModelError, match="singular"):  # the same axis twice
        art.derive(
            art.build([crane.replace(inertia=art.Inertia()), art.Link("b", "jib", art.Revolute(Z), inertia=body)])
        )


def test_letters_of_elastic_joints_and_of_constraints_are_new():
    J, K = sympy.symbols("J_1 K_1", positive=True)
    theta, tau = sympy.symbols("theta_1 tau_1", positive=True)
    rod = art.Inertia(m, (theta, 0, 0), [[0, 0, 0], [0, 0, 0], [0, 0, J]])
    links = [art.Link("a", None, art.Revolute(Z), inertia=rod)]
    links.append(art.Link("b", "a", art.Revolute(Z), art.Transform(p=(K, 0, 0)), art.Inertia(tau, (1, 0, 0))))
    eq = art.derive(art.build(links))
    soft = eq.elastic()
    assert soft.M[:2, :2] == eq.M and not soft.M[2:, 2:].free_symbols & set(eq.parameters)
    assert len({*map(str, soft.q), *map(str, soft.parameters)}) == len(soft.q) + len(soft.parameters)
    found = eq.constrain([eq.q[0] - eq.q[1]])
    assert not {s.name for s in found.tau} & {p.name for p in eq.parameters}


@pytest.mark.parametrize("offset", [sympy.pi / 3, sympy.pi / 4, -sympy.pi / 6, sympy.pi / 5, 0.3])
def test_mimic_joints_take_exact_offsets(offset):
    body = art.Inertia(1, (0.1, 0, 0.2), 0.1)
    links = [art.Link("a", None, art.Revolute(Z, name="j"), inertia=body)]
    follows = art.Revolute(Y, name="k", mimic=art.Mimic("j", -2, offset))
    links.append(art.Link("b", "a", follows, art.Transform(p=(0.3, 0, 0)), body))
    robot = art.build(links)
    at = art.derive(robot).M.subs("q_1", 0.7)[0]
    q = sympy.Symbol("q_1", real=True)
    assert float(art.derive(robot).M[0].subs(q, 0.7)) == pytest.approx(robot.mass_matrix([0.7])[0, 0], rel=1e-13), at


def test_a_symbolic_pitch_beside_a_ball():
    h = sympy.Symbol("h", positive=True)
    body = art.Inertia(1, (0.1, 0, 0), 0.1)
    links = [art.Link("screw", None, art.Helical(Z, pitch=h), inertia=body)]
    links.append(art.Link("ball", "screw", art.Spherical(), art.Transform(p=(0.3, 0, 0)), body))
    assert art.derive(art.build(links)).check()


@pytest.mark.parametrize("twist", [sympy.pi / 7, 2 * sympy.pi / 9, sympy.pi / 9 + sympy.Symbol("beta"), sympy.E])
def test_angles_whose_cosines_have_no_roots_are_taken_too(twist):
    body = art.Inertia(1, (0.1, 0, 0.2), 0.1)
    eq = art.derive(art.from_dh([art.DH(a=1, alpha=twist), art.DH(a=1)], links=[body, body]))
    assert eq.check() and eq.derivation()


@pytest.mark.parametrize("pitch", [sympy.Symbol("h", positive=True) / (2 * sympy.pi), sympy.sqrt(2) / sympy.pi])
def test_a_pitch_per_turn_has_coefficients(pitch):
    m, r = sympy.symbols("m r", positive=True)
    screw = art.Link("screw", None, art.Helical(Z, pitch=pitch), inertia=art.Inertia(m, (r, 0, 0), 0))
    eq = art.derive(art.build([screw], gravity=(0, 0, -g0)))
    found = eq.coefficients("g_0")
    assert sympy.simplify((found.Y * found.expressions - eq.tau)[0]) == 0


@pytest.mark.parametrize("name", ["a_2", "a", "a2", "psi"])
def test_coefficients_have_a_letter_of_their_own(name):
    """A length a_2 is not the coefficient a_2, with which M was another; psi is no p."""
    length = sympy.Symbol(name, real=True)
    bodies = [art.Inertia(sympy.Symbol(f"m_{k}", positive=True), (-sympy.Symbol(f"d_{k}"), 0, 0), 0) for k in (1, 2)]
    eq = art.derive(art.from_dh([art.DH(a=length), art.DH(a=l)], links=bodies, gravity=(0, -g0, 0)))
    found = eq.coefficients("geometry")
    assert found.letter == ("a" if name == "psi" else "p")
    put = dict(zip(found.symbols, found.expressions, strict=True))
    assert sympy.expand(found.M.subs(put) - eq.M) == sympy.zeros(2, 2)
    assert "tau = Y p" in eq.derivation()


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("robot", ["2r", "scara", "cart_pole"])
def test_a_page_names_coefficients_as_the_call_beside_them_does(robot, style):
    eq = art.derive(robot)
    page = eq.derivation("text", style=style)
    call, letter = re.search(r"in Python: eq\.(.*?\))", page)[1], re.search(r"= Y ([a-z])[;.]", page)[1]
    found = eval(f"eq.{call}", {"eq": eq})
    assert found.letter == letter and all(f"\n  {c.name.replace('_', '')} = " in page for c in found)


@pytest.mark.parametrize("axis", [(1, 2, 2), (1, 1, 0), (2, -3, 6), (1, 1, 1)])
def test_axes_of_whole_numbers_are_exact(axis):
    body = art.Inertia(sympy.Symbol("m", positive=True), (0, l, 0))
    eq = art.derive(art.build([art.Link("a", None, art.Revolute(axis), inertia=body)], gravity=(0, 0, -g0)))
    assert not eq.M.has(sympy.Float) and not eq.g.has(sympy.Float)
    size = sum(x * x for x in axis)
    assert sympy.simplify(eq.M[0] - eq.symbol("m") * l**2 * sympy.Rational(size - axis[1] ** 2, size)) == 0


def scara():
    """Two hinges, a slider, a hinge, all along z."""
    body = art.Inertia(1, (0.1, 0.2, 0.3), 0.1)
    links = [art.Link("a", None, art.Revolute(Z), inertia=body)]
    links.append(art.Link("b", "a", art.Revolute(Z), art.Transform(p=(1, 0, 0)), body))
    links.append(art.Link("c", "b", art.Prismatic(Z), art.Transform(p=(1, 0, 0)), body))
    return art.derive(art.build([*links, art.Link("d", "c", art.Revolute((0, 0, -1)), inertia=body)]))


def test_absolute_angles_reach_behind_a_slider():
    eq = scara()
    changed = eq.change("absolute")
    assert changed.old[eq.q[3]] == sympy.Symbol("p_2", real=True) - sympy.Symbol("p_4", real=True)
    assert sympy.simplify(changed.M[0, 3].diff(sympy.Symbol("p_2", real=True))) == 0
    T = sympy.simplify(changed.T.subs(dict(zip(changed.v, sympy.symbols("a b c d"), strict=True))))
    q = {**changed.old}
    rates = dict(zip(eq.v, changed.jacobian * sympy.Matrix(sympy.symbols("a b c d")), strict=True))
    left = sympy.expand(sympy.expand_trig(T - eq.T.subs({**q, **rates}, simultaneous=True)))
    assert all(abs(c) < 1e-14 for c in left.as_coefficients_dict().values())


# -- what takes too long is said ----------------------------------------------------------


def general(n, twists=()):
    """Spatial, with a letter for everything, twists too if they are given."""
    rows, links = [], []
    for k in range(1, n + 1):
        a, d, mass = sympy.symbols(f"a_{k} d_{k} m_{k}", positive=True)
        com = sympy.symbols(f"x_{k} y_{k} z_{k}", real=True)
        I = {(i, j): sympy.Symbol(f"I{'xyz'[i]}{'xyz'[j]}_{k}", real=True) for i in range(3) for j in range(i, 3)}
        rows.append(art.DH(a=a, d=d, alpha=twists[k - 1] if twists else sympy.pi / 2 * (-1) ** k))
        links.append(art.Inertia(mass, com, [[I[min(i, j), max(i, j)] for j in range(3)] for i in range(3)]))
    return art.from_dh(rows, links=links, gravity=(0, 0, -g0))


def test_quotients_that_would_fill_a_book_are_refused():
    with pytest.raises(art.ModelError, match="give some of the letters numbers"):
        art.explain("aba", general(3))
    eq = art.derive(general(4))
    with pytest.raises(art.ModelError, match="give some of the letters numbers"):
        art.explain("aba", general(2, sympy.symbols("alpha_1 alpha_2")))
    for asked in (eq.inverse, eq.state_space, lambda: eq.linearize(list(sympy.symbols("x_1:5")))):
        with pytest.raises(art.ModelError, match="give some of the letters numbers"):
            asked()


# -- code ---------------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["matlab", "julia"])
def test_headers_name_the_arguments(form):
    end, M = sympy.symbols("end M", positive=True)
    eq = art.derive(art.build([art.Link("a", None, art.Revolute(Y), inertia=art.Inertia(M, (end, 0, 0)))]))
    head = eq.export(form, "M")
    assert "M_p (M)" in head and "end_p (end)" in head


@pytest.mark.parametrize("signs", [(1, 1), (1, -1), (-1, 1), (-1, -1)])
@pytest.mark.parametrize("number", [sympy.Rational(7, 3), sympy.Rational(1, 2), 4, 2])
def test_squares_that_are_completed_are_the_same(signs, number):
    """-7/3 (x + y)² was once printed as -7/3 (x - y)²."""
    eq = art.derive("3r")
    x, y, l1 = eq.v[0], eq.v[2], eq.symbol("l_1")
    front, inner = signs
    given = front * number * (x + inner * sympy.Rational(3, 10) * y * l1) ** 2
    assert sympy.expand(readable(eq.state, in_ring(eq.state.ring, sympy.expand(given))) - given) == 0


# -- found by random robots ---------------------------------------------------------------


def test_base_parameters_with_letters_beside_roots_are_exact():
    """A twist of 45 degrees and lengths that are letters were refused together."""
    l = sympy.Symbol("l_1", positive=True)
    body = art.Inertia(1, (1, 2, 3), [[7, 1, 2], [1, 8, 3], [2, 3, 9]])
    eq = art.derive(art.from_dh([art.DH(a=l, alpha=sympy.pi / 4), art.DH(a=l)], links=[body] * 2))
    found = eq.base_parameters()
    values = sympy.Matrix([sympy.sympify(x) for x in found.values])
    at = {s: sympy.Rational(k + 1, 7) for k, s in enumerate((*eq.q, *eq.v, *eq.a, l))}
    assert max(abs(x) for x in (found.Y * values - eq.tau).subs(at).evalf(30)) < 1e-14


def test_a_joint_that_follows_adds_its_own_velocity_to_the_recursion():
    """The page named the velocity of the next coordinate, or ended in an IndexError where there was none."""
    body = art.Inertia(1.0, (0.1, 0, 0), 0.1)
    links = [art.Link("first", None, art.Revolute(Z, name="j1"), inertia=body)]
    for k in (2, 3):
        joint = art.Revolute(Z, name=f"j{k}", mimic=art.Mimic("j1", 2.0) if k == 2 else None)
        links.append(art.Link(f"link{k}", links[-1].name, joint, art.Transform(p=(1.0, 0, 0)), body))
    text = art.derive(art.build(links)).derivation()
    assert "ω_i^J and v_i^J are the velocities that the joint itself adds" in text


def test_a_point_on_the_axis_is_no_contradiction():
    """Once the center of mass is on the axis M vanishes, too: rounding of g is held against weight and length."""
    x, y = sympy.symbols("x y", real=True)
    joint = art.Revolute((1, 2, 2), name="j")
    placement = art.Transform.from_rpy((1.1, 0, 0), (0, 0, 0.3))
    body = art.Inertia(sympy.Symbol("m_1", positive=True), (x, y, 1.0), [[0, 0, 0]] * 3)
    eq = art.derive(art.build([art.Link("a", None, joint, placement, body)], gravity=(0, -g0, -g0)))
    assert "Q2" in eq.derivation()


def test_solutions_that_are_never_real_are_not_offered():
    m, x = sympy.Symbol("m_2", positive=True), sympy.Symbol("x_2", real=True)
    links = [art.Link("a", None, art.Revolute((1, 0, 0)))]
    body = art.Inertia(m, (x, 0, 0), [[1, 0, 0], [0, 1, 0], [0, 0, 2]])
    eq = art.derive(art.build([*links, art.Link("b", "a", art.Revolute(Y), inertia=body)]))
    assert "I" not in str(eq.questions().constant_inertia) and "Q1" in eq.derivation()


def test_two_letters_that_are_printed_alike_are_remarked_on():
    body = [art.Inertia(sympy.Symbol(name, positive=True), (1, 0, 0)) for name in ("m1", "m_1")]
    links = [
        art.Link("a", None, art.Revolute(Y), inertia=body[0]),
        art.Link("b", "a", art.Revolute(Y), inertia=body[1]),
    ]
    with pytest.warns(art.ModelWarning, match="m1 and m_1 alike"):
        art.derive(art.build(links))


def test_numbers_beside_a_letter_of_gravity_have_base_parameters():
    """a_1 = 639801 and M_11 = a_1 (256 q_2²/40947253 + …) was printed once."""
    links = [art.Link("a", None, art.Revolute(Y), inertia=art.Inertia(3.0, (0.25, 0, 0), 0.25))]
    links.append(art.Link("b", "a", art.Revolute(Y), art.Transform(p=(0.7, 0, 0)), art.Inertia(2.0, (0.2, 0, 0), 0.1)))
    text = art.derive(art.build(links, gravity=(0, 0, -g0))).derivation()
    assert "The base parameters" in text and "(C qd)_x" not in text


def test_conditions_are_solved_at_once_and_by_a_robot():
    """A system with roots, which Gröbner bases take forever for; m_2 y_2 + m_3 y_3 = 0, which m_2 < 0 would solve."""
    eq, _ = random_equations(np.random.default_rng(918))
    found = no_gravity(eq)
    assert all(sympy.simplify(x.subs(s)) == 0 for s in found.solutions or () for x in found.vanishing)
    eq, _ = random_equations(np.random.default_rng(100341))
    found = constant_inertia(eq)
    assert len(found.vanishing) == 3
    assert not any(p.is_positive and x.could_extract_minus_sign() for s in found.solutions or () for p, x in s.items())


def test_letters_are_read_as_they_are_printed():
    m1, big = sympy.symbols("m1 Gamma_1", positive=True)
    link = art.Link("arm", None, art.Revolute(Z), inertia=art.Inertia(m1, (big, 0, 0)))
    eq = art.derive(art.build([link]))
    assert eq.check_answer(M=r"m_1 \Gamma_1^2") and eq.check_answer(M="m1 Γ1²")


def test_numbers_and_signs_are_those_a_person_writes():
    """v_2, not 1 v_2; -x (0.35 c + 0.3), not x (-0.35 c - 0.3); no 6/7 of 0.3 and 0.35; -(a + b), not (-a - b)."""
    page = art.derive(art.load("scara")).derivation("tex") + art.derive(robots()["floating_pair"]).derivation("tex")
    assert not re.search(r"(?<![0-9.])1 ?[vqp]_", page) and "}{7}" not in page
    assert r"\left(- 0.35 c_{2} - 0.3\right)" not in page
    assert r"\left(- \dot{q}_{2} - \dot{q}_{3}\right)" not in lecture("3r").derivation("tex")


def test_forces_of_springs_are_not_called_gravity():
    """A robot without gravity was said to have some that does not vanish, and every spring to be one of a joint."""
    body = art.Inertia(m, (l, 0, 0))
    hinged = art.build([art.Link("a", None, art.Revolute(Z, stiffness=2.0), inertia=body)], gravity=(0, 0, 0))
    tied = art.load("2r").add_springs([art.Spring("tip", (0, 1, 0), 1.0, 0.5)])
    for robot, said in ((hinged, "(q - q0)^2"), (tied, "(l - l0)^2")):
        text = art.derive(robot).derivation("text")
        assert said in text and text.count("Springs ") == 1
        assert "does gravity vanish" not in text and "Gravity forces" not in text
        assert "Q2: when do gravity and springs exert no force?" in text and "Forces of gravity and springs" in text


def test_the_sign_of_a_factor_that_does_not_vanish():
    """M_12 = -m l sin q_2 of a cart with a pendulum: m l is the factor of -s_2."""
    cart = art.Link("cart", None, art.Prismatic(X), inertia=art.Inertia(1))
    rod = art.Link("rod", "cart", art.Revolute(Z), inertia=art.Inertia(m, (l, 0, 0)))
    eq = art.derive(art.build([cart, rod], gravity=(0, 0, 0)))
    assert eq.M[0, 1] == -m * l * sympy.sin(eq.q[1]) and "m l is the factor of -s2 in M" in answers(eq)


@pytest.mark.parametrize("style", STYLES)
def test_letters_of_a_page_are_not_those_of_the_robot(style):
    """A cart of mass M, a pole of length L, damping C, masses T and u: each page letter the robot has gets a bar."""
    M, L, T, u, Q, g, Y = sympy.symbols("M L T u Q g Y_1", positive=True)
    links = [art.Link("cart", None, art.Prismatic(X, damping=Q), inertia=art.Inertia(M))]
    links.append(
        art.Link("pole", "cart", art.Revolute(Z), inertia=art.Inertia(T, (0, -L, 0), [[0] * 3, [0] * 3, [0, 0, u]]))
    )
    eq = art.derive(
        art.build([*links, art.Link("tip", "pole", art.Revolute(Z), inertia=art.Inertia(Y, (1, 0, 0)))], (0, -g, 0))
    )
    own = {p.name.partition("_")[0] for p in eq.parameters}
    page = eq.derivation("md", style=style)
    assert "have a bar" in page
    heads = set(re.findall(r"^(?:\\\\frac\{d.*?|)(\w+|\\\w+)(?:_\{[\d,]+\})? &=", page, re.M))
    assert not heads & own, heads
    assert "bar" not in art.derive("2r").derivation("md", style=style)
