"""A user's mistake: the documented exit code, a sentence on stderr, nothing on stdout, never a traceback."""

import json
import os
import sys

import pytest

from .command import run

STATES = [
    ("too few", ["--q", "1"], "has 1 number;"),
    ("too many", ["--q", "1 2 3"], "has 3 numbers; panda needs 7"),
    ("a word", ["--q", "1 2 3 4 5 6 seven"], "'seven' is not a number"),
    ("nan", ["--v", "nan"], "'nan' is not a number"),
    ("inf", ["--v", "inf"], "'inf' is not a number"),
    ("overflow", ["--v", "1e400"], "too large"),
    ("hexadecimal", ["--v", "0x10"], "is not a number"),
    ("underscore", ["--v", "1_0"], "is not a number"),
    ("division by zero", ["--q", "pi/0"], "divides by zero"),
    ("unknown joint", ["--q", "panda_joint8=1"], "did you mean 'panda_joint"),
    ("the same joint twice", ["--q", "panda_joint1=1,panda_joint1=2"], "panda_joint1 is given twice"),
    ("mixed", ["--q", "panda_joint1=1 2"], "is not a number"),
    ("no value", ["--q", "panda_joint1="], "is not a number"),
    ("a bad seed", ["--q", "random:x"], "a seed is a whole number"),
    ("code", ["--q", "__import__('os')"], "is not a number"),
    ("empty list", ["--q", ","], "has 0 numbers"),
]


@pytest.mark.parametrize(("what", "options", "text"), STATES, ids=[case[0] for case in STATES])
def test_bad_states(what, options, text):
    if what == "too few":
        options = ["--floating", *options]
    result = run("id", "panda", *options)
    assert result.code == 3 and text in result.err and result.out == ""


def test_what_newcomers_write_is_understood():
    plain = run("id", "panda", "--q", "1.5707963267948966 2 3 4 5 6 7").out
    for q in ("[pi/2, 2, 3, 4, 5, 6, 7]", "(90 deg, 2,3,4,5,6,7)", "90° 2 3 4 5 6 7", "90 degrees 2 3 4 5 6 7"):
        assert run("id", "panda", "--q", q).out == plain != "", q


REMARKED = [
    ("1 9 0 -1 0 2 0", ["panda_joint2 = 9 is outside its limits -1.7628 … 1.7628; degrees are written 9deg"]),
    ("1 1.8 0 -1 0 2 0", ["panda_joint2 = 1.8 is outside its limits -1.7628 … 1.7628"]),
    ("90 0 0 -1 0 2 0", ["panda_joint1 = 90 is outside its limits -2.8973 … 2.8973; degrees are written 90deg"]),
    ("90deg 0 0 -1 0 2 0", []),
]


@pytest.mark.parametrize(("q", "said"), REMARKED)
def test_a_doubtful_state_is_remarked_on(q, said):
    result = run("mass", "panda", "--q", q)
    assert result.code == 0 and result.err.splitlines() == said
    assert run("mass", "panda", "--q", q, "--quiet").err == ""
    assert run("mass", "panda", "--q", q, "--json").json["M"]


def test_without_a_state_the_default_is_named_and_nothing_else():
    """Zero is outside the limits of two joints of a Panda."""
    assert run("mass", "panda").err == "at the pose home; --q says another\n"


INPUT = [
    (["info", "pandas"], "did you mean 'panda'"),
    (["info", "missing.urdf"], "missing.urdf: No such file"),
    (["info", "."], "is a folder"),
    (["id", "panda", "--log", ".", "-o", "o.csv"], "is a folder"),
    (["info", "panda.urdf"], "the robot 'panda' loads without an ending"),
    (["info", "UR5"], "did you mean 'ur5'?"),
    (["info", "robot.doc"], "no robot 'robot.doc'"),
    (["fk", "panda", "-f", "hand"], "no frame 'hand'"),
    (["jacobian", "panda", "--axes", "wrld"], "did you mean 'world'"),
    (["explain", "URDF999"], "no code 'URDF999'"),
    (["compare", "panda", "--with", "drake"], "no peer 'drake'"),
    (["id", "panda", "--log", "missing.csv", "-o", "o.csv"], "missing.csv: No such file"),
    (["id", "panda", "--log", "log.doc", "-o", "o.csv"], "no kind of file '.doc'"),
    (["convert", "panda", "panda.doc"], "no writer for '.doc'"),
    (["convert", "panda", "missing/panda.urdf"], "missing/panda.urdf: No such file"),
    (["check", "missing.urdf"], ""),
]


@pytest.mark.parametrize(("command", "text"), INPUT, ids=[" ".join(case[0]) for case in INPUT])
def test_bad_input(command, text, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = run(*command)
    assert result.code == 3 and text in result.err, result.err
    assert result.out == "" or command[0] == "check"
    with_json = run(*command, "--json")
    assert with_json.code == 3 and json.loads(with_json.out)["schema"] == "articulated/1"


USAGE = [
    (["nonsense"], "nonsense"),
    (["id"], "ROBOT"),
    (["id", "panda", "--speed", "3"], "--speed"),
    (["id", "panda", "--output", "x.csv"], "--output goes with --log"),
    (["compare", "panda", "--states", "0"], "--states"),
    (["compare", "panda", "--states", "many"], "--states"),
    (["check", "2r", "3r", "--repair", "x.urdf"], "one file"),
    (["convert", "panda"], "OUT"),
]


@pytest.mark.parametrize(("command", "text"), USAGE, ids=[" ".join(case[0]) for case in USAGE])
def test_bad_usage(command, text):
    result = run(*command)
    assert result.code == 2 and text in result.err and result.out == ""


COMMANDS = [["info"], ["tree"], ["check"], ["id"], ["convert"]]


def unusual(folder, kind):
    """A path that is no robot file."""
    path = folder / "robot.urdf"
    if kind == "directory":
        path.mkdir()
    elif kind == "pipe":
        os.mkfifo(path)
    elif kind == "empty":
        path.touch()
    elif kind == "binary":
        path.write_bytes(bytes(range(256)) * 4)
    elif kind == "dangling link":
        path.symlink_to(folder / "nowhere")
    elif kind == "link to itself":
        path.symlink_to(path)
    return path


@pytest.mark.skipif(sys.platform == "win32", reason="no pipes in folders there")
@pytest.mark.parametrize("command", COMMANDS, ids=lambda c: c[0])
@pytest.mark.parametrize("kind", ["missing", "directory", "pipe", "empty", "binary", "dangling link", "link to itself"])
def test_unusual_files_end_quickly(command, kind, tmp_path):
    path = unusual(tmp_path, kind)
    result = run(*command, path, *([tmp_path / "out.urdf"] if command == ["convert"] else []))
    assert result.code in (1, 3) and "Traceback" not in result.err
    assert not (tmp_path / "out.urdf").exists()


def test_an_unwritable_output_leaves_nothing(tmp_path):
    (tmp_path / "out.urdf").mkdir()
    result = run("convert", "2r", tmp_path / "out.urdf")
    assert result.code == 3 and list(tmp_path.iterdir()) == [tmp_path / "out.urdf"]


@pytest.mark.parametrize("q", ["floating_base_qw=0", " ".join(["0"] * 19)])
def test_a_quaternion_of_zeros_is_no_rotation(q):
    result = run("fk", "quadruped", "--floating", "--q", q)
    assert result.code == 3 and "the quaternion x y z w of 'floating_base' is zero" in result.err and not result.out


def test_json_and_rows_do_not_share_the_output(tmp_path):
    log = tmp_path / "log.csv"
    log.write_text("q_joint1,q_joint2\n1,2\n")
    result = run("id", "2r", "--log", log, "--v", "0", "--a", "0", "--output", "-", "--json")
    assert result.code == 2 and "give --output FILE" in result.err
