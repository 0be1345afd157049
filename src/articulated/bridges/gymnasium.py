"""Environments for reinforcement learning: Gymnasium's `Env` and `VectorEnv` on `art.Simulator`.

import gymnasium
import articulated.gymnasium

env = gymnasium.make("articulated/CartPole-v0")
many = gymnasium.make_vec("articulated/QuadrupedWalk-v0", num_envs=256)
"""

from typing import Any

import numpy as np

from ..errors import MissingExtra, unknown
from ..simulation import Simulator
from .tasks import TASKS, Floats, Judgement, Task

try:
    import gymnasium
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
except ModuleNotFoundError as problem:
    if problem.name != "gymnasium":
        raise
    raise MissingExtra("articulated.gymnasium needs Gymnasium: pip install 'articulated[rl]'") from None

__all__ = ["TASKS", "Environment", "Judgement", "Task", "VectorEnvironment"]


def _task(given: str | Task) -> Task:
    if isinstance(given, str):
        if given not in TASKS:
            raise unknown("task", given, "articulated.gymnasium", TASKS)
        return TASKS[given]()
    return given


def _spaces(sim: Simulator, task: Task) -> tuple[gymnasium.spaces.Box, gymnasium.spaces.Box]:
    """Spaces of observations and actions, of one robot."""
    size = task.observe(sim).shape[1]
    seen = gymnasium.spaces.Box(-np.inf, np.inf, (size,), np.float64)
    return seen, gymnasium.spaces.Box(-1.0, 1.0, (task.actions,), np.float64)


class VectorEnvironment(VectorEnv):
    """Many robots that learn a task: all of them take one compiled step at a time.

    An episode that is over begins anew with the next action, which it ignores (Gymnasium's `NEXT_STEP`).

    Parameters
    ----------
    task : a name of `TASKS`, or a `Task`
    num_envs : how many robots
    options : of `art.Simulator`, instead of the task's own

    Examples
    --------
    >>> import articulated.gymnasium
    >>> env = articulated.gymnasium.VectorEnvironment("CartPole", num_envs=3)
    >>> seen, _ = env.reset(seed=0)
    >>> seen, reward, terminated, truncated, info = env.step(env.action_space.sample())
    >>> seen.shape, reward.shape
    ((3, 4), (3,))
    """

    metadata = {"autoreset_mode": AutoresetMode.NEXT_STEP}  # noqa: RUF012

    def __init__(self, task: str | Task, num_envs: int = 1, **options: Any):
        self.task, self.num_envs = _task(task), num_envs
        self.simulator = Simulator(self.task.robot, n=num_envs, **{**self.task.options, **options})
        self.single_observation_space, self.single_action_space = _spaces(self.simulator, self.task)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._over, self._taken = np.zeros(num_envs, bool), np.zeros(num_envs, int)

    def reset(self, *, seed: Any = None, options: dict[str, Any] | None = None) -> tuple[Floats, dict[str, Any]]:
        """Begin all episodes anew; `options["reset_mask"]` (num_envs,) names some of them.

        Parameters
        ----------
        seed : of the random starts
        options : {"reset_mask": …} or None

        Returns
        -------
        observations (num_envs, …), and no further information

        Examples
        --------
        >>> import articulated.gymnasium
        >>> articulated.gymnasium.VectorEnvironment("CartPole", num_envs=2).reset(seed=1)[0].shape
        (2, 4)
        """
        super().reset(seed=seed[0] if isinstance(seed, (list, tuple)) else seed)
        self._begin(np.asarray((options or {}).get("reset_mask", np.ones(self.num_envs, bool))))
        return self.task.observe(self.simulator), {}

    def _begin(self, where: Floats) -> None:
        if where.any():
            q, v = self.task.start(self.np_random, int(where.sum()))
            self.simulator.reset(q, v, where=where)
            self._over[where], self._taken[where] = False, 0

    def step(self, actions: Any) -> tuple[Floats, Floats, Floats, Floats, dict[str, Any]]:
        """One action of every robot.

        Parameters
        ----------
        actions : (num_envs, …), from -1 to 1; others are clipped

        Returns
        -------
        observations, rewards, whether episodes are over, whether they were cut at their longest, no information

        Examples
        --------
        >>> import articulated.gymnasium
        >>> env = articulated.gymnasium.VectorEnvironment("CartPole", num_envs=2)
        >>> _ = env.reset(seed=1)
        >>> env.step([[0.5], [-0.5]])[1].shape
        (2,)
        """
        task, sim, new = self.task, self.simulator, self._over.copy()
        action = np.clip(np.asarray(actions, float).reshape(self.num_envs, task.actions), -1, 1)
        sim.step(**task.act(sim, action), steps=task.steps)
        self._taken += 1
        reward, over = task.judge(sim, action)
        bad = ~np.isfinite(sim.v).all(axis=1)  # a motion that diverged ends its episode
        reward, over = np.where(bad | new, 0.0, reward), (over | bad) & ~new
        self._begin(bad & ~new)
        self._begin(new)
        self._taken[bad] = 1
        cut = ~over & ~new & (self._taken >= task.longest)
        self._over = over | cut
        return task.observe(sim), reward, over, cut, {}


class Environment(gymnasium.Env):
    """One robot that learns a task.

    Parameters
    ----------
    task : a name of `TASKS`, or a `Task`
    options : of `art.Simulator`, instead of the task's own

    Examples
    --------
    >>> import articulated.gymnasium
    >>> env = articulated.gymnasium.Environment("CartPole")
    >>> seen, _ = env.reset(seed=0)
    >>> seen, reward, terminated, truncated, info = env.step([0.2])
    >>> seen.shape, terminated, truncated
    ((4,), False, False)
    """

    def __init__(self, task: str | Task, **options: Any):
        self.many = VectorEnvironment(task, 1, **options)
        self.observation_space, self.action_space = self.many.single_observation_space, self.many.single_action_space

    @property
    def simulator(self) -> Simulator:
        """Simulator that moves the robot."""
        return self.many.simulator

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Floats, dict[str, Any]]:
        """Begin an episode.

        Parameters
        ----------
        seed : of the random start
        options : none are known

        Returns
        -------
        the observation, and no further information

        Examples
        --------
        >>> import articulated.gymnasium
        >>> articulated.gymnasium.Environment("CartPole").reset(seed=1)[0].shape
        (4,)
        """
        super().reset(seed=seed)
        seen, info = self.many.reset(seed=seed)
        return seen[0], info

    def step(self, action: Any) -> tuple[Floats, float, bool, bool, dict[str, Any]]:
        """One action.

        Parameters
        ----------
        action : numbers from -1 to 1; others are clipped

        Returns
        -------
        the observation, the reward, whether the episode is over, whether it was cut, no information

        Examples
        --------
        >>> import articulated.gymnasium
        >>> env = articulated.gymnasium.Environment("CartPole")
        >>> _ = env.reset(seed=1)
        >>> env.step([0.5])[2]
        False
        """
        seen, reward, over, cut, info = self.many.step(np.reshape(action, (1, -1)))
        return seen[0], float(reward[0]), bool(over[0]), bool(cut[0]), info


for _name in TASKS:
    if f"articulated/{_name}-v0" not in gymnasium.registry:
        gymnasium.register(
            f"articulated/{_name}-v0",
            entry_point="articulated.gymnasium:Environment",
            vector_entry_point="articulated.gymnasium:VectorEnvironment",
            kwargs={"task": _name},
        )
