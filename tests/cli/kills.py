"""Commands ended while they write, by Ctrl-C, `kill` and `kill -9`: `python -m tests.cli.kills 300`.

The output is the old file or the new one, there is no traceback, and what `kill -9` leaves the next run cleans up.
"""

import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from tests.files.long_chains import chain

#: says when Python has started it: what comes earlier is Python's own
PROGRAM = [sys.executable, "-c", "from articulated.cli import main; print(end='.', flush=True); main()"]
OLD = "what was there before\n"


def heeded():
    """Signals end the program, however the tests were started: `nohup` and a shell's `&` have some ignored."""
    for name in ("SIGINT", "SIGQUIT", "SIGTERM", "SIGHUP"):
        signal.signal(getattr(signal, name), signal.SIG_DFL)


def command(kind: str, folder: Path) -> tuple[list[str], Path]:
    """A command that writes for a while, and its output file."""
    if kind == "convert":
        (folder / "long.urdf").write_text(chain(500))
        return ["convert", str(folder / "long.urdf"), str(folder / "out.toml")], folder / "out.toml"
    (folder / "log.csv").write_text("q0,q1,v0,v1\n" + "".join(f"0.1,{k}e-4,{k}e-3,0.4\n" for k in range(20_000)))
    out = folder / f"out.{kind}"
    return ["id", "2r", "--log", str(folder / "log.csv"), "--a", "0", "-o", str(out)], out


def started(arguments: list[str]) -> subprocess.Popen:
    process = subprocess.Popen(
        [*PROGRAM, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=heeded
    )
    assert process.stdout.read(1) == b"."
    return process


def parts(folder: Path) -> list[Path]:
    return [path for path in folder.iterdir() if path.name.endswith(".part")]


def ended(process: subprocess.Popen, number: int, folder: Path, delay: float, writing: bool) -> str:
    """Outcome of a program that got a signal after a while, or a while after it had begun to write."""
    while writing and process.poll() is None and not parts(folder):
        time.sleep(0.001)
    time.sleep(delay)
    process.send_signal(number)
    _, err = process.communicate(timeout=120)
    assert process.returncode in (0, -number, *([130] if number == signal.SIGINT else [])), (process.returncode, err)
    assert len(err.splitlines()) <= 1 and b"Traceback" not in err, err.decode()
    return "finished before" if process.returncode == 0 else f"ended by {signal.Signals(number).name}"


def run(kind: str, count: int, seed: int, folder: Path) -> Counter[str]:
    """How often each outcome was met."""
    arguments, out = command(kind, folder)
    began = time.monotonic()
    started(arguments).communicate()
    took, new, rng, met = time.monotonic() - began, out.read_bytes(), random.Random(seed), Counter()
    for k in range(count):
        out.write_text(OLD)
        left = len(parts(folder))
        number = rng.choice([signal.SIGKILL, signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
        writing = bool(k % 2) and not left
        met[ended(started(arguments), number, folder, rng.uniform(0, 0.02 if writing else took), writing)] += 1
        assert out.read_bytes() in (OLD.encode(), new)
        assert len(parts(folder)) <= (1 if number == signal.SIGKILL else left), (number, parts(folder))
        met["left a part behind"] += bool(parts(folder))
    started(arguments).communicate()
    assert not parts(folder) and out.read_bytes() == new
    return met


def main(count: int = 30, seed: int | None = None) -> None:
    begun, seed = time.time(), int(time.time()) if seed is None else seed
    for kind in ("convert", "csv", "npz"):
        with tempfile.TemporaryDirectory() as folder:
            met = run(kind, count // 3, seed, Path(folder))
        print(f"{kind}: {count // 3} runs with seed {seed} in {time.time() - begun:.0f} s: {dict(met)}", flush=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:3]))
