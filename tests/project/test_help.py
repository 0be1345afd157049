"""Help that helps: every public function and method says what it takes, gives and includes; its example runs."""

import contextlib
import dataclasses
import doctest
import inspect
import re

import numpy as np
import pytest

import articulated as art
from articulated.joints import JOINTS
from articulated.robot.quantities import QUANTITIES
from articulated.robot.quantities.row import CONTENTS
from articulated.robot.study import Study
from tests.conftest import absent
from tests.methods import FOR_RECURSIONS, arguments, public, results
from tests.zoo import random_inertia

FUNCTIONS = {name: getattr(art, name) for name in art.__all__ if inspect.isfunction(getattr(art, name))}
#: not the errors: their texts say what is to be known
CLASSES = {name: kind for name in art.__all__
           if inspect.isclass(kind := getattr(art, name)) and not issubclass(kind, BaseException)}  # fmt: skip
CONVERTERS = {f"conventions.{way}_{to}": getattr(art.conventions, f"{way}_{to}")
              for way in ("to", "from") for to in ("pinocchio", "mujoco", "drake")}  # fmt: skip
SPATIAL = {f"spatial.{name}": getattr(art.spatial, name) for name in art.spatial.__all__}


def made(kind):
    """Its class methods: other ways to make one."""
    return [name for name, _ in inspect.getmembers(kind, inspect.ismethod) if not name.startswith("_")]


def methods(*kinds):
    """Methods of classes, by name; calling a law is its method as well."""
    return {
        f"{kind.__name__}.{name}": getattr(kind, name)
        for kind in kinds
        for name in [
            *public(kind),
            *made(kind),
            *(["__call__"] if any("__call__" in vars(base) for base in kind.__mro__) else []),
        ]
        if name not in FOR_RECURSIONS
    }


GROUPS = {
    "functions": FUNCTIONS, "classes": {**CLASSES, **CONVERTERS, **SPATIAL}, "a robot's methods": methods(art.Robot),
    "other methods": methods(Study, *(kind for kind in CLASSES.values() if kind is not art.Robot)),
}  # fmt: skip
with contextlib.suppress(ImportError):
    from articulated.symbolic import Equations

    GROUPS["equations"] = {**methods(Equations), "Equations": Equations}
EVERY = {name: thing for group in GROUPS.values() for name, thing in group.items()}


def complaints(name):
    """Complaints about the help of something public."""
    function, text = EVERY[name], inspect.getdoc(EVERY[name])
    first, lines = text.partition("\n\n")[0], text.splitlines()
    if not re.search(r"[.:;]", first) or len(first) > 330:
        yield "it begins without a sentence"
    # the object itself; the latter two are a joint's, whose names the next test has
    apart = ("self", "equations", "system", "options", "data", "unknown")
    for p in inspect.signature(function).parameters.values():
        if p.name not in apart and not re.search(rf"(?m)^\s+{p.name}: |^{p.name} : ", text):
            yield f"it says nothing of {p.name}"
    if not inspect.isclass(function) and not re.search(r"\nReturns(: |\n-------\n)", text):
        yield "it does not say what it returns"
    if "\n>>> " not in text:
        yield "it has no example"
    if len(lines) > {"WholeBody": 60}.get(name, 46) or max(map(len, lines)) > 120:
        yield f"it does not fit on a screen: {len(lines)} lines of up to {max(map(len, lines))} characters"
    signature = str(inspect.signature(function))
    if "_typing" in signature or "collections.abc" in signature:  # `ArrayLike`, not the ten lines it stands for
        yield f"its signature is not as it was written: {signature}"


def test_help_has_its_parts():
    assert [f"{name}: {problem}" for name in EVERY for problem in complaints(name)] == []


def test_the_help_of_a_joint_names_what_every_joint_takes():
    fields = [field.name for field in dataclasses.fields(art.Fixed)]
    docs = {name: inspect.getdoc(kind) for name, kind in JOINTS.items()}
    said = r"(?m)^\s+{0}: |^{0} : "
    assert [
        (kind, name) for kind, doc in docs.items() for name in fields if not re.search(said.format(name), doc)
    ] == []


@pytest.mark.parametrize("group", GROUPS)
def test_the_examples_run(group):
    parser, complaints = doctest.DocTestParser(), []
    for name, thing in GROUPS[group].items():
        # what `help` shows: a method that says nothing itself has the text of its base class
        found = parser.get_doctest(inspect.getdoc(thing), {"art": art, "np": np}, name, None, None)
        said: list[str] = []
        doctest.DocTestRunner(verbose=False).run(found, out=said.append)
        complaints += [] if absent("".join(said)) else said
    assert not complaints, "".join(complaints)


def test_every_row_names_its_source():
    """But those that only look something up."""
    simple = {"configuration_rate", "distance_to_limits", "frame_velocity", "frame_acceleration", "friction_forces",
              "center_of_mass"}  # fmt: skip
    assert [name for name, row in QUANTITIES.items() if not row.source and name not in simple] == []


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


@pytest.mark.parametrize("name", [name for name, row in QUANTITIES.items() if row.included is not None])
def test_what_is_included(name, rng):
    """Against the same robot without gravity, friction and rotors, at one state."""
    included = QUANTITIES[name].included
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
    assert inspect.getdoc(robot.mass_matrix) == inspect.getdoc(art.Robot.mass_matrix)
