"""The URDF files of the example-robot-data package."""

from importlib.metadata import files
from pathlib import Path

CORPUS = sorted(
    Path(str(entry.locate()))
    for entry in files("example-robot-data") or ()
    if entry.suffix == ".urdf" and "robots" in entry.parts
)


def label(path: Path) -> str:
    """Package and file, without the machine's folders."""
    parts = path.parts
    return "/".join([parts[parts.index("robots") + 1], path.stem])
