"""Assembly in place of LLVM's own code: the same numbers to the last bit, whatever has to be moved about."""

from functools import partial

import numpy as np
import pytest

from articulated.algebra.scalars import array, cos, select, sin, sqrt
from articulated.algorithms.inverse_dynamics import inverse_dynamics
from articulated.algorithms.mass_matrix import mass_matrix
from articulated.compiler.emit.emitters import X86, chosen
from articulated.compiler.emit.llvm.module import ir
from articulated.compiler.emit.llvm.types import Lanes
from articulated.compiler.emit.x86.body import reads
from articulated.compiler.emit.x86.registers import REGISTERS, Registers
from articulated.compiler.passes.lower import lower
from articulated.compiler.passes.order import ordered
from articulated.compiler.passes.simplify import simplify
from articulated.compiler.passes.trace import trace
from articulated.compiler.processors import GENERIC
from articulated.compiler.target import Target, vector_width
from tests.zoo import ZOO

from ..compiled import ASSEMBLES, Compiled, interpreted, target
from ..kernels import GOLDEN, text
from ..random_programs import random_arguments, random_program

runs = pytest.mark.skipif(not ASSEMBLES, reason="not a processor with AVX2")
TARGETS = [(4, "float64"), (8, "float32"), (8, "float64")]  # of the last only the entry point for one state is assembly


def check(program, arrays, lanes=4, precision="float64"):
    """Both entry points in assembly against NumPy's definition."""
    arrays = [x.astype(precision) for x in arrays]
    code, expected = Compiled(program, lanes, precision, x86=True), interpreted(program, arrays)
    for found in (code.batch(arrays), code.each(arrays)):
        for a, b in zip(found, expected, strict=True):
            np.testing.assert_array_equal(a, b)
            np.testing.assert_array_equal(np.signbit(a), np.signbit(b))


@runs
@pytest.mark.parametrize(("lanes", "precision"), TARGETS)
@pytest.mark.parametrize(("seed", "graphs"), [*((seed, 150) for seed in range(6)), (6, 1200)])
def test_random_programs(seed, graphs, lanes, precision):
    program = lower(simplify(random_program(1000 + seed, graphs)))
    moves = ir(program, target(lanes, precision, x86=True), precision, ("one",)).count("leaq")
    assert moves > 5 if len(program) > 2500 else moves == 0  # of pointers, in programs whose memory is out of reach
    arrays = random_arguments(np.random.default_rng(seed), 21, precision)
    code, expected = Compiled(program, lanes, precision, x86=True), interpreted(program, arrays)[0]
    for found in (code.batch(arrays)[0], code.each(arrays)[0]):
        np.testing.assert_array_equal(found, expected)


@runs
@pytest.mark.parametrize("algorithm", [inverse_dynamics, mass_matrix])
@pytest.mark.parametrize("robot", ZOO, ids=str)
def test_robots(robot, algorithm):
    sizes = {"q": robot.nq, "v": robot.nv, "a": robot.nv} if algorithm is inverse_dynamics else {"q": robot.nq}
    program = lower(simplify(trace(lambda **state: algorithm(robot.model, **state), sizes)))
    rng = np.random.default_rng(0)
    arrays = [robot.random(rng, (19,)), rng.normal(size=(19, robot.nv)), rng.normal(size=(19, robot.nv))]
    check(program, arrays[: len(sizes)])
    check(program, arrays[: len(sizes)], 8, "float32")


@runs
def test_far_more_values_than_registers(rng):
    """Everything is made first and used last, in another order: nearly all has to be stored and read again."""

    def spread(x, y):
        made = [x[i] * y[j] + x[j] for i in range(12) for j in range(12)]
        return array([made[k] * made[-7 * k % 144] - made[5 * k % 144] for k in range(144)])

    check(lower(trace(spread, {"x": 12, "y": 12})), [rng.normal(size=(11, 12)), rng.normal(size=(11, 12))])


@runs
@pytest.mark.parametrize("precision", ["float64", "float32"])
def test_every_operation_with_every_operand_alike(rng, precision):
    def alike(x):
        a, b, c = x
        same = [a * a + a, a * a - a, a - a * a, a * b + b, a * b + a, b - a * b, a + a, a * a, a / a]
        more = [
            select(a < b, a, b),
            select(a < b, b, b * c),
            select(a < a, b, c),
            sqrt(a * a),
            -(a * b),
            -a,
            -sqrt(c * c),
        ]
        return array([*same, *more, *(-y for y in same), a, -b, 3.0, -0.0])

    program = lower(trace(alike, {"x": 3}))
    check(program, [rng.normal(size=(13, 3))], 4 if precision == "float64" else 8, precision)


@runs
@pytest.mark.parametrize("precision", ["float64", "float32"])
def test_zeros_of_both_signs(precision):
    program = lower(trace(lambda x: array([x[0], 0.0, -0.0, -0.0, -0.0, -0.0, 0.0, -x[1], x[1]]), {"x": 2}))
    x = np.array([[1.0, 0.0], [0.0, -0.0], [-0.0, 3.0]] * 5)
    check(program, [x], 4 if precision == "float64" else 8, precision)


@runs
@pytest.mark.parametrize("arrays", [1, 5, 6, 7, 11, 12, 13])
def test_many_arrays(rng, arrays):
    """Pointers to arrays take registers, too; with too many of them the code is LLVM's."""
    names = [f"x{k}" for k in range(arrays - 1)] or ["x0"]
    program = lower(
        trace(lambda **given: array([sum(given[n][0] * given[n][1] for n in names)]), dict.fromkeys(names, 2))
    )
    check(program, [rng.normal(size=(9, 2)) for _ in names])
    several = lower(trace(lambda x: tuple(array([x[0] * k + x[1]]) for k in range(1, arrays + 1)), {"x": 2}))
    check(several, [rng.normal(size=(9, 2))])
    assert (chosen(target(x86=True), Lanes(1), len(several.inputs) + len(several.outputs)) is X86) == (arrays < 12)


@runs
@pytest.mark.parametrize(("lanes", "precision"), TARGETS)
@pytest.mark.parametrize("count", [1, 2, 3, 4, 5, 7, 8, 9, 12, 13, 17])
def test_any_number_of_sines(rng, count, lanes, precision):
    """Alone and in pairs, whole vectors or not, among them angles beyond the fast reduction."""
    program = lower(trace(lambda q: array([*(sin(x) for x in q), *(cos(x) for x in q)]), {"q": count}))
    q = rng.normal(size=(35, count))
    check(program, [q], lanes, precision)
    q[[3, 12, 34], [0, -1, count // 2]] = 1e15, -3e22, 7e9
    check(program, [q], lanes, precision)


@runs
def test_what_is_not_finite_is_noticed_wherever_it_is(rng):
    program = lower(trace(lambda q, v: array([sin(q[0]) * v[0], q[1] + v[2]]), {"q": 2, "v": 3}))
    code = Compiled(program, x86=True)
    for states in (1, 3, 4, 7, 8, 9, 16, 21):
        arrays = [rng.normal(size=(states, 2)), rng.normal(size=(states, 3))]
        assert code.finite(arrays)
        for x in arrays:
            for bad in (np.nan, np.inf, -np.inf):
                for row in range(states):
                    for column in range(x.shape[1]):
                        kept, x[row, column] = x[row, column], bad
                        assert not code.finite(arrays)
                        x[row, column] = kept


def test_golden_assembly():
    assert text("pendulum", x86=True) == (GOLDEN / "pendulum.avx2.ll").read_text(), (
        "python -m tests.compiler.kernels writes it anew"
    )


@pytest.mark.parametrize(
    ("features", "x86", "precision", "assembly"),
    [
        ({"avx2", "fma"}, True, "float64", True),
        ({"avx2", "fma"}, True, "float32", True),
        ({"avx2", "fma"}, False, "float64", False),
        ({"avx2"}, True, "float64", False),
        ({"avx512f", "avx2", "fma"}, True, "float64", False),
        ({"sse2", "fma"}, True, "float64", False),
    ],
)
def test_only_batches_for_avx2_are_assembly(features, x86, precision, assembly):
    program = lower(trace(lambda x: array([x[0] * x[1] + x[2]]), {"x": 3}))
    machine = Target(vector_width(features), frozenset(features), x86)
    assert ("asm sideeffect" in ir(program, machine, precision, ("batch",))) == assembly


# -- the order and the registers ----------------------------------------------------------


@pytest.mark.parametrize("seed", range(10))
def test_the_order_is_one_of_the_same_operations(seed):
    program = lower(simplify(random_program(seed, graphs=30)))
    inner = [i for i, op in enumerate(program.ops) if op not in ("input", "const", "sine", "cosine", "less")]

    found = ordered(inner, program.ops, partial(reads, program), GENERIC)
    assert sorted(found) == inner
    place = {i: k for k, i in enumerate(found)}
    assert all(place[k] < place[i] for i in found for k in reads(program, i) if k in place)
    assert max(inner.index(i) - k for k, i in enumerate(found)) <= GENERIC.lookahead


def test_a_chain_gives_way_to_what_is_ready():
    """Four sums of products, one after the other in the text, are taken in turn."""
    ops, sources = ["input"] * 2, {}
    for _ in range(4):
        for k in range(6):
            sources[len(ops)] = [0, 1] if k == 0 else [0, 1, len(ops) - 1]
            ops.append("mul" if k == 0 else "fma")
    found = ordered(list(sources), ops, sources.get, GENERIC)
    chains = [(i - 2) // 6 for i in found]
    assert len(set(chains[:8])) > 1 and found != list(sources)


def test_the_value_needed_latest_gives_way():
    lines = []
    uses = {value: [REGISTERS + 1 + value] for value in range(REGISTERS + 1)}
    registers = Registers(
        uses, lambda value: None, "<{}>".format, lambda *line: lines.append(line), GENERIC.reload_bonus
    )
    for value in range(REGISTERS):
        registers.hold(value, registers.take(()))
        registers.end_step()
    assert not lines
    register = registers.take(())
    assert lines == [("move", f"%{register}", "<0>")]
    assert REGISTERS - 1 not in registers.of and registers.memory(REGISTERS - 1) == "<0>"


def test_a_value_in_memory_gives_way_without_a_store():
    lines = []
    uses = {value: [REGISTERS + 1 + value] for value in range(REGISTERS)}
    registers = Registers(
        uses, {10: "8(%rdi)"}.get, "<{}>".format, lambda *line: lines.append(line), GENERIC.reload_bonus
    )
    for value in range(REGISTERS):
        registers.hold(value, registers.take(()))
        registers.end_step()
    registers.take(())
    assert not lines and 10 not in registers.of
