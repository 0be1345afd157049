"""Closed forms against the numeric kernels, for every robot and every way to describe one."""

import subprocess
import sys

import numpy as np
import pytest
import sympy

import articulated as art
from articulated.algebra.scalars import array
from articulated.algorithms.coriolis import coriolis_matrix
from articulated.algorithms.energy import kinetic_energy
from articulated.symbolic.ring.values import function_of
from tests.near import near
from tests.symbolic.robots import numeric, robots
from tests.zoo import ZOO

STATES = 100


@pytest.mark.parametrize("name", robots())
def test_closed_form_agrees_with_the_kernels(name):
    robot, eq = robots()[name], numeric(name)
    rng = np.random.default_rng(7)
    q, v = robot.random(rng, STATES), rng.normal(size=(STATES, robot.nv))
    n = robot.nv
    found = function_of([*eq.M, *eq.c, *eq.g, eq.T, eq.U], [*eq.q, *eq.v])(*q.T, *v.T)
    columns = np.stack([np.broadcast_to(x, (STATES,)) for x in found], axis=-1)
    assert near(columns[:, : n * n].reshape(-1, n, n), robot.mass_matrix(q))
    assert near(columns[:, n * n : n * n + n], robot.coriolis_forces(q, v))
    assert near(columns[:, n * n + n : n * n + 2 * n], robot.gravity_forces(q))
    assert near(columns[:, -2], robot.kinetic_energy(q, v))
    assert near(columns[:, -1], robot.potential_energy(q))


@pytest.mark.parametrize("name", robots())
def test_two_routes_agree(name):
    found = numeric(name).check(states=5)
    assert found and found.proven, str(found)


@pytest.mark.parametrize("name", ["furuta", "prp", "floating_pair", "planar_biped", "stanford"])
def test_coriolis_matrices_agree_with_the_recursion(name):
    robot, eq = robots()[name], numeric(name)
    rng = np.random.default_rng(8)
    q, v = robot.random(rng), rng.normal(size=robot.nv)
    for factorization in ("christoffel", "body_jacobian", "nonskew"):
        found = function_of(eq.coriolis(factorization), [*eq.q, *eq.v])(*q, *v)
        numbers = np.array(found, float).reshape(robot.nv, robot.nv)
        assert near(numbers, coriolis_matrix(robot.model, array(q), array(v), factorization))


def test_moving_frames_on_a_moving_platform():
    """omega_0 and v_0 given (S1.11): the energy is that of the numeric model on a moving base."""
    robot = robots()["prp"]
    rng = np.random.default_rng(3)
    base, q, v = rng.normal(size=6), robot.random(rng), rng.normal(size=robot.nv)
    steps = art.moving_frames(robot, base_velocity=base.tolist())
    symbols = [*steps.state.symbols["q"], *steps.state.symbols["v"]]
    total = function_of([sum(steps.T)], symbols)(*q, *v)[0]
    assert near(total, kinetic_energy(robot.model, array(q), array(v), array(base)))


def test_moving_frames_have_the_numbers_of_the_kernels():
    robot = art.load("stanford")
    rng = np.random.default_rng(4)
    q, v = robot.random(rng), rng.normal(size=robot.nv)
    steps = art.moving_frames(robot)
    symbols = [*steps.state.symbols["q"], *steps.state.symbols["v"]]
    twists = np.asarray(robot.body_motions(q, v, v * 0).velocity)
    for k, step in enumerate(steps):
        found = np.array(function_of([*step.v, *step.omega], symbols)(*q, *v), float)
        assert near(found, twists[k])


def test_kinematics_in_closed_form():
    robot = art.load("scara")
    eq = art.derive(robot)
    q = robot.random(np.random.default_rng(6))
    frame = robot.frame_names[-1]
    assert near(np.array(function_of(eq.pose(frame), list(eq.q))(*q), float).reshape(4, 4), robot.pose(q, frame))
    for axes in ("world", "frame", "spatial"):
        found = np.array(function_of(eq.jacobian(frame, axes), list(eq.q))(*q), float).reshape(6, -1)
        assert near(found, robot.jacobian(q, frame, axes=axes))


def test_partial_jacobians_give_the_energy():
    """M = Σ m J_Lᵀ J_L + J_Aᵀ I J_A (S1.3)."""
    eq = art.derive("2r")
    M = sympy.zeros(2, 2)
    for k, (JL, JA) in enumerate(eq.moving_frames.jacobians, start=1):
        m, I = sympy.symbols(f"m_{k} I_{k}", positive=True)
        M += m * JL.T * JL + JA.T * sympy.diag(0, 0, I) * JA
    assert sympy.simplify(M - eq.M) == sympy.zeros(2, 2)


def _symbols():
    l, d, m, I, g = sympy.symbols("l d m I g", positive=True)
    return l, d, m, I, g


def _pendulums():
    """The same double pendulum, described four ways with symbols."""
    l, d, m, I, g = _symbols()
    body = art.Inertia(m, (d, 0, 0), [[0, 0, 0], [0, 0, 0], [0, 0, I]])
    at_end = art.Inertia(m, (d - l, 0, 0), [[0, 0, 0], [0, 0, 0], [0, 0, I]])
    down, z = (0, -g, 0), (0, 0, 1)
    step = art.Transform(p=(l, 0, 0))
    return {
        "links": art.build([art.Link("a", None, art.Revolute(z), inertia=body),
                            art.Link("b", "a", art.Revolute(z), step, body)], gravity=down),
        "dh": art.from_dh([art.DH(a=l), art.DH(a=l)], links=[at_end, at_end], gravity=down),
        "modified": art.from_dh([art.DH(), art.DH(a=l)], "modified", links=[body, body], gravity=down),
        "screws": art.from_screws([art.Transform(), step], [[0, 0, 0, *z], [0, 0, 0, *z]], [body, body], gravity=down),
    }  # fmt: skip


@pytest.mark.parametrize("way", ["dh", "modified", "screws"])
def test_every_description_gives_the_same_expressions(way):
    reference, other = art.derive(_pendulums()["links"]), art.derive(_pendulums()[way])
    assert other.M == reference.M and other.c == reference.c and other.g == reference.g


def test_a_urdf_is_derived(tmp_path):
    from pathlib import Path

    file = Path(__file__).parent.parent / "oracles" / "urdf" / "planar2R.urdf"
    eq = art.derive(art.load(file))
    assert eq.check() and eq.M.free_symbols == {eq.q[1]}


def test_numeric_robots_can_be_named():
    """`symbols=True`: masses, centers and inertias by name, lengths as they are, zeros as zeros."""
    eq = art.derive(art.load("scara"), symbols=True)
    names = {p.name for p in eq.parameters}
    assert {"m_1", "m_4", "Izz_2", "g_0"} <= names and "Ixy_1" not in names
    assert eq.check(states=5).proven


def test_symbolic_twist_and_offset():
    """A D-H angle that is a symbol: its sine and cosine are parameters, with c² + s² = 1."""
    alpha, theta, a, m = sympy.symbols("alpha theta a m", real=True)
    rows = [art.DH(alpha=alpha, a=a), art.DH(theta=theta, a=a)]
    body = art.Inertia(m, (0, 0, 0), [[1, 0, 0], [0, 1, 0], [0, 0, 1]])
    eq = art.derive(art.from_dh(rows, links=[body, body]))
    assert eq.check(states=5).proven
    assert not eq.M[1, 1].has(alpha) and not eq.M[1, 1].has(theta)


def test_friction_and_rotors_are_in_tau():
    b, f, J = sympy.symbols("b f J", positive=True)
    joint = art.Revolute((0, 0, 1), damping=b, friction=f, armature=J)
    eq = art.derive(art.build([art.Link("disc", None, joint, inertia=art.Inertia(0, about_com=np.eye(3).tolist()))]))
    assert sympy.expand(eq.tau[0] - ((1 + J) * eq.a[0] + b * eq.v[0] + f * sympy.sign(eq.v[0]))) == 0
    assert eq.check(states=3)


def test_mimic_joints_are_one_coordinate():
    z = (0, 0, 1)
    body = art.Inertia(1, (0.5, 0, 0), np.diag([0.1, 0.1, 0.1]).tolist())
    links = [art.Link("a", None, art.Revolute(z, name="j1"), inertia=body)]
    follower = art.Revolute(z, name="j2", mimic=art.Mimic("j1", -0.5, 0.2))
    links.append(art.Link("b", "a", follower, art.Transform(p=(1, 0, 0)), body))
    robot = art.build(links, gravity=(0, -9.81, 0))
    eq = art.derive(robot)
    assert len(eq.q) == 1 and eq.check(states=5)


@pytest.mark.parametrize(
    "robot",
    [r for r in ZOO if r.nv < 7 and r.name not in ("massless", "2r", "stanford", "cart_pole", "ur5")],
    ids=lambda r: r.name,
)
def test_every_kind_of_joint_is_derived(robot):
    found = art.derive(robot).check(states=3)
    assert found and found.proven, str(found)


def test_sympy_mechanics_agrees():
    """LagrangesMethod on a three-link arm, at a random point."""
    from benchmarks.symbolic import lagranges_method

    method, q, names = lagranges_method(3)
    eq = art.derive("3r")
    rng = np.random.default_rng(9)
    values = {s: rng.uniform(0.3, 1.5) for s in (*eq.parameters, *eq.q, *eq.v)}
    theirs = {x: values[eq.q[k]] for k, x in enumerate(q)} | {x.diff(): values[eq.v[k]] for k, x in enumerate(q)}
    theirs |= {names[p.name.replace("_", "")]: values[p] for p in eq.parameters}
    ordered = dict(sorted(theirs.items(), key=lambda pair: not pair[0].is_Derivative))
    M, forcing = (np.array(x.subs(ordered).tolist(), float) for x in (method.mass_matrix, method.forcing))
    assert near(np.array(eq.M.subs(values).tolist(), float), M)
    assert near(np.array((eq.c + eq.g).subs(values).tolist(), float), -forcing)


def test_importing_the_library_does_not_import_sympy():
    import subprocess
    import sys

    code = "import sys, articulated as art; art.load('2r'); assert 'sympy' not in sys.modules; art.derive"
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("name", ["2r", "acrobot", "scara", "cart_pole"])
def test_names_given_their_numbers_back_are_the_robot(name):
    """`symbols=True` and then the values of the links: the equations of the numeric robot, gravity with its sign."""
    robot = art.load(name)
    named, numeric = art.derive(robot, symbols=True), art.derive(robot)
    values = {"g_0": float(np.linalg.norm(np.array(robot.model.gravity, float)))}
    for link in robot.model.links:
        i = robot.model.frames[link.name].body.index
        values[f"m_{i}"] = link.inertia.mass
        values |= {f"{axis}_{i}": link.inertia.com[k] for k, axis in enumerate("xyz")}
        values |= {
            f"I{'xyz'[j]}{'xyz'[k]}_{i}": link.inertia.about_com[j, k] for j in range(3) for k in range(j, 3)
        }  # fmt: skip
    wanted = {p.name for p in named.parameters}
    back = named.subs({key: x for key, x in values.items() if key in wanted})
    rng = np.random.default_rng(1)
    q, v = robot.random(rng), rng.normal(size=robot.nv)
    for part in ("M", "c", "g"):
        found, expected = (function_of(getattr(eq, part), [*eq.q, *eq.v])(*q, *v) for eq in (back, numeric))
        assert near(np.array(found, float), np.array(expected, float)), part


def test_axes_that_point_the_other_way_count_backwards():
    """Joints about z, -z, z: the angle of the last link is q_1 - q_2 + q_3, and it is written so."""
    body = art.Inertia(1, (0.5, 0, 0), np.diag([0.1, 0.1, 0.1]).tolist())
    place, links, parent = art.Transform(), [], None
    for k, z in enumerate((1, -1, 1)):
        links.append(art.Link(f"link{k}", parent, art.Revolute((0, 0, z)), place, body))
        place, parent = art.Transform(p=(1, 0, 0)), f"link{k}"
    eq = art.derive(art.build(links, gravity=(0, -9.81, 0)))
    q1, q2, q3 = eq.q
    angles = {f.args[0] for f in eq.U.atoms(sympy.sin, sympy.cos)}
    assert angles == {q1, q1 - q2, q1 - q2 + q3}


def test_an_inertia_matrix_needs_no_pages():
    """Pages, the course and the exercises are imported when they are asked for."""
    code = """
import sys, articulated as art
art.derive("2r").M
rooms = ("pages", "course", "exercises")
print(*(x for x in sys.modules if x.startswith(tuple(f"articulated.symbolic.{room}." for room in rooms))))"""
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert set(found) <= {"articulated.symbolic.course.help"}
