"""Derivatives of the laws of contacts: against differences, Pinocchio's, and where there are none."""

import numpy as np
import pytest

import articulated as art
from tests.near import near

from .legged import tripod

FEET = ["foot0", "foot1", "foot2"]


dog = tripod()
NV, MOTORS = dog.nv, dog.nv - 6
#: one leg on its sole, for laws that do not depend on how many there are: a kernel takes a fifth of the time
hopper = tripod(1)
SETS = {
    "three feet": art.Contacts(dog, point=FEET),
    "a foot, a direction and a passive knee": art.Contacts(
        dog, point=FEET[:1], direction={FEET[1]: (0, 0.6, 0.8)}, passive=dog.joint_names[-1:]
    ),
    "a sole": art.Contacts(dog, surface=FEET[:1]),
    "a loop": art.Contacts(dog, point=FEET[:2], loops=[(FEET[2], FEET[0])]),
}
SOLE, TWICE = (art.Contacts(hopper, surface=FEET[:1], point=point) for point in ([], ["heel0"]))
sets = pytest.mark.parametrize("contacts", SETS.values(), ids=SETS)


def differences(contacts, method, state, k):
    """By central differences of doubles: a relative 1e-8 or so."""
    robot, size, columns = contacts.robot, 1e-6, []
    for unit in np.eye(robot.nv if k < 2 else len(state[k])):

        def at(sign, unit=unit):
            moved = list(state)
            step = sign * size * unit
            moved[k] = robot.integrate(state[0], step) if k == 0 else state[k] + step
            return getattr(contacts, method)(*moved)[:2]

        columns.append([(high - low) / (2 * size) for high, low in zip(at(1), at(-1), strict=True)])
    return [np.stack(parts, axis=-1) for parts in zip(*columns, strict=True)]


@sets
@pytest.mark.parametrize("method", ["forward_dynamics", "inverse_dynamics", "impact"])
def test_derivatives_are_differences(contacts, method, rng):
    robot = contacts.robot
    last = {"forward_dynamics": [len(contacts.actuated)], "inverse_dynamics": [robot.nv], "impact": []}[method]
    state = [robot.random(rng), *(rng.normal(size=n) for n in (robot.nv, *last))]
    found = contacts.derivatives(method)(*state)
    if method == "inverse_dynamics" and contacts.structure.base_rank < len(contacts.structure.unactuated):
        assert all(np.isnan(part).all() for part in found)
        return
    for k in range(len(state)):
        for result, expected in enumerate(differences(contacts, method, state, k)):
            near(found[result * len(state) + k], expected, 1e-6)


@pytest.mark.parametrize("method", ["forward_dynamics", "inverse_dynamics", "impact"])
def test_by_inertial_parameters_and_forces(method, rng):
    """As a link grows heavier, all of its parameters grow; columns of `wrt` are those asked for, in that order."""
    contacts, nv = SOLE, hopper.nv
    last = {"forward_dynamics": [nv - 6], "inverse_dynamics": [nv], "impact": []}[method]
    state = [hopper.random(rng), *(rng.normal(size=n) for n in (nv, *last))]
    forces = {name: rng.normal(size=6) for name in hopper.frame_names[:2]}
    acting = {} if method == "impact" else {"forces": forces}
    wrt = ["parameters", *acting, "q"]
    found = contacts.derivatives(method, wrt=wrt)(*state, **acting)
    first, second = {"forward_dynamics": "a forces", "inverse_dynamics": "tau forces", "impact": "v impulses"}[
        method
    ].split()
    assert found._fields == tuple(f"{result}_{name}" for result in (first, second) for name in wrt)
    assert near(getattr(found, f"{first}_q"), contacts.derivatives(method)(*state, **acting)[0], 1e-10)
    size, whole = 1e-5, np.array(hopper.parameters, float)
    for link in range(3):
        along = whole * (np.arange(len(whole)) // 10 == link)
        heavier, lighter = (
            getattr(contacts, method)(*state, **acting, parameters=whole + s * size * along) for s in (1, -1)
        )
        for k, result in enumerate((first, second)):
            expected = (heavier[k] - lighter[k]) / (2 * size)
            near(getattr(found, f"{result}_parameters") @ along, expected, 1e-6)
    if acting:
        pushed, size = dict(zip(forces, rng.normal(size=(2, 6)), strict=True)), 1e-4
        moved = [{name: force + s * size * pushed[name] for name, force in forces.items()} for s in (1, -1)]
        high, low = (getattr(contacts, method)(*state, forces=acting) for acting in moved)
        near(
            getattr(found, f"{first}_forces") @ np.concatenate(list(pushed.values())),
            (high[0] - low[0]) / (2 * size),
            1e-6,
        )


@pytest.mark.parametrize(
    "wrt, words",
    [("forces", "no argument 'forces'"), ("a", "did you mean 'tau'"), ([], "at least one argument"), (3, "wrt")],
)
def test_arguments_that_are_not_there_are_said(wrt, words):
    with pytest.raises(art.ArticulatedError, match=words):
        SETS["three feet"].derivatives("forward_dynamics", wrt=wrt)(dog.neutral(), np.zeros(NV), np.zeros(MOTORS))


@pytest.mark.parametrize("kind", ["force_weight", "all"])
def test_derivatives_of_weighted_torques(kind, rng):
    contacts = SETS["a loop"]
    motors, k = len(contacts.actuated), contacts.k
    heavy, light = rng.uniform(0.5, 2, motors), rng.uniform(0.1, 1, k)
    options = {
        "force_weight": {"force_weight": 0.3},
        "all": {"tau0": rng.normal(size=motors), "weight": heavy, "force_weight": light},
    }[kind]
    state = [dog.random(rng), *rng.normal(size=(2, NV))]
    found = contacts.derivatives("inverse_dynamics")(*state, **options)

    class Weighted:
        robot = dog

        def inverse_dynamics(self, *state):
            return contacts.inverse_dynamics(*state, **options)

    for k in range(3):
        for result, expected in enumerate(differences(Weighted(), "inverse_dynamics", state, k)):
            near(found[result * 3 + k], expected, 1e-6)


def test_weights_decide_what_is_redundant(rng):
    """Forces without a weight are arbitrary; weighted ones are one choice among many."""
    for contacts, weight in ((SETS["three feet"], 0.0), (TWICE, 1.0)):
        robot = contacts.robot
        state = [robot.random(rng), *rng.normal(size=(2, robot.nv))]
        found = contacts.derivatives("inverse_dynamics")(*state, weight=weight)
        assert np.isnan(found.forces_q).all() and np.isnan(found.tau_q).all() == (weight == 0)
        options = {"weight": weight, "force_weight": 1.0}
        found = contacts.derivatives("inverse_dynamics")(*state, **options)
        along, size = rng.normal(size=robot.nv), 1e-6
        high, low = (
            contacts.inverse_dynamics(robot.integrate(state[0], s * size * along), *state[1:], **options)
            for s in (1, -1)
        )
        near(found.tau_q @ along, (high.tau - low.tau) / (2 * size), 1e-6)
        near(found.forces_q @ along, (high.forces - low.forces) / (2 * size), 1e-6)


def test_a_batch_is_its_states(rng):
    contacts = SETS["three feet"]
    state = dog.random(rng, 3), rng.normal(size=(3, NV)), rng.normal(size=(3, MOTORS))
    together = contacts.derivatives("forward_dynamics")(*state)
    alone = contacts.derivatives("forward_dynamics")(*(x[1] for x in state))
    for part, one in zip(together, alone, strict=True):
        near(part[1], one, 1e-9)  # of the condition of M


def test_forces_beside_those_of_the_contacts(rng):
    nv, forces = hopper.nv, {hopper.frame_names[0]: rng.normal(size=6)}
    q, v, tau, a = hopper.random(rng), *(rng.normal(size=n) for n in (nv, nv - 6, nv))
    for method, last in (("forward_dynamics", tau), ("inverse_dynamics", a)):
        for acting in (forces, art.Wrenches(forces, "world", "environment")):
            found = SOLE.derivatives(method)(q, v, last, forces=acting)
            along, size, law = rng.normal(size=nv), 1e-6, getattr(SOLE, method)
            high, low = (law(hopper.integrate(q, s * size * along), v, last, forces=acting)[0] for s in (1, -1))
            near(found[0] @ along, (high - low) / (2 * size), 1e-6)


def test_options_without_derivatives_are_said():
    of = SETS["a sole"].derivatives("inverse_dynamics")
    with pytest.raises(art.ShapeError, match="weight is a number or one per component"):
        of(dog.neutral(), np.zeros(NV), np.zeros(NV), weight=np.eye(MOTORS))
    with pytest.raises(TypeError, match="got 'baumgarte'"):
        SETS["a sole"].derivatives("forward_dynamics")(dog.neutral(), np.zeros(NV), np.zeros(MOTORS), baumgarte=1.0)


@pytest.mark.parametrize("method", ["forward_dynamics", "inverse_dynamics", "impact"])
def test_redundant_contacts_share_their_forces_as_they_may(method, rng):
    """A point of a sole that holds already adds nothing but a doubt about forces."""
    twice, once, nv = TWICE, SOLE, hopper.nv
    last = {"forward_dynamics": [nv - 6], "inverse_dynamics": [nv], "impact": []}[method]
    q, v, *last = hopper.random(rng, (3,)), *(rng.normal(size=(3, n)) for n in (nv, *last))
    if method == "forward_dynamics":
        # a sole that turns forbids its points to go round it: contacts contradict each other
        assert all(np.isnan(part).all() for part in twice.derivatives(method)(q, v, *last))
        J = once.jacobian(q)
        v = v - np.einsum("...ij,...jk,...k->...i", np.linalg.pinv(J), J, v)
    found, expected = (contacts.derivatives(method)(q, v, *last) for contacts in (twice, once))
    for name, part in found._asdict().items():
        if name.startswith(("forces", "impulses")):
            assert np.isnan(part).all()
        else:
            near(part, getattr(expected, name), 1e-8)


def test_where_a_rank_changes_there_are_none(rng):
    """The tip of a planar arm never leaves its plane, a redundant row; stretched, it has one direction less."""
    arm = art.load("2r")
    contacts = art.Contacts(arm, point=arm.frame_names[-1:])
    tau, still = rng.normal(size=2), np.zeros(2)
    bent, stretched = ([0.3, 0.8], [0.3, 0.0])
    found = contacts.derivatives("forward_dynamics")([bent, stretched], still, tau)
    assert np.isfinite(found.a_q[0]).all() and np.isnan(found.a_q[1]).all() and np.isnan(found.forces_q).all()
    high, low = (contacts.forward_dynamics(np.add(bent, [0, step]), still, tau).a for step in (1e-6, -1e-6))
    near(found.a_q[0, :, 1], (high - low) / 2e-6, 1e-6)


def test_they_agree_with_pinocchio(rng):
    pin = pytest.importorskip("pinocchio")
    name, feet = "solo12", ["FL_FOOT", "FR_FOOT", "HL_FOOT", "HR_FOOT"]
    robots = pytest.importorskip("tests.oracles.peers").ROBOTS
    if name not in robots:
        pytest.skip("example-robot-data is not installed")
    robot = art.load(robots[name], floating_base=True).frictionless()
    model = pin.buildModelFromUrdf(str(robots[name]), pin.JointModelFreeFlyer())
    contacts = art.Contacts(robot, point=feet)
    q, v, tau = robot.random(rng), rng.normal(size=robot.nv), rng.normal(size=12)
    order = robot.permutation("pinocchio")
    theirs = art.conventions.to_pinocchio(robot, q, v, np.zeros(18), np.concatenate([np.zeros(6), tau]))
    data, models, datas = model.createData(), pin.StdVec_RigidConstraintModel(), pin.StdVec_RigidConstraintData()
    for foot in feet:
        frame = model.frames[model.getFrameId(foot)]
        models.append(
            pin.RigidConstraintModel(
                pin.ContactType.CONTACT_3D, model, frame.parentJoint, frame.placement, pin.LOCAL_WORLD_ALIGNED
            )
        )
    datas.extend([m.createData() for m in models])
    pin.initConstraintDynamics(model, data, models, datas)
    settings = pin.ProximalSettings(1e-14, 0.0, 1)
    a = pin.constraintDynamics(model, data, theirs.q, theirs.v, theirs.tau, models, datas, settings)
    near(contacts.forward_dynamics(q, v, tau).a[order], a, 1e-9)
    pin.computeConstraintDynamicsDerivatives(model, data, models, datas, settings)
    found = contacts.derivatives("forward_dynamics")(q, v, tau)
    near(found.a_q[np.ix_(order, order)], data.ddq_dq, 1e-9)
    near(found.a_v[np.ix_(order, order)], data.ddq_dv, 1e-9)
    near(found.a_tau[order], data.ddq_dtau[:, [int(np.flatnonzero(order == c)[0]) for c in contacts.actuated]], 1e-9)


def test_what_has_no_derivatives_is_said():
    with pytest.raises(art.UnknownName, match="did you mean 'impact'"):
        SETS["three feet"].derivatives("impacts")
    with pytest.raises(art.ShapeError, match="v"):
        SETS["three feet"].derivatives("impact")(dog.neutral(), np.zeros(3))


def test_contacts_that_contradict_each_other_have_no_derivatives_by_anything(rng):
    """Two points of one body, rank 5 of 6: the line between them cannot grow longer, and a spin pulls at it."""
    contacts = art.Contacts(hopper, point=["foot0", "heel0"])
    q, v, tau = hopper.random(rng), *(rng.normal(size=n) for n in (hopper.nv, hopper.nv - 6))
    v[3:6] = (1.0, 2.0, -1.0)
    for wrt in (None, "q", "v", "tau"):
        found = contacts.derivatives("forward_dynamics", wrt=wrt)(np.stack([q, q]), np.stack([v, 0 * v]), tau)
        first = [x for name, x in found._asdict().items() if name.startswith("a_")]
        assert all(np.isnan(x[0]).all() and np.isfinite(x[1]).all() for x in first)


@pytest.mark.parametrize("weight", [1e5, 1e12, 1e-6])
def test_a_weight_for_all_torques_alike_changes_nothing(weight, rng):
    q, v, a = dog.random(rng), 0.1 * rng.normal(size=NV), np.zeros(NV)
    of = SETS["three feet"].derivatives("inverse_dynamics")
    for x, y in zip(of(q, v, a, weight=weight), of(q, v, a), strict=True):
        assert np.allclose(x, y, rtol=1e-7, atol=1e-7 * abs(y).max())


def test_what_a_law_is_given_is_told_by_its_own_names():
    of = SETS["three feet"].derivatives("forward_dynamics")
    q, v = dog.neutral(), np.zeros(NV)
    with pytest.raises(TypeError, match="derivatives of forward_dynamics: missing a required argument: 'tau'"):
        of(q, v)
    with pytest.raises(art.ShapeError, match="forces"):
        of(q, v, np.zeros(MOTORS), forces=np.ones(6))
