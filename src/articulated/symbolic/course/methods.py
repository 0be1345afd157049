"""What a course asks of equations next, as methods of theirs."""

from __future__ import annotations  # help shows types as they are written here

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ...documentation import document
from ...model.motors import Motor
from . import help
from .adaptive import AdaptiveRegressor, adaptive_regressor
from .constraints import Constrained, constrain
from .coordinates import Changed, change
from .elastic import elastic
from .motors import motors
from .state_space import Inverse, StateSpace, inverse_of, state_space_of
from .system import System

if TYPE_CHECKING:
    from ..equations.derive import Equations


class CourseMethods:
    """Other coordinates, state space, drives, constraints and adaptive control; docs/closed_form.md has examples."""

    def change(self, old: Any) -> Changed:
        """In other coordinates: `old` gives each q by new letters, {"q_1": p_1, "q_2": p_2 - p_1}.

        "absolute" is that for every chain of parallel axes.  Forces are those of the new coordinates.
        """
        return change(self, old)

    def inverse(self) -> Inverse:
        """M⁻¹ as adjugate and determinant, block by block; up to four rows."""
        return inverse_of(self)

    def state_space(self) -> StateSpace:
        """d/dt x = f(x) + G(x) tau with x = [q; v]."""
        return state_space_of(self)

    def elastic(self, stiffness: Any = None, rotors: Any = None, joints: Any = None) -> System:
        """With springs between motors (theta) and links (q), after Spong: symbols K_i and J_i unless given.

        `joints` names the elastic ones, all of them if it is not given; the torques act on the motors.
        """
        return elastic(self, stiffness, rotors, joints)

    def motors(self, given: Sequence[Motor]) -> Equations:
        """With motors, each an `art.Motor`: gear ratio, rotor inertia, and the link that carries it."""
        return motors(self, given)

    def constrain(self, constraints: Any, independent: Any = None) -> Constrained:
        """Under constraints h(q) = 0 or A(q) v = 0: reduced dynamics and the forces that keep them."""
        return constrain(self, constraints, independent)

    def adaptive_regressor(self, known: Any = ()) -> AdaptiveRegressor:
        """Slotine and Li's Y(q, v, v_r, a_r) with Y a = M a_r + C v_r + g + friction, a as in `coefficients(known)`."""
        return adaptive_regressor(self, known)


document(CourseMethods, help.ARGUMENTS, help.METHODS, help.SETTING)
