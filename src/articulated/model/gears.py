"""Joints that follow joints: every chain of mimics resolved to the joint at its end, each joint looked at once."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from ..joints import Mimic


class Gear(NamedTuple):
    """position = multiplier × (position of `leader`) + offset.

    `fault` is "absent" if the chain ends at a name that no joint has (`leader`), "circle" if it comes back to itself
    (`leader` is the first joint of the circle it meets).
    """

    leader: str
    multiplier: Any = 1
    offset: Any = 0
    fault: str = ""


def gears(mimics: Mapping[str, Mimic | None]) -> dict[str, Gear]:
    """The gear of every joint; a joint without a mimic is its own leader."""
    found: dict[str, Gear] = {}
    for start in mimics:
        path: dict[str, None] = {}
        name = start
        while name not in found and name not in path and (mimic := mimics.get(name)) is not None:
            path[name] = None
            name = mimic.joint
        if name in path:
            found |= {member: Gear(member, fault="circle") for member in circle(mimics, name)}
        elif name not in found:
            found[name] = Gear(name, fault="" if name in mimics else "absent")
        for follower in reversed(path):
            if follower not in found:
                name, factor, shift = mimics[follower]  # type: ignore[misc]
                leader, multiplier, offset, fault = found[name]
                found[follower] = Gear(leader, factor * multiplier, shift + factor * offset, fault)
    return found


def circle(mimics: Mapping[str, Mimic | None], start: str) -> Iterator[str]:
    """The joints of the circle that `start` is part of, each before the one it follows."""
    name = start
    while True:
        yield name
        name = mimics[name].joint  # type: ignore[union-attr]
        if name == start:
            return
