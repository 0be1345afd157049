"""The built-in robots: one TOML file each, data only; the first line of a file says what it is."""

from importlib.resources import files
from importlib.resources.abc import Traversable

from ...errors import unknown


def names() -> list[str]:
    """The robots that can be loaded by name."""
    return sorted(entry.name.removesuffix(".toml") for entry in files(__name__).iterdir() if _is_robot(entry))


def path(name: str) -> Traversable:
    """The file of a robot, which may lie in an archive; `.read_text()` gives its description."""
    if name not in names():
        raise unknown("robot", name, "the catalogue", names())
    return files(__name__) / f"{name}.toml"


def about(name: str) -> str:
    """One sentence about a robot."""
    return path(name).read_text(encoding="utf-8").splitlines()[0].lstrip("# ")


def _is_robot(entry: Traversable) -> bool:
    return entry.is_file() and entry.name.endswith(".toml")
