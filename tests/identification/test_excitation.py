"""Motions that show the base parameters keep to the limits; a payload is found state by state."""

import numpy as np
import pytest

import articulated as art
from articulated.identification.excitation import _gram


def test_an_excitation_keeps_to_limits_and_shows_everything():
    robot = art.load("panda")
    motion = art.excitation(robot, 8.0, rate=100, acceleration=5.0)
    limits = robot.limits
    assert ((motion.q >= limits.lower) & (motion.q <= limits.upper)).all()
    assert (abs(motion.v) <= limits.velocity).all() and (abs(motion.tau) <= limits.effort).all()
    assert abs(motion.a).max() <= 5.0
    assert not robot.collides(motion.q).any()
    assert max(abs(motion.v[[0, -1]]).max(), abs(motion.a[[0, -1]]).max()) < 1e-12
    # q, v and a belong together
    middle = (motion.q[2:] - motion.q[:-2]) * 50
    assert abs(middle - motion.v[1:-1]).max() < 1e-2
    assert motion.info["condition"] < 30
    found = art.identify(robot, motion, friction=None)
    assert found.unseen == []
    # half the motion tells less
    half = _gram(robot, motion.q[0] + (motion.q - motion.q[0]) / 2, motion.v / 2, motion.a / 2)
    assert np.linalg.slogdet(half)[1] < motion.info["information"]


def test_what_cannot_be_excited_is_said():
    with pytest.raises(art.ModelError, match="several coordinates"):
        art.excitation(art.load("quadruped", floating_base=True))
    with pytest.raises(art.ShapeError, match="within the limits"):
        art.excitation(art.load("panda"), start=[9.0] * 7)
    with pytest.raises(art.ShapeError, match="acceleration"):
        art.excitation(art.load("2r"), acceleration=-1)


def test_a_payload_is_found_and_forgotten_state_by_state():
    robot, rng = art.load("panda"), np.random.default_rng(5)
    loads = [art.Inertia(m, (0, 0.01, 0.08), np.eye(3) * 1e-3) for m in (0.5, 2.0)]
    states = rng.normal(size=(400, 3, 2, 7))  # two logs at once
    estimator = art.PayloadEstimator(robot, "panda_hand", memory=50, noise=0.05, batch=(2,))
    for load in loads:
        loaded = robot.attach("panda_hand", load)
        for q, v, a in states:
            tau = loaded.inverse_dynamics(q, v, a)
            estimator.update(q, v, a, tau + rng.normal(0, 0.05, tau.shape))
        assert abs(estimator.mass / load.mass - 1).max() < 0.05
        assert abs(estimator.center - load.com).max() < 0.01
    assert estimator.payload.mass == pytest.approx(2.0, rel=0.05)
