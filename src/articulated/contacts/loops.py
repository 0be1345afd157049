"""Closing loops: a configuration in which the contacts of a set are where they should be."""

from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import ArticulatedError, ShapeError
from ..inputs.choices import floats, names, number, whole_number
from .checks import velocities_of
from .ranks.subspaces import Floats

if TYPE_CHECKING:
    from .contacts import Contacts


#: contacts this far from their anchors are a slip; the square of it is still a number
FURTHEST = 1e100
#: beside the squares of J: rounding errors of a product of rows
NEGLIGIBLE = 1e-14


class AssemblyError(ArticulatedError, ValueError):
    """No configuration that closes the loops was found."""


def closed(contacts: "Contacts", q: Any, anchors: Any, locked: Any, tolerance: float, steps: int) -> Floats:
    """Levenberg and Marquardt's steps on the drift, from q; see `Contacts.assemble`."""
    robot = contacts.robot
    q = np.array(floats("assemble: q", q, robot.kernels.vectors["q"].names, "q"))
    if q.shape != (robot.nq,) or not np.isfinite(q).all():
        raise ShapeError(f"assemble takes one finite configuration q ({robot.nq},); got shape {q.shape}")
    anchors = None if anchors is None else floats("assemble: anchors", anchors)
    if anchors is not None and anchors.ndim != 3:
        raise ShapeError(f"assemble takes the anchors of one configuration; got shape {anchors.shape}")
    held = velocities_of(robot, names("assemble: locked", locked))
    steps = whole_number("assemble: steps", steps)
    tolerance = number("assemble: tolerance", tolerance, "a positive number", least=float(np.finfo(float).tiny))
    free = [i for i in range(robot.nv) if i not in held]
    error, damping = contacts.drift(q, anchors), 1e-3
    if not np.abs(error).max(initial=0) < FURTHEST:
        raise ShapeError(f"assemble: q and anchors are {np.abs(error).max():.3g} apart, too far to compute with")
    rng = np.random.default_rng(0)
    for _ in range(steps):
        if np.abs(error).max(initial=0) <= tolerance:
            return q
        J = contacts.jacobian(q)[:, free]
        step = np.zeros(robot.nv)
        if np.linalg.norm(J.T @ error) <= 1e-6 * np.linalg.norm(error):
            # a stretched leg: no small step helps, so bend it a little
            step[free] = 0.02 * rng.normal(size=len(free))
            q = robot.integrate(q, step)
            error, damping = contacts.drift(q, anchors), 1e-3
            continue
        # damped, so that a stretched linkage does not throw the step to infinity, and redundant rows stay solvable
        damped = max(damping, NEGLIGIBLE * (J * J).sum()) * np.eye(len(J))
        step[free] = -J.T @ np.linalg.solve(J @ J.T + damped, error)
        tried = robot.integrate(q, step)
        there = contacts.drift(tried, anchors)
        better = np.linalg.norm(there) < np.linalg.norm(error)
        q, error = (tried, there) if better else (q, error)
        damping = damping * (0.1 if better else 10)
    row = int(np.abs(error).argmax())
    raise AssemblyError(
        f"assemble: the contacts cannot be closed from this q: after {steps} steps {contacts.rows[row]} is still off "
        f"by {abs(error[row]):.3g}; start closer, unlock joints, or check the lengths"
    )
