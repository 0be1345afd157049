"""A kernel as a function, in C and through Python: what it takes, what it hands over, and that it loses nothing."""

import ctypes
import gc
import inspect
import os
import pickle
import subprocess
import sys
import threading
import weakref
from pathlib import Path

import numpy as np
import pytest

import articulated as art
from articulated.compiler.runtime import call, engine

from .stub import Pair, X, Y, entry_points, handed_over, machine_code

pytestmark = [
    pytest.mark.usefixtures("way"),
    pytest.mark.skipif(engine.reason() is not None, reason="no machine code here"),
]


@pytest.fixture(scope="module")
def code():
    return machine_code()


@pytest.fixture
def f(code):
    return call.function(entry_points(code), handed_over, "stub", "stub(x, y)\n--\n\nA trial.")


# -- one state --------------------------------------------------------------------------------


def test_one_state_gives_scalars_and_arrays(f):
    found = f(np.arange(3.0), np.ones(2))
    assert type(found) is Pair and isinstance(found.total, np.float64)
    assert found.total == 1 and found.doubled.tolist() == [0, 2, 4]
    assert found.doubled.flags.owndata and found.doubled.flags.c_contiguous and found.doubled.flags.writeable


def test_results_that_are_held_stay_as_they_are(f):
    x = np.arange(60.0).reshape(20, 3)
    held = [f(row, Y[0]) for row in x]
    assert all((found.doubled == 2 * row).all() for found, row in zip(held, x, strict=True))


@pytest.mark.parametrize("kind", [Pair._make, tuple, list])
def test_out_is_filled(f, kind):
    if call.reason():
        pytest.skip("through Python `out` goes to the fallback")
    out = kind([np.empty(()), np.empty(3)])
    counts = [sys.getrefcount(x) for x in out]
    found = f(X[0], Y[0], out=out)
    assert type(found) is Pair and (found is out or kind is not Pair._make)
    assert all(x is y for x, y in zip(found, out, strict=True)) and out[0] == 2 and (out[1] == 2).all()
    del found
    assert [sys.getrefcount(x) for x in out] == counts


ODD = {
    "too few": (X[0],),
    "too many": (X[0], Y[0], Y[0]),
    "none": (),
    "list": (X[0].tolist(), Y[0]),
    "float32": (X[0].astype("f4"), Y[0]),
    "swapped": (X[0].astype(">f8"), Y[0]),
    "wrong size": (np.ones(4), Y[0]),
    "three axes": (X[None], Y[None]),
    "no axes": (np.array(1.0), Y[0]),
    "subclass": (X[0].view(np.recarray), Y[0]),
    "None": (None, Y[0]),
    "a type": (np.ndarray, Y[0]),
    "nan": (np.array([1, 2, np.nan]), Y[0]),
    "infinite": (X[0], np.array([1, -np.inf])),
    "no rows": (X[:0], Y[:0]),
}


@pytest.mark.parametrize("case", ODD)
def test_anything_else_is_handed_over_as_it_came(f, case):
    found = f(*ODD[case])
    assert found[0] == "fallback" and all(a is b for a, b in zip(found[1], ODD[case], strict=True)) and found[2] == {}


@pytest.mark.parametrize(
    "named",
    [
        {"other": 1},
        {"out": Pair(np.empty(()), np.empty(3)), "threads": 2},
        {"out": (np.empty(()),)},
        {"out": tuple.__new__(Pair, (np.empty(()),))},
        {"out": tuple.__new__(Pair, (np.empty(()), np.empty(3), np.empty(3)))},
        {"out": [np.empty(()), np.empty(3), np.empty(3)]},
        {"out": {0: np.empty(()), 1: np.empty(3)}},
        {"out": Pair(np.empty(()), np.empty(4))},
        {"out": Pair(np.empty(1), np.empty(3))},
        {"out": Pair(np.empty((), "f4"), np.empty(3))},
        {"out": Pair(np.empty(()), [1, 2, 3])},
        {"out": Pair(np.empty(()), np.broadcast_to(np.zeros(1), 3))},
        {"out": np.empty(3)},
    ],
)
def test_any_other_keyword_is_handed_over(f, named):
    found = f(X[0], Y[0], **named)
    assert found[0] == "fallback" and found[2].keys() == named.keys()
    assert all(found[2][name] is value for name, value in named.items())


def test_nan_is_found_wherever_it_is(code):
    for size in range(1, 40):
        g = call.function(entry_points(code, (size, 2)), lambda *_: "declined", "g")
        assert size < 3 or type(g(np.full(size, 1e308), Y[0])) is Pair  # it reads three numbers
        for place in range(size):
            for bad in (-np.inf, np.inf, np.nan, -np.nan):
                x = np.full(size, 1e308)
                x[place] = bad
                assert g(x, Y[0]) == "declined"


def test_an_error_of_the_fallback_is_raised(code):
    def refuse(*arguments):
        raise ValueError("not like that")

    with pytest.raises(ValueError, match="not like that"):
        call.function(entry_points(code), refuse, "f")([1])


def test_entry_points_that_are_withdrawn_serve_nobody(code):
    points = entry_points(code)
    f = call.function(points, handed_over, "f")
    assert type(f(X[0], Y[0])) is Pair
    points.withdraw()
    assert f(X[0], Y[0])[0] == "fallback" and points.callee.attempt((X[0], Y[0])) is None


def test_kernels_without_numbers_are_not_served(code):
    assert call.callee((3, 0), ((),), np.dtype(float), None, 1) is None
    assert call.callee((), ((),), np.dtype(float), None, 1) is None
    assert call.callee((3,), ((0, 3),), np.dtype(float), None, 1) is None
    assert call.function(None, handed_over, "f") is None


def test_more_arrays_than_the_call_in_c_takes(code):
    many = call.callee((1,) * 30, ((),), np.dtype(float), None, 1)
    deep = call.callee((1,), ((1,) * 9,), np.dtype(float), None, 1)
    assert many.attempt(()) is None and deep.attempt(()) is None


# -- by frame ---------------------------------------------------------------------------------


def test_a_table_of_frames(code):
    table = {}
    f = call.method(table, 2, True, handed_over, "at")
    x, y = X[0], Y[0]
    assert f(x, y, "hand") == ("fallback", (x, y, "hand"), {})
    table["hand"] = entry_points(code).callee
    expected = f(x, y, "hand")
    assert type(expected) is Pair
    out = Pair(np.empty(()), np.empty(3))
    if call.reason() is None:  # through Python `out` goes to the fallback
        assert f(x, y, "hand", out=out) is out and f(x, y, frame="hand", out=out) is out
        assert f(x, y, out=out, frame="hand") is out
    assert (f(x, y, frame="hand").doubled == expected.doubled).all()
    for arguments, named in (
        ((x, y, "foot"), {}), ((x, y), {}), ((x, y, 3), {}), ((x, y, "hand", "world"), {}), ((x, y, []), {}),
        ((x, y), {"frame": "hand", "axes": "world"}), ((x,), {"frame": "hand"}), ((), {"frame": "hand"}),
        ((x, y, "hand"), {"frame": "hand"}), ((x.tolist(), y, "hand"), {}), ((), {}),
    ):  # fmt: skip
        assert f(*arguments, **named) == ("fallback", arguments, named)
    table["foot"] = entry_points(code).callee
    assert type(f(x, y, "foot")) is Pair


def test_a_method_that_is_held_before_its_kernel_is_compiled(code):
    table = {}
    f = call.method(table, 2, False, handed_over, "of")
    x, y = X[0], Y[0]
    assert f(x, y) == ("fallback", (x, y), {})
    table[None] = entry_points(code).callee
    assert type(f(x, y)) is Pair
    assert call.reason() or type(f(x, y, out=Pair(np.empty(()), np.empty(3)))) is Pair
    for arguments, named in (((x, y, x), {}), ((x, y), {"frame": "hand"}), ((x,), {}), ((x.tolist(), y), {})):
        assert f(*arguments, **named) == ("fallback", arguments, named)


# -- threads, references, text ----------------------------------------------------------------


def test_threads_do_not_meet(f):
    """Nor does a call that comes in the middle of another."""
    wrong, busy = [], sys.getswitchinterval()
    sys.setswitchinterval(1e-6)

    def work(k):
        x = np.full(3, float(k))
        for _ in range(3000):
            if (f(x, Y[0]).doubled != 2.0 * k).any():
                wrong.append(k)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(6)]
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(busy)
    assert not wrong


def test_nothing_is_lost(f):
    out = Pair(np.empty(()), np.empty(3))
    listed, x, y, bad = list(out), X[0].copy(), Y[0].copy(), X[0] * np.nan
    watched = (x, y, bad, out, *out, listed, Pair, np.ndarray, np.dtype(float), "out")

    def use() -> None:
        for _ in range(1000):
            f(x, y), f(x, y, out=out), f(bad, y), f([1], y), f(x, y, out=listed), f(x, y, out=[out[0]])

    use()
    gc.collect()
    before = [sys.getrefcount(x) for x in watched], len(gc.get_objects())
    use()
    gc.collect()
    after = [sys.getrefcount(x) for x in watched], len(gc.get_objects())
    assert max(abs(a - b) for a, b in zip(before[0], after[0], strict=True)) < 50
    assert abs(after[1] - before[1]) < 50


def test_a_function_and_what_it_calls_can_be_collected(code):
    class Owner:
        def fallback(self, *arrays):
            return None

    owner = Owner()
    owner.f = call.function(entry_points(code), owner.fallback, "f")
    owner.f(X[0], Y[0])
    gone = weakref.ref(owner)
    del owner
    gc.collect()
    assert gone() is None


def test_a_function_is_pickled_as_its_fallback(f):
    assert pickle.loads(pickle.dumps(f)) is handed_over


def test_a_function_keeps_its_code(rng):
    robot = art.load("2r")
    q = robot.random(rng)
    robot.mass_matrix(q)
    kept, expected = robot.mass_matrix, robot.mass_matrix(q)
    del robot
    gc.collect()
    art.load("2r").gravity_forces(q)  # code that is no longer needed is unmapped now
    assert (kept(q) == expected).all()


def test_dropped_robots_leave_no_code_behind(rng):
    q = np.zeros(2)
    for _ in range(6):
        art.load("2r").mass_matrix(q)
    gc.collect()
    art.load("2r").mass_matrix(q)
    before = len(engine._mapped)
    for _ in range(5):
        art.load("2r").mass_matrix(q)
    gc.collect()
    art.load("2r").mass_matrix(q)
    assert len(engine._mapped) <= before + 2


def test_a_method_keeps_its_signature_and_text(rng):
    robot = art.load("ur5")
    robot.mass_matrix(robot.neutral())
    robot.jacobian(robot.neutral(), "tool0")
    assert "mass_matrix" in vars(robot)
    assert robot.mass_matrix.__name__ == "mass_matrix" and robot.mass_matrix.__doc__ == art.Robot.mass_matrix.__doc__
    assert list(inspect.signature(robot.jacobian).parameters) == ["q", "frame", "axes", "out", "dtype", "threads"]


def test_methods_by_position_and_by_name(rng):
    robot = art.load("ur5")
    q, v = robot.random(rng), rng.normal(size=6)
    for _ in range(2):  # before and after the function is in place
        assert (robot.jacobian(q, "tool0") == robot.jacobian(q=q, frame="tool0", axes="world")).all()
        assert (robot.jacobian(q, "tool0") != robot.jacobian(q, "tool0", "frame")).any()
        assert (robot.coriolis_matrix(q, v) == robot.coriolis_matrix(q, v, "christoffel")).all()
        assert robot.kinetic_energy(q, v, by_body=True).shape == (6,)
        assert robot.inverse_dynamics(q, v, v, forces={"tool0": np.ones(6)}).shape == (6,)
        assert not np.allclose(
            robot.inverse_dynamics(q, v, v), robot.inverse_dynamics(q, v, v, base_acceleration=np.ones(6))
        )
        with pytest.raises(art.UnknownName):
            robot.jacobian(q, "tool")


# -- which way --------------------------------------------------------------------------------


def test_the_extension_can_be_missing_broken_or_required():
    script = """
import sys, types, numpy as np
name = "articulated.compiler.runtime._call"
class Finder:
    def find_spec(self, wanted, path, target=None):
        if wanted == name:
            raise {problem}
sys.meta_path.insert(0, Finder())
import articulated as art
from articulated.compiler import kernel
robot = art.load("2r")
assert robot.mass_matrix(np.zeros(2)).shape == robot.mass_matrix(np.zeros((3, 2)))[0].shape == (2, 2)
assert {text!r} in kernel.status(), kernel.status()
"""
    missing, broken = "ModuleNotFoundError('gone', name=name)", "ImportError('undefined symbol')"
    for problem, text in ((missing, "without a C compiler"), (broken, "does not load: undefined symbol")):
        run(script.format(problem=problem, text=text), wish="")
        refused = run(script.format(problem=problem, text=text), wish="required", fails=True)
        assert "ImportError" in refused or "ModuleNotFoundError" in refused


def run(script: str, wish: str, fails: bool = False) -> str:
    environment = {**os.environ, "ARTICULATED_EXTENSION": wish, "PYTHONPATH": str(Path(art.__file__).parents[1])}
    found = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True)
    assert bool(found.returncode) == fails, found.stderr
    return found.stderr


def test_memory_by_ctypes_stays_while_it_is_held(f):
    held = [f(np.full(3, float(k)), Y[0]).doubled.ctypes for k in range(6)]
    for k, thing in enumerate(held):
        assert list((ctypes.c_double * 3).from_address(thing.data)) == [2.0 * k] * 3
