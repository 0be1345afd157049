"""How commands are used: help with examples, completion, usage errors in JSON, units, poses by name."""

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.shell_completion import ShellComplete

import articulated as art
from articulated.cli.app import COMMANDS, app
from articulated.cli.click_commands import Told
from articulated.cli.options import RobotName

from .command import run

PAGE = (Path(__file__).parents[2] / "docs" / "cli.md").read_text(encoding="utf-8")


def examples(name):
    """Lines at the end of the help of a command."""
    return [line.strip() for line in run(name, "--help").out.partition("\n  Examples:\n")[2].splitlines()]


def row_of(name):
    """The row of docs/cli.md that lists the JSON fields of a command."""
    rows = [row for row in PAGE.splitlines() if row.startswith("| ") and f"`{name}`" in row.split(" | ")[0]]
    return rows[0] if rows else ""


def complaints(name):
    """Everything a row of the table lacks."""
    shown = run(name, "--help").out
    if not examples(name):
        yield f"{name}: its docstring has no Examples"
    if max(map(len, shown.splitlines())) > 80:
        yield f"{name}: a line of its help is longer than 80 characters"
    if not app.get_command(None, name).short_help.endswith("."):
        yield f"{name}: its docstring begins with no sentence"
    if not row_of(name) and "--json" in shown:
        yield f"{name}: docs/cli.md has no row with its JSON fields"


def test_every_command_has_examples_and_a_page():
    assert [text for name in COMMANDS for text in complaints(name)] == []


def test_a_command_is_one_file_and_one_row(monkeypatch):
    """Without examples and a page it runs, and is named."""

    def poses(robot: str = RobotName) -> Told:
        """List the poses of a robot."""
        return Told({"poses": list(art.load(robot).poses)}, " ".join(art.load(robot).poses))

    monkeypatch.setitem(sys.modules, "articulated.cli.commands.toy", SimpleNamespace(toy=poses))
    monkeypatch.setitem(COMMANDS, "poses", "toy")
    assert "home" in run("poses", "panda").out and run("poses", "no_such_robot").code == 3
    assert "home" in run("poses", "panda", "--json").json["poses"]
    assert "List the poses of a robot." in run("--help").out
    assert list(complaints("poses")) == [
        "poses: its docstring has no Examples", "poses: docs/cli.md has no row with its JSON fields"
    ]  # fmt: skip


def test_every_command_is_listed_in_the_order_of_the_table():
    shown = run("--help").out
    summaries = shown.partition("Commands:")[2].partition("\n\n  Completion")[0]
    assert "\n\n" not in summaries and not re.search(r"\n +\n", summaries), "a sentence each, no paragraphs"
    places = [shown.index(f"\n  {name} ") for name in COMMANDS]
    assert places == sorted(places)


#: package without which a command does nothing
EXTRAS = {
    "plot": "matplotlib",
    "view": "viser",
    "derive": "sympy",
    "explain-algorithm": "sympy",
    "compare": "pinocchio",
}


@pytest.mark.parametrize("name", [name for name in COMMANDS if name != "completion"])
def test_the_examples_run_and_their_fields_are_documented(name, tmp_path, monkeypatch):
    pytest.importorskip(EXTRAS.get(name, "numpy"))
    monkeypatch.chdir(tmp_path)
    art.save(art.load("ur5"), "robot.urdf")
    names = art.load("panda").joint_names
    header = [f"{kind}_{name}" for kind in "qva" for name in names]
    (tmp_path / "log.csv").write_text("\n".join([",".join(header), ",".join(["0.1"] * 21)]) + "\n")
    art.simulate(art.load("2r"), [0, 0], duration=0.01).save("run.npz")
    monkeypatch.setenv("ARTICULATED_CACHE", str(tmp_path / "cache"))  # one example clears it
    for number, line in enumerate(examples(name)):
        words = [word for word in shlex.split(line)[1:] if word != "--json"]
        if not number:
            assert run(*words).code == 0
        found = run(*words, "--json")
        assert found.code == 0, found.err
        assert [field for field in found.json if f"`{field}`" not in row_of(name)] == ["schema", "command"], line


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (["id", "panda", "--jsn", "--json"], "No such option"),
        (["id", "--json"], "Missing argument"),
        (["compare", "2r", "--states", "x", "--json"], "not a valid integer"),
        (["compare", "2r", "--states", "0", "--json"], "range"),
        (["idd", "panda", "--json"], "No such command"),
        (["id", "panda", "-o", "x.csv", "--json"], "--output goes with --log"),
    ],
)
def test_usage_errors_in_json(words, text):
    found = run(*words)
    assert found.code == 2 and text in found.json["error"]["text"] and found.json["error"]["kind"] == "BadUsage"
    assert "Usage" in found.err or "articulated" in found.err
    plain = run(*words[:-1])
    assert plain.code == 2 and plain.out == ""


def offered(*words):
    """Candidates that the shell is offered for the last word."""
    complete = ShellComplete(app, {}, "articulated", "_ARTICULATED_COMPLETE")
    return [item.value for item in complete.get_completions(list(words[:-1]), words[-1])]


@pytest.mark.parametrize(
    ("words", "some"),
    [
        (["in"], ["info"]),
        (["info", "pan"], ["panda"]),
        (["fk", "panda", "--frame", "panda_h"], ["panda_hand", "panda_hand_tcp"]),
        (["jacobian", "panda", "--axes", ""], ["world", "frame", "spatial"]),
        (["id", "panda", "--q", "h"], ["home"]),
        (["explain", "URDF02"], ["URDF020", "URDF024"]),
        (["derive", "2r", "--format", "h"], ["html"]),
        (["plot", "run.npz", "--kind", "f"], ["footfalls"]),
        (["explain-algorithm", ""], ["rnea", "crba", "aba"]),
        (["fk", "no_such_robot", "--frame", ""], []),
        (["contacts", "quadruped", "--feet", "FL_FOOT,HR_F"], ["FL_FOOT,HR_FOOT"]),
        (["derive", "2r", "--what", "M,t"], ["M,tau"]),
        (["view", "panda", "--q", "h"], ["home"]),
        (["explain-algorithm", "rnea", "panda", "--state", "h"], ["home"]),
        (["simulate", "panda", "--kind", "en"], ["energies"]),
    ],
)
def test_the_shell_is_offered(words, some):
    found = offered(*words)
    assert set(some) <= set(found) and (some or not found)


def test_poses_by_name():
    home = " ".join(map(str, art.load("panda").poses["home"]))
    assert run("id", "panda", "--q", "home").out == run("id", "panda", "--q", home).out != ""
    assert "did you mean 'home'" in run("id", "panda", "--q", "hme").err
    shown = run("explain-algorithm", "rnea", "panda", "--state", "home")
    assert shown.code == 0 and "-2.3562" in shown.out


def test_numbers_have_units():
    assert all(line.endswith(" N m") for line in run("id", "panda", "--q", "home").out.splitlines())
    assert [line.split()[-1] for line in run("fd", "cart_pole").out.splitlines()] == ["m/s²", "rad/s²"]
    assert all(line.endswith(" J") for line in run("energy", "panda").out.splitlines())
    units = run("bias", "quadruped", "--floating").out.splitlines()
    assert [line.rpartition(" ")[2] for line in units[:3]] == ["N"] * 3 and units[3].endswith(" N m")


def test_check_says_fine_only_of_what_is(tmp_path):
    bad = tmp_path / "bad.toml"
    bad.write_text("[[link]]\nname = 'a'\njoint = 'revolute'\nmass = 1\ninertia = [1, 1, 9]\n")
    found = run("check", bad)
    assert found.code == 0 and "no problems" not in found.out and f"{bad}: loads, with 1 warning\n" in found.out
    assert run("check", "panda").out == "panda: no problems found\n"


@pytest.mark.parametrize(
    "words", [["--format", "doc"], ["--format", "doc", "--json"], ["--what", "M,Z"], ["--steps", "--format", "c"],
              ["-o", "no/folder.md"]],
)  # fmt: skip
def test_what_cannot_be_written_is_not_derived(words, monkeypatch):
    from articulated.cli.commands import derive

    monkeypatch.setattr(derive, "_equations", None)
    found = run("derive", "panda", *words)
    assert found.code in (2, 3) and "Traceback" not in found.err and found.err.startswith("articulated derive: ")


def test_derive_means_the_same_in_python():
    pytest.importorskip("sympy")
    for words, eq in [
        (["2r"], art.derive("2r")),
        (["2r", "--symbols"], art.derive("2r", symbols=True)),
        (["2r", "--numbers"], art.derive(art.load("2r"))),
        (["cart_pole"], art.derive("cart_pole")),
        (["cart_pole", "--symbols"], art.derive(art.load("cart_pole"), symbols=True)),
    ]:
        found = run("derive", *words, "--what", "M,g", "--json").json["quantities"]
        assert found["M"] == [[str(x) for x in row] for row in eq.M.tolist()], words
        assert found["g"] == [str(x) for x in eq.g], words


def test_colors_on_a_terminal_only(tmp_path):
    bad = tmp_path / "bad.urdf"
    bad.write_text("<robot name='r'><link name='a'/><link name='a'/></robot>")
    assert "\x1b" not in run("check", bad).out
    program = [sys.executable, "-c", "from articulated.cli import main; main()", "check", str(bad)]
    done = subprocess.run(program, capture_output=True, text=True, env=os.environ, timeout=60)
    assert "\x1b" not in done.stdout and json.loads(run("check", bad, "--json").out)["ok"] is False


def test_numbers_without_quotes():
    found = run("id", "panda", "--q", "0.1", "-0.2", "3e-1")
    assert found.code == 2 and 'in quotes: --q "0.1' in found.err
    assert "in quotes" in json.loads(run("id", "panda", "--q", "1", "2", "--json").out)["error"]["text"]
    assert "in quotes" not in run("id", "panda", "quadruped").err
    assert run("id", "panda", "--q", "0,0,0,-1,0,1,0").out == run("id", "panda", "--q", "0 0 0 -1 0 1 0").out != ""
