"""Bags of ROS through rosbags (extra `ros`): joint states and wrenches of ROS 2 (mcap, sqlite3) and ROS 1, as a table.

A column is `/topic/JOINT/position`, `velocity` or `effort`, or `/topic/force/x`.  Messages of other joints have another
clock; what is taken is brought to that of the most messages.  Times are those of the messages' headers, in seconds from
the first.
"""

from collections.abc import Iterator, Sequence
from io import BufferedReader
from pathlib import Path
from typing import Any

import numpy as np

from ..text import shortened
from .fields import LogError
from .log import Table

ENDINGS = (".mcap", ".db3", ".bag")
#: parts of a message
PARTS = {
    "sensor_msgs/msg/JointState": ("position", "velocity", "effort"),
    "geometry_msgs/msg/WrenchStamped": ("force", "torque"),
}
AXES = ("x", "y", "z")


def is_bag(path: Path) -> bool:
    """Whether a path is that of a bag: a file, or a folder with its metadata."""
    return path.suffix.lower() in ENDINGS if path.is_file() else (path / "metadata.yaml").is_file()


class Bag(Table):
    """The joint states in a bag, in memory."""

    def __init__(self, path: Path, file: BufferedReader):
        super().__init__(path, file)
        self.series: list[tuple[np.ndarray, np.ndarray]] = []
        self.names = ["time"]
        for (topic, joints), (stamps, rows) in self._messages().items():
            t, values = np.array(stamps), np.array(rows)
            wrench = joints == AXES
            for k, part in enumerate(list(PARTS.values())[wrench]):
                if np.isfinite(values[:, k]).any():
                    self.names += [f"{topic}/{part}/{x}" if wrench else f"{topic}/{x}/{part}" for x in joints]
                    self.series += [(t, values[:, k, j]) for j in range(len(joints))]
        self.start = min((int(t[0]) for t, _ in self.series), default=0)

    def _messages(self) -> dict[tuple[str, tuple[str, ...]], tuple[list[int], list[Any]]]:
        """Stamps, and (parts, joints) numbers, of the messages of a topic about the same joints."""
        from rosbags.highlevel import AnyReader
        from rosbags.typesys import Stores, get_typestore

        found: dict[tuple[str, tuple[str, ...]], tuple[list[int], list[Any]]] = {}
        try:
            with AnyReader([self.path], default_typestore=get_typestore(Stores.LATEST)) as bag:
                those = [x for x in bag.connections if x.msgtype in PARTS]
                if not those:
                    held = shortened(", ".join(sorted({f"{x.topic} ({x.msgtype})" for x in bag.connections})), 400)
                    raise LogError(f"{self.path}: no topic of {next(iter(PARTS))}; it has: {held or 'none'}")
                for connection, when, data in bag.messages(those):
                    message: Any = bag.deserialize(data, connection.msgtype)
                    stamp = message.header.stamp.sec * 10**9 + message.header.stamp.nanosec or when
                    names = tuple(getattr(message, "name", AXES))
                    stamps, rows = found.setdefault((connection.topic, names), ([], []))
                    stamps.append(stamp)
                    rows.append([_whole(_part(message, part), len(names)) for part in PARTS[connection.msgtype]])
        except (LogError, ImportError):
            raise
        except Exception as problem:  # of YAML, SQLite, zstd, CDR: they have no common parent
            raise LogError(f"{self.path}: not a whole bag: {problem}") from None
        return found

    @property
    def rows(self) -> int:
        """Messages about the joints that have most."""
        return max((len(t) for t, _ in self.series), default=0)

    def header(self) -> None:
        """A bag has none."""

    def numbers(self, columns: Sequence[int], size: int) -> Iterator[np.ndarray]:
        """Columns on the clock of the one with most messages."""
        clock = max((self.series[k - 1][0] for k in columns if k), key=len, default=np.zeros(0))
        found = [self._column(k, clock) for k in columns]
        values = np.stack(found, axis=1) if found else np.zeros((0, 0))
        yield from (values[k : k + size] for k in range(0, len(values), size))

    def _column(self, k: int, clock: np.ndarray) -> np.ndarray:
        if k == 0:
            return (clock - self.start) * 1e-9
        t, x = self.series[k - 1]
        return x if t is clock or np.array_equal(t, clock) else np.interp(clock, t, x, np.nan, np.nan)


def _part(message: Any, part: str) -> Any:
    """Numbers of a part, those of a wrench along the axes."""
    if hasattr(message, "name"):
        return getattr(message, part)
    return [getattr(getattr(message.wrench, part), axis) for axis in AXES]


def _whole(values: Any, count: int) -> Any:
    """Numbers of a part, NaN if a message leaves them out."""
    return values if len(values) == count else [np.nan] * count
