"""The builtin in front of a kernel: what it takes, what it hands over, and that it loses nothing."""

import ctypes
import gc
import inspect
import sys
import warnings
import weakref
from collections import namedtuple
from functools import reduce

import numpy as np
import pytest

import articulated as art
from articulated.compiler.runtime import call, engine, layout
from articulated.compiler.runtime.call import Native, builtin, builtin_at, context

pytestmark = pytest.mark.skipif(
    engine.reason() is not None or call.obstacle() is not None, reason="no machine code or no builtin here"
)

# x (3,), y (2,) -> their sum (scalar) and 2·x (3,), in straightforward scalar code
STUB = """
define void @articulated_one(ptr %args) {
  %strides = alloca [4 x i64]
  %bad = call i32 @articulated_batch(i64 1, ptr %args, ptr %strides)
  ret void
}
define i32 @articulated_batch(i64 %n, ptr %args, ptr %strides) {
entry:
  %any = icmp sgt i64 %n, 0
  br i1 %any, label %row, label %end
row:
  %i = phi i64 [ 0, %entry ], [ %i1, %row ]
  %seen = phi double [ 0.0, %entry ], [ %seen5, %row ]
POINTERS
  %sum = fadd double %x0, %y1
  store double %sum, ptr %p2
DOUBLES
FINITE
  %i1 = add i64 %i, 1
  %done = icmp eq i64 %i1, %n
  br i1 %done, label %end, label %row
end:
  %all = phi double [ 0.0, %entry ], [ %seen5, %row ]
  %odd = fcmp uno double %all, 0.0
  %bad = zext i1 %odd to i32
  ret i32 %bad
}
"""


def _stub() -> str:
    lines = []
    for k in range(4):
        lines += [
            f"  %a{k} = getelementptr ptr, ptr %args, i64 {k}",
            f"  %b{k} = load ptr, ptr %a{k}",
            f"  %t{k} = getelementptr i64, ptr %strides, i64 {k}",
            f"  %s{k} = load i64, ptr %t{k}",
            f"  %o{k} = mul i64 %s{k}, %i",
            f"  %p{k} = getelementptr i8, ptr %b{k}, i64 %o{k}",
        ]
    lines += ["  %x0 = load double, ptr %p0", "  %y1.at = getelementptr double, ptr %p1, i64 1"]
    lines += ["  %y1 = load double, ptr %y1.at", "  %y0 = load double, ptr %p1"]
    doubles = []
    for c in range(3):
        doubles += [
            f"  %in{c} = getelementptr double, ptr %p0, i64 {c}",
            f"  %v{c} = load double, ptr %in{c}",
            f"  %w{c} = fadd double %v{c}, %v{c}",
            f"  %out{c} = getelementptr double, ptr %p3, i64 {c}",
            f"  store double %w{c}, ptr %out{c}",
        ]
    finite, before = [], "%seen"
    for k, name in enumerate(("%v0", "%v1", "%v2", "%y0", "%y1"), start=1):
        finite += [f"  %nil{k} = fsub double {name}, {name}", f"  %seen{k} = fadd double {before}, %nil{k}"]
        before = f"%seen{k}"
    parts = {"POINTERS": lines, "DOUBLES": doubles, "FINITE": finite}
    return reduce(lambda text, part: text.replace(part[0], "\n".join(part[1])), parts.items(), STUB)


Pair = namedtuple("Pair", "total doubled")


@pytest.fixture(scope="module")
def stub() -> Native:
    code = engine.load(engine.compile_object(_stub()), ("articulated_one", "articulated_batch"))
    return with_code(Native((3, 2), ((), (3,)), Pair, np.dtype(float), most=10_000), code)


def with_code(native: Native, code) -> Native:
    native.add("one", code)
    native.add("batch", code)
    return native


def handed_over(*arguments, **named):
    return "fallback", arguments, named


@pytest.fixture
def f(stub):
    return builtin(context(stub, handed_over), "stub", "stub(x, y)\n--\n\nA trial.")


@pytest.mark.parametrize("states", [1, 2, 63, 64, 1000, 10_000])
def test_batches(f, states):
    x, y = np.arange(3.0 * states).reshape(states, 3), np.arange(2.0 * states).reshape(states, 2)
    found = f(x, y)
    assert type(found) is Pair and (found.total == x[:, 0] + y[:, 1]).all() and (found.doubled == 2 * x).all()
    shared = f(x[0], y)
    assert (shared.total == x[0, 0] + y[:, 1]).all() and (shared.doubled == 2 * x[0]).all()
    spread = f(np.hstack([x, x])[::-1, 2:5], y)
    assert (spread.doubled == 2 * np.hstack([x, x])[::-1, 2:5]).all()


def test_one_state_gives_scalars_and_arrays(f):
    found = f(np.arange(3.0), np.ones(2))
    assert isinstance(found.total, np.float64) and found.total == 1 and found.doubled.tolist() == [0, 2, 4]
    assert found.doubled.flags.owndata and found.doubled.flags.c_contiguous


def test_out(f):
    x, y = np.ones((5, 3)), np.ones((5, 2))
    out = Pair(np.empty(5), np.empty((5, 3)))
    assert f(x, y, out=out) is out and (out.doubled == 2).all() and (out.total == 2).all()


X, Y = np.ones((5, 3)), np.ones((5, 2))
ODD = {
    "too few": (X,),
    "too many": (X, Y, Y),
    "list": (X.tolist(), Y),
    "float32": (X.astype("f4"), Y),
    "swapped": (X.astype(">f8"), Y),
    "wrong size": (np.ones((5, 4)), Y),
    "other length": (X[:4], Y),
    "one row": (X[:1], Y),
    "no rows": (X[:0], Y[:0]),
    "three axes": (X[None], Y[None]),
    "no axes": (np.array(1.0), Y),
    "columns apart": (np.ones((5, 6))[:, ::2], Y),
    "vector apart": (np.ones(6)[::2], Y),
    "subclass": (X.view(np.recarray), Y),
    "None": (None, Y),
    "a type": (np.ndarray, Y),
    "nan": (np.where(np.arange(15).reshape(5, 3) == 7, np.nan, X), Y),
    "inf at the end": (X, np.where(np.arange(10).reshape(5, 2) == 9, np.inf, Y)),
    "nan in one": (X[0] * np.nan, Y),
    "too large": (np.ones((10_001, 3)), Y[0]),
}


@pytest.mark.parametrize("case", ODD)
def test_anything_else_is_handed_over_as_it_came(f, case):
    found = f(*ODD[case])
    assert found[0] == "fallback" and all(a is b for a, b in zip(found[1], ODD[case], strict=True)) and found[2] == {}


@pytest.mark.parametrize(
    "named",
    [
        {"out": None},
        {"other": 1},
        {"out": Pair(np.empty(5), np.empty((5, 3))), "threads": 2},
        {"out": (np.empty(5),)},
        {"out": [np.empty(5), np.empty((5, 3)), np.empty(5)]},
        {"out": {0: np.empty(5), 1: np.empty((5, 3))}},
        {"out": Pair(np.empty(5), np.empty((5, 4)))},
        {"out": Pair(np.empty((5, 1)), np.empty((5, 3)))},
        {"out": Pair(np.empty(5), np.empty((3, 5)).T)},
        {"out": Pair(np.empty(5, "f4"), np.empty((5, 3)))},
        {"out": Pair(np.empty(5), [1, 2, 3])},
        {"out": Pair(np.empty(5), X)},
        {"out": Pair(np.empty(5), np.broadcast_to(np.zeros(3), (5, 3)))},
    ],
)
def test_any_other_keyword_is_handed_over(f, named):
    found = f(X, Y, **named)
    assert found[0] == "fallback" and found[2].keys() == named.keys()
    assert all(found[2][name] is value for name, value in named.items())


def test_an_error_of_the_fallback_is_raised(stub):
    def refuse(*arguments):
        raise ValueError("not like that")

    with pytest.raises(ValueError, match="not like that"):
        builtin(context(stub, refuse), "f")([1])


@pytest.mark.parametrize("kind", [tuple, list])
def test_out_may_be_any_tuple_or_list(f, kind):
    out = kind([np.empty(5), np.empty((5, 3))])
    counts = [sys.getrefcount(x) for x in out]
    found = f(X, Y, out=out)
    assert type(found) is Pair and all(x is y for x, y in zip(found, out, strict=True)) and (out[1] == 2 * X).all()
    del found
    assert [sys.getrefcount(x) for x in out] == counts


# -- results used again ---------------------------------------------------------------------


@pytest.fixture
def pair(stub):
    """A function of one state whose results are arrays, fresh from any other test's results."""
    native = with_code(Native((3, 2), ((1,), (3,)), Pair, np.dtype(float)), stub.code["one"])
    return builtin(context(native, handed_over), "pair")


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
    "its memory by ctypes": lambda found: found.doubled.ctypes,
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
        elif hold in ("the result", "an array of it", "a view", "a buffer"):
            numbers = np.asarray(thing.doubled if hold == "the result" else thing)
            assert (numbers == 2 * (x + k)[3 - len(numbers) :]).all()
        elif hold == "an iterator":
            assert list(thing) == (2 * (x + k)).tolist()
        else:
            assert list((ctypes.c_double * 3).from_address(thing.data)) == (2 * (x + k)).tolist()


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


def test_results_are_freed_with_their_function(stub):
    native = with_code(Native((3, 2), ((1,), (3,)), Pair, np.dtype(float)), stub.code["one"])
    f = builtin(context(native, handed_over), "pair")
    last = weakref.ref(f(X[0], Y[0]).doubled)
    assert last() is not None
    del f, native
    gc.collect()
    assert last() is None


def test_nan_is_found_wherever_it_is(stub):
    f = builtin(context(stub, lambda *_: None), "f")
    for states in (1, 7, 130, 900):
        for row in {0, states // 2, states - 1}:
            for column in range(3):
                x = np.ones((states, 3))
                x[row, column] = np.nan
                assert f(x, Y[0]) is None
                assert f(np.hstack([x, x])[:, 3:], Y[0]) is None
    for size in range(1, 40):
        native = with_code(Native((size, 2), ((), (3,)), Pair, np.dtype(float)), stub.code["one"])
        g = builtin(context(native, lambda *_: None), "g")
        for place in range(size):
            x = np.full(size, 1e308)
            x[place] = -np.inf
            assert g(x, Y[0]) is None


def test_a_table_of_frames(stub):
    table = {"hand": context(stub, handed_over)}
    f = builtin_at(table, 2, handed_over, "at")
    expected = f(X, Y, "hand")
    assert type(expected) is Pair
    out = Pair(np.empty(5), np.empty((5, 3)))
    assert f(X, Y, "hand", out=out) is out and f(X, Y, frame="hand", out=out) is out
    assert (f(X, Y, frame="hand").doubled == expected.doubled).all()
    late = {"frame": "hand", "axes": "world"}
    for arguments, named in (
        ((X, Y, "foot"), {}), ((X, Y), {}), ((X, Y, 3), {}), ((X, Y, "hand", "world"), {}), ((X, Y, []), {}),
        ((X, Y), late), ((X, Y), {"out": out, "frame": "hand"}), ((X,), {"frame": "hand"}), ((), {"frame": "hand"}),
        ((X, Y, "hand"), {"frame": "hand"}), ((X.tolist(), Y, "hand"), {}),
    ):  # fmt: skip
        assert f(*arguments, **named) == ("fallback", arguments, named)


def test_nothing_is_lost(f):
    out = Pair(np.empty(5), np.empty((5, 3)))
    bad = X * np.nan
    watched = (X, Y, bad, out, *out, Pair, np.ndarray, np.dtype(float), X[0], "out")

    def use() -> None:
        for _ in range(2000):
            f(X, Y), f(X[0], Y[0]), f(X, Y, out=out), f(bad, Y), f([1], Y), f(bad[0], Y[0])

    use()
    gc.collect()
    before = [sys.getrefcount(x) for x in watched], len(gc.get_objects())
    use()
    gc.collect()
    after = [sys.getrefcount(x) for x in watched], len(gc.get_objects())
    assert max(abs(a - b) for a, b in zip(before[0], after[0], strict=True)) < 50
    assert abs(after[1] - before[1]) < 50


def test_a_builtin_keeps_its_code(rng):
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
    art.load("2r").mass_matrix(q)
    for _ in range(5):
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
    assert type(robot.mass_matrix).__name__ == "builtin_function_or_method"
    assert robot.mass_matrix.__name__ == "mass_matrix" and robot.mass_matrix.__doc__ == art.Robot.mass_matrix.__doc__
    assert list(inspect.signature(robot.jacobian).parameters) == ["q", "frame", "axes", "options"]


def test_methods_by_position_and_by_name(rng):
    robot = art.load("ur5")
    q, v = robot.random(rng), rng.normal(size=6)
    for _ in range(2):  # before and after the builtin is in place
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


def test_a_strange_interpreter_is_noticed(monkeypatch):
    assert layout.mismatch() is None
    monkeypatch.setitem(layout.LAYOUT, "data", 24)
    assert "arrays" in layout.mismatch()
    monkeypatch.undo()
    monkeypatch.setitem(layout.LAYOUT, "payload", 40)
    assert "bytes" in layout.mismatch()
    monkeypatch.setattr(sys.implementation, "name", "pypy")
    assert "pypy" in layout.mismatch()
