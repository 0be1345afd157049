"""The program as a process: fast help, closed pipes, odd locales, Ctrl-C."""

import os
import signal
import subprocess
import sys
import time

import pytest

PROGRAM = [sys.executable, "-c", "from articulated.cli import main; main()"]


def start(*arguments, **options):
    return subprocess.Popen([*PROGRAM, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)


def test_help_needs_neither_numpy_nor_rich():
    code = "import sys; from articulated.cli.app import app; app(['--help'], standalone_mode=False);"
    code += "print([m for m in ('numpy', 'rich', 'llvmlite') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=30)
    assert done.stdout.splitlines()[-1] == "[]", done.stdout + done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="processor time of children")
def test_help_takes_less_than_0_3_seconds():
    def used():
        before = os.times()
        subprocess.run([*PROGRAM, "--help"], capture_output=True, timeout=30, check=True)
        after = os.times()
        return after.children_user + after.children_system - before.children_user - before.children_system

    assert min(used() for _ in range(3)) < 0.3  # of the processor: the machine may be busy


def test_a_closed_pipe_is_no_mistake():
    process = start("robots")
    process.stdout.close()
    assert process.stderr.read() == b"" and process.wait(30) in (0, 120)
    process.stderr.close()


@pytest.mark.parametrize("locale", ["C", "de_DE.UTF-8", "POSIX"])
def test_any_locale(locale):
    environment = {**os.environ, "LC_ALL": locale, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    done = subprocess.run([*PROGRAM, "tree", "2r"], capture_output=True, timeout=30, env=environment)
    assert done.returncode == 0 and b"link2" in done.stdout and done.stderr == b""


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_ctrl_c_ends_with_130(tmp_path):
    log = tmp_path / "log.csv"
    os.mkfifo(log)
    process = start("id", "panda", "--log", str(log), "-o", str(tmp_path / "out.csv"))
    with open(log, "w") as pipe:  # returns when the program has opened it, which then waits for a header
        time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
        pipe.close()
    assert process.returncode == 130 and out == b"" and b"Traceback" not in err
    assert list(tmp_path.iterdir()) == [log]
