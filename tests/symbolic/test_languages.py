"""Functions with named parameters in five languages; what can be run here is run, against the recursions on floats."""

import ctypes
import json
import re
import shutil
import subprocess

import numpy as np
import pytest
import sympy

import articulated as art
from articulated.algebra.scalars import array
from articulated.algorithms.coriolis import coriolis_matrix
from articulated.algorithms.energy import kinetic_energy, potential_energy
from articulated.algorithms.inverse_dynamics import friction_forces, gravity_forces, inverse_dynamics
from articulated.algorithms.mass_matrix import mass_matrix
from articulated.symbolic.equations.substitution import substituted
from articulated.symbolic.ring.values import random_values
from tests.near import near
from tests.symbolic.robots import furuta

EVERY = "M,C,c,g,friction,T,U,tau,Y"
NAMES = EVERY.split(",")


def rubbing():
    """Friction of both kinds, a symbol whose name no language takes, and one that a function uses itself."""
    end, lam, tau = (sympy.Symbol(name, positive=True) for name in ("end", "λ", "tau"))
    joint = art.Revolute((0, 1, 0), damping=lam, friction=sympy.Symbol("t1", positive=True))
    first = art.Link("first", None, joint, inertia=art.Inertia(end, (0, 0, -tau)))
    second = art.Link("second", "first", art.Prismatic((1, 0, 0.5)), inertia=art.Inertia(2.0, (0.1, 0, 0)))
    return art.build([first, second], name="a robot, for C")


CASES = {"2r": "2r", "rubbing": rubbing(), "furuta": furuta()}


@pytest.fixture(scope="module", params=CASES)
def case(request):
    """Equations, one state, values of the parameters, and every quantity by the recursions."""
    eq = art.derive(CASES[request.param])
    values = random_values(eq.state, 5)
    q, v, a = (np.array([float(values[s]) for s in eq.state.symbols[name]]) for name in "qva")
    numbers = {p: float(values[p]) for p in eq.parameters}
    model = substituted(eq.model, numbers) if numbers else eq.model
    at = [array(list(x)) for x in (q, v, a)]
    C = np.array(coriolis_matrix(model, *at[:2]), float)
    tau = np.array(inverse_dynamics(model, *at), float)
    wanted = {
        "M": mass_matrix(model, at[0]), "C": C, "c": C @ v, "g": gravity_forces(model, at[0]),
        "friction": friction_forces(model, at[1]), "T": kinetic_energy(model, *at[:2]),
        "U": potential_energy(model, at[0]), "tau": tau,
    }  # fmt: skip
    return eq, (q, v, a), numbers, {name: np.array(x, float) for name, x in wanted.items()}


def agrees(eq, numbers, found, wanted):
    """Every array by name, and Y by what it is for: Y a = tau."""
    for name, x in wanted.items():
        assert near(np.array(found[name], float).reshape(x.shape), x), name
    a = eq.coefficients()
    values = a.values if a.values is not None else [float(c.expression.subs(numbers)) for c in a]
    Y = np.array(found["Y"], float).reshape(len(eq.v), len(a))
    assert near(Y @ np.array(values, float), wanted["tau"])


def title(text):
    return re.search(r"(?:def|void|function(?: \[[^]]*\] =)?) (\w+)\(", text)[1]


def words(eq):
    """The parameters as the functions call them, in the order of the equations."""
    text = eq.export("py", "M,U,tau", named=True)
    return re.search(r"def \w+\(([^)]*)\)", text)[1].split(", ")[3:]


def test_python(case):
    eq, state, numbers, wanted = case
    text = eq.export("py", EVERY, named=True)
    scope: dict = {}
    exec(text, scope)
    named = dict(zip(words(eq), numbers.values(), strict=True))
    found = scope[title(text)](*state, **named)
    agrees(eq, numbers, dict(zip(NAMES, found, strict=True)), wanted)
    many = scope[title(text)](*(np.stack([x, x]) for x in state), **named)
    assert many[5].shape == (2,) and near(many[0][1], found[0])


@pytest.mark.skipif(not shutil.which("cc"), reason="no C compiler")
def test_c(case, tmp_path):
    eq, state, numbers, wanted = case
    text = eq.export("c", EVERY, named=True)
    (tmp_path / "robot.c").write_text(text, "utf-8")
    flags = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-O0", "-shared", "-fPIC"]
    subprocess.run(["cc", *flags, "robot.c", "-o", "robot.so", "-lm"], check=True, cwd=tmp_path)
    sizes = {**{name: x.shape for name, x in wanted.items()}, "Y": (len(eq.v), len(eq.coefficients()))}
    out = {name: np.zeros(sizes[name] or (1,)) for name in NAMES}
    pointer = lambda x: x.ctypes.data_as(ctypes.POINTER(ctypes.c_double))  # noqa: E731
    function = getattr(ctypes.CDLL(str(tmp_path / "robot.so")), title(text))
    function(*map(pointer, state), *map(ctypes.c_double, numbers.values()), *(pointer(out[name]) for name in NAMES))
    agrees(eq, numbers, out, wanted)


def test_casadi(case):
    pytest.importorskip("casadi", reason="casadi is not installed: make test-bridges")
    eq, state, numbers, wanted = case
    text = eq.export("casadi", EVERY, named=True)
    scope: dict = {}
    exec(text, scope)
    function = scope[title(text)]()
    named = dict(zip(words(eq), numbers.values(), strict=True))
    found = function(**dict(zip("qva", state, strict=True)), **named)
    agrees(eq, numbers, {name: np.array(found[name]) for name in NAMES}, wanted)


@pytest.mark.skipif(not shutil.which("octave"), reason="no Octave to run MATLAB code")
def test_matlab_in_octave(case, tmp_path):
    eq, state, numbers, wanted = case
    text = eq.export("matlab", EVERY)
    name = title(text)
    (tmp_path / f"{name}.m").write_text(text, "utf-8")
    fields = "".join(f"p.{word} = {x!r};" for word, x in zip(words(eq), numbers.values(), strict=True))
    given = ", ".join(str(x.tolist()) for x in state)
    call = f"[{', '.join(NAMES)}] = {name}({given}{', p' if numbers else ''});"
    prints = "".join(f"printf('%.17g,', {x}.'); printf('|');" for x in NAMES)
    command = ["octave", "--no-gui", "--quiet", "--no-init-file", "--eval", fields + call + prints]
    done = subprocess.run(command, check=True, cwd=tmp_path, capture_output=True, text=True)
    parts = done.stdout.strip().strip("|").split("|")
    found = {x: np.array(json.loads(f"[{part.rstrip(',')}]")) for x, part in zip(NAMES, parts, strict=True)}
    agrees(eq, numbers, found, wanted)


@pytest.mark.skipif(not shutil.which("julia"), reason="no Julia")
def test_julia(case, tmp_path):
    eq, state, numbers, wanted = case
    text = eq.export("julia", EVERY)
    named = ", ".join(f"{word} = {x!r}" for word, x in zip(words(eq), numbers.values(), strict=True))
    call = f"found = {title(text)}({', '.join(str(x.tolist()) for x in state)}; {named})"
    rows = "flat(x) = x isa Number ? [x] : x isa AbstractVector ? x : vec(permutedims(x))"
    prints = 'for name in keys(found)\n    println(name, "=[", join(flat(found[name]), ","), "]")\nend'
    (tmp_path / "robot.jl").write_text("\n".join([text, rows, call, prints]), "utf-8")
    command = ["julia", "--startup-file=no", "robot.jl"]
    done = subprocess.run(command, check=True, cwd=tmp_path, capture_output=True, text=True)
    found = {name: np.array(json.loads(x)) for name, x in (line.split("=") for line in done.stdout.splitlines())}
    assert list(found) == NAMES
    agrees(eq, numbers, found, wanted)


def test_julia_reads_as_julia(case):
    """Where there is no Julia: its text differs from Python's, which runs, in what this test looks at."""
    eq = case[0]
    julia, python = eq.export("julia", EVERY).splitlines(), eq.export("py", EVERY, named=True).splitlines()
    keywords = f"; {', '.join(words(eq))}" if eq.parameters else ""
    assert julia[1] == f"function {title(chr(10).join(julia))}(q, v, a{keywords})" and julia[-1] == "end"
    one_based = lambda line: re.sub(r"\[\.\.\., (\d+)\]", lambda m: f"[{int(m[1]) + 1}]", line)  # noqa: E731
    steps = [one_based(line) for line in python if re.match(r"    t\d+ = ", line)]
    assert [line for line in julia if re.match(r"    t\d+ = ", line)] == steps
    assert "    return (M = M, C = C, c = c, g = g, friction = friction, T = T, U = U, tau = tau, Y = Y,)" in julia
    M = next(line for line in julia if line.startswith("    M = "))
    assert M.count(";") == len(eq.v) - 1 and M.endswith("]")


def test_names_no_language_takes_are_changed_and_stay_apart():
    eq = art.derive(rubbing())
    assert words(eq) == ["end_p", "t1_p", "tau_p", "p_"]
    with pytest.raises(art.UnknownName, match="Y"):
        eq.export("julia", "M,X")
    assert eq.export("c", "M,M", named=True).count("double *M") == 2  # its declaration and itself


def test_what_no_language_computes_is_said():
    angle = sympy.Symbol("alpha", real=True)
    link = art.Link("a", None, art.Revolute((0, 1, 0)), inertia=art.Inertia(1.0, (sympy.exp(angle), 0, 0)))
    with pytest.raises(art.ModelError, match="cannot be exported"):
        art.derive(art.build([link])).export("py")
