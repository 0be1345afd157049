"""A recursion executed body by body: every quantity of every pass, as numbers or as expressions."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np
import sympy

from ...algebra.linalg import solve_spd
from ...algebra.scalars import Array, array, eye
from ...algebra.spatial import Transform, cross_force, cross_motion
from ...algorithms.forward_dynamics import articulated_bodies
from ...algorithms.inverse_dynamics import friction_forces, inverse_dynamics, wrenches
from ...algorithms.kinematics import motions, upwards, velocities
from ...algorithms.mass_matrix import composite_bodies, mass_matrix
from ...errors import ModelError, unknown
from ...model import Body, Model
from ..equations.presentation import readable
from ..equations.progress import progress
from ..ring.state import State
from .latex import latex

SMALL = 3  # degrees of freedom up to which articulated inertias fit a page


class Row(NamedTuple):
    """One quantity of one body: its letter (LaTeX), where it comes from (formulas between dollars), its value."""

    body: str
    letter: str
    formula: str
    value: Any
    kind: str = ""  # "motion", "force" or "tensor": what changes if it is written in world coordinates


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
        i = b.index
        outward += [*_described(b, X[b]), *_moving(b, V[b], v)]
        formula = r"$A = X A_{\text{parent}} + S a + \zeta$"
        outward.append(Row(b.name, f"A_{{{i}}}", formula, A[b], "motion"))
        formula = r"$F^{\text{own}} = I^{B} A + V \times I^{B} V$: what the body itself takes"
        own = b.inertia @ A[b] + cross_force(V[b], b.inertia @ V[b])
        outward.append(Row(b.name, rf"F_{{{i}}}^{{\text{{own}}}}", formula, own, "force"))
    for b in reversed(model.bodies):
        for child in (c for c in model.bodies if c.parent is b):
            letter, formula = rf"X^{{*}} F_{{{child.index}}}", "the force it passes on, carried to this body"
            inward.append(Row(b.name, letter, formula, X[child].force_out(F[child]), "force"))
        formula = r"$F = F^{\text{own}} + \sum X^{*} F_{\text{child}}$"
        inward.append(Row(b.name, f"F_{{{b.index}}}", formula, F[b], "force"))
        inward.append(Row(b.name, rf"\tau_{{{b.index}}}", r"$\tau = S^{\top} F$, friction and rotor", tau[b.dofs]))
    return [
        Pass("outward: how each body moves, the world accelerating upwards", outward),
        Pass("inward: the force each joint carries", inward),
    ]


def _described(b: Body, X: Transform) -> list[Row]:
    """Rows on a body itself: its joint, its place in the parent, its inertia at its origin."""
    i = b.index
    return [
        Row(b.name, f"S_{{{i}}}", "what its joint lets it do, one column per velocity", b.S, "motion"),
        Row(b.name, f"R_{{{i}}}", "its axes in the parent", X.R),
        Row(b.name, f"p_{{{i}}}", "its origin in the parent", X.p),
        Row(b.name, f"m^{{B}}_{{{i}}}", "mass of the body", b.inertia.mass),
        Row(b.name, f"h^{{B}}_{{{i}}}", "first moment of the body: mass times centre", b.inertia.first),
        Row(b.name, f"I^{{B}}_{{{i}}}", "rotational inertia of the body at its origin", b.inertia.second),
    ]


def _moving(b: Body, V: Array, v: Array) -> list[Row]:
    return [
        Row(b.name, f"V_{{{b.index}}}", r"$V = X V_{\text{parent}} + S v$", V, "motion"),
        Row(b.name, rf"\zeta_{{{b.index}}}", r"$\zeta = V \times S v$", cross_motion(V, b.S @ v[b.dofs]), "motion"),
    ]


def crba(model: Model, state: Given) -> list[Pass]:
    """Composite bodies: inward inertias, then forces down to the base."""
    q = state["q"]
    composite = composite_bodies(model, {b: b.transform(q) for b in model.bodies})
    M = mass_matrix(model, q)
    first = [row for b in model.bodies for row in _described(b, b.transform(q))]
    inward, columns = [], []
    for b in reversed(model.bodies):
        i = b.index
        inward.append(Row(b.name, f"m^{{C}}_{{{i}}}", "mass of it and all beyond, the composite", composite[b].mass))
        inward.append(Row(b.name, f"h^{{C}}_{{{i}}}", "first moment of the composite", composite[b].first))
        formula = "rotational inertia of the composite at its origin"
        inward.append(Row(b.name, f"I^{{C}}_{{{i}}}", formula, composite[b].second))
    for b in model.bodies:
        formula = "$F = I^{C} S$, for a unit acceleration"
        columns.append(Row(b.name, f"F_{{{b.index}}}", formula, composite[b] @ b.S, "force"))
        formula = r"its rows of $M$: $S^{\top} F$, at its joint and at those below"
        columns.append(Row(b.name, f"M_{{{b.index}}}", formula, M[b.dofs]))
    return [
        Pass("the bodies", first),
        Pass("inward: composite bodies", inward),
        Pass("columns of M", columns),
    ]


def aba(model: Model, state: Given) -> list[Pass]:
    """Articulated bodies: inward inertias and biases, outward accelerations."""
    q, v = state["q"], state["v"]
    found = articulated_bodies(model, q, v, state["tau"])
    X, V = velocities(model, q, v)
    A = motions(model, q, v, state.get("answers", found.a), base_acceleration=upwards(model))[2]
    first, inward, outward = [], [], []
    for b in model.bodies:
        first += [*_described(b, X[b]), *_moving(b, V[b], v)]
        bias = cross_force(V[b], b.inertia @ V[b])
        first.append(
            Row(b.name, f"b_{{{b.index}}}", r"$b = V \times I^{B} V$: the bias of the body alone", bias, "force")
        )
    for b in reversed(model.bodies):
        k, i = b.index - 1, b.index
        formula = r"$\hat{M} = M + \sum X^{*} \bar{M}_{\text{child}} X$"
        inward.append(Row(b.name, rf"\hat{{M}}_{{{i}}}", formula, found.inertia[k], "tensor"))
        formula = r"$D = S^{\top} \hat{M} S$ and the rotor: what its joint has to move"
        inward.append(Row(b.name, f"D_{{{i}}}", formula, pivot(b, found.inertia[k])))
        formula = r"$\hat{b}$: $b$ and what the joints beyond pass on, the force that keeps it from accelerating"
        inward.append(Row(b.name, rf"\hat{{b}}_{{{i}}}", formula, found.bias[k], "force"))
        formula = r"$\bar{M} = \hat{M} - \hat{M} S D^{-1} S^{\top} \hat{M}$"
        inward.append(Row(b.name, rf"\bar{{M}}_{{{i}}}", formula, found.projected[k], "tensor"))
    for b in model.bodies:
        a = found.a[b.dofs]
        if "answers" in state:
            a = _answered(model, b, state, A[b], found.inertia[b.index - 1], found.bias[b.index - 1])
        outward.append(
            Row(b.name, f"a_{{{b.index}}}", r"$a = D^{-1} (\tau - S^{\top} (\hat{M} A + \hat{b}))$, $A$ without $a$", a)
        )
        formula = "its acceleration, the world accelerating upwards"
        outward.append(Row(b.name, f"A_{{{b.index}}}", formula, A[b], "motion"))
    return [
        Pass("outward: the bodies and their twists", first),
        Pass("inward: articulated inertias and biases", inward),
        Pass("outward: accelerations", outward),
    ]


def pivot(b: Body, inertia: Array) -> Array:
    """D = Sᵀ Mhat S + armature: the articulated inertia along a joint."""
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


def explained(algorithm: str, model: Model, state: Given, axes: str = "body") -> list[Pass]:
    """The passes of an algorithm on numbers; motions and forces in body axes, or in the world's at its origin."""
    if not isinstance(algorithm, str) or algorithm not in ALGORITHMS:
        raise unknown("algorithm", algorithm, "the list", ALGORITHMS)
    passes = ALGORITHMS[algorithm](model, state)
    return passes if axes == "body" else _in_world(model, state["q"], passes)


def _in_world(model: Model, q: Array, passes: list[Pass]) -> list[Pass]:
    """Motions, forces and inertias of bodies carried to the world's origin and axes."""
    world: dict[Body | None, Transform] = {None: Transform()}
    for b in model.bodies:
        world[b] = world[b.parent] @ b.transform(q)
    bodies = {b.name: b for b in model.bodies}
    carry = {"motion": Transform.motion_out, "force": Transform.force_out, "tensor": Transform.tensor_out}
    return [
        Pass(
            p.title,
            [
                row._replace(value=carry[row.kind](world[bodies[row.body]], row.value)) if row.kind else row
                for row in p.rows
            ],
        )
        for p in passes
    ]


def explained_in_symbols(algorithm: str, model: Model, axes: str = "body") -> list[Pass]:
    """The passes of an algorithm on expressions; divisors of articulated bodies are named D_1, D_2 … by joint."""
    if algorithm == "aba":
        _refuse_large(model)
    state = State(model)
    tau = array([state.ring.generator(sympy.Symbol(f"tau_{k + 1}", real=True)) for k in range(model.nv)])
    with progress(f"running {algorithm} on the symbols of {model.name}"):
        given = {"q": state.q, "v": state.v, "a": state.a, "tau": tau, "answers": state.a}
        found = explained(algorithm, state.model, given, axes)
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
            "quotients fill pages; take numbers (give a state), or rnea or crba"
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
