"""Remarks on states, typed or of a log: NaN, positions beyond the limits, degrees, a clock that runs backwards."""

import numpy as np

from ..logs import Block
from ..robot import Robot
from ..text import plain
from .output import say

MOST_REMARKS = 5
#: radians beyond which a joint seems to be in degrees: typed, and of a log where no limits allow it
TURN, FULL_TURNS = 7.0, 6 * np.pi
ROUNDING = 1e-6


def nothing_moves(robot: Robot) -> str:
    """Reason why there is nothing to compute, and what could be meant."""
    return f"{robot.name} has no joint that moves; --floating frees its root link"


def say_about_state(robot: Robot, q: np.ndarray) -> None:
    """The first remarks on a typed configuration: joints beyond their limits, or as if in degrees."""
    found = []
    for b in (b for b in robot.model.independent if b.joint.nq == 1):
        k = b.coords.start
        value, lower, upper = float(q[k]), robot.limits.lower[k], robot.limits.upper[k]
        degrees = f"; degrees are written {value:g}deg" if b.joint.turns and abs(value) > TURN else ""
        if not lower - ROUNDING <= value <= upper + ROUNDING:
            found.append(f"{b.joint.name} = {value:g} is outside its limits {lower:g} … {upper:g}{degrees}")
        elif degrees:
            found.append(f"{b.joint.name} = {value:g} rad is {abs(value) / (2 * np.pi):.1f} turns{degrees}")
    more = [f"… and {len(found) - MOST_REMARKS} more"] if len(found) > MOST_REMARKS else []
    for remark in found[:MOST_REMARKS] + more:
        say(remark)


class Remarks:
    """Watches blocks go by; keeps counts only."""

    def __init__(self, robot: Robot):
        self.rows = self.missing = self.outside = self.backwards = 0
        self.last = -np.inf
        self.furthest, self.turned = "", FULL_TURNS
        single = [b for b in robot.model.independent if b.joint.nq == 1]
        self.names, self.at = [b.joint.name for b in single], [b.coords.start for b in single]
        self.lower, self.upper = (x[self.at] for x in robot.limits[:2])
        self.turning = np.array([b.joint.turns for b in single], bool)
        self.unlimited = np.isinf(self.lower) | np.isinf(self.upper)

    def look(self, block: Block) -> None:
        """Count what one block holds."""
        self.rows += len(next(iter(block.values())))
        finite = np.logical_and.reduce([np.isfinite(x.reshape(len(x), -1)).all(axis=1) for x in block.values()])
        self.missing += int((~finite).sum())
        if "q" in block:
            q = block["q"][finite][:, self.at]
            beyond = (q < self.lower - ROUNDING) | (q > self.upper + ROUNDING)
            self.outside += int(beyond.any(axis=1).sum())
            most = np.where((beyond | self.unlimited) & self.turning, np.abs(q), 0.0).max(axis=0, initial=0.0)
            if most.max(initial=0.0) > self.turned:
                self.furthest, self.turned = self.names[int(most.argmax())], float(most.max())
        if "time" in block and len(block["time"]):
            steps = np.diff(block["time"], prepend=self.last)
            self.backwards += int((steps <= 0).sum())
            self.last = float(block["time"][-1])

    def texts(self) -> list[str]:
        """One sentence per remark."""
        of = f"of {self.rows} states"
        turns = f"{self.turned:g} rad from zero, {self.turned / (2 * np.pi):.1f} turns"
        found = {
            f"{self.missing} {of} hold NaN or infinity; their results are NaN": self.missing,
            f"{self.outside} {of} are outside the joint limits": self.outside,
            f"{plain(self.furthest)} is {turns}: is the log in degrees? It is read in rad": self.furthest,
            f"time does not increase at {self.backwards} {of}": self.backwards,
        }
        return [text for text, count in found.items() if count]
