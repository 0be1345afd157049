"""External forces of a simulation in other axes, and as what the robot exerts: `art.Wrenches`."""

import numpy as np
import pytest

import articulated as art
from tests.near import near

arm = art.load("ur5")
dog = art.load("quadruped", floating_base=True)
side = ("side", art.Transform.from_rpy((1, 2, 3), (0.3, 0.1, 0)))
heavy = art.Inertia(2.0, (0.1, 0, 0.2), (0.3, 0.4, 0.5))
body = art.build([art.Link("body", None, art.Floating(), inertia=heavy, frames=[side])], gravity=(0, 0, 0))
PUSH = np.array([3.0, -5.0, 8.0, 0.2, 0.4, -0.3])
METHODS = ["euler", "midpoint", "rk4", "adaptive", "symplectic"]


def by_hand(robot, q, frame, axes):
    """The force in the axes of its frame."""
    pose = robot.pose(q, frame)
    if axes == "world":
        pose[:3, 3] = 0
    return art.spatial.coadjoint(art.spatial.inverse(pose)) @ PUSH if axes != "frame" else PUSH


@pytest.mark.parametrize("axes", ["frame", "world", "spatial"])
@pytest.mark.parametrize("drive", ["rows", "function", "ground"])
def test_a_force_in_other_axes_is_one_that_is_rotated_in_each_step(axes, drive):
    robot, frame = (dog, "FL_FOOT") if drive == "ground" else (arm, "tool0")
    q, v = robot.poses["home"] if drive == "ground" else np.full(6, 0.3), np.zeros(robot.nv)
    tau = 0.1 * np.ones(robot.nv)
    given = {"torque": (lambda t, q, v: tau) if drive == "function" else tau, "dt": 2e-3, "progress": False}
    given |= {"contacts": art.Ground()} if drive == "ground" else {}
    run = art.simulate(robot, q, v, 0.02, forces=art.Wrenches({frame: PUSH}, axes), **given)
    for k in range(10):
        assert near(run.forces[frame][k], by_hand(robot, run.q[k], frame, axes), 1e-9)
        step = art.simulate(robot, q, v, 2e-3, forces={frame: by_hand(robot, q, frame, axes)}, **given)
        q, v = step.q[-1], step.v[-1]
        # a contact problem begins where the last one ended, and is solved to a tolerance
        assert np.allclose(run.q[k + 1], q, atol=1e-8) and np.allclose(run.v[k + 1], v, atol=1e-6)
    if drive != "ground":
        found = robot.inverse_dynamics(run.q, run.v, run.a, forces=run.forces)
        assert near(found, run.tau, 1e-9)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("axes", ["world", "spatial"])
def test_a_force_that_stays_as_it_is_gives_momentum_at_its_rate(method, axes):
    """Linear momentum of a free body in world axes, and angular momentum about the world's origin."""
    q, v = body.random(np.random.default_rng(3)), np.array([0.3, 0.2, -0.4, 1.0, 2.0, -1.0])
    run = art.simulate(body, q, v, 0.5, 1e-3, method=method, forces=art.Wrenches({"side": PUSH}, axes), every=100)
    momentum = body.centroidal_momentum(run.q, run.v)
    gained, pushed = momentum - momentum[0], run.t[:, None] * PUSH
    exact = {"euler": 2e-2, "midpoint": 2e-5}.get(method, 1e-9)  # by their order, away from the center of mass
    assert np.allclose(gained[:, :3], pushed[:, :3], atol=exact)
    if axes == "spatial" and method != "euler":
        momentum[:, 3:] += np.cross(body.center_of_mass(run.q), momentum[:, :3])
        assert np.allclose(momentum - momentum[0], pushed, atol=max(exact, 1e-5))


@pytest.mark.parametrize("method", METHODS)
def test_what_the_environment_feels_is_the_opposite(method):
    given = {"method": method, "duration": 0.02}
    one = art.simulate(arm, np.full(6, 0.3), forces=art.Wrenches({"tool0": -PUSH}, "world"), **given)
    other = art.simulate(arm, np.full(6, 0.3), forces=art.Wrenches({"tool0": PUSH}, "world", "environment"), **given)
    assert (one.q == other.q).all() and (one.forces["tool0"] == other.forces["tool0"]).all()


@pytest.mark.parametrize("method", METHODS)
def test_runs_of_a_batch_are_those_of_single_ones(method):
    """Also over time, one history for each run."""
    rng = np.random.default_rng(1)
    q, push = rng.normal(size=(3, 6)), 10 * rng.normal(size=(3, 20, 6))
    given = {"method": method, "duration": 0.02}
    runs = art.simulate(arm, q, forces=art.Wrenches({"tool0": push}, "world"), **given)
    for k in range(3):
        alone = art.simulate(arm, q[k], forces=art.Wrenches({"tool0": push[k]}, "world"), **given)
        assert np.allclose(runs.q[k], alone.q, atol=1e-9) and near(runs.forces["tool0"][k], alone.forces["tool0"], 1e-9)


@pytest.mark.parametrize("method", ["euler", "rk4"])
def test_a_function_of_python_runs_as_the_compiled_loop(method):
    given = {"method": method, "forces": art.Wrenches({"tool0": PUSH}, "world"), "duration": 0.02}
    q, v = np.full(6, 0.3), np.arange(6.0)
    called = art.simulate(arm, q, v, torque=lambda t, q, v: np.zeros(6), **given)
    assert np.allclose(called.q, art.simulate(arm, q, v, **given).q, atol=1e-10)


def test_files_keep_what_acts_on_the_robot(tmp_path):
    run = art.simulate(arm, np.full(6, 0.3), forces=art.Wrenches({"tool0": PUSH}, "world", "environment"))
    run.save(tmp_path / "run.npz")
    kept = art.Trajectory.load(tmp_path / "run.npz").forces["tool0"]
    assert near(kept[7], -by_hand(arm, run.q[7], "tool0", "world"))
