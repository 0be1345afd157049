"""Commands from functions of a robot and a state; all have the same options."""

import inspect
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from .options import A, Axes, Floating, Frame, Json, Log, Output, Q, Quiet, RobotName, Tau, V

Labels = Sequence[str] | Callable[[Any], Sequence[str]]  # along one axis of a result; some depend on the robot

Command = Callable[..., None]

#: arguments of such functions: option and default
STATE = {"q": (Q, ""), "v": (V, ""), "a": (A, ""), "tau": (Tau, "")}
SETTINGS = {"frame": (Frame, ""), "axes": (Axes, "world")}
#: options of every such command
COMMON = {
    "floating": (Floating, False), "log": (Log, ""), "output": (Output, ""), "as_json": (Json, False),
    "quiet": (Quiet, False),
}  # fmt: skip


def computing(
    command: str, result: str, *axes: Labels, unit: str = ""
) -> Callable[[Callable[..., Any]], Callable[..., None]]:
    """The decorator of `articulated COMMAND`: `result` is what the numbers are called, `axes` how their axes are.

    `unit` is that of every number, or q, v, a or tau where it depends on the joint.

    The function's parameters after the robot say which vectors and settings the command takes.
    """

    def decorated(function: Callable[..., Any]) -> Command:
        wanted = {name: (STATE | SETTINGS)[name] for name in list(inspect.signature(function).parameters)[1:]}

        def run(robot: str, **options: Any) -> None:
            from .evaluate import Quantity, evaluate  # NumPy: not for --help

            settings = {name: options[name] for name in SETTINGS if name in wanted}
            given = {name: options[name] for name in STATE if name in wanted}
            common = {name: options[name] for name in COMMON}
            quantity = Quantity(command, result, list(given), function, partial(_labels, axes), unit, settings)
            evaluate(quantity, robot, given, **common)

        # `declared` reads the options off the signature
        run.__name__, run.__doc__ = function.__name__, function.__doc__
        options = {"robot": (RobotName, inspect.Parameter.empty), **wanted, **COMMON}
        run.__annotations__ = {name: kind for name, (kind, _) in options.items()}
        run.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
            [
                inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=kind)
                for name, (kind, default) in options.items()
            ]
        )
        return run

    return decorated


def _labels(axes: Sequence[Labels], robot: Any) -> list[Sequence[str]]:
    return [axis(robot) if callable(axis) else axis for axis in axes]


def dofs(robot: Any) -> Sequence[str]:
    """Labels along an axis of size nv."""
    from .state import labels

    return labels(robot, "v")
