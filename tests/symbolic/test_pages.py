"""Documents: articles, Markdown, pages; names that mean something to TeX or a browser are only shown."""

import importlib.util
import re
import shutil
import subprocess
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import numpy as np
import pytest
import sympy

import articulated as art
from articulated.symbolic.equations.notation import STYLES, rows_of, written_in
from articulated.symbolic.pages.derivation import LONGEST, derivation
from articulated.symbolic.pages.document import Section, laid_out, words
from articulated.symbolic.pages.export import PAGES, written
from articulated.symbolic.pages.latex import LINE, lines
from articulated.symbolic.pages.walkthrough import ALGORITHMS, explained_in_symbols
from benchmarks.shortest import robots as textbook_robots
from tests.symbolic.robots import steps

#: style → a lecture's robot that is written in it
ROBOT_OF = dict(zip(STYLES, ("bar_disc", "2r", "2r", "3r", "2r"), strict=True))
EVIL = [
    r"\input{/etc/passwd}$x^2$ & % # _ { } ~ \end{document}",
    "<script>alert(1)</script>\x1b[31m\u202e中文 `x` **b** [a](javascript:x)\n\n# h",
]


@pytest.fixture(scope="module")
def hostile():
    body = art.Inertia(1.0, (0.1, 0, 0), np.diag([0.1, 0.1, 0.1]).tolist())
    links = [art.Link(EVIL[0], None, art.Revolute((0, 0, 1)), inertia=body)]
    links.append(art.Link(EVIL[1], EVIL[0], art.Revolute((0, 0, 1)), art.Transform(p=(1, 0, 0)), body))
    eq = art.derive(art.build(links, name=EVIL[1]))
    return {form: written(form, f"Model of {eq.name}", derivation(eq)) for form in PAGES}


def tree(page: str) -> ElementTree.Element:
    return ElementTree.fromstring(page.replace("<!doctype html>", ""))


@pytest.mark.parametrize("name", ["2r", "stanford"])
def test_html_is_well_formed_and_stands_alone(name):
    text = written("html", name, steps(name))
    assert not [x for x in ("<script", "http", "@import", "url(") if x in text]
    root = tree(text)
    assert len(list(root.iter("math"))) > 50 and "Q4" in text and "equal as expressions" in text
    targets = {element.get("id") for element in root.iter()}
    links = [element.get("href")[1:] for element in root.iter("a")]
    assert len(links) == len(steps(name)) and set(links) <= targets


def test_names_are_inert_in_html(hostile):
    root = tree(hostile["html"])
    assert {e.tag for e in root.iter()} & {"script", "img", "iframe", "b"} == set()
    assert "<script>alert(1)</script>" in "".join(root.itertext())
    assert "\x1b" not in hostile["html"] and "\u202e" not in hostile["html"]


def test_names_are_inert_in_tex(hostile):
    """Every backslash before a letter is a command of ours."""
    ours = """
        documentclass IfFileExists usepackage setlength mathindent allowdisplaybreaks raggedbottom sloppy begin end
        setcounter renewcommand arraystretch title date maketitle tableofcontents section textbackslash allowbreak
        textasciitilde textasciicircum textless textgreater textbar textasciigrave texttt sigma omega
        dot ddot frac left right qquad quad top text det cos
        tau ldots times theta alpha hline par hspace noindent medskip footnotesize unitlength linethickness qbezier put
        makebox circle cdot Gamma partial sum
    """
    found = set(re.findall(r"\\([A-Za-z]+)", hostile["tex"]))
    assert found <= set(ours.split()), found - set(ours.split())
    assert hostile["tex"].count(r"\end{document}") == 1 and hostile["tex"].isascii() is False  # König


def test_names_are_inert_in_markdown(hostile):
    text = hostile["md"]
    assert "<script" not in text and "**b**" not in text and "[a](" not in text and "\n# h" not in text
    assert r"\$x^2\$" in text and len(re.findall(r"(?m)^## ", text)) == len(re.findall(r"(?m)^- ", text))


def test_articles_break_between_any_two_lines():
    text = written("tex", "Stanford", steps("stanford"))
    assert "\\begin{align*}" in text and "\\begin{aligned}" not in text and "\\allowdisplaybreaks" in text


@pytest.mark.skipif(not shutil.which("pdflatex"), reason="no pdflatex here: articles not typeset")
def test_articles_are_typeset_and_nothing_is_wider_than_the_page(tmp_path):
    """Every style, sheets and walkthroughs: no glyph is missing, nothing stands more than 3 pt beyond the margin."""
    pages = {style: art.derive(name).derivation("tex", style=style) for style, name in ROBOT_OF.items()}
    tasks = [art.exercise("2r", seed=seed) for seed in range(20)]
    pages |= {f"sheet {x}": art.exercise_sheet(tasks, "tex", solutions=x) for x in (False, True)}
    pages |= {name: art.explain(name, "2r").export("tex") for name in ALGORITHMS}
    for name, page in pages.items():
        (tmp_path / "page.tex").write_text(page, encoding="utf-8")
        command = ["pdflatex", "-interaction=nonstopmode", "-no-shell-escape", "page.tex"]
        log = subprocess.run(command, cwd=tmp_path, capture_output=True, check=True).stdout.decode("utf-8", "replace")
        assert "Missing character" not in log and "U+" not in page, name
        assert max(map(float, re.findall(r"Overfull .hbox .([0-9.]+)pt", log)), default=0) < 3, name


def test_wide_matrices_are_written_entry_by_entry():
    long = sympy.Add(*sympy.symbols("m_1:20"))
    a, b, c = sympy.symbols("a b c")
    rows = laid_out([("M", sympy.Matrix([[long, a, 0], [a, long, b], [0, b, long]]))])
    assert [row.left for row in rows] == ["M_{11}", "M_{12}", "M_{13}", "M_{22}", "M_{23}", "M_{33}", ""]
    assert rows[2].lines == ["0"] and "symmetric" in rows[-1].lines[0]
    vector = laid_out([("{}^{1}v_{1}", sympy.Matrix([long * sympy.Symbol("x"), b, c]))])
    assert [row.left for row in vector] == ["({}^{1}v_{1})_{x}", "({}^{1}v_{1})_{y}", "({}^{1}v_{1})_{z}"]


def test_narrow_matrices_stand_side_by_side():
    x = sympy.Matrix(sympy.symbols("a b c"))
    rows = laid_out([("v", x), ("w", x), ("T", sympy.Symbol("t")), ("u", x)])
    assert [row.left for row in rows] == ["v", "T", "u"] and "w = " in rows[0].lines[0]
    many = laid_out([("v", x)] * 30)
    assert 1 < len(many) < 10


def test_many_zeros_are_one_line():
    x = sympy.Symbol("x") ** 30 * 12345678901
    rows = laid_out([("Y", sympy.Matrix(4, 8, lambda i, j: x if i == j else 0))], LINE / 3)
    assert rows[-1].lines == [r"\text{the others are zero}"] and len(rows) == 5


def test_what_is_left_out_is_said():
    said = {s.title: "".join(s.text) for s in steps("stanford")}
    assert f"2362 terms, more than the {LONGEST}" in said["Christoffel matrices"]
    assert (
        "left out" in said["Q4: factorizations of the velocity forces"]
        and "nonskew (each product of rates once): not skew" in said["Q4: factorizations of the velocity forces"]
    )
    assert not any("eft out" in "".join(section.text) for section in steps("2r"))


def test_the_stanford_arm_is_asked_the_lectures_questions():
    said = {s.title: s for s in steps("stanford")}
    assert "m_{6} k_{633}^{2}" in said["Q1: when is the inertia matrix constant?"].text
    assert r"g_{0} \left(m_{3} + m_{4} + m_{5} + m_{6}\right)" in said["Q2: when does gravity vanish?"].text
    assert (
        sum(left.startswith("p_") for left, _ in said["Dynamic coefficients"].rows) == 13
    )  # 21 with lengths and gravity unknown
    assert "positive definite for all q" in "".join(said["Q3: is the inertia matrix always positive definite?"].text)


def test_a_robot_of_numbers_is_answered_with_numbers():
    said = {s.title: "".join(s.text) for s in derivation(art.derive(art.load("scara")))}
    said_of_M = said["Q1: when is the inertia matrix constant?"]
    assert said_of_M.startswith("With these numbers it is not: M depends on q_{2}. Second way")
    assert "g_{3}" in said["Q2: when does gravity vanish?"]
    assert "base parameters" in said["Dynamic coefficients"]


def test_a_robot_that_is_always_balanced():
    body = art.Inertia(1.0, (0, 0, 0), np.diag([0.1, 0.1, 0.1]).tolist())
    wheel = art.build([art.Link("wheel", None, art.Revolute((0, 0, 1)), inertia=body)])
    said = {s.title: "".join(s.text) for s in derivation(art.derive(wheel))}
    assert said["Q1: when is the inertia matrix constant?"].startswith("Always")
    assert said["Q2: when does gravity vanish?"].startswith("Always")


def test_friction_has_its_section():
    robot = art.build(
        [art.Link("wheel", None, art.Revolute((0, 0, 1), damping=0.5), inertia=art.Inertia(1.0, (1, 0, 0)))]
    )
    titles = [s.title for s in derivation(art.derive(robot))]
    assert "Friction" in titles and "Friction" not in [s.title for s in steps("2r")]


def test_words_of_ours_hold_formulas_between_dollars():
    assert written("md", "t", [Section("s", words("a $x_1$ b_c"))]).endswith("a $x_1$ b\\_c\n")


@pytest.mark.parametrize("name", ["2r", "stanford", "RP", "polar", "wrist"])
def test_the_pages_in_the_docs_are_what_is_derived(name):
    """docs/derivations/make.py, run again; only rounding may differ."""
    folder = Path(__file__).parents[2] / "docs" / "derivations"
    spec = importlib.util.spec_from_file_location("make", folder / "make.py")
    make = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(make)
    page = {"2r": make.two_r, "stanford": make.stanford}.get(name, lambda: make.worked(name))()
    committed = (folder / f"{name.lower()}.md").read_text(encoding="utf-8")
    rounding = r"\d\.\de-\d\d"
    assert re.sub(rounding, "", page) == re.sub(rounding, "", committed), "run docs/derivations/make.py"
    assert name != "stanford" or (page.count("## E1.") == 7 and "the same, term by term" in page)


def test_composites_have_letters_of_their_own():
    passes = explained_in_symbols("crba", art.derive("2r").model)
    values = {row.letter: row.value for p in passes for row in p.rows}
    m1, m2 = sympy.symbols("m_1 m_2", positive=True)
    assert values["m^{C}_{1}"] == m1 + m2 and values["m^{B}_{1}"] == m1 and "I^{C}_{2}" in values
    assert not {"m_{1}", "I_{1}", "h_{1}"} & set(values)


def plate():
    """A plate that floats in a vertical plane, with an arm; the arm's center of mass is l + x from its hinge."""
    m, J, n, l, x = sympy.symbols("m J n l x", positive=True)
    plane = art.Link(
        "plate", None, art.Planar((0, 0, 1)), inertia=art.Inertia(m, (0, 0, 0), [[J, 0, 0], [0, J, 0], [0, 0, J]])
    )
    arm = art.Link("arm", "plate", art.Revolute((0, 0, 1)), art.Transform(p=(l, 0, 0)), art.Inertia(n, (l + x, 0, 0)))
    return art.build([plane, arm], gravity=(0, -sympy.Symbol("g_0", positive=True), 0))


@pytest.mark.parametrize("robot", ["2r", "rp", "stanford", "plate"])
def test_equations_of_motion_are_in_their_order(robot):
    """M a joint by joint, then C v, then g; a term without a minus sign may stand before them."""
    eq = art.derive(plate() if robot == "plate" else textbook_robots().get("RP") if robot == "rp" else robot)
    with written_in(eq):
        for _, tau in rows_of(eq, "tau"):
            terms = "\n".join(lines(tau, 1e9)).replace(r"\left", "").replace(r"\right", "")
            kinds = [
                3
                if not (of := re.findall(r"(\\ddot\{q\}|\\dot\{q\}|\b[av])_\{(\d)", term))
                else min((int(k) / 10 if x in (r"\ddot{q}", "a") else 2 for x, k in of))
                for term in top_level(terms)
            ]
            assert kinds[1:] == sorted(kinds[1:]), tau


def top_level(text: str) -> list[str]:
    """The terms of a sum in LaTeX, apart at plus and minus signs outside brackets."""
    depth, out = 0, [""]
    for part in re.split(r"([{}()]| [-+] )", text):
        depth += {"{": 1, "(": 1, "}": -1, ")": -1}.get(part, 0)
        out = [*out, ""] if part in (" + ", " - ") and not depth else [*out[:-1], out[-1] + part]
    return out


def test_a_robot_in_a_plane_is_written_and_seen_as_one():
    """c_34 of a floating plate and the hinge on it; (l + x)² is not taken apart; seen along the normal."""
    eq = art.derive(plate())
    page = eq.derivation("text")
    assert "c34" in page and "c3 c4" not in page and "(l + x)^2" in page and "l^2 + 2 l x" not in page
    assert "a is vd" in page and "seen from the front" not in page
    assert eq.check()
