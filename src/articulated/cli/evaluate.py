"""Evaluation of a quantity at one state, or at every state of a log."""

import os
import sys
import warnings
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import ModelWarning
from ..logs import TIME, Field, reader, state_field, writer
from ..robot import Robot
from ..robot.arguments.state_names import VECTORS, component_names, component_units
from ..robot.construction import load
from ..text import counted, shortened
from .click_commands import Told
from .commands.quantities import Quantity
from .exit_codes import BadInput, BadUsage
from .output import digits, progress, say
from .remarks import Remarks, nothing_moves, say_about_state
from .state import configuration, labels, start_of, vector

#: numbers in memory at a time, in and out
BLOCK_NUMBERS = 4_000_000
LARGEST_BLOCK = 16_384


def evaluate(
    quantity: Quantity, source: str, given: Mapping[str, str], settings: Mapping[str, str], *, floating: bool,
    log: str, output: str, as_json: bool, quiet: bool,
) -> Told:  # fmt: skip
    """Run the command for one state, or for every state of a log."""
    robot = load(source, floating_base=floating)
    if not robot.nv and not quiet:
        say(nothing_moves(robot))
    if output and not log:
        raise BadUsage("--output goes with --log; one state is printed")
    if output and os.path.exists(output) and os.path.samefile(log, output):
        raise BadUsage("--output would replace the log; give it another name")
    if log and as_json and output in ("", "-"):
        raise BadUsage("--json with a log describes the file written: give --output FILE")
    # the default frame is the last one; in JSON `axes` are labels
    settings = {key: x or robot.frame_names[-1] if key == "frame" else x for key, x in settings.items()}
    about = {"robot": robot.name, **{"in_axes" if key == "axes" else key: x for key, x in settings.items()}}
    found = _Evaluation(quantity, robot, given, settings)
    if not log:
        return found.one(about, quiet)
    rows = found.all(log, output, quiet)
    wrote = [] if quiet or output in ("", "-") else [f"wrote {output}: {counted(rows, 'state')}"]
    return Told({**about, "rows": rows, "output": output, "columns": found.columns}, remarks=wrote)


class _Evaluation:
    """A quantity of a robot, with vectors that were given and settings."""

    def __init__(self, quantity: Quantity, robot: Robot, given: Mapping[str, str], settings: Mapping[str, str]):
        self.quantity, self.robot, self.given, self.settings = quantity, robot, given, settings
        self.axes = [axis(robot) if callable(axis) else axis for axis in quantity.axes]
        self.columns = [quantity.name]
        for axis in self.axes:
            self.columns = [f"{name}_{label}" for name in self.columns for label in axis]

    def at(self, state: Mapping[str, Any]) -> Any:
        """The numbers at a state, or at many."""
        method = self.quantity.method
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ModelWarning)  # of degrees: `remarks` has its own
            if callable(method):
                return method(self.robot, **state, **self.settings)
            return getattr(self.robot, method)(**state, **self.settings)

    def one(self, about: Mapping[str, Any], quiet: bool) -> Told:
        """The numbers at the state that is given."""
        robot, given, unit = self.robot, self.given, self.quantity.unit
        state = {"q": configuration(robot, given["q"])}
        state |= {name: vector(robot, name, text) for name, text in given.items() if name != "q"}
        if given["q"] and not quiet:
            say_about_state(robot, state["q"])
        elif robot.nv and not quiet:
            say(start_of(robot))
        result = np.asarray(self.at(state))
        fields = {**about, **state, "axes": self.axes, self.quantity.name: result}
        if result.ndim == 1:
            units = component_units(robot.model, unit) if unit in VECTORS else [unit] * len(result)
            rows = zip(self.axes[0], digits(result), units, strict=True)
            return Told(fields, "\n".join(f"{shortened(label):<24} {x} {unit}".rstrip() for label, x, unit in rows))
        rounded = np.round(result, 6) + 0.0  # no -0
        return Told(
            fields,
            np.array2string(rounded, precision=6, suppress_small=True, max_line_width=10_000, threshold=sys.maxsize),
        )

    def all(self, path: str, output: str, quiet: bool) -> int:
        """The numbers at every state of a log, written to a file; returns how many states there were."""
        robot, given, name = self.robot, self.given, self.quantity.name
        shape = tuple(map(len, self.axes))
        per_state = len(self.columns) + robot.nq + 3 * robot.nv + 1
        size = max(1, min(LARGEST_BLOCK, BLOCK_NUMBERS // per_state))
        remarks = Remarks(robot)
        with closing(reader(Path(path))) as log:
            fields = [state_field(key, component_names(robot.model, key)) for key in given]
            held = [field.name for field in log.find([*fields, TIME])]
            if twice := [key for key in held if given.get(key)]:
                raise BadUsage(f"--{twice[0]} is given, and {path} holds {twice[0]} as well; leave one of them out")
            absent = [key for key in given if key not in held and not given[key]]
            if absent or not held:
                raise _absent(robot, path, absent or list(given), log.names)
            fixed = {key: vector(robot, key, text) for key, text in given.items() if key not in held}
            results = [*([TIME] if "time" in held else []), Field(name, self.columns, shape)]
            place = Path(output) if output not in ("", "-") else None
            with writer(place, results) as file, progress("states", log.rows, quiet) as step:
                for block in log.blocks(size):
                    remarks.look(block)
                    count = len(next(iter(block.values())))
                    result = self.at({key: block.get(key, fixed.get(key)) for key in given})
                    file.write({**block, name: np.broadcast_to(result, (count, *shape))})
                    step(count)
        for remark in () if quiet else remarks.texts():
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
