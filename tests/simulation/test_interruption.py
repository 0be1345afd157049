"""Ctrl-C returns what there is, and a long run tells how far it is."""

import numpy as np
import pytest

import articulated as art
from articulated.simulation.progress import Progress


def interrupting(after):
    """A function that is interrupted when it is called for a later time."""

    def torque(t, q, v):
        if t > after:
            raise KeyboardInterrupt
        return 0 * v

    return torque


@pytest.mark.parametrize("every", [1, 3])
def test_a_called_function_is_interrupted(every):
    robot = art.load("double_pendulum")
    run = art.simulate(robot, [0.5, 0], duration=0.12, torque=interrupting(0.0395), every=every)
    whole = art.simulate(robot, [0.5, 0], duration=0.12, torque=interrupting(1.0), every=every)
    assert run.info["ended"] == "interrupted" and len(run) == -(-40 // every)
    assert np.array_equal(run.q, whole.q[: len(run)]) and np.array_equal(run.a, whole.a[: len(run)])


@pytest.mark.parametrize("batch", [(), (3,)])
def test_the_compiled_loop_is_interrupted_between_two_pieces(batch, monkeypatch):
    robot, q = art.load("double_pendulum"), np.full((*batch, 2), 0.5)
    calls = []

    def at(self, done):
        calls.append(done)
        if len(calls) == 3:
            raise KeyboardInterrupt

    whole = art.simulate(robot, q, duration=0.5, method="rk4")
    monkeypatch.setattr(Progress, "at", at)
    monkeypatch.setattr("articulated.simulation.loop.rollout.PIECE", 1e-9)  # a sample at a time
    run = art.simulate(robot, q, duration=0.5, method="rk4")
    assert run.info["ended"] == "interrupted" and 1 < len(run) < len(whole)
    assert np.array_equal(run.q, whole.q[..., : len(run), :]) and run.batch.shape == batch


def test_before_there_is_anything_it_is_an_interruption(monkeypatch):
    robot = art.load("double_pendulum")
    with pytest.raises(KeyboardInterrupt):
        art.simulate(robot, [0.5, 0], duration=0.1, torque=interrupting(-1.0))

    def advance(self, size):
        raise KeyboardInterrupt

    monkeypatch.setattr("articulated.simulation.loop.rollout.Rollout.advance", advance)
    with pytest.raises(KeyboardInterrupt):
        art.simulate(robot, [0.5, 0], duration=0.1)


def test_a_bar_on_request(capsys):
    robot = art.load("double_pendulum")
    for torque in (None, interrupting(1.0)):
        art.simulate(robot, [0.5, 0], duration=0.2, torque=torque, progress=True)
        shown = capsys.readouterr().err
        assert "/200 steps" in shown and shown.endswith("\n")
        art.simulate(robot, [0.5, 0], duration=0.2, torque=torque)
        assert not capsys.readouterr().err  # no terminal
