"""User-defined letters for the coordinates: theta_1 with its rates thetadot_1 and thetaddot_1.

A table may hold them where its joints act, as in textbooks: theta_1 in its first row.
"""

import re
from collections.abc import Container, Mapping, Sequence
from typing import Any

import numpy as np
import sympy

from ...algebra.spatial import Transform
from ...errors import ModelError, ShapeError, unknown
from ...model import Link, Model
from ...text import shortened
from .convert import each, free_symbols, transform_of

Symbols = tuple[sympy.Symbol, ...]
NAME = re.compile(r"[^\W\d]\w*")


def coordinates(model: Model, letters: Any) -> Symbols:
    """One symbol for each entry of q; none where the usual q_1 … are meant.

    `letters` is one letter for all ("theta"), names separated by commas or in a list, or names by joint.
    """
    if letters is None:
        return ()
    if isinstance(letters, Mapping):
        found = _by_joint(model, letters)
    elif isinstance(letters, str) and "," not in letters and " " not in letters.strip() and model.nq > 1:
        found = [f"{letters.strip()}_{k + 1}" for k in range(model.nq)]
    else:
        found = _listed(letters)
    if len(found) != model.nq:
        raise ShapeError(f"letters are {model.nq} names, one for each of {', '.join(_usual(model))}; got {len(found)}")
    symbols = tuple(_symbol(x) for x in found)
    names = [s.name for s in symbols]
    for name in names:
        others = [x for own in names if own != name for x in rate_names(own)]
        if names.count(name) > 1 or name in others:
            raise ModelError(f"letters: {name!r} would stand for two things")
    return symbols


def rate_names(name: str) -> tuple[str, str]:
    """theta_1 → thetadot_1, thetaddot_1: SymPy typesets them with dots."""
    head, line, index = name.partition("_")
    return f"{head}dot{line}{index}", f"{head}ddot{line}{index}"


def rates(symbols: Sequence[sympy.Symbol], order: int) -> Symbols:
    """The symbols of first or second rates."""
    return tuple(sympy.Symbol(rate_names(s.name)[order - 1], real=True) for s in symbols)


def unused(name: str, taken: Container[str], prefix: str = "m") -> str:
    """The name, with a letter before it for as long as it is taken."""
    return name if name not in taken else unused(f"{prefix}{name}", taken, prefix)


def _listed(letters: Any) -> list[Any]:
    if isinstance(letters, str):
        return [x for x in re.split(r"[\s,]+", letters) if x]
    if isinstance(letters, (list, tuple)):
        return list(letters)
    if getattr(letters, "is_Matrix", False):
        return [x for row in letters.tolist() for x in row]
    raise ShapeError(f"letters are names of the coordinates; got {shortened(repr(letters))}")


def _by_joint(model: Model, letters: Mapping[Any, Any]) -> list[Any]:
    """The usual letters, but for joints that are named; a joint of several coordinates takes as many."""
    found: list[Any] = _usual(model)
    own = {b.joint.name: b for b in model.bodies if b.leader is b}
    for joint, given in letters.items():
        if joint not in own:
            raise unknown("joint", joint, f"{model.name} (letters)", own)
        one = isinstance(given, (str, sympy.Symbol))
        part = [given] if one else _listed(given)
        if len(part) != own[joint].joint.nq:
            raise ShapeError(f"letters: joint {joint!r} has {own[joint].joint.nq} coordinates; got {len(part)} letters")
        found[own[joint].coords] = part
    return found


def _usual(model: Model) -> list[str]:
    return [f"q_{k + 1}" for k in range(model.nq)]


def _symbol(given: Any) -> sympy.Symbol:
    """A symbol as it was given, unless it is not real; a name as a real symbol."""
    if isinstance(given, sympy.Symbol) and given.is_real is not False and NAME.fullmatch(given.name):
        return given
    if isinstance(given, str) and NAME.fullmatch(given):
        return sympy.Symbol(given, real=True)
    raise ModelError(f"letters: {shortened(repr(given))} is not a name of a coordinate, such as theta_1 or x")


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
