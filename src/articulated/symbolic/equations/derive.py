"""The closed form of a robot's equations of motion: derived, simplified, checked, typeset."""

from __future__ import annotations  # help shows types as they are written here

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import sympy

from ...algebra.scalars import Array
from ...algorithms.coriolis import SKEW, coriolis_matrix
from ...algorithms.inverse_dynamics import friction_forces
from ...algorithms.jacobians import jacobian
from ...algorithms.kinematics import AXES, frame_pose
from ...errors import NoSuchAttribute, ShapeError, unknown
from ...inputs.choices import choose, flag, whole_number
from ...model import Model
from ...text import shortened
from ..ring.notebook_matrix import NotebookMatrix
from ..ring.state import State
from . import lagrange
from .articulated_inertias import ArticulatedInertia, articulated_inertias
from .checks import Check, check
from .coefficients import Coefficients, coefficients, regrouped
from .course_methods import CourseMethods
from .derivatives import By, Linearized, Quantity, derivative, linearize
from .factorizations import Factorization, judge
from .lectures import model_of
from .moving_frames import MovingFrames, energy_of_bodies, frames
from .naming import with_symbols
from .presentation import readable
from .progress import progress
from .questions import Answers, answers
from .refusals import refuse_asymmetric, refuse_singular, remark_on_letters
from .substitution import AtState, split_values, substituted

Page = Literal["text", "md", "tex", "html"]
Form = Literal["tex", "md", "html", "text", "py", "c", "casadi", "julia", "matlab"]
Factorizations = Literal["christoffel", "body_jacobian", "nonskew"]
SHOWN = 400  # terms a notebook shows by itself
#: words of a robot, and of lectures
ELSEWHERE = {"mass_matrix": "M", "inertia": "M", "B": "M", "coriolis": "c", "gravity": "g", "kinetic_energy": "T",
             "potential_energy": "U", "torques": "tau"}  # fmt: skip


class Equations(CourseMethods):
    """M(q) a + c(q, v) + g(q) (+ friction) = tau, in closed form.

    `M`, `C`, `c`, `g`, `T`, `U`, `tau` are SymPy, made when first asked for; `q`, `v`, `a` are the
    symbols of the state and `parameters` those of the robot.

    Parameters
    ----------
    state : the robot with every scalar a polynomial; `art.derive(robot)` makes it

    Examples
    --------
    >>> import articulated as art
    >>> art.derive("2r").g.shape
    (2, 1)
    """

    def __init__(self, state: State):
        self.state = state
        self.name = state.source.name
        self.q, self.v, self.a = (NotebookMatrix(list(state.symbols[n])) for n in "qva")
        self.parameters = state.parameters
        with progress(f"deriving {self.name}"):
            self.steps = frames(state)
            energy = sum((step.T for step in self.steps), start=0)
            self._M = lagrange.inertia_matrix(state, energy)
            self._c = lagrange.coriolis_forces(state, self._moving)
            self._g = lagrange.gravity_vector(state, sum((step.U for step in self.steps), start=0))
            self._friction = friction_forces(state.model, state.v)

    def _missing(self, name: str) -> Any:
        raise NoSuchAttribute("Equations", name, [x for x in dir(type(self)) if not x.startswith("_")], ELSEWHERE)

    if not TYPE_CHECKING:  # a type checker would take it for every name there could be
        __getattr__ = _missing

    @property
    def model(self) -> Model:
        """The robot these are the equations of."""
        return self.state.source

    @cached_property
    def _C(self) -> Array:
        return lagrange.christoffel_matrices(self.state, self._moving)

    @cached_property
    def _moving(self) -> Array:
        """M without armature, which is a constant on its diagonal: nothing of it turns with the axes of a body."""
        if self.state.simple or not any(self.model.armature):
            return self._M
        return lagrange.inertia_matrix(self.state, energy_of_bodies(self.state, self.steps))

    @cached_property
    def polynomials(self) -> dict[str, Any]:
        """T, U, M, the C_k, c, g, friction and tau in normal form: equal expressions have equal polynomials."""
        T, U = (sum((getattr(step, name) for step in self.steps), start=0) for name in "TU")
        tau = self._M @ self.state.a + self._c + self._g + self._friction
        arrays = {"M": self._M, "christoffel": self._C, "c": self._c, "g": self._g, "friction": self._friction}
        return {"T": T, "U": U, **arrays, "tau": tau}

    def shown(self, values: Any) -> Any:
        """Polynomials as SymPy expressions, short ones; an array as a matrix.

        Parameters
        ----------
        values : polynomials of `eq.polynomials`, one or an array

        Returns
        -------
        SymPy expressions of the same shape

        Examples
        --------
        >>> import articulated as art
        >>> eq = art.derive("2r")
        >>> eq.shown(eq.polynomials["g"]) == eq.g
        True
        """
        if not isinstance(values, np.ndarray):
            return readable(self.state, values)
        with progress(f"simplifying {self.name}"):
            done: dict[int, sympy.Expr] = {}
            for x in values.ravel():
                if id(x) not in done:
                    done[id(x)] = readable(self.state, x)
            entries = [done[id(x)] for x in values.ravel()]
        rows, columns = values.shape if values.ndim == 2 else (len(values), 1)
        return NotebookMatrix(rows, columns, entries)

    @cached_property
    def M(self) -> sympy.Matrix:
        """The inertia matrix (B in the lecture)."""
        upper = self.shown(np.array([self._M[i, j] for i, j in self._upper] or [0], object))
        entry = dict(zip(self._upper, upper, strict=False))
        n = len(self._M)
        return NotebookMatrix(n, n, lambda i, j: entry[min(i, j), max(i, j)])

    @property
    def _upper(self) -> list[tuple[int, int]]:
        n = len(self._M)
        return [(i, j) for i in range(n) for j in range(i, n)]

    @cached_property
    def christoffel(self) -> list[sympy.Matrix]:
        """C_k, symmetric: c_k = vᵀ C_k v."""
        return [self.shown(matrix) for matrix in self._C]

    @cached_property
    def c(self) -> sympy.Matrix:
        """Centrifugal and Coriolis forces."""
        return self.shown(self._c)

    @cached_property
    def g(self) -> sympy.Matrix:
        """Gravity forces."""
        return self.shown(self._g)

    @cached_property
    def friction(self) -> sympy.Matrix:
        """Joint friction."""
        return self.shown(self._friction)

    @cached_property
    def C(self) -> sympy.Matrix:
        """The Coriolis matrix by Christoffel symbols: C v = c, and dM/dt - 2 C is skew."""
        return self.coriolis("christoffel")

    def coriolis(self, factorization: Factorizations = "christoffel") -> sympy.Matrix:
        """C in one factorisation: "christoffel" and "body_jacobian" (skew), "nonskew".

        Parameters
        ----------
        factorization : "christoffel" or "body_jacobian" (both skew), or "nonskew"

        Returns
        -------
        (nv, nv) SymPy

        Notes
        -----
        Source: De Luca, Robotics 2 (Lagrangian dynamics, moving frames); Echeandia and Wensing 2021 (skew
            symmetry).

        Examples
        --------
        >>> import articulated as art
        >>> eq = art.derive("2r")
        >>> (eq.coriolis() * eq.v - eq.c).expand()
        Matrix([
        [0],
        [0]])
        """
        choose("coriolis", "factorization", factorization, [*SKEW, "nonskew"])
        return self.shown(self.coriolis_polynomials(factorization))

    def coriolis_polynomials(self, factorization: str) -> Array:
        """`coriolis` in normal form.

        Parameters
        ----------
        factorization : the same words

        Returns
        -------
        (nv, nv) of polynomials

        Examples
        --------
        >>> import articulated as art
        >>> eq = art.derive("2r")
        >>> eq.coriolis_polynomials("christoffel").shape
        (2, 2)
        """
        if factorization == "christoffel" and self.state.simple:
            return np.stack([matrix @ self.state.v for matrix in self._C]) if len(self._C) else self._M
        return coriolis_matrix(self.state.model, self.state.q, self.state.v, factorization)

    @cached_property
    def T_by_link(self) -> list[sympy.Expr]:
        """Kinetic energy of each link."""
        return [readable(self.state, step.T) for step in self.steps]

    @cached_property
    def U_by_link(self) -> list[sympy.Expr]:
        """Potential energy of each link."""
        return [readable(self.state, step.U) for step in self.steps]

    @cached_property
    def T(self) -> sympy.Expr:
        """Kinetic energy."""
        return self.shown(self.polynomials["T"])

    @cached_property
    def U(self) -> sympy.Expr:
        """Potential energy."""
        return self.shown(self.polynomials["U"])

    @property
    def lagrangian(self) -> sympy.Expr:
        """L = T - U."""
        return self.T - self.U

    @cached_property
    def tau(self) -> sympy.Matrix:
        """Generalized forces: M a + c + g + friction."""
        return NotebookMatrix(self.M * self.a + self.c + self.g + self.friction)

    @cached_property
    def moving_frames(self) -> MovingFrames:
        """The derivation, link by link."""
        return MovingFrames(self.state, self.steps)

    def pose(self, frame: str) -> sympy.Matrix:
        """The homogeneous matrix of a frame, in the world.

        Parameters
        ----------
        frame : name of a link or frame

        Returns
        -------
        (4, 4) SymPy, in the world

        Examples
        --------
        >>> import articulated as art
        >>> eq = art.derive("2r")
        >>> eq.pose("link2")[3, :]
        Matrix([[0, 0, 0, 1]])
        """
        return self.shown(frame_pose(self.state.model, self.state.q, frame).exact_matrix())

    def jacobian(self, frame: str, axes: Literal["world", "frame", "spatial"] = "world") -> sympy.Matrix:
        """Velocity of a frame per unit v, (6, nv), [linear; angular].

        Parameters
        ----------
        frame : name of a link or frame
        axes : "world" (at the frame's origin), "frame" (its own axes) or "spatial" (at the world's origin)

        Returns
        -------
        (6, nv) SymPy, [linear; angular]

        Examples
        --------
        >>> import articulated as art
        >>> eq = art.derive("2r")
        >>> eq.jacobian("link2")[5, :]
        Matrix([[1, 1]])
        """
        return self.shown(jacobian(self.state.model, self.state.q, frame, choose("jacobian", "axes", axes, AXES)))

    # -- what can be asked of them --------------------------------------------------------

    def check(self, states: int = 20, seed: int = 0) -> Check:
        """Lagrange against Newton-Euler: as expressions, and as numbers at random states.

        Parameters
        ----------
        states : how many random states are compared
        seed : of the random states

        Returns
        -------
        a Check, true if both agree; prints as a sentence

        Examples
        --------
        >>> import articulated as art
        >>> eq = art.derive("2r")
        >>> bool(eq.check())
        True
        """
        return check(self, whole_number("check: states", states, 1), whole_number("check: seed", seed))

    def coefficients(self, known: Any = ()) -> Coefficients:
        """The minimal dynamic coefficients a and Y with tau = Y a; symbols in `known` go into Y.

        A known symbol is left in a coefficient only as a factor of what is regrouped into it, as l_1**2*m_2 into I_1.

        Parameters
        ----------
        known : symbols, or their names, that are not part of a coefficient: lengths, gravity

        Returns
        -------
        Coefficients: named expressions a (p,), with .Y (nv, p) such that tau = Y a

        Notes
        -----
        Source: De Luca, Robotics 2 (Lagrangian dynamics, moving frames).

        Examples
        --------
        >>> import articulated as art
        >>> eq = art.derive("2r")
        >>> len(eq.coefficients())
        5
        """
        return coefficients(self, known)

    def base_parameters(self) -> Coefficients:
        """The base parameters of Gautier and Khalil: each one parameter of a link, plus what is regrouped into it.

        Parameters are those of each body in the frame of its joint (before a_i and alpha_i of a standard D-H row):
        m, mx …, Ixx …; lengths and gravity are known.  `values` are theirs for this robot.

        Returns
        -------
        Coefficients with .Y and .values (p,)

        Notes
        -----
        Source: Gautier and Khalil 1990.

        Examples
        --------
        >>> import articulated as art
        >>> eq = art.derive("2r")
        >>> eq.base_parameters().Y.shape[0]
        2
        """
        return regrouped(self)

    def subs(self, values: Mapping[Any, Any]) -> Any:
        """The equations with some symbols given; keys are symbols or their names.

        Parameters given make the equations of another robot.  Where q, v or a are given, too, the
        result holds M, C, c, g, T, U, tau at that state.

        Parameters
        ----------
        values : by symbol or name: numbers or expressions; SI, radians

        Returns
        -------
        Equations of the changed robot, or M, C, c, g, T, U, tau at that state

        Examples
        --------
        >>> import articulated as art
        >>> eq = art.derive("2r")
        >>> eq.subs({"l_1": 1, "l_2": 1}).symbol("m_2")
        m_2
        """
        if not isinstance(values, Mapping):
            raise ShapeError(f"subs takes values by symbol or name, {{name: value}}; got {shortened(repr(values))}")
        at, parameters = split_values(self, values)
        letters = self.state.letters or None
        changed = derive(substituted(self.model, parameters), letters=letters) if parameters else self
        return AtState(changed, at) if at else changed

    def derivative(self, what: Quantity, by: By) -> Any:
        """∂what/∂by in closed form: `eq.derivative("tau", "q")`, of tau, c, g, friction, M, T or U by q, v or a.

        Parameters
        ----------
        what : "tau", "c", "g", "friction", "M", "T" or "U"
        by : "q", "v" or "a"

        Returns
        -------
        SymPy: of a vector (nv, nv), of M (nv, nv) per coordinate, of T and U (nv,)

        Examples
        --------
        >>> import articulated as art
        >>> eq = art.derive("2r")
        >>> eq.derivative("g", "q").shape
        (2, 2)
        """
        return derivative(self, what, by)

    def linearize(self, q0: Any) -> Linearized:
        """A and B of the motion near rest at q0, held there by its gravity forces; typeset by `.latex()`.

        Parameters
        ----------
        q0 : configuration (nq,), rad or m: numbers or symbols

        Returns
        -------
        Linearized(A (2 nv, 2 nv), B (2 nv, nv), …): d/dt [δq; v] = A [δq; v] + B δtau

        Examples
        --------
        >>> import articulated as art
        >>> eq = art.derive("2r")
        >>> art.derive("acrobot").linearize([0, 0]).A.shape
        (4, 4)
        """
        return linearize(self, q0)

    def questions(self) -> Answers:
        """The lecture's four questions: constant inertia, balance, positive definiteness, factorisations of c.

        Returns
        -------
        Answers; prints as sentences

        Notes
        -----
        Source: De Luca, Robotics 2 (Lagrangian dynamics, moving frames).

        Examples
        --------
        >>> import articulated as art
        >>> eq = art.derive("2r")
        >>> len(str(eq.questions())) > 0
        True
        """
        return answers(self)

    def factorization(self, C: Any) -> Factorization:
        """Your own C, judged: whether C v = c and whether dM/dt - 2 C is skew, for all q and v.

        Parameters
        ----------
        C : your own matrix (nv, nv), in the symbols of `eq`

        Returns
        -------
        a Factorization that says both, with what is left over

        Notes
        -----
        Source: De Luca, Robotics 2 (Lagrangian dynamics, moving frames).

        Examples
        --------
        >>> import articulated as art
        >>> eq = art.derive("2r")
        >>> bool(eq.factorization(eq.C))
        True
        """
        return judge(self, C)

    def articulated_inertias(self, q: Any = None) -> list[ArticulatedInertia]:
        """Mhat and Mbar of every body; at the configuration q, or for all q.

        Parameters
        ----------
        q : configuration (nq,); None: for all q

        Returns
        -------
        an ArticulatedInertia by body, (6, 6) in its axes, [linear; angular]

        Notes
        -----
        Source: Featherstone 2008, ch. 7.

        Examples
        --------
        >>> import articulated as art
        >>> eq = art.derive("2r")
        >>> len(eq.articulated_inertias([0, 0]))
        2
        """
        return articulated_inertias(self.model, q)

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
        >>> eq = art.derive("2r")
        >>> "ddot" in eq.latex("tau")
        True
        """
        from ..pages.document import aligned
        from .quantities import listed, rows_of

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
        >>> eq = art.derive("2r")
        >>> eq.symbol("l_1")
        l_1
        """
        known = {s.name: s for s in (*self.parameters, *self.q, *self.v, *self.a)}
        if not isinstance(name, str) or name not in known:
            raise unknown("symbol", name, self.name, known)
        return known[name]

    def derivation(self, format: Page = "text", christoffel: bool = False) -> str:
        """Every step from the D-H table to the checked equations, as "text", "md", "tex" or "html".

        `christoffel=True` works out the Christoffel symbols one by one.

        Parameters
        ----------
        format : "text", "md", "tex" or "html"
        christoffel : True: the Christoffel symbols one by one

        Returns
        -------
        text, whole

        Notes
        -----
        Source: De Luca, Robotics 2 (Lagrangian dynamics, moving frames).

        Examples
        --------
        >>> import articulated as art
        >>> eq = art.derive("2r")
        >>> eq.derivation("md").startswith("#")
        True
        """
        from ..pages.derivation import derivation
        from ..pages.export import check_page, written

        check_page("derivation", format)
        sections = derivation(self, flag("derivation: christoffel", christoffel))
        return written(format, f"The dynamic model of {self.name}, step by step", sections)

    def export(self, form: Form, what: str = "M,c,g", named: bool = False) -> str:
        """A document ("tex", "md", "html", "text") or a function ("py", "c", "casadi", "julia", "matlab").

        Functions have M, C, c, g, friction, T, U, tau and Y (of `coefficients()`).  Of "py", "c" and "casadi" the
        parameters are one array p, unless they are to be `named`; "julia" and "matlab" name them always.

        Parameters
        ----------
        form : "tex", "md", "html", "text", "py", "c", "casadi", "julia" or "matlab"
        what : quantities by name, with commas: "M,c,g"
        named : parameters are arguments of their own, not one array

        Returns
        -------
        text

        Examples
        --------
        >>> import articulated as art
        >>> eq = art.derive("2r")
        >>> "double" in eq.export("c")
        True
        """
        from ..pages.export import exported
        from .quantities import listed

        return exported(self, form, listed(what), flag("export: named", named))

    def _repr_latex_(self) -> str | None:
        """The equations; nothing where they would fill pages: then the notebook shows the line of `repr`."""
        from ..pages.notebook import bounded

        if lagrange.size(self.polynomials["tau"]) > SHOWN:
            return None
        return bounded(write=lambda: self.latex("tau"))

    def __repr__(self) -> str:
        return f"Equations({self.name!r}, {len(self.v)} degrees of freedom, {lagrange.size(self._M)} terms in M)"


def derive(robot: Any, symbols: bool = False, letters: Any = None) -> Equations:
    """The Lagrangian model of a robot, in closed form.

    `robot` is a Robot, a Model, or the name of a lecture's robot with all its symbols ("2r", "3r",
    "stanford", "bar_disc").  `symbols=True` names the inertial parameters of a numeric robot,
    `letters` the coordinates.
    """
    model = with_symbols(model_of(robot)) if flag("derive: symbols", symbols) else model_of(robot)
    refuse_asymmetric(model)
    equations = Equations(State(model, letters=letters))
    remark_on_letters(model, (p.name for p in equations.parameters))
    refuse_singular(equations)
    return equations
