"""Robots in PyTorch: derivatives against differences, transformations against each other, what is refused."""

import pickle

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed: make test-bridges")

import articulated as art  # noqa: E402
import articulated.torch  # noqa: E402
from articulated.errors import ArticulatedError, ShapeError  # noqa: E402
from tests.near import near  # noqa: E402

from .robots import METHODS, called, flat, robot  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")


@pytest.fixture(scope="module")
def arm():
    return articulated.torch.Robot(robot())


def tensors(arrays, grad=True):
    return {name: torch.tensor(x, requires_grad=grad) for name, x in arrays.items()}


def call(arm, method, rest, names):
    return lambda *given: getattr(arm, method)(**dict(zip(names, given, strict=True)), **rest)


@pytest.mark.parametrize("method", METHODS)
def test_derivatives_agree_with_differences(arm, method, rng):
    """Forwards, backwards, and twice: backwards of backwards, forwards of backwards."""
    arrays, rest = called(method, rng)
    given, function = tuple(tensors(arrays).values()), call(arm, method, rest, arrays)
    found = function(*given)
    found = found if isinstance(found, tuple) else (found,)
    if not any(x.requires_grad for x in found):
        pytest.fail("nothing to differentiate")
    # entries that cannot be differentiated, or are not finite, have no differences
    chosen = [k for k, x in enumerate(found) if torch.isfinite(x).all()]
    if not chosen:
        pytest.skip("a joint without limits is infinitely far from them")

    def some(*given):
        all_of_them = function(*given)
        all_of_them = all_of_them if isinstance(all_of_them, tuple) else (all_of_them,)
        return tuple(all_of_them[k] for k in chosen)

    # differences are good for six digits of numbers of this size
    assert torch.autograd.gradcheck(some, given, check_forward_ad=True, fast_mode=True, atol=1e-4)
    assert torch.autograd.gradgradcheck(some, given, check_fwd_over_rev=True, fast_mode=True, atol=1e-3, rtol=1e-3)


@pytest.mark.parametrize("method", ["inverse_dynamics", "forward_dynamics"])
def test_by_forces_parameters_and_what_was_broadcast(arm, method, rng):
    arrays, _ = called(method, rng, (3,))
    arrays["v"] = arrays["v"][0]
    given = tensors({**arrays, "force": rng.normal(size=6), "parameters": robot().parameters})

    def function(q, v, last, force, parameters):
        forces = {robot().frame_names[-1]: force}
        return getattr(arm, method)(q, v, last, forces=forces, parameters=parameters)

    assert torch.autograd.gradcheck(function, tuple(given.values()), check_forward_ad=True)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("dtype", [torch.float64, torch.float32])
def test_numbers_are_those_of_the_robot(arm, method, dtype, rng):
    arrays, rest = called(method, rng, (2, 3))
    given = {name: x.to(dtype) for name, x in tensors(arrays, grad=False).items()}
    found = flat(getattr(arm, method)(**given, **rest))
    numbers = {name: x.numpy() for name, x in given.items()}
    expected = flat(getattr(robot(), method)(**numbers, **rest, dtype=np.dtype(str(dtype)[6:])))
    assert all(np.array_equal(x, y) and x.dtype == y.dtype for x, y in zip(found, expected, strict=True))


def test_the_gradient_is_that_of_the_robot(arm, rng):
    arrays, _ = called("forward_dynamics", rng, (7,))
    given, w = tensors(arrays), rng.normal(size=(7, robot().nv))
    (arm.forward_dynamics(**given) * torch.tensor(w)).sum().backward()
    expected = robot().vjp("forward_dynamics", space="coordinates")(*arrays.values(), cotangents=w)
    assert all(near(given[name].grad, getattr(expected, name)) for name in arrays)


def test_every_transformation_gives_the_same_jacobian(arm, rng):
    from torch.func import jacfwd, jacrev, vmap

    arrays, _ = called("forward_dynamics", rng, (4,))
    given = list(tensors(arrays, grad=False).values())
    expected = robot().derivatives("forward_dynamics", space="coordinates")(*arrays.values()).q
    for way in (jacfwd, jacrev):
        assert near(vmap(way(arm.forward_dynamics))(*given), expected)
        moved = [given[0].movedim(0, 1), given[1], given[2]]
        assert near(vmap(way(arm.forward_dynamics), in_dims=(1, 0, 0), out_dims=1)(*moved).movedim(1, 0), expected)
    q, v, tau = given
    alone = vmap(arm.forward_dynamics, in_dims=(0, None, None))(q, v[0], tau)
    assert near(alone, robot().forward_dynamics(q.numpy()[:, None], v[0].numpy(), tau.numpy()))


def test_the_second_derivatives_of_all_orders_of_differentiation(arm, rng):
    from torch.func import jacfwd, jacrev

    q = torch.tensor(robot().random(rng))
    found = [one(other(arm.potential_energy))(q) for one in (jacfwd, jacrev) for other in (jacfwd, jacrev)]
    assert all(near(x, found[0]) for x in found)
    assert torch.equal(found[0].abs() > 0, found[0].T.abs() > 0) and near(found[0], found[0].T)


def test_tensors_are_not_copied(arm, monkeypatch, rng):
    """The kernel is given the memory of the tensor."""
    from articulated.bridges.operations import Operation

    seen, ordinary = [], Operation.__call__
    monkeypatch.setattr(Operation, "__call__", lambda self, *x: (seen.extend(x), ordinary(self, *x))[1])
    q = torch.tensor(robot().random(rng, (5,)), requires_grad=True)
    arm.gravity_forces(q)
    assert seen[0].__array_interface__["data"][0] == q.data_ptr()


def test_lists_arrays_and_integers(arm):
    q = robot().neutral()
    expected = robot().gravity_forces(q)
    assert near(arm.gravity_forces(q.tolist()), expected)
    tenths = [0.1] * robot().nq  # not a number of single precision
    assert near(arm.gravity_forces(tenths), robot().gravity_forces(tenths))
    assert near(arm.gravity_forces(torch.tensor(q.astype(int))), expected)
    mixed = arm.inverse_dynamics(torch.tensor(q, dtype=torch.float32), torch.zeros(robot().nv), np.zeros(robot().nv))
    assert mixed.dtype == torch.float32
    promoted = arm.inverse_dynamics(torch.tensor(q), torch.zeros(robot().nv), np.zeros(robot().nv))
    assert promoted.dtype == torch.float64


def test_what_is_refused(arm):
    q = torch.zeros(robot().nq)
    with pytest.raises(ArticulatedError, match=r"q is on meta; this runs on the CPU: pass q\.cpu\(\)"):
        arm.gravity_forces(q.to("meta"))
    with pytest.raises(ArticulatedError, match="float64 or float32"):
        arm.gravity_forces(q.half())
    with pytest.raises(ShapeError, match="needs"):
        arm.gravity_forces(torch.zeros(99))
    with pytest.raises(TypeError, match="dtype"):
        arm.gravity_forces(q, dtype=np.float32)
    with pytest.raises(ArticulatedError, match="takes a Robot"):
        articulated.torch.Robot("panda")


def test_it_is_sent_to_another_process(arm):
    again = pickle.loads(pickle.dumps(arm))
    q = torch.tensor(robot().neutral())
    assert again.gravity_forces(q).equal(arm.gravity_forces(q)) and repr(arm) == repr(again)


def test_threads(arm, rng):
    q = torch.tensor(robot().random(rng, (1000,)), requires_grad=True)
    one, two = (torch.autograd.grad(arm.gravity_forces(q, threads=n).sum(), q)[0] for n in (1, 2))
    assert one.equal(two)


def test_a_free_base(rng):
    """The gradient by a quaternion has no part along it: it is normalized inside."""
    dog = articulated.torch.Robot(art.load("quadruped").floating())
    q = torch.tensor(dog.robot.random(rng), requires_grad=True)
    dog.center_of_mass(q).sum().backward()
    assert abs(q.grad[3:7] @ q.detach()[3:7]) < 1e-12 < abs(q.grad[3:7]).max()


def test_second_derivatives_of_a_difference_by_a_pure_yaw():
    """Where adjoints are exactly zero."""
    dog = art.load("quadruped", floating_base=True)
    home, yaw = dog.poses["home"], np.eye(dog.nv)[5] * 0.3
    states = [torch.tensor(q, requires_grad=True) for q in (home, dog.integrate(home, yaw))]
    weights = torch.linspace(-1, 1, dog.nv, dtype=torch.float64)
    bridged = articulated.torch.Robot(dog)
    assert torch.autograd.gradgradcheck(lambda *q: (bridged.difference(*q) * weights).sum(), states)


def test_gradients_of_a_run(rng):
    body = robot().frictionless()
    bridged, steps = articulated.torch.Robot(body), 3
    given = {"q": body.random(rng, (2,)), "v": rng.normal(size=body.nv), "tau": rng.normal(size=(2, steps, body.nv))}
    q, v, tau = tensors(given).values()
    start = given["q"], np.tile(given["v"], (2, 1))
    run = art.simulate(body, *start, 0.03, 0.01, torque=given["tau"], limits=False)
    assert near(bridged.simulate(q, v, tau, 0.01)[0].detach(), run.q)

    def ends(q, v, tau, parameters):
        # coordinates are those of a unit quaternion, whatever its length
        at = bridged.integrate(q, torch.zeros(body.nv, dtype=torch.float64))
        return bridged.simulate(at, v, tau, 0.01, parameters=parameters)

    parameters = torch.tensor(1.1 * body.parameters, requires_grad=True)
    assert torch.autograd.gradcheck(ends, (q, v, tau, parameters), atol=1e-6, check_forward_ad=True)


def test_gradients_by_gains_go_through_runs_of_a_step():
    arm, goal = art.load("2r"), np.array([0.5, -0.3])
    run = art.simulate(arm, [0.1, 0.2], [0, 0], 0.2, 0.01, torque=lambda t, q, v: 20 * (goal - q) - 3 * v, limits=False)
    felt = art.simulate_derivatives(run, feedback=np.hstack([-20 * np.eye(2), -3 * np.eye(2)])).adjoint(q=run.q - goal)
    bridged, aim = articulated.torch.Robot(arm), torch.tensor(goal)
    kp, kd = (torch.tensor(x, dtype=torch.float64, requires_grad=True) for x in (20.0, 3.0))
    q, v, cost = torch.tensor([0.1, 0.2], dtype=torch.float64), torch.zeros(2, dtype=torch.float64), 0
    for _ in range(20):
        states = bridged.simulate(q, v, (kp * (aim - q) - kd * v)[None], 0.01)
        q, v = (x[-1] for x in states)
        cost = cost + (q - aim).square().sum() / 2
    cost.backward()
    assert near(kp.grad, (felt.tau * (goal - run.q[:-1])).sum(), 1e-9)
    assert near(kd.grad, -(felt.tau * run.v[:-1]).sum(), 1e-9)


def test_gradients_of_a_run_that_lands():
    scene = art.Scene([art.Ball(0.1, 1.0, at=(0, 0, 0.101)), art.Ground(friction=0.2)])
    given = [0.5, 0.1, -0.3, 0, 0, 0], np.zeros((4, 6)), 1.1 * scene.parameters
    given = [torch.tensor(np.array(x), requires_grad=True) for x in given]
    bridged, q = articulated.torch.Robot(scene), scene.poses["start"]

    def ends(v, tau, parameters):
        return bridged.simulate(q, v, tau, 1e-2, contacts=[], parameters=parameters)[1][-1]

    assert torch.autograd.gradcheck(ends, given, atol=1e-6, check_forward_ad=True)
