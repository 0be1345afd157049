"""Derivatives of methods, on every robot, against complex steps through the textbook.

They run as algorithms do, on Python floats, each formulation by itself; tests/robot/test_derivatives.py
has them compiled.
"""

import numpy as np
import pytest

import articulated as art
from articulated.algebra.scalars import array
from articulated.robot.derivatives.algorithms import Jacobian
from articulated.robot.methods import requests
from tests import complex_step
from tests.methods import arguments
from tests.near import near
from tests.zoo import STRUCTURES, turns

robots = pytest.mark.parametrize("robot", STRUCTURES, ids=lambda robot: robot.name)
DYNAMICS = ("inverse_dynamics", "forward_dynamics", "bias_forces", "gravity_forces", "mass_matrix")
MOTION = ("pose", "frame_velocity", "frame_acceleration", "center_of_mass", "centroidal_momentum",
          "kinetic_energy", "potential_energy")  # fmt: skip


def check(robot: art.Robot, method: str, rng: np.random.Generator, **options) -> None:
    given = {**arguments(robot, method, rng), **options}
    named = (method, given.pop("frame")) if "frame" in given else method
    (plain,), _ = requests(robot, [named])
    asked = robot.derivatives(method).kernels.derived(plain)
    floats = {name: array(x) for name, x in given.items()}
    traced = Jacobian(plain, asked.algorithm.wrt)  # what is differentiated where there is no closed form
    found = [asked.evaluate(robot.model, floats), traced(robot.model, **floats)]
    found += [asked.evaluate(robot.kernels.regrouped, floats, way) for way in asked.formulations]
    found += [traced.by(way)(robot.kernels.regrouped, **floats) for way in plain.formulations]
    for name in given:
        (expected,) = complex_step.derivatives(robot.model, plain, given, name)
        for way in found:
            # a mass matrix has a condition of some thousand, and the complex steps round as well
            near(getattr(way, name), expected, 1e-10 if method == "forward_dynamics" else 1e-12)


@robots
@pytest.mark.parametrize("method", DYNAMICS)
def test_derivatives_of_dynamics(robot, method, rng):
    if method == "forward_dynamics" and robot.kernels.massless_joints:
        pytest.skip("a joint moves no mass")
    check(robot, method, rng)


@robots
def test_laws_of_derivatives(robot, rng):
    """∂tau/∂a is the mass matrix; gravity has a potential; half of ∂(c)/∂v is a Coriolis matrix."""
    given = arguments(robot, "inverse_dynamics", rng)
    q, v = given["q"], given["v"]
    scale = 1 + abs(robot.mass_matrix(q)).max()
    near(written(robot, "inverse_dynamics", **given).a, robot.mass_matrix(q))
    if not turns(robot):
        by_q = written(robot, "gravity_forces", q=q).q
        assert abs(by_q - by_q.T).max() < 1e-12 * scale * (1 + abs(by_q).max())
    frictionless = robot.frictionless()
    still = frictionless.gravity_forces(q) + frictionless.spring_forces(q, 0 * v)
    by_v = written(frictionless, "bias_forces", q=q, v=v).v
    near(by_v @ v / 2 + still, frictionless.bias_forces(q, v), 1e-11)


def written(robot, method, **given):
    """The derivatives as they are written, on floats."""
    (plain,), _ = requests(robot, [method])
    asked = robot.derivatives(method).kernels.derived(plain)
    found = asked.evaluate(robot.model, {name: array(x) for name, x in given.items()})
    return type(found)(*(np.array(part, float) for part in found))


@robots
def test_derivatives_of_motion_and_energy(robot, rng):
    for method in MOTION:
        if method not in ("center_of_mass", "centroidal_momentum") or robot.mass:
            check(robot, method, rng)
