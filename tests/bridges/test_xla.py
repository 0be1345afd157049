"""Machine code that XLA calls itself: the numbers of the robot, without a copy and without Python."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

jax = pytest.importorskip("jax", reason="JAX is not installed: make test-bridges")

import articulated as art  # noqa: E402
import articulated.bridges.jax as bridge  # noqa: E402

arm = art.load("ur5")


@pytest.fixture(scope="module", autouse=True)
def double_precision():
    jax.config.update("jax_enable_x64", True)
    yield
    jax.config.update("jax_enable_x64", False)


@pytest.fixture
def ours():
    return bridge.Robot(arm)


def text(function, *given):
    return jax.jit(function).lower(*given).as_text()


def test_a_jitted_program_has_no_callback(ours, rng):
    q = rng.normal(size=(3, 6))
    for function in (ours.gravity_forces, jax.vmap(jax.jacfwd(ours.gravity_forces)), lambda q: ours.pose(q, "tool0")):
        assert "@articulated_" in text(function, q) and "callback" not in text(function, q)
    assert "callback" in text(lambda q: ours.gravity_forces(q, threads=2), q)


def test_where_the_interface_is_another_one_it_is_a_callback(ours, rng, monkeypatch):
    q = rng.normal(size=(3, 6))
    monkeypatch.setattr(bridge, "_interface", lambda: None)
    function = jax.jit(lambda q: ours.gravity_forces(q) + 0.0)
    assert "callback" in function.lower(q).as_text()
    assert np.array_equal(function(q), arm.gravity_forces(q))


def test_where_there_is_no_machine_code_it_is_a_callback(rng):
    robot = art.load("2r")
    robot.kernels.longest = 0
    q = rng.normal(size=(3, 2))
    function = bridge.Robot(robot).gravity_forces
    assert "callback" in text(function, q)
    np.testing.assert_allclose(jax.jit(function)(q), art.load("2r").gravity_forces(q), rtol=1e-12)


@pytest.mark.parametrize("shapes", [((), (), ()), ((5,), (), (1,)), ((2, 3), (2, 3), (2, 3)), ((3, 1), (4,), (1, 1)),
                                    ((0,), (), ()), ((37,), (37,), (37,))], ids=str)  # fmt: skip
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_leading_axes_broadcast(ours, shapes, dtype, rng):
    given = [rng.normal(size=(*shape, 6)).astype(dtype) for shape in shapes]
    found = jax.jit(ours.forward_dynamics)(*given)
    expected = arm.forward_dynamics(*given, dtype=dtype)
    assert found.dtype == dtype and np.array_equal(found, expected)


@pytest.mark.parametrize("states", [1, 7, 64])
def test_a_state_that_is_not_finite_spoils_itself_alone(ours, states, rng):
    for bad in (np.nan, np.inf, -np.inf):
        q, v, tau = rng.normal(size=(3, states, 6))
        v[states // 2, 3] = bad
        for a, b in ((q, v), (q[0], v)):
            found, expected = jax.jit(ours.forward_dynamics)(a, b, tau), arm.forward_dynamics(a, b, tau)
            assert np.array_equal(found, expected, equal_nan=True) and np.isnan(expected).sum() == 6
        # one argument that stands for all
        spoilt = jax.jit(ours.forward_dynamics)(q, v[states // 2], tau)
        assert np.isnan(spoilt).all()


def test_several_results(ours, rng):
    state = rng.normal(size=(3, 4, 6))
    found, expected = jax.jit(ours.body_motions)(*state), arm.body_motions(*state)
    assert all(np.array_equal(x, y) for x, y in zip(found, expected, strict=True))


def test_from_many_threads(ours, rng):
    function = jax.jit(ours.inverse_dynamics)
    given = rng.normal(size=(8, 3, 50, 6))
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda x: np.asarray(function(*x)), given))
    assert all(np.array_equal(x, arm.inverse_dynamics(*y)) for x, y in zip(found, given, strict=True))


def test_robots_come_and_go(rng):
    q = rng.normal(size=(2, 6))
    for mass in (1.0, 2.0, 3.0):
        heavier = arm.replace("tool0", inertia=art.Inertia(mass))
        function = jax.jit(bridge.Robot(heavier).gravity_forces)
        assert np.array_equal(function(q), heavier.gravity_forces(q))
    again = jax.jit(bridge.Robot(arm.replace("tool0", inertia=art.Inertia(1.0))).gravity_forces)
    assert np.array_equal(again(q), arm.replace("tool0", inertia=art.Inertia(1.0)).gravity_forces(q))


def test_a_program_kept_on_disk_is_found_again(tmp_path):
    """By JAX's own cache: in another process the same name means the same numbers."""
    program = f"""
import jax, numpy as np
jax.config.update("jax_enable_x64", True)
jax.config.update("jax_compilation_cache_dir", {str(tmp_path)!r})
jax.config.update("jax_persistent_cache_min_compile_time_secs", 0)
jax.config.update("jax_persistent_cache_min_entry_size_bytes", -1)
import articulated as art, articulated.jax
arm = art.load("ur5")
q = np.linspace(0, 1, 30).reshape(5, 6)
found = jax.jit(lambda q: articulated.jax.Robot(arm).gravity_forces(q) * 2)(q)
assert np.array_equal(found, 2 * arm.gravity_forces(q))
"""
    for _ in range(2):
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, done.stderr
