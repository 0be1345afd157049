"""Every kernel against the recursion it was made from, run as it is written on Python floats."""

import numpy as np
import pytest

import articulated as art
from articulated.algebra.scalars import array
from articulated.algorithms import forward_dynamics, inverse_dynamics, mass_matrix
from tests.near import near
from tests.oracles.peers import ROBOTS
from tests.oracles.test_peers import WE_REFUSE
from tests.zoo import ZOO, state

#: methods by what they take; a frame is added where one is needed
METHODS = {
    "q": "pose jacobian mass_matrix mass_matrix_inverse gravity_forces christoffel center_of_mass centroidal_map "
    "potential_energy composite_inertias screws body_jacobians",
    "q v": "jacobian_rate frame_velocity bias_forces coriolis_forces coriolis_matrix mass_matrix_rate kinetic_energy "
    "centroidal_momentum contributions integrate",
    "q v a": "frame_acceleration inverse_dynamics body_wrenches regressor body_motions forward_dynamics "
    "articulated_bodies",
}
CASES = [(takes, name) for takes, names in METHODS.items() for name in names.split()]
WITH_FRAME = {"pose", "jacobian", "jacobian_rate", "frame_velocity", "frame_acceleration"}


@pytest.fixture
def cache_directory():
    """The cache of the whole run will do: these kernels are shared with the laws."""


def evaluate(robot, name, arrays):
    frame = (robot.frame_names[-1],) if name in WITH_FRAME else ()
    found = getattr(robot, name)(*arrays, *frame)
    return found if isinstance(found, tuple) else (found,)


@pytest.mark.parametrize("robot", [r for r in ZOO if r.nv <= 9], ids=lambda r: r.name)  # the laws run on all kernels
def test_machine_code_agrees_with_the_numpy_programs(robot, rng, monkeypatch):
    values = dict(zip("qva", state(robot, rng, 5), strict=True))
    compiled, reference = art.Robot(robot.model), art.Robot(robot.model)
    condition = np.linalg.cond(robot.mass_matrix(values["q"])).max()
    for takes, name in CASES:
        arrays = [values[key] for key in takes.split()]
        found = evaluate(compiled, name, arrays)
        monkeypatch.setenv("ARTICULATED_JIT", "off")
        expected = evaluate(reference, name, arrays)
        monkeypatch.delenv("ARTICULATED_JIT")
        for part, wanted in zip(found, expected, strict=True):
            assert near(part, wanted, 1e-14 * max(100, condition)), name


@pytest.mark.parametrize("name", sorted(set(ROBOTS) - set(WE_REFUSE)))
def test_kernels_of_real_robots_agree_with_the_recursion(name, rng):
    robot = art.load(ROBOTS[name], floating_base=True)
    q, v, a = state(robot, rng, 5)
    exact = [array(x[3]) for x in (q, v, a)]
    tau = robot.inverse_dynamics(q, v, a)
    M = robot.mass_matrix(q)
    assert near(tau[3], inverse_dynamics.inverse_dynamics(robot.model, *exact))
    assert near(M[3], mass_matrix.mass_matrix(robot.model, exact[0]))
    if robot.nv <= 30 and not robot.kernels.massless_joints:  # larger ones compile for long; talos is in the benchmarks
        expected = forward_dynamics.forward_dynamics(robot.model, *exact)
        limit = 1e-14 * max(100, np.linalg.cond(M[3]))
        assert near(robot.forward_dynamics(q, v, a)[3], expected, limit)
