"""Torques of solo12 on its feet: ours, and the same law written in NumPy on Pinocchio's M, h and J; a whole-body law.

`python -m benchmarks.contacts` writes benchmarks/contacts.md.
"""

import platform
import sys
import tempfile
from importlib import metadata
from pathlib import Path

import numpy as np

import articulated as art

from .robots import agree, case, pinocchio_twin
from .timing import Call, interleaved, ratio

FEET = ("FL_FOOT", "FR_FOOT", "HL_FOOT", "HR_FOOT")
ROUNDS = 15
SIZES = (16, 256, 4096, 65536)


class OnPinocchio:
    """Mistry's law as one writes it with NumPy: M, h, J from Pinocchio, a full QR of Jᵀ, a pseudo-inverse."""

    def __init__(self, model, feet):
        import pinocchio as pin

        self.pin, self.model, self.data = pin, model, model.createData()
        self.feet = [model.getFrameId(foot) for foot in feet]
        self.S_T = np.eye(model.nv)[:, 6:]

    def torques(self, q, v, a):
        pin, model, data = self.pin, self.model, self.data
        M = pin.crba(model, data, q)
        M = np.triu(M) + np.triu(M, 1).T
        h = pin.nonLinearEffects(model, data, q, v)
        pin.computeJointJacobians(model, data, q)
        pin.updateFramePlacements(model, data)
        J = np.vstack([pin.getFrameJacobian(model, data, f, pin.LOCAL_WORLD_ALIGNED)[:3] for f in self.feet])
        k = len(J)
        Q, R = np.linalg.qr(J.T, mode="complete")
        f = M @ a + h
        tau = np.linalg.pinv(Q[:, k:].T @ self.S_T) @ (Q[:, k:].T @ f)
        forces = np.linalg.solve(R[:k], Q[:, :k].T @ (f - self.S_T @ tau))
        return tau, forces

    def motion(self):
        """`constraintDynamics` with everything it needs made beforehand."""
        pin, model = self.pin, self.model
        rules, known = pin.StdVec_RigidConstraintModel(), pin.StdVec_RigidConstraintData()
        for foot in self.feet:
            frame = model.frames[foot]
            place = (frame.parentJoint, frame.placement, pin.ReferenceFrame.LOCAL_WORLD_ALIGNED)
            rules.append(pin.RigidConstraintModel(pin.ContactType.CONTACT_3D, model, *place))
        known.extend([rule.createData() for rule in rules])
        pin.initConstraintDynamics(model, self.data, rules, known)
        settings = pin.ProximalSettings(1e-12, 0.0, 1)
        return {"pin": pin, "model": model, "data": self.data, "rules": rules, "known": known, "settings": settings}


def measured(folder: Path) -> list[str]:
    """The lines of the report."""
    robot_case = case("solo12", folder)
    robot, model = robot_case.robot, pinocchio_twin(robot_case)
    states = robot_case.states(4096)
    q, v, a = (x[0] for x in (states.q, states.v, states.a))
    head = ["feet", "torques and forces", "times our mass matrix", "NumPy on Pinocchio"]
    head += ["accelerations and forces", "constraintDynamics"]
    lines = [f"| {' | '.join(head)} |", "| --- " * len(head) + "|"]
    for n in (4, 3, 2, 1):
        held, peer = art.Contacts(robot, point=FEET[:n]), OnPinocchio(model, FEET[:n])
        tau, forces = peer.torques(q, v, a)
        found = held.inverse_dynamics(q, v, a)
        if n > 2:  # R of two feet is regular, but S_u Qᵀ Sᵀ is not: compare where the law has one answer
            agree(f"torques on {n} feet", found.tau, tau, 1e-10)
            agree(f"forces on {n} feet", found.forces, forces, 1e-10)
        scope = {"held": held, "peer": peer, "robot": robot, "q": q, "v": v, "a": a, "tau": found.tau}
        scope |= peer.motion() | {"full": np.concatenate([np.zeros(6), found.tau])}
        theirs = "pin.constraintDynamics(model, data, q, v, full, rules, known, settings)"
        times = interleaved(
            {
                "ours": Call("held.inverse_dynamics(q, v, a)", scope),
                "mass": Call("robot.mass_matrix(q)", scope),
                "numpy": Call("peer.torques(q, v, a)", scope),
                "motion": Call("held.forward_dynamics(q, v, tau)", scope),
                "pinocchio": Call(theirs, scope),
            },
            ROUNDS,
        )
        micro = {name: 1e6 * float(np.median(taken)) for name, taken in times.items()}
        lines.append(
            f"| {n} | {micro['ours']:.2f} µs | {ratio(times['ours'], times['mass']):.1f} | "
            f"{micro['numpy']:.0f} µs, {ratio(times['numpy'], times['ours']):.0f}× | {micro['motion']:.2f} µs | "
            f"{micro['pinocchio']:.2f} µs, {ratio(times['pinocchio'], times['motion']):.1f}× |"
        )
    return [*lines, "", *batches(robot_case), "", *whole_body(robot_case)]


def batches(robot_case) -> list[str]:
    """Per state, on one core."""
    lines = ["| batch of | torques and forces | accelerations and forces |", "| --- | --- | --- |"]
    held = art.Contacts(robot_case.robot, point=FEET)
    for size in SIZES:
        states = robot_case.states(size)
        scope = {"held": held, "q": states.q, "v": states.v, "a": states.a, "tau": states.tau[:, 6:].copy()}
        times = interleaved(
            {
                "torques": Call("held.inverse_dynamics(q, v, a)", scope),
                "motion": Call("held.forward_dynamics(q, v, tau)", scope),
            },
            7,
        )
        torques, motion = (1e9 * float(np.median(taken)) / size for taken in times.values())
        lines.append(f"| {size} | {torques:.0f} ns | {motion:.0f} ns |")
    return lines


def whole_body(robot_case) -> list[str]:
    """A quadratic program per call, everything included: the center of mass near its target, then out of reach."""
    robot = robot_case.robot
    q, v = robot.neutral(), np.zeros(robot.nv)
    q[7:] = [0.1, 0.8, -1.6, -0.1, 0.8, -1.6, 0.1, -0.8, 1.6, -0.1, -0.8, 1.6]
    law = art.WholeBody(
        art.Contacts(robot, point=FEET),
        [
            art.tasks.CenterOfMass(gain=100, weight=10),
            art.tasks.Frame("base_link", "orientation", gain=50),
            art.tasks.Posture(gain=20, weight=0.1, target=q),
        ],
        friction=0.6,
        torque_limits=2.7,
    )
    near, far = (robot.center_of_mass(q) + np.array([x, 0, 0]) for x in (0.01, 0.5))
    scope = {"law": law, "q": q, "v": v, "level": np.eye(3), "near": near, "far": far}
    call = "law(q, v, center_of_mass={}, base_link=level)"
    times = interleaved({name: Call(call.format(name), scope) for name in ("near", "far")}, ROUNDS)
    held_back = len(law(q, v, center_of_mass=far, base_link=np.eye(3)).active)
    close, distant = (1e6 * float(np.median(taken)) for taken in times.values())
    return [
        "| whole-body law: center of mass, base orientation, posture; friction, torque limits | one state |",
        "| --- | --- |",
        f"| target near | {close:.0f} µs |",
        f"| target out of reach, {held_back} constraints active | {distant:.0f} µs |",
    ]


HEAD = """# Contacts

By `python -m benchmarks.contacts`: solo12 on its feet, the same URDF for both.  Torques and forces: one call from
Python for M, h, J, the decompositions, torques, contact forces and residuals.  Beside it Mistry's law as one writes it
with NumPy on Pinocchio's M, h and J, and for accelerations Pinocchio's `constraintDynamics`.  Candidates run in turn
within one run; medians of the CPU time of one thread, ratios medians of the ratios in each round; results compared
before they are timed.
"""


def main() -> None:
    """Measure, write, show."""
    versions = ", ".join(f"{name} {metadata.version(name)}" for name in ("numpy", "llvmlite", "pin", "daqp"))
    with tempfile.TemporaryDirectory() as folder:
        lines = measured(Path(folder))
    text = "\n".join([HEAD, f"{platform.machine()}; Python {platform.python_version()}, {versions}.", "", *lines, ""])
    Path(__file__).with_suffix(".md").write_text(text, encoding="utf-8")
    sys.stdout.write(text)


if __name__ == "__main__":
    main()
