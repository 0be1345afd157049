"""A robot in words: how each link hangs on the one before, and what it weighs."""

from typing import Any

import numpy as np
import sympy

from ...algebra.scalars import array
from ...text import plain


def described(equations: Any) -> str:
    """A line for the world, and one for each body."""
    gravity = ", ".join(str(_short(x)) for x in equations.model.gravity)
    lines = [f"{plain(equations.name)}: {len(equations.v)} degrees of freedom; gravity is ({gravity}) in the world."]
    return "\n".join([*lines, *(_line(equations, b) for b in equations.model.bodies)])


def _line(equations: Any, b: Any) -> str:
    symbols = equations.state.symbols["q"][b.leader.coords]
    moved = [b.multiplier * x + b.offset for x in symbols]
    pose = b.placement @ b.joint.transform(array(moved)) @ b.tail
    before = "the world" if b.parent is None else plain(b.parent.name)
    about = np.array(b.inertia.about_com, object)
    return (
        f"{plain(b.name)}: its frame in that of {before} is at {_row(pose.p)}, with the axes x {_row(pose.R[:, 0])}, "
        f"y {_row(pose.R[:, 1])}, z {_row(pose.R[:, 2])}; mass {_short(b.inertia.mass)}, "
        f"centre of mass at {_row(b.inertia.com)}, inertia about it {_tensor(about)}."
    )


def _tensor(about: Any) -> str:
    off = [about[i, j] for i in range(3) for j in range(3) if i != j]
    if all(_short(x) == 0 for x in off):
        return f"diag{_row([about[i, i] for i in range(3)])}"
    return f"[{', '.join(_row(row) for row in about)}]"


def _row(entries: Any) -> str:
    return f"({', '.join(str(_short(x)) for x in entries)})"


def _short(x: Any) -> sympy.Expr:
    """The expression without the traces of rounding, simplified."""
    found = sympy.simplify(sympy.sympify(x))
    return sympy.Integer(0) if found.is_number and abs(found) < 1e-15 else found
