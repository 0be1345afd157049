"""Estimation: the momentum observer finds the force that pushes, the filter of the base the motion it did not see."""

import numpy as np
import pytest

import articulated as art
from articulated.control.estimation.base import Estimate, Noise, estimate
from articulated.control.estimation.momentum import Momentum, momentum

from .standing import FEET, robot

DT = 1e-3


@pytest.fixture(scope="module")
def pushed():
    """An arm that holds a pose, pushed at its hand from the middle of the run on, and the force it feels."""
    arm = art.load("panda").frictionless()
    q = np.array([0.2, -0.6, 0.1, -2.0, 0.1, 1.5, 0.6])
    force = np.zeros((400, 6))
    force[200:, :3] = [5.0, 10.0, -20.0]
    run = art.simulate(
        arm, q, None, 0.4, DT, art.ComputedTorque(arm, 400, 40).towards(q), forces={"panda_hand_tcp": force}
    )
    J = arm.jacobian(run.q, "panda_hand_tcp", axes="frame")
    return arm, run, np.einsum("tij,ti->tj", J, np.append(force, force[-1:], axis=0))


def test_the_observer_is_a_low_pass_of_the_force_that_pushes(pushed):
    arm, run, true = pushed
    found = art.external_torques(arm, run.q, run.v, run.tau, DT, rate=100.0)
    assert abs(found[:200]).max() < 1e-3 * abs(true).max()
    # of a force that begins, 1 - exp(-rate t); Euler's steps and the mean over a step are of order dt
    for after in (10, 30, 100):
        assert np.allclose(found[201 + after], (1 - np.exp(-0.1 * (after + 1))) * true[201 + after], atol=0.15)
    hand = art.Contacts(arm, point=["panda_hand_tcp"])
    world = art.contact_forces(hand, run.q, found)[-1]
    R = arm.pose(run.q[-1], "panda_hand_tcp")[:3, :3]
    assert np.allclose(R.T @ world, [5, 10, -20], atol=0.2)


def test_ticks_and_recorded_motions_give_the_same_and_batches_too(pushed):
    arm, run, _ = pushed
    whole = art.external_torques(arm, run.q, run.v, run.tau, DT)
    observer = art.MomentumObserver(arm, DT)
    for _ in range(2):
        ticks = [observer(*state) for state in zip(run.q, run.v, run.tau, strict=True)]
        assert np.allclose(ticks, whole, rtol=0, atol=1e-11)
        observer.reset()
    both = art.external_torques(arm, *(np.stack([x, x]) for x in (run.q, run.v, run.tau)), DT)
    assert np.allclose(both, whole, rtol=0, atol=1e-11)
    with pytest.raises(art.ShapeError, match=r"v and tau \(…, T, nv\)"):
        art.external_torques(arm, run.q[0], run.v[0], run.tau[0], DT)


@pytest.mark.parametrize("name", ["solo12", "ur5", "2r"])
def test_contact_forces_are_the_least_that_explain_at_any_rank(name, rng):
    """Against NumPy's pseudo-inverse, in a batch with singular states in it: a straight wrist, a flat arm."""
    own = robot(name) if name == "solo12" else art.load(name)
    feet = {"point": FEET} if name == "solo12" else {"surface": [own.body_names[-1]]}
    held = art.Contacts(own, **feet)
    q = own.random(rng, 20)
    q[::3, own.nq - own.nv + 6 * (name == "solo12") :] = 0.0
    external = rng.normal(size=(20, own.nv))
    found = art.contact_forces(held, q, external)
    for state, pushed, forces in zip(q, external, found, strict=True):
        expected = np.linalg.pinv(held.jacobian(state).T, rcond=1e-8) @ pushed
        assert np.allclose(forces, expected, rtol=0, atol=1e-9 * (1 + abs(expected).max()))
        assert np.allclose(art.contact_forces(held, state, pushed), forces, rtol=0, atol=1e-9 * (1 + abs(forces).max()))


def test_the_next_process_finds_the_kernels_of_estimators_in_the_cache():
    """Which it does where the type of their result is known before they are traced."""
    dog = robot("quadruped")
    art.BaseEstimator(dog, FEET, DT)
    art.MomentumObserver(dog, DT)
    made = {request.algorithm: request.result for request in dog.kernels.made}
    assert made[estimate] is Estimate and made[momentum] is Momentum


def sensors(dog, run, k, gyro=0.0, accelerometer=0.0):
    """Mean angular velocity and specific force between two samples."""
    R = [dog.pose(run.q[i], "base")[:3, :3] for i in (k, k + 1)]
    change = (R[1] @ run.v[k + 1, :3] - R[0] @ run.v[k, :3]) / DT
    turned = dog.difference(run.q[k], run.q[k + 1])[3:6] / DT
    return turned + gyro, R[0].T @ (change - dog.gravity) + accelerometer


@pytest.fixture(scope="module")
def trotted():
    dog = robot("quadruped")
    walk = art.Walk(dog, "trot")
    walk.command(0.3, 0.0, 0.2)
    start = walk.home - np.eye(dog.nq)[2] * dog.pose(walk.home, FEET[0])[2, 3]  # feet are points, which do not roll
    run = art.simulate(dog, start, None, 1.5, DT, walk, art.Ground(0.7, feet=FEET))
    return dog, run, [[foot not in walk.gait.lifted(t) for foot in FEET] for t in run.t]


def estimated(dog, run, standing, start, count, **biases):
    filtered = art.BaseEstimator(dog, FEET, DT)
    filtered.reset(start, run.v[0])
    for k in range(count):
        found = filtered(*sensors(dog, run, k, **biases), run.q[k + 1, 7:], run.v[k + 1, 6:], standing[k + 1])
    return filtered, *found


def tilt(dog, q, other):
    return np.arccos(np.clip(dog.pose(q, "base")[2, :3] @ dog.pose(other, "base")[2, :3], -1, 1))


def test_the_filter_follows_clean_sensors(trotted):
    dog, run, standing = trotted
    _, q, v = estimated(dog, run, standing, run.q[0], 600)
    # a foot is said to stand before it has come down
    assert np.allclose(q[:3], run.q[600, :3], atol=0.005) and abs(v[:6] - run.v[600, :6]).max() < 0.05
    assert tilt(dog, q, run.q[600]) < 0.005 and (q[7:] == run.q[600, 7:]).all()


def test_the_filter_forgets_a_wrong_start_and_finds_biases(trotted):
    dog, run, standing = trotted
    wrong = dog.integrate(run.q[0], np.concatenate([np.zeros(3), [0.06, -0.06, 0.0], np.zeros(12)]))
    gyro = np.array([0.02, -0.01, 0.0])
    filtered, q, v = estimated(dog, run, standing, wrong, 1400, gyro=gyro)
    assert tilt(dog, q, run.q[1400]) < 0.3 * 0.06 * np.sqrt(2) and abs(v[:3] - run.v[1400, :3]).max() < 0.06
    assert np.linalg.norm((filtered.biases[0] - gyro)[:2]) < 0.7 * np.linalg.norm(gyro)
    P = filtered.covariance
    assert np.allclose(P, P.T, atol=1e-9 * abs(P).max()) and np.linalg.eigvalsh((P + P.T) / 2).min() > -1e-9


def cross(x):
    return np.cross(np.eye(3), x)


def dense_period(P, R, moving, gravity, stands, off, dt, noise):
    """A second way: the filter by dense matrices, all feet at once, and Joseph's form of the covariance."""
    n, A, G = len(P) - 6, np.zeros_like(P), np.eye(len(P))
    A[3:6, :3], A[6:9, 3:6], A[:3, n : n + 3], A[3:6, n + 3 :] = cross(gravity), np.eye(3), -R, -R
    for row, x in enumerate(moving, start=1):
        A[3 * row : 3 * row + 3, n : n + 3] = -cross(x) @ R
        G[3 * row : 3 * row + 3, 3 * row : 3 * row + 3] = R
    G[:, :3] = -A[:, n : n + 3]
    feet = np.where(stands, noise.slip, 1e3)
    drifts = noise.gyro_bias, noise.accelerometer_bias
    Phi = np.eye(n + 6) + dt * A + dt**2 / 2 * A @ A
    G = Phi @ G * np.repeat([noise.gyro, noise.accelerometer, 0, *feet, *drifts], 3)
    P = Phi @ P @ Phi.T + dt * G @ G.T
    H = np.zeros((len(off), n + 6))
    for k in range(len(off)):
        H[k, 9 + k], H[k, 6 + k % 3] = 1, -1
    H = H[np.repeat(stands, 3)]
    K = P @ H.T @ np.linalg.inv(H @ P @ H.T + noise.kinematics**2 * np.eye(len(H)))
    keep = np.eye(n + 6) - K @ H
    return keep @ P @ keep.T + noise.kinematics**2 * K @ K.T


def test_a_period_is_that_of_dense_matrices_alone_and_in_a_batch(trotted):
    """Coordinates of feet one after the other are all feet at once: their noise is independent."""
    dog, run, _ = trotted
    filtered = art.BaseEstimator(dog, FEET, DT)
    filtered.reset(run.q[0], run.v[0])
    stands = np.array([True, False, True, True])
    given = (*sensors(dog, run, 0), run.q[1, 7:], run.v[1, 6:], stands)
    R, places = dog.pose(run.q[0], "base")[:3, :3], [dog.pose(run.q[0], foot)[:3, 3] for foot in FEET]
    moving = [dog.frame_velocity(run.q[0], run.v[0], "base")[:3], run.q[0, :3], *places]
    wanted = dense_period(filtered.covariance, R, moving, dog.gravity, stands, np.zeros(12), DT, filtered.noise)
    q, v = filtered(*given)
    # what is known of the foot in the air is 1e3 m² after Joseph's form has lost as many digits
    assert np.allclose(filtered.covariance, wanted, rtol=1e-9, atol=1e-12)
    many = art.BaseEstimator(dog, FEET, DT)
    many.reset(np.stack([run.q[5], run.q[0]]), np.stack([run.v[5], run.v[0]]))
    both = many(*given)
    assert (both[0][1] == q).all() and (both[1][1] == v).all() and (both[0][0] != q).any()


def test_a_turned_world_turns_the_estimate(trotted):
    """Heading and place cannot be seen: a robot elsewhere, turned about the vertical, is estimated likewise."""
    dog, run, standing = trotted
    moved = np.array(run.q[0])
    moved[:2], moved[3:7] = [3.0, -2.0], [0, 0, np.sin(0.4), np.cos(0.4)]
    _, q, v = estimated(dog, run, standing, run.q[0], 100)
    _, other, same = estimated(dog, run, standing, moved, 100)
    c, s = np.cos(0.8), np.sin(0.8)
    assert np.allclose(other[:2], [3 + c * q[0] - s * q[1], -2 + s * q[0] + c * q[1]], atol=1e-9)
    assert np.allclose(same, v, atol=1e-9) and tilt(dog, other, q) < 1e-6


def test_what_cannot_be_estimated():
    with pytest.raises(art.ModelError, match="free base"):
        art.BaseEstimator(art.load("panda"), [], DT)
    with pytest.raises(art.ModelError, match="fixed to the base"):
        art.BaseEstimator(robot("quadruped"), FEET, DT, imu="FL_FOOT")
    for noise in (None, Noise(gyro=-1.0), Noise(slip=np.nan), Noise(start=(1.0, 2.0))):
        with pytest.raises(art.ShapeError, match="noise"):
            art.BaseEstimator(robot("quadruped"), FEET, DT, noise=noise)
    with pytest.raises(art.ShapeError, match="reset: q or v holds NaN"):
        art.BaseEstimator(robot("quadruped"), FEET, DT).reset(np.zeros(19), np.zeros(18))
    with pytest.raises(art.ShapeError, match=r"an art\.Contacts; got Robot"):
        art.contact_forces(robot("quadruped"), np.zeros(19), np.zeros(18))
    with pytest.raises(art.ShapeError, match="leading axes do not broadcast"):
        art.external_torques(art.load("2r"), np.zeros((5, 2)), np.zeros((4, 2)), np.zeros((4, 2)), DT)
    with pytest.raises(art.ShapeError, match="gyro"):
        art.BaseEstimator(robot("quadruped"), FEET, DT)([0], [0, 0, 9.81], np.zeros(12), np.zeros(12), [True] * 4)
