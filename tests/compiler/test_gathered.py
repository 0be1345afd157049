"""Lists that a routine fills: rows that are flagged in some lane, loops over them and over pairs of them."""

import numpy as np
import pytest

from articulated.algebra import scalars
from articulated.compiler.emit import numpy as numpy_emitter
from articulated.compiler.kernel import Kernel, Source
from articulated.compiler.passes.builder import Builder
from articulated.compiler.passes.lower import lower

ROWS, LATER = 9, 4


def pairs():
    """Σ x_i (x_i + Σ x_j) over pairs j < i, then j > i, of the rows that are flagged; two lists in one."""
    r = Builder()
    given, order = r.input("x", 1, rows=ROWS), r.table("order")
    x, flags, listed = r.local("here", 1, ROWS), r.local("flags", 1, ROWS), r.local("listed", 1, ROWS)
    below, above, sizes = r.output("below", 1), r.output("above", 1), r.output("sizes", 2)
    sums, inner, number = r.local("sums", 1), r.local("inner", 1), r.local("number", 2)

    def flag(x):
        return scalars.array([scalars.select(x[0] < 0, 0.0, 1.0)])

    def weighted(x):
        return scalars.array([scalars.select(x[0] < 0, 0.0, x[0])])

    def zero():
        return scalars.array([0.0])

    with r.loop("k", ROWS):
        r.run(flag, {"x": given.row("k", table=order)}, [flags.row("k")])
        r.run(weighted, {"x": given.row("k", table=order)}, [x.row("k")])
    r.gather(flags, listed, "early", range(LATER))
    r.gather(flags, listed, "all", range(LATER, ROWS), after="early")

    def add(s, x):
        return s + x

    def product(s, x, inner):
        return scalars.array([s[0] + x[0] * inner[0]])

    for result, start, count in ((below, 0, "i"), (above, "i", "all")):
        r.run(zero, {}, [sums])
        with r.loop("i", "all"):
            r.run(zero, {}, [inner])
            with r.loop("j", count, start=start):
                r.run(add, {"s": inner, "x": x.row("j", table="listed")}, [inner], entrywise=True)
            r.run(product, {"s": sums, "x": x.row("i", table="listed"), "inner": inner}, [sums], entrywise=True)
        r.copy(sums, result)
    r.run(lambda: scalars.array([0.0, 0.0]), {}, [number])
    with r.loop("i", "early"):
        r.run(lambda n: scalars.array([n[0] + 1, n[1]]), {"n": number}, [number], entrywise=True)
    with r.loop("i", "all", start="early"):
        r.run(lambda n: scalars.array([n[0], n[1] + 1]), {"n": number}, [number], entrywise=True)
    r.copy(number, sizes)
    return r.routine()


def outputs(states):
    return {name: np.empty((states, 1, n)) for name, n in (("below", 1), ("above", 1), ("sizes", 2))}


@pytest.mark.parametrize("states", [1, 2, 8, 19])
def test_lists_hold_what_is_flagged_in_some_lane(states):
    rng = np.random.default_rng(states)
    x = rng.normal(size=(states, ROWS, 1)) - 0.8
    order = rng.permutation(ROWS)
    found, by_numpy = outputs(states), outputs(states)
    kernel = Kernel(Source("pairs", build=pairs))
    kernel({"x": x, **found}, {}, {"order": order})
    routine = pairs().mapped(lower)
    blocks = numpy_emitter.compiled_blocks(routine)
    numpy_emitter.run_loops(routine, blocks, {"x": x, **by_numpy}, {}, {"order": order}, states)
    w = np.maximum(x[:, order, 0], 0)
    below = (w * np.cumsum(w, axis=1)).sum(axis=1)
    for each in (found, by_numpy):
        np.testing.assert_allclose(each["below"][:, 0, 0], below, rtol=1e-13)
        np.testing.assert_allclose(each["above"][:, 0, 0], w.sum(axis=1) ** 2 - below, rtol=1e-12, atol=1e-13)
    flagged = (x[:, order, 0] >= 0).any(axis=0)
    assert (by_numpy["sizes"] == [flagged[:LATER].sum(), flagged[LATER:].sum()]).all()
    if states == 1:
        assert (found["sizes"] == by_numpy["sizes"]).all()
