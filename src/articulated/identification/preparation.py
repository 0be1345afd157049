"""Preparation of the columns of a log: clock, units, gaps, filter, derivatives; each step leaves a note."""

from __future__ import annotations  # help shows types as they are written here

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import ShapeError
from ..logs import LogError
from ..robot import Robot
from ..robot.arguments.arrays import FAR
from ..robot.arguments.state_names import component_names
from ..text import counted, shortened
from .fit import identify
from .signals import resampled, smooth

#: Hz; filters that are tried, the one that is taken if the log is too short to try any, and how many samples are tried
CUTOFFS, CUTOFF, TRIED = (2.5, 4.0, 5.5, 7.5, 10.0, 14.0, 20.0, 30.0), 10.0, 40_000
#: widths, from the first to the last hundredth of a column, beyond which a number is wild
WILD = 10.0
#: samples at one value, the largest of its joint, from which on a torque counts as clipped
CLIPPED = 5
#: factors of units
DEGREES = dict.fromkeys(("deg", "degs", "degree", "degrees"), np.pi / 180)
ANGLES = {"rad": 1.0, "rads": 1.0, "radians": 1.0, "rpm": np.pi / 30, **DEGREES}
TORQUES = {"mnm": 1e-3, "ncm": 1e-2, "ma": 1e-3}
#: part of a contact from which on a force may act
TOUCHING = 0.01
Floats = NDArray[np.floating]


def times(held: dict[str, Floats], path: Path, rate: float | None, notes: list[str]) -> Floats:
    """Times in seconds: those of the log, or of a clock of this rate."""
    rows = max((len(x) for x in held.values()), default=0)
    if rows < 2:
        raise LogError(f"{path}: {counted(rows, 'row')}; a log of a motion has more")
    if "time" not in held:
        if rate is None:
            raise LogError(f"{path}: no column time, t or timestamp; give rate=, the samples per second")
        return np.arange(rows) / rate
    t = held.pop("time")
    if rate is not None:
        notes.append(f"clock of {rate:g} Hz as asked for; the times of the file are not used")
        return np.arange(rows) / rate
    steps = np.diff(t)
    if not np.isfinite(t).all() or (steps < 0).any():
        k = int(np.argmax(~np.isfinite(t[1:]) | (steps < 0)))
        raise LogError(
            f"{path}: time decreases or is not finite in row {k + 2}: {t[k]:g}, then {t[k + 1]:g}; split it there"
        )
    middle = float(np.median(steps))
    for unit, factor in (("nanoseconds", 1e-9), ("microseconds", 1e-6), ("milliseconds", 1e-3)):
        if middle >= 0.5 / factor * 1e-3:  # 2 kHz in this unit
            notes.append(f"times taken for {unit}: {middle:g} from row to row")
            return (t - t[0]) * factor
    return t


def in_units(
    robot: Robot, held: dict[str, Floats], words: dict[str, set[str]], degrees: bool, notes: list[str]
) -> None:
    """Angles in radians, torques in N m and currents in A, from the units in the names of their columns."""
    turned = degrees or words["q"] & DEGREES.keys()
    for name in ("q", "v", "a", "tau"):
        known, stated = TORQUES if name == "tau" else ANGLES, words.get(name, set())
        unit = next((unit for unit in known if unit in stated), "deg" if turned and name != "tau" else "")
        if degrees and name != "tau":
            unit = "deg"
        factor = known.get(unit, 1.0)
        if factor != 1.0 and name in held:
            held[name] = x = np.array(held[name])
            hinges = (b for b in robot.model.independent if b.joint.nq == 1 and b.joint.turns)
            own = [b.coords.start if name == "q" else b.dofs.start for b in hinges]
            x[:, slice(None) if name == "tau" else own] *= factor
            notes.append(f"{name} was in {'degrees' if unit in DEGREES else unit}")


def block_of(held: Mapping[str, Floats]) -> dict[str, Any]:
    """Samples as `identify` takes them: forces (n, 6) and contacts (n,) by frame."""
    block: dict[str, Any] = {"sensors": {}, "forces": {}, "contacts": {}}
    for name, x in held.items():
        kind, _, frame = name.partition(" ")
        if frame:  # a filter spreads contacts
            block[kind][frame] = (
                (abs(x[:, 0]) > TOUCHING).astype(float)
                if kind == "contacts"
                else np.concatenate([x, np.zeros((len(x), 6 - x.shape[1]))], axis=1)
            )
        else:
            block[name] = x
    return block


def require_radians(robot: Robot, q: Floats, path: Path, converted: bool) -> None:
    """Hinges with limits are not turned twice beyond them."""
    for b in robot.model.independent:
        if b.joint.nq == 1 and b.joint.turns:
            most = float(np.nanmax(abs(q[:, b.coords]), initial=0.0))
            limit = max(abs(x) for x in robot.limits[:2] for x in x[b.coords])
            if np.isfinite(limit) and most > max(FAR, 2 * limit):
                cure = "they were taken for degrees" if converted else "if the file is in degrees, give degrees=True"
                raise LogError(f"{path}: {shortened(b.joint.name)} is at {most:g} rad, its limit is {limit:g}; {cure}")


def trusted(robot: Robot, held: dict[str, Floats], notes: list[str]) -> Floats:
    """Weights (n, nv): 0 in rows with NaN, which are filled in, and where a torque is clipped."""
    lost, wild = np.zeros(len(held["q"]), bool), np.zeros(len(held["q"]), bool)
    for name, x in held.items():
        good = np.isfinite(x)
        low, high = (
            np.nanquantile(np.where(good, x, np.nan), [0.01, 0.99], axis=0) if good.any(axis=0).all() else (0, 0)
        )
        far = good & (abs(x - (low + high) / 2) > WILD * np.maximum(high - low, 1e-3 * abs(high + low))) & (high > low)
        if far.sum() < 0.01 * len(x):
            good &= ~far
            wild |= far.any(axis=1)
        if not good.all():
            lost |= ~good.all(axis=1)
            held[name] = x = np.array(x)
            rows = np.arange(len(x))
            for k in np.flatnonzero(~good.all(axis=0)).tolist():
                if not good[:, k].any():
                    whose = f": that of {component_names(robot.model, name)[k]}" if " " not in name else ""
                    raise LogError(f"a column of {name} holds no number{whose}")
                x[:, k] = np.interp(rows, rows[good[:, k]], x[good[:, k], k])
    for what, those in (("NaN", lost & ~wild), ("numbers far beyond all others", wild)):
        if those.any():
            notes.append(f"{counted(int(those.sum()), 'row')} with {what} left out")
    weights = np.repeat(~lost[:, None], robot.nv, axis=1).astype(float)
    for k, name in enumerate(component_names(robot.model, "v")):
        size = abs(held["tau"][:, k])
        top = float(size.max(initial=0.0))
        at = size >= top * (1 - 1e-9)
        if top > 0 and at.sum() >= CLIPPED and not at.all():
            weights[at, k] = 0.0
            notes.append(f"torque of {shortened(name)} clipped at {top:g} in {counted(int(at.sum()), 'row')}: left out")
    return weights


def evenly(
    t: Floats, held: dict[str, Floats], weights: Floats, path: Path, notes: list[str]
) -> tuple[Floats, dict[str, Floats], Floats]:
    """Everything on an even clock of as many samples."""
    steps, mean = np.diff(t), (t[-1] - t[0]) / (len(t) - 1)
    if mean <= 0:
        raise LogError(f"{path}: all rows have the same time")
    if abs(steps - mean).max() < 1e-3 * mean:
        return t, held, weights
    even = np.linspace(t[0], t[-1], len(t))
    if steps.max() > 10 * mean:
        notes.append(f"gap of {steps.max():.3g} s at {t[steps.argmax()]:.3g} s, bridged by a line and left out")
    notes.append(
        f"resampled to {1 / mean:.6g} Hz by its times, whose steps are {steps.min():.3g} to {steps.max():.3g} s"
    )
    near = np.searchsorted(t, even).clip(1, len(t) - 1)
    bridged = steps[near - 1] > 10 * mean
    kept = resampled(t, weights, even) >= 1.0
    return even, {name: resampled(t, x, even) for name, x in held.items()}, kept * ~bridged[:, None]


def derived(robot: Robot, t: Floats, held: dict[str, Floats], cutoff: float, notes: list[str]) -> dict[str, Floats]:
    """Filtered numbers, and what is missing as derivatives of them."""
    dt, out = float(t[1] - t[0]), dict(held)
    if cutoff >= 0.5 / dt:
        raise ShapeError(
            f"read_log: cutoff = {cutoff:g} Hz; the log has {1 / dt:g} samples per second, give less than half"
        )
    turned = robot.nq != robot.nv  # quaternions are not filtered
    if not turned:
        out["q"] = smooth(held["q"], dt, cutoff)
    if "v" in held:
        v = held["v"]
    elif turned:
        steps = np.asarray(robot.difference(held["q"][:-1], held["q"][1:])) / dt
        v = np.concatenate([steps[:1], (steps[1:] + steps[:-1]) / 2, steps[-1:]])
    else:
        v = smooth(held["q"], dt, 0.0, 1)
    out["v"] = smooth(v, dt, cutoff)
    out["a"] = smooth(held["a"], dt, cutoff) if "a" in held else smooth(v, dt, cutoff, 1)
    out |= {name: smooth(x, dt, cutoff) for name, x in held.items() if name == "tau" or " " in name}
    notes += [f"{name} differentiated from {'v' if name == 'a' else 'q'}" for name in ("v", "a") if name not in held]
    if cutoff:
        notes.append(f"low-pass filter of {cutoff:g} Hz, forth and back{'; q as it is' if turned else ''}")
    return out


def best_cutoff(robot: Robot, t: Floats, held: dict[str, Floats], weights: Floats, notes: list[str]) -> float:
    """The cutoff, Hz, with which torques as measured are best predicted from other parts of the log."""
    middle = slice(max(0, (len(t) - TRIED) // 2), (len(t) + TRIED) // 2)
    t, weights, held = t[middle], weights[middle], {name: x[middle] for name, x in held.items()}
    tried = [cutoff for cutoff in CUTOFFS if cutoff * (t[1] - t[0]) < 0.25]
    scores = []
    for cutoff in tried:
        motion = derived(robot, t, held, cutoff, [])
        try:
            found = identify(robot, block_of(motion | {"tau": held["tau"], "weights": weights}), consistent=False)
        except ShapeError:  # forces of a floating base are not in this log
            return min(CUTOFF, 0.2 / (t[1] - t[0]))
        if found.held_out is None:
            return min(CUTOFF, 0.2 / (t[1] - t[0]))
        scores.append(np.log(np.maximum(found.held_out, 1e-9 * np.maximum(found.torque, 1e-300))).sum())
    if not tried:
        return 0.2 / (t[1] - t[0])
    notes.append(f"of filters of {', '.join(f'{x:g}' for x in tried)} Hz the one that predicts torques best")
    return tried[int(np.argmin(scores))]
