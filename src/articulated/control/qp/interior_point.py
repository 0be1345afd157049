"""A primal-dual interior point for quadratic programs: slower than daqp, and sure where rows are nearly dependent.

The predictor and corrector of Mehrotra 1992 on a program equilibrated by Ruiz (2001). A row may give way: it then
counts with the square of its slack, over twice its `give`, and a program in which enough rows give always has a
solution.
"""

from typing import NamedTuple

import numpy as np

from .solver import Floats, Program, Solved

STEPS = 60
ENOUGH = 1e-14
#: regularisation of the diagonals of the KKT system
_FIRM = 1e-12


class Scaled(NamedTuple):
    """A program with rows and columns of similar lengths, as equalities E x = e and one-sided rows C x <= d."""

    H: Floats
    f: Floats
    E: Floats
    e: Floats
    give_e: Floats
    C: Floats
    d: Floats
    give_d: Floats


class Iterate(NamedTuple):
    """x, the multipliers y of E x = e and z of C x <= d, and what is left up to d: s."""

    x: Floats
    y: Floats
    z: Floats
    s: Floats


def interior_point(program: Program, give: Floats | None = None) -> Solved:
    """Primal and dual solution, to be judged by its residuals."""
    G, give = program.rows, np.zeros(len(program.kind)) if give is None else give
    # in units in which a row that gives does so by as much as its multiplier
    weight = 1 / float(give.max(initial=0.0)) if give.any() else float(program.H.max())
    H, rows, columns = _equilibrated(program.H / weight, G)
    G, lower, upper = G * columns * rows[:, None], program.lower * rows, program.upper * rows
    soft, equal = give * weight * rows**2, lower == upper
    above, below = np.flatnonzero(~equal & (upper < np.inf)), np.flatnonzero(~equal & (lower > -np.inf))
    scaled = Scaled(
        H, program.f * columns / weight, G[equal], lower[equal], soft[equal],
        np.concatenate([G[above], -G[below]]), np.concatenate([upper[above], -lower[below]]),
        np.concatenate([soft[above], soft[below]]),
    )  # fmt: skip
    (x, y, z, _), steps = _followed(scaled)
    multipliers = np.zeros(len(G))
    multipliers[equal] = y
    multipliers[above] += z[: len(above)]
    multipliers[below] -= z[len(above) :]
    return Solved(columns * x, weight * rows * multipliers, steps)


def _equilibrated(H: Floats, G: Floats) -> tuple[Floats, Floats, Floats]:
    """H with scaled columns, and the scales of rows and columns with which the largest entries of G are near 1."""
    rows, columns = np.ones(len(G)), np.ones(len(H))
    for _ in range(4):
        turn = _eased(np.maximum(abs(G).max(axis=0, initial=0.0), abs(H).max(axis=0, initial=0.0)))
        G, H, columns = G * turn, H * turn * turn[:, None], columns * turn
        turn = _eased(abs(G).max(axis=1, initial=0.0))
        G, rows = G * turn[:, None], rows * turn
    return H, rows, columns


def _eased(lengths: Floats) -> Floats:
    return 1 / np.sqrt(np.where(lengths > 0, lengths, 1.0))


def _followed(program: Scaled) -> tuple[Iterate, int]:
    """The best iterate along the central path, and the number of steps."""
    path = _Path(program)
    here = path.start()
    best, least, since = here, np.inf, 0
    for _ in range(STEPS):
        residuals = path.residuals(here)
        error = path.error(here, residuals)
        best, least, since = (here, error, 0) if error < least else (best, least, since + 1)
        if not np.isfinite(error) or least < ENOUGH or since > (4 if least < 1e-9 else 20):
            break
        try:
            here = path.next(here, residuals)
        except np.linalg.LinAlgError:
            break
    x, y, z, s = best
    return Iterate(path.size * x, path.size * path.slope * y, path.size * path.slope * z, path.size * s), path.steps


class _Path:
    """The central path of a program, in units in which its start, and the slope of the cost there, have the size 1."""

    def __init__(self, program: Scaled):
        self.size = self.slope = 1.0
        self.program, self.steps = program, 0
        self.n, p = len(program.f), len(program.e)
        self.firm, self.gives = _FIRM * np.eye(self.n), bool(program.give_e.any() or program.give_d.any())
        #: [[H + Cᵀ W C, Eᵀ], [E, -give]], the first block new in every step
        self.K = np.zeros((self.n + p, self.n + p))
        self.K[self.n :, : self.n], self.K[: self.n, self.n :] = program.E, program.E.T
        self.K[self.n :, self.n :] = -np.diag(program.give_e + _FIRM)

    def start(self) -> Iterate:
        """The least x without the inequalities, and multipliers of 1."""
        H, f, E, e, give_e, C, d, give_d = self.program
        self.K[: self.n, : self.n] = H + 1e-8 * np.eye(self.n)
        x, y = np.split(np.linalg.solve(self.K, np.concatenate([-f, e])), [self.n])
        # without the inequalities x may go very far
        self.size = max(1e-3, min(_largest(x), 10 * max(_largest(e), _largest(d))) if len(d) else _largest(x))
        if not self.gives:  # else these have set the scale
            self.slope = max(_largest(f), _largest(H @ x)) / self.size or 1.0
        x, y, e, d = x / self.size, y / self.size / self.slope, e / self.size, d / self.size
        H, f, give_e, give_d = H / self.slope, f / self.size / self.slope, give_e * self.slope, give_d * self.slope
        self.program = Scaled(H, f, E, e, give_e, C, d, give_d)
        self.K[self.n :, self.n :] = -np.diag(give_e + _FIRM)
        return Iterate(x, y, np.ones(len(d)), np.maximum(d - C @ x, 1.0))

    def residuals(self, here: Iterate) -> tuple[Floats, Floats, Floats]:
        """KKT residuals: stationarity, equalities, inequalities."""
        H, f, E, e, give_e, C, d, give_d = self.program
        x, y, z, s = here
        return H @ x + f + y @ E + z @ C, E @ x - e - give_e * y, C @ x + s - d - give_d * z

    def error(self, here: Iterate, residuals: tuple[Floats, Floats, Floats]) -> float:
        """Largest residual or complementarity, relative to x and to the multipliers."""
        x, y, z, s = here
        slope, unmet, apart = map(_largest, residuals)
        # multipliers that no row bounds by giving may grow without end
        steep = max(_largest(y), _largest(z), 1e-12) if self.gives else 1.0
        far, steep = max(1.0, _largest(x)), max(steep, _largest(self.program.f))
        return max(slope / steep, unmet / far, apart / max(far, _largest(s)), self._middle(z, s) / far / steep)

    def next(self, here: Iterate, residuals: tuple[Floats, Floats, Floats]) -> Iterate:
        """One predictor-corrector step."""
        self.steps += 1
        x, y, z, s = here
        slope, unmet, apart = residuals
        C, n = self.program.C, self.n
        W = 1 / (s / z + self.program.give_d + _FIRM)
        self.K[:n, :n] = self.program.H + (C.T * W) @ C + self.firm

        def towards(less: Floats) -> tuple[Floats, Floats, Floats, Floats]:
            # everything met, and s z less by this
            pushed = W * (apart - less / z)
            u = _solved(self.K, np.concatenate([-slope - pushed @ C, -unmet]))
            dz = W * (C @ u[:n]) + pushed
            return u[:n], u[n:], dz, -(less + s * dz) / z

        _, _, dz, ds = towards(s * z)
        length, middle = _length(s, ds, z, dz, 1.0), self._middle(z, s)
        centring = (self._middle(z + length * dz, s + length * ds) / middle) ** 3 if middle > 0 else 0.0
        dx, dy, dz, ds = towards(s * z + ds * dz - centring * middle)
        length = _length(s, ds, z, dz, 0.99)
        return Iterate(x + length * dx, y + length * dy, z + length * dz, s + length * ds)

    def _middle(self, z: Floats, s: Floats) -> float:
        return float(s @ z) / max(1, len(s))


def _solved(K: Floats, b: Floats) -> Floats:
    u = np.linalg.solve(K, b)
    left = b - K @ u
    # near the end of the path some rows are 10^16 times as stiff as others
    return u + np.linalg.solve(K, left) if _largest(left) > 1e-12 * _largest(b) else u


def _largest(x: Floats) -> float:
    return float(abs(x).max(initial=0.0))


def _length(s: Floats, ds: Floats, z: Floats, dz: Floats, part: float) -> float:
    """Step length to the boundary of s, z >= 0."""
    fastest = max(float((-ds / s).max(initial=0.0)), float((-dz / z).max(initial=0.0)))
    return min(1.0, part / fastest) if fastest > 0 else 1.0
