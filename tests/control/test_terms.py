"""Compiled terms of a law are those of the robot's own methods."""

import numpy as np
import pytest

import articulated as art

from ..near import near
from .standing import NAMES, base, contacts, law, robot, state


@pytest.mark.parametrize("name", NAMES)
def test_tasks_are_second_derivatives(name, rng):
    """tasks a + drift, by differences along the motion q(t) with velocity v + a t."""
    me = robot(name)
    q, v = state(name, rng)
    a = rng.normal(size=me.nv)
    R, com = me.pose(q, base(name))[:3, :3], me.center_of_mass(q)
    foot = contacts(name).names[0]
    own = law(
        name,
        [
            art.tasks.CenterOfMass(gain=0.0, damping=0.0),
            art.tasks.Momentum(gain=0.0, weight=1e-3),
            art.tasks.Frame(foot, gain=0.0, damping=0.0),
            art.tasks.Frame(base(name), "orientation", gain=0.0, damping=0.0, name="base"),
        ],
    )
    found = own._terms(
        q, v, own._task_arrays.targets({"center_of_mass": com, foot: np.eye(4), "base": R}), own._task_arrays.gains
    )
    rates = found.tasks @ a - found.wanted

    step = 1e-4
    there = [me.integrate(q, t * v + t * t / 2 * a) for t in (-step, step)]
    then = [v - step * a, v + step * a]
    momenta = [me.centroidal_momentum(x, w) for x, w in zip(there, then, strict=True)]
    momentum = (momenta[1] - momenta[0]) / (2 * step)
    assert near(rates[:3], momentum[:3] / me.mass, 1e-5)
    assert near(rates[3:9], momentum, 1e-5)
    assert near(rates[9:15], me.frame_acceleration(q, v, a, foot), 1e-11)
    assert near(rates[15:], me.frame_acceleration(q, v, a, base(name))[3:], 1e-11)


def test_errors_pull_towards_the_target(rng):
    me = robot("solo12")
    q, _ = state("solo12", rng)
    there = me.integrate(q, 1e-4 * rng.normal(size=18))
    own = law("solo12", [art.tasks.Frame("FL_FOOT", gain=1.0, damping=0.0), art.tasks.Posture(gain=1.0, damping=0.0)])
    still = np.zeros(18)
    found = own._terms(
        q,
        still,
        own._task_arrays.targets({"FL_FOOT": me.pose(there, "FL_FOOT"), "posture": there}),
        own._task_arrays.gains,
    )
    step = me.difference(q, there)
    assert near(found.wanted[:6], me.jacobian(q, "FL_FOOT") @ step, 1e-3, 1e-4)
    assert near(found.wanted[6:], step[6:], 1e-9)


@pytest.mark.parametrize("angle", [0.0, 1e-9, 1e-3, 1.0, 3.0, 3.14159])
def test_orientation_errors_are_right_at_any_angle(angle):
    q = robot("solo12").neutral()
    own = law("solo12", [art.tasks.Frame("base_link", "orientation", gain=1.0)])
    R = art.Transform.from_rpy([0, 0, angle], [0, 0, 0]).R.astype(float)
    found = own._terms(q, np.zeros(18), own._task_arrays.targets({"base_link": R}), own._task_arrays.gains)
    assert near(found.wanted, [0, 0, angle], 1e-9)
    quaternion = [0, 0, np.sin(angle / 2), np.cos(angle / 2)]
    assert near(own._task_arrays.targets({"base_link": quaternion}), own._task_arrays.targets({"base_link": R}), 1e-14)


@pytest.mark.parametrize("second", [art.Prismatic((1, 0, 0)), art.Revolute((0, 1, 0))], ids=["slider", "hinge"])
def test_masses_stay_where_they_are_on_a_fixed_base(second, rng):
    """Compiled dynamics move mass to the world, where no joint feels it; tasks about the mass do."""
    part = art.Inertia(1.0, (0.1, 0.2, 0.3), np.diag([0.01, 0.02, 0.015]))
    arm = art.build(
        [
            art.Link("first", None, art.Revolute((0, 0, 1)), inertia=part),
            art.Link("second", "first", second, art.Transform(p=(0.1, 0.2, 0.3)), part),
        ]
    )
    tasks = [art.tasks.CenterOfMass(gain=1.0, damping=0.0), art.tasks.Momentum(gain=1.0)]
    own = art.WholeBody(art.Contacts(arm, point=["second"]), tasks, glued=["second"])
    q, v, com = rng.normal(size=2), rng.normal(size=2), rng.normal(size=3)
    found = own._terms(q, v, own._task_arrays.targets({"center_of_mass": com}), own._task_arrays.gains)
    A = arm.centroidal_map(q)
    assert near(found.tasks, np.concatenate([A[:3] / arm.mass, A]))
    still = own._terms(q, np.zeros(2), own._task_arrays.targets({"center_of_mass": com}), own._task_arrays.gains)
    assert near(still.wanted[:3], com - arm.center_of_mass(q))
