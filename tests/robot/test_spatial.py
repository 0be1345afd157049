"""`art.spatial`: the laws of SE(3) and its algebra, on random poses and motions in batches."""

import numpy as np
import pytest
import scipy.linalg
import scipy.spatial

import articulated as art
from articulated.algebra.spatial import cross_force, cross_motion
from tests.near import near
from tests.zoo import random_inertia, random_pose

S = art.spatial


def poses(rng, n=5):
    return np.stack([random_pose(rng).matrix() for _ in range(n)])


def moved(matrix, x):
    return (matrix @ x[..., None])[..., 0]


def test_adjoints_are_a_representation(rng):
    g, h = poses(rng), poses(rng)
    assert near(S.adjoint(g @ h), S.adjoint(g) @ S.adjoint(h))
    assert near(S.coadjoint(g @ h), S.coadjoint(g) @ S.coadjoint(h))
    assert near(S.adjoint(S.inverse(g)), np.linalg.inv(S.adjoint(g)))
    assert near(S.coadjoint(g), np.swapaxes(np.linalg.inv(S.adjoint(g)), -1, -2))
    assert near(S.inverse(g) @ g, np.broadcast_to(np.eye(4), g.shape))


def test_power_is_the_same_on_both_sides(rng):
    g, V, F = poses(rng), rng.normal(size=(5, 6)), rng.normal(size=(5, 6))
    there = (moved(S.adjoint(g), V) * moved(S.coadjoint(g), F)).sum(-1)
    assert near(there, (V * F).sum(-1))


def test_they_are_the_transforms_of_the_recursions(rng):
    X, V = random_pose(rng), rng.normal(size=6)
    g = X.matrix()
    assert near(S.adjoint(g) @ V, X.motion_out(V)) and near(S.adjoint(S.inverse(g)) @ V, X.motion_in(V))
    assert near(S.coadjoint(g) @ V, X.force_out(V)) and near(S.coadjoint(S.inverse(g)) @ V, X.force_in(V))


def test_cross_operators(rng):
    V, W, F = rng.normal(size=(3, 4, 6))
    assert near(moved(S.motion_cross(V), W), -moved(S.motion_cross(W), V))
    assert near(S.force_cross(V), -np.swapaxes(S.motion_cross(V), -1, -2))
    for v, w, f in zip(V, W, F, strict=True):
        assert near(S.motion_cross(v) @ w, cross_motion(v, w)) and near(S.force_cross(v) @ f, cross_force(v, f))
    bracket = S.hat(V) @ S.hat(W) - S.hat(W) @ S.hat(V)
    assert near(moved(S.motion_cross(V), W), S.vee(bracket))
    g = poses(rng, 4)
    assert near(S.adjoint(g) @ S.motion_cross(V) @ S.adjoint(S.inverse(g)), S.motion_cross(moved(S.adjoint(g), V)))


def test_hat_and_vee(rng):
    for size in (3, 6):
        x = rng.normal(size=(2, 3, size))
        assert (S.vee(S.hat(x)) == x).all()
    x, y = rng.normal(size=(2, 7, 3))
    assert near(moved(S.hat(x), y), np.cross(x, y))
    g, V = poses(rng), rng.normal(size=(5, 6))
    assert near(g @ S.hat(V) @ S.inverse(g), S.hat(moved(S.adjoint(g), V)))


@pytest.mark.parametrize("size", [0.0, 1e-12, 1e-8, 1e-4, 0.3, 0.4999, 0.5, 0.6, 3.0, np.pi, 2 * np.pi, 30.0])
def test_exponential(size, rng):
    axes = rng.normal(size=(6, 3))
    w = size * axes / np.linalg.norm(axes, axis=1, keepdims=True)
    twist = np.concatenate([rng.normal(size=(6, 3)), w], axis=1)
    expected = np.stack([scipy.linalg.expm(S.hat(x)) for x in twist])
    assert near(S.exp(twist), expected, 1e-14 * max(10, 20 * size))
    assert near(S.exp(twist) @ S.exp(-twist), np.broadcast_to(np.eye(4), (6, 4, 4)), 1e-14 * max(1, size))
    derivative = np.stack([scipy.linalg.expm(S.motion_cross(x)) for x in twist])
    assert near(S.adjoint(S.exp(twist)), derivative, 1e-13 * max(10, 100 * size))


@pytest.mark.parametrize("joint", [art.Revolute((0, 0, 1)), art.Prismatic((0, 1, 0)), art.Helical((1, 0, 0), 0.2)])
def test_local_product_of_exponentials(joint, rng):
    """g(q) = g(0) exp(X̂ q) for a revolute, a prismatic and a helical joint (S0.20)."""
    place = random_pose(rng)
    robot = art.build([art.Link("a", None, joint, place, random_inertia(rng))])
    X, q = np.array(joint.S, float)[:, 0], rng.normal(size=8)
    assert near(robot.pose(q[:, None], "a"), place.matrix() @ S.exp(X * q[:, None]))


def test_body_equation(rng):
    """w = M A + ad*_V M V (S0.11, S2.1), against the 3-vector laws of Newton and Euler at the center of mass."""
    body = random_inertia(rng)
    M, V, A = body.matrix(), rng.normal(size=6), rng.normal(size=6)
    w = S.body_wrench(M, V, A)
    c, m, I = (np.array(x, float) for x in (body.com, body.mass, body.about_com))
    (v, omega), (vdot, alpha) = np.split(V, 2), np.split(A, 2)
    point = vdot + np.cross(omega, v)  # the classical acceleration of the origin
    force = m * (point + np.cross(alpha, c) + np.cross(omega, np.cross(omega, c)))
    moment = I @ alpha + np.cross(omega, I @ omega) + np.cross(c, force)
    assert near(w, np.concatenate([force, moment]))
    assert near(S.bias_wrench(M, V), w - M @ A) and not S.bias_wrench(M, 0 * V).any()
    assert abs(V @ S.bias_wrench(M, V)) < 1e-13  # no power
    many = S.body_wrench(M, np.stack([V, 0 * V]), A)
    assert near(many, np.stack([w, M @ A]))


def test_angular_first(rng):
    x, M = rng.normal(size=(4, 6)), rng.normal(size=(4, 6, 6))
    assert (S.angular_first(x)[:, :3] == x[:, 3:]).all() and (S.linear_first(S.angular_first(x)) == x).all()
    both = S.angular_first(M, axis=(-2, -1))
    assert near(moved(both, S.angular_first(x)), S.angular_first(moved(M, x)))
    J = rng.normal(size=(6, 9))
    assert (S.angular_first(J, axis=0)[3:] == J[:3]).all() and (S.linear_first(both, axis=(1, 2)) == M).all()
    g = poses(rng, 4)
    lecture = S.angular_first(S.adjoint(g), axis=(-2, -1))  # [[R, 0], [p~ R, R]]
    assert not lecture[:, :3, 3:].any() and (lecture[:, :3, :3] == g[:, :3, :3]).all()


@pytest.mark.parametrize(
    "name", ["hat", "vee", "exp", "inverse", "adjoint", "coadjoint", "motion_cross", "force_cross"]
)
@pytest.mark.parametrize("wrong", [np.zeros(5), np.zeros((3, 4)), 1.0, "g", [[1], [2, 3]]])
def test_other_shapes_are_refused(name, wrong):
    with pytest.raises(art.ShapeError, match=name):
        getattr(S, name)(wrong)


REFLECTION, TALL = np.diag([1, 1, -1.0, 1]), np.array([[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 1, 1.0]])


@pytest.mark.parametrize("name", ["inverse", "adjoint", "coadjoint"])
@pytest.mark.parametrize("wrong", [np.diag([2, 2, 2, 1.0]), np.zeros((4, 4)), REFLECTION, TALL, 1.00001 * np.eye(4)])
def test_what_is_no_pose_is_refused(name, wrong, rng):
    for g in (wrong, np.stack([np.eye(4), np.full((4, 4), np.nan), wrong])):
        with pytest.raises(art.ShapeError, match=f"{name} takes poses"):
            getattr(S, name)(g)
    rounded = poses(rng, 1000).round(6)
    assert getattr(S, name)(rounded).shape[0] == len(rounded) and getattr(S, name)(rounded[:0]).shape[0] == 0
    assert np.isfinite(getattr(S, name)(rounded[0])).all()
    for k in range(3):  # NaN shows in the result
        g = np.eye(4)
        g[k, k] = np.nan
        assert np.isnan(getattr(S, name)(g)).any()


def test_what_is_not_skew_is_refused(rng):
    for wrong in (np.eye(3), np.eye(4), REFLECTION - np.eye(4), TALL - np.eye(4), 1e9 * S.hat([1, 2, 3]) + 1e4):
        for X in (wrong, np.stack([0 * wrong, np.nan * wrong, wrong])):
            with pytest.raises(art.ShapeError, match="vee"):
                S.vee(X)
    for size in (3, 6):
        x = 1e3 * rng.normal(size=(100, size))
        assert near(S.vee(S.hat(x).round(6)), x, 1e-6) and S.vee(S.hat(x[:0])).shape == (0, size)
        assert np.isnan(S.vee(np.nan * S.hat(x))).all()


def test_other_axes_are_refused():
    for x, axis in ((np.zeros(5), -1), (np.zeros((6, 5)), -1), (np.zeros(6), 1), (1.0, -1)):
        with pytest.raises(art.ShapeError, match="does not have 6 entries"):
            S.angular_first(x, axis)


def test_lists_are_fine_and_nothing_is_written_to(rng):
    g = poses(rng)
    g.flags.writeable = False
    S.inverse(g)
    assert (S.adjoint(g.tolist()) == S.adjoint(g)).all() and S.hat([1, 2, 3]).tolist() == [
        [0, -3, 2],
        [3, 0, -1],
        [-2, 1, 0],
    ]
    assert all(callable(getattr(S, name)) for name in S.__all__)


# -- positions, angles, quaternions ----------------------------------------------------------


def test_poses_and_numbers_are_each_others_inverses(rng):
    g = poses(rng).reshape(5, 1, 4, 4)
    rpy, quaternion = S.xyz_rpy(g), S.xyz_quaternion(g)
    assert rpy.shape == (5, 1, 6) and quaternion.shape == (5, 1, 7) and (quaternion[..., 6] >= 0).all()
    assert near(S.pose(rpy[..., :3], rpy=rpy[..., 3:]), g)
    assert near(S.pose(quaternion[..., :3], quaternion=-3 * quaternion[..., 3:]), g)


def test_angles_are_those_of_urdf_and_of_scipy(rng):
    angles = rng.uniform(-3, 3, (7, 3))
    R = scipy.spatial.transform.Rotation.from_euler("xyz", angles)
    assert near(S.pose(rpy=angles)[:, :3, :3], R.as_matrix())
    assert near(S.pose(quaternion=R.as_quat())[:, :3, :3], R.as_matrix())
    assert near(S.pose([1, 2, 3], rpy=[0.1, 0.2, 0.3]), art.Transform.from_rpy([0.1, 0.2, 0.3], [1, 2, 3]).matrix())


@pytest.mark.parametrize("pitch", [np.pi / 2, -np.pi / 2])
def test_at_the_gimbal_lock_the_pose_is_kept(pitch):
    g = S.pose([1, 2, 3], rpy=[0.4, pitch, -0.7])
    found = S.xyz_rpy(g)
    assert near(S.pose(found[:3], rpy=found[3:]), g, 1e-7)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: S.pose([1, 2]), r"xyz is \(…, 3\)"),
        (lambda: S.pose(rpy=[0, 0, 0], quaternion=[0, 0, 0, 1]), "not both"),
        (lambda: S.pose(quaternion=[0, 0, 0, 0]), "quaternion x y z w is zero"),
        (lambda: S.pose(np.zeros((2, 3)), rpy=np.zeros((3, 3))), "broadcast"),
        (lambda: S.xyz_rpy(np.eye(3)), r"\(…, 4, 4\)"),
    ],
)
def test_numbers_of_no_pose_are_refused(call, words):
    with pytest.raises(art.ShapeError, match=words):
        call()


def test_only_functions_are_offered():
    assert dir(S) == sorted(S.__all__)


def test_targets_of_inverse_kinematics_take_them():
    arm = art.load("panda")
    goal = arm.pose(arm.poses["home"], "panda_hand")
    for target in (goal, S.xyz_rpy(goal), S.xyz_quaternion(goal)):
        found = arm.inverse_kinematics({"panda_hand": target})
        assert found.success and near(arm.pose(found.q, "panda_hand"), goal, 1e-6)
