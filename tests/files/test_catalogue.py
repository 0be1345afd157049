"""The built-in robots: complete, physically possible, drawable, and the robots they are named after."""

import re
from itertools import product
from typing import Any

import numpy as np
import pytest

import articulated as art
from articulated.algorithms.kinematics import world_poses
from articulated.errors import UnknownName
from articulated.files.catalogue import about, names, path
from articulated.files.toml.reader import read_toml
from articulated.files.urdf.reader import read_urdf
from articulated.geometry.pairs import distance, ordered, solids
from articulated.model import STANDARD_GRAVITY, build
from articulated.model.parameters import inertia_defects

from .corpus import CORPUS, needs_corpus
from .poses import poses

PROMISED = {
    "2r", "3r", "stanford", "puma560", "scara", "bar_disc", "tree3", "tree4", "tree9", "cart_pole",
    "acrobot", "double_pendulum", "triple_pendulum", "panda", "ur5", "quadruped", "biped", "humanoid",
}  # fmt: skip


def load(name):
    d = read_toml(path(name).read_bytes(), f"{name}.toml")
    return build(d.links, d.gravity or STANDARD_GRAVITY, d.name, d.report)


def test_the_promised_robots_are_there():
    assert set(names()) >= PROMISED


def test_a_wrong_name_is_helped():
    with pytest.raises(UnknownName, match="did you mean 'panda'"):
        path("pnada")


def test_every_robot_is_sound():
    for name in names():
        model = load(name)
        assert model.name == name and model.report == () and model.nv > 0, name
        assert about(name).endswith(".") and "#" not in about(name)
        for link in model.links:
            assert link.shapes, f"{link.name} cannot be drawn"
            assert inertia_defects(link.inertia) == []
        for body in model.bodies:
            assert body.inertia.mass > 0


def test_every_body_has_a_shape_to_collide_with():
    for name in names():
        bare = [k.name for k in load(name).links if k.inertia.mass and not any(s.collision for s in k.shapes)]
        assert not bare, name


#: m between the shapes of two bodies on one joint; the feet of the biped and the humanoid are four balls at their soles
APART = {"ankle_roll": 0.08}


def test_shapes_reach_from_joint_to_joint():
    """Those of two bodies on one joint meet or nearly do; all others are apart, at home and at zero."""
    for name in names():
        robot = art.load(name)
        for q in (robot.neutral(), robot.poses.get("home", robot.neutral())):
            if robot.distance_pairs:
                assert robot.distances(q).min() > 5e-3, name
            at, of = world_poses(robot.model, q.tolist()), dict[Any, list[Any]]()
            for solid in solids(robot.model):
                of.setdefault(solid.frame(robot.model).body, []).append(solid)
            for b in robot.model.bodies:
                both = product(of[b], of.get(b.parent, []))
                gap = min((distance(ordered(robot.model, *pair), robot.model, at) for pair in both), default=0.0)
                most = next((far for part, far in APART.items() if part in b.name), 0.03)
                assert gap < most, (name, b.name)


def test_every_file_says_where_its_numbers_are_from():
    for name in names():
        comment = "\n".join(line for line in path(name).read_text("utf-8").splitlines() if line.startswith("#"))
        assert "of our own" in comment or "facts from" in comment, name


@needs_corpus
@pytest.mark.parametrize(("name", "file"), [("panda", "panda"), ("ur5", "ur5_robot")])
def test_published_robots_equal_their_urdf(name, file):
    (source,) = [p for p in CORPUS if p.stem == file]
    theirs = build(read_urdf(source.read_bytes(), source.name).links)
    ours = load(name)
    q = np.random.default_rng(3).uniform(-2, 2, ours.nq)
    other = np.zeros(theirs.nq)
    for body in ours.bodies:
        twin = next(b for b in theirs.bodies if b.joint.name == body.joint.name)
        other[twin.coords] = q[body.coords]
    expected, found = poses(theirs, other), poses(ours, q)
    weights = {k.name: k.inertia for k in theirs.links}
    for link in ours.links:
        np.testing.assert_allclose(found[link.name], expected[link.name], atol=1e-10)
        for mine, published in zip(link.inertia.matrix().ravel(), weights[link.name].matrix().ravel(), strict=True):
            assert abs(mine - published) < 1e-15


def test_the_trees_are_numbered_as_their_lectures_number_them():
    assert load("tree3").topology().parent == [0, 1, 1]
    assert load("tree4").topology().parent == [0, 1, 2, 2]
    assert load("tree9").topology().parent == [0, 1, 2, 2, 2, 1, 6, 6, 6]
    assert load("tree9").joint_names == tuple(f"j{i}" for i in range(1, 10))


@pytest.mark.parametrize(("name", "joints"), [("quadruped", 12), ("biped", 12), ("humanoid", 28)])
def test_legged_robots_float(name, joints):
    model = load(name)
    free = model.floating()
    assert model.nv == joints and free.nv == joints + 6 and free.joint_names[0] == "floating_base"


def test_the_feet_of_the_quadruped():
    found = poses(load("quadruped"), np.zeros(12))
    for leg, x, y in (("FL", 1, 1), ("FR", 1, -1), ("HL", -1, 1), ("HR", -1, -1)):
        np.testing.assert_allclose(found[f"{leg}_FOOT"][:3, 3], [0.2 * x, 0.15 * y, -0.4], atol=1e-12)


@pytest.mark.parametrize("name", ["biped", "humanoid"])
def test_left_is_the_mirror_image_of_right(name):
    model = load(name)
    found = poses(model, np.zeros(model.nq))
    inertia = {k.name: k.inertia for k in model.links}
    for link in model.links:
        if not link.name.startswith("left_"):
            continue
        twin = link.name.replace("left_", "right_")
        np.testing.assert_allclose(found[link.name][:3, 3] * [1, -1, 1], found[twin][:3, 3], atol=1e-12)
        assert inertia[link.name].mass == inertia[twin].mass


def test_the_folder_of_the_robots_does_not_hide_the_list_of_them():
    import articulated.files.catalogue

    assert articulated.files.catalogue.names() == art.robots()
    with pytest.raises(ModuleNotFoundError):
        __import__("articulated.robots")


def test_the_lists_of_the_lectures_example():
    """Pisa lecture, the worked example: three bodies, the first carries the others."""
    predecessor, successor, parent, children = load("tree3").topology()
    assert (predecessor, successor, parent) == ([0, 1, 1], [1, 2, 3], [0, 1, 1])
    assert children == [[1], [2, 3], [], []]


WORDS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "nine": 9}
#: what a first line may say, and the number of the model it has to be
SAID = {
    r"of ([\d.]+) kg\b": lambda model: float(sum(k.inertia.mass for k in model.links)),
    r"\(base: ([\d.]+) kg\)": lambda model: float(model.base_inertia.mass),
    r"tree of (\w+) bodies": lambda model: len(model.bodies),
    r"with (\d+) joints": lambda model: model.nv,
    r"(\w+)-joint arm": lambda model: model.nv,
    r": (\w+) revolute joints|arm: (\w+) revolute": lambda model: sum(b.joint.turns for b in model.bodies),
    r": (\w+) rods": lambda model: len(model.bodies),
    r"(\w+) legs of": lambda model: sum(not any(k.parent == link.name for k in model.links) for link in model.links),
}


def test_numbers_in_the_first_line_are_those_of_the_model():
    for name in names():
        model, text = load(name), about(name)
        for pattern, number in SAID.items():
            if found := re.search(pattern, text):
                said = next(filter(None, found.groups()))
                found_there = number(model) - (name == "scara")  # its turning tool is named apart
                assert found_there == pytest.approx(WORDS.get(said) or float(said)), (name, pattern)
        assert " kg" not in text or "(base: " in text


def test_the_mass_is_that_of_what_moves():
    robot = art.load("quadruped")
    assert robot.mass == pytest.approx(6) and robot.floating().mass == pytest.approx(12)
