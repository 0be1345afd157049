"""Fixture of the tests of all bridges: a small robot with everything, and values for every method."""

from functools import cache
from typing import Any

import numpy as np

import articulated as art
from articulated.bridges.methods import METHODS as METHODS
from tests.methods import arguments
from tests.zoo import random_tree


@cache
def robot() -> art.Robot:
    """A hinge and a ball, with friction and armature: small, for derivatives of derivatives are long."""
    return random_tree(3, 2, ["revolute", "spherical"], friction=True)


def called(method: str, rng: np.random.Generator, shape: tuple[int, ...] = ()) -> tuple[dict[str, Any], dict[str, Any]]:
    """The arrays a method needs, and what else it needs."""
    given = arguments(robot(), method, rng, shape)
    arrays = {name: x for name, x in given.items() if isinstance(x, np.ndarray)}
    return arrays, {name: x for name, x in given.items() if name not in arrays}


def flat(found: Any) -> list[np.ndarray]:
    """The results of a method as a list of arrays."""
    return [np.asarray(x) for x in found] if isinstance(found, tuple) else [np.asarray(found)]
