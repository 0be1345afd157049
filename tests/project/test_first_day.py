"""The programs of a first day: each at most 15 lines, each does what its first line says."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import articulated as art

ROOT = Path(__file__).parents[2]
PROGRAMS = sorted((ROOT / "examples" / "first_day").glob("*.py"))
#: what a program needs beside the library, and what it must print
EXPECTED = {
    "01_load_with_meshes": ("", r"no findings\n.*meshes/forearm.stl -> forearm.stl\n.*bent(?s:.*)elbow +-1.2"),
    "02_print": ("", r"panda_joint4 .* -0.0698 (?s:.*)16.79 kg"),
    "03_kinematics": ("", r"position \[0.3069 0. +0.5903\] m; manipulability 0.08"),
    "04_inverse_kinematics": ("", r"success True, off by \de-\d\d, limits 0.\d\d rad away\n'panda_hand' stays .* away"),
    "05_gravity_compensation": ("", r"held: \d.\de-1\d rad off; without motors: 0.\d\d rad off"),
    "06_tracking": ("", r"0.1 rad off at the start, \d.\de-0[4-9] rad at the end"),
    "07_log_to_torques": ("matplotlib", r"wrote torques.png; largest \["),
    "08_million_states": ("", r"\(1000000, 7\) \d+ ns per state"),
    "09_payload_from_torques": ("", r"1.30 kg at \[0.02 0. +0.2 \] m in link 7"),
    "10_compare": ("pinocchio", r"largest difference \d.\de-1[3-9] N m"),
    "11_c_code": ("cc", r"off by (0.0|\d.*e-1[3-9]) N m"),
    "12_states_by_name": ("", r"FL_HFE at 8 in q takes \[.*nearest limit 0.8 rad"),
}


def test_there_is_one_for_each_thing_people_try_first():
    assert [path.stem for path in PROGRAMS] == sorted(EXPECTED) and len(PROGRAMS) == 12


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)
def test_the_program_is_short_and_does_it(program, tmp_path):
    needed, said = EXPECTED[program.stem]
    lines = [line for line in program.read_text("utf-8").splitlines() if line.strip()]
    assert len(lines) <= 15 and lines[0].startswith('"""')
    if needed == "cc":
        if not shutil.which("cc"):
            pytest.skip("no C compiler here")
    elif needed:
        pytest.importorskip(needed)
    done = subprocess.run(
        [sys.executable, str(program)], cwd=tmp_path, capture_output=True, text=True, timeout=300,
        env={**os.environ, "MPLBACKEND": "Agg", "PYTHONPATH": str(Path(art.__file__).parents[1])},
    )  # fmt: skip
    assert done.returncode == 0 and not done.stderr, done.stderr
    assert re.search(said, done.stdout, re.DOTALL if program.stem.startswith("12") else 0), done.stdout
