"""How short closed forms are: `art.derive` beside SymPy's LagrangesMethod with `simplify`, on robots of every course.

`python -m benchmarks.shortest` writes benchmarks/shortest.md; it fails if a form of ours is longer, or takes more than
a tenth of the time (the best of three).  Operations are those of M and of all other forces together, by `count_ops`,
with letters for q and their rates on both sides; times are of the processor, without imports.
"""

import platform
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import sympy

import articulated as art

X, Y, Z = (1, 0, 0), (0, 1, 0), (0, 0, 1)
SLIDE = 383  # operations of b_11 of the Stanford arm on the lecture's slide, corrected (tests/symbolic/stanford_b11.py)


def robots() -> dict[str, art.Robot]:
    """Two to four joints, every quantity a symbol."""
    m, I, Ix, Iy, Iz = (sympy.symbols(f"{name}1:5", positive=True) for name in ("m", "I", "Ix", "Iy", "Iz"))
    l = sympy.symbols("l1:3", positive=True)
    d = sympy.symbols("d1:4", real=True)
    g0, beta = sympy.Symbol("g0", positive=True), sympy.Symbol("beta", real=True)

    def body(k: int, *com: Any, about: Any = None) -> art.Inertia:
        entries = about or (0, 0, I[k])
        diagonal = [[x if i == j else 0 for j in range(3)] for i, x in enumerate(entries)]
        return art.Inertia(m[k], com or (0, 0, 0), diagonal)

    def chain(gravity: Any, *joints: Any) -> art.Robot:
        links: list[art.Link] = []
        for k, (joint, place, inertia) in enumerate(joints):
            parent = links[-1].name if links else None
            links.append(art.Link(f"link{k + 1}", parent, joint, art.Transform(p=place), inertia))
        return art.build(links, gravity=gravity)

    turn, slide, here = art.Revolute, art.Prismatic, (0, 0, 0)
    down, back = (0, 0, -g0), (0, -g0, 0)
    full = [(Ix[k], Iy[k], Iz[k]) for k in range(4)]
    tilted = (0, -g0 * sympy.cos(beta), -g0 * sympy.sin(beta))
    found = {
        "RP": chain(back, (turn(Z), here, body(0, d[0], 0, 0)), (slide(X), here, body(1))),
        "PR": chain(back, (slide(X), here, body(0)), (turn(Z), here, body(1, d[1], 0, 0))),
        "cylindrical": chain(
            down, (turn(Z), here, body(0)), (slide(Z), here, body(1)), (slide(X), here, body(2, -d[2], 0, 0))
        ),
        "polar": chain(
            down,
            (turn(Z), here, body(0)),
            (turn(Y), here, body(1, d[1], 0, 0, about=full[1])),
            (slide(X), here, body(2, about=full[2])),
        ),
        "PRR": chain(
            back,
            (slide(X), here, body(0)),
            (turn(Z), here, body(1, d[1], 0, 0)),
            (turn(Z), (l[1], 0, 0), body(2, d[2], 0, 0)),
        ),
        "tilted 2R": chain(tilted, (turn(Z), here, body(0, d[0], 0, 0)), (turn(Z), (l[0], 0, 0), body(1, d[1], 0, 0))),
        "SCARA": chain(
            down,
            (turn(Z), here, body(0, d[0], 0, 0)),
            (turn(Z), (l[0], 0, 0), body(1, d[1], 0, 0)),
            (slide(Z), (l[1], 0, 0), body(2)),
            (turn(Z), here, body(3)),
        ),
        "wrist": chain(
            down,
            (turn(Z), here, body(0, about=full[0])),
            (turn(Y), here, body(1, about=full[1])),
            (turn(Z), here, body(2, 0, 0, d[2], about=full[2])),
        ),
    }
    return {name: art.build(robot.links, robot.model.gravity, name) for name, robot in found.items()}


def ours(robot: art.Robot) -> tuple[int, int, float]:
    """Operations of M and of c + g, and seconds."""
    start = time.process_time()
    eq = art.derive(robot)
    M, h = eq.M, eq.c + eq.g
    elapsed = time.process_time() - start
    return _operations(M), _operations(h), elapsed


def theirs(robot: art.Robot) -> tuple[int, int, float]:
    """The same by LagrangesMethod, each entry simplified; energies from homogeneous matrices and their rates."""
    from sympy.physics.mechanics import LagrangesMethod, dynamicsymbols

    q, t = dynamicsymbols(f"q1:{robot.nv + 1}"), dynamicsymbols._t
    L = _lagrangian(robot, q, t)
    start = time.process_time()
    method = LagrangesMethod(L, q)
    method.form_lagranges_equations()
    M, forcing = method.mass_matrix.applyfunc(sympy.simplify), method.forcing.applyfunc(sympy.simplify)
    elapsed = time.process_time() - start
    letters = {x.diff(t): sympy.Symbol(f"v{k}") for k, x in enumerate(q)}
    letters |= {x: sympy.Symbol(f"x{k}") for k, x in enumerate(q)}
    return _operations(M.subs(letters)), _operations(forcing.subs(letters)), elapsed


def _lagrangian(robot: art.Robot, q: Any, t: Any) -> sympy.Expr:
    places: dict[Any, Any] = {None: (sympy.eye(3), sympy.zeros(3, 1))}
    gravity = sympy.Matrix([sympy.sympify(x) for x in robot.model.gravity])
    L = sympy.Integer(0)
    for b in robot.model.bodies:
        step = b.transform(np.array(q, object))
        R0, p0 = places[b.parent]
        R, p = R0 * sympy.Matrix(3, 3, list(step.R.ravel())), p0 + R0 * sympy.Matrix(list(step.p))
        places[b] = R, p
        com = p + R * sympy.Matrix(list(b.inertia.com))
        v, turning = com.diff(t), sympy.simplify(R.T * R.diff(t))
        omega = sympy.Matrix([turning[2, 1], turning[0, 2], turning[1, 0]])
        about = sympy.Matrix(3, 3, list(b.inertia.about_com.ravel()))
        L += (b.inertia.mass * v.dot(v) + (omega.T * about * omega)[0]) / 2 + b.inertia.mass * gravity.dot(com)
    return L


def _operations(entries: Any) -> int:
    return sum(int(x.count_ops()) for x in entries)


def main() -> int:
    """Write the table; 1 if a gate does not hold."""
    lines = [
        "# How short closed forms are",
        "",
        f"`python -m benchmarks.shortest` on {platform.machine()}, Python {platform.python_version()}, SymPy "
        f"{sympy.__version__}: operations of M, of the other forces (c + g), and CPU seconds.",
        "",
        "| robot | derive M | c + g | s | LagrangesMethod, simplify: M | forcing | s |",
        "|---|---|---|---|---|---|---|",
    ]
    failed = []
    for name, robot in robots().items():
        mine, other = min((ours(robot) for _ in range(3)), key=lambda found: found[2]), theirs(robot)
        row = " | ".join(f"{x:.3f}" if isinstance(x, float) else str(x) for x in (*mine, *other))
        lines.append(f"| {name} | {row} |")
        print(lines[-1], flush=True)
        if mine[0] + mine[1] > other[0] + other[1] or 10 * mine[2] > other[2]:
            failed.append(name)
    b11 = int(art.derive("stanford").M[0, 0].count_ops())
    lines += ["", f"b_11 of the Stanford arm: {b11} operations; the lecture's slide, corrected: {SLIDE}."]
    if b11 > SLIDE:
        failed.append("b_11")
    (Path(__file__).parent / "shortest.md").write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"longer or slower than a tenth: {', '.join(failed)}" if failed else "every gate holds")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
