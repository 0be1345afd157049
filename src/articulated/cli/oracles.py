"""Pinocchio and MuJoCo as oracles: terms of the dynamics of the same robot, in our coordinates."""

from collections.abc import Callable
from typing import Any

import numpy as np

from ..files.load import find
from ..files.mjcf.compiler import heard
from ..files.urdf.writer import write_urdf
from ..model import Model
from ..robot import Robot
from ..robot.construction import load
from ..robot.conventions import to_mujoco, to_pinocchio
from .exit_codes import BadInput

Terms = dict[str, np.ndarray]
SETTINGS = (
    '<mujoco><compiler fusestatic="false" balanceinertia="false" discardvisual="true" strippath="true"/></mujoco>'
)


def with_pinocchio(source: str, floating: bool) -> tuple[Robot, Callable[..., Terms]]:
    """The robot as we read it, and its terms as Pinocchio computes them."""
    try:
        import pinocchio as pin
    except ImportError:
        raise BadInput("Pinocchio is not installed: pip install pin") from None
    path = find(source)
    given = path.suffix.lower() == ".urdf"
    # Pinocchio reads URDF only: any other robot goes through our writer, on both sides, without shapes
    text = path.read_text(encoding="utf-8") if given else write_urdf(_bare(load(source).model)).text
    robot = load(source if given else text, floating_base=floating).frictionless()
    root = [pin.JointModelFreeFlyer()] if floating else []
    try:
        model = pin.buildModelFromUrdf(str(path), *root) if given else pin.buildModelFromXML(text, *root)
    except (ValueError, RuntimeError, IndexError) as problem:
        raise BadInput(f"Pinocchio cannot read the robot: {' '.join(str(problem).split())[:300]}") from None
    nv = _same("Pinocchio", model.nv, robot.model.unmimicked.nv)  # it has a coordinate for a mimic joint
    model.gravity.linear = robot.gravity
    data = model.createData()

    def terms(q: np.ndarray, v: np.ndarray, frame: str) -> Terms:
        state = to_pinocchio(robot, q, v, mimic=False)
        # how fast its joints move for each of our velocities; forces go the other way
        G = to_pinocchio(robot, q, np.eye(robot.nv), mimic=False).v.T
        # with one joint Pinocchio returns vectors for matrices and numbers for vectors
        upper = np.triu(np.reshape(pin.crba(model, data, state.q), (nv, nv)))
        found = {
            "M": G.T @ (upper + np.triu(upper, 1).T) @ G,
            "bias": G.T @ np.reshape(pin.nonLinearEffects(model, data, state.q, state.v), nv),
            "gravity": G.T @ np.reshape(pin.computeGeneralizedGravity(model, data, state.q), nv),
        }
        if (index := model.getFrameId(frame, pin.BODY)) < model.nframes:
            J = pin.computeFrameJacobian(model, data, state.q, index, pin.LOCAL_WORLD_ALIGNED)
            found["J"] = np.reshape(J, (6, nv)) @ G
        return found

    return robot, terms


def with_mujoco(source: str, floating: bool) -> tuple[Robot, Callable[..., Terms]]:
    """The robot as we read it, and its terms as MuJoCo computes them."""
    try:
        import mujoco
    except ImportError:
        raise BadInput("MuJoCo is not installed: pip install 'articulated[mjcf]'") from None
    robot = Robot(load(source, floating_base=floating).frictionless().model.without_springs().unmimicked)
    with heard(mujoco):  # its warnings would be printed on the terminal
        model = _compiled(mujoco, source, floating)
    nv = _same("MuJoCo", model.nv, robot.nv)
    model.dof_damping[:] = model.dof_frictionloss[:] = model.dof_armature[:] = 0
    model.opt.gravity[:] = robot.gravity
    data, still = mujoco.MjData(model), np.zeros(nv)

    def terms(q: np.ndarray, v: np.ndarray, frame: str) -> Terms:
        G, M, found = to_mujoco(robot, q, np.eye(nv)).v.T, np.zeros((nv, nv)), {}
        for name, speed in (("gravity", still), ("bias", v)):  # at zero acceleration in our velocities
            data.qpos[:], data.qvel[:], data.qacc[:] = to_mujoco(robot, q, speed, still)[:3]
            mujoco.mj_fwdPosition(model, data)
            mujoco.mj_fwdVelocity(model, data)
            force = np.zeros(nv)
            mujoco.mj_rne(model, data, 1, force)
            found[name] = G.T @ force
        for k in range(nv):
            mujoco.mj_mulM(model, data, M[k], np.eye(nv)[k])
        return {"M": G.T @ M @ G, **found}

    return robot, terms


def _same(name: str, theirs: int, ours: int) -> int:
    if theirs != ours:
        raise BadInput(f"{name} finds {theirs} degrees of freedom, we find {ours}")
    return ours


def _bare(model: Model) -> Model:
    """The model without shapes, whose meshes others would open."""
    return model.changed(k.replace(shapes=()) for k in model.links)


def _compiled(mujoco: Any, source: str, floating: bool) -> Any:
    path = find(source)
    try:
        if path.suffix.lower() == ".xml":
            return mujoco.MjSpec.from_file(str(path)).compile()
        # anything else goes through our writer
        text = write_urdf(_bare(load(source).model.unmimicked)).text
        spec = mujoco.MjSpec.from_string(text.replace("</robot>", f"{SETTINGS}</robot>").replace(' version="1.2"', ""))
        if floating:
            spec.worldbody.first_body().add_freejoint()
        return spec.compile()
    except (ValueError, RuntimeError, AttributeError) as problem:
        raise BadInput(f"MuJoCo cannot read the robot: {' '.join(str(problem).split())[:200]}") from None


PEERS = {"pinocchio": with_pinocchio, "mujoco": with_mujoco}
