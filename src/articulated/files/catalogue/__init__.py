"""The built-in robots, one TOML file each; its first line is the description."""

from importlib.resources import files
from importlib.resources.abc import Traversable

from ...errors import unknown


def names() -> list[str]:
    """The robots that can be loaded by name."""
    entries = (entry.name for entry in files(__name__).iterdir())
    return sorted(name.removesuffix(".toml") for name in entries if name.endswith(".toml"))


def path(name: str) -> Traversable:
    """The file of a robot, which may lie in an archive; `.read_text()` gives its description."""
    if name not in names():
        raise unknown("robot", name, "the catalogue", names())
    return files(__name__) / f"{name}.toml"


def about(name: str) -> str:
    """One sentence about a robot."""
    return path(name).read_text(encoding="utf-8").splitlines()[0].lstrip("# ")
