"""Robots of the `example-robot-data` package, where it is installed: by name, by family name, and their meshes."""

from collections.abc import Sequence
from pathlib import Path

from . import catalogue

PACKAGE = "example-robot-data"
#: family name → the file that the package's own loader takes for it
FAMILIES = {
    "talos": "talos_reduced",
    "anymal": "anymal_b_simple_description/anymal",
    "anymal_b": "anymal_b_simple_description/anymal",
    "anymal_c": "anymal_c_simple_description/anymal",
    "hyq": "hyq_no_sensors",
    "g1": "g1_29dof_rev_1_0",
    "ur10": "ur10_robot",
    "allegro": "allegro_right_hand",
}


def installed() -> dict[str, Path]:
    """URDF files of the package by their stem; none without it."""
    from importlib import metadata  # slow to import

    try:
        files = metadata.files(PACKAGE) or []
    except metadata.PackageNotFoundError:
        return {}
    urdfs = [f for f in files if f.suffix == ".urdf"]
    stems = [*catalogue.names(), *(f.stem for f in urdfs)]
    # where two packages use a stem, or one that is built in, the package is part of the name
    return {
        f.stem if stems.count(f.stem) == 1 else f"{_package(f.parts)}/{f.stem}": Path(str(f.locate())) for f in urdfs
    }


def _package(parts: Sequence[str]) -> str:
    """`anymal_b_simple_description` of …/robots/anymal_b_simple_description/…"""
    return parts[parts.index("robots") + 1] if "robots" in parts else parts[0]


def package_folder() -> Path | None:
    """Folder that `package://example-robot-data/…` in its files means."""
    for file in installed().values():
        return next((folder for folder in file.parents if folder.name == PACKAGE), None)
    return None
