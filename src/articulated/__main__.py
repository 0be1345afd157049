"""`python -m articulated`: the main job on built-in robots, as a table; with arguments, the command line."""

import sys
from typing import TYPE_CHECKING

from .cli import main as command_line
from .cli.signals import heeded

if TYPE_CHECKING:
    from .robot import Robot


def main() -> None:
    """Show every built-in robot, then one of them in detail."""
    from . import load, robots
    from .text import aligned

    print("Built-in robots, each moving freely from a random state (seed 0):\n")
    headers = ["robot", "bodies", "nq", "nv", "mass kg", "kinetic J", "potential J", "|h| max", "round trip"]
    print("\n".join(aligned(headers, [_row(name, load(name)) for name in robots()])))
    _detail(load("panda"))


def _row(name: str, robot: "Robot") -> list[str]:
    import numpy as np

    rng = np.random.default_rng(0)
    q, v, a = robot.random(rng), rng.normal(size=robot.nv), rng.normal(size=robot.nv)
    tau = robot.inverse_dynamics(q, v, a)
    error = abs(robot.forward_dynamics(q, v, tau) - a).max()
    energies = [f"{robot.kinetic_energy(q, v):.4f}", f"{robot.potential_energy(q):.4f}"]
    counts = [str(n) for n in (len(robot.body_names), robot.nq, robot.nv)]
    return [name, *counts, f"{robot.mass:.2f}", *energies, f"{abs(robot.bias_forces(q, v)).max():.3f}", f"{error:.1e}"]


def _detail(robot: "Robot") -> None:
    import numpy as np

    from .text import aligned

    q = np.full(robot.nq, 0.3)
    v, a = np.full(robot.nv, 0.5), np.zeros(robot.nv)
    tau, g = robot.inverse_dynamics(q, v, a), robot.gravity_forces(q)
    back = robot.forward_dynamics(q, v, tau)
    print(f"\n{robot.name} at q = 0.3, v = 0.5, a = 0:\n")
    rows = [[joint, f"{g[k]:.4f}", f"{tau[k]:.4f}", f"{back[k]:.1e}"] for k, joint in enumerate(robot.joint_names)]
    print("\n".join(aligned(["joint", "gravity Nm", "torque Nm", "back to a"], rows)))
    print("\nmass matrix:")
    print(np.array2string(robot.mass_matrix(q), precision=3, suppress_small=True, floatmode="fixed"))
    hand = robot.pose(q, robot.frame_names[-1])[:3, 3]
    kinetic, potential = robot.kinetic_energy(q, v), robot.potential_energy(q)
    print(f"\n{robot.frame_names[-1]} at {np.round(hand, 4)} m; {kinetic:.4f} J kinetic, {potential:.4f} J potential")
    print("\nround trip: largest error of forward_dynamics(inverse_dynamics(a)) - a")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        command_line()
    else:
        with heeded():
            main()
