"""A robot in JAX: `articulated.jax.Robot(robot)`; needs JAX (`pip install 'articulated[jax]'`)."""

from .bridges.jax import Contacts as Contacts
from .bridges.jax import Robot as Robot
