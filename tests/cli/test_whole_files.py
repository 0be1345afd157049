"""Output files are whole or absent, whatever happens: kill -9, a full disk, a quota."""

import os
import random
import signal
import subprocess
import sys
import time

import pytest

from tests.files.long_chains import chain

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals and limits of POSIX")
PROGRAM = [sys.executable, "-c", "from articulated.cli import main; main()"]
OLD = "what was there before\n"


def command(kind, folder):
    """A command that writes for a while, and its output file."""
    if kind == "convert":
        (folder / "long.urdf").write_text(chain(500))
        return ["convert", folder / "long.urdf", folder / "out.toml"], folder / "out.toml"
    (folder / "log.csv").write_text("q0,q1,v0,v1\n" + "".join(f"0.1,{k}e-4,{k}e-3,0.4\n" for k in range(20_000)))
    out = folder / f"out.{kind}"
    return ["id", "2r", "--log", folder / "log.csv", "--a", "0", "-o", out], out


def start(arguments, **options):
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen([*PROGRAM, *map(str, arguments)], **pipes | options)


def parts(folder):
    return [path for path in folder.iterdir() if path.name.endswith(".part")]


def killed_while_writing(process, folder, delay):
    """Waits until the program has begun to write, then a little, then kills it; whether it was in time."""
    while process.poll() is None and not parts(folder):
        time.sleep(0.001)
    time.sleep(delay)
    process.kill()
    process.communicate()
    return process.returncode == -signal.SIGKILL


@pytest.mark.parametrize("kind", ["convert", "csv"])
def test_a_killed_program_leaves_the_old_file(kind, tmp_path):
    arguments, out = command(kind, tmp_path)
    finished = start(arguments)
    begun = time.monotonic()
    finished.communicate()
    took, new = time.monotonic() - begun, out.read_bytes()
    rng, caught = random.Random(4), 0
    for k in range(10):
        out.write_text(OLD)
        process = start(arguments)
        if k % 2:
            caught += killed_while_writing(process, tmp_path, rng.uniform(0, 0.02))
        else:
            time.sleep(rng.uniform(0, took))
            process.kill()
            process.communicate()
        assert out.read_bytes() in (OLD.encode(), new)
        for part in parts(tmp_path):
            part.unlink()
    assert caught  # at least once in the middle of it


def limited(size):
    import resource

    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


@pytest.mark.parametrize("kind", ["convert", "csv", "npz", "parquet"])
@pytest.mark.parametrize("before", [None, OLD], ids=["nothing there", "an old file"])
def test_no_room_for_the_file(kind, before, tmp_path):
    if kind == "parquet":
        pytest.importorskip("pyarrow")
    arguments, out = command(kind, tmp_path)
    if before:
        out.write_text(before)
    there = set(tmp_path.iterdir())
    environment = {**os.environ, "ARTICULATED_CACHE": "off"}  # a kernel is larger than that, and would be told
    process = start(arguments, preexec_fn=limited(8192), env=environment)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 3 and err.decode() == f"articulated {arguments[0]}: {out}: File too large\n"
    assert set(tmp_path.iterdir()) == there and (before is None or out.read_text() == before)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full")
@pytest.mark.parametrize("arguments", [["robots"], ["mass", "2r", "--json"]], ids=" ".join)
def test_no_room_for_stdout(arguments):
    with open("/dev/full", "w") as full:
        process = start(arguments, stdout=full)
        _, err = process.communicate(timeout=60)
    assert process.returncode != 0 and b"No space left on device" in err
