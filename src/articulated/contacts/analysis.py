"""Analysis of a set of contacts by ranks (USP lecture, S3.20, S3.21 and erratum E3.1)."""

from dataclasses import dataclass

import numpy as np

from ..text import html_block, html_findings, html_table
from .kinds import Contact
from .ranks.structure import Structure
from .ranks.subspaces import Floats, kept, null_space, rank

_ACTUATION = {
    "under": "under-actuated: some motions no torque can produce",
    "fully": "fully actuated: every acceleration has exactly one torque",
    "over": "over-actuated: torques can change contact forces without moving the robot",
}


@dataclass(frozen=True)
class Analysis:
    """Ranks of a contact set at one configuration, and bases of what they count."""

    k: int  # rows
    rank: int  # of J
    base_rank: int  # of its unactuated columns
    internal: int  # directions of contact forces that do not act on the base
    uncontrollable: int  # directions in which only gravity and inertia move the robot
    actuation: str  # "under", "fully" or "over"
    internal_basis: Floats  # (k, internal), contact forces, orthonormal
    uncontrollable_basis: Floats  # (nv, uncontrollable), velocities, orthonormal
    redundant: tuple[str, ...]  # rows that follow from those before them
    condition: float  # largest over smallest singular value of J that counts; 1 if there is none
    notes: tuple[str, ...]  # why it is not as the number of rows suggests

    def __str__(self) -> str:
        return "\n".join(f"{name:<16} {text}" for name, text in self._lines())

    def _repr_html_(self) -> str:
        """The analysis in a notebook: findings first."""
        rows = [[name, text] for name, text in self._lines() if name != "note"]
        found = html_findings(self.notes, "No singularities.")
        return html_block(found, html_table(["quantity", "at this configuration"], rows))

    def _lines(self) -> list[tuple[str, str]]:
        return [
            ("constraints", f"{self.k}" + (f", {self.rank} of them independent" if self.rank < self.k else "")),
            ("internal forces", f"{self.internal}"),
            ("uncontrollable", f"{self.uncontrollable}"),
            ("actuation", _ACTUATION[self.actuation]),
            ("condition", f"{self.condition:.3g}"),
            *([("redundant", ", ".join(self.redundant))] if self.redundant else []),
            *(("note", note) for note in self.notes),
        ]


def analysis(J: Floats, structure: Structure, places: Floats, tolerance: float) -> Analysis:
    """Analysis of the Jacobian J (k, nv) at a configuration with the frames of the contacts at `places` (m, 3)."""
    u, c = list(structure.unactuated), list(structure.actuated)
    size = structure.size
    full, base = int(rank(J, tolerance, size)), int(rank(J[:, u], tolerance, size))
    internal, uncontrollable = full - base, len(u) - base
    unmoved = np.zeros((J.shape[1], uncontrollable))
    unmoved[u] = null_space(J[:, u], tolerance, size)
    pressing = null_space(J[:, u].T, tolerance, size)
    # of the forces that leave the base alone, those that the joints feel
    pressing = pressing @ np.linalg.svd(J[:, c].T @ pressing)[2][:internal].T
    values = np.linalg.svd(J, compute_uv=False)
    values = values[kept(values, tolerance, size)]
    return Analysis(
        len(J), full, base, internal, uncontrollable,
        "under" if uncontrollable else "over" if internal else "fully",
        pressing, unmoved, tuple(_redundant(J, structure.contacts, tolerance, size)),
        float(values[0] / values[-1]) if len(values) else 1.0,
        tuple(_notes(J, structure, places, uncontrollable, tolerance)),
    )  # fmt: skip


def _redundant(J: Floats, contacts: tuple[Contact, ...], tolerance: float, size: float) -> list[str]:
    names = [name for contact in contacts for name in contact.rows]
    basis, found = np.zeros((0, J.shape[1])), []
    for name, row in zip(names, J, strict=True):
        rest = row
        for _ in range(2):  # twice is enough (Kahan, Parlett)
            rest = rest - basis.T @ (basis @ rest)
        length = np.linalg.norm(rest)
        if length <= tolerance * max(float(np.linalg.norm(row)), size):
            found.append(name)
        else:
            basis = np.vstack([basis, rest / length])
    return found


def _notes(J: Floats, structure: Structure, places: Floats, uncontrollable: int, tolerance: float) -> list[str]:
    notes, contacts, c = [], structure.contacts, list(structure.actuated)
    floating = len(structure.unactuated) == 6
    points = [i for i, contact in enumerate(contacts) if contact.kind == "point"]
    if not structure.unactuated:
        notes.append(
            "the base is fixed, and the smallest torques may lean on the contacts, or pull; "
            "a robot that stands on them is robot.floating()"
        )
    if floating and not contacts:
        notes.append("in free fall: no torque changes the robot's momentum")
    if floating and uncontrollable and len(points) == len(contacts) > 0:
        spread = places - places[0]
        dimension = int(rank(spread, tolerance)) if len(points) > 1 else 0
        if dimension == 0:
            notes.append("all contacts are at one point: the robot can turn about it in three ways")
        elif dimension == 1:
            which = "both contacts" if len(points) == 2 else f"the {len(points)} contacts, which lie on one line"
            notes.append(f"the robot can tip over the line through {which}")
    start = 0
    for contact in contacts:
        own = J[start : start + contact.size, c]
        reach = int(rank(own, tolerance, structure.size))
        if reach < contact.size:
            notes.append(f"the joints here move {contact.name} in {reach} of its {contact.size} directions only")
        start += contact.size
    return notes
