"""Named poses from TOML, SRDF and MJCF, and the files around a URDF: packages, meshes, xacro arguments."""

import pickle

import numpy as np
import pytest

import articulated as art
from articulated.files.description import FileError

URDF = """<robot name="arm"><link name="base"/><link name="upper"/><link name="fore"/>
<joint name="shoulder" type="revolute"><parent link="base"/><child link="upper"/><axis xyz="0 0 1"/>
<limit lower="-2" upper="2" effort="1" velocity="1"/></joint>
<joint name="elbow" type="revolute"><parent link="upper"/><child link="fore"/><axis xyz="0 1 0"/>
<limit lower="-2" upper="2" effort="1" velocity="1"/></joint></robot>"""
SRDF = """<robot name="arm"><virtual_joint name="world_joint" type="floating" child_link="base"/>
<group_state name="home" group="arm"><joint name="shoulder" value="0.5"/></group_state>
<group_state name="home" group="hand"><joint name="elbow" value="-1"/><joint name="finger" value="2"/></group_state>
<group_state name="up" group="arm"><joint name="world_joint" value="0 0 1 0 0 0 1"/></group_state></robot>"""


@pytest.fixture
def file(tmp_path):
    folder = tmp_path / "arm_description" / "urdf"
    folder.mkdir(parents=True)
    (folder / "arm.urdf").write_text(URDF)
    return folder / "arm.urdf"


@pytest.mark.parametrize("place", ["urdf/arm.srdf", "srdf/arm.srdf", "urdf/ar.srdf"])
def test_srdf_beside_the_urdf(file, place):
    other = file.parents[1] / place
    other.parent.mkdir(exist_ok=True)
    other.write_text(SRDF)
    robot = art.load(file)
    assert robot.report == () and list(robot.poses) == ["home", "up"] and robot.poses["home"].tolist() == [0.5, -1.0]
    assert robot.floating().poses["up"].tolist() == [0, 0, 1, 0, 0, 0, 1, 0, 0]
    assert pickle.loads(pickle.dumps(robot)).poses["home"].tolist() == [0.5, -1.0]


def test_srdf_by_its_path(file, tmp_path):
    (tmp_path / "other.srdf").write_text(SRDF)
    assert not art.load(file).poses
    assert art.load(file, srdf=tmp_path / "other.srdf").poses["home"].tolist() == [0.5, -1.0]
    with pytest.raises(FileNotFoundError):
        art.load(file, srdf="nowhere.srdf")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("<robot>", "SRDF001"),
        ("", "SRDF001"),
        ('<robot><group_state group="a"/></robot>', "SRDF001"),
        (SRDF.replace('"0.5"', '"nan"'), "SRDF002"),
        (SRDF.replace('"0.5"', '""'), "SRDF002"),
        (SRDF.replace('"0.5"', '"1e200"'), "SRDF002"),
    ],
)
def test_a_bad_srdf_is_a_warning(file, text, code):
    file.with_suffix(".srdf").write_text(text)
    with pytest.warns(art.ModelWarning):
        robot = art.load(file)
    assert [d.code for d in robot.report] == [code] and robot.report[0].file.endswith("arm.srdf")
    with pytest.raises(FileError):
        art.load(file, on_error="strict")


def test_poses_in_toml_and_back(tmp_path):
    robot = art.load("quadruped")
    art.save(robot, tmp_path / "dog.toml")
    again = art.load(tmp_path / "dog.toml")
    assert list(again.poses) == ["home"] and (again.poses["home"] == robot.poses["home"]).all()
    assert (again.floating().poses["home"] == robot.floating().poses["home"]).all()


@pytest.mark.parametrize(
    ("lines", "code", "words"),
    [
        ("[poses.home]\nelbo = 1", "TOML002", "did you mean 'elbow'"),
        ("[poses.home]\nelbow = [1, 2]", "TOML003", "number"),
        ("[poses.home]\nball = 1", "TOML003", "4 numbers"),
        ("[poses.home]\nball = [0, 0, 1]", "TOML004", "4 numbers"),
        ("[poses]\nhome = 3", "TOML003", "table"),
        ("[[poses]]\nhome = {elbow = nan}", "TOML003", "nan"),
        ("[[poses]]\nhome = {elbow = inf}", "TOML003", "inf"),
        ("[[poses]]\nhome = {elbow = 1e200}", "TOML003", "1e+200"),
        ("[[poses]]\nhome = {elbow = 1}\n[[poses]]\nhome = {elbow = 1}", "TOML003", "one table is expected, not 2"),
        ("[[poses.home]]\nelbow = 1\n[[poses.home]]\nelbow = 1", "TOML003", "one table is expected, not 2"),
        ("[poses.home]\nball = [0, 0, 0, 0]", "TOML008", "quaternion is zero"),
    ],
)
def test_poses_that_cannot_be(lines, code, words, tmp_path):
    links = (
        '[[link]]\nname = "elbow"\njoint = "revolute"\n[[link]]\nname = "ball"\nparent = "elbow"\njoint = "spherical"\n'
    )
    (tmp_path / "r.toml").write_text(links + lines)
    with pytest.raises(FileError) as caught:
        art.load(tmp_path / "r.toml")
    assert caught.value.diagnostics[0].code == code and words in str(caught.value)


def test_every_pose_of_the_catalogue_is_within_the_limits():
    found = [(art.load(name), pose) for name in art.robots() for pose in art.load(name).poses]
    assert len(found) >= 6
    for robot, pose in found:
        assert (robot.distance_to_limits(robot.poses[pose]) > 0).all(), robot.name
    ankles = {"quadruped": 0.02, "biped": 0.0, "humanoid": 0.0}  # the quadruped's feet are balls
    feet = {"quadruped": ["FL_FOOT", "HR_FOOT"], "biped": ["left_sole"], "humanoid": ["right_sole"]}
    for name, height in ankles.items():
        robot = art.load(name, floating_base=True)
        for foot in feet[name]:
            assert abs(robot.pose(robot.poses["home"], foot)[2, 3] - height) < 1e-12


def test_keyframes_are_poses():
    mujoco = pytest.importorskip("mujoco")
    text = """<mujoco><worldbody><body name="b" pos="0 0 1"><freejoint name="free"/><geom size=".1"/>
    <body name="c"><joint name="j" type="hinge" axis="0 1 0" ref="0.2"/><geom size=".1"/>
    <body name="d"><joint name="ball" type="ball"/><geom size=".1"/></body></body></body></worldbody>
    <keyframe><key name="k" qpos="1 2 3 0.5 0.5 -0.5 0.5 0.7 0 1 0 0"/><key qpos="1 2 3 1 0 0 0 0 1 0 0 0"/>
    <key name="moving" qvel="1 0 0 0 0 0 0 0 0 0"/></keyframe></mujoco>"""
    robot = art.load(text)
    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)
    mujoco.mj_resetDataKeyframe(model, data, 0)
    mujoco.mj_kinematics(model, data)
    q = robot.poses["k"]
    np.testing.assert_allclose(art.conventions.from_mujoco(robot, data.qpos), q, atol=1e-15)
    for name in "bcd":
        np.testing.assert_allclose(robot.pose(q, name)[:3, 3], data.body(name).xpos, atol=1e-12)
    assert list(robot.poses) == ["k", "moving"]
    assert sorted(d.text for d in robot.report if d.code == "MJCF019") == [
        "a keyframe without a name", "keyframe 'moving': its qvel",
    ]  # fmt: skip


# -- packages, meshes, xacro ----------------------------------------------------------------


@pytest.fixture
def meshed(tmp_path):
    """A file that names a mesh of another package, which lies elsewhere."""
    mesh = tmp_path / "ws" / "parts" / "meshes" / "hand.stl"
    mesh.parent.mkdir(parents=True)
    mesh.write_bytes(b"solid")
    visual = '<visual><geometry><mesh filename="package://parts/meshes/hand.stl"/></geometry></visual>'
    file = tmp_path / "robot" / "arm.urdf"
    file.parent.mkdir()
    file.write_text(URDF.replace('<link name="fore"/>', f'<link name="fore">{visual}</link>'))
    return file, mesh


ADDRESS = "package://parts/meshes/hand.stl"


def test_packages_by_name_by_folder_and_of_ros(meshed, monkeypatch):
    file, mesh = meshed
    monkeypatch.delenv("ROS_PACKAGE_PATH", raising=False)
    with pytest.warns(art.ModelWarning):
        robot = art.load(file)
    assert robot.meshes == {ADDRESS: ""} and [d.code for d in robot.report] == ["FILE004"]
    package = mesh.parents[1]
    for given in ({"parts": package}, {"parts": str(package)}, [package.parent], package.parent, package):
        robot = art.load(file, packages=given)
        assert robot.meshes == {ADDRESS: str(mesh.resolve())}, given
        assert robot.floating().meshes == robot.meshes
    monkeypatch.setenv("ROS_PACKAGE_PATH", f"/nowhere:{package.parent}")
    assert art.load(file).meshes == {ADDRESS: str(mesh.resolve())}
    # what is declared comes first
    with pytest.warns(art.ModelWarning):
        assert art.load(file, packages={"parts": "/nowhere"}).meshes == {ADDRESS: ""}


def test_the_package_of_the_file_itself(file):
    mesh = file.parents[1] / "meshes" / "hand.stl"
    mesh.parent.mkdir()
    mesh.write_bytes(b"solid")
    address = "package://arm_description/meshes/hand.stl"
    visual = f'<visual><geometry><mesh filename="{address}"/></geometry></visual>'
    file.write_text(URDF.replace('<link name="fore"/>', f'<link name="fore">{visual}</link>'))
    assert art.load(file).meshes == {address: str(mesh.resolve())}


@pytest.mark.parametrize("packages", [3, [3], {"a": 3}, None])
def test_packages_are_folders(packages):
    with pytest.raises(art.ShapeError, match="packages"):
        art.load("2r", packages=packages)


def test_xacro_arguments_and_packages(tmp_path):
    pytest.importorskip("xacro")
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "names.xacro").write_text(
        '<robot xmlns:xacro="http://ros.org/wiki/xacro"><xacro:property name="part" value="hand"/></robot>'
    )
    file = tmp_path / "arm.xacro"
    file.write_text(
        '<robot name="r" xmlns:xacro="http://ros.org/wiki/xacro"><xacro:arg name="side" default="left"/>'
        '<xacro:include filename="$(find parts)/names.xacro"/><link name="$(arg side)_${part}"/></robot>'
    )
    found = {side: art.load(file, xacro_args={"side": side}, packages=[tmp_path]).frame_names for side in ("a", "b")}
    assert found == {"a": ["a_hand"], "b": ["b_hand"]}
    assert art.load(file, xacro=True, packages={"parts": tmp_path / "parts"}).frame_names == ["left_hand"]
    with pytest.raises(FileError):
        art.load(file, xacro=True)
    with pytest.raises(art.ShapeError, match="xacro_args"):
        art.load(file, xacro_args=["side"])
