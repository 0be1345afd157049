"""A method as an operation: the same numbers, and derivatives of derivatives; no framework is needed for this."""

import math

import numpy as np
import pytest

from articulated.bridges.methods import Bridged
from articulated.errors import ArticulatedError
from tests.near import near

from .robots import METHODS, called, flat, robot


class Asking(Bridged):
    """A bridge to nowhere: a call returns what it asks for."""

    def evaluated(self, method, asked):
        return asked


@pytest.fixture(scope="module")
def bridge():
    return Asking(robot())


def operation(bridge, method, rng, shape=(), **options):
    arrays, rest = called(method, rng, shape)
    asked = getattr(bridge, method)(**arrays, **rest, **options)
    return asked.operation(float), asked.arrays


def test_the_robot_has_a_quaternion():
    assert robot().nq > robot().nv


@pytest.mark.parametrize("method", METHODS)
def test_an_operation_is_the_method(bridge, method, rng):
    arrays, rest = called(method, rng)
    asked = getattr(bridge, method)(**arrays, **rest)
    found, expected = asked.operation(float)(*asked.arrays.values()), flat(getattr(robot(), method)(**arrays, **rest))
    assert all(np.array_equal(x, y) for x, y in zip(found, expected, strict=True))
    assert list(asked.operation(float).shapes) == [x.shape for x in expected]


def dot(derived, given, extra, with_):
    """The results of a derivative times vectors."""
    found = derived(*derived.arrays(given, extra))
    return sum(x.ravel() @ y for x, y in zip(found, with_, strict=True))


#: methods whose derivatives are looked at here; those of all of them by the tests of each framework
SOME = ["body_motions", "difference", "forward_dynamics", "integrate", "inverse_dynamics", "mass_matrix", "pose"]


@pytest.mark.parametrize("method", SOME)
def test_derivatives_are_the_same_forwards_and_backwards(bridge, method, rng):
    """w · (J t) is (Jᵀ w) · t, and so are the derivatives of both along a direction u."""
    one, given = operation(bridge, method, rng)
    wrt = one.names
    t, u = ([rng.normal(size=x.shape) for x in given.values()] for _ in range(2))
    w = [rng.normal(size=math.prod(shape)) for shape in one.shapes]
    forward, backward = one.tangent(wrt), one.gradient(wrt)
    at_forward = dict(zip(forward.names, forward.arrays(given, t), strict=True))
    at_backward = dict(zip(backward.names, backward.arrays(given, w), strict=True))

    assert near(dot(forward, given, t, w), dot(backward, given, w, t), 1e-11)

    # w · f'' t u in four ways
    found = [
        dot(forward.gradient(wrt), at_forward, w, u),
        dot(backward.tangent(wrt), at_backward, u, t),
        dot(backward.gradient(wrt), at_backward, t, u),
        dot(forward.tangent(wrt), at_forward, u, w),
    ]
    assert all(near(x, found[0], 1e-11) for x in found)


@pytest.mark.parametrize("method", ["inverse_dynamics", "forward_dynamics"])
def test_derivatives_are_those_of_the_robot(bridge, method, rng):
    frame = robot().frame_names[-1]
    options = {"forces": {frame: rng.normal(size=(5, 6))}, "parameters": robot().parameters * 1.1}
    one, given = operation(bridge, method, rng, (5,), **options)
    w = rng.normal(size=(5, robot().nv))
    wrt = [name for name in one.names if name != "force_0"]
    derived = one.gradient([*wrt, "force_0"])
    found = dict(zip([*wrt, "force_0"], derived(*derived.arrays(given, [w])), strict=True))
    arrays = [x for name, x in given.items() if name in "qva" or name == "tau"]
    vjp = robot().vjp(method, wrt=[*wrt, "forces"], space="coordinates")
    expected = vjp(*arrays, cotangents=w, **options)
    assert found.keys() == {"q", "v", one.names[2], "parameters", "force_0"}
    for name, x in found.items():
        assert near(x, getattr(expected, "forces" if name == "force_0" else name), 1e-12)


def test_the_hessian_of_the_energy_is_the_derivative_of_gravity(bridge, rng):
    one, given = operation(bridge, "potential_energy", rng)
    gradient = one.gradient(["q"])
    hessian = gradient.tangent(["q"])
    given = dict(zip(gradient.names, gradient.arrays(given, [np.ones(1)]), strict=True))
    units = np.eye(robot().nq)
    found = np.stack([hessian(*hessian.arrays(given, [unit]))[0] for unit in units])
    assert near(found, found.T, 1e-12)

    # a step of the gradient, to second order
    step = 1e-5
    ahead, behind = ({**given, "q": given["q"] + s * units} for s in (step, -step))
    differences = (gradient(*ahead.values())[0] - gradient(*behind.values())[0]) / (2 * step)
    assert near(found, differences, 1e-7)


def test_single_precision(bridge, rng):
    arrays, _ = called("forward_dynamics", rng, (3,))
    single = bridge.forward_dynamics(**arrays).operation(np.float32)
    (found,) = single(*(x.astype(np.float32) for x in arrays.values()))
    assert found.dtype == np.float32
    derived = single.gradient(["q"])
    assert derived(*arrays.values(), found)[0].dtype == np.float32


def test_bad_calls_say_what_would_have_worked(bridge):
    with pytest.raises(AttributeError, match=r"no method 'forward_dynamic' in .* mean 'forward_dynamics'"):
        getattr(bridge, "forward_dynamic")  # noqa: B009
    with pytest.raises(TypeError, match="out"):
        bridge.gravity_forces(robot().neutral(), out=np.zeros(robot().nv))
    with pytest.raises(ArticulatedError, match="takes a Robot"):
        Asking("panda")
    with pytest.raises(ArticulatedError, match="needs"):
        bridge.gravity_forces(np.zeros(3)).operation(float).check((3,))
