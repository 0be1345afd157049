"""Routines: loops around straight-line blocks mean the same in NumPy and machine code, for any number of states."""

import gc
import threading
import time

import numpy as np
import pytest

from articulated.algebra import scalars
from articulated.compiler.emit import numpy as numpy_emitter
from articulated.compiler.kernel import Kernel, Source
from articulated.compiler.passes.builder import Builder
from articulated.compiler.passes.lower import lower
from articulated.compiler.runtime import engine

STATES = (1, 2, 7, 8, 9, 33)
SAMPLES = 12


def map_of(x, p):
    """A map with sines, a division and a square root in it, and a constant among its results."""
    y = scalars.sin(x[0]) + p[0] * x[1]
    return scalars.array([y, x[1] * scalars.cos(x[2]) / (2 + x[0] * x[0]), scalars.sqrt(1 + y * y)]), scalars.array([3])


def halved(x, rounds):
    """Halve the first number of lanes that are not below a hundredth yet."""
    size = scalars.select(x[0] < 0, -x[0], x[0])
    done = scalars.select(size < 0.01, 1.0, 0.0)
    first = scalars.select(size < 0.01, x[0], x[0] * 0.5)
    return scalars.array([first, x[1], x[2]]), scalars.array([done]), scalars.array([rounds[0] + 1 - done])


def everything():
    """A routine with each kind of statement: nested and reversed loops, a table, lanes that end on their own."""
    r = Builder()
    x0, data = r.input("x0", 3), r.input("data", 1, rows="samples")
    path, total, rounds = r.output("path", 3, rows="samples"), r.output("total", 1), r.output("rounds", 1)
    x, three, flag, count = (r.local(name, size) for name, size in zip("xtfc", (3, 1, 1, 1), strict=True))
    kept, sums = r.local("kept", 3, rows="samples"), r.local("sums", 2, rows=2)
    twice = r.output("twice", 1, rows="doubled")
    order = r.table("order")
    r.copy(x0, x)
    with r.loop("k", "samples"):
        with r.loop("again", 2):
            r.run(map_of, {"x": x, "p": data.row("k")}, [x, three])
            r.copy(three, twice.row({"k": 2, "again": "one"}))
        r.copy(x, kept.row("k", table=order))
    r.run(lambda: scalars.array([0.0, 0.0]), {}, [sums.row(0)])
    r.run(lambda: scalars.array([1.0, 0.0]), {}, [sums.row(1)])
    with r.loop("k", "samples", reverse=True):
        r.copy(kept.row("k"), path.row("k"))
        r.run(lambda s, x: s + scalars.array([x[0], 2 * s[0]]), {"s": sums.row(0), "x": kept.row("k")}, [sums.row(0)])
    r.run(lambda s, t: scalars.array([s[0] + s[1] + s[2] + t[0]]), {"s": sums.whole(), "t": three}, [total])
    r.run(lambda: scalars.array([0.0]), {}, [count])
    with r.loop("j", 60, until=flag):
        r.run(halved, {"x": x, "rounds": count}, [x, flag, count])
    # all have finished: not even once
    with r.loop("j", 60, until=flag, ahead=True):
        r.run(lambda rounds: rounds + 100, {"rounds": count}, [count])
    r.run(lambda: scalars.array([0.0]), {}, [flag])
    with r.loop("j", 60, until=flag, ahead=True):
        r.run(halved, {"x": x, "rounds": count}, [x, flag, count])
    r.copy(count, rounds)
    in_tiles(r, kept, three)
    return r.routine()


def in_tiles(r, kept, three):
    """Wide loops: some rows of a tile, a row for all of them, a constant, rows that are read and written."""
    tiles, found = (r.local(name, 3, SAMPLES, tiled=True) for name in ("tiles", "found"))
    out = r.output("wide", 3, rows="samples")
    with r.loop("k", "samples"):
        r.copy(kept.row("k"), tiles.row("k"))
    with r.loop("k", "samples", wide=True):
        r.run(lambda x: scalars.array([x[2], 4.0, x[0]]), {"x": tiles.row("k")}, [found.row("k")])
    with r.loop("j", "samples"), r.loop("k", "samples", start="j", wide=True):
        reads = {"s": found.row("k"), "x": tiles.row("j"), "y": tiles.row("k"), "t": three}
        r.run(summed, reads, [found.row("k")], entrywise=True)
    with r.loop("k", "samples", wide=True):
        r.run(turned, {"x": found.row("k"), "t": three}, [found.row("k")], entrywise=True)
    with r.loop("j", "one"), r.loop("k", 3, start=("j", 4, 5), wide=True):  # begins behind its end, in one tile
        r.run(summed, {"s": found.row("k"), "x": kept.row("k"), "y": kept.row("k"), "t": three}, [found.row("k")])
    with r.loop("k", "samples", wide=True):
        r.run(lambda x: scalars.array([x[1], x[0] + x[2], x[1]]), {"x": found.row("k")}, [found.row("k")])
    with r.loop("k", "samples"):
        r.copy(found.row("k"), out.row("k"))


def summed(s, x, y, t):
    return s + scalars.array([x[1] * y[0], t[0], x[0]])


def turned(x, t):
    """Numbers of each row by the sine of one angle for all rows."""
    return x * scalars.sin(t[0])


def arrays_for(states, seed=0):
    rng = np.random.default_rng(seed)
    outputs = {"path": (SAMPLES, 3), "wide": (SAMPLES, 3), "total": (1, 1), "rounds": (1, 1), "twice": (2 * SAMPLES, 1)}
    inputs = {"x0": rng.normal(size=(states, 1, 3)), "data": rng.normal(size=(SAMPLES, 1))}
    return {**inputs, **{name: np.full((states, *shape), np.nan) for name, shape in outputs.items()}}


COUNTS, ORDER = {"samples": SAMPLES, "doubled": 2 * SAMPLES, "one": 1}, {"order": np.arange(SAMPLES)[::-1].copy()}


def by_numpy(states):
    arrays = arrays_for(states)
    whole = {name: np.broadcast_to(x, (states, *x.shape)) if x.ndim == 2 else x for name, x in arrays.items()}
    routine = everything().mapped(lower)
    numpy_emitter.run_loops(routine, numpy_emitter.compiled_blocks(routine), whole, COUNTS, ORDER, states)
    return arrays


@pytest.mark.parametrize("states", STATES)
def test_machine_code_is_the_definition_to_the_last_bit(states):
    arrays = arrays_for(states)
    Kernel(Source("everything", build=everything))(arrays, COUNTS, ORDER)
    for name, expected in by_numpy(states).items():
        assert np.array_equal(arrays[name], expected), name
    assert len(set(arrays["rounds"].ravel())) > 1 or states < 3, "lanes should end at different rounds"


def test_threads_share_a_batch():
    one, two = arrays_for(100), arrays_for(100)
    kernel = Kernel(Source("everything", build=everything))
    kernel(one, COUNTS, ORDER)
    kernel(two, COUNTS, ORDER, threads=2)
    assert all(np.array_equal(one[name], two[name]) for name in one)


def test_without_machine_code(monkeypatch):
    monkeypatch.setenv("ARTICULATED_JIT", "off")
    arrays = arrays_for(3)
    Kernel(Source("everything", build=everything))(arrays, COUNTS, ORDER)
    assert all(np.allclose(arrays[name], x, rtol=1e-12, atol=1e-12) for name, x in by_numpy(3).items())


@pytest.mark.parametrize(
    "change, word",
    [
        ({"x0": np.zeros((3, 1, 2))}, "x0"),
        ({"x0": np.zeros((3, 1, 3), np.float32)}, "x0"),
        ({"x0": np.zeros((2, 1, 3))}, "x0"),
        ({"path": np.zeros((3, SAMPLES - 1, 3))}, "path"),
        ({"path": np.zeros((SAMPLES, 3))}, "path"),
        ({"path": np.zeros((3, 2 * SAMPLES, 3))[:, ::2]}, "path"),
        ({"path": np.broadcast_to(np.zeros(3), (3, SAMPLES, 3))}, "path"),
    ],
)
def test_machine_code_never_sees_an_array_that_does_not_fit(change, word):
    with pytest.raises(ValueError, match=word):
        Kernel(Source("everything", build=everything))({**arrays_for(3), **change}, COUNTS, ORDER)


def steps():
    """x is moved some times."""
    r = Builder()
    x0, p, out = r.input("x0", 3), r.input("p", 1), r.output("out", 3)
    x, three = r.local("x", 3), r.local("three", 1)
    r.copy(x0, x)
    with r.loop("k", "times"):
        r.run(map_of, {"x": x, "p": p}, [x, three])
    r.copy(x, out)
    return r.routine()


@pytest.mark.parametrize("compiles", [True, False], ids=["machine code", "NumPy"])
@pytest.mark.parametrize("states", STATES)
def test_arrays_that_stay(states, compiles, monkeypatch, rng):
    """Each call reads what is in them then, and takes its own counts; the same numbers as without."""
    if not compiles:
        monkeypatch.setenv("ARTICULATED_JIT", "off")
    kernel = Kernel(Source("steps", build=steps))
    shapes = {"x0": (states, 1, 3), "p": (1, 1), "out": (states, 1, 3)}
    arrays = {name: np.zeros(shape) for name, shape in shapes.items()}
    bound = kernel.bound(arrays, {"times": 1})
    for times in (3, 0, 5):
        arrays["x0"][:], arrays["p"][:] = rng.normal(size=(states, 1, 3)), rng.normal()
        bound({"times": times})
        other = {**arrays, "out": np.zeros((states, 1, 3))}
        kernel(other, {"times": times})
        assert (arrays["out"] == other["out"]).all() and (times or (arrays["out"] == arrays["x0"]).all())
    with pytest.raises(ValueError, match="out is"):
        kernel.bound({**arrays, "out": np.zeros((states, 1, 2))}, {"times": 1})


def test_what_a_routine_cannot_be():
    r = Builder()
    x0, x, y, out = r.input("x0", 2), r.local("x", 2), r.local("y", 3), r.output("out", 2)
    with pytest.raises(ValueError, match="two arrays x"):
        r.local("x", 4)
    with pytest.raises(ValueError, match="x has 2 numbers, y has 3"):
        r.copy(x, y)
    with pytest.raises(ValueError, match="cannot be copied"):
        r.copy(x, x0)
    with pytest.raises(ValueError, match="cannot be copied"):
        r.copy(out, x)
    with pytest.raises(ValueError, match="x0 cannot be written"):
        r.run(lambda x: x, {"x": x}, [x0])
    with pytest.raises(ValueError, match="out cannot be read"):
        r.run(lambda x: x, {"x": out}, [x])
    with pytest.raises(ValueError, match=r"\[2\] numbers for rows of \[3\]"):
        r.run(lambda x: x, {"x": x}, [y])
    with pytest.raises(ValueError, match="counts k"):
        r.copy(x, out.row("k"))
    with pytest.raises(ValueError, match="not a table"):
        r.copy(x, out.row(0, table="order"))
    with pytest.raises(ValueError, match="not an array of this routine"):
        r.copy(Builder().local("x", 2), x)
    with pytest.raises(ValueError, match="ends by one number"), r.loop("k", 3, until=x):
        pass


def test_threads_that_ask_for_one_routine_at_once_share_its_code(monkeypatch):
    """A second code would replace the first, which the next load unmaps while a thread may run it."""
    kernel, made = Kernel(Source("everything", build=everything)), []
    compiled, files = kernel._files.entry, type(kernel._files)
    monkeypatch.setattr(files, "entry", lambda own, name: made.append(name) or compiled(name))
    found = []
    threads = [threading.Thread(target=lambda: found.append(kernel.ready("one"))) for _ in range(3)]
    with engine.LOCK:
        for thread in threads:
            thread.start()
        time.sleep(0.1)  # all of them have seen that it is missing
    for thread in threads:
        thread.join()
    assert made == ["one"] and len(set(map(id, found))) == 1


def test_a_function_keeps_its_code_mapped():
    kernel = Kernel(Source("everything", build=everything))
    function = kernel.ready("one").functions["one"]
    number = function.code._number
    del kernel
    gc.collect()
    engine.load(engine.compile_object("define void @f() { ret void }"), ["f"])
    assert number in engine._mapped
    del function
    engine.load(engine.compile_object("define void @f() { ret void }"), ["f"])
    assert number not in engine._mapped
