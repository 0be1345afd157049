"""Doubtful links: findings that go into the report of a robot."""

from collections.abc import Collection, Iterator, Sequence

from ..errors import Diagnostic
from .doubts import massless, oversized
from .links import Link
from .parameters import inertia_defects
from .rotors import carried_defects, is_rotor

#: code -> how bad it is, why it matters, how to mend it
CODES = {
    "INERTIA001": ("warning", "no real body has these values; dynamics computed with them may not conserve energy",
                   "correct the link's inertia"),
    "INERTIA002": ("warning", "nothing of this moving part has mass; its dynamics is wrong, or undetermined",
                   "give the link an inertia, or weld it"),
    "INERTIA003": ("warning", "its radius of gyration is more than ten times its size; often grams, millimeters or a "
                   "default of the exporter", "compute the inertia again in kg and m, as from CAD or the shape"),
    "MOTOR001": ("warning", "a rotor and the link that carries it are not a possible body; dynamics computed with "
                 "them may not conserve energy", "correct the inertia of that link, or give the motor mass and across"),
    "ROTATION001": ("note", "a matrix that is not a rotation distorts shapes; it was replaced by the nearest one",
                    "write more digits, or Transform.from_rpy"),
}  # fmt: skip


#: findings of readers about links that are no real bodies, about inertias at all, and about shapes
JUDGED = frozenset({"URDF031", "TOML009"})
OF_INERTIA, OF_SHAPES = JUDGED | {"URDF032"}, frozenset({"URDF060"})


def findings(links: Sequence[Link], report: Sequence[Diagnostic]) -> list[Diagnostic]:
    """Findings of the reader in `report`, then those about these links as they are now."""
    rotors = {f"link {k.name!r}": k for k in links if is_rotor(k) and inertia_defects(k.inertia)}
    read = [d for d in report if d.code not in CODES and not (d.code in JUDGED and d.element in rotors)]
    known = {d.element for d in read if d.code in JUDGED} | rotors.keys()
    judged = _rotor_findings(links, list(rotors.values()))
    doubtful = (_finding(code, text, element) for code, text, element in _doubts(links, known))
    return [*read, *inertial_findings(links, known), *judged, *doubtful, *_mended_rotations(links)]


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


def _rotor_findings(links: Sequence[Link], rotors: Sequence[Link]) -> Iterator[Diagnostic]:
    """A rotor may be no real body: the link that carries it holds the rest.  A warning where both together are none."""
    try:
        for link, defects in carried_defects(links, rotors) if rotors else ():
            if defects:
                element = f"link {link.name!r}"
                yield _finding(
                    "MOTOR001", f"{element}: link {link.parent!r} is not a possible body: {defects[0]}", element
                )
    except TypeError:  # symbols in the carrier
        return


def _finding(code: str, text: str, element: str) -> Diagnostic:
    severity, why, fix = CODES[code]
    return Diagnostic(severity, code, text, element=element, why=why, fix=fix)
