"""One text, three scalars: floats, SymPy expressions and graph nodes give the same numbers."""

import numpy as np
import pytest
import sympy

import articulated as art
from articulated.algebra.scalars import array, atan2, total
from articulated.algorithms import (
    centroidal,
    configuration,
    coriolis,
    energy,
    forward_dynamics,
    inverse_dynamics,
    jacobians,
    kinematics,
    mass_matrix,
    regressor,
    study,
)
from articulated.algorithms.fast import moments
from articulated.compiler.passes.graph import Graph
from articulated.compiler.passes.trace import trace
from articulated.symbolic import symbols_of
from tests.near import near
from tests.zoo import random_inertia, state


def small_tree() -> art.Robot:
    """A revolute with friction, a prismatic on it, a screw beside it: every line but the quaternions."""
    data = {"damping": 0.1, "friction": 0.2, "armature": 0.05}
    body = lambda *com: art.Inertia(1.5, com, np.diag([0.1, 0.2, 0.25]))  # noqa: E731
    return art.build(
        [
            art.Link("a", None, art.Revolute((0, 0, 1), **data), art.Transform(p=(0, 0, 0.5)), body(0.1, 0, 0.2)),
            art.Link("b", "a", art.Prismatic((1, 0, 0)), art.Transform(p=(0, 0.3, 0)), body(0, 0.2, 0)),
            art.Link("c", "a", art.Helical((0, 1, 0), 0.1), art.Transform(p=(0.4, 0, 0)), body(0, 0, 0.3)),
        ]
    )


ALGORITHMS = {
    "q": [
        mass_matrix.mass_matrix,
        mass_matrix.mass_matrix_inverse,
        moments.mass_matrix_by_moments,
        study.mass_matrix_by_energy,
        inverse_dynamics.gravity_forces,
        coriolis.christoffel,
        energy.potential_energy,
        centroidal.center_of_mass,
        centroidal.centroidal_map,
        mass_matrix.screws,
        mass_matrix.composite_inertias,
        jacobians.body_jacobians,
    ],
    "q v": [
        inverse_dynamics.bias_forces,
        coriolis.coriolis_matrix,
        energy.kinetic_energy,
        energy.contributions,
        configuration.integrate,
    ],
    "q v a": [
        inverse_dynamics.inverse_dynamics,
        forward_dynamics.forward_dynamics,
        forward_dynamics.forward_dynamics_by_composite_bodies,
        moments.inverse_dynamics_by_moments,
        moments.forward_dynamics_at_rest,
        moments.forward_dynamics_by_moments,
        study.articulated_bodies_in_world,
        regressor.regressor,
        inverse_dynamics.body_wrenches,
    ],
}
CASES = [(names, f) for names, functions in ALGORITHMS.items() for f in functions]


@pytest.mark.parametrize("names, function", CASES, ids=[f.__name__ for _, f in CASES])
def test_the_same_text_runs_on_every_scalar(names, function, rng):
    robot = small_tree()
    values = dict(zip("qva", state(robot, rng), strict=True))
    numbers = [array(values[name]) for name in names.split()]
    on_floats = first(function(robot.model, *numbers))

    symbols = symbols_of(robot.model, names)
    expression = first(function(robot.model, *symbols))
    flat = [x for vector in symbols for x in vector]
    evaluate = sympy.lambdify(flat, list(np.ravel(expression)), "math")
    on_sympy = np.array(evaluate(*np.concatenate(numbers)), float).reshape(np.shape(on_floats))
    assert near(on_sympy, on_floats, 1e-11)  # SymPy may reorder sums

    program = trace(
        lambda **given: function(robot.model, *given.values()),
        {n: len(x) for n, x in zip(names.split(), numbers, strict=True)},
    )
    assert near(evaluate_program(program, dict(zip(names.split(), numbers, strict=True))), on_floats, 1e-12)


def first(found):
    return found[0] if isinstance(found, tuple) else found


def evaluate_program(program, values):
    """The meaning of a program, operation by operation."""
    from articulated.compiler.emit.numpy import compiled

    out = [np.zeros((1, len(o.entries))) for o in program.outputs]
    for k, o in enumerate(program.outputs):
        out[k][0] = [0.0 if isinstance(e, tuple) else e for e in o.entries]
    compiled(program)(*out, *(np.array(values[name], float)[:, None] for name, _ in program.inputs))
    return out[0].reshape(program.outputs[0].shape)


def test_symbolic_inertia_keeps_its_names():
    m, length, gravity = sympy.symbols("m l g", positive=True)
    pendulum = art.build(
        [art.Link("bob", None, art.Revolute((0, 0, 1)), inertia=art.Inertia(m, (length, 0, 0)))],
        gravity=(0, -gravity, 0),
    )
    q, v, a = symbols_of(pendulum.model)
    tau = inverse_dynamics.inverse_dynamics(pendulum.model, q, v, a)[0]
    assert sympy.simplify(tau - (m * length**2 * a[0] + m * gravity * length * sympy.cos(q[0]))) == 0
    with pytest.raises(art.ArticulatedError, match="symbols"):
        pendulum.mass_matrix([0.3])


@pytest.mark.parametrize("where", ["placement", "inertia"])
def test_symbols_have_no_numbers_wherever_they_are(where):
    x = sympy.Symbol("length")
    changed = {"placement": art.Transform(p=array((x, 0, 0)))} if where == "placement" else {"inertia": art.Inertia(x)}
    links = [
        art.Link("a", None, art.Revolute((0, 0, 1)), inertia=art.Inertia(1.0, (1, 0, 0))),
        art.Link("b", "a", art.Revolute((0, 1, 0)), inertia=art.Inertia(1.0, (1, 0, 0))).replace(**changed),
    ]
    robot = art.build(links)
    for method in (robot.inverse_dynamics, robot.forward_dynamics):
        with pytest.raises(art.ArticulatedError, match="length"):
            method([0, 0], [0, 0], [0, 0])
    with pytest.raises(art.ArticulatedError, match="length"):
        robot.mass_matrix([0, 0])


def test_floating_base_runs_on_symbols(rng):
    robot = art.build([art.Link("body", None, art.Floating(), inertia=random_inertia(rng))])
    q, v, _ = symbols_of(robot.model)
    numbers = state(robot, rng)
    T = sympy.lambdify([*q, *v], energy.kinetic_energy(robot.model, q, v))(*numbers[0], *numbers[1])
    assert near(T, robot.kinetic_energy(numbers[0], numbers[1]))


def test_structure_folds_away():
    g = Graph()
    x, y = g.input("x", 0), g.input("x", 1)
    assert x * 0 == 0 and (x + 0).i == x.i and (1 * x).i == x.i and (x - x) == 0
    assert (x - y).i == (y - x).i and (x - y).negative != (y - x).negative
    assert (x * y).i == (y * x).i == (-x * -y).i
    with pytest.raises(TypeError, match="truth value"):
        bool(x)


def test_a_planar_arm_needs_few_operations():
    """Tracing folds structure: the planar 2R mass matrix has one cosine and no leftovers."""
    model = art.load("2r").model
    program = trace(lambda q: mass_matrix.mass_matrix(model, q), {"q": 2})
    assert program.ops.count("cos") == 1 and program.ops.count("sin") <= 1
    assert len([op for op in program.ops if op not in ("input", "const")]) < 40


def test_poses_of_a_chain_do_not_depend_on_what_lies_beyond():
    model = art.load("panda").model
    program = trace(lambda q: kinematics.frame_pose(model, q, "panda_link3").matrix(), {"q": 7})
    used = {args[1] for op, args in zip(program.ops, program.args, strict=True) if op == "input"}
    assert used == {0, 1, 2}


@pytest.mark.parametrize("y", [2.0, -2.0, 0, 1])
@pytest.mark.parametrize("x", [3.0, -3.0])
def test_the_angle_of_a_point_with_one_known_coordinate(y, x):
    """A number beside a node, or beside a symbol, in either place."""
    a = sympy.Symbol("a", real=True)
    for first, second in ((y, a), (a, y)):
        given = [float(t.subs(a, x)) if t is a else t for t in (first, second)]
        assert near(float(atan2(first, second).subs(a, x)), np.arctan2(*given), 1e-15)
    program = trace(lambda t: array([atan2(y, t[0]), atan2(t[0], y)]), {"t": 1})
    assert near(evaluate_program(program, {"t": [x]}), [np.arctan2(y, x), np.arctan2(x, y)], 1e-15)


def test_a_sum_rounds_alike_whatever_its_terms_are():
    """Python 3.12's own does not: it carries the rounding errors of floats, and of nothing else."""
    terms = [1e16, 1.0, -1e16, 1.0]
    assert total(terms) == total(map(np.float64, terms)) == 1.0
    assert total([], start=0.5) == 0.5
