"""Everything that can constrain a robot in a step, found once: contacts, joint limits, dry friction, held contacts."""

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ...algebra.scalars import Array
from ...contacts.kinds import Contact
from ...model import Model
from .candidates import Candidate, candidates
from .ground import Ground
from .joints import GIVEN, JointRow
from .meetings import MEETINGS
from .surfaces import FLAT, Plane, Surface

if TYPE_CHECKING:
    from ..pile.pile import Pile

#: contacts of robots with many bodies that are recorded
MOST_PAIRS = 1000
#: rows of J that are shorter are rounding errors: of a joint that turns, m or rad per rad
ROUNDED = 1e-13


class Group(NamedTuple):
    """Contacts of one kind: `number` of them from `first` on."""

    kind: str
    first: int
    number: int

    @property
    def points(self) -> int:
        """Contacts of one shape, or pair of shapes."""
        return MEETINGS[self.kind].points

    @property
    def pairs(self) -> bool:
        """Whether two shapes meet."""
        return not MEETINGS[self.kind].ground


def groups_of(contacts: tuple[Candidate, ...]) -> tuple[Group, ...]:
    """Groups of contacts that come one kind after the other."""
    kinds = [touch.kind for touch in contacts]
    return tuple(Group(kind, kinds.index(kind), kinds.count(kind)) for kind in dict.fromkeys(kinds))


class System(NamedTuple):
    """The rows of a step: contacts, three each (along, along, off), then joints, then contacts that hold."""

    surface: Surface
    contacts: tuple[Candidate, ...]  # all that may touch
    slow: float  # arrivals below this speed do not bounce
    joints: tuple[JointRow, ...] = ()
    held: tuple[Contact, ...] = ()
    negligible: float = ROUNDED  # rows of contacts that hold are zero where they are shorter
    independent: tuple[int, ...] = ()  # rows of the contacts that hold that do not follow from the others
    pile: "Pile | None" = None  # many free bodies, which meet each other

    @property
    def names(self) -> list[str]:
        """Names of the contacts, in their order."""
        return [touch.name for touch in self.contacts]

    @property
    def grounded(self) -> tuple[Candidate, ...]:
        """Contacts with the ground."""
        return tuple(touch for touch in self.contacts if touch.other is None)

    @property
    def groups(self) -> tuple[Group, ...]:
        """Contacts of a kind, one group after the other."""
        return groups_of(self.contacts)

    @property
    def pairs(self) -> tuple[Candidate, ...]:
        """Contacts between shapes; they come after those with the ground."""
        recorded = tuple(touch for touch in self.contacts if not MEETINGS[touch.kind].ground)
        return recorded or (self.pile.meetings if self.pile else ())

    @property
    def frictions(self) -> np.ndarray:
        """Coefficients of the contacts, (nc,), or (…, nc) if they differ within a batch."""
        each = [contact.friction for contact in self.contacts]
        several = any(isinstance(x, np.ndarray) for x in each)
        return np.stack(np.broadcast_arrays(*each), axis=-1) if several else np.array(each, float)

    @property
    def coded(self) -> "System":
        """The part that compiled code depends on: points, frictions and the ground are numbers that it is given."""
        touches = tuple(
            x._replace(
                name="", numbers=(), friction=0.0, restitution=float(x.restitution > 0), rolling=0.0, spinning=0.0
            )
            for x in self.contacts
        )
        if self.rolls:
            touches = (touches[0]._replace(rolling=1.0), *touches[1:])
        pile = self.pile and self.pile.coded
        return self._replace(contacts=touches, surface=self.surface.like, slow=0.0, pile=pile)

    @property
    def bounces(self) -> bool:
        """Whether some contact has restitution."""
        between = self.pile is not None and self.pile.restitution > 0
        return between or any(contact.restitution > 0 for contact in self.contacts)

    @property
    def rolls(self) -> bool:
        """Whether some contact has friction against rolling or spinning: then each has a block for it."""
        return any(contact.rolling > 0 or contact.spinning > 0 for contact in self.contacts)

    def carriers(self, model: Model) -> tuple[int, ...]:
        """Numbers of the bodies that touch, among those of the model; WORLD for shapes that do not move."""
        return tuple(sorted({row for touch in self.contacts for row in touch.carriers(model)}))

    def untouched(self, model: Model) -> dict[str, Any]:
        """Bodies that cannot touch flat ground, and where it is: what a run is looked through for."""
        touching = {model.frame(touch.frame).body for touch in self.grounded}
        names = [b.name for b in model.bodies if b not in touching]
        if not isinstance(self.surface, Plane) or self.pile or not touching or not names:
            return {}
        normal, offset = [float(x) for x in self.surface.axes[2]], float(self.surface.offset)
        return {"untouched": {"bodies": names, "normal": normal, "offset": offset, "level": normal[2] == 1}}

    @property
    def size(self) -> int:
        """Number of rows."""
        return 3 * len(self.contacts) + len(self.joints) + self.held_rows

    @property
    def blocks(self) -> int:
        """Number of blocks of three rows: a contact is one, or two if it rolls, and three scalar rows are one."""
        return len(self.contacts) * (2 if self.rolls else 1) + self.triples

    @property
    def triples(self) -> int:
        """Number of blocks of scalar rows."""
        return -(-(len(self.joints) + self.held_rows) // 3)

    @property
    def held_rows(self) -> int:
        """Number of rows of the contacts that hold."""
        return sum(contact.size for contact in self.held)


def system(
    model: Model, ground: Ground | None, held: tuple[Contact, ...] = (), joints: tuple[JointRow, ...] = (),
    pile: "Pile | None" = None,
) -> System:  # fmt: skip
    """System of a robot on some ground, or on none, while the contacts `held` hold."""
    touches = () if ground is None else candidates(model, ground, frozenset(pile.names if pile else ()))
    surface, slow = (FLAT, 0.0) if ground is None else (ground.surface, ground.slow)
    if pile:
        pairs = tuple(touch for touch in touches if not MEETINGS[touch.kind].ground)
        pile = pile._replace(groups=groups_of(pairs))
        if len(pairs) > MOST_PAIRS:
            pile, touches = pile._replace(meetings=pairs), touches[: -len(pairs)]
    return System(surface, touches, slow, joints, held, pile=pile)


def with_own_friction(system: System, torques: Array) -> System:
    """The same with the torques of dry friction that are given, one after the other."""
    left = iter(torques)
    rows = (joint._replace(dry=next(left)) if joint.dry == GIVEN else joint for joint in system.joints)
    return system._replace(joints=tuple(rows))


# -- what a compiled step is given ----------------------------------------------------------------------


def contact_data(model: Model, system: System) -> dict[str, np.ndarray]:
    """Numbers of a system that its compiled step is given, by name of the array: (rows, size)."""
    given: dict[str, Any] = {
        "masks": [carried(model, x.frame) - carried(model, x.other) for x in system.contacts],
        "bounce": [[x.restitution, system.slow] for x in system.contacts] if system.bounces else [],
    }
    if system.rolls:
        given["rolling"] = [[x.rolling, x.spinning] for x in system.contacts]
    for kind, first, count in system.groups:
        given[kind] = [x.numbers for x in system.contacts[first : first + count] if x.point == 0]
    if system.grounded:
        given["ground"] = [system.surface.numbers]
    return {name: np.array(x, float) for name, x in given.items() if len(x)}


def contact_tables(model: Model, system: System) -> dict[str, np.ndarray]:
    """The rows that contacts refer to: of the bodies that carry one shape or two, by kind."""
    row = {k: i for i, k in enumerate(system.carriers(model))}
    found = {}
    for kind, first, count in system.groups:
        each = [touch.carriers(model) for touch in system.contacts[first : first + count]]
        for name, bodies in zip(("first", "second"), zip(*each, strict=True), strict=False):
            found[f"{kind}.{name}"] = np.array([row[k] for k in bodies], np.int64)
    return found


def carried(model: Model, frame: str | None) -> np.ndarray:
    """Which axes move a frame, (na,) of 0 and 1; none that of the world."""
    body = model.frame(frame).body if frame else None
    support = {b.index for b in body.support()} if body else set()
    return np.array([float(b.index in support) for b in model.bodies for _ in range(b.dofs.start, b.dofs.stop)])
