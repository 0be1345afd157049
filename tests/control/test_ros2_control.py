"""Example of a ros2_control controller: its C file compiles strictly and gives the torques of the law."""

import ctypes
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import articulated as art

from ..near import near
from .standing import robot

FOLDER = Path(__file__).parents[2] / "examples" / "ros2_control"


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is not installed")
def test_the_controller_carries_the_robot(tmp_path):
    subprocess.run([sys.executable, FOLDER / "write_law.py", "quadruped", tmp_path], check=True)
    strict = ["-std=c99", "-Wall", "-Wextra", "-pedantic", "-Wconversion", "-Werror", "-shared", "-fPIC"]
    subprocess.run(["gcc", "-O1", *strict, "law.c", "-o", "law.so", "-lm"], cwd=tmp_path, check=True)
    dog, tick = robot("quadruped"), ctypes.CDLL(str(tmp_path / "law.so")).law_tick
    q, v, tau = dog.poses["home"], np.zeros(dog.nv), np.zeros(12)
    place = dog.center_of_mass(q)
    assert tick(*(x.ctypes.data_as(ctypes.c_void_p) for x in (np.array(q), v, place, tau))) == 0
    # at rest at its target: the torques that carry the weight
    feet = art.Contacts(dog, point=art.Walk(dog).law.contacts.names)
    lifted = dog.gravity_forces(q).copy()
    lifted[6:] -= tau
    assert near(feet.jacobian(q).T @ np.linalg.lstsq(feet.jacobian(q).T, lifted, rcond=None)[0] / dog.mass,
                lifted / dog.mass, 1e-6)  # fmt: skip
    names = (tmp_path / "law.h").read_text("utf-8")
    assert all(f'"{joint}"' in names for joint in dog.joint_names[1:])
