"""Denavit-Hartenberg rows to links, standard and modified.  The convention ends here."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import pi
from numbers import Real
from typing import Any, Literal

import numpy as np

from ..algebra.rotations import axis_angle
from ..algebra.scalars import Scalar, exact
from ..algebra.spatial import Inertia, Transform
from ..errors import ModelError
from ..inputs.numbers import scalar
from ..joints import Prismatic, Revolute
from ..joints.base import AxisJoint
from ..model import Link
from ..text import counted, shortened
from .description import did_you_mean

DH_JOINTS: dict[str, type[AxisJoint]] = {"revolute": Revolute, "prismatic": Prismatic}
CONVENTIONS = ("standard", "modified")
CELLS = ("theta", "d", "a", "alpha")
X, Z = (1, 0, 0), (0, 0, 1)


@dataclass(frozen=True)
class DH:
    """One row of the table; the joint variable adds to theta (revolute) or d (prismatic).

    Whoever writes it into the cell, as textbooks do (q_1, or q_1 + pi/2, in row 1), means the same.

    Parameters
    ----------
    theta : angle about z, rad
    d : offset along z, m
    a : length along x, m
    alpha : twist about x, rad
    joint : "revolute" or "prismatic"
    name : of the joint

    Notes
    -----
    Source: Denavit and Hartenberg 1955; Craig 2005 (modified).

    Examples
    --------
    >>> import articulated as art
    >>> art.from_dh([art.DH(a=0.5), art.DH(a=0.4)]).nq
    2
    """

    theta: Scalar = 0
    d: Scalar = 0
    a: Scalar = 0
    alpha: Scalar = 0
    joint: Literal["revolute", "prismatic"] = "revolute"
    name: str = ""


def dh_links(
    rows: Sequence[DH], convention: str = "standard", links: Sequence[Inertia | None] | None = None
) -> list[Link]:
    """A chain whose link frames are the D-H frames of the rows.

    Standard: A = Rz(theta) Tz(d) Tx(a) Rx(alpha).  Modified (Craig): A = Rx(alpha) Tx(a) Rz(theta) Tz(d).
    `links` holds the inertia of each link in its D-H frame; without it they have no mass.
    """
    if not isinstance(convention, str) or convention not in CONVENTIONS:
        hint = did_you_mean(str(convention), CONVENTIONS)
        raise ModelError(f"no D-H convention {convention!r}; it is 'standard' or 'modified'{hint}")
    rows = _listed(rows)
    for name, given in {"rows": rows, "links": () if links is None else links}.items():
        if not isinstance(given, (list, tuple)):
            raise ModelError(f"{name} is a list with one entry per joint; got {shortened(repr(given))}")
    rows = [_row(row, i) for i, row in enumerate(rows, start=1)]
    if not rows:
        raise ModelError("a D-H table needs at least one row")
    inertias = [None] * len(rows) if links is None else list(links)
    if len(inertias) != len(rows):
        raise ModelError(f"the D-H table has {len(rows)} rows, links has {len(inertias)}; give one Inertia per row")
    chain: list[Link] = []
    for i, (row, inertia) in enumerate(zip(rows, inertias, strict=True), start=1):
        placement, tail = _placed(row, convention)
        parent = chain[-1].name if chain else None
        joint = DH_JOINTS[row.joint](Z, name=f"joint{i}")
        body = Inertia() if inertia is None else inertia
        chain.append(Link(row.name or f"link{i}", parent, joint, placement, body, tail=tail))
    return chain


def remarks_on_degrees(rows: Any) -> list[str]:
    """Remarks on angles that look like degrees: whole numbers beyond a turn, such as 90."""
    found = []
    for number, row in enumerate(_listed(rows), start=1):
        cells = _row(row, number)
        for name in ("theta", "alpha"):
            if looks_like_degrees(angle := getattr(cells, name)):
                found.append(
                    f"D-H row {number}: {name} = {angle} is taken as radians; {angle} degrees are math.radians({angle})"
                )
    return found


def looks_like_degrees(angle: Any) -> bool:
    """True if it is a whole number that is more than a turn in radians."""
    number = isinstance(angle, Real) and not getattr(angle, "free_symbols", None)
    return bool(number and abs(angle) > 2 * pi and float(angle).is_integer())


def screw_along(axis: Sequence[int], angle: Scalar, distance: Scalar) -> Transform:
    """Rotation about a coordinate axis and translation along it; the two commute."""
    return Transform(axis_angle(axis, exact(angle, 0.0)), [exact(distance, 0.0) * x for x in axis]).exact()


def _placed(row: DH, convention: str) -> tuple[Transform, Transform]:
    """Pose of the joint in the previous frame, and of the row's frame after the joint."""
    about_z, about_x = screw_along(Z, row.theta, row.d), screw_along(X, row.alpha, row.a)
    if convention == "standard":
        return about_z, about_x
    return about_x @ about_z, Transform()


def _listed(rows: Any) -> Any:
    """The rows of a matrix of SymPy or NumPy as lists; anything else as it is."""
    return rows.tolist() if getattr(rows, "is_Matrix", False) or isinstance(rows, np.ndarray) else rows


def _row(row: Any, number: int) -> DH:
    """A row given as a DH, or as its values in order."""
    if not isinstance(row, DH):
        shown = shortened(repr(row))
        try:
            values: list[Any] = [row] if isinstance(row, str) else list(row)
            row = DH(*values) if len(values) >= 4 else None
        except TypeError:
            raise ModelError(f"D-H row {number} is {shown}; write DH(theta, d, a, alpha, joint)") from None
        if row is None:
            raise ModelError(
                f"D-H row {number} is {shown}, {counted(len(values), 'value')}; it has theta, d, a and alpha"
            )
    if not isinstance(row.name, str):
        raise ModelError(f"D-H row {number}: name is a text; got {shortened(repr(row.name))}")
    kind = row.joint
    if not isinstance(kind, str) or kind not in DH_JOINTS:
        hint = did_you_mean(str(kind).lower(), DH_JOINTS)
        raise ModelError(f"D-H row {number}: no joint {kind!r}; it is revolute or prismatic{hint}")
    for name in CELLS:
        scalar(f"D-H row {number}: {name}", getattr(row, name))
    return _without_variable(row, number)


def _without_variable(row: DH, number: int) -> DH:
    """The row without the joint variable, which textbooks write into its cell: q_1 or q_1 + pi/2 for theta."""
    cell, names = joint_variable(row.joint, number)
    entry = getattr(row, cell)
    own = {symbol.name: symbol for symbol in getattr(entry, "free_symbols", ())}
    for symbol in (own[name] for name in names if name in own):
        # it adds to the cell with factor one; theta_1 in another place, or twice, is a symbol like any other
        if symbol not in (entry - symbol).free_symbols:
            return replace(row, **{cell: entry - symbol})
    return row


def joint_variable(joint: str, number: int) -> tuple[str, tuple[str, ...]]:
    """The cell of a row that the joint variable is added to, and what textbooks call it: q_1, q1, theta_1, theta1."""
    cell = "theta" if joint == "revolute" else "d"
    return cell, (f"q_{number}", f"q{number}", f"{cell}_{number}", f"{cell}{number}")
