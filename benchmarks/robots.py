"""The four robots of the benchmarks: one URDF text each, read by every library, and states to evaluate."""

import re
from dataclasses import dataclass, field
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

import numpy as np

import articulated as art

#: name here -> name in example-robot-data, on a free base?, the frame asked for
ROBOTS = {
    "panda": ("panda", False, "panda_hand"),
    "ur5": ("ur5_robot", False, "tool0"),
    "solo12": ("solo12", True, "FL_FOOT"),
    "talos": ("talos_reduced", True, "gripper_left_base_link"),
}
#: what no dynamics needs and some readers stumble over
UNNEEDED = ("visual", "collision", "mimic", "dynamics", "transmission", "gazebo", "ros2_control", "mujoco")


class States(NamedTuple):
    """Arrays (nq,) and (nv,), or with a leading axis."""

    q: np.ndarray
    v: np.ndarray
    a: np.ndarray
    tau: np.ndarray


@dataclass(frozen=True, eq=False)
class Case:
    """A robot to measure: ours, and the text every peer makes its own from."""

    name: str
    urdf: str
    path: Path
    floating: bool
    frame: str
    robot: art.Robot = field(repr=False)

    def states(self, shape: int | tuple = (), seed: int = 0) -> States:
        rng = np.random.default_rng(seed)
        batch = (shape,) if isinstance(shape, int) else shape
        motion = (rng.normal(size=(*batch, self.robot.nv)) for _ in range(3))
        return States(self.robot.random(rng, shape), *motion)


@cache
def case(name: str, folder: Path) -> Case:
    """The robot, its URDF also as a file in `folder` for readers that want one."""
    source, floating, frame = ROBOTS[name]
    urdf = plain(next(f for f in metadata.files("example-robot-data") if f.name == f"{source}.urdf").read_text("utf-8"))
    path = folder / f"{name}.urdf"
    path.write_text(urdf, encoding="utf-8")
    robot = art.load(path, floating_base=floating).frictionless()
    return Case(name, urdf, path, floating, frame, robot)


def plain(text: str) -> str:
    """A URDF without shapes and friction, and with the fingers of a gripper fixed."""
    root = ElementTree.fromstring(re.sub(r"<\?xml[^>]*\?>", "", text))
    for parent in list(root.iter()):
        for child in list(parent):
            if child.tag in UNNEEDED:
                parent.remove(child)
    for joint in root.iter("joint"):
        if "finger_joint" in joint.get("name", ""):
            joint.set("type", "fixed")
    return ElementTree.tostring(root, encoding="unicode")


@cache
def pinocchio_twin(case: Case):
    """The same robot in Pinocchio."""
    import pinocchio as pin

    root = [pin.JointModelFreeFlyer()] if case.floating else []
    model = pin.buildModelFromXML(case.urdf, *root)
    assert (model.nq, model.nv) == (case.robot.nq, case.robot.nv), f"{case.name}: Pinocchio read another robot"
    return model


@cache
def mujoco_twin(case: Case):
    """The same robot in MuJoCo: bodies on fixed joints merged, nothing damped, no contacts."""
    import mujoco

    root = ElementTree.fromstring(case.urdf)
    settings = {"fusestatic": "true", "balanceinertia": "false", "discardvisual": "true"}
    ElementTree.SubElement(ElementTree.SubElement(root, "mujoco"), "compiler", settings)
    spec = mujoco.MjSpec.from_string(ElementTree.tostring(root, encoding="unicode"))
    if case.floating:
        spec.worldbody.first_body().add_freejoint()
    model = spec.compile()
    assert model.nv == case.robot.nv, f"{case.name}: MuJoCo read another robot"
    model.dof_damping[:] = model.dof_frictionloss[:] = model.dof_armature[:] = 0
    model.opt.gravity[:] = [0, 0, -9.81]
    model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONSTRAINT
    return model


def check(case: Case, tolerance: float = 1e-10) -> None:
    """Fails unless Pinocchio gives the same forces, mass matrix and accelerations."""
    import pinocchio as pin

    model, robot = pinocchio_twin(case), case.robot
    data, order = model.createData(), robot.permutation("pinocchio")
    for seed in range(5):
        q, v, a, tau = case.states(seed=seed)
        theirs = art.conventions.to_pinocchio(robot, q, v, a, tau)
        upper = np.triu(pin.crba(model, data, theirs.q))
        pairs = {
            "inverse dynamics": (
                robot.inverse_dynamics(q, v, a)[order],
                pin.rnea(model, data, theirs.q, theirs.v, theirs.a),
            ),
            "mass matrix": (robot.mass_matrix(q)[np.ix_(order, order)], upper + np.triu(upper, 1).T),
            "forward dynamics": (
                robot.forward_dynamics(q, v, tau)[order],
                pin.aba(model, data, theirs.q, theirs.v, theirs.tau),
            ),
        }
        for quantity, (ours, reference) in pairs.items():
            agree(f"{case.name}, {quantity}, Pinocchio", ours, reference, tolerance)


def agree(what: str, ours, reference, tolerance: float) -> None:
    """Fails if two results differ, relative to the largest entry."""
    error = abs(np.asarray(ours) - reference).max() / max(1.0, abs(np.asarray(reference)).max())
    assert error < tolerance, f"{what}: the results differ by {error:.1e}"
