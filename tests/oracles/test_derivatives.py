"""Derivatives agree with Pinocchio's; `python -m tests.oracles.derivatives` compares every robot."""

import numpy as np
import pytest

import articulated as art
from tests.near import near
from tests.oracles.derivatives import ROBOTS, compare

NAMES = ["ur5_robot", "solo12", "go1", "talos_left_arm", "double_pendulum_continuous", "kinova"]


@pytest.mark.parametrize("floating", [False, True], ids=["fixed", "floating"])
@pytest.mark.parametrize("name", [name for name in NAMES if name in ROBOTS])
def test_derivatives_agree_with_pinocchio(name, floating, monkeypatch):
    pytest.importorskip("pinocchio")  # no wheels for Windows
    monkeypatch.setenv("ARTICULATED_JIT", "off")
    worst = compare(name, floating)
    left_out = [worst.pop(key) for key in list(worst) if key.startswith("left out")]
    assert max(worst.values()) <= 1e-10, worst
    # docs/derivatives.md: in the axes of the world theirs are others
    assert min(left_out) > 1e-6, left_out


@pytest.mark.parametrize("robot", [art.load("ur5"), art.load("quadruped", floating_base=True)], ids=str)
@pytest.mark.parametrize("method", ["frame_velocity", "frame_acceleration"])
def test_ours_are_differences_in_the_axes_of_the_world(robot, method, rng, monkeypatch):
    """So it is Pinocchio that leaves something out: by q, at a point that moves with the frame."""
    monkeypatch.setenv("ARTICULATED_JIT", "off")
    q, frame, step = robot.random(rng), robot.frame_names[-1], 1e-5
    rest = [rng.normal(size=robot.nv) for _ in range(1 if method == "frame_velocity" else 2)]
    high, low = (
        getattr(robot, method)(robot.integrate(q, sign * step * np.eye(robot.nv)), *rest, frame) for sign in (1, -1)
    )
    near(robot.derivatives(method)(q, *rest, frame).q, ((high - low) / (2 * step)).T, 1e-8)
