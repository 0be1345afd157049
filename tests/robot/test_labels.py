"""Tables with named columns: aligned by name, or refused; never read in the wrong order."""

import numpy as np
import pytest

import articulated as art
from articulated.robot.labels import component_names
from tests.near import near

pd = pytest.importorskip("pandas")
ROBOT = art.load("ur5")
FREE = art.load("quadruped").floating()


def frame(robot, name, values, order, prefix=""):
    labels = [f"{prefix}{label}" for label in component_names(robot.model, name)]
    return pd.DataFrame(values, columns=labels)[[labels[k] for k in order]]


@pytest.mark.parametrize("robot", [ROBOT, FREE], ids=["arm", "legs"])
@pytest.mark.parametrize("prefix", ["", "q_"])
def test_columns_in_another_order_are_put_in_order(robot, prefix, rng):
    q = robot.random(rng, 5)
    shuffled = frame(robot, "q", q, rng.permutation(robot.nq), prefix)
    assert near(robot.mass_matrix(shuffled), robot.mass_matrix(q))
    assert near(robot.mass_matrix(shuffled), robot.mass_matrix(q))  # the second call, too


def test_velocities_have_their_own_names(rng):
    q, v = FREE.random(rng, 3), rng.normal(size=(3, FREE.nv))
    named = frame(FREE, "v", v, rng.permutation(FREE.nv), "v_")
    assert near(FREE.inverse_dynamics(q, named, 0 * v), FREE.inverse_dynamics(q, v, 0 * v))
    assert near(art.conventions.to_mujoco(FREE, q, named).v, art.conventions.to_mujoco(FREE, q, v).v)


def test_a_series_is_one_state(rng):
    q = ROBOT.random(rng)
    series = pd.Series(q, index=ROBOT.joint_names)[::-1]
    assert near(ROBOT.gravity_forces(series), ROBOT.gravity_forces(q))


def test_numbers_for_names_say_nothing(rng):
    q = ROBOT.random(rng, 4)
    assert near(ROBOT.gravity_forces(pd.DataFrame(q)), ROBOT.gravity_forces(q))


@pytest.mark.parametrize(("columns", "said"), [
    (["shoulder_pan", *ROBOT.joint_names[1:]], "did you mean 'shoulder_pan_joint'"),
    ([*ROBOT.joint_names[:5], ROBOT.joint_names[0]], "lacks 'wrist_3_joint'"),
    (ROBOT.joint_names[:5], "lacks 'wrist_3_joint'"),
    ([f"v_{name}" for name in ROBOT.joint_names], "column for q"),
])  # fmt: skip
def test_other_names_are_refused(columns, said):
    table = pd.DataFrame(np.zeros((2, len(columns))), columns=columns)
    with pytest.raises(art.ShapeError, match=said):
        ROBOT.gravity_forces(table)
