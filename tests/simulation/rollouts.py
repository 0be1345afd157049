"""Motions to try things on: a small loop over forward dynamics, and contacts that somebody made up."""

import numpy as np

import articulated as art

FEET = ["FL_FOOT", "FR_FOOT", "HL_FOOT", "HR_FOOT"]


def rollout(robot, samples=20, dt=1e-3, batch=(), seed=0, **more) -> art.Trajectory:
    """Semi-implicit Euler from a random state, with damping torques."""
    rng = np.random.default_rng(seed)
    q, v, found = robot.random(rng, batch), rng.normal(size=(*batch, robot.nv)), []
    for _ in range(samples):
        tau = -0.5 * v
        a = robot.forward_dynamics(q, v, tau)
        found.append((q, v, a, tau))
        v = v + dt * a
        q = robot.integrate(q, dt * v)
    state = (np.stack(x, axis=-2) for x in zip(*found, strict=True))
    return art.Trajectory(robot, dt * np.arange(samples), *state, **more)


def scattered(robot, samples=3, batch=(), seed=0) -> art.Trajectory:
    """Random states that no motion connects: nothing has to be compiled for them."""
    rng = np.random.default_rng(seed)
    v, a, tau = rng.normal(size=(3, *batch, samples, robot.nv))
    return art.Trajectory(robot, np.arange(samples) * 0.01, robot.random(rng, (*batch, samples)), v, a, tau)


def contacts(samples, batch=(), seed=0, each_friction=False) -> art.ContactHistory:
    """Feet that stand, slide and fly, with forces inside the cone of their friction."""
    rng = np.random.default_rng(seed)
    shape = (*batch, samples, len(FEET))
    states = rng.integers(0, 3, shape)
    normal = np.where(states == 0, 0.0, rng.uniform(1, 20, shape))
    friction = rng.uniform(0.5, 1.0, (*batch, len(FEET)) if each_friction else len(FEET))
    along = friction[..., None, :] if each_friction else friction
    size = normal * along * np.where(states == 2, 1.0, rng.uniform(0, 0.9, shape))
    turn = rng.uniform(0, 2 * np.pi, shape)
    forces = np.stack([size * np.cos(turn), size * np.sin(turn), normal], axis=-1)
    return art.ContactHistory(
        FEET,
        forces=forces,
        positions=rng.normal(size=(*shape, 3)),
        normals=np.broadcast_to([0.0, 0.0, 1.0], (*shape, 3)),
        gaps=np.where(states == 0, rng.uniform(0, 0.1, shape), -1e-6),
        frictions=friction,
        states=states,
        residual=rng.uniform(0, 1e-8, (*batch, samples)),
    )


def dog(samples=20, batch=(), **more) -> art.Trajectory:
    """A quadruped with contacts and a push."""
    robot = art.load("quadruped", floating_base=True)
    push = np.random.default_rng(5).normal(size=(*batch, samples, 6))
    given = {"contact": contacts(samples, batch), "forces": {"base": push}, "info": {"method": "euler", "dt": 1e-3}}
    return rollout(robot, samples, batch=batch, **{**given, **more})


def same(one: art.Trajectory, other: art.Trajectory) -> bool:
    """Whether two trajectories hold the same numbers and words, to the last bit."""
    arrays = [(getattr(one, n), getattr(other, n)) for n in ("t", "q", "v", "a", "tau")]
    if (one.contact is None) != (other.contact is None) or [*one.forces] != [*other.forces]:
        return False
    arrays += [(one.forces[frame], other.forces[frame]) for frame in one.forces]
    if one.contact is not None:
        names = ("forces", "positions", "normals", "gaps", "frictions", "states", "residual")
        arrays += [(getattr(one.contact, n), getattr(other.contact, n)) for n in names]
        if one.contact.names != other.contact.names:
            return False
    return dict(one.info) == dict(other.info) and all(
        x.shape == y.shape and x.dtype == y.dtype and np.array_equal(x, y) for x, y in arrays
    )
