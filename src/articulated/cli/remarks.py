"""Remarks on a log: NaN, positions beyond the limits, degrees, a clock that runs backwards."""

import numpy as np

from ..algorithms.limits import ranges
from ..logs import Block
from ..robot import Robot
from ..text import plain
from .output import say

MOST_REMARKS = 5
TURN = 7.0  # radians nobody types for a joint
FULL_TURNS = 6 * np.pi  # a joint that is further than this, and whose limits do not allow it, may be in degrees


def nothing_moves(robot: Robot) -> str:
    """Why there is nothing to compute, and what could be meant."""
    return f"{robot.name} has no joint that moves; --floating frees its root link"


def about_state(robot: Robot, q: np.ndarray) -> list[str]:
    """One sentence for each joint of a typed state that is beyond its limits, or seems to be in degrees."""
    found = []
    for b, (lower, upper, *_) in ranges(robot.model).items():
        if b.joint.nq != 1:
            continue
        value = float(q[b.coords.start])
        degrees = b.joint.turns and abs(value) > TURN
        if value < lower - 1e-6 or value > upper + 1e-6:
            found.append(f"{b.joint.name} = {value:g} is outside its limits {float(lower):g} … {float(upper):g}")
        elif degrees:
            found.append(f"{b.joint.name} = {value:g} rad is {abs(value) / (2 * np.pi):.1f} turns")
        if degrees:
            found[-1] += f"; degrees are written {value:g}deg"
    return found


def say_about_state(robot: Robot, q: np.ndarray) -> None:
    """The first remark on a typed configuration."""
    found = about_state(robot, q)
    for remark in found[:MOST_REMARKS]:
        say(remark)
    if len(found) > MOST_REMARKS:
        say(f"… and {len(found) - MOST_REMARKS} more")


class Remarks:
    """Watches blocks go by; keeps counts only."""

    def __init__(self, robot: Robot):
        self.rows = self.missing = self.outside = self.backwards = 0
        self.last = -np.inf
        self.furthest, self.turned = "", FULL_TURNS
        single = [b for b in robot.model.bodies if b.leader is b and b.joint.nq == 1]
        self.names = [b.joint.name for b in single]
        self.at = [b.coords.start for b in single]
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
            beyond = (q < self.lower - 1e-6) | (q > self.upper + 1e-6)
            self.outside += int(beyond.any(axis=1).sum())
            self._look_for_degrees(np.where((beyond | self.unlimited) & self.turning, np.abs(q), 0.0))
        if "time" in block and len(block["time"]):
            steps = np.diff(block["time"], prepend=self.last)
            self.backwards += int((steps <= 0).sum())
            self.last = float(block["time"][-1])

    def _look_for_degrees(self, turned: np.ndarray) -> None:
        """Keep the joint that has turned furthest."""
        most = turned.max(axis=0, initial=0.0)
        if most.max(initial=0.0) > self.turned:
            self.furthest, self.turned = self.names[int(most.argmax())], float(most.max())

    def texts(self) -> list[str]:
        """One sentence per remark."""
        found = []
        if self.missing:
            found.append(f"{self.missing} of {self.rows} states hold NaN or infinity; their results are NaN")
        if self.outside:
            found.append(f"{self.outside} of {self.rows} states are outside the joint limits")
        if self.furthest:
            turns = f"{self.turned:g} rad from zero, {self.turned / (2 * np.pi):.1f} turns"
            found.append(f"{plain(self.furthest)} is {turns}: is the log in degrees? It is read in rad")
        if self.backwards:
            found.append(f"time does not increase at {self.backwards} of {self.rows} states")
        return found
