"""Derivatives against Pinocchio's, entry by entry; in the world's axes, with what it leaves out there.

`python -m tests.oracles.derivatives` compares every robot of example-robot-data, fixed and on a free base.
"""

import sys
from collections.abc import Iterator
from typing import Any

import numpy as np

import articulated as art
from articulated.algebra.rotations import skew
from articulated.algebra.scalars import array
from articulated.robot.fast_methods import requests
from tests import doubtful
from tests.oracles.peers import PINOCCHIO_AXES, ROBOTS, Refused, relative, states


def ours(robot: art.Robot, method: str | tuple, *state: np.ndarray) -> Iterator[Any]:
    """The derivatives of a method by each of its formulations, on Python floats."""
    (plain,), _ = requests(robot, art.Robot, [method], float)
    name = method if isinstance(method, str) else method[0]
    asked = robot.derivatives(name)._noting.kernels.derived(plain)
    values = {name: array(x) for (name, _), x in zip(plain.arrays, state, strict=True)}
    yield asked.evaluate(robot.model, values)
    for way in asked.formulations:
        yield asked.evaluate(robot.kernels.regrouped, values, way)


def compare(name: str, floating: bool) -> dict[str, float]:
    """Largest relative error of each derivative."""
    import pinocchio as pin

    robot = doubtful.load(ROBOTS[name], floating_base=floating).frictionless()
    if robot.nv == 0:
        raise Refused("nothing moves")
    if any(b.joint.mimic for b in robot.model.bodies):
        raise Refused("Pinocchio has no derivatives for mimic joints")
    model = pin.buildModelFromUrdf(str(ROBOTS[name]), *([pin.JointModelFreeFlyer()] if floating else []))
    data, order = model.createData(), robot.permutation("pinocchio")
    assert model.nv == robot.nv, "not the same robot"
    q, v, a = (x[0] for x in states(robot))
    tau = robot.inverse_dynamics(q, v, a)
    theirs = art.conventions.to_pinocchio(robot, q, v, a, tau)
    worst: dict[str, float] = {}

    def note(key: str, found: Any, reference: np.ndarray, scale: float = 1.0) -> None:
        both = np.array(found, float)[..., order]
        both = both[order] if len(reference) == robot.nv else both
        worst[key] = max(worst.get(key, 0.0), relative(both / scale, reference / scale))

    dq, dv, M = pin.computeRNEADerivatives(model, data, theirs.q, theirs.v, theirs.a)
    M = np.triu(M) + np.triu(M, 1).T
    for found in ours(robot, "inverse_dynamics", q, v, a):
        for key, x, reference in zip("qva", found, (dq, dv, M), strict=True):
            note(f"∂tau/∂{key}", x, reference)
    if not robot.kernels.massless_joints:
        condition = np.linalg.cond(M)  # rounding is amplified by the condition of M on both sides
        by_q, by_v, inverse = pin.computeABADerivatives(model, data, theirs.q, theirs.v, theirs.tau)
        inverse = np.triu(inverse) + np.triu(inverse, 1).T
        for found in ours(robot, "forward_dynamics", q, v, tau):
            for key, x, reference in zip(("q", "v", "tau"), found, (by_q, by_v, inverse), strict=True):
                note(f"∂a/∂{key}", x, reference, max(1.0, condition / 1e6) * max(1.0, abs(reference).max()))
    dh, _, _, momentum_map = pin.computeCentroidalDynamicsDerivatives(model, data, theirs.q, theirs.v, theirs.a)
    (momentum,) = ours(robot, "centroidal_momentum", q, v)
    note("∂momentum/∂q", momentum.q, dh)
    note("∂momentum/∂v", momentum.v, momentum_map)
    frames(robot, model, data, theirs, (q, v, a), note)
    return worst


def frames(robot: art.Robot, model: Any, data: Any, theirs: Any, state: Any, note: Any) -> None:
    """Velocity and spatial acceleration of the last frame that both know and that moves.

    With respect to q in the world's axes: and what Pinocchio leaves out there, that the origin of the frame moves.
    """
    import pinocchio as pin

    q, v, a = state
    name = [f for f in robot.frame_names if model.existFrame(f, pin.BODY) and robot.model.frame(f).body][-1]
    index = model.getFrameId(name, pin.BODY)
    pin.computeForwardKinematicsDerivatives(model, data, theirs.q, theirs.v, theirs.a)
    moved = robot.jacobian(q, name)[:3, robot.permutation("pinocchio")]
    for axes, theirs_axes in PINOCCHIO_AXES.items():
        by_q, by_v = pin.getFrameVelocityDerivatives(model, data, index, getattr(pin, theirs_axes))
        (found,) = ours(robot, ("frame_velocity", name, {"axes": axes}), q, v)
        if axes == "world":
            note("left out of ∂velocity/∂q", found.q, by_q)
            by_q[:3] += skew(robot.frame_velocity(q, v, name)[3:]).astype(float) @ moved
        note("∂velocity/∂q", found.q, by_q)
        note("∂velocity/∂v", found.v, by_v)
        _, of_q, of_v, of_a = pin.getFrameAccelerationDerivatives(model, data, index, getattr(pin, theirs_axes))
        (found,) = ours(robot, ("frame_acceleration", name, {"axes": axes, "spatial": True}), q, v, a)
        if axes == "world":
            note("left out of ∂acceleration/∂q", found.q, of_q)
            of_q[:3] += skew(robot.frame_acceleration(q, v, a, name)[3:]).astype(float) @ moved
        note("∂acceleration/∂q", found.q, of_q)
        note("∂acceleration/∂v", found.v, of_v)
        note("∂acceleration/∂a", found.a, of_a)


if __name__ == "__main__":
    failed = 0
    for robot_name in sys.argv[1:] or sorted(ROBOTS):
        for free in (False, True):
            try:
                found = compare(robot_name, free)
            except (Refused, art.ArticulatedError) as problem:
                print(f"{robot_name:30} {'floating' if free else 'fixed':9} {str(problem).splitlines()[0][:60]}")
                continue
            key = max((name for name in found if "left out" not in name), key=lambda name: found[name])
            failed += found[key] > 1e-10
            print(f"{robot_name:30} {'floating' if free else 'fixed':9} {found[key]:.1e} {key}", flush=True)
    sys.exit(bool(failed))
