"""Robots to files, in the format of the ending; what is written can be read again."""

from pathlib import Path

from ..errors import ModelError
from ..housekeeping import whole_file
from ..model import Model
from ..text import shortened
from .addresses import with_meshes_beside
from .description import FileError
from .formats import listed, written_as
from .writers import Written

#: MuJoCo, which alone can tell, is not installed
NOBODY_TO_ASK = "MJCF002"
#: a shape that the reader goes without
LEFT_OUT = "URDF060"
#: our own limits of size, which other programs do not have
TOO_LARGE_HERE = ("MJCF004", "URDF004")


def write_file(model: Model, path: Path) -> tuple[str, ...]:
    """Write the robot in the format of the ending; returns what that format cannot express."""
    ending = path.suffix.lower()
    if written_as(ending) is None:
        raise ModelError(f"{path}: no writer for {ending!r} files; there are writers for {listed()}")
    text, lost = readable(with_meshes_beside(model, path), ending)
    with whole_file(path) as file:
        file.write(text)
    return lost


def readable(model: Model, ending: str) -> Written:
    """The robot in the format of the ending; refused if its own reader would refuse it."""
    format = written_as(ending)
    assert format is not None
    written = format.write(model)
    try:
        found = format.read(written.text)
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
