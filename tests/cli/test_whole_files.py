"""Output files are whole or absent, whatever happens: kill -9, a full disk, a quota."""

import contextlib
import os
import signal
import subprocess
import sys

import pytest

from articulated.housekeeping import whole_file

from . import kills
from .kills import OLD, command

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals and limits of POSIX")
PROGRAM = [sys.executable, "-c", "from articulated.cli import main; main()"]


def start(arguments, **options):
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen([*PROGRAM, *map(str, arguments)], **pipes | options)


@pytest.mark.parametrize("kind", ["convert", "csv"])
def test_an_ended_program_leaves_the_old_file_or_the_new_one(kind, tmp_path):
    met = kills.run(kind, 6, 4, tmp_path)
    assert sum(many for outcome, many in met.items() if outcome.startswith("ended by")) >= 3


WRITER = """
import sys; from pathlib import Path; from articulated.housekeeping import whole_file
for k in range(200):
    with whole_file(Path(sys.argv[1])) as file:
        file.write(sys.argv[2] * 100_000)
"""


def test_writers_of_one_file_leave_each_other_alone(tmp_path):
    """Each looks for what the others may have left behind; none of them takes what is being written for that."""
    out = tmp_path / "out"
    writers = [subprocess.Popen([sys.executable, "-c", WRITER, out, letter]) for letter in "abc"]
    seen = set()
    while any(writer.poll() is None for writer in writers):
        with contextlib.suppress(FileNotFoundError):
            seen.add(out.read_text())
    assert [writer.returncode for writer in writers] == [0, 0, 0]
    assert len(seen) > 1 and seen <= {letter * 100_000 for letter in "abc"} and list(tmp_path.iterdir()) == [out]


def test_only_what_is_left_behind_is_removed(tmp_path):
    """Not a file that has another name, nor one that is locked; a pipe of that name is not waited for."""
    left, other, pipe = tmp_path / ".out.1234.part", tmp_path / ".other.1234.part", tmp_path / ".out.5678.part"
    for path in (left, other):
        path.touch()
    os.mkfifo(pipe)
    with whole_file(tmp_path / "out"):
        (held,) = [path for path in tmp_path.iterdir() if path not in (left, other, pipe)]
        assert not left.exists()
        with whole_file(tmp_path / "out") as file:
            file.write("new")
        assert held.exists()
    assert other.exists() and not held.exists()


def test_the_library_asks_for_no_signals(tmp_path):
    before = [signal.getsignal(number) for number in signal.valid_signals()]
    with whole_file(tmp_path / "out"):
        assert [signal.getsignal(number) for number in signal.valid_signals()] == before


def limited(size):
    import resource

    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


@pytest.mark.parametrize(("kind", "before"), [("convert", None), ("csv", OLD), ("npz", None), ("parquet", OLD)])
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
