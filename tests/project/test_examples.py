"""The examples run as their first lines say."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import articulated as art

ROOT = Path(__file__).parents[2]
#: what they do is tried in tests/optimization/test_problem.py and tests/simulation/test_contact_robots.py
LONG = {"12_contact_phases", "14_anymal"}
EXAMPLES = [
    pytest.param(path, marks=[pytest.mark.long] * (path.stem in LONG), id=path.stem)
    for path in sorted((ROOT / "examples").glob("*.py"))
]


@pytest.mark.parametrize("example", EXAMPLES)
def test_examples_run(example, tmp_path):
    pytest.importorskip("matplotlib")
    if "qp]" in example.read_text("utf-8"):
        pytest.importorskip("daqp")
    if "articulated[rl" in example.read_text("utf-8"):
        pytest.importorskip("gymnasium")
    done = subprocess.run(
        [sys.executable, str(example)], cwd=tmp_path, capture_output=True, text=True, timeout=300,
        env={**os.environ, "MPLBACKEND": "Agg", "PYTHONPATH": str(Path(art.__file__).parents[1])},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    pictures = list(tmp_path.glob("*.png"))
    assert pictures and all(picture.stat().st_size > 10_000 for picture in pictures)
    assert f"wrote {pictures[0].name}" in done.stdout
