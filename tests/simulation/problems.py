"""Contact problems on plain arrays, solved by the statements of the compiled step; and their laws, said in NumPy."""

from dataclasses import dataclass

import numpy as np

from articulated.compiler.kernel import Kernel, Source
from articulated.compiler.passes.builder import Builder
from articulated.simulation.contact import interior, rows
from articulated.simulation.contact.laws import NONE
from articulated.simulation.contact.problem import Kind
from articulated.simulation.contact.solver import Solver

#: what gravity adds to a velocity in a step, m/s
SLOWEST = 9.81e-3


@dataclass
class Problem:
    """G, c and u of contacts (three rows each) and scalar rows after them; windows (rows, 3): lower, upper, dry."""

    G: np.ndarray
    c: np.ndarray
    u: np.ndarray
    friction: np.ndarray
    windows: np.ndarray
    warm: np.ndarray | None = None

    @property
    def contacts(self) -> int:
        return len(self.friction)


def random_problem(rng, contacts=0, rank=6, friction=0.7, windows=(), gaps=False) -> Problem:
    """Rows at random on a body of so many velocities, which moves."""
    scalars = -(-len(windows) // 3) * 3
    J = rng.normal(size=(3 * contacts + scalars, rank))
    J[3 * contacts + len(windows) :] = 0
    u = J @ rng.normal(size=rank)
    c = u.copy()
    if gaps:
        c[2 : 3 * contacts : 3] += np.maximum(rng.normal(size=contacts), 0)
    whole = [*windows, *[(-NONE, NONE, 0.0)] * (scalars - len(windows))]
    return Problem(J @ J.T, c, u, np.full(contacts, friction), np.array(whole, float).reshape(-1, 3))


def _routine(contacts: int, blocks: int):
    def build():
        r = Builder()
        sizes = {
            "G": (9, blocks * blocks),
            "c": (3, blocks),
            "u": (3, blocks),
            "law": (rows.LAW, blocks),
            "x": (3, blocks),
        }
        given = {name: r.input(f"{name} given", *size) for name, size in sizes.items()}
        slowest, here = r.input("slowest", 1), r.local("slowest here", 1)
        r.copy(slowest, here)
        kinds = [Kind(rows.CONTACT, interior.CONTACT, 0, "touching")] if contacts else []
        if blocks > contacts:
            kinds.append(Kind(rows.SCALARS, interior.SCALARS, "touching", "acting"))
        solver = Solver(r, blocks, kinds, here)
        for name in ("c", "u", "law", "x"):
            with r.loop("number", blocks):
                r.copy(given[name].row("number"), solver.m[name].row("number"))
        with r.loop("row", blocks), r.loop("column", blocks):
            r.copy(given["G"].row({"row": blocks, "column": 1}), solver.pair("G", "row", "column"))
        solver.begin()
        solver.accepted()
        found, residual = r.output("found", 3, blocks), r.output("residual", 1)
        with r.loop("number", "acting"):
            r.copy(solver.m["best"].row("number"), found.row("number"))
        r.copy(solver.lane["least"], residual)
        return r.routine()

    return build


def solved(problems: list[Problem]) -> tuple[np.ndarray, np.ndarray]:
    """Impulses (n, rows) and residuals (n,) of problems of one size."""
    count, contacts, blocks = len(problems), problems[0].contacts, len(problems[0].c) // 3
    arrays = {
        "G given": [p.G.reshape(blocks, 3, blocks, 3).swapaxes(1, 2).reshape(blocks**2, 9) for p in problems],
        "c given": [p.c.reshape(blocks, 3) for p in problems],
        "u given": [p.u.reshape(blocks, 3) for p in problems],
        "law given": [_laws(p, blocks) for p in problems],
        "x given": [np.zeros((blocks, 3)) if p.warm is None else p.warm.reshape(blocks, 3) for p in problems],
        "slowest": np.full((count, 1, 1), SLOWEST),
        "found": np.zeros((count, blocks, 3)),
        "residual": np.zeros((count, 1, 1)),
    }
    given = {name: np.ascontiguousarray(x, float) for name, x in arrays.items()}
    kernel = Kernel(Source("contact problem", build=_routine(contacts, blocks)))
    kernel(given, {"touching": contacts, "acting": blocks})
    return given["found"].reshape(count, -1), given["residual"].ravel()


def _laws(p: Problem, blocks: int) -> np.ndarray:
    laws = np.ones((blocks, rows.LAW))
    laws[: p.contacts, 0] = p.friction
    laws[p.contacts :, :9] = p.windows.reshape(-1, 3, 3).swapaxes(1, 2).reshape(-1, 9)
    return laws


def gain(p: Problem, impulses: np.ndarray) -> float:
    """Kinetic energy that impulses add."""
    return float(impulses @ (0.5 * p.G @ impulses + p.u))


def broken(p: Problem, impulses: np.ndarray) -> float:
    """How far the laws are violated, m/s, each said on its own: not what the solver's residual computes."""
    s, worst = p.G @ impulses + p.c, [0.0]
    for k, mu in enumerate(p.friction):
        (x, y, n), (sx, sy, sn) = impulses[3 * k : 3 * k + 3], s[3 * k : 3 * k + 3]
        g = np.mean(np.diag(p.G)[3 * k : 3 * k + 3])
        slides, along = np.hypot(sx, sy), np.hypot(x, y)
        worst += [-sn, -n * g, min(n * g, abs(sn)), (along - mu * n) * g]
        # what slides meets all of the friction, straight against its motion
        worst.append(min(slides, np.hypot(x * slides + mu * n * sx, y * slides + mu * n * sy) * g))
    for i, (lower, upper, dry) in enumerate(p.windows, 3 * p.contacts):
        worst += [lower - s[i], s[i] - upper]
        if lower + 1e-4 < s[i] < upper - 1e-4:  # only friction acts
            resisted = abs(impulses[i] + np.sign(s[i]) * dry) if abs(s[i]) > 1e-4 else abs(impulses[i]) - dry
            worst.append(resisted * p.G[i, i])
    return max(worst)
