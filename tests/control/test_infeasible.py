"""A program without a solution gives the nearest command, and says on request which constraints exclude each other."""

import numpy as np
import pytest

import articulated as art
from articulated.control.whole_body import law as whole_body
from articulated.control.whole_body.arrays import Rows
from articulated.control.whole_body.infeasible import possible

from ..near import near
from .standing import FEET, NAMES, balance, contacts, law, pose, robot, state, targets, tasks

JOINTS = ("FL_HAA", "FL_HFE", "FL_KFE")


def bent_too_far(joint: int = 2, by: float = 0.15) -> np.ndarray:
    q = pose("quadruped")
    q[7 + joint] = robot("quadruped").model.bodies[1 + joint].joint.limits.lower - by
    return q


def moving(name: str, rng: np.random.Generator, speed: float) -> tuple[np.ndarray, np.ndarray]:
    """Near the standing pose, with joints and contacts as fast as they come."""
    q, v = state(name, rng)
    return q, speed * rng.normal(size=len(v))


@pytest.mark.parametrize("name", ["quadruped"])
@pytest.mark.parametrize(("friction", "speed"), [(0.0, 0.3), (0.0, 10.0), (0.6, 10.0)])
@pytest.mark.parametrize("weight", [1.0, 1e4])
def test_soft_contacts_are_never_infeasible(name, friction, speed, weight, rng):
    """In free fall no contact presses and no motor pulls: whatever the state, there is a motion."""
    own = law(name, friction=friction, contact_weight=weight)
    for _ in range(40):
        q, v = moving(name, rng, speed)
        done = own(q, v, **targets(name, q))
        assert done.status == "solved" and not done.violations
        assert near(balance(name, q, v, done) / (robot(name).mass * 9.81), np.zeros(18), 1e-7)


@pytest.mark.parametrize("name", NAMES)
def test_free_fall_is_found_where_it_is_the_only_way(name, rng):
    """Force and torque ranges of nothing: M a + h = 0."""
    own = law(name, contact_weight=1.0, force_range=(0.0, 0.0), torque_limits=0.0, friction=0.0)
    for speed in (0.3, 3.0):
        q, v = moving(name, rng, speed)
        done = own(q, v, **targets(name, q))
        assert done.status == "solved" and near(done.tau, 0 * done.tau, 1e-6)
        assert near(done.a, robot(name).forward_dynamics(q, v, 0 * v), 1e-5)


def holds(name: str, limits, q, v, done, friction: float = 0.6) -> bool:
    """Whether a command is one the motors and the ground can follow."""
    weight = robot(name).mass * 9.81
    scale = max(weight, abs(done.forces).max(), abs(robot(name).inverse_dynamics(q, v, done.a)).max())
    cone = all(
        f[2] > -1e-6 * scale and np.hypot(*f[:2]) < friction * f[2] + 1e-6 * scale
        for f in contacts(name).by_contact(done.forces).values()
    )
    return (
        cone and abs(balance(name, q, v, done)).max() < 1e-6 * scale and (abs(done.tau) <= limits + 1e-6 * scale).all()
    )


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("horizon", [None, 0.05])
def test_the_nearest_command_is_one_that_motors_and_ground_can_follow(name, horizon, rng):
    own, strict = law(name, horizon=horizon), law(name, horizon=horizon, on_infeasible="raise")
    seen = set()
    for _ in range(12):
        q, v = moving(name, rng, 10.0)
        given = targets(name, q)
        done = own(q, v, **given)
        seen.add(done.status)
        assert holds(name, own.torque_limits, q, v, done)
        rates = abs(contacts(name).jacobian(q) @ done.a + contacts(name).bias(q, v))
        if done.status == "solved":
            assert not done.violations and own.explain(q, v, **given) is None
            assert rates.max() < 1e-6 * (1 + abs(done.a).max())
            continue
        assert done.violations and min(done.violations.values()) > 0
        missed = contacts(name).by_contact(rates)
        for group, amount in done.violations.items():
            kind, _, which = group.partition(" ")
            assert kind in ("contact", "joint")
            assert kind != "contact" or near(amount, missed[which].max(), 1e-6)
        with pytest.raises(art.Infeasible):
            strict(q, v, **given)
    assert "nearest" in seen or name == "solo12" or horizon is None


def test_no_less_would_do(rng):
    """Contacts allowed to move by all but a hundredth of what they do cannot hold; a hundredth more, and they can."""
    name, tried = "quadruped", 0
    own = law(name, torque_limits=3.0)
    for _ in range(60):
        q, v = moving(name, rng, 10.0)
        done = own(q, v, **targets(name, q))
        if done.status == "solved":
            continue
        tried += 1
        found = own._found(q, v, targets(name, q))
        rows, contact = own._arrays.rows(found), slice(36, 48)
        gone = found.balance[18:, :18] @ done.a + found.bias
        for part, holds in ((0.99, False), (1.01, True)):
            # the least sum of squares, then each of its parts: inside this box there is no other
            low, high = rows.lower.copy(), rows.upper.copy()
            low[contact] += part * np.minimum(gone, 0) - 1e-6
            high[contact] += part * np.maximum(gone, 0) + 1e-6
            assert possible(Rows(rows.A, low, high)) == holds
    assert tried > 3


def test_the_culprits_are_sought_only_when_asked(monkeypatch, rng):
    def never(*_):
        raise AssertionError("not asked")

    monkeypatch.setattr(whole_body, "explained", never)
    q, v = bent_too_far(), np.zeros(18)
    assert law("quadruped", horizon=0.02, torque_limits=5.0)(q, v, **targets("quadruped", q)).status == "nearest"


@pytest.mark.parametrize("name", ["quadruped", "biped"])
def test_lower_levels_do_not_change_what_gives(name, rng):
    for _ in range(8):
        q, v = moving(name, rng, 10.0)
        given = targets(name, q)
        first = law(name, tasks(name)[:1], horizon=0.05)
        both = law(name, tasks(name, base=1, posture=2), horizon=0.05)
        alone, more = first(q, v, center_of_mass=given["center_of_mass"]), both(q, v, **given)
        assert alone.status == more.status and alone.violations.keys() == more.violations.keys()
        for group, amount in alone.violations.items():
            assert near(more.violations[group], amount, 1e-5)


def test_a_joint_beyond_its_range_is_brought_back_as_fast_as_it_can():
    q, v = bent_too_far(), np.zeros(18)
    done = law("quadruped", horizon=0.02, torque_limits=5.0)(q, v, **targets("quadruped", q))
    joint = robot("quadruped").joint_names[3]
    assert done.status == "nearest" and f"joint limit {joint}" in done.violations
    assert done.a[8] > 100 and any(name.startswith("torque limit") for name in done.active)
    assert abs(done.tau).max() <= 5.0 + 1e-6


def test_a_joint_that_cannot_get_back_in_time_is_named():
    q, v = bent_too_far(), np.zeros(18)
    with pytest.raises(art.Infeasible) as caught:
        law("quadruped", horizon=0.02, torque_limits=5.0, on_infeasible="raise")(q, v, **targets("quadruped", q))
    joint = robot("quadruped").joint_names[3]
    assert f"joint limit {joint}" in caught.value.conflict
    assert any(name.startswith("torque limit") for name in caught.value.conflict)
    assert joint in str(caught.value) and "rad/s²" in str(caught.value)


def test_position_and_velocity_limits_that_exclude_each_other_are_said():
    q, v = bent_too_far(by=2.0), np.zeros(18)
    found = law("quadruped", horizon=0.02, torque_limits=False).explain(q, v, **targets("quadruped", q))
    joint = robot("quadruped").joint_names[3]
    assert found.conflict == (f"position limit {joint}", f"velocity limit {joint}")
    assert set(found.relaxation) == {f"joint limit {joint}"}


def test_the_relaxation_is_enough_and_half_of_it_is_not():
    q, v = pose("quadruped"), np.zeros(18)
    names, own = robot("quadruped").joint_names[1:], {"force_range": (400.0, np.inf), "horizon": None}
    limits = dict.fromkeys(names, 3.0)
    given = targets("quadruped", q)
    found = law("quadruped", torque_limits=limits, **own).explain(q, v, **given).relaxation
    assert found

    def relaxed(part: float):
        torques = {name: 3.0 + part * found.get(f"torque limit {name}", 0.0) for name in names}
        give = {name: part * amount for name, amount in found.items() if name.startswith("unilateral")}
        least = 400.0 - min((give.get(f"unilateral {foot}", 0.0) for foot in FEET), default=0.0)
        return law("quadruped", torque_limits=torques, force_range=(least, np.inf))(q, v, **given).status

    assert relaxed(1.001) == "solved" and relaxed(0.5) == "nearest"


def test_the_conflict_is_one_and_no_part_of_it_is():
    """All groups of a conflict together cannot hold; without any one of them the others can."""
    q, v = bent_too_far(), np.zeros(18)
    own = law("quadruped", horizon=0.02, torque_limits=5.0)
    given = targets("quadruped", q)
    conflict = own.explain(q, v, **given).conflict
    rows, names = own._arrays.rows(own._found(q, v, given)), [str(group) for group in own._arrays.groups]

    def can_hold(some):
        return possible(Rows(*(x[np.isin(names, ["dynamics", *some])] for x in rows)))

    assert not can_hold(conflict)
    for name in conflict:
        assert can_hold([other for other in conflict if other != name])


def test_contacts_that_contradict_each_other_are_named(rng):
    """Planar legs: 12 rows of rank 10, and a velocity with which no acceleration keeps all feet where they are."""
    me = art.load("solo", floating_base=True)
    held = art.Contacts(me, point=FEET)
    q = me.neutral()
    q[7:] = [0.8, -1.6, 0.8, -1.6, -0.8, 1.6, -0.8, 1.6]
    found = art.WholeBody(held, [art.tasks.Momentum()]).explain(q, rng.normal(size=me.nv))
    assert set(found.conflict) <= {f"contact {foot}" for foot in FEET} and len(found.conflict) >= 2


def test_an_infeasible_law_is_a_value_error():
    assert issubclass(art.Infeasible, art.ArticulatedError) and issubclass(art.Infeasible, ValueError)
    assert issubclass(art.SolverFailed, art.ArticulatedError) and issubclass(art.SolverFailed, RuntimeError)


@pytest.mark.parametrize("name", ["solo12", "biped"])
def test_the_numbers_of_a_call_are_explained(name):
    """What excludes each other by the limits, feet and moving ground of one call is not what the law itself forbids."""
    q, own = pose(name), law(name)
    v, given, feet = np.zeros(robot(name).nv), targets(name, pose(name)), contacts(name).names
    size = contacts(name).contacts[0].size
    sinking = {feet[0]: (np.zeros(size), np.array([0, 0, -500.0, *np.zeros(size - 3)]))}  # no ground pulls
    call = {"torque_limits": np.ones(len(contacts(name).actuated)), "moving": sinking}
    assert own(q, v, **given).status == "solved" and own.explain(q, v, **given) is None
    assert own(q, v, **call, **given).status == "nearest"
    told = own.explain(q, v, **call, **given)
    assert told and any(x.startswith("torque limit") or x.startswith("contact") for x in told.conflict)
    for some in ({"standing": feet[1:]}, {"force_limits": np.zeros(len(feet))}):
        assert (own.explain(q, v, **some, **call, **given) is None) == (
            own(q, v, **some, **call, **given).status == "solved"
        )
