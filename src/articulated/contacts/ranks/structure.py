"""Ranks of a contact set at almost all configurations, found once; and those at special ones.

Legs that move in a plane hold four feet in eleven independent ways, but in ten where the feet lie in one plane: on flat
ground, that is always.  Such ranks are found where all joints have one angle.
"""

from typing import NamedTuple

import numpy as np

from ...model import Model
from ...robot.kernels import Kernels
from ...robot.numeric import numbers, numeric, random_configuration
from ..constraints import constraint_jacobian
from ..kinds import Contact
from .subspaces import rank

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
    size: float  # largest singular value of J
    special: bool = False  # J may also have more rank than this


def usual_structure(kernels: Kernels, contacts: tuple[Contact, ...], unactuated: tuple[int, ...]) -> Structure:
    """The largest ranks at some random configurations; equal sets of a robot share what was found."""
    return kernels.once(("contacts", contacts, unactuated), lambda: _found(kernels, contacts, unactuated))


def special_structures(
    kernels: Kernels, contacts: tuple[Contact, ...], unactuated: tuple[int, ...]
) -> tuple[Structure, ...]:
    """The lower ranks at configurations where legs are alike, the highest first; found once, too."""
    usual = usual_structure(kernels, contacts, unactuated)

    def find() -> tuple[Structure, ...]:
        ranks = {(r, base) for r, base, _ in _ranks(kernels, contacts, unactuated, _alike(kernels.model))}
        lower = sorted(ranks - {(usual.rank, usual.base_rank)}, reverse=True)
        return tuple(usual._replace(rank=r, base_rank=base, special=True) for r, base in lower)

    return kernels.once(("special contacts", contacts, unactuated), find)


def _found(kernels: Kernels, contacts: tuple[Contact, ...], unactuated: tuple[int, ...]) -> Structure:
    model = kernels.model
    ranks = _ranks(kernels, contacts, unactuated, random_configuration(model, 0, (TRIED,)))
    actuated = tuple(i for i in range(model.nv) if i not in unactuated)
    return Structure(contacts, unactuated, actuated, *map(max, zip(*ranks, strict=True)))


def _ranks(kernels: Kernels, contacts: tuple[Contact, ...], unactuated: tuple[int, ...], tried: np.ndarray) -> list:
    """Rank and size of J, and the rank of its unactuated columns, at each configuration."""
    model, ranks = kernels.model, []
    jacobian = numeric(model, lambda q: constraint_jacobian(model, q, contacts))
    for q in tried.astype(object):
        J = numbers(model, jacobian(q=q))
        size = float(np.linalg.norm(J, 2)) if J.size else 0.0
        ranks.append((rank(J), rank(J[:, list(unactuated)], scale=size), size))
    return ranks


def _alike(model: Model) -> np.ndarray:
    """Configurations in which all joints with one coordinate have the same."""
    tried = random_configuration(model, 1, (len(ANGLES),))
    for b in model.bodies:
        if b.joint.nq == 1:
            tried[:, b.coords] = np.array(ANGLES)[:, None]
    return tried
