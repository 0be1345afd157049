"""Poses, velocities and accelerations of bodies and frames (SUSTech ch. 9; Pisa lecture, step 1)."""

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

import numpy as np

from ..algebra.rotations import cross
from ..algebra.scalars import Array, array, stack, zeros
from ..algebra.spatial import IDENTITY, Transform, cross_motion
from ..model import Body, Frame, Model

ByBody = dict[Body | None, Array]
Forces = Mapping[str, Array]


def upwards(model: Model) -> Array:
    """The spatial acceleration that stands in for gravity: the world, accelerating upwards."""
    return np.concatenate([-model.gravity, zeros(3)])


def velocities(model: Model, q: Array, v: Array, base_velocity: Array | None = None) -> tuple[dict, ByBody]:
    """Pose X of each body in its parent and its twist V, in its own axes."""
    X: dict[Body, Transform] = {}
    V: ByBody = {None: zeros(6) if base_velocity is None else base_velocity}
    for b in model.bodies:
        X[b] = b.transform(q)
        V[b] = X[b].motion_in(V[b.parent]) + b.S @ v[b.dofs]
    return X, V


def motions(
    model: Model,
    q: Array,
    v: Array,
    a: Array,
    base_velocity: Array | None = None,
    base_acceleration: Array | None = None,
) -> tuple[dict, ByBody, ByBody]:
    """X, V and the spatial acceleration A of each body, in its own axes; gravity is not in it."""
    X, V = velocities(model, q, v, base_velocity)
    A: ByBody = {None: zeros(6) if base_acceleration is None else base_acceleration}
    for b in model.bodies:
        A[b] = X[b].motion_in(A[b.parent]) + b.S @ a[b.dofs] + cross_motion(V[b], b.S @ v[b.dofs])
    return X, V, A


class BodyMotions(NamedTuple):
    """Motion of every body; velocity and acceleration in its own axes, [linear; angular]."""

    pose: Array  # in the base, (nb, 4, 4)
    velocity: Array  # twist V, (nb, 6)
    acceleration: Array  # spatial acceleration A, without gravity, (nb, 6)


def body_motions(
    model: Model,
    q: Array,
    v: Array,
    a: Array,
    base_velocity: Array | None = None,
    base_acceleration: Array | None = None,
) -> BodyMotions:
    """The outward pass: poses, twists and accelerations of all bodies."""
    _, V, A = motions(model, q, v, a, base_velocity, base_acceleration)
    W = world_poses(model, q)
    return BodyMotions(
        stack([W[b].exact_matrix() for b in model.bodies], 4, 4),
        stack([V[b] for b in model.bodies], 6),
        stack([A[b] for b in model.bodies], 6),
    )


def accelerations(
    model: Model,
    q: Array,
    v: Array,
    a: Array,
    base_velocity: Array | None = None,
    base_acceleration: Array | None = None,
) -> Iterator[tuple[Body, Transform, Array, Array]]:
    """Body by body: X, the acceleration r of its origin and U, in a world that accelerates upwards.

    A point x of the body accelerates by r + U x with U = [alpha]x + [omega]x [omega]x.
    """
    V0 = zeros(6) if base_velocity is None else base_velocity
    A0 = upwards(model) + (zeros(6) if base_acceleration is None else base_acceleration)
    omega: ByBody = {None: V0[3:]}
    alpha: ByBody = {None: A0[3:]}
    r: ByBody = {None: A0[:3] + cross(V0[3:], V0[:3])}
    U: ByBody = {None: acceleration_gradient(V0[3:], A0[3:])}
    for b in model.bodies:
        X = b.transform(q)
        slide, turn = (b.S @ v[b.dofs])[:3], (b.S @ v[b.dofs])[3:]
        carried = X.R.T @ omega[b.parent]
        omega[b] = carried + turn
        alpha[b] = X.R.T @ alpha[b.parent] + b.S[3:] @ a[b.dofs] + cross(carried, turn)
        r[b] = X.R.T @ (r[b.parent] + U[b.parent] @ X.p) + b.S[:3] @ a[b.dofs] + cross(carried + omega[b], slide)
        U[b] = acceleration_gradient(omega[b], alpha[b])
        yield b, X, r[b], U[b]


def acceleration_gradient(omega: Array, alpha: Array) -> Array:
    """[alpha]x + [omega]x [omega]x."""
    x, y, z = omega
    xx, yy, zz, xy, xz, yz = x * x, y * y, z * z, x * y, x * z, y * z
    return array(
        [
            [-(yy + zz), xy - alpha[2], xz + alpha[1]],
            [xy + alpha[2], -(xx + zz), yz - alpha[0]],
            [xz - alpha[1], yz + alpha[0], -(xx + yy)],
        ]
    )


def world_poses(model: Model, q: Array) -> dict[Body | None, Transform]:
    """Pose of every body in the world."""
    W: dict[Body | None, Transform] = {None: Transform()}
    for b in model.bodies:
        W[b] = W[b.parent] @ b.transform(q)
    return W


def frame_pose(model: Model, q: Array, frame: str) -> Transform:
    """Pose of a frame in the world."""
    named = model.frame(frame)
    pose = named.placement
    for b in named.body.support() if named.body else ():
        pose = b.transform(q) @ pose
    return pose


def pose_matrix(model: Model, q: Array, frame: str) -> Array:
    """Homogeneous pose of a frame in the world."""
    return frame_pose(model, q, frame).exact_matrix()


#: `axes=` of a frame quantity: the place and orientation its components refer to
AXES: dict[str, Callable[[Transform], Transform]] = {
    "world": lambda pose: Transform.computed(IDENTITY.R, pose.p),  # at the frame's origin, world axes
    "frame": lambda pose: pose,  # at the frame's origin, its own axes
    "spatial": lambda pose: Transform(),  # at the world's origin, world axes
}


def relative_poses(model: Model, q: Array, frame: Frame, axes: str) -> dict[Body | None, Transform]:
    """Poses of the bodies that carry `frame` (and of the frame's own body) as seen from its `axes`."""
    chain = list(frame.body.support())[::-1] if frame.body else []
    W: dict[Body | None, Transform] = {None: Transform()}
    for b in chain:
        W[b] = W[b.parent] @ b.transform(q)
    seen_from = AXES[axes](W[frame.body] @ frame.placement).inverse()
    return {b: seen_from @ pose for b, pose in W.items()}


def in_their_frames(model: Model, q: Array, forces: Forces, axes: str) -> Forces:
    """Forces written in other `axes`, in those of the frames they are named by."""
    found = {}
    for name, force in forces.items():
        named = model.frame(name)
        found[name] = (relative_poses(model, q, named, axes)[named.body] @ named.placement).force_in(force)
    return found


def frame_velocity(model: Model, q: Array, v: Array, frame: str, axes: str = "world") -> Array:
    """[linear; angular] velocity of a frame."""
    named = model.frame(frame)
    _, V = velocities(model, q, v)
    return relative_poses(model, q, named, axes)[named.body].motion_out(V[named.body])


def frame_acceleration(
    model: Model, q: Array, v: Array, a: Array, frame: str, axes: str = "world", spatial: bool = False
) -> Array:
    """Acceleration of a frame: of the point at its origin, or the spatial one."""
    named = model.frame(frame)
    _, V, A = motions(model, q, v, a)
    seen = relative_poses(model, q, named, axes)[named.body]
    velocity, acceleration = seen.motion_out(V[named.body]), seen.motion_out(A[named.body])
    if spatial:
        return acceleration
    return np.concatenate([acceleration[:3] + cross(velocity[3:], velocity[:3]), acceleration[3:]])
