"""Mesh addresses to files, inside declared folders only; the dynamics never asks."""

from collections.abc import Mapping
from pathlib import Path
from urllib.parse import unquote, urlsplit

from ..errors import ModelError

SUFFIXES = (".stl", ".obj", ".glb", ".gltf", ".dae", ".ply")
LARGEST = 256 * 2**20


def mesh_path(address: str, folder: Path, packages: Mapping[str, Path] = {}) -> Path:
    """The file of a mesh: below `folder` (that of the robot's file), or below the package it names."""
    root, inside = _root(address, folder, packages)
    found = (root / inside).resolve()
    if not found.is_relative_to(root.resolve()):
        raise ModelError(f"mesh {address!r} lies outside {root}; copy it there, or declare its folder as a package")
    if found.suffix.lower() not in SUFFIXES:
        raise ModelError(f"mesh {address!r} is not a mesh file; known are {', '.join(SUFFIXES)}")
    if not found.is_file():
        raise ModelError(f"mesh {address!r}: no such file in {root}")
    if (size := found.stat().st_size) > LARGEST:
        raise ModelError(f"mesh {address!r} has {size} bytes, more than {LARGEST}")
    return found


def _root(address: str, folder: Path, packages: Mapping[str, Path]) -> tuple[Path, str]:
    """The declared folder an address starts from, and the rest of it."""
    if "\0" in address:
        raise ModelError("a mesh address holds a zero byte")
    parts = urlsplit(address)
    if parts.scheme == "package":
        if parts.netloc not in packages:
            known = ", ".join(packages) or "none"
            raise ModelError(f"mesh {address!r}: package {parts.netloc!r} is not declared; declared are: {known}")
        return packages[parts.netloc], unquote(parts.path).lstrip("/")
    if parts.scheme not in ("", "file") or parts.netloc:
        raise ModelError(f"mesh {address!r}: only files are read, no {parts.scheme or 'network'} addresses")
    return folder, unquote(parts.path) if parts.scheme else address
