"""Poses, momentum and energy, one body at a time, in world coordinates."""

from functools import partial
from typing import Any

import numpy as np

from ...algebra.rotations import cross
from ...algebra.scalars import Array, array, zeros
from ...algebra.spatial import Transform, cross_motion
from ..kinematics import AXES
from .rows import Pass, Recursion, entries, inertia, pose, summed, ten, unpacked


def poses(row: Array, q: Array, below_W: Array) -> Any:
    """The pose of a body in the world; where it is the last, of the tip."""
    b = unpacked(row)
    W = entries(pose(below_W) @ b.pose(b.angle(q[0])))
    return W, W


def twists(row: Array, q: Array, v: Array, below_W: Array, below_V: Array) -> Any:
    """Pose and twist, the one in the world, the other in the body's axes."""
    b = unpacked(row)
    X = b.pose(b.angle(q[0]))
    W, V = entries(pose(below_W) @ X), X.motion_in(below_V) + b.along(v[0])
    return W, V, W, V


def motions(row: Array, q: Array, v: Array, a: Array, below_W: Array, below_V: Array, below_A: Array) -> Any:
    """Pose, twist and spatial acceleration."""
    b = unpacked(row)
    X, own = b.pose(b.angle(q[0])), b.along(v[0])
    W, V = entries(pose(below_W) @ X), X.motion_in(below_V) + own
    A = X.motion_in(below_A) + b.along(a[0]) + cross_motion(V, own)
    return W, V, A, W, V, A


POSES = Pass(poses, "W total_tip")
TWISTS = Pass(twists, "W V total_tip total_twist")
MOTIONS = Pass(motions, "W V A total_tip total_twist total_drift")


# -- of all bodies -------------------------------------------------------------------------


def own_motions(row: Array, W: Array, V: Array, A: Array) -> Any:
    """Pose, twist and acceleration of the body's own frame."""
    own = unpacked(row).own
    return (pose(W) @ own.inverse()).exact_matrix(), own.motion_out(V), own.motion_out(A)


def screw(row: Array, W: Array) -> Array:
    """The motion of the body per unit of its joint's velocity, at the world's origin."""
    return pose(W).motion_out(unpacked(row).along(1))


def weight(row: Array, W: Array, world: Array) -> Array:
    """The force of gravity on a body, in its own axes."""
    b = unpacked(row)
    return b.own.force_out(b.inertia @ pose(W).motion_in(-world))


def kinetic_energy(row: Array, v: Array, V: Array) -> Array:
    """Kinetic energy of a body and of the rotor of its joint."""
    b = unpacked(row)
    return array([(V @ (b.inertia @ V) + b.armature * v[0] * v[0]) * 0.5])


def potential_energy(row: Array, q: Array, m: Array, world: Array) -> Array:
    """Potential energy of a body, by its moment, and of the spring of its joint."""
    return array([world[:3] @ m[1:]]) + spring_energy(row, q)


def spring_energy(row: Array, q: Array) -> Array:
    """Energy of the spring of a joint."""
    b = unpacked(row)
    return array([b.stiffness * (q[0] - b.rest) * (q[0] - b.rest) * 0.5])


def whole_potential(total_m: Array, total_E: Array, world: Array) -> Array:
    """Potential energy of all bodies, and of their springs."""
    return array([world[:3] @ total_m[1:]]) + total_E


def moment(row: Array, W: Array) -> Array:
    """Mass, and mass times place, of a body."""
    b, X = unpacked(row), pose(W)
    return np.concatenate([array([b.inertia.mass]), X.R @ b.inertia.first + b.inertia.mass * X.p])


def momentum(row: Array, W: Array, V: Array) -> Array:
    """Momentum of a body at the world's origin."""
    return pose(W).force_out(unpacked(row).inertia @ V)


def whole(total: Array) -> Array:
    """A sum as it is."""
    return total + 0


def center(total_m: Array) -> Array:
    """The center of mass."""
    return total_m[1:] / total_m[0]


def about_center(total_m: Array, F: Array) -> Array:
    """A momentum at the world's origin, at the center of mass."""
    return np.concatenate([F[:3], F[3:] - cross(center(total_m), F[:3])])


def composites(row: Array, q: Array, below_W: Array) -> Any:
    """Angle, pose and own inertia."""
    b = unpacked(row)
    angle = b.angle(q[0])
    return angle, entries(pose(below_W) @ b.pose(angle)), ten(b.inertia)


def composites_inward(row: Array, angle: Array, C: Array, below_C: Array) -> Array:
    """The composite inertia of the body below."""
    return below_C + ten(inertia(C).moved_out(unpacked(row).pose(angle)))


def composite_momentum(row: Array, W: Array, C: Array) -> Array:
    """Momentum of a body and all beyond it per unit of its joint's velocity, at the world's origin."""
    return pose(W).force_out(inertia(C) @ unpacked(row).along(1))


def centroidal_column(row: Array, W: Array, C: Array, total_m: Array) -> Any:
    """The column of the centroidal map."""
    return _numbers(about_center(total_m, composite_momentum(row, W, C)))


def composite_at_world(W: Array, C: Array) -> Array:
    """Composite inertia at the world's origin, (6, 6)."""
    return inertia(C).moved_out(pose(W)).exact_matrix()


def composite_own(row: Array, C: Array) -> Array:
    """Composite inertia in the body's own axes, (6, 6)."""
    return inertia(C).moved_out(unpacked(row).own).exact_matrix()


COMPOSITES = Pass(composites, "angle W C"), Pass(composites_inward, "below_C", "inward")
MOMENTS = Pass(moment, "m"), summed("m")

BODY_MOTIONS = Recursion(
    {"pose": ("body", 4, 4), "velocity": ("body", 6), "acceleration": ("body", 6)},
    MOTIONS,
    Pass(own_motions, "out_pose out_velocity out_acceleration"),
)
SCREWS = Recursion({"S": ("joint", 6)}, POSES, Pass(screw, "out_S"))
WEIGHTS = Recursion({"F": ("body", 6)}, POSES, Pass(weight, "out_F"))
KINETIC_ENERGIES = Recursion({"E": ("body",)}, TWISTS, Pass(kinetic_energy, "out_E"))
KINETIC_ENERGY = Recursion(
    {"E": ()}, TWISTS, Pass(kinetic_energy, "E"), summed("E"), Pass(whole, "out_E", "once", "total_E")
)
POTENTIAL_ENERGIES = Recursion({"E": ("body",)}, POSES, Pass(moment, "m"), Pass(potential_energy, "out_E"))
POTENTIAL_ENERGY = Recursion(
    {"E": ()}, POSES, *MOMENTS, Pass(spring_energy, "E"), summed("E"), Pass(whole_potential, "out_E", "once")
)
CENTER_OF_MASS = Recursion({"p": (3,)}, POSES, *MOMENTS, Pass(center, "out_p", "once"))
CENTROIDAL_MOMENTUM = Recursion(
    {"P": (6,)},
    TWISTS,
    *MOMENTS,
    Pass(momentum, "P"),
    summed("P"),
    Pass(about_center, "out_P", "once", "total_m total_P"),
)
CENTROIDAL_MAP = Recursion({"J": (6, "v")}, *COMPOSITES, *MOMENTS, Pass(centroidal_column, "columns"), scattered="J")
COMPOSITE_INERTIAS = {
    "spatial": Recursion({"I": ("body", 6, 6)}, *COMPOSITES, Pass(composite_at_world, "out_I")),
    "frame": Recursion({"I": ("body", 6, 6)}, *COMPOSITES, Pass(composite_own, "out_I")),
}


# -- of one frame: over the bodies that carry it ----------------------------------------------


def frame_pose(total_tip: Array, place: Array) -> Array:
    """The pose of the frame, (4, 4)."""
    return (pose(total_tip) @ pose(place)).exact_matrix()


def seen_from(axes: str, total_tip: Array, place: Array) -> Transform:
    """The world, seen from the axes of the frame."""
    return AXES[axes](pose(total_tip) @ pose(place)).inverse()


def frame_velocity(axes: str, total_tip: Array, total_twist: Array, place: Array) -> Array:
    """The velocity of the frame."""
    return (seen_from(axes, total_tip, place) @ pose(total_tip)).motion_out(total_twist)


def frame_acceleration(
    axes: str, spatial: bool, total_tip: Array, total_twist: Array, total_drift: Array, place: Array
) -> Array:
    """The acceleration of the frame, of the point at its origin or spatial."""
    seen = seen_from(axes, total_tip, place) @ pose(total_tip)
    V, A = seen.motion_out(total_twist), seen.motion_out(total_drift)
    return A if spatial else np.concatenate([A[:3] + cross(V[3:], V[:3]), A[3:]])


def jacobian_column(axes: str, row: Array, W: Array, total_tip: Array, place: Array) -> Any:
    """The column of a joint."""
    seen = seen_from(axes, total_tip, place) @ pose(W)
    return _numbers(seen.motion_out(unpacked(row).along(1)))


def jacobian_rate_column(
    axes: str, row: Array, W: Array, joint_V: Array, total_tip: Array, total_twist: Array, place: Array
) -> Any:
    """The rate of the column of a joint: it turns with its body, seen from axes that move themselves."""
    here = seen_from(axes, total_tip, place)
    seen, motion = here @ pose(W), (here @ pose(total_tip)).motion_out(total_twist)
    observer = {"world": np.concatenate([motion[:3], zeros(3)]), "frame": motion, "spatial": zeros(6)}[axes]
    return _numbers(cross_motion(seen.motion_out(joint_V) - observer, seen.motion_out(unpacked(row).along(1))))


def _numbers(column: Array) -> Any:
    return tuple(array([x]) for x in column)


POSE = Recursion({"X": (4, 4)}, POSES, Pass(frame_pose, "out_X", "once"))
FRAME_VELOCITY = {
    axes: Recursion({"V": (6,)}, TWISTS, Pass(partial(frame_velocity, axes), "out_V", "once")) for axes in AXES
}
FRAME_ACCELERATION = {
    (axes, spatial): Recursion({"A": (6,)}, MOTIONS, Pass(partial(frame_acceleration, axes, spatial), "out_A", "once"))
    for axes in AXES
    for spatial in (False, True)
}
JACOBIAN = {
    axes: Recursion({"J": (6, "v")}, POSES, Pass(partial(jacobian_column, axes), "columns"), scattered="J")
    for axes in AXES
}
JACOBIAN_RATE = {
    axes: Recursion({"J": (6, "v")}, TWISTS, Pass(partial(jacobian_rate_column, axes), "columns"), scattered="J")
    for axes in AXES
}
