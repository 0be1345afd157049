"""Commands say once that a robot is doubtful; those that show its findings do not."""

import pytest

from .command import run

DOUBTFUL = "[[link]]\nname = 'a'\njoint = 'revolute'\nmass = 1\ninertia = [1, 1, 9]\n"


@pytest.fixture
def robot(tmp_path):
    (tmp_path / "robot.toml").write_text(DOUBTFUL)
    return tmp_path / "robot.toml"


@pytest.mark.parametrize("command", ["id", "mass", "tree", "compare"])
def test_once_and_on_stderr(command, robot):
    result = run(command, robot)
    assert result.err.count("robot: 1 warning; articulated check lists them") == 1 and "Warning" not in result.err


@pytest.mark.parametrize("arguments", [["info"], ["check"], ["id", "--quiet"]], ids=" ".join)
def test_where_they_are_shown_or_not_wanted(arguments, robot):
    result = run(arguments[0], robot, *arguments[1:])
    assert "articulated check lists them" not in result.err


MESH = (
    '<robot name="r"><link name="a"><inertial><mass value="1"/>'
    '<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
    '<collision><geometry><mesh filename="x.stl"/></geometry></collision>'
    '<collision><geometry><sphere radius="0.1"/></geometry></collision></link></robot>'
)


def test_other_doubts_are_said_as_they_are(tmp_path):
    """They are not in the report, so nothing says that `check` lists them."""
    (tmp_path / "r.urdf").write_text(MESH)
    result = run("simulate", tmp_path / "r.urdf", "--floating", "--ground", "height=-1", "-d", "0.01")
    assert result.code == 0
    about = [line for line in result.err.splitlines() if "kind mesh" in line]
    assert len(about) == 1 and "articulated check" not in about[0] and "name what touches" in about[0]


def test_a_start_in_degrees_is_remarked_on():
    assert "degrees are written 90deg" in run("simulate", "2r", "--q", "0,90", "-d", "0.01").err
