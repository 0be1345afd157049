"""Places of findings in an MJCF file: MuJoCo remembers the line of every element it has read."""

import re
from typing import Any

from ..description import Position

#: how MuJoCo names a line: "Element name 'b', id 1, line 3", "Line number=4"
LINE = re.compile(r"\bline(?: number)?[ =]+(\d+)", re.IGNORECASE)
FILE = re.compile(r"opening file '([^']+)'")
COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
#: element of the file -> the list MuJoCo's specification keeps of its kind
LISTS = {
    "body": "bodies", "joint": "joints", "site": "sites", "equality": "equalities", "actuator": "actuators",
    "tendon": "tendons", "geom": "geoms", "key": "keys", "flex": "flexes", "mesh": "meshes",
}  # fmt: skip


class Places:
    """The lines of one file; what an included file holds is at line 1, for that file is not this one."""

    def __init__(self, spec: Any, text: str | bytes):
        self.spec, self.lines = spec, _lines(text)
        self.known: dict[str, dict[int, Any]] = {}

    def of(self, tag: str, index: int = 0) -> Position:
        """The place of the element with this number, or of the first element of a kind MuJoCo does not list."""
        if tag not in self.known:
            self.known[tag] = {element.id: element for element in getattr(self.spec, LISTS.get(tag, ""), [])}
        if index not in self.known[tag]:
            return _first(self.lines, f"<{tag}")
        element = self.known[tag][index]
        # a <freejoint> has no line of its own: that of its body is close
        infos = [element.info, element.parent.info] if tag == "joint" else [element.info]
        lines = [int(match[1]) for match in map(LINE.search, infos) if match]
        return _position(next(filter(None, lines), 1), self.lines)


def place_said(said: str, text: str | bytes) -> Position:
    """The place MuJoCo's message names: by its line, or by a file it misses."""
    if line := LINE.search(said):
        return _position(int(line[1]), _lines(text))
    missing = FILE.search(said)
    return _first(_lines(text), missing[1].rpartition("/")[2]) if missing else Position(1, 1)


def _lines(text: str | bytes) -> list[str]:
    """The lines of the file, with comments blanked out."""
    shown = text if isinstance(text, str) else text.decode("utf-8-sig", errors="replace")
    return COMMENT.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), shown).split("\n")


def _first(lines: list[str], part: str) -> Position:
    """The first line that holds `part`."""
    return _position(next((i for i, line in enumerate(lines, start=1) if part in line), 1), lines)


def _position(line: int, lines: list[str]) -> Position:
    """A line, and where its first element begins."""
    content = lines[line - 1] if 0 < line <= len(lines) else ""
    return Position(max(line, 1), len(content) - len(content.lstrip()) + 1)
