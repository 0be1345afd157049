"""An operational space exists where a frame can move in all six directions, and nowhere else."""

import numpy as np
import pytest

import articulated as art

from ..near import near
from ..zoo import random_tree

STRETCHED = {"panda": "panda_hand_tcp", "ur5": "tool0", "puma560": None}


def arm(name):
    robot = art.load(name)
    return robot, STRETCHED.get(name) or robot.frame_names[-1]


@pytest.fixture(params=["machine code", "NumPy"])
def way(request, monkeypatch):
    if request.param == "NumPy":
        monkeypatch.setenv("ARTICULATED_JIT", "off")


@pytest.mark.parametrize(("name", "directions"), [("2r", 2), ("3r", 3), ("scara", 4), ("cart_pole", 2)])
def test_a_frame_that_never_has_six_directions_is_refused(name, directions, rng, way):
    robot, tip = arm(name)
    for shape in ((), (5,)):
        q, v = robot.random(rng, shape), rng.normal(size=(*shape, robot.nv))
        for axes in ("world", "frame", "spatial"):
            with pytest.raises(
                art.SingularModelError, match=f"{tip} of {robot.name} can move in {directions} of the six"
            ):
                robot.operational_space(q, v, tip, axes)


@pytest.mark.parametrize("name", STRETCHED)
def test_a_singular_pose_is_refused_and_only_its_rows_of_a_batch_are_lost(name, rng, way):
    robot, tip = arm(name)
    stretched, v = np.zeros(robot.nq), rng.normal(size=robot.nv)
    assert np.linalg.svd(robot.jacobian(stretched, tip), compute_uv=False)[-1] < 1e-12
    for _ in range(2):  # the second call takes another way
        with pytest.raises(art.SingularModelError, match=f"in this configuration, {tip} of .* 5 of the six"):
            robot.operational_space(stretched, v, tip)
    q = robot.random(rng, (9,))
    q[4] = stretched
    both = robot.operational_space(q, v, tip)
    for part in both:
        assert np.isnan(part[4]).all() and np.isfinite(np.delete(part, 4, axis=0)).all()
    for i in (0, 8):
        one = robot.operational_space(q[i], v, tip)
        assert np.array_equal(one.inertia, both.inertia[i]) and np.array_equal(one.bias, both.bias[i])


@pytest.mark.parametrize("name", STRETCHED)
@pytest.mark.parametrize("away", [1e-1, 1e-3, 1e-5])
def test_near_a_singular_pose_the_inertia_grows_and_stays_right(name, away, rng):
    robot, tip = arm(name)
    q, v = away * rng.uniform(0.5, 1, robot.nq), np.zeros(robot.nv)
    found = robot.operational_space(q, v, tip).inertia
    J = robot.jacobian(q, tip)
    mobility = J @ np.linalg.solve(robot.mass_matrix(q), J.T)
    assert near(found @ mobility, np.eye(6), 1e-14 * np.linalg.cond(mobility)) and np.linalg.eigvalsh(found)[0] > 0


@pytest.mark.parametrize("seed", range(6))
def test_it_exists_exactly_where_the_jacobian_has_rank_six(seed, rng):
    """Robots nobody chose, on a floating base and without."""
    for size in (4, 7):
        robot = random_tree(seed, size, ["revolute", "prismatic", "cylindrical"])
        tip = robot.frame_names[-1]
        q, v = robot.random(rng), rng.normal(size=robot.nv)
        values = np.linalg.svd(robot.jacobian(q, tip), compute_uv=False)
        free = len(values) == 6 and values[-1] > 1e-4 * values[0]
        if free:
            assert np.isfinite(robot.operational_space(q, v, tip).inertia).all()
        else:
            with pytest.raises(art.SingularModelError, match="of the six directions"):
                robot.operational_space(q, v, tip)


def test_single_precision_knows_its_own_singular_poses(rng):
    robot, tip = arm("panda")
    with pytest.raises(art.SingularModelError):
        robot.operational_space(np.zeros(robot.nq), np.zeros(robot.nv), tip, dtype=np.float32)


def test_a_state_of_nan_is_not_called_singular():
    robot, tip = arm("panda")
    assert np.isnan(robot.operational_space(np.full(robot.nq, np.nan), np.zeros(robot.nv), tip).inertia).all()
