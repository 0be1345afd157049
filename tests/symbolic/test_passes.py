"""The recursions body by body: numbers are the kernels', expressions end with the closed form."""

import numpy as np
import pytest
import sympy

import articulated as art
from articulated.algebra.scalars import array
from articulated.symbolic.equations.lectures import model_of, with_symbols
from articulated.symbolic.pages.walkthrough import explained, explained_in_symbols
from tests.near import near

LAST = {"rnea": r"\tau_", "crba": "M_", "aba": "a_"}


@pytest.mark.parametrize("algorithm", LAST)
@pytest.mark.parametrize("name", ["2r", "tree4", "quadruped"])
def test_the_passes_hold_the_numbers_of_the_kernels(algorithm, name):
    robot = art.load(name)
    rng = np.random.default_rng(5)
    state = {"q": robot.random(rng)} | {part: rng.normal(size=robot.nv) for part in ("v", "a", "tau")}
    passes = explained(algorithm, robot.model, {part: array(x) for part, x in state.items()})
    last = {row.body: row.value for row in passes[-1].rows if row.letter.startswith(LAST[algorithm])}
    found = np.array([np.ravel(last[name]).astype(float) for name in robot.body_names])
    expected = {
        "rnea": lambda: robot.inverse_dynamics(state["q"], state["v"], state["a"])[:, None],
        "crba": lambda: robot.mass_matrix(state["q"]),
        "aba": lambda: robot.forward_dynamics(state["q"], state["v"], state["tau"])[:, None],
    }[algorithm]()
    assert np.allclose(found, expected, atol=1e-10)


def test_newton_euler_in_symbols_ends_with_the_closed_form():
    eq = art.derive("2r")
    torque = [row.value[0] for row in explained_in_symbols("rnea", eq.model)[-1].rows if row.letter.startswith(r"\tau")]
    assert [(torque[1 - i] - eq.tau[i]).expand().simplify() for i in range(2)] == [0, 0]


def articulated_values(model, passes, values):
    """D and the accelerations, numbers for all symbols, each row with those found before it."""
    found = dict(values)
    for row in (row for p in passes for row in p.rows):
        name = row.letter.replace("{", "").replace("}", "")
        if name.startswith(("D_", r"\ddotq_", "a_")):
            (x,) = np.ravel(row.value)
            name = name.replace(r"\ddotq", "qdd")
            found[name] = float(x.subs({s: found[s.name] for s in x.free_symbols}))
    return found


def rubbing():
    """A pendulum on a cart with symbols for friction and rotors."""
    b, J, m, l = sympy.symbols("b J m l", positive=True)
    cart = art.Prismatic((1, 0, 0), damping=b, armature=J)
    pole = art.Revolute((0, 1, 0), damping=2 * b, armature=3 * J)
    links = [art.Link("cart", None, cart, inertia=art.Inertia(m))]
    links.append(art.Link("pole", "cart", pole, inertia=art.Inertia(m, (0, 0, l))))
    return art.build(links).model


@pytest.mark.parametrize("name", ["2r", "bar_disc", "cart_pole", "rubbing"])
def test_articulated_bodies_in_symbols_are_forward_dynamics(name):
    lectures = {"2r", "bar_disc"}
    model = model_of(name) if name in lectures else rubbing() if name == "rubbing" else None
    model = model or with_symbols(art.load(name).model)
    rng = np.random.default_rng(8)
    eq = art.derive(model)
    values = {s.name: rng.uniform(0.3, 1.5) for s in (*eq.parameters, *eq.q, *eq.v)}
    values |= {f"tau_{k + 1}": rng.normal() for k in range(model.nv)}
    found = articulated_values(model, explained_in_symbols("aba", model), values)
    a = np.array([found[s.name] for s in eq.a])
    numbers = {s: values[s.name] for s in (*eq.parameters, *eq.q, *eq.v)}
    M, h = (np.array(x.subs(numbers).tolist(), float) for x in (eq.M, eq.c + eq.g + eq.friction))
    assert near(M @ a + h.ravel(), [values[f"tau_{k + 1}"] for k in range(model.nv)], 1e-10)


def test_articulated_inertias_are_those_of_the_closed_form():
    """Mhat of bar and disc by the passes, and by SymPy's quotients."""
    by_sympy = art.derive("bar_disc").articulated_inertias()
    rows = [row for row in explained_in_symbols("aba", model_of("bar_disc"))[1].rows if "hat{M}" in row.letter]
    for row, body in zip(reversed(rows), by_sympy, strict=True):
        assert sympy.simplify(sympy.Matrix(6, 6, row.value.ravel()) - body.inertia) == sympy.zeros(6, 6)


@pytest.mark.parametrize("name, columns", [("bar_disc", {1: 3, 2: 4}), ("cart_pole", {1: 0, 2: 4})])
def test_what_passes_no_joint_is_zero(name, columns):
    """Mbar S = 0: the sums that were divided by are seen to cancel."""
    model = model_of(name) if name == "bar_disc" else with_symbols(art.load(name).model)
    rows = {row.letter: row.value for row in explained_in_symbols("aba", model)[1].rows}
    for body, column in columns.items():
        assert all(x == 0 for x in rows[rf"\bar{{M}}_{{{body}}}"][:, column])


def test_divisors_do_not_clash_with_parameters():
    D, m, d = sympy.symbols("D_1 m d", positive=True)
    body = art.Inertia(m, (d, 0, 0), [[D, 0, 0], [0, D, 0], [0, 0, D]])
    robot = art.from_dh([art.DH(a=1), art.DH(a=1)], links=[body, body])
    text = str(art.explain("aba", robot))
    assert "Δ2 = " in text and "/Δ2" in text


def test_what_is_too_large_or_geared_is_refused():
    with pytest.raises(art.ModelError, match="7 degrees"):
        explained_in_symbols("aba", art.load("panda").model)
    body = art.Inertia(1, (0.5, 0, 0), np.diag([0.1, 0.1, 0.1]).tolist())
    links = [art.Link("a", None, art.Revolute((0, 0, 1), name="j1"), inertia=body)]
    follower = art.Revolute((0, 0, 1), name="j2", mimic=art.Mimic("j1", -0.5, 0.2))
    links.append(art.Link("b", "a", follower, art.Transform(p=(1, 0, 0)), body))
    with pytest.raises(art.ModelError, match="mimic"):
        explained_in_symbols("aba", art.build(links).model)


def test_names_are_inert_in_text_and_page():
    evil = "<b>\x1b[31m</b>"
    body = art.Inertia(1.0, (0.1, 0, 0), np.diag([0.1, 0.1, 0.1]).tolist())
    robot = art.build([art.Link(evil, None, art.Revolute((0, 0, 1)), inertia=body)], name=evil)
    found = art.explain("rnea", robot)
    assert "\x1b" not in str(found)
    page = found.export("html")
    assert "<b>" not in page and "&lt;b&gt;" in page and "\x1b" not in page


def crossed(x):
    return np.array([[0, -x[2], x[1]], [x[2], 0, -x[0]], [-x[1], x[0], 0]])


@pytest.mark.parametrize("name", ["2r", "tree4", "scara", "stanford", "quadruped"])
def test_the_formulas_hold_with_the_matrices_as_they_are_defined(name):
    """𝓘, X, × and ×* written out as the page defines them; × in place of ×* would be the lecture's erratum."""
    robot = art.load(name)
    rng = np.random.default_rng(2)
    state = {
        part: array(x) for part, x in zip("qva", (robot.random(rng), *rng.normal(size=(2, robot.nv))), strict=True)
    }
    passes = explained("rnea", robot.model, state)
    for row, b in [(row, b) for p in passes[:1] for b in robot.model.bodies for row in p.rows if row.body == b.name]:
        if not row.letter.startswith("F_"):
            continue
        rows = {r.letter: np.array(r.value, float) for r in passes[0].rows if r.body == b.name}
        i = f"_{{{b.index}}}"
        m, h, I, V, A = (rows[letter + i] for letter in ("m^{B}", "h^{B}", "I^{B}", "V", "A"))
        inertia = np.block([[m * np.eye(3), -crossed(h)], [crossed(h), I]])
        motion = np.block([[crossed(V[3:]), crossed(V[:3])], [np.zeros((3, 3)), crossed(V[3:])]])
        own = inertia @ A - motion.T @ inertia @ V
        assert np.allclose(own, np.array(row.value, float), rtol=0, atol=1e-12 * max(1, abs(own).max()))
        if b.parent:
            R, p = rows["R" + i], rows["p" + i]
            X = np.block([[R.T, -R.T @ crossed(p)], [np.zeros((3, 3)), R.T]])
            F = {r.letter: np.array(r.value, float) for r in passes[1].rows}
            carried = F[f"X^{{*}} F{i}"]
            assert np.allclose(carried, X.T @ F[f"F{i}"], rtol=0, atol=1e-12 * max(1, abs(carried).max()))


@pytest.mark.parametrize("axes", ["body", "world"])
@pytest.mark.parametrize("name", ["2r", "tree4", "scara", "stanford"])
def test_newton_and_euler_link_by_link(name, axes):
    """The three-vectors obey the formulas beside them, and accelerations are second differences of poses."""
    robot = art.load(name)
    rng = np.random.default_rng(3)
    state = {
        part: array(x) for part, x in zip("qva", (robot.random(rng), *rng.normal(size=(2, robot.nv))), strict=True)
    }
    outward, inward = explained("newton_euler", robot.model, state, axes)
    found = {
        (row.body, row.letter.replace("{", "").replace("}", "")): np.array(row.value, float)
        for p in (outward, inward)
        for row in p.rows
    }
    h, q, v, a = 1e-4, *(np.array(state[part], float) for part in "qva")
    for b in robot.model.bodies:
        i = b.index
        omega, rate, r = found[b.name, rf"\omega_{i}"], found[b.name, rf"\dot\omega_{i}"], found[b.name, f"r_c{i}"]
        center = found[b.name, f"a^O_{i}"] + np.cross(rate, r) + np.cross(omega, np.cross(omega, r))
        assert np.allclose(center, found[b.name, f"a_c{i}"], atol=1e-12 * max(1, abs(center).max()))
        world = robot.pose(q, b.name)[:3, :3]
        seen = found[b.name, f"a^O_{i}"] if axes == "world" else world @ found[b.name, f"a^O_{i}"]
        places = [robot.pose(q + t * v + t * t / 2 * a, b.name)[:3, 3] for t in (-h, 0, h)]
        measured = (places[0] - 2 * places[1] + places[2]) / h**2 - np.array(robot.gravity, float)
        assert np.allclose(seen, measured, atol=1e-5 * max(1, abs(measured).max()))
        if axes == "body":
            children = [c for c in robot.model.bodies if c.parent is b]
            force = found[b.name, f"m_{i} a_c{i}"]
            f = force + sum(found[c.name, f"R_{c.index}"] @ found[c.name, f"f_{c.index}"] for c in children)
            n = found[b.name, rf"\dotL_c{i}"] + np.cross(r, force)
            for c in children:
                R, p = found[c.name, f"R_{c.index}"], found[c.name, f"p_{c.index}"]
                n = n + R @ found[c.name, f"n_{c.index}"] + np.cross(p, R @ found[c.name, f"f_{c.index}"])
            assert np.allclose(f, found[b.name, f"f_{i}"], atol=1e-11 * max(1, abs(f).max()))
            assert np.allclose(n, found[b.name, f"n_{i}"], atol=1e-11 * max(1, abs(f).max()))


def test_newton_and_euler_in_symbols_end_with_the_closed_form():
    eq = art.derive("2r")
    rows = explained_in_symbols("newton_euler", eq.model)[-1].rows
    torque = [row.value[0] for row in rows if row.letter.startswith(r"\tau")]
    assert [(torque[1 - i] - eq.tau[i]).expand().simplify() for i in range(2)] == [0, 0]
