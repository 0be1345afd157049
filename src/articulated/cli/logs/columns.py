"""Columns of a log and components of a state: both by the name of the joint."""

from collections import Counter
from collections.abc import Mapping, Sequence

from ...errors import unknown
from ...inputs.labels import SPELLINGS, ways
from ...robot import Robot
from ...robot.arguments import state_names as components
from ...text import plain, shortened
from ..exit_codes import BadInput

TIMES = ("time", "t", "timestamp")


def component_names(robot: Robot, name: str) -> list[str]:
    """The joint of each number of q (or of v, a, tau); `joint_x` and so on where it has several."""
    return components.component_names(robot.model, name)


def labels(robot: Robot, name: str) -> list[str]:
    """Component names that a terminal and a spreadsheet only show."""
    return [plain(part) for part in component_names(robot, name)]


def match(robot: Robot, name: str, columns: Sequence[str], file: str) -> list[int] | None:
    """Where each number of q, v, a or tau is among the columns; None if no column belongs to it."""
    at: dict[str, list[int]] = {}
    for i, column in enumerate(columns):
        at.setdefault(column.strip(), []).append(i)
    wanted = component_names(robot, name)
    found = [_place(at, name, part, k, file) for k, part in enumerate(wanted)]
    if all(place is None for place in found):
        return None
    taken = set(found)
    for part, place in zip(wanted, found, strict=True):
        if place is None:
            free = [column for column, places in at.items() if taken.isdisjoint(places)]
            likely = [column for column in free if column.startswith(SPELLINGS[name])] or free
            raise BadInput(f"{file}: {unknown('column', f'{name}_{part}', 'the header', at, likely)}")
    places = [place for place in found if place is not None]
    if len(taken) < len(places):
        twice = next(place for place, times in Counter(places).items() if times > 1)
        parts = " and ".join(shortened(part) for part, place in zip(wanted, places, strict=True) if place == twice)
        raise BadInput(f"{file}: {shortened(columns[twice])!r} (column {twice + 1}) could be the {name} of {parts}")
    return places


def _place(at: Mapping[str, list[int]], name: str, part: str, k: int, file: str) -> int | None:
    """The column of a component, by its name or, if there is none, by its number."""
    by_name, by_number = ways(name, part, k)
    bare = [part, plain(part)] if name == "q" else []  # the bare joint name is its position
    for keys in (dict.fromkeys([*by_name, *bare]), by_number):
        if places := [(i, key) for key in keys for i in at.get(key, ())]:
            _refuse_repeated(places, f"{name} of {shortened(part)}", file)
            return places[0][0]
    return None


def _refuse_repeated(places: Sequence[tuple[int, str]], what: str, file: str) -> None:
    """An error if several columns are one and the same thing: which of them is it?"""
    if len(places) > 1:
        shown = " and ".join(f"{shortened(key)!r} (column {i + 1})" for i, key in places[:3])
        raise BadInput(f"{file}: {shown} are both the {what}; delete or rename one of them")


def time_column(columns: Sequence[str], file: str) -> int | None:
    """Where the time is, if anywhere."""
    lowered = [column.strip().lower() for column in columns]
    for name in TIMES:
        if places := [(i, name) for i, column in enumerate(lowered) if column == name]:
            _refuse_repeated(places, "time", file)
            return places[0][0]
    return None
