"""The methods of `simulate` by name, and the compiled loop of a plan."""

from typing import Any

from ...compiler.kernel import Kernel
from ..contact.rollout import ContactEuler
from ..loop.routine import Euler, RungeKutta, Writer
from ..plan import Plan
from .adaptive_routine import Adaptive
from .symplectic_routine import Symplectic

METHODS: dict[str, type[Writer]] = {"euler": Euler, "rk4": RungeKutta, "adaptive": Adaptive, "symplectic": Symplectic}


def writer_of(plan: Plan) -> type[Writer]:
    """What writes the loop of a plan."""
    return ContactEuler if plan.system else METHODS[plan.method]


def routine_of(plan: Plan) -> Kernel:
    """The compiled loop of a plan; made once for a robot, unless a function is in it that only its user knows."""
    drive = plan.drive
    constrained = plan.system.coded if plan.system else None
    key: Any = ("rollout", plan.method, drive.rows is not None, drive.key, plan.frames, plan.stiff, constrained)
    key = (*key, plan.pushes.axes) if plan.pushes.axes != "frame" else key
    key = (*key, "parameters") if plan.parameters is not None else key
    key = (*key, "joints") if plan.joints else key
    if drive.compiled and drive.key is None:
        key = None
    return plan.robot.kernels.routine("simulate", key, lambda: writer_of(plan)(plan).routine())
