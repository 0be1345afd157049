"""Everything that can constrain a robot in a step, found once: contacts, joint limits, dry friction, held contacts."""

from typing import NamedTuple

import numpy as np

from ...algebra.scalars import Array
from ...contacts.kinds import Contact
from ...model import Model
from .ground import Ground
from .joints import GIVEN, JointRow, owner
from .surfaces import FLAT, Surface
from .touching import Pair, Touch, Touching, touching

#: rows of J that are shorter are rounding errors: of a joint that turns, m or rad per rad
ROUNDED = 1e-13


class System(NamedTuple):
    """The rows of a step: contacts, three each (along, along, off), then joints, then contacts that hold."""

    surface: Surface
    touching: Touching
    slow: float  # arrivals below this speed do not bounce
    joints: tuple[JointRow, ...] = ()
    held: tuple[Contact, ...] = ()
    negligible: float = ROUNDED  # rows of contacts that hold are zero where they are shorter

    @property
    def contacts(self) -> tuple[Touch | Pair, ...]:
        """All that may touch."""
        return (*self.touching.touches, *self.touching.pairs)

    @property
    def frictions(self) -> np.ndarray:
        """Coefficients of the contacts, (nc,), or (…, nc) if they differ within a batch."""
        each = np.broadcast_arrays(*(contact.friction for contact in self.contacts)) if self.contacts else []
        return np.stack(each, axis=-1) if self.contacts else np.zeros(0)

    @property
    def coded(self) -> "System":
        """The part that compiled code depends on: frictions are numbers that it is given."""
        touches = tuple(touch._replace(friction=0.0) for touch in self.touching.touches)
        pairs = tuple(pair._replace(friction=0.0) for pair in self.touching.pairs)
        return self._replace(touching=Touching(touches, pairs, self.touching.watched))

    @property
    def watchers(self) -> "System":
        """A system of what must not touch the ground."""
        return System(self.surface, Touching(self.touching.watched, ()), self.slow)

    @property
    def size(self) -> int:
        """Number of rows."""
        return 3 * len(self.contacts) + len(self.joints) + self.held_rows

    @property
    def held_rows(self) -> int:
        """Number of rows of the contacts that hold."""
        return sum(contact.size for contact in self.held)


def system(
    model: Model, ground: Ground | None, held: tuple[Contact, ...] = (), joints: tuple[JointRow, ...] = ()
) -> System:
    """System of a robot on some ground, or on none, while the contacts `held` hold."""
    touches = Touching((), ()) if ground is None else touching(model, ground)
    surface, slow = (FLAT, 0.0) if ground is None else (ground.surface, ground.slow)
    return System(surface, touches, slow, joints, held)


def with_own_friction(system: System, torques: Array) -> System:
    """The same with the torques of dry friction that are given, one after the other."""
    left = iter(torques)
    rows = (joint._replace(dry=next(left)) if joint.dry == GIVEN else joint for joint in system.joints)
    return system._replace(joints=tuple(rows))


class Pattern(NamedTuple):
    """Where the matrices of a step can be other than zero: a foot is moved by its own leg and the base only."""

    L: np.ndarray  # below the diagonal of the factor of M, (nv, nv)
    Y: np.ndarray  # of L⁻ᵀ Jᵀ, a row for each of J, (m, nv)
    G: np.ndarray  # on and above the diagonal, (m, m)


def pattern(model: Model, system: System) -> Pattern:
    """Pattern of nonzeros, by the tree."""
    carried = {b: _dofs(model, b) for b in model.bodies}
    L = np.zeros((model.nv, model.nv), bool)
    for dofs in carried.values():
        L |= np.outer(dofs, dofs)
    L = np.tril(L, -1)
    for k in reversed(range(model.nv)):  # what elimination fills in, between joints that share a coordinate
        L |= np.tril(np.outer(L[k], L[k]), -1)
    Y = _moved(model, system, carried)
    for i in reversed(range(model.nv)):
        Y |= np.outer(Y[:, i], L[i])
    return Pattern(L, Y, np.triu(Y.astype(int) @ Y.T.astype(int) > 0))


def _dofs(model: Model, body: object) -> np.ndarray:
    """Which velocities move a body (None: the world)."""
    found = np.zeros(model.nv, bool)
    while body is not None:
        found[body.dofs] = True  # type: ignore[attr-defined]
        body = body.parent  # type: ignore[attr-defined]
    return found


def _moved(model: Model, system: System, carried: dict) -> np.ndarray:
    """Which velocities move each row."""
    carried = {None: np.zeros(model.nv, bool), **carried}

    def frames(*names: str | None) -> np.ndarray:
        return np.logical_or.reduce([carried[model.frame(name).body] for name in names if name is not None])

    rows = [np.zeros((0, model.nv), bool)]
    for touch in system.touching.touches:
        rows.append(np.tile(frames(touch.frame), (3, 1)))
    for pair in system.touching.pairs:
        rows.append(np.tile(frames(pair.first.frame, pair.second.frame), (3, 1)))
    for joint in system.joints:
        moved = owner(model, joint).dofs if joint.has_range else joint.velocity
        rows.append(np.zeros((1, model.nv), bool))
        rows[-1][0, moved] = True
    for contact in system.held:
        rows.append(np.tile(frames(contact.frame, contact.other), (contact.size, 1)))
    return np.concatenate(rows)
