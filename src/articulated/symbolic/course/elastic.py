"""Elastic joints: a spring between motor and link (Spong 1987), rotors turning about their own axes only."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import sympy

from ...errors import ShapeError, unknown
from ...inputs.choices import LARGEST_FLOAT, number
from ...text import shortened
from ..ring.letters import rates, unused
from .system import System, system_of


def elastic(equations: Any, stiffness: Any = None, rotors: Any = None, joints: Any = None) -> System:
    """Links at q, motors at theta as felt beyond their gears, springs K between them; the torques act on the motors.

    M(q) a + c + g + K (q - theta) = 0 and J thetaddot + K (theta - q) = u; joints that are rigid keep their rows.
    """
    system = system_of(equations)
    n = len(system.q)
    chosen = _chosen(equations, system, joints)
    taken = {s.name for s in (*system.q, *system.v, *system.a, *system.parameters)}
    K, J = _values(stiffness, "K", chosen, "stiffness", taken), _values(rotors, "J", chosen, "rotors", taken)
    theta = [sympy.Symbol(unused(f"theta_{k + 1}", taken), real=True) for k in chosen]
    M = sympy.diag(sympy.Matrix(system.M), *J)
    springs = sum(k * (x - system.q[i]) ** 2 / 2 for k, x, i in zip(K, theta, chosen, strict=True))
    inputs = sympy.zeros(n + len(chosen), n)
    for i in range(n):
        inputs[n + chosen.index(i) if i in chosen else i, i] = 1
    state = ([*system.q, *theta], [*system.v, *rates(theta, 1)], [*system.a, *rates(theta, 2)])
    friction = sympy.Matrix(system.friction).col_join(sympy.zeros(len(chosen), 1))
    return System(f"{system.name}, elastic", state, M, system.U + springs, friction, inputs)


def _chosen(equations: Any, system: System, joints: Any) -> list[int]:
    """The rows of the joints named; all of them if none is."""
    if joints is None:
        return list(range(len(system.q)))
    model = getattr(equations, "model", None)
    rows = {b.joint.name: b.coords.start for b in model.bodies if b.leader is b} if model else {}
    rows |= {x.name: k for k, x in enumerate(system.q)}
    if isinstance(joints, str) or not isinstance(joints, Sequence) or not joints:
        raise ShapeError(f"elastic: joints is a list of names; got {shortened(repr(joints))}")
    for name in joints:
        if not isinstance(name, str) or name not in rows:
            raise unknown("joint", name, system.name, rows)
    return sorted({rows[name] for name in joints})


def _values(given: Any, letter: str, chosen: list[int], what: str, taken: set[str]) -> list[sympy.Expr]:
    """Symbols K_1 … (mK_1 where the robot has a K_1) unless values are given, one for each elastic joint."""
    if given is None:
        return [sympy.Symbol(unused(f"{letter}_{k + 1}", taken), positive=True) for k in chosen]
    listed = isinstance(given, (list, tuple, sympy.MatrixBase)) or (isinstance(given, np.ndarray) and given.ndim > 0)
    if not listed or len(given) != len(chosen):
        raise ShapeError(f"elastic: {what} are {len(chosen)} numbers or symbols; got {shortened(repr(given))}")
    out = []
    for x in given:
        if not isinstance(x, sympy.Expr):
            number(f"elastic: {what}", x, "a positive number or a symbol", 1e-300, LARGEST_FLOAT)
        out.append(sympy.sympify(x))
    return out
