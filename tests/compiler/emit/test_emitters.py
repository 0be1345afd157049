"""Every emitter knows every operation."""

import pytest

from articulated.compiler.emit import c
from articulated.compiler.emit import numpy as numpy_emitter
from articulated.compiler.emit.llvm.body import INSTRUCTIONS
from articulated.compiler.passes.graph import ARITY, LEAVES
from articulated.compiler.passes.lower import LOWER
from articulated.compiler.passes.schedule import SINCOS_OPS
from articulated.compiler.passes.simplify import REPLAY

#: what emitters of whole programs write, and what is left of it after `lower` has run and the sines are taken
OPERATIONS = set(ARITY) - set(LEAVES)
STRAIGHT_LINE = OPERATIONS - set(LOWER) - set(SINCOS_OPS)

#: by name: its table, and what has to be in it
EVERY_EMITTER = {
    "NumPy": (numpy_emitter.NUMPY, OPERATIONS),
    "C": (c.C, OPERATIONS),
    "LLVM": (INSTRUCTIONS, STRAIGHT_LINE),
    "simplify": (REPLAY, OPERATIONS),
}


@pytest.mark.parametrize("name", EVERY_EMITTER)
def test_every_emitter_knows_every_op(name):
    table, needed = EVERY_EMITTER[name]
    assert not needed - set(table), f"{name} lacks {sorted(needed - set(table))}"
    assert not set(table) - set(ARITY), f"{name} has {sorted(set(table) - set(ARITY))}, which no graph has"
