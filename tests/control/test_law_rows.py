"""Further rows of a law: forces, motors by speed, accelerations, clearance, moving ground, ends of lines."""

import numpy as np
import pytest

import articulated as art
from articulated.control.qp import active_set as qp
from articulated.control.whole_body import tick
from articulated.model.shapes import Box

from ..near import near
from .standing import FEET, balance, contacts, law, pose, robot, state, targets, tasks

NAME = "solo12"


def dense(own, q, v, given, **call):
    """The least cost of the program of a law, from its rows and tasks as they are, by daqp."""
    daqp = pytest.importorskip("daqp")
    found = own._found(q, v, given)
    arrays = own._numbers(q, v, **call)
    A, lower, upper = arrays.rows(found)
    n, T = arrays.numbers, tick._tasks(arrays, found)
    regular = n.options[[1, 2]].repeat([arrays.nv, arrays.contacts])
    H, f = (T.T * n.weight) @ T + np.diag(regular), -T.T @ (n.weight * found.wanted)
    sense = np.where(lower == upper, 5, 0).astype(np.int32)
    big = 1e30
    x, _, flag, _ = daqp.solve(
        2 * H, 2 * f, A, np.clip(upper, -big, big), np.clip(lower, -big, big), sense, primal_tol=1e-10
    )
    assert flag == 1
    return x @ H @ x + 2 * f @ x + (n.weight * found.wanted) @ found.wanted


#: options of a law, more tasks, arguments of a call
CASES = {
    "force": ({}, [art.tasks.Force("FL_FOOT", weight=1.0, target=[0.5, 0.2, 7.0])], {}),
    "no-load speeds": ({"no_load_speeds": 2.0, "torque_limits": 3.0}, [], {}),
    "torque limits of a call": ({}, [], {"torque_limits": np.linspace(1.0, 2.5, 12)}),
    "acceleration limits": ({"horizon": 0.05, "acceleration_limits": 60.0}, [], {}),
    "moving ground": ({"contact_damping": 10.0}, [], {"moving": {"FL_FOOT": ([0.3, 0, 0], [0, 1.0, 0])}}),
    "clearance": ({"clearance": 0.02}, [], {}),
}


@pytest.mark.parametrize("case", CASES)
def test_each_is_the_least_of_its_dense_program_in_both_texts(case, rng, monkeypatch):
    options, more, call = CASES[case]
    name = "biped" if case == "clearance" else NAME
    own, speed = law(name, [*tasks(name), *more], **options), 3.0 if case == "no-load speeds" else 0.5
    for _ in range(3):
        q, v = state(name, rng, speed)
        given = targets(name, q, 0.1 * rng.normal(size=3))
        done = own(q, v, **call, **given)
        assert done.status == "solved"
        assert near(done.objective, dense(own, q, v, given, **call), 1e-6 * (1 + done.objective))
        assert near(balance(name, q, v, done) / (robot(name).mass * 9.81), np.zeros(len(v)), 1e-9)
        monkeypatch.setattr(tick, "native", None)
        monkeypatch.setattr(qp, "native", None)
        assert near(own(q, v, **call, **given).tau, done.tau, 1e-6)
        monkeypatch.undo()
        if case != "clearance":  # whose lanes take long to compile
            many = own(np.stack([q, q]), np.stack([v, v]), **call, **given)
            assert near(many.tau, np.stack([done.tau, done.tau]), 1e-9)
            assert all(x.shape[0] == 2 for x in many.residuals.values())


def test_a_force_is_what_was_wanted_and_its_level_keeps_it(rng):
    q, v = state(NAME, rng)
    weight = robot(NAME).mass * 9.81
    wanted = [*tasks(NAME, center_of_mass=1, base=1, posture=1), art.tasks.Force("HR_FOOT")]
    done = law(NAME, wanted)(q, v, force_HR_FOOT=[0, 0, 0.4 * weight], **targets(NAME, q))
    assert near(done.forces[9:], [0, 0, 0.4 * weight], 1e-4 * weight) and done.status == "solved"
    assert near(done.residuals["force_HR_FOOT"], done.forces[9:] - [0, 0, 0.4 * weight], 1e-9)
    lifted = law(NAME, wanted)(q, v, standing=FEET[:3], force_HR_FOOT=[0, 0, 0.4 * weight], **targets(NAME, q))
    assert lifted.forces.shape == (9,)
    with pytest.raises(art.ArticulatedError, match="did you mean 'HR_FOOT'"):
        law(NAME, [art.tasks.Force("HR_FOOD")])


def test_a_motor_drives_less_the_faster_it_turns_and_brakes_with_all_it_has(rng):
    own = law(NAME, no_load_speeds=4.0, torque_limits=2.0)
    for _ in range(20):
        q, v = state(NAME, rng, 3.0)
        done = own(q, v, **targets(NAME, q, rng.normal(size=3)))
        if done.status == "solved":
            speed = v[contacts(NAME).actuated]
            most = 2.0 * np.where(np.sign(done.tau) == np.sign(speed), np.clip(1 - abs(speed) / 4.0, 0, 1), 1.0)
            assert (abs(done.tau) <= most + 1e-7).all()


def test_joints_keep_position_velocity_and_acceleration_limits_that_stay_feasible():
    """Pushed from wall to wall as hard as it likes, a joint never meets bounds that exclude each other."""
    arm, dt = art.load("panda"), 2e-3
    most = np.full(7, 30.0)
    own = art.WholeBody(
        art.Contacts(arm), [art.tasks.Posture(gain=4e4)], horizon=dt, acceleration_limits=most, torque_limits=False
    )
    q, v = np.array(arm.poses["home"]), np.zeros(7)
    low, high, fastest, _ = arm.limits
    for k in range(600):
        done = own(q, v, posture=np.where(k // 200 % 2, low - 1, high + 1))
        assert done.status == "solved", (k, done.violations)
        assert (abs(done.a) <= most + 1e-6).all()
        q, v = q + dt * v + dt * dt / 2 * done.a, v + dt * done.a
        assert (q <= high + 1e-9).all() and (q >= low - 1e-9).all() and (abs(v) <= fastest + 1e-7).all()


@pytest.mark.parametrize(("gain", "bound"), [(400.0, 0.015), (6400.0, 0.019)])
def test_an_arm_stays_clear_of_an_obstacle_it_is_sent_into(gain, bound):
    """Its hand lies flat on the wall, so that nearest points jump: the harder the rows, the less is missing."""
    arm = art.load("panda")
    q, v, dt = np.array([0, -0.8, 0, -2.4, 0, 1.6, 0.8]), np.zeros(7), 2e-3
    tip = "panda_hand_tcp"
    wall = Box((0.02, 2.0, 2.0), placement=art.Transform(p=arm.pose(q, tip)[:3, 3] + [0.2, 0, 0]))
    options = {"torque_limits": False}
    wanted = [art.tasks.Frame(tip, "position", gain=25), art.tasks.Posture(gain=10, weight=0.1, target=q)]
    own = art.WholeBody(art.Contacts(arm), wanted, clearance=0.02, clearance_gain=gain, obstacles=[wall], **options)
    beyond = arm.pose(q, tip)[:3, 3] + [0.4, 0, 0]
    least = np.inf
    for _ in range(400):
        done = own(q, v, **{tip: beyond})
        q, v = q + dt * v, v + dt * done.a
        least = min(least, float(arm.distances(q, [wall])[len(arm.distance_pairs) :].min()))
    assert least > bound and any(name.startswith("clearance ") for name in done.active)
    free = art.WholeBody(art.Contacts(arm), wanted, **options)
    assert not any(name.startswith("clearance") for name in free(q, v, **{tip: beyond}).active)


def test_a_foot_follows_the_conveyor_it_stands_on(rng):
    q, v = state(NAME, rng)
    own, held = law(NAME, contact_damping=15.0), contacts(NAME)
    velocity, acceleration = np.array([0.4, -0.1, 0.0]), np.array([0.0, 2.0, 0.0])
    done = own(q, v, moving={"FR_FOOT": (velocity, acceleration)}, **targets(NAME, q))
    moved = held.jacobian(q) @ done.a + held.bias(q, v)
    expected = -15.0 * (held.jacobian(q) @ v)
    expected[3:6] += 15.0 * velocity + acceleration
    assert near(moved, expected, 1e-7)


def test_pressure_stays_on_a_line(rng):
    """Where the force acts along the line: from its moment, about any axis across."""
    name = "biped"
    own = robot(name)
    held = art.Contacts(own, line={"left_sole": (1, 0, 0)}, surface=["right_sole"])
    options = {"soles": {"left_sole": (-0.05, 0.1), "right_sole": (0.2, 0.1)}, "friction": 0.5}
    ended = art.WholeBody(held, tasks(name), **options)
    seen = []
    for _ in range(40):
        q = own.integrate(pose(name), 0.1 * rng.normal(size=own.nv))
        done = ended(q, np.zeros(own.nv), **targets(name, q, 0.3 * rng.normal(size=3)))
        force, (about, across) = done.forces[6:9], done.forces[9:]
        R = own.pose(q, "left_sole")[:3, :3]
        moment = about * (R @ held.contacts[1].angular[0]) + across * (R @ held.contacts[1].angular[1])
        line = R[:, 0] - [0, 0, R[2, 0]]
        line /= np.linalg.norm(line)
        if done.status == "solved" and force[2] > 1.0:
            seen.append(-np.cross([0, 0, 1], line) @ moment / force[2])
            assert -0.05 - 1e-6 <= seen[-1] <= 0.1 + 1e-6
            assert abs(moment[2]) <= 0.5 * 0.15 / 2 * force[2] + 1e-6
    assert min(seen) < -0.05 + 1e-6 or max(seen) > 0.1 - 1e-6
