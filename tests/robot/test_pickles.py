"""Methods, compiled functions and results go to other processes, before and after their first call."""

import multiprocessing
import pickle

import numpy as np
import pytest

import articulated as art
from articulated.compiler.runtime import call
from tests.methods import EVALUATED, arguments, results


@pytest.fixture(params=["C", "Python"])
def way(request, monkeypatch):
    if request.param == "Python":
        monkeypatch.setenv("ARTICULATED_EXTENSION", "off")
    elif call.reason():
        pytest.skip(call.reason())


def same(one, other):
    assert type(one) is type(other)
    assert all((x == y).all() for x, y in zip(results(one), results(other), strict=True))


@pytest.mark.usefixtures("way")
@pytest.mark.parametrize("protocol", [2, pickle.HIGHEST_PROTOCOL])
def test_methods_before_and_after_their_first_call(protocol, rng):
    robot = art.load("stanford")
    for name in EVALUATED:
        given = arguments(robot, name, rng)
        for _ in range(2):
            sent = pickle.loads(pickle.dumps(getattr(robot, name), protocol))
            found = getattr(robot, name)(**given)
        same(sent(**given), found)
        same(pickle.loads(pickle.dumps(found, protocol)), found)


@pytest.mark.usefixtures("way")
def test_compiled_functions_and_their_results(rng):
    robot = art.load("ur5")
    f = robot.compile("mass_matrix", "articulated_bodies", ("pose", "tool0"))
    q, v = robot.random(rng), rng.normal(size=6)
    for states in ((q, v, v), (np.stack([q] * 9), v, v)):
        found = f(*states)
        same(pickle.loads(pickle.dumps(f))(*states), found)
        again = pickle.loads(pickle.dumps(found))
        same(again, found)
        assert again._fields == found._fields and pickle.loads(pickle.dumps(again)) is not again


def test_states_of_other_libraries(rng):
    dog = art.load("quadruped", floating_base=True)
    state = art.conventions.to_mujoco(dog, dog.random(rng), rng.normal(size=dog.nv))
    same(pickle.loads(pickle.dumps(state)), state)


def test_in_a_spawned_process(rng):
    robot = art.load("2r")
    q = robot.random(rng, 4)
    f = robot.compile("mass_matrix", "center_of_mass")
    expected = robot.mass_matrix(q[0]), robot.pose(q[0], robot.frame_names[-1]), f(q)
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        same(pool.apply(robot.mass_matrix, (q[0],)), expected[0])
        same(pool.apply(robot.pose, (q[0], robot.frame_names[-1])), expected[1])
        same(pool.apply(f, (q,)), expected[2])
