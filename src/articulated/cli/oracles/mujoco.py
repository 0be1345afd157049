"""MuJoCo as an oracle: terms of the dynamics of the same robot."""

from collections.abc import Callable
from typing import Any

import numpy as np

from ...files.load import find
from ...files.mjcf.compiling import heard
from ...files.urdf.writer import write_urdf
from ...robot import Robot
from ...robot.construction import load
from ...robot.conventions import from_mujoco, to_mujoco
from ..exit_codes import BadInput

Terms = dict[str, np.ndarray]
SETTINGS = (
    '<mujoco><compiler fusestatic="false" balanceinertia="false" discardvisual="true" strippath="true"/></mujoco>'
)


def peer(source: str, floating: bool) -> tuple[Robot, Callable[..., Terms]]:
    """The robot as we read it, and its terms as MuJoCo computes them."""
    try:
        import mujoco
    except ImportError:
        raise BadInput("MuJoCo is not installed: pip install 'articulated[mjcf]'") from None
    robot = Robot(load(source, floating_base=floating).frictionless().model.without_springs().unmimicked)
    with heard(mujoco):  # its warnings would be printed on the terminal
        model = _compiled(mujoco, source, floating)
    if model.nv != robot.nv:
        raise BadInput(f"MuJoCo finds {model.nv} degrees of freedom, we find {robot.nv}")
    model.dof_damping[:] = model.dof_frictionloss[:] = model.dof_armature[:] = 0
    model.opt.gravity[:] = robot.gravity
    data = mujoco.MjData(model)

    def bias(q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """Their bias at zero acceleration in our velocities, in our axes."""
        state = to_mujoco(robot, q, v, np.zeros(robot.nv))
        data.qpos[:], data.qvel[:], data.qacc[:] = state.q, state.v, state.a
        mujoco.mj_fwdPosition(model, data)
        mujoco.mj_fwdVelocity(model, data)
        found = np.zeros(model.nv)
        mujoco.mj_rne(model, data, 1, found)
        return from_mujoco(robot, state.q, state.v, tau=found).tau

    def terms(q: np.ndarray, v: np.ndarray, frame: str) -> Terms:
        gravity = bias(q, np.zeros(robot.nv))
        columns = []
        for unit in np.eye(robot.nv):
            there = to_mujoco(robot, q, 0 * v, unit)
            found = np.zeros(model.nv)
            mujoco.mj_mulM(model, data, found, there.a)
            columns.append(from_mujoco(robot, there.q, there.v, tau=found).tau)
        return {"M": np.array(columns).T.reshape(robot.nv, robot.nv), "bias": bias(q, v), "gravity": gravity}

    return robot, terms


def _compiled(mujoco: Any, source: str, floating: bool) -> Any:
    path = find(source)
    try:
        if path.suffix.lower() == ".xml":
            return mujoco.MjSpec.from_file(str(path)).compile()
        # anything else goes through our writer, without shapes: MuJoCo would open the meshes
        plain = load(source).model.unmimicked
        bare = plain.changed(k.replace(shapes=()) for k in plain.links)
        text = write_urdf(bare).text.replace("</robot>", f"{SETTINGS}</robot>").replace(' version="1.2"', "")
        spec = mujoco.MjSpec.from_string(text)
        if floating:
            spec.worldbody.first_body().add_freejoint()
        return spec.compile()
    except (ValueError, RuntimeError, AttributeError) as problem:
        raise BadInput(f"MuJoCo cannot read the robot: {' '.join(str(problem).split())[:200]}") from None
