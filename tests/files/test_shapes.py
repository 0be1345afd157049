"""Visual and collision shapes: read, told apart, written back; meshes are named, never opened."""

import numpy as np
import pytest

import articulated as art
from articulated.files.mjcf.writer import write_mjcf
from articulated.files.toml.writer import write_toml
from articulated.files.urdf.writer import write_urdf
from articulated.model.shapes import Box, Capsule, Cylinder, Hull, Mesh, Sphere
from tests.near import near

pytestmark = pytest.mark.filterwarnings("ignore::articulated.ModelWarning")  # robots with known findings

URDF = """<robot name="r">
  <material name="red"><color rgba="1 0 0 1"/></material>
  <link name="a">
    <visual><origin xyz="0 0 1"/><geometry><mesh filename="package://none/a.stl" scale="2 2 2"/></geometry>
      <material name="red"/></visual>
    <collision><origin rpy="0 0.5 0"/><geometry><cylinder radius="0.1" length="2"/></geometry></collision>
    <collision name="second"><geometry><sphere radius="0.3"/></geometry></collision>
    <visual><geometry><box size="1 2 3"/></geometry></visual>
    <collision><geometry><mesh filename="nowhere/b.obj"/></geometry></collision>
    <collision><geometry><capsule radius="0.1" length="0.2"/></geometry></collision>
  </link>
</robot>"""
KINDS = [
    (Mesh, True), (Cylinder, False), (Sphere, False), (Box, True), (Mesh, False), (Capsule, False),
]  # fmt: skip

MJCF = """<mujoco>
  <worldbody>
    <body name="b"><joint name="j"/>
      <geom type="box" size="1 2 3"/>
      <geom type="sphere" size="1" contype="0" conaffinity="0" group="2"/>
      <geom type="capsule" size="1 2" group="3"/>
    </body>
  </worldbody>
</mujoco>"""


def purposes(robot):
    return [(type(s), s.visual, s.collision) for k in robot.links for s in k.shapes]


def test_urdf_tells_them_apart():
    robot = art.load(URDF)
    assert purposes(robot) == [(kind, drawn, not drawn) for kind, drawn in KINDS] and robot.report == ()
    mesh, cylinder, *_ = robot.links[0].shapes
    assert (mesh.address, mesh.scale, mesh.color) == ("package://none/a.stl", (2, 2, 2), (1, 0, 0))
    assert near(np.array(cylinder.placement.R, float)[0], [np.cos(0.5), 0, np.sin(0.5)])
    assert cylinder.color is None


@pytest.mark.parametrize("write", [write_urdf, write_toml])
def test_they_survive_being_written(write, tmp_path):
    before = art.load(URDF)
    file = tmp_path / ("again.urdf" if write is write_urdf else "again.toml")
    file.write_text(write(before.model).text, encoding="utf-8")
    after = art.load(file)
    assert purposes(after) == purposes(before)
    for one, two in zip(before.links[0].shapes, after.links[0].shapes, strict=True):
        assert near(np.array(two.placement.matrix(), float), np.array(one.placement.matrix(), float))
        assert two.color == one.color and vars(two).get("address") == vars(one).get("address")


@pytest.mark.parametrize("ending", ["toml", "xml"])
def test_hulls_of_meshes_survive_being_written(ending, tmp_path, rng):
    """TOML has their points; MuJoCo keeps vertices in single precision."""
    robot = art.load("solo12").with_hulls()
    file = tmp_path / f"again.{ending}"
    lost = art.save(robot, file)
    again = art.load(file).allow_collisions(robot.model.allowed_collisions)
    q = robot.random(rng, (4,))
    assert again.distance_pairs == robot.distance_pairs and not any("hull" in x for x in lost)
    assert np.abs(again.distances(q) - robot.distances(q)).max() < (1e-13 if ending == "toml" else 1e-7)
    assert not [x for x in again.report if x.code == "FILE004"]


def test_hulls_in_urdf_are_their_meshes_and_said_so(tmp_path):
    robot = art.load("solo12").with_hulls()
    said = [x for x in art.save(robot, tmp_path / "again.urdf") if "with_hulls()" in x]
    again = art.load(tmp_path / "again.urdf")
    assert said and purposes(again.with_hulls()) == purposes(robot)


def test_a_hull_of_points_is_left_out_of_urdf_and_a_flat_one_of_mjcf():
    corners = [(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)]
    arm = art.load("2r")
    for write, points, word in ((write_urdf, corners, "of points is left out"), (write_mjcf, corners[:4], "extent")):
        name = arm.body_names[0]
        text, lost = write(arm.replace(name, shapes=[Hull(points=points, collision=True)]).model)
        assert "mesh" not in text and any(word in x for x in lost)


@pytest.mark.parametrize("points", ["[[0, 0]]", "[]", "3", '[[0, 0, "x"]]', "[" + "[0, 0, 1], " * 65 + "]"])
def test_points_of_a_hull_in_toml_are_threes(points, tmp_path):
    file = tmp_path / "arm.toml"
    file.write_text(f'name = "arm"\n[[link]]\nname = "a"\njoint = "fixed"\nshapes = [{{hull = {points}}}]\n')
    with pytest.raises(art.ArticulatedError, match="hull"):
        art.load(file, on_error="strict")


def test_mjcf_geoms_may_be_both():
    robot = art.load(MJCF)
    expected = [(Box, True, True), (Sphere, True, False), (Capsule, False, True)]
    assert purposes(robot) == expected
    assert purposes(art.load(write_mjcf(robot.model).text)) == expected
    # URDF says it twice
    again = art.load(write_urdf(robot.model).text)
    assert [(kind, drawn) for kind, drawn, _ in purposes(again)] == [
        (Box, True), (Box, False), (Sphere, True), (Capsule, False),
    ]  # fmt: skip


CUBE = [(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)]


def test_a_mesh_of_mjcf_is_where_its_file_has_it(tmp_path):
    # a skew solid: MuJoCo turns and moves it to its principal axes
    corners = [(1 + x, 3 * y + x, 2 * z) for x, y, z in CUBE]
    faces = [(1, 3, 4), (1, 4, 2), (5, 6, 8), (5, 8, 7), (1, 2, 6), (1, 6, 5), (3, 7, 8), (3, 8, 4), (1, 5, 7),
             (1, 7, 3), (2, 4, 8), (2, 8, 6)]  # fmt: skip
    rows = [f"v {x} {y} {z}" for x, y, z in corners] + [f"f {a} {b} {c}" for a, b, c in faces]
    (tmp_path / "skew.obj").write_text("\n".join(rows))
    text = """<mujoco><asset><mesh name="m" file="skew.obj" scale="0.5 1 1"/></asset><worldbody><body name="b">
      <joint name="j"/><geom type="mesh" mesh="m" pos="0 0 7" euler="0 0 90"/></body></worldbody></mujoco>"""
    (tmp_path / "robot.xml").write_text(text)
    (mesh,) = (s for k in art.load(tmp_path / "robot.xml").links for s in k.shapes)
    assert mesh.address.endswith("skew.obj") and mesh.scale == (0.5, 1, 1)
    expected = [[0, -1, 0, 0], [1, 0, 0, 0], [0, 0, 1, 7], [0, 0, 0, 1]]
    assert near(np.array(mesh.placement.matrix(), float), np.array(expected, float), 1e-6)  # MuJoCo's meshes are floats


def test_a_bad_collision_is_left_out_with_its_line():
    text = URDF.replace('<sphere radius="0.3"/>', '<sphere radius="wide"/>')
    robot = art.load(text)
    (finding,) = robot.report
    assert (finding.code, finding.line) == ("URDF060", 7) and "<collision>" in finding.text
    assert len(robot.links[0].shapes) == len(KINDS) - 1


def test_a_purpose_in_toml_is_true_or_false(tmp_path):
    file = tmp_path / "robot.toml"
    file.write_text('[[link]]\nname = "a"\nshapes = [{sphere = 1, collision = "yes"}]\n')
    with pytest.raises(art.ModelError, match="true or false is expected, not 'yes'"):
        art.load(file)


def test_shapes_do_not_weigh():
    bare = art.load(URDF.replace("collision", "gazebo").replace("visual", "gazebo"))
    assert bare.links[0].shapes == () and bare.mass == art.load(URDF).mass
