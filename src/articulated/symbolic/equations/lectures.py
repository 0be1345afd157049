"""Robots of the lectures with every quantity a symbol, named as on the slides."""

from collections.abc import Callable
from typing import Any

import sympy

from ...algebra.spatial import Inertia, Transform
from ...errors import WrongKind, unknown
from ...files.dh import DH, dh_links
from ...joints import Revolute
from ...model import Link, Model, build
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
