"""Calling a kernel: what goes in, what comes out, from how many threads, with or without machine code."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

import articulated as art
from articulated.compiler import kernel
from articulated.compiler.passes.trace import trace
from articulated.compiler.runtime import engine
from articulated.compiler.source import TooLong
from articulated.errors import ShapeError

from ..methods import EVALUATED, required
from ..zoo import ZOO, state
from .conftest import fresh, long_chain

#: a matrix, vectors and numbers; the promises of all methods are in tests/robot/test_methods.py
METHODS = [name for name in EVALUATED if name.endswith(("mass_matrix", "_mass", "_dynamics", "_forces", "_energy"))]
SOURCE = str(Path(art.__file__).parents[1])

machine_code = pytest.mark.skipif(engine.reason() is not None, reason="no machine code here")
pytestmark = pytest.mark.usefixtures("way")


def evaluate(robot, method, q, v, a, **options):
    values = {"q": q, "v": v, "a": a, "tau": a}
    return getattr(robot, method)(**{name: values[name] for name in required(art.Robot, method)}, **options)


def by_numpy(robot, monkeypatch):
    """The same robot, evaluated by the NumPy emitter."""
    other = fresh(robot)
    monkeypatch.setenv("ARTICULATED_JIT", "off")
    for method in METHODS:
        evaluate(other, method, other.neutral(), np.zeros(robot.nv), np.zeros(robot.nv))
    monkeypatch.delenv("ARTICULATED_JIT")
    return other


@pytest.fixture(scope="module")
def shared(way):
    return art.load("ur5")


# -- the numbers --------------------------------------------------------------------------


@machine_code
@pytest.mark.parametrize("robot", [ZOO[k] for k in (0, 6, -1, -2)], ids=lambda robot: robot.name)
def test_machine_code_agrees_with_numpy(robot, rng, monkeypatch):
    slow = by_numpy(robot, monkeypatch)
    for method in METHODS:
        x = state(robot, rng, 19)
        found, expected = evaluate(fresh(robot), method, *x), evaluate(slow, method, *x)
        scale = max(1, abs(expected).max())
        assert abs(found - expected).max() <= 1e-9 * scale, method


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("method", METHODS)
def test_a_state_does_not_depend_on_its_batch(shared, rng, method, dtype):
    x = state(shared, rng, 403)
    whole = evaluate(shared, method, *x, dtype=dtype)
    assert whole.dtype == dtype
    for size in (1, 2, 3, 5, 8, 17, 64, 65, 402):
        part = evaluate(shared, method, *(y[1 : 1 + size] for y in x), dtype=dtype)
        assert (part == whole[1 : 1 + size]).all(), size
    single = evaluate(shared, method, *(y[7] for y in x), dtype=dtype)
    assert (single == whole[7]).all() and type(single) is (np.ndarray if whole.ndim > 1 else whole.dtype.type)


@pytest.mark.parametrize("threads", [2, 3, 7])
def test_any_number_of_threads_gives_the_same(shared, rng, threads):
    x = state(shared, rng, 20_011)
    assert (shared.inverse_dynamics(*x, threads=threads) == shared.inverse_dynamics(*x)).all()


def test_float32_is_computed_in_float32(shared, rng):
    x = state(shared, rng, 50)
    single, double = (shared.inverse_dynamics(*x, dtype=dtype) for dtype in (np.float32, float))
    assert single.dtype == np.float32 and 0 < abs(single - double).max() < 1e-3


@pytest.mark.parametrize("dtype", [int, "float16", complex, ">f8", object, "nonsense"])
def test_other_dtypes_are_refused(shared, dtype):
    with pytest.raises(ShapeError, match="float64 or float32"):
        shared.mass_matrix(shared.neutral(), dtype=dtype)


# -- shapes -------------------------------------------------------------------------------


def test_leading_axes_broadcast(shared, rng):
    q, v, a = shared.random(rng, (5, 1, 2)), rng.normal(size=(4, 1, 6)), rng.normal(size=6)
    found = shared.inverse_dynamics(q, v, a)
    assert found.shape == (5, 4, 2, 6)
    for i in np.ndindex(5, 4, 2):
        assert (found[i] == shared.inverse_dynamics(q[i[0], 0, i[2]], v[i[1], 0], a)).all()


def test_one_row_is_a_batch_of_one(shared, rng):
    q, v, a = state(shared, rng, 1)
    assert shared.inverse_dynamics(q, v, a[0]).shape == (1, 6)
    wide = rng.normal(size=(9, 6))
    assert (shared.inverse_dynamics(q, wide, a) == shared.inverse_dynamics(q[0], wide, a[0])).all()


@pytest.mark.parametrize("shape", [(0,), (3, 0), (0, 4)])
def test_an_empty_batch_is_empty(shared, shape):
    q = np.empty((*shape, 6))
    assert shared.mass_matrix(q).shape == (*shape, 6, 6)
    assert shared.kinetic_energy(q, np.zeros(6)).shape == shape


LAYOUTS = {
    "fortran": np.asfortranarray,
    "reversed": lambda x: x[::-1].copy()[::-1],
    "column slice": lambda x: np.hstack([x, x])[:, :6],
    "every other": lambda x: np.repeat(x, 2, axis=0)[::2],
    "spread": lambda x: np.repeat(x, 2, axis=1)[:, ::2],
    "read-only": lambda x: np.broadcast_to(x, x.shape),
    "unaligned": lambda x: np.frombuffer(b"?" + x.tobytes(), offset=1).reshape(x.shape),
    "swapped": lambda x: x.astype(">f8"),
    "subclass": lambda x: x.view(np.recarray),
    "list": lambda x: x.tolist(),
    "long double": lambda x: x.astype(np.longdouble),
}


@pytest.mark.parametrize("states", [1, 7, 200])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_any_memory_layout(shared, rng, layout, states):
    q, v, a = state(shared, rng, states)
    expected = shared.inverse_dynamics(q, v, a)
    found = shared.inverse_dynamics(LAYOUTS[layout](q), v, LAYOUTS[layout](a))
    assert (found == expected).all() and type(found) is np.ndarray


def test_integers_booleans_and_scalars(shared):
    assert (shared.mass_matrix([0, 1, 0, 0, 1, 0]) == shared.mass_matrix(np.array([0, 1, 0, 0, 1, 0.0]))).all()
    assert (shared.mass_matrix(np.eye(6, dtype=bool)) == shared.mass_matrix(np.eye(6))).all()
    pendulum = art.load("cart_pole").lock({"cart": 0.0}) if "cart" in art.load("cart_pole").joint_names else None
    if pendulum is not None:
        assert pendulum.mass_matrix(0.3).shape == (1, 1)


@pytest.mark.parametrize("bad", [np.zeros(5), np.zeros((6, 2)), 3.0, "text", [[1, 2], [3]], None, np.zeros(6, complex)])
def test_what_is_not_a_vector_of_the_robot_is_refused(shared, bad):
    shared.mass_matrix(shared.neutral())
    with pytest.raises(ShapeError, match="mass_matrix: q"):
        shared.mass_matrix(bad)
    with pytest.raises(ShapeError, match="do not broadcast"):
        shared.bias_forces(np.zeros((2, 6)), np.zeros((3, 6)))


# -- out ----------------------------------------------------------------------------------


def test_out_is_filled_and_returned(shared, rng):
    for shape in ((), (4,), (300,), (2, 3)):
        q = shared.random(rng, shape)
        out = np.full((*shape, 6, 6), np.nan)
        assert shared.mass_matrix(q, out=out) is out
        assert (out == shared.mass_matrix(q)).all()


def test_out_of_any_layout(shared, rng):
    q = shared.random(rng, 9)
    expected = shared.mass_matrix(q)
    for out in (np.empty((6, 6, 9)).T, np.empty((9, 6, 12))[..., ::2], np.empty((9, 6, 6), np.longdouble)):
        assert shared.mass_matrix(q, out=out) is out
        assert (out == expected).all()


def test_out_may_be_an_argument(shared, rng):
    q, v, a = state(shared, rng, 33)
    expected = shared.inverse_dynamics(q, v, a)
    both = np.vstack([q, q])
    assert shared.inverse_dynamics(q, v, a.copy(), out=(out := a.copy())) is out and (out == expected).all()
    assert (shared.inverse_dynamics(both[:33], v, a, out=both[1:34]) == expected).all()
    same = a[0].copy()
    assert (shared.inverse_dynamics(q[0], v[0], same, out=same) == expected[0]).all()


@pytest.mark.parametrize(
    "out, text",
    [
        (np.empty((6, 5)), "shape"),
        (np.empty((1, 6, 6)), "shape"),
        ([1, 2], "needs a NumPy array"),
        (np.lib.stride_tricks.as_strided(np.zeros(6), (6, 6), (0, 8)), "overlap in memory"),
        (np.empty((6, 6), int), "holds"),
        (np.broadcast_to(np.zeros(6), (6, 6)), "read-only"),
    ],
)
def test_an_impossible_out_is_refused(shared, out, text):
    with pytest.raises(ShapeError, match=text):
        shared.mass_matrix(shared.neutral(), out=out)


@pytest.mark.parametrize("states", [(), (5,), (300,)])
def test_one_array_for_two_results_is_refused(arm, rng, states):
    q, v, a = state(arm, rng, states)
    both = arm.compile("bias_forces", "inverse_dynamics")
    expected = both(q, v, a)
    out = np.empty((*states, 2, 6))
    flat = out.reshape(*states, 12)
    for shared in ((out[..., 0, :], out[..., 0, :]), (flat[..., :6], flat[..., 5:11])):
        with pytest.raises(ShapeError, match="two of the arrays overlap in memory"):
            both(q, v, a, out=shared)
    both(q, v, a, out=(out[..., 0, :], out[..., 1, :]))  # side by side they have nothing in common
    assert (out[..., 0, :] == expected[0]).all() and (out[..., 1, :] == expected[1]).all()


# -- numbers that are not finite ------------------------------------------------------------


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("states", [1, 5, 64, 1500])
def test_a_bad_row_is_nan_and_the_others_are_untouched(shared, rng, bad, states):
    q, v, a = state(shared, rng, states)
    expected = shared.inverse_dynamics(q, v, a)
    row = states // 2
    v[row, 5] = bad
    found = shared.inverse_dynamics(q, v, a)
    rest = np.arange(states) != row
    assert np.isnan(found[row]).all() and (found[rest] == expected[rest]).all()
    out = np.empty_like(found)
    assert np.array_equal(shared.inverse_dynamics(q, v, a, out=out), found, equal_nan=True)
    assert np.isnan(shared.inverse_dynamics(q[row], v[row], a[row])).all()
    assert np.isnan(shared.inverse_dynamics(q, v[row], a)).all()
    assert np.isnan(shared.kinetic_energy(q[row], v[row]))


# -- threads, forks, interrupts -----------------------------------------------------------


def test_many_threads_meet_at_the_first_call(rng):
    robot = art.load("tree4")
    x = state(robot, rng, 100)
    expected = [evaluate(fresh(robot), method, *x) for method in METHODS]
    gate, results = threading.Barrier(64), []

    def work(k):
        gate.wait()
        for i in range(8):
            method = (k + i) % len(METHODS)
            results.append((evaluate(robot, METHODS[method], *x) == expected[method]).all())

    threads = [threading.Thread(target=work, args=(k,)) for k in range(64)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 64 * 8 and all(results)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_a_fork_waits_for_the_compiler(arm, rng):
    """A child may come at any moment of a compile in another thread, and must be able to compile itself."""
    q = arm.random(rng)
    busy = threading.Thread(target=lambda: [fresh(arm).coriolis_matrix(q, q) for _ in range(2)])
    busy.start()
    for _ in range(3):
        child = os.fork()
        if not child:
            os._exit(0 if fresh(arm).mass_matrix(q).shape == (6, 6) else 1)
        assert os.waitpid(child, 0)[1] == 0
        time.sleep(0.02)
    busy.join()


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no timer signals")
@pytest.mark.parametrize("threads", [1, 2])
def test_ctrl_c_is_heard_during_a_large_batch(shared, threads, monkeypatch):
    monkeypatch.setattr("articulated.compiler.runtime.batch.PIECE", 0.002)  # so that many pieces are left
    robot, q = fresh(shared), np.zeros((4_000_000, 6))
    out = np.full((len(q), 6), np.nan)
    robot.forward_dynamics(q[:2], q[:2], q[:2])
    before = signal.signal(signal.SIGALRM, lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
    try:
        with pytest.raises(KeyboardInterrupt):
            signal.setitimer(signal.ITIMER_REAL, 0.01)
            robot.forward_dynamics(q, q, q, out=out, threads=threads)
        assert np.isnan(out).any()  # in the middle of it
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


# -- without machine code -------------------------------------------------------------------


def test_everything_works_without_a_jit(arm, rng, monkeypatch):
    monkeypatch.setenv("ARTICULATED_JIT", "off")
    q, v, a = state(arm, rng, (3, 2))
    tau = arm.inverse_dynamics(q, v, a)
    assert np.allclose(arm.forward_dynamics(q, v, tau), a)
    assert arm.mass_matrix(q[:0]).shape == (0, 2, 6, 6)
    fused = arm.compile("mass_matrix", ("jacobian", "tool0"))
    assert (fused(q).mass_matrix == arm.mass_matrix(q)).all()
    assert "ARTICULATED_JIT" in kernel.status()


def test_everything_works_without_llvmlite_and_one_warning_says_so():
    script = """
import sys, warnings; sys.modules["llvmlite"] = None
import numpy as np, articulated as art
robot = art.load("2r")
from articulated.compiler import kernel
with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always")
    assert robot.mass_matrix(np.zeros((3, 2))).shape == (3, 2, 2)
    robot.gravity_forces(np.zeros(2))
    art.load("panda").mass_matrix(np.zeros(7))
assert len(told) == 1 and "llvmlite is not installed" in str(told[0].message), told
assert "llvmlite" in kernel.status(), kernel.status()
"""
    subprocess.run([sys.executable, "-c", script], check=True, env={**os.environ, "PYTHONPATH": SOURCE})


@machine_code
def test_both_ways_to_call_give_the_same(arm, rng, monkeypatch):
    """In C and through Python, bit for bit, one state and many, new results and given ones."""
    x = state(arm, rng, 70)
    found = {}
    for wish in ("", "off"):
        monkeypatch.setenv("ARTICULATED_EXTENSION", wish)
        robot = fresh(arm)
        for _ in range(2):  # through the method, and through the function that takes its place
            single = evaluate(robot, "inverse_dynamics", *(y[3] for y in x))
            out = np.empty_like(single)
            assert evaluate(robot, "inverse_dynamics", *(y[3] for y in x), out=out) is out
            found[wish] = [robot.inverse_dynamics(*x), single, out, robot.jacobian(x[0][3], "tool0")]
        assert robot.kernels.callees["inverse_dynamics"] and robot.kernels.callees["jacobian"]
        assert (found[wish][0][3] == single).all()
    assert all((a == b).all() for a, b in zip(*found.values(), strict=True))


def test_status_is_one_line_and_says_how_kernels_are_called(way):
    assert "\n" not in kernel.status() and "machine code" in kernel.status()
    if engine.reason() is None:
        assert f"called {way}" in kernel.status()


# -- two entry points -----------------------------------------------------------------------


@machine_code
def test_only_the_form_that_is_called_is_compiled(arm, rng):
    q, v, a = state(arm, rng, 5)
    single = arm.inverse_dynamics(q[2], v[2], a[2])
    (made,) = arm.kernels.made.values()
    assert made.entry_points.has("one") and not made.entry_points.has("batch")
    assert np.isnan(arm.inverse_dynamics(q[2], v[2] * np.nan, a[2])).all() and not made.entry_points.has("batch")
    assert (arm.inverse_dynamics(q, v, a)[2] == single).all() and made.entry_points.has("batch")
    arm.warm("mass_matrix")
    (warmed,) = (kernel for request, kernel in arm.kernels.made.items() if request.method == "mass_matrix")
    assert warmed.entry_points.has("one") and warmed.entry_points.has("batch")


@machine_code
def test_a_form_that_cannot_be_compiled_takes_the_other_with_it(arm, rng, monkeypatch):
    q, v, a = state(arm, rng, 5)
    arm.inverse_dynamics(q[0], v[0], a[0])

    def refused(*_, **__):
        raise engine.Refused("for a test")

    monkeypatch.setattr(engine, "compile_object", refused)
    with pytest.warns(RuntimeWarning, match="runs through NumPy: for a test"):
        whole = arm.inverse_dynamics(q, v, a)
    assert (arm.inverse_dynamics(q[3], v[3], a[3]) == whole[3]).all()


def _kernel_of(function, *others):
    check = lambda values, named: list(values)  # noqa: E731
    return kernel.Kernel(kernel.Source("trial", function, formulations=lambda: others, sizes={"x": 2}, check=check))


@machine_code
@pytest.mark.parametrize("problem", [RuntimeError, RecursionError, NotImplementedError, ZeroDivisionError])
def test_a_mistake_in_a_recursion_is_raised(problem):
    """It is not LLVM that fails: nobody wants a slow kernel in place of the error."""

    def mistaken(x):
        raise problem("a mistake")

    for made in (_kernel_of(mistaken), _kernel_of(lambda x: x + x, mistaken)):  # also in a shorter formulation alone
        for x in (np.ones(2), np.ones((3, 2))):
            with pytest.raises(problem, match="a mistake"):
                made(x)


@machine_code
@pytest.mark.parametrize("place", ["parse_assembly", "create_lljit_compiler"])
def test_what_llvm_cannot_do_runs_through_numpy(monkeypatch, place):
    def fails(*_, **__):
        raise RuntimeError("LLVM says no")

    monkeypatch.setattr(engine._llvm(), place, fails)
    with pytest.warns(RuntimeWarning, match="trial runs through NumPy: LLVM says no"):
        assert (_kernel_of(lambda x: x + x)(np.ones(2)) == 2).all()


# -- long chains ----------------------------------------------------------------------------


def test_a_long_chain_is_interpreted(rng):
    robot = long_chain(30)
    q, v, a = state(robot, rng, (2, 2))
    expected = robot.inverse_dynamics(q, v, a)
    slow = fresh(robot)
    slow.kernels.longest = 10
    found = slow.inverse_dynamics(q, v, a)
    assert np.allclose(found, expected, rtol=1e-10)
    assert slow.inverse_dynamics(q[:0], v[:0], a[:0]).shape == (0, 2, 30)
    assert slow.articulated_bodies(q[:0], v[:0], a[:0]).inertia.shape == (0, 2, 30, 6, 6)
    q[0, 1, 3] = np.inf
    spoilt = slow.inverse_dynamics(q, v, a)
    assert np.isnan(spoilt[0, 1]).all() and (spoilt[1] == found[1]).all()
    out = np.empty(30)
    assert slow.inverse_dynamics(q[1, 0], v[1, 0], a[1, 0], out=out) is out


def test_a_long_chain_is_compiled_if_that_is_quick_and_interpreted_if_not(rng, monkeypatch):
    robot = long_chain(30).floating()
    q, v, _ = state(robot, rng, 3)
    expected = robot.kinetic_energy(q, v), robot.mass_matrix(q)
    monkeypatch.setattr("articulated.robot.kernels.loop_for", lambda *_: None)
    monkeypatch.setattr("articulated.robot.kernels.LONG_TRACE", 10)
    monkeypatch.setattr("articulated.compiler.passes.simplify.MOST_OPERATIONS", 2000)
    monkeypatch.setenv("ARTICULATED_CACHE", "off")
    other = fresh(robot)
    assert (other.kinetic_energy(q, v) == expected[0]).all() and other.kernels.callees["kinetic_energy"]
    assert np.allclose(other.mass_matrix(q), expected[1], rtol=1e-10)
    assert not other.kernels.callees["mass_matrix"]


def test_a_trace_that_grows_too_long_is_given_up(rng):
    x = {"x": 3}
    assert len(trace(lambda x: x[0] * x[1] + x[2], x, most=5)) == 5
    with pytest.raises(TooLong):
        trace(lambda x: x[0] * x[1] + x[2], x, most=4)


def test_a_long_program_is_left_to_numpy(arm, rng, monkeypatch):
    q = arm.random(rng, 3)
    expected = arm.mass_matrix(q)
    monkeypatch.setattr("articulated.robot.kernels.loop_for", lambda *_: None)
    monkeypatch.setattr("articulated.compiler.passes.simplify.MOST_OPERATIONS", 10)
    other = art.build([link.replace() for link in arm.links], name="other", gravity=(0, 0, -9.81))
    monkeypatch.setenv("ARTICULATED_CACHE", "off")
    assert np.allclose(other.mass_matrix(q), expected) and not other.kernels.callees["mass_matrix"]


def test_numbers_so_large_that_their_sum_is_not_finite(rng):
    """A batch notices what is not finite by a sum; one that overflows is looked at number by number."""
    arm = art.load("2r")
    q, v = rng.normal(size=(33, 2)), np.zeros((33, 2))
    a = rng.normal(size=(33, 2))
    a[[4, 20]] = 1.5e308
    found = arm.inverse_dynamics(q, v, 1e-3 * a)
    with np.errstate(over="ignore"):
        alone = np.array([arm.inverse_dynamics(*x) for x in zip(q, v, 1e-3 * a, strict=True)])
        assert (arm.forward_dynamics(q, v, a) == [arm.forward_dynamics(*x) for x in zip(q, v, a, strict=True)]).all()
    assert np.isfinite(found).all() and (found == alone).all()


INTERRUPTED = """
import gc
from articulated.compiler.runtime import engine
class Machine:
    def emit_object(self, module): raise KeyboardInterrupt
engine._machine = Machine
for _ in range(20):
    try: engine.compile_object('define i32 @f(i32 %x) { ret i32 %x }')
    except KeyboardInterrupt: gc.collect()
"""


@machine_code
def test_an_interrupted_compilation_frees_a_module_once():
    """Before its context: the other way round the program ends with "double free detected"."""
    done = subprocess.run([sys.executable, "-c", INTERRUPTED], capture_output=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, b"")
