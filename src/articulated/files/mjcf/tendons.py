"""Springs and linear actuators between frames as tendons between two sites."""

from collections.abc import Iterator, Sequence
from itertools import count
from typing import Any, NamedTuple

from ...algebra.spatial import IDENTITY
from ...model import Link, Model
from ...model.lines import LinearActuator, Spring
from ..urdf.writer import quoted
from ..writers import numbers


class Sited(NamedTuple):
    """A robot whose springs and actuators have sites as their ends."""

    links: list[Link]
    springs: list[Spring]
    actuators: list[LinearActuator]
    points: dict[str, list[float]]  # sites of the world, by name


def sited(model: Model) -> Sited:
    """Every end at a site: a link is a body there, so its frame gets a site beside it."""
    links = {k.name: k for k in model.links}
    taken, sites, points = set(model.frames), dict[object, str](), dict[str, list[float]]()

    def site(end: object) -> str:
        if isinstance(end, str) and end not in links:
            return end
        if end not in sites:
            first = f"{end}_end" if isinstance(end, str) else "point"
            name = sites[end] = next(x for n in count() if (x := f"{first}{n or ''}") not in taken)
            taken.add(name)
            if isinstance(end, str):
                links[end] = links[end].replace(frames=(*links[end].frames, (name, IDENTITY)))
            else:
                points[name] = numbers(end, "a point").tolist()
        return sites[end]

    springs = [spring._replace(a=site(spring.a), b=site(spring.b)) for spring in model.springs]
    actuators = [x._replace(a=site(x.a), b=site(x.b)) for x in model.actuators]
    return Sited(list(links.values()), springs, actuators, points)


def tendons(springs: Sequence[Spring], actuators: Sequence[LinearActuator]) -> Iterator[str]:
    """The <tendon> and <actuator> elements."""
    names = [x.name or f"actuator{n}" for n, x in enumerate(actuators, start=1)]
    if springs or actuators:
        yield "  <tendon>"
        for n, (a, b, *values) in enumerate(springs, start=1):
            stiffness, length, damping = numbers(values, f"spring {n}").tolist()
            data = f'stiffness="{stiffness!r}" springlength="{length!r}" damping="{damping!r}"'
            yield from _spatial(f"spring{n}", (a, b), data)
        for name, actuator in zip(names, actuators, strict=True):
            yield from _spatial(f"{name}_line", actuator[:2], "")
        yield "  </tendon>"
    if actuators:
        motors = (f"    <motor name={quoted(name)} tendon={quoted(f'{name}_line')}/>" for name in names)
        yield from ("  <actuator>", *motors, "  </actuator>")


def _spatial(name: str, ends: Sequence[Any], data: str) -> Iterator[str]:
    yield f"    <spatial name={quoted(name)} {data}>"
    yield from (f"      <site site={quoted(end)}/>" for end in ends)
    yield "    </spatial>"
