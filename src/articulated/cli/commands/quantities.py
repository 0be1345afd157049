"""Quantities of a robot at a state, or at every state of a log: one function for each command."""

import inspect
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from ..options import A, Axes, Floating, Frame, Json, Log, Output, Q, Quiet, RobotName, Tau, V

Labels = Sequence[str] | Callable[[Any], Sequence[str]]  # along one axis of a result; some depend on the robot
#: arguments of such functions, and options of every such command
STATE = {"q": Q, "v": V, "a": A, "tau": Tau}
SETTINGS = {"frame": Frame, "axes": Axes}
COMMON = {"floating": Floating, "log": Log, "output": Output, "as_json": Json, "quiet": Quiet}
FLAGS = ("floating", "as_json", "quiet")
ROWS = ("0", "1", "2", "3")


def computing(
    command: str, result: str, *axes: Labels, unit: str = ""
) -> Callable[[Callable[..., Any]], Callable[..., None]]:
    """The decorator of `articulated COMMAND`: `result` is what the numbers are called, `axes` how their axes are.

    `unit` is that of every number, or q, v, a or tau where it depends on the joint.

    The function's parameters after the robot say which vectors and settings the command takes.
    """

    def decorated(function: Callable[..., Any]) -> Callable[..., None]:
        kind = inspect.Parameter.KEYWORD_ONLY
        wanted = {name: (STATE | SETTINGS)[name] for name in list(inspect.signature(function).parameters)[1:]}

        def run(robot: str, **options: Any) -> None:
            from ..evaluate import Quantity, evaluate  # NumPy: not for --help

            settings = {name: options[name] for name in SETTINGS if name in wanted}
            given = {name: options[name] for name in STATE if name in wanted}
            common = {name: options[name] for name in COMMON}
            quantity = Quantity(command, result, list(given), function, partial(_labels, axes), unit, settings)
            evaluate(quantity, robot, given, **common)

        # `click_commands` reads the options off the signature
        run.__name__, run.__doc__ = function.__name__, function.__doc__
        run.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
            [
                inspect.Parameter(name, kind, default=stated, annotation=bool if name in FLAGS else str)
                for name, stated in {"robot": RobotName, **wanted, **COMMON}.items()
            ]
        )
        return run

    return decorated


def _labels(axes: Sequence[Labels], robot: Any) -> list[Sequence[str]]:
    return [axis(robot) if callable(axis) else axis for axis in axes]


def dofs(robot: Any) -> Sequence[str]:
    """Labels along an axis of size nv."""
    from ..state import labels

    return labels(robot, "v")


def parameters(robot: Any) -> Sequence[str]:
    """Labels of the inertial parameters."""
    from ...text import plain

    return [plain(name) for name in robot.parameter_names]


@computing("fk", "pose", ROWS, ROWS)
def fk(robot: Any, q: Any, frame: str) -> Any:
    """Pose of a frame in the world: a 4×4 matrix for each state.

    Examples:
      articulated fk panda --q home --frame panda_hand
    """
    return robot.pose(q, frame)


@computing("jacobian", "J", ("x", "y", "z", "rx", "ry", "rz"), dofs)
def jacobian(robot: Any, q: Any, frame: str, axes: str) -> Any:
    """Velocity of a frame per unit velocity, 6 × nv, [linear; angular].

    Examples:
      articulated jacobian panda --q "panda_joint2=pi/4" --axes frame
    """
    return robot.jacobian(q, frame, axes=axes)


@computing("id", "tau", dofs, unit="tau")
def inverse_dynamics(robot: Any, q: Any, v: Any, a: Any) -> Any:
    """Inverse dynamics: the generalized forces tau for a motion q, v, a.

    Examples:
      articulated id panda --q home --v 0.5
      articulated id panda --log log.csv -o torques.npz
    """
    return robot.inverse_dynamics(q, v, a)


@computing("fd", "a", dofs, unit="a")
def forward_dynamics(robot: Any, q: Any, v: Any, tau: Any) -> Any:
    """Forward dynamics: the acceleration under generalized forces tau.

    Examples:
      articulated fd panda --q home --tau 0
    """
    return robot.forward_dynamics(q, v, tau)


@computing("mass", "M", dofs, dofs)
def mass(robot: Any, q: Any) -> Any:
    """Mass matrix M(q), nv × nv.

    Examples:
      articulated mass panda --q home --json
    """
    return robot.mass_matrix(q)


@computing("bias", "h", dofs, unit="tau")
def bias(robot: Any, q: Any, v: Any) -> Any:
    """Bias forces h(q, v): Coriolis, gravity and friction; with --v 0, gravity alone.

    Examples:
      articulated bias panda --q home --v 0.2
    """
    return robot.bias_forces(q, v)


@computing("energy", "energy", ["kinetic", "potential", "total"], unit="J")
def energy(robot: Any, q: Any, v: Any) -> Any:
    """Kinetic, potential and total energy in joules; potential energy is zero at the world's origin.

    Examples:
      articulated energy panda --q home --v 0.2
    """
    import numpy as np

    kinetic, potential = np.broadcast_arrays(robot.kinetic_energy(q, v), robot.potential_energy(q))
    return np.stack([kinetic, potential, kinetic + potential], axis=-1)


@computing("regressor", "Y", dofs, parameters)
def regressor(robot: Any, q: Any, v: Any, a: Any) -> Any:
    """Regressor Y, nv × 10 bodies: tau = Y times the inertial parameters.

    Examples:
      articulated regressor panda --q random --json
    """
    return robot.regressor(q, v, a)
