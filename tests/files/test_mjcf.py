"""MJCF through MuJoCo's compiler: the numbers are MuJoCo's."""

import os
import sys

import mujoco
import numpy as np
import pytest

import articulated as art
from articulated.files.description import FileError
from articulated.files.load import read_text
from articulated.files.mjcf.rules import RULES
from articulated.files.mjcf.writer import write_mjcf
from tests.zoo import random_tree

from .mjcf_models import ARM, BAD, FREE, MODELS, REPORTED, SEVERAL

pytestmark = pytest.mark.filterwarnings("ignore::articulated.ModelWarning")  # robots with known findings


def assert_mujoco_agrees(robot, model, seed=0, tolerance=1e-12):
    """M (with armature) and inverse dynamics without friction, at random states, in MuJoCo's coordinates."""
    data, free = mujoco.MjData(model), art.Robot(robot.model)
    smooth = art.build([k.replace(joint=k.joint.replace(damping=0, friction=0)) for k in robot.links], robot.gravity)
    rng = np.random.default_rng(seed)
    assert (model.nq, model.nv) == (robot.nq, robot.nv)
    for _ in range(5):
        q, v, a = free.random(rng), rng.normal(size=robot.nv), rng.normal(size=robot.nv)
        there = art.conventions.to_mujoco(robot, q, v, a, smooth.inverse_dynamics(q, v, a))
        data.qpos[:], data.qvel[:], data.qacc[:] = there.q, there.v, there.a
        mujoco.mj_fwdPosition(model, data)
        mujoco.mj_fwdVelocity(model, data)
        expected = np.zeros(model.nv)
        mujoco.mj_rne(model, data, 1, expected)
        expected += model.dof_armature * there.a
        np.testing.assert_allclose(there.tau, expected, rtol=0, atol=tolerance * max(1, abs(expected).max()))
        mujoco.mj_rne(model, data, 0, expected)
        still = art.conventions.from_mujoco(robot, there.q, there.v, 0 * there.a).a
        bias = art.conventions.to_mujoco(robot, q, v, tau=smooth.inverse_dynamics(q, v, still)).tau
        # MuJoCo adds the armature to M alone, and to the acceleration its own velocities see
        np.testing.assert_allclose(bias - _armature(model, robot, q, v, still), expected, rtol=0,
                                   atol=tolerance * max(1, abs(expected).max()))  # fmt: skip
        assert_same_mass_matrix(robot, model, data, q, tolerance)


def _armature(model, robot, q, v, still):
    """Torques of the armature at zero MuJoCo acceleration, which is not zero in body axes."""
    armature = np.array(robot.model.armature, float)
    return art.conventions.to_mujoco(robot, q, v, tau=armature * still).tau


def assert_same_mass_matrix(robot, model, data, q, tolerance):
    M = robot.mass_matrix(q)
    for unit in np.eye(robot.nv):
        there = art.conventions.to_mujoco(robot, q, np.zeros(robot.nv), unit, M @ unit)
        expected = np.zeros(model.nv)
        mujoco.mj_mulM(model, data, expected, there.a)
        np.testing.assert_allclose(there.tau, expected, rtol=0, atol=tolerance * max(1, abs(M).max()))


@pytest.mark.parametrize("name", MODELS)
def test_mass_matrix_and_forces_are_mujocos(name):
    assert_mujoco_agrees(art.load(MODELS[name]), mujoco.MjModel.from_xml_string(MODELS[name]))


@pytest.mark.parametrize("name", MODELS)
def test_poses_of_bodies_and_sites_are_mujocos(name):
    robot, model = art.load(MODELS[name]), mujoco.MjModel.from_xml_string(MODELS[name])
    data = mujoco.MjData(model)
    q = robot.random(1)
    data.qpos[:] = art.conventions.to_mujoco(robot, q)
    mujoco.mj_kinematics(model, data)
    for kind, places, turns in (("body", data.xpos, data.xmat), ("site", data.site_xpos, data.site_xmat)):
        for i in range(len(places)):
            frame = getattr(model, kind)(i).name
            if frame:
                pose = robot.pose(q, frame)
                np.testing.assert_allclose(pose[:3, 3], places[i], atol=1e-12)
                np.testing.assert_allclose(pose[:3, :3], turns[i].reshape(3, 3), atol=1e-12)


def test_what_the_file_says_arrives():
    robot = art.load(ARM)
    assert robot.name == "arm" and robot.joint_names == ["shoulder", "elbow", "grip"]
    assert robot.gravity.tolist() == [0, 0, -9.7] and {"origin", "hand", "world"} <= set(robot.frame_names)
    shoulder, elbow, grip = (b.joint for b in robot.model.bodies)
    assert (shoulder.damping, shoulder.armature, elbow.friction, grip.damping) == (0.3, 0.01, 0.2, 5)
    np.testing.assert_allclose(shoulder.limits[:2], [-np.pi / 2, np.pi / 2])
    assert [type(s).__name__ for k in robot.links for s in k.shapes] == ["Box", "Capsule", "Cylinder", "Sphere"]


def test_several_joints_on_a_body_are_links_without_mass():
    robot = art.load(SEVERAL)
    assert robot.body_names[:3] == ["gimbal/x", "gimbal/yaw", "gimbal"]
    assert [b.inertia.mass for b in robot.model.bodies[:3]] == [0, 0, 2]
    assert robot.body_names[3:] == ["body2/body2_joint1", "body2"]


def test_every_finding_and_refusal():
    seen = set()
    for what, text, code in REPORTED:
        findings = art.load(text).report
        assert code in {d.code for d in findings}, what
        seen |= {d.code for d in findings}
    refused = {code for _, _, code in BAD}
    # without mujoco; powers of the speed and what bends, in some versions of MuJoCo only
    assert seen | refused | {"MJCF002", "MJCF016", "MJCF024"} == set(RULES)


@pytest.mark.parametrize(("what", "text", "code"), BAD, ids=[case[0] for case in BAD])
def test_bad_files_are_refused_with_a_line(what, text, code):
    with pytest.raises(FileError) as caught:
        art.load(text)
    (finding,) = caught.value.diagnostics
    assert finding.code == code and finding.line >= 1 and finding.why and finding.fix


def test_files_and_endings(tmp_path):
    (tmp_path / "part.xml").write_text('<mujocoinclude><geom name="g" size="0.1"/></mujocoinclude>')
    text = '<mujoco><worldbody><body name="b"><joint name="j"/><include file="part.xml"/></body></worldbody></mujoco>'
    (tmp_path / "robot.xml").write_text(text)
    assert art.load(tmp_path / "robot.xml").joint_names == ["j"]
    (tmp_path / "urdf.xml").write_text('<?xml version="1.0"?><!-- <mujoco> --><robot name="r"><link name="a"/></robot>')
    assert art.load(tmp_path / "urdf.xml").frame_names == ["a"]
    (tmp_path / "bad.xml").write_text("<mujoco>\n<worldbody>\n<bdy/>\n</worldbody>\n</mujoco>")
    with pytest.raises(FileError) as caught:
        art.load(tmp_path / "bad.xml")
    assert caught.value.diagnostics[0].line == 3


BODY = "<worldbody><body><geom size='1'/></body></worldbody>"
#: files that are named, from a folder with a link out of it, a pipe, and part.xml, which includes ../secret.xml
FOREIGN = [
    '<include file="../secret.xml"/>', "<include file='{outside}/secret.xml'/>", '<include file="link.xml"/>',
    '<include file="part.xml"/>', '<include file="..&#47;secret.xml"/>', '<include file="pipe"/>',
    '<!DOCTYPE mujoco [<!ENTITY e "><include file=\'../secret.xml\'/>">]>' + BODY, '<include file="/dev/zero"/>',
    '<compiler meshdir=".."/><asset><mesh name="m" file="secret.stl"/></asset>' + BODY,
    '<asset><mesh name="m" file="secret.stl"/></asset><compiler assetdir="{outside}"/>' + BODY,
    '<asset><texture type="cube" fileright="../secret.png" name="t"/></asset>' + BODY,
    '<asset><hfield name="h" file="pipe"/></asset>', '<asset><model name="m" file="../secret.xml"/></asset>' + BODY,
]  # fmt: skip


@pytest.mark.skipif(sys.platform == "win32", reason="no pipes in folders there")
def test_files_outside_the_folder_and_pipes_are_not_opened(tmp_path):
    folder = tmp_path / "robot"
    folder.mkdir()
    for name in ("secret.xml", "secret.stl", "secret.png"):
        (tmp_path / name).write_text(f"<mujoco>{BODY}</mujoco>")
    (folder / "link.xml").symlink_to(tmp_path / "secret.xml")
    (folder / "part.xml").write_text('<mujoco><include file="../secret.xml"/></mujoco>')
    os.mkfifo(folder / "pipe")
    sent = folder / "sent.xml"  # a page may send a name that is here
    sent.write_text(f"<mujoco>{BODY}</mujoco>")
    wrong = []
    for text in FOREIGN:
        text = f"<mujoco>{text.format(outside=tmp_path)}</mujoco>"
        (folder / "robot.xml").write_text(text)
        for read in (lambda: art.load(folder / "robot.xml"), lambda text=text: read_text(text, str(sent))):
            try:
                wrong.append((text, read()))
            except FileError as problem:
                if [d.code for d in problem.diagnostics] != ["MJCF007"]:
                    wrong.append((text, str(problem)))
    assert not wrong


def test_without_mujoco_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "mujoco", None)
    with pytest.raises(FileError, match=r"articulated\[mjcf\]"):
        art.load(FREE)


WRITTEN = {
    **{name: art.load(text) for name, text in MODELS.items()},
    **{name: art.load(name) for name in ("ur5", "quadruped", "scara")},
    "floating": art.load("quadruped").floating(),
    **{f"tree{seed}": random_tree(seed, 6, ["revolute", "prismatic", "spherical", "fixed"]) for seed in range(3)},
}


@pytest.mark.parametrize("name", WRITTEN)
def test_writing_keeps_the_dynamics(name):
    robot = WRITTEN[name]
    assert_mujoco_agrees(robot, mujoco.MjModel.from_xml_string(write_mjcf(robot.model).text), tolerance=1e-10)


def test_what_mujoco_has_no_joint_for():
    with pytest.raises(art.ModelError, match="helical"):
        write_mjcf(art.build([art.Link("a", None, art.Helical((0, 0, 1), 0.1), inertia=art.Inertia(1.0))]).model)
