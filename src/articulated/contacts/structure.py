"""What a contact set is at all but a few configurations: its ranks, found once."""

from typing import NamedTuple

import numpy as np

from ..robot.kernels import Kernels
from ..robot.numeric import numbers, numeric, random_configuration
from .constraints import constraint_jacobian
from .kinds import Contact
from .subspaces import rank

#: configurations tried
TRIED = 3


class Structure(NamedTuple):
    """What a contact set is at all but a few configurations."""

    contacts: tuple[Contact, ...]
    unactuated: tuple[int, ...]  # velocities without a motor: the base's, and those of passive joints
    actuated: tuple[int, ...]
    rank: int  # of J
    base_rank: int  # of its unactuated columns
    size: float  # largest singular value of J


def usual_structure(kernels: Kernels, contacts: tuple[Contact, ...], unactuated: tuple[int, ...]) -> Structure:
    """The largest ranks at some random configurations; equal sets of a robot share what was found."""
    return kernels.once(("contacts", contacts, unactuated), lambda: _found(kernels, contacts, unactuated))


def _found(kernels: Kernels, contacts: tuple[Contact, ...], unactuated: tuple[int, ...]) -> Structure:
    model, ranks = kernels.model, []
    jacobian = numeric(model, lambda q: constraint_jacobian(model, q, contacts))
    for q in random_configuration(model, 0, (TRIED,)).astype(object):
        J = numbers(model, jacobian(q=q))
        size = float(np.linalg.norm(J, 2)) if J.size else 0.0
        ranks.append((rank(J), rank(J[:, list(unactuated)], scale=size), size))
    actuated = tuple(i for i in range(model.nv) if i not in unactuated)
    return Structure(contacts, unactuated, actuated, *map(max, zip(*ranks, strict=True)))
