"""Laws of the equations of motion, on every robot of the zoo."""

import numpy as np
import pytest

import articulated as art
from tests.near import near
from tests.zoo import STRUCTURES, state

everywhere = pytest.mark.parametrize("robot", STRUCTURES, ids=lambda r: r.name)
on_a_platform = pytest.mark.parametrize(
    "robot", [r for r in STRUCTURES if r.floating().nv != r.nv], ids=lambda r: r.name
)
STEP = 1e-5  # central differences below: error about STEP² and eps / STEP, hence tolerances of 1e-7


def forces_on(robot, rng, shape=()):
    frames = robot.frame_names
    return {frames[-1]: rng.normal(size=(*shape, 6)), frames[len(frames) // 2]: rng.normal(size=(*shape, 6))}


def condition(robot, q):
    return np.linalg.cond(robot.mass_matrix(q))


@everywhere
def test_mass_matrix_is_symmetric_and_positive_definite(robot, rng):
    M = robot.mass_matrix(robot.random(rng, 5))
    assert (np.swapaxes(M, -1, -2) == M).all()
    assert (np.linalg.eigvalsh(M) > 0).all()


@everywhere
def test_torque_is_mass_times_acceleration_plus_bias(robot, rng):
    q, v, a = state(robot, rng, 4)
    tau = np.einsum("bij,bj->bi", robot.mass_matrix(q), a) + robot.bias_forces(q, v)
    assert near(robot.inverse_dynamics(q, v, a), tau)


@everywhere
def test_bias_is_coriolis_gravity_and_friction(robot, rng):
    q, v, _ = state(robot, rng, 4)
    parts = robot.coriolis_forces(q, v) + robot.gravity_forces(q) + robot.friction_forces(v)
    assert near(robot.bias_forces(q, v), parts + robot.spring_forces(q, v))


@everywhere
@pytest.mark.parametrize("method", ["fastest", "articulated_body", "composite_body"])
def test_forward_undoes_inverse(robot, rng, method):
    q, v, a = state(robot, rng)
    forces = forces_on(robot, rng)
    tau = robot.inverse_dynamics(q, v, a, forces)
    found = robot.forward_dynamics(q, v, tau, forces, method=method)
    assert near(found, a, tolerance=1e-14 * max(100, condition(robot, q)))  # forward dynamics divides by M


@everywhere
def test_inverse_undoes_forward(robot, rng):
    q, v, tau = state(robot, rng)
    a = robot.forward_dynamics(q, v, tau)
    assert near(robot.inverse_dynamics(q, v, a), tau, 1e-14 * max(100, condition(robot, q)))


@everywhere
def test_inverse_of_mass_matrix(robot, rng):
    q = robot.random(rng)
    product = robot.mass_matrix_inverse(q) @ robot.mass_matrix(q)
    assert near(product, np.eye(robot.nv), 1e-14 * max(100, condition(robot, q)))


@everywhere
def test_external_forces_do_virtual_work(robot, rng):
    q, v, a = state(robot, rng)
    forces = forces_on(robot, rng)
    pushed = sum(robot.jacobian(q, frame, "frame").T @ w for frame, w in forces.items())
    assert near(robot.inverse_dynamics(q, v, a, forces), robot.inverse_dynamics(q, v, a) - pushed)
    assert near(robot.bias_forces(q, v, forces), robot.bias_forces(q, v) - pushed)


@everywhere
def test_gravity_is_the_gradient_of_potential_energy(robot, rng):
    q = robot.random(rng)
    steps = STEP * np.eye(robot.nv)
    up, down = robot.potential_energy(robot.integrate(q, steps)), robot.potential_energy(robot.integrate(q, -steps))
    assert near(robot.gravity_forces(q) + robot.spring_forces(q, np.zeros(robot.nv)), (up - down) / (2 * STEP), 1e-7)


@everywhere
def test_energy_changes_by_the_power_supplied(robot, rng):
    q, v, a = state(robot, rng)

    def total(h):
        # one step along the motion: q(h) to second order, v(h) to first; the error is of order h²
        moved = robot.integrate(q, h * v + h * h / 2 * a)
        return robot.kinetic_energy(moved, v + h * a) + robot.potential_energy(moved)

    dampers = robot.spring_forces(q, v) - robot.spring_forces(q, 0 * v)
    power = (robot.inverse_dynamics(q, v, a) - robot.friction_forces(v) - dampers) @ v
    assert near((total(STEP) - total(-STEP)) / (2 * STEP), power, 1e-7, scale=10)


@everywhere
def test_kinetic_energy_is_the_quadratic_form_of_the_mass_matrix(robot, rng):
    q, v, _ = state(robot, rng, 3)
    assert near(robot.kinetic_energy(q, v), np.einsum("bi,bij,bj->b", v, robot.mass_matrix(q), v) / 2)
    assert near(robot.kinetic_energy(q, v, by_body=True).sum(-1), robot.kinetic_energy(q, v))
    assert near(robot.potential_energy(q, by_body=True).sum(-1), robot.potential_energy(q))


@everywhere
def test_torque_is_linear_in_the_inertial_parameters(robot, rng):
    q, v, a = state(robot, rng, 3)
    bare = robot.frictionless()
    found = robot.regressor(q, v, a) @ robot.parameters
    assert near(found, bare.inverse_dynamics(q, v, a) - bare.spring_forces(q, v))


@everywhere
def test_bodies_contribute_the_whole(robot, rng):
    q, v, _ = state(robot, rng, 2)
    parts = robot.contributions(q, v)
    bare = robot.frictionless()
    assert near(parts.mass_matrix.sum(-3), bare.mass_matrix(q))
    assert near(parts.coriolis.sum(-2), robot.coriolis_forces(q, v))
    assert near(parts.gravity.sum(-2), robot.gravity_forces(q))
    assert not parts.inertial.any() and not parts.external.any()


@everywhere
def test_bodies_contribute_the_whole_torque(robot, rng):
    """With an acceleration and external forces: the sum over bodies is inverse dynamics of the links alone."""
    q, v, a = state(robot, rng, 2)
    forces, bare = forces_on(robot, rng, (2,)), robot.frictionless()
    parts = robot.contributions(q, v, a, forces)
    assert near(parts.torque.sum(-2), bare.inverse_dynamics(q, v, a, forces) - bare.spring_forces(q, v))
    assert near(parts.inertial.sum(-2), np.einsum("nij,nj->ni", bare.mass_matrix(q), a))
    assert near(parts.external.sum(-2), bare.inverse_dynamics(q, v, a, forces) - bare.inverse_dynamics(q, v, a))
    assert near(parts.coriolis + parts.gravity + parts.inertial + parts.external, parts.torque)
    alone = robot.contributions(q, v)
    assert near(alone.torque, alone.coriolis + alone.gravity)


@everywhere
def test_weights_of_bodies(robot, rng):
    """A weight is m g at the center of mass; held against it by the Jacobians, they are the gravity forces."""
    q = robot.random(rng)
    weights, J = robot.gravity_wrenches(q), robot.body_jacobians(q)
    assert near(-np.einsum("bij,bi->j", J, weights), robot.gravity_forces(q))
    for b, weight in zip(robot.model.bodies, weights, strict=True):
        force = float(b.inertia.mass) * robot.pose(q, b.name)[:3, :3].T @ robot.gravity
        assert near(weight, np.concatenate([force, np.cross(np.array(b.inertia.com, float), force)]))


@everywhere
def test_wrenches_project_to_torques(robot, rng):
    q, v, a = state(robot, rng)
    robot = robot.frictionless()
    F = robot.body_wrenches(q, v, a)
    of_joints = art.build(robot.links).spring_forces(q, v)  # which no body feels
    bare = robot.inverse_dynamics(q, v, a) - of_joints
    tau = np.zeros(robot.nv)
    for b, wrench in zip(robot.model.bodies, F, strict=True):
        tau[b.dofs] += np.array(b.S, float).T @ wrench
    assert near(tau, bare)


@everywhere
def test_articulated_bodies_explain_the_joint_wrenches(robot, rng):
    q, v, tau = state(robot, rng)
    forces = forces_on(robot, rng)
    found = robot.articulated_bodies(q, v, tau, forces)
    limit = 1e-14 * max(100, condition(robot, q))
    assert near(found.a, robot.forward_dynamics(q, v, tau, forces), limit)
    assert near(np.einsum("bij,bj->bi", found.inertia, found.acceleration) + found.bias, found.wrench, limit)
    assert near(found.wrench, robot.body_wrenches(q, v, found.a, forces), limit, scale=abs(tau).max())
    for Mhat, Mbar, b in zip(found.inertia, found.projected, robot.model.bodies, strict=True):
        assert (np.linalg.eigvalsh(Mhat) > -1e-9).all() and (np.linalg.eigvalsh(Mbar) > -1e-9).all()
        if b.armature == 0:  # the joint gives way: nothing along it passes to the parent
            assert near(Mbar @ np.array(b.joint_subspace, float), np.zeros((6, b.joint.nv)), 1e-11, abs(Mhat).max())


@everywhere
def test_the_bias_of_an_articulated_body_is_the_sum_of_its_parts(robot, rng):
    """bhat = own + Σ children A*(bbar + actuation + Coriolis); mhat = Sᵀ Mhat S + armature, joint by joint."""
    q, v, tau = state(robot, rng)
    found = robot.articulated_bodies(q, v, tau, forces_on(robot, rng))
    limit = 1e-13 * max(100, condition(robot, q))
    size = max(abs(found.bias).max(), abs(found.actuation).max(), abs(found.projected_bias).max())
    parts = found.projected_bias + found.actuation + found.coriolis
    bodies, total, at = robot.model.bodies, found.own_bias.copy(), 0
    for i, b in enumerate(bodies):
        S = np.array(b.joint_subspace, float)
        own = slice(at, at + b.joint.nv)
        mhat = S.T @ found.inertia[i] @ S + float(b.armature) * np.eye(b.joint.nv)
        assert near(found.joint_inertia[own, own], mhat, limit)
        bbar = found.bias[i] - found.inertia[i] @ S @ np.linalg.solve(mhat, S.T @ found.bias[i])
        assert near(found.projected_bias[i], bbar, limit, scale=size)
        at += b.joint.nv
        if b.parent:
            total[b.parent.index - 1] += b.transform(q).force_out(parts[i]).astype(float)
    assert near(found.bias, total, limit, scale=size)
    assert found.joint_inertia.shape == (at, at) and (at == robot.nv or any(b.joint.mimic for b in bodies))


@everywhere
def test_each_joint_answers_the_body_below_it(robot, rng):
    """Pass 3 of the Pisa lecture: a and the acceleration of a body follow from its own quantities and its parent's."""
    q, v, tau = state(robot, rng)
    if any(b.joint.mimic for b in robot.model.bodies):
        return  # the torques of its gears are not among the results
    found = robot.articulated_bodies(q, v, tau)
    driving, motions = tau - robot.friction_forces(v), robot.body_motions(q, v, found.a)
    size = abs(found.acceleration).max()
    for i, b in enumerate(robot.model.bodies):
        S = np.array(b.S, float)
        below = found.acceleration[b.parent.index - 1] if b.parent else np.r_[-robot.gravity, 0, 0, 0]
        carried = b.transform(q).motion_in(below).astype(float)
        drift = art.spatial.motion_cross(motions.velocity[i]) @ S @ v[b.dofs]
        left = driving[b.dofs] - S.T @ (found.inertia[i] @ (carried + drift) + found.bias[i])
        limit = 1e-13 * max(100, condition(robot, q))
        a = np.linalg.solve(found.joint_inertia[b.dofs, b.dofs], left)
        assert near(found.a[b.dofs], a, limit, scale=size)
        assert near(found.acceleration[i], carried + drift + S @ a, limit, scale=size)


@everywhere
def test_an_articulated_inertia_is_at_least_that_of_its_body(robot, rng):
    q, v, tau = state(robot, rng)
    for Mhat, b in zip(robot.articulated_bodies(q, v, tau).inertia, robot.model.bodies, strict=True):
        assert np.linalg.eigvalsh(Mhat - b.inertia.matrix())[0] > -1e-11 * abs(Mhat).max()


def test_an_articulated_inertia_is_what_a_hand_feels(rng):
    """Mhat of a free body is the inverse of its mobility, with everything on it."""
    robot = art.load("quadruped").floating()
    q, v, tau = state(robot, rng)
    held = robot.operational_space(q, v, robot.body_names[0], axes="frame").inertia
    assert near(robot.articulated_bodies(q, v, tau).inertia[0], held, 1e-14 * max(100, condition(robot, q)))


@on_a_platform
def test_moving_base_is_a_moving_world(robot, rng):
    """A robot on a platform, against the same robot on a floating base that moves like the platform."""
    q, v, a = state(robot, rng)
    V0, A0 = rng.normal(size=6), rng.normal(size=6)
    free = robot.floating()
    there = np.concatenate([[0, 0, 0, 0, 0, 0, 1], q])
    full = free.inverse_dynamics(there, np.concatenate([V0, v]), np.concatenate([A0, a]))
    tau = robot.inverse_dynamics(q, v, a, base_velocity=V0, base_acceleration=A0)
    assert near(tau, full[6:])
    back = robot.forward_dynamics(q, v, tau, base_velocity=V0, base_acceleration=A0)
    assert near(back, a, 1e-14 * max(100, condition(robot, q)))
    moving = robot.kinetic_energy(q, v, base_velocity=V0)
    platform = V0 @ robot.model.base_inertia.matrix() @ V0 / 2  # not a moving body: the docstring says so
    assert near(moving + platform, free.kinetic_energy(there, np.concatenate([V0, v])))


@pytest.mark.parametrize("robot", [r for r in STRUCTURES if not r.model.bodies[0].joint.floats], ids=lambda r: r.name)
def test_every_route_takes_a_moving_base(robot, rng):
    """Bias, wrenches and the lectures' routes on a platform that moves are those of inverse dynamics there."""
    q, v, a = state(robot, rng)
    base = {"base_velocity": rng.normal(size=6), "base_acceleration": rng.normal(size=6)}
    tau, study = robot.inverse_dynamics(q, v, a, **base), robot.study
    assert near(robot.bias_forces(q, v, **base), robot.inverse_dynamics(q, v, 0 * a, **base))
    assert near(study.inverse_dynamics_with_weights(q, v, a, **base), tau)
    assert near(study.inverse_dynamics_by_jacobians(q, v, a, **base), tau)
    if not robot.kernels.massless_joints:
        wrenches = robot.articulated_bodies(q, v, tau, **base).wrench
        assert near(robot.body_wrenches(q, v, a, **base), wrenches, 1e-10)
        assert near(study.articulated_bodies_in_world(q, v, tau, **base).a, a, 1e-9)
        assert near(study.forward_dynamics_by_unit_accelerations(q, v, tau, **base), a, 1e-9)


def test_a_grain_of_dust_has_mass():
    """Kilograms and kg m² do not compare: a free body of a micrometer moves as one of a meter."""
    for size in (1e-6, 1.0):
        inertia = art.Inertia(size, (0, 0, 0), np.eye(3) * 0.4 * size**3)
        dust = art.build([art.Link("dust", None, art.Floating(), inertia=inertia)], gravity=(0, 0, 0))
        assert near(dust.forward_dynamics(dust.neutral(), [0] * 6, [0, 0, size, 0, 0, 0.4 * size**3]), [0, 0, 1] * 2)
    for across in ((0, 0, 0), (0.3, 0, 0)):  # a point turns about no axis through it
        point = art.build([art.Link("point", None, art.Spherical(), inertia=art.Inertia(1.0, across))])
        with pytest.raises(art.SingularModelError, match="moves no mass"):
            point.forward_dynamics(point.neutral(), [0] * 3, [0] * 3)
