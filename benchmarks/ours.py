"""Articulated itself: the statement for each quantity, for one state with a new result, for a batch into an array."""

from inspect import Parameter, signature

import numpy as np

from articulated import Robot

from .robots import Case, States
from .timing import Call

NAME = "articulated"


def _needed(p: Parameter) -> bool:
    return p.default is p.empty and p.kind is p.POSITIONAL_OR_KEYWORD


#: the methods that are measured
METHODS = (
    Robot.inverse_dynamics, Robot.forward_dynamics, Robot.mass_matrix, Robot.mass_matrix_inverse,
    Robot.coriolis_matrix, Robot.jacobian, Robot.pose,
)  # fmt: skip
#: their names -> how they are asked for
ARGUMENTS = {
    method.__name__: ", ".join(p.name for p in list(signature(method).parameters.values())[1:] if _needed(p))
    for method in METHODS
}
#: M, the bias h and the Jacobian in one call
FUSED = "fused"
QUANTITIES = (*ARGUMENTS, FUSED)


def outputs(case: Case, quantity: str, states: States, dtype=float) -> list[np.ndarray]:
    """Arrays for the results, touched so that the pages are there."""
    n, batch = case.robot.nv, states.q.shape[:-1]
    matrix, vector, jacobian = (n, n), (n,), (6, n)
    shapes = {"jacobian": [jacobian], "pose": [(4, 4)], FUSED: [matrix, vector, jacobian]}
    usual = [vector if quantity.endswith("dynamics") else matrix]
    return [np.ones((*batch, *shape), dtype) for shape in shapes.get(quantity, usual)]


def call(case: Case, quantity: str, states: States, threads: int = 1, dtype=float) -> Call:
    """The statement of one quantity."""
    arrays = {name: np.ascontiguousarray(x, dtype) for name, x in states._asdict().items()}
    scope = {"robot": case.robot, "frame": case.frame, "dtype": dtype, **arrays}
    options = f", threads={threads}" if threads > 1 else ""
    if states.q.ndim > 1:
        options += ", out=out"
    if quantity == FUSED:
        fused = case.robot.compile("mass_matrix", "bias_forces", ("jacobian", case.frame), dtype=dtype)
        return Call(f"fused(q, v{options})", {**scope, "fused": fused, "out": fused(scope["q"], scope["v"])})
    if dtype is not float:
        options += ", dtype=dtype"
    out = outputs(case, quantity, states, dtype)[0]
    return Call(f"robot.{quantity}({ARGUMENTS[quantity]}{options})", {**scope, "out": out})
