"""Logs: columns by joint name in any order, any format in and out, in bounded memory, whole or not at all."""

import csv
import tracemalloc
import zipfile

import numpy as np
import pytest

import articulated as art
from articulated.cli import evaluate
from articulated.robot.arguments.state_names import component_names
from tests.near import near

from .command import run

ROBOT = art.load("panda")
N = 50


@pytest.fixture
def states(rng):
    q, v, a = ROBOT.random(rng, N), rng.normal(size=(N, 7)), rng.normal(size=(N, 7))
    return {"time": np.arange(N) * 0.01, "q": q, "v": v, "a": a}


def columns(states, spelling="{}_{}"):
    """Columns of a log, joints in another order than the robot's, with one that belongs to nobody."""
    found = {"comment": np.zeros(N), "time": states["time"]}
    for name in "qva":
        for k in reversed(range(7)):
            found[spelling.format(name, ROBOT.joint_names[k])] = states[name][:, k]
    return found


def save(path, states, spelling="{}_{}"):
    if path.suffix == ".npz":
        np.savez(path, **states)
        return path
    table = columns(states, spelling)
    if path.suffix == ".parquet":
        parquet, pyarrow = pytest.importorskip("pyarrow.parquet"), pytest.importorskip("pyarrow")
        parquet.write_table(pyarrow.table(table), path)
    else:
        with open(path, "w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(table)
            writer.writerows(np.column_stack(list(table.values())).tolist())
    return path


def read(path, name="tau"):
    if path.suffix == ".npz":
        found = np.load(path)
        return found["time"], found[name]
    if path.suffix == ".parquet":
        table = pytest.importorskip("pyarrow.parquet").read_table(path)
        rows, header = np.column_stack([c.to_numpy() for c in table.columns]), table.column_names
    else:
        header = path.read_text().splitlines()[0].split(",")
        rows = np.loadtxt(path, delimiter=",", skiprows=1)
    assert header == ["time", *(f"{name}_{joint}" for joint in ROBOT.joint_names)]
    return rows[:, 0], rows[:, 1:]


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_what_is_written_goes_back_into_methods(states, tmp_path, ending):
    """The columns of a log and of its results, as a table, are arguments: q_JOINT, v_JOINT, tau_JOINT in any order."""
    pandas = pytest.importorskip("pandas")
    log, results = save(tmp_path / f"log.{ending}", states), tmp_path / f"tau.{ending}"
    assert run("id", "panda", "--log", log, "-o", results).code == 0
    load = pandas.read_csv if ending == "csv" else pandas.read_parquet
    given, tau = load(log), load(results).filter(like="tau_")
    q, v, a = (given.filter(regex=f"^{name}_") for name in "qva")
    assert list(q.columns) == [f"q_{name}" for name in reversed(ROBOT.joint_names)]
    expected = ROBOT.inverse_dynamics(states["q"], states["v"], states["a"])
    assert near(ROBOT.inverse_dynamics(q, v, a), expected) and near(tau.to_numpy(), expected)
    assert near(ROBOT.forward_dynamics(q, v, tau[tau.columns[::-1]]), states["a"], 1e-10)  # the condition of M
    with pytest.raises(art.ShapeError, match="forward_dynamics: tau has the labels"):
        ROBOT.forward_dynamics(q, v, a)


@pytest.mark.parametrize("source", ["csv", "npz", "parquet"])
@pytest.mark.parametrize("target", ["csv", "npz", "parquet"])
def test_every_format_in_and_out_to_the_last_bit(source, target, states, tmp_path, monkeypatch):
    monkeypatch.setattr(evaluate, "LARGEST_BLOCK", 7)  # many blocks, the last one short
    log, out = save(tmp_path / f"log.{source}", states), tmp_path / f"out.{target}"
    result = run("id", "panda", "--log", log, "-o", out, "--json")
    assert result.code == 0 and result.json["rows"] == N, result.err
    time, tau = read(out)
    assert (time == states["time"]).all()
    assert (tau == ROBOT.inverse_dynamics(states["q"], states["v"], states["a"])).all()
    assert sorted(p.name for p in tmp_path.iterdir()) == sorted([log.name, out.name])


@pytest.mark.parametrize("spelling", ["{}_{}", "{}.{}", "{}:{}", "{}/{}"])
def test_columns_are_found_by_name(spelling, states, tmp_path):
    log = save(tmp_path / "log.csv", states, spelling)
    assert run("id", "panda", "--log", log, "-o", tmp_path / "out.npz").code == 0
    assert (read(tmp_path / "out.npz")[1] == ROBOT.inverse_dynamics(states["q"], states["v"], states["a"])).all()


def test_bare_joint_names_are_positions_and_stdout_is_csv(states, tmp_path):
    log = tmp_path / "log.csv"
    rows = [",".join(ROBOT.joint_names), *(",".join(map(repr, row)) for row in states["q"].tolist())]
    log.write_text("\n".join(rows) + "\n\n")
    result = run("id", "panda", "-l", log, "--v", "0", "--a", "0.5")
    found = np.loadtxt(result.out.splitlines(), delimiter=",", skiprows=1)
    assert (found == ROBOT.inverse_dynamics(states["q"], np.zeros(7), np.full(7, 0.5))).all()


def test_matrices_become_columns(states, tmp_path):
    log = save(tmp_path / "log.csv", states)
    result = run("mass", "panda", "--log", log)
    header = result.out.splitlines()[0].split(",")
    assert header[1] == "M_panda_joint1_panda_joint1" and len(header) == 50
    np.savez(tmp_path / "log.npz", q=states["q"])
    run("mass", "panda", "--log", tmp_path / "log.npz", "-o", tmp_path / "M.npz")
    assert (np.load(tmp_path / "M.npz")["M"] == ROBOT.mass_matrix(states["q"])).all()


def test_remarks_on_what_looks_wrong(states, tmp_path):
    states["q"] = np.degrees(states["q"])
    states["v"][3, 0] = np.nan
    states["time"][5] = 0
    log = save(tmp_path / "log.csv", states)
    result = run("id", "panda", "--log", log, "-o", tmp_path / "out.npz")
    assert "1 of 50 states hold NaN" in result.err and "is the log in degrees?" in result.err
    assert "time does not increase at 1 of 50" in result.err
    tau = read(tmp_path / "out.npz")[1]
    assert np.isnan(tau[3]).all() and np.isfinite(np.delete(tau, 3, axis=0)).all()
    assert run("id", "panda", "--log", log, "-o", tmp_path / "out.npz", "--quiet").err == ""


HEADER = ",".join(f"{name}_{joint}" for name in "qva" for joint in ROBOT.joint_names)
ROW = ",".join(["0"] * 21)
BAD_CSV = [
    ("empty", "", ":1: the file is empty"),
    ("blank", "\n\n", ":1: the file is empty"),
    ("no header", f"{ROW}\n", ":1: the first line holds numbers; a header has to name the columns, as in q_"),
    ("a joint is missing", HEADER.replace("q_panda_joint4,", "") + "\n", "q_panda_joint4"),
    ("a slip in a name", HEADER.replace("q_panda_joint4", "q_panda_jiont4") + "\n", "did you mean 'q_panda_jiont4'"),
    ("no velocities", HEADER.replace("v_", "w_") + "\n", "no columns for v"),
    ("a word", f"{HEADER}\n{ROW}\n{ROW[:-1]}x\n", ":3: 'x' in a_panda_joint7 is not a number"),
    ("an empty cell", f"{HEADER}\n{ROW[:-1]}\n", ":2: '' in a_panda_joint7 is not a number"),
    ("an underscore", f"{HEADER}\n{ROW[:-1]}1_0\n", ":2: '1_0' in a_panda_joint7 is not a number"),
    ("a short row", f"{HEADER}\n{ROW[:-2]}\n", ":2: 20 values, but the header has 21"),
    ("a long row", f"{HEADER}\n{ROW},0\n", ":2: 22 values, but the header has 21"),
    ("a decimal comma", f"{HEADER}\n0,5{ROW[1:]}\n", ":2: 22 values"),
    ("an open quote", f'{HEADER}\n"{ROW}\n', "unexpected end of data"),
    ("other names", "joint1,joint2\n1,2\n", "It has: joint1, joint2"),
    ("hexadecimal", f"{HEADER}\n{ROW[:-1]}0x1\n", "0x1"),
]


@pytest.mark.parametrize(("what", "text", "words"), BAD_CSV, ids=[case[0] for case in BAD_CSV])
def test_bad_csv_names_its_line(what, text, words, tmp_path):
    (tmp_path / "log.csv").write_text(text)
    result = run("id", "panda", "--log", tmp_path / "log.csv", "-o", tmp_path / "out.csv")
    assert result.code == 3 and words in result.err, result.err
    assert not (tmp_path / "out.csv").exists() and len(list(tmp_path.iterdir())) == 1


def test_a_csv_that_is_not_text(tmp_path):
    (tmp_path / "log.csv").write_bytes(b"\xff\xfe\x00")
    result = run("id", "panda", "--log", tmp_path / "log.csv")
    assert result.code == 3 and "log.csv: not a CSV file" in result.err


GOOD = {name: np.zeros((5, 7)) for name in "qva"}
BAD_NPZ = [
    ("other names", {"places": np.zeros((5, 7))}, "no columns for q and v and a"),
    ("wrong width", {**GOOD, "v": np.zeros((5, 6))}, "v has shape (5, 6)"),
    ("one state", {**GOOD, "v": np.zeros(7)}, "v has shape (7,)"),
    (
        "different lengths",
        {**GOOD, "a": np.zeros((4, 7))},
        "a has shape (4, 7) of float64; it must be (5, 7) of numbers",
    ),
    ("objects", {**GOOD, "a": np.array([{}])}, "a has shape (1,) of object"),
    ("words", {**GOOD, "a": np.array([["x"] * 7])}, "it must be (5, 7) of numbers"),
    ("columns first", {**GOOD, "a": np.asfortranarray(np.ones((5, 7)))}, "column by column"),
    ("no acceleration", {"q": GOOD["q"], "v": GOOD["v"]}, "no columns for a"),
]


@pytest.mark.parametrize(("what", "arrays", "words"), BAD_NPZ, ids=[case[0] for case in BAD_NPZ])
def test_bad_npz(what, arrays, words, tmp_path):
    np.savez(tmp_path / "log.npz", **arrays)
    result = run("id", "panda", "--log", tmp_path / "log.npz", "-o", tmp_path / "out.npz")
    assert result.code == 3 and words in result.err, result.err
    assert not (tmp_path / "out.npz").exists()


def test_broken_archives(tmp_path):
    log = tmp_path / "log.npz"
    np.savez(log, **{name: np.random.default_rng(0).normal(size=(2000, 7)) for name in "qva"})
    whole = log.read_bytes()
    for broken in (b"", b"PK\x03\x04", whole[:1000], whole[:-100], whole[:40_000] + b"\xff" * 50 + whole[40_050:]):
        log.write_bytes(broken)
        result = run("id", "panda", "--log", log, "-o", tmp_path / "out.npz")
        assert result.code == 3 and "log.npz" in result.err
    with zipfile.ZipFile(log, "w") as archive:
        for name in "qva":
            archive.writestr(f"{name}.npy", b"not an array")
    assert run("id", "panda", "--log", log).code == 3
    (tmp_path / "log.parquet").write_bytes(b"PAR1 not really")
    assert run("id", "panda", "--log", tmp_path / "log.parquet").code == 3


def test_compressed_and_single_precision_logs_are_read(states, tmp_path):
    np.savez_compressed(tmp_path / "log.npz", **{name: states[name].astype(np.float32) for name in "qva"})
    assert run("id", "panda", "--log", tmp_path / "log.npz", "-o", tmp_path / "out.npz").code == 0
    single = [states[name].astype(np.float32).astype(float) for name in "qva"]
    assert (np.load(tmp_path / "out.npz")["tau"] == ROBOT.inverse_dynamics(*single)).all()


def test_an_empty_log_gives_an_empty_result(tmp_path):
    (tmp_path / "log.csv").write_text(HEADER + "\n")
    assert run("id", "panda", "--log", tmp_path / "log.csv", "-o", tmp_path / "out.npz").code == 0
    assert np.load(tmp_path / "out.npz")["tau"].shape == (0, 7)


def test_memory_does_not_grow_with_the_log(tmp_path):
    """300 000 states, 70 MB in and out; `python -m tests.cli.long_log` does the same with 10^7."""
    rng = np.random.default_rng(0)
    np.savez(tmp_path / "log.npz", **{name: rng.normal(size=(300_000, 7)) for name in "qva"})
    run("id", "panda")  # compiled
    tracemalloc.start()
    try:
        assert run("id", "panda", "--log", tmp_path / "log.npz", "-o", tmp_path / "out.npz").code == 0
        assert tracemalloc.get_traced_memory()[1] < 40e6
    finally:
        tracemalloc.stop()
    assert np.load(tmp_path / "out.npz")["tau"].shape == (300_000, 7)


def test_an_interrupted_run_leaves_nothing_and_says_130(states, tmp_path, monkeypatch):
    log = save(tmp_path / "log.csv", states)

    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("articulated.cli.remarks.Remarks.look", interrupted)
    for ending in ("csv", "npz", "parquet"):
        result = run("id", "panda", "--log", log, "-o", tmp_path / f"out.{ending}")
        assert result.code == 130 and list(tmp_path.iterdir()) == [log]


def test_a_full_disk_names_the_file_and_leaves_nothing(states, tmp_path, monkeypatch):
    log = save(tmp_path / "log.csv", states)

    def full(_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("articulated.housekeeping.os.fsync", full)
    (tmp_path / "out.csv").write_text("the old one")
    result = run("id", "panda", "--log", log, "-o", tmp_path / "out.csv")
    assert result.code == 3 and "out.csv: No space left" in result.err
    assert (tmp_path / "out.csv").read_text() == "the old one" and len(list(tmp_path.iterdir())) == 2


@pytest.mark.parametrize("scale", [1e-9, 1e9])
def test_quaternions_of_any_length_are_rotations(scale, tmp_path, rng):
    dog = art.load("quadruped", floating_base=True)
    q, v, a = dog.random(rng, N), *rng.normal(size=(2, N, dog.nv))
    expected = dog.inverse_dynamics(q, v, a)
    q[7, 3:7] *= scale
    np.savez(tmp_path / "log.npz", q=q, v=v, a=a)
    found = tmp_path / "tau.npz"
    assert run("id", "quadruped", "--floating", "--log", tmp_path / "log.npz", "-o", found).code == 0
    assert near(np.load(found)["tau"], expected)


CLASHES = {
    "planar": (art.Planar(name="a"), "a_x"), "cylindrical": (art.Cylindrical(name="c"), "c_1"),
    "spherical": (art.Spherical(name="s"), "s_rx"), "long": (art.Planar(name="a"), "a__angle"),
}  # fmt: skip


def clashing(kind, first=True):
    """A joint of several numbers beside one that is called as one of them."""
    joint, other = CLASHES[kind]
    inertia = art.Inertia(1.0, (0.1, 0.2, 0.3), np.diag([0.3, 0.2, 0.25]))
    joints = [joint, art.Revolute(name=other), art.Revolute(name="a_x" if kind == "long" else "other")]
    joints = joints if first else joints[::-1]
    links = [art.Link(f"link{k}", f"link{k - 1}" if k else None, x, inertia=inertia) for k, x in enumerate(joints)]
    return art.build(links)


@pytest.mark.parametrize("kind", CLASHES)
@pytest.mark.parametrize("first", [True, False])
def test_joints_called_as_parts_of_others(kind, first, tmp_path, rng):
    """Every number has a name of its own, and its own column is read, whatever the order of the columns."""
    robot = clashing(kind, first)
    for name in ("q", "v"):
        names = component_names(robot.model, name)
        assert len(set(names)) == len(names) and set(names) >= {CLASHES[kind][1], "a_x" if kind == "long" else "other"}
    motion = art.Trajectory(robot, np.arange(4), robot.random(rng, 4), *rng.normal(size=(3, 4, robot.nv)))
    motion.save(tmp_path / "run.csv")
    with open(tmp_path / "run.csv", newline="") as file:
        rows = [row[:-1][::-1] for row in csv.reader(file)]  # without the header of the trajectory
    with open(tmp_path / "log.csv", "w", newline="") as file:
        csv.writer(file).writerows(rows)
    art.save(robot, tmp_path / "robot.toml")
    done = run("id", tmp_path / "robot.toml", "--log", tmp_path / "log.csv", "-o", tmp_path / "tau.npz")
    assert done.code == 0, done.err
    assert near(np.load(tmp_path / "tau.npz")["tau"], robot.inverse_dynamics(motion.q, motion.v, motion.a))
    back = art.Trajectory.load(tmp_path / "log.csv", robot)
    assert all(np.array_equal(getattr(back, name), getattr(motion, name)) for name in ("q", "v", "a", "tau"))


def test_a_column_is_one_number(tmp_path):
    """q_1 is the position of the joint 1, and would be that of the second joint."""
    joints = [art.Revolute(name="1"), art.Revolute(name="b")]
    links = [art.Link(f"link{k}", f"link{k - 1}" if k else None, x) for k, x in enumerate(joints)]
    links[-1] = links[-1].replace(inertia=art.Inertia(1.0, (0.1, 0, 0), np.eye(3)))
    art.save(art.build(links), tmp_path / "robot.toml")
    (tmp_path / "log.csv").write_text("q_1\n0.5\n")
    done = run("bias", tmp_path / "robot.toml", "--log", tmp_path / "log.csv")
    assert done.code and "'q_1' (column 1) could be the q of 1 and b" in done.err
