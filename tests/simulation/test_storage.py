"""Files give back what was saved, to the last bit, with its robot; and other programs of ours read them."""

import json
import os
import subprocess
import sys
from functools import partial
from importlib.util import find_spec

import numpy as np
import pytest

import articulated as art
from articulated.logs import FORMATS
from tests.cli.command import run as command
from tests.near import near
from tests.zoo import ZOO

from .rollouts import contacts, dog, rollout, same, scattered

ENDINGS = [ending.removeprefix(".") for ending in FORMATS]
STORED = [robot for robot in ZOO if robot.nv <= 20][1::3]


@pytest.fixture(params=ENDINGS)
def ending(request):
    if request.param == "parquet":
        pytest.importorskip("pyarrow")
    return request.param


def stored(run, ending, folder, robot=None):
    run.save(folder / f"run.{ending}")
    assert [path.name for path in folder.iterdir()] == [f"run.{ending}"]
    return art.Trajectory.load(folder / f"run.{ending}", robot)


@pytest.mark.parametrize("batch", [(), (1,), (3,), (2, 2)], ids=str)
def test_everything_comes_back(ending, batch, tmp_path):
    run = dog(7, batch, contact=contacts(7, batch, each_friction=bool(batch)))
    back = stored(run, ending, tmp_path)
    assert same(back, run) and back.robot.joint_names == run.robot.joint_names
    assert near(back.energy.total, run.energy.total)  # the robot is the same, too


@pytest.mark.parametrize("robot", STORED, ids=lambda robot: robot.name)
def test_the_robot_is_in_the_file(robot, tmp_path):
    run = scattered(robot, 2)
    back = stored(run, "npz", tmp_path)
    assert same(back, run) and near(back.energy.total, run.energy.total)
    assert back.robot.name == robot.name and set(back.robot.frame_names) >= set(robot.frame_names)
    for frame in robot.frame_names:
        assert near(back.pose(frame), run.pose(frame))


@pytest.mark.parametrize("numbers", [[5e-324, 1e-17], [1 / 3, -0.0], [1.7e308, np.nextafter(1, 2)]])
def test_no_digit_is_lost(ending, numbers, tmp_path):
    robot = art.load("2r")
    run = art.Trajectory(robot, [0.1], [numbers], [[0, 0]], [numbers], [numbers[::-1]])
    back = stored(run, ending, tmp_path)
    assert all(getattr(back, n).tobytes() == getattr(run, n).tobytes() for n in ("t", "q", "v", "a", "tau"))


def test_a_robot_of_ones_own(ending, tmp_path):
    """Another Panda than the catalogue's: its file is right, or asks for it."""
    heavy = art.load("2r").replace("link2", inertia=art.Inertia(9.0, (0.1, 0, 0)))
    run = rollout(heavy, 3)
    if ending == "csv":
        with pytest.raises(ValueError, match="differs from 2r in the catalogue"):
            stored(run, ending, tmp_path)
        back = art.Trajectory.load(tmp_path / "run.csv", heavy)
    else:
        back = stored(run, ending, tmp_path)
    assert near(back.energy.total, run.energy.total)
    given = art.Trajectory.load(tmp_path / f"run.{ending}", "2r")  # who names a robot means it
    assert given.robot.mass == art.load("2r").mass


def test_a_robot_that_no_file_describes(ending, tmp_path):
    class Hinge(art.Revolute):
        """A joint of the user's own."""

        kind = "hinge_of_mine"

    robot = art.build([art.Link("base"), art.Link("arm", "base", Hinge(), inertia=art.Inertia(1.0, (1, 0, 0)))])
    run = rollout(robot, 3)
    with pytest.raises(ValueError, match="robot="):
        stored(run, ending, tmp_path)
    assert same(art.Trajectory.load(tmp_path / f"run.{ending}", robot), run)


def test_by_name_by_file_on_a_free_base(ending, tmp_path):
    run = rollout(art.load("quadruped", floating_base=True), 3)
    run.save(tmp_path / f"run.{ending}")
    art.save(art.load("quadruped"), tmp_path / "dog.toml")
    for robot in (None, "quadruped", str(tmp_path / "dog.toml"), tmp_path / "dog.toml", run.robot):
        assert same(art.Trajectory.load(tmp_path / f"run.{ending}", robot), run)


def test_another_robot_is_refused(ending, tmp_path):
    rollout(art.load("ur5"), 3).save(tmp_path / f"run.{ending}")
    with pytest.raises(ValueError, match="shoulder_pan_joint"):
        art.Trajectory.load(tmp_path / f"run.{ending}", "puma560")
    with pytest.raises(ValueError, match=r"nq = 6, nv = 6.*nq = 7, nv = 7"):
        art.Trajectory.load(tmp_path / f"run.{ending}", art.load("panda"))
    with pytest.raises(art.ShapeError, match="robot is a robot"):
        art.Trajectory.load(tmp_path / f"run.{ending}", 3)


def test_names_that_hold_anything(ending, tmp_path):
    odd = ['a,"b"\n', "a\x1b[31m", "{trajectory}", "é☃ x"]
    links = [art.Link("base")]
    inertia = art.Inertia(1.0, (0.1, 0, 0), np.diag([0.1, 0.1, 0.1]))
    for name in odd:
        links.append(art.Link(f"link {name}", links[-1].name, art.Revolute(name=name), inertia=inertia))
    run = rollout(art.build(links, name='x"\n'), 3)
    assert same(stored(run, ending, tmp_path, run.robot), run)


def test_commands_read_them_as_logs(ending, tmp_path):
    run = rollout(art.load("2r"), 4)
    run.save(tmp_path / f"run.{ending}")
    done = command("id", "2r", "--log", tmp_path / f"run.{ending}", "-o", tmp_path / "tau.npz")
    assert done.code == 0, done.err
    tau = np.load(tmp_path / "tau.npz")["tau"]
    assert near(tau, run.tau, 1e-11)  # forward and back


def test_a_log_is_a_trajectory_if_it_has_everything(tmp_path):
    run = rollout(art.load("2r"), 4)
    columns = {
        "time": run.t,
        **{f"{n}_joint{k + 1}": getattr(run, n)[:, k] for n in ("tau", "q", "a", "v") for k in (0, 1)},
    }
    lines = [",".join(columns), *(",".join(map(repr, map(float, row))) for row in zip(*columns.values(), strict=True))]
    path = tmp_path / "log.csv"
    path.write_text("\n".join(lines))
    assert same(art.Trajectory.load(path, "2r"), art.Trajectory(run.robot, run.t, run.q, run.v, run.a, run.tau))
    with pytest.raises(ValueError, match="does not name its robot"):
        art.Trajectory.load(path)
    path.write_text("\n".join(lines).replace("tau_joint2", "torque2"))
    with pytest.raises(ValueError, match="no column 'tau_joint2' in the header; it has: time, tau_joint1, torque2"):
        art.Trajectory.load(path, "2r")


def test_trajectories_have_the_spellings_of_logs(tmp_path):
    """Columns JOINT_position and their like, a clock called t; in an NPZ file plain arrays."""
    run = rollout(art.load("2r"), 4)
    bare = art.Trajectory(run.robot, run.t, run.q, run.v, run.a, run.tau)
    words = {"tau": "effort", "q": "position", "a": "acceleration", "v": "velocity"}
    names = ["t", "temperature", *(f"joint{k}_{word}" for word in words.values() for k in (1, 2))]
    rows = np.column_stack([run.t, run.t, *(getattr(run, name) for name in words)])
    np.savetxt(tmp_path / "log.csv", rows, "%.17g", ",", header=",".join(names), comments="")
    np.savez(tmp_path / "log.npz", t=run.t, **{name: getattr(run, name) for name in words})
    for name in ("log.csv", "log.npz"):
        assert same(art.Trajectory.load(tmp_path / name, "2r"), bare)


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_a_table_of_pandas_is_a_trajectory(form, tmp_path):
    """Its motion and torques; contacts and forces are in files of `save`."""
    pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    run = dog(5, info={})
    frame, path = run.to_pandas(), tmp_path / f"table.{form}"
    write = partial(frame.to_csv, index=False) if form == "csv" else frame.to_parquet
    write(path)
    with pytest.raises(ValueError, match=r"column '(contact|force)_.*' is not read from a table"):
        art.Trajectory.load(path, run.robot)
    frame = frame[[name for name in frame if not name.startswith(("contact_", "force_"))]]
    write = partial(frame.to_csv, index=False) if form == "csv" else frame.to_parquet
    write(path)
    back = art.Trajectory.load(path, run.robot)
    assert back.contact is None and np.array_equal(back.q, run.q) and np.array_equal(back.tau, run.tau)


def test_poses_are_in_the_file(ending, tmp_path):
    run = rollout(art.load("quadruped", floating_base=True), 3)
    back = stored(run, ending, tmp_path)
    assert list(back.robot.poses) == ["home"] and np.array_equal(back.robot.poses["home"], run.robot.poses["home"])


def test_nothing_is_pickled(tmp_path):
    dog(3).save(tmp_path / "run.npz")
    with np.load(tmp_path / "run.npz", allow_pickle=False) as archive:
        assert all(archive[name].dtype != object for name in archive.files)
        assert json.loads(str(archive["trajectory"]))["robot"] == "quadruped"


# -- whole or not at all --------------------------------------------------------------------------------------------

OLD = b"what was there before"
SAVE = """
import articulated as art, numpy as np
run = art.Trajectory(art.load('2r'), np.arange(20000.), *[np.ones((20000, 2))] * 4)
"""
LIMIT = """
import resource, signal
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (9999, 9999))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="limits of POSIX")
@pytest.mark.parametrize("before", [None, OLD], ids=["nothing there", "an old file"])
def test_no_room_for_the_file(before, tmp_path):
    """Every format, in one program."""
    files = [tmp_path / f"run.{ending}" for ending in ENDINGS if ending != "parquet" or find_spec("pyarrow")]
    for out in files if before else ():
        out.write_bytes(before)
    told = f"""
for out in {list(map(str, files))}:
    try:
        run.save(out)
    except OSError as problem:
        print(type(problem).__name__, problem)
"""
    done = subprocess.run(
        [sys.executable, "-c", SAVE + LIMIT + told], capture_output=True, text=True, timeout=120,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )  # fmt: skip
    for out, line in zip(files, done.stdout.splitlines(), strict=True):
        assert str(out) in line and "File too large" in line, done.stdout + done.stderr
    assert [path.read_bytes() for path in tmp_path.iterdir()] == [before] * len(files) * bool(before)


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_killed_while_writing(tmp_path):
    out = tmp_path / "run.csv"
    process = subprocess.Popen(
        [sys.executable, "-c", SAVE + f"while True: run.save({str(out)!r})"],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}, stderr=subprocess.PIPE,
    )  # fmt: skip
    while not (out.exists() and [path for path in tmp_path.iterdir() if path.name.endswith(".part")]):
        assert process.poll() is None
    process.kill()
    process.communicate()
    assert len(art.Trajectory.load(out)) == 20000
    rollout(art.load("2r"), 2).save(out)  # cleans up
    assert len(art.Trajectory.load(out)) == 2 and [path.name for path in tmp_path.iterdir()] == ["run.csv"]


def test_a_folder_that_is_not_there(ending, tmp_path):
    with pytest.raises(OSError, match="No such file"):
        rollout(art.load("2r"), 2).save(tmp_path / "gone" / f"run.{ending}")
    with pytest.raises(OSError, match="No such file"):
        art.Trajectory.load(tmp_path / f"run.{ending}")
    (tmp_path / f"run.{ending}").mkdir()
    with pytest.raises(ValueError, match="is a folder"):
        art.Trajectory.load(tmp_path / f"run.{ending}")


@pytest.mark.parametrize("name", ["2r", "scara", "cart_pole", "quadruped", "scene"])
def test_a_run_from_a_file_is_continued(name, tmp_path):
    # a file has links in between where frames of links are not at their joints
    robot = (
        art.Scene([art.load("2r"), art.load("2r"), art.Ball(0.1, 1.0, at=(0, 9, 0))], at={"2r1": (0, 5, 0)})
        if name == "scene"
        else art.load(name)
    )
    q0 = robot.poses.get("start", robot.poses.get("home", robot.neutral()))
    run = art.simulate(robot, q0, duration=0.01)
    run.save(tmp_path / "run.npz")
    known = art.Trajectory.load(tmp_path / "run.npz")
    after = art.simulate(known.robot, run.q[-1], run.v[-1], duration=0.01)
    for first, second in ((run, after), (known, art.simulate(robot, run.q[-1], run.v[-1], duration=0.01))):
        whole = first + second
        assert abs(whole.q - art.simulate(robot, q0, duration=0.02).q).max() < 1e-12
