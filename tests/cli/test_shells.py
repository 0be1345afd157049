"""Completion in the shells that are here, in a terminal: what is typed is finished, what could follow is listed."""

import os
import shutil
import sys
from pathlib import Path

import pytest

import articulated as art
from articulated.cli.commands.completion import SHELLS

from .command import run
from .shell import STARTED, Shell

#: what is typed, and what follows the word; what could follow is tried without a shell in test_usage.py
FINISHED = [
    ("articulated inf", "o"),
    ("articulated info pand", "a"),
    ("articulated explain URDF02", ""),
    ("articulated contacts quadruped --feet FL_FOOT,FR_F", "OOT"),
    ("articulated check mod\tmy", "_robot.urdf"),  # after a folder comes no space
]
#: names of links and files that would run something, or be something else, if a shell took them as they are
#: the line of the file that a shell reads at its start
LINES = {name: f'eval "$(articulated completion {name})"' for name in ("bash", "zsh")}
LINES["fish"] = "articulated completion fish | source"
HOSTILE = [
    ";{touch,ran}`touch ran`", "$(touch ran)&touch ran", "'; touch ran; '", '"; touch ran; "', "!!*>ran #x{a,b}\\",
]  # fmt: skip
#: `keep` writes its words to a file, each with a zero byte behind it
PROGRAMS = {
    "articulated": "from articulated.cli import main\nmain()\n",
    "keep": "import os, sys\nopen('part', 'w').write('\\0'.join(sys.argv[2:]))\nos.rename('part', 'kept')\n",
}


@pytest.fixture(scope="module", params=SHELLS)
def shell(request, tmp_path_factory):
    name = request.param
    if not shutil.which(STARTED[name][0]):
        pytest.skip(f"{name} is not installed")
    home = tmp_path_factory.mktemp(name)
    (home / "bin").mkdir()
    (home / "models").mkdir()
    art.save(art.load("2r"), home / "models" / "my_robot.urdf")
    (home / "log.csv").write_text("q_panda_joint1\n0\n")
    links = [f"n{chr(97 + k)}{name}" for k, name in enumerate(HOSTILE)]
    tree = [art.Link("base"), *(art.Link(link, "base") for link in links)]
    art.save(art.build(tree), home / "hostile.toml")
    for link in links:
        (home / "models" / f"{link}.urdf").touch()
    for program, text in PROGRAMS.items():
        (home / "bin" / program).write_text(f"#!{sys.executable}\n{text}")
        (home / "bin" / program).chmod(0o755)
    own = {"HOME": home, "PATH": f"{home / 'bin'}:{os.environ['PATH']}", "PYTHONPATH": Path(art.__file__).parents[1],
           "TERM": "vt100", "PS1": "> ", "LC_ALL": "C.UTF-8", "XDG_DATA_HOME": home / "data"}  # fmt: skip
    made = Shell(name, home, {**os.environ, **{key: str(value) for key, value in own.items()}})
    made.type(f"{LINES[name]}; echo com''plete\n")
    said = made.shown(r"complete\s")
    assert "not found" not in said and "rror" not in said, said
    yield made
    made.close()


def test_words_are_finished(shell):
    for typed, rest in FINISHED:
        assert shell.completed(f"{typed}\t").strip() == typed.replace("mod\t", "models/") + rest


def test_hostile_names_run_nothing(shell):
    """Names of a robot file that a shell would not take as they are, are not offered; files are the shell's own."""
    wrong = []
    for k, name in enumerate(HOSTILE):
        begun = f"n{chr(97 + k)}"
        if (given := shell.words(f"fk hostile.toml --frame {begun}\t")[-1].strip()) != begun:
            wrong.append((name, given))
        if k % 2 and (given := shell.words(f"check models/{begun}\t")[-1]) != f"models/{begun}{name}.urdf":
            wrong.append(("file", name, given))
    assert not wrong and not (shell.folder / "ran").exists()


def test_words_are_listed(shell):
    """All that could follow; fish leaves out how they begin."""
    shell.type("articulated fk panda --frame panda_link" + ("\t\t" if shell.name == "bash" else "\t"))
    shell.shown(r"(?s)anda_link1\s.*anda_link7\s")


def test_a_script_for_every_shell_and_no_other():
    for name in SHELLS:
        assert "_ARTICULATED_COMPLETE" in run("completion", name).out
    assert run("completion", "tcsh").code == 3
