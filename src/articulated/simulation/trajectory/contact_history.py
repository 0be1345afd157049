"""ContactHistory: forces, gaps and states of contact points over time."""

from __future__ import annotations  # help shows types as they are written here

from collections.abc import Callable, Iterable
from typing import Any, Self

import numpy as np

from ...errors import ShapeError
from ...inputs.choices import floats, names
from ...inputs.frozen import Frozen
from ...inputs.labels import XYZ
from .checks import frozen, over_time, require_numbers

OPEN, STICKING, SLIDING = range(3)
#: field → how many axes follow that of time
AXES = {"forces": 2, "positions": 2, "normals": 2, "gaps": 1, "states": 1, "residual": 0, "moments": 2}


class ContactHistory(Frozen):
    """Forces, gaps and states of nc contact points in T samples, each of the step that begins there.

    A force is the impulse of its step divided by dt: that of an impact grows as dt shrinks, its impulse, force × dt,
    does not.

    Parameters
    ----------
    names : the points, nc of them
    forces : (…, T, nc, 3) N, on the robot, world axes
    positions : (…, T, nc, 3) m, in the world
    normals : (…, T, nc, 3) unit vectors out of the ground
    gaps : (…, T, nc) m, negative inside the ground; infinite where there is none
    frictions : (nc,) or (…, nc)
    states : (…, T, nc) 0 open, 1 sticking, 2 sliding
    residual : (…, T) relative residual of the contact problem, the largest since the sample before
    moments : (…, T, nc, 3) N m, on the robot about the positions, world axes; None if all only push

    Examples
    --------
    >>> import articulated as art
    >>> dog = art.load("quadruped", floating_base=True)
    >>> art.simulate(dog, dog.poses["home"], duration=0.02, contacts=art.Ground()).contact.forces.shape
    (21, 32, 3)
    """

    names: tuple[str, ...]
    forces: np.ndarray
    positions: np.ndarray
    normals: np.ndarray
    gaps: np.ndarray
    frictions: np.ndarray
    states: np.ndarray
    residual: np.ndarray
    moments: np.ndarray | None

    def __init__(
        self,
        names: Iterable[str],
        forces: Any,
        positions: Any,
        normals: Any,
        gaps: Any,
        frictions: Any,
        states: Any,
        residual: Any,
        moments: Any = None,
    ):
        points = _points(names)
        count = len(points)
        known = floats("contact.gaps", gaps, points)
        if known.ndim < 2 or known.shape[-1] != count:
            raise ShapeError(f"contact.gaps has shape {known.shape}; for {count} points it must be (…, T, {count})")
        *batch, T, _ = known.shape
        given = {"forces": forces, "positions": positions, "normals": normals, "gaps": gaps, "states": states}
        given |= {} if moments is None else {"moments": moments}
        tails = {name: (T, count, 3)[: 1 + AXES[name]] for name in given}
        axes = {name: (points,) if AXES[name] == 1 else (XYZ, points) for name in given}
        found = {
            name: over_time(f"contact.{name}", x, tuple(batch), tails[name], *axes[name]) for name, x in given.items()
        }
        found["residual"] = over_time("contact.residual", residual, tuple(batch), (T,))
        found["frictions"] = _frictions(frictions, tuple(batch), points)
        _check(points, found)
        found["states"] = frozen(found["states"].astype(np.int8))
        self.__dict__.update(names=points, **{"moments": None, **found})

    def __repr__(self) -> str:
        return f"<ContactHistory of {len(self.names)} points, {self.residual.shape[-1]} samples>"

    @property
    def tangential(self) -> np.ndarray:
        """Size of the friction force, (…, T, nc) N."""
        along = self.forces - self.normal[..., None] * self.normals
        return np.linalg.norm(along, axis=-1)

    @property
    def normal(self) -> np.ndarray:
        """Force along the normal, (…, T, nc) N."""
        return np.einsum("...i,...i", self.forces, self.normals)

    @property
    def axes(self) -> dict[str, int]:
        """The arrays over time there are, and how many axes follow that of time."""
        return {name: after for name, after in AXES.items() if getattr(self, name) is not None}

    def changed(self, take: Callable[[np.ndarray, int], np.ndarray], frictions: np.ndarray | None = None) -> Self:
        """The same history with every array over time replaced: slices, members of a batch, other times.

        Parameters
        ----------
        take : a function of an array (…, T, …) and the number of axes after that of time; it returns the new array
        frictions : the coefficients of the new history, (nc,) or (…, nc); None: those of this one

        Returns
        -------
        a ContactHistory

        Examples
        --------
        >>> import articulated as art
        >>> robot = art.load("quadruped", floating_base=True)
        >>> q = robot.integrate(robot.neutral(), [0, 0, 0.5] + [0] * 15)
        >>> history = art.simulate(robot, q, duration=0.01, contacts=art.Ground()).contact
        >>> history.changed(lambda x, after: x[(slice(0, 5), *[slice(None)] * after)]).residual.shape
        (5,)
        """
        arrays = {name: take(getattr(self, name), after) for name, after in self.axes.items()}
        return type(self)(self.names, frictions=self.frictions if frictions is None else frictions, **arrays)

    def __reduce__(self) -> Any:
        order = ("names", "forces", "positions", "normals", "gaps", "frictions", "states", "residual", "moments")
        return type(self), tuple(getattr(self, name) for name in order)


def _points(given: Any) -> tuple[str, ...]:
    points = tuple(names("contact.names", given))
    if repeated := [name for name in points if points.count(name) > 1]:
        raise ShapeError(f"contact.names holds {repeated[0]!r} twice")
    return points


def _frictions(given: Any, batch: tuple[int, ...], points: tuple[str, ...]) -> np.ndarray:
    count = len(points)
    x = floats("contact.frictions", given, points)
    if x.shape not in ((count,), (*batch, count)):
        each = f" or {(*batch, count)}" if batch else ""
        raise ShapeError(f"contact.frictions has shape {x.shape}; it must be ({count},){each}")
    if not (x >= 0).all():
        raise ShapeError(f"contact.frictions holds {x[~(x >= 0)][0]}; a coefficient of friction is a number from 0")
    return frozen(x)


def _check(points: tuple[str, ...], found: dict[str, np.ndarray]) -> None:
    """Numbers where there must be numbers, and what they can be."""
    for name in [name for name in ("forces", "positions", "normals", "moments") if name in found]:
        require_numbers(f"contact.{name}", found[name], -3)
    require_numbers("contact.residual", found["residual"], -1)
    gaps, states = found["gaps"], found["states"]
    require_numbers("contact.gaps", np.where(gaps == np.inf, 0.0, gaps), -2, names=points)
    if not np.isin(states, (OPEN, STICKING, SLIDING)).all():
        odd = states[~np.isin(states, (OPEN, STICKING, SLIDING))][0]
        raise ShapeError(f"contact.states holds {odd:g}; it is 0 open, 1 sticking or 2 sliding")
    with np.errstate(over="ignore"):
        lengths = np.linalg.norm(found["normals"], axis=-1)
    if (abs(lengths - 1) > 1e-6).any():
        odd = lengths.ravel()[np.argmax(abs(lengths - 1))]
        raise ShapeError(f"contact.normals holds a vector of length {odd:g}; normals are unit vectors")
