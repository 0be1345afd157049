"""Robotics Toolbox for Python: its `Robot` from a URDF is Python.  Measured on the arms, not in large batches."""

import roboticstoolbox as rtb
from roboticstoolbox.models.URDF.URDFRobot import URDF_read

from ..robots import Case, States, agree
from ..timing import Call

NAME = "roboticstoolbox-python"
ONE = {
    "inverse_dynamics": "twin.rne(q, v, a)",
    "forward_dynamics": "twin.accel(q, v, tau)",
    "mass_matrix": "twin.inertia(q)",
    "jacobian": "twin.jacob0(q, end=frame)",
    "pose": "twin.fkine(q, end=frame).A",
}


def _twin(case: Case) -> rtb.Robot:
    links, name, *_ = URDF_read(str(case.path))
    return rtb.Robot(links, name=name)


def calls(case: Case, states: States, threads: int = 1) -> dict[str, Call]:
    """The statement of each quantity."""
    if case.floating or states.q.ndim > 1:
        return {}
    scope = {"twin": _twin(case), "frame": case.frame, **states._asdict()}
    return {quantity: Call(one, scope) for quantity, one in ONE.items()}


def check(case: Case) -> None:
    """Fails unless it gives the same forces."""
    q, v, a, _ = case.states()
    found = _twin(case).rne(q, v, a)
    agree(f"{case.name}, inverse dynamics, toolbox", case.robot.inverse_dynamics(q, v, a), found, 1e-9)
