"""Expressions as a notebook shows them: dots over the rates of plain SymPy, whatever they were computed with."""

import pickle
import sys

import pytest
import sympy

import articulated as art

Shell = pytest.importorskip("IPython.core.interactiveshell").InteractiveShell


@pytest.fixture
def shown():
    """Representations of a cell's value, by mime type."""
    shell = Shell.instance()

    def of(expression):
        return shell.display_formatter.format(expression)[0]

    yield of
    Shell.clear_instance()


def test_scalars_and_matrices_have_dots(shown):
    eq = art.derive("2r")
    for x in (
        eq.T,
        eq.tau[0],
        eq.c[0],
        eq.lagrangian,
        eq.v,
        eq.a[1],
        eq.C,
        eq.T.subs(eq.symbol("l_1"), 2),
        eq.subs({"q_1": 0}).T,
        sympy.diff(eq.T, eq.v[0]),
        eq.v[0] ** 2 + eq.q[0],
        pickle.loads(pickle.dumps(eq.T)),
        eq.adaptive_regressor().v_r,
    ):
        text = shown(x)["text/latex"]
        assert r"\dot{q}_{" in text or r"\ddot{q}_{" in text, x
        assert "qd" not in text, x


def test_everything_else_is_shown_as_sympy_shows_it(shown):
    x = sympy.Symbol("x")
    art.derive("2r")
    for expression in (x**2 + 1, sympy.Matrix([[x]]), sympy.Integer(3), art.derive("2r").U):
        assert shown(expression)["text/latex"] == expression._repr_latex_()
    assert shown(art.derive("2r").M)["text/latex"].startswith(r"$$\begin{pmatrix}")


def test_it_holds_before_and_after_init_printing(shown):
    shell = Shell.instance()
    art.derive("2r")
    sympy.init_printing(ip=shell, use_latex="mathjax")
    try:
        assert r"\dot{q}_{1}" in shown(art.derive("2r").T)["text/latex"]
    finally:
        sympy.init_printing(ip=shell, use_latex=False, pretty_print=False)


def test_pages_are_not_written(shown):
    eq = art.derive("stanford")
    assert "text/latex" not in shown(sum(eq.c))
    lines = shown(eq.T)["text/latex"].split(r"\\")  # what fits is broken into lines
    assert len(lines) > 5 and max(map(len, lines)) < 500


def test_without_a_notebook_nothing_is_changed(monkeypatch):
    monkeypatch.delitem(sys.modules, "IPython", raising=False)
    eq = art.derive("2r")
    rate = sympy.Symbol("qd_1", real=True)
    assert type(eq.v[0]) is sympy.Symbol and eq.v[0] == rate  # so that SymPy's own rules hold: subs compares types
    assert eq.T.subs(rate, 0).has(rate) is False
