"""`articulated derive`: every format, JSON, and a PDF where there is a TeX."""

import os
import re
import shutil
import subprocess
import sys

import pytest
import sympy

import articulated as art

from .command import run

TEX = shutil.which("pdflatex")
needs_tex = pytest.mark.skipif(not TEX, reason="no pdflatex here: PDF export not run")


@pytest.mark.parametrize("form", ["tex", "md", "html", "py", "c", "casadi"])
def test_every_format_is_written(form, tmp_path):
    file = tmp_path / f"model.{form}"
    done = run("derive", "2r", "--symbols", "--format", form, "-o", file)
    assert done.code == 0, done.err
    assert len(file.read_text(encoding="utf-8")) > 300 and "recursion" in done.err and done.out == ""


def test_steps_end_with_the_check():
    done = run("derive", "2r", "--symbols", "--steps")
    assert done.code == 0 and "Step 2" in done.out and "equal as expressions" in done.out


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["nope"], 3), (["2r", "--steps", "--format", "c"], 2), (["2r", "--what", "Q"], 3),
        (["2r", "--format", "docx"], 3), (["2r", "--json", "--what", "Q"], 3),
    ],
)  # fmt: skip
def test_mistakes_are_messages(words, code):
    done = run("derive", *words)
    assert done.code == code and "Traceback" not in done.err and "articulated derive: " in done.err


def test_json_holds_expressions_that_sympy_reads():
    done = run("derive", "2r", "--symbols", "--what", "M,g,T", "--json")
    eq = art.derive("2r")
    names = {s.name: s for s in (*eq.parameters, *eq.q, *eq.v, *eq.a)}
    assert set(done.json) == {"schema", "command", "robot", "q", "v", "a", "parameters", "quantities", "latex",
                              "operations", "output"}  # fmt: skip
    assert (
        done.json["q"] == ["q_1", "q_2"] and done.json["a"] == ["qdd_1", "qdd_2"] and "m_1" in done.json["parameters"]
    )
    found = done.json["quantities"]
    assert sympy.Matrix([[sympy.sympify(x, names) for x in row] for row in found["M"]]) == eq.M
    assert sympy.Matrix([sympy.sympify(x, names) for x in found["g"]]) == eq.g
    assert sympy.sympify(found["T"], names) == eq.T
    assert done.json["latex"]["g"][1] == "m_{2} g_{0} d_{2} c_{12}"
    assert done.json["operations"][0]["quantity"] == "M" and done.json["output"] is None
    assert done.out.count("\n") == 1


def test_json_beside_a_file(tmp_path):
    file = tmp_path / "model.py"
    done = run("derive", "2r", "--format", "py", "--output", file, "--json")
    assert done.json["output"] == str(file) and "def robot_2r" in file.read_text(encoding="utf-8")


def test_the_check_as_json_and_as_words():
    done = run("derive", "2r", "--check", "--json")
    assert done.code == 0 and done.json["ok"] and done.json["proven"] is True and done.json["error"] < 1e-12
    assert "equal as expressions" in run("derive", "2r", "--check").out


def test_a_failed_check_is_a_problem(monkeypatch):
    monkeypatch.setattr("articulated.symbolic.equations.lagrange.gravity_vector", lambda state, U: state.v * 0)
    done = run("derive", "2r", "--check", "--json")
    assert done.code == 1 and not done.json["ok"] and done.json["proven"] is False


def test_without_a_tex_the_message_says_what_to_install(monkeypatch, tmp_path):
    monkeypatch.setattr(shutil, "which", lambda name: None)
    done = run("derive", "2r", "--format", "pdf", "-o", tmp_path / "x.pdf")
    assert done.code == 3 and "texlive-latex-base" in done.err and "--format html" in done.err


@needs_tex
def test_a_pdf_needs_a_file():
    done = run("derive", "2r", "--format", "pdf")
    assert done.code == 2 and "--output" in done.err


@needs_tex
@pytest.mark.parametrize("words", [["2r"], ["stanford"], ["bar_disc"]], ids=str)
def test_pdfs_are_made(words, tmp_path):
    file = tmp_path / "model.pdf"
    done = run("derive", *words, "--symbols", "--steps", "--format", "pdf", "-o", file)
    assert done.code == 0, done.err
    assert file.read_bytes().startswith(b"%PDF") and os.listdir(tmp_path) == ["model.pdf"]


@needs_tex
@pytest.mark.parametrize("words", [["2r", "--symbols"], ["stanford", "--symbols"], ["quadruped"], ["puma560"]], ids=str)
def test_nothing_sticks_out_of_the_page(words, tmp_path):
    """TeX's own complaints about lines that are too wide and pages that are too full."""
    file = tmp_path / "model.tex"
    assert run("derive", *words, "--steps", "--format", "tex", "-o", file).code == 0
    done = subprocess.run(
        [TEX, "-interaction=nonstopmode", file.name], cwd=tmp_path, capture_output=True, text=True, errors="replace"
    )
    assert "\n!" not in done.stdout, done.stdout[-3000:]
    wide = [float(x) for x in re.findall(r"Overfull \\hbox \(([0-9.]+)pt", done.stdout)]
    assert max(wide, default=0) < 10 and "Overfull \\vbox" not in done.stdout


@needs_tex
def test_a_document_tex_refuses_is_an_error_with_its_reason(monkeypatch, tmp_path):
    monkeypatch.setattr("articulated.symbolic.pages.tex.PREAMBLE", "\\documentclass{article}\n\\begin{document}\n")
    done = run("derive", "2r", "--format", "pdf", "-o", tmp_path / "x.pdf")
    assert done.code == 3 and "Environment align* undefined" in done.err and not list(tmp_path.iterdir())


def test_the_contents_of_a_pdf_are_those_of_its_pages(monkeypatch, tmp_path):
    """A TeX in miniature: it prints the contents of the run before, and they take a page once there are any."""
    tex = tmp_path / "bin" / "pdflatex"
    tex.parent.mkdir()
    tex.write_text(
        f"#!{sys.executable}\n"
        "import pathlib, sys\n"
        "toc = pathlib.Path(sys.argv[-1]).with_suffix('.toc')\n"
        "printed = toc.read_text() if toc.exists() else ''\n"
        "page = 2 if printed else 1\n"
        "toc.write_text(f'page {page}')\n"
        "toc.with_suffix('.pdf').write_text(f'%PDF contents say: {printed}; the section is on page {page}')\n"
    )
    tex.chmod(0o755)
    monkeypatch.setattr(shutil, "which", lambda name: str(tex) if name == "pdflatex" else None)
    file = tmp_path / "model.pdf"
    done = run("derive", "2r", "--symbols", "--format", "pdf", "-o", file)
    assert done.code == 0, done.err
    assert file.read_text() == "%PDF contents say: page 2; the section is on page 2"


def test_letters_of_a_textbook_and_blanks_are_those_of_python():
    done = run("derive", "3r", "--steps", "--style", "spong", "--blanks", "0.4")
    assert done.out == art.derive("3r").derivation("md", style="spong", blanks=0.4)


@pytest.mark.parametrize("words", [["--christoffel"], ["--style", "spong"], ["--blanks", "0.4"]])
def test_parts_of_the_derivation_are_not_ignored_without_it(words):
    done = run("derive", "2r", *words)
    assert done.code == 2 and f"{words[0]} is a part of --steps" in done.err
