"""A whole-body law: what it returns obeys the equations of motion and every inequality, and nothing is better."""

import numpy as np
import pytest
from scipy.optimize import lsq_linear

import articulated as art
from articulated.control.whole_body import tick

from ..near import near
from .standing import NAMES, SOLE, balance, base, contacts, law, pose, robot, state, targets, tasks

FRICTION = 0.6
SHIFTS = [(0, 0, 0), (0.1, 0.05, 0), (0.0, 0.3, -0.3)]


def commands(name, rng, **options):
    """(q, v, command) for targets ever further away."""
    own = law(name, friction=FRICTION, **options)
    for shift in SHIFTS:
        q, v = state(name, rng)
        yield q, v, own(q, v, **targets(name, q, shift))


@pytest.mark.parametrize("name", NAMES)
def test_equations_of_motion_hold_and_contacts_stay(name, rng):
    held = contacts(name)
    for q, v, done in commands(name, rng):
        scale = abs(robot(name).inverse_dynamics(q, v, done.a)).max()
        assert near(balance(name, q, v, done) / scale, np.zeros(robot(name).nv), 1e-11)
        assert near(held.jacobian(q) @ done.a + held.bias(q, v), np.zeros(held.k), 1e-9 * max(1, abs(done.a).max()))


@pytest.mark.parametrize("name", NAMES)
def test_forces_stay_in_the_true_cone_and_pressure_on_the_sole(name, rng):
    weight = robot(name).mass * 9.81
    for q, _, done in commands(name, rng):
        poses = contacts(name).poses(q)
        for i, force in enumerate(contacts(name).by_contact(done.forces).values()):
            assert force[2] >= -1e-8 * weight
            assert np.hypot(*force[:2]) <= FRICTION * force[2] + 1e-7 * weight
            if len(force) == 6:
                along = poses[i][:3, 0] * [1, 1, 0]
                along /= np.linalg.norm(along)
                across = np.cross([0, 0, 1], along)
                assert abs(force[3:] @ across) <= SOLE[0] / 2 * force[2] + 1e-7 * weight
                assert abs(force[3:] @ along) <= SOLE[1] / 2 * force[2] + 1e-7 * weight
                assert abs(force[5]) <= FRICTION * min(SOLE) / 2 * force[2] + 1e-7 * weight


@pytest.mark.parametrize("sides", [3, 4, 6, 16])
def test_a_pyramid_touches_the_cone_at_its_corners(sides, rng):
    own = law("solo12", [art.tasks.CenterOfMass()], sides=sides, friction=0.4)
    q, v = state("solo12", rng)
    most = 0.0
    for angle in np.linspace(0, 2 * np.pi, 40):
        shift = (3 * np.cos(angle), 3 * np.sin(angle), 0)
        done = own(q, v, **{"center_of_mass": targets("solo12", q, shift)["center_of_mass"]})
        for force in done.forces.reshape(-1, 3):
            if force[2] > 1e-6:
                most = max(most, np.hypot(*force[:2]) / force[2])
    assert 0.4 * np.cos(np.pi / sides) - 1e-6 <= most <= 0.4 + 1e-6


@pytest.mark.parametrize("name", ["quadruped", "biped"])
def test_torque_limits_hold(name, rng):
    q, v = state(name, rng)
    free = law(name, torque_limits=False)(q, v, **targets(name, q))
    limit = 0.7 * abs(free.tau).max()
    done = law(name, torque_limits=limit)(q, v, **targets(name, q))
    assert abs(done.tau).max() <= limit + 1e-7
    assert any(label.startswith("torque limit") for label in done.active)
    assert done.objective > free.objective


def test_model_torque_limits_are_used_and_named(rng):
    q, v = state("quadruped", rng, 0)
    done = law("quadruped")(q, v, **targets("quadruped", q, (0, 0, 5)))
    names = robot("quadruped").joint_names[1:]
    at_limit = {
        f"torque limit {names[i]} {'upper' if done.tau[i] > 0 else 'lower'}"
        for i in np.flatnonzero(abs(abs(done.tau) - 25) < 1e-6)
    }
    assert at_limit and at_limit == {label for label in done.active if label.startswith("torque limit")}


def reference_program(name, own, q, v, given):
    """Gradient of the cost at x = [a, forces], equality and inequality rows: from the robot's own methods."""
    me, held = robot(name), contacts(name)
    nv, k, step = me.nv, held.k, 1e-5
    rows, wanted, weights = [], [], []
    ahead, behind = me.integrate(q, step * v), me.integrate(q, -step * v)
    A = me.centroidal_map(q)
    drift = (me.centroidal_map(ahead) - me.centroidal_map(behind)) @ v / (2 * step)
    rows.append(A[:3] / me.mass)
    wanted.append(
        100 * (given["center_of_mass"] - me.center_of_mass(q)) - 20 * A[:3] @ v / me.mass - drift[:3] / me.mass
    )
    weights.append(np.full(3, 10.0))
    rows.append(np.eye(nv)[6:])
    wanted.append(20 * me.difference(q, given["posture"])[6:] - 2 * np.sqrt(20) * v[6:])
    weights.append(np.full(nv - 6, 0.1))
    J = me.jacobian(q, base(name))[3:]
    rows.append(J)
    wanted.append(-2 * np.sqrt(50) * J @ v - me.frame_acceleration(q, v, np.zeros(nv), base(name))[3:])
    weights.append(np.ones(3))
    T, b, w = np.concatenate(rows), np.concatenate(wanted), np.concatenate(weights)

    def gradient(a, forces):
        return np.concatenate([T.T @ (w * (T @ a - b)) + 1e-6 * a, 1e-4 * forces / (9.81 * me.mass) ** 2])

    J, M = held.jacobian(q), me.mass_matrix(q)
    equal = np.block([[M[:6], -J[:, :6].T], [J, np.zeros((k, k))]])
    return gradient, equal, np.concatenate([M[6:], -J[:, 6:].T], axis=1)


@pytest.mark.parametrize("name", ["solo12", "quadruped", "bolt"])
@pytest.mark.parametrize("limit", [False, True])
def test_no_feasible_motion_is_better(name, limit, rng):
    """Karush, Kuhn and Tucker's conditions, with rows written down here."""
    for shift in SHIFTS:
        q, v = state(name, rng)
        given = targets(name, q, shift)
        most = 0.8 * abs(law(name, torque_limits=False, friction=FRICTION)(q, v, **given).tau).max() if limit else False
        own = law(name, torque_limits=most, friction=FRICTION)
        done = own(q, v, **given)
        gradient, equal, torque = reference_program(name, own, q, v, given)
        nv, k = robot(name).nv, contacts(name).k
        bounds, slack = [], []
        for i in range(k // 3):
            for side in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
                row = np.zeros(nv + k)
                row[nv + 3 * i : nv + 3 * i + 3] = [*np.divide(side, np.sqrt(2)), -FRICTION / np.sqrt(2)]
                bounds.append(row)
                slack.append(-row[nv:] @ done.forces)
            row = np.zeros(nv + k)
            row[nv + 3 * i + 2] = -1
            bounds.append(row)
            slack.append(done.forces[3 * i + 2])
        if limit:
            bounds += [*torque, *-torque]
            slack += [*(most - done.tau), *(most + done.tau)]
        tight = np.array(bounds)[np.array(slack) < 1e-7]
        columns = np.concatenate([equal, tight]).T
        scale = np.linalg.norm(columns, axis=0)
        least = np.concatenate([np.full(len(equal), -np.inf), np.zeros(len(tight))])
        g = gradient(done.a, done.forces)
        # forces and accelerations have other units
        units = np.concatenate([np.ones(nv), np.full(k, robot(name).mass * 9.81)])
        found = lsq_linear(units[:, None] * columns / scale, -units * g, (least, np.inf), tol=1e-14)
        size = abs(units * g).max()
        assert np.sqrt(2 * found.cost) <= 1e-6 * max(1, size)


def test_a_law_that_nothing_holds_back_is_the_contact_inverse_dynamics(rng):
    """The same torques as the closed form for the accelerations it chose, with the same weights."""
    name = "solo12"
    held, weight = contacts(name), robot(name).mass * 9.81
    for _ in range(5):
        q, v = state(name, rng, 0.1)
        own = law(name, torque_limits=False, friction=5.0, torque_weight=1e-3, force_weight=1e-4)
        done = own(q, v, **targets(name, q))
        assert done.active == []
        closed = held.inverse_dynamics(q, v, done.a, weight=1e-3, force_weight=1e-4 / weight**2)
        assert near(done.tau, closed.tau, 1e-7)
        assert near(done.forces, closed.forces, 1e-7)


@pytest.mark.parametrize("name", ["solo12", "quadruped"])
def test_tasks_that_can_be_met_are_met(name, rng):
    q, v = state(name, rng, 0)
    own = law(name, [art.tasks.CenterOfMass()], torque_limits=False, friction=10.0, acceleration_weight=1e-9)
    done = own(q, v, center_of_mass=targets(name, q, (0, 0, 0.01))["center_of_mass"])
    assert done.active == []
    assert abs(done.residuals["center_of_mass"]).max() < 1e-4


@pytest.mark.parametrize("options", [{}, {"horizon": 0.2}], ids=str)
@pytest.mark.parametrize("compiled", [True, False])
def test_many_states_are_each_as_alone(options, compiled, rng, monkeypatch):
    """States, targets, weights and feet of a batch: the same bits as one after the other."""
    if not compiled:
        monkeypatch.setattr(tick, "native", None)
    own = law("solo12", **options)
    q, v = (np.array(x) for x in zip(*(state("solo12", rng) for _ in range(7)), strict=True))
    given = [targets("solo12", each, 0.1 * rng.normal(size=3)) for each in q]
    together = {name: np.array([each[name] for each in given]) for name in given[0]}
    weights, feet = rng.uniform(0, 2, (7, 3)), rng.uniform(size=(7, 4)) < 0.8
    done = own(q, v, weights={"center_of_mass": weights}, standing=feet, gains={"base": 30.0}, **together)
    for k in range(7):
        names = [name for name, stands in zip(contacts("solo12").names, feet[k], strict=True) if stands]
        numbers = {"weights": {"center_of_mass": weights[k]}, "gains": {"base": 30.0}}
        alone = own(q[k], v[k], standing=names, **numbers, **given[k])
        assert (alone.tau == done.tau[k]).all() and (alone.a == done.a[k]).all()
        assert alone.status == done.status[k] and near(alone.objective, done.objective[k], 1e-12)
        lifted = own.lift(*set(contacts("solo12").names).difference(names)) if len(names) < 4 else own
        again = lifted(q[k], v[k], **numbers, **given[k])
        assert (again.tau == alone.tau).all() and (again.forces == alone.forces).all()


@pytest.mark.parametrize("levels", [{}, {"base": 1, "posture": 2}], ids=["one level", "three levels"])
@pytest.mark.parametrize("name", ["solo12", "biped"])
def test_neighbours_in_a_large_batch_change_no_bit(name, levels, rng):
    """States along a motion, whose elimination is shared, at rest at home, at random, and of which feet are lifted."""
    own, states = law(name, tasks(name, **levels)), 150
    home, still = pose(name), np.zeros(robot(name).nv)
    q = np.array([robot(name).integrate(home, 0.03 * np.sin(0.1 * k + np.arange(len(still)))) for k in range(states)])
    v = 0.2 * np.cos(0.1 * np.arange(states)[:, None] + np.arange(len(still)))
    q[40:46], v[40:46] = home, still
    for k in (60, 61, 62, 90):
        q[k], v[k] = state(name, rng, 5.0)
    feet = np.ones((states, len(contacts(name).names)), bool)
    feet[100:110, 0] = False
    given = targets(name, home, 0)
    done = own(q, v, standing=feet, **given)
    for k in [*range(36, 66), *range(88, 112), *range(124, 132), 149]:
        alone = own(q[k], v[k], standing=feet[k], **given)
        assert (alone.tau == done.tau[k]).all() and (alone.a == done.a[k]).all(), k
        assert alone.status == done.status[k] and alone.iterations == done.iterations[k]


def test_friction_of_joints_is_left_to_act_unless_it_is_compensated():
    """The torques of both laws differ by the friction at the measured velocity."""
    links = [link.replace(joint=link.joint.replace(damping=2.0, friction=0.5)) for link in art.load("2r").model.links]
    arm = art.build(links)
    v, wanted = np.array([0.3, -0.2]), [art.tasks.Posture(target=[0.1, 0.2])]
    ignored, made_up = (
        art.WholeBody(art.Contacts(arm), wanted, torque_limits=False, joint_friction=x)([0.3, 0.4], v)
        for x in ("ignored", "compensated")
    )
    assert near(made_up.tau - ignored.tau, arm.friction_forces(v), 1e-9) and arm.friction_forces(v).any()
