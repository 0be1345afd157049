"""Base parameters in the regrouped form of Gautier and Khalil: one parameter of a link, the rest from beyond it."""

import numpy as np
import pytest
import sympy

import articulated as art
from articulated.symbolic.equations import cross_checks as second_ways
from articulated.symbolic.ring.convert import in_ring
from articulated.symbolic.ring.values import evaluated_array
from tests.symbolic.robots import robots

COUNTS = {"puma560": 36, "panda": 43, "stanford": 33}


def frictionless(name):
    return art.Robot(art.load(name).model.frictionless())


@pytest.mark.parametrize("name", [*COUNTS, "scara", "tree4"])
def test_each_is_a_parameter_of_a_link_and_what_is_regrouped_into_it(name):
    robot = frictionless(name)
    found = art.derive(robot).base_parameters()
    assert len(found) == COUNTS.get(name, len(found))
    beyond = {b.index: {c.index for c in robot.model.bodies if b in c.support()} for b in robot.model.bodies}
    firsts = set()
    for c in found:
        factors = c.expression.as_coefficients_dict()
        owners = {int(s.name.partition("_")[2]) for s in factors}
        # every link it comes from is the first one or beyond it; one parameter of the first has the factor one
        first = min(owners)
        assert owners <= beyond[first], c
        own = {s.name for s, factor in factors.items() if s.name.endswith(f"_{first}") and factor == 1}
        assert own - firsts, c
        firsts |= own
    assert all(np.isfinite(found.values))


@pytest.mark.parametrize("name", ["2r", "3r", "stanford", "bar_disc"])
def test_symbolic_robots_have_them_with_letters_for_lengths(name):
    eq = art.derive(name)
    found = eq.base_parameters()
    ring = eq.state.ring
    values = np.array([in_ring(ring, sympy.sympify(x)) for x in found.values], object)
    for x, y in zip(found.polynomials @ values, eq.polynomials["tau"], strict=True):
        assert x == y
    lengths = {s for s in eq.parameters if s.name.startswith(("l", "r", "g", "h"))}
    for c in found:
        assert all(not p.exp.is_negative for p in c.expression.atoms(sympy.Pow))
        assert {s for s in c.expression.free_symbols if s in eq.parameters} <= lengths


def test_lengths_as_letters_or_numbers_give_the_same_parameters():
    symbolic, numeric = art.derive("stanford").base_parameters(), art.derive(frictionless("stanford")).base_parameters()
    values = {"r_1": 0.0, "r_2": 0.154, "r_6": 0.263}
    assert len(symbolic) == len(numeric)
    for s, n in zip(symbolic, numeric, strict=True):
        difference = s.expression.subs({x: values[x.name] for x in s.expression.free_symbols if x.name in values})
        assert all(abs(c) < 1e-12 for c in (difference - n.expression).as_coefficients_dict().values())


def test_a_symbolic_angle_between_axes_is_refused():
    alpha = sympy.Symbol("alpha", real=True)
    body = art.Inertia(1.0, (0.1, 0, 0), np.diag([0.1, 0.1, 0.1]).tolist())
    eq = art.derive(art.from_dh([art.DH(alpha=alpha), art.DH()], links=[body, body]))
    with pytest.raises(art.ModelError, match="alpha"):
        eq.base_parameters()


@pytest.mark.parametrize("name", ["furuta", "prp", "planar_biped", "floating_pair"])
def test_they_give_the_torque(name):
    robot = robots()[name]
    found = art.derive(robot).base_parameters()
    rng = np.random.default_rng(2)
    q, v, a = robot.random(rng), *rng.normal(size=(2, robot.nv))
    symbols = [s for group in "qva" for s in found.state.symbols[group]]
    at = dict(zip(symbols, [*q, *v, *a], strict=True))
    Y = evaluated_array(found.state.ring, found.polynomials, at)
    expected = robot.inverse_dynamics(q, v, a)
    assert abs(Y @ np.array(found.values) - expected).max() < 1e-11 * max(1, abs(expected).max())


def khalil_and_gautier(twists, lengths, offsets):
    """Their closed form for a chain of hinges, modified D-H, consecutive axes at right angles: {parameter: expression}.

    Yyy, mz and m of a link go to the link before it; of the first only Izz is left (its axis is along the gravity).
    """
    names = ("Ixx", "Ixy", "Ixz", "Iyy", "Iyz", "Izz", "mx", "my", "mz", "m")
    P = [{x: sympy.Symbol(f"{x}_{j + 1}", real=True) for x in names} for j in range(len(twists))]
    for j in range(len(twists) - 1, 0, -1):
        s, c, d, r = sympy.sin(twists[j]), sympy.cos(twists[j]), lengths[j], offsets[j]
        own, before = P[j], P[j - 1]
        yy, mz, m = own["Iyy"], own["mz"], own["m"]
        own["Ixx"] = own["Ixx"] - yy
        moved = yy + 2 * r * mz + r**2 * m
        before["Ixx"] += moved
        before["Ixy"] += d * s * (mz + r * m)
        before["Ixz"] -= d * c * (mz + r * m)
        before["Iyy"] += c**2 * moved + d**2 * m
        before["Iyz"] += c * s * moved
        before["Izz"] += s**2 * moved + d**2 * m
        before["mx"] += d * m
        before["my"] -= s * (mz + r * m)
        before["mz"] += c * (mz + r * m)
        before["m"] += m
    kept = [x for x in names if x not in ("Iyy", "mz", "m")]
    found = {f"{x}_{j + 1}": P[j][x] for j in range(1, len(P)) for x in kept}
    return {"Izz_1": P[0]["Izz"], **found}


@pytest.mark.parametrize("signs", [(1, 1, 1), (-1, 1, -1), (1, -1, -1)])
@pytest.mark.parametrize("convention", ["standard", "modified"])
def test_the_regrouped_form_and_its_signs_are_those_of_khalil_and_gautier(convention, signs):
    a, d = (sympy.symbols(f"{x}_1:5", positive=True) for x in "ad")
    twists = [0, *(s * sympy.pi / 2 for s in signs)]
    lengths, offsets = [0, *a[1:]], [0, *d[1:]]
    rows = [art.DH(0, offsets[j], lengths[j], twists[j]) for j in range(4)]
    if convention == "standard":  # the same hinges: the length and the twist stand one row earlier
        after = [*zip(lengths, twists, strict=True), (0, 0)]
        rows = [art.DH(0, offsets[j], *after[j + 1]) for j in range(4)]
    body = art.Inertia(1, (1, 2, 3), [[7, 1, 2], [1, 8, 3], [2, 3, 9]])
    found = art.derive(art.from_dh(rows, convention, links=[body] * 4)).base_parameters()
    expected = khalil_and_gautier(twists, lengths, offsets)
    assert len(found) == len(expected) == 22
    assert {sympy.expand(c.expression) for c in found} == {sympy.expand(x) for x in expected.values()}


def test_hinges_that_point_the_same_way_regroup_without_a_minus():
    for c in art.derive("3r").base_parameters():
        assert not any(term.could_extract_minus_sign() for term in sympy.Add.make_args(sympy.expand(c.expression)))


def test_entries_whose_terms_cancel_are_zero():
    """A link that follows the first joint by a third, with letters for lengths: it ended in a division by zero."""
    lengths = sympy.symbols("l_1:4", positive=True)
    links: list[art.Link] = []
    for k, (axis, length) in enumerate(zip(((0, 1, 0), (0, 0, 1), (0, 1, 0)), lengths, strict=True), start=1):
        joint = art.Revolute(axis, name=f"j{k}", mimic=art.Mimic("j1", 1 / 3) if k == 3 else None)
        m, x, z = sympy.symbols(f"m_{k} x_{k} z_{k}", positive=True)
        parent = links[-1].name if links else None
        links.append(art.Link(f"link{k}", parent, joint, art.Transform(p=(length, 0, 0)), art.Inertia(m, (x, 0, z))))
    eq = art.derive(art.build(links))
    found = eq.base_parameters()
    values = np.array([in_ring(eq.state.ring, sympy.sympify(x)) for x in found.values], object)
    assert len(found) and all(found.polynomials @ values == eq.polynomials["tau"])


EXACT = {"right": sympy.pi / 2, "quarter": sympy.pi / 4, "sixth": sympy.pi / 3, "fifth": sympy.pi / 5}


@pytest.mark.parametrize("name", EXACT)
def test_exact_twists_have_as_many_as_rounded_ones(name):
    """A root of two is a number, not a function of the state: 16, 17, 18 for what are 15 were printed once."""
    body = art.Inertia(1.5, (0.1, 0.2, 0.3), [[0.7, 0.1, 0.2], [0.1, 0.8, 0.3], [0.2, 0.3, 0.9]])

    def arm(alpha):
        return art.from_dh([art.DH(a=0.3, alpha=alpha), art.DH(a=0.4, alpha=alpha), art.DH(a=0.5)], links=[body] * 3)

    exact, rounded = (art.derive(arm(x)).base_parameters() for x in (EXACT[name], float(EXACT[name])))
    robot = arm(float(EXACT[name]))
    rng = np.random.default_rng(1)
    states = [rng.normal(size=(3, 3)) for _ in range(12)]
    Y = np.concatenate([robot.regressor(*s) for s in states])
    assert len(exact) == len(rounded) == np.linalg.matrix_rank(Y, tol=1e-8)
    for found in (exact, rounded):
        second_ways.count(found)
        at = dict(zip([s for g in "qva" for s in found.state.symbols[g]], np.concatenate(states[0]), strict=True))
        Y = evaluated_array(found.state.ring, found.polynomials, at)
        expected = robot.inverse_dynamics(*states[0])
        assert abs(Y @ np.array(found.values) - expected).max() < 1e-12 * abs(expected).max()


def test_rounded_angles_beside_letters_are_refused():
    a, m = sympy.symbols("a_1 m", positive=True)
    body = art.Inertia(m, (0.1, 0.2, 0.3), [[0.7, 0.1, 0.2], [0.1, 0.8, 0.3], [0.2, 0.3, 0.9]])
    eq = art.derive(art.from_dh([art.DH(a=a, alpha=0.3), art.DH(a=a, alpha=0.5), art.DH(a=a)], links=[body] * 3))
    with pytest.raises(art.ModelError, match="lengths as numbers"):
        eq.base_parameters()
    with pytest.raises(art.ModelError, match="exact numbers"):
        eq.coefficients(known="a_1")
    assert len(eq.subs({"a_1": 0.3}).base_parameters()) == 15
