"""`simulate(…, parameters=…)`: a batch of robots with inertias of their own moves as those robots do, one by one."""

import numpy as np
import pytest

import articulated as art
from articulated.model.parameters import from_parameters

METHODS = ("euler", "midpoint", "rk4", "adaptive", "symplectic")
#: of positions after a quarter of a second: two programs round in their own ways
NEAR = 1e-11


def drawn(robot, count, rng):
    """Sets of parameters: every body heavier or lighter as a whole."""
    return np.array(robot.parameters) * np.repeat(rng.uniform(0.5, 2.0, (count, len(robot.body_names))), 10, axis=1)


def with_own(robot, parameters):
    """The robot that has them."""
    by_body = dict(zip(robot.body_names, parameters.reshape(-1, 10), strict=True))
    nothing = [0.0] * 10  # links fixed to a body are in its parameters
    links = [link.replace(inertia=from_parameters(list(by_body.get(link.name, nothing)))) for link in robot.links]
    return art.build(links, gravity=robot.gravity, name=robot.name)


def push(t, q, v):
    return 0.3 * np.sin(4 * t) - 0.1 * v


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", ["cart_pole", "tree4"])
def test_each_moves_as_the_robot_it_is(name, method, rng):
    robot = art.load(name)
    parameters, q = drawn(robot, 3, rng), robot.random(rng, (3,)) * 0.3
    options = {"duration": 0.25, "dt": 2e-3, "method": method, "limits": False if method == "euler" else None}
    forces = {robot.body_names[-1]: [0.2, 0, 0.1, 0, 0.05, 0]}
    run = art.simulate(robot, q, torque=art.traced(push), parameters=parameters, forces=forces, **options)
    for k in range(3):
        own = with_own(robot, parameters[k])
        assert np.allclose(own.parameters, parameters[k], rtol=1e-13, atol=1e-15)
        one = art.simulate(own, q[k], torque=art.traced(push), forces=forces, **options)
        assert np.abs(run.q[k] - one.q).max() < NEAR and np.abs(run.tau[k] - one.tau).max() < NEAR


def test_called_and_compiled_are_the_same(rng):
    robot = art.load("cart_pole")
    parameters, options = drawn(robot, 4, rng), {"duration": 0.2, "limits": False}
    traced = art.simulate(robot, [0, 0.3], torque=art.traced(push), parameters=parameters, **options)
    called = art.simulate(robot, [0, 0.3], torque=push, parameters=parameters, **options)
    assert traced.q.shape == (4, 201, 2) and np.abs(traced.q - called.q).max() < NEAR
    single = art.simulate(robot, [0, 0.3], torque=push, parameters=parameters[2], **options)
    assert single.q.shape == (201, 2) and np.abs(single.q - called.q[2]).max() < NEAR


FOOT = {"foot": 0.02}


def hopper():
    """A free body on one leg, which has a range and dry friction; its foot a millimeter above the ground."""
    body, foot = (art.Inertia(m, (0, 0, 0.01), m * np.diag([0.01, 0.012, 0.015])) for m in (2.0, 0.5))
    leg = art.Prismatic((0, 0, -1), name="leg", limits=art.Limits(0.0, 0.2), friction=1.0)
    links = [art.Link("body", None, art.Floating(), inertia=body), art.Link("foot", "body", leg, inertia=foot)]
    return art.build(links, name="hopper"), np.array([0, 0, 0.221, 0, 0, 0, 1, 0.2])


def weak(t, q, v):
    return np.concatenate([np.zeros(6), 8 - 2 * v[6:]])


def test_on_the_ground_and_at_joint_limits(rng):
    """Contacts, limits and dry friction: each of a batch moves as the robot it is on the ground it is on."""
    robot, q = hopper()
    parameters, frictions = drawn(robot, 2, rng), np.array([0.05, 0.9])
    options = {"v0": [0.3, 0.1, 0, 0, 0, 0, 0], "duration": 0.1, "forces": {"body": [1.0, 8.0, 0, 0, 0, 0]}}
    differs = {"contacts": art.Ground(frictions, feet=FOOT), "parameters": parameters}
    run = art.simulate(robot, q, torque=art.traced(weak), **differs, **options)
    assert run.contact.residual.max() <= 1e-6 and np.array_equal(run.contact.frictions, frictions[:, None])
    assert set(run.contact.states[0].ravel()) == {0, 2} and 1 in run.contact.states[1]
    assert np.ptp(run.q[..., 7]) > 0.01 and run.q[..., 7].max() < 0.2 + 1e-9
    for k in range(2):
        ground = art.Ground(frictions[k], feet=FOOT)
        one = art.simulate(with_own(robot, parameters[k]), q, torque=art.traced(weak), contacts=ground, **options)
        # each step is solved to 1e-6 of what gravity does in it
        assert np.abs(run.q[k] - one.q).max() < 1e-8 and np.array_equal(run.contact.states[k], one.contact.states)
    called = art.simulate(
        robot, q, torque=lambda t, q, v: [weak(t, *state) for state in zip(q, v, strict=True)], **differs, **options
    )
    assert np.abs(run.q - called.q).max() < NEAR


def test_frictions_alone_make_a_batch():
    robot, q = hopper()
    run = art.simulate(robot, q, duration=0.01, contacts=art.Ground(np.array([[0.1], [0.9]]), feet=FOOT))
    assert run.batch.shape == (2, 1) and run.contact.frictions.shape == (2, 1, 1)
    assert run.batch[1].contact.frictions.tolist() == [[0.9]]
    named = art.simulate(robot, q, duration=0.01, contacts=art.Ground({"foot": [0.1, 0.9]}, feet=FOOT))
    assert named.contact.frictions.tolist() == [[0.1], [0.9]]
    for bad in ([0.1, -0.2], [np.nan], [], ["much"], [[0.1], [0.2, 0.3]]):
        with pytest.raises(art.ShapeError, match="friction"):
            art.Ground(bad)
    with pytest.raises(art.ShapeError, match=r"do not broadcast: q0 \(3,\), friction \(2,\)"):
        art.simulate(robot, np.tile(q, (3, 1)), contacts=art.Ground([0.1, 0.2], feet=FOOT), duration=0.01)


@pytest.mark.parametrize("method", METHODS)
def test_the_trajectory_knows_them(method, rng):
    """Energies and their kin are those of the robots that moved; they do not drift where nothing drives."""
    robot = art.load("triple_pendulum")
    parameters = drawn(robot, 3, rng)
    run = art.simulate(robot, [0.5, 0.1, -0.2], parameters=parameters, duration=0.1, method=method)
    assert np.array_equal(run.parameters, parameters)
    change = np.ptp(run.energy.total, axis=-1).max()
    assert change < {"euler": 0.1, "midpoint": 1e-3, "rk4": 1e-9, "adaptive": 1e-9, "symplectic": 1e-3}[method]
    for k in range(3):
        own, one = with_own(robot, parameters[k]), run.batch[k]
        assert np.allclose(one.energy.total, own.kinetic_energy(one.q, one.v) + own.potential_energy(one.q))
        assert np.allclose(one.momentum, own.centroidal_momentum(one.q, one.v), atol=1e-12)
        assert np.allclose(one.center_of_mass, own.center_of_mass(one.q), atol=1e-12)
        assert np.array_equal(one[3:7].parameters, parameters[k])
        # the accelerations of the last steps are theirs
        assert np.allclose(one.a[5], own.forward_dynamics(one.q[5], one.v[5], one.tau[5]), rtol=1e-9)
    assert "energy" in run._repr_html_()
    whole = run[:30] + run[29:]
    assert np.array_equal(whole.parameters, parameters) and np.array_equal(run.resample(dt=0.05).parameters, parameters)
    other = art.simulate(robot, run.q[:, -1], run.v[:, -1], 0.01, method=method)
    with pytest.raises(art.ShapeError, match="different inertial parameters"):
        run + other


@pytest.mark.parametrize("ending", ["npz", "csv", "parquet"])
def test_files_hold_them(ending, rng, tmp_path):
    if ending == "parquet":
        pytest.importorskip("pyarrow")
    robot = art.load("cart_pole")
    for sets in (drawn(robot, 2, rng), drawn(robot, 1, rng)[0]):
        run = art.simulate(robot, [0, 0.3], parameters=sets, duration=0.01)
        run.save(tmp_path / f"run.{ending}")
        again = art.Trajectory.load(tmp_path / f"run.{ending}")
        assert np.array_equal(again.parameters, sets) and np.array_equal(again.energy.total, run.energy.total)


def test_tables_and_pictures_use_them(rng, tmp_path):
    robot = art.load("cart_pole")
    run = art.simulate(robot, [0, 0.3], parameters=drawn(robot, 2, rng), duration=0.01)
    xarray, matplotlib = pytest.importorskip("xarray"), pytest.importorskip("matplotlib")
    assert xarray and matplotlib
    data = run.to_xarray()
    assert data.parameters.dims == ("batch", "parameter") and np.array_equal(data.total_energy, run.energy.total)
    for kind in ("mass_matrix", "energies", "overview"):
        run.plot(kind, tmp_path / "out.png", dpi=30)
        run.batch[0].plot(kind, tmp_path / "out.png", dpi=30)


@pytest.mark.parametrize("given, words", [
    (np.zeros(7), r"parameters has shape \(7,\); it must be \(20,\)"), (np.full(20, np.nan), "parameters holds NaN"),
    ("heavy", "parameters must hold real numbers"), (np.zeros((3, 20)), "parameters has shape"),
])  # fmt: skip
def test_a_trajectory_refuses_others(given, words):
    robot = art.load("cart_pole")
    with pytest.raises(art.ShapeError, match=words):
        art.Trajectory(robot, [0.0], *[np.zeros((1, 2))] * 4, parameters=given)


@pytest.mark.parametrize("options, words", [
    ({"parameters": np.zeros(7)}, "parameters"), ({"parameters": np.full(20, np.nan)}, "holds NaN"),
    ({"parameters": -np.ones(20)}, "gives 'cart' a mass of -1 kg"), ({"parameters": np.zeros(20)}, "no mass to move"),
    ({"parameters": "heavy"}, "parameters"), ({"parameters": np.ones((3, 20)), "q0": np.zeros((2, 2))}, "broadcast"),
])  # fmt: skip
def test_refused(options, words):
    robot = art.load("cart_pole")
    given = {"q0": [0, 0.3], "parameters": robot.parameters, "duration": 0.01, "method": "rk4", **options}
    with pytest.raises(art.ArticulatedError, match=words):
        art.simulate(robot, **given)
