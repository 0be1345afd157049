"""Losses in MJCF, one sentence each."""

from collections.abc import Iterable, Iterator
from math import inf

import numpy as np

from ...model import Link
from ...model.shapes import Hull, Mesh, Shape
from ..writers import Loss, word_and_sizes


def lost_in_mjcf(links: Iterable[Link]) -> Iterator[Loss]:
    """Limits, gears, friction in other axes, shapes."""
    links = list(links)
    for link in links:
        joint, (lower, upper, velocity, effort) = link.joint, link.joint.limits
        single, there = joint.turns or joint.slides, joint.floats or joint.in_plane
        elsewhere = not (type(joint.rest) is int and joint.rest == 0)
        one_sided = (lower > -inf) != (upper < inf)
        for text, lost in {
            "a position limit on one side; MuJoCo has both or none": one_sided,
            "position limits; MuJoCo has them for hinges and slides": lower > -inf and not single and not one_sided,
            "it may only be at one place; MuJoCo has no range without extent, and lets it move": single
            and lower == upper,
            "a velocity limit; MuJoCo has none": velocity < inf,
            "an effort limit; MuJoCo has it for hinges and slides": effort < inf and not single,
            "an effort limit of 0; MuJoCo has no range without extent, and lets motors drive it": single
            and effort == 0,
            "it is two slides and a hinge there, with velocities in the world; to_mujoco converts": joint.in_plane,
            "follows as a constraint, not as a gear": joint.mimic,
            "its friction and armature act on velocities in the world there, in the body here": there
            and (joint.friction or joint.armature),
            "its spring is at rest where the body is drawn; MuJoCo has no other place for it": joint.stiffness
            and joint.quaternion
            and elsewhere,
        }.items():
            if joint.nv and lost:
                yield "joint", joint.name or link.name, text
    shapes = [shape for link in links for shape in link.shapes]
    if meshes := sum(type(shape) is Mesh for shape in shapes):
        yield "", "", f"{meshes} meshes are left out"
    if flat := sum(map(is_flat, shapes)):
        yield "", "", f"{flat} shapes without extent are left out"


def is_flat(shape: Shape) -> bool:
    """True if a size is zero or a hull has no volume, which MuJoCo refuses."""
    if isinstance(shape, Hull):
        points = np.array(shape.points)
        return bool(np.linalg.matrix_rank(points - points[0], rtol=1e-6) < 3)
    _, sizes = word_and_sizes(shape)
    return min(sizes, default=1.0) <= 0
