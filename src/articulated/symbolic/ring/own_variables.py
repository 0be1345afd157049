"""Joint variables that were written where they act: theta_1 in the first row of a table, as textbooks do."""

from typing import Any

import numpy as np
import sympy

from ...algebra.spatial import Transform
from ...errors import ModelError
from ...model import Link, Model
from .convert import each, free_symbols, transform_of


def without_variables(model: Model, letters: tuple[sympy.Symbol, ...]) -> Model:
    """The model without the joint variables in placements of their own joints; the joint adds them.

    placement(x) must be placement(0) followed by the joint's motion by x; anything else is refused.
    """
    names = {s.name for s in letters}
    own = {b.joint.name: letters[b.coords] for b in model.bodies if b.leader is b and b.joint.nq == 1 and letters}
    links: list[Link] = []
    for link in model.links:
        entries = [*link.placement.R.ravel(), *link.placement.p]
        used = [s for s in free_symbols(entries) if s.name in names]
        if not used:
            links.append(link)
            continue
        mine = own.get(link.joint.name, ())
        if len(used) != 1 or not mine or used[0].name != mine[0].name:
            text = f"row of link {link.name!r} uses {', '.join(sorted(s.name for s in used))}"
            raise ModelError(f"{text}, a joint variable of another row; call it something else")
        links.append(link.replace(placement=_at_zero(link, used[0])))
    return model if all(x is y for x, y in zip(links, model.links, strict=True)) else model.changed(links)


def _at_zero(link: Link, variable: sympy.Symbol) -> Transform:
    def zero(x: Any) -> Any:
        return x.subs(variable, 0) if isinstance(x, sympy.Basic) else x

    start = transform_of(link.placement, zero)
    moved = start @ link.joint.transform(np.array([variable], object))
    left = each(moved.exact_matrix() - link.placement.exact_matrix(), lambda x: sympy.simplify(sympy.sympify(x)))
    if any(abs(float(x)) > 1e-12 if x.is_number else True for x in left.ravel()):
        raise ModelError(
            f"row of link {link.name!r}: the joint variable {variable} is not where the joint acts; it adds to theta "
            "(revolute) or d (prismatic), with factor one"
        )
    return start
