"""Agreement with Pinocchio and MuJoCo on every robot they can read, to 1e-12."""

import pytest

import articulated as art
from tests.oracles.peers import ROBOTS, Refused, compare_with_mujoco, compare_with_pinocchio

#: what we refuse, and with which code
WE_REFUSE = {"alex_psyonic_hands": "URDF050", "ur3": "URDF019"}
#: every robot with MuJoCo, and every other one with Pinocchio on the other base; `python -m tests.oracles.peers` has
#: all of them with both, on both
NAMES = sorted(set(ROBOTS) - set(WE_REFUSE))
FLOATING = {name: bool(k // 2 % 2) for k, name in enumerate(NAMES)}


@pytest.fixture(autouse=True)
def reference_path(monkeypatch):
    """The NumPy programs: the kernels are compared with them elsewhere, and 60 robots would compile for long."""
    monkeypatch.setenv("ARTICULATED_JIT", "off")


@pytest.mark.parametrize("name", NAMES[::2])
def test_agrees_with_pinocchio(name):
    pytest.importorskip("pinocchio")  # no wheels for Windows
    try:
        worst = compare_with_pinocchio(name, FLOATING[name])
    except Refused as refused:
        pytest.skip(str(refused))
    assert worst and max(worst.values()) <= 1e-12, worst


@pytest.mark.parametrize("name", NAMES)
def test_agrees_with_mujoco(name):
    try:
        worst = compare_with_mujoco(name, not FLOATING[name])
    except Refused as refused:
        pytest.skip(f"MuJoCo: {refused}")
    assert max(worst.values(), default=0.0) <= 1e-12, worst


@pytest.mark.skipif(not ROBOTS, reason="example-robot-data is not installed")
@pytest.mark.parametrize("name, code", WE_REFUSE.items())
def test_what_we_refuse_has_a_reason(name, code):
    with pytest.raises(art.ModelError, match=code):
        art.load(ROBOTS[name])


@pytest.mark.skipif(not ROBOTS, reason="example-robot-data is not installed")
def test_enough_robots_were_compared():
    assert len(ROBOTS) >= 60
