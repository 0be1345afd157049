"""Inverse dynamics while contacts hold: what must be true of the torques, on every legged robot and set of feet."""

import numpy as np
import pytest

import articulated as art
from articulated.contacts.ranks import by_singular_values
from articulated.contacts.ranks.subspaces import projector

from .legged import IDS, QUADRUPEDS, SETS, contacts, holding, legged, relative, subsets

every_set = pytest.mark.parametrize(("name", "kind", "feet"), SETS, ids=IDS)
METHODS = ("qr", "projector")


def torque_only(held, q, v, tau):
    """Generalized forces of the motors and the contacts together."""
    return by_singular_values.selection(held.structure) @ tau


def feasible(held, rng):
    """A state and an acceleration that some torque produces."""
    q, v = holding(held, rng)
    return q, v, held.forward_dynamics(q, v, rng.normal(size=len(held.actuated))).a


@every_set
def test_the_equations_of_motion_hold(name, kind, feet, rng):
    for subset in subsets(feet, name):
        held = contacts(name, kind, subset)
        q, v, a = feasible(held, rng)
        tau, forces, residual, violation, *_ = held.inverse_dynamics(q, v, a)
        f = held.robot.mass_matrix(q) @ a + held.robot.bias_forces(q, v)
        supplied = torque_only(held, q, v, tau) + held.jacobian(q).T @ forces
        scale = abs(f).max()
        assert abs(f - supplied).max() < 1e-10 * scale
        assert residual < 1e-10 * scale and violation < 1e-9 * max(1, abs(a).max())


@every_set
def test_forward_undoes_inverse(name, kind, feet, rng):
    for subset in subsets(feet, name):
        held = contacts(name, kind, subset)
        q, v, a = feasible(held, rng)
        wanted = held.inverse_dynamics(q, v, a)
        found = held.forward_dynamics(q, v, wanted.tau)
        # light feet at the end of heavy legs: M has a condition number of 1e4 to 1e6
        assert relative(found.a, a) < 1e-8
        assert relative(found.forces, wanted.forces) < 1e-8


@every_set
def test_two_ways_to_the_same_torques(name, kind, feet, rng):
    for subset in subsets(feet, name):
        held = contacts(name, kind, subset)
        q, v = holding(held, rng)
        a, tau0 = rng.normal(size=held.robot.nv), rng.normal(size=len(held.actuated))  # not feasible as a rule
        weight = rng.uniform(0.5, 2, size=len(held.actuated))
        for wish in ({}, {"tau0": tau0, "weight": weight}):
            first, *others = (held.inverse_dynamics(q, v, a, method=method, **wish) for method in METHODS)
            scale = 1 / max(first.conditioning, 1e-3)  # what a pseudo-inverse of J may lose
            for other in others:
                assert relative(other.tau, first.tau) < 1e-12 * scale
                assert relative(other.forces, first.forces) < 1e-12 * scale
                size = abs(held.robot.inverse_dynamics(q, v, a)).max()
                assert abs(other.residual - first.residual) < 1e-12 * scale * size


@every_set
def test_torques_do_not_depend_on_contact_forces(name, kind, feet, rng):
    """S3.27: push at the feet with any force; the ground answers, the torques stay."""
    held = contacts(name, kind, feet)
    q, v, a = feasible(held, rng)
    pushes = {foot: rng.normal(size=6) * ([1] * 3 + [kind == "surface"] * 3) for foot in feet}
    free, pushed = held.inverse_dynamics(q, v, a), held.inverse_dynamics(q, v, a, forces=pushes)
    assert relative(pushed.tau, free.tau) < 1e-11
    assert relative(pushed.forces, free.forces) > 1e-3
    for foot, rows in held.by_contact(pushed.forces - free.forces).items():
        R = held.robot.pose(q, foot)[:3, :3]  # external forces are in the axes of the frame
        assert np.allclose(rows[:3], -R @ pushes[foot][:3], rtol=0, atol=1e-10 * abs(pushed.forces).max())


@every_set
def test_tau0_shifts_internal_forces_only(name, kind, feet, rng):
    held = contacts(name, kind, feet)
    q, v, a = feasible(held, rng)
    plain, shifted = (
        held.inverse_dynamics(q, v, a),
        held.inverse_dynamics(q, v, a, tau0=rng.normal(size=len(held.actuated))),
    )
    difference = shifted.forces - plain.forces
    J_u = held.jacobian(q)[:, :6]
    assert abs(J_u.T @ difference).max() < 1e-11 * max(1, abs(difference).max())
    internal = held.analyse(q).internal
    assert (abs(difference).max() > 1e-6) == (internal > 0)
    assert relative(held.forward_dynamics(q, v, shifted.tau).a, a) < 1e-8


@every_set
@pytest.mark.parametrize("weighting", ["torques", "forces", "both", "matrices", "tangential alone"])
def test_weights_reach_their_optimum(name, kind, feet, weighting, rng):
    """Against the optimality conditions of the quadratic program, solved densely."""
    held = contacts(name, kind, feet)
    q, v, a = feasible(held, rng)
    n, k = len(held.actuated), held.k
    tau0 = rng.normal(size=n)
    root, force_root = rng.normal(size=(n, n)), rng.normal(size=(k, k))
    tangential = np.array([0.0 if row.endswith(" z") else 1.0 for row in held.rows])
    W, W_forces = {
        "torques": (rng.uniform(0.1, 3, n), None),
        "forces": (None, rng.uniform(0.1, 3, k)),
        "both": (rng.uniform(0.1, 3, n), rng.uniform(0.1, 3, k)),
        "matrices": (root @ root.T, force_root @ force_root.T),
        "tangential alone": (0.0, tangential),
    }[weighting]
    found = held.inverse_dynamics(q, v, a, tau0=tau0, weight=W, force_weight=W_forces)
    W_full = np.diag(np.broadcast_to(1.0 if W is None else W, n)) if np.ndim(W) < 2 else W
    F_full = np.diag(np.broadcast_to(0.0 if W_forces is None else W_forces, k)) if np.ndim(W_forces) < 2 else W_forces
    hessian = np.block([[W_full, np.zeros((n, k))], [np.zeros((k, n)), F_full]])
    A = np.hstack([by_singular_values.selection(held.structure), held.jacobian(q).T])
    f = held.robot.inverse_dynamics(q, v, a)
    x = np.concatenate([found.tau, found.forces])
    assert abs(A @ x - f).max() < 1e-10 * abs(f).max()
    # the gradient of the cost has no part along which x may move
    gradient = hessian @ (x - np.concatenate([tau0, np.zeros(k)]))
    _, s, rows = np.linalg.svd(A)
    free = rows[(s > 1e-8 * s[0]).sum() :]
    assert abs(free @ gradient).max(initial=0) < 1e-8 * max(1, abs(gradient).max())


@every_set
def test_contact_forces_do_no_work(name, kind, feet, rng):
    """Power balance: what the motors give is the rate of the energy, plus friction in the joints."""
    robot = type(legged(name))(legged(name).frictionless().model)
    held = art.Contacts(robot, **{kind: feet})
    q, v = holding(held, rng)
    tau = rng.normal(size=len(held.actuated))
    a, forces = held.forward_dynamics(q, v, tau)
    power = v @ torque_only(held, q, v, tau)
    kinetic = v @ robot.mass_matrix(q) @ a + 0.5 * v @ robot.mass_matrix_rate(q, v) @ v
    potential = robot.gravity_forces(q) @ v
    assert abs(forces @ (held.jacobian(q) @ v)) < 1e-9 * max(1, abs(forces).max())
    assert abs(power - kinetic - potential) < 1e-9 * (abs(power) + abs(kinetic) + abs(potential))


@every_set
def test_projector(name, kind, feet, rng):
    held = contacts(name, kind, feet)
    J = held.jacobian(legged(name).random(rng))
    P = projector(J)
    assert abs(P - P.T).max() < 1e-12 and abs(P @ P - P).max() < 1e-12
    assert abs(P @ J.T).max() < 1e-11 * abs(J).max()
    assert np.linalg.matrix_rank(P, 1e-8) == legged(name).nv - held.structure.rank  # S3.24


@every_set
def test_consistent_acceleration(name, kind, feet, rng):
    for subset in subsets(feet, name):
        held = contacts(name, kind, subset)
        q, v = holding(held, rng)
        a0 = rng.normal(size=held.robot.nv)
        a = held.acceleration(q, v, a0)
        J, b = held.jacobian(q), -held.bias(q, v)
        assert abs(J @ a - b).max(initial=0) < 1e-10 * max(1, abs(b).max(initial=0))
        assert relative(a, np.linalg.pinv(J) @ b + projector(J) @ a0) < 1e-10
        assert relative(held.acceleration(q, v, a), a) < 1e-10


@every_set
def test_one_state_and_a_batch_give_the_same_bits(name, kind, feet, rng):
    robot = art.Robot(legged(name).model)
    held = art.Contacts(robot, **{kind: feet})
    q, v, a = robot.random(rng, (3, 5)), rng.normal(size=(5, robot.nv)), rng.normal(size=(3, 1, robot.nv))
    found = held.inverse_dynamics(q, v, a)
    assert found.tau.shape == (3, 5, len(held.actuated)) and found.forces.shape == (3, 5, held.k)
    assert found.residual.shape == (3, 5)
    for i, j in np.ndindex(3, 5):
        for whole, one in zip(found, held.inverse_dynamics(q[i, j], v[j], a[i, 0]), strict=True):
            assert np.array_equal(whole[i, j], one)
    written = contacts(name, kind, feet).inverse_dynamics(q[0, 0], v[0], a[0, 0])
    assert relative(found.tau[0, 0], written.tau) < 1e-11 and relative(found.forces[0, 0], written.forces) < 1e-11


@pytest.mark.parametrize("wish", [{}, {"weight": np.eye(12)}, {"weight": np.eye(12), "force_weight": 1.0}], ids=len)
@pytest.mark.parametrize("method", ["qr", "projector"])
def test_many_wishes_in_one_state(wish, method, rng):
    """A batch of tau0 alone is a batch; every part of the result has its shape."""
    if "force_weight" in wish and method != "qr":
        pytest.skip("the lecture's formulas know no force_weight")
    held = contacts("quadruped", "point", QUADRUPEDS["quadruped"])
    q, v = holding(held, rng)
    a, tau0 = rng.normal(size=18), rng.normal(size=(3, 12))
    found = held.inverse_dynamics(q, v, a, tau0=tau0, method=method, **wish)
    for i in range(3):
        one = held.inverse_dynamics(q, v, a, tau0=tau0[i], method=method, **wish)
        for whole, part in zip(found, one, strict=True):
            assert whole.shape[0] == 3 and relative(np.asarray(whole[i], float), part) < 1e-11


@pytest.mark.parametrize("name", QUADRUPEDS)
def test_standing_carries_the_weight(name, rng):
    held = contacts(name, "point", QUADRUPEDS[name])
    robot, q = held.robot, legged(name).neutral()
    found = held.inverse_dynamics(q, np.zeros(robot.nv), np.zeros(robot.nv))
    total = sum(held.by_contact(found.forces).values())
    assert np.allclose(total, [0, 0, 9.81 * robot.mass], rtol=0, atol=1e-9 * robot.mass)
