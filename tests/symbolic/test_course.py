"""Course topics beyond the equations, each against a way of its own: the numeric robot, or plain Lagrange."""

import numpy as np
import pytest
import sympy

import articulated as art
from articulated.symbolic.course.system import short
from articulated.symbolic.ring.signs import vanishes
from tests.near import near
from tests.symbolic.robots import furuta, lecture, planar_biped, prp

CHAINS = {"2r": art.load("2r"), "furuta": furuta(), "prp": prp(), "cart_pole": art.load("cart_pole")}
chains = pytest.mark.parametrize("name", CHAINS)


@pytest.fixture(scope="module")
def derived():
    return {name: art.derive(robot) for name, robot in CHAINS.items()}


def numbers(expressions, symbols, values):
    """A matrix of expressions at some values, as floats."""
    return np.array(sympy.lambdify(symbols, sympy.Matrix(expressions), "numpy")(*values), float)


def lagrange(system):
    """tau by differentiating L along a motion, without Christoffel symbols or M."""
    L, q, v, a = system.lagrangian, list(system.q), list(system.v), list(system.a)
    momenta = [L.diff(x) for x in v]
    rows = []
    for p, x in zip(momenta, q, strict=True):
        along = sum(p.diff(y) * w for y, w in zip(q, v, strict=True)) + sum(
            p.diff(w) * z for w, z in zip(v, a, strict=True)
        )
        rows.append(along - L.diff(x))
    return sympy.Matrix(rows) + system.friction


# -- coordinates ------------------------------------------------------------------------------


def absolute(robot):
    n = robot.nv
    p = sympy.symbols(f"p_1:{n + 1}", real=True)
    rng = np.random.default_rng(2)
    mix = np.eye(n, dtype=int) + np.triu(rng.integers(-1, 2, (n, n)), 1)
    return {f"q_{i + 1}": sum(int(mix[i, j]) * p[j] for j in range(n)) for i in range(n)}, mix


@chains
def test_a_linear_change_is_that_of_the_numbers(name, derived, rng):
    robot, eq = CHAINS[name], derived[name]
    old, J = absolute(robot)
    changed = eq.change(old)
    p, v, a = rng.normal(size=(3, robot.nv))
    symbols = [*changed.q, *changed.v, *changed.a]
    assert near(numbers(changed.M, symbols, [*p, *v, *a]), J.T @ robot.mass_matrix(J @ p) @ J)
    wanted = J.T @ robot.inverse_dynamics(J @ p, J @ v, J @ a)
    assert near(numbers(changed.tau, symbols, [*p, *v, *a]).ravel(), wanted)
    assert near(float(changed.determinant), np.linalg.det(J))


def test_a_change_that_bends_is_that_of_the_numbers(derived, rng):
    """q = f(p) with a Jacobian that changes: accelerations get dJ/dt v, forces Jᵀ."""
    robot, eq = CHAINS["2r"], derived["2r"]
    x, y = sympy.symbols("x y", real=True)
    f = sympy.Matrix([x + y**2 / 2, y + sympy.sin(x) / 2])
    changed = eq.change({"q_1": f[0], "q_2": f[1]})
    p, v, a = rng.normal(size=(3, 2))
    J = numbers(f.jacobian([x, y]), [x, y], p)
    rate = np.array([[0, v[1]], [-np.sin(p[0]) / 2 * v[0], 0]])
    q = numbers(f, [x, y], p).ravel()
    found = numbers(changed.tau, [*changed.q, *changed.v, *changed.a], [*p, *v, *a]).ravel()
    assert near(found, J.T @ robot.inverse_dynamics(q, J @ v, J @ a + rate @ v))
    assert near(float(changed.determinant.subs({x: p[0], y: p[1]})), np.linalg.det(J))


def test_polar_coordinates_of_a_point():
    m, g0, r, phi = *sympy.symbols("m g_0", positive=True), *sympy.symbols("r phi", real=True)
    links = [art.Link("x", None, art.Prismatic((1, 0, 0)))]
    links.append(art.Link("y", "x", art.Prismatic((0, 1, 0)), inertia=art.Inertia(m)))
    eq = art.derive(art.build(links, gravity=(0, -g0, 0)), letters="x, y")
    polar = eq.change({"x": r * sympy.cos(phi), "y": r * sympy.sin(phi)})
    assert [str(x) for x in polar.q] == ["phi", "r"]
    assert sympy.diag(m * r**2, m) == polar.M and polar.determinant == -r  # no coordinates at r = 0
    assert polar.g == sympy.Matrix([g0 * m * r * sympy.cos(phi), g0 * m * sympy.sin(phi)])


def test_absolute_angles_of_an_arm_in_letters():
    """The textbook's form: M has cosines of differences only, and no velocity meets another in c."""
    changed = art.derive("3r").change("absolute")
    p = list(changed.q)
    assert [str(x) for x in (*p, *changed.v)] == ["p_1", "p_2", "p_3", "pdot_1", "pdot_2", "pdot_3"]
    l1, d3, m3 = (changed.symbol(name) for name in ("l_1", "d_3", "m_3"))
    assert changed.M[0, 2] == d3 * l1 * m3 * sympy.cos(p[0] - p[2])
    for i, c in enumerate(changed.c):
        assert c.diff(changed.v[i]) == 0
        assert all(short(c.diff(x, y)) == 0 for x in changed.v for y in changed.v if x != y)
    assert all(vanishes(x) for x in sympy.Matrix(changed.tau) - lagrange(changed))


def test_what_vanishes_and_what_does_not():
    x = sympy.Symbol("x")
    assert vanishes(sympy.sin(x) ** 2 + sympy.cos(x) ** 2 - 1) and vanishes(0) and not vanishes(1e-9)
    assert not vanishes(sympy.sin(x) ** 2 + sympy.cos(x) ** 2 - 1 + sympy.Rational(1, 10**20))
    assert not vanishes(sympy.sqrt(sympy.cos(x) ** 2) - sympy.cos(x)) and not vanishes(sympy.Abs(x) - x)
    assert not vanishes(sympy.sqrt(x**2 * sympy.Symbol("y") ** 2) - x * sympy.Symbol("y"))
    p = sympy.Symbol("p", nonnegative=True)
    assert vanishes(sympy.sqrt(p) * sympy.sqrt(p + 1) - sympy.sqrt(p * (p + 1)))
    assert vanishes(0.3 * sympy.sin(x) ** 2 + 0.3 * sympy.cos(x) ** 2 - 0.3)


def test_absolute_angles_with_axes_that_point_both_ways(rng):
    links = [art.Link("a", None, art.Revolute((0, 0, 1)), inertia=art.Inertia(1.0, (0.3, 0, 0)))]
    for k, sign in (("b", -1), ("c", 1)):
        joint = art.Revolute((0, 0, sign))
        links.append(art.Link(k, links[-1].name, joint, art.Transform(p=(0.5, 0, 0)), art.Inertia(1.0, (0.2, 0.1, 0))))
    robot = art.build(links, gravity=(0, -9.81, 0))
    changed = art.derive(robot).change("absolute")
    J = np.array(changed.jacobian, float)
    signs = np.diag([1.0, -1.0, 1.0])
    assert near(np.linalg.inv(J), np.tril(np.ones((3, 3))) @ signs)  # p_k is how far link k has turned
    p, v, a = rng.normal(size=(3, 3))
    found = numbers(changed.tau, [*changed.q, *changed.v, *changed.a], [*p, *v, *a]).ravel()
    assert near(found, J.T @ robot.inverse_dynamics(J @ p, J @ v, J @ a))


p1, p2 = sympy.symbols("p_1 p_2", real=True)


@pytest.mark.parametrize(
    ("old", "error", "words"),
    [
        ({"q_1": p1}, art.ShapeError, "q_2 is missing"),
        ({"q_1": p1, "q_2": p1}, art.ShapeError, "2 coordinates need as many new ones"),
        ({"q_1": p1 + p2, "q_2": 2 * p1 + 2 * p2}, art.ModelError, "singular everywhere"),
        ({"q_1": p1, "q_3": p2}, art.UnknownName, "q_2"),
        ({"q_1": p1, "q_2": sympy.Symbol("q_1", real=True) + p2}, art.ModelError, "old state"),
        ({"q_1": p1, "q_2": sympy.Symbol("q_1") + p2}, art.ModelError, "old state"),
        ({"q_1": p1, "q_2": sympy.Symbol("p_1")}, art.ModelError, "'p_1' would stand for two things"),
        ({"q_1": p1, "q_2": sympy.Symbol("pdot_1")}, art.ModelError, "'pdot_1' would stand for two things"),
        ({"q_1": p1, "q_2": 0.3}, art.ShapeError, "q_2 is an expression"),
        ("relative", art.ShapeError, "absolute"),
        (None, art.ShapeError, "absolute"),
    ],
)
def test_a_change_that_is_none(old, error, words, derived):
    with pytest.raises(error, match=words):
        derived["2r"].change(old)


def test_a_new_coordinate_is_not_called_like_a_parameter():
    eq, m, other = art.derive("2r"), sympy.Symbol("m_1"), sympy.Symbol("pdot_2")
    for old in ({"q_1": m, "q_2": p2}, {"q_1": p1, "q_2": p2 * m}):
        with pytest.raises(art.ModelError, match="'m_1' is a parameter"):
            eq.change(old)
    assert eq.change({"q_1": p1, "q_2": p2 / eq.symbol("l_1")}).q.tolist() == [[p1], [p2]]
    with pytest.raises(art.ModelError, match="pdot_2"):  # a rate of the new coordinates
        art.derive(eq.model.changed(eq.model.links, gravity=(0, -other, 0))).change({"q_1": p1, "q_2": p2})


def test_no_parallel_axes_no_absolute_angles(derived):
    with pytest.raises(art.ModelError, match="no joints with parallel axes"):
        derived["furuta"].change("absolute")


def test_velocities_that_are_no_rates_are_refused():
    with pytest.raises(art.ShapeError, match="not rates of coordinates"):
        art.derive(planar_biped()).change("absolute")


# -- state space ------------------------------------------------------------------------------


@chains
def test_the_state_space_moves_as_the_robot_does(name, derived, rng):
    robot, eq = CHAINS[name], derived[name]
    q, v, tau = rng.normal(size=(3, robot.nv))
    space = eq.state_space()
    f, G = (numbers(x, list(space.x), [*q, *v]) for x in (space.f, space.G))
    wanted = np.concatenate([v, robot.forward_dynamics(q, v, tau)])
    assert near(f.ravel() + G @ tau, wanted)
    inverse = eq.inverse()
    assert near(numbers(inverse.matrix, list(space.x), [*q, *v]), robot.mass_matrix_inverse(q))
    determinant = float(inverse.determinant.subs(dict(zip(eq.q, q, strict=True))))
    assert near(determinant, np.linalg.det(robot.mass_matrix(q)))


def test_the_state_space_of_a_body_in_its_own_axes(rng):
    """dq/dt is not v; the inverse has one block of three rows."""
    inertia = art.Inertia(2.0, (0.1, 0, 0.2), np.eye(3))
    robot = art.build([art.Link("slab", None, art.Planar((0, 1, 0)), inertia=inertia)])
    space = art.derive(robot).state_space()
    q, v, tau = robot.random(rng), rng.normal(size=3), rng.normal(size=3)
    found = numbers(space.f + space.G * sympy.Matrix(tau), list(space.x), [*q, *v]).ravel()
    wanted = [*robot.configuration_rate(q, v), *robot.forward_dynamics(q, v, tau)]
    assert near(found, np.array(wanted))


def test_an_inverse_that_would_fill_pages_is_refused():
    with pytest.raises(art.ShapeError, match="a block of 6 rows"):
        lecture("stanford").inverse()


# -- drives -----------------------------------------------------------------------------------


@chains
def test_elastic_joints_are_the_robot_driven_by_springs(name, derived, rng):
    robot, eq = CHAINS[name], derived[name]
    n = robot.nv
    K, J = rng.uniform(1, 2, size=(2, n))
    system = eq.elastic(K, J)
    q, theta, v, w, u = rng.normal(size=(5, n))
    space = system.state_space()
    found = numbers(space.f + space.G * sympy.Matrix(u), list(space.x), [*q, *theta, *v, *w]).ravel()
    links = robot.forward_dynamics(q, v, K * (theta - q))
    assert near(found, np.concatenate([v, w, links, (u - K * (theta - q)) / J]))


def test_stiff_joints_are_rigid_ones_with_rotors(rng):
    """With theta = q the rows of links and motors add up to the robot with armature."""
    robot = art.load("2r")
    rotors = [0.3, 0.7]
    system = art.derive(robot).elastic(rotors=rotors)
    with_rotors = art.build(
        [k.replace(joint=k.joint.replace(armature=rotors[i])) for i, k in enumerate(robot.links) if k.joint.nv]
        + [k for k in robot.links if not k.joint.nv],
        robot.gravity,
    )
    q, v, a = rng.normal(size=(3, 2))
    K = [s for s in system.parameters if s.name.startswith("K")]
    values = [*q, *q, *v, *v, *a, *a, 5.0, 6.0]
    rows = numbers(system.tau, [*system.q, *system.v, *system.a, *K], values).ravel()
    assert near(rows[:2] + rows[2:], with_rotors.inverse_dynamics(q, v, a))


def test_one_elastic_joint(derived):
    system = derived["2r"].elastic(joints=["joint2"])
    assert [str(x) for x in system.q] == ["q_1", "q_2", "theta_2"]
    assert system.inputs == sympy.Matrix([[1, 0], [0, 0], [0, 1]])
    with pytest.raises(art.UnknownName, match="joint2"):
        derived["2r"].elastic(joints=["joint3"])
    with pytest.raises(art.ShapeError, match="stiffness are 2 numbers"):
        derived["2r"].elastic(stiffness=[1.0])
    with pytest.raises(art.ShapeError, match="positive number"):
        derived["2r"].elastic(stiffness=[1.0, -1.0])


def test_energy_of_an_elastic_arm_is_kept(derived, rng):
    """dE/dt is the power of the motors, along any motion."""
    system = derived["2r"].elastic()
    energy = system.T + system.U
    rate = sum(energy.diff(x) * w for x, w in zip(system.q, system.v, strict=True))
    rate += sum(energy.diff(w) * z for w, z in zip(system.v, system.a, strict=True))
    power = sum(x * y for x, y in zip(system.tau - system.friction, system.v, strict=True))
    symbols = [*system.parameters, *system.q, *system.v, *system.a]
    values = rng.uniform(0.3, 1.5, len(symbols))
    assert near(*(float(sympy.lambdify(symbols, x)(*values)) for x in (rate, power)))


def test_motors_of_the_two_link_arm_of_the_textbook():
    """Siciliano et al. 2009, 7.3.2: rotor 1 on the base, rotor 2 with its mass at the end of link 1."""
    k1, k2, J1, J2, mass = sympy.symbols("k_r1 k_r2 I_m1 I_m2 m_m2", positive=True)
    plain = art.derive("2r")
    eq = plain.motors([art.Motor("joint1", k1, J1), art.Motor("joint2", k2, J2, mass=mass)])
    l1, g0 = (eq.symbol(name) for name in ("l_1", "g_0"))
    added = sympy.Matrix([[k1**2 * J1 + J2 + mass * l1**2, k2 * J2], [k2 * J2, k2**2 * J2]])
    assert sympy.expand(eq.M - plain.M) == added
    assert sympy.expand(eq.c - plain.c) == sympy.zeros(2, 1)
    assert sympy.expand(eq.g - plain.g) == sympy.Matrix([mass * g0 * l1 * sympy.cos(eq.q[0]), 0])
    assert eq.check()


def test_rotors_of_a_spatial_arm_turn_with_their_links(rng):
    """Their energy from the numeric robot's own velocities of the links that carry them."""
    robot = art.load("puma560")
    motors = [
        art.Motor("joint2", -90.0, 2e-4, on="link1"),
        art.Motor("joint3", 55.0, 3e-4, on="link2", axis=(0.6, 0, 0.8), at=(0.1, 0.2, 0.3), mass=0.4, across=1e-3),
    ]
    driven = robot.add_motors(motors)
    q, v = rng.normal(size=(2, 6))
    extra = 0.0
    for motor, axis in zip(motors, [None, np.array([0.6, 0, 0.8])], strict=True):
        R = robot.pose(q, motor.on)[:3, :3]
        if axis is None:  # the joint's: z of the link before it
            axis = np.array([0, 0, 1.0])
        omega = R.T @ robot.frame_velocity(q, v, motor.on)[3:]
        spin = omega + motor.ratio * v[robot.index(motor.joint).v] * axis
        along, across = spin @ axis, spin - (spin @ axis) * axis
        at = np.zeros(3) if motor.at is None else np.array(motor.at)
        velocity = robot.frame_velocity(q, v, motor.on)[:3] + np.cross(R @ omega, R @ at)
        extra += (motor.inertia * along**2 + motor.across * across @ across + motor.mass * velocity @ velocity) / 2
    assert near(driven.kinetic_energy(q, v), robot.kinetic_energy(q, v) + extra)
    assert driven.nq == 6 and near(driven.mass, robot.mass + 0.4)
    a = rng.normal(size=6)
    assert near(driven.forward_dynamics(q, v, driven.inverse_dynamics(q, v, a)), a)


@pytest.mark.parametrize(
    ("motor", "words"),
    [
        (art.Motor("joint9", 1, 1), "joint1"),
        (art.Motor("joint2", 1, 1, on="nowhere"), "link1"),
        (art.Motor("joint2", 1, -1.0), "must not be negative"),
        (art.Motor("joint2", float("nan"), 1), "ratio"),
        (art.Motor("joint1", 1, 1, on="link2"), "needs the axis"),
        ("joint2", "list of art.Motor"),
    ],
)
def test_motors_that_are_none(motor, words):
    with pytest.raises(art.ArticulatedError, match=words):
        art.load("2r").add_motors([motor])
    with pytest.raises(art.ShapeError, match="a list"):
        art.load("2r").add_motors(motor)


# -- constraints ------------------------------------------------------------------------------


def test_a_tip_on_a_line_is_what_contacts_say(rng):
    """Reduced dynamics and the force of the line, against `art.Contacts` on numbers."""
    robot = art.load("2r")
    eq = art.derive(robot)
    held = art.Contacts(robot, direction={"link2": (1, 0, 0)})
    q, tau, u = np.array([0.4, 0.9]), rng.normal(size=2), float(rng.normal())
    found = eq.constrain([eq.pose("link2")[0, 3]])
    symbols = [*eq.q, *found.u]
    v = numbers(found.velocities, symbols, [*q, u]).ravel()
    assert abs(robot.frame_velocity(q, v, "link2")[0]) < 1e-14
    M, bias, inputs = (numbers(x, symbols, [*q, u]) for x in (found.M, found.bias, found.inputs))
    du = np.linalg.solve(M, inputs @ tau - bias.ravel())
    both = [*eq.q, *found.u, *found.du, *found.tau]
    a = numbers(found.accelerations, both, [*q, u, *du, *tau]).ravel()
    force = numbers(found.multipliers, both, [*q, u, *du, *tau]).ravel()
    wanted = held.forward_dynamics(q, v, tau)
    assert near(a, wanted.a) and near(force, wanted.forces)


def test_a_closed_loop_and_a_rolling_wheel():
    """Two constraints on three angles; a constraint on velocities that no coordinate integrates."""
    eq = art.derive(art.load("3r"))
    tip = eq.pose("link3")
    found = eq.constrain([tip[0, 3] - 0.5, tip[1, 3]], independent=["q_1"])
    assert found.F.shape == (3, 1) and all(vanishes(x) for x in found.A * found.F)
    cart = [
        art.Link("x", None, art.Prismatic((1, 0, 0)), inertia=art.Inertia(1.0)),
        art.Link("y", "x", art.Prismatic((0, 1, 0)), inertia=art.Inertia(1.0)),
        art.Link("turn", "y", art.Revolute((0, 0, 1)), inertia=art.Inertia(1.0, (0, 0, 0), np.eye(3).tolist())),
    ]
    eq = art.derive(art.build(cart, name="knife"), letters="x, y, phi")
    x, y, phi = eq.v
    knife = eq.constrain(sympy.sin(eq.q[2]) * x - sympy.cos(eq.q[2]) * y)
    assert all(vanishes(x) for x in knife.A * knife.velocities)
    assert knife.M.shape == (2, 2) and phi in knife.u


@pytest.mark.parametrize(
    ("constraints", "words"),
    [
        ([], "expressions that stay zero"),
        (["q_1"], "expressions that stay zero"),
        ([sympy.Symbol("qd_1", real=True) ** 2], "not linear"),
        ([sympy.Symbol("qdd_1", real=True)], "accelerations"),
        ([sympy.Symbol("q_1", real=True), sympy.Symbol("q_2", real=True)], "no degree of freedom"),
        ([sympy.Symbol("h")], "depend on each other"),
    ],
)
def test_constraints_that_are_none(constraints, words, derived):
    with pytest.raises(art.ArticulatedError, match=words):
        derived["2r"].constrain(constraints)


# -- adaptive control -------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["2r", "furuta", "prp", "cart_pole"])
def test_the_adaptive_regressor_is_that_of_the_numbers(name, derived, rng):
    robot, eq = CHAINS[name], derived[name]
    found = eq.adaptive_regressor()
    q, v, v_r, a_r = rng.normal(size=(4, robot.nv))
    Y = numbers(found.Y, [*eq.q, *eq.v, *found.v_r, *found.a_r], [*q, *v, *v_r, *a_r])
    wanted = robot.mass_matrix(q) @ a_r + robot.coriolis_matrix(q, v) @ v_r + robot.gravity_forces(q)
    wanted = wanted + robot.friction_forces(v)
    assert near(Y @ np.array(found.coefficients.values, float), wanted)


@pytest.mark.parametrize("joint", [art.Planar((0, 0, 1)), art.Spherical(), art.Floating()], ids=lambda j: j.kind)
def test_the_adaptive_regressor_of_a_body_in_its_own_axes(joint, rng):
    """dM/dt - 2 C is skew there, too: the stability of the law rests on it."""
    body = art.Inertia(1.0, (0.1, 0.2, 0.3), [1, 1, 1.5])
    arm = art.Link("arm", "base", art.Revolute((0, 1, 0), armature=0.2), art.Transform(p=(0.1, 0.2, 0.3)), body)
    robot = art.build([art.Link("base", None, joint, inertia=body), arm])
    eq = art.derive(robot)
    found = eq.adaptive_regressor()
    q, (v, v_r, a_r) = robot.random(rng), rng.normal(size=(3, robot.nv))
    Y = numbers(found.Y, [*eq.q, *eq.v, *found.v_r, *found.a_r], [*q, *v, *v_r, *a_r])
    wanted = robot.mass_matrix(q) @ a_r + robot.coriolis_matrix(q, v) @ v_r + robot.gravity_forces(q)
    assert near(Y @ np.array(found.coefficients.values, float), wanted)
    with pytest.raises(art.ModelError, match="armature"):
        art.derive(robot.replace("base", joint=joint.replace(armature=0.1))).adaptive_regressor()


def test_with_the_motion_itself_it_is_the_regressor():
    for known in ("", "l_1, g_0"):
        eq = art.derive("2r")
        found = eq.adaptive_regressor(known or ())
        put = dict(zip([*found.v_r, *found.a_r], [*eq.v, *eq.a], strict=True))
        assert sympy.expand(found.Y.subs(put) - eq.coefficients(known or ()).Y) == sympy.zeros(*found.Y.shape)


def test_an_adaptive_arm_follows_without_knowing_its_masses():
    """Slotine and Li's law from the exported regressor alone: errors vanish though the estimate starts at zero."""
    robot, dt, gain = art.load("2r"), 2e-3, 20.0
    eq = art.derive(robot)
    found = eq.adaptive_regressor()
    symbols = [*eq.q, *eq.v, *found.v_r, *found.a_r]
    Y = sympy.lambdify(symbols, found.Y, "numpy")
    q, v, estimate = np.array([0.3, -0.2]), np.zeros(2), np.zeros(len(found.coefficients))
    errors = []
    for k in range(4000):
        t = k * dt
        wanted, rate, bend = (np.array([np.sin(t + s), np.cos(2 * t)]) for s in (0.0, 0.0, 0.0))
        rate, bend = np.array([np.cos(t), -2 * np.sin(2 * t)]), np.array([-np.sin(t), -4 * np.cos(2 * t)])
        error, slope = q - wanted, v - rate
        v_r, a_r = rate - 5 * error, bend - 5 * slope
        s = v - v_r
        matrix = np.array(Y(*q, *v, *v_r, *a_r), float)
        tau = matrix @ estimate - gain * s
        estimate = estimate - dt * 5.0 * matrix.T @ s
        v = v + dt * robot.forward_dynamics(q, v, tau)
        q = q + dt * v
        errors.append(abs(error).max())
    assert max(errors[-500:]) < 0.02 < 0.5 < errors[0]


# -- what systems share -----------------------------------------------------------------------


def test_the_state_of_equations_cannot_be_changed():
    """M, C, c and g are immutable; q[0] = … would have changed what comes later."""
    eq = art.derive("2r")
    changed, found = eq.change("absolute"), eq.adaptive_regressor()
    for vector in (eq.q, eq.v, eq.a, changed.q, changed.v, changed.a, found.v_r, found.a_r):
        with pytest.raises(TypeError):
            vector[0] = sympy.pi / 2


def test_systems_can_be_given_numbers_and_shown(derived):
    system = art.derive("2r").elastic()
    stiff = system.subs({"K_1": 10, "J_2": sympy.Symbol("J", positive=True)})
    assert "K_1" not in {p.name for p in stiff.parameters} and stiff.M[3, 3].name == "J"
    assert r"\ddot{\theta}" in system.latex("tau") and system._repr_latex_().startswith("$$")
    assert art.derive("3r").state_space()._repr_latex_() is None  # pages of it
    assert r"\Delta" in derived["2r"].inverse()._repr_latex_()
    for bad in ({"K_9": 1}, {"K_1": float("nan")}, {"K_1": "x"}, 3):
        with pytest.raises(art.ArticulatedError):
            system.subs(bad)
    with pytest.raises(art.UnknownName, match="K_1"):
        system.symbol("K_3")


def test_systems_are_constrained_and_changed_in_turn(derived):
    """Stiff springs are a constraint: motors held to their links add their rotors to M, in any coordinates."""
    eq = derived["2r"]
    soft = eq.elastic()
    held = soft.constrain([soft.q[0] - soft.q[2], soft.q[1] - soft.q[3]], independent=["q_1", "q_2"])
    assert all(vanishes(x) for x in held.M - eq.M - sympy.diag(*sympy.symbols("J_1 J_2", positive=True)))
    absolute = eq.change("absolute")
    assert absolute.elastic().M[:2, :2] == absolute.M and absolute.elastic().state_space().f.shape == (8, 1)
