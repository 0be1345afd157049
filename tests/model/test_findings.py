"""A finding is about the robot as it is: what was mended is settled, what was renamed has its new name."""

import numpy as np
import pytest

import articulated as art

from .test_report import DOUBTFUL

pytestmark = pytest.mark.filterwarnings("ignore::articulated.ModelWarning")  # robots with known findings

GOOD = art.Inertia(1.0, (0.1, 0, 0), np.eye(3) * 0.01)
BAD = art.Inertia(1.0, (0.1, 0, 0), np.diag([1.0, 1.0, 9.0]))


def built():
    return art.build([art.Link("a", None, art.Revolute(name="i"), inertia=BAD),
                      art.Link("b", "a", art.Revolute(name="j"), inertia=BAD)])  # fmt: skip


def loaded():
    return art.load(DOUBTFUL)


def saved(tmp_path):
    art.save(built(), tmp_path / "robot.toml")
    return art.load(tmp_path / "robot.toml")


def about(robot, element):
    return [d.code for d in robot.report if d.element == element]


@pytest.mark.parametrize("source", ["built", "loaded", "saved"])
def test_a_mended_link_is_not_found_any_more(source, tmp_path):
    robot = {"built": built, "loaded": loaded, "saved": lambda: saved(tmp_path)}[source]()
    count = robot.report.count("warning")
    assert count == 2 and len(about(robot, "link 'b'")) >= 1
    mended = robot.replace("b", inertia=GOOD)
    assert about(mended, "link 'b'") == [] and mended.report.count("warning") == 1
    assert "2 warnings" in repr(robot) and "2 warnings" not in repr(mended)
    assert about(mended, "link 'a'") == about(robot, "link 'a'")
    clean = mended.replace("a", inertia=GOOD)
    assert clean.report.count("warning") == 0
    # and what is spoilt again is found again, once
    assert about(clean.replace("b", inertia=BAD), "link 'b'") == ["INERTIA001"]
    assert robot.replace(name="other").report == robot.report


def test_a_joint_and_shapes_given_anew_are_not_found_any_more():
    text = """<robot name="r"><link name="a"/><link name="b"><visual><geometry><sphere radius="-1"/></geometry></visual>
    </link><joint name="j" type="revolute"><parent link="a"/><child link="b"/></joint></robot>"""
    robot = art.load(text)
    assert {d.code for d in robot.report} == {"URDF026", "URDF060"}
    assert [d.code for d in robot.replace("b", joint=art.Continuous(name="j")).report] == ["URDF060"]
    assert [d.code for d in robot.replace("b", shapes=()).report] == ["URDF026"]
    assert robot.replace("b", inertia=BAD).report.count("warning") == 3  # a note on its shape hides nothing
    assert robot.frictionless().report == robot.report == robot.floating().report


def test_findings_of_what_is_attached_have_its_new_names():
    plain = art.build([art.Link("a", None, art.Revolute(name="i"), inertia=GOOD)])
    for tool in (built(), loaded()):
        both = plain.attach("a", tool, art.Transform(), prefix="left_")
        assert {d.element for d in both.report if d.severity == "warning"} == {"link 'left_a'", "link 'left_b'"}
        assert all(d.element in d.text for d in both.report)


@pytest.mark.parametrize("motor", [
    {"mass": 0.2}, {}, {"across": 3e-5}, {"mass": 0.2, "across": 5e-5},
    {"mass": 0.1, "on": "panda_link1", "axis": (1, 0, 0)},
], ids=str)  # fmt: skip
def test_a_rotor_is_no_body_by_itself_and_is_not_judged(motor, tmp_path):
    geared = art.load("panda").add_motors([art.Motor("panda_joint2", ratio=100, inertia=6e-5, **motor)])
    assert geared.report == ()
    art.save(geared, tmp_path / "geared.toml")
    assert art.load(tmp_path / "geared.toml").report == ()
    q = geared.random(0)
    assert np.linalg.eigvalsh(geared.mass_matrix(q)).min() > 0


def test_a_follower_that_is_no_rotor_is_judged_by_itself():
    finger = art.Revolute((0, 0, 1), name="k", mimic=art.Mimic("i"))
    links = [art.Link("a", None, art.Revolute(name="i"), inertia=art.Inertia(9.0, (0, 0, 0), np.eye(3)))]
    for inertia in (
        BAD,
        art.Inertia.from_moments(-1.0, (0, 0, 0), np.eye(3) * 0.01),
        art.Inertia(1.0, (0, 0, 0), -np.eye(3)),
    ):
        robot = art.build([*links, art.Link("b", "a", finger, inertia=inertia)])
        assert about(robot, "link 'b'") == ["INERTIA001"]


def test_a_joint_without_a_name_is_driven_by_that_of_its_link():
    def geared(*names):
        joints = [art.Revolute(axis, name=name) for axis, name in zip(((0, 1, 0), (0, 0, 1)), names, strict=True)]
        arm = [art.Link("a", None, joints[0], inertia=GOOD), art.Link("b", "a", joints[1], inertia=GOOD)]
        robot = art.build(arm)
        return robot.add_motors([art.Motor(name, 20, 1e-3) for name in robot.joint_names])

    assert np.array_equal(geared("", "").mass_matrix([0.3, 0.4]), geared("i", "j").mass_matrix([0.3, 0.4]))
