"""Equations of motion as a Lagrangian system, with what follows from M, c, g and the energies alone.

The room `course` is imported when one of its methods is called.
"""

from __future__ import annotations  # help shows types as they are written here

from functools import cached_property
from typing import TYPE_CHECKING, Any

import sympy

from ...errors import unknown
from ..ring.notebook import NotebookMatrix
from .notation import listed, rows_of, written_in

if TYPE_CHECKING:
    from ..course.constraints import Constrained
    from ..course.coordinates import Changed
    from ..course.state_space import Inverse, StateSpace
    from ..course.system import System


class LagrangianSystem:
    """Quantities that follow from M, c, g, friction, T and U and the symbols of the state."""

    name: str
    q: sympy.Matrix
    v: sympy.Matrix
    a: sympy.Matrix
    parameters: tuple[sympy.Symbol, ...]
    M: sympy.Matrix
    c: sympy.Matrix
    g: sympy.Matrix
    friction: sympy.Matrix
    T: sympy.Expr
    U: sympy.Expr

    @property
    def lagrangian(self) -> sympy.Expr:
        """L = T - U."""
        return self.T - self.U

    @cached_property
    def tau(self) -> sympy.Matrix:
        """Generalized forces: M a + c + g + friction."""
        return NotebookMatrix(self.M * self.a + self.c + self.g + self.friction)

    def latex(self, what: str = "M,c,g") -> str:
        """LaTeX of the quantities named, rows of one aligned block, for math mode.

        Parameters
        ----------
        what : quantities by name, with commas: "M,c,g"

        Returns
        -------
        text

        Examples
        --------
        >>> import articulated as art
        >>> "ddot" in art.derive("2r").latex("tau")
        True
        """

        from ..pages.document import aligned

        with written_in(self):
            return aligned(row for name in listed(what) for row in rows_of(self, name))

    def symbol(self, name: str) -> sympy.Symbol:
        """The symbol of that name: a parameter ("l_1") or a part of the state ("q_1", "qd_1", "qdd_1").

        Parameters
        ----------
        name : "l_1", "q_1", "qd_1", "qdd_1"

        Returns
        -------
        a SymPy symbol

        Examples
        --------
        >>> import articulated as art
        >>> art.derive("2r").symbol("l_1")
        l_1
        """
        known = {s.name: s for s in (*self.parameters, *self.q, *self.v, *self.a)}
        if not isinstance(name, str) or name not in known:
            raise unknown("symbol", name, self.name, known)
        return known[name]

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
        >>> art.derive("2r").change("absolute").M.shape
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
        >>> art.derive("2r").inverse().matrix.shape
        (2, 2)
        """
        from ..course.state_space import inverse

        return inverse(self)

    def state_space(self) -> StateSpace:
        """d/dt x = f(x) + G(x) tau with x = [q; v].

        Returns
        -------
        StateSpace: f (2 nv,), G (2 nv, nv)

        Examples
        --------
        >>> import articulated as art
        >>> art.derive("2r").state_space().G.shape
        (4, 2)
        """
        from ..course.state_space import state_space

        return state_space(self)

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
        >>> art.derive("2r").elastic().M.shape
        (4, 4)
        """
        from ..course.elastic import elastic

        return elastic(self, stiffness, rotors, joints)

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
