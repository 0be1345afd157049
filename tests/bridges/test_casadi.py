"""Robots in CasADi: the same numbers, exact derivatives, C code, what is refused."""

import ctypes
import shutil
import subprocess
import sys

import numpy as np
import pytest

casadi = pytest.importorskip("casadi", reason="CasADi is not installed: make test-bridges")

import articulated as art  # noqa: E402
import articulated.casadi  # noqa: E402
from articulated.bridges import externals  # noqa: E402
from articulated.bridges.casadi import SX  # noqa: E402
from articulated.compiler.passes.graph import ARITY, LEAVES  # noqa: E402
from articulated.compiler.runtime import engine  # noqa: E402
from articulated.errors import ArticulatedError, UnknownName  # noqa: E402
from tests.methods import variants  # noqa: E402
from tests.near import near  # noqa: E402

from .robots import METHODS, called, flat, robot  # noqa: E402


@pytest.fixture(scope="module")
def arm():
    return articulated.casadi.Robot(robot())


def numbers(found, shapes):
    found = found if isinstance(found, tuple) else (found,)
    return [np.asarray(x).reshape(shape) for x, shape in zip(found, shapes, strict=True)]


def test_the_table_has_every_operation():
    assert SX.keys() == ARITY.keys() - set(LEAVES)


@pytest.mark.parametrize("method", METHODS)
def test_numbers_are_those_of_the_robot(arm, method, rng):
    arrays, rest = called(method, rng)
    for options in ({}, *variants(robot(), method, rng)):
        expected = flat(getattr(robot(), method)(**arrays, **{**rest, **options}))
        found = numbers(getattr(arm, method)(**arrays, **{**rest, **options}), [x.shape for x in expected])
        assert all(near(x, y) for x, y in zip(found, expected, strict=True)), options


@pytest.mark.parametrize("method", METHODS)
def test_derivatives_are_those_of_the_robot(arm, method, rng):
    """CasADi differentiates the program by its own rules, we by ours."""
    arrays, rest = called(method, rng)
    symbols = [casadi.SX.sym(name, len(x)) for name, x in arrays.items()]
    expected = robot().derivatives(method, space="coordinates")(**arrays, **rest)
    found = getattr(arm, method)(**dict(zip(arrays, symbols, strict=True)), **rest)
    found = found if isinstance(found, tuple) else (found,)
    # entries run along rows, as ours do
    jacobians = [casadi.jacobian(casadi.vec(x.T), symbol) for x in found for symbol in symbols]
    values = casadi.Function("d", symbols, jacobians)(*arrays.values())
    values = values if isinstance(values, (tuple, list)) else [values]
    for value, wanted in zip(values, expected, strict=True):
        assert near(np.asarray(value).reshape(wanted.shape), wanted, 1e-11)


def test_a_function_of_everything(arm, rng):
    frame = robot().frame_names[-1]
    f = arm.function("inverse_dynamics", forces=[frame], parameters=True, base_acceleration=True)
    assert f.name_in() == ["q", "v", "a", "base_acceleration", "parameters", "force_0"]
    arrays, _ = called("inverse_dynamics", rng)
    force, motion, parameters = rng.normal(size=6), rng.normal(size=6), robot().parameters * 1.1
    expected = robot().inverse_dynamics(
        **arrays, forces={frame: force}, base_acceleration=motion, parameters=parameters
    )
    assert near(np.asarray(f(*arrays.values(), motion, parameters, force)).ravel(), expected)
    assert arm.function("pose", frame).size_out(0) == (4, 4)
    assert arm.function("jacobian", frame, axes="frame").size_out(0) == (6, robot().nv)
    assert arm.function("pose", frame) is arm.function("pose", frame)


def test_on_every_kind_of_expression(arm, rng):
    q = robot().random(rng, (3,))
    expected = robot().gravity_forces(q)
    symbol = casadi.MX.sym("q", robot().nq)
    f = casadi.Function("f", [symbol], [arm.gravity_forces(symbol)])
    assert near(np.asarray(f(q[0])).ravel(), expected[0])
    assert near(np.asarray(arm.gravity_forces(casadi.DM(q.T))).T, expected)  # one column for each state


def test_second_derivatives_at_rest_are_finite(arm):
    """Where rotations are equal a formula for small angles is taken; the other must not spoil it."""
    q = robot().neutral()
    f = arm.function("difference")
    first = f.jacobian()
    assert all(np.isfinite(np.asarray(x)).all() for x in first(q, q, 0))


@pytest.mark.skipif(not shutil.which("gcc"), reason="there is no C compiler")
def test_the_c_code_computes_the_same(arm, rng, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    f = arm.function("forward_dynamics")
    f.generate("fd.c")
    subprocess.run(["gcc", "-O1", "-shared", "-fPIC", "-o", "fd.so", "fd.c", "-lm"], check=True)
    arrays, _ = called("forward_dynamics", rng)
    code = casadi.external("forward_dynamics", str(tmp_path / "fd.so"))
    assert near(np.asarray(code(*arrays.values())).ravel(), robot().forward_dynamics(**arrays))
    assert ctypes.CDLL(str(tmp_path / "fd.so")).forward_dynamics_n_in() == 3


def test_what_is_refused(arm):
    with pytest.raises(UnknownName, match="forward_dynamics"):
        arm.function("forward_dynamic")
    with pytest.raises(ArticulatedError, match="no frame"):
        arm.function("pose", "nowhere")
    with pytest.raises(TypeError, match="dtype"):
        arm.gravity_forces(robot().neutral(), dtype=np.float32)
    with pytest.raises(ArticulatedError, match="takes a Robot"):
        articulated.casadi.Robot("panda")
    with pytest.raises(ArticulatedError, match=r"q has shape \(99,\), but .* needs a column of 5"):
        arm.gravity_forces(np.zeros(99))


def test_a_free_base(rng):
    dog = articulated.casadi.Robot(art.load("quadruped").floating())
    q = dog.robot.random(rng)
    assert near(np.asarray(dog.mass_matrix(q)), dog.robot.mass_matrix(q))


# -- machine code ------------------------------------------------------------------------------------------


machine_code = pytest.mark.skipif(not externals.source() or engine.reason(), reason="there is no machine code, or no C")


@machine_code
@pytest.mark.parametrize("method", METHODS)
def test_machine_code_and_its_jacobian_are_those_of_the_program(arm, method, rng):
    arrays, rest = called(method, rng)
    choices = {"choices": tuple(rest.values())} if "frame" in rest else {}
    program, code = (way(method, *choices.get("choices", ())) for way in (arm.function, arm.compiled))
    assert code.name() == "articulated" and program.name_in() == code.name_in()
    assert program.name_out() == code.name_out()
    for one, other in ((program, code), (program.jacobian(), code.jacobian())):
        nominal = [casadi.DM(*one.size_in(k)) for k in range(len(arrays), one.n_in())]
        expected, found = (f(*arrays.values(), *nominal) for f in (one, other))
        expected, found = (x if isinstance(x, (tuple, list)) else [x] for x in (expected, found))
        for x, y in zip(expected, found, strict=True):
            assert near(np.asarray(x), np.asarray(y), 1e-11)


@machine_code
@pytest.mark.parametrize("method", ["inverse_dynamics", "pose", "mass_matrix", "difference", "center_of_mass"])
def test_second_derivatives_of_machine_code_are_those_of_the_program(arm, method, rng):
    arrays, rest = called(method, rng)
    given, found = casadi.MX.sym("x", sum(map(len, arrays.values()))), []
    parts = casadi.vertsplit(given, np.cumsum([0, *map(len, arrays.values())]).tolist())
    for way in (arm.function, arm.compiled):
        cost = casadi.sumsqr(casadi.sin(way(method, *rest.values())(*parts)))
        found.append(casadi.Function("h", [given], casadi.hessian(cost, given))(np.concatenate([*arrays.values()])))
    assert all(near(np.asarray(x), np.asarray(y), 1e-10) for x, y in zip(*found, strict=True))


@machine_code
def test_threads_share_machine_code(arm, rng):
    arrays, _ = called("forward_dynamics", rng, (64,))
    code = arm.compiled("forward_dynamics")
    found = code.map(64, "thread", 4)(*(x.T for x in arrays.values()))
    assert near(np.asarray(found).T, robot().forward_dynamics(**arrays))
    jacobian = code.jacobian()
    one = jacobian(*(x[5] for x in arrays.values()), 0)
    nominal = np.zeros((robot().nv, 64))
    many = jacobian.map(64, "thread", 4)(*(x.T for x in arrays.values()), nominal)
    width = one[0].shape[1]
    assert near(np.asarray(many[0])[:, 5 * width : 6 * width], np.asarray(one[0]))


@machine_code
def test_machine_code_of_everything(arm, rng):
    """Forces and parameters are differentiated by as well; what is not finite is nowhere finite."""
    frame = robot().frame_names[-1]
    program, code = (way("inverse_dynamics", forces=[frame], parameters=True) for way in (arm.function, arm.compiled))
    arrays, _ = called("inverse_dynamics", rng)
    given = [*arrays.values(), robot().parameters * 1.1, rng.normal(size=6)]
    for x, y in zip(program.jacobian()(*given, 0), code.jacobian()(*given, 0), strict=True):
        assert near(np.asarray(x), np.asarray(y), 1e-11)
    assert np.isnan(np.asarray(code(*given[:-1], [np.inf] * 6))).all()


@machine_code
def test_a_solver_uses_machine_code(arm):
    """The same optimum after the same steps: torques that hold the arm, by Newton's method on exact Hessians."""
    found = []
    for way in (arm.function, arm.compiled):
        q = casadi.MX.sym("q", robot().nq)
        cost = casadi.sumsqr(way("gravity_forces")(q)) + casadi.sumsqr(q - robot().neutral() - 0.1)
        options = {"ipopt.print_level": 0, "print_time": False, "ipopt.sb": "yes"}
        solver = casadi.nlpsol("s", "ipopt", {"x": q, "f": cost}, options)
        found.append((solver(x0=robot().neutral() + 0.1)["x"], solver.stats()["iter_count"]))
    assert near(np.asarray(found[0][0]), np.asarray(found[1][0]), 1e-7) and found[0][1] == found[1][1]


@machine_code
def test_another_process_has_no_machine_code(arm, tmp_path):
    """Not that of another robot either."""
    (tmp_path / "f.casadi").write_text(arm.compiled("gravity_forces").serialize())
    told = f"import casadi; casadi.Function.deserialize(open({str(tmp_path / 'f.casadi')!r}).read())"
    run = subprocess.run([sys.executable, "-c", told], capture_output=True, text=True)
    assert run.returncode and "articulated.so" in run.stderr


def test_without_an_extension_it_is_the_program(rng, monkeypatch):
    monkeypatch.setenv("ARTICULATED_EXTENSION", "off")
    arm = articulated.casadi.Robot(art.load("2r"))
    assert arm.compiled("mass_matrix") is arm.function("mass_matrix")
