"""Poses of all frames of a model, joint by joint."""

import numpy as np

from articulated.algebra.scalars import array


def poses(model, q):
    """{frame: 4×4 pose in the world}."""
    q = array(q)
    world = {None: np.eye(4)}
    for body in model.bodies:
        world[body] = world[body.parent] @ np.array(body.transform(q).matrix(), float)
    return {f.name: world[f.body] @ np.array(f.placement.matrix(), float) for f in model.frames.values()}
