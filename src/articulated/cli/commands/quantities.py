"""Quantities of a robot at a state, or at every state of a log: a row for each command."""

import inspect
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from ..click_commands import JSON, Told
from ..options import A, Axes, Floating, Frame, Log, Output, Q, Quiet, RobotName, Tau, V

#: options of a quantity: vectors of its state, settings
STATE, SETTINGS = {"q": Q, "v": V, "a": A, "tau": Tau}, {"frame": Frame, "axes": Axes}
COMMON = {"floating": Floating, "log": Log, "output": Output, "as_json": JSON, "quiet": Quiet}
FOUR, SIX = ("0", "1", "2", "3"), ("x", "y", "z", "rx", "ry", "rz")


class Quantity(NamedTuple):
    """A quantity of a robot, as a command computes it."""

    name: str  # in JSON, in an NPZ, in front of column names
    takes: str  # vectors of the state, settings
    method: str | Callable[..., Any]  # of the robot
    axes: Sequence[Sequence[str] | Callable[[Any], Sequence[str]]]  # labels; some depend on the robot
    about: str
    examples: Sequence[str]  # words after `articulated COMMAND panda`
    unit: str = ""  # of every number, or the vector whose units they have


def dofs(robot: Any) -> Sequence[str]:
    """Labels along an axis of size nv."""
    from ..state import labels

    return labels(robot, "v")


def parameters(robot: Any) -> Sequence[str]:
    """Labels of the inertial parameters."""
    from ...text import plain

    return [plain(name) for name in robot.parameter_names]


def energies(robot: Any, q: Any, v: Any) -> Any:
    """Kinetic, potential and total energy, (…, 3)."""
    import numpy as np

    kinetic, potential = np.broadcast_arrays(robot.kinetic_energy(q, v), robot.potential_energy(q))
    return np.stack([kinetic, potential, kinetic + potential], axis=-1)


QUANTITIES = {
    "fk": Quantity("pose", "q frame", "pose", (FOUR, FOUR),
                   "Pose of a frame in the world: a 4×4 matrix for each state.", ["--q home --frame panda_hand"]),
    "jacobian": Quantity("J", "q frame axes", "jacobian", (SIX, dofs),
                         "Velocity of a frame per unit velocity, 6 × nv, [linear; angular].",
                         ['--q "panda_joint2=pi/4" --axes frame']),
    "id": Quantity("tau", "q v a", "inverse_dynamics", (dofs,),
                   "Inverse dynamics: the generalized forces tau for a motion q, v, a.",
                   ["--q home --v 0.5", "--log log.csv -o torques.npz"], "tau"),
    "fd": Quantity("a", "q v tau", "forward_dynamics", (dofs,),
                   "Forward dynamics: the acceleration under generalized forces tau.", ["--q home --tau 0"], "a"),
    "mass": Quantity("M", "q", "mass_matrix", (dofs, dofs), "Mass matrix M(q), nv × nv.", ["--q home --json"]),
    "bias": Quantity("h", "q v", "bias_forces", (dofs,),
                     "Bias forces h(q, v): Coriolis, gravity and friction; with --v 0, gravity alone.",
                     ["--q home --v 0.2"], "tau"),
    "energy": Quantity("energy", "q v", energies, (["kinetic", "potential", "total"],),
                       "Kinetic, potential and total energy in joules; potential energy is zero at the world's origin.",
                       ["--q home --v 0.2"], "J"),
    "regressor": Quantity("Y", "q v a", "regressor", (dofs, parameters),
                          "Regressor Y, nv × 10 bodies: tau = Y times the inertial parameters.",
                          ["--q random --json"]),
}  # fmt: skip


def _command(name: str, row: Quantity) -> Callable[..., Told]:
    wanted = row.takes.split()

    def run(robot: str, **options: Any) -> Told:
        from ..evaluate import evaluate  # NumPy: not for --help

        given, settings = ({key: options[key] for key in wanted if key in known} for known in (STATE, SETTINGS))
        return evaluate(row, robot, given, settings, **{key: options[key] for key in COMMON})

    # `click_commands` reads help and options off the function
    run.__doc__ = "\n  ".join([f"{row.about}\n\nExamples:", *(f"articulated {name} panda {x}" for x in row.examples)])
    stated = {"robot": RobotName, **{key: (STATE | SETTINGS)[key] for key in wanted}, **COMMON}
    kinds = {key: bool if key in ("floating", "as_json", "quiet") else str for key in stated}
    run.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [
            inspect.Parameter(key, inspect.Parameter.KEYWORD_ONLY, default=x, annotation=kinds[key])
            for key, x in stated.items()
        ],
        return_annotation=Told,
    )
    return run


globals().update({f"{name}_command": _command(name, row) for name, row in QUANTITIES.items()})
