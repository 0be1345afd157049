"""The call in C alone: batches, results used again, what another thread does meanwhile, memory that runs out."""

import gc
import shutil
import subprocess
import sys
import sysconfig
import threading
import warnings
import weakref
from pathlib import Path

import numpy as np
import pytest

from articulated.compiler.runtime import call, engine

from .stub import Pair, PythonBatch, X, Y, entry_points, handed_over, machine_code

pytestmark = pytest.mark.skipif(
    engine.reason() is not None or call.reason() is not None, reason="no machine code or no call in C here"
)


@pytest.fixture(scope="module")
def code():
    return machine_code()


@pytest.fixture
def f(code):
    return call.function(entry_points(code), handed_over, "stub")


# -- batches ----------------------------------------------------------------------------------


@pytest.mark.parametrize("states", [1, 2, 63, 64, 1000, 10_000])
def test_batches(f, states):
    x, y = np.arange(3.0 * states).reshape(states, 3), np.arange(2.0 * states).reshape(states, 2)
    found = f(x, y)
    assert type(found) is Pair and (found.total == x[:, 0] + y[:, 1]).all() and (found.doubled == 2 * x).all()
    shared = f(x[0], y)
    assert (shared.total == x[0, 0] + y[:, 1]).all() and (shared.doubled == 2 * x[0]).all()
    spread = f(np.hstack([x, x])[::-1, 2:5], y)
    assert (spread.doubled == 2 * np.hstack([x, x])[::-1, 2:5]).all()


@pytest.mark.parametrize("kind", [Pair._make, tuple, list])
def test_out_of_a_batch(f, kind):
    out = kind([np.empty(5), np.empty((5, 3))])
    counts = [sys.getrefcount(x) for x in out]
    found = f(X, Y, out=out)
    assert type(found) is Pair and (found is out or kind is not Pair._make)
    assert all(x is y for x, y in zip(found, out, strict=True)) and (out[1] == 2 * X).all() and (out[0] == 2).all()
    del found
    assert [sys.getrefcount(x) for x in out] == counts


ODD = {
    "float32": (X.astype("f4"), Y),
    "wrong size": (np.ones((5, 4)), Y),
    "other length": (X[:4], Y),
    "one row": (X[:1], Y),
    "columns apart": (np.ones((5, 6))[:, ::2], Y),
    "vector apart": (np.ones(6)[::2], Y),
    "unaligned": (np.frombuffer(b"?" + X.tobytes(), offset=1).reshape(5, 3), Y),
    "nan": (np.where(np.arange(15).reshape(5, 3) == 7, np.nan, X), Y),
    "inf at the end": (X, np.where(np.arange(10).reshape(5, 2) == 9, np.inf, Y)),
    "nan in one": (X[0] * np.nan, Y),
    "too large": (np.ones((10_001, 3)), Y[0]),
}


@pytest.mark.parametrize("case", ODD)
def test_anything_else_is_handed_over_as_it_came(f, case):
    found = f(*ODD[case])
    assert found[0] == "fallback" and all(a is b for a, b in zip(found[1], ODD[case], strict=True)) and found[2] == {}


SHARED = np.empty((5, 3))


@pytest.mark.parametrize(
    "out",
    [
        None,
        Pair(np.empty(5), np.empty((5, 4))),
        Pair(np.empty((5, 1)), np.empty((5, 3))),
        Pair(np.empty(5), np.empty((3, 5)).T),
        Pair(np.empty(5), X),  # an input
        Pair(X.ravel()[2:7], np.empty((5, 3))),
        Pair(SHARED.ravel()[:5], SHARED),  # one result over the other
        tuple.__new__(Pair, ()),
        tuple.__new__(Pair, (np.empty(5),)),
        [],
    ],
)
def test_any_other_out_is_handed_over(f, out):
    assert f(X, Y, out=out) == ("fallback", (X, Y), {"out": out})
    backwards = np.ones((9, 3))
    assert f(backwards[5:0:-1], Y, out=Pair(np.empty(5), backwards[:5]))[0] == "fallback"
    assert type(f(backwards[8:3:-1], Y, out=Pair(np.empty(5), backwards[:4].repeat(2, 0)[:5]))) is Pair


def test_nan_is_found_in_any_row(f):
    for states in (1, 7, 130, 900):
        for row in {0, states // 2, states - 1}:
            for column in range(3):
                x = np.ones((states, 3))
                x[row, column] = np.nan
                assert f(x, Y[0])[0] == "fallback"
                assert f(np.hstack([x, x])[:, 3:], Y[0])[0] == "fallback"


# -- results used again -----------------------------------------------------------------------


@pytest.fixture
def pair(code):
    """A function of one state whose results are arrays, fresh from any other test's results."""
    return call.function(entry_points(code, shapes=((1,), (3,))), handed_over, "pair")


def test_a_result_nobody_holds_is_used_again(pair):
    assert len({id(pair(X[0], Y[0])) for _ in range(20)}) == 1
    x, seen = None, set()
    for _ in range(20):
        x = pair(X[0], Y[0])  # the last one is still held while the next is computed
        seen.add(id(x))
    assert len(seen) == 2


HOLDS = {
    "the result": lambda found: found,
    "an array of it": lambda found: found.doubled,
    "a view": lambda found: found.doubled[1:],
    "a weak reference": lambda found: weakref.ref(found.doubled),
    "a buffer": lambda found: memoryview(found.doubled),
    "an iterator": lambda found: iter(found.doubled),
}


@pytest.mark.parametrize("hold", HOLDS)
def test_whoever_holds_a_result_in_any_way_keeps_it(pair, hold):
    x = np.arange(3.0)
    held = []
    for k in range(6):
        found = pair(x + k, Y[0])
        held.append(HOLDS[hold](found))
        del found
    for k, thing in enumerate(held):
        if hold == "a weak reference":
            assert thing() is None or (thing() == 2 * (x + k)).all()
        elif hold == "an iterator":
            assert list(thing) == (2 * (x + k)).tolist()
        else:
            numbers = np.asarray(thing.doubled if hold == "the result" else thing)
            assert (numbers == 2 * (x + k)[3 - len(numbers) :]).all()


@pytest.mark.parametrize("hold", HOLDS)
@pytest.mark.parametrize("rows", [1, 5, 64, 300])
def test_the_same_of_small_batches(pair, hold, rows):
    x, y = np.ones((rows, 3)), np.ones((rows, 2))
    assert len({id(pair(x, y)) for _ in range(20)}) == 1
    assert {id(pair(X[0], Y[0])) for _ in range(3)}.isdisjoint({id(pair(x, y))})  # a ring of their own
    held = []
    for k in range(6):
        found = pair(x + k, y)
        held.append(HOLDS[hold](found))
        del found
    for k, thing in enumerate(held):
        thing = thing() if hold == "a weak reference" else list(thing) if hold == "an iterator" else thing
        thing = thing.doubled if hold == "the result" else thing
        assert thing is None or (np.asarray(thing) == 2 * (1 + k)).all()


def test_batches_of_other_sizes_get_arrays_of_their_own(pair):
    for rows in (5, 6, 5, 7, 5, 3000, 5):  # the arrays of 3000 are too large to be kept
        assert pair(np.ones((rows, 3)), np.ones((rows, 2))).doubled.shape == (rows, 3)
    large = [pair(np.full((3000, 3), float(k)), np.ones((3000, 2))).doubled for k in range(4)]
    assert all((x == 2 * k).all() for k, x in enumerate(large))
    died = []
    weakref.finalize(large.pop(), died.append, True)
    assert died == [True]


def test_a_batch_that_is_declined_leaves_the_kept_result_to_the_next(pair, code):
    callee = entry_points(code, shapes=((1,), (3,))).callee
    x, y = np.ones((5, 3)), np.ones((5, 2))
    first = id(callee.attempt((x, y)))
    x[2, 1] = np.nan
    assert callee.attempt((x, y)) is None
    x[2, 1] = 7.0
    again = callee.attempt((x, y))
    other = object()  # which nobody else holds
    assert id(again) == first and (again.doubled == 2 * x).all()
    assert sys.getrefcount(again) == sys.getrefcount(other) + 1


def test_a_weak_reference_keeps_a_result_from_being_filled_again(pair):
    seen = weakref.ref(pair(X[0], Y[0]).doubled)
    kept = seen()
    assert kept is not None
    before = id(kept)
    del kept
    assert id(pair(3 * X[0], Y[0]).doubled) != before and (seen() == 2 * X[0]).all()


def test_a_result_that_was_changed_is_not_used_again(pair):
    for change in (
        lambda y: y.setflags(write=False),
        lambda y: setattr(y, "shape", (3, 1)),
        lambda y: y.resize(7, refcheck=False),
        lambda y: setattr(y, "dtype", np.int64),
    ):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # NumPy is about to forbid some of these
            change(pair(X[0], Y[0]).doubled)
        found = pair(X[1], Y[0])
        assert found.doubled.tolist() == (2 * X[1]).tolist() and found.doubled.flags.writeable


def test_a_tuple_with_attributes_is_not_used_again(code):
    class Marked(Pair):
        pass  # has a __dict__

    callee = call.callee((3, 2), ((1,), (3,)), np.dtype(float), Marked, 10)
    callee.add(0, code["articulated_one"], code)
    callee.attempt((X[0], Y[0])).mark = "first"
    assert not any(hasattr(callee.attempt((X[0], Y[0])), "mark") for _ in range(5))


def test_results_are_freed_with_their_function(code):
    points = entry_points(code, shapes=((1,), (3,)))
    f = call.function(points, handed_over, "pair")
    last = weakref.ref(f(X[0], Y[0]).doubled)
    assert last() is not None
    del f, points
    gc.collect()
    assert last() is None


def test_what_a_dying_result_calls_may_call_again(pair):
    calls = []
    for _ in range(4):
        weakref.finalize(pair(X[0], Y[0]).doubled, lambda: calls.append(pair(X[1], Y[1]).doubled.copy()))
    for _ in range(4):
        pair(X[0], Y[0])
    gc.collect()
    assert len(calls) >= 2 and all((y == 2).all() for y in calls)


# -- what others do while a batch runs without the GIL ----------------------------------------

ROWS = np.arange(100.0)[:, None]


def test_a_list_that_is_cleared_meanwhile():
    out = [np.zeros((100, 1)), np.zeros((100, 1))]
    watched = [weakref.ref(x) for x in out]

    def before():
        out.clear()
        gc.collect()
        assert all(x() is not None for x in watched)

    found = PythonBatch(before, Pair, 2).attempt((ROWS,), out)
    assert type(found) is Pair and all((x == ROWS).all() for x in found)


def test_a_table_and_code_that_are_dropped_meanwhile():
    class Code(dict):
        pass

    table, gone = {}, []
    batch = PythonBatch(lambda: (table.clear(), gc.collect(), gone.append(watched() is None)))
    code = Code(articulated_batch=batch.entry_points._addresses["batch"])
    watched = weakref.ref(code)
    points = type(batch.entry_points)((1,), ((1,),), None, np.dtype(float))
    points.add("batch", code)
    table["hand"] = points.callee
    f = call.method(table, 1, True, handed_over, "f")
    del points, code
    assert (f(ROWS, "hand") == ROWS).all() and gone == [False]
    gc.collect()
    assert watched() is None and f(ROWS, "hand")[0] == "fallback"


def test_other_threads_run_meanwhile():
    entered, released = threading.Event(), threading.Event()

    def before():
        entered.set()
        assert released.wait(60)

    def other():
        assert entered.wait(60)
        released.set()

    thread = threading.Thread(target=other)
    thread.start()
    assert (PythonBatch(before).attempt((ROWS,)) == ROWS).all()
    thread.join()


# -- wrong use, no memory ---------------------------------------------------------------------


@pytest.mark.parametrize(
    "sizes, shapes, dtype, result",
    [
        ((), ((1,),), float, None),
        ((3,), (), float, None),
        ((3,) * 24, ((1,),), float, None),
        ((3,), ((1,) * 7,), float, None),
        ((3,), ((1,), (1,)), float, None),
        ((3,), ((1,),), int, None),
        ((3,), ((1,),), ">f8", None),
        ((3,), ((1,),), float, list),
        ((3,), ((1,),), float, 3),
        ((0,), ((1,),), float, None),
        ((3,), ((0,),), float, None),
        ((3,), ((-1,),), float, None),
        (("x",), ((1,),), float, None),
        ((3,), (3,), float, None),
    ],
)
def test_a_kernel_that_cannot_be(sizes, shapes, dtype, result):
    extension = call._loaded()[0]
    with pytest.raises((TypeError, ValueError)):
        extension.Callee(sizes, shapes, np.dtype(dtype), result, 10)


def test_wrong_arguments_are_told(code):
    callee = entry_points(code).callee
    for method, arguments in (
        ("add", (0, 1, None)), ("add", (2, 1, None)), ("add", ("one", 1, None)), ("attempt", ([X, Y],)),
        ("function", (handed_over,)),
        ("function", (handed_over, "\ud800", "")),
    ):  # fmt: skip
        with pytest.raises((TypeError, ValueError, UnicodeEncodeError)):
            getattr(callee, method)(*arguments)
    with pytest.raises(TypeError):
        call.method([], 1, True, handed_over, "f")
    with pytest.raises(TypeError):
        type(call.function(entry_points(code), handed_over, "f").__self__)()


def test_memory_that_runs_out_is_an_error_and_nothing_else(code):
    """Each allocation fails in turn; under the sanitizers this also shows that nothing is used after it is freed."""
    testing = pytest.importorskip("_testcapi")
    if not hasattr(testing, "set_nomemory"):
        pytest.skip("this interpreter cannot be told to fail")
    scalars, arrays = entry_points(code), entry_points(code, shapes=((1,), (3,)))
    listed = [np.empty(5), np.empty((5, 3))]
    one, many = (X[0].copy(), Y[0].copy()), (X, Y)
    large = (np.ones((9000, 3)), np.ones((9000, 2)))
    attempts = [
        lambda: scalars.callee.attempt(one),
        lambda: [arrays.callee.attempt(one) for _ in range(4)],
        lambda: [scalars.callee.attempt(many) for _ in range(4)],
        lambda: scalars.callee.attempt(many, listed),
        lambda: scalars.callee.function(handed_over, "f", ""),
        lambda: [arrays.callee.attempt(large) for _ in range(2)],
    ]
    for attempt in attempts:
        attempt()
        failures = 0
        for nth in range(40):
            testing.set_nomemory(nth, nth + 1)
            try:
                attempt()
            except MemoryError:
                failures += 1
            finally:
                testing.remove_mem_hooks()
        assert failures > 0
    assert (scalars.callee.attempt(many).doubled == 2).all()


# -- the source -------------------------------------------------------------------------------


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_the_source_compiles_without_a_warning(compiler, tmp_path):
    if not shutil.which(compiler):
        pytest.skip(f"no {compiler}")
    sources = sorted(Path(__file__).parents[3].glob("src/articulated/compiler/runtime/*.c"))
    includes = [sysconfig.get_path("include"), np.get_include()]
    if not Path(includes[0], "Python.h").exists():
        pytest.skip("no headers of Python")
    flags = ["-std=c11", "-O2", "-Wall", "-Wextra", "-Werror", "-c", "-o", str(tmp_path / "object")]
    assert sources
    for source in sources:
        headers = [part for path in includes for part in ("-isystem", path)]
        found = subprocess.run([compiler, *flags, *headers, str(source)], capture_output=True, text=True)
        assert found.returncode == 0, found.stderr
