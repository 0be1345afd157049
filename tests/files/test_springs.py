"""Springs and linear actuators in files: MuJoCo's numbers, and what each format keeps."""

import numpy as np
import pytest

import articulated as art
from tests.zoo import with_springs

MJCF = """<mujoco><option gravity="0.3 -0.2 -9.81"><flag contact="disable"/></option><compiler angle="radian"/>
<worldbody><site name="anchor" pos="0.5 0.4 1.2"/>
<body name="a" pos="0 0 1"><joint name="j1" axis="0 1 0" stiffness="20" springref="0.3" damping="0.4" ref="0.2"/>
  <geom size=".1 .2" type="capsule"/><site name="s1" pos=".1 .05 .2"/>
  <body name="b" pos=".2 0 .3"><joint name="j2" type="slide" axis="0 .6 .8" stiffness="200" springref="-0.1"/>
    <geom size=".1 .2 .3" type="box"/><site name="s2" pos="-.1 .05 .2"/>
    <body name="c" pos=".2 .3 .3"><joint name="j3" type="ball" stiffness="5"/>
      <geom size=".1 .2 .3" type="ellipsoid"/><site name="s3" pos="-.1 .25 .2"/></body></body></body>
<body name="f" pos="1 1 1" quat=".8 .6 0 0"><joint name="j4" type="free" stiffness="7"/>
  <geom size=".1 .2 .3" type="box"/><site name="s4" pos="-.1 .05 .2"/></body>
</worldbody>
<tendon><spatial stiffness="50" springlength=".2" damping="2"><site site="s1"/><site site="s3"/></spatial>
<spatial stiffness="30" springlength="0"><site site="anchor"/><site site="s2"/></spatial>
<spatial stiffness="70" springlength=".3" damping=".5"><site site="s4"/><site site="s2"/></spatial>
<spatial name="ram"><site site="s1"/><site site="s4"/></spatial>
<fixed stiffness="11" springlength=".4"><joint joint="j1" coef="2"/></fixed></tendon>
<actuator><motor name="cylinder" tendon="ram"/></actuator></mujoco>"""


def accelerations(robot, mujoco, model, q, v, thrust):
    """Ours under the thrust of the one actuator, and MuJoCo's."""
    data = mujoco.MjData(model)
    there = art.conventions.to_mujoco(robot, q=q, v=v)
    data.qpos[:], data.qvel[:], data.ctrl[:] = there.q, there.v, thrust
    mujoco.mj_forward(model, data)
    theirs = art.conventions.from_mujoco(robot, q=there.q, v=there.v, a=data.qacc).a
    mujoco.mj_energyPos(model, data)
    tau = robot.actuation_map(passive=robot.joint_names, q=q) @ [thrust]
    return robot.forward_dynamics(q, v, tau), theirs, robot.potential_energy(q) - data.energy[0]


@pytest.mark.parametrize("ending", ["", ".xml"])
def test_mujoco_moves_alike(ending, tmp_path, rng):
    """Springs of all its joints, a tendon of one joint, three between sites and a motor on a fourth; also rewritten."""
    mujoco = pytest.importorskip("mujoco")
    robot = art.load(MJCF)
    assert [d.code for d in robot.report] == ["MJCF012"]
    text = MJCF
    if ending:
        # where a free body is drawn is where its spring is at rest: the one thing that a written file has otherwise
        robot = robot.replace("f", joint=robot.links[-1].joint.replace(stiffness=0))
        assert not any("spring" in x for x in art.save(robot, tmp_path / "robot.xml"))
        text = (
            (tmp_path / "robot.xml").read_text().replace("<option", '<option><flag contact="disable"/></option><option')
        )
        robot = art.load(tmp_path / "robot.xml")
    model, constants = mujoco.MjModel.from_xml_string(text), []
    for _ in range(20):
        q, v = robot.random(rng), rng.normal(size=robot.nv)
        ours, theirs, constant = accelerations(robot, mujoco, model, q, v, 3.0)
        assert abs(ours - theirs).max() < 1e-12 * abs(theirs).max()
        constants.append(constant)
    assert np.ptp(constants) < 1e-10  # two springs of one joint are one here, but for a constant


@pytest.mark.parametrize("ending", [".toml", ".urdf"])
def test_what_a_format_keeps(ending, tmp_path, rng):
    rams = [art.LinearActuator("link1", "link3", "ram"), art.LinearActuator((0, 0, 1), "link4")]
    robot = with_springs().add_actuators(rams)
    lost = art.save(robot, tmp_path / f"robot{ending}")
    if ending == ".urdf":
        assert sum("URDF has no springs" in x for x in lost) == 1 and any(x.startswith("5 joints, ") for x in lost)
        assert [x for x in lost if "between frames" in x] == [
            "2 springs between frames: URDF has none", "2 linear actuators between frames: URDF has none",
        ]  # fmt: skip
        return
    again = art.load(tmp_path / "robot.toml")
    q, v = robot.random(rng), rng.normal(size=robot.nv)
    assert lost == () and abs(again.spring_forces(q, v) - robot.spring_forces(q, v)).max() < 1e-12
    assert abs(again.actuator_lengths(q) - robot.actuator_lengths(q)).max() < 1e-13
    assert [x.name for x in again.model.actuators] == ["ram", ""]


BAD = {
    'ends = ["rod"]': "two ends are expected", 'ends = ["rod", [0, 1]]': "two ends are expected",
    'ends = ["rod", [0, 0, 1]]\nstiffness = -3': "negative", 'ends = ["rot", [0, 0, 1]]': "did you mean 'rod'",
    'ends = ["rod", [0, 0, 1]]\nlenght = 3': "did you mean 'length'", "stiffness = 3": "two ends are expected",
}  # fmt: skip


@pytest.mark.parametrize("rows", BAD)
def test_a_spring_that_cannot_be_is_refused_with_its_line(rows, tmp_path):
    path = tmp_path / "robot.toml"
    path.write_text(f'[[link]]\nname = "rod"\njoint = "revolute"\nmass = 1\n[[spring]]\n{rows}\n')
    with pytest.raises(art.ModelError, match=BAD[rows]):
        art.load(path)


def test_springs_go_where_their_robot_goes(rng):
    robot = art.load("2r").add_springs([art.Spring("tip", "link1", 10.0, 0.1)])
    q = rng.normal(size=(2, 2))
    two = robot.attach("tip", robot, prefix="other_")
    assert [x[:2] for x in two.model.springs] == [("tip", "link1"), ("other_tip", "other_link1")]
    assert len(two.subtree("other_link1").model.springs) == 1 and two.lock({"joint1": 0.3}).model.springs
    anchored = robot.add_springs([art.Spring("tip", (0, 1, 0), 20.0)])
    scene = art.Scene({"a": anchored, "b": anchored}, at={"b": (0, 0, 2)})
    felt = scene.spring_forces(q.ravel(), 0 * q.ravel())
    assert np.allclose(felt, np.ravel([anchored.spring_forces(x, 0 * x) for x in q]), atol=1e-12)
    with pytest.raises(art.ModelError, match="a point of the world"):
        robot.attach("tip", anchored, prefix="other_")
