"""Inertial parameters as an argument: each state of a batch its own robot."""

import numpy as np
import pytest

import articulated as art
from articulated.model.parameters import from_parameters
from articulated.robot.quantities import QUANTITIES
from tests.methods import arguments, results
from tests.near import near
from tests.zoo import STRUCTURES, random_inertia, with_mimic, zoo

arm = art.load("stanford")
#: joints that follow, friction and rotors, a ball joint, links without mass
CHOSEN = [*(zoo()[name] for name in ("mimic", "one_spherical", "massless")), STRUCTURES[-1]]
DYNAMIC = {name for name, row in QUANTITIES.items() if row.inertial}


def test_every_method_takes_them_or_does_not_depend_on_them(rng):
    """A robot of other inertias gives other results, or the row says that it is not inertial."""
    links = [k.replace(inertia=random_inertia(rng)) if k.inertia.mass else k for k in arm.links]
    other = art.build(links, arm.gravity)
    for name, row in QUANTITIES.items():
        given = arguments(arm, name, rng)
        found = zip(results(getattr(arm, name)(**given)), results(getattr(other, name)(**given)), strict=True)
        differs = any(not np.allclose(x, y, rtol=1e-9, atol=1e-12) for x, y in found)
        assert differs == row.inertial, name


@pytest.mark.parametrize("name", sorted(DYNAMIC))
def test_the_robots_own_parameters_change_nothing_and_others_do(name, rng):
    given = arguments(arm, name, rng, (3,))
    usual = results(getattr(arm, name)(**given))
    found = results(getattr(arm, name)(**given, parameters=arm.parameters))
    assert all(near(x, y, 1e-12) for x, y in zip(found, usual, strict=True))
    other = results(getattr(arm, name)(**given, parameters=arm.parameters * np.array([[1.0], [2.0], [3.0]])))
    for x, y in zip(other, found, strict=True):
        assert (x[0] == y[0]).all()
    # twice the mass everywhere moves no center of mass and no acceleration of the base alone
    assert name == "center_of_mass" or any((x[1] != y[1]).any() for x, y in zip(other, found, strict=True))


@pytest.mark.parametrize("robot", CHOSEN, ids=lambda r: r.name)
def test_they_are_the_robot_with_other_inertias(robot, rng):
    """Bodies made anew: a robot whose links hold these inertias, built from scratch."""
    bodies = [random_inertia(rng) for _ in robot.model.bodies]
    theirs = dict(zip(robot.body_names, bodies, strict=True))
    welded = {k.name: art.Inertia() for k in robot.links if k.name not in theirs}
    links = [k.replace(inertia={**theirs, **welded}[k.name]) for k in robot.links]
    other = art.Robot(robot.model.changed(links))
    q, v, a = robot.random(rng, 4), rng.normal(size=(4, robot.nv)), rng.normal(size=(4, robot.nv))
    assert near(robot.inverse_dynamics(q, v, a, parameters=other.parameters), other.inverse_dynamics(q, v, a), 1e-11)
    assert near(robot.mass_matrix(q, parameters=other.parameters), other.mass_matrix(q), 1e-11)
    # friction, rotors and springs stay: the regressor knows the links alone
    rest = robot.frictionless()
    found = rest.regressor(q, v, a) @ other.parameters + rest.spring_forces(q, v)
    assert near(rest.inverse_dynamics(q, v, a, parameters=other.parameters), found, 1e-11)


def test_a_batch_of_masses():
    payloads = np.linspace(0, 3, 7)
    heavy = np.tile(arm.parameters, (7, 1))
    heavy[:, arm.parameter_names.index(f"{arm.body_names[-1]}_m")] += payloads
    g = arm.gravity_forces(arm.neutral(), parameters=heavy)
    assert g.shape == (7, arm.nv) and near(np.diff(g, 2, axis=0), 0 * g[2:], 1e-9)
    last = from_parameters(heavy[6][-10:].tolist())
    assert float(last.mass) == pytest.approx(float(arm.model.bodies[-1].inertia.mass) + 3)


def test_they_are_an_array_of_a_compiled_function_and_of_c():
    f = arm.compile(("inverse_dynamics", {"parameters": True}), "mass_matrix")
    q, v = arm.random(0), np.ones(arm.nv)
    found = f(q, v, v, arm.parameters)
    assert near(found[0], arm.inverse_dynamics(q, v, v), 1e-12) and near(found[1], arm.mass_matrix(q), 1e-12)
    assert "parameters" in arm.c_source(("gravity_forces", {"parameters": True}))


def test_their_number_is_checked():
    with pytest.raises(art.ShapeError, match="parameters has shape"):
        arm.gravity_forces(arm.neutral(), parameters=np.ones(5))
    assert np.isnan(arm.gravity_forces(arm.neutral(), parameters=arm.parameters * np.nan)).all()


def test_every_method_takes_those_of_a_robot_with_mimic_joints(rng):
    """Forward dynamics runs on the tree without them."""
    robot = with_mimic()
    other = robot.replace("link5", inertia=art.Inertia(3.0, (0.1, 0.2, 0.3), np.diag([0.3, 0.4, 0.5])))
    for name in ("forward_dynamics", "inverse_dynamics", "mass_matrix_inverse"):
        given = arguments(robot, name, rng)
        assert near(getattr(robot, name)(**given, parameters=other.parameters), getattr(other, name)(**given), 1e-11)


@pytest.mark.parametrize("name", ["forward_dynamics", "inverse_dynamics"])
def test_derivatives_at_other_parameters_are_those_of_the_other_robot(name, rng):
    robot = with_mimic()
    other = robot.replace("link5", inertia=art.Inertia(3.0, (0.1, 0.2, 0.3), np.diag([0.3, 0.4, 0.5])))
    given, w = arguments(robot, name, rng), rng.normal(size=robot.nv)
    wrt = ["q", "parameters"]
    found = robot.derivatives(name, wrt)(**given, parameters=other.parameters)
    assert all(near(x, y, 1e-10) for x, y in zip(found, other.derivatives(name, wrt)(**given), strict=True))
    found = robot.vjp(name, wrt)(**given, cotangents=w, parameters=other.parameters)
    assert all(near(x, y, 1e-10) for x, y in zip(found, other.vjp(name, wrt)(**given, cotangents=w), strict=True))
    along = {"q": given["v"]}
    found = robot.jvp(name)(**given, tangents=along, parameters=other.parameters)
    assert near(found, other.jvp(name)(**given, tangents=along), 1e-10)
