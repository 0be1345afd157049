"""External forces from the generalized momentum p = M v, without accelerations (De Luca and Mattone 2003).

ṗ = tau + Ṁ v - h + external: what p changes by beyond the model, through a low-pass of first order.
"""

from __future__ import annotations  # help shows types as they are written here

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...algebra.orthogonal import Decomposition
from ...algebra.scalars import Array, zeros
from ...algorithms.inverse_dynamics import inverse_dynamics
from ...algorithms.mass_matrix import mass_matrix, mass_matrix_rate
from ...contacts import Contacts
from ...contacts.constraints import constraint_jacobian
from ...contacts.kernels import those, unsound
from ...contacts.ranks.structure import Structure
from ...contacts.ranks.subspaces import apply, pseudo_inverse
from ...errors import ShapeError
from ...inputs.choices import number, robot_first
from ...model import Model
from ...robot import Robot
from ...robot.arguments.arrays import as_vectors, check_batches

Floats = NDArray[np.floating]
RATE = "1/s, above zero"


def _arrays(method: str, robot: Robot, **given: ArrayLike) -> list[Floats]:
    vectors = robot_first(method, robot).kernels.vectors
    found = {name: as_vectors(method, robot.name, name, x, vectors[name]) for name, x in given.items()}
    check_batches(method, found)
    return list(found.values())


class Momentum(NamedTuple):
    """p = M v, and ṗ without motors and external forces, Ṁ v - h."""

    p: Array
    drift: Array


def momentum(model: Model, q: Array, v: Array) -> Momentum:
    """In one kernel, on any scalar."""
    change = mass_matrix_rate(model, q, v) @ v
    return Momentum(mass_matrix(model, q) @ v, change - inverse_dynamics(model, q, v, zeros(model.nv)))


@np.errstate(over="ignore", invalid="ignore")  # a velocity of 1e200 rad/s
def _momentum(robot: Robot, q: Floats, v: Floats) -> tuple[Floats, Floats]:
    if not robot.kernels.long(False):
        p, drift = robot.kernels.evaluate("the momentum", momentum, {"q": q, "v": v})
        return p, drift
    p, changes = robot.mass_matrix(q) @ v[..., None], robot.mass_matrix_rate(q, v) @ v[..., None]
    return p[..., 0], changes[..., 0] - robot.bias_forces(q, v)


class MomentumObserver:
    """External generalized forces tick by tick, for one robot or a batch: `observer(q, v, tau)`, (…, nv).

    A force that begins is seen as 1 - exp(-rate t) of itself after t seconds; noise of v comes through times about
    M √(2 rate / dt).  The first call begins; `reset()` begins anew.

    Parameters
    ----------
    robot : a Robot
    dt : control period, s
    rate : of the low-pass, 1/s

    Examples
    --------
    >>> import articulated as art
    >>> arm = art.load("2r")
    >>> observer = art.MomentumObserver(arm, dt=1e-3, rate=100.0)
    >>> q, still = [0.1, 0.2], [0.0, 0.0]
    >>> for _ in range(1000):
    ...     found = observer(q, still, arm.gravity_forces(q) - [1.0, 0.0])  # held at rest by somebody
    >>> found.round(3).tolist()
    [1.0, 0.0]
    """

    def __init__(self, robot: Robot, dt: float, rate: float = 50.0):
        self.robot = robot_first("MomentumObserver", robot)
        self.dt = number("MomentumObserver: dt", dt, "a time above zero, s", 1e-9)
        self.keeps = float(np.exp(-number("MomentumObserver: rate", rate, RATE, 1e-9) * self.dt))
        self.reset()
        _momentum(self.robot, self.robot.neutral(), np.zeros(self.robot.nv))  # compiles, which no tick should

    def __repr__(self) -> str:
        return f"<MomentumObserver of {self.robot.name}, every {self.dt:g} s>"

    def reset(self) -> None:
        """Begin anew: nothing pushes.

        Returns
        -------
        None

        Examples
        --------
        >>> import articulated as art
        >>> art.MomentumObserver(art.load("2r"), dt=1e-3).reset()
        """
        self._before: tuple[Floats, Floats, Floats] | None = None
        self.external: Floats = np.zeros(self.robot.nv)

    def __call__(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike) -> Floats:
        """External generalized forces (…, nv) up to now; `tau` (…, nv) are those of the motors, applied from now on.

        Parameters
        ----------
        q : configurations, (…, nq)
        v : velocities, (…, nv)
        tau : generalized forces of the motors, (…, nv): N m, N

        Returns
        -------
        external generalized forces, (…, nv): N m, N

        Examples
        --------
        >>> import articulated as art
        >>> art.MomentumObserver(art.load("2r"), dt=1e-3)([0.1, 0.2], [0, 0], [0, 0]).tolist()
        [0.0, 0.0]
        """
        q, v, tau = _arrays("MomentumObserver", self.robot, q=q, v=v, tau=tau)
        p, drift = _momentum(self.robot, q, v)
        if self._before is None:
            self.external = np.zeros(p.shape)
        else:
            p0, drift0, tau0 = self._before
            beyond = (p - p0) / self.dt - tau0 - (drift0 + drift) / 2
            self.external = self.keeps * self.external + (1 - self.keeps) * beyond
        self._before = p, drift, tau
        return self.external


def external_torques(robot: Robot, q: ArrayLike, v: ArrayLike, tau: ArrayLike, dt: float, rate: float = 50.0) -> Floats:
    """External generalized forces along recorded motions, by the momentum observer.

    Parameters
    ----------
    robot : a Robot
    q : configurations at equal times, (…, T, nq)
    v : velocities, (…, T, nv)
    tau : generalized forces of the motors, each from its sample to the next, (…, T, nv): N m, N
    dt : time between samples, s
    rate : of the low-pass, 1/s

    Returns
    -------
    external generalized forces, (…, T, nv): N m, N; zero in the first sample

    Notes
    -----
    Source: De Luca and Mattone 2003.

    Examples
    --------
    >>> import articulated as art
    >>> arm = art.load("2r")
    >>> run = art.simulate(arm, [0.3, 0.2], duration=0.1)
    >>> bool(abs(art.external_torques(arm, run.q, run.v, 0 * run.v, 1e-3)).max() < 0.1)
    True
    """
    keeps = float(np.exp(-number("external_torques: rate", rate, RATE, 1e-9) * number("dt", dt, "s, above zero", 1e-9)))
    q, v, tau = _arrays("external_torques", robot, q=q, v=v, tau=tau)
    if v.ndim < 2 or v.shape != tau.shape:
        raise ShapeError(f"external_torques takes v and tau (…, T, nv); got {v.shape} and {tau.shape}")
    p, drift = _momentum(robot, q, v)
    beyond = np.diff(p, axis=-2) / dt - tau[..., :-1, :] - (drift[..., :-1, :] + drift[..., 1:, :]) / 2
    found = np.zeros(p.shape)
    found[..., 1:, :] = (1 - keeps) * beyond
    reach = 1
    while reach < p.shape[-2] and keeps**reach > 1e-18:
        found[..., reach:, :] += keeps**reach * found[..., :-reach, :]
        reach *= 2
    return found


def contact_forces(contacts: Contacts, q: ArrayLike, external: ArrayLike) -> Floats:
    """Forces at contacts that explain external generalized forces best, in the sense of least squares.

    A foot is on the ground, or a body has been hit, where its force is above what noise and model errors give.

    Parameters
    ----------
    contacts : art.Contacts, those that may act
    q : configurations, (…, nq)
    external : external generalized forces, (…, nv), as from `MomentumObserver`

    Returns
    -------
    forces on the robot, one for each of `contacts.rows`, (…, k): N, N m, world axes

    Examples
    --------
    >>> import articulated as art
    >>> dog = art.load("quadruped", floating_base=True)
    >>> feet, q = art.Contacts(dog, point=["FL_FOOT", "HR_FOOT"]), dog.poses["home"]
    >>> art.contact_forces(feet, q, feet.jacobian(q).T @ [0, 0, 50, 0, 0, 60]).round(6).tolist()[2]
    50.0
    """
    if not isinstance(contacts, Contacts):
        raise ShapeError(f"contact_forces takes contacts first, an art.Contacts; got {type(contacts).__name__}")
    q, pushed = _arrays("contact_forces", contacts.robot, q=q, tau=external)
    if not np.isfinite(contacts.jacobian(q)).all():
        raise ShapeError("contact_forces: q holds NaN or infinity")
    kernels, structure = contacts.kernels, contacts.structure
    if not kernels.unrolled:
        return _least_forces(contacts, q, pushed)
    arrays, choices = {"q": q, "tau": pushed}, {"structure": structure}
    found = contacts.robot.kernels.evaluate("contact_forces", _explaining, arrays, choices=choices)
    forces, bad = found[..., :-1], unsound(found)
    if bad.any():
        forces = np.array(forces)
        forces[bad] = _least_forces(contacts, those(q, bad), those(pushed, bad))
    return forces


def _explaining(model: Model, q: Array, tau: Array, structure: Structure) -> Array:
    """The forces where contacts have their usual rank, and whether they do: the conditioning."""
    J = Decomposition(constraint_jacobian(model, q, structure.contacts), structure.rank, structure.size)
    return np.append(J.solve_transposed(tau), J.conditioning)


def _least_forces(contacts: Contacts, q: Floats, pushed: Floats) -> Floats:
    """The forces on arrays, at any rank."""
    return apply(pseudo_inverse(np.swapaxes(contacts.jacobian(q), -1, -2), scale=contacts.structure.size), pushed)
