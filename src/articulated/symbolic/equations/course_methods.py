"""Methods of `Equations` for the next lectures; the room `course` is imported when one of them is called."""

from __future__ import annotations  # help shows types as they are written here

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ...model.motors import Motor, with_motors

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

        Parameters
        ----------
        old : each q by new letters, {"q_1": p_1, "q_2": p_2 - p_1}, or "absolute"

        Returns
        -------
        Changed: M, c, g and the rest in the new letters

        Examples
        --------
        >>> import articulated as art
        >>> eq = art.derive("2r")
        >>> eq.change("absolute").M.shape
        (2, 2)
        """
        from ..course.coordinates import change

        return change(self, old)

    def inverse(self) -> Inverse:
        """M⁻¹ as adjugate and determinant, block by block; up to four rows.

        Returns
        -------
        Inverse: adjugate and determinant

        Examples
        --------
        >>> import articulated as art
        >>> eq = art.derive("2r")
        >>> eq.inverse().matrix.shape
        (2, 2)
        """
        from ..course.state_space import inverse_of

        return inverse_of(self)

    def state_space(self) -> StateSpace:
        """d/dt x = f(x) + G(x) tau with x = [q; v].

        Returns
        -------
        StateSpace: f (2 nv,), G (2 nv, nv)

        Examples
        --------
        >>> import articulated as art
        >>> eq = art.derive("2r")
        >>> eq.state_space().G.shape
        (4, 2)
        """
        from ..course.state_space import state_space_of

        return state_space_of(self)

    def elastic(self, stiffness: Any = None, rotors: Any = None, joints: Any = None) -> System:
        """Elastic joints after Spong: springs between motors (theta) and links (q), symbols K_i and J_i unless given.

        `joints` names the elastic ones, all of them if it is not given; the torques act on the motors.

        Parameters
        ----------
        stiffness : of the springs, one a joint; symbols K_i if not given: N m/rad, N/m
        rotors : inertias of the rotors, one a joint; symbols J_i if not given: kg m²
        joints : names of the elastic joints; all of them if not given

        Returns
        -------
        System: M, c, g of motors and links

        Notes
        -----
        Source: Spong 1987.

        Examples
        --------
        >>> import articulated as art
        >>> eq = art.derive("2r")
        >>> eq.elastic().M.shape
        (4, 4)
        """
        from ..course.elastic import elastic

        return elastic(self, stiffness, rotors, joints)

    def motors(self: Any, given: Sequence[Motor]) -> Equations:
        """The equations with motors, each an `art.Motor`: gear ratio, rotor inertia, and the link that carries it.

        Parameters
        ----------
        given : an `art.Motor` for each

        Returns
        -------
        Equations of the robot with its motors

        Notes
        -----
        Source: De Luca, Robotics 2 (Lagrangian dynamics, motors).

        Examples
        --------
        >>> import articulated as art
        >>> eq = art.derive("2r")
        >>> eq.motors([]).M == eq.M
        True
        """
        from .derive import derive

        return derive(with_motors(self.model, given), letters=self.state.letters or None)

    def constrain(self, constraints: Any, independent: Any = None) -> Constrained:
        """Reduced dynamics under constraints h(q) = 0 or A(q) v = 0, and the constraint forces.

        Parameters
        ----------
        constraints : h(q), expressions that stay zero, or rows A(q) of A(q) v = 0
        independent : names or symbols of the coordinates that are kept

        Returns
        -------
        Constrained: reduced dynamics, forces of the constraints

        Examples
        --------
        >>> import articulated as art
        >>> eq = art.derive("2r")
        >>> eq.constrain([eq.pose('link2')[0, 3]]).M.shape
        (1, 1)
        """
        from ..course.constraints import constrain

        return constrain(self, constraints, independent)

    def adaptive_regressor(self, known: Any = ()) -> AdaptiveRegressor:
        """Slotine and Li's Y(q, v, v_r, a_r) with Y a = M a_r + C v_r + g + friction, a as in `coefficients(known)`.

        Parameters
        ----------
        known : symbols, or their names, that are not part of a coefficient: lengths, gravity

        Returns
        -------
        AdaptiveRegressor with .Y (nv, p)

        Notes
        -----
        Source: Slotine and Li 1987.

        Examples
        --------
        >>> import articulated as art
        >>> eq = art.derive("2r")
        >>> eq.adaptive_regressor().Y.shape
        (2, 5)
        """
        from ..course.adaptive import adaptive_regressor

        return adaptive_regressor(self, known)
