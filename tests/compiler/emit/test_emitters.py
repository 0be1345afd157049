"""Every emitter knows every operation, and refuses what it does not know by name."""

import pytest

import articulated as art
from articulated.compiler.emit import c
from articulated.compiler.emit import numpy as numpy_emitter
from articulated.compiler.emit.llvm.body import INSTRUCTIONS
from articulated.compiler.emit.llvm.module import ir
from articulated.compiler.passes.graph import ARITY, LEAVES
from articulated.compiler.passes.lower import LOWER
from articulated.compiler.passes.schedule import SINCOS_OPS
from articulated.compiler.passes.simplify import REPLAY
from articulated.compiler.passes.trace import Output, Program

from ..compiled import target

#: what emitters of whole programs write, and what is left of it after `lower` has run and the sines are taken
OPERATIONS = set(ARITY) - set(LEAVES)
STRAIGHT_LINE = OPERATIONS - set(LOWER) - set(SINCOS_OPS)

#: by name: its table, what has to be in it, and a function that emits a program
EVERY_EMITTER = {
    "NumPy": (numpy_emitter.NUMPY, OPERATIONS, numpy_emitter.source),
    "C": (c.C, OPERATIONS, lambda program: c.source(program, "kernel")),
    "LLVM": (INSTRUCTIONS, STRAIGHT_LINE, lambda program: ir(program, target())),
}


@pytest.mark.parametrize("name", [*EVERY_EMITTER, "simplify"])
def test_every_emitter_knows_every_op(name):
    table, needed, _ = EVERY_EMITTER.get(name, (REPLAY, OPERATIONS, None))
    assert not needed - set(table), f"{name} lacks {sorted(needed - set(table))}"
    assert not set(table) - set(ARITY), f"{name} has {sorted(set(table) - set(ARITY))}, which no graph has"


@pytest.mark.parametrize("name", EVERY_EMITTER)
@pytest.mark.parametrize("arity", [1, 2, 3])
def test_an_unknown_operation_is_an_error(name, arity):
    inputs = tuple(("x", k) for k in range(arity))
    ops, args = ("input",) * arity + ("rsqrt",), (*inputs, tuple(range(arity)))
    program = Program((("x", arity),), ops, args, (Output((1,), ((arity, False),)),), None)
    with pytest.raises(art.ArticulatedError, match="'rsqrt'") as problem:
        EVERY_EMITTER[name][2](program)
    assert f"the {name} emitter" in str(problem.value)
