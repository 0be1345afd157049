"""Type checkers accept the right programs of typed_programs.py and refuse every wrong one."""

import importlib
import importlib.util
import json
import os
import shutil
import subprocess
import sys
from itertools import combinations_with_replacement
from pathlib import Path
from typing import get_args

import pytest

import articulated as art
from docs.site import stubs
from tests.methods import arguments

PROGRAMS = Path(__file__).with_name("typed_programs.py")
SOURCE, ROOT = Path(art.__file__).parents[1], PROGRAMS.parents[2]
WRONG = {k for k, line in enumerate(PROGRAMS.read_text("utf-8").splitlines(), 1) if line.endswith("# wrong")}


def run(command, folder):
    environment = {**os.environ, "MYPYPATH": str(SOURCE), "PYTHONPATH": str(SOURCE)}
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=600, env=environment)
    return done.stdout + done.stderr


def test_there_are_enough_of_both():
    assert len(WRONG) > 30 and len(PROGRAMS.read_text("utf-8").splitlines()) - len(WRONG) > 30


#: where words stand that types or the command line offer, and the table that they are the keys of
WORDS = {
    "simulation.run:Method": "simulation.methods.table:INTEGRATORS",
    "simulation.trajectory.plots.draw:Picture": "simulation.trajectory.plots.draw:KINDS",
    "optimization.step:StepMethod": "optimization.step:STEPS",
    "optimization.problem:RolloutMethod": "optimization.rollout:BLOCKS",
    "motions.motion:KindName": "motions.profiles:KINDS",
    "motions.frame_path:ShapeName": "motions.frame_path:SHAPES",
    "robot.closed_forms:Topic": "symbolic.exercises.topics:TOPICS",
    "symbolic.equations.derive:Style": "symbolic.equations.notation:STYLES",
    "symbolic.equations.derive:Page": "symbolic.pages.export:PAGES",
    "cli.commands.simulate:METHODS": "simulation.methods.table:INTEGRATORS",
    "cli.commands.plot:KINDS": "simulation.trajectory.plots.draw:KINDS",
    "cli.commands.exercise:TOPICS": "symbolic.exercises.topics:TOPICS",
    "cli.commands.derive:STYLES": "symbolic.equations.notation:STYLES",
}


def named(place):
    """What stands at "module:NAME"."""
    module, _, name = place.partition(":")
    return getattr(importlib.import_module(f"articulated.{module}"), name)


@pytest.mark.parametrize("place", WORDS)
def test_words_that_are_offered_are_those_of_the_table(place):
    pytest.importorskip("sympy")
    pytest.importorskip("matplotlib")
    offered = named(place)
    # a plot of ticks needs the law, which no file of a run holds
    works = {*named(WORDS[place])} - ({"law"} if place == "cli.commands.plot:KINDS" else set())
    assert {*(get_args(offered) or offered)} == works


def test_words_of_the_types_are_those_that_work():
    pytest.importorskip("sympy")
    from articulated.symbolic.equations import derive
    from articulated.symbolic.pages import export

    assert {*get_args(derive.Factorizations)} == {*derive.SKEW, "nonskew"}
    assert {*get_args(derive.Form)} == {*export.PAGES, *export.LANGUAGES}


def words(kind):
    """Those of a Literal, or of several."""
    return {word for part in get_args(kind) for word in (words(part) if get_args(part) else {part} - {type(None)})}


def test_stubs_are_those_of_the_tables():
    """`make types` writes them; the build does, too."""
    for name, text in stubs.FILES.items():
        assert (SOURCE / "articulated" / name).read_text("utf-8") == text(), f"{name}: python -m docs.site.stubs"


def test_fields_in_the_types_are_those_that_are_returned(rng):
    """First and second derivatives are by every array without which a method cannot be called."""
    robot = art.load("2r")
    for group, arrays in stubs.GROUPS.items():
        for name in stubs.groups()[group]:
            given = arguments(robot, name, rng)
            assert list(robot.derivatives(name)(**given)._fields) == arrays, name
            pairs = [f"{a}_{b}" for a, b in combinations_with_replacement(arrays, 2)]
            assert list(robot.second_derivatives(name)(**given)._fields) == pairs, name


def test_mypy_strict():
    pytest.importorskip("mypy")
    said = run([sys.executable, "-m", "mypy", str(PROGRAMS)], ROOT)
    lines = [line.split(":") for line in said.splitlines() if PROGRAMS.name in line and ": error:" in line]
    found = {int(parts[1]) for parts in lines}
    assert found == WRONG, f"refused {sorted(found - WRONG)}, let pass {sorted(WRONG - found)}\n{said}"


def test_pyright(tmp_path):
    if importlib.util.find_spec("pyright") is None or not shutil.which("node"):
        pytest.skip("pyright and node are not here: pip install pyright")
    version = run([sys.executable, "-m", "pyright", "--version"], tmp_path)
    if not version.strip().split("\n")[-1].startswith("pyright 1."):
        pytest.skip(f"pyright cannot run here: {version.strip()[-200:]}")
    settings = {"typeCheckingMode": "standard", "extraPaths": [str(SOURCE)]}
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(settings))
    shutil.copy(PROGRAMS, tmp_path)
    command = [sys.executable, "-m", "pyright", "--outputjson", "--pythonpath", sys.executable, "-p", str(tmp_path)]
    said = run(command, tmp_path)
    report = json.loads(said[said.index("{") : said.rindex("}") + 1])
    errors = [one for one in report["generalDiagnostics"] if one["severity"] == "error"]
    found = {one["range"]["start"]["line"] + 1 for one in errors}
    assert found == WRONG, f"refused {sorted(found - WRONG)}, let pass {sorted(WRONG - found)}"
