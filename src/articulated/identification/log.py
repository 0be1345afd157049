"""Logs for identification: motions and torques of a robot from files, with a note on how each was obtained."""

from __future__ import annotations  # help shows types as they are written here

import glob
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..inputs.choices import flag, number, robot_first
from ..inputs.labels import SPELLINGS
from ..logs import FORMATS, TIME, LogError, reader, state_field
from ..robot import Robot
from ..robot.arguments.state_names import component_names
from ..text import counted, shortened
from .preparation import derived, evenly, in_radians, require_radians, times, trusted

#: Hz; a filter of logs without accelerations
CUTOFF = 10.0
#: rows read at a time
ROWS = 1 << 16
Floats = NDArray[np.floating]


@dataclass(frozen=True, eq=False)
class Log:
    """Motions and torques over time, (n, ·), ready for `Normal` and `identify`.

    t, q, v, a, tau: s, and in the robot's units and order
    weights: (n, nv), 0 where a torque is not to be trusted
    runs: first sample of each file
    columns: name in the file of each column that was taken, by quantity
    unused: names of columns that were not
    notes: sentences about what was done
    """

    t: Floats
    q: Floats
    v: Floats
    a: Floats
    tau: Floats
    weights: Floats
    runs: Sequence[int] = (0,)
    columns: Mapping[str, Sequence[str]] = ()  # type: ignore[assignment]
    unused: Sequence[str] = ()
    notes: Sequence[str] = ()

    def __len__(self) -> int:
        return len(self.t)

    def __str__(self) -> str:
        taken = [f"  {name}: {', '.join(map(shortened, those))}" for name, those in dict(self.columns).items()]
        unused = [f"  not used: {', '.join(map(shortened, self.unused))}"] if self.unused else []
        return "\n".join([repr(self), *taken, *unused, *(f"  {note}" for note in self.notes)])

    def __repr__(self) -> str:
        return f"<Log: {counted(len(self), 'sample')} in {counted(len(self.runs), 'run')}>"


def read_log(
    robot: Robot,
    source: str | Path | Sequence[str | Path],
    *,
    cutoff: float | None = None,
    rate: float | None = None,
    degrees: bool = False,
) -> Log:
    """A log of motions and torques, with what is missing computed: v and a from q, on an even clock.

    Columns are found by the names of the joints in the spellings people have: `q_elbow`, `elbow_position`,
    `elbow.vel`, `tau_elbow`, `elbow/effort`, or by number: `q0`, `tau[0]`.

    Parameters
    ----------
    robot : a Robot
    source : a .csv, .npz or .parquet file, a folder of such, or a pattern as "runs/*.parquet"; or a list of these
    cutoff : Hz, of a zero-phase filter on q, v, a and tau; 0: none.  Default: 10 Hz if v or a is missing, else none
    rate : samples per second, for files without times
    degrees : True: q, v and a are in degrees

    Returns
    -------
    a Log; print it for what each column was taken for, and what was done

    Examples
    --------
    >>> import articulated as art
    >>> import numpy as np, os, tempfile
    >>> robot, path = art.load("2r"), os.path.join(tempfile.mkdtemp(), "run.npz")
    >>> t = np.arange(0, 2, 0.01)
    >>> np.savez(path, time=t, q=np.stack([np.sin(t), np.cos(t)], 1), tau=np.zeros((200, 2)))
    >>> art.read_log(robot, path)
    <Log: 160 samples in 1 run>
    """
    robot_first("read_log", robot)
    least = "a number of Hz from 0"
    cutoff = None if cutoff is None else number("read_log: cutoff", cutoff, least)
    rate = None if rate is None else number("read_log: rate", rate, "samples per second", 1e-9)
    degrees = flag("read_log: degrees", degrees)
    found = [_one(robot, path, cutoff, rate, degrees) for path in log_files(source)]
    if not found:
        raise LogError(f"read_log: source names no file; got {shortened(repr(source))}")
    if len(found) == 1:
        return found[0]
    notes = [f"{name}: {note}" for name, log in zip(log_files(source), found, strict=True) for note in log.notes]
    arrays = {
        name: np.concatenate([getattr(log, name) for log in found]) for name in ("t", "q", "v", "a", "tau", "weights")
    }
    runs = np.cumsum([0, *(len(log) for log in found)])[:-1].tolist()
    return Log(**arrays, runs=runs, columns=found[0].columns, unused=found[0].unused, notes=notes)


def log_files(source: Any) -> list[Path]:
    """The files that are meant, in the order of their names."""
    if not isinstance(source, (str, Path)):
        if not isinstance(source, Sequence):
            raise LogError(f"read_log: source is a file, a folder, a pattern, or a list; got {shortened(repr(source))}")
        return [path for one in source for path in log_files(one)]
    path = Path(source)
    if path.is_dir():
        found = sorted(x for x in path.iterdir() if x.suffix.lower() in FORMATS)
    elif any(mark in str(source) for mark in "*?[") and not path.exists():
        found = sorted(map(Path, glob.glob(str(source), recursive=True)))
    else:
        return [path]
    if not found:
        raise LogError(f"{shortened(str(source))}: no {', '.join(FORMATS)} file there")
    return found


def _one(robot: Robot, path: Path, cutoff: float | None, rate: float | None, degrees: bool) -> Log:
    """The log in one file."""
    held, columns, unused = _numbers(robot, path)
    notes: list[str] = []
    t = times(held, path, rate, notes)
    for name in ("q", "tau"):
        if name not in held:
            held_names = shortened(", ".join(unused))
            example = f"{SPELLINGS[name][0]}_{component_names(robot.model, name)[0]}"
            raise LogError(f"{path}: no columns for {name}; name them {example} and so on. It has: {held_names}")
    if degrees:
        held |= {name: in_radians(robot, name, held[name]) for name in ("q", "v", "a") if name in held}
        notes.append("angles were in degrees")
    require_radians(robot, held["q"], path, degrees)
    weights = trusted(robot, held, notes)
    missing = [name for name in ("v", "a") if name not in held]
    if cutoff is None:
        cutoff = CUTOFF if missing else 0.0
    if missing or cutoff:
        t, held, weights = evenly(t, held, weights, path, notes)
        held = derived(robot, t, held, cutoff, notes)
        if cutoff:  # its beginning and end are not to be trusted
            cut = min(int(np.ceil(2 / (cutoff * (t[1] - t[0])))), (len(t) - 1) // 4) if len(t) > 1 else 0
            keep = slice(cut, len(t) - cut)
            t, weights, held = t[keep], weights[keep], {name: x[keep] for name, x in held.items()}
            notes.append(f"{counted(cut, 'sample')} left out at either end, where the filter is not exact")
    some = weights.any(axis=1)
    q, v, a, tau = (held[name][some] for name in ("q", "v", "a", "tau"))
    return Log(t[some], q, v, a, tau, weights[some], columns=columns, unused=unused, notes=notes)


def _numbers(robot: Robot, path: Path) -> tuple[dict[str, Floats], dict[str, Sequence[str]], list[str]]:
    """Arrays by quantity, the names of their columns, and those of others."""
    fields = [TIME, *(state_field(name, component_names(robot.model, name)) for name in ("q", "v", "a", "tau"))]
    with closing(reader(path)) as log:
        found = [field.name for field in log.find(fields)]
        blocks = list(log.blocks(ROWS))
        places: Mapping[str, Any] = getattr(log, "found", {})
        columns: dict[str, Sequence[str]] = {
            name: [log.names[k] for k in places[name][1]] if hasattr(log, "numbers") else [name] for name in found
        }
    taken = {name for those in columns.values() for name in those}
    unused = [name for name in log.names if name not in taken and not (name == "timestamp" and "time" in found)]
    return {name: np.concatenate([block[name] for block in blocks]) for name in found if blocks}, columns, unused
