"""Logs for identification: motions and torques of a robot from files, with a note on how each was obtained."""

from __future__ import annotations  # help shows types as they are written here

import glob
from collections.abc import Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import unknown
from ..inputs.choices import flag, number, robot_first
from ..inputs.labels import SPELLINGS
from ..logs import READERS, TIME, LogError, is_bag, reader, state_field
from ..logs.csv import Csv
from ..logs.fields import Field
from ..logs.log import Table
from ..logs.spellings import signal_of, words_of, wrench_of
from ..robot import Robot
from ..robot.arguments.state_names import component_names
from ..text import counted, shortened, shortened_path
from .joint_terms import driven
from .preparation import best_cutoff, block_of, derived, evenly, in_units, require_radians, times, trusted

QUANTITIES = ("q", "v", "a", "tau")
#: forces by frame, and how their columns are found
FORCES = {"sensors": wrench_of, "forces": wrench_of, "contacts": signal_of}
#: name of a free joint in those of its components, and what is before the name of the link it moves
BASE, FREE = "floating_base", "floating_"
#: rows read at a time
ROWS = 1 << 16
Floats = NDArray[np.floating]


@dataclass(frozen=True, eq=False)
class Log:
    """Motions and torques over time, (n, ·), ready for `Normal` and `identify`.

    t, q, v, a, tau: s, and in the robot's units and order
    weights: (n, nv), 0 where a torque is not to be trusted
    sensors, forces, contacts: by frame, as in `identify`
    runs: first sample of each file
    columns: name in the file of each column that was taken, by quantity
    unused: names of columns that were not
    notes: sentences about what was done
    currents: whether `tau` are currents of the drives, A
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
    currents: bool = False
    sensors: Mapping[str, Floats] = field(default_factory=dict)
    forces: Mapping[str, Floats] = field(default_factory=dict)
    contacts: Mapping[str, Floats] = field(default_factory=dict)

    def part(self, rows: slice) -> dict[str, Any]:
        """Samples of some rows, as `Normal` and `identify` take them."""
        arrays = {name: getattr(self, name)[rows] for name in (*QUANTITIES, "weights")}
        return arrays | {kind: {frame: x[rows] for frame, x in getattr(self, kind).items()} for kind in FORCES}

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
    columns: str | Mapping[str, str] = "",
    sensors: str | Sequence[str] | Mapping[str, str] = (),
    forces: str | Sequence[str] | Mapping[str, str] = (),
    contacts: str | Sequence[str] | Mapping[str, str] = (),
) -> Log:
    """A log of motions and torques, with what is missing computed: v and a from q, on an even clock.

    Columns are found by the names of the joints in the spellings people have: `q_elbow`, `elbow_position`,
    `elbow.vel`, `/joint_states/elbow/effort`, or by number: `q0`, `tau_J[0]`, `actual_qd_5`.  Numbers that a robot was
    told (`target_q_0`, `tau_J_d`) are taken only if they are asked for; currents if there are no torques.

    Parameters
    ----------
    robot : a Robot
    source : a .csv (.txt, .tsv), .npz or .parquet file, a bag of ROS (.mcap, .db3, .bag, a folder), a folder of
        such, or a pattern as "runs/*.parquet"; or a list of these
    cutoff : Hz, of a zero-phase filter on q, v, a and tau; 0: none.  Default: none, or, if v or a is missing, the one
        with which parts of the log are best predicted from the others
    rate : samples per second, for files without times
    degrees : True: q, v and a are in degrees
    columns : a part of the names that are meant where several would do, as "/left/joint_states"; or one by quantity,
        as {"q": "target_q", "tau": "tau_J_d", "time": "ros_time"}
    sensors : links with force sensors, whose names are in those of the columns (`wrist_fx` … `wrist_tz`), or a part of
        these names by link, as {"panda_hand": "/ft_sensor"}
    forces : frames on which measured forces (3 columns) or wrenches (6) act, in the same way
    contacts : frames on which unknown forces act where a column is not 0, in the same way

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
    >>> art.read_log(robot, path, cutoff=20.0)
    <Log: 180 samples in 1 run>
    """
    robot_first("read_log", robot)
    least = "a number of Hz from 0"
    cutoff = None if cutoff is None else number("read_log: cutoff", cutoff, least)
    rate = None if rate is None else number("read_log: rate", rate, "samples per second", 1e-9)
    degrees = flag("read_log: degrees", degrees)
    wanted = dict.fromkeys(QUANTITIES if columns else (), columns) if isinstance(columns, str) else dict(columns)
    if odd := [name for name in wanted if name not in (*QUANTITIES, "time")]:
        raise unknown("quantity", odd[0], "read_log: columns", (*QUANTITIES, "time"))
    for kind, given in (("sensors", sensors), ("forces", forces), ("contacts", contacts)):
        listed = [given] if isinstance(given, str) else given
        parts = listed if isinstance(listed, Mapping) else dict(zip(listed, listed, strict=True))
        wanted |= {f"{kind} {robot.model.frame(frame).name}": part for frame, part in parts.items()}
    files = log_files(source)
    if not files:
        raise LogError(f"read_log: source names no file; got {shortened(repr(source))}")
    return joined(files, [_one(robot, path, cutoff, rate, degrees, wanted) for path in files])


def joined(files: Sequence[Path], logs: Sequence[Log]) -> Log:
    """The logs of some files as one."""
    if len(logs) == 1:
        return logs[0]
    if len({log.currents for log in logs}) > 1:
        odd = next(name for name, log in zip(files, logs, strict=True) if log.currents)
        raise LogError(f"{odd}: its torques are currents, those of other logs are not; identify them apart")
    notes = [f"{name}: {note}" for name, log in zip(files, logs, strict=True) for note in log.notes]
    arrays: dict[str, Any] = {
        name: np.concatenate([getattr(log, name) for log in logs]) for name in ("t", *QUANTITIES, "weights")
    }
    arrays |= {
        kind: {frame: np.concatenate([getattr(log, kind)[frame] for log in logs]) for frame in getattr(logs[0], kind)}
        for kind in FORCES
    }
    runs = np.cumsum([0, *(len(log) for log in logs)])[:-1].tolist()
    return replace(logs[0], **arrays, runs=runs, notes=notes)


def log_files(source: Any) -> list[Path]:
    """The files that are meant, in the order of their names."""
    if not isinstance(source, (str, Path)):
        if not isinstance(source, Sequence):
            raise LogError(f"read_log: source is a file, a folder, a pattern, or a list; got {shortened(repr(source))}")
        return [path for one in source for path in log_files(one)]
    path = Path(source)
    if path.is_dir() and not is_bag(path):
        found = sorted(x for x in path.iterdir() if x.suffix.lower() in READERS or (x.is_dir() and is_bag(x)))
    elif any(mark in str(source) for mark in "*?[") and not path.exists():
        found = sorted(map(Path, glob.glob(str(source), recursive=True)))
    else:
        return [path]
    if not found:
        raise LogError(f"{shortened_path(source)}: no {', '.join(READERS)} file there")
    return found


def _one(
    robot: Robot, path: Path, cutoff: float | None, rate: float | None, degrees: bool, wanted: Mapping[str, str]
) -> Log:
    """The log in one file."""
    held, columns, unused, notes = _numbers(robot, path, wanted)
    _require(robot, path, wanted, columns, unused)
    t = times(held, path, rate, notes)
    words = {name: {word for column in those for word in words_of(column)} for name, those in columns.items()}
    currents = bool(words.get("tau", set()) & {"current", "currents"})
    if currents:
        notes.append("torques are currents, in A: identify finds the gain of each drive")
    in_units(robot, held, words, degrees, notes)
    weights = trusted(robot, held, notes)
    require_radians(robot, held["q"], path, degrees)
    missing = [name for name in ("v", "a") if name not in held]
    if missing or cutoff:
        t, held, weights = evenly(t, held, weights, path, notes)
        if cutoff is None:
            cutoff = best_cutoff(robot, t, held, weights, notes)
        held = derived(robot, t, held, cutoff, notes)
        if cutoff:  # its beginning and end are not to be trusted
            cut = min(int(np.ceil(2 / (cutoff * (t[1] - t[0])))), (len(t) - 1) // 4) if len(t) > 1 else 0
            keep = slice(cut, len(t) - cut)
            t, weights, held = t[keep], weights[keep], {name: x[keep] for name, x in held.items()}
            notes.append(f"{counted(cut, 'sample')} left out at either end, where the filter is not exact")
    some = weights.any(axis=1)
    samples = block_of({name: x[some] for name, x in held.items()})
    return Log(
        t[some], weights=weights[some], columns=columns, unused=unused, notes=notes, currents=currents, **samples
    )


def _require(
    robot: Robot, path: Path, wanted: Mapping[str, str], columns: Mapping[str, Any], unused: Sequence[str]
) -> None:
    """Positions, torques unless there is a floating base, and all that was asked for by name."""
    own = [name for name, part in wanted.items() if name not in ("q", "tau") and part != wanted.get("q")]
    needed = ["q", *(["tau"] if driven(robot).all() or wanted.get("tau") else []), *own]
    for name in (name for name in needed if name not in columns):
        asked, example = wanted.get(name, ""), name
        if name in SPELLINGS:
            example = f"{SPELLINGS[name][0]}_{component_names(robot.model, name)[0]}"
        told = f"none has {asked!r} in its name" if asked else f"name them {example} and so on"
        others = shortened(", ".join(unused), 400) or "none"
        raise LogError(
            f"{path}: no columns for {name}; {told}; say which by columns={{{name!r}: …}} (--columns). "
            f"Other columns: {others}"
        )


def _numbers(
    robot: Robot, path: Path, wanted: Mapping[str, str]
) -> tuple[dict[str, Floats], dict[str, Sequence[str]], list[str], list[str]]:
    """Arrays by quantity, the names of their columns, those of others, and notes."""
    with closing(reader(path)) as log:
        log.wanted = {name: part for name, part in wanted.items() if part}
        if isinstance(log, Csv):
            log.damaged = []
        found = _found(robot, log, wanted)
        blocks = list(log.blocks(ROWS))
        places: Mapping[str, Any] = getattr(log, "found", {})
        columns: dict[str, Sequence[str]] = {
            name: [log.names[k] for k in places[name][1]] if isinstance(log, Table) else [places[name].name]
            for name in found
        }
    damaged = getattr(log, "damaged", None)
    lines = (
        f"{counted(len(damaged), 'line')} with cells that are no numbers, the first is {damaged[0]}" if damaged else ""
    )
    taken = {name for those in columns.values() for name in those}
    unused = [name for name in log.names if name not in taken and not (name == "timestamp" and "time" in found)]
    held = {name: np.concatenate([block[name] for block in blocks]) for name in found if blocks}
    notes, own = [lines] if lines else [], driven(robot)
    if blocks and not own.all() and ("tau" not in held or held["tau"].shape[1] < len(own)):
        notes.append(
            f"torques of the floating base are zero: nothing drives it{'' if 'tau' in held else '; no others'}"
        )
        tau = np.zeros((len(held["q"]), len(own)))
        if "tau" in held:
            tau[:, own] = held["tau"]
        held["tau"] = tau
    return held, columns, unused, notes


def _found(robot: Robot, log: Any, wanted: Mapping[str, str]) -> list[str]:
    """Fields that the log has: torques of all components, or without those of a floating base."""
    parts = {name: component_names(robot.model, name) for name in QUANTITIES}
    if not any(BASE in name for name in log.names):  # the base may be called by its link's name
        parts = {name: [part.removeprefix(FREE) for part in those] for name, those in parts.items()}
    more = [
        Field(name, [name], (1,) if name.startswith("contacts") else (6,), search=FORCES[name.split()[0]])
        for name in wanted
        if " " in name
    ]
    joints = [part for part, own in zip(parts["tau"], driven(robot), strict=True) if own]
    fields = [TIME, *(state_field(name, parts[name]) for name in ("q", "v", "a")), *more]
    if len(joints) < robot.nv:
        with suppress(LogError):  # no columns of the base
            found = log.find([*fields, state_field("tau", parts["tau"])])
            if "tau" in (names := [each.name for each in found]):
                return names
    return [each.name for each in log.find([*fields, state_field("tau", joints)])]
