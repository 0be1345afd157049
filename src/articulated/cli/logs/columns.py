"""Columns of a log and components of a state: both by the name of the joint."""

from collections.abc import Sequence

from ...errors import unknown
from ...robot import Robot, components
from ...text import plain
from ..guard import BadInput

#: how logs spell a quantity in front of a joint's name
SPELLINGS = {
    "q": ("q", "pos", "position"),
    "v": ("v", "qd", "dq", "vel", "velocity"),
    "a": ("a", "qdd", "ddq", "acc", "acceleration"),
    "tau": ("tau", "eff", "effort", "torque"),
}
TIMES = ("time", "t", "timestamp")


def component_names(robot: Robot, name: str) -> list[str]:
    """The joint of each number of q (or of v, a, tau); `joint_x` and so on where it has several."""
    return components.component_names(robot.model, name)


def labels(robot: Robot, name: str) -> list[str]:
    """Component names that a terminal and a spreadsheet only show."""
    return [plain(part) for part in component_names(robot, name)]


def match(robot: Robot, name: str, columns: Sequence[str], file: str) -> list[int] | None:
    """Where each number of q, v, a or tau is among the columns; None if no column belongs to it."""
    at = {column.strip(): i for i, column in enumerate(columns)}
    wanted = component_names(robot, name)
    keys = [_keys(name, part, k) for k, part in enumerate(wanted)]
    found = [next((at[key] for key in options if key in at), None) for options in keys]
    if all(place is None for place in found):
        return None
    for part, place in zip(wanted, found, strict=True):
        if place is None:
            free = [column for column, k in at.items() if k not in found]
            likely = [column for column in free if column.startswith(SPELLINGS[name])] or free
            raise BadInput(f"{file}: {unknown('column', f'{name}_{part}', 'the header', likely)}")
    return [place for place in found if place is not None]


def _keys(name: str, part: str, k: int) -> list[str]:
    """Every way to write a column, the plainest first; the bare joint name is its position."""
    keys = [f"{s}{mark}{spelt}" for spelt in (part, plain(part)) for s in SPELLINGS[name] for mark in "_./: "]
    keys += [f"{spelt}{mark}{s}" for spelt in (part, plain(part)) for s in SPELLINGS[name] for mark in "_./:"]
    keys += [f"{name}{k}", f"{name}_{k}", f"{name}[{k}]"]
    return [*keys, part, plain(part)] if name == "q" else keys


def time_column(columns: Sequence[str]) -> int | None:
    """Where the time is, if anywhere."""
    lowered = [column.strip().lower() for column in columns]
    return next((lowered.index(name) for name in TIMES if name in lowered), None)
