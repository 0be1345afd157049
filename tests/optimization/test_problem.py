"""Laws of `art.Problem`: no control can be changed for the better, limits hold, batches are problems one by one."""

import numpy as np
import pytest

import articulated as art
from articulated.model.shapes import Sphere
from articulated.optimization.costs import COSTS
from articulated.optimization.riccati import Model, _compiled, _in_batches
from articulated.optimization.rollout import BLOCKS
from tests.contacts.legged import tripod
from tests.zoo import random_tree


def of(name, robot):
    """A cost of each row, with a target away from the robot."""
    rng = np.random.default_rng(5)
    given = {
        "state": lambda f: f(robot.random(rng), rng.normal(size=robot.nv), 2.0, 3.0),
        "control": lambda f: f(0.5, rng.normal(size=robot.nv)),
        "frame": lambda f: f(robot.frame_names[-1], robot.pose(robot.random(rng), robot.frame_names[-1]), 1.0, 2.0),
        "center_of_mass": lambda f: f([0.1, 0.2, 0.3]),
        "clearance": lambda f: f(0.5, [Sphere(0.1, placement=art.Transform(p=(0.5, 0.3, 0.5)))]),
    }
    return given[name](COSTS[name])


@pytest.mark.parametrize("name", [name for name in COSTS if name != "friction"])
def test_derivatives_of_a_cost_are_those_of_its_residual(name):
    robot = art.load("panda") if name == "clearance" else random_tree(4, 3, ["floating", "revolute", "spherical"])
    rng, n = np.random.default_rng(1), robot.nv
    q, v, tau = robot.random(rng, (2,)), rng.normal(size=(2, n)), rng.normal(size=(2, n))
    residual = of(name, robot).residual
    _, by_state, by_torque = residual(robot, q, v, tau)
    J = by_state() if callable(by_state) else by_state
    J, by_torque = (None if x is None else np.diag(x) if x.ndim == 1 else x for x in (J, by_torque))
    if J is not None:
        J = np.concatenate([J, np.zeros((*J.shape[:-1], 2 * n - J.shape[-1]))], axis=-1)  # those by dq alone
    step = 1e-6
    for k in range(2 * n):
        d = step * np.eye(2 * n)[k]
        ends = [residual(robot, robot.integrate(q, s * d[:n]), v + s * d[n:], tau)[0] for s in (1, -1)]
        wanted = (ends[0] - ends[1]) / (2 * step)
        assert abs(wanted - (0 if J is None else J[..., k])).max() < 1e-7
    for k in range(n):
        d = step * np.eye(n)[k]
        wanted = (residual(robot, q, v, tau + d)[0] - residual(robot, q, v, tau - d)[0]) / (2 * step)
        assert abs(wanted - (0 if by_torque is None else by_torque[..., k])).max() < 1e-7


@pytest.mark.parametrize("method", BLOCKS)
@pytest.mark.parametrize("robot", [art.load("2r"), random_tree(7, 2, ["spherical", "revolute"])], ids=lambda r: r.name)
def test_no_control_can_be_changed_for_the_better(robot, method):
    """The gradient of the cost by every torque is zero, or points out of the limits."""
    rng, n, T = np.random.default_rng(0), robot.nv, 12
    goal = robot.random(rng)
    q0 = robot.integrate(goal, 0.3 * rng.normal(size=n))
    costs = [art.costs.control(1e-2), art.costs.state(goal, weight=0.1, final=10.0)]
    free = art.Problem(robot, T, costs, dt=0.02, method=method, limits=False)
    most = 0.5 * abs(free.solve(q0).trajectory.tau).max()
    found = art.Problem(robot, T, costs, dt=0.02, method=method, limits=most).solve(q0, tolerance=1e-14, iterations=300)
    tau = found.trajectory.tau[:T]
    assert abs(tau).max() <= most and (abs(tau) == most).any() and (abs(tau) < most).any()

    step = 1e-5 * most
    moves = step * np.eye(T * n).reshape(-1, T, n)
    ends = [free.solve(np.tile(q0, (T * n, 1)), tau=tau + s * moves, iterations=0).cost for s in (1, -1)]
    gradient = ((ends[0] - ends[1]) / (2 * step)).reshape(T, n)
    inside, scale = abs(tau) < most, found.cost / most
    assert abs(gradient[inside]).max() < 1e-4 * scale
    assert (gradient[~inside] * np.sign(tau[~inside]) < 1e-4 * scale).all()


def test_contact_phases_and_gaps():
    """A foot is lifted and lands: no torque can be changed for the better, also found from states no motion has."""
    robot, rng = art.Robot(tripod().model), np.random.default_rng(0)
    feet, n, T, dt = ["foot0", "foot1", "foot2"], robot.nv, 6, 0.01
    q0 = robot.random(rng)
    costs = [
        art.costs.control(1e-2), art.costs.state(q0, weight=0.1, final=10.0),
        art.costs.friction(0.2, least=5.0, weight=np.linspace(0.1, 1, T)[:, None]),
    ]  # fmt: skip
    schedule = [(2, feet), (2, feet[:2]), (2, art.Contacts(robot, point=feet))]
    problem = art.Problem(robot, T, costs, dt, limits=False, contacts=schedule)
    found = problem.solve(q0, tolerance=1e-14, iterations=300)
    tau, run = found.trajectory.tau[:T], found.trajectory
    assert found.converged and found.costs["friction"] > 0
    assert (found.forces["foot2"][2:4] == 0).all() and found.forces["foot2"][[1, 4]].any(axis=1).all()

    # the step after it has landed foot2 is at rest, and the motion is that of the torques
    again = problem.solve(q0, tau=tau, iterations=0)
    assert again.cost == pytest.approx(found.cost, rel=1e-9) and abs(again.trajectory.q - run.q).max() < 1e-9
    slip = np.diff([robot.pose(run.q[4:], foot)[:, :3, 3] for foot in feet], axis=1)
    assert abs(slip[:, 1]).max() < 1e-2 * abs(slip[2, 0]).max() + 1e-6

    step = 1e-4
    moves = step * np.eye(T * n).reshape(-1, T, n)[np.arange(T * n) % n >= 6]
    starts = np.tile(q0, (len(moves), 1))
    ends = [problem.solve(starts, tau=tau + s * moves, iterations=0).cost for s in (1, -1)]
    assert abs(ends[0] - ends[1]).max() / (2 * step) < 1e-5 * found.cost

    guess = robot.integrate(run.q, 0.02 * rng.normal(size=(T + 1, n)))
    other = problem.solve(q0, tau=tau, q=guess, v=run.v, tolerance=1e-14, iterations=300)
    assert other.converged and other.cost == pytest.approx(found.cost, rel=1e-8)
    with pytest.raises(art.ShapeError, match="5 in all, not 6"):
        art.Problem(robot, T, costs, dt, contacts=[(5, feet)])
    with pytest.raises(art.ShapeError, match="needs contacts="):
        art.Problem(robot, T, costs, dt)


def test_the_trajectory_is_one_of_simulate():
    robot = art.load("panda")
    home = robot.poses["home"]
    problem = art.Problem(robot, 30, [art.costs.control(1e-3), art.costs.state(home + 0.2, final=100.0)])
    found = problem.solve(home)
    run = art.simulate(robot, home, duration=0.3, dt=0.01, torque=found.trajectory.tau[:30], limits=False)
    assert abs(run.q - found.trajectory.q).max() < 1e-9
    assert (abs(found.trajectory.tau) <= robot.limits.effort).all()


def test_batches_are_problems_one_by_one():
    robot, goal = art.load("2r"), [0.5, -0.3]
    problem = art.Problem(robot, 20, [art.costs.control(1e-3), art.costs.state(goal, final=50.0)], dt=0.02)
    q0 = np.random.default_rng(0).normal(size=(2, 3, 2))
    many = problem.solve(q0)
    assert many.trajectory.q.shape == (2, 3, 21, 2) and many.feedback.shape == (2, 3, 20, 2, 4)
    one = problem.solve(q0[1, 2])
    assert one.cost == pytest.approx(many.cost[1, 2], rel=1e-6)
    assert many.converged.all() and one.converged


def test_both_forms_of_the_backward_pass_agree():
    rng = np.random.default_rng(0)
    N, T, x, u = 3, 5, 4, 2
    square = [rng.normal(size=(N, T + 1, x, x)), rng.normal(size=(N, T, u, u))]
    lxx, luu = (np.swapaxes(P, -1, -2) @ P for P in square)
    D, h = 0.1 * rng.normal(size=(N, T, x // 2, x + u)), 0.3
    v = np.eye(x // 2, x + u, x // 2) + D
    whole = np.concatenate([np.eye(x // 2, x + u) + h * v, v], axis=-2)
    lx, lu, room = rng.normal(size=(N, T + 1, x)), rng.normal(size=(N, T, u)), abs(rng.normal(size=(N, T, u)))
    model = Model(D, lx, lxx, lu, luu + 0.1 * np.eye(u), -room, room)
    robot, mu = art.load("2r"), np.ones(N)
    wanted = _in_batches(robot, model._replace(F=whole), mu, h)
    for found in (
        _compiled(robot, model, mu, h),
        _in_batches(robot, model, mu, h),
        _compiled(robot, model._replace(F=whole), mu, h),
    ):
        for one, other in zip(found, wanted, strict=True):
            assert np.allclose(one, other, rtol=1e-9)


def test_a_cost_of_ones_own_is_one_function():
    robot = art.load("2r")
    height = art.costs.cost(
        lambda robot, q, v, tau: (np.sin(q[..., :1]), np.cos(q[..., :1, None]) * np.eye(1, 4), None), 1.0, 10.0, "sine"
    )
    found = art.Problem(robot, 30, [height, art.costs.control(1e-4)], dt=0.02).solve([0.5, 0.0])
    assert set(found.costs) == {"sine", "control"} and abs(np.sin(found.trajectory.q[-1, 0])) < 0.05


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"horizon": 0}, "horizon"),
        ({"costs": []}, "art.costs"),
        ({"costs": [3]}, "art.costs"),
        ({"actuated": ["elbow"]}, "elbow"),
        ({"limits": [1, 2, 3]}, "limits"),
        ({"method": "midpoint"}, "euler"),
        ({"dt": -1}, "dt"),
    ],
)
def test_bad_input(options, words):
    usual = {"horizon": 5, "costs": [art.costs.control()]}
    with pytest.raises(art.ArticulatedError) as caught:
        art.Problem(art.load("2r"), **(usual | options))
    assert words in str(caught.value)
