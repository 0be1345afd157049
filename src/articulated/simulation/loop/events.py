"""Events of a simulation: functions of (t, q, v) whose change of sign is looked for and located."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from ...errors import ShapeError, unknown
from ...inputs.choices import function_of, whole_number
from ...text import shortened

_OPTIONS = ("terminal", "direction")


@dataclass(frozen=True)
class Event:
    """A function of (t, q, v) that changes its sign; `terminal` is how often until the run ends, 0 for never."""

    name: str
    function: Callable[..., Any]
    terminal: int = 0
    direction: int = 0  # 1: from below, -1: from above, 0: both

    def value(self, t: float, q: np.ndarray, v: np.ndarray) -> float:
        """Value of the function, checked."""
        found = self.function(np.float64(t), q.copy(), v.copy())
        if np.asarray(found).dtype.kind == "b":
            raise ShapeError(
                f"the event {self.name!r} returned {found}: it is located where a number changes its sign; return the "
                "difference of what is compared"
            )
        try:
            x = np.asarray(found, float)
        except (TypeError, ValueError):
            x = np.full(2, np.nan)
        if x.size != 1 or not np.isfinite(x).all():
            raise ShapeError(f"the event {self.name!r} returned {shortened(repr(found))} at t = {t:g} s, not a number")
        return float(x.reshape(()))

    def between(self, before: float, after: float) -> bool:
        """Whether it has happened.  A start at zero is none: there was no other sign before it."""
        up, down = before < 0 <= after, before > 0 >= after
        return (up and self.direction >= 0) or (down and self.direction <= 0)


def events_of(given: Any, batch: tuple[int, ...] = ()) -> tuple[Event, ...]:
    """Events of `events=`: a function, a pair of it and its options, several, or several by name."""
    if given is None:
        return ()
    if isinstance(given, Mapping):
        found = tuple(_event(item, str(name)) for name, item in given.items())
    elif callable(given) or _is_pair(given):
        found = (_event(given),)
    else:
        try:
            found = tuple(_event(item, numbered=k) for k, item in enumerate(given))
        except TypeError:
            raise _refused(given) from None
    names = [event.name for event in found]
    for name in names:
        if names.count(name) > 1:
            raise ShapeError(f"simulate: two events are called {name!r}; name them by events={{name: function}}")
    if batch and (ending := [event.name for event in found if event.terminal]):
        raise ShapeError(
            f"simulate: the event {ending[0]!r} ends a run, but the runs of a batch have one time for all; simulate "
            "them one by one, or let them go on (terminal=False) and cut them where info['events'] says"
        )
    return found


def _is_pair(item: Any) -> bool:
    return isinstance(item, (tuple, list)) and len(item) == 2 and isinstance(item[1], Mapping)


def _refused(item: Any) -> ShapeError:
    return ShapeError(
        "simulate: an event is a function of (t, q, v), or a pair of it and a dict with terminal and direction; "
        f"got {shortened(repr(item))}"
    )


def _event(item: Any, name: str = "", numbered: int = 0) -> Event:
    function, options = item if _is_pair(item) else (item, {})
    if not callable(function):
        raise _refused(item)
    for option in options:
        if option not in _OPTIONS:
            raise unknown("option", option, "an event", _OPTIONS)
    function_of("simulate: an event", function, "t", "q", "v")
    told = {key: getattr(function, key) for key in _OPTIONS if hasattr(function, key)} | dict(options)
    known = getattr(function, "__name__", "")
    name = name or (known if known and known != "<lambda>" else f"event {numbered}")
    terminal, direction = told.get("terminal", False), told.get("direction", 0)
    often = whole_number(f"simulate: terminal of the event {name!r}", terminal)
    try:
        sign = int(np.sign(float(direction)))
    except (TypeError, ValueError):
        raise ShapeError(f"simulate: direction of the event {name!r} is -1, 0 or 1; got {direction!r}") from None
    return Event(name, function, often, sign)


class Hit(NamedTuple):
    """An event that has happened."""

    event: Event
    lane: int
    s: float  # after the sample or the step before it
    t: float
    q: np.ndarray
    v: np.ndarray


#: (lane, s) → (q, v): the state of a lane some time after the last look
Motion = Callable[[int, float], tuple[np.ndarray, np.ndarray]]


@dataclass
class Watch:
    """Looks at a run from one state to the next and keeps what has happened."""

    events: tuple[Event, ...]
    hits: list[Hit] = field(default_factory=list)
    _values: np.ndarray | None = None  # of the events at the last look, (n, events)

    def look(self, t0: float, t1: float, q: np.ndarray, v: np.ndarray, motion: Motion) -> Hit | None:
        """The states (n, size) at t1, the last look having been at t0; returns what ends the run."""
        good = np.isfinite(q).all(axis=1) & np.isfinite(v).all(axis=1)
        values = np.full((len(q), len(self.events)), np.nan)
        for i in np.flatnonzero(good):
            values[i] = [event.value(t1, q[i], v[i]) for event in self.events]
        before, self._values = self._values, values
        if before is None:
            return None
        new = [
            self._located(event, lane, t0, t1, motion)
            for lane, row in enumerate(zip(before, values, strict=True))
            for event, *ends in zip(self.events, *row, strict=True)
            if event.between(*ends)
        ]
        for hit in sorted(new, key=lambda hit: hit.s):
            self.hits.append(hit)
            if hit.event.terminal and sum(h.event is hit.event for h in self.hits) >= hit.event.terminal:
                return hit
        return None

    def _located(self, event: Event, lane: int, t0: float, t1: float, motion: Motion) -> Hit:
        def value(s: float) -> float:
            return event.value(t0 + s, *motion(lane, s))

        s = change_of_sign(value, t1 - t0, 4e-16 * max(abs(t1), t1 - t0))
        return Hit(event, lane, s, t0 + s, *motion(lane, s))

    def info(self, batch: bool) -> dict[str, Any]:
        """By the name of the event: times, configurations, velocities and, of a batch, which of its states."""
        out: dict[str, Any] = {}
        for event in self.events:
            hits = [hit for hit in self.hits if hit.event is event]
            out[event.name] = {name: [np.asarray(getattr(hit, name)).tolist() for hit in hits] for name in "tqv"}
            if batch:
                out[event.name]["state"] = [hit.lane for hit in hits]
        return {"events": out} if self.events else {}


# -- where a function of one number changes its sign (Chandrupatla 1997) ------------------------------------

#: halving alone would be done after this many
MOST = 120


def change_of_sign(f: Callable[[float], float], end: float, tolerance: float) -> float:
    """The x in (0, end] where f has just changed its sign, to `tolerance`; `end` if it does not."""
    a, b = 0.0, end
    fa, fb = f(a), f(b)
    if fb == 0 or (fa < 0) == (fb < 0):
        return end
    c, fc = a, fa  # the point that b was before
    first = fa < 0
    part = 0.5
    for _ in range(MOST):
        x = a + part * (b - a)
        fx = f(x)
        if (fx < 0) == (fa < 0) and fx != 0:
            c, fc, a, fa = a, fa, x, fx
        else:
            c, fc, b, fb = b, fb, a, fa
            a, fa = x, fx
        # a is the newest point, b lies on the other side of the change
        if fa == 0 or abs(b - a) <= tolerance:
            break
        part = _next(a, fa, b, fb, c, fc)
        least = 0.5 * tolerance / abs(b - a)
        part = min(max(part, least), 1 - least)
    old_side = (fa < 0) == first and fa != 0
    return b if old_side else a


def _next(a: float, fa: float, b: float, fb: float, c: float, fc: float) -> float:
    """Where to look, as a part of the way from a to b: inverse quadratic interpolation where it is safe, or halfway."""
    if fc == fb or fa == fc:
        return 0.5
    xi, phi = (a - b) / (c - b), (fa - fb) / (fc - fb)
    if not (phi * phi < xi and (1 - phi) * (1 - phi) < 1 - xi):
        return 0.5
    return fa / (fb - fa) * fc / (fb - fc) + (c - a) / (b - a) * fa / (fc - fa) * fb / (fc - fb)
