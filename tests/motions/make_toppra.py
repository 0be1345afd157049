"""Speeds of toppra 0.6 along some paths, with the interpolation scheme: `python -m tests.motions.make_toppra`."""

import json
from pathlib import Path

import numpy as np

import articulated as art

#: robot, seed, waypoints, and which limits
CASES = {
    "panda torques": ("panda", 1, 3, "effort"),
    "panda accelerations": ("panda", 2, 4, "acceleration"),
    "ur5 both": ("ur5", 3, 3, "both"),
    "puma560 torques": ("puma560", 4, 2, "effort"),
}
POINTS = 401


def case(name):
    kind, seed, count, which = CASES[name]
    robot = art.load(kind).frictionless()
    rng = np.random.default_rng(seed)
    middle = robot.poses["home"] if "home" in robot.poses else robot.neutral()
    way = art.path(robot, middle + 0.6 * rng.uniform(-1, 1, (count, robot.nv)))
    held = abs(robot.gravity_forces(way.at(np.linspace(way.s[0], way.s[-1], 200)).q)).max(axis=0)
    limits = {"velocity": np.full(robot.nv, 3.0), "effort": 1.4 * held + 5.0, "acceleration": np.full(robot.nv, 9.0)}
    if which != "both":
        limits |= {"effort": None} if which == "acceleration" else {"acceleration": None}
    return robot, way, limits, POINTS


def speeds(name):
    import toppra as ta
    from toppra import algorithm, constraint

    robot, way, limits, points = case(name)
    both = {k: np.stack([-x, x], 1) for k, x in limits.items() if x is not None}
    scheme = constraint.DiscretizationType.Interpolation
    rows = [constraint.JointVelocityConstraint(both["velocity"])]
    if "effort" in both:
        inverse = robot.inverse_dynamics
        still = np.zeros(robot.nv)
        rows.append(constraint.JointTorqueConstraint(inverse, both["effort"], still, discretization_scheme=scheme))
    if "acceleration" in both:
        rows.append(constraint.JointAccelerationConstraint(both["acceleration"], discretization_scheme=scheme))
    s = np.linspace(way.s[0], way.s[-1], points)
    path = ta.SplineInterpolator(way.s, way.q, bc_type="natural")
    found = algorithm.TOPPRA(rows, path, gridpoints=s, solver_wrapper="seidel").compute_parameterization(0, 0)
    return found[1][:: points // 40].tolist()


if __name__ == "__main__":
    stored = {name: speeds(name) for name in CASES}
    (Path(__file__).parent / "toppra.json").write_text(json.dumps(stored, indent=1) + "\n")
