"""The reference of the site has every public name, and shows help as it is written."""

import inspect
import re
from importlib import import_module
from pathlib import Path

import pytest

import articulated as art
from articulated.robot.study import Study
from docs.site.docstrings import translated
from tests.methods import public

ROOT = Path(__file__).parents[2]
PAGES = "".join(path.read_text("utf-8") for path in sorted((ROOT / "docs" / "api").glob("*.rst")))
PACKAGES = {package for line in re.findall(r"(?m)^\.\. names:: (.*)$", PAGES) for package in line.split()}
NAMES = [name for name in art.__all__ if callable(getattr(art, name))]
MODULES = [getattr(art, name) for name in art.__all__ if inspect.ismodule(getattr(art, name))]


def test_every_public_name_is_on_a_page():
    def listed(name):
        home = getattr(art, name).__module__
        within = any(home == package or home.startswith(f"{package}.") for package in PACKAGES)
        return within or f".. autoclass:: articulated.{name}" in PAGES

    assert [name for name in NAMES if not listed(name)] == []


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__)
def test_every_public_module_is_on_a_page(module):
    shown = re.search(rf"automodule:: {re.escape(module.__name__)}\n   :members: (.*)", PAGES)
    assert shown, module.__name__
    assert all(inspect.getdoc(getattr(module, name)) for name in shown[1].split(", "))
    assert set(getattr(module, "__all__", [])) <= set(shown[1].split(", "))


def test_every_method_is_on_a_page():
    tables = re.findall(r"\.\. methods:: (\S+) (\S+)\.(\w+)", PAGES)
    listed = {kind: set(re.findall(rf"automethod:: {re.escape(kind)}\.(\w+)", PAGES)) for kind, _, _ in tables}
    for kind, module, table in tables:
        listed[kind] |= {getattr(row, "name", row) for row in getattr(import_module(module), table)}
    assert set(public(art.Robot)) <= listed["articulated.Robot"]
    assert set(public(Study)) <= listed["articulated.robot.study.Study"]


def test_help_becomes_definitions():
    shown = translated(inspect.getdoc(art.Robot.inverse_dynamics).splitlines())
    assert "``q``" in shown and ".. rubric:: Returns" in shown and "(…, nv): N m, N" in shown
    assert shown[shown.index('>>> robot = art.load("2r")') - 1] == ""
    assert not any(line.startswith(("q :", "----")) for line in shown)
