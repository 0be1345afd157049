"""Results that are written past the caches are the same numbers, wherever they begin, and however many rows."""

import ctypes

import numpy as np
import pytest

from articulated.compiler.emit.llvm import streams
from articulated.compiler.emit.llvm.module import ir
from articulated.compiler.passes.lower import lower
from articulated.compiler.passes.trace import trace
from articulated.compiler.runtime import engine

from ..compiled import Compiled, target
from ..fuzz import TARGETS

ON_X86 = pytest.mark.skipif(not engine.is_x86(), reason="an x86 processor")


@pytest.fixture
def always(monkeypatch):
    monkeypatch.setattr(streams, "STREAMING_BYTES", 0)


def outer(sizes, lanes, precision):
    program = lower(trace(lambda x, y: (x + y[0], -(y * x[0])), dict(zip("xy", sizes, strict=True))))
    return program, Compiled(program, lanes, precision, x86=True)


@ON_X86
@pytest.mark.usefixtures("always")
@pytest.mark.parametrize("sizes", [(28, 28), (40, 33), (6, 324)])
@pytest.mark.parametrize(("lanes", "precision"), TARGETS)
def test_the_same_numbers(rng, sizes, lanes, precision):
    _, code = outer(sizes, lanes, precision)
    for states in (1, 7, 16, 37):
        x, y = (rng.normal(size=(states, size)).astype(precision) for size in sizes)
        a, b = code.batch([x, y])
        np.testing.assert_array_equal(a, x + y[:, :1])
        np.testing.assert_array_equal(b, -(y * x[:, :1]))


@ON_X86
@pytest.mark.usefixtures("always")
@pytest.mark.parametrize("shift", range(4))
@pytest.mark.parametrize("gap", [0, 1, 2, 3])
def test_rows_anywhere_in_memory(rng, shift, gap):
    # such a store faults where its address is not a multiple of 16 bytes
    _, code = outer((28, 28), 4, "float64")
    x, y = rng.normal(size=(2, 19, 28))
    room = np.full((2, shift + 19 * (28 + gap)), np.nan)
    rows = [part[shift:].reshape(19, 28 + gap)[:, :28] for part in room]
    arrays = [x, y, *rows]
    pointers, steps = (np.array(v, np.int64) for v in ([z.ctypes.data for z in arrays], [z.strides[0] for z in arrays]))
    code._batch(19, ctypes.c_void_p(pointers.ctypes.data), ctypes.c_void_p(steps.ctypes.data))
    np.testing.assert_array_equal(rows[0], x + y[:, :1])
    np.testing.assert_array_equal(rows[1], -(y * x[:, :1]))
    assert np.isnan(room).sum() == 2 * (shift + 19 * gap)  # nothing beside the rows is touched


def test_only_many_columns_and_only_on_x86():
    few = lower(trace(lambda x: x + 1, {"x": 24}))
    many = lower(trace(lambda x: x + 1, {"x": 26}))
    odd = lower(trace(lambda x: x + 1, {"x": 27}))
    assert [ir(p, target(4, x86=True)).count("nontemporal") for p in (few, odd)] == [0, 0]
    assert ir(many, target(4, x86=True)).count("nontemporal") == 4
    assert "nontemporal" not in ir(many, target(4, x86=False))
