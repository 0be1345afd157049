"""Machine code against NumPy's definition: random programs, every width, every place in a batch."""

import llvmlite.binding as llvm
import numpy as np
import pytest

from articulated.algebra.scalars import array, sin
from articulated.algorithms.inverse_dynamics import inverse_dynamics
from articulated.algorithms.mass_matrix import mass_matrix
from articulated.compiler.abi import LIBM_SYMBOLS, Target, vector_width
from articulated.compiler.emit.llvm import frame
from articulated.compiler.emit.llvm.module import ir, sincos_ir
from articulated.compiler.passes.lower import lower
from articulated.compiler.passes.simplify import simplify
from articulated.compiler.passes.trace import trace
from tests.zoo import ZOO

from ..compiled import Compiled, interpreted, target
from ..fuzz import TARGETS, compare, first_difference
from ..kernels import GOLDEN, KERNELS, text
from ..random_programs import random_arguments, random_program


@pytest.mark.parametrize("block", range(10))
def test_random_programs_bit_for_bit(block):
    problems = [compare(seed) for seed in range(5 * block, 5 * block + 5)]
    assert not any(problems), "\n".join(filter(None, problems))


@pytest.mark.parametrize(("lanes", "precision"), TARGETS)
def test_results_do_not_depend_on_the_batch(lanes, precision):
    program = lower(simplify(random_program(7, graphs=20)))
    arrays = random_arguments(np.random.default_rng(0), 37, precision)
    code = Compiled(program, lanes, precision)
    whole = code.batch(arrays)[0]
    for states in (0, 1, 2, 3, 5, 8, 17, 36):
        np.testing.assert_array_equal(code.batch([x[:states] for x in arrays], states)[0], whole[:states])
    np.testing.assert_array_equal(code.batch([x[5:].copy() for x in arrays])[0], whole[5:])


@pytest.mark.parametrize("lanes", [2, 4, 8])
def test_broadcast_and_strided_rows(lanes):
    program = lower(simplify(random_program(3, graphs=20)))
    x, y = random_arguments(np.random.default_rng(1), 13)
    code = Compiled(program, lanes)
    np.testing.assert_array_equal(code.batch([x, y[:1]])[0], code.batch([x, np.repeat(y[:1], 13, axis=0)])[0])
    wide = np.zeros((13, 11))
    wide[:, :5] = x
    np.testing.assert_array_equal(code.batch([wide[:, :5], y])[0], code.batch([x, y])[0])
    np.testing.assert_array_equal(code.batch([x[::-1], y[::-1]])[0], code.batch([x, y])[0][::-1])


@pytest.mark.parametrize("lanes", [2, 4, 8])
def test_long_programs_in_chunks(lanes, monkeypatch):
    monkeypatch.setattr(frame, "WHOLE", 50)
    monkeypatch.setattr(frame, "CHUNK", 20)
    program = lower(simplify(random_program(11, graphs=60)))
    arrays = random_arguments(np.random.default_rng(2), 9)
    code = Compiled(program, lanes)
    expected = interpreted(program, arrays)[0]
    np.testing.assert_array_equal(code.batch(arrays)[0], expected)
    np.testing.assert_array_equal(code.each(arrays)[0], expected)


def test_sines_of_sines(rng):
    program = lower(trace(lambda x: array([sin(2 * sin(x[0]) + x[1]), sin(sin(sin(x[1]))), x[0]]), {"x": 2}))
    x = rng.normal(size=(7, 2))
    code = Compiled(program)
    np.testing.assert_array_equal(code.batch([x])[0], interpreted(program, [x])[0])
    np.testing.assert_array_equal(code.each([x])[0], interpreted(program, [x])[0])


@pytest.mark.parametrize("sizes", [(1, 1), (1, 30), (2, 3), (25, 2), (40, 40)])
@pytest.mark.parametrize(("lanes", "precision"), TARGETS)
def test_any_number_of_columns(rng, sizes, lanes, precision):
    program = lower(trace(lambda x, y: (x + y[0], -(y * x[0])), dict(zip("xy", sizes, strict=True))))
    x, y = (rng.normal(size=(19, size)).astype(precision) for size in sizes)
    a, b = Compiled(program, lanes, precision).batch([x, y])
    np.testing.assert_array_equal(a, x + y[:, :1])
    np.testing.assert_array_equal(b, -(y * x[:, :1]))


@pytest.mark.parametrize("algorithm", [inverse_dynamics, mass_matrix])
@pytest.mark.parametrize(
    ("robot", "precision"),
    [*((robot, "float64") for robot in ZOO), *((robot, "float32") for robot in ZOO[::4])],
    ids=str,
)
def test_robots_bit_for_bit(robot, algorithm, precision):
    sizes = {"q": robot.nq, "v": robot.nv, "a": robot.nv} if algorithm is inverse_dynamics else {"q": robot.nq}
    program = lower(simplify(trace(lambda **state: algorithm(robot.model, **state), sizes)))
    rng = np.random.default_rng(0)
    arrays = [robot.random(rng, (9,)), rng.normal(size=(9, robot.nv)), rng.normal(size=(9, robot.nv))][: len(sizes)]
    arrays = [x.astype(precision) for x in arrays]
    code, expected = (
        Compiled(program, 32 // np.dtype(precision).itemsize, precision),
        interpreted(program, arrays)[0],
    )
    for found in (code.batch(arrays)[0], code.each(arrays)[0]):
        assert np.array_equal(found, expected), first_difference(program, 4, precision, arrays)


@pytest.mark.parametrize(
    ("features", "precision", "lanes"),
    [
        ({"sse2", "avx2", "avx512f"}, "float64", 8),
        ({"avx512f"}, "float32", 16),
        ({"sse2", "avx2"}, "float64", 4),
        ({"avx2"}, "float32", 8),
        ({"sse2"}, "float64", 2),
        ({"neon"}, "float32", 4),
    ],
)
def test_lanes(features, precision, lanes):
    assert Target(vector_width(features)).lanes(precision) == lanes


@pytest.mark.parametrize("name", [*KERNELS, "sincos"])
def test_golden_text(name):
    assert text(name) == (GOLDEN / f"{name}.ll").read_text(), "python -m tests.compiler.kernels writes it anew"


@pytest.mark.parametrize("entries", [("one",), ("batch",), ("one", "batch")])
def test_nothing_is_called_outside_the_modules(entries):
    module = llvm.parse_assembly(ir(lower(simplify(random_program(0, graphs=20))), target(), entries=entries))
    module.link_in(llvm.parse_assembly(sincos_ir(target())))
    declared = [f.name for f in module.functions if f.is_declaration]
    assert all(name.startswith("llvm.") or name in LIBM_SYMBOLS for name in declared)
    assert {f.name for f in module.functions} >= {f"articulated_{entry}" for entry in entries}
    machine = llvm.Target.from_default_triple().create_target_machine(
        cpu=llvm.get_host_cpu_name(), features=llvm.get_host_cpu_features().flatten(), reloc="pic", codemodel="small"
    )
    lines = [line.split() for line in machine.emit_assembly(module).splitlines()]
    calls = {line[1].removesuffix("@PLT") for line in lines if line[:1] == ["callq"]}
    assert calls <= {f.name for f in module.functions}


@pytest.mark.parametrize(("cpu", "lanes", "register"), [("x86-64-v4", 8, "%zmm"), ("x86-64-v3", 4, "%ymm")])
def test_wide_registers_are_used(cpu, lanes, register):
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    machine = llvm.Target.from_triple("x86_64-unknown-linux-gnu").create_target_machine(cpu=cpu, reloc="pic")
    assembly = machine.emit_assembly(llvm.parse_assembly(text_of_pendulum(lanes)))
    fused = [line for line in assembly.splitlines() if "vfmadd" in line and "pd" in line.split()[0]]
    assert fused and all(register in line for line in fused)


def text_of_pendulum(lanes):
    function, sizes, *_ = KERNELS["pendulum"]
    return ir(lower(simplify(trace(function, sizes))), target(lanes))
