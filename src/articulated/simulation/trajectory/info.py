"""Entries of `info` about samples and runs, where a trajectory is cut, resampled, picked from a batch, or continued."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

#: times and states of an event by its name, lists of the same length
Events = dict[str, dict[str, list[Any]]]
#: entries with a list of one value for each run of a batch
OF_EACH = ("attempts", "ended_at", "ended_by", "iterations", "residuals")


def between(info: Mapping[str, Any], start: float, end: float) -> dict[str, Any]:
    """`info` with the events of this time only."""
    return _with(info, lambda told: _kept(told, [k for k, t in enumerate(told["t"]) if start <= t <= end]))


def resampled(info: Mapping[str, Any], dt: float | None) -> dict[str, Any]:
    """`info` of samples every `dt` seconds, or at times of any distance; the step of the method is kept as `step`."""
    if "dt" not in info:
        return dict(info)
    found = {**info, "step": info.get("step", info["dt"]), "dt": dt}
    return {name: x for name, x in found.items() if x is not None or name != "dt"}


def of_members(info: Mapping[str, Any], batch: tuple[int, ...], index: tuple[Any, ...]) -> dict[str, Any]:
    """`info` of some members of a batch, which events number anew; of one member without number."""
    chosen = np.arange(int(np.prod(batch))).reshape(batch)[index]

    def picked(told: dict[str, list[Any]]) -> dict[str, list[Any]]:
        if "state" not in told:
            return told
        places = [(k, new) for k, old in enumerate(told["state"]) for new in np.flatnonzero(chosen == old)]
        found = _kept(told, [k for k, _ in places])
        found["state"] = [int(new) for _, new in places]
        return {name: x for name, x in found.items() if name != "state" or chosen.ndim}

    found = _with(info, picked)
    for name in OF_EACH:
        each = found.get(name)
        if isinstance(each, list) and len(each) == np.prod(batch):
            found[name] = [each[k] for k in chosen.ravel()]
            if name == "residuals":
                found["residual"] = max(found[name])
    if isinstance(parts := found.get("parts"), list) and all(isinstance(part, dict) for part in parts):
        found["parts"] = [of_members(part, batch, index) for part in parts]  # runs one after the other
    return found


def joined(first: Mapping[str, Any], second: Mapping[str, Any], start: float, shift: float) -> dict[str, Events]:
    """Events of two runs, those of the second `shift` later; one at its `start` is the end of the first."""
    found: Events = {name: dict(told) for name, told in _events(first).items()}
    for name, told in _events(second).items():
        later = _kept(told, [k for k, t in enumerate(told["t"]) if t > start])
        later["t"] = [t + shift for t in later["t"]]
        before = found.get(name, {})
        found[name] = {key: before.get(key, []) + x for key, x in later.items()}
    return {"events": found} if found else {}


def _events(info: Mapping[str, Any]) -> Events:
    """Events of a simulation; none if the user's own `info` means something else by the word."""
    found = info.get("events")
    usual = isinstance(found, dict) and all(isinstance(told, dict) and {*"tqv"} <= {*told} for told in found.values())
    return found if usual and found else {}


def _with(info: Mapping[str, Any], change: Callable[[dict[str, list[Any]]], dict[str, list[Any]]]) -> dict[str, Any]:
    events = {name: change(told) for name, told in _events(info).items()}
    return dict(info) | ({"events": events} if events else {})


def _kept(told: dict[str, list[Any]], places: list[int]) -> dict[str, list[Any]]:
    return {name: [x[k] for k in places] for name, x in told.items()}
