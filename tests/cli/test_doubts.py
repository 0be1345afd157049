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
