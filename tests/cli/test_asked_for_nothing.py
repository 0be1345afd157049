"""Options without a value, or that go with another option, are refused and not passed over."""

import numpy as np
import pytest

import articulated as art

from .command import run


@pytest.mark.parametrize(
    "words",
    [
        ["exercise", "2r", "--topic", "gravity", "--answer", ""], ["check", ""], ["fk", "panda", "--q", ""],
        ["fk", "panda", "--log", ""], ["view", "panda", "--export", ""], ["plot", "run.npz", "-o", ""],
        ["simulate", "double_pendulum", "--ground", "", "-d", "0.01"], ["info", ""], ["derive", "2r", "--what", ""],
    ],
)  # fmt: skip
def test_an_empty_word_is_not_nothing(words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "p.urdf").write_text("<robot name='r'><link name='l'/></robot>")
    done = run(*words)
    assert done.code == 2 and "value is empty" in done.err and done.out == ""


@pytest.mark.parametrize(
    ("words", "component"),
    [
        (["fk", "cart_pole", "--q", "90deg,0"], "slide"), (["fk", "scara", "--q", "90deg"], "joint3"),
        (["fk", "cart_pole", "--q", "slide=90deg"], "slide"), (["id", "cart_pole", "--a", "90deg"], "slide"),
        (["fd", "cart_pole", "--tau", "0,90deg"], "hinge"), (["mass", "cart_pole", "--q", "90 deg"], "slide"),
        (["fk", "quadruped", "--floating", "--q", "floating_base_qx=90deg"], "floating_base_qx"),
    ],
)  # fmt: skip
def test_degrees_are_of_angles(words, component):
    done = run(*words)
    assert done.code == 3 and "is not an angle" in done.err and component in done.err


def test_degrees_of_what_turns_are_taken():
    assert np.allclose(run("fk", "cart_pole", "--q", "0,90deg", "--json").json["q"], [0, np.pi / 2])
    words = ["mass", "quadruped", "--floating", "--v", "floating_base_rx=90deg"]
    assert run(*words).code == 2  # mass takes no v
    assert run("bias", *words[1:]).code == 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["derive", "2r", "-o", "/"], "folder"), (["derive", "2r", "-o", "."], "folder"),
        (["explain-algorithm", "aba", "2r", "-o", "/"], "folder"), (["convert", "panda", "dir.urdf"], "folder"),
        (["plot", "panda", "--kind", "tree", "-o", "dir.png"], "folder"),
        (["compare", "2r", "--tolerance", "nan"], "--tolerance"), (["compare", "2r", "--tolerance", "-1"], "--tol"),
    ],
)  # fmt: skip
def test_a_folder_is_no_file_and_nan_no_tolerance(words, said, tmp_path, monkeypatch):
    if words[0] in ("derive", "explain-algorithm"):
        pytest.importorskip("sympy")
    if words[0] == "plot":
        pytest.importorskip("matplotlib")
    monkeypatch.chdir(tmp_path)
    for name in ("dir.urdf", "dir.png"):
        (tmp_path / name).mkdir()
    done = run(*words)
    assert done.code == 3 and said in done.err and ".part" not in done.err and "Traceback" not in done.err
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["dir.png", "dir.urdf"]


def test_names_only_show(tmp_path, monkeypatch):
    pytest.importorskip("sympy")
    monkeypatch.chdir(tmp_path)
    inertia = art.Inertia(1.0, (0.1, 0, 0), 0.1 * np.eye(3))
    links = [art.Link("a\x1b[31m\nred", None, art.Revolute((0, 1, 0), name="j\nj"), inertia=inertia)]
    art.save(art.build(links, name="ev\x1b[31m\nil"), "esc.toml")
    for words in (["exercise"], ["simulate", "-d", "0.01"], ["fk", "--frame", "xx"], ["info"], ["id"]):
        done = run(words[0], "esc.toml", *words[1:])
        assert "\x1b" not in done.out + done.err and "\nil" not in done.out + done.err, words
        assert "\nred" not in done.out + done.err and "\nj" not in done.err, words


def test_differences_are_relative_to_what_is_compared(tmp_path):
    """A robot of a microgram, whose mass matrix is wrong by half, is not the same."""
    pytest.importorskip("pinocchio")
    robot = art.build([art.Link("l", None, art.Revolute((0, 1, 0)), inertia=art.Inertia(1e-9, (0, 0, -1e-3)))])
    art.save(robot, tmp_path / "tiny.urdf")
    done = run("compare", str(tmp_path / "tiny.urdf"), "--with", "pinocchio", "--json")
    errors = [row["error"] for row in done.json["terms"]]
    assert done.code == 0 and 1e-18 < max(errors) < 1e-12


def test_a_target_beyond_the_limits_is_remarked_on_and_what_is_cut_is_counted():
    done = run("simulate", "panda", "--controller", "pd", "--target", "90", "-d", "0.001")
    assert "panda_joint1 = 90 is outside its limits" in done.err and "… and 2 more" in done.err
    done = run("fk", "panda", "--q", "90")
    assert done.err.count("outside its limits") == 5 and "… and 2 more" in done.err


def test_the_ending_says_the_format_and_options_that_say_nothing_are_refused(tmp_path, monkeypatch):
    pytest.importorskip("sympy")
    monkeypatch.chdir(tmp_path)
    for name, begins in (("a.html", "<!doctype html>"), ("a.tex", "\\documentclass"), ("a.md", "# "), ("a.py", '"""')):
        assert run("derive", "2r", "--what", "M", "-o", name).code == 0
        assert (tmp_path / name).read_text().startswith(begins)
    for more in (["--what", "M"], ["--format", "tex"], ["-o", "foo.md"], ["--steps"]):
        done = run("derive", "2r", "--check", *more)
        assert done.code == 2 and "--check writes no equations" in done.err
    assert run("derive", "2r", "--check").code == 0 and not (tmp_path / "foo.md").exists()
    done = run("derive", "cart_pole", "--letters", "x,theta", "--format", "matlab")
    assert done.code == 2 and "--letters applies to documents" in done.err
    assert run("exercise", "2r", "--hints", "-1").code == 2
