"""A disk that is full while a run is saved or drawn: an error of ours that names the file, and nothing is left."""

import subprocess
import sys

import pytest

WRITE = {
    "npz": "run.save(path)", "csv": "run.save(path)", "parquet": "run.save(path)",
    "png": "run.plot(path=path)", "svg": "run.plot(path=path)", "pdf": "run.plot(path=path)",
}  # fmt: skip
NEEDS = {"parquet": "pyarrow", "png": "matplotlib", "svg": "matplotlib", "pdf": "matplotlib"}


@pytest.mark.parametrize("ending", WRITE)
def test_nothing_is_left(ending, tmp_path):
    pytest.importorskip("resource")
    if ending in NEEDS:
        pytest.importorskip(NEEDS[ending])
    path = tmp_path / f"run.{ending}"
    path.write_text("as it was", encoding="utf-8")
    program = f"""
import resource, signal
import articulated as art
run = art.simulate(art.load("2r"), [0.5, 0.0], duration=0.2)
run.a
path = {str(path)!r}
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))
try:
    {WRITE[ending]}
except OSError as problem:
    print(type(problem).__name__, problem)
"""
    command = [sys.executable, "-W", "ignore", "-c", program]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    assert found.stdout.startswith("OSError") and path.name in found.stdout, found.stdout + found.stderr
    assert list(tmp_path.iterdir()) == [path] and path.read_text(encoding="utf-8") == "as it was"
