"""Laws of `art.Problem`: no control can be changed for the better, limits hold, batches are problems one by one."""

import re

import numpy as np
import pytest

import articulated as art
from articulated.model.shapes import Sphere
from articulated.optimization import solver
from articulated.optimization.costs import COSTS
from articulated.optimization.rollout import BLOCKS
from articulated.optimization.terms import Quadratic, laid_out, quadratics, sampled, weighted
from tests.contacts.legged import tripod
from tests.zoo import random_tree

from .test_step import SPRUNG


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


def differences(function, robot, q, v, tau, step=1e-6):
    """Central differences by dq, dv and tau, in the last axis."""
    n, columns = robot.nv, []
    for d in step * np.eye(3 * n):
        ends = [function(robot.integrate(q, s * d[:n]), v + s * d[n : 2 * n], tau + s * d[2 * n :]) for s in (1, -1)]
        columns.append((ends[0] - ends[1]) / (2 * step))
    return np.stack(columns, axis=-1)


@pytest.mark.parametrize("name", [name for name in COSTS if name != "friction"])
def test_derivatives_of_a_cost_are_those_of_its_residual(name):
    robot = art.load("panda") if name == "clearance" else random_tree(4, 3, ["floating", "revolute", "spherical"])
    rng, n = np.random.default_rng(1), robot.nv
    q, v, tau = robot.random(rng, (2,)), rng.normal(size=(2, n)), rng.normal(size=(2, n))
    cost = of(name, robot)
    if cost.numbers is None:
        J = differences(lambda *state: cost.residual(robot, *state)[0], robot, q, v, tau)
        by_state = cost.residual(robot, q, v, tau)[1]()
        assert abs(J[..., : by_state.shape[-1]] - by_state).max() < 1e-7 and not J[..., by_state.shape[-1] :].any()
        return
    terms = laid_out([cost], robot, 1, 1.0)

    def of_samples(function, q, v, tau):  # the first of two samples; the last has no torques
        given = [np.stack([x, x], axis=1) for x in (q, v)]
        return [
            x[:, 0] for x in sampled(robot, terms, tuple(range(n)), function, *given, tau[:, None], np.zeros((2, 2, 0)))
        ]

    r, w = of_samples(weighted, q, v, tau)
    J = differences(lambda *state: of_samples(weighted, *state)[0], robot, q, v, tau)
    found = Quadratic(*of_samples(quadratics, q, v, tau))
    gradient, hessian = (r * w)[..., None, :] @ J, np.swapaxes(J, -1, -2) @ (w[..., None] * J)
    assert abs(np.concatenate([found.lx, found.lu], axis=-1) - gradient[..., 0, :]).max() < 1e-6
    for block, wanted in ((found.lxx, hessian[..., : 2 * n, : 2 * n]), (found.luu, hessian[..., 2 * n :, 2 * n :])):
        assert abs(block - wanted).max() < 1e-6


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
    robot, rng = art.Robot(tripod(2).model), np.random.default_rng(0)
    feet, n, T, dt = ["foot0", "foot1"], robot.nv, 6, 0.01
    q0 = robot.random(rng)
    costs = [
        art.costs.control(1e-2), art.costs.state(q0, weight=0.1, final=10.0),
        art.costs.friction(0.2, least=5.0, weight=np.linspace(0.1, 1, T)[:, None]),
    ]  # fmt: skip
    schedule = [(2, feet), (2, feet[:1]), (2, art.Contacts(robot, point=feet))]
    problem = art.Problem(robot, T, costs, dt, limits=False, contacts=schedule)
    found = problem.solve(q0, tolerance=1e-14, iterations=300)
    tau, run = found.trajectory.tau[:T], found.trajectory
    assert found.converged and found.costs["friction"] > 0
    assert (found.forces["foot1"][2:4] == 0).all() and found.forces["foot1"][[1, 4]].any(axis=1).all()

    # the step after it has landed foot1 is at rest, and the motion is that of the torques
    again = problem.solve(q0, tau=tau, iterations=0)
    assert again.cost == pytest.approx(found.cost, rel=1e-9) and abs(again.trajectory.q - run.q).max() < 1e-9
    slip = np.diff([robot.pose(run.q[4:], foot)[:, :3, 3] for foot in feet], axis=1)
    assert abs(slip[:, 1]).max() < 1e-2 * abs(slip[1, 0]).max() + 1e-6

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


@pytest.mark.parametrize("method", BLOCKS)
def test_both_forms_of_the_backward_pass_agree(method, monkeypatch):
    """Compiled over time with costs in the loop, and by NumPy on batches; some torques at their limits, gaps open."""
    robot, rng = art.load("2r"), np.random.default_rng(0)
    costs = [art.costs.control(1e-3), art.costs.state([0.5, -0.3], weight=[1, 2, 0.1, 0.2], final=50.0), of_sine()]
    limits = {"effort": 3.0, "position": (-0.2, 0.3), "velocity": 1.0}
    problem = art.Problem(robot, 8, costs, dt=0.02, method=method, limits=limits)
    start, gaps = solver.first_guess(problem, *rng.normal(size=(2, 3, 2)), None, None, None, (3,))
    near = start.motion
    near.own[..., 1:] = 0.1 * rng.normal(size=near.own[..., 1:].shape)
    mu, gaps = np.array([0.0, 1e-3, 1.0]), gaps + 0.01 * rng.normal(size=gaps.shape)
    one = solver.gained(problem, near, mu, gaps)
    monkeypatch.setattr(solver, "COMPILED", 0)
    other = solver.gained(problem, near, mu, gaps)
    room = [abs(one.feedforward + near.u - sign * 3.0).min() for sign in (1, -1)]
    assert min(room) < 1e-12
    for a, b in zip(one, other, strict=True):
        assert np.allclose(a, b, rtol=1e-9, atol=1e-12)


def of_sine():
    """A cost on batches."""
    return art.costs.cost(
        lambda robot, q, v, tau: (np.sin(q[..., :1]), np.cos(q[..., :1, None]) * np.eye(1, 4), None), 1.0, 10.0, "sine"
    )


@pytest.fixture(scope="module")
def panda():
    return art.load("panda")


def reach(panda, target, steps=50, limits=True, more=()):
    """The hand to a point."""
    home = panda.poses["home"]
    costs = [
        art.costs.control(1e-3, panda.gravity_forces(home)),
        art.costs.state(home, weight=[0.01] * 7 + [0.1] * 7, final=[0] * 7 + [10] * 7),
        art.costs.frame("panda_hand", target, 1, 1e3), *more,
    ]  # fmt: skip
    return art.Problem(panda, steps, costs, dt=0.02, limits=limits)


def test_limits_of_positions_and_velocities_hold(panda):
    """They are reached, multipliers have the right sign, and what was found free of them goes beyond."""
    home, target = panda.poses["home"], panda.pose(panda.poses["home"], "panda_hand")[:3, 3] + [0.1, 0.3, -0.2]
    free = reach(panda, target, limits={"position": None, "velocity": None}).solve(home)
    limits = {"velocity": 0.8 * abs(free.trajectory.v).max(), "position": (-9, free.trajectory.q[-1].max() - 0.1)}
    found = reach(panda, target, limits=limits).solve(home, iterations=200)
    over = np.array(
        [abs(found.trajectory.v).max() - limits["velocity"], found.trajectory.q.max() - limits["position"][1]]
    )
    assert found.converged and found.reason == "" and (abs(over) < 1e-5).all() and found.violation < 1e-5
    assert free.cost < found.cost


def test_what_cannot_be_is_said(panda):
    """Which, where, by how much; the best that was found is the solution."""
    home, start = panda.poses["home"], panda.poses["home"] + [3, 0, 0, 0, 0, 0, 0]
    near = [0.35, 0.4, 0.4]
    ball = art.costs.clearance(0.05, [Sphere(0.3, placement=art.Transform(p=(0.45, 0.1, 0.45)))])
    told = {
        "infeasible horizon": (reach(panda, near, 8), home, r"'panda_hand' ends 0\.\d+ m .* which can be reached"),
        "out of reach": (reach(panda, [1.5, 0.4, 0.4]), home, r"ends 0\.[67]\d* m .* stays 0\.[67]\d* m away"),
        "beyond limits": (reach(panda, near), start, r"'panda_joint1' is 0\.103 beyond its limits .* the start"),
        "in collision": (reach(panda, near, more=[ball]), home, r"overlap by 0\.\d+ m at t = 0 s, the start"),
    }
    for what, (problem, q0, words) in told.items():
        found = problem.solve(q0, iterations=20)
        assert re.search(words, found.reason), (what, found.reason)
        assert np.isfinite(found.trajectory.q).all() and found.reason in repr(found)
    both = reach(panda, near).solve(np.stack([home, start]), iterations=2)
    assert both.reason.shape == (2,) and "start" in both.reason[1] and "start" not in both.reason[0]


def test_a_cost_of_ones_own_is_one_function():
    robot = art.load("2r")
    found = art.Problem(robot, 30, [of_sine(), art.costs.control(1e-4)], dt=0.02).solve([0.5, 0.0])
    assert set(found.costs) == {"sine", "control"} and abs(np.sin(found.trajectory.q[-1, 0])) < 0.05

    with pytest.raises(art.ShapeError, match=r"costs.mine: a residual gives r, its derivatives"):
        art.Problem(robot, 30, [art.costs.cost(lambda robot, q, v, tau: v, name="mine")], dt=0.02).solve([0.5, 0.0])


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"horizon": 0}, "horizon"),
        ({"costs": []}, "art.costs"),
        ({"costs": [3]}, "art.costs"),
        ({"actuated": ["elbow"]}, "elbow"),
        ({"limits": [1, 2, 3]}, "limits"),
        ({"limits": {"position": (1, 0.5)}}, "lower 1 is 0.5 above upper 0.5"),
        ({"limits": {"position": 3}}, "(lower, upper)"),
        ({"limits": {"jerk": 3}}, "position"),
        ({"method": "midpoint"}, "euler"),
        ({"dt": -1}, "dt"),
        ({"robot": SPRUNG}, 'use method="rk4"'),
    ],
)
def test_bad_input(options, words):
    usual = {"robot": art.load("2r"), "horizon": 5, "costs": [art.costs.control()]}
    with pytest.raises(art.ArticulatedError) as caught:
        art.Problem(**(usual | options))
    assert words in str(caught.value)


@pytest.mark.parametrize(("q0", "v0"), [([0, np.nan], None), ([0, 0], [np.inf, 0]), ([0, 0, 0], None), ([0, 0], 2.0)])
def test_a_bad_start_is_a_matter_of_the_problem(q0, v0):
    problem = art.Problem(art.load("2r"), horizon=3, costs=[art.costs.control()])
    with pytest.raises(art.ArticulatedError, match=r"^Problem\.solve"):
        problem.solve(q0, v0)
