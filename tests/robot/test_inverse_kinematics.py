"""Inverse kinematics: frames are where they shall be, joints within their ranges, and a failure says why."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import articulated as art
from articulated.algorithms.inverse_kinematics import damped
from articulated.compiler.runtime import engine
from articulated.errors import ShapeError
from articulated.model.shapes import Sphere

from ..zoo import STRUCTURES

FREE = [robot for robot in STRUCTURES if robot.nv < 12]


def worst(robot, found, targets):
    return max(abs(robot.pose(found.q, frame) - pose).max() for frame, pose in targets.items())


def within(robot, q):
    lower, upper = robot.limits[:2]
    return bool(((q >= lower - 1e-12) & (q <= upper + 1e-12)).all())


@pytest.mark.parametrize("name", ["panda", "ur5", "puma560"])
def test_reachable_poses_are_reached_within_limits(name, rng):
    robot = art.load(name)
    frame = robot.frame_names[-1]
    targets = {frame: robot.pose(robot.random(rng, (300,)), frame)}
    found = robot.inverse_kinematics(targets)
    assert found.success.mean() > 0.99
    assert worst(robot, found._replace(q=found.q[found.success]), {frame: targets[frame][found.success]}) < 1e-7
    assert within(robot, found.q)
    assert (found.error[found.success] <= 1e-8).all()


def test_nearly_all_reachable_poses_are_reached():
    """99.9 % within 1e-6; benchmarks/inverse_kinematics.md has the figure for 10,000."""
    robot = art.load("panda")
    targets = {"panda_hand_tcp": robot.pose(robot.random(5, (2000,)), "panda_hand_tcp")}
    found = robot.inverse_kinematics(targets, tolerance=1e-6)
    assert found.success.mean() >= 0.999
    assert (
        worst(robot, found._replace(q=found.q[found.success]), {f: x[found.success] for f, x in targets.items()}) < 4e-6
    )
    assert within(robot, found.q)


@pytest.mark.parametrize("name, frame", [("panda", "panda_hand"), ("humanoid", "left_sole")])
def test_the_center_of_mass_is_a_target(name, frame, rng):
    robot = art.load(name, floating_base=name == "humanoid")
    near = robot.integrate(robot.poses["home"], 0.1 * rng.normal(size=(5, robot.nv)))
    position = frame_position(robot, near, frame)
    targets = {"center_of_mass": robot.center_of_mass(near), frame: position}
    found = robot.inverse_kinematics(targets, q0=robot.poses["home"], limits=False)
    assert found.success.all()
    assert np.allclose(robot.center_of_mass(found.q), targets["center_of_mass"], atol=1e-8)
    assert np.allclose(frame_position(robot, found.q, frame), position, atol=1e-8)
    away = robot.inverse_kinematics({"center_of_mass": [9.0, 0, 0]}, restarts=1) if name == "panda" else None
    assert away is None or (not away.success and "'center_of_mass' stays" in away.reason)
    with pytest.raises(ShapeError, match="center_of_mass' is a position"):
        robot.inverse_kinematics({"center_of_mass": np.eye(4)})


def frame_position(robot, q, frame):
    return robot.pose(q, frame)[..., :3, 3]


@pytest.mark.parametrize("kind", ["pose", "position", "orientation"])
def test_a_target_that_holds_nan_fails_alone(kind, rng):
    robot = art.load("ur5")
    frame = robot.frame_names[-1]
    poses = robot.pose(robot.random(rng, (4,)), frame)
    targets = {"pose": poses, "position": poses[:, :3, 3], "orientation": poses[:, :3, :3]}[kind].copy()

    def asked(x, **more):
        return robot.inverse_kinematics({frame: art.Orientation(x) if kind == "orientation" else x}, **more)

    alone = asked(targets)
    targets[1].flat[-1 if kind != "pose" else 3] = np.nan
    targets[2].flat[0] = np.inf
    found = asked(targets)
    assert found.success.tolist() == [True, False, False, True]
    assert np.array_equal(found.q[[0, 3]], alone.q[[0, 3]]) and np.isnan(found.q[1:3]).all()
    assert found.reason[1] == "the target holds NaN or infinity" and found.reason[0] == ""
    assert np.isnan(found.error[1:3]).all()
    assert not asked(np.full_like(targets, np.nan), posture=robot.neutral()).success.any()


@pytest.mark.parametrize("shape", [(2, 5), (5, 2), (3, 3)])
def test_the_damped_step_is_the_least_squares_one(shape, rng):
    J, e, damping = rng.normal(size=shape), rng.normal(size=shape[0]), 0.3
    stacked = np.concatenate([J, np.sqrt(damping) * np.eye(shape[1])])
    expected = np.linalg.lstsq(stacked, np.concatenate([e, np.zeros(shape[1])]), rcond=None)[0]
    assert np.allclose(damped(J, damping)(e), expected, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("kind", ["pose", "position", "orientation", "direction"])
def test_searches_begin_at_the_nearest_configurations(kind, rng):
    """With a target that one of the random configurations meets, that one is the start."""
    robot = art.load("ur5")
    frame = robot.frame_names[-1]
    lower, upper = robot.limits[:2]
    drawn = robot.random(np.random.default_rng(3), (128,))
    q = (lower + upper) / 2 + 0.7 * (drawn - (lower + upper) / 2)
    pose = robot.pose(q[40], frame)
    targets = {
        "pose": pose,
        "position": pose[:3, 3],
        "orientation": art.Orientation(pose[:3, :3]),
        "direction": art.Direction([0, 0, 1], pose[:3, 2]),
    }
    found = robot.inverse_kinematics({frame: targets[kind]}, seed=np.random.default_rng(3))
    assert found.success and found.iterations == 1
    assert np.array_equal(found.q, q[40])


@pytest.mark.parametrize("robot", FREE, ids=lambda robot: robot.name)
def test_every_kind_of_joint(robot, rng):
    """Positions of the last frame that the robot can reach, from near them."""
    frame = robot.frame_names[-1]
    q = robot.random(rng)
    wanted = robot.pose(q, frame)
    start = robot.integrate(q, 0.05 * rng.normal(size=robot.nv))
    found = robot.inverse_kinematics({frame: wanted}, q0=start, limits=False, restarts=0, iterations=80)
    assert found.success, found.reason
    assert np.allclose(robot.pose(found.q, frame), wanted, atol=1e-7)


@pytest.mark.parametrize("seed", [0, "generator"])
@pytest.mark.parametrize("name", ["panda", "quadruped"])
def test_a_target_alone_and_in_any_batch_has_the_same_answer(name, seed, rng):
    """Starts, their order and when a lane stops depend on the target alone; among the targets are some out of reach."""
    robot = art.load(name, floating_base=name == "quadruped")
    frame, q0 = robot.frame_names[-1], robot.neutral() if name == "quadruped" else None
    poses = robot.pose(robot.random(rng, (40,)), frame)
    poses[::8, :3, 3] *= 3
    options = {"q0": q0, "restarts": 12, "iterations": 20}

    def asked(some):
        start = np.random.default_rng(7) if seed == "generator" else seed
        return robot.inverse_kinematics({frame: some}, seed=start, **options)

    together, few = asked(poses), asked(poses[5:8])
    assert np.array_equal(few.q, together.q[5:8]) and not (together.iterations[1:] == together.iterations[0]).all()
    for k in (0, 1, 2, 3, 8):
        alone = asked(poses[k])
        assert np.array_equal(alone.q, together.q[k]), k
        assert (alone.success, alone.error) == (together.success[k], together.error[k])
        assert alone.iterations == together.iterations[k]


def test_an_axis_that_points_away_is_turned_round():
    """There the error does not say which way is the shorter one; a free base has no joints to begin elsewhere."""
    robot = art.load("quadruped", floating_base=True)
    found = robot.inverse_kinematics({"base": art.Direction([0, 0, 1], [0, 0, -1])}, q0=robot.neutral())
    assert found.success and np.allclose(robot.pose(found.q, "base")[:3, 2], [0, 0, -1], atol=1e-7)


def test_a_transform_is_a_pose(rng):
    robot = art.load("ur5")
    pose = robot.pose(robot.random(rng), "tool0")
    found = robot.inverse_kinematics({"tool0": art.Transform(pose[:3, :3], pose[:3, 3])})
    assert found.success and np.array_equal(found.q, robot.inverse_kinematics({"tool0": pose}).q)


def test_a_posture_where_nothing_is_reached():
    robot = art.load("ur5")
    found = robot.inverse_kinematics({"tool0": [9.0, 0, 0]}, posture=np.zeros(6), restarts=3)
    assert not found.success and "stays" in found.reason


def test_a_robot_without_joints_has_no_configurations():
    rock = art.build([art.Link("rock", inertia=art.Inertia(1.0, None, np.eye(3)))], name="rock")
    with pytest.raises(art.ModelError, match="rock has no moving joint"):
        rock.inverse_kinematics({"rock": [0, 0, 0]})


def test_positions_orientations_and_directions(rng):
    robot = art.load("panda")
    frame = robot.frame_names[-1]
    pose = robot.pose(robot.random(rng), frame)
    position = robot.inverse_kinematics({frame: pose[:3, 3]})
    assert position.success and np.allclose(robot.pose(position.q, frame)[:3, 3], pose[:3, 3], atol=1e-7)
    orientation = robot.inverse_kinematics({frame: art.Orientation(pose[:3, :3])})
    assert orientation.success and np.allclose(robot.pose(orientation.q, frame)[:3, :3], pose[:3, :3], atol=1e-7)
    down = robot.inverse_kinematics({frame: art.Direction([0, 0, 2], [0, 0, -3])})
    assert down.success and np.allclose(robot.pose(down.q, frame)[:3, 2], [0, 0, -1], atol=1e-7)


def test_several_frames_of_a_floating_robot():
    robot = art.load("quadruped", floating_base=True)
    q = robot.neutral()
    q[7:] = [0, 0.8, -1.6, 0, 0.8, -1.6, 0, -0.8, 1.6, 0, -0.8, 1.6]
    feet = ["FL_FOOT", "FR_FOOT", "HL_FOOT", "HR_FOOT"]
    targets = {foot: robot.pose(q, foot)[:3, 3] for foot in feet}
    base = np.eye(4)
    base[:3, 3] = [0.02, 0.01, -0.03]
    found = robot.inverse_kinematics({**targets, "base": base}, q0=q)
    assert found.success, found.reason
    for foot in feet:
        assert np.allclose(robot.pose(found.q, foot)[:3, 3], targets[foot], atol=1e-7)
    assert np.allclose(robot.pose(found.q, "base"), base, atol=1e-7)
    assert np.isclose(np.linalg.norm(found.q[3:7]), 1, atol=1e-12)


def test_limits_are_kept_also_by_joints_that_follow():
    """A finger whose follower has the narrower range."""
    box = art.Inertia(1.0, None, np.eye(3))
    lead = art.Prismatic([1, 0, 0], name="lead", limits=art.Limits(-1, 1))
    follow = art.Prismatic([0, 1, 0], name="follow", limits=art.Limits(-0.4, 0.4), mimic=art.Mimic("lead", 2))
    links = [art.Link("palm"), art.Link("a", "palm", lead, inertia=box), art.Link("b", "palm", follow, inertia=box)]
    robot = art.build(links, name="gripper")
    found = robot.inverse_kinematics({"a": [0.9, 0, 0]})
    assert not found.success and found.q[0] == pytest.approx(0.2)
    assert "'lead' at its upper limit 0.2 m, where 'follow' is at its own" in found.reason
    assert robot.inverse_kinematics({"a": [0.9, 0, 0]}, limits=False).success


def test_a_preferred_posture_is_approached_in_the_null_space(rng):
    robot = art.load("panda")
    frame = robot.frame_names[-1]
    q = np.array([0.1, 0.2, 0.3, -1.5, 0.1, 1.6, 0.4])
    wanted = robot.pose(q, frame)
    plain = robot.inverse_kinematics({frame: wanted}, q0=q + 0.3)
    rested = robot.inverse_kinematics({frame: wanted}, q0=q + 0.3, posture=q, iterations=300)
    assert plain.success and rested.success
    assert abs(rested.q - q).max() < 1e-4 < abs(plain.q - q).max()


def test_a_posture_costs_no_success(rng):
    """It was part of what counts as success, and wherever it could not be had every step was rejected."""
    robot = art.load("panda")
    frame = robot.frame_names[-1]
    positions = robot.pose(robot.random(rng, (40,)), frame)[:, :3, 3]
    plain = robot.inverse_kinematics({frame: positions})
    for posture in (robot.poses["home"], robot.limits.upper):
        found = robot.inverse_kinematics({frame: positions}, posture=posture)
        assert plain.success.all() and found.success.all() and (found.error <= 1e-8).all()
        assert np.allclose(robot.pose(found.q, frame)[:, :3, 3], positions, atol=1e-7)
        assert within(robot, found.q)
        nearer, far = (np.linalg.norm(x.q - posture, axis=1) for x in (found, plain))
        assert (nearer < far + 1e-9).mean() > 0.9 and nearer.mean() < 0.7 * far.mean()


def test_weights_leave_rows_out(rng):
    robot = art.load("ur5")
    frame = robot.frame_names[-1]
    wanted = robot.pose(robot.random(rng), frame)
    wanted[:3, 3] += [0, 0, 10]  # out of reach upwards, which does not count
    found = robot.inverse_kinematics({frame: wanted}, weights={frame: [1, 1, 0, 1, 1, 1]}, restarts=20)
    assert found.success, found.reason
    assert np.allclose(robot.pose(found.q, frame)[:2, 3], wanted[:2, 3], atol=1e-7)


def test_no_targets_are_no_solutions():
    robot = art.load("ur5")
    found = robot.inverse_kinematics({robot.frame_names[-1]: np.zeros((0, 3))})
    assert found.q.shape == (0, 6) and found.success.shape == (0,)


def test_a_seed_decides(rng):
    robot = art.load("panda")
    frame = robot.frame_names[-1]
    poses = robot.pose(robot.random(rng, (50,)), frame)
    first, again, other = (robot.inverse_kinematics({frame: poses}, seed=s) for s in (1, 1, 2))
    assert np.array_equal(first.q, again.q) and not np.array_equal(first.q, other.q)


def test_without_machine_code_the_same_is_found(rng, monkeypatch):
    if engine.reason():
        pytest.skip("there is no machine code here")
    robot = art.load("2r")
    targets = {"tip": robot.pose(robot.random(rng, (3,)), "tip")[:, :3, 3]}
    expected = robot.inverse_kinematics(targets, restarts=0)
    monkeypatch.setenv("ARTICULATED_JIT", "off")
    other = art.load("2r")
    assert np.allclose(other.inverse_kinematics(targets, restarts=0).q, expected.q, atol=1e-9)


@pytest.mark.parametrize(
    ("targets", "options", "words"),
    [
        ({}, {}, "by frame"),
        ([np.eye(4)], {}, "by frame"),
        ({"hand": np.eye(4)}, {}, "hand"),
        ({"tip": np.eye(4)[:3]}, {}, r"a pose \(…, 4, 4\)"),
        ({"tip": 2 * np.eye(4)}, {}, "last row"),
        ({"tip": art.Orientation(np.diag([1, 1, -1.0]))}, {}, "not a rotation"),
        ({"tip": [np.nan, 0, 0]}, {}, "NaN"),
        ({"tip": art.Direction([0, 0, 0], [1, 0, 0])}, {}, "not zero"),
        ({"tip": [0, 0, 0]}, {"weights": {"tap": 1}}, "tap"),
        ({"tip": [0, 0, 0]}, {"weights": {"tip": -1}}, "not negative"),
        ({"tip": [0, 0, 0]}, {"tolerance": 0}, "tolerance"),
        ({"tip": [0, 0, 0]}, {"iterations": 0}, "iterations"),
        ({"tip": [0, 0, 0]}, {"q0": [0, 0, 0]}, "q0"),
        ({"tip": [0, 0, 0]}, {"q0": [0, np.inf]}, "q0"),
        (
            {"tip": np.ones((3, 3))},
            {"q0": np.zeros((4, 2)), "posture": np.zeros((5, 2))},
            "broadcast",
        ),
    ],
)
def test_bad_questions_are_answered_by_name(targets, options, words):
    with pytest.raises((ShapeError, art.UnknownName), match=words):
        art.load("2r").inverse_kinematics(targets, **options)


def test_a_posture_beyond_all_numbers_costs_no_success():
    robot = art.load("ur5")
    found = robot.inverse_kinematics({"tool0": [0.4, 0.1, 0.3]}, posture=[0, 0, 0, 0, -1e200, 0])
    assert found.success and np.isfinite(found.q).all()


def test_a_target_beyond_all_numbers_is_not_reached():
    arm = art.load("panda")
    near, far = arm.pose(arm.poses["home"], "panda_hand")[:3, 3], np.array([1e200, 0, 0])
    found = arm.inverse_kinematics({"panda_hand": np.stack([near, far])}, restarts=3)
    assert found.success.tolist() == [True, False] and found.error[1] > 1e100 and "away" in found.reason[1]
    assert (found.q >= arm.limits.lower).all() and (found.q <= arm.limits.upper).all()


def test_a_seed_is_a_number_of_any_kind():
    arm = art.load("panda")
    target = {"panda_hand": arm.pose(arm.random(5), "panda_hand")}
    one, other = (arm.inverse_kinematics(target, seed=seed).q for seed in (3, np.int64(3)))
    assert np.array_equal(one, other)


def test_threads_that_ask_at_once_have_their_own_answers(rng):
    arm = art.load("panda")
    poses = arm.pose(arm.random(rng, 64), "panda_hand")
    alone = [arm.inverse_kinematics({"panda_hand": pose}).q for pose in poses]
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda pose: arm.inverse_kinematics({"panda_hand": pose}).q, [*poses] * 4))
    assert all((x == y).all() for x, y in zip(found, alone * 4, strict=True))


def test_what_was_found_stays_when_the_next_is_asked_for(rng):
    """Searches use the same arrays again and again; no result is one of them."""
    arm = art.load("panda")
    first, second = (arm.pose(arm.random(rng), "panda_hand") for _ in range(2))
    found = arm.inverse_kinematics({"panda_hand": first})
    kept = found.q.copy()
    arm.inverse_kinematics({"panda_hand": second})
    assert (
        (found.q == kept).all()
        and found.q.flags.writeable
        and not (arm.inverse_kinematics({"panda_hand": second}).q == kept).all()
    )


def test_the_center_of_mass_moves_over_feet_that_stay(rng):
    dog = art.load("quadruped", floating_base=True)
    home = dog.poses["home"]
    feet = art.Contacts(dog, point=["FL_FOOT", "FR_FOOT", "HL_FOOT", "HR_FOOT"])
    wanted = dog.center_of_mass(home) + np.array([0.02, -0.01, 0.01])
    found = dog.inverse_kinematics({"center_of_mass": wanted}, q0=home, contacts=feet)
    assert found.success and abs(dog.center_of_mass(found.q) - wanted).max() < 1e-7
    with pytest.raises(art.ShapeError, match="position"):
        dog.inverse_kinematics({"center_of_mass": np.eye(4)}, q0=home)


def test_the_solution_stays_near_a_configuration(rng):
    arm = art.load("panda")
    q = arm.random(rng, 32)
    near = np.clip(q + 0.1 * rng.normal(size=q.shape), *arm.limits[:2])
    target = {"panda_hand": arm.pose(q, "panda_hand")}
    found = arm.inverse_kinematics(target, stay_near=near)
    away, most = (np.linalg.norm(near - x, axis=1) for x in (found.q, q))
    assert (
        found.success.all() and (away < most + 1e-3).mean() > 0.9
    )  # q itself is a solution, so the nearest is as near
    with pytest.raises(art.ShapeError, match="stay_near"):
        arm.inverse_kinematics(target, q0=near, stay_near=near)


def test_solutions_are_clear_of_links_and_obstacles():
    arm, hand = art.load("panda"), "panda_hand_tcp"
    q = arm.random(np.random.default_rng(0), (200,))
    poses = arm.pose(q, hand)
    ball = Sphere(0.15, placement=art.Transform(p=(0.4, 0.2, 0.4)))
    assert arm.collides(arm.inverse_kinematics({hand: poses}).q, [ball]).any()
    found = arm.inverse_kinematics({hand: poses}, clear_of=[ball])
    assert not arm.collides(found.q[found.success], [ball]).any()
    assert np.allclose(arm.pose(found.q, hand), poses, atol=1e-6)
    # what can be reached clear of everything mostly is: the configurations the poses come from are
    clear = ~arm.collides(q, [ball])
    assert found.success[clear].mean() > 0.97 and not found.success.all()
    assert all("inside" in why for why in found.reason[~found.success])
