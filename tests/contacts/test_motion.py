"""Forward dynamics and impacts while contacts hold, against Pinocchio and against the equations themselves."""

import numpy as np
import pytest

import articulated as art

from .legged import IDS, QUADRUPEDS, SETS, contacts, holding, legged, relative, subsets

every_set = pytest.mark.parametrize(("name", "kind", "feet"), SETS, ids=IDS)


def dense(M, J, wanted, forces):
    """x and λ of M x - Jᵀ λ = forces, J x = wanted, by least squares."""
    k = len(J)
    whole = np.block([[M, -J.T], [J, np.zeros((k, k))]])
    found = np.linalg.lstsq(whole, np.concatenate([forces, wanted]), rcond=1e-13)[0]
    return found[: len(M)], found[len(M) :]


@every_set
def test_motion_solves_its_equations(name, kind, feet, rng):
    for subset in subsets(feet, name):
        held = contacts(name, kind, subset)
        robot = held.robot
        q, v = holding(held, rng)
        tau = rng.normal(size=robot.nv)
        a, forces = held.forward_dynamics(q, v, tau)
        J, M = held.jacobian(q), robot.mass_matrix(q)
        f = M @ a + robot.bias_forces(q, v)
        assert abs(f - tau - J.T @ forces).max() < 1e-10 * max(abs(f).max(), abs(J.T @ forces).max(initial=0))
        drifting = J @ a + held.bias(q, v)
        assert abs(drifting).max(initial=0) < 1e-9 * max(1, abs(a).max())


@pytest.mark.parametrize(("name", "kind", "feet"), [s for s in SETS if s[0] not in ("quadruped", "biped", "humanoid")])
def test_motion_and_impacts_agree_with_pinocchio(name, kind, feet, rng):
    pin = pytest.importorskip("pinocchio")
    from ..oracles.peers import ROBOTS

    robot = type(legged(name))(legged(name).frictionless().model)
    held = art.Contacts(robot, **{kind: feet})
    model = pin.buildModelFromUrdf(str(ROBOTS[name]), pin.JointModelFreeFlyer())
    data = model.createData()
    # the same joints in another order
    order = robot.permutation("pinocchio")
    kinds = {"point": pin.ContactType.CONTACT_3D, "surface": pin.ContactType.CONTACT_6D}
    rules = pin.StdVec_RigidConstraintModel()
    for foot in feet:
        frame = model.frames[model.getFrameId(foot)]
        rule = pin.RigidConstraintModel(
            kinds[kind], model, frame.parentJoint, frame.placement, pin.ReferenceFrame.LOCAL_WORLD_ALIGNED
        )
        rules.append(rule)
    known = pin.StdVec_RigidConstraintData()
    known.extend([rule.createData() for rule in rules])
    pin.initConstraintDynamics(model, data, rules, known)
    for _ in range(5):
        q, v = holding(held, rng)
        tau = rng.normal(size=robot.nv)
        theirs_q = art.conventions.to_pinocchio(robot, q=q)
        exact = pin.ProximalSettings(1e-14, 0.0, 1)
        theirs = pin.constraintDynamics(model, data, theirs_q, v[order], tau[order], rules, known, exact)
        ours = held.forward_dynamics(q, v, tau)
        # both solve with M, whose condition number is 1e4 to 1e6 on these robots
        assert relative(ours.a[order], theirs) < 1e-9
        for rows, there in zip(held.by_contact(ours.forces).values(), known, strict=True):
            assert relative(rows, there.contact_force.vector[: len(rows)], abs(ours.forces).max()) < 1e-9
        after = held.impact(q, tau)
        theirs = pin.impulseDynamics(model, data, theirs_q, tau[order], held.jacobian(q)[:, order], 0.0, 0.0)
        assert relative(after.v[order], theirs) < 1e-9


@every_set
@pytest.mark.parametrize("restitution", [0.0, 0.4, 1.0])
def test_impacts(name, kind, feet, restitution, rng):
    held = contacts(name, kind, feet)
    robot = held.robot
    q, v = robot.random(rng), rng.normal(size=robot.nv)
    after, impulses = held.impact(q, v, restitution)
    J, M = held.jacobian(q), robot.mass_matrix(q)
    assert abs(J @ after + restitution * (J @ v)).max() < 1e-9 * abs(after).max()
    assert abs(M @ (after - v) - J.T @ impulses).max() < 1e-10 * abs(J.T @ impulses).max()
    before, left = v @ M @ v, after @ M @ after
    if restitution == 1:
        assert abs(left - before) < 1e-9 * before  # nothing is lost
    else:
        assert left < before


def test_redundant_contacts_change_nothing_but_the_shares(rng):
    """A foot held as a surface and, within it, at three more points: the same motion, the load spread."""
    robot = legged("biped").replace(
        "left_ankle_roll_link",
        frames=[(f"toe{i}", art.Transform(p=p)) for i, p in enumerate([(0.1, 0, 0), (0, 0.1, 0), (0, -0.1, 0)])],
    )
    plain = art.Contacts(robot, surface=["left_ankle_roll_link"])
    crowded = art.Contacts(robot, surface=["left_ankle_roll_link"], point=["toe0", "toe1", "toe2"])
    assert (crowded.k, crowded.structure.rank) == (15, 6)
    q, v = holding(plain, rng)
    tau = rng.normal(size=len(plain.actuated))
    once, again = plain.forward_dynamics(q, v, tau), crowded.forward_dynamics(q, v, tau)
    assert relative(again.a, once.a) < 1e-9
    assert relative(crowded.jacobian(q).T @ again.forces, plain.jacobian(q).T @ once.forces) < 1e-9
    assert np.linalg.norm(again.forces) < np.linalg.norm(once.forces)  # the shortest of all that do
    torques, more = plain.inverse_dynamics(q, v, once.a), crowded.inverse_dynamics(q, v, once.a)
    assert relative(more.tau, torques.tau) < 1e-10
    assert len(crowded.analyse(q).redundant) == 9


def test_a_stretched_leg_is_noticed(rng):
    """At the end of its reach a foot's rows depend on each other in the joints, not in J: nothing is lost."""
    robot = art.load("quadruped", floating_base=True)
    held = art.Contacts(robot, point=QUADRUPEDS["quadruped"])
    q = robot.neutral()  # all legs straight
    v, tau = np.zeros(robot.nv), rng.normal(size=len(held.actuated))
    a = held.forward_dynamics(q, v, tau).a
    whole = np.concatenate([np.zeros(6), tau]) - robot.bias_forces(q, v)
    there, _ = dense(robot.mass_matrix(q), held.jacobian(q), -held.bias(q, v), whole)
    assert relative(a, there) < 1e-8


def test_baumgarte_brings_contacts_back(rng):
    held = contacts("quadruped", "point", QUADRUPEDS["quadruped"])
    robot, rate, dt = held.robot, 20.0, 1e-3
    q, v = robot.random(rng), np.zeros(robot.nv)
    anchors = held.poses(q)
    q = robot.integrate(q, 1e-3 * rng.normal(size=robot.nv))
    start = abs(held.drift(q, anchors)).max()
    standing = held.inverse_dynamics(q, v, v).tau
    drifts = {}
    for name, options in (("plain", {}), ("pulled", {"baumgarte": rate, "anchors": anchors})):
        x, u = q.copy(), v.copy()
        for _ in range(400):
            u = u + dt * held.forward_dynamics(x, u, standing, **options).a
            x = robot.integrate(x, dt * u)
        drifts[name] = abs(held.drift(x, anchors)).max()
    assert drifts["pulled"] < 0.02 * start < 0.5 * drifts["plain"]


def test_bias_is_the_rate_of_the_contact_velocity(rng):
    """d/dt (J v) = J a + J̇ v, by differences."""
    robot = legged("biped")
    held = art.Contacts(
        robot,
        surface=["left_sole"],
        line={"right_sole": (0, 1, 0)},
        direction={"pelvis": (1, 2, 3)},
        loops=[
            ("left_knee_link", "right_knee_link", "hinge", (1, 0, 1)),
            ("left_ankle_pitch_link", "right_hip_roll_link", "weld"),
        ],
    )
    q, v, h = robot.random(rng), rng.normal(size=robot.nv), 1e-5
    there, back = robot.integrate(q, h * v), robot.integrate(q, -h * v)
    slope = (held.jacobian(there) @ v - held.jacobian(back) @ v) / (2 * h)
    assert relative(held.bias(q, v), slope) < 1e-7
    anchors = held.poses(q)
    moved = (held.drift(there, anchors) - held.drift(back, anchors)) / (2 * h)
    grounded = sum(c.size for c in held.contacts if c.other is None)
    assert relative(moved[:grounded], (held.jacobian(q) @ v)[:grounded]) < 1e-7
    assert abs(held.drift(q, anchors)[:grounded]).max() < 1e-15


def test_the_other_robots_run_as_written(rng):
    """Every subset of their feet would be compiled otherwise, which takes minutes."""
    held = contacts("solo12", "point", QUADRUPEDS["solo12"])
    held.forward_dynamics(*holding(held, rng), rng.normal(size=len(held.actuated)))
    made = {**held.kernels.made, **held.robot.kernels.made}.values()
    assert made and not any(kernel.entry_points for kernel in made)
