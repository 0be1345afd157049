"""Environments: Gymnasium's own checks on every task, and a vector of them beside single ones."""

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium", reason="Gymnasium is not installed: pip install 'articulated[rl]'")

from gymnasium.utils.env_checker import check_env  # noqa: E402

import articulated as art  # noqa: E402
import articulated.gymnasium  # noqa: E402
from articulated.gymnasium import TASKS, Environment, Judgement, Task, VectorEnvironment  # noqa: E402


@pytest.mark.parametrize("name", TASKS)
@pytest.mark.filterwarnings("ignore:.*A Box observation space:UserWarning")
def test_gymnasium_finds_no_fault(name):
    check_env(gymnasium.make(f"articulated/{name}-v0").unwrapped, skip_render_check=True)
    assert gymnasium.make_vec(f"articulated/{name}-v0", num_envs=3).observation_space.shape[0] == 3


@pytest.mark.parametrize("name", TASKS)
def test_robots_of_a_vector_do_not_know_of_each_other(name, rng):
    """Every robot of a vector is the one that would move alone from there."""
    many = VectorEnvironment(name, 3)
    many.reset(seed=4)
    starts = many.simulator.q.copy(), many.simulator.v.copy()
    actions = rng.uniform(-1, 1, (8, 3, many.task.actions))
    for action in actions:
        many.step(action)
    for k in range(3):
        one = Environment(name)
        one.simulator.reset(starts[0][k], starts[1][k])
        for action in actions:
            one.step(action[k])
        assert np.allclose(one.simulator.q[0], many.simulator.q[k], rtol=0, atol=1e-12)


def falling(longest=4):
    """A robot that is over once its first joint is below zero."""
    return Task(
        robot=art.load("2r"), actions=2,
        start=lambda rng, count: (rng.uniform(0, 0.02, (count, 2)), np.zeros((count, 2))),
        observe=lambda sim: sim.q.copy(), act=lambda sim, action: {"tau": action},
        judge=lambda sim, action: Judgement(np.ones(len(sim.q)), sim.q[:, 0] < 0), steps=20, longest=longest,
    )  # fmt: skip


def test_episodes_end_and_begin_with_the_next_action():
    env = VectorEnvironment(falling(), 16)
    env.reset(seed=0)
    before = np.zeros(16, bool)
    ended, taken = 0, np.zeros(16, int)
    for _ in range(30):
        seen, reward, over, cut, _ = env.step(np.zeros((16, 2)))
        assert not (over & cut).any() and not reward[before].any() and (reward[~before] == 1).all()
        assert ((seen[before] >= 0) & (seen[before] <= 0.02)).all()  # they begin anew, and the action does nothing
        assert not (over | cut)[before].any() and (env.simulator.t[before] == 0).all()
        taken = np.where(before, 0, taken + 1)
        assert np.array_equal(cut, ~over & ~before & (taken == 4))
        before, ended = over | cut, ended + over.sum()
    assert ended


def test_a_motion_that_diverges_ends_its_episode():
    env = VectorEnvironment(falling(100), 3)
    env.reset(seed=0)
    env.simulator._loop.state["v"][1] = np.nan
    seen, reward, over, _, _ = env.step(np.ones((3, 2)))
    assert np.isfinite(seen).all() and over.tolist() == [False, True, False] and reward.tolist() == [1, 0, 1]
    seen, reward, over, _, _ = env.step(np.ones((3, 2)))
    assert not over[1] and reward[1] == 0 and env.simulator.t[1] == 0


def test_some_episodes_begin_anew_on_request():
    env = VectorEnvironment("CartPole", 3)
    env.reset(seed=0)
    env.step(np.zeros((3, 1)))
    before = env.simulator.q.copy()
    env.reset(options={"reset_mask": np.array([False, True, False])})
    assert np.array_equal(env.simulator.q[[0, 2]], before[[0, 2]]) and (env.simulator.q[1] != before[1]).any()


def test_actions_are_clipped_and_tasks_have_names():
    one, two = (Environment("CartPole") for _ in range(2))
    for env, action in ((one, [1.0]), (two, [7.0])):
        env.reset(seed=3)
        env.step(action)
    assert np.array_equal(one.simulator.q, two.simulator.q)
    with pytest.raises(art.UnknownName, match="CartPole"):
        Environment("cartpole")
