"""The examples of bridges run, and find what they look for."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import articulated as art

EXAMPLES = Path(__file__).parents[2] / "examples" / "bridges"


def printed(name: str, folder: Path) -> str:
    done = subprocess.run(
        [sys.executable, str(EXAMPLES / name)], cwd=folder, capture_output=True, text=True, timeout=300,
        env={**os.environ, "PYTHONPATH": str(Path(art.__file__).parents[1]), "PYTHONIOENCODING": "utf-8"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_pole_is_swung_up(tmp_path):
    pytest.importorskip("casadi", reason="CasADi is not installed: make test-bridges")
    found = printed("swing_up.py", tmp_path)
    angle, place = map(float, re.search(r"ends ([\d.]+) rad .* cart ([\d.]+) m", found).groups())
    assert "Solve_Succeeded" in found and angle < 0.02 and place < 0.02, found


def test_the_payload_is_learned(tmp_path):
    pytest.importorskip("torch", reason="PyTorch is not installed: make test-bridges")
    found = printed("learn_payload.py", tmp_path)
    mass, inertia = float(re.search(r"([\d.]+) kg at", found)[1]), float(re.search(r"inertia ([\d.]+)", found)[1])
    assert abs(mass - 1.3) < 0.02 and abs(inertia - 0.004) < 2e-4, found
