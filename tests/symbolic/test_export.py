"""Exports: LaTeX that KaTeX reads, C that compiles, Python and CasADi that run, HTML that is well formed."""

import ctypes
import json
import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
import sympy

import articulated as art
from articulated.algebra.scalars import array
from articulated.algorithms.inverse_dynamics import inverse_dynamics
from articulated.model.parameters import from_parameters
from articulated.symbolic.equations.substitution import substituted
from articulated.symbolic.pages.export import PAGES, written
from articulated.symbolic.pages.formula import width
from articulated.symbolic.pages.latex import LINE, latex, lines
from articulated.symbolic.ring.values import evaluated_array, random_values
from tests.near import near
from tests.symbolic.robots import lecture, numeric, steps

CASES = ["2r", "3r", "stanford"]
NUMERIC = ["puma560", "planar_biped", "floating_pair"]


@pytest.fixture(scope="module")
def equations():
    return {name: lecture(name) for name in CASES} | {name: numeric(name) for name in NUMERIC}


def arguments(eq, states: int):
    values = random_values(eq.state, 3, states)
    groups = [eq.state.symbols["q"], eq.state.symbols["v"], eq.parameters]
    arrays = [np.stack([np.broadcast_to(values[s], (states,)) for s in group], axis=-1) for group in groups if group]
    return values, arrays


def expected(eq, values, states: int):
    points = [{s: float(np.broadcast_to(x, (states,))[k]) for s, x in values.items()} for k in range(states)]
    return [
        np.stack([evaluated_array(eq.state.ring, eq.polynomials[name], at) for at in points])
        for name in ("M", "c", "g")
    ]


@pytest.mark.parametrize("name", CASES + NUMERIC)
def test_python_runs_and_agrees(equations, name):
    eq = equations[name]
    values, arrays = arguments(eq, 10)
    scope: dict = {}
    exec(eq.export("py"), scope)
    function = next(f for key, f in scope.items() if key in (name, f"robot_{name}"))
    for found, wanted in zip(function(*arrays), expected(eq, values, 10), strict=True):
        assert near(found, wanted)
    one = function(*(x[0] for x in arrays))
    assert one[0].shape == eq.M.shape


@pytest.mark.skipif(not shutil.which("cc"), reason="no C compiler")
@pytest.mark.parametrize("name", CASES + NUMERIC)
def test_c_compiles_and_agrees(equations, name, tmp_path):
    eq = equations[name]
    values, arrays = arguments(eq, 10)
    source, library = tmp_path / "robot.c", tmp_path / "robot.so"
    source.write_text(eq.export("c"))
    flags = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-O0", "-shared", "-fPIC"]
    subprocess.run(["cc", *flags, str(source), "-o", str(library), "-lm"], check=True)
    title = next(t for t in (name, f"robot_{name}") if f"void {t}(" in source.read_text())
    function = getattr(ctypes.CDLL(str(library)), title)
    wanted = expected(eq, values, 10)
    out = [np.zeros_like(x) for x in wanted]
    pointer = lambda x: np.ascontiguousarray(x).ctypes.data_as(ctypes.POINTER(ctypes.c_double))  # noqa: E731
    held = [np.ascontiguousarray(x) for x in arrays]
    function(ctypes.c_long(10), *(pointer(x) for x in held), *(pointer(x) for x in out))
    for x, y in zip(out, wanted, strict=True):
        assert near(x, y)


@pytest.mark.parametrize("name", ["2r", "puma560"])
def test_casadi_agrees(equations, name):
    pytest.importorskip("casadi")
    eq = equations[name]
    values, arrays = arguments(eq, 1)
    scope: dict = {}
    exec(eq.export("casadi"), scope)
    made = next(f for key, f in scope.items() if key in (name, f"robot_{name}"))()
    for found, wanted in zip(made(*(x[0] for x in arrays)), expected(eq, values, 1), strict=True):
        assert near(np.array(found).reshape(wanted[0].shape), wanted[0])


def documents(equations):
    yield from (written(form, "2R", steps("2r")) for form in ("tex", "md"))
    yield written("md", "Stanford", steps("stanford"))
    yield from (equations[name].export("md", "M,C,c,g,T,U,tau,L,friction") for name in ("2r", "3r", "floating_pair"))
    yield equations["stanford"].export("md", "M,c,g")


def formulas(text: str) -> list[str]:
    """Displayed formulas, of an article as KaTeX wants them."""
    if "\\documentclass" in text:
        blocks = re.findall(r"\\begin\{align\*\}(.*?)\\end\{align\*\}", text, re.S)
        return [f"\\begin{{aligned}}{block}\\end{{aligned}}" for block in blocks]
    displayed = [block.strip() for block in re.findall(r"\$\$(.*?)\$\$", text, re.S)]
    return displayed + re.findall(r"(?<![\\$])\$([^$\n]+)\$(?!\$)", re.sub(r"\$\$.*?\$\$", "", text, flags=re.S))


def katex() -> Path | None:
    """Where `npm install katex` put it: KATEX, or node_modules beside the repository."""
    import os

    for place in (os.environ.get("KATEX", ""), "node_modules/katex"):
        if place and (Path(place) / "package.json").exists():
            return Path(place).resolve()
    return None


@pytest.mark.skipif(not shutil.which("node") or katex() is None, reason="no node, or no katex (set KATEX to it)")
def test_katex_reads_every_formula(equations):
    found = [formula for text in documents(equations) for formula in formulas(text)]
    assert len(found) > 100
    script = (
        "const k=require(process.argv[1]);const f=JSON.parse(require('fs').readFileSync(0));"
        "for(const x of f){k.renderToString(x,{displayMode:true,throwOnError:true,strict:'error'})}"
        "console.log(f.length)"
    )
    done = subprocess.run(
        ["node", "-e", script, str(katex())], input=json.dumps(found), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert int(done.stdout) == len(found)


def test_latex_is_balanced(equations):
    """Without KaTeX: braces and environments close."""
    for text in documents(equations):
        for formula in formulas(text):
            assert formula.count("{") == formula.count("}")
            assert formula.count("\\begin{") == formula.count("\\end{")
            assert formula.count("\\left") == formula.count("\\right")
            assert formula.count("\\bigl[") == formula.count("\\bigr]")


def to_python(text: str) -> str:
    """A line of our LaTeX as a Python expression: enough of the language to hold it against what it shows."""
    for old, new in (
        (r"\bigl[", "("),
        (r"\bigr]", ")"),
        (r"\left", ""),
        (r"\right", ""),
        (r"\quad", ""),
        (r"\dot{q}", "qd"),
        (r"\ddot{q}", "qdd"),
    ):
        text = text.replace(old, new)
    text = re.sub(r"\\cdot 10\^\{(-?\d+)\}", r"* 10.0**\1", text)
    while r"\frac" in text:
        start = text.rindex(r"\frac")
        above, after = _group(text, start + 5)
        below, end = _group(text, after)
        text = f"{text[:start]} ( ({above}) / ({below}) ) {text[end:]}"
    text = re.sub(r"\^\{(\d+)\}", r"**\1", text)
    text = re.sub(r"_\{(\w+)\}", r"_\1", text)
    text = re.sub(r"(?<=[\w)])\s*(?=\()|(?<=\))\s*(?=[\w(])", " * ", text)
    return re.sub(r"(?<=[\w)])\s+(?=[\w(])", " * ", text)


def _group(text: str, start: int) -> tuple[str, int]:
    """Content of the braces that open at `start`, and the place after them."""
    depth = 0
    for end in range(start, len(text)):
        depth += {"{": 1, "}": -1}.get(text[end], 0)
        if depth == 0:
            return text[start + 1 : end], end + 1
    raise AssertionError(text)


@pytest.mark.parametrize("name", ["2r", "3r", "stanford", "puma560"])
def test_broken_lines_mean_what_they_show(equations, name):
    """Every row of M, c, g, read back from its LaTeX, has the value of its expression, decimals with six digits."""
    eq = equations[name]
    rng = np.random.default_rng(2)
    values = {s: rng.uniform(0.3, 1.5) for s in (*eq.parameters, *eq.q, *eq.v)}
    scope = {s.name: x for s, x in values.items()}
    expressions = [*eq.M, *eq.c, *eq.g]
    rounded = {x: sympy.Float(f"{float(x):.6g}") for y in expressions for x in y.atoms(sympy.Float)}
    shown = [x.xreplace(rounded) for x in expressions]
    expected = sympy.lambdify(list(values), shown, "math", cse=True)(*values.values())
    for expression, value in zip(expressions, expected, strict=True):
        text = to_python(" ".join(lines(expression)))
        for letter, index in set(re.findall(r"\b([cs])_(\d+)\b", text)):
            angle = sum(scope[f"q_{k}"] for k in index)
            scope[f"{letter}_{index}"] = np.cos(angle) if letter == "c" else np.sin(angle)
        assert near(eval(text, {}, scope), value), text


def test_a_sum_in_front_of_brackets_keeps_its_own():
    a, b, *rest = sympy.symbols("m_1 m_2 d_1:30")
    broken = " ".join(lines((a + b) * sympy.Add(*rest)))
    assert broken.startswith(r"\left(m_{1} + m_{2}\right) \bigl[")


def test_shorthands_and_dots():
    eq = art.derive("2r")
    assert latex(eq.g[1]) == "m_{2} g_{0} d_{2} c_{12}"
    assert r"\dot{q}_{1}^{2}" in latex(eq.c[1]) and "s_{2}" in latex(eq.c[1])


def test_long_rows_are_broken(equations):
    broken = lines(equations["stanford"].M[0, 0])
    assert len(broken) > 5 and max(width(line) for line in broken) < LINE


def test_steps_have_a_section_for_every_link():
    titles = [section.title for section in steps("stanford")]
    assert sum(title.startswith("Step ") for title in titles) == 6 and titles[-1] == "Check"


def test_notebooks_show_latex(equations):
    eq = equations["2r"]
    for shown in (eq, eq.coefficients(), art.moving_frames("2r")):
        assert shown._repr_latex_().startswith("$$")


@pytest.mark.parametrize("modules", ["numpy", "mpmath", "sympy"])
def test_sympy_makes_functions_of_our_matrices(modules):
    eq = art.derive("2r")
    letters = sorted(eq.M.free_symbols, key=str)
    at = np.random.default_rng(0).uniform(0.5, 1.5, len(letters))
    found = sympy.lambdify(letters, eq.M, modules)(*at.tolist())
    near(np.array(found.tolist(), float), np.array(eq.M.subs(dict(zip(letters, at, strict=True))), float))
    assert eval(sympy.srepr(eq.M), vars(sympy).copy()) == eq.M.as_mutable()


@pytest.mark.parametrize("form", [*PAGES, "py", "c"])
def test_unknown_quantities_are_named(equations, form):
    with pytest.raises(art.ArticulatedError, match="'Q'"):
        equations["2r"].export(form, "Q")


def test_unknown_formats_are_named(equations):
    with pytest.raises(art.ArticulatedError, match="docx"):
        equations["2r"].export("docx")


def test_the_page_in_the_docs_runs():
    """The Python blocks of docs/derivations/README.md, one after the other."""
    page = Path(__file__).parents[2] / "docs" / "derivations" / "README.md"
    scope: dict = {}
    for block in re.findall(r"```python\n(.*?)```", page.read_text("utf-8"), re.S):
        exec(block, scope)
    assert "arm" in scope


def rx90():
    """Khalil and Dombre's arm, modified table, a letter for each of its sixty inertial parameters."""
    D3, RL4 = sympy.symbols("D3 RL4", positive=True)
    half = sympy.pi / 2
    table = [(0, 0, 0, 0), (0, 0, 0, half), (0, 0, D3, 0), (0, RL4, 0, -half), (0, 0, 0, half), (0, 0, 0, -half)]
    rows = [art.DH(*row) for row in table]
    names = ["m", "mx", "my", "mz", "Ixx", "Ixy", "Iyy", "Ixz", "Iyz", "Izz"]
    links = [from_parameters([sympy.Symbol(f"{x}_{k}", real=True) for x in names]) for k in range(1, 7)]
    return art.from_dh(rows, "modified", links, gravity=(0, 0, -sympy.Symbol("g_0", positive=True)), name="rx90")


@pytest.mark.parametrize(("name", "most"), [("rx90", 700), ("puma560", 500), ("stanford", 700)])
def test_exported_torques_are_as_short_as_customized_recursions(name, most):
    """SymPyBotics writes the RX-90 with 658 operations; the closed form has thousands."""
    eq = art.derive({"rx90": rx90, "puma560": lambda: art.load("puma560"), "stanford": lambda: "stanford"}[name]())
    text = eq.export("py", "tau")
    assert int(re.search(r"by its recursion, (\d+) operations", text)[1]) <= most
    space: dict = {}
    exec(text, space)
    values = random_values(eq.state, 3)
    q, v, a = ([float(values[s]) for s in eq.state.symbols[part]] for part in "qva")
    p = [[values[s] for s in eq.parameters]] if eq.parameters else []
    robot = substituted(eq.model, {s: values[s] for s in eq.parameters}) if p else eq.model
    expected = np.array(inverse_dynamics(robot, *map(array, (q, v, a))), float)
    found = next(f for title, f in space.items() if title in (name, "robot"))(q, v, a, *p)
    assert np.allclose(found, expected, rtol=0, atol=1e-12 * abs(expected).max())
