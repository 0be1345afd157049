"""Normal equations of a log: sums that can be added, saved and merged in any order, to the same bits.

Samples are summed in cells of CELL, each in a fixed order.  The sums of cells are cut into parts of 26 bits whose own
sums are exact (Demmel and Nguyen 2015), so that addition is associative: threads, processes and
machines of one kind agree.
"""

from __future__ import annotations  # help shows types as they are written here

from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import ShapeError
from ..housekeeping import whole_file
from ..inputs.choices import file_path, floats, robot_first
from ..robot import Robot
from ..robot.quantities.arguments import joint_terms
from ..text import shortened_path
from .joint_terms import known_torque, term_names
from .samples import samples_of, with_force_sensors
from .tiles import PASS, WIDTH, Layout, by_numpy, layout, sums

#: samples that are summed in floating point, in so many strands; a log may be split at multiples of it
CELL, STRANDS = 4096, 8
#: bytes of the sums of cells in memory at a time, roughly
MEMORY = 1 << 25
#: exponents of the parts of a sum, each of 26 bits: sums from 1e-31 to 1e31 of up to 2^27 cells are exact
EXPONENTS = tuple(range(78, -131, -26))


class Equations(NamedTuple):
    """Sums over the samples: tau = Y x in the least squares."""

    YtY: NDArray[np.floating]
    Ytau: NDArray[np.floating]
    tautau: float


class Normal:
    """Normal equations YᵀY x = Yᵀτ of a block of a log, which can be added to those of other blocks.

    Any order of additions gives the same bits, and so does any split of a log at multiples of 4096 samples.

    Parameters
    ----------
    robot : a Robot
    block : something with q (n, nq), v, a and tau (n, nv), as attributes or keys: a Log, a Trajectory, a dict
    friction : terms of the joints, as of `robot.regressor`; what is not among them is taken from the robot
    weights : factor of each row, (n, nv) or (nv,); those of the block, or ones, if not given

    Examples
    --------
    >>> import articulated as art
    >>> import numpy as np
    >>> robot, rng = art.load("2r"), np.random.default_rng(0)
    >>> q, v, a = rng.normal(size=(3, 8192, 2))
    >>> block = {"q": q, "v": v, "a": a, "tau": robot.inverse_dynamics(q, v, a)}
    >>> whole = art.Normal(robot, block)
    >>> halves = [art.Normal(robot, {name: x[k : k + 4096] for name, x in block.items()}) for k in (0, 4096)]
    >>> sum(halves) == whole
    True
    """

    def __init__(self, robot: Robot, block: Any, friction: Any = (), weights: ArrayLike | None = None):
        self.terms = joint_terms("Normal", friction)
        robot, samples, self.contacts = samples_of("Normal", robot_first("Normal", robot), block, weights)
        self._describe(robot)
        self.samples = len(samples["q"])
        self.rows = np.zeros(len(self.joint_names), np.int64)
        given = samples["weights"]
        same = self.samples and not given.strides[0]  # broadcast: one row for all samples
        used = np.count_nonzero(given[: 1 if same else None], axis=0) * (self.samples if same else 1)
        np.add.at(self.rows, list(self.layout.joints), used)
        size = CELL * max(1, min(64, MEMORY // (8 * STRANDS * (self.bins[0].size + 1))))
        for first in range(0, self.samples, size):
            part = {name: x[first : first + size] for name, x in samples.items()}
            self._add(cell_sums(robot, self.layout, part, CELL, STRANDS))

    def _describe(self, robot: Robot) -> None:
        """Description of everything but the sums."""
        self.robot_name, self.layout = robot.name, layout(robot, self.terms, contacts=self.contacts)
        self.sensors = tuple(k.name for k in robot.links if k.joint.senses)
        self.joint_names = self.layout.labels
        self.names = [*robot.parameter_names, *term_names(robot, self.terms)]
        self.bins = np.zeros((len(EXPONENTS), self.layout.tiles, WIDTH**2))

    def _add(self, cells: NDArray[np.floating]) -> None:
        """Sums (cells, tiles, WIDTH²) of cells, part by part; `cells` is used up."""
        largest = abs(cells).max(initial=0.0)
        if not largest < 2.0**100:
            raise ShapeError("Normal: the block holds NaN, or numbers beyond 1e15; read_log leaves such rows out")
        for exponent, total in zip(EXPONENTS, self.bins, strict=True):
            if largest >= 2.0 ** (exponent - 1):
                rounder = 1.5 * 2.0 ** (52 + exponent)
                part = cells + rounder
                part -= rounder
                total += part.sum(axis=0)
                cells -= part

    @property
    def tiles(self) -> NDArray[np.floating]:
        """Sums of the products of columns: see `Layout`."""
        total = np.zeros(self.bins.shape[1:])
        for part in self.bins[::-1]:
            total += part
        return total

    def equations(self, weights: ArrayLike | None = None) -> Equations:
        """YᵀY, Yᵀτ and τᵀτ in the columns of `robot.regressor(…, friction=…)`.

        Parameters
        ----------
        weights : of the squares of each joint, in the order of `joint_names`; ones if not given

        Returns
        -------
        Equations(YtY, Ytau, tautau)

        Examples
        --------
        >>> import articulated as art
        >>> robot = art.load("2r")
        >>> state = {"q": [[0.1, 0.2]], "v": [[0, 0]], "a": [[0, 0]], "tau": [[1.0, 2.0]]}
        >>> art.Normal(robot, state).equations().tautau
        5.0
        """
        count = len(self.joint_names)
        factor = np.ones(count) if weights is None else floats("equations: weights", weights)
        if not np.isfinite(factor).all() or factor.shape != (count,):
            raise ShapeError(f"equations: weights has shape {factor.shape}; one finite number for each joint")
        G = self.layout.total(self.tiles, factor)
        base, torque, terms = split(self.layout)
        K = np.zeros((len(base) + len(terms), len(self.names)))
        K[: len(base), : self.layout.base.matrix.shape[1]] = self.layout.base.matrix
        K[len(base) :, self.layout.base.matrix.shape[1] :] = np.eye(len(terms))
        own = np.r_[base, terms]
        moments = G[np.ix_(own, torque)].sum(axis=1)  # the torque of a joint is a column of its own
        return Equations(K.T @ G[np.ix_(own, own)] @ K, K.T @ moments, float(G[torque, torque].sum()))

    def __add__(self, other: Any) -> Normal:
        if other == 0 and not isinstance(other, Normal):  # sum() begins with it
            return self
        if not isinstance(other, Normal):
            return NotImplemented
        if (self.names, self.contacts) != (other.names, other.contacts) or self.bins.shape != other.bins.shape:
            raise ShapeError(f"Normal: {self} and {other} have different columns")
        found = object.__new__(Normal)
        found.__dict__.update(self.__dict__)
        found.bins, found.samples, found.rows = (
            self.bins + other.bins,
            self.samples + other.samples,
            self.rows + other.rows,
        )
        return found

    __radd__ = __add__

    def __eq__(self, other: Any) -> bool:
        if not isinstance(other, Normal):
            return NotImplemented
        same = (self.names, self.contacts) == (other.names, other.contacts)
        return same and self.samples == other.samples and np.array_equal(self.bins, other.bins)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<Normal of {self.robot_name}: {self.samples} samples, {len(self.layout.base)} base parameters>"

    def save(self, path: str | Path) -> None:
        """Write an .npz file, completely or not at all.

        Parameters
        ----------
        path : of the file

        Returns
        -------
        nothing

        Examples
        --------
        >>> import articulated as art
        >>> import os, tempfile
        >>> robot = art.load("2r")
        >>> normal = art.Normal(robot, {"q": [[0.1, 0.2]], "v": [[0, 0]], "a": [[0, 0]], "tau": [[1.0, 2.0]]})
        >>> path = os.path.join(tempfile.mkdtemp(), "normal.npz")
        >>> normal.save(path)
        >>> art.Normal.load(robot, path) == normal
        True
        """
        with whole_file(file_path("save", path), "wb") as file:
            file.write(self._saved())

    def _saved(self) -> bytes:
        """Content of the file that `save` writes."""
        held: Any = {
            "names": np.array(self.names),
            **{name: np.array(getattr(self, name), "U") for name in ("terms", "sensors", "contacts")},
            "samples": np.array(self.samples),
        }
        file = BytesIO()
        np.savez_compressed(file, **held, rows=self.rows, bins=self.bins, columns=self.layout.base.columns)
        return file.getvalue()

    @classmethod
    def load(cls, robot: Robot, path: str | Path | BytesIO) -> Normal:
        """The normal equations in a file, of this robot.

        Parameters
        ----------
        robot : the Robot they were made of
        path : of the file

        Returns
        -------
        a Normal

        Examples
        --------
        >>> import articulated as art
        >>> import os, tempfile
        >>> robot, path = art.load("2r"), os.path.join(tempfile.mkdtemp(), "normal.npz")
        >>> art.Normal(robot, {"q": [[0.1, 0.2]], "v": [[0, 0]], "a": [[0, 0]], "tau": [[1.0, 2.0]]}).save(path)
        >>> art.Normal.load(robot, path).samples
        1
        """
        found = object.__new__(cls)
        with np.load(path if isinstance(path, BytesIO) else file_path("load", path), allow_pickle=False) as held:
            found.terms, sensors, found.contacts = (
                tuple(map(str, held[name])) for name in ("terms", "sensors", "contacts")
            )
            found._describe(with_force_sensors(robot_first("load", robot), sensors))
            columns = held["columns"].tolist() == found.layout.base.columns.tolist()
            if held["names"].tolist() != found.names or held["bins"].shape != found.bins.shape or not columns:
                raise ShapeError(f"{shortened_path(path)}: normal equations of another robot than {robot.name}")
            found.bins, found.rows, found.samples = held["bins"], held["rows"], int(held["samples"])
        return found


def split(plan: Layout) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.intp]]:
    """Positions of the base columns, of the torque of each velocity and of the terms of each."""
    own = len(plan.base) + np.arange(len(plan.joints) * plan.own).reshape(-1, plan.own)
    return np.arange(len(plan.base)), own[:, 0], own[:, plan.given :].ravel()


def cell_sums(
    robot: Robot,
    plan: Layout,
    samples: Mapping[str, NDArray[np.floating]],
    cell: int,
    strands: int = 1,
) -> NDArray[np.floating]:
    """Sums (cells, tiles, WIDTH²) over cells of so many samples; the last may be shorter.

    A cell is summed in `strands`, which fill the lanes of a vector; it is a multiple of PASS and these.
    """
    q, v, a, tau, weights = (samples[name] for name in ("q", "v", "a", "tau", "weights"))
    known = known_torque(robot, v, a, plan.terms) - samples.get("external", 0.0)
    own = tau - known if plan.given == 1 else np.stack([tau, np.broadcast_to(known, tau.shape)], axis=-1)
    arrays = q, v, a, own.reshape(len(q), -1), weights
    if plan.contacts:
        found = np.zeros((-(-len(q) // cell), plan.tiles, WIDTH**2))
        for k, out in enumerate(found):
            by_numpy(robot, plan, out, *(x[k * cell : (k + 1) * cell] for x in (*arrays, samples["contacts"])))
        return found
    full, rest = divmod(len(q), cell)
    each = []
    if full:
        parts = [x[: full * cell].reshape(full * strands, cell // strands, -1) for x in arrays]
        if not weights.strides[0]:  # broadcast: rows that are the same for all are read once
            parts[-1] = np.broadcast_to(weights[:1], (cell // strands, weights.shape[1]))
        each.append(sums(robot, plan, *map(_plain, parts)).reshape(full, strands, plan.tiles, -1).sum(axis=1))
    if rest:
        ends = [x[full * cell :] for x in arrays]
        missing = -rest % (PASS * strands)
        ends = [np.concatenate([x, x[:1].repeat(missing, axis=0)]) for x in ends]
        ends[-1][rest:] = 0.0
        parts = [_plain(x.reshape(strands, -1, x.shape[1])) for x in ends]
        each.append(sums(robot, plan, *parts).sum(axis=0, keepdims=True))
    return np.concatenate(each) if each else np.zeros((0, plan.tiles, WIDTH**2))


def _plain(x: NDArray[np.floating]) -> NDArray[np.floating]:
    """Contiguous and aligned, as arrays that came over a network may not be."""
    return np.require(x, float, ("C", "A"))
