"""Runs without contacts against MuJoCo's own integrators of the same kind, to rounding."""

import numpy as np
import pytest

import articulated as art
from articulated.files.load import installed
from articulated.robot import Robot
from articulated.robot.conventions import from_mujoco, to_mujoco

from ..doubtful import load
from ..near import near

mujoco = pytest.importorskip("mujoco")
KIND = {"euler": mujoco.mjtIntegrator.mjINT_EULER, "rk4": mujoco.mjtIntegrator.mjINT_RK4}
#: robots by name, and whether their base is free
ROBOTS = [
    ("double_pendulum", False), ("acrobot", False), ("cart_pole", False), ("scara", False), ("stanford", False),
    ("puma560", False), ("ur5", False), ("panda", False), ("tree9", False), ("quadruped", True), ("humanoid", True),
    ("panda", True), ("double_pendulum_continuous", False), ("kinova", False), ("so101", False), ("solo12", True),
    ("a1", True), ("finger_edu", False), ("talos_left_arm", False), ("xarm7", False), ("icub_reduced", True),
]  # fmt: skip
#: dampers on hands so light that no explicit method is stable; Euler's takes damping at the end of a step
STIFF = {"xarm7", "icub_reduced"}
STEPS, DT = 10, 1e-3


def plain(robot: art.Robot) -> art.Robot:
    """Without what only contact problems know, and without shapes, whose meshes MuJoCo would open."""
    links = [k.replace(shapes=(), joint=k.joint.replace(friction=0)) for k in robot.model.unmimicked.links]
    return Robot(robot.model.changed(links))


@pytest.mark.parametrize("name, floating", ROBOTS)
def test_the_steps_are_those_of_mujoco(name, floating, tmp_path, rng):
    known = {*art.robots(), *installed()}
    if name not in known:
        pytest.skip("example-robot-data is not installed")
    robot = plain(load(name, floating_base=floating))
    art.save(robot, tmp_path / "robot.xml")
    model = mujoco.MjModel.from_xml_path(str(tmp_path / "robot.xml"))
    off = mujoco.mjtDisableBit
    model.opt.disableflags |= off.mjDSBL_LIMIT | off.mjDSBL_CONTACT | off.mjDSBL_CONSTRAINT
    model.opt.timestep = DT
    q0, v0 = robot.random(rng), rng.normal(size=robot.nv)
    for method, kind in KIND.items():
        if method == "rk4" and name in STIFF:
            continue
        model.opt.integrator = kind
        run = art.simulate(robot, q0, v0, STEPS * DT, dt=DT, method=method, limits=False)
        theirs = steps(robot, model, q0, v0)
        # light fingers amplify rounding
        near(robot.difference(run.q, np.array([s.q for s in theirs])), np.zeros((STEPS + 1, robot.nv)), 1e-12)
        near(run.v, np.array([s.v for s in theirs]), 1e-10)


def steps(robot, model, q, v):
    """States of MuJoCo in our coordinates, one more than steps."""
    data = mujoco.MjData(model)
    start = to_mujoco(robot, q, v)
    data.qpos[:], data.qvel[:] = start.q, start.v
    found = []
    for _ in range(STEPS + 1):
        found.append(from_mujoco(robot, data.qpos.copy(), data.qvel.copy()))
        mujoco.mj_step(model, data)
    return found
