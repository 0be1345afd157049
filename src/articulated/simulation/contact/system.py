"""Everything that can constrain a robot in a step, found once: contacts, joint limits, dry friction, held contacts."""

from typing import NamedTuple

import numpy as np

from ...algebra.scalars import Array
from ...contacts.kinds import Contact
from ...model import Model
from .ground import Ground
from .joints import GIVEN, JointRow
from .surfaces import FLAT, Plane, Surface
from .touching import Pair, Rod, Touch, Touching, touching

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
        """The part that compiled code depends on: points, frictions and planes are numbers that it is given."""
        touches = tuple(Touch("", x.frame, (), 0.0, 0.0, float(x.restitution > 0)) for x in self.touching.touches)
        pairs = tuple(
            Pair("", Rod(x.first.frame, (), (), 0), Rod(x.second.frame, (), (), 0), 0, float(x.restitution > 0))
            for x in self.touching.pairs
        )
        surface = FLAT if isinstance(self.surface, Plane) else self.surface
        return self._replace(touching=Touching(touches, pairs), surface=surface, slow=0.0)

    @property
    def without_friction(self) -> "System":
        """The same without frictions, which may be arrays: what geometry depends on."""
        touches = tuple(touch._replace(friction=0.0) for touch in self.touching.touches)
        pairs = tuple(pair._replace(friction=0.0) for pair in self.touching.pairs)
        return self._replace(touching=Touching(touches, pairs))

    @property
    def bounces(self) -> bool:
        """Whether some contact has restitution."""
        return any(contact.restitution > 0 for contact in self.contacts)

    def carriers(self, model: Model) -> tuple[int, ...]:
        """Numbers of the bodies that touch, among those of the model."""
        frames = [touch.frame for touch in self.touching.touches]
        frames += [rod.frame for pair in self.touching.pairs for rod in (pair.first, pair.second)]
        bodies = (model.frame(frame).body for frame in frames)
        return tuple(sorted({model.bodies.index(body) for body in bodies if body}))

    @property
    def size(self) -> int:
        """Number of rows."""
        return 3 * len(self.contacts) + len(self.joints) + self.held_rows

    @property
    def blocks(self) -> int:
        """Number of blocks of three rows: a contact is one, and three scalar rows are one."""
        return len(self.contacts) + -(-(len(self.joints) + self.held_rows) // 3)

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
