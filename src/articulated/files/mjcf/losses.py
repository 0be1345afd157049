"""Losses in MJCF, one sentence each."""

from collections.abc import Iterable, Iterator
from math import inf

from ...model import Link
from ...model.shapes import Mesh, Shape
from ..writing import word_and_sizes


def lost_in_mjcf(links: Iterable[Link]) -> Iterator[str]:
    """Limits, gears, friction in other axes, shapes."""
    meshes = flat = 0
    for link in links:
        joint, name = link.joint, f"joint {link.joint.name or link.name!r}"
        if joint.nv:
            yield from _limits(link, name)
        if joint.in_plane:
            yield f"{name}: it is two slides and a hinge there, with velocities in the world; to_mujoco converts"
        if joint.mimic:
            yield f"{name}: follows as a constraint, not as a gear"
        if (joint.floats or joint.in_plane) and (joint.friction or joint.armature):
            yield f"{name}: its friction and armature act on velocities in the world there, in the body here"
        if joint.stiffness and joint.quaternion and not (type(joint.rest) is int and joint.rest == 0):
            yield f"{name}: its spring is at rest where the body is drawn; MuJoCo has no other place for it"
        meshes += sum(isinstance(shape, Mesh) for shape in link.shapes)
        flat += sum(is_flat(shape) for shape in link.shapes)
    if meshes:
        yield f"{meshes} meshes are left out"
    if flat:
        yield f"{flat} shapes without extent are left out"


def _limits(link: Link, name: str) -> Iterator[str]:
    lower, upper, velocity, effort = link.joint.limits
    single = link.joint.turns or link.joint.slides
    if (lower > -inf) != (upper < inf):
        yield f"{name}: a position limit on one side; MuJoCo has both or none"
    elif lower > -inf and not single:
        yield f"{name}: position limits; MuJoCo has them for hinges and slides"
    elif lower == upper:
        yield f"{name}: it may only be at {float(lower):g}; MuJoCo has no range without extent, and lets it move"
    if velocity < inf:
        yield f"{name}: a velocity limit of {float(velocity):g}; MuJoCo has none"
    if effort < inf and not single:
        yield f"{name}: an effort limit; MuJoCo has it for hinges and slides"
    elif effort == 0:
        yield f"{name}: an effort limit of 0; MuJoCo has no range without extent, and lets motors drive it"


def is_flat(shape: Shape) -> bool:
    """Whether a size is zero, which MuJoCo refuses."""
    _, sizes = word_and_sizes(shape)
    return min(sizes, default=1.0) <= 0
