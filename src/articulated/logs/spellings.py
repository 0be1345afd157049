"""Columns of logs in the spellings of recorders: `actual_q_0`, `tau_J[3]`, `/joint_states/elbow/effort`, `q1` … `q7`.

A name is cut into words and a place, the joint's name or a number.  Columns that differ in the place alone are a group;
a group of as many as the robot has components is a quantity if its words say so.
"""

import re
from collections.abc import Sequence

from ..inputs.labels import SPELLINGS
from ..text import plain, shortened
from .fields import TIME, Field, LogError, MissingColumn, places

#: words beside those of `q_elbow`
WORDS = {
    "q": {*SPELLINGS["q"], "positions", "angle", "angles", "theta"},
    "v": {*SPELLINGS["v"], "velocities", "speed", "speeds", "qdot", "thetadot"},
    "a": {*SPELLINGS["a"], "accelerations", "accel", "qddot"},
    "tau": {*SPELLINGS["tau"], "efforts", "torques", "trq", "moment", "moments", "current", "currents"},
}
TIME_WORDS = {"time", "t", "timestamp", "timestamps", "stamp", "clock"}
UNITS = {"s", "sec", "secs", "seconds", "ms", "us", "ns", "header", "field", "ros", "robot", "unix"}
#: words of numbers that a robot was told, or that are not of its joints: taken only if they are asked for
OTHERS = {
    *("target", "desired", "des", "d", "cmd", "command", "commanded", "commands", "ref", "reference", "setpoint"),
    *("ext", "external", "error", "err", "limit", "limits", "tcp", "tool", "ee", "flange", "cartesian", "wrench"),
    *("max", "min", "std", "base", "voltage", "temperature", "temperatures", "temp"),
}
CURRENTS = {"current", "currents"}
#: of two groups that would do, one with such a word
MEASURED = {"actual", "measured", "meas", "act", "joint", "joints"}
#: components of a wrench, by what ends their names
WRENCH = {
    f"{word}{axis}": 3 * k + i
    for k, words in enumerate((("f", "force"), ("t", "m", "torque", "moment")))
    for word in words
    for i, axis in enumerate("xyz")
}
#: units whose letters are those of words: N m, mN m, mA
MIXED = r"(?<![A-Za-z])(m?N[ .*·]?m|Ncm|mA)(?![A-Za-z])"
DOTS = {("q", "dot"): "v", ("q", "ddot"): "a", ("q", "dot", "dot"): "a"}


def columns_of(field: Field, names: Sequence[str], wanted: str, file: str) -> list[int] | None:
    """Column of each number of a field; None if there are none.  `wanted`: a part of the names that are meant."""
    plainest = problem = None
    asked = tuple(words_of(wanted))
    if field.search:
        return field.search(names, asked)
    try:
        plainest = None if wanted else places(field, names, file)
    except MissingColumn as error:  # perhaps in another spelling
        problem = error
    if plainest is None and field == TIME:
        meant = (_within(asked, words) if asked else is_time(words) for words in map(words_of, names))
        return next(([k] for k, so in enumerate(meant) if so), None)
    found = _group(field, names, asked, file) if plainest is None and field.components else plainest
    if problem and found is None:
        raise problem
    return found


def is_time(name: Sequence[str]) -> bool:
    """Whether all words are of a time; whole seconds of a stamp have a part beside them."""
    words = set(name)
    return bool(words & TIME_WORDS) and words <= TIME_WORDS | UNITS and not words >= {"stamp", "sec"}


def array_of(quantity: str, names: Sequence[str], wanted: str, file: str) -> str | None:
    """The array of an NPZ file that holds all of a quantity: `positions`, `tau_meas`."""
    asked = tuple(words_of(wanted))
    meant = {tuple(words): [k] for k, words in enumerate(map(words_of, names)) if _meant(quantity, tuple(words), asked)}
    return names[_one(quantity, meant, names, file)[0]] if meant else None


def wrench_of(names: Sequence[str], asked: tuple[str, ...]) -> list[int] | None:
    """Columns of a force, or of a force and a moment, among those with these words: `fx`, `force/x`, or numbers."""
    at: dict[int, int] = {}
    for column, name in enumerate(names):
        words = [word for word in words_of(name) if word not in ("n", "nm")]
        if _within(asked, words):
            ends = ("".join(words[-2:]), words[-1])
            place = next((WRENCH[end] for end in ends if end in WRENCH), int(ends[1]) if ends[1].isdigit() else -1)
            at.setdefault(place, column)
    return next(([at[k] for k in range(n)] for n in (6, 3) if all(k in at for k in range(n))), None)


def signal_of(names: Sequence[str], asked: tuple[str, ...]) -> list[int] | None:
    """The column with these words, and fewest others."""
    found = [(len(words), k) for k, words in enumerate(map(words_of, names)) if _within(asked, words)]
    return [min(found)[1]] if found else None


def _within(asked: Sequence[str], words: Sequence[str]) -> bool:
    return any(tuple(words[k : k + len(asked)]) == tuple(asked) for k in range(len(words)))


def _group(field: Field, names: Sequence[str], asked: tuple[str, ...], file: str) -> list[int] | None:
    """Columns that differ in the joint's name alone, or else in a number."""
    quantity, components = field.name, field.components
    found: dict[tuple[str, ...], dict[int, int]] = {}
    for by_name in (True, False):
        for column, name in enumerate(names):
            place, words = _cut(name, components, by_name)
            if place is not None and _meant(quantity, words, asked):
                found.setdefault(words, {}).setdefault(place, column)
        whole = {words: at for words, at in ((words, _in_order(at, components)) for words, at in found.items()) if at}
        if whole:
            return _one(quantity, whole, names, file)
        found = {}
    return None


def _one(quantity: str, whole: dict[tuple[str, ...], list[int]], names: Sequence[str], file: str) -> list[int]:
    """The group that is meant: torques rather than currents, measured, of fewest words."""
    for worse in (lambda words: bool(CURRENTS & set(words)), lambda words: not MEASURED & set(words), len):
        least = min(map(worse, whole))
        whole = {words: at for words, at in whole.items() if worse(words) == least}
    if len(whole) > 1:
        shown = " and ".join(shortened(names[at[0]]) for at in list(whole.values())[:4])
        which = f"say which by columns={{{quantity!r}: …}} (--columns)"
        raise LogError(f"{file}: {shown} could both be {quantity}; {which}")
    return next(iter(whole.values()))


def _meant(quantity: str, words: tuple[str, ...], asked: tuple[str, ...]) -> bool:
    """Whether words of a column name this quantity: as measured, or as asked for."""
    if words == asked or not _within(asked, words) or (not asked and OTHERS & set(words)):
        return bool(asked) and words == asked
    if quantity == "a" and CURRENTS & set(words):  # of amperes
        return False
    dotted = next((DOTS[words[-n:]] for n in (3, 2) if words[-n:] in DOTS), None)
    return dotted == quantity if dotted else bool(WORDS[quantity] & set(words))


def _in_order(at: dict[int, int], components: Sequence[str]) -> list[int] | None:
    """Columns of all components; numbers may begin with 0 or 1."""
    first = min(at)
    wanted = range(first, first + len(components))
    return [at[k] for k in wanted] if first in (0, 1) and all(k in at for k in wanted) else None


def _cut(name: str, components: Sequence[str], by_name: bool) -> tuple[int | None, tuple[str, ...]]:
    """Place and words of the name of a column: that of the joint it names, or its last number."""
    if by_name:
        for k, joint in enumerate(components):
            for spelt in (joint, plain(joint)):
                found = re.search(rf"(?<![A-Za-z0-9]){re.escape(spelt)}(?![A-Za-z0-9])", name)
                if found:
                    return k, tuple(words_of(f"{name[: found.start()]} {name[found.end() :]}"))
        return None, ()
    words = words_of(name)
    numbers = [k for k, word in enumerate(words) if word.isdigit()]
    return (int(words.pop(numbers[-1])), tuple(words)) if numbers else (None, ())


def words_of(name: str) -> list[str]:
    """Runs of letters and of digits, in small letters."""
    name = re.sub(MIXED, lambda unit: re.sub(r"\W", "", unit[0]).lower(), name)
    return re.findall(r"[a-z]+|\d+", re.sub(r"([a-z])([A-Z])", r"\1 \2", name).lower())
