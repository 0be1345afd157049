"""Recursive least squares for a payload: state by state, as a controller sees them."""

from __future__ import annotations  # help shows types as they are written here

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..algebra.spatial import Inertia
from ..errors import ShapeError
from ..inputs.choices import floats, number, robot_first, whole_number
from ..model.parameters import from_parameters
from ..robot import Robot
from ..robot.arguments.arrays import as_vectors, check_batches
from .unknowns import PAYLOAD, payload_map

Floats = NDArray[np.floating]


class PayloadEstimator:
    """Mass, center and inertia of a payload from states and torques, one after the other.

    Parameters
    ----------
    robot : a Robot without the payload, its friction included
    link : frame that carries it; the last one if not given
    memory : states after which one counts a third; infinite: none is forgotten
    noise : standard deviation of the torques, (nv,) or one number: N m
    batch : leading shape, for many logs at once

    Examples
    --------
    >>> import articulated as art
    >>> import numpy as np
    >>> robot, rng = art.load("panda"), np.random.default_rng(0)
    >>> loaded = robot.attach("panda_hand", art.Inertia(1.2, (0.0, 0.0, 0.1)))
    >>> estimator = art.PayloadEstimator(robot, "panda_hand")
    >>> for q, v, a in rng.normal(size=(200, 3, 7)):
    ...     estimator.update(q, v, a, loaded.inverse_dynamics(q, v, a))
    >>> round(estimator.mass.item(), 3), estimator.center.round(3).tolist()
    (1.2, [-0.0, -0.0, 0.1])
    """

    def __init__(
        self,
        robot: Robot,
        link: str | None = None,
        *,
        memory: float = np.inf,
        noise: ArrayLike = 0.1,
        batch: tuple[int, ...] = (),
    ):
        self.robot, self._map = robot_first("PayloadEstimator", robot), payload_map(robot, link)
        forever = isinstance(memory, float) and memory == np.inf
        span = number("PayloadEstimator: memory", 1e300 if forever else memory, "a number of states from 1", 1.0)
        self._kept = 1 - 1 / span
        given = floats("PayloadEstimator: noise", noise)
        if given.shape not in ((), (robot.nv,)) or not (np.isfinite(given) & (given > 1e-300)).all():
            raise ShapeError(f"PayloadEstimator: noise is a number or ({robot.nv},), larger than 0; got {given.shape}")
        self._weight = 1 / np.broadcast_to(given, (robot.nv,))
        axes = batch if isinstance(batch, (tuple, list)) else (batch,)
        batch = tuple(whole_number("PayloadEstimator: batch", n) for n in axes)
        mass, radius = PAYLOAD
        # nothing, as if it had been seen once, give or take a body of this size
        scale = np.array([mass, *[mass * radius] * 3, *[mass * radius**2] * 6])
        self._A = np.zeros((*batch, 10, 10)) + np.diag(1e-6 / scale**2)
        self._b = np.zeros((*batch, 10))

    def __repr__(self) -> str:
        return f"<PayloadEstimator of {self.robot.name}>"

    def update(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, tau: ArrayLike) -> None:
        """Take one state (…, ·) and its torques into account.

        Parameters
        ----------
        q : configuration, (…, nq)
        v : velocity, (…, nv)
        a : acceleration, (…, nv)
        tau : measured torques, (…, nv)

        Returns
        -------
        nothing; `mass`, `center`, `parameters` and `payload` follow

        Examples
        --------
        >>> import articulated as art
        >>> estimator = art.PayloadEstimator(art.load("2r"), "tip")
        >>> estimator.update([0.1, 0.2], [0, 0], [0, 0], art.load("2r").gravity_forces([0.1, 0.2]))
        >>> bool(abs(estimator.mass) < 1e-9)
        True
        """
        Y = np.asarray(self.robot.regressor(q, v, a)) @ self._map * self._weight[:, None]
        measured = as_vectors("update", self.robot.name, "tau", tau, self.robot.kernels.vectors["tau"])
        check_batches("update", {"q, v and a": Y[..., 0, :], "tau": measured, "the batch": self._b})
        left = (measured - self.robot.inverse_dynamics(q, v, a)) * self._weight
        if not np.isfinite(left).all():
            raise ShapeError("update: q, v, a or tau holds NaN or infinity")
        Yt = np.swapaxes(Y, -1, -2)
        self._A = self._kept * self._A + Yt @ Y
        self._b = self._kept * self._b + (Yt @ left[..., None])[..., 0]

    @property
    def parameters(self) -> Floats:
        """The ten inertial parameters, (…, 10), in the axes of the frame."""
        d = 1 / np.sqrt(np.einsum("...ii->...i", self._A))
        return d * np.linalg.solve(self._A * d[..., None] * d[..., None, :], (d * self._b)[..., None])[..., 0]

    @property
    def mass(self) -> Floats:
        """kg, (…)."""
        return self.parameters[..., 0]

    @property
    def center(self) -> Floats:
        """Center of mass, (…, 3): m."""
        found = self.parameters
        return found[..., 1:4] / found[..., :1]

    @property
    def payload(self) -> Inertia:
        """The body, of one log."""
        found: Any = self.parameters
        return from_parameters(found.reshape(-1, 10)[0].tolist())
