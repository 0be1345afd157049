"""Closed forms of a robot, whichever way it is named: what `art.derive` and `articulated derive` mean."""

from __future__ import annotations  # help shows types as they are written here

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

from ..errors import MissingExtra, ShapeError
from ..inputs.choices import flag
from ..text import shortened
from .construction import load
from .robot import Robot

if TYPE_CHECKING:
    from ..symbolic import Equations, MovingFrames
    from ..symbolic.exercises.exercise import Exercise
    from ..symbolic.pages.explanation import Explanation

Topic = Literal[
    "kinetic", "potential", "inertia", "christoffel", "coriolis", "gravity", "skew", "coefficients", "dh", "pose",
    "velocity", "own_inertia", "acceleration", "statics", "motors", "elastic", "null_space", "momentum", "contact",
    "center",
]  # fmt: skip


def derive(robot: Robot | str, symbols: bool | Literal["all"] = False, letters: Any = None) -> Equations:
    """The Lagrangian model of a robot in closed form; needs SymPy (`pip install articulated[symbolic]`).

    "2r", "3r", "stanford" and "bar_disc" are the lectures' robots, every quantity a letter (bar_disc on a hinge; that
    of the catalogue hangs on a ball joint); any other name or path is what `load` makes of it, with its numbers.
    `symbols=True` names the inertial parameters of a numeric robot, `symbols="all"` its lengths as well, as a textbook
    does: l_i from joint to joint, d_i from the joint to the center of mass, I_i about the axis.
    The coordinates are q_1, q_2 …, unless they get other letters; a table may hold these where its joints act.

    Parameters
    ----------
    robot : a Robot, the name of a lecture's robot, or whatever `load` takes
    symbols : True: symbols instead of its inertial parameters; "all": instead of its lengths, too
    letters : for q: one for all ("theta"), several ("x, theta", a list), or by joint ({"slider": "x"})

    Returns
    -------
    Equations with M, C, c, g, T, U, tau as SymPy expressions

    Notes
    -----
    Included: gravity, Coriolis forces, joint friction and damping, armature.
    Source: Lagrange's equations, compared with Newton and Euler's by `eq.check()`.

    Examples
    --------
    >>> art.derive("2r").M.shape
    (2, 2)
    >>> art.derive("cart_pole", letters="x, theta").v.T
    Matrix([[xdot, thetadot]])
    """
    symbolic = _symbolic()
    symbols = symbols if isinstance(symbols, str) else flag("derive: symbols", symbols)
    named = _robot(symbolic, robot)
    return symbolic.derive(named, False if isinstance(robot, str) and named is robot else symbols, letters)


def moving_frames(robot: Robot | str, base_velocity: Any = None) -> MovingFrames:
    """ω_i, v_i, v_ci, T_i and U_i of every link by the moving-frames algorithm, in closed form.

    Parameters
    ----------
    robot : a Robot, the name of a lecture's robot, or whatever `load` takes
    base_velocity : of the platform, (6,), [linear; angular]; none: it stands still

    Returns
    -------
    MovingFrames with omega, v, v_c, T and U of every link, as SymPy expressions

    Notes
    -----
    Source: Sapienza lecture.

    Examples
    --------
    >>> len(art.moving_frames("2r"))
    2
    """
    symbolic = _symbolic()
    return symbolic.moving_frames(_robot(symbolic, robot), base_velocity)


def explain(
    algorithm: Literal["rnea", "newton_euler", "crba", "aba"],
    robot: Robot | str,
    q: Any = None,
    v: Any = None,
    a: Any = None,
    tau: Any = None,
    axes: Literal["body", "world"] = "body",
) -> Explanation:
    """Newton-Euler, composite bodies ("crba") or articulated bodies ("aba"), every quantity of every body.

    On numbers at the state given (what is left out is zero), without q on symbols.  `print` shows it,
    `.export("html")` is a page.

    Parameters
    ----------
    algorithm : "rnea" (six-vectors), "newton_euler" (forces and moments, link by link), "crba" or "aba"
    robot : a Robot, the name of a lecture's robot, or whatever `load` takes
    q : configuration, (nq,); none: symbols
    v : velocity, (nv,)
    a : acceleration, (nv,)
    tau : generalized forces, (nv,)
    axes : "body", or "world": motions, forces and inertias at the world's origin in its axes

    Returns
    -------
    Explanation with the passes, body by body

    Notes
    -----
    Source: Featherstone 2008, tables 5.1, 6.2 and 7.1; the lectures' letters.

    Examples
    --------
    >>> print(art.explain("crba", art.load("2r"), [0.1, 0.2]).title)
    crba on 2r
    """
    symbolic = _symbolic()
    from ..symbolic.pages import explanation

    return explanation.explain(algorithm, _robot(symbolic, robot), q, v, a, tau, axes)


def exercise(
    robot: Robot | str = "2r",
    topic: Topic | None = None,
    seed: int = 0,
) -> Exercise:
    """A question about a robot's equations of motion, with hints, a checked solution, and a verdict on an answer.

    The same arguments give the same exercise.  A robot of numbers gets letters for its inertial parameters.
    `.check("m2*d2^2 + …")` compares an answer as an expression: any form of it is right, for all q, v and parameters.

    Parameters
    ----------
    robot : a Robot, the name of a lecture's robot, or whatever `load` takes
    topic : what it is about; none: the seed chooses, seeds 0 to 19 reach every topic
    seed : another number, another question

    Returns
    -------
    Exercise with question, robot, hints, solution, checked and check(answer)

    Notes
    -----
    Source: Sapienza lecture; `checked` says how the solution was held against a recursion on floats.

    Examples
    --------
    >>> task = art.exercise("2r", topic="skew")
    >>> print(task.question)
    Find a matrix S(q, qd) with S qd = C qd, the centrifugal and Coriolis forces, for which Md - 2 S is skew.
    >>> bool(task.check(task.solution)), bool(task.check("[[0, 0], [0, 0]]"))
    (True, False)
    """
    symbolic = _symbolic()
    from ..symbolic.exercises import exercise as exercises

    return exercises.exercise(_robot(symbolic, robot), topic, seed)


def exercise_sheet(
    exercises: Sequence[Exercise],
    format: Literal["tex", "html", "md", "text"] = "tex",
    solutions: bool = False,
    title: str = "",
) -> str:
    """Exercises on one sheet, each robot with its table and sketch; or their solutions, checked.

    Parameters
    ----------
    exercises : made by `art.exercise`
    format : "tex", "html", "md" or "text"
    solutions : True: the sheet of solutions
    title : of the sheet

    Returns
    -------
    text, whole

    Examples
    --------
    >>> tasks = [art.exercise("2r", topic) for topic in ("kinetic", "statics")]
    >>> art.exercise_sheet(tasks, "md", title="Week 3").splitlines()[0]
    '# Week 3'
    """
    _symbolic()
    from ..symbolic.exercises.exercise import sheet

    if not isinstance(exercises, (list, tuple)) or not all(hasattr(task, "equations") for task in exercises):
        raise ShapeError(f"exercise_sheet takes exercises, a list of art.exercise(…); got {shortened(repr(exercises))}")
    if not isinstance(title, str):
        raise ShapeError(f"exercise_sheet: title is a text; got {shortened(repr(title))}")
    return sheet(exercises, format, flag("exercise_sheet: solutions", solutions), title)


def _symbolic() -> Any:
    try:
        from .. import symbolic
    except ModuleNotFoundError as problem:
        if problem.name != "sympy":
            raise
        raise MissingExtra("closed forms need SymPy: pip install 'articulated[symbolic]'") from None
    return symbolic


def _robot(symbolic: Any, robot: Any) -> Any:
    """A lecture's robot stays a name: its letters are given there."""
    if not isinstance(robot, str) or robot in symbolic.LECTURE_ROBOTS:
        return robot
    return load(robot)
