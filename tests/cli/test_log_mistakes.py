"""Mistakes with logs that are not mistakes in them."""

from .command import run


def test_the_log_itself_is_not_replaced(tmp_path):
    log = tmp_path / "log.csv"
    log.write_text("q_joint1,q_joint2\n0,0\n")
    result = run("mass", "2r", "--log", log, "-o", log)
    assert result.code == 2 and "another name" in result.err and log.read_text() == "q_joint1,q_joint2\n0,0\n"


def test_a_robot_without_joints_is_remarked_on(tmp_path):
    (tmp_path / "box.toml").write_text("[[link]]\nname = 'box'\nmass = 1\n")
    (tmp_path / "log.csv").write_text("")
    assert "--floating frees its root link" in run("info", tmp_path / "box.toml").err
    assert "--floating frees its root link" in run("bias", tmp_path / "box.toml").err
    assert run("bias", tmp_path / "box.toml", "--floating").err == ""
    assert run("bias", tmp_path / "box.toml", "--log", tmp_path / "log.csv").code == 3
