"""An array by the names of its components, in any order and any container, is the array: wherever names are known."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import articulated as art
from tests.contacts.legged import tripod

pandas = pytest.importorskip("pandas")
xarray = pytest.importorskip("xarray")

SPATIAL = ["x", "y", "z", "rx", "ry", "rz"]
XYZ = SPATIAL[:3]
FEET = ["foot0", "foot1", "foot2"]
QUICK = {"duration": 0.01, "dt": 0.001, "progress": False}
#: what it is, a function of an array, an array, and the names of its components
Door = tuple[str, Any, np.ndarray, list[str]]


def _of_an_arm() -> Iterator[Door]:
    arm, rng = art.load("ur5"), np.random.default_rng(0)
    n, q, v, each = arm.joint_names, arm.random(rng), rng.normal(size=6), rng.uniform(1, 100, 6)
    for law in (art.PD, art.Impedance, art.ComputedTorque):
        yield law.__name__, lambda x, law=law: law(arm, x, 2 * each)(q, v, v).tau, each, n
        yield law.__name__, lambda x, law=law: law(arm, each, x)(q, v, v).tau, each, n
        yield law.__name__, lambda x, law=law: law(arm, 5.0, 6.0).towards((x, v))(0.0, q, v), each, n
    hold = art.CartesianImpedance(arm, "tool0", 1.0, 2.0)
    there = arm.pose(v, "tool0")
    yield "Cartesian", lambda x: art.CartesianImpedance(arm, "tool0", x, 1.0)(q, v, there).tau, each, SPATIAL
    yield "Cartesian", lambda x: hold(q, v, there, x).tau, each, SPATIAL
    yield "Cartesian", lambda x: hold(q, x, there).tau, v, n

    def run(**given: Any) -> np.ndarray:
        return art.simulate(arm, q, v, **QUICK, **given).q

    pushes = rng.normal(size=(10, 6))
    yield "torque over time", lambda x: run(torque=x), pushes, n
    yield "torque for all time", lambda x: run(torque=x), each, n
    yield "torque of a function", lambda x: run(torque=lambda t, q, v: x), each, n
    yield "torque traced", lambda x: run(torque=art.traced(lambda t, q, v: x)), each, n
    traced = art.PD(arm, 9.0, 1.0)
    yield "reference traced", lambda x: run(torque=traced.towards(art.traced(lambda t: x))), each, n
    yield "reference", lambda x: run(torque=traced.towards(lambda t: (q, x))), each, n
    yield "forces", lambda x: run(forces={"tool0": x}), each, SPATIAL
    yield "forces over time", lambda x: run(forces={"tool0": x}), pushes, SPATIAL
    yield "q0", lambda x: art.simulate(arm, x, v, **QUICK).q, q, n
    yield "v0", lambda x: art.simulate(arm, q, x, **QUICK).q, v, n
    yield "Trajectory", lambda x: art.Trajectory(arm, np.arange(10.0), x, x, x, x).tau, pushes, n
    yield "start", lambda x: arm.configuration({}, start=x), q, n
    yield "base_velocity", lambda x: arm.inverse_dynamics(q, v, v, base_velocity=x), each, SPATIAL
    yield "in a list", lambda x: arm.gravity_forces([x, x]), q, n
    ways = {"targets": {"tool0": there}, "q0": q, "iterations": 3, "restarts": 0}
    yield "weights", lambda x: arm.inverse_kinematics(**ways, weights={"tool0": x}).q, each, SPATIAL
    yield "posture", lambda x: arm.inverse_kinematics({"tool0": there[:3, 3]}, q0=q, posture=x).q, v, n
    law = art.DifferentialIK(arm, ["tool0"])
    yield "rates", lambda x: law(q, {"tool0": arm.pose(q, "tool0")}, {"tool0": x}), v, SPATIAL
    fast = 1e-3 * each
    yield "velocity", lambda x: art.DifferentialIK(arm, ["tool0"], velocity=x).bounds(q)[1], fast, n
    yield "parameters", lambda x: arm.gravity_forces(q, parameters=x), np.array(arm.parameters), arm.parameter_names


def _of_contacts() -> Iterator[Door]:
    dog, rng = tripod(), np.random.default_rng(1)
    feet = art.Contacts(dog, point=FEET)
    q, v, a = dog.random(rng), rng.normal(size=12), rng.normal(size=12)
    motors, velocities, each = dog.joint_names[1:], dog.names("friction_forces")[0], rng.uniform(1, 2, 6)
    rows = rng.uniform(1, 2, 9)
    coordinates = dog.names("integrate")[0]

    def torques(**given: Any) -> Any:
        return np.concatenate(feet.inverse_dynamics(q, v, a, **given)[:2])

    yield "weight", lambda x: torques(weight=x), each, motors
    yield "tau0", lambda x: torques(tau0=x), each, motors
    yield "force_weight", lambda x: torques(force_weight=x), rows, feet.rows
    yield "by_contact", lambda x: np.array(list(feet.by_contact(x).values())), rows, feet.rows
    yield "PD", lambda x: art.PD(feet, x, 1.0)(q, v, q + 0.1).tau, each, motors
    yield "tau", lambda x: feet.forward_dynamics(q, v, x).a, each, motors
    yield "tau", lambda x: feet.forward_dynamics(q, v, x).a, a, velocities
    yield "a0", lambda x: feet.acceleration(q, v, x), a, velocities
    yield "impact", lambda x: feet.impact(q, x).v, v, velocities
    yield "other force", lambda x: torques(forces={"body": x}), each, SPATIAL
    of = feet.derivatives("inverse_dynamics")
    yield "derivatives", lambda x: of(x, v, a)[0], q, coordinates
    yield "derivatives", lambda x: feet.derivatives("forward_dynamics")(q, x, each)[0], v, velocities
    yield "derivatives", lambda x: of(q, v, a, tau0=x, weight=each)[0], each, motors
    yield "analyse", lambda x: feet.analyse(x).internal_basis, q, coordinates
    yield "base_last", feet.study.base_last, v, velocities
    yield "base_first", feet.study.base_first, v, [velocities[k] for k in feet.study.order]
    still = np.zeros(12)
    com, stand = dog.center_of_mass(q) + 0.01, [art.tasks.CenterOfMass(), art.tasks.Posture(target=q, weight=0.1)]
    law = art.WholeBody(feet, stand, torque_limits=False)
    yield "center_of_mass", lambda x: law(q, still, center_of_mass=x).tau, com, XYZ
    yield "rate", lambda x: law(q, still, center_of_mass=(com, x)).tau, com, XYZ
    near = dog.neutral() + np.linspace(0, 0.1, 13)
    yield "posture", lambda x: law(q, still, center_of_mass=com, posture=x).tau, near, coordinates
    tight = 10 * each

    def bounded(x: Any) -> Any:
        return art.WholeBody(feet, stand, torque_limits=x)(q, still, center_of_mass=com + 0.3).tau

    yield "torque_limits", bounded, tight, motors
    yield "normals", lambda x: art.WholeBody(feet, stand, normals={FEET[0]: x}).ground.normal(FEET[0]), com, XYZ


def _of_points() -> Iterator[Door]:
    arm, rng = art.load("ur5"), np.random.default_rng(2)
    q, three, six = arm.random(rng), rng.normal(size=3), rng.normal(size=6)
    yield "gravity", lambda x: arm.replace(gravity=x).gravity_forces(q), three, XYZ
    yield "axis", lambda x: art.Revolute(x).axis.astype(float), three, XYZ
    yield "Transform", lambda x: art.Transform(p=x).matrix(), three, XYZ
    yield "rpy", lambda x: art.Transform.from_rpy(x).matrix(), three, ["roll", "pitch", "yaw"]
    yield "com", lambda x: art.Inertia(1.0, x, (1, 1, 1)).matrix(), three, XYZ
    yield "twist", art.spatial.exp, six, SPATIAL
    yield "hat", art.spatial.hat, three, XYZ
    yield "motion_in", art.Transform.from_rpy((1, 2, 3)).motion_in, six, SPATIAL
    near = {"q0": q, "iterations": 3, "restarts": 0}
    yield "target", lambda x: arm.inverse_kinematics({"tool0": x}, **near).q, three, XYZ
    yield "normal", lambda x: np.array(art.Ground(normal=x).surface.axes), abs(three), XYZ
    yield "swing", lambda x: art.swing(x, 2 * three, 0.1, 0.5, 0.2).position, three, XYZ


def shuffled(x: np.ndarray, names: list[str]) -> Iterator[Any]:
    """The array in another order, with labels."""
    order = np.random.default_rng(len(names)).permutation(len(names))
    if (order == np.arange(len(names))).all():
        order = order[::-1]
    there, dims = [names[k] for k in order], [f"d{k}" for k in range(x.ndim)]
    yield xarray.DataArray(x[..., order], dims=dims, coords={dims[-1]: there})
    yield pandas.Series(x[order], index=there) if x.ndim == 1 else pandas.DataFrame(x[:, order], columns=there)
    if x.ndim == 2:
        yield [pandas.Series(row[order], index=there) for row in x]


@pytest.mark.parametrize("doors", [_of_an_arm, _of_contacts, _of_points])
def test_names_in_any_order_are_put_right(doors):
    for what, function, x, names in doors():
        assert len(names) == x.shape[-1], what
        found = np.asarray(function(x))
        assert not np.array_equal(found, np.asarray(function(x[..., ::-1]))), f"{what}: the order does not matter"
        for given in shuffled(x, names):
            assert np.array_equal(np.asarray(function(given)), found), f"{what} as {type(given).__name__}"


def test_both_axes_of_a_matrix_are_put_right():
    arm = art.load("ur5")
    names, order = arm.joint_names, [3, 0, 5, 1, 4, 2]
    K = np.diag(np.arange(1.0, 7))
    K[0, 1] = K[1, 0] = 0.5
    there = [names[k] for k in order]
    table = pandas.DataFrame(K[np.ix_(order, order)], index=there, columns=there)
    for given in (table, xarray.DataArray(table), table.loc[names], table[names]):
        assert (art.PD(arm, given, 1.0).stiffness == K).all()
    with pytest.raises(art.ShapeError, match=r"stiffness, along its rows, has the labels"):
        art.PD(arm, table.rename(index=str.upper), 1.0)
    for name in ("Q", "A"):
        good = {"A": np.diag([-1.0, -2.0]), "B": np.eye(2), "Q": np.eye(2), "R": np.eye(2)}
        with pytest.raises(art.ShapeError, match=f"lqr: {name}, along its rows, has the labels"):
            art.lqr(**{**good, name: pandas.DataFrame(good[name], index=["b", "a"])})


def test_numbers_in_rising_order_are_no_labels():
    arm = art.load("ur5")
    gains = np.arange(1.0, 7)
    for index in (None, range(1, 7), pandas.date_range("2026-01-01", periods=6)):
        assert (art.PD(arm, pandas.Series(gains, index=index), 1.0).stiffness == np.diag(gains)).all()
    with pytest.raises(art.ShapeError, match=r"stiffness: its labels .* are not in order"):
        art.PD(arm, pandas.Series(gains, index=range(6, 0, -1)), 1.0)
