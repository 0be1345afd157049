"""Joints state facts, the facts are true, and nobody outside joints/ asks for a class."""

import ast
from pathlib import Path

import numpy as np
import pytest

import articulated as art
from articulated.algebra.scalars import array
from articulated.joints import JOINTS
from articulated.joints.data import units
from tests.zoo import MOVING, random_joint

ROOT = Path(art.__file__).parent
OUTSIDE = [path for path in sorted(ROOT.rglob("*.py")) if path.relative_to(ROOT).parts[0] != "joints"]
CLASSES = {cls.__name__ for cls in JOINTS.values()} | {"Joint", "AxisJoint"}


def is_joint(node: ast.AST) -> bool:
    """Whether an expression is called a joint: `joint`, `b.joint`, `link.joint`."""
    return (node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")).endswith("joint")


def asks_for_a_class(node: ast.AST) -> bool:
    """isinstance or issubclass with a joint or a class of joints, the type of a joint, or its kind against a word."""
    if isinstance(node, ast.Attribute):
        return node.attr == "__class__" and is_joint(node.value)
    if isinstance(node, ast.Compare):
        sides = [node.left, *node.comparators]
        words = any(isinstance(part, ast.Constant) for side in sides for part in ast.walk(side))
        return words and any(isinstance(x, ast.Attribute) and x.attr == "kind" and is_joint(x.value) for x in sides)
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name)):
        return False
    if node.func.id in ("isinstance", "issubclass"):
        named = {getattr(part, "id", getattr(part, "attr", "")) for part in ast.walk(node.args[1])}
        return is_joint(node.args[0]) or bool(named & CLASSES)
    return node.func.id == "type" and is_joint(node.args[0])


def test_nobody_asks_a_joint_for_its_class():
    trees = {path: ast.parse(path.read_text(encoding="utf-8")) for path in OUTSIDE}
    asked = [f"{path.relative_to(ROOT)}:{node.lineno}" for path, tree in trees.items() for node in ast.walk(tree)
             if asks_for_a_class(node)]  # fmt: skip
    assert not asked, "let the joint state a fact"


@pytest.mark.parametrize(
    "text, asks",
    [
        ("isinstance(b.joint, Revolute)", True),
        ("isinstance(x, (int, art.Floating))", True),
        ("type(link.joint).__name__", True),
        ("type(joint)", True),
        ("link.joint.__class__", True),
        ("b.joint.kind == 'planar'", True),
        ("joint.kind in ('planar', 'floating')", True),
        ("joint.kind in JOINTS", False),
        ("goal.kind == 'pose'", False),
        ("isinstance(self.joints, str)", False),
        ("isinstance(shape, Box)", False),
        ("type(x)", False),
    ],
)
def test_questions_are_noticed(text, asks):
    assert any(asks_for_a_class(node) for node in ast.walk(ast.parse(text))) == asks


@pytest.fixture(params=[kind for kind in MOVING if kind != "universal"])
def joint(request, rng):
    return random_joint(rng, request.param, name="j")


def test_kinds_are_the_words_of_the_table():
    assert all(cls.kind == word == cls().kind for word, cls in JOINTS.items())


def test_every_joint_of_the_table_is_a_public_name():
    assert [cls.__name__ for cls in JOINTS.values() if getattr(art, cls.__name__, None) is not cls] == []
    assert {cls.__name__ for cls in JOINTS.values()} <= set(art.__all__)


def test_a_word_for_every_number(joint):
    assert len(joint.coordinates) in (0, joint.nq) and len(joint.velocities) in (0, joint.nv)
    assert len({*joint.coordinates}) == len(joint.coordinates) and len({*joint.velocities}) == len(joint.velocities)


def test_units_are_those_of_what_moves(joint, rng):
    """A number in radians turns the body and one in meters does not; a quaternion has no unit."""
    q = array(joint.sample(rng, ()))
    for k, unit in enumerate(units(joint, "q")):
        in_quaternion = joint.quaternion is not None and k in range(joint.nq)[joint.quaternion]
        assert (unit == "") == in_quaternion
        if unit:
            moved = q + 0.1 * np.eye(joint.nq)[k]
            turned = abs(np.array(joint.transform(moved).R - joint.transform(q).R, float)).max() > 1e-3
            assert unit == ("rad" if turned else "m")
    for k, (rate, force) in enumerate(zip(units(joint, "v"), units(joint, "tau"), strict=True)):
        turning = np.array(joint.S, float)[3:, k].any()
        assert (rate, force) == (("rad/s", "N m") if turning else ("m/s", "N"))


def test_who_moves_in_a_plane_leaves_its_axis_in_place(joint, rng):
    S, X = np.array(joint.S, float), joint.transform(array(joint.sample(rng, ())))
    in_plane = joint.nv == 3 and np.linalg.matrix_rank(S[:3]) == 2 and np.linalg.matrix_rank(S[3:]) == 1
    assert joint.in_plane == in_plane
    if in_plane:
        axis = np.array(joint.axis, float)
        assert abs(axis @ S[:3]).max() < 1e-12 and abs(np.cross(axis, S[3:].T)).max() < 1e-12
        assert np.allclose(np.array(X.R, float) @ axis, axis) and abs(axis @ np.array(X.p, float)) < 1e-12


def test_who_turns_turns_about_its_axis(joint, rng):
    S, q = np.array(joint.S, float), array(joint.sample(rng, ()))
    X = joint.transform(q)
    turns = joint.nv == 1 and not S[:3].any() and not np.array(X.p, float).any()
    assert joint.turns == turns == (joint.kind in ("revolute", "continuous"))
    if turns:
        axis = np.array(joint.axis, float)
        assert (S[3:, 0] == axis).all() and np.allclose(np.array(X.R, float) @ axis, axis)
        assert np.isclose(np.trace(np.array(X.R, float)), 1 + 2 * np.cos(float(q[0])))


def test_who_slides_slides_along_its_axis(joint, rng):
    S, q = np.array(joint.S, float), array(joint.sample(rng, ()))
    X = joint.transform(q)
    slides = joint.nv == 1 and not S[3:].any()
    assert joint.slides == slides == (joint.kind == "prismatic")
    if slides:
        assert (S[:3, 0] == np.array(joint.axis, float)).all()
        assert np.allclose(np.array(X.p, float), float(q[0]) * S[:3, 0]) and (np.array(X.R, float) == np.eye(3)).all()


def test_who_floats_is_held_in_no_direction(joint):
    assert joint.floats == (joint.nv == 6)
    if joint.floats:
        assert (np.array(joint.S, float) == np.eye(6)).all()


def test_quaternions_are_where_they_are_said_to_be(joint, rng):
    q = joint.sample(rng, (5,))
    unit = np.isclose(np.linalg.norm(q[:, joint.quaternion], axis=1), 1).all() if joint.quaternion else False
    assert unit == (joint.nq > joint.nv)
    if joint.quaternion:
        assert joint.neutral()[joint.quaternion].tolist() == [0, 0, 0, 1]


def test_velocities_are_rates_where_they_are_said_to_be(joint, rng):
    q, v = array(joint.sample(rng, ())), array(rng.normal(size=joint.nv))
    rate = np.array(joint.rate(q, v), float)
    assert joint.rates == (len(rate) == len(v) and np.array_equal(rate, np.array(v, float)))


def test_a_joint_that_moves_in_another_way_inherits_no_facts():
    class Cam(art.Revolute):
        def transform(self, q):
            return art.Transform(p=(q[0] * q[0], 0, 0))

    class Knee(art.Revolute):
        """Nothing but another name."""

    class Pivot(Cam):
        turns = True

    assert (Cam.kind, Cam.turns) == ("cam", False)
    assert (Knee.kind, Knee.turns) == ("knee", True)
    assert (Pivot.kind, Pivot.turns) == ("pivot", True)
