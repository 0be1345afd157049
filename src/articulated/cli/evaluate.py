"""Evaluation of a quantity at one state, or at every state of a log."""

import os
import sys
import warnings
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import ModelWarning
from ..logs import TIME, Field, reader, state_field, writer
from ..robot import Robot
from ..robot.arguments.state_names import VECTORS, component_names, component_units
from ..robot.construction import load
from ..text import counted, shortened
from .exit_codes import BadInput, BadUsage
from .output import digits, print_json, progress, say
from .remarks import Remarks, nothing_moves, say_about_state
from .state import configuration, labels, start_of, vector

#: numbers in memory at a time, in and out
BLOCK_NUMBERS = 4_000_000
LARGEST_BLOCK = 16_384


@dataclass(frozen=True)
class Quantity:
    """A quantity: its input vectors, how it is computed, and the labels of its axes."""

    command: str
    name: str  # in JSON, in an NPZ, in front of column names
    inputs: Sequence[str]
    compute: Callable[..., Any]  # of the robot, the input arrays and the settings
    axes: Callable[[Robot], Sequence[Sequence[str]]]  # the labels along each axis of the result
    unit: str = ""  # of every number, or the vector whose units they have
    settings: Mapping[str, str] = field(default_factory=dict)

    def of(self, robot: Robot, state: Mapping[str, Any]) -> Any:
        """The numbers at a state, or at many."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ModelWarning)  # of degrees: `remarks` has its own
            return self.compute(robot, **state, **self._settled(robot))

    def said(self, robot: Robot) -> dict[str, str]:
        """Settings by their names in JSON, where `axes` are the labels."""
        return {"in_axes" if name == "axes" else name: x for name, x in self._settled(robot).items()}

    def _settled(self, robot: Robot) -> dict[str, str]:
        """Settings; the default frame is the last one."""
        return {name: x or robot.frame_names[-1] if name == "frame" else x for name, x in self.settings.items()}


def evaluate(
    quantity: Quantity,
    source: str,
    given: Mapping[str, str],
    *,
    floating: bool,
    log: str,
    output: str,
    as_json: bool,
    quiet: bool,
) -> None:
    """Run the command for one state, or for every state of a log."""
    robot = load(source, floating_base=floating)
    if not robot.nv and not quiet:
        say(nothing_moves(robot))
    if not log:
        if output:
            raise BadUsage("--output goes with --log; one state is printed")
        _one(quantity, robot, given, as_json, quiet)
        return
    if output and os.path.exists(output) and os.path.samefile(log, output):
        raise BadUsage("--output would replace the log; give it another name")
    if as_json and output in ("", "-"):
        raise BadUsage("--json with a log describes the file written: give --output FILE")
    rows = _all(quantity, robot, given, log, output, quiet)
    if as_json:
        fields = {**quantity.said(robot), "rows": rows, "output": output, "columns": _columns(quantity, robot)}
        print_json(quantity.command, {"robot": robot.name, **fields})
    elif output not in ("", "-") and not quiet:
        say(f"wrote {output}: {counted(rows, 'state')}")


def _one(quantity: Quantity, robot: Robot, given: Mapping[str, str], as_json: bool, quiet: bool) -> None:
    state = {name: vector(robot, name, given.get(name, "")) for name in quantity.inputs if name != "q"}
    state = {"q": configuration(robot, given.get("q", "")), **state} if "q" in quantity.inputs else state
    if given.get("q") and not quiet:
        say_about_state(robot, state["q"])
    elif robot.nv and not quiet:
        say(start_of(robot))
    result = np.asarray(quantity.of(robot, state))
    axes = quantity.axes(robot)
    if as_json:
        fields = {**quantity.said(robot), **state, "axes": axes, quantity.name: result}
        print_json(quantity.command, {"robot": robot.name, **fields})
    elif result.ndim == 1:
        by_joint = quantity.unit in VECTORS
        units = component_units(robot.model, quantity.unit) if by_joint else [quantity.unit] * len(result)
        rows = zip(axes[0], digits(result), units, strict=True)
        print("\n".join(f"{shortened(label):<24} {value} {unit}".rstrip() for label, value, unit in rows))
    else:
        rounded = np.round(result, 6) + 0.0  # no -0
        print(np.array2string(rounded, precision=6, suppress_small=True, max_line_width=10_000, threshold=sys.maxsize))


def _columns(quantity: Quantity, robot: Robot) -> list[str]:
    names = [quantity.name]
    for axis in quantity.axes(robot):
        names = [f"{name}_{label}" for name in names for label in axis]
    return names


def _all(quantity: Quantity, robot: Robot, given: Mapping[str, str], path: str, output: str, quiet: bool) -> int:
    columns, shape = _columns(quantity, robot), tuple(len(axis) for axis in quantity.axes(robot))
    per_state = len(columns) + robot.nq + 3 * robot.nv + 1
    size = max(1, min(LARGEST_BLOCK, BLOCK_NUMBERS // per_state))
    remarks = Remarks(robot)
    fields = [state_field(name, component_names(robot.model, name)) for name in quantity.inputs]
    with closing(reader(Path(path))) as log:
        held = [field.name for field in log.find([*fields, TIME])]
        if twice := [name for name in held if given.get(name)]:
            raise BadUsage(f"--{twice[0]} is given, and {path} holds {twice[0]} as well; leave one of them out")
        absent = [name for name in quantity.inputs if name not in held and not given.get(name)]
        if absent or not held:
            raise _absent(robot, path, absent or quantity.inputs, log.names)
        fixed = {name: vector(robot, name, given[name]) for name in quantity.inputs if name not in held}
        results = [*([TIME] if "time" in held else []), Field(quantity.name, columns, shape)]
        place = Path(output) if output not in ("", "-") else None
        with writer(place, results) as file, progress("states", log.rows, quiet) as step:
            for block in log.blocks(size):
                remarks.look(block)
                count = len(next(iter(block.values())))
                result = quantity.of(robot, {name: block.get(name, fixed.get(name)) for name in quantity.inputs})
                file.write({**block, quantity.name: np.broadcast_to(result, (count, *shape))})
                step(count)
    if not quiet:
        for remark in remarks.texts():
            say(remark)
    return remarks.rows


def _absent(robot: Robot, path: str, absent: Sequence[str], columns: Sequence[str]) -> Exception:
    first = absent[0]
    example = f"{first}_{labels(robot, first)[0]}" if robot.nv else first
    found = ", ".join(map(shortened, columns[:12])) + (", …" if len(columns) > 12 else "")
    return BadInput(
        f"{path}: no columns for {' and '.join(absent)}; name them {example} and so on, "
        f"or give one value for all states with --{first}. It has: {found or 'none'}"
    )
