"""Open a robot file from the page, and see what the checks say of it."""

from collections.abc import Callable, Iterable
from html import escape
from pathlib import PurePath
from typing import Any

from ..errors import ArticulatedError, Diagnostic
from ..files.load import read_text
from ..files.toml.reader import read_toml
from ..robot import Robot
from ..robot.construction import robot_of
from . import html
from .page_lock import Turn

SHOWN = 100


class Opening:
    """The button and the report, in the container that is open; `opened` takes the robot."""

    def __init__(self, gui: Any, turn: Turn, robot: Robot, notes: list[str], opened: Callable[[Robot], None]):
        self.turn, self.opened = turn, opened
        self._button = gui.add_upload_button("Open a URDF, MJCF or TOML file", icon="upload")
        self._button.on_upload(turn.long(lambda _: self._open(self._button.value)))
        gui.add_html(html.block(f"<h4>{html.name(robot.name)}</h4>", report_html(robot.report), _notes(notes)))
        self._refused = gui.add_html("")

    def _open(self, file: Any) -> None:
        try:
            robot = opened(file.name, file.content)
        except ArticulatedError as problem:
            found = getattr(problem, "diagnostics", ())
            said = report_html(found) if found else f"<p>{escape(str(problem)[:600])}</p>"
            with self.turn:
                self._refused.content = html.block(f"<h4>{html.name(file.name)} is refused</h4>", said)
            return
        self.opened(robot)


def opened(name: str, data: bytes) -> Robot:
    """The robot in a file that was sent: its meshes are not with it."""
    read = read_toml if PurePath(name).suffix.lower() == ".toml" else read_text
    return robot_of(read(data, name))


def report_html(findings: Iterable[Diagnostic]) -> str:
    """A row for every finding: how bad it is, its code and place, and what it says."""
    every = list(findings)
    if not every:
        return "<p class='dim'>No problems found</p>"
    rows = [
        [f"<td class='{escape(d.severity)}'>{escape(d.severity)}</td>", f"<td class='name'>{escape(d.code)}</td>",
         f"<td>{d.line or ''}</td>", f"<td class='wrap'>{html.name(d.text, 300)}</td>"]
        for d in every[:SHOWN]
    ]  # fmt: skip
    more = f"<p class='dim'>… and {len(every) - SHOWN} more</p>" if len(every) > SHOWN else ""
    return html.table(rows, ["", "code", "line", ""]) + more


def _notes(notes: list[str]) -> str:
    if not notes:
        return ""
    lines = "".join(f"<p class='dim'>{escape(note)}</p>" for note in notes[:8])
    more = f"<p class='dim'>… and {len(notes) - 8} more</p>" if len(notes) > 8 else ""
    return "<h4>Meshes that are not shown</h4>" + lines + more
