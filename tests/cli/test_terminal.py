"""On a terminal: tables and a progress bar; names only show there, too."""

import json
import os
import re
import sys

import pytest

pty = pytest.importorskip("pty")


def on_a_terminal(monkeypatch, *arguments, columns=120):
    """Exit code and everything the program writes to its terminal."""
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setenv("TERM", "xterm")
    leader, follower = os.openpty()
    program = [sys.executable, "-c", "from articulated.cli import main; main()", *map(str, arguments)]
    actions = [(os.POSIX_SPAWN_DUP2, follower, stream) for stream in (0, 1, 2)]
    child = os.posix_spawn(sys.executable, program, os.environ, file_actions=actions)
    os.close(follower)
    written = b""
    try:
        while data := os.read(leader, 65_536):
            written += data
    except OSError:  # the other end is gone
        pass
    os.close(leader)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), written.decode()


@pytest.mark.parametrize("columns", [80, 60])
def test_tables_fit_a_narrow_terminal(monkeypatch, columns):
    """Whole names and numbers, in one line each; columns that have no room are named."""
    code, shown = on_a_terminal(monkeypatch, "info", "panda", columns=columns)
    lines = re.sub(r"\x1b\[[0-9;]*m", "", shown).split("\r\n")
    rows = [line for line in lines if line.startswith("panda_joint")]
    assert code == 0 and len(rows) == 7 and max(map(len, rows)) <= columns and "…" not in shown
    assert all("-2.8973  2.8973" in row for row in (rows[0], rows[2])) and "not shown" in shown and "axis" in shown


def test_a_log_has_a_progress_bar_and_the_cursor_comes_back(monkeypatch, tmp_path):
    log = tmp_path / "log.csv"
    log.write_text("q0,q1\n" + "0,0\n" * 40_000)
    code, shown = on_a_terminal(monkeypatch, "mass", "2r", "--log", log, "-o", tmp_path / "out.npz")
    assert code == 0 and "states" in shown and "40000/40000" in shown and shown.rindex("[?25h") > shown.rindex("[?25l")
    code, shown = on_a_terminal(monkeypatch, "mass", "2r", "--log", log, "-o", tmp_path / "out.npz", "--quiet")
    assert code == 0 and shown == ""


def test_names_do_nothing_to_the_terminal(monkeypatch, tmp_path):
    name = "[red]\x1b]0;owned\x07[/red]"
    robot = tmp_path / "robot.toml"
    robot.write_text(f"[[link]]\nname = {json.dumps(name)}\njoint = 'revolute'\nmass = 1\n")
    code, shown = on_a_terminal(monkeypatch, "info", robot)
    assert code == 0 and "\x1b]0" not in shown and r"[red]\x1b]0;owned\x07[/red]" in shown.replace("\r\n", "")
