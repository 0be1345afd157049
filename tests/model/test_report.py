"""A load with doubts says so once; the report prints, shows and counts."""

import pickle
import warnings

import pytest

import articulated as art
from articulated.model.findings import html_rows

DOUBTFUL = """<robot name="&lt;b>r&lt;/b>"><link name="a"><inertial><mass value="1"/>
<inertia ixx="1" iyy="1" izz="9" ixy="0" ixz="0" iyz="0"/></inertial></link><link name="b"><inertial><mass value="1"/>
<inertia ixx="1" iyy="1" izz="9"/></inertial></link><joint name="j" type="continuous"><parent link="a"/>
<child link="b"/></joint><gadget/></robot>"""


def doubtful():
    with pytest.warns(art.ModelWarning) as caught:
        robot = art.load(DOUBTFUL)
    return robot, caught


def test_one_warning_for_all_findings():
    robot, caught = doubtful()
    assert len(caught) == 1 and caught[0].filename == __file__
    assert str(caught[0].message) == "<b>r</b>: 2 warnings and 2 notes; print(robot.report) lists them"
    assert "2 warnings and 2 notes in .report" in repr(robot)


def test_a_clean_robot_says_nothing():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        robot = art.load("panda")
    assert "report" not in repr(robot) and robot.report == () and not robot.report
    assert str(robot.report) == "no findings" == repr(robot.report)


def test_notes_alone_are_no_warning():
    text = '<robot name="r"><link name="a"/><gadget/></robot>'
    robot = art.load(text)
    assert robot.report.summary == "1 note" and "1 note" in repr(robot)


def test_the_report_is_a_tuple_and_a_table():
    robot, _ = doubtful()
    report = robot.report
    assert isinstance(report, art.Report) and isinstance(report, tuple) and report == robot.model.report
    assert report[0] in report and [d.code for d in report].count("URDF031") == 2
    assert report.count("warning") == 2 and report.count(report[0]) == 1 and report.count("error") == 0
    lines = str(report).splitlines()
    assert lines[0] == "2 warnings and 2 notes" and lines[1].split() == ["code", "place", "finding", "fix"]
    assert len(lines) == 2 + len(report) and len({line.find("URDF") for line in lines[2:]}) == 1
    assert pickle.loads(pickle.dumps(robot)).report == report


def test_a_notebook_shows_it_inert():
    robot, _ = doubtful()
    shown = robot.report._repr_html_()
    assert "<table>" in shown and "URDF031" in shown and "<gadget" not in shown and "&lt;gadget" in shown
    assert html_rows(robot.report) in robot._repr_html_()


def test_strict_still_refuses_and_repairs_are_notes():
    with pytest.raises(art.ModelError, match="triangle"):
        art.load(DOUBTFUL, on_error="strict")
    mended = art.load(DOUBTFUL, on_error="repair")
    assert mended.report.count("warning") == 0 and mended.report.count("note") == 4


def test_universal_cannot_follow():
    with pytest.raises(art.ModelError, match="cannot follow"):
        art.Universal(mimic=art.Mimic("j"))
    with pytest.raises(art.ModelError, match="cannot follow"):
        art.Universal().replace(mimic=art.Mimic("j"))


def test_a_file_in_a_deep_folder_keeps_its_name_and_line_in_the_table(tmp_path):
    path = tmp_path / ("deep" * 20) / "doubtful.urdf"
    path.parent.mkdir()
    path.write_text(DOUBTFUL)
    with pytest.warns(art.ModelWarning):
        report = art.load(path).report
    rows = str(report).splitlines()[2:]
    assert len(rows) == len(report) == 4
    for row, finding in zip(rows, report, strict=True):
        assert f"doubtful.urdf:{finding.line}:{finding.column}" in row
