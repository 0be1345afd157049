"""Doubtful links: findings that go into the report of a robot, which is a table in a terminal and in a notebook."""

from collections.abc import Collection, Iterator, Sequence
from math import hypot
from typing import Any

import numpy as np

from ..algebra.spatial import IDENTITY
from ..errors import Diagnostic
from ..text import SEVERITIES, aligned, counted, html_block, html_table, shortened, shortened_path
from .links import Link
from .parameters import inertia_defects
from .shapes import Box, Capsule, Cylinder, Ellipsoid, Shape, Sphere

HEADERS = ["", "code", "place", "finding", "fix"]


class Report(tuple[Diagnostic, ...]):
    """The findings of a reader, in their order; prints as a table, and shows as one in a notebook.

    Parameters
    ----------
    iterable : the findings, as art.Diagnostic

    Examples
    --------
    >>> art.load("panda").report
    no findings
    """

    def count(self, severity: Any) -> int:
        """Number of findings that are errors, warnings or notes; as for any tuple, of anything else.

        Parameters
        ----------
        severity : "error", "warning" or "note", or a Diagnostic

        Returns
        -------
        a whole number

        Examples
        --------
        >>> art.load("panda").report.count("warning")
        0
        """
        return sum(d.severity == severity for d in self) if isinstance(severity, str) else super().count(severity)

    @property
    def summary(self) -> str:
        """`2 warnings and 1 note`."""
        counts = ((kind, self.count(kind)) for kind in SEVERITIES)
        return " and ".join(counted(n, kind) for kind, n in counts if n) or "no findings"

    def __repr__(self) -> str:
        return "\n".join([self.summary, *aligned(HEADERS, _rows(self))] if self else [self.summary])

    __str__ = __repr__

    def _repr_html_(self) -> str:
        """Table for a notebook, errors first."""
        return html_block(f"<p>{self.summary}</p>", html_rows(self) if self else "")


def html_rows(report: Report) -> str:
    """The findings as a table of HTML, the worst first."""
    order = list(SEVERITIES)
    return html_table(HEADERS, sorted(_rows(report), key=lambda row: order.index(row[0])))


def _rows(report: Report) -> list[list[str]]:
    """The findings as text, for a table; names from files are made inert."""
    return [[d.severity, d.code, shortened_path(d.place), shortened(d.text, 300), d.fix] for d in report]


#: code -> how bad it is, why it matters, how to mend it
CODES = {
    "INERTIA001": ("warning", "no real body has these values; dynamics computed with them may not conserve energy",
                   "correct the link's inertia"),
    "INERTIA002": ("warning", "nothing of this moving part has mass; its dynamics is wrong, or undetermined",
                   "give the link an inertia, or weld it"),
    "INERTIA003": ("warning", "its radius of gyration is more than ten times its size; often grams, millimeters or a "
                   "default of the exporter", "compute the inertia again in kg and m, as from CAD or the shape"),
    "ROTATION001": ("note", "a matrix that is not a rotation distorts shapes; it was replaced by the nearest one",
                    "write more digits, or Transform.from_rpy"),
}  # fmt: skip


#: findings of readers about links that are no real bodies, about inertias at all, and about shapes
JUDGED = frozenset({"URDF031", "TOML009"})
OF_INERTIA, OF_SHAPES = JUDGED | {"URDF032"}, frozenset({"URDF060"})


def findings(links: Sequence[Link], report: Sequence[Diagnostic]) -> list[Diagnostic]:
    """Findings of the reader in `report`, then those about these links as they are now."""
    rotors = {f"link {k.name!r}" for k in links if is_rotor(k)}  # the link that carries one holds the rest of its body
    read = [d for d in report if d.code not in CODES and not (d.code in JUDGED and d.element in rotors)]
    known = {d.element for d in read if d.code in JUDGED} | rotors
    doubtful = (_finding(code, text, element) for code, text, element in _doubts(links, known))
    return [*read, *inertial_findings(links, known), *doubtful, *_mended_rotations(links)]


def _doubts(links: Sequence[Link], known: set[str]) -> Iterator[tuple[str, str, str]]:
    """Code, text and element of inertias that real bodies may have, and robots hardly."""
    try:
        for name in massless(links):
            yield "INERTIA002", f"link {name!r}: it moves, and has no mass", f"link {name!r}"
        for link, text in oversized(links):
            if f"link {link.name!r}" not in known:
                yield "INERTIA003", f"link {link.name!r}: {text}", f"link {link.name!r}"
    except TypeError:  # symbols
        return


def unsettled(report: Sequence[Diagnostic], link: Link, changes: Collection[str]) -> list[Diagnostic]:
    """The findings of a reader that are still true when these fields of a link are others."""
    settled = {
        "inertia": lambda d: d.element == f"link {link.name!r}" and d.code in OF_INERTIA,
        "shapes": lambda d: d.element == f"link {link.name!r}" and d.code in OF_SHAPES,
        "joint": lambda d: d.element == f"joint {link.joint.name!r}",
    }
    return [d for d in report if not any(settled[field](d) for field in settled.keys() & set(changes))]


def _mended_rotations(links: Sequence[Link]) -> Iterator[Diagnostic]:
    """A note for every rotation that was rounded when it was given, and is now the nearest one."""
    for link in links:
        if link.placement.mended or link.tail.mended or link.frames or link.shapes:
            places = {"placement": link.placement, "tail": link.tail, **{f"frame {n!r}": X for n, X in link.frames}}
            places |= {f"shape {i}": shape.placement for i, shape in enumerate(link.shapes, start=1)}
            for place, X in places.items():
                if X.mended:
                    element = f"{place} of link {link.name!r}"
                    text = f"{element}: its rotation matrix was rounded, {X.mended:.2g} from orthonormal"
                    yield _finding("ROTATION001", text, element)


def inertial_findings(links: Sequence[Link], known: set[str]) -> list[Diagnostic]:
    """A warning for every link no real body could be, unless it is known already."""
    findings = []
    for link in links:
        try:
            defects = inertia_defects(link.inertia)
        except TypeError:  # symbols: nothing to check
            continue
        element = f"link {link.name!r}"
        if defects and element not in known:
            text = f"{element}: {'; '.join(defects)}"
            findings.append(_finding("INERTIA001", text, element))
    return findings


def _finding(code: str, text: str, element: str) -> Diagnostic:
    severity, why, fix = CODES[code]
    return Diagnostic(severity, code, text, element=element, why=why, fix=fix)


# -- possible and unlikely: moving parts without mass, bodies far too hard to turn for their size ---------------

#: radius of gyration over size: of an even bar it is below 0.6
UNLIKELY = 10
#: m; size of a link whose shapes do not say
USUAL = 1.0
#: of the robot's mass: links below are not looked at
SMALL = 0.01


def massless(links: Sequence[Link]) -> Iterator[str]:
    """Links on moving joints that have no mass, nor anything welded to them, though they are drawn or carry nothing.

    A link without shapes that carries others is an axis of a joint of several axes, and may be without mass.  A robot
    without any mass is a description of its kinematics.
    """
    moving: dict[str, str] = {}  # link → the link of its rigid part that the joint moves
    mass: dict[str, float] = {}
    drawn: set[str] = set()
    carrying: set[str] = set()
    for link in links:  # each comes after its parent
        own = link.name if link.joint.nv or link.parent is None else moving.get(link.parent, link.name)
        moving[link.name] = own
        mass[own] = mass.get(own, 0.0) + float(link.inertia.mass)
        if link.shapes:
            drawn.add(own)
        if own == link.name and link.parent is not None:
            carrying.add(moving.get(link.parent, ""))
    for link in links if any(mass.values()) else ():
        name, idle = link.name, not mass.get(link.name) and not link.joint.armature and not is_rotor(link)
        if link.joint.nv and idle and (name in drawn or name not in carrying):
            yield name


def oversized(links: Sequence[Link]) -> Iterator[tuple[Link, str]]:
    """Links whose rotational inertia does not suit their mass and shapes, and why; small parts excepted."""
    least = SMALL * sum(link.inertia.mass for link in links)
    for link in links:
        body, size = link.inertia, _size(link) if link.shapes else USUAL
        # about the frame, which is never less than about the center of mass, and at hand
        if body.mass > least and max(map(body.second.item, (0, 4, 8))) > size * size * body.mass:
            across = 2 * float(max(body.about_com.diagonal()) / body.mass) ** 0.5
            if across > 2 * UNLIKELY * size:
                yield link, f"{float(body.mass):.4g} kg with this inertia would be a body about {across:.2g} m across"


def _size(link: Link) -> float:
    """Largest distance from the frame of a link to its shapes."""
    radii = {shape: radius_around(shape) for shape in link.shapes}
    return max(
        (r + float(np.linalg.norm(np.array(s.placement.p, float))) for s, r in radii.items() if r), default=USUAL
    )


def radius_around(shape: Shape) -> float:
    """Radius of the ball around a solid; 0 for a mesh, which is not opened."""
    match shape:
        case Box():
            return float(np.linalg.norm(np.array(shape.size, float))) / 2
        case Ellipsoid():
            return max(map(float, shape.size)) / 2
        case Sphere():
            return float(shape.radius)
        case Cylinder() | Capsule():
            return hypot(
                float(shape.radius), float(shape.length) / 2 + float(shape.radius) * isinstance(shape, Capsule)
            )
    return 0.0


# -- rotors turn about their own axis of symmetry, and may be no real bodies without the one that carries them -----

SYMMETRIC = 1e-9  # relative to the inertia about the axis


def is_rotor(link: Link) -> bool:
    """True if it follows another joint, and turning changes nothing but its spin: a motor as `add_motors` makes it."""
    joint = link.joint
    if joint.mimic is None or not joint.turns or link.tail is not IDENTITY:
        return False
    try:
        axis = np.array(joint.axis, np.float64)  # type: ignore[attr-defined]
        about, com = np.array(link.inertia.about_com, np.float64), np.array(link.inertia.com, np.float64)
    except TypeError:  # symbols
        return False
    along = axis @ about @ axis
    across = (np.trace(about) - along) / 2
    round_ = across * (np.eye(3) - np.outer(axis, axis)) + along * np.outer(axis, axis)
    real = link.inertia.mass >= 0 and along > 0 and across >= 0 and not com.any()
    return bool(real and abs(about - round_).max() <= SYMMETRIC * along)
