"""Symbols for the inertial parameters of a numeric robot."""

from typing import Any

import sympy

from ...algebra.scalars import zeros
from ...algebra.spatial import Inertia
from ...model import Model

AXES = "xyz"


def with_symbols(model: Model) -> Model:
    """Masses m_i, centers of mass x_i y_i z_i and inertias Ixx_i … by link; what is zero stays zero.

    Lengths stay as they are.  A gravity along one axis becomes g_0 times that axis.
    """
    links = []
    for link in model.links:
        frame = model.frames[link.name]
        moving = frame.body is not None and link.inertia.mass != 0
        links.append(link.replace(inertia=_named(link.inertia, link.name, model)) if moving else link)
    return model.changed(links, gravity=_gravity(model))


def _named(inertia: Inertia, name: str, model: Model) -> Inertia:
    i = _number(name, model)
    com = [sympy.Symbol(f"{AXES[k]}_{i}", real=True) if x != 0 else 0 for k, x in enumerate(inertia.com)]
    about = zeros(3, 3)
    for j in range(3):
        for k in range(3):
            if inertia.about_com[j, k] != 0:
                about[j, k] = sympy.Symbol(f"I{AXES[min(j, k)]}{AXES[max(j, k)]}_{i}", real=True)
    return Inertia(sympy.Symbol(f"m_{i}", positive=True), com, about)


def _number(name: str, model: Model) -> str:
    """The number of a link's body; welded links beyond the first get the number and a letter."""
    body = model.frames[name].body
    mates = [link.name for link in model.links if model.frames[link.name].body is body and link.inertia.mass != 0]
    index = body.index if body else 0
    k = mates.index(name)
    return f"{index}" if k == 0 else f"{index}{chr(96 + k)}"


def _gravity(model: Model) -> Any:
    axes = [k for k, x in enumerate(model.gravity) if x != 0]
    if len(axes) != 1:
        return model.gravity
    g = sympy.Symbol("g_0", positive=True)
    return [(-g if x < 0 else g) if x != 0 else 0 for x in model.gravity]
