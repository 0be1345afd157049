"""The robot at the head of every page: its table, a sketch, its symbols."""

import re
from collections.abc import Iterable
from typing import Any

import sympy

from ...model import Model
from ...text import shortened
from ..equations.dh_table import dh_table
from ..ring.convert import number
from ..ring.state import State
from .document import Math, Section, Table, Text, words
from .latex import ROUNDED, latex
from .sketch import sketch

KINDS = {0: r"Revolute ($\sigma = 0$)", 1: r"Prismatic ($\sigma = 1$)", None: "With several degrees of freedom"}
ROUNDING = 1e-15
LARGE = 60  # most bodies in a table


def robot_section(model: Model) -> Section:
    """The robot at the head of an explanation."""
    state = State(model)
    text, tables = robot_tables(state)
    named: Text = [f"{shortened(model.name)}: {freedoms(model.nv)}."]
    text += [f" {ROUNDED}"] if state.ring.decimals else []
    rows = [gravity_row(model, state.parameters), *inertia_rows(model)]
    return Section("The robot", [*named, *text], rows, tables, sketch(model))


def freedoms(count: int) -> str:
    """1 degree of freedom, 2 degrees of freedom."""
    return f"{count} degree{'' if count == 1 else 's'} of freedom"


def shorthands(state: State) -> str:
    """The meaning of q, where the joints have other letters, and of c_1, or c_12 where axes are parallel."""
    q = state.symbols["q"]
    named = "" if q[0].name == "q_1" else f" ${latex(sympy.Matrix([q]))}$ is $q^{{\\top}}$."
    angles = [q for b, q in _own(state) if b.joint.turns and (re.match("q_", q.name) or q in state.letters)]
    angle = sum(state.runs[0][:2]) if state.runs else angles[0] if angles else None
    if angle is None or not latex(sympy.cos(angle)).startswith("c_"):
        return named
    c, s = latex(sympy.cos(angle)), latex(sympy.sin(angle))
    return rf"{named} ${c}$ stands for $\cos({latex(angle)})$, ${s}$ for the sine."


def _own(state: State) -> list[tuple[Any, sympy.Symbol]]:
    bodies = [b for b in state.source.bodies if b.leader is b and b.joint.nq == 1]
    return [(b, state.symbols["q"][b.coords.start]) for b in bodies]


def gravity_row(model: Model, parameters: Iterable[sympy.Symbol]) -> tuple[str, Any]:
    """The acceleration of gravity in the world; its letter is a_g, unless a parameter is called that."""
    letter = r"\bar{a}_{g}" if any(p.name == "a_g" for p in parameters) else "a_{g}"
    return letter, sympy.Matrix([_number(x, 0) for x in model.gravity])


def robot_tables(state: State) -> tuple[Text, list[Table]]:
    """The Denavit-Hartenberg table, or that of the joints where frames lie otherwise; and the links."""
    model = state.source
    if len(model.bodies) > LARGE:
        return words(f" Its {len(model.bodies)} bodies are more than the {LARGE} that are listed here."), []
    found = dh_table(state)
    if found is None:
        return words(" Axes and origins of the joints are those in the frame before them."), [
            _joints(model),
            _links(model),
        ]
    branched = any(b.parent is not None and b.parent.index != b.index - 1 for b in model.bodies)
    z, x = (r"$\theta_{i}$ about and $d_{i}$ along $z$", r"$a_{i}$ along and $\alpha_{i}$ about $x$")
    order = f"{z}, then {x}" if found.convention == "standard" else f"{x}, then {z}"
    text = words(f" The Denavit-Hartenberg table, {found.convention} convention: to frame $i$ by {order}.")
    header = ["$i$", *(["on"] if branched else []), r"$\theta_{i}$", "$d_{i}$", "$a_{i}$", r"$\alpha_{i}$"]
    rows = []
    for b, row in zip(model.bodies, found.rows, strict=True):
        on = [_math(str(b.parent.index if b.parent else 0))] if branched else []
        rows.append([_math(str(b.index)), *on, *(_math(latex(x)) for x in row)])
    return text, [Table([words(x) for x in header], rows), _links(model)]


def _joints(model: Model) -> Table:
    header = [words(x) for x in ("$i$", "link", "on", "joint", "axis", "origin")]
    rows, length = [], _length(model)
    for b in model.bodies:
        axis = getattr(b.joint, "axis", None)
        seen = "" if axis is None else _tuple(b.placement.R @ axis)
        on: Text = [shortened(b.parent.name)] if b.parent else ["the world"]
        cells: list[Text] = [_math(str(b.index)), [shortened(b.name)], on, [b.joint.kind]]
        rows.append([*cells, _math(seen) if seen else [""], _math(_tuple(b.placement.p, length))])
    return Table(header, rows)


def _links(model: Model) -> Table:
    """Mass and center of mass of every body; its inertia is a matrix of its own."""
    header = [words(x) for x in ("$i$", "link", "mass $m_{i}$", "center of mass ${}^{i}r_{ci}$")]
    rows, length = [], _length(model)
    for b in model.bodies:
        massive = b.inertia.mass != 0
        center = _math(_tuple(b.inertia.com, length)) if massive else [""]
        rows.append([_math(str(b.index)), [shortened(b.name)], _math(latex(_number(b.inertia.mass, 0))), center])
    return Table(header, rows)


def inertia_rows(model: Model) -> list[tuple[str, Any]]:
    """I_c of every body that has one, about its center of mass, in the axes of its frame."""
    rows = []
    for b in model.bodies if len(model.bodies) <= LARGE else ():
        size = _largest(b.inertia.second.ravel())
        about = sympy.ImmutableMatrix(3, 3, [_number(x, size) for x in b.inertia.about_com.ravel()])
        if not about.is_zero_matrix:
            rows.append((f"{{}}^{{{b.index}}}I_{{c{b.index}}}", about))
    return rows


def _math(tex: str) -> Text:
    return [Math(tex)]


def _tuple(values: Any, size: float = 1.0) -> str:
    return rf"\left({', '.join(latex(_number(x, size)) for x in values)}\right)"


def _number(x: Any, size: float) -> sympy.Expr:
    """An expression as it is; what rounding left of zero, beside numbers of that size, as 0."""
    if isinstance(x, sympy.Basic):
        return sympy.factor_terms(x.xreplace({f: number(float(f)) for f in x.atoms(sympy.Float)}))
    return number(x if abs(x) > ROUNDING * size else 0)


def _length(model: Model) -> float:
    return _largest(x for b in model.bodies for x in (*b.placement.p, *(b.inertia.com if b.inertia.mass != 0 else ())))


def _largest(values: Iterable[Any]) -> float:
    """The largest of the values that are numbers."""
    return max((float(abs(x)) for x in values if not isinstance(x, sympy.Basic)), default=0.0)
