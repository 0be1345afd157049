"""A joint far from the others costs no digits that the textbook does not lose, measured against fifty of them."""

from functools import partial

import numpy as np
import pytest

import articulated as art
from articulated.algebra.scalars import array
from articulated.algorithms.fast.formulations import FORMULATIONS, suited
from articulated.algorithms.fast.regrouping import regrouped
from articulated.algorithms.forward_dynamics import forward_dynamics
from articulated.algorithms.inverse_dynamics import gravity_forces, inverse_dynamics
from articulated.algorithms.mass_matrix import mass_matrix, mass_matrix_inverse
from articulated.model import build
from tests.zoo import random_inertia

mpmath = pytest.importorskip("tests.many_digits").mpmath
#: what each takes of q, v and a (or tau)
ARRAYS = {inverse_dynamics: 3, gravity_forces: 1, mass_matrix: 1, mass_matrix_inverse: 1, forward_dynamics: 3}
DISTANCES = [10, 1e3, 1e6]
#: axes turned by anything or by right angles, and the far joint along its own axis or along its parent's
KINDS = ["right own", "right parent", "any own", "any parent", "parallel own"]
ROUNDING = 3e-16


def chain(kind: str, distance: float, where: int) -> art.Robot:
    """Four hinges, one of them far away."""
    rng = np.random.default_rng(where)
    links = [art.Link("base")]
    for i in range(4):
        right, anything = rng.choice([0, np.pi / 2, -np.pi / 2], 3), rng.uniform(-3, 3, 3)
        rpy = {"right": right, "any": anything, "parallel": np.zeros(3)}[kind.split()[0]]
        R = np.array(art.Transform.from_rpy(rpy.tolist()).exact().R, float)
        p = rng.normal(size=3) * 0.3 * (rng.random(3) < 0.7)
        if i == where:
            p = p + distance * (R[:, 2] if kind.endswith("own") else np.array([0, 0, 1.0]))
        links.append(art.Link(f"link{i}", links[-1].name, art.Revolute(), art.Transform(R, p), random_inertia(rng)))
    return art.build(links, gravity=(3, 2, -9))


@pytest.fixture(scope="module", autouse=True)
def fifty_digits():
    with mpmath.workdps(50):
        yield


def exactly(x):
    """The same numbers, as scalars of fifty digits."""
    return np.vectorize(lambda y: y if isinstance(y, int) else mpmath.mpf(float(y)), otypes=[object])(array(x))


def exact_model(robot: art.Robot):
    def exact_link(k):
        placement = art.Transform.computed(exactly(k.placement.R), exactly(k.placement.p))
        about = exactly(k.inertia.first), exactly(k.inertia.second)
        return k.replace(placement=placement, inertia=art.Inertia.computed(mpmath.mpf(float(k.inertia.mass)), *about))

    return build(map(exact_link, robot.links), exactly(robot.gravity), "exact")


def error(found, exact) -> float:
    found, exact = (np.ravel(np.array(x, object)) for x in (found, exact))
    return float(max(abs(mpmath.mpf(float(x)) - y) for x, y in zip(found, exact, strict=True)) / max(map(abs, exact)))


@pytest.mark.parametrize("distance", DISTANCES)
@pytest.mark.parametrize("kind", KINDS)
def test_what_is_compiled_loses_no_more_than_ten_times_what_the_textbook_loses(kind, distance):
    for where in (1, 3):
        robot = chain(kind, distance, where)
        exact, fast = exact_model(robot), regrouped(robot.model)
        states = np.random.default_rng(where).normal(size=(2, 3, 4))
        for textbook, count in ARRAYS.items():
            ways = {"textbook": partial(textbook, robot.model)}
            ways |= {way.__name__: partial(way, fast) for way in suited(FORMULATIONS[textbook], robot.model)}
            lost = dict.fromkeys(ways, ROUNDING)
            for state in states:
                truth = textbook(exact, *map(exactly, state[:count]))
                for name, way in ways.items():
                    lost[name] = max(lost[name], error(way(*map(array, state[:count])), truth))
            assert max(lost.values()) <= 10 * lost["textbook"], (textbook.__name__, where, lost)


@pytest.mark.parametrize("distance", [10, 1e8])
@pytest.mark.parametrize("kind", KINDS)
def test_a_joint_with_mass_of_its_own_is_never_said_to_move_none(kind, distance):
    for where in range(4):
        robot = chain(kind, distance, where)
        assert robot.kernels.massless_joints == []


def test_methods_run_what_keeps_its_digits(rng):
    robot = chain("right own", 1e3, 3)
    q, v, tau = rng.normal(size=(3, 4))
    truth = forward_dynamics(exact_model(robot), *map(exactly, (q, v, tau)))
    textbook = forward_dynamics(robot.model, *map(array, (q, v, tau)))
    assert error(robot.forward_dynamics(q, v, tau), truth) <= 10 * max(error(textbook, truth), ROUNDING)
