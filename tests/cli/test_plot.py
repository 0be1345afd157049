"""`articulated plot`: a picture beside the words about it."""

import pytest

import articulated as art
from articulated.cli.commands.plot import KINDS
from articulated.simulation.trajectory import plots
from tests.simulation.rollouts import dog, rollout

from .command import run

pytest.importorskip("matplotlib")


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_help_names_every_kind():
    assert [kind for kind in plots.KINDS if kind != "law"] == KINDS  # no file holds the ticks of a law
    done = run("plot", "--help")
    assert all(kind in "".join(done.out.split()) for kind in KINDS)


def test_a_picture(here):
    rollout(art.load("2r"), 5).save("run.csv")
    done = run("plot", "run.csv")
    assert done.code == 0 and done.out == "wrote run-overview.png\n", done.err
    assert run("plot", "run.csv", "--kind", "phase-portraits", "--out", "a.pdf").code == 0
    assert run("plot", "run.csv", "-k", "positions", "-o", "b.svg", "-j", "joint2").code == 0
    text = (here / "b.svg").read_text("utf-8")
    assert "joint2 (rad)" in text and "joint1" not in text
    assert sorted(path.name for path in here.iterdir()) == ["a.pdf", "b.svg", "run-overview.png", "run.csv"]


def test_json_and_findings(here):
    dog(4, (2,)).save("run.npz")
    done = run("plot", "run.npz", "--kind", "footfalls", "--json")
    found = done.json
    assert found["command"] == "plot" and found["output"] == "run-footfalls.png" and found["kind"] == "footfalls"
    assert (found["robot"], found["samples"], found["batch"], found["end"]) == ("quadruped", 4, [2], 0.003)
    assert "floating_base" in found["joints"]
    for finding in found["findings"]:
        assert finding["text"] in done.err
    assert done.err == "" or found["findings"]
    assert run("plot", "run.npz", "--quiet").err == ""


def test_trees_of_robots(here):
    done = run("plot", "ur5", "--kind", "tree", "--out", "tree.png", "--json")
    assert done.json["robot"] == "ur5" and (here / "tree.png").stat().st_size > 5000
    rollout(art.load("2r"), 2).save("run.npz")
    assert run("plot", "run.npz", "--kind", "tree").out == "wrote run-tree.png\n"


@pytest.mark.parametrize("option", [["--joint", "panda_joint1"], ["--robot", "ur5"]])
def test_the_tree_of_a_robot_takes_no_more(option, here):
    done = run("plot", "panda", "--kind", "tree", *option)
    assert done.code == 2 and "--joint and --robot apply to a trajectory" in done.err and not list(here.iterdir())


@pytest.mark.parametrize("arguments, words", [
    (["gone.npz"], "gone.npz: No such file"), (["run.csv", "--kind", "torque"], "did you mean 'torques'"),
    (["run.csv", "--out", "a.gif"], ".png, .svg, .pdf"), (["run.csv", "--joint", "knee"], "no joint 'knee'"),
    (["run.csv", "--robot", "ur5"], "nq = 2"), (["run.csv", "--dpi", "0"], "dpi"), (["panda"], "--kind tree"),
    (["run.csv", "--kind", "footfalls"], "has none"), (["nobody", "--kind", "tree"], "no robot 'nobody'"),
    (["run.csv", "--kind", "energies", "--joint", "joint1"], "energies is of the whole robot"),
    (["run.csv", "--out", "gone/a.png"], "gone/a.png: No such file"), (["broken.parquet"], "not a whole Parquet file"),
])  # fmt: skip
def test_mistakes(arguments, words, here):
    if "broken.parquet" in arguments:
        pytest.importorskip("pyarrow")
    rollout(art.load("2r"), 5).save("run.csv")
    (here / "broken.parquet").write_bytes(b"PAR1")
    done = run("plot", *arguments, "--json")
    assert done.code == 3 and words in done.err and words in done.json["error"]["text"], done.err
    assert sorted(path.name for path in here.iterdir()) == ["broken.parquet", "run.csv"]
