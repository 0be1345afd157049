"""Every algorithm takes plain arrays of floats and lists, not only arrays of scalars: the same numbers come out."""

import importlib
import inspect
import pkgutil
from typing import Any

import numpy as np
import pytest
import sympy

import articulated as art
from articulated import algorithms
from articulated.algebra.scalars import array, sign
from tests.zoo import random_inertia, random_tree, with_mimic

#: what the arguments of an algorithm are called; functions that take anything else are steps of one
KNOWN = {"q", "q0", "q1", "v", "dv", "a", "tau", "frame", "forces", "base_velocity", "base_acceleration"}


def found():
    for module in pkgutil.walk_packages(algorithms.__path__, f"{algorithms.__name__}."):
        for name, function in vars(importlib.import_module(module.name)).items():
            if inspect.isfunction(function) and function.__module__ == module.name and name[0] != "_":
                model, *taken = inspect.signature(function).parameters.values() or [None]
                usual = {p.name for p in taken if p.default is not p.empty or p.kind is p.VAR_KEYWORD}
                if model and model.name == "model" and taken and {p.name for p in taken} - usual <= KNOWN:
                    yield function


ALGORITHMS = list(found())
ROBOTS = [with_mimic(), art.load("quadruped").floating(), random_tree(8, 6, friction=True)]


def listed(x: Any) -> Any:
    if isinstance(x, dict):
        return {name: listed(value) for name, value in x.items()}
    return x if isinstance(x, str) else x.tolist()


def scalars(x: Any) -> Any:
    if isinstance(x, dict):
        return {name: scalars(value) for name, value in x.items()}
    return x if isinstance(x, str) else array(x)


def flat(result: Any) -> list[np.ndarray]:
    """The numbers of whatever an algorithm returns."""
    if isinstance(result, art.Transform):
        return [result.matrix()]
    if isinstance(result, art.Inertia):
        return [result.matrix()]
    if isinstance(result, dict):
        return [x for value in result.values() for x in flat(value)]
    if isinstance(result, tuple):
        return [x for value in result for x in flat(value)]
    if inspect.isgenerator(result):
        return [x for _, *parts in result for x in flat(tuple(parts))]
    return [] if isinstance(result, (art.Link, str)) else [np.array(result)]


def test_all_are_found():
    assert len(ALGORITHMS) > 50
    rooms = {f.__module__.split(".")[2] for f in ALGORITHMS}
    assert {"inverse_dynamics", "study", "fast", "mass_matrix"} <= rooms


def complaints(robot, function, rng):
    taken = inspect.signature(function).parameters
    known = KNOWN if "outside" in taken else KNOWN & {*taken}
    given: dict[str, Any] = {name: rng.normal(size=robot.nv) for name in ("v", "dv", "a", "tau") if name in taken}
    given |= {name: robot.random(rng) for name in ("q", "q0", "q1") if name in taken}
    given |= {name: rng.normal(size=6) for name in ("base_velocity", "base_acceleration") if name in known}
    if "frame" in taken:
        given["frame"] = robot.frame_names[-1]
    if "forces" in known:
        given["forces"] = {robot.frame_names[-1]: rng.normal(size=6)}
    expected = flat(function(robot.model, **scalars(given)))
    for plain in (given, listed(given)):
        for one, other in zip(flat(function(robot.model, **plain)), expected, strict=True):
            # NaN where both are: an operational space that does not exist
            if one.shape != other.shape or not ((one == other) | ((one != one) & (other != other))).all():
                yield f"{function.__module__}.{function.__name__}: {one}, not {other}"


@pytest.mark.parametrize("robot", ROBOTS, ids=lambda r: r.name)
def test_plain_numbers_are_numbers(robot, rng):
    assert [said for function in ALGORITHMS for said in complaints(robot, function, rng)] == []


@pytest.mark.parametrize("kind", [float, np.float64, np.float32, int, np.int64])
def test_the_sign_of_every_number(kind):
    assert [sign(kind(x)) for x in (-2, 0, 3)] == [-1, 0, 1]


# -- matrices are arrays of floats where the numbers are ----------------------------------


def test_matrices_of_numbers_are_floats(rng):
    for thing in (art.Transform(), art.Transform(p=(1, 2, 3)), art.Inertia(2), random_inertia(rng)):
        assert thing.matrix().dtype == float
        assert np.linalg.eigvals(thing.matrix()).shape == thing.matrix().shape[:1]
        assert (thing.matrix() == np.array(thing.exact_matrix(), float)).all()


def test_matrices_of_symbols_keep_them():
    length = sympy.Symbol("length")
    pose, inertia = art.Transform(p=(length, 0, 0)), art.Inertia(length)
    assert pose.matrix()[0, 3] is length and inertia.matrix()[0, 0] == length
    assert all(type(x) is int for x in pose.matrix()[:3, :3].flat)
