"""A recursion executed body by body: every quantity of every pass, as numbers or as expressions."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np
import sympy

from ...algebra.linalg import solve_spd
from ...algebra.rotations import cross
from ...algebra.scalars import Array, array, eye, is_zero, zeros
from ...algebra.spatial import Transform, cross_force, cross_motion
from ...algorithms.forward_dynamics import articulated_bodies
from ...algorithms.inverse_dynamics import inverse_dynamics, resistance, wrenches
from ...algorithms.kinematics import motions, upwards, velocities
from ...algorithms.mass_matrix import composite_bodies, mass_matrix
from ...errors import ModelError
from ...model import Body, Model
from ..equations.moving_frames import parts
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
    kind: str = ""  # "motion", "force", "tensor" or "vector": what changes if it is written in world coordinates


class Pass(NamedTuple):
    """One sweep over the tree."""

    title: str
    rows: list[Row]


Given = Mapping[str, Array]  # q, v, and a or tau; `answers`: letters for the accelerations, once they are found


#: quantity → its letter with the number i of its body, where it comes from, and what carries it to the world
QUANTITIES = {
    "S": ("S_{i}", "motion subspace of its joint, one column per velocity", "motion"),
    "R": ("R_{i}", "its axes in the parent", ""),
    "p": ("p_{i}", "its origin in the parent", ""),
    "mass": ("m^{B}_{i}", "mass of the body", ""),
    "first": ("h^{B}_{i}", "first moment of the body: mass times center", ""),
    "second": ("I^{B}_{i}", "rotational inertia of the body at its origin", ""),
    "V": ("V_{i}", r"$V = X V_{\text{parent}} + S v$", "motion"),
    "zeta": (r"\zeta_{i}", r"$\zeta = V \times S v$", "motion"),
    "A": ("A_{i}", r"$A = X A_{\text{parent}} + S a + \zeta$, the world accelerating upwards", "motion"),
    "own": (
        r"F_{i}^{\text{own}}",
        r"$F^{\text{own}} = \mathcal{I} A + V \times^{*} \mathcal{I} V$: what the body itself takes",
        "force",
    ),
    "passed on": ("X^{*} F_{i}", "the force it passes on, carried to this body", "force"),
    "F": ("F_{i}", r"$F = F^{\text{own}} + \sum X^{*} F_{\text{child}}$", "force"),
    "tau": (r"\tau_{i}", r"$\tau = S^{\top} F$, friction, spring and rotor", ""),
    "composite mass": ("m^{C}_{i}", "mass of it and all beyond, the composite", ""),
    "composite first": ("h^{C}_{i}", "first moment of the composite", ""),
    "composite second": ("I^{C}_{i}", "rotational inertia of the composite at its origin", ""),
    "unit F": (
        "F_{i}",
        r"$F = \mathcal{I}^{C} S$, for a unit acceleration, $\mathcal{I}^{C}$ made of $m^{C}$, $h^{C}$, $I^{C}$",
        "force",
    ),
    "M": ("M_{i}", r"its rows of $M$: $S^{\top} F$, at its joint and at those below", ""),
    "b": ("b_{i}", r"$b = V \times^{*} \mathcal{I} V$: the bias of the body alone", "force"),
    "Mhat": (r"\hat{M}_{i}", r"$\hat{M} = \mathcal{I} + \sum X^{*} \bar{M}_{\text{child}} X$", "tensor"),
    "D": ("D_{i}", r"$D = S^{\top} \hat{M} S$ and the rotor: what its joint has to move", ""),
    "bhat": (
        r"\hat{b}_{i}",
        r"$\hat{b}$: $b$ and what the joints beyond pass on, the force that keeps it from accelerating",
        "force",
    ),
    "Mbar": (r"\bar{M}_{i}", r"$\bar{M} = \hat{M} - \hat{M} S D^{-1} S^{\top} \hat{M}$", "tensor"),
    "omega": (r"\omega_{i}", "angular velocity", "vector"),
    "omega rate": (r"\dot{\omega}_{i}", "angular acceleration", "vector"),
    "origin": (
        "a^{O}_{i}",
        r"of its origin: $R^{\top} (a^{O} + \dot{\omega} \times p + \omega \times (\omega \times p))$ of the parent, "
        "and what the joint adds",
        "vector",
    ),
    "center": (
        "a_{c{i}}",
        r"$a_{c} = a^{O} + \dot{\omega} \times r_{c} + \omega \times (\omega \times r_{c})$",
        "vector",
    ),
    "r": ("r_{c{i}}", "its center of mass from its origin", "vector"),
    "I": ("I_{c{i}}", "its inertia about the center of mass", ""),
    "Newton": ("m_{i} a_{c{i}}", "Newton: the force that the body itself takes", "vector"),
    "Euler": (
        r"\dot{L}_{c{i}}",
        r"Euler: $\dot{L}_{c} = I_{c} \dot{\omega} + \omega \times I_{c} \omega$, the moment about its center of mass",
        "vector",
    ),
    "f": ("f_{i}", r"$f = m a_{c} + \sum R f_{\text{child}}$: the force through its joint", "vector"),
    "n": (
        "n_{i}",
        r"$n = \dot{L}_{c} + r_{c} \times m a_{c} + \sum (R n_{\text{child}} + p \times R f_{\text{child}})$: the "
        "moment about its origin",
        "vector",
    ),
    "along": (r"\tau_{i}", "moment about a revolute axis, force along a prismatic one; friction and rotor", ""),
    "a": ("a_{i}", r"$a = D^{-1} (\tau - S^{\top} (\hat{M} A + \hat{b}))$, $A$ without $a$", ""),
}


def _row(b: Body, name: str, value: Any, of: Body | None = None) -> Row:
    """A row of the table above; `of` is the body with the letter's number, where it is another."""
    letter, formula, kind = QUANTITIES[name]
    return Row(b.name, letter.replace("{i}", f"{{{(of or b).index}}}"), formula, value, kind)


def rnea(model: Model, state: Given) -> list[Pass]:
    """Newton-Euler: outward motions, inward forces."""
    q, v, a = state["q"], state["v"], state["a"]
    X, V, A = motions(model, q, v, a, base_acceleration=upwards(model))
    F, tau = wrenches(model, q, v, a), inverse_dynamics(model, q, v, a)
    outward, inward = [], []
    for b in model.bodies:
        own = b.inertia @ A[b] + cross_force(V[b], b.inertia @ V[b])
        outward += [*_described(b, X[b]), *_moving(b, V[b], v), _row(b, "A", A[b]), _row(b, "own", own)]
    for b in reversed(model.bodies):
        inward += [_row(b, "passed on", X[c].force_out(F[c]), c) for c in model.bodies if c.parent is b]
        inward += [_row(b, "F", F[b]), _row(b, "tau", tau[b.dofs])]
    return [
        Pass("outward: how each body moves, the world accelerating upwards", outward),
        Pass("inward: the force each joint carries", inward),
    ]


def newton_euler(model: Model, state: Given) -> list[Pass]:
    """Newton-Euler in 3-vectors, link by link: outward accelerations, inward forces and moments."""
    q, v, a = state["q"], state["v"], state["a"]
    X, V, A = motions(model, q, v, a, base_acceleration=upwards(model))
    F, tau = wrenches(model, q, v, a), inverse_dynamics(model, q, v, a)
    outward, inward = [], []
    for b in model.bodies:
        (r, I), omega, rate = _about_center(model, b), V[b][3:], A[b][3:]
        origin = A[b][:3] + cross(omega, V[b][:3])  # of a point that moves, not of what passes the origin
        center = origin + cross(rate, r) + cross(omega, cross(omega, r))
        values = {"R": X[b].R, "p": X[b].p, "mass": b.inertia.mass, "r": r, "I": I, "omega": omega, "omega rate": rate,
                  "origin": origin, "center": center, "Newton": b.inertia.mass * center,
                  "Euler": I @ rate + cross(omega, I @ omega)}  # fmt: skip
        outward += [_row(b, name, x) for name, x in values.items()]
    for b in reversed(model.bodies):
        inward += [_row(b, "f", F[b][:3]), _row(b, "n", F[b][3:]), _row(b, "along", tau[b.dofs])]
    return [
        Pass("outward: how each link moves, the world accelerating upwards", outward),
        Pass("inward: the force and the moment that each joint carries", inward),
    ]


def _about_center(model: Model, b: Body) -> tuple[Array, Array]:
    """Center of mass of a body and its inertia there, as they were given where it is one link."""
    massive = [(X, inertia) for X, inertia in parts(model, b) if not is_zero(inertia.mass)]
    if not massive:
        return zeros(3), zeros(3, 3)
    if len(massive) > 1:
        return b.inertia.com, b.inertia.about_com
    ((X, inertia),) = massive
    return X.point(inertia.com), X.R @ inertia.about_com @ X.R.T


def _described(b: Body, X: Transform) -> list[Row]:
    """Rows on a body itself: its joint, its place in the parent, its inertia at its origin."""
    inertia = {name: getattr(b.inertia, name) for name in ("mass", "first", "second")}
    return [_row(b, name, x) for name, x in {"S": b.S, "R": X.R, "p": X.p, **inertia}.items()]


def _moving(b: Body, V: Array, v: Array) -> list[Row]:
    return [_row(b, "V", V), _row(b, "zeta", cross_motion(V, b.S @ v[b.dofs]))]


def crba(model: Model, state: Given) -> list[Pass]:
    """Composite bodies: inward inertias, then forces down to the base."""
    q = state["q"]
    composite = composite_bodies(model, {b: b.transform(q) for b in model.bodies})
    M = mass_matrix(model, q)
    first = [row for b in model.bodies for row in _described(b, b.transform(q))]
    inward, columns = [], []
    for b in reversed(model.bodies):
        inward += [_row(b, f"composite {name}", getattr(composite[b], name)) for name in ("mass", "first", "second")]
    for b in model.bodies:
        columns += [_row(b, "unit F", composite[b] @ b.S), _row(b, "M", M[b.dofs])]
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
        first += [*_described(b, X[b]), *_moving(b, V[b], v), _row(b, "b", cross_force(V[b], b.inertia @ V[b]))]
    for b in reversed(model.bodies):
        inertia, bias, projected = (part[b.index - 1] for part in (found.inertia, found.bias, found.projected))
        values = {"Mhat": inertia, "D": pivot(b, inertia), "bhat": bias, "Mbar": projected}
        inward += [_row(b, name, x) for name, x in values.items()]
    for b in model.bodies:
        a = found.a[b.dofs]
        if "answers" in state:
            a = _answered(model, b, state, A[b], found.inertia[b.index - 1], found.bias[b.index - 1])
        outward += [_row(b, "a", a), _row(b, "A", A[b])]
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
    left = state["tau"][b.dofs] - resistance(model, state["q"], state["v"])[b.dofs] - b.S.T @ (inertia @ before + bias)
    return solve_spd(pivot(b, inertia), left)


#: name → the vectors it takes
TAKES = {"rnea": ("q", "v", "a"), "newton_euler": ("q", "v", "a"), "crba": ("q",), "aba": ("q", "v", "tau")}
#: name → its passes
ALGORITHMS: dict[str, Callable[[Model, Given], list[Pass]]] = {
    "rnea": rnea, "newton_euler": newton_euler, "crba": crba, "aba": aba,
}  # fmt: skip


def explained(algorithm: str, model: Model, state: Given, axes: str = "body") -> list[Pass]:
    """The passes of an algorithm on numbers; motions and forces in body axes, or in the world's at its origin."""
    passes = ALGORITHMS[algorithm](model, state)
    return passes if axes == "body" else _in_world(model, state["q"], passes)


def _in_world(model: Model, q: Array, passes: list[Pass]) -> list[Pass]:
    """Motions, forces and inertias of bodies carried to the world's origin and axes."""
    world: dict[Body | None, Transform] = {None: Transform()}
    for b in model.bodies:
        world[b] = world[b.parent] @ b.transform(q)
    bodies = {b.name: b for b in model.bodies}
    carry: dict[str, Callable[[Transform, Any], Any]] = {
        "motion": Transform.motion_out, "force": Transform.force_out, "tensor": Transform.tensor_out,
        "vector": lambda X, x: X.R @ x,
    }  # fmt: skip

    def carried(row: Row) -> Row:
        return row._replace(value=carry[row.kind](world[bodies[row.body]], row.value)) if row.kind else row

    return [Pass(p.title, list(map(carried, p.rows))) for p in passes]


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

    def written(row: Row) -> Row:
        return row._replace(letter=letters.get(row.letter, row.letter), value=_shown(state, row.value, names))

    with progress(f"simplifying {model.name}"):
        return [Pass(p.title, list(map(written, p.rows))) for p in found]


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
