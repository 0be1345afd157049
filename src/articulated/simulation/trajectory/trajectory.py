"""Trajectory: a motion over time, and what can be asked of it."""

from __future__ import annotations  # help shows types as they are written here

import operator
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Self, SupportsIndex, overload

import numpy as np
from numpy.typing import ArrayLike

from ...algorithms.springs import spring_squares
from ...errors import ShapeError
from ...inputs.choices import number
from ...inputs.frozen import Frozen
from ...robot import Robot
from ...text import counted, shortened
from ..joint_parameters import added_stiffness, rotor_inertia
from . import checks, info, interpolation, parts
from .checks import frozen, state_arrays, times
from .contact_history import ContactHistory
from .quantities import Energy, State
from .summary import Finding, findings, headline, summary_html

if TYPE_CHECKING:
    from ...geometry.distances import Obstacle
    from .plots.draw import Picture


class Trajectory(Frozen):
    """The motion of a robot, T samples of it, of one run or a batch.

    Sample k is the state at t[k]; a[k], tau[k], the contacts and the forces are those of the step that begins there
    (at the last sample: of the step that would come next).  The arrays are read-only views of those given; do not
    change the originals.

    Parameters
    ----------
    robot : a Robot
    t : times, (T,): s
    q : configurations, (…, T, nq)
    v : velocities, (…, T, nv)
    a : accelerations, (…, T, nv), or a function that gives them
    tau : generalized forces, (…, T, nv): N m, N
    contact : an art.ContactHistory, or None
    forces : external forces by frame, (…, T, 6), [force; moment] on the robot in the frame's axes
    info : how it was made; plain values
    parameters : inertial parameters, (10 nb,) or (…, 10 nb), if they are not those of the robot
    joints : {joint: {"damping": …, "friction": …, "armature": …, "stiffness": …}} of the run, numbers or (…), likewise

    Examples
    --------
    >>> import articulated as art
    >>> run = art.simulate(art.load("2r"), [0.5, 0.0], duration=0.2)
    >>> run
    <Trajectory of 2r: 201 samples, 0 … 0.2 s>
    >>> run.q.shape, run[-1].v.shape, run.between(0.1, 0.2).duration.__round__(3)
    ((201, 2), (2,), 0.1)
    """

    robot: Robot
    t: np.ndarray
    q: np.ndarray
    v: np.ndarray
    tau: np.ndarray
    contact: ContactHistory | None
    forces: Mapping[str, np.ndarray]
    info: Mapping[str, Any]
    parameters: np.ndarray | None
    joints: Mapping[str, Mapping[str, np.ndarray]]
    _later: Any  # a function that gives the accelerations, or None

    def __init__(
        self,
        robot: Robot,
        t: ArrayLike,
        q: ArrayLike,
        v: ArrayLike,
        a: ArrayLike | Callable[[], ArrayLike],
        tau: ArrayLike,
        contact: ContactHistory | None = None,
        forces: Mapping[str, ArrayLike] | None = None,
        info: Mapping[str, Any] | None = None,
        parameters: ArrayLike | None = None,
        joints: Mapping[str, Mapping[str, ArrayLike]] | None = None,
    ):
        if not isinstance(robot, Robot):
            raise ShapeError(f"Trajectory takes a robot first; got {shortened(repr(robot))}")
        moments, state = times(t), {"q": q, "v": v, "tau": tau} | ({} if callable(a) else {"a": a})
        arrays = state_arrays(robot, moments, state)
        batch = arrays["q"].shape[:-2]
        self.__dict__.update(
            robot=robot, t=moments, **arrays, contact=checks.contact(contact, (*batch, len(moments))),
            forces=checks.forces(robot, forces, moments, batch), info=checks.plain(info),
            parameters=checks.parameters(robot, parameters, batch), joints=checks.joints(robot, joints, batch),
            _poses={}, _later=a if callable(a) else None,
        )  # fmt: skip

    @cached_property
    def a(self) -> np.ndarray:
        """Accelerations (…, T, nv); computed when first asked for, if they were given as a function."""
        return state_arrays(self.robot, self.t, {"q": self.q, "a": self._later()})["a"]

    # -- parts ------------------------------------------------------------------------------

    def __len__(self) -> int:
        """Number of samples."""
        return len(self.t)

    @overload
    def __getitem__(self, index: slice) -> Self: ...

    @overload
    def __getitem__(self, index: SupportsIndex) -> State: ...

    def __getitem__(self, index: Any) -> Any:
        """`run[a:b]` is a trajectory of these samples, `run[k]` the State of one; `run.batch[i]` is for the batch."""
        several = isinstance(index, slice)
        try:
            k = np.arange(len(self))[index if several else operator.index(index)]
        except (TypeError, ValueError, IndexError):
            known = f"samples are 0 … {len(self) - 1} or a slice; run.batch[i] is for the batch"
            raise ShapeError(f"run[{shortened(repr(index))}]: {known}") from None
        if several:
            return type(self)(**parts.samples(self, k, f"run[{index}]"))
        return State(self.t[k], self.q[..., k, :], self.v[..., k, :], self.a[..., k, :], self.tau[..., k, :])

    def __iter__(self) -> Iterator[State]:
        return (self[k] for k in range(len(self)))

    @property
    def batch(self) -> parts.Batch:
        """The runs of a batch: `.shape`, `len`, and `batch[i]`, `batch[:10]`, `batch[mask]` as trajectories."""
        return parts.Batch(self.q.shape[:-2], lambda index: type(self)(**parts.members(self, index)))

    @property
    def duration(self) -> float:
        """From the first sample to the last, in seconds."""
        return float(self.t[-1] - self.t[0])

    def between(self, start: float, end: float) -> Self:
        """The samples with start ≤ t ≤ end.

        Parameters
        ----------
        start : s
        end : s

        Returns
        -------
        a Trajectory

        Examples
        --------
        >>> import articulated as art
        >>> run = art.simulate(art.load("2r"), [0.5, 0.0], duration=0.2)
        >>> len(run.between(0.1, 0.15))
        51
        """
        low, high = (number(f"between: {n}", x, "a time", -np.inf) for n, x in (("start", start), ("end", end)))
        chosen = np.flatnonzero((self.t >= low) & (self.t <= high))
        told = f"between {low:g} s and {high:g} s (it goes from {self.t[0]:g} to {self.t[-1]:g})"
        return type(self)(**parts.samples(self, chosen, told))

    def at(self, t: ArrayLike) -> State:
        """The state at a time, or at times (K,), between the samples by cubics: see `interpolation.py`.

        Parameters
        ----------
        t : a time, or times (K,): s

        Returns
        -------
        State(t, q, v, a, tau); of K times each has an axis of K before its last

        Notes
        -----
        Source: cubic Hermite polynomials, in the tangent space where q is no vector.

        Examples
        --------
        >>> import articulated as art
        >>> run = art.simulate(art.load("2r"), [0.5, 0.0], duration=0.2)
        >>> run.at(0.0105).q.shape, run.at([0.01, 0.02]).q.shape
        ((2,), (2, 2))
        """
        here = interpolation.places(self.t, t, "at: t")
        if here.step.ndim > 1:
            raise ShapeError(f"at: t is a time or a list of times; got the shape {here.step.shape}")
        single = here.step.ndim == 0
        places = interpolation.Places(np.atleast_1d(here.step), np.atleast_1d(here.part))
        if self.info.get("smooth") is True:
            q, v, a = interpolation.smooth(self.robot, self.t, self.q, self.v, self.a, places)
        else:
            q = interpolation.positions(self.robot, self.t, self.q, self.v, places)
            v, a = interpolation.velocities(self.t, self.v, self.a, places), self.a[..., places.step, :]
        found = (q, v, a, self.tau[..., places.step, :])
        return State(np.asarray(t, float), *(x[..., 0, :] if single else x for x in found))

    def resample(self, times: ArrayLike | None = None, dt: float | None = None) -> Self:
        """The trajectory at other times, or every `dt` seconds from its start; interpolated as by `at`.

        Parameters
        ----------
        times : (K,): s
        dt : between samples, s

        Returns
        -------
        a Trajectory

        Examples
        --------
        >>> import articulated as art
        >>> run = art.simulate(art.load("2r"), [0.5, 0.0], duration=0.2)
        >>> len(run.resample(dt=0.01))
        21
        """
        if (times is None) == (dt is None):
            raise ShapeError("resample takes times or dt, one of them")
        if dt is not None:
            times = interpolation.regular(self.t, number("resample: dt", dt, "a time above zero", 5e-324))
        found = self.at(times)  # type: ignore[arg-type]
        held = parts.held(self, interpolation.places(self.t, times, "resample: times").step)
        kept = parts.kept(self, found.t)
        kept["info"] = info.resampled(kept["info"], None if dt is None else float(dt))
        return type(self)(**found._asdict(), **held, **kept)

    def __add__(self, other: Any) -> Self:
        """This run and the one that continues it; its times are shifted so that it begins where this one ends."""
        return type(self)(**parts.joined(self, other)) if isinstance(other, Trajectory) else NotImplemented

    @classmethod
    def concatenate(cls, *runs: Trajectory) -> Trajectory:
        """Runs one after the other, each from the state where the one before ends; the shared sample is kept once.

        Parameters
        ----------
        runs : trajectories of one robot

        Returns
        -------
        a Trajectory

        Examples
        --------
        >>> import articulated as art
        >>> run = art.simulate(art.load("2r"), [0.5, 0.0], duration=0.2)
        >>> len(art.Trajectory.concatenate(run[:101], run[100:]))
        201
        """
        if not runs or not all(isinstance(run, Trajectory) for run in runs):
            raise ShapeError("concatenate takes trajectories, one after the other")
        whole = runs[0]
        for run in runs[1:]:
            whole = whole + run
        return whole

    # -- what follows from the state, computed when it is asked for -----------------------------

    @property
    def inertia(self) -> dict[str, Any]:
        """Keyword `parameters` for methods of the robot at the states of this run, if it has its own."""
        return {} if self.parameters is None else {"parameters": self.parameters[..., None, :]}

    @property
    def more_rotor_inertia(self) -> np.ndarray:
        """Rotor inertia that `joints` add to the diagonal of the robot's own mass matrix, (nv,) or (…, nv)."""
        return rotor_inertia(self.robot, self.joints) - np.array(self.robot.model.armature, float)

    @cached_property
    def energy(self) -> Energy:
        """Kinetic, potential and total energy, (…, T) J each."""
        own = self.inertia
        kinetic = self.robot.kinetic_energy(self.q, self.v, **own)
        if self.joints:
            kinetic = kinetic + 0.5 * (self.more_rotor_inertia[..., None, :] * self.v**2).sum(axis=-1)
        potential = self.robot.potential_energy(self.q, **own)
        if any("stiffness" in x for x in self.joints.values()):
            squares = self.robot.kernels.evaluate("energy", spring_squares, {"q": self.q})
            potential = potential + (added_stiffness(self.robot, self.joints)[..., None, :] * squares).sum(axis=-1)
        return Energy(*map(frozen, (kinetic, potential, kinetic + potential)))

    @cached_property
    def momentum(self) -> np.ndarray:
        """[linear; angular] momentum about the center of mass, world axes, (…, T, 6)."""
        return frozen(self.robot.centroidal_momentum(self.q, self.v, **self.inertia))

    @cached_property
    def center_of_mass(self) -> np.ndarray:
        """Center of mass of the moving bodies, (…, T, 3) m."""
        return frozen(self.robot.center_of_mass(self.q, **self.inertia))

    @cached_property
    def power(self) -> np.ndarray:
        """Power of tau, (…, T) W."""
        return frozen(np.einsum("...i,...i", self.tau, self.v))

    def pose(self, frame: str) -> np.ndarray:
        """Homogeneous pose of a frame in the world, (…, T, 4, 4).

        Parameters
        ----------
        frame : name of a link or frame

        Returns
        -------
        (…, T, 4, 4), in the world

        Examples
        --------
        >>> import articulated as art
        >>> run = art.simulate(art.load("2r"), [0.5, 0.0], duration=0.2)
        >>> run.pose("tip").shape
        (201, 4, 4)
        """
        name = self.robot.model.frame(frame).name
        if name not in self._poses:  # type: ignore[attr-defined]
            self._poses[name] = frozen(self.robot.pose(self.q, name))  # type: ignore[attr-defined]
        return self._poses[name]  # type: ignore[attr-defined]

    @cached_property
    def findings(self) -> list[Finding]:
        """Findings about this motion: divergence, limits exceeded, contacts not solved, energy gained."""
        return findings(self)

    # -- shown, drawn, stored ---------------------------------------------------------------------

    def __repr__(self) -> str:
        found = f"; {counted(len(self.findings), 'finding')}, see .findings" if self.findings else ""
        return f"<Trajectory of {headline(self)}{found}>"

    def _repr_html_(self) -> str:
        """In a notebook: findings, then ranges."""
        return summary_html(self)

    def plot(
        self,
        kind: Picture = "overview",
        path: str | Path | None = None,
        joints: Iterable[str] | None = None,
        size: tuple[float, float] | None = None,
        dpi: float = 150,
        law: Any = None,
    ) -> Any:
        """A picture as a matplotlib figure, written to a .png, .svg or .pdf file if `path` names one.

        kind: overview, positions, velocities, torques, energies, contact_forces, footfalls, phase_portraits,
        mass_matrix, tree, law.

        Parameters
        ----------
        kind : one of these words
        path : of the file; its ending says the format
        joints : names of those to show, where there is a choice
        size : width and height in inches
        dpi : dots per inch
        law : of the kind "law": the controller after `record()`, or its `ticks`

        Returns
        -------
        a matplotlib Figure

        Examples
        --------
        >>> import articulated as art
        >>> run = art.simulate(art.load("2r"), [0.5, 0.0], duration=0.2)
        >>> type(run.plot("energies")).__name__
        'Figure'
        """
        from .plots import draw

        return draw(self, kind, path, joints, size, dpi, law)

    def animate(
        self,
        path: str | Path,
        *,
        size: tuple[int, int] = (640, 480),
        fps: float = 25,
        speed: float = 1.0,
        dark: bool = False,
        forces: bool = True,
        follow: bool | None = None,
        view_from: ArrayLike = (0.72, 0.6, 0.3),
        meshes: Literal["light", "full"] = "light",
        paths: Iterable[str] = (),
        obstacles: Sequence[Obstacle] = (),
        progress: bool | None = None,
    ) -> None:
        """Draw the motion as a GIF or MP4 file, or its last moment as PNG; needs no display and no graphics card.

        The robot casts its shadow on the ground; contact forces are green arrows (red outside their friction cones),
        external forces orange ones.  A force of the robot's weight is 0.6 times as long as the robot is large.

        Parameters
        ----------
        path : of the file: .gif, .mp4 (needs the extra `video`) or .png; written whole or not at all
        size : width and height, pixels
        fps : pictures a second; of a GIF the nearest that divides 100
        speed : 0.5: half as fast as it was
        dark : True: light on dark
        forces : True: forces are drawn
        follow : True: the camera moves along with the center of mass; None: if the base floats
        view_from : direction from the robot to the camera, (3,) world axes
        meshes : "light": large mesh files with fewer triangles; "full": as they are
        paths : frames whose ways are drawn
        obstacles : shapes placed in the world, as `robot.collides` takes them
        progress : True: a bar on stderr; None: on a terminal, if it takes long

        Returns
        -------
        nothing

        Examples
        --------
        >>> import articulated as art
        >>> run = art.simulate(art.load("2r"), [0.5, 0.0], duration=0.2)
        >>> import os, tempfile
        >>> path = os.path.join(tempfile.mkdtemp(), "swing.gif")
        >>> run.animate(path, size=(160, 120))
        >>> os.path.getsize(path) > 0
        True
        """
        from .animation import animate

        animate(
            self, path, size=size, fps=fps, speed=speed, dark=dark, forces=forces, follow=follow, view_from=view_from,
            meshes=meshes, paths=paths, obstacles=obstacles, progress=progress,
        )  # fmt: skip

    def save(self, path: str | Path) -> None:
        """Write a .npz, .parquet or .csv file, completely or not at all.

        Parameters
        ----------
        path : of the file; its ending says the format

        Returns
        -------
        nothing

        Examples
        --------
        >>> import articulated as art
        >>> run = art.simulate(art.load("2r"), [0.5, 0.0], duration=0.2)
        >>> import os, tempfile
        >>> path = os.path.join(tempfile.mkdtemp(), 'run.npz')
        >>> run.save(path)
        >>> os.path.exists(path)
        True
        """
        from .storage import save

        save(self, path)

    @staticmethod
    def load(path: str | Path, robot: Robot | str | Path | None = None) -> Trajectory:
        """The trajectory in a .npz, .parquet or .csv file; `robot` (or its name or file) replaces the one it names.

        Parameters
        ----------
        path : of the file; its ending says the format
        robot : a Robot, its name or its file, in the place of the one the file names

        Returns
        -------
        a Trajectory

        Examples
        --------
        >>> import articulated as art
        >>> run = art.simulate(art.load("2r"), [0.5, 0.0], duration=0.2)
        >>> import os, tempfile
        >>> path = os.path.join(tempfile.mkdtemp(), 'run.npz')
        >>> run.save(path)
        >>> art.Trajectory.load(path)
        <Trajectory of 2r: 201 samples, 0 … 0.2 s>
        """
        from .storage import load

        return load(path, robot)

    def to_pandas(self) -> Any:
        """A DataFrame with the columns of the files; of a batch one run below the other.

        Returns
        -------
        a DataFrame: time (s) and columns q_joint, v_joint, a_joint, tau_joint

        Examples
        --------
        >>> import articulated as art
        >>> run = art.simulate(art.load("2r"), [0.5, 0.0], duration=0.2)
        >>> len(run.to_pandas())
        201
        """
        from .columns import data_frame

        return data_frame(self)

    def to_xarray(self) -> Any:
        """A Dataset with named axes and units.

        Returns
        -------
        a Dataset

        Examples
        --------
        >>> import articulated as art
        >>> run = art.simulate(art.load("2r"), [0.5, 0.0], duration=0.2)
        >>> run.to_xarray().q.shape
        (201, 2)
        """
        from .columns import dataset

        return dataset(self)

    def __reduce__(self) -> Any:
        arrays = (self.t, self.q, self.v, self.a, self.tau)
        own = self.parameters, checks.plain_joints(self.joints)
        return type(self), (self.robot, *arrays, self.contact, dict(self.forces), dict(self.info), *own)
