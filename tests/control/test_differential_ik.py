"""Differential inverse kinematics: errors die away, limits are kept, and the least squares are the least."""

import itertools

import numpy as np
import pytest

import articulated as art
from articulated.control.qp.active_set import SOLVED, Problem, least
from articulated.errors import ArticulatedError
from articulated.model.shapes import Sphere

PANDA, HAND = art.load("panda"), "panda_hand_tcp"
Q = np.array([0.1, -0.6, 0.2, -2.2, 0.1, 1.7, 0.5])


def test_the_bounded_least_is_the_least_of_all_active_sets(rng):
    for _ in range(60):
        n = 4
        A = rng.normal(size=(rng.integers(1, 6), n))
        H, f = A.T @ A + 1e-3 * np.eye(n), rng.normal(size=n)
        ends = np.sort(rng.normal(size=(2, n)), axis=0)
        lower, upper = (
            np.where(rng.random(n) < 0.3, sign * np.inf, end) for sign, end in ((-1, ends[0]), (1, ends[1]))
        )
        lower[0] = upper[0] = 0.3  # a variable without a choice
        b, prefer = np.linalg.solve(np.linalg.cholesky(H), f), np.zeros((0, 2), np.intc)
        program = Problem(
            np.linalg.cholesky(H).T, b, np.ones(n), np.zeros(n), np.zeros((0, n)), np.zeros(0), np.eye(n), lower, upper,
            prefer,
        )  # fmt: skip
        found = least(program)
        x = np.clip(found.x, lower, upper)
        assert found.status == SOLVED and abs(x - found.x).max() < 1e-9
        assert (x >= lower).all() and (x <= upper).all()
        cost = [0.5 * y @ H @ y - f @ y for y in _candidates(H, f, lower, upper)]
        assert 0.5 * x @ H @ x - f @ x == pytest.approx(min(cost), rel=1e-9, abs=1e-9)


def _candidates(H, f, lower, upper):
    """For every way to hold some variables at an end, the least of the others, if within bounds."""
    for sides in itertools.product((0, 1, 2), repeat=len(f)):
        held = np.array([side > 0 for side in sides])
        y = np.array([(0.0, low, high)[side] for side, low, high in zip(sides, lower, upper, strict=True)])
        if np.isfinite(y).all():
            y[~held] = np.linalg.solve(H[np.ix_(~held, ~held)], (f - H @ y)[~held])
            if (y >= lower - 1e-12).all() and (y <= upper + 1e-12).all():
                yield y


def test_the_error_dies_away_as_the_gain_says():
    law = art.DifferentialIK(PANDA, [HAND], gain=2.0, dt=1e-3, damping=1e-12)
    wanted = PANDA.pose(Q + 0.05, HAND)
    v = law(Q, {HAND: wanted})
    J = PANDA.jacobian(Q, HAND)
    assert np.allclose(J[:3] @ v, 2 * (wanted - PANDA.pose(Q, HAND))[:3, 3], rtol=0, atol=1e-9)
    h = 1e-6
    gaps = [PANDA.pose(PANDA.integrate(Q, s * v), HAND)[:3, :3].T @ wanted[:3, :3] for s in (-h, h)]
    angles = [np.arccos((np.trace(R) - 1) / 2) for R in gaps]
    assert (angles[1] - angles[0]) / (2 * h) == pytest.approx(-2 * np.mean(angles), rel=1e-6)


@pytest.mark.parametrize("seed", range(3))
def test_limits_are_kept_on_the_way_to_anywhere(seed):
    rng = np.random.default_rng(seed)
    law = art.DifferentialIK(PANDA, [HAND], gain=50.0, dt=0.02)
    lower, upper, fastest, _ = PANDA.limits
    q, wanted, stopped = PANDA.random(rng), PANDA.pose(PANDA.random(rng), HAND), 0
    wanted[:3, 3] *= 1.5
    for _ in range(60):
        v = law(q, {HAND: wanted})
        assert (abs(v) <= fastest).all()
        q = PANDA.integrate(q, v * law.dt)
        assert (q >= lower - 1e-12).all() and (q <= upper + 1e-12).all()
        stopped += bool((abs(v) == fastest).any())
    assert stopped  # the limits have mattered


def test_a_joint_beyond_its_range_comes_back():
    law = art.DifferentialIK(PANDA, [HAND], dt=0.01)
    q = Q.copy()
    q[3] = PANDA.limits.upper[3] + 0.01
    v = law(q, {HAND: PANDA.pose(q, HAND)})
    assert v[3] == pytest.approx(-1.0) and (law.bounds(q)[1] >= law.bounds(q)[0]).all()


def test_a_limit_that_stops_one_joint_is_made_up_by_others():
    """Seven joints, a position: with one held the target is still reached."""
    q = Q.copy()
    q[5] = PANDA.limits.upper[5]
    law = art.DifferentialIK(PANDA, [HAND], gain=1.0, dt=1e-2, damping=1e-10)
    J = PANDA.jacobian(q, HAND)[:3]
    wanted = PANDA.pose(q, HAND)[:3, 3] + 0.01 * J[:, 5] / np.linalg.norm(J[:, 5])
    v = law(q, {HAND: wanted})
    assert abs(v[5]) < 1e-12 and np.allclose(J @ v, wanted - PANDA.pose(q, HAND)[:3, 3], atol=1e-8)


def test_the_posture_is_approached_while_the_frame_stays():
    wanted, far = PANDA.pose(Q, HAND), []
    law = art.DifferentialIK(PANDA, [HAND], gain=5.0, dt=0.01, posture=Q + 0.4 * np.eye(7)[0])
    q = Q
    for _ in range(200):
        q = PANDA.integrate(q, law(q, {HAND: wanted}) * law.dt)
        far.append(abs(PANDA.pose(q, HAND) - wanted).max())
    assert max(far) < 1e-3 and far[-1] < 1e-4
    assert np.linalg.norm(q - law.posture) < 0.9 * np.linalg.norm(Q - law.posture)


def test_a_moving_target_is_followed_without_lag():
    law, rate = art.DifferentialIK(PANDA, [HAND], gain=1.0, dt=1e-3), np.array([0.1, -0.05, 0.02])
    q, place = Q, PANDA.pose(Q, HAND)[:3, 3]
    for k in range(200):
        q = PANDA.integrate(q, law(q, {HAND: place + k * 1e-3 * rate}, rates={HAND: rate}) * 1e-3)
    assert np.allclose(PANDA.pose(q, HAND)[:3, 3], place + 0.2 * rate, atol=1e-4)


def test_a_batch_is_its_states_and_weights_choose(rng):
    frames = {HAND: 1.0, "panda_link4": [1, 0, 0]}
    law = art.DifferentialIK(PANDA, frames, gain=2.0)
    q, elbow = PANDA.random(rng, (2, 3)), np.array([0.3, 0.1, 0.5])
    wanted = PANDA.pose(PANDA.random(rng, (3,)), HAND)
    together = law(q, {"panda_link4": elbow, HAND: wanted})
    for i, j in np.ndindex(2, 3):
        assert np.allclose(together[i, j], law(q[i, j], {HAND: wanted[j], "panda_link4": elbow}), rtol=1e-9, atol=1e-12)
    other = law(q, {"panda_link4": elbow + np.array([0, 5, 5]), HAND: wanted})  # rows of weight 0
    assert np.allclose(together, other, rtol=1e-9, atol=1e-12)


def test_rates_and_targets_broadcast(rng):
    law, rates = art.DifferentialIK(PANDA, [HAND]), 0.01 * rng.normal(size=(4, 3))
    place = PANDA.pose(Q, HAND)[:3, 3]
    together = law(Q, {HAND: place}, rates={HAND: rates})
    assert np.allclose(together[2], law(Q, {HAND: place}, rates={HAND: rates[2]}), rtol=1e-9, atol=1e-12)
    assert law(Q, {HAND: np.zeros((0, 3))}).shape == (0, 7)
    with pytest.raises(art.ShapeError, match="broadcast"):
        law(np.tile(Q, (3, 1)), {HAND: place}, rates={HAND: rates})
    with pytest.raises(art.ShapeError, match="too large"):
        law(Q, {HAND: [1e308, 0, 0]})


def test_directions_orientations_and_a_free_base():
    dog = art.load("quadruped", floating_base=True)
    q = dog.poses["home"]
    feet = {foot: dog.pose(q, foot)[:3, 3] for foot in ("FL_FOOT", "HR_FOOT")}
    law = art.DifferentialIK(dog, ["base", *feet], gain=5.0, dt=0.01)
    leaning = {"base": art.Direction([0, 0, 1], [0.05, 0, 1]), **feet}
    for _ in range(300):
        q = dog.integrate(q, law(q, leaning) * law.dt)
    assert np.allclose(dog.pose(q, "base")[:3, 2], np.array([0.05, 0, 1]) / np.hypot(0.05, 1), atol=1e-4)
    assert all(np.allclose(dog.pose(q, foot)[:3, 3], feet[foot], atol=1e-4) for foot in feet)
    turn = art.DifferentialIK(PANDA, [HAND])(Q, {HAND: art.Orientation(PANDA.pose(Q, HAND)[:3, :3])})
    assert abs(turn).max() < 1e-9


def test_a_follower_limits_its_leader():
    box = art.Inertia(1.0, None, np.eye(3))
    lead = art.Prismatic([1, 0, 0], name="lead", limits=art.Limits(-1, 1, velocity=1.0))
    follow = art.Prismatic(
        [0, 1, 0], name="follow", limits=art.Limits(-0.4, 0.4, velocity=1.0), mimic=art.Mimic("lead", 2)
    )
    links = [art.Link("palm"), art.Link("a", "palm", lead, inertia=box), art.Link("b", "palm", follow, inertia=box)]
    law = art.DifferentialIK(art.build(links, name="gripper"), ["a"], gain=10.0, dt=0.1)
    assert law([0.0], {"a": [1.0, 0, 0]}) == pytest.approx([0.5])
    assert law([0.19], {"a": [1.0, 0, 0]}) == pytest.approx([0.1])


def test_a_simulated_arm_follows():
    law = art.DifferentialIK(PANDA, [HAND], gain=5.0, dt=1e-2, posture=Q)
    wanted = PANDA.pose(Q, HAND)
    wanted[:3, 3] += [0.03, -0.02, 0.04]
    controller = law.towards(lambda t: {HAND: wanted}, through=art.ComputedTorque(PANDA, 100, 60))
    run = art.simulate(PANDA, Q, None, 2.0, 4e-3, torque=controller)
    assert np.allclose(PANDA.pose(run.q[-1], HAND), wanted, atol=2e-3)


@pytest.mark.parametrize(
    ("options", "q", "targets", "words"),
    [
        ({"frames": []}, Q, {}, "frames"),
        ({"frames": "panda_hand_tcp"}, Q, {}, "list"),
        ({"frames": ["hand"]}, Q, {}, "hand"),
        ({"gain": -1}, Q, {}, "gain"),
        ({"dt": 0}, Q, {}, "dt"),
        ({"damping": 0}, Q, {}, "damping"),
        ({"velocity": [-1] * 7}, Q, {}, "velocity"),
        ({"posture": [0]}, Q, {}, "posture"),
        ({}, Q, {}, "targets are given for panda_hand_tcp"),
        ({}, Q, {HAND: np.eye(3)[:2, :2]}, "DifferentialIK: the target"),
        ({}, Q * np.nan, {HAND: [0, 0, 0]}, "q holds NaN"),
        ({}, Q[:3], {HAND: [0, 0, 0]}, "q"),
    ],
)
def test_bad_questions_are_answered_by_name(options, q, targets, words):
    with pytest.raises(ArticulatedError, match=words):
        art.DifferentialIK(PANDA, **{"frames": [HAND], **options})(q, targets)


def test_a_servo_needs_a_joint_law_of_its_robot():
    law = art.DifferentialIK(PANDA, [HAND])
    with pytest.raises(art.ModelError, match="through"):
        law.towards({}, through=art.PD(art.load("ur5"), 1, 1))


def test_links_and_obstacles_keep_their_clearance():
    """A hand that is wanted inside a ball stops at its clearance; without one it enters."""
    ball = Sphere(0.1, placement=art.Transform(p=tuple(PANDA.pose(Q, HAND)[:3, 3] + [0.0, 0.3, 0.0])))
    wanted, nearest = {HAND: PANDA.pose(Q, HAND)[:3, 3] + [0.0, 0.3, 0.0]}, {}
    for clearance in (None, 0.02):
        law = art.DifferentialIK(
            PANDA, [HAND], gain=4.0, dt=0.01, clearance=clearance, obstacles=[ball] if clearance else ()
        )
        q, least_so_far = Q, np.inf
        for _ in range(300):
            q = PANDA.integrate(q, 0.01 * law(q, wanted))
            least_so_far = min(least_so_far, PANDA.distances(q, [ball]).min())
        nearest[clearance] = least_so_far
    # a step along the tangent of a ball leaves it, and that of a hollow enters it by the square of the step
    assert nearest[None] < 0 and 0.02 - 1e-3 < nearest[0.02] < 0.03
    both = law(np.stack([Q, q]), {HAND: np.stack([wanted[HAND]] * 2)})
    assert np.allclose(both[1], law(q, wanted), rtol=0, atol=1e-9)
    with pytest.raises(art.ShapeError, match="clearance"):
        art.DifferentialIK(PANDA, [HAND], obstacles=[ball])


def test_joints_come_back_however_near_obstacles_are(rng):
    """Ranges come first, so that there is always a velocity: from any state, among balls anywhere."""
    for _ in range(40):
        balls = [Sphere(0.15, placement=art.Transform(p=tuple(p))) for p in rng.uniform(-0.8, 0.8, (3, 3)).tolist()]
        law = art.DifferentialIK(PANDA, [HAND], dt=1e-3, clearance=0.05, obstacles=balls)
        q = PANDA.random(rng) + rng.normal(0, 0.5, 7)
        v, (least, most) = law(q, {HAND: [0.5, 0, 0.5]}), law.bounds(q)
        assert (least <= v).all() and (v <= most).all()


def test_the_center_of_mass_is_a_frame():
    law = art.DifferentialIK(PANDA, ["center_of_mass"], gain=5.0, dt=0.01)
    there, q = PANDA.center_of_mass(Q) + np.array([0.01, 0.02, -0.02]), Q
    for _ in range(200):
        q = PANDA.integrate(q, 0.01 * law(q, {"center_of_mass": there}))
    assert np.allclose(PANDA.center_of_mass(q), there, atol=1e-4)


def test_a_frame_in_the_axes_of_another():
    """Targets by two frames: the pose of the first as the second sees it, reached in steps, and at once."""
    arm, pair = art.load("panda"), ("panda_hand", "panda_link3")
    q, goal = np.array(arm.poses["home"]), arm.poses["home"] + 0.2 * np.array([1, -1, 1, 1, -1, 1, 1])

    def seen(q):
        return np.linalg.inv(arm.pose(q, pair[1])) @ arm.pose(q, pair[0])

    law = art.DifferentialIK(arm, [pair], gain=20.0, dt=0.01)
    for _ in range(200):
        q = arm.integrate(q, 0.01 * law(q, {pair: seen(goal)}))
    assert np.allclose(seen(q), seen(goal), atol=1e-6)
    found = arm.inverse_kinematics({pair: seen(goal)})
    assert found.success and np.allclose(seen(found.q), seen(goal), atol=1e-7)
    far = arm.inverse_kinematics({pair: [9.0, 0, 0]}, restarts=2)
    assert "'panda_hand in panda_link3' stays" in far.reason
    with pytest.raises(art.UnknownName, match="panda_nothing"):
        art.DifferentialIK(arm, [("panda_hand", "panda_nothing")])


def test_manipulability_is_raised_while_the_hand_stays():
    arm, frame = art.load("panda"), "panda_hand"
    q = arm.poses["home"] + np.array([0, 0, 0.4, 0, 0.3, 0, 0])
    there, before = {frame: arm.pose(q, frame)}, arm.manipulability(q, frame)
    law = art.DifferentialIK(arm, [frame], gain=10.0, manipulability=50.0)
    for _ in range(100):
        q = arm.integrate(q, 0.01 * law(q, there))
    assert arm.manipulability(q, frame) > 1.01 * before
    assert np.allclose(arm.pose(q, frame), there[frame], atol=1e-4)


def test_priorities_are_hard():
    """The first task moves as if it were alone, the second as far as that lets it, in batches too."""
    arm, rng = art.load("panda"), np.random.default_rng(0)
    q = np.array(arm.poses["home"]) + 0.1 * rng.normal(size=(3, 7))
    targets = {"panda_hand": arm.pose(q, "panda_hand"), "panda_link4": arm.pose(q, "panda_link4")[..., :3, 3]}
    targets["panda_hand"][..., :3, 3] += [0.01, 0.0, 0.0]
    targets["panda_link4"] = targets["panda_link4"] + [-0.3, 0.1, 0.2]
    first = art.DifferentialIK(arm, ["panda_hand"], damping=1e-9)(q, {"panda_hand": targets["panda_hand"]})
    levels = [art.DifferentialIK(arm, list(targets), damping=1e-9, priority=p) for p in ({"panda_link4": 1}, None)]
    strict, soft = (law(q, targets) for law in levels)
    J, elbow = arm.jacobian(q, "panda_hand"), arm.jacobian(q, "panda_link4")[..., :3, :]

    def moved(J, v):
        return (J @ v[..., None])[..., 0]

    assert np.allclose(moved(J, strict), moved(J, first), atol=1e-6)
    assert abs(moved(J, soft) - moved(J, first)).max() > 1e-3
    wanted = [-0.3, 0.1, 0.2]
    assert (((moved(elbow, strict) - wanted) ** 2).sum(-1) < ((moved(elbow, first) - wanted) ** 2).sum(-1)).all()
    assert np.allclose(strict[1], levels[0](q[1], {k: x[1] for k, x in targets.items()}), atol=1e-9)
    with pytest.raises(art.UnknownName, match="priority"):
        art.DifferentialIK(arm, ["panda_hand"], priority={"panda_link4": 1})


def test_a_target_of_nan_ends_its_own_row_of_a_batch():
    law = art.DifferentialIK(PANDA, [HAND], dt=0.01, clearance=0.0, priority={HAND: 0})
    q = PANDA.random(0, (4,))
    targets = PANDA.pose(PANDA.random(1, (4,)), HAND)
    whole = law(q, {HAND: targets})
    targets[2, 0, 3] = np.nan
    found = law(q, {HAND: targets})
    assert np.isnan(found[2]).all()
    np.testing.assert_array_equal(found[[0, 1, 3]], whole[[0, 1, 3]])
