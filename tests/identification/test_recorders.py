"""Files as recorders write them: the same motion and torques come out of each, with one option at most."""

import numpy as np
import pytest

import articulated as art
from articulated.logs import LogError

T = np.arange(0, 1.5, 0.002)
STAMP = 1_700_000_000_000_000_000
NAMES = [f"panda_joint{k + 1}" for k in range(7)]


def _motion(count, t=T):
    phase, t = np.arange(count), t[:, None]
    q = 0.4 * np.sin(2 * t + phase) - np.arange(count) * 0.01
    return {"q": q, "v": 0.8 * np.cos(2 * t + phase), "tau": 5 * np.cos(3 * t + 2 * phase)}


def _table(columns, separator=",", before="", comma=".", end="\n"):
    rows = zip(*(x if isinstance(x, list) else np.asarray(x).tolist() for x in columns.values()), strict=True)
    lines = [separator.join(columns), *(separator.join(map(str, row)).replace(".", comma) for row in rows)]
    return before + end.join([*lines, ""])


def _by_number(names, count, first=0):
    """{pattern: quantity} as columns; a quantity may be another array."""
    motion, out = _motion(count), {}
    for pattern, held in names.items():
        x = motion[held] if isinstance(held, str) else held
        out |= {pattern.format(k + first): x[:, k] for k in range(count)}
    return out


def _ur(count):
    junk = np.random.default_rng(0).normal(size=(len(T), count))
    names = {
        "target_q_{}": junk, "target_qd_{}": junk, "target_qdd_{}": junk, "target_current_{}": junk,
        "target_moment_{}": junk, "actual_q_{}": "q", "actual_qd_{}": "v", "actual_current_{}": "tau",
        "actual_TCP_pose_{}": junk, "actual_TCP_speed_{}": junk, "joint_temperatures_{}": junk,
    }  # fmt: skip
    return {"timestamp": 86400.5 + T, **_by_number(names, count), "robot_mode": [7] * len(T)}


def _panda():
    junk = np.random.default_rng(0).normal(size=(len(T), 7))
    names = {"q_d[{}]": junk, "q[{}]": "q", "dq[{}]": "v", "tau_J_d[{}]": junk, "tau_J[{}]": "tau",
             "tau_ext_hat_filtered[{}]": junk}  # fmt: skip
    return {"time": T, **_by_number(names, 7)}


def _plotjuggler(topic="/joint_states"):
    motion, out = _motion(7), {"__time": STAMP * 1e-9 + T}
    for word, name in (("effort", "tau"), ("position", "q"), ("velocity", "v")):
        for k in (3, 1, 0, 2, 6, 5, 4):
            out[f"{topic}/{NAMES[k]}/{word}"] = motion[name][:, k]
    return {**out, f"{topic}/header/stamp/sec": [STAMP // 10**9] * len(T)}


FILES = {
    "numbers": ("panda", "run.csv", _table({"t": T, **_by_number({"q{}": "q", "dq{}": "v", "tau{}": "tau"}, 7)}), {}),
    "numbers from one": (
        "panda", "run.csv", _table({"t": T, **_by_number({"q{}": "q", "qd{}": "v", "tau{}": "tau"}, 7, 1)}), {}),
    "libfranka": ("panda", "run.csv", _table(_panda()), {}),
    "RTDE": ("ur5", "run.csv", _table(_ur(6)), {}),
    "RTDE with spaces": ("ur5", "run.txt", _table(_ur(6), " "), {}),
    "semicolons and decimal commas": ("ur5", "run.csv", _table(_ur(6), ";", comma=","), {}),
    "tabs, lines of Windows": ("ur5", "run.tsv", _table(_ur(6), "\t", end="\r\n"), {}),
    "PlotJuggler": ("panda", "run.csv", _table(_plotjuggler()), {}),
    "PlotJuggler, two topics": (
        "panda", "run.csv",
        _table({**_plotjuggler("/left/states"), **_plotjuggler("/right/states"), "/left/states/a/position": T}),
        {"columns": "/right/states"}),
    "rostopic echo -p": (
        "panda", "run.csv",
        "%" + _table({"time": STAMP + np.round(T * 1e9).astype(int), "field.header.seq": T, **_by_number(
            {"field.position{}": "q", "field.velocity{}": "v", "field.effort{}": "tau"}, 7)}), {}),
    "comments above names in a comment": (
        "panda", "run.txt",
        _table({"t": T, **_by_number({"q_{}": "q", "v_{}": "v", "tau_{}": "tau"}, 7)}, " ", "# robot: panda\n# "), {}),
    "units in the names": (
        "panda", "run.csv",
        _table({"Time [s]": T, **_by_number({"Joint {} position [deg]": np.degrees(_motion(7)["q"]),
                "Joint {} velocity [deg/s]": np.degrees(_motion(7)["v"]), "Joint {} torque [Nm]": "tau"}, 7, 1)}), {}),
    "each quantity in its own unit": (
        "panda", "run.csv",
        _table({"ISO time": T, "t": T, **_by_number({"pos_{}_deg": np.degrees(_motion(7)["q"]),
                "motor speed {} [rpm]": _motion(7)["v"] * 30 / np.pi, "M{}_mNm": 1e3 * _motion(7)["tau"],
                "voltage_{}_V": "q", "temp{}": "q"}, 7, 1)}).replace("M", "torque_"), {}),
    "degrees and rad/s, mA": (
        "panda", "run.csv",
        _table({"t": T, **_by_number({"q{} [deg]": np.degrees(_motion(7)["q"]), "qd{} [rad/s]": "v",
                "actual_current_{} [mA]": 1e3 * _motion(7)["tau"]}, 7, 1)}), {}),
    "dates, gripper joints": (
        "panda", "run.csv",
        _table({"timestamp": [str(np.datetime64("2024-05-01T12:00") + np.timedelta64(round(1e6 * t), "us")) for t in T],
                **_by_number({"q_{}": "q", "v_{}": "v", "tau_{}": "tau"}, 9)}), {}),
    "another clock": (
        "panda", "run.csv",
        _table({"t": T[::-1], "ros_time": STAMP * 1e-9 + T,
                **_by_number({"q_{}": "q", "dq_{}": "v", "tau_{}": "tau"}, 7)}),
        {"columns": {"time": "ros_time"}}),
    "what was told, as asked for": (
        "panda", "run.csv",
        _table({"t": T, **_by_number({"q_meas_{}": "q", "q_dot_{}": "v", "tau_cmd_{}": "tau"}, 7)}),
        {"columns": {"tau": "tau_cmd"}}),
}  # fmt: skip


@pytest.mark.parametrize(("robot", "name", "text", "options"), FILES.values(), ids=FILES)
def test_the_same_motion_comes_out(robot, name, text, options, tmp_path):
    (tmp_path / name).write_text(text, "utf-8")
    robot = art.load(robot)
    log = art.read_log(robot, tmp_path / name, cutoff=30, **options)
    wanted = _motion(robot.nv, log.t - log.t[0] + 0.068)
    for quantity in ("q", "v", "tau"):
        assert abs(getattr(log, quantity) - wanted[quantity])[100:-100].max() < 1e-3, (quantity, log.columns)
    assert log.currents == ("actual_current" in text)


@pytest.mark.parametrize("names", [
    ("timestamps", "positions", "velocities", "torques"), ("t", "joint_positions", "joint_velocities", "joint_efforts"),
    ("time", "q_meas", "dq_meas", "tau_meas"), ("stamp", "actual_q", "actual_qd", "currents"),
])  # fmt: skip
def test_arrays_in_other_spellings(names, tmp_path):
    motion = _motion(7)
    arrays = dict(zip(names, (T, motion["q"], motion["v"], motion["tau"]), strict=True))
    np.savez(tmp_path / "run.npz", **arrays, q_des=0 * motion["q"], tau_ext=0 * motion["q"], voltage=motion["v"])
    log = art.read_log(art.load("panda"), tmp_path / "run.npz", cutoff=30)
    assert [log.columns[name] for name in ("time", "q", "v", "tau")] == [[name] for name in names]
    assert set(log.unused) == {"q_des", "tau_ext", "voltage"} and log.currents == (names[3] == "currents")


def test_dates_in_parquet(tmp_path):
    pyarrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    columns = {"stamp": (STAMP + np.round(T * 1e9).astype(int)).astype("datetime64[ns]")}
    parquet.write_table(
        pyarrow.table(columns | _by_number({"q_{}": "q", "tau_{}": "tau"}, 7)), tmp_path / "run.parquet"
    )
    log = art.read_log(art.load("panda"), tmp_path / "run.parquet", cutoff=30)
    assert log.t[1] - log.t[0] == pytest.approx(0.002, rel=1e-3)


def test_lines_that_are_broken_and_numbers_that_are_wild_are_left_out(tmp_path):
    lines = _table({"t": T, **_by_number({"q{}": "q", "tau{}": "tau"}, 7)}).split("\n")
    lines[50] = lines[50][:30]
    lines[60] = lines[60].replace(lines[60].split(",")[3], "")
    cells = lines[70].split(",")
    cells[2] = "1e6"
    lines[70] = ",".join(cells)
    lines[-1] = lines[3][:17]  # the recorder was killed
    (tmp_path / "run.csv").write_text("\n".join(lines))
    log = art.read_log(art.load("panda"), tmp_path / "run.csv", cutoff=10, rate=500)
    said = " ".join(log.notes)
    assert "3 lines with cells that are no numbers, the first is 51" in said
    assert "1 row with numbers far beyond all others" in said
    assert abs(log.q).max() < 1


def test_two_that_would_do_are_named(tmp_path):
    (tmp_path / "run.csv").write_text(_table({"t": T, **_by_number({"left_q_{}": "q", "right_q_{}": "q"}, 7)}))
    with pytest.raises(LogError, match=r"left_q_0 and right_q_0 could both be q; say which by columns="):
        art.read_log(art.load("panda"), tmp_path / "run.csv")
    with pytest.raises(KeyError, match="effort"):
        art.read_log(art.load("panda"), tmp_path / "run.csv", columns={"effort": "left"})
