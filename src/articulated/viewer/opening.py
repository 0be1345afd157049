"""Open a robot file from the page, and see what the checks say of it."""

from collections.abc import Iterable
from html import escape
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from ..errors import ArticulatedError, Diagnostic
from ..files.load import read_text
from ..files.toml.reader import read_toml
from ..robot import Robot
from ..robot.construction import robot_of
from . import html

if TYPE_CHECKING:
    from .page import Page

SHOWN = 100


class Opening:
    """The button and the report, in the container that is open."""

    def __init__(self, page: "Page"):
        self.page, gui, robot, turn = page, page.gui, page.robot, page.turn
        self._button = gui.add_upload_button("Open a URDF, MJCF or TOML file", icon="upload")
        self._button.on_upload(turn.long(lambda _: self._open(self._button.value)))
        gui.add_html(
            html.block(f"<h4>{html.name(robot.name)}</h4>", report_html(robot.report), _notes(page.scene.looks.notes))
        )
        self._refused = gui.add_html("")

    def _open(self, file: Any) -> None:
        try:
            robot = opened(file.name, file.content)
        except ArticulatedError as problem:
            found = getattr(problem, "diagnostics", ())
            said = report_html(found) if found else f"<p>{escape(str(problem)[:600])}</p>"
            with self.page.turn:
                self._refused.content = html.block(f"<h4>{html.name(file.name)} is refused</h4>", said)
            return
        self.page.viewer._open_soon(robot)


def opened(name: str, data: bytes) -> Robot:
    """The robot in a file that was sent: its meshes are not with it."""
    read = read_toml if PurePath(name).suffix.lower() == ".toml" else read_text
    return robot_of(read(data, name))


def report_html(findings: Iterable[Diagnostic]) -> str:
    """A line for every finding: how bad it is, its code and place, and what it says."""
    lines = [
        f"<p><b>{escape(d.severity)}</b> {escape(d.code)}, {html.name(d.place, 40)}: {html.name(d.text, 300)}</p>"
        for d in list(findings)[:SHOWN]
    ]
    return "".join(lines) or "<p class='dim'>No problems found</p>"


def _notes(notes: list[str]) -> str:
    lines = [*notes[:8], *([f"… and {len(notes) - 8} more"] if len(notes) > 8 else [])]
    return "<h4>Meshes that are not shown</h4>" * bool(lines) + "".join(f"<p>{escape(line)}</p>" for line in lines)
