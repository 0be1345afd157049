"""Ranks of a contact set at almost all configurations, found once; and those at special ones.

Legs that move in a plane hold four feet in eleven independent ways, but in ten where the feet lie in one plane: on flat
ground, that is always.  Such ranks are found where all joints have one angle.
"""

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ...model import Model
from ...robot.numeric import numbers, numeric, random_configuration
from ..constraints import constraint_jacobian
from ..kinds import Contact
from .subspaces import TOLERANCE, rank

if TYPE_CHECKING:
    from ..kernels import ContactKernels

#: configurations tried
TRIED = 3
#: of all joints, in the configurations tried for special ranks
ANGLES = (0.7, -0.5)


class Structure(NamedTuple):
    """Ranks of a contact set at almost all configurations, or at special ones."""

    contacts: tuple[Contact, ...]
    unactuated: tuple[int, ...]  # velocities without a motor: the base's, and those of passive joints
    actuated: tuple[int, ...]
    rank: int  # of J
    base_rank: int  # of its unactuated columns
    felt: tuple[int, ...]  # rows of J that are not zero: those across the plane of a linkage forbid nothing
    size: float  # largest singular value of J
    special: bool = False  # J may also have more rank than this


def usual_structure(kernels: "ContactKernels") -> Structure:
    """The largest ranks at some random configurations; equal sets of a robot share what was found."""
    contacts, unactuated, nv = kernels.contacts, kernels.unactuated, kernels.model.nv

    def find() -> Structure:
        ranks, bases, felt, sizes = zip(*_ranks(kernels, random_configuration(kernels.model, 0, (TRIED,))), strict=True)
        actuated = tuple(i for i in range(nv) if i not in unactuated)
        some = tuple(map(int, np.flatnonzero(np.any(felt, axis=0))))
        return Structure(contacts, unactuated, actuated, max(ranks), max(bases), some, max(sizes))

    return kernels.once(("contacts", contacts, unactuated), find)


def special_structures(kernels: "ContactKernels") -> tuple[Structure, ...]:
    """The lower ranks at configurations where legs are alike, the highest first; found once, too."""
    usual = kernels.structure

    def find() -> tuple[Structure, ...]:
        ranks = {(r, base) for r, base, *_ in _ranks(kernels, _alike(kernels.model))}
        lower = sorted(ranks - {(usual.rank, usual.base_rank)}, reverse=True)
        return tuple(usual._replace(rank=r, base_rank=base, special=True) for r, base in lower)

    return kernels.once(("special contacts", kernels.contacts, kernels.unactuated), find)


def _ranks(kernels: "ContactKernels", tried: np.ndarray) -> list[tuple[int, int, np.ndarray, float]]:
    """Rank of J, of its unactuated columns, whether its rows are not zero, and its size, at each configuration."""
    model, ranks = kernels.model, []
    jacobian = numeric(model, lambda q: constraint_jacobian(model, q, kernels.contacts))
    for q in tried:
        # that of a large set is compiled, which is faster than one column after the other
        J = numbers(model, jacobian(q=q.astype(object))) if kernels.unrolled else kernels.jacobian(q)
        size = float(np.linalg.norm(J, 2)) if J.size else 0.0
        base = int(rank(J[:, list(kernels.unactuated)], scale=size))
        ranks.append((int(rank(J)), base, abs(J).max(axis=1, initial=0.0) > TOLERANCE * size, size))
    return ranks


def _alike(model: Model) -> np.ndarray:
    """Configurations in which all joints with one coordinate have the same."""
    tried = random_configuration(model, 1, (len(ANGLES),))
    for b in model.bodies:
        if b.joint.nq == 1:
            tried[:, b.coords] = np.array(ANGLES)[:, None]
    return tried
