"""Robots of the lectures with every quantity a symbol, and letters for the parameters of a robot of numbers."""

from collections.abc import Callable
from typing import Any

import numpy as np
import sympy

from ...algebra.scalars import zeros
from ...algebra.spatial import IDENTITY, Inertia, Transform
from ...errors import WrongKind, unknown
from ...files.dh import DH, dh_links
from ...joints import Revolute
from ...model import Body, Link, Model, build
from ...model.parameters import from_gyration


def _positive(names: str) -> list[sympy.Symbol]:
    return list(sympy.symbols(names, positive=True, seq=True))


def _diagonal(*entries: sympy.Expr) -> list[list[sympy.Expr]]:
    return [[x if i == j else 0 for j in range(3)] for i, x in enumerate(entries)]


def planar_arm(n: int) -> Model:
    """n links in a vertical plane, y up: lengths l_i, centers of mass d_i from the joint, I_i about z there."""
    l, m, I = (_positive(" ".join(f"{name}_{k + 1}" for k in range(n))) for name in "lmI")
    d = list(sympy.symbols(" ".join(f"d_{k + 1}" for k in range(n)), real=True, seq=True))
    g0 = sympy.Symbol("g_0", positive=True)
    bodies = [Inertia(m[k], (-l[k] + d[k], 0, 0), _diagonal(0, 0, I[k])) for k in range(n)]
    return build(dh_links([DH(a=x) for x in l], links=bodies), (0, -g0, 0), f"{n}r")


def stanford() -> Model:
    """Radii of gyration k_ijj about the axes of each D-H frame; centers of mass where the errata place them."""
    m = _positive("m_1 m_2 m_3 m_4 m_5 m_6")
    r1, r2, r6, g0 = _positive("r_1 r_2 r_6 g_0")
    k = [_positive(f"k_{i}11 k_{i}22 k_{i}33") for i in range(1, 7)]
    y1, z1, y2, z3, y4, z4, z5, z6 = sympy.symbols("y_1 z_1 y_2 z_3 y_4 z_4 z_5 z_6", real=True)
    half = sympy.pi / 2
    rows = [
        DH(d=r1, alpha=-half), DH(d=r2, alpha=half), DH(theta=-half, joint="prismatic"),
        DH(alpha=-half), DH(alpha=half), DH(d=r6),
    ]  # fmt: skip
    centers = [(0, y1, z1), (0, y2, 0), (0, 0, z3), (0, y4, z4), (0, 0, z5), (0, 0, z6)]
    bodies = [from_gyration(m[i], centers[i], [x**2 for x in k[i]]) for i in range(6)]
    return build(dh_links(rows, links=bodies), (0, 0, -g0), "stanford")


def bar_disc() -> Model:
    """The Pisa lecture's bar along y, on a hinge about x, with a disc that turns about the bar's axis at its end."""
    ms, mD, l, h = _positive("m_s m_D l h")
    Isx, Isy, Isz, Ix, Iy, Iz = _positive("I_sx I_sy I_sz I_Dx I_Dy I_Dz")
    bar = Inertia(ms, (0, h, 0), _diagonal(Isx, Isy, Isz))
    disc = Inertia(mD, (0, 0, 0), _diagonal(Ix, Iy, Iz))
    return build(
        [
            Link("bar", None, Revolute((1, 0, 0), name="hinge"), inertia=bar),
            Link("disc", "bar", Revolute((0, 1, 0), name="axle"), Transform(p=(0, l, 0)), disc),
        ],
        (0, 0, -sympy.Symbol("g_0", positive=True)),
        "bar_disc",
    )


#: name → its model
LECTURE_ROBOTS: dict[str, Callable[[], Model]] = {
    "2r": lambda: planar_arm(2),
    "3r": lambda: planar_arm(3),
    "stanford": stanford,
    "bar_disc": bar_disc,
}


def model_of(robot: Any) -> Model:
    """The model of a Robot, a Model, or the name of a lecture's robot."""
    if isinstance(robot, str):
        if robot not in LECTURE_ROBOTS:
            raise unknown("robot", robot, "the lectures", LECTURE_ROBOTS)
        return LECTURE_ROBOTS[robot]()
    # a robot made of SymPy's numbers keeps them beside its floats
    model = getattr(robot, "exact", None) or getattr(robot, "model", robot)
    if not isinstance(model, Model):
        raise WrongKind(f"this takes a robot or the name of a lecture's robot; got {type(robot).__name__}")
    return model


AXES = "xyz"
#: m and kg m², below which a number is a rounding error
TINY = 1e-9


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


def with_letters(model: Model) -> Model:
    """The robot as a textbook draws it: bodies in the frames of their joints, lengths l_i, distances d_i of the centers
    of mass from the joints, masses m_i and inertias I_i about the axis where all axes are parallel, else Ixx_i …

    A point off every axis of its frame has letters l_ix l_iy l_iz or x_i y_i z_i.  Orientations stay as they are.
    """
    joints: dict[Body | None, Transform] = {None: IDENTITY}  # of each body's frame in that of its joint
    directions: dict[Body | None, np.ndarray] = {None: np.zeros((3, 0))}  # axes of a body's turns, where q is zero
    links = []
    for b in model.bodies:
        placement = (joints[b.parent] @ b.placement).exact()
        siblings = [other for other in model.bodies if other.parent is b.parent]
        owner = b.parent.index if b.parent else 0
        number = f"{owner}" if len(siblings) == 1 else f"{owner}{b.index}"
        p = _along([f"l_{number}", *(f"l_{number}{axis}" for axis in AXES)], placement.p)
        joints[b] = b.tail
        R, axes = np.array(placement.R, float), np.array(b.joint.S, float)[3:]
        directions[b] = np.concatenate([R.T @ directions[b.parent], axes], axis=1)
        parent = b.parent.name if b.parent else None
        turns = abs(directions[b]).max(axis=1, initial=0) > TINY
        inertia = _lettered(b.inertia.moved_out(b.tail), b.index, turns if turns.sum() < 2 else np.full(3, True))
        links.append(Link(b.name, parent, b.joint, Transform(placement.R, p), inertia))
    return build(links, _gravity(model), model.name)


def _lettered(inertia: Inertia, i: int, turns: np.ndarray) -> Inertia:
    """In the frame of its joint; `turns`: the axes of that frame that the body turns about at all."""
    if not inertia.mass:
        return inertia
    com = _along([f"d_{i}", *(f"{axis}_{i}" for axis in AXES)], inertia.com)
    about = zeros(3, 3)
    for j, k in np.argwhere(np.outer(turns, turns) & (abs(np.array(inertia.about_com, float)) > TINY)):
        name = f"I_{i}" if turns.sum() == 1 else f"I{AXES[min(j, k)]}{AXES[max(j, k)]}_{i}"
        about[j, k] = sympy.Symbol(name, real=True)
    return Inertia(sympy.Symbol(f"m_{i}", positive=True), com, about)


def _along(names: list[str], point: Any) -> list[Any]:
    """A point in letters: the first with its sign if it lies on an axis, else one for each axis."""
    off = [k for k in range(3) if abs(float(point[k])) > TINY]
    if len(off) == 1:
        sign = 1 if point[off[0]] > 0 else -1
        return [sign * sympy.Symbol(names[0], positive=True) if k in off else 0 for k in range(3)]
    return [sympy.Symbol(names[1 + k], real=True) if k in off else 0 for k in range(3)]


def _gravity(model: Model) -> Any:
    axes = [k for k, x in enumerate(model.gravity) if x != 0]
    if len(axes) != 1:
        return model.gravity
    g = sympy.Symbol("g_0", positive=True)
    return [(-g if x < 0 else g) if x != 0 else 0 for x in model.gravity]
