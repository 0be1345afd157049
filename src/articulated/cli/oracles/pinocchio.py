"""Pinocchio as an oracle: terms of the dynamics of the same robot."""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

import numpy as np

from ...files.load import find
from ...files.urdf.writer import write_urdf
from ...model import Model
from ...robot import Robot
from ...robot.construction import load
from ...robot.conventions import to_pinocchio
from ..exit_codes import BadInput

Terms = dict[str, np.ndarray]


def peer(source: str, floating: bool) -> tuple[Robot, Callable[..., Terms]]:
    """The robot as we read it, and its terms (in our order) as Pinocchio computes them."""
    try:
        import pinocchio as pin
    except ImportError:
        raise BadInput("Pinocchio is not installed: pip install pin") from None
    path = find(source)
    given = path.suffix.lower() == ".urdf"
    # Pinocchio reads URDF only: any other robot goes through our writer, on both sides, without shapes
    text = path.read_text(encoding="utf-8") if given else write_urdf(without_shapes(load(source).model)).text
    robot = load(source if given else text, floating_base=floating).frictionless()
    model = _read(pin, path if given else text, floating)
    joints = robot.model.unmimicked  # Pinocchio has a coordinate for a mimic joint
    if model.nv != joints.nv:
        raise BadInput(f"Pinocchio finds {model.nv} degrees of freedom, we find {joints.nv}")
    model.gravity.linear = robot.gravity
    data = model.createData()

    def terms(q: np.ndarray, v: np.ndarray, frame: str) -> Terms:
        state = to_pinocchio(robot, q, v, mimic=False)
        # how fast its joints move for each of our velocities; forces go the other way
        G = to_pinocchio(robot, q, np.eye(robot.nv), mimic=False).v.T
        # with one joint Pinocchio returns vectors for matrices and numbers for vectors
        nv = model.nv
        upper = np.triu(np.reshape(pin.crba(model, data, state.q), (nv, nv)))
        M = upper + np.triu(upper, 1).T
        index = model.getFrameId(frame, pin.BODY)
        found = {
            "M": G.T @ M @ G,
            "bias": G.T @ np.reshape(pin.nonLinearEffects(model, data, state.q, state.v), nv),
            "gravity": G.T @ np.reshape(pin.computeGeneralizedGravity(model, data, state.q), nv),
        }
        if index < model.nframes:
            J = pin.computeFrameJacobian(model, data, state.q, index, pin.LOCAL_WORLD_ALIGNED)
            found["J"] = np.reshape(J, (6, nv)) @ G
        return found

    return robot, terms


def without_shapes(model: Model) -> Model:
    """The model without shapes, whose meshes Pinocchio would open."""
    return model.changed(k.replace(shapes=()) for k in model.links)


def _read(pin: Any, source: Path | str, floating: bool) -> Any:
    root = [pin.JointModelFreeFlyer()] if floating else []
    with heard() as said:
        try:
            if isinstance(source, Path):
                return pin.buildModelFromUrdf(str(source), *root)
            return pin.buildModelFromXML(source, *root)
        except (ValueError, RuntimeError, IndexError) as problem:
            errors = [line for line in said().splitlines() if line.startswith("Error:")]
            reason = " ".join(" ".join([str(problem), *errors]).split())[:300]
    raise BadInput(f"Pinocchio cannot read the robot: {reason}")


@contextmanager
def heard() -> Iterator[Callable[[], str]]:
    """Output of C++ libraries such as urdfdom on file descriptor 2, captured instead of printed."""
    try:
        sys.stderr.flush()
        before = os.dup(2)
    except (OSError, ValueError, AttributeError):  # there is no stderr
        yield lambda: ""
        return
    with TemporaryFile() as file:
        os.dup2(file.fileno(), 2)

        def said() -> str:
            file.seek(0)
            return file.read().decode(errors="replace")

        try:
            yield said
        finally:
            os.dup2(before, 2)
            os.close(before)
