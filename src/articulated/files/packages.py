"""Where ROS packages are: what `package://name/…` in a mesh address and `$(find name)` in a xacro file mean."""

import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from ..errors import ShapeError
from ..text import shortened
from .installed import PACKAGE, package_folder

#: the folder of each package by its name, or folders that hold packages
Packages = Mapping[str, str | Path] | Iterable[str | Path] | str | Path
#: ROS 1 and ROS 2: folders that hold packages, and prefixes with packages in their `share`
ROS1, ROS2 = "ROS_PACKAGE_PATH", "AMENT_PREFIX_PATH"


class PackageFolders:
    """The folder of a package by its name: as declared, then above the robot's own file, then in the places of ROS."""

    def __init__(self, packages: Any = (), file: Path | None = None):
        given = [packages] if isinstance(packages, (str, Path)) else packages
        several = isinstance(given, Iterable) and getattr(given, "ndim", 1) > 0
        if not several or not all(isinstance(x, (str, Path)) for x in given):
            wanted = "a dict of folders by package, or a list of folders that hold packages"
            raise ShapeError(f"load: packages is {wanted}; got {shortened(repr(packages))}")
        named = given if isinstance(given, Mapping) else {}
        if not all(isinstance(folder, (str, Path)) for folder in named.values()):
            raise ShapeError(f"load: packages holds something that is not a path; got {shortened(repr(packages))}")
        self.named = {name: Path(folder) for name, folder in named.items()}
        self.around = [] if isinstance(given, Mapping) else [Path(folder) for folder in given]
        self.above = list(Path(os.path.realpath(file)).parents) if file else []

    def __contains__(self, name: str) -> bool:
        return self._found(name) is not None

    def __iter__(self) -> Iterator[str]:
        return iter(self.named)

    def __getitem__(self, name: str) -> Path:
        found = self._found(name)
        if found is None:
            raise KeyError(f"package {name!r} is in none of: packages=, the folders above the file, {ROS1}, {ROS2}")
        return found

    def _found(self, name: str) -> Path | None:
        if name in self.named:
            return self.named[name]
        if not name or os.sep in name or name in (".", ".."):
            return None
        candidates = [
            *(place for folder in self.around for place in ([folder] if folder.name == name else []) + [folder / name]),
            *(folder for folder in self.above if folder.name == name),
            *(Path(part) / name for part in _parts(ROS1)),
            *(Path(part) / "share" / name for part in _parts(ROS2)),
        ]
        found = next((place for place in candidates if place.is_dir()), None)
        return package_folder() if found is None and name == PACKAGE else found


def _parts(variable: str) -> list[str]:
    return [part for part in os.environ.get(variable, "").split(os.pathsep) if part]
