"""Second derivatives on every robot: against differences of first ones, symmetric, and as laws say."""

import numpy as np
import pytest

import articulated as art
from articulated.algebra.scalars import array
from articulated.robot.fast_methods import requests
from tests.near import near
from tests.zoo import ZOO

SMALL = [robot for robot in ZOO if robot.nv <= 10]
robots = pytest.mark.parametrize("robot", SMALL, ids=lambda robot: robot.name)


def on_floats(derivatives, method, **values):
    """As algorithms run, without a compiler."""
    robot = derivatives.robot
    (plain,), _ = requests(robot, art.Robot, [method], float)
    extra = [name for name in values if name.startswith("cotangent")]
    asked = derivatives._noting.kernels.derived(plain, extra)
    found = asked.evaluate(robot.model, {name: array(x) for name, x in values.items()})
    return type(found)(*(np.array(x, float) for x in found))


@robots
@pytest.mark.parametrize("method", ["inverse_dynamics", "forward_dynamics"])
def test_hessians_are_differences_of_gradients(robot, method, rng):
    if method == "forward_dynamics" and (robot.kernels.massless_joints or robot.nv > 6):
        pytest.skip("no forward dynamics, or a long program for the interpreter")
    last = "a" if method == "inverse_dynamics" else "tau"
    state = {"q": robot.random(rng), "v": rng.normal(size=robot.nv), last: rng.normal(size=robot.nv)}
    w = rng.normal(size=robot.nv)
    H = on_floats(robot.hessian(method), method, **state, cotangent_0=w)
    near(H.q_q, H.q_q.T) and near(H.v_v, H.v_v.T)
    x, size = rng.normal(size=robot.nv), 1e-5

    def moved(sign):
        return {**state, "q": robot.integrate(state["q"], sign * size * x)}

    high, low = (on_floats(robot.vjp(method), method, **moved(sign), cotangent_0=w) for sign in (1, -1))
    # along one direction everything commutes; central differences of doubles give some eight digits
    near(x @ H.q_q @ x, x @ (high.q - low.q) / (2 * size), 1e-6)
    near(x @ H.q_v, (high.v - low.v) / (2 * size), 1e-6)
    near(x @ getattr(H, f"q_{last}"), (getattr(high, last) - getattr(low, last)) / (2 * size), 1e-6)


@robots
def test_all_second_derivatives_are_the_hessians_of_each_torque(robot, rng):
    state = {"q": robot.random(rng), "v": rng.normal(size=robot.nv), "a": rng.normal(size=robot.nv)}
    method = "inverse_dynamics"
    whole = on_floats(robot.second_derivatives(method), method, **state)
    w = rng.normal(size=robot.nv)
    H = on_floats(robot.hessian(method), method, **state, cotangent_0=w)
    for name in H._fields:
        near(np.einsum("i,ijk->jk", w, getattr(whole, name)), getattr(H, name), 1e-10)
    # the derivative of the mass matrix by q, and nothing in the square of a
    rate = robot.mass_matrix_rate(state["q"], state["v"])
    near(np.einsum("iqa,q->ia", whole.q_a, state["v"]), rate, 1e-11)
    assert not whole.a_a.any() and not whole.v_a.any()


def test_quadratic_in_velocity(rng):
    """½ vᵀ (∂²tau/∂v²) v is c(q, v), the Coriolis forces."""
    robot = art.load("panda")
    q, v, a = robot.random(rng, 3), rng.normal(size=(3, robot.nv)), np.zeros((3, robot.nv))
    found = robot.frictionless().second_derivatives("inverse_dynamics", wrt=["v"])(q, v, a).v_v
    near(np.einsum("nijk,nj,nk->ni", found, v, v) / 2, robot.frictionless().coriolis_forces(q, v))


def test_compiled_for_one_state_and_a_batch(rng):
    robot = art.load("ur5")
    q, v, a, w = robot.random(rng, 2), *(rng.normal(size=(2, robot.nv)) for _ in range(3))
    H = robot.hessian("inverse_dynamics")
    together, alone = H(q, v, a, cotangents=w), H(q[1], v[1], a[1], cotangents=w[1])
    assert all((x[1] == y).all() for x, y in zip(together, alone, strict=True))
    assert together._fields == ("q_q", "q_v", "q_a", "v_v", "v_a", "a_a")


@pytest.mark.parametrize(
    "call, words",
    [
        (lambda r: r.hessian("forces"), "method with derivatives"),
        (lambda r: r.hessian("pose", wrt=["v"])(r.neutral(), "tool0", cotangents=np.eye(4)), "no argument 'v'"),
        (lambda r: r.hessian("bias_forces")(r.neutral(), np.ones(6)), "cotangents"),
        (lambda r: r.second_derivatives("bias_forces", wrt=["parameters"])(r.neutral(), np.ones(6)), "parameters"),
        (lambda r: r.second_derivatives("articulated_bodies")(*np.zeros((3, 6))), "several results"),
    ],
)
def test_what_cannot_be_is_said(call, words):
    with pytest.raises(art.ArticulatedError, match=words):
        call(art.load("ur5"))
