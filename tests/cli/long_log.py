"""10^7 states of a seven-axis arm through `articulated id`: `python -m tests.cli.long_log [states] [folder]`.

Writes a log of 1.7 GB and its torques (0.6 GB), and prints the peak memory of the command.
"""

import resource
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path

import numpy as np

import articulated as art

BLOCK = 100_000


def write_log(path: Path, states: int) -> None:
    """Random q, v, a in blocks, as `np.savez` would write them."""
    rng = np.random.default_rng(0)
    with zipfile.ZipFile(path, "w") as archive:
        for name in "qva":
            with archive.open(f"{name}.npy", "w", force_zip64=True) as member:
                header = {"descr": "<f8", "fortran_order": False, "shape": (states, 7)}
                np.lib.format.write_array_header_1_0(member, header)
                for start in range(0, states, BLOCK):
                    member.write(rng.uniform(-1, 1, (min(BLOCK, states - start), 7)).tobytes())


def last_row(path: Path, name: str) -> np.ndarray:
    with zipfile.ZipFile(path) as archive, archive.open(f"{name}.npy") as member:
        member.seek(archive.getinfo(f"{name}.npy").file_size - 56)
        return np.frombuffer(member.read(56))


def main(states: int, folder: Path) -> None:
    log, out = folder / "log.npz", folder / "out.npz"
    write_log(log, states)
    program = [sys.executable, "-c", "from articulated.cli import main; main()"]
    start = time.time()
    subprocess.run([*program, "id", "panda", "--log", str(log), "-o", str(out), "--quiet"], check=True)
    seconds, peak = time.time() - start, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    expected = art.load("panda").inverse_dynamics(*(last_row(log, name) for name in "qva"))
    assert (last_row(out, "tau") == expected).all()
    print(f"{states} states in {seconds:.1f} s, at most {peak:.0f} MB; the last row is right to the last bit")


if __name__ == "__main__":
    count = int(float(sys.argv[1])) if len(sys.argv) > 1 else 10**7
    if len(sys.argv) > 2:
        main(count, Path(sys.argv[2]))
    else:
        with tempfile.TemporaryDirectory() as place:
            main(count, Path(place))
