"""A trajectory holds what it is given, answers by the robot's own methods, and comes apart and together unchanged."""

import copy
import pickle
from dataclasses import FrozenInstanceError

import numpy as np
import pytest

import articulated as art
from tests.near import near
from tests.zoo import ZOO

from .rollouts import contacts, dog, rollout, same, scattered

SOME = [robot for robot in ZOO if robot.nv <= 20][::3]


@pytest.fixture(scope="module")
def run():
    return dog(12)


@pytest.fixture(scope="module")
def many():
    return dog(6, (3, 2), contact=contacts(6, (3, 2), each_friction=True))


@pytest.mark.parametrize("robot", SOME, ids=lambda robot: robot.name)
def test_quantities_are_those_of_the_robot(robot):
    run = scattered(robot, batch=(2,))
    k, b = 1, 1
    q, v = run.q[b, k], run.v[b, k]
    kinetic, potential = robot.kinetic_energy(q, v), robot.potential_energy(q)
    assert near(run.energy.kinetic[b, k], kinetic) and near(run.energy.potential[b, k], potential)
    assert near(run.energy.total[b, k], kinetic + potential)
    assert near(run.momentum[b, k], robot.centroidal_momentum(q, v))
    assert near(run.center_of_mass[b, k], robot.center_of_mass(q))
    assert near(run.power[b, k], run.tau[b, k] @ v)
    frame = robot.frame_names[-1]
    assert near(run.pose(frame)[b, k], robot.pose(q, frame))


def test_what_is_computed_is_kept_and_cannot_be_written_to(run):
    for make in (lambda: run.energy.total, lambda: run.momentum, lambda: run.center_of_mass, lambda: run.pose("base")):
        assert make() is make()
        with pytest.raises(ValueError, match="read-only"):
            make()[...] = 0
    for x in (run.t, run.q, run.v, run.a, run.tau, run.contact.forces, run.contact.states, run.forces["base"]):
        with pytest.raises(ValueError, match="read-only"):
            x[...] = 0
    for change in (lambda: setattr(run, "q", 0), lambda: delattr(run, "t"), lambda: setattr(run.contact, "names", ())):
        with pytest.raises(FrozenInstanceError):
            change()
    with pytest.raises(TypeError):
        run.info["method"] = "other"


def test_the_callers_arrays_stay_writable_and_are_not_copied():
    robot, q = art.load("2r"), np.zeros((4, 2))
    run = art.Trajectory(robot, np.arange(4.0), q, q, q, q)
    assert q.flags.writeable and np.shares_memory(run.q, q)


def test_samples(run):
    part = run[3:9:2]
    assert len(part) == 3 and np.array_equal(part.t, run.t[3:9:2]) and np.shares_memory(part.q, run.q)
    assert np.array_equal(part.contact.forces, run.contact.forces[3:9:2])
    assert np.array_equal(part.forces["base"], run.forces["base"][3:9:2])
    assert same(run[:], run) and same(run[-4:], run[8:12])
    state = run[-1]
    assert state.t == run.t[-1] and np.array_equal(state.q, run.q[-1]) and np.array_equal(state.tau, run.tau[-1])
    assert [s.t for s in run] == run.t.tolist()
    assert same(run.between(run.t[2], run.t[5]), run[2:6])
    assert same(run.between(-1e9, 1e9), run)


def test_members_of_a_batch(many):
    assert many.batch.shape == (3, 2) and len(many.batch) == 3
    one = many.batch[2, 1]
    assert one.batch.shape == () and np.array_equal(one.q, many.q[2, 1])
    assert np.array_equal(one.contact.gaps, many.contact.gaps[2, 1])
    assert np.array_equal(one.contact.frictions, many.contact.frictions[2, 1])
    assert np.array_equal(one.forces["base"], many.forces["base"][2, 1])
    assert np.array_equal(many.batch[..., 0].q, many.q[:, 0])
    assert np.array_equal(many.batch[[0, 2]].contact.residual, many.contact.residual[[0, 2]])
    mask = np.array([[True, False], [False, False], [True, True]])
    assert np.array_equal(many.batch[mask].q, many.q[mask])
    assert [member.batch.shape for member in many.batch] == [(2,)] * 3
    assert np.array_equal(many.batch[1][2:4].q, many[2:4].batch[1].q)


@pytest.mark.parametrize("method, names", [("adaptive", ["attempts"]), ("symplectic", ["iterations", "residuals"])])
def test_members_tell_what_the_method_did_for_them(method, names):
    robot, q = art.load("double_pendulum"), np.array([[0.1, 0.0], [1.0, 0.5], [2.5, -1.0]])
    many = art.simulate(robot, q, duration=0.5, dt=0.05, method=method)
    for k in range(3):
        alone = art.simulate(robot, q[k], duration=0.5, dt=0.05, method=method).info
        assert all(many.batch[k].info.get(name) == alone.get(name) for name in [*names, "residual"])
    for name in names:
        assert len(set(many.info[name])) > 1
        assert many.batch[[2, 0]].info[name] == [many.info[name][2], many.info[name][0]]
        assert many.batch[1:].batch[1].info[name] == [many.info[name][2]]
        parts = (many[:6] + many[5:]).batch[1].info["parts"]
        assert [part[name] for part in parts] == [[many.info[name][1]]] * 2


def test_members_tell_their_own_residual_of_contacts():
    robot = art.load("quadruped", floating_base=True)
    home = robot.poses["home"]
    q = np.stack([home, robot.integrate(home, [0, 0, 0.1, 0.1, 0.2] + [0] * 13)])
    many = art.simulate(robot, q, duration=0.1, contacts=art.Ground())
    assert many.info["residual"] == many.contact.residual.max() == max(many.info["residuals"])
    for k in range(2):
        one = many.batch[k]
        assert one.info["residual"] == one.contact.residual.max() and one.info["residuals"] == [one.info["residual"]]


def test_parts_put_together_are_the_whole(run, many):
    for whole in (run, many):
        parts = [whole[:3], whole[2:4], whole[3:]]
        again = art.Trajectory.concatenate(*parts)
        names = ("t", "q", "v", "a", "tau")
        assert all(near(getattr(again, name), getattr(whole, name)) for name in names)
        assert same(again, art.Trajectory(
            whole.robot, again.t, whole.q, whole.v, whole.a, whole.tau, whole.contact, whole.forces, again.info,
        ))  # fmt: skip
        assert len(again.info["parts"]) == 3 and again.info["parts"][0] == dict(whole.info)


def test_the_second_run_begins_where_the_first_ends():
    robot = art.load("2r")
    first = rollout(robot, 5)
    state = (first.q[[-1] * 3], first.v[[-1] * 3], first.a[:3] + 7, first.tau[:3])
    second = art.Trajectory(robot, np.arange(3) * 0.1, *state)
    whole = first + second
    assert near(whole.t[-3:], first.t[-1] + np.arange(3) * 0.1)
    assert np.array_equal(whole.a[4], second.a[0])  # of the step that begins at the sample they share
    with pytest.raises(art.ShapeError, match="does not begin where the first ends: q of joint"):
        first + first
    pushed = art.Trajectory(robot, second.t, second.q, second.v + 1e-3, second.a, second.tau)
    with pytest.raises(art.ShapeError, match=r"v of joint1 differs by 0\.001"):
        first + pushed


def test_runs_that_do_not_belong_together_are_refused(run, many):
    with pytest.raises(art.ShapeError, match="different joints"):
        rollout(art.load("2r"), 2) + rollout(art.load("ur5"), 2)
    with pytest.raises(art.ShapeError, match="batch of shape"):
        run[:3] + many[2:]
    bare = art.Trajectory(run.robot, run.t[2:], run.q[2:], run.v[2:], run.a[2:], run.tau[2:])
    with pytest.raises(art.ShapeError, match="different contact points: FL_FOOT, FR_FOOT, HL_FOOT, HR_FOOT; none"):
        run[:3] + bare
    with pytest.raises(TypeError):
        run + 1
    with pytest.raises(art.ShapeError, match="one after the other"):
        art.Trajectory.concatenate()


def test_a_force_that_only_one_run_has_is_zero_in_the_other(run):
    without = art.Trajectory(run.robot, run.t[5:], run.q[5:], run.v[5:], run.a[5:], run.tau[5:], run[5:].contact)
    whole = run[:6] + without
    assert np.array_equal(whole.forces["base"][:5], run.forces["base"][:5]) and not whole.forces["base"][5:].any()


@pytest.mark.parametrize("change", [copy.copy, copy.deepcopy, lambda run: pickle.loads(pickle.dumps(run))])
def test_copies_are_the_same(change, run):
    assert same(change(run), run)


def test_a_robot_without_joints_has_trajectories():
    robot = art.build([art.Link("block", inertia=art.Inertia(1.0))])
    run = art.Trajectory(robot, [0.0, 1.0], *[np.zeros((2, 0))] * 4)
    assert run.energy.total.shape == (2,) and len(run.resample(dt=0.25)) == 5 and run._repr_html_()
