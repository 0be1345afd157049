"""Inertias that MuJoCo accepts: physical ones, positive about every axis of a moving body."""

from collections.abc import Iterator, Sequence

import numpy as np

from ...algebra.spatial import Inertia, Transform
from ...model import Link
from ...model.parameters import merge
from ..writers import Loss, inertia_numbers, numbers

LEAST = 1e-14  # kg, kg m²: MuJoCo refuses what is not larger than 1e-15
MARGIN = 1e-12  # of the largest second moment: what rounding must not undo


def bearable(links: Sequence[Link]) -> tuple[list[Link], list[Loss]]:
    """Links whose inertias MuJoCo takes, and what was changed for it.

    A welded link that MuJoCo refuses hands its inertia to the link that moves it, which keeps the dynamics.  A moving
    one that it still refuses gets the nearest inertia that it takes.
    """
    inertias = {k.name: k.inertia for k in links}
    carriers = _carriers(links)
    lost: list[Loss] = []
    for link in links:
        carrier, place = carriers[link.name]
        if carrier == link.name or not _holds(link) or _is_real(link, moving=False):
            continue
        inertias[link.name] = Inertia()
        if carrier is None:
            lost.append(("link", link.name, "its inertia, which MuJoCo refuses; it does not move"))
            continue
        inertias[carrier] = merge([(Transform(), inertias[carrier]), (place, link.inertia)])
        lost.append(("link", link.name, f"its inertia is part of link {carrier!r}, for MuJoCo refuses it by itself"))
    heavy = {carriers[name][0] for name, body in inertias.items() if inertia_numbers(body, name)["mass"] > LEAST}
    found = []
    for link in (k.replace(inertia=inertias[k.name]) for k in links):
        if link.joint.nv and (_holds(link) or link.name not in heavy) and not _is_real(link, moving=True):
            link = link.replace(inertia=_nearest(link))
            lost.append(("link", link.name, _change(inertias[link.name], link)))
        found.append(link)
    return found, lost


def _carriers(links: Sequence[Link]) -> dict[str, tuple[str | None, Transform]]:
    """Moving link (None: fixed to the world) of every link, and its place there."""
    found: dict[str | None, tuple[str | None, Transform]] = {None: (None, Transform())}
    for link in links:
        carrier, place = found[link.parent]
        welded = (carrier, place @ link.placement @ link.tail)
        found[link.name] = (link.name, Transform()) if link.joint.nv else welded
    return {str(name): value for name, value in found.items() if name is not None}


def _holds(link: Link) -> bool:
    """True if it has mass or inertia; a center of mass alone is nothing."""
    body = inertia_numbers(link.inertia, link.name)
    return any(value for name, value in body.items() if name not in ("x", "y", "z"))


def _second_moments(link: Link) -> tuple[float, np.ndarray, np.ndarray]:
    """Mass, principal second moments (half the trace minus the inertia) and their axes."""
    tensor = numbers(link.inertia.about_com, link.name)
    tensor = (tensor + tensor.T) / 2
    moments, axes = np.linalg.eigh(np.trace(tensor) / 2 * np.eye(3) - tensor)
    return inertia_numbers(link.inertia, link.name)["mass"], moments, axes


def _least(moments: np.ndarray) -> float:
    return max(LEAST, MARGIN * float(moments.max()))


def _is_real(link: Link, moving: bool) -> bool:
    mass, moments, _ = _second_moments(link)
    return mass >= (LEAST if moving else 0) and bool(moments.min() >= _least(moments))


def _nearest(link: Link) -> Inertia:
    """The same mass and center, axes kept, every second moment as large as it has to be."""
    mass, moments, axes = _second_moments(link)
    spread = np.maximum(moments, _least(moments))
    tensor = (axes * (spread.sum() - spread)) @ axes.T
    return Inertia(max(mass, LEAST), numbers(link.inertia.com, link.name), (tensor + tensor.T) / 2)


def _change(before: Inertia, link: Link) -> str:
    old, new = (inertia_numbers(body, link.name) for body in (before, link.inertia))
    mass = f"{new['mass']:g} kg instead of {old['mass']:g}; " if new["mass"] != old["mass"] else ""
    largest = max(abs(new[name] - old[name]) for name in new if name.startswith("i"))
    return f"MuJoCo refuses its inertia; {mass}the nearest one it takes, {largest:.2g} kg m² away, is written"


def inertial(link: Link) -> Iterator[str]:
    """The <inertial> element; none for a link without mass."""
    if not _holds(link):
        return
    body = inertia_numbers(link.inertia, link.name)
    full = " ".join(repr(float(body[name])) for name in ("ixx", "iyy", "izz", "ixy", "ixz", "iyz"))
    center = " ".join(repr(float(body[x])) for x in "xyz")
    yield f'<inertial pos="{center}" mass="{body["mass"]!r}" fullinertia="{full}"/>'
