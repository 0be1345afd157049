"""The program as a process: a light help, closed pipes, odd locales, Ctrl-C."""

import os
import signal
import subprocess
import sys
import time

import pytest

from .kills import heeded

PROGRAM = [sys.executable, "-c", "from articulated.cli import main; main()"]


def start(*arguments, **options):
    return subprocess.Popen([*PROGRAM, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)


def test_help_imports_little():
    """Imports are what the time for it goes into: 235 modules, where NumPy alone would bring a hundred more."""
    code = (
        "import sys; from articulated.cli.app import app\ntry: app(['--help'])\nexcept SystemExit: print(*sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    loaded = done.stdout.splitlines()[-1].split()
    assert not {"numpy", "rich", "llvmlite"} & set(loaded) and 60 < len(loaded) < 300, done.stdout + done.stderr


def test_a_closed_pipe_is_no_mistake():
    process = start("robots")
    process.stdout.close()
    assert process.stderr.read() == b"" and process.wait(60) in (0, 120)
    process.stderr.close()


@pytest.mark.parametrize("locale", ["C", "de_DE.UTF-8", "POSIX"])
def test_any_locale(locale):
    environment = {**os.environ, "LC_ALL": locale, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    done = subprocess.run([*PROGRAM, "tree", "2r"], capture_output=True, timeout=60, env=environment)
    assert done.returncode == 0 and b"link2" in done.stdout and done.stderr == b""


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_ctrl_c_ends_with_130(tmp_path):
    log = tmp_path / "log.csv"
    os.mkfifo(log)
    process = start("id", "panda", "--log", str(log), "-o", str(tmp_path / "out.csv"), preexec_fn=heeded)
    with open(log, "w") as pipe:  # returns when the program has opened it, which then waits for a header
        time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
        pipe.close()
    assert process.returncode == 130 and out == b"" and b"Traceback" not in err
    assert list(tmp_path.iterdir()) == [log]


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP", "SIGQUIT"])
def test_a_signal_leaves_nothing_half_written(name, tmp_path):
    log = tmp_path / "log.csv"
    os.mkfifo(log)
    process = start("id", "2r", "--log", str(log), "-o", str(tmp_path / "out.csv"), "--a", "0", preexec_fn=heeded)
    with open(log, "w") as pipe:
        pipe.write("q0,q1,v0,v1\n" + "0,0,0,0\n" * 20_000)
        pipe.flush()
        while len(list(tmp_path.iterdir())) < 2 and process.poll() is None:
            time.sleep(0.01)
        process.send_signal(getattr(signal, name))
        _, err = process.communicate(timeout=60)
    assert process.returncode == -getattr(signal, name) and err == b""
    assert list(tmp_path.iterdir()) == [log]


def test_what_nobody_thought_of_has_a_code_of_its_own():
    """A traceback must not end with the code that means "differs"."""
    code = "from articulated.cli import app; app.app = lambda: 1 / 0; app.run()"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, timeout=60)
    assert done.returncode == 70 and b"ZeroDivisionError" in done.stderr
