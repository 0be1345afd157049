"""Time-optimal motions along paths: ours and toppra's, with the same points, limits and dynamics.

`chrt -f 20 python -m benchmarks.time_optimal` (real-time priority) writes benchmarks/time_optimal.md.
"""

import logging
import platform
import sys
from importlib import metadata
from pathlib import Path

import numpy as np

import articulated as art

from .timing import Call, interleaved, ratio

ROBOTS = ("panda", "ur5", "puma560")
SIZES = (100, 1000)
ROUNDS = 15


def problem(name):
    """A robot, a path of three waypoints, and limits that it can be held with."""
    robot = art.load(name).frictionless()
    middle = robot.poses["home"] if "home" in robot.poses else robot.neutral()
    way = art.path(robot, middle + 0.6 * np.random.default_rng(1).uniform(-1, 1, (3, robot.nv)))
    held = abs(robot.gravity_forces(way.at(np.linspace(way.s[0], way.s[-1], 200)).q)).max(axis=0)
    return robot, way, {"velocity": np.full(robot.nv, 4.0), "effort": 1.5 * held + 5.0}


def on_toppra(robot, way, limits, points):
    """The same for toppra; ID is ours, state by state, as its constraint calls it."""
    import toppra as ta
    from toppra import algorithm, constraint

    both = {name: np.stack([-x, x], 1) for name, x in limits.items()}
    scheme = constraint.DiscretizationType.Interpolation
    torque = constraint.JointTorqueConstraint(
        robot.inverse_dynamics, both["effort"], np.zeros(robot.nv), discretization_scheme=scheme
    )
    rows = [constraint.JointVelocityConstraint(both["velocity"]), torque]
    path = ta.SplineInterpolator(way.s, way.q, bc_type="natural")
    s = np.linspace(way.s[0], way.s[-1], points)

    def solve():
        return algorithm.TOPPRA(rows, path, gridpoints=s, solver_wrapper="seidel").compute_parameterization(0, 0)[1]

    return solve, s


def main() -> None:
    """Measure, and write the page."""
    logging.disable(logging.CRITICAL)
    head = ["robot", "points", "ours", "toppra", "ratio", "duration", "durations differ by"]
    lines = [f"| {' | '.join(head)} |", "| --- " * len(head) + "|"]
    for name in ROBOTS:
        robot, way, limits = problem(name)
        for points in SIZES:
            solve, s = on_toppra(robot, way, limits, points)
            speed = solve()
            theirs = float(np.sum(2 * np.diff(s) / (speed[1:] + speed[:-1])))
            ours = art.time_optimal(robot, way, limits=limits, points=points).duration
            scope = {"art": art, "robot": robot, "way": way, "limits": limits, "points": points, "solve": solve}
            calls = {"ours": Call("art.time_optimal(robot, way, limits=limits, points=points)", scope)}
            times = interleaved({**calls, "toppra": Call("solve()", scope)}, ROUNDS)
            lines.append(
                f"| {name} | {points} | {1e3 * float(np.median(times['ours'])):.2f} ms | "
                f"{1e3 * float(np.median(times['toppra'])):.1f} ms | {ratio(times['toppra'], times['ours']):.0f}× | "
                f"{ours:.4f} s | {abs(ours - theirs) / theirs:.0e} |"
            )
    versions = ", ".join(f"{name} {metadata.version(name)}" for name in ("numpy", "llvmlite", "toppra"))
    text = f"""# Time-optimal motions

By `chrt -f 20 python -m benchmarks.time_optimal` (real-time priority): the fastest motion along a spline through three
configurations under velocity and torque limits, from path to trajectory: points of the path, coefficients by inverse
dynamics, passes, times, states and torques. toppra (seidel, interpolation scheme) on the same points with the same
inverse dynamics, without the torques of its result. Candidates run in turn on a machine with
other work; medians of the CPU time of one thread.

{platform.machine()}; Python {platform.python_version()}, {versions}.

"""
    Path(__file__).with_suffix(".md").write_text(text + "\n".join(lines) + "\n")
    print("\n".join(lines))


if __name__ == "__main__":
    sys.exit(main())
