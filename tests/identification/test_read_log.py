"""Logs for identification: what columns are taken for, what is done to them, and what is refused."""

import numpy as np
import pytest

import articulated as art
from articulated.identification.signals import smooth
from articulated.logs import LogError

T = np.arange(0, 4, 0.005)
Q = np.stack([0.5 * np.sin(2 * T), 0.3 * np.cos(3 * T)], axis=1)
V = np.stack([np.cos(2 * T), -0.9 * np.sin(3 * T)], axis=1)
A = np.stack([-2 * np.sin(2 * T), -2.7 * np.cos(3 * T)], axis=1)


def _csv(path, columns):
    rows = zip(*(np.asarray(x).tolist() for x in columns.values()), strict=True)
    path.write_text("\n".join([",".join(columns), *(",".join(map(repr, row)) for row in rows)]) + "\n")
    return path


def _columns(tau=None, t=T, q=Q):
    tau = 3.0 * A if tau is None else tau
    return {
        "timestamp": t, "joint2_position": q[:, 1], "joint1_position": q[:, 0], "joint1.effort": tau[:, 0],
        "joint2.effort": tau[:, 1], "temperature": T,
    }  # fmt: skip


def test_a_filter_has_no_delay_and_derivatives_are_exact():
    for order, wanted in enumerate((Q, V, A)):
        inside = slice(100, -100)
        assert abs(smooth(Q, 0.005, 10.0, order) - wanted)[inside].max() < 1e-5
    noisy = np.sin(2 * np.pi * 60 * T)[:, None]
    assert abs(smooth(noisy, 0.005, 10.0))[100:-100].max() < 1e-5


def test_columns_are_found_and_what_is_missing_is_computed(tmp_path):
    robot = art.load("2r")
    log = art.read_log(robot, _csv(tmp_path / "run.csv", _columns()), cutoff=10)
    at = np.searchsorted(T, log.t)
    assert abs(log.q - Q[at]).max() < 1e-4
    assert abs(log.v - V[at]).max() < 1e-3
    assert abs(log.a - A[at]).max() < 1e-2
    assert log.columns["q"] == ["joint1_position", "joint2_position"]
    assert log.unused == ["temperature"]
    assert any("10 Hz" in note for note in log.notes)
    assert "temperature" in str(log)


def test_a_jittery_clock_is_made_even(tmp_path):
    t = T + np.random.default_rng(0).uniform(0, 0.002, len(T))
    q = np.stack([0.5 * np.sin(2 * t), 0.3 * np.cos(3 * t)], axis=1)
    log = art.read_log(art.load("2r"), _csv(tmp_path / "run.csv", _columns(t=t, q=q)), cutoff=10)
    assert np.ptp(np.diff(log.t)) < 1e-12
    assert abs(log.a[:, 0] + 2 * np.sin(2 * log.t)).max() < 0.02
    assert any("resampled" in note for note in log.notes)


def test_folders_patterns_and_complete_files(tmp_path):
    robot = art.load("2r")
    for name in ("a", "b"):
        np.savez(tmp_path / f"{name}.npz", t=T, q=Q, v=V, a=A, tau=A)
    log = art.read_log(robot, tmp_path)
    assert len(log) == 2 * len(T) and list(log.runs) == [0, len(T)]
    assert (log.a[: len(T)] == A).all()  # as it is: nothing was missing
    assert len(art.read_log(robot, str(tmp_path / "*.npz"))) == len(log)
    assert len(art.read_log(robot, tmp_path / "a.npz", cutoff=5)) < len(T)
    with pytest.raises(LogError, match=r"no \.npz"):
        art.read_log(robot, str(tmp_path / "*.parquet"))


def test_torques_that_cannot_be_trusted_are_left_out(tmp_path):
    robot, tau = art.load("2r"), 3.0 * A
    tau[:, 0] = np.clip(tau[:, 0], -5.0, 5.0)
    tau[100, 1] = np.nan
    log = art.read_log(robot, _csv(tmp_path / "run.csv", _columns(tau)), cutoff=0)
    assert len(log) == len(T) - 1
    assert (log.weights[abs(log.tau[:, 0]) >= 5.0, 0] == 0).all() and log.weights[:, 0].any()
    assert any("clipped" in note for note in log.notes) and any("NaN" in note for note in log.notes)


def test_degrees(tmp_path):
    robot = art.load("panda")
    q = np.zeros((len(T), 7))
    q[:, 1] = 1.0 * np.sin(T)
    q[:, 3] = -1.5
    np.savez(tmp_path / "run.npz", time=T, q=np.degrees(q), tau=q)
    with pytest.raises(LogError, match="degrees=True"):
        art.read_log(robot, tmp_path / "run.npz")
    log = art.read_log(robot, tmp_path / "run.npz", degrees=True)
    assert abs(log.q[:, 1]).max() < 1.01


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"timestamp": np.r_[T[:400], T[:400]]}, "time decreases"),
        ({"timestamp": None}, "rate="),
        ({"joint1.effort": None, "joint2.effort": None, "temperature": None}, "no columns for tau.* columns: none"),
        ({"joint1.effort": np.full(len(T), np.nan)}, "holds no number"),
        ({"timestamp": np.ones(len(T))}, "same time"),
    ],
)
def test_what_is_refused_and_why(changed, said, tmp_path):
    columns = {name: x for name, x in (_columns() | changed).items() if x is not None}
    with pytest.raises(LogError, match=said):
        art.read_log(art.load("2r"), _csv(tmp_path / "run.csv", columns))


def test_milliseconds_are_noticed(tmp_path):
    np.savez(tmp_path / "run.npz", time=T * 1e3, q=Q, tau=A)
    log = art.read_log(art.load("2r"), tmp_path / "run.npz")
    assert log.t[1] - log.t[0] == pytest.approx(0.005)
    with pytest.raises(art.ShapeError, match="less than half"):
        art.read_log(art.load("2r"), tmp_path / "run.npz", cutoff=200)


@pytest.mark.parametrize("name", ["ur5", "puma560", "stanford", "tree4", "scara", "cart_pole", "quadruped"])
def test_misfortunes_of_recorders_on_robots_nobody_chose(name, tmp_path):
    """A clock that goes back, a drive at its limit, a column of something else and one that is missing."""
    robot = art.load(name)
    waves = np.sin(np.outer(T, np.linspace(1.0, 3.0, robot.nv)))
    tau = np.asarray(robot.inverse_dynamics(0.2 * waves, 0 * waves, 5 * waves)) + 3 * waves
    most = 0.6 * abs(tau[:, -1]).max()
    tau[:, -1] = np.clip(tau[:, -1], -most, most)
    columns = {"time": T, "battery_voltage": 48 + T}
    for k, joint in enumerate(robot.joint_names):
        columns |= {f"{joint}_position": 0.2 * waves[:, k], f"{joint}_effort": tau[:, k]}
    log = art.read_log(robot, _csv(tmp_path / "run.csv", columns), cutoff=0)
    at_limit = abs(log.tau[:, -1]) >= most
    assert log.unused == ["battery_voltage"]
    assert at_limit.any() and not log.weights[at_limit, -1].any()
    assert log.weights[~at_limit, -1].mean() > 0.5 and log.weights[:, :-1].all()
    assert any("clipped" in note and robot.joint_names[-1] in note for note in log.notes), log.notes
    with pytest.raises(LogError, match="time decreases"):
        art.read_log(robot, _csv(tmp_path / "back.csv", columns | {"time": np.r_[T[:500], T[:300]]}))
    lost = f"{robot.joint_names[-1]}_position"
    with pytest.raises(LogError, match=f"no column .q_{robot.joint_names[-1]}"):
        art.read_log(robot, _csv(tmp_path / "lost.csv", {k: x for k, x in columns.items() if k != lost}))
