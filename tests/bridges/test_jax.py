"""Robots in JAX: derivatives against differences, transformations against each other, what is refused."""

import os
import re
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

jax = pytest.importorskip("jax", reason="JAX is not installed: make test-bridges")

from jax import export  # noqa: E402
from jax import numpy as jnp  # noqa: E402
from jax.test_util import check_grads  # noqa: E402

import articulated as art  # noqa: E402
import articulated.jax  # noqa: E402
from articulated.compiler.kernel import Kernel  # noqa: E402
from articulated.compiler.runtime import engine  # noqa: E402
from articulated.errors import ArticulatedError, ShapeError  # noqa: E402
from tests.near import near  # noqa: E402

from .robots import METHODS, called, flat, robot  # noqa: E402


@pytest.fixture(scope="module", autouse=True)
def double_precision():
    jax.config.update("jax_enable_x64", True)
    yield
    jax.config.update("jax_enable_x64", False)


@pytest.fixture(scope="module")
def arm():
    return articulated.jax.Robot(robot())


def call(arm, method, rest, names):
    return lambda *given: getattr(arm, method)(**dict(zip(names, given, strict=True)), **rest)


@pytest.mark.parametrize("method", METHODS)
def test_derivatives_agree_with_differences(arm, method, rng):
    arrays, rest = called(method, rng)
    function, given = call(arm, method, rest, arrays), tuple(map(jnp.asarray, arrays.values()))
    if not all(np.isfinite(x).all() for x in flat(function(*given))):
        pytest.skip("a joint without limits is infinitely far from them")
    # differences are good for five digits of numbers of this size
    check_grads(jax.jit(function), given, order=1, eps=1e-6, atol=1e-4, rtol=1e-4)


@pytest.mark.parametrize(
    "method", ["body_motions", "difference", "forward_dynamics", "inverse_dynamics", "mass_matrix"]
)
def test_second_derivatives_agree_with_differences(arm, method, rng):
    arrays, rest = called(method, rng)
    function, given = call(arm, method, rest, arrays), tuple(map(jnp.asarray, arrays.values()))
    check_grads(function, given, order=2, eps=1e-6, atol=1e-3, rtol=1e-3)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_numbers_are_those_of_the_robot(arm, method, dtype, rng):
    arrays, rest = called(method, rng, (2, 3))
    given = {name: x.astype(dtype) for name, x in arrays.items()}
    expected = flat(getattr(robot(), method)(**given, **rest, dtype=dtype))
    function = call(arm, method, rest, given)
    for way in (function, jax.jit(function), jax.vmap(function), jax.jit(jax.vmap(jax.vmap(function)))):
        found = flat(way(*map(jnp.asarray, given.values())))
        assert all(np.array_equal(x, y) and x.dtype == y.dtype for x, y in zip(found, expected, strict=True))


@pytest.mark.parametrize("method", ["inverse_dynamics", "forward_dynamics"])
def test_by_forces_parameters_and_what_was_broadcast(arm, method, rng):
    arrays, _ = called(method, rng, (3,))
    arrays["v"] = arrays["v"][0]
    given = {**arrays, "force": rng.normal(size=6), "parameters": robot().parameters}
    frame = robot().frame_names[-1]
    w = rng.normal(size=(3, robot().nv))

    def function(q, v, last, force, parameters):
        found = getattr(arm, method)(q, v, last, forces={frame: force}, parameters=parameters)
        return (found * w).sum()

    found = jax.jit(jax.grad(function, argnums=range(5)))(*given.values())
    by = ["q", "v", list(arrays)[2], "forces", "parameters"]
    vjp = robot().vjp(method, wrt=by, space="coordinates")
    options = {"forces": {frame: given["force"]}, "parameters": given["parameters"]}
    expected = vjp(*arrays.values(), cotangents=w, **options)
    for x, name, start in zip(found, by, given.values(), strict=True):
        felt = getattr(expected, name)
        assert near(x, felt if felt.ndim == start.ndim else felt.sum(axis=0))


def test_every_transformation_gives_the_same_jacobian(arm, rng):
    arrays, _ = called("forward_dynamics", rng, (4,))
    given = list(map(jnp.asarray, arrays.values()))
    expected = robot().derivatives("forward_dynamics", space="coordinates")(*arrays.values()).q
    for way in (jax.jacfwd, jax.jacrev):
        mapped = jax.vmap(way(arm.forward_dynamics))
        assert near(mapped(*given), expected) and near(jax.jit(mapped)(*given), expected)
        moved = [given[0].T, given[1], given[2]]
        assert near(jax.vmap(way(arm.forward_dynamics), in_axes=(1, 0, 0))(*moved), expected)
    q, v, tau = given
    alone = jax.vmap(arm.forward_dynamics, in_axes=(0, None, None))(q, v[0], tau)
    assert near(alone, robot().forward_dynamics(arrays["q"][:, None], arrays["v"][0], arrays["tau"]))


def test_the_second_derivatives_of_all_orders_of_differentiation(arm, rng):
    q = jnp.asarray(robot().random(rng))
    ways = (jax.jacfwd, jax.jacrev)
    found = [jax.jit(one(other(arm.potential_energy)))(q) for one in ways for other in ways]
    assert all(near(x, found[0]) for x in found) and near(found[0], found[0].T)


def test_one_direction_for_many_states(arm, rng):
    """The transpose of what was broadcast under vmap."""
    q, w = jnp.asarray(robot().random(rng, (3,))), jnp.asarray(rng.normal(size=(3, robot().nv)))

    def moved(t):
        return jax.vmap(lambda q: jax.jvp(arm.gravity_forces, (q,), (t,))[1])(q)

    (found,) = jax.linear_transpose(moved, jnp.zeros(robot().nq))(w)
    expected = robot().vjp("gravity_forces", space="coordinates")(np.asarray(q), cotangents=np.asarray(w)).q
    assert near(found, expected.sum(axis=0))


def test_inside_a_loop(arm, rng):
    """A rollout under scan, and its gradient."""
    q, v = jnp.asarray(robot().random(rng)), jnp.zeros(robot().nv)

    def rollout(tau):
        def step(state, _):
            q, v = state
            v = v + 0.01 * arm.forward_dynamics(q, v, tau)
            return (arm.integrate(q, 0.01 * v), v), None

        return jax.lax.scan(step, (q, v), None, length=5)[0][1].sum()

    check_grads(jax.jit(rollout), (jnp.ones(robot().nv),), order=1, eps=1e-6, atol=1e-5, rtol=1e-5)


def test_without_double_precision():
    """JAX as it comes: everything is float32."""
    program = (
        "import articulated as art, articulated.jax, jax\n"
        "arm = articulated.jax.Robot(art.load('2r'))\n"
        "print(arm.gravity_forces([0.1, 0.2]).dtype, jax.jit(jax.jacfwd(arm.gravity_forces))(jax.numpy.ones(2)).dtype)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=300)
    assert done.stdout.split() == ["float32", "float32"], done.stderr


def test_what_is_refused(arm):
    with pytest.raises(ArticulatedError, match="float64 or float32"):
        arm.gravity_forces(jnp.zeros(robot().nq, jnp.float16))
    for function in (arm.gravity_forces, jax.jit(arm.gravity_forces)):
        with pytest.raises(ShapeError, match="needs"):
            function(jnp.zeros(99))
    with pytest.raises(TypeError, match="out"):
        arm.gravity_forces(jnp.zeros(robot().nq), out=None)
    with pytest.raises(ArticulatedError, match="runs on the CPU"):
        jax.jit(arm.gravity_forces).trace(jnp.zeros(robot().nq)).lower(lowering_platforms=("cuda",))


def test_threads_that_compile_one_method_at_once_hand_over_one_address(monkeypatch, rng):
    """XLA keeps the address it is told; the code of a second one would replace what keeps the first mapped."""
    body = art.Link("body", None, art.Spherical(), inertia=art.Inertia(rng.uniform(1, 2), [0, 0, 0.1], np.eye(3)))
    top, made, handler = articulated.jax.Robot(art.build([body])), [], Kernel.xla_handler
    monkeypatch.setattr(Kernel, "xla_handler", lambda own, version: made.append(own) or handler(own, version))
    q, found = jnp.array([0.0, 0.6, 0.0, 0.8]), []
    threads = [threading.Thread(target=lambda: found.append(jax.jit(top.mass_matrix)(q))) for _ in range(3)]
    with engine.LOCK:
        for thread in threads:
            thread.start()
        time.sleep(0.5)  # all of them have seen that there is no handler
    for thread in threads:
        thread.join()
    assert len(made) == 1 and len(found) == 3 and all((x == found[0]).all() for x in found)


def test_the_hessian_of_a_state_cost():
    """Half the square of a motion: the identity at home and turned away from it."""
    body = art.Link("body", None, art.Floating(), inertia=art.Inertia(1.0, [0, 0, 0], np.eye(3)))
    free = articulated.jax.Robot(art.build([body]))
    home = jnp.array([0, 0, 0, 0, 0, 0, 1.0])

    def cost(dv):
        return (free.difference(home, free.integrate(home, dv)) ** 2).sum() / 2

    for turn in ([0, 0, 0], [0.5, 0, 0], [0, 0, 0.3]):
        near(np.array(jax.hessian(cost)(jnp.array([0.0, 0, 0, *turn]))), np.eye(6), 1e-10)


def test_gradients_of_a_run(rng):
    body = robot()
    bridged, steps, n = articulated.jax.Robot(body), 4, body.nv
    q, v, tau = body.random(rng), rng.normal(size=n), rng.normal(size=(steps, n))
    by = rng.normal(size=(steps + 1, n))

    def cost(v, tau):
        return (by * bridged.simulate(q, v, tau, 0.01)[1]).sum()

    found = jax.jit(jax.grad(cost, argnums=(0, 1)))(v, tau)
    run = art.simulate(body, q, v, steps * 0.01, 0.01, torque=tau, limits=False)
    wanted = art.simulate_derivatives(run).adjoint(v=by)
    assert near(found[0], wanted.v0, 1e-9) and near(found[1], wanted.tau, 1e-9)

    heavier, along = 1.1 * body.parameters, rng.normal(size=len(body.parameters))
    of = art.simulate_derivatives(
        art.simulate(body, q, v, steps * 0.01, 0.01, torque=tau, parameters=heavier, limits=False)
    )
    run = lambda p: bridged.simulate(q, v, tau, 0.01, parameters=p)  # noqa: E731
    moved = jax.jvp(run, (heavier,), (along,))[1]
    assert near(moved[1], of.forward(parameters=along).v, 1e-9)
    back = jax.jit(jax.grad(lambda p: (by * run(p)[1]).sum()))(heavier)
    assert near(back, of.adjoint(v=by, parameters=True).parameters, 1e-9)


def test_gradients_of_a_run_that_lands():
    scene = art.Scene([art.Ball(0.1, 1.0, at=(0, 0, 0.101)), art.Ground(friction=0.2)])
    q, v, tau = scene.poses["start"], np.array([0.5, 0.1, -0.3, 0, 0, 0.0]), np.zeros((4, 6))
    found = jax.grad(lambda v: articulated.jax.Robot(scene).simulate(q, v, tau, 1e-2, contacts=[])[1][-1, 0])(v)
    by = np.zeros((5, 6))
    by[-1, 0] = 1
    run = art.simulate(scene, q, v, 0.04, 1e-2, torque=tau)
    assert near(found, art.simulate_derivatives(run).adjoint(v=by).v0, 1e-12)


def test_programs_are_exported_by_name():
    """In another process the name is known once the method has been lowered there."""
    pytest.importorskip("flatbuffers")
    arm, given = art.load("2r"), np.random.default_rng(0).normal(size=(3, 8, 2))
    function = jax.jit(articulated.jax.Robot(arm).forward_dynamics)
    with pytest.raises(ValueError, match="custom_call @articulated_") as refused:
        export.export(function)(*given)
    name = re.search(r"articulated_\w+", str(refused.value))[0]
    made = export.export(function, disabled_checks=[export.DisabledSafetyCheck.custom_call(name)])(*given)
    again = export.deserialize(made.serialize())
    assert near(again.call(*given), arm.forward_dynamics(*given), 1e-12)


SHARDED = """
import jax, numpy as np, articulated as art, articulated.jax
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P
jax.config.update("jax_enable_x64", True)
arm, mesh = art.load("2r"), Mesh(np.array(jax.devices()), ("b",))
bridged = articulated.jax.Robot(arm)
q = [jax.device_put(x, NamedSharding(mesh, P("b"))) for x in np.random.default_rng(0).normal(size=(3, 8, 2))]
wanted = arm.forward_dynamics(*map(np.array, q))
f = jax.jit(jax.shard_map(bridged.forward_dynamics, mesh=mesh, in_specs=P("b"), out_specs=P("b")))
found = f(*q)
assert found.sharding.spec == P("b") and "all-gather" not in f.lower(*q).compile().as_text()
assert abs(found - wanted).max() < 1e-12 and abs(jax.jit(bridged.forward_dynamics)(*q) - wanted).max() < 1e-12
slope = jax.vmap(jax.grad(lambda *x: bridged.forward_dynamics(*x).sum()))
g = jax.jit(jax.shard_map(slope, mesh=mesh, in_specs=P("b"), out_specs=P("b"), check_vma=False))
assert abs(g(*q) - slope(*q)).max() < 1e-12
"""


def test_a_divided_batch_stays_divided():
    environment = {**os.environ, "XLA_FLAGS": "--xla_force_host_platform_device_count=2"}
    subprocess.run([sys.executable, "-W", "ignore", "-c", SHARDED], check=True, env=environment)
