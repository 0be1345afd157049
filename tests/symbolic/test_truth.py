"""Claims on pages, attacked: robots made so that a careless page would lie."""

import numpy as np
import pytest
import sympy

import articulated as art
from articulated.symbolic.equations import cross_checks as second_ways
from articulated.symbolic.equations.definiteness import positive_definiteness
from articulated.symbolic.equations.factorizations import factorizations
from articulated.symbolic.equations.questions import constant_inertia, depends_on, no_gravity
from articulated.symbolic.pages.answers import question_sections
from articulated.symbolic.pages.derivation import derivation
from articulated.symbolic.pages.setup import inertia_rows
from tests.symbolic.robots import Y, Z, robots

X = (1, 0, 0)
m, l, g0 = sympy.symbols("m l g_0", positive=True)


def said(eq) -> dict[str, str]:
    return {s.title: "".join(s.text) for s in derivation(eq)}


def point_on_two_axes(**second):
    """A point mass on a universal joint: M = diag(m l² c_2², m l²)."""
    links = [art.Link("yoke", None, art.Revolute(Z))]
    links.append(art.Link("arm", "yoke", art.Revolute(Y, **second), inertia=art.Inertia(m, (l, 0, 0))))
    return art.build(links, name="point")


# -- Q3 -----------------------------------------------------------------------------------


def test_a_singular_configuration_is_found():
    eq = art.derive(point_on_two_axes())
    found = positive_definiteness(eq)
    assert not found.positive_definite and found.exceptions == (sympy.cos(eq.q[1]),)
    text = said(eq)["Q3: is the inertia matrix always positive definite?"]
    assert "except where c_{2} = 0" in text and "for all q" not in text


def test_a_length_that_may_be_zero_is_an_exception():
    length = sympy.Symbol("l", real=True)
    eq = art.derive(art.build([art.Link("bob", None, art.Revolute(Y), inertia=art.Inertia(m, (length, 0, 0)))]))
    assert positive_definiteness(eq).exceptions == (length,)


def test_a_rotor_makes_it_definite():
    links = [art.Link("yoke", None, art.Revolute(Z, armature=0.1))]
    links.append(art.Link("arm", "yoke", art.Revolute(Y), inertia=art.Inertia(m, (l, 0, 0))))
    assert positive_definiteness(art.derive(art.build(links))).positive_definite


def random_robot(rng):
    """Revolute and prismatic joints along coordinate axes; masses at points, rods without thickness, nothing at all."""
    links, parent = [], None
    for k in range(int(rng.integers(1, 4))):
        kind = [art.Revolute, art.Revolute, art.Prismatic][rng.integers(3)]
        joint = kind((X, Y, Z)[rng.integers(3)])
        com = [float(x) for x in rng.integers(-1, 2, 3) * rng.integers(1, 4, 3) / 8]
        about = np.diag(rng.integers(0, 2, 3) * 0.25) if rng.random() < 0.5 else np.zeros((3, 3))
        mass = float(rng.integers(0, 3))
        inertia = art.Inertia(mass, com, about.tolist()) if mass else art.Inertia()
        place = art.Transform(p=[float(x) for x in rng.integers(-1, 2, 3) / 4])
        links.append(art.Link(f"link{k}", parent, joint, place, inertia))
        parent = f"link{k}"
    return art.build(links, gravity=(0, 0, -9.81) if rng.random() < 0.8 else (0, 0, 0))


def derived(rng):
    """Equations of a random robot whose inertia matrix is not singular everywhere."""
    while True:
        robot = random_robot(rng)
        try:
            return robot, art.derive(robot)
        except art.ModelError:
            continue


@pytest.mark.parametrize("seed", range(16))
def test_what_is_said_of_random_robots_is_true(seed):
    """Configurations are random and at multiples of a right angle, where factors vanish."""
    rng = np.random.default_rng(seed)
    robot, eq = derived(rng)
    special = rng.integers(-2, 3, (60, robot.nq)) * np.pi / 2
    q = np.concatenate([special, rng.normal(size=(30, robot.nq))])
    M, g = np.asarray(robot.mass_matrix(q)), np.asarray(robot.gravity_forces(q))
    least = np.linalg.eigvalsh(M)[:, 0] / abs(M).max(axis=(1, 2))
    found = positive_definiteness(eq)
    assert found.identity and (least > -1e-12).all()
    if found.positive_definite:
        assert (least > 1e-9).all()
    elif found.exceptions is not None:
        values = np.array([sympy.lambdify([list(eq.q)], list(found.exceptions))(x) for x in q], float)
        assert ((abs(values).min(axis=1) < 1e-9) == (least < 1e-12)).all()
    assert bool(depends_on(eq.state, eq.polynomials["M"])) == (np.ptp(M, axis=0).max() > 1e-9)
    assert no_gravity(eq).always == (abs(g).max() < 1e-9)
    assert all(f.gives_c for f in factorizations(eq))
    question_sections(eq, 1500)  # every second way agrees, or this raises


# -- Q1, Q2 -------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["floating_body", "planar"])
def test_a_constant_inertia_does_not_make_c_vanish_in_turning_axes(name):
    body = art.Inertia(2.0, (0.1, 0, 0), np.diag([0.1, 0.2, 0.3]).tolist())
    planar = art.build([art.Link("puck", None, art.Planar(Z), inertia=body)], name="planar")
    eq = art.derive(planar if name == "planar" else robots()[name])
    assert constant_inertia(eq).always and any(eq.c)
    text = said(eq)
    assert "c = 0" not in text["Q1: when is the inertia matrix constant?"]
    assert "Hamel" in text["The robot"]
    rows = next(s for s in derivation(eq) if s.title == "The robot").rows
    assert [left for left, _ in rows].count(r"\dot{q}") == 1
    assert [s.name for s in eq.v[:2]] == ["v_1", "v_2"] and [s.name for s in eq.a[:2]] == ["a_1", "a_2"]
    assert not any("dot{q}" in part for title, part in text.items() if title.startswith("Q"))


def test_a_planar_body_alone_has_no_centrifugal_force_at_its_center():
    """The one case where M is constant, v is in turning axes and c still is not zero: only the torque vanishes."""
    body = art.Inertia(2.0, (0, 0, 0), np.diag([0.1, 0.1, 0.1]).tolist())
    eq = art.derive(art.build([art.Link("puck", None, art.Planar(Z), inertia=body)]))
    v = eq.v
    assert eq.c == sympy.Matrix([-2 * v[1] * v[2], 2 * v[0] * v[2], 0])


def test_joints_of_two_freedoms_whose_velocities_are_rates_keep_the_dot():
    body = art.Inertia(1.0, (0.1, 0, 0), np.diag([0.1, 0.1, 0.1]).tolist())
    eq = art.derive(art.build([art.Link("quill", None, art.Cylindrical(Z), inertia=body)]))
    assert [s.name for s in eq.v] == ["qd_1", "qd_2"]


def test_positive_lengths_that_can_balance_are_not_called_impossible():
    """m_1 d_1 = m_2 d_2 with all four positive: balanced, and said so."""
    m1, m2, d1, d2 = sympy.symbols("m_1 m_2 d_1 d_2", positive=True)
    seesaw = [art.Link("left", None, art.Revolute(Y), inertia=art.Inertia(m1, (d1, 0, 0)))]
    seesaw.append(art.Link("right", "left", art.Fixed(), inertia=art.Inertia(m2, (-d2, 0, 0))))
    eq = art.derive(art.build(seesaw, gravity=(0, 0, -g0)))
    found = no_gravity(eq)
    assert found.solutions and "impossible" not in str(found)
    assert eq.subs(found.solutions[0]).g == sympy.zeros(1, 1)


def test_without_gravity_there_is_none():
    assert no_gravity(art.derive("2r")).without == (sympy.Symbol("g_0", positive=True),)
    text = said(art.derive("2r"))["Q2: when does gravity vanish?"]
    assert "g_{0} = 0: the robot moves in a horizontal plane" in text
    assert no_gravity(art.derive(art.load("2r"))).without == ()


# -- Q4 -----------------------------------------------------------------------------------


def test_the_cart_pole_has_a_factorization_that_is_not_skew():
    eq = art.derive(art.load("cart_pole"), symbols=True)
    found = {f.name: f for f in factorizations(eq)}
    assert found["christoffel"].skew and not found["nonskew"].skew and found["nonskew"].gives_c
    added = found["nonskew"].C - found["christoffel"].C
    assert (added * eq.v).expand() == sympy.zeros(2, 1) and added != sympy.zeros(2, 2)
    section = next(s for s in derivation(eq) if s.title.startswith("Q4"))
    letters = [left for left, _ in section.rows]
    assert r"\dot{M}" in letters and sum(left.startswith(r"\dot{M} - 2") for left in letters) == 2


def test_one_joint_has_one_factorization():
    eq = art.derive(robots()["pendulum"])
    assert all(f.skew for f in factorizations(eq))
    assert "There is no other" in said(eq)["Q4: factorizations of the velocity forces"]


def test_a_students_own_matrix():
    eq = art.derive("2r")
    v1, v2 = eq.v
    right = eq.factorization(eq.C + sympy.Matrix([[v2, -v1], [0, 0]]))
    assert right.gives_c and not right.skew and right
    assert not eq.factorization(eq.M)
    other = eq.factorization([[sympy.Symbol("qd_1"), 0], [0, 0]])  # by name, whatever its assumptions
    assert not other.gives_c
    with pytest.raises(art.ShapeError, match="2 × 2"):
        eq.factorization([[1, 2, 3]])
    with pytest.raises(art.UnknownName, match="x_7"):
        eq.factorization([[sympy.Symbol("x_7"), 0], [0, 0]])


# -- coefficients -------------------------------------------------------------------------


def test_friction_is_neither_gravity_nor_coriolis():
    body = art.Inertia(1.0, (0.1, 0, 0), np.diag([0.1, 0.1, 0.1]).tolist())
    joint = art.Revolute(Y, damping=0.2, friction=0.3)
    for eq in (
        art.derive(art.build([art.Link("bob", None, joint, inertia=body)])),
        art.derive(art.build([art.Link("bob", None, art.Revolute(Y, damping=sympy.Symbol("b")), inertia=body)])),
    ):
        found = eq.coefficients()
        assert not found.g.free_symbols & set(eq.v) and not found.g.atoms(sympy.sign)
        assert found.c == sympy.zeros(1, 1) and found.friction.free_symbols & set(eq.v)
        assert (found.tau - found.Y * sympy.Matrix(found.symbols)).expand() == sympy.zeros(1, 1)


def test_known_symbols_are_in_Y():
    eq = art.derive("2r")
    found = eq.coefficients(known=["g_0", "l_1"])
    assert len(found) == 4 and (found.Y * found.expressions - eq.tau).expand() == sympy.zeros(2, 1)
    named = {s.name for s in found.Y.free_symbols}
    assert {"g_0", "l_1"} <= named and not any("g_0" in str(c.expression) for c in found)
    for x in [*found.Y, *found.expressions]:
        assert not any(p.exp.is_negative for p in x.atoms(sympy.Pow)), "nothing is divided by a known symbol"
    assert eq.coefficients(known="g_0, l_1").items == found.items


@pytest.mark.parametrize("known", ["l_9", ["g_0", "gravity"]])
def test_an_unknown_known_symbol_is_refused(known):
    with pytest.raises(art.UnknownName, match=r"l_9|gravity"):
        art.derive("2r").coefficients(known=known)


# -- second ways --------------------------------------------------------------------------


def test_a_wrong_claim_is_not_printed():
    eq = art.derive("2r")
    with pytest.raises(second_ways.Contradiction):
        second_ways.constancy(eq, True)
    with pytest.raises(second_ways.Contradiction):
        second_ways.balance(eq, True)
    coefficients = eq.coefficients()
    coefficients.polynomials = coefficients.polynomials[:, [0, 1, 2, 3, 3]]
    with pytest.raises(second_ways.Contradiction):
        second_ways.count(coefficients)


def test_every_answer_says_how_it_was_checked():
    text = said(art.derive("2r"))
    checked = [title for title, words in text.items() if "Second way" in words]
    assert [t[:2] for t in checked if t.startswith("Q")] == [
        "Q1",
        "Q2",
        "Q3",
        "Q4",
    ] and "Dynamic coefficients" in checked


def test_half_angles_are_judged_in_numbers():
    """Their normal form leaves open whether they are right: the verdict is, and says how it was found."""
    eq = art.derive("2r")
    q2 = eq.q[1]
    halves = eq.C.subs(sympy.sin(q2), 2 * sympy.sin(q2 / 2) * sympy.cos(q2 / 2))
    found = eq.factorization(halves)
    assert found and found.skew and not found.proven and "at 24 random states, to thirty digits" in str(found)
    wrong = eq.factorization(halves + sympy.diag(0, sympy.cos(q2 / 2)))
    assert not wrong and not wrong.skew
    one_sign = eq.factorization(eq.C.subs(sympy.sin(q2), sympy.Abs(sympy.sin(q2))))
    assert not one_sign and not one_sign.skew and "for all" not in str(one_sign)


@pytest.mark.parametrize(("length", "mass"), [(3.0, 1e3), (1e3, 1e9), (1e-3, 1e-6), (1e-4, 1e-8), (1e-6, 1e-20)])
def test_factorizations_of_heavy_and_of_tiny_robots(length, mass):
    """Rounding is relative to the robot: an absolute threshold called right ones wrong and wrong ones right."""

    def body(*com: float) -> art.Inertia:
        inertia = [0.01 * mass * length**2, mass * length**2 / 12.3, mass * length**2 / 12]
        return art.Inertia(mass, [length * x for x in com], inertia)

    first = art.Link("a", None, art.Revolute((0, 1, 0)), inertia=body(1 / 2.1, 0, 0))
    second = art.Link("b", "a", art.Revolute((0, 1, 0.1)), art.Transform(p=(length, 0, 0)), body(1 / 2.7, 0.1, 0))
    eq = art.derive(art.build([first, second]))
    found = {name: eq.factorization(eq.coriolis(name)) for name in ("christoffel", "body_jacobian", "nonskew")}
    assert all(found.values()) and [f.skew for f in found.values()] == [True, True, False]
    assert not eq.factorization(eq.C * (1 + 1e-9)) and [f.skew for f in eq.questions().factorizations[:2]] == [True] * 2
    assert eq.check() and eq.check().error > 1e-18  # relative to its torques, not to 1 N m
    assert all(not about.is_zero_matrix for _, about in inertia_rows(eq.model)) and "Second way" in str(eq.questions())
