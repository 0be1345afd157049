"""The C file of a program, compiled by the system's compiler, gives the program's numbers."""

import ctypes
import shutil
import subprocess

import numpy as np
import pytest

import articulated as art
from articulated.algorithms.inverse_dynamics import inverse_dynamics
from articulated.compiler.emit.c import source
from articulated.compiler.passes.lower import lower
from articulated.compiler.passes.simplify import simplify
from articulated.compiler.passes.trace import trace
from tests.zoo import ZOO

from ..compiled import interpreted
from ..random_programs import random_arguments, random_program

pytestmark = pytest.mark.skipif(not shutil.which("cc"), reason="no C compiler")


def compiled(text, folder):
    (folder / "kernel.c").write_text(text)
    command = ["cc", "-std=c99", "-O2", "-Wall", "-Werror", "-shared", "-fPIC", "-o", "kernel.so", "kernel.c", "-lm"]
    subprocess.run(command, cwd=folder, check=True)
    return ctypes.CDLL(str(folder / "kernel.so"))


def call(program, arrays, folder):
    library = compiled(source(program, "kernel"), folder)
    outs = [np.full((len(arrays[0]), len(o.entries)), np.nan) for o in program.outputs]
    pointers = [ctypes.c_void_p(x.ctypes.data) for x in (*arrays, *outs)]
    library.kernel(ctypes.c_long(len(arrays[0])), *pointers)
    return outs


@pytest.mark.parametrize("seed", range(3))
def test_random_programs(seed, tmp_path):
    stable = {"add": 6, "sub": 6, "mul": 8, "neg": 1, "sqrt": 1, "sin": 1, "cos": 1, "sign": 1, "select": 1, "atan2": 1}
    program = random_program(seed, weights=stable)
    if seed:
        program = simplify(program) if seed == 1 else lower(simplify(program))
    arrays = random_arguments(np.random.default_rng(seed), 11)
    arrays = [np.where(abs(x) > 10, 1.5, x) for x in arrays]
    np.testing.assert_allclose(call(program, arrays, tmp_path)[0], interpreted(program, arrays)[0], 1e-6, 1e-9)


@pytest.mark.parametrize("robot", ZOO[::4], ids=lambda robot: robot.name)
def test_robots(robot, tmp_path):
    sizes = {"q": robot.nq, "v": robot.nv, "a": robot.nv}
    program = simplify(trace(lambda **state: inverse_dynamics(robot.model, **state), sizes))
    rng = np.random.default_rng(0)
    arrays = [robot.random(rng, (5,)), rng.normal(size=(5, robot.nv)), rng.normal(size=(5, robot.nv))]
    expected = interpreted(program, arrays)[0]
    found = call(program, arrays, tmp_path)[0]
    np.testing.assert_allclose(found, expected, 1e-9, 1e-9 * max(abs(expected).max(), 1))


def test_several_results_and_constants(tmp_path):
    program = trace(lambda x: (x * 2, x[0] - x[0] + 3.0, x[::-1]), {"x": 2})
    x = np.arange(6.0).reshape(3, 2)
    a, b, c = call(program, [x], tmp_path)
    np.testing.assert_array_equal(a, 2 * x)
    np.testing.assert_array_equal(b, np.full((3, 1), 3.0))
    np.testing.assert_array_equal(c, x[:, ::-1])


def test_a_robot_gives_its_methods_as_c(tmp_path, rng):
    """From the method to the compiler of the system and back: the same numbers."""
    robot = art.load("2r")
    library = compiled(robot.c_source("inverse_dynamics", "torques"), tmp_path)
    q, v, a = rng.normal(size=(3, 5, 2))
    out = np.empty((5, 2))
    pointers = [x.ctypes.data_as(ctypes.c_void_p) for x in (q, v, a, out)]
    library.torques(ctypes.c_long(5), *pointers)
    assert np.allclose(out, robot.inverse_dynamics(q, v, a), rtol=1e-13, atol=1e-13)
