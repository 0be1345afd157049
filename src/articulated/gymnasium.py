"""Robots that learn: `gymnasium.make("articulated/CartPole-v0")`; needs Gymnasium (`pip install 'articulated[rl]'`)."""

from .bridges.gymnasium import TASKS as TASKS
from .bridges.gymnasium import Environment as Environment
from .bridges.gymnasium import Judgement as Judgement
from .bridges.gymnasium import Task as Task
from .bridges.gymnasium import VectorEnvironment as VectorEnvironment
