"""The shorter formulations, on the regrouped model, against the textbook recursions."""

import numpy as np
import pytest

from articulated.algorithms.formulations import FORMULATIONS
from articulated.algorithms.regrouping import regrouped
from articulated.scalars import array
from tests.near import near
from tests.zoo import ZOO, state

PAIRS = [(text, other) for text, others in FORMULATIONS.items() for other in others]
ARGUMENTS = {"gravity_forces": 1, "mass_matrix": 1, "mass_matrix_inverse": 1, "christoffel": 1}
ARGUMENTS |= dict.fromkeys(("bias_forces", "coriolis_forces", "mass_matrix_rate"), 2)


def name_of(function):
    return getattr(function, "__name__", None) or function.func.__name__


@pytest.mark.parametrize("robot", ZOO, ids=lambda r: r.name)
@pytest.mark.parametrize("text, other", PAIRS, ids=[f"{name_of(a)}-{name_of(b)}" for a, b in PAIRS])
def test_formulations_agree(robot, rng, text, other):
    given = [array(x) for x in state(robot, rng)][: ARGUMENTS.get(name_of(text), 3)]
    condition = np.linalg.cond(robot.mass_matrix(np.array(given[0], float)))
    assert near(other(regrouped(robot.model), *given), text(robot.model, *given), 1e-14 * max(100, condition))


@pytest.mark.parametrize("robot", [r for r in ZOO if r.name in ("ur5", "stanford", "tree9")], ids=lambda r: r.name)
def test_regrouping_leaves_most_bodies_without_mass(robot):
    """Every body but those on sliders gives its mass to its parent, and the first one to the world."""
    for b in regrouped(robot.model).bodies:
        assert (b.inertia.mass == 0) != (type(b.joint).__name__ == "Prismatic")


def test_a_slider_keeps_no_second_moments():
    robot = next(r for r in ZOO if r.name == "cart_pole")
    cart = regrouped(robot.model).bodies[0]
    assert not np.array(cart.inertia.spread, float).any()
