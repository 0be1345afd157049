"""NPZ: the arrays as they are, and the header as a text."""

import json
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ....housekeeping import whole_file
from ....robot import Robot
from ....text import shortened
from ..columns import Layout, arrays, assembled, fields
from .header import NotATrajectory, header, laid_out, parsed

if TYPE_CHECKING:
    from ..trajectory import Trajectory

HEADER = "trajectory"
#: bytes of the header, which holds the robot: its text, four bytes a letter
LARGEST = 2**28


def write(run: "Trajectory", path: Path) -> None:
    """All or nothing."""
    with whole_file(path, "wb") as file:
        np.savez(file, allow_pickle=False, **{HEADER: np.array(json.dumps(header(run)))}, **arrays(run))


def read(path: Path, robot: Robot | str | Path | None) -> "Trajectory":
    """The trajectory in a file; numbers are unpacked when every array is known to have its shape."""
    with open(path, "rb") as file, ExitStack() as stack:
        with _unpacking(path):
            archive = stack.enter_context(np.load(file, allow_pickle=False))
            about = parsed(_text(path, archive), path)
        of = laid_out(about, robot, path)
        wanted = _shapes(of, about["samples"])
        with _unpacking(path):
            for name, shapes in wanted.items():
                _require_shape(path, archive, name, shapes)
            found = {name: archive[name] for name in wanted}
    return assembled(of, found, about)


@contextmanager
def _unpacking(path: Path) -> Iterator[None]:
    """Around what reads from the archive: zlib.error, LZMAError, TokenError and their like have no common parent."""
    try:
        yield
    except NotATrajectory:
        raise
    except Exception as problem:
        raise NotATrajectory(f"{path}: not a whole NPZ file: {problem}") from None


def _text(path: Path, archive: Any) -> str:
    if HEADER not in archive.files:
        held = ", ".join(archive.files[:8]) or "nothing"
        raise NotATrajectory(f"{path}: not a trajectory of articulated: it has no array {HEADER!r}, but {held}")
    if archive.zip.getinfo(f"{HEADER}.npy").file_size > LARGEST:
        raise NotATrajectory(f"{path}: the header of the trajectory is larger than {LARGEST >> 20} MB")
    return str(archive[HEADER])


def _shapes(of: Layout, samples: int) -> dict[str, set[tuple[int, ...]]]:
    """The shapes every array may have."""
    found = {field.name: {(*of.batch, samples, *field.tail)} for field in fields(of) if field.name != "batch"}
    found["time"] = {(samples,)}
    if of.contacts is not None:
        found["contact_frictions"] = {(len(of.contacts),), (*of.batch, len(of.contacts))}
    return found


def _require_shape(path: Path, archive: Any, name: str, shapes: set[tuple[int, ...]]) -> None:
    """By the first bytes of an array."""
    if name not in archive.files:
        raise NotATrajectory(f"{path}: the trajectory has no array {name!r}")
    with archive.zip.open(f"{name}.npy") as stream:
        version = np.lib.format.read_magic(stream)
        header = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
        shape, _, dtype = header(stream)
    if shape not in shapes or dtype.kind not in "fiub":
        wanted = " or ".join(map(str, sorted(shapes, key=len)))
        raise NotATrajectory(f"{path}: {name} has shape {shortened(shape)} of {dtype}; it must be {wanted} of numbers")
