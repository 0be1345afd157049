"""The closed form of a robot's equations of motion: derived, simplified, checked, typeset."""

from __future__ import annotations  # help shows types as they are written here

import inspect
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import sympy

from ...algebra.scalars import Array
from ...algorithms.coriolis import SKEW
from ...algorithms.inverse_dynamics import friction_forces
from ...algorithms.jacobians import jacobian
from ...algorithms.kinematics import AXES, frame_pose
from ...algorithms.springs import actuator_map, damper_forces
from ...errors import NoSuchAttribute, ShapeError
from ...inputs.choices import choose, flag, number, whole_number
from ...model import Model
from ...model.motors import Motor, with_motors
from ...text import shortened
from ..ring.notebook import NotebookMatrix, bounded
from ..ring.state import State
from . import articulated_inertias as articulated_bodies
from . import checks, derivatives, factorizations, lagrange
from . import coefficients as parametrization
from . import questions as lecture
from .cofactors import refuse_asymmetric, refuse_singular, refuse_turning_springs, remark_on_letters
from .lagrangian_system import LagrangianSystem
from .lectures import model_of, with_letters, with_symbols
from .moving_frames import MovingFrames, energy_of_bodies, frames
from .notation import written_in
from .presentation import shown
from .progress import progress
from .substitution import AtState, split_values, substituted

if TYPE_CHECKING:
    from ..course.adaptive import AdaptiveRegressor
    from ..exercises.answers import Verdict

Page = Literal["text", "md", "tex", "html"]
Form = Literal["tex", "md", "html", "text", "py", "c", "casadi", "julia", "matlab"]
Style = Literal["plain", "de_luca", "siciliano", "spong", "khalil"]
Factorizations = Literal["christoffel", "body_jacobian", "nonskew"]
SHOWN = 400  # most terms that a notebook typesets
#: words of a robot, and of lectures
ELSEWHERE = {"mass_matrix": "M", "inertia": "M", "B": "M", "coriolis": "c", "gravity": "g", "kinetic_energy": "T",
             "potential_energy": "U", "torques": "tau"}  # fmt: skip


class Equations(LagrangianSystem):
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
            self._friction = friction_forces(state.model, state.v) + damper_forces(state.model, state.q, state.v)

    def _missing(self, name: str) -> Any:
        raise NoSuchAttribute("Equations", name, [x for x in dir(type(self)) if not x.startswith("_")], ELSEWHERE)

    if not TYPE_CHECKING:  # a type checker would accept any name
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

    @cached_property
    def M(self) -> sympy.Matrix:
        """The inertia matrix (B in the lecture)."""
        return shown(self.state, self._M)

    @cached_property
    def christoffel(self) -> list[sympy.Matrix]:
        """C_k, symmetric: c_k = vᵀ C_k v."""
        return [shown(self.state, matrix) for matrix in self._C]

    @cached_property
    def c(self) -> sympy.Matrix:
        """Centrifugal and Coriolis forces."""
        return shown(self.state, self._c)

    @cached_property
    def g(self) -> sympy.Matrix:
        """Forces of the potential, ∂U/∂q: gravity, and springs where there are some."""
        return shown(self.state, self._g)

    @cached_property
    def friction(self) -> sympy.Matrix:
        """Joint friction, and dampers between frames."""
        return shown(self.state, self._friction)

    @cached_property
    def C(self) -> sympy.Matrix:
        """The Coriolis matrix by Christoffel symbols: C v = c, and dM/dt - 2 C is skew."""
        return self.coriolis("christoffel")

    def coriolis(self, factorization: Factorizations = "christoffel") -> sympy.Matrix:
        """C in one factorization: "christoffel" and "body_jacobian" (skew), "nonskew".

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
        return shown(self.state, factorizations.coriolis_matrix(self, factorization))

    @cached_property
    def T_by_link(self) -> list[sympy.Expr]:
        """Kinetic energy of each link."""
        return [shown(self.state, step.T) for step in self.steps]

    @cached_property
    def U_by_link(self) -> list[sympy.Expr]:
        """Potential energy of each link."""
        return [shown(self.state, step.U) for step in self.steps]

    @cached_property
    def T(self) -> sympy.Expr:
        """Kinetic energy."""
        return shown(self.state, self.polynomials["T"])

    @cached_property
    def U(self) -> sympy.Expr:
        """Potential energy."""
        return shown(self.state, self.polynomials["U"])

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
        >>> art.derive("2r").pose("link2")[3, :]
        Matrix([[0, 0, 0, 1]])
        """
        return shown(self.state, frame_pose(self.state.model, self.state.q, frame).exact_matrix())

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
        >>> art.derive("2r").jacobian("link2")[5, :]
        Matrix([[1, 1]])
        """
        choose("jacobian", "axes", axes, AXES)
        return shown(self.state, jacobian(self.state.model, self.state.q, frame, axes))

    def actuation_map(self) -> sympy.Matrix:
        """B(q) of the linear actuators, (nv, actuators): tau = B u of their thrusts u.

        Returns
        -------
        (nv, actuators) SymPy: ∂l/∂q of their lengths, transposed

        Notes
        -----
        Source: Rennes lecture, H a + C = B(q) f_a.

        Examples
        --------
        >>> import articulated as art
        >>> arm = art.load("2r").add_actuators([art.LinearActuator((0, 0, 0), "tip")])
        >>> art.derive(arm).actuation_map().shape
        (2, 1)
        """
        return shown(self.state, actuator_map(self.state.model, self.state.q))

    # each stands in the module of its subject
    check = checks.check
    coefficients = parametrization.coefficients
    base_parameters = parametrization.base_parameters
    derivative = derivatives.derivative
    linearize = derivatives.linearize
    questions = lecture.questions
    factorization = factorizations.factorization
    articulated_inertias = articulated_bodies.articulated_inertias

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
        >>> art.derive("2r").adaptive_regressor().Y.shape
        (2, 5)
        """
        from ..course.adaptive import adaptive_regressor

        return adaptive_regressor(self, known)

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
        >>> art.derive("2r").subs({"l_1": 1, "l_2": 1}).symbol("m_2")
        m_2
        """
        if not isinstance(values, Mapping):
            raise ShapeError(f"subs takes values by symbol or name, {{name: value}}; got {shortened(repr(values))}")
        at, parameters = split_values(self, values)
        letters = self.state.letters or None
        changed = derive(substituted(self.model, parameters), letters=letters) if parameters else self
        return AtState(changed, at) if at else changed

    def check_answer(self, a: Any = None, **answers: Any) -> Verdict:
        r"""Verdict on answers by name: M, c, g, S (or C), Y, T, U, tau, friction, as students write them.

        Text in any usual notation (l1 c2, m2*l1**2, LaTeX, q̇₁²), SymPy, or lists of these.  Of an S any factorization
        is right that gives c; of a Y one with tau = Y a.

        Parameters
        ----------
        a : coefficients of Y, in order; those of `eq.coefficients()` if not given
        answers : by name: M="…", c="…", g="…", S="…", Y="…", T="…", U="…", tau="…", friction="…"

        Returns
        -------
        Verdict, true if all are right; prints where the first wrong entry is, and a configuration that shows it

        Examples
        --------
        >>> import articulated as art
        >>> eq = art.derive("2r")
        >>> print(eq.check_answer(M="[I1 + I2 + m1 d1² + m2(l1² + d2² + 2 l1 d2 c2), I2 + m2 d2(d2 + l1 c2);"
        ...                         r"I_2 + m_2 d_2 (d_2 + l_1 \cos q_2), I_2 + m_2 d_2^2]"))
        M: Right in every entry, for all values of its letters.
        """
        from ..exercises.answers import check_answer

        return check_answer(self, a, **answers)

    def motors(self, given: Sequence[Motor]) -> Equations:
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

        return derive(with_motors(self.model, given), letters=self.state.letters or None)

    def derivation(
        self,
        format: Page = "text",
        christoffel: bool = False,
        style: Style = "plain",
        blanks: float = 0.0,
        seed: int = 0,
    ) -> str:
        """Every step from the D-H table to the checked equations, as "text", "md", "tex" or "html".

        `christoffel=True` works out the Christoffel symbols one by one; `blanks=0.4` leaves 40 % of the results out,
        for students to fill in.

        Parameters
        ----------
        format : "text", "md", "tex" or "html"
        christoffel : True: the Christoffel symbols one by one
        style : letters of the model: "plain", "de_luca", "siciliano", "spong" or "khalil"
        blanks : share of the results that are left blank, 0 to 1
        seed : of the choice of blanks

        Returns
        -------
        text, whole

        Notes
        -----
        Source: De Luca, Robotics 2 (Lagrangian dynamics, moving frames).

        Examples
        --------
        >>> import articulated as art
        >>> art.derive("2r").derivation("md").startswith("#")
        True
        """
        from ..exercises.exercise import with_blanks
        from ..pages.derivation import derivation
        from ..pages.export import check_page, written

        check_page("derivation", format)
        with written_in(self, style):
            sections = derivation(self, flag("derivation: christoffel", christoffel), style)
            if number("derivation: blanks", blanks, "a share from 0 to 1", 0, 1):
                sections = with_blanks(sections, blanks, whole_number("derivation: seed", seed))
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
        >>> "double" in art.derive("2r").export("c")
        True
        """
        from ..pages.export import exported
        from .notation import listed

        with written_in(self):
            return exported(self, form, listed(what), flag("export: named", named))

    def _repr_latex_(self) -> str | None:
        """The equations; None where they would fill pages, so that the notebook shows `repr`."""
        if lagrange.size(self.polynomials["tau"]) > SHOWN:
            return None
        return bounded(write=lambda: self.latex("tau"))

    def __repr__(self) -> str:
        return f"Equations({self.name!r}, {len(self.v)} degrees of freedom, {lagrange.size(self._M)} terms in M)"


for _name, _method in list(vars(Equations).items()):
    if getattr(_method, "__module__", __name__) != __name__ and inspect.isfunction(_method):
        # Python's messages and pickle know it by the class
        _method.__qualname__, _method.__module__ = f"{Equations.__name__}.{_name}", __name__


def derive(robot: Any, symbols: bool | Literal["all"] = False, letters: Any = None) -> Equations:
    """The Lagrangian model of a robot, in closed form.

    `robot` is a Robot, a Model, or the name of a lecture's robot with all its symbols ("2r", "3r",
    "stanford", "bar_disc").  `symbols=True` names the inertial parameters of a numeric robot, `symbols="all"` its
    lengths as well, `letters` the coordinates.
    """
    model = model_of(robot)
    if isinstance(symbols, str):
        choose("derive", "symbols", symbols, ["all"])
        model = with_letters(model)
    elif flag("derive: symbols", symbols):
        model = with_symbols(model)
    refuse_asymmetric(model)
    refuse_turning_springs(model)
    equations = Equations(State(model, letters=letters))
    remark_on_letters(model, (p.name for p in equations.parameters))
    refuse_singular(equations)
    return equations
