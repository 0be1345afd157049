"""Mesh addresses to files, inside declared folders only; the dynamics never asks."""

import os
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from itertools import count
from pathlib import Path
from shutil import copyfile
from urllib.parse import unquote, urlsplit

from ..errors import ModelError
from ..model import Link, Model
from ..model.shapes import Hull, Mesh, Shape
from ..text import shortened
from .description import Findings
from .packages import PackageFolders

SUFFIXES = (".stl", ".obj", ".glb", ".gltf", ".dae", ".ply")
LARGEST = 256 * 2**20


def with_mesh_files(
    links: Iterable[Link], folder: Path, packages: PackageFolders | Mapping[str, Path], report: Findings
) -> list[Link]:
    """The links, their meshes with the files they were found in; a warning about those that were not."""
    missing: dict[str, str] = {}  # address → why

    def located(shape: Shape) -> Shape:
        if isinstance(shape, Mesh) and not isinstance(shape, Hull):
            try:
                return replace(shape, file=str(mesh_path(shape.address, folder, packages)))
            except (ModelError, OSError, ValueError) as problem:
                missing[shape.address] = str(problem)
        return shape

    found = [_with_shapes(link, located) for link in links]
    if missing:
        more = f"; and {len(missing) - 1} more meshes" if len(missing) > 1 else ""
        report.add("FILE004", f"{shortened(next(iter(missing.values())), 300)}{more}")
    return found


def _with_shapes(link: Link, change: Callable[[Shape], Shape]) -> Link:
    """The link with its meshes changed."""
    if any(isinstance(shape, Mesh) for shape in link.shapes):
        return link.replace(shapes=[change(shape) for shape in link.shapes])
    return link


def with_meshes_beside(model: Model, path: Path) -> Model:
    """The tree with mesh addresses that lead from a file at `path` to the meshes it has now.

    A mesh that its address does not lead to from there is copied into the folder `NAME_meshes` beside the file.
    """
    folder, packages = path.absolute().parent, PackageFolders((), path)
    copies = folder / f"{path.stem}_meshes"
    names: dict[str, str] = {}  # file → name of its copy

    def moved(shape: Shape) -> Shape:
        if not isinstance(shape, Mesh) or not shape.file or not os.path.isfile(shape.file):
            return shape
        with suppress(ModelError, OSError, ValueError):
            if str(mesh_path(shape.address, folder, packages)) == shape.file:
                return shape
        if shape.file not in names:
            own = Path(shape.file)
            tries = (f"{own.stem}{f'_{n}' if n else ''}{own.suffix}" for n in count())
            names[shape.file] = next(name for name in tries if name not in names.values())
            copies.mkdir(exist_ok=True)
            copyfile(shape.file, copies / names[shape.file])
        return replace(shape, address=f"{copies.name}/{names[shape.file]}")

    links = [_with_shapes(link, moved) for link in model.links]
    return model.changed(links) if names else model


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
