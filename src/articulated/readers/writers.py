"""Which writer writes what, by the ending of the file."""

from collections.abc import Callable

from ..model import Model
from .mjcf_writer import write_mjcf
from .toml_writer import write_toml
from .urdf_writer import Written, write_urdf

WRITERS: dict[str, Callable[[Model], Written]] = {
    ".urdf": write_urdf,
    ".toml": write_toml,
    ".xml": write_mjcf,
    ".mjcf": write_mjcf,
}
