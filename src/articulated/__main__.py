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

    print("Built-in robots, each moving freely from a random state (seed 0):\n")
    columns = {"robot": -16, "bodies": 7, "nq": 5, "nv": 5, "mass kg": 10, "kinetic J": 12, "potential J": 13}
    columns |= {"|h| max": 10, "round trip": 13}
    print("".join(f"{title:{'<' if width < 0 else '>'}{abs(width)}}" for title, width in columns.items()))
    for name in robots():
        print(_row(name, load(name)))
    _detail(load("panda"))


def _row(name: str, robot: "Robot") -> str:
    import numpy as np

    rng = np.random.default_rng(0)
    q, v, a = robot.random(rng), rng.normal(size=robot.nv), rng.normal(size=robot.nv)
    tau = robot.inverse_dynamics(q, v, a)
    error = abs(robot.forward_dynamics(q, v, tau) - a).max()
    T, U, h = robot.kinetic_energy(q, v), robot.potential_energy(q), abs(robot.bias_forces(q, v)).max()
    return (
        f"{name:<16}{len(robot.body_names):>7}{robot.nq:>5}{robot.nv:>5}{robot.mass:>10.2f}"
        f"{T:>12.4f}{U:>13.4f}{h:>10.3f}{error:>13.1e}"
    )


def _detail(robot: "Robot") -> None:
    import numpy as np

    q = np.full(robot.nq, 0.3)
    v, a = np.full(robot.nv, 0.5), np.zeros(robot.nv)
    tau, g = robot.inverse_dynamics(q, v, a), robot.gravity_forces(q)
    back = robot.forward_dynamics(q, v, tau)
    print(f"\n{robot.name} at q = 0.3, v = 0.5, a = 0:\n")
    print(f"{'joint':<16}{'gravity Nm':>12}{'torque Nm':>12}{'back to a':>12}")
    for k, joint in enumerate(robot.joint_names):
        print(f"{joint:<16}{g[k]:>12.4f}{tau[k]:>12.4f}{back[k]:>12.1e}")
    print("\nmass matrix:")
    print(np.array2string(robot.mass_matrix(q), precision=3, suppress_small=True, floatmode="fixed"))
    hand = robot.pose(q, robot.frame_names[-1])[:3, 3]
    print(
        f"\n{robot.frame_names[-1]} at {np.round(hand, 4)} m; energy {robot.kinetic_energy(q, v):.4f} J kinetic, ",
        end="",
    )
    print(f"{robot.potential_energy(q):.4f} J potential")
    print("\nround trip: largest error of forward_dynamics(inverse_dynamics(a)) - a")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        command_line()
    else:
        with heeded():
            main()
