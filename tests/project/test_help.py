"""Help that helps: every public function and method says what it takes, gives and includes; its example runs."""

import doctest
import inspect
import re

import numpy as np
import pytest

import articulated as art
from articulated.documentation import CONTENTS
from articulated.robot import help as robot_help
from articulated.robot.study import Study
from tests.methods import ROBOT, arguments, public, results
from tests.zoo import random_inertia

#: help that is still to be written
UNFINISHED = {"simulate", "traced", "view"}
NAMES = [name for name in art.__all__ if name not in UNFINISHED]
FUNCTIONS = {name: getattr(art, name) for name in NAMES if inspect.isfunction(getattr(art, name))}
CONVERTERS = {f"conventions.{way}_{to}": getattr(art.conventions, f"{way}_{to}")
              for way in ("to", "from") for to in ("pinocchio", "mujoco", "drake")}  # fmt: skip
SPATIAL = {f"spatial.{name}": getattr(art.spatial, name) for name in art.spatial.__all__}
METHODS = {
    f"{kind.__name__}.{name}": getattr(kind, name) for kind in (art.Robot, Study, art.Contacts) for name in public(kind)
}
EVERY = {**FUNCTIONS, **CONVERTERS, **SPATIAL, **METHODS}
every = pytest.mark.parametrize("name", EVERY)


@every
def test_help_has_its_parts(name):
    function = EVERY[name]
    text = inspect.getdoc(function)
    first = text.partition("\n\n")[0]
    assert re.search(r"[.:;]", first) and len(first) < 330, "begins with a sentence"
    taken = [p for p in inspect.signature(function).parameters.values() if p.name not in ("self", "options")]
    missing = [p.name for p in taken if not re.search(rf"(?m)^\s+{p.name}: ", text)]
    assert not missing, f"says nothing of {missing}"
    assert "\nReturns: " in text and "\n>>> import articulated as art\n" in text


@every
def test_help_fits_on_a_screen(name):
    lines = inspect.getdoc(EVERY[name]).splitlines()
    assert len(lines) <= 40 and max(map(len, lines)) <= 120


@every
def test_the_example_runs(name):
    if name in ("derive", "exercise", "moving_frames"):
        pytest.importorskip("sympy")
    found = doctest.DocTestFinder(recurse=False).find(EVERY[name], name, globs={})
    runner = doctest.DocTestRunner(verbose=False)
    said: list[str] = []
    results_ = [runner.run(test, out=said.append) for test in found]
    assert sum(result.attempted for result in results_) >= 2 and not any(r.failed for r in results_), "".join(said)


def test_every_method_that_computes_names_its_source():
    """But those that only look something up."""
    simple = {"configuration_rate", "distance_to_limits", "frame_velocity", "frame_acceleration", "friction_forces",
              "center_of_mass", "named"}  # fmt: skip
    for name in ROBOT.keys() - simple:
        assert robot_help.METHODS[name].source, name


# -- what is said to be included is, and nothing else ------------------------------------------

LINKS = [art.Link(f"l{i}", f"l{i - 1}" if i else None, art.Revolute((0.6, 0, 0.8) if i % 2 else (0, 1, 0)),
                  art.Transform(p=(0.3, 0.1, 0.2)), random_inertia(np.random.default_rng(i)))
         for i in range(7)]  # fmt: skip


def arm(gravity=(0, 0, -9.81), **joint):
    return art.build([k.replace(joint=k.joint.replace(**joint)) for k in LINKS], gravity)


PLAIN = arm(gravity=(0, 0, 0))
WITH = {"g": arm(), "f": arm(gravity=(0, 0, 0), friction=0.3, damping=0.2), "a": arm(gravity=(0, 0, 0), armature=0.4)}


def same(found, expected):
    return all(abs(x - y).max() <= 1e-12 * max(1.0, abs(y).max()) for x, y in zip(found, expected, strict=True))


@pytest.mark.parametrize("name", [name for name, parts in robot_help.METHODS.items() if parts.included is not None])
def test_what_is_included(name, rng):
    """Against the same robot without gravity, friction and rotors, at one state."""
    included = robot_help.METHODS[name].included
    given = arguments(PLAIN, name, rng)
    usual = results(getattr(PLAIN, name)(**given))
    for letter, robot in WITH.items():
        found = results(getattr(robot, name)(**given))
        assert same(found, usual) == (letter not in included), CONTENTS[letter]
    if "forces" in inspect.signature(getattr(art.Robot, name)).parameters:
        force = {"l5": rng.normal(size=6)}
        found = results(getattr(PLAIN, name)(**given, forces=force))
        assert "e" in included and not same(found, usual)
    if "v" in given and "g" in included:
        still = results(getattr(PLAIN, name)(**{**given, "v": 0 * given["v"]}))
        assert ("c" in included) != same(still, usual)


def test_help_of_the_fast_function_is_the_same():
    robot = art.load("2r")
    robot.mass_matrix([0.1, 0.2])
    assert "Returns: (…, nv, nv)" in inspect.getdoc(robot.mass_matrix)
