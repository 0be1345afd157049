"""A wrong option is answered with the name of the method, the option, and what would have worked."""

import re

import numpy as np
import pytest

import articulated as art
from tests.methods import EVALUATED, arguments

robot = art.load("ur5")
q, v = robot.neutral(), np.zeros(6)
PRIVATE = re.compile(r"Kernels|_Recorder|evaluate|general|force_\d|\b_\w+\(")


@pytest.fixture(params=["first", "later"])
def arm(request):
    """A robot before and after the fast function has taken the place of the method."""
    arm = art.load("ur5")
    if request.param == "later":
        arm.warm("mass_matrix", "inverse_dynamics")
        arm.mass_matrix(q)
    return arm


def refused(kind, words, call, *given, **named):
    with pytest.raises(kind) as error:
        call(*given, **named)
    said = str(error.value)
    assert not PRIVATE.search(said) and all(word in said for word in words), said


@pytest.mark.parametrize("name", EVALUATED)
def test_every_method_knows_its_options(name, rng):
    given = arguments(robot, name, rng)
    call = getattr(robot, name)
    refused(TypeError, [name, "out, dtype, threads", "'treads'", "did you mean 'threads'?"], call, **given, treads=2)
    for threads in (0, -1, 2.5, None, "2", [2]):
        refused(art.ShapeError, [name, "threads is a whole number from 1"], call, **given, threads=threads)
    for dtype in (np.float16, int, "half", None, [], {}, "floot", np.dtype(">f8"), 64):
        refused(art.ShapeError, [name, "dtype is float64 or float32"], call, **given, dtype=dtype)
    for out in (3, "out", np.zeros(2), [np.zeros(2)], np.zeros(2, int), {"out": 1}):
        refused(art.ShapeError, ["out"], call, **given, out=out)


def test_the_message_is_the_one_promised(arm):
    said = "mass_matrix takes the options out, dtype, threads, parameters; got 'treads', did you mean 'threads'?"
    with pytest.raises(TypeError) as error:
        arm.mass_matrix(q, treads=2)
    assert str(error.value) == said
    refused(TypeError, ["method", "did you mean 'method'"], arm.forward_dynamics, q, v, v, methd="x")


def test_whole_numbers_of_any_kind_are_threads(arm):
    states = np.zeros((1000, 6))
    for threads in (1, 2, np.int64(2), True, 10**6):
        assert arm.mass_matrix(states, threads=threads).shape == (1000, 6, 6)


@pytest.mark.parametrize("forces", [[np.zeros(6)], np.zeros(6), "tool0", 3, [("tool0", np.zeros(6))], {"tool0"}])
def test_forces_are_given_by_frame(arm, forces):
    refused(art.ShapeError, ["inverse_dynamics", "forces are given by frame"], arm.inverse_dynamics, q, v, v, forces)


def test_a_force_of_the_wrong_size_is_named_by_its_frame(arm):
    words = ["inverse_dynamics", "the force at 'tool0'", "(3,)", "(…, 6)"]
    refused(art.ShapeError, words, arm.inverse_dynamics, q, v, v, {"base_link": np.zeros(6), "tool0": np.zeros(3)})
    refused(art.ShapeError, ["the force at 'tool0'", "numbers"], arm.inverse_dynamics, q, v, v, {"tool0": "up"})


def test_compiled_functions_know_their_options(arm):
    f = arm.compile("mass_matrix", "gravity_forces")
    for _ in range(2):
        refused(TypeError, ["q, out, threads", "'treads'", "did you mean 'threads'?"], f, q, treads=2)
        refused(art.ShapeError, ["threads is a whole number"], f, q, threads=0)
        refused(TypeError, ["takes the arrays q"], f)
        refused(TypeError, ["takes the arrays q"], f, q, q)
        f(q)


def test_a_list_of_methods_to_compile_is_explained(arm):
    for function in (arm.compile, arm.warm):
        with pytest.raises(TypeError, match="one by one: 'inverse_dynamics', 'mass_matrix', without brackets"):
            function(["inverse_dynamics", "mass_matrix"])


@pytest.mark.parametrize("choice", [None, 3, [], {}, "wrld", np.zeros(2)])
def test_choices_are_among_those_there_are(arm, choice):
    refused(art.UnknownName, ["axes", "world"], arm.jacobian, q, "tool0", choice)
    refused(art.UnknownName, ["method"], arm.forward_dynamics, q, v, v, method=choice)
