"""Methods of `Equations` for the next lectures; the room `course` is imported when one of them is called."""

from __future__ import annotations  # help shows types as they are written here

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ...documentation import document
from ...model.motors import Motor, with_motors
from ..course import help

if TYPE_CHECKING:
    from ..course.adaptive import AdaptiveRegressor
    from ..course.constraints import Constrained
    from ..course.coordinates import Changed
    from ..course.state_space import Inverse, StateSpace
    from ..course.system import System
    from .derive import Equations


class CourseMethods:
    """Other coordinates, state space, drives, constraints and adaptive control; docs/closed_form.md has examples."""

    def change(self, old: Any) -> Changed:
        """The equations in other coordinates: `old` gives each q by new letters, {"q_1": p_1, "q_2": p_2 - p_1}.

        "absolute" is that for every chain of parallel axes.  Forces are those of the new coordinates.
        """
        from ..course.coordinates import change

        return change(self, old)

    def inverse(self) -> Inverse:
        """M⁻¹ as adjugate and determinant, block by block; up to four rows."""
        from ..course.state_space import inverse_of

        return inverse_of(self)

    def state_space(self) -> StateSpace:
        """d/dt x = f(x) + G(x) tau with x = [q; v]."""
        from ..course.state_space import state_space_of

        return state_space_of(self)

    def elastic(self, stiffness: Any = None, rotors: Any = None, joints: Any = None) -> System:
        """Elastic joints after Spong: springs between motors (theta) and links (q), symbols K_i and J_i unless given.

        `joints` names the elastic ones, all of them if it is not given; the torques act on the motors.
        """
        from ..course.elastic import elastic

        return elastic(self, stiffness, rotors, joints)

    def motors(self: Any, given: Sequence[Motor]) -> Equations:
        """The equations with motors, each an `art.Motor`: gear ratio, rotor inertia, and the link that carries it."""
        from .derive import derive

        return derive(with_motors(self.model, given), letters=self.state.letters or None)

    def constrain(self, constraints: Any, independent: Any = None) -> Constrained:
        """Reduced dynamics under constraints h(q) = 0 or A(q) v = 0, and the constraint forces."""
        from ..course.constraints import constrain

        return constrain(self, constraints, independent)

    def adaptive_regressor(self, known: Any = ()) -> AdaptiveRegressor:
        """Slotine and Li's Y(q, v, v_r, a_r) with Y a = M a_r + C v_r + g + friction, a as in `coefficients(known)`."""
        from ..course.adaptive import adaptive_regressor

        return adaptive_regressor(self, known)


document(CourseMethods, help.ARGUMENTS, help.METHODS, help.SETTING)
