"""Friction cones: the ground pushes, rubs within a pyramid, and presses somewhere below a sole."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...algebra.rotations import aligning_z
from ...contacts.kinds import Contact
from ...errors import ModelError, ShapeError, unknown
from ...inputs.choices import names as listed_names
from ...inputs.choices import number, whole_number
from ...inputs.labels import XYZ
from ..checks import array
from .groups import FORCE_UNITS, FRICTION, PRESSURE, TORSION, UNILATERAL, Group

Floats = NDArray[np.floating]
Axis = tuple[float, float, float]
FORCE_RANGE = "(least, most) newtons, the least first"


class ForceRows(NamedTuple):
    """lower <= rows @ forces <= upper; the rows of a sole wait for its `moments`."""

    groups: list[Group]
    rows: Floats
    lower: Floats
    upper: Floats
    soles: list[tuple[int, slice, slice]]  # number of the sole, its rows, the columns of its moment


@dataclass(frozen=True, eq=False)
class FrictionCones:
    """Friction coefficients, normals and soles, by contact; see `WholeBody` for what they mean."""

    contacts: tuple[Contact, ...]
    friction: float | Mapping[str, float] = 0.6
    sides: int = 4
    normals: Mapping[str, Any] = field(default_factory=dict)
    soles: Mapping[str, Any] = field(default_factory=dict)
    torsion: float | Mapping[str, float] | None = None
    glued: Iterable[str] = ()
    force_range: tuple[float, float] = (0.0, np.inf)

    def __post_init__(self) -> None:
        kinds = {contact.name: contact.kind for contact in self.contacts}
        for option in ("normals", "soles"):
            if not isinstance(given := getattr(self, option), Mapping):
                raise ShapeError(f'{option}= maps contacts to values: {option}={{"foot": …}}; got {given!r}')
        listed_names("glued=", self.glued)
        for option in ("friction", "normals", "soles", "glued", "torsion"):
            named = getattr(self, option)
            for name in named if option == "glued" or isinstance(named, Mapping) else ():
                if name not in kinds:
                    raise unknown(f"contact (of {option}=)", name, "this set", kinds)
        whole_number("sides, of a friction pyramid,", self.sides, 3)
        for name in (*self.normals, *(c.name for c in self.pushing)):
            self.normal(name)
        for contact in self.pushing:
            self._coefficient("friction", contact.name)
            if contact.kind == "surface" and contact.name not in self.soles:
                raise ModelError(
                    f"the surface contact {contact.name} needs the size of its sole: "
                    f'soles={{"{contact.name}": (length, width)}}; or glued=["{contact.name}"] if it also holds'
                )
        for name, sole in self.soles.items():
            if kinds[name] not in ("surface", "line"):
                raise ModelError(f"{name} is a {kinds[name]} contact: only surface and line contacts have a sole")
            _extent(name, kinds[name], sole)
        if self.torsion is not None:
            for name in self.torsion if isinstance(self.torsion, Mapping) else kinds:
                self._coefficient("torsion", name)
        least_most = array("force_range", self.force_range, FORCE_RANGE)
        if least_most.shape != (2,) or not -np.inf <= least_most[0] <= least_most[1] or abs(least_most).min() == np.inf:
            raise ShapeError(f"force_range is {FORCE_RANGE}; got {self.force_range!r}")

    @property
    def pushing(self) -> list[Contact]:
        """The contacts that lie on the ground and are not glued to it."""
        return [c for c in self.contacts if c.other is None and c.name not in self.glued]

    def normal(self, name: str) -> Axis:
        """Unit normal of the ground at a contact, away from it; world axes."""
        n = array(f"the normal at {name}", self.normals.get(name, (0, 0, 1)), "three numbers, not all zero", XYZ)
        if n.shape != (3,) or not np.isfinite(n).all() or not n.any():
            raise ShapeError(f"the normal at {name} must be three numbers, not all zero; got {self.normals[name]!r}")
        x, y, z = (n / np.linalg.norm(n)).tolist()
        return x, y, z

    def cone(self, contact: Contact) -> tuple[Axis, float]:
        """Its axis and coefficient: no friction along a direction, as much as it takes where the contact is glued."""
        if contact.kind == "direction":
            return contact.linear[0], 0.0
        return self.normal(contact.name), np.inf if contact.name in self.glued else self._coefficient(
            "friction", contact.name
        )

    @property
    def framed_soles(self) -> tuple[tuple[Contact, Axis], ...]:
        """Contacts with a sole and the normals below them, in the order of their numbers."""
        return tuple((c, self.normal(c.name)) for c in self.pushing if c.name in self.soles)

    def rows(self, standing: tuple[Contact, ...], force: float) -> ForceRows:
        """The inequalities on the forces, in units of `force`, of those contacts that stand."""
        k, start = sum(c.size for c in standing), 0
        groups: list[Group] = []
        blocks: list[tuple[Floats, Floats, Floats]] = [(np.zeros((0, k)), np.zeros(0), np.zeros(0))]
        soles: list[tuple[int, slice, slice]] = []
        numbers = {contact.name: i for i, (contact, _) in enumerate(self.framed_soles)}
        pushing = {c.name for c in self.pushing}
        for contact in standing:
            if contact.name in pushing:
                if contact.name in numbers:
                    # the rows of the sole come first
                    first, moment = len(groups), slice(start + 3, start + contact.size)
                    soles.append((numbers[contact.name], slice(first, first + 4), moment))
                for kind, row, least, most in self._rows(contact, force):
                    wide = np.zeros((1, k))
                    wide[0, start : start + contact.size] = row
                    groups.append(Group(kind, contact.name, FORCE_UNITS[kind], force))
                    blocks.append((wide, np.array([least]), np.array([most])))
            start += contact.size
        rows, lower, upper = (np.concatenate(part) for part in zip(*blocks, strict=True))
        return ForceRows(groups, rows, lower, upper, soles)

    def _rows(self, contact: Contact, force: float) -> list[tuple[str, Floats, float, float]]:
        """(kind, row over the contact's forces, lower, upper)."""
        least, most = (x / force for x in self.force_range)
        if contact.kind == "direction":
            return [(UNILATERAL, np.ones(1), least, most)]
        R = np.array(aligning_z(self.normal(contact.name)), float)
        normal = np.zeros(contact.size)
        normal[:3] = R[:, 2]
        # inside the cone: the corners of the pyramid lie on it, its sides do not leave it
        mu, turn = self._coefficient("friction", contact.name), 2 * np.pi / self.sides
        inner, found = mu * np.cos(turn / 2), []
        if contact.name in self.soles:
            sides = _extent(contact.name, contact.kind, self.soles[contact.name])
            for first, last in sides:
                found += [(PRESSURE, -last * normal, -np.inf, 0.0), (PRESSURE, -first * normal, 0.0, np.inf)]
            reach = self._torsion(contact.name, mu * float((sides[:, 1] - sides[:, 0]).min()) / 2)
            # the moment about the normal; of a line, whose axes turn, it is among the moments of the sole
            about = np.concatenate([np.zeros(3), R[:, 2]]) if contact.kind == "surface" else 0 * normal
            found += [(TORSION, about - reach * normal, -np.inf, 0.0), (TORSION, about + reach * normal, 0.0, np.inf)]
            if not reach and contact.kind == "surface":  # both fall together: one equality
                found[-2:] = [(TORSION, about, 0.0, 0.0)]
        found.append((UNILATERAL, normal, least, most))
        # without friction the sides fall together: two equalities
        for i in range(self.sides if inner else 2):
            side, angle = np.zeros(contact.size), (i + 0.5) * turn if inner else i * np.pi / 2
            side[:3] = R[:, 0] * np.cos(angle) + R[:, 1] * np.sin(angle)
            found.append((FRICTION, side - inner * normal, -np.inf if inner else 0.0, 0.0))
        return found

    def _torsion(self, name: str, usual: float) -> float:
        unsaid = self.torsion is None or (isinstance(self.torsion, Mapping) and name not in self.torsion)
        return usual if unsaid else self._coefficient("torsion", name)

    def _coefficient(self, option: str, name: str) -> float:
        given = getattr(self, option)
        value = given.get(name, 0.6) if isinstance(given, Mapping) else given
        return number(f"{option} at {name}", value, "a number, not negative")


def _extent(name: str, kind: str, given: Any) -> Floats:
    """((x0, x1), (y0, y1)) from that, or from (length, width) about the frame's origin; of a line ((x0, x1),)."""
    line = kind == "line"
    meaning = "a length or (x0, x1)" if line else "(length, width) or ((x0, x1), (y0, y1))"
    x = array(f"the sole of {name}", given, meaning)
    if x.shape == (() if line else (2,)):
        x = np.array([[-y, y] for y in x.ravel()]) / 2
    x = x.reshape(1, 2) if line and x.shape == (2,) else x
    if x.shape != ((1, 2) if line else (2, 2)) or not np.isfinite(x).all() or (x[:, 0] >= x[:, 1]).any():
        raise ShapeError(f"the sole of {name} is {meaning}; got {given!r}")
    return x
