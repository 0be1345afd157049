"""M⁻¹ in closed form, and the equations as d/dt x = f(x) + G(x) u."""

from typing import Any, NamedTuple

import numpy as np
import sympy

from ...algebra.scalars import Array, is_zero
from ...errors import ShapeError
from ..equations.cofactors import cofactors, refuse_long
from ..equations.presentation import shown
from ..pages.latex import latex
from ..ring.notebook import formula
from .system import short

LARGEST = 4  # rows up to which an adjugate is written out


class Block(NamedTuple):
    """Rows of M that depend on each other only, with the adjugate and the determinant of their block."""

    rows: list[int]
    adjugate: sympy.Matrix
    determinant: sympy.Expr


@formula("blocks")
class Inverse(NamedTuple):
    """M⁻¹ by blocks; for a robot of one block it is adjugate / determinant."""

    blocks: list[Block]

    @property
    def determinant(self) -> sympy.Expr:
        """The determinant of M."""
        return sympy.Mul(*(block.determinant for block in self.blocks))

    @property
    def adjugate(self) -> sympy.Matrix:
        """The adjugate of M: M⁻¹ times the determinant."""
        return sympy.ImmutableMatrix((self.matrix * self.determinant).applyfunc(sympy.cancel))

    @property
    def matrix(self) -> sympy.Matrix:
        """M⁻¹, entry by entry."""
        n = sum(len(block.rows) for block in self.blocks)
        out = sympy.zeros(n, n)
        for rows, adjugate, determinant in self.blocks:
            for i, row in enumerate(rows):
                for j, column in enumerate(rows):
                    out[row, column] = adjugate[i, j] / determinant
        return sympy.ImmutableMatrix(out)

    def times(self, vector: Any) -> sympy.Matrix:
        """M⁻¹ on a vector or matrix, each block over its determinant."""
        given = sympy.Matrix(vector)
        out = sympy.zeros(*given.shape)
        for rows, adjugate, determinant in self.blocks:
            part = adjugate * given.extract(rows, list(range(given.cols))) / determinant
            for i, row in enumerate(rows):
                out[row, :] = part[i, :]
        return out

    def latex(self) -> str:
        """LaTeX, for math mode: adjugate and determinant of one block, else entry by entry."""
        if len(self.blocks) > 1:
            return f"M^{{-1}} = {latex(self.matrix)}"
        _, adjugate, determinant = self.blocks[0]
        return rf"M^{{-1}} = \frac{{1}}{{\Delta}} {latex(adjugate)}, \quad \Delta = {latex(determinant)}"


@formula("f", "G")
class StateSpace(NamedTuple):
    """d/dt x = f(x) + G(x) u, x = [q; v]."""

    x: sympy.Matrix
    f: sympy.Matrix
    G: sympy.Matrix

    def latex(self) -> str:
        """LaTeX of f and G, for math mode."""
        return rf"\dot{{x}} = {latex(self.f)} + {latex(self.G)} \, u, \quad x = {latex(self.x)}"


def inverse(system: Any) -> Inverse:
    """M⁻¹ by cofactors, block by block: of polynomials where the system has them, else of SymPy expressions."""
    polynomials = getattr(system, "polynomials", None)
    M = polynomials["M"] if polynomials else np.array(sympy.Matrix(system.M).tolist(), object)
    blocks = _blocks(M)
    if (most := max(map(len, blocks), default=0)) > LARGEST:
        raise ShapeError(
            f"{system.name}: M has a block of {most} rows, and M⁻¹ is written out up to {LARGEST}: its entries would "
            "fill pages; `robot.mass_matrix_inverse` has the numbers"
        )
    found = []
    for rows in blocks:
        refuse_long(f"M⁻¹ of {system.name}", M[np.ix_(rows, rows)])
        adjugate, determinant = cofactors(M[np.ix_(rows, rows)])
        if polynomials:
            found.append(Block(rows, shown(system.state, adjugate), shown(system.state, determinant)))
        else:
            shortened = sympy.ImmutableMatrix(adjugate.tolist()).applyfunc(short)
            found.append(Block(rows, shortened, short(determinant)))
    return Inverse(found)


def _blocks(M: Array) -> list[list[int]]:
    """Rows that depend on each other: M is block diagonal in them."""
    left, found = list(range(len(M))), []
    while left:
        block = [left.pop(0)]
        for row in block:  # it grows during the loop
            near = [k for k in left if not is_zero(M[row, k])]
            left = [k for k in left if k not in near]
            block += near
        found.append(sorted(block))
    return found


def state_space(system: Any) -> StateSpace:
    """f = [dq/dt; -M⁻¹ (c + g + friction)], G = [0; M⁻¹ B]; dq/dt is v where velocities are rates."""
    found = inverse(system)
    accelerations = -found.times(system.c + system.g + system.friction)
    inputs = getattr(system, "inputs", sympy.eye(len(system.v)))
    G = sympy.zeros(len(system.q), inputs.cols).col_join(found.times(inputs))
    return StateSpace(
        sympy.ImmutableMatrix([*system.q, *system.v]),
        sympy.ImmutableMatrix(_rates(system).col_join(accelerations)),
        sympy.ImmutableMatrix(G),
    )


def _rates(system: Any) -> sympy.Matrix:
    state = getattr(system, "state", None)
    if state is None or state.velocities_are_rates:
        return sympy.Matrix(system.v)
    return sympy.Matrix(shown(system.state, state.rates @ state.v))
