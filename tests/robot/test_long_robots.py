"""Robots of hundreds of bodies: loops over bodies give the numbers of the textbook, compiled once for all of them."""

import numpy as np
import pytest

import articulated as art
from articulated.algorithms import by_rows
from articulated.algorithms.forward_dynamics import forward_dynamics
from articulated.algorithms.inverse_dynamics import bias_forces, gravity_forces, inverse_dynamics
from articulated.compiler.kernel import Kernel
from articulated.compiler.runtime import engine
from articulated.compiler.source import TooLong
from articulated.robot import kernels
from articulated.robot.long_robots import LOOPS, loop_for

from ..compiler.conftest import long_chain
from ..zoo import STRUCTURES

SERVED = [robot for robot in STRUCTURES if by_rows.served(robot.model) and robot.nv]
machine_code = pytest.mark.skipif(engine.reason() is not None, reason="no machine code here")


def random_tree(bodies, seed, reach=4):
    """Joints of both kinds about any axis, placed anywhere, with friction, rotors, tails and branches."""
    rng = np.random.default_rng(seed)
    links = []
    for k in range(bodies):
        A = rng.normal(size=(3, 3))
        inertia = art.Inertia(rng.uniform(0.5, 2), rng.normal(size=3) * 0.1, A @ A.T + 0.1 * np.eye(3))
        kind = art.Revolute if rng.random() < 0.7 else art.Prismatic
        friction = dict(zip(("damping", "friction", "armature"), rng.uniform(0, 1, 3), strict=True))
        place, tail = (art.Transform(np.linalg.qr(rng.normal(size=(3, 3)))[0], rng.normal(size=3)) for _ in range(2))
        parent = f"l{rng.integers(max(0, k - reach), k)}" if k else None
        links.append(
            art.Link(f"l{k}", parent, kind(rng.normal(size=3), **friction), _proper(place), inertia, tail=_proper(tail))
        )
    return art.build(links, name="random tree" if reach > 1 else "random chain")


def _proper(X):
    R = np.array(X.R, float)
    return art.Transform(R * np.sign(np.linalg.det(R)), X.p)


@machine_code
@pytest.mark.parametrize(
    "robot", [*SERVED, random_tree(23, 0), random_tree(40, 1), random_tree(30, 2, reach=1)], ids=lambda r: r.name
)
@pytest.mark.parametrize("algorithm", [inverse_dynamics, forward_dynamics, bias_forces, gravity_forces])
def test_a_loop_over_bodies_is_the_textbook(robot, algorithm, rng):
    arrays = {inverse_dynamics: "qva", bias_forces: "qv", gravity_forces: "q"}.get(algorithm, ("q", "v", "tau"))
    run, _ = loop_for(robot.model, algorithm, list(arrays))
    for states in (1, 11):
        values = [robot.random(rng, (states,)), *rng.normal(size=(2, states, robot.nv))][: len(arrays)]
        found = np.empty((states, robot.nv))
        run(values, [found])
        expected = getattr(robot, algorithm.__name__)(*values)
        assert np.allclose(found, expected, rtol=1e-11, atol=1e-11 * max(1, abs(expected).max()))


@machine_code
def test_a_long_chain_goes_through_the_loop(rng, monkeypatch):
    """One routine for all robots: the second chain, of another length, compiles nothing."""
    first, second = long_chain(kernels.LONG_TRACE + 5), long_chain(2 * kernels.LONG_TRACE)
    compiled = []
    monkeypatch.setattr(
        engine, "compile_object", lambda text, make=engine.compile_object: compiled.append(1) or make(text)
    )
    for k, robot in enumerate((first, second)):
        q, v, a = 0.1 * rng.normal(size=(3, 4, robot.nv))
        tau = robot.inverse_dynamics(q, v, a)
        back = robot.forward_dynamics(q, v, tau)
        # the mass matrix of such a chain has a condition number of about 1e8
        assert np.allclose(back, a, atol=1e-6)
        assert np.allclose(
            robot.bias_forces(q, v) - robot.gravity_forces(q),
            robot.inverse_dynamics(q, v, 0 * a) - robot.gravity_forces(q),
        )
        one = robot.inverse_dynamics(q[2], v[2], a[2])
        assert np.allclose(one, tau[2], rtol=1e-12, atol=1e-12 * abs(tau).max())
        if k:
            assert not compiled
        compiled.clear()


def test_what_a_loop_does_not_serve():
    floating = art.load("quadruped", floating_base=True)
    assert loop_for(floating.model, inverse_dynamics, "qva") is None
    assert loop_for(art.load("2r").model, inverse_dynamics, ["q", "v", "a", "base_velocity"]) is None
    assert loop_for(art.load("2r").model, art.Robot.mass_matrix, ["q"]) is None
    assert inverse_dynamics in LOOPS


@machine_code
def test_a_program_too_long_to_be_compiled_goes_through_the_loop(rng, monkeypatch):
    """However many bodies there are: between straight-line code and loops nothing is interpreted."""
    robot = random_tree(30, 3)
    q, v, tau = robot.random(rng), *rng.normal(size=(2, robot.nv))
    expected = robot.forward_dynamics(q, v, tau)
    other = art.build(robot.links, name="again")

    def too_long(*_):
        raise TooLong

    monkeypatch.setattr(Kernel, "_machine_code", too_long)
    monkeypatch.setattr("articulated.compiler.kernel.interpreted", None)
    monkeypatch.setattr("articulated.compiler.pipeline.numpy_run", None)
    for states in ((), (5,)):
        found = other.forward_dynamics(np.broadcast_to(q, (*states, robot.nq)), v, tau)
        assert np.allclose(found, expected, rtol=1e-10, atol=1e-10 * abs(expected).max())
