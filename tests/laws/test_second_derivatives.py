"""Second derivatives on every robot: against differences of first ones, symmetric, and as laws say."""

import numpy as np
import pytest

import articulated as art
from articulated.algebra.scalars import array
from articulated.compiler.passes.simplify import count
from articulated.compiler.pipeline import program
from articulated.robot.methods import requests
from tests.near import near
from tests.zoo import STRUCTURES, turns

SMALL = [robot for robot in STRUCTURES if robot.nv <= 10]
robots = pytest.mark.parametrize("robot", SMALL, ids=lambda robot: robot.name)


def on_floats(derivatives, method, **values):
    """As algorithms run, without a compiler."""
    robot = derivatives.robot
    (plain,), _ = requests(robot, [method])
    extra = [name for name in values if name.startswith("cotangent")]
    asked = derivatives.kernels.derived(plain, extra)
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
    x, size = rng.normal(size=robot.nv), 1e-5

    def differences(name):
        """Differences of the gradient, as one argument moves along x; central differences give some eight digits."""
        step = {sign: sign * size * x for sign in (1, -1)}
        at = {sign: robot.integrate(state["q"], dx) if name == "q" else state[name] + dx for sign, dx in step.items()}
        high, low = (
            on_floats(robot.vjp(method), method, **{**state, name: at[sign]}, cotangent_0=w) for sign in (1, -1)
        )
        return type(high)(*((one - other) / (2 * size) for one, other in zip(high, low, strict=True)))

    by_q, by_v = differences("q"), differences("v")
    near(x @ H.q_q @ x, x @ by_q.q, 1e-6)  # along one direction everything commutes
    if not turns(robot):
        near(x @ H.q_q, by_q.q, 1e-6)
    near(x @ H.q_v, by_q.v, 1e-6)
    near(H.q_v @ x, by_v.q, 1e-6)
    near(H.v_v @ x, by_v.v, 1e-6)
    near(x @ getattr(H, f"q_{last}"), getattr(by_q, last), 1e-6)


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


@pytest.mark.parametrize("kind", ["hessian", "second_derivatives"])
def test_the_order_of_arguments_does_not_matter(kind, rng):
    robot = SMALL[-1]
    state = {"q": robot.random(rng), "v": rng.normal(size=robot.nv), "a": rng.normal(size=robot.nv)}
    more = {"cotangent_0": rng.normal(size=robot.nv)} if kind == "hessian" else {}
    method = "inverse_dynamics"
    usual, other = (
        on_floats(getattr(robot, kind)(method, wrt=wrt), method, **state, **more)
        for wrt in (tuple("qva"), tuple("avq"))
    )
    assert other._fields == ("a_a", "a_v", "a_q", "v_v", "v_q", "q_q")
    for name in other._fields:
        there = getattr(usual, name, None)
        near(getattr(other, name), np.swapaxes(getattr(usual, name[::-1]), -1, -2) if there is None else there)


def operations(robot, kind, wrt):
    """Operations of inverse dynamics, and of its second derivatives."""
    (plain,), _ = requests(robot, ["inverse_dynamics"])
    kernels = getattr(robot, kind)("inverse_dynamics", wrt=wrt).kernels
    asked = kernels.derived(plain, ["cotangent_0"] if kind == "hessian" else [])
    pairs = (robot.kernels, plain), (kernels, asked)
    return [sum(count(program(k.kernel(request).source)).values()) for k, request in pairs]


@pytest.mark.parametrize("name, most", [("ur5", 8), ("panda", 14)])
def test_a_hessian_costs_a_few_inverse_dynamics(name, most):
    """Backward over the gradient, so that what v adds costs little; forward it would be a third more."""
    robot = art.load(name).frictionless()
    plain, found = operations(robot, "hessian", ("q", "v"))
    assert found <= most * plain
    assert operations(robot, "hessian", ("v", "q"))[1] == found
    with_a = operations(robot, "hessian", ("q", "v", "a"))[1]
    assert with_a <= 1.05 * found


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
