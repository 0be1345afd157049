"""Meshes survive saving and loading, wherever the file is written; robots by their family name."""

from pathlib import Path

import pytest

import articulated as art
from articulated.files.packages import FAMILIES, installed

from .corpus import needs_corpus

LINK = """<link name="{0}">
<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
<visual><geometry><mesh filename="{0}/part.stl"/></geometry></visual></link>"""
JOINT = '<joint name="j" type="continuous"><parent link="a"/><child link="b"/></joint>'


@pytest.fixture
def robot(tmp_path):
    """Two meshes of the same name, in folders beside the file."""
    own = tmp_path / "own"
    for name in "ab":
        (own / name).mkdir(parents=True)
        (own / name / "part.stl").write_text(f"solid {name}")
    (own / "arm.urdf").write_text(f'<robot name="arm">{LINK.format("a")}{LINK.format("b")}{JOINT}</robot>')
    return art.load(own / "arm.urdf")


def contents(robot):
    return [Path(file).read_text() for file in robot.meshes.values()]


@pytest.mark.parametrize("ending", ["urdf", "toml"])
def test_a_saved_robot_has_its_meshes(robot, ending, tmp_path):
    place = tmp_path / "elsewhere"
    place.mkdir()
    assert art.save(robot, place / f"copy.{ending}") == ()
    again = art.load(place / f"copy.{ending}")
    assert again.report == () and contents(again) == contents(robot) == ["solid a", "solid b"]
    assert all(file.startswith(str(place)) for file in again.meshes.values())


def test_a_robot_saved_where_it_was_copies_nothing(robot, tmp_path):
    art.save(robot, tmp_path / "own" / "again.urdf")
    assert art.load(tmp_path / "own" / "again.urdf").meshes == robot.meshes
    assert not (tmp_path / "own" / "again_meshes").exists()


def test_a_saved_run_has_its_meshes(robot, tmp_path):
    run = art.simulate(robot, [0.3], duration=0.01)
    run.save(tmp_path / "run.npz")
    assert contents(art.Trajectory.load(tmp_path / "run.npz").robot) == ["solid a", "solid b"]


@needs_corpus
def test_an_installed_robot_is_found_by_its_address(tmp_path):
    solo = art.load("solo12")
    art.save(solo, tmp_path / "solo.urdf")
    assert art.load(tmp_path / "solo.urdf").meshes == solo.meshes and not (tmp_path / "solo_meshes").exists()


@needs_corpus
def test_families_are_robots_that_are_installed():
    assert set(FAMILIES.values()) <= installed().keys() and not FAMILIES.keys() & {*installed(), *art.robots()}
    robot = art.load("talos")
    assert robot.nv == art.load("talos_reduced").nv
    assert "'talos' is 'talos_reduced'" in robot.report[0].text and robot.report[0].code == "FILE003"


def test_a_missing_file_is_looked_for_in_its_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, words in {
        "my_arm.urdf": f"in {tmp_path}; did you mean 'my_arm_v2.urdf'",
        "zzz.urdf": f"looked in {tmp_path}; robot files there: my_arm_v2.urdf",
        "gone/arm.urdf": "there is no folder",
    }.items():
        (tmp_path / "my_arm_v2.urdf").touch()
        with pytest.raises(FileNotFoundError) as refused:
            art.load(name)
        assert words in str(refused.value)
