"""Symbols that clash, lengths that are missing, tables without mass: errors that name the row."""

import numpy as np
import pytest
import sympy

import articulated as art

BODY = art.Inertia(1.0, (0.1, 0, 0), np.diag([0.1, 0.1, 0.1]).tolist())


@pytest.mark.parametrize("name", ["q_1", "qd_2", "qdd_1"])
def test_a_parameter_called_like_a_joint_variable(name):
    robot = art.from_dh([art.DH(a=0.5), art.DH(a=sympy.Symbol(name))], links=[BODY, BODY])
    with pytest.raises(art.ModelError, match=rf"row 2 \(link 'link2'\).*{name}"):
        art.derive(robot)
    with pytest.raises(art.ModelError, match="row 2"):
        art.moving_frames(robot)


@pytest.mark.parametrize("length", [float("nan"), sympy.nan, sympy.zoo])
def test_a_length_without_a_value(length):
    """Refused by the reader where it can be told, else by derive; either names the row."""
    with pytest.raises(art.ModelError, match=r"row 2"):
        art.derive(art.from_dh([art.DH(a=0.5), art.DH(a=length)], links=[BODY, BODY]))


def test_a_table_without_mass():
    with pytest.raises(art.ModelError, match="row 1"):
        art.derive(art.from_dh([art.DH(a=0.5), art.DH(a=0.3)]))
    with pytest.raises(art.ModelError, match=r"row 2 .*singular"):
        art.derive(art.from_dh([art.DH(a=0.5), art.DH(a=0.3)], links=[BODY, None]))


def test_two_joints_that_move_the_same_mass_alike():
    with pytest.raises(art.ModelError, match="row 2"):
        art.derive(art.from_dh([art.DH(), art.DH()], links=[None, BODY]))


def test_nothing_that_moves():
    with pytest.raises(art.ModelError, match="no moving joint"):
        art.derive(art.build([art.Link("rock", inertia=BODY)]))


def test_what_is_no_robot():
    with pytest.raises(TypeError, match="int"):
        art.derive(3)
    with pytest.raises(art.ArticulatedError, match="2r"):
        art.derive("2rr")


@pytest.mark.parametrize("value", [b"q", {}, None, "l_2", [1.0], sympy.nan, sympy.oo, float("nan"), True], ids=str)
@pytest.mark.parametrize("name", ["l_1", "q_1"])
def test_a_value_that_is_no_number_and_no_expression(name, value):
    with pytest.raises(art.ShapeError, match=f"subs: {name} is a finite number or a SymPy expression"):
        art.derive("2r").subs({name: value})


@pytest.mark.parametrize("length", [-sympy.oo, sympy.I, sympy.Symbol("l") * sympy.oo], ids=str)
def test_a_length_that_is_infinite_or_not_real(length):
    with pytest.raises(art.ModelError, match=r"row 2"):
        art.derive(art.from_dh([art.DH(a=0.5), art.DH(a=length)], links=[BODY, BODY]))
    with pytest.raises(art.ModelError, match=r"row 2"):
        art.moving_frames(art.from_dh([art.DH(a=0.5), art.DH(a=length)], links=[BODY, BODY]))


def test_a_gravity_called_like_a_joint_variable():
    link = art.Link("bob", None, art.Revolute((0, 1, 0)), inertia=BODY)
    with pytest.raises(art.ModelError, match="the gravity uses the symbol 'q_1'"):
        art.derive(art.build([link], gravity=(0, 0, -sympy.Symbol("q_1"))))


def test_what_is_no_robot_for_moving_frames():
    with pytest.raises(TypeError, match="int"):
        art.moving_frames(3)


def test_a_step_that_is_not_there_and_a_misspelt_quantity():
    steps = art.moving_frames("2r")
    assert steps["link2"] is steps[1] is steps[-1]
    with pytest.raises(IndexError, match="2r has 2 links, from 0 on; got 2"):
        steps[2]
    with pytest.raises(art.ArticulatedError, match="no link 'link3' in 2r; did you mean"):
        steps["link3"]
    eq = art.derive("2r")
    with pytest.raises(AttributeError, match="did you mean 'christoffel'"):
        _ = eq.cristoffel
    with pytest.raises(AttributeError, match="here it is g"):
        _ = eq.gravity


def test_a_power_may_be_a_decimal_number():
    task = art.exercise("2r", topic="gravity", seed=1)
    assert task.check(f"(({task.solution})**2)**0.5").right == task.check(f"sqrt(({task.solution})**2)").right
    with pytest.raises(art.ModelError, match="up to 20, not 41/2"):
        task.check("m2**20.5")
