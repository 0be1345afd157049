"""Fields of a log: vectors by name, and the spellings of their columns."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from ..errors import ArticulatedError, unknown
from ..inputs.labels import SPELLINGS, ways
from ..text import plain, shortened

Block = dict[str, np.ndarray]  # (n, *tail) by the name of the field
TIMES = ("time", "t", "timestamp")


class LogError(ArticulatedError, ValueError):
    """A log that cannot be read: another format, damaged, or without the numbers that are needed."""


class MissingColumn(LogError):
    """A quantity of which some columns are there and others are not."""


class Field(NamedTuple):
    """An array over the rows of a log.

    name: of the array in an NPZ file
    columns: names in a table, as they are written
    tail: axes that follow that of the rows
    components: joint of each number of q, v, a or tau, whose columns have several spellings
    search: columns of another quantity, from names and the words that are meant
    """

    name: str
    columns: Sequence[str]
    tail: tuple[int, ...] = ()
    components: Sequence[str] = ()
    search: Callable[[Sequence[str], tuple[str, ...]], list[int] | None] | None = None


TIME = Field("time", ["time"])


def state_field(name: str, components: Sequence[str]) -> Field:
    """The field of q, v, a or tau: columns `q_JOINT`."""
    return Field(name, [f"{name}_{plain(part)}" for part in components], (len(components),), components)


def places(field: Field, names: Sequence[str], file: str) -> list[int] | None:
    """Column index of each number of a field; None if no column belongs to it."""
    at: dict[str, list[int]] = {}
    for i, name in enumerate(names):
        at.setdefault(name.strip().lower() if field == TIME else name.strip(), []).append(i)
    found = [_place(at, field, k, file) for k in range(len(field.columns))]
    if found and all(place is None for place in found):
        return None
    taken = set(found)
    if None in taken:
        free = [name for name, those in at.items() if taken.isdisjoint(those)]
        likely = [name for name in free if name.startswith(SPELLINGS.get(field.name, ""))] or free
        raise MissingColumn(f"{file}: {unknown('column', field.columns[found.index(None)], 'the header', at, likely)}")
    present = [place for place in found if place is not None]
    if len(taken) < len(present):
        twice = next(place for place, times in Counter(present).items() if times > 1)
        whose = zip(field.components or field.columns, present, strict=True)
        parts = " and ".join(shortened(part) for part, place in whose if place == twice)
        raise LogError(f"{file}: {shortened(names[twice])!r} (column {twice + 1}) could be the {field.name} of {parts}")
    return present


def _place(at: Mapping[str, list[int]], field: Field, k: int, file: str) -> int | None:
    for spellings in _spellings(field, k):
        found = [(i, name) for name in dict.fromkeys(spellings) for i in at.get(name, ())]
        if len(found) > 1:  # which of them is it?
            shown = " and ".join(f"{shortened(name)!r} (column {i + 1})" for i, name in found[:3])
            what = f"{field.name} of {shortened(field.components[k])}" if field.components else field.columns[k]
            raise LogError(f"{file}: {shown} are both the {what}; delete or rename one of them")
        if found:
            return found[0][0]
    return None


def _spellings(field: Field, k: int) -> Sequence[Sequence[str]]:
    """Names a column may have, those that go first before others."""
    if field == TIME:
        return [[name] for name in TIMES]
    if not field.components:
        return [[field.columns[k]]]
    part = field.components[k]
    by_name, by_number = ways(field.name, part, k)
    bare = [part, plain(part)] if field.name == "q" else []  # the bare joint name is its position
    return [*by_name, *bare], by_number
