"""A recursion executed body by body: every quantity of every pass, as numbers or as expressions."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np
import sympy

from ...algebra.linalg import solve_spd
from ...algebra.scalars import Array, array, eye
from ...algorithms.forward_dynamics import articulated_bodies
from ...algorithms.inverse_dynamics import friction_forces, inverse_dynamics, wrenches
from ...algorithms.kinematics import motions, upwards, velocities
from ...algorithms.mass_matrix import composite_bodies, mass_matrix
from ...errors import ModelError, unknown
from ...model import Body, Model
from ..equations.progress import progress
from ..equations.tidy import readable
from ..ring.state import State
from .latex import latex

SMALL = 3  # degrees of freedom up to which articulated inertias fit a page


class Row(NamedTuple):
    """One quantity of one body: its letter (LaTeX), where it comes from (formulas between dollars), its value."""

    body: str
    letter: str
    formula: str
    value: Any


class Pass(NamedTuple):
    """One sweep over the tree."""

    title: str
    rows: list[Row]


Given = Mapping[str, Array]  # q, v, and a or tau; `answers`: letters for the accelerations, once they are found


def rnea(model: Model, state: Given) -> list[Pass]:
    """Newton-Euler: outward motions, inward forces."""
    q, v, a = state["q"], state["v"], state["a"]
    X, V, A = motions(model, q, v, a, base_acceleration=upwards(model))
    F, tau = wrenches(model, q, v, a), inverse_dynamics(model, q, v, a)
    outward, inward = [], []
    for b in model.bodies:
        outward.append(Row(b.name, f"p_{{{b.index}}}", "its origin in the parent", X[b].p))
        outward.append(Row(b.name, f"V_{{{b.index}}}", r"$V = X V_{\text{parent}} + S v$", V[b]))
        outward.append(Row(b.name, f"A_{{{b.index}}}", r"$A = X A_{\text{parent}} + S a + V \times S v$", A[b]))
    for b in reversed(model.bodies):
        inward.append(Row(b.name, f"F_{{{b.index}}}", r"$F = I A + V \times I V + \sum X^{*} F_{\text{child}}$", F[b]))
        inward.append(Row(b.name, rf"\tau_{{{b.index}}}", r"$\tau = S^{\top} F$, friction and rotor", tau[b.dofs]))
    return [
        Pass("1. outward: how each body moves, the world accelerating upwards", outward),
        Pass("2. inward: the force each joint carries", inward),
    ]


def crba(model: Model, state: Given) -> list[Pass]:
    """Composite bodies: inward inertias, then forces down to the base."""
    q = state["q"]
    composite = composite_bodies(model, {b: b.transform(q) for b in model.bodies})
    M = mass_matrix(model, q)
    inward, columns = [], []
    for b in reversed(model.bodies):
        i = b.index
        inward.append(Row(b.name, f"m^{{C}}_{{{i}}}", "mass of it and all beyond, the composite", composite[b].mass))
        inward.append(Row(b.name, f"h^{{C}}_{{{i}}}", "first moment of the composite", composite[b].first))
        formula = "rotational inertia of the composite at its origin"
        inward.append(Row(b.name, f"I^{{C}}_{{{i}}}", formula, composite[b].second))
    for b in model.bodies:
        formula = "$F = I^{C} S$, for a unit acceleration"
        columns.append(Row(b.name, f"F_{{{b.index}}}", formula, (composite[b] @ b.S).T))
        formula = r"its rows of $M$: $S^{\top} F$, at its joint and at those below"
        columns.append(Row(b.name, f"M_{{{b.index}}}", formula, M[b.dofs]))
    return [Pass("1. inward: composite bodies", inward), Pass("2. columns of M", columns)]


def aba(model: Model, state: Given) -> list[Pass]:
    """Articulated bodies: inward inertias and biases, outward accelerations."""
    q, v = state["q"], state["v"]
    found = articulated_bodies(model, q, v, state["tau"])
    _, V = velocities(model, q, v)
    A = motions(model, q, v, state.get("answers", found.a), base_acceleration=upwards(model))[2]
    first = [Row(b.name, f"V_{{{b.index}}}", r"$V = X V_{\text{parent}} + S v$", V[b]) for b in model.bodies]
    inward, outward = [], []
    for b in reversed(model.bodies):
        k, i = b.index - 1, b.index
        formula = r"$D = S^{\top} \hat{M} S$ and the rotor: what its joint has to move"
        inward.append(
            Row(b.name, rf"\hat{{M}}_{{{i}}}", r"$\hat{M} = M + \sum X^{*} \bar{M}_{\text{child}} X$", found.inertia[k])
        )
        inward.append(Row(b.name, f"D_{{{i}}}", formula, pivot(b, found.inertia[k])))
        inward.append(Row(b.name, rf"\hat{{b}}_{{{i}}}", "the force that keeps it from accelerating", found.bias[k]))
        inward.append(
            Row(
                b.name,
                rf"\bar{{M}}_{{{i}}}",
                r"$\bar{M} = \hat{M} - \hat{M} S D^{-1} S^{\top} \hat{M}$",
                found.projected[k],
            )
        )
    for b in model.bodies:
        a = found.a[b.dofs]
        if "answers" in state:
            a = _answered(model, b, state, A[b], found.inertia[b.index - 1], found.bias[b.index - 1])
        outward.append(
            Row(b.name, f"a_{{{b.index}}}", r"$a = D^{-1} (\tau - S^{\top} (\hat{M} A + \hat{b}))$, $A$ without $a$", a)
        )
        outward.append(Row(b.name, f"A_{{{b.index}}}", "its acceleration, the world accelerating upwards", A[b]))
    return [
        Pass("1. outward: twists", first),
        Pass("2. inward: articulated inertias and biases", inward),
        Pass("3. outward: accelerations", outward),
    ]


def pivot(b: Body, inertia: Array) -> Array:
    """What a joint feels of its body and all beyond."""
    return b.S.T @ inertia @ b.S + b.armature * eye(b.joint.nv)


def _answered(model: Model, b: Body, state: Given, A: Array, inertia: Array, bias: Array) -> Array:
    """The acceleration of a joint in terms of those before it."""
    before = A - b.S @ state["answers"][b.dofs]
    left = state["tau"][b.dofs] - friction_forces(model, state["v"])[b.dofs] - b.S.T @ (inertia @ before + bias)
    return solve_spd(pivot(b, inertia), left)


#: name → the vectors it takes
TAKES = {"rnea": ("q", "v", "a"), "crba": ("q",), "aba": ("q", "v", "tau")}
#: name → its passes
ALGORITHMS: dict[str, Callable[[Model, Given], list[Pass]]] = {"rnea": rnea, "crba": crba, "aba": aba}


def explained(algorithm: str, model: Model, state: Given) -> list[Pass]:
    """The passes of an algorithm on numbers."""
    if algorithm not in ALGORITHMS:
        raise unknown("algorithm", algorithm, "the list", ALGORITHMS)
    return ALGORITHMS[algorithm](model, state)


def explained_in_symbols(algorithm: str, model: Model) -> list[Pass]:
    """The passes of an algorithm on expressions; divisors of articulated bodies are named D_1, D_2 … by joint."""
    if algorithm == "aba":
        _refuse_large(model)
    state = State(model)
    tau = array([state.ring.generator(sympy.Symbol(f"tau_{k + 1}", real=True)) for k in range(model.nv)])
    with progress(f"running {algorithm} on the symbols of {model.name}"):
        given = {"q": state.q, "v": state.v, "a": state.a, "tau": tau, "answers": state.a}
        found = explained(algorithm, state.model, given)
        names = _by_joint(state, found)
        letters = {f"a_{{{b.index}}}": latex(state.symbols["a"][b.dofs.start]) for b in model.bodies if b.joint.nv == 1}
        letters |= {f"D_{{{name.name.partition('_')[2]}}}": latex(name) for name in names.values()}
        return [
            Pass(
                p.title,
                [
                    row._replace(letter=letters.get(row.letter, row.letter), value=_shown(state, row.value, names))
                    for row in p.rows
                ],
            )
            for p in found
        ]


def _refuse_large(model: Model) -> None:
    if model.nv > SMALL:
        raise ModelError(
            f"articulated bodies in symbols: {model.name} has {model.nv} degrees of freedom, and beyond {SMALL} the "
            "quotients fill pages; leave --symbols away for numbers, or take rnea or crba"
        )
    if model.unmimicked is not model:
        raise ModelError(f"articulated bodies in symbols: {model.name} has mimic joints; rnea and crba take them")


def _by_joint(state: State, passes: list[Pass]) -> dict[sympy.Symbol, sympy.Symbol]:
    """The divisors were numbered as they came, outermost first; here each gets the number of its joint."""
    names = {}
    for row in (row for p in passes for row in p.rows if row.letter.startswith("D_")):
        for divisor in state.ring.divisors:
            if row.value.shape == (1, 1) and divisor.meaning == row.value[0, 0]:
                letter = divisor.symbol.name.partition("_")[0]
                names[divisor.symbol] = sympy.Symbol(f"{letter}_{row.letter[3:-1]}", real=True)
    return names


def _shown(state: State, x: Any, names: Mapping[sympy.Symbol, sympy.Symbol]) -> Any:
    if isinstance(x, np.ndarray):
        return array([_shown(state, y, names) for y in x])
    return readable(state, x).xreplace(dict(names))
