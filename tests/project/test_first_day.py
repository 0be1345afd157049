"""The programs of a first day: each at most twelve lines, each does what its first line says."""

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
    "12_states_by_name": ("", r"FL_HFE at 8 in q takes \[.*\n.*\nnearest limit 0.8 rad"),
    "13_all_frames": ("", r"base_link +at +0.000 .*rpy 0.0 0.0 0.0\n(?s:.*)tool0 "),
    "14_step_response": ("matplotlib", r"0.00\d rad off after 1 s; findings: 0; wrote step.png"),
    "15_quadruped_stands": ("matplotlib", r"feet carry (9\d|100|101)% of its weight; wrote contacts.png"),
    "16_latex": ("sympy", r"M_\{22\} &= m_\{2\} d_\{2\}\^\{2\} \+ I_\{2\}"),
    "17_lqr": ("", r"0.2 rad off at the start, \de-0[3-9] rad at the end"),
    "18_workspace": ("matplotlib", r"reach 1.\d\d m; wrote workspace.png"),
    "19_limits": ("", r"joint limits kept: True\nspeed .*% of the limits"),
    "20_tool_and_payload": ("", r"tip at .* m\nthe box costs \[ +0. +-11.3"),
    "21_two_arms": ("", r"14 joints; the hands are 0.8 m apart"),
    "22_jax": ("jax", r"\(5,\) gradient minus gravity forces: \de-1\d"),
    "23_save_and_load": ("", r"ur5 201 samples; equal: True\nTrue"),
    "24_trot": ("", r"a foot is on the ground [5-8]\d% of the time"),
    "25_collisions": (
        "",
        r"\d+% .* hit the arm itself, \d+% the arm or the post\nnearest at home: \(",
    ),
    "28_optimal_motion": ("", r"0.00\d+ m off after \d+ iterations; hits the post: False"),
    "26_animation": ("trimesh", r"wrote swing.gif, \d+ kB"),
    "27_trajectory": (
        "",
        r"quintic: 0.69\d s, decided by the velocity of .*\ntime-optimal: 0.\d+ s, torques up to \d+ %",
    ),
}


def test_there_is_one_for_each_thing_people_try_first():
    assert [path.stem for path in PROGRAMS] == sorted(EXPECTED) and len(PROGRAMS) == 28


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)
def test_the_program_is_short_and_does_it(program, tmp_path):
    needed, said = EXPECTED[program.stem]
    title, *lines = [line for line in program.read_text("utf-8").splitlines() if line.strip()]
    assert len(lines) <= 12 and title.startswith('"""') and title.endswith('"""')
    if needed == "cc":
        if not shutil.which("cc"):
            pytest.skip("no C compiler here")
    elif needed:
        pytest.importorskip(needed)
    done = subprocess.run(
        [sys.executable, str(program)], cwd=tmp_path, capture_output=True, text=True, timeout=300,
        env={**os.environ, "MPLBACKEND": "Agg", "PYTHONPATH": str(Path(art.__file__).parents[1])},
    )  # fmt: skip
    quiet = needed != "pinocchio"  # which reports shapes it does not know
    assert done.returncode == 0 and not (quiet and done.stderr), done.stderr
    assert re.search(said, done.stdout), done.stdout
