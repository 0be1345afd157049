"""Table of the integrators of `simulate`, and the compiled loop of a plan.

An integrator is written once, on scalars, and stands in one row; the compiled loop runs it for one state or a batch,
whatever drives the robot.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...compiler.kernel import Kernel
from ...errors import ShapeError
from ...inputs.choices import number
from ..loop.routine import Writer
from ..plan import Plan
from .adaptive_routine import Adaptive
from .dormand_prince import DORMAND_PRINCE
from .euler import euler
from .midpoint import Euler, Midpoint, middle
from .runge_kutta import RK4, RungeKutta
from .symplectic import Balance
from .symplectic_routine import Symplectic

#: default tolerances, relative and absolute
USUAL = 1e-9, 1e-12
#: below this relative tolerance a step cannot be told from rounding
FINEST = 1e-13


@dataclass(frozen=True)
class Integrator:
    """A method of integration: its step on scalars, the loop that runs such steps, and its properties."""

    step: Any  # a Tableau, a step function, or the equations that its loop solves
    loop: type[Writer]
    order: int
    contacts: bool = False  # takes contacts, joint limits and friction that sticks
    adaptive: bool = False  # chooses its steps by rtol and atol
    damping: float = 0.0  # part of a step over which the damping of joints is implicit


INTEGRATORS = {
    "euler": Integrator(euler, Euler, order=1, contacts=True, damping=1.0),
    "midpoint": Integrator(middle, Midpoint, order=2, contacts=True, damping=0.5),
    "rk4": Integrator(RK4, RungeKutta, order=4),
    "adaptive": Integrator(DORMAND_PRINCE, Adaptive, order=8, adaptive=True),
    "symplectic": Integrator(Balance, Symplectic, order=2, damping=0.5),
}


def tolerances_of(method: str, rtol: float | None, atol: float | None) -> tuple[float, float]:
    """(rtol, atol), checked; only an adaptive method has them."""
    if not INTEGRATORS[method].adaptive:
        for name, value in (("rtol", rtol), ("atol", atol)):
            if value is not None:
                raise ShapeError(
                    f'simulate: {name} is for method="adaptive"; the steps of "{method}" are dt long whatever the error'
                )
    if rtol is None and atol is None:
        return USUAL
    relative, absolute = (usual if x is None else x for x, usual in zip((rtol, atol), USUAL, strict=True))
    return (
        number("simulate: rtol", relative, f"a relative tolerance from {FINEST:g} to 1", FINEST, 1.0),
        number("simulate: atol", absolute, "an absolute tolerance above zero", np.nextafter(0, 1)),
    )


def writer_of(plan: Plan) -> type[Writer]:
    """Writer of the loop of a plan."""
    if plan.system and plan.system.pile:
        from ..pile.rollout import PileEuler

        return PileEuler
    if plan.switching:
        from ..contact.rollout import ContactLoop

        return ContactLoop
    return plan.integrator.loop


def routine_of(plan: Plan) -> Kernel:
    """Compiled loop of a plan; made once for a robot, unless a function is in it that only its user knows."""
    drive = plan.drive
    constrained = plan.system.coded if plan.system else None
    key: Any = ("rollout", plan.method, drive.rows is not None, drive.key, plan.sites.frames, plan.stiff, constrained)
    key = (*key, plan.external.axes) if plan.external.axes != "frame" else key
    key = (*key, "parameters") if plan.parameters is not None else key
    key = (*key, "joints") if plan.joints else key
    key = (*key, "servo", drive.implicit is not None, drive.most is not None) if drive.changed else key
    if drive.compiled and drive.key is None:
        key = None
    method = writer_of(plan)
    return plan.robot.kernels.routine("simulate", key, lambda: method(plan).routine(), method.alone)
