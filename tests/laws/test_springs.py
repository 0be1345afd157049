"""Springs have an energy whose slope is their force; linear actuators push along ∂l/∂q."""

import numpy as np
import pytest

import articulated as art
from articulated.algebra.scalars import array
from articulated.algorithms.springs import actuator_map, length_rate
from tests.near import near
from tests.zoo import MOVING, random_joint, single, state, with_springs

RAMS = [art.LinearActuator("link1", "link3", "ram"), art.LinearActuator((0, 0, 1), "link4")]
SPRUNG = with_springs().add_actuators(RAMS)


def sprung(kind: str) -> art.Robot:
    """One joint of a kind with a spring, at rest anywhere."""
    rng, body = np.random.default_rng(4), single(kind)
    links = [k.replace(joint=k.joint.replace(stiffness=7.0, damping=0.2)) for k in body.links]
    if body.nq == sum(k.joint.nq for k in links) and kind != "universal":
        links = [k.replace(joint=k.joint.replace(rest=tuple(k.joint.sample(rng, ())))) for k in links]
    return art.build(links, name=kind)


@pytest.mark.parametrize("robot", [*map(sprung, MOVING), SPRUNG], ids=lambda robot: robot.name)
def test_force_is_the_slope_of_the_energy(robot, rng):
    q, v, a = state(robot, rng)
    still = np.zeros(robot.nv)
    slope = robot.vjp("potential_energy")(q, cotangents=1.0).q
    near(slope, robot.gravity_forces(q) + robot.spring_forces(q, still), 1e-12)
    parts = robot.coriolis_forces(q, v) + robot.gravity_forces(q) + robot.friction_forces(v)
    near(robot.inverse_dynamics(q, v, a), robot.mass_matrix(q) @ a + parts + robot.spring_forces(q, v), 1e-12)
    near(robot.potential_energy(q), robot.potential_energy(q, by_body=True).sum(), 1e-12)
    if robot.nv > 1 and not robot.model.springs:  # joints that turn in space: no closed form of their derivatives
        h = 1e-5 * np.eye(robot.nv)
        ends = [robot.inverse_dynamics(robot.integrate(q, x), v, a).T for x in (h, -h)]
        near(robot.derivatives("inverse_dynamics")(q, v, a).q, (ends[0] - ends[1]) / 2e-5, 1e-7)
    at_rest = {b.joint.name: array(b.rest).astype(float) for b in robot.model.bodies if b.leader is b}
    if not robot.model.springs:
        assert abs(robot.spring_forces(robot.configuration(at_rest), still)).max() < 1e-12


def test_gravity_is_that_of_the_robot_without_springs(rng):
    links = [k.replace(joint=k.joint.replace(stiffness=0) if k.joint.nv else k.joint) for k in SPRUNG.links]
    bare, (q, v, _) = art.build(links), state(SPRUNG, rng)
    near(SPRUNG.gravity_forces(q), bare.gravity_forces(q), 1e-13)
    near(SPRUNG.coriolis_forces(q, v), bare.coriolis_forces(q, v), 1e-13)
    near(SPRUNG.mass_matrix(q), bare.mass_matrix(q), 1e-13)


def test_actuators_push_along_the_rate_of_their_length(rng):
    q, v, _ = state(SPRUNG, rng, 3)
    B = SPRUNG.actuation_map(SPRUNG.joint_names, q)
    rate = SPRUNG.jvp("actuator_lengths")(q, tangents={"q": v})
    near(np.einsum("nvk,nv->nk", B, v), rate, 1e-12)
    near(B[1], np.array(actuator_map(SPRUNG.model, array(q[1])), float), 1e-12)
    assert SPRUNG.actuation_map(q=q[0]).shape == (SPRUNG.nv, SPRUNG.nv + 2)
    assert SPRUNG.names("actuator_lengths") == (["ram", "(0, 0, 1)~link4"],)
    # a spring without damper is an actuator whose thrust is its tension
    spring = SPRUNG.model.springs[0]
    alone = art.build(SPRUNG.links).frictionless()
    with_one = alone.add_springs([spring._replace(damping=0)])
    pair = alone.add_actuators([art.LinearActuator(spring.a, spring.b)])
    tension = spring.stiffness * (pair.actuator_lengths(q[0])[0] - spring.length)
    felt = with_one.spring_forces(q[0], v[0]) - alone.spring_forces(q[0], v[0])
    near(felt, tension * np.array(length_rate(pair.model, array(q[0]), spring), float), 1e-12)
    push = pair.actuation_map(q=q[0])[:, -1] * -tension
    near(with_one.forward_dynamics(q[0], v[0], 0 * v[0]), pair.forward_dynamics(q[0], v[0], push), 1e-10)


def test_a_motor_behind_a_spring_is_spongs_model(rng):
    """M(q) q'' + h + K (q - θ) = 0, J θ'' + K (θ - q) = u."""
    arm, K, J = art.load("2r"), np.array([300.0, 500.0]), np.array([0.02, 0.01])
    names = arm.joint_names
    elastic = arm.series_elastic(dict(zip(names, K, strict=True)), dict(zip(names, J, strict=True)))
    motor, link, motor_rate, link_rate, u = rng.normal(size=(5, 2))

    def serial(motor, link):
        return np.ravel(np.column_stack([motor, link - motor]))

    link_acceleration = arm.forward_dynamics(link, link_rate, K * (motor - link))
    motor_acceleration = (u - K * (motor - link)) / J
    q, v = serial(motor, link), serial(motor_rate, link_rate)
    found = elastic.forward_dynamics(q, v, np.ravel(np.column_stack([u, 0 * u])))
    near(found, serial(motor_acceleration, link_acceleration), 1e-12)


def test_springs_of_a_long_chain_are_those_of_the_textbook(rng):
    """Robots of more than 200 bodies are rows of numbers; springs are among them."""
    from articulated.algorithms.inverse_dynamics import inverse_dynamics

    joints = [random_joint(rng, k, stiffness=3.0, rest=0.1) for k in ("revolute", "prismatic")]
    inertia = art.Inertia(0.1, (0.01, 0, 0), np.eye(3) * 1e-3)
    names = [None, *(f"l{i}" for i in range(209))]
    chain = [art.Link(f"l{i}", names[i], joints[i % 2], art.Transform(p=(0.01, 0, 0.02)), inertia) for i in range(210)]
    robot = art.build(chain)
    q, v, a = 0.1 * rng.normal(size=(3, robot.nv))
    tau = robot.inverse_dynamics(q, v, a)
    near(tau, np.array(inverse_dynamics(robot.model, *map(array, (q, v, a))), float), 1e-11)
    near(robot.inverse_dynamics(q, v, robot.forward_dynamics(q, v, tau)), tau, 1e-9)
    near(robot.vjp("potential_energy")(q, cotangents=1.0).q, robot.bias_forces(q, 0 * v), 1e-9)
    diagonal = np.diagonal(robot.derivatives("inverse_dynamics")(q, 0 * v, 0 * a).q)
    stiff = np.diagonal(art.build(k.replace(joint=k.joint.replace(stiffness=0)) for k in chain)
                        .derivatives("inverse_dynamics")(q, 0 * v, 0 * a).q)  # fmt: skip
    near(diagonal - stiff, np.full(robot.nv, 3.0), 1e-9)
