"""The same robot in Pinocchio and in MuJoCo, and how far their numbers are from ours.

`python -m tests.oracles.peers` compares every robot and renews docs/agreement.md.
"""

import os
import re
import sys
from pathlib import Path
from xml.etree import ElementTree

import numpy as np

import articulated as art
from articulated.files.packages import installed
from tests import doubtful

STATES = 20
ROBOTS = installed()


class Refused(Exception):
    """A peer cannot read the file; the reason is its own."""


def relative(found, reference, scale: float = 1.0) -> float:
    found, reference = np.asarray(found), np.asarray(reference)
    return float(abs(found - reference).max(initial=0.0) / max(scale, abs(reference).max(initial=0.0)))


def states(robot, seed: int = 0):
    rng = np.random.default_rng(seed)
    return robot.random(rng, STATES), rng.normal(size=(STATES, robot.nv)), rng.normal(size=(STATES, robot.nv))


def compare_with_pinocchio(name: str, floating: bool) -> dict[str, float]:
    """Largest relative error of each quantity over the states."""
    import pinocchio as pin

    robot = doubtful.load(ROBOTS[name], floating_base=floating).frictionless()
    if robot.nv == 0:
        raise Refused("nothing moves")
    root = [pin.JointModelFreeFlyer()] if floating else []
    model = pin.buildModelFromUrdf(str(ROBOTS[name]), *root)
    data = model.createData()
    joints = robot.model.unmimicked
    assert (model.nv, len(model.names) - 1) == (joints.nv, len(joints.bodies)), "not the same robot"
    geared = joints is not robot.model  # in forward dynamics their followers would be free

    # how fast their joints move for each of our velocities: an order, and the ratios of mimic joints
    G = art.conventions.to_pinocchio(robot, robot.neutral(), np.eye(robot.nv), mimic=False).v.T
    q, v, a = states(robot)
    tau, M, h = robot.inverse_dynamics(q, v, a), robot.mass_matrix(q), robot.bias_forces(q, v)
    g, C = robot.gravity_forces(q), robot.coriolis_matrix(q, v)
    back = None if robot.kernels.massless_joints else robot.forward_dynamics(q, v, tau)
    com, momentum, A_map = robot.center_of_mass(q), robot.centroidal_momentum(q, v), robot.centroidal_map(q)
    frames = [f for f in robot.frame_names if model.existFrame(f, pin.BODY)][-3:]
    J = {(f, axes): robot.jacobian(q, f, axes) for f in frames for axes in PINOCCHIO_AXES}
    energies = robot.kinetic_energy(q, v), robot.potential_energy(q)

    worst: dict[str, float] = {}

    def note(key, found, reference, scale=1.0):
        worst[key] = max(worst.get(key, 0.0), relative(found, reference, scale))

    for i in range(STATES):
        state = art.conventions.to_pinocchio(robot, q[i], v[i], a[i], mimic=False)
        note("inverse dynamics", tau[i], G.T @ pin.rnea(model, data, state.q, state.v, state.a))
        note("bias", h[i], G.T @ pin.nonLinearEffects(model, data, state.q, state.v))
        note("gravity", g[i], G.T @ pin.computeGeneralizedGravity(model, data, state.q))
        upper = np.triu(pin.crba(model, data, state.q))
        reference = G.T @ (upper + np.triu(upper, 1).T) @ G
        note("mass matrix", M[i], reference)
        if not geared and back is not None:
            condition = np.linalg.cond(reference)
            expected = G.T @ pin.aba(model, data, state.q, state.v, G @ tau[i])
            # rounding is amplified by the condition of M on both sides
            note("forward dynamics / cond(M)", back[i] / condition, expected / condition, abs(expected).max())
            note("Coriolis matrix", C[i], G.T @ pin.computeCoriolisMatrix(model, data, state.q, state.v) @ G)
            pin.computeCentroidalMomentum(model, data, state.q, state.v)
            note("centroidal momentum", momentum[i], data.hg.vector)
            note("centroidal map", A_map[i], pin.computeCentroidalMap(model, data, state.q) @ G)
            note("center of mass", com[i], pin.centerOfMass(model, data, state.q))
            note("kinetic energy", energies[0][i], pin.computeKineticEnergy(model, data, state.q, state.v))
            note("potential energy", energies[1][i], pin.computePotentialEnergy(model, data, state.q))
        for (frame, axes), ours in J.items():
            index = model.getFrameId(frame, pin.BODY)
            theirs = pin.computeFrameJacobian(model, data, state.q, index, getattr(pin, PINOCCHIO_AXES[axes]))
            note("Jacobian", ours[i], theirs @ G)
    return worst


PINOCCHIO_AXES = {"world": "LOCAL_WORLD_ALIGNED", "frame": "LOCAL", "spatial": "WORLD"}


def mujoco_model(path: Path, floating: bool):
    """MuJoCo's reading of the file without its shapes; as written, nothing balanced, fused or damped."""
    import mujoco

    text = re.sub(r'<\?xml version="0.0"[^>]*\?>', "", Path(path).read_text(encoding="utf-8"))
    root = ElementTree.fromstring(text)
    for parent in list(root.iter()):
        for child in list(parent):
            if child.tag in ("visual", "collision", "mimic", "transmission", "gazebo", "ros2_control", "mujoco"):
                parent.remove(child)
    settings = {"fusestatic": "false", "balanceinertia": "false", "discardvisual": "true", "strippath": "true"}
    ElementTree.SubElement(ElementTree.SubElement(root, "mujoco"), "compiler", settings)
    try:
        spec = mujoco.MjSpec.from_string(ElementTree.tostring(root, encoding="unicode"))
        if floating:
            spec.worldbody.first_body().add_freejoint()
        model = spec.compile()
    except (ValueError, AttributeError) as problem:
        raise Refused(str(problem).splitlines()[0]) from None
    model.dof_damping[:] = model.dof_frictionloss[:] = model.dof_armature[:] = 0
    model.opt.gravity[:] = [0, 0, -9.81]
    return model


def compare_with_mujoco(name: str, floating: bool) -> dict[str, float]:
    """Largest relative error of each quantity over the states."""
    import mujoco

    model = mujoco_model(ROBOTS[name], floating)
    robot = doubtful.load(ROBOTS[name], floating_base=floating).frictionless()
    robot = art.Robot(robot.model.unmimicked)
    if floating and robot.links[0].name == "world":
        raise Refused("a root link called 'world' is the fixed world there")
    if robot.nv == 0:
        raise Refused("nothing moves")
    if model.nv != robot.nv:
        raise Refused(f"MuJoCo sees {model.nv} degrees of freedom, the file has {robot.nv}")
    data = mujoco.MjData(model)
    q, v, a = states(robot)
    ours = art.conventions.to_mujoco(robot, q, v, a, robot.inverse_dynamics(q, v, a))
    # zero acceleration in world axes is not zero acceleration in body axes
    still = art.conventions.from_mujoco(robot, ours.q, ours.v, 0 * ours.a).a
    bias = art.conventions.to_mujoco(robot, q, v, tau=robot.inverse_dynamics(q, v, still)).tau
    M, com = robot.mass_matrix(q), robot.center_of_mass(q)
    worst: dict[str, float] = {}
    for i in range(STATES):
        data.qpos[:], data.qvel[:], data.qacc[:] = ours.q[i], ours.v[i], ours.a[i]
        mujoco.mj_fwdPosition(model, data)
        mujoco.mj_fwdVelocity(model, data)
        found = np.zeros(model.nv)
        mujoco.mj_rne(model, data, 0, found)
        worst["bias"] = max(worst.get("bias", 0.0), relative(bias[i], found))
        mujoco.mj_rne(model, data, 1, found)
        worst["inverse dynamics"] = max(worst.get("inverse dynamics", 0.0), relative(ours.tau[i], found))
        # M in MuJoCo's velocities: column by column through the converter
        columns = [art.conventions.to_mujoco(robot, q[i], 0 * v[i], e, M[i] @ e) for e in np.eye(robot.nv)]
        for column in columns:
            data.qvel[:], data.qacc[:] = 0, column.a
            mujoco.mj_mulM(model, data, found, data.qacc.copy())
            worst["mass matrix"] = max(worst.get("mass matrix", 0.0), relative(column.tau, found))
        if floating:
            worst["center of mass"] = max(worst.get("center of mass", 0.0), relative(com[i], data.subtree_com[1]))
    return worst


def main() -> None:
    """Compare everything and write the page."""
    os.environ["ARTICULATED_JIT"] = "off"  # compiling 60 robots would take long
    lines = [
        "# Agreement with Pinocchio and MuJoCo",
        "",
        f"Every URDF of `example-robot-data` ({len(ROBOTS)} files), fixed and floating base,",
        f"{STATES} random states each.",
        "Error: largest difference relative to max(1, largest entry); forward dynamics divided by the condition of M.",
        "Renew with `python -m tests.oracles.peers`; the tests check the same numbers against 1e-12.",
        "Our side is the textbook recursions as NumPy programs; that the machine code agrees with these is checked in",
        "`tests/compiler/test_robots.py`.",
        "",
    ]
    for title, compare in (("Pinocchio", compare_with_pinocchio), ("MuJoCo", compare_with_mujoco)):
        worst, done, refused = {}, 0, []
        for name in ROBOTS:
            for floating in (False, True):
                print(f"{title}: {name} {'floating' if floating else 'fixed'}", file=sys.stderr)
                try:
                    found = compare(name, floating)
                except (Refused, art.ArticulatedError, ValueError) as problem:
                    reason = " ".join(str(problem).split())
                    refused.append(f"- `{name}` ({'floating' if floating else 'fixed'}): {short(reason)}")
                    continue
                done += 1
                for key, value in found.items():
                    if value >= worst.get(key, (0.0, ""))[0]:
                        worst[key] = (value, name)
        lines += [
            f"## {title}",
            "",
            f"{done} robots compared.",
            "",
            "| quantity | worst error | robot |",
            "|---|---|---|",
        ]
        lines += [f"| {key} | {value:.1e} | {name} |" for key, (value, name) in worst.items()]
        lines += ["", "Not compared:", "", *refused, ""]
    Path("docs/agreement.md").write_text("\n".join(lines), encoding="utf-8")


def short(reason: str) -> str:
    reason = re.sub(r"\S*/(\S+\.urdf)", r"\1", reason)
    return reason[:160] + ("…" if len(reason) > 160 else "")


if __name__ == "__main__":
    main()
