"""Which writer writes what, by the ending of the file."""

from collections.abc import Callable
from pathlib import Path

from ..errors import ModelError
from ..housekeeping import whole_file
from ..model import Model
from .mjcf.writer import write_mjcf
from .toml.writer import write_toml
from .urdf.writer import Written, write_urdf

WRITERS: dict[str, Callable[[Model], Written]] = {".urdf": write_urdf, ".toml": write_toml, ".xml": write_mjcf}


def write_file(model: Model, path: Path) -> tuple[str, ...]:
    """Write the robot in the format of the ending; what that format cannot say."""
    ending = path.suffix.lower()
    if ending not in WRITERS:
        raise ModelError(f"{path}: no writer for {ending!r} files; there are writers for .urdf, .toml and .xml (MJCF)")
    written = WRITERS[ending](model)
    with whole_file(path) as file:
        file.write(written.text)
    return written.lost
