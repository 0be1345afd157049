"""Which writer writes what, by the ending of the file; what is written can be read again."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from ..errors import ModelError
from ..housekeeping import whole_file
from ..model import Model
from ..text import shortened
from .description import FileError
from .mjcf.reader import read_mjcf
from .mjcf.writer import write_mjcf
from .toml.reader import read_toml
from .toml.writer import write_toml
from .urdf.reader import read_urdf
from .urdf.writer import Written, write_urdf

WRITERS: dict[str, Callable[[Model], Written]] = {".urdf": write_urdf, ".toml": write_toml, ".xml": write_mjcf}
READERS: dict[str, Callable[[str], Any]] = {".urdf": read_urdf, ".toml": read_toml, ".xml": read_mjcf}
#: MuJoCo, which alone can tell, is not installed
NOBODY_TO_ASK = "MJCF002"
#: a shape that the reader goes without
LEFT_OUT = "URDF060"
#: our own limits of size, which other programs do not have
TOO_LARGE_HERE = ("MJCF004", "URDF004")


def write_file(model: Model, path: Path) -> tuple[str, ...]:
    """Write the robot in the format of the ending; what that format cannot say."""
    ending = path.suffix.lower()
    if ending not in WRITERS:
        raise ModelError(f"{path}: no writer for {ending!r} files; there are writers for .urdf, .toml and .xml (MJCF)")
    text, lost = readable(model, ending)
    with whole_file(path) as file:
        file.write(text)
    return lost


def readable(model: Model, ending: str) -> Written:
    """The robot in the format of the ending; refused if its own reader would refuse it."""
    written = WRITERS[ending](model)
    try:
        found = READERS[ending](written.text)
    except FileError as problem:
        first = problem.diagnostics[0]
        if first.code in TOO_LARGE_HERE:
            return written._replace(lost=(*written.lost, f"art.load will refuse the file: {first.text}"))
        if first.code != NOBODY_TO_ASK:
            raise ModelError(
                f"{shortened(model.name)} cannot be saved as {ending}, because no such file could be loaded again: "
                f"{first.text} ({first.code}: {first.why}); save a changed robot, as from robot.replace(link, …)"
            ) from None
        return written
    dropped = (f"art.load leaves it out: {d.text}" for d in found.report if d.code == LEFT_OUT)
    return written._replace(lost=(*written.lost, *dropped))
