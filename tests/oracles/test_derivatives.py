"""Derivatives agree with Pinocchio's; `python -m tests.oracles.derivatives` compares every robot."""

import pytest

from tests.oracles.derivatives import ROBOTS, compare

NAMES = ["ur5_robot", "solo12", "go1", "talos_left_arm", "double_pendulum_continuous", "kinova"]


@pytest.mark.parametrize("floating", [False, True], ids=["fixed", "floating"])
@pytest.mark.parametrize("name", [name for name in NAMES if name in ROBOTS])
def test_derivatives_agree_with_pinocchio(name, floating, monkeypatch):
    pytest.importorskip("pinocchio")  # no wheels for Windows
    monkeypatch.setenv("ARTICULATED_JIT", "off")
    worst = compare(name, floating)
    assert max(worst.values()) <= 1e-10, worst
