"""Mesh addresses to files, inside declared folders only; the dynamics never asks."""

import os
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from urllib.parse import unquote, urlsplit

from ..errors import ModelError
from ..model import Link
from ..model.shapes import Mesh, Shape
from .packages import PackageFolders

SUFFIXES = (".stl", ".obj", ".glb", ".gltf", ".dae", ".ply")
LARGEST = 256 * 2**20


def with_mesh_files(links: Iterable[Link], folder: Path, packages: PackageFolders | Mapping[str, Path]) -> list[Link]:
    """The links, their meshes with the files they were found in."""
    return [
        link.replace(shapes=[_located(shape, folder, packages) for shape in link.shapes])
        if any(isinstance(shape, Mesh) for shape in link.shapes)
        else link
        for link in links
    ]


def _located(shape: Shape, folder: Path, packages: PackageFolders | Mapping[str, Path]) -> Shape:
    if not isinstance(shape, Mesh):
        return shape
    try:
        return replace(shape, file=str(mesh_path(shape.address, folder, packages)))
    except (ModelError, OSError, ValueError):
        return shape


def mesh_path(address: str, folder: Path, packages: PackageFolders | Mapping[str, Path] = {}) -> Path:
    """The file of a mesh: below `folder` (that of the robot's file), or below the package it names."""
    root, inside = _root(address, folder, packages)
    found = Path(os.path.realpath(root / inside))
    if not found.is_relative_to(os.path.realpath(root)):
        raise ModelError(f"mesh {address!r} lies outside {root}; copy it there, or declare its folder as a package")
    if found.suffix.lower() not in SUFFIXES:
        raise ModelError(f"mesh {address!r} is not a mesh file; known are {', '.join(SUFFIXES)}")
    if not found.is_file():
        raise ModelError(f"mesh {address!r}: no such file in {root}")
    if (size := found.stat().st_size) > LARGEST:
        raise ModelError(f"mesh {address!r} has {size} bytes, more than {LARGEST}")
    return found


def _root(address: str, folder: Path, packages: PackageFolders | Mapping[str, Path]) -> tuple[Path, str]:
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
