"""MuJoCo's compiler, with its messages as findings instead of text on stderr and log files."""

import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from ..description import Findings, Position
from ..xml import MAX_BYTES
from .limits import refuse_as_written
from .places import Places, place_said
from .references import named_files

#: MuJoCo has one handler of messages for the whole program; who listens may read another file meanwhile
_LOCK = threading.RLock()
#: forces and constraints, and the bits of opt.disableflags that switch each off, in any version of MuJoCo
SWITCHES = {
    "gravity": ("GRAVITY",),
    "damping": ("DAMPER", "PASSIVE"),
    "springs": ("SPRING", "PASSIVE"),
    "friction": ("FRICTIONLOSS", "CONSTRAINT"),
    "limits": ("LIMIT", "CONSTRAINT"),
    "equalities": ("EQUALITY", "CONSTRAINT"),
    "actuation": ("ACTUATION",),
}


class Compiled(NamedTuple):
    """A file as MuJoCo has read it, and the findings about it."""

    model: Any
    places: Places
    on: dict[str, bool]  # which of SWITCHES are
    report: Findings

    def add(self, code: str, text: str, tag: str, i: int = 0) -> None:
        """A finding about the element with this number."""
        self.report.add(code, text, self.places.of(tag, i), f"{tag} {getattr(self.model, tag)(i).name!r}")


def compiled(text: str | bytes, file: str, folder: Path | None, report: Findings) -> Compiled:
    """MuJoCo's model, and its specification, which knows the lines of the file; see `read_mjcf`."""
    try:
        import mujoco
    except ImportError:
        raise report.refuse("MJCF002", "this is an MJCF file, and mujoco is not installed", Position(1, 1)) from None
    if len(text) > MAX_BYTES:
        raise report.refuse("MJCF004", f"the file has more than {MAX_BYTES} bytes", Position(1, 1))
    refuse_as_written(named_files(text, folder, report), report)
    try:
        with heard(mujoco) as said:
            spec = mujoco.MjSpec.from_file(file) if folder else mujoco.MjSpec.from_string(_decoded(text))
            model = spec.compile()
    except (ValueError, RuntimeError, mujoco.FatalError) as problem:  # UnicodeError is a ValueError
        message = _line(problem)
        raise report.refuse("MJCF001", f"MuJoCo: {message}", place_said(message, text)) from None
    for message in dict.fromkeys(map(_line, said)):
        report.add("MJCF018", f"MuJoCo: {message}", place_said(message, text))
    known, flags = mujoco.mjtDisableBit.__members__, int(model.opt.disableflags)
    off = {name.removeprefix("mjDSBL_") for name, bit in known.items() if flags & int(bit)}
    return Compiled(model, Places(spec, text), {name: off.isdisjoint(bits) for name, bits in SWITCHES.items()}, report)


def _decoded(text: str | bytes) -> str:
    if not isinstance(text, str):
        return text.decode("utf-8-sig")
    text.encode()  # half a surrogate pair is no text
    return text


def _line(problem: object) -> str:
    return " ".join(str(problem).encode(errors="replace").decode().split())


@contextmanager
def heard(mujoco: Any) -> Iterator[list[str]]:
    """MuJoCo's warnings, collected in a list and printed nowhere."""
    said: list[str] = []
    with _LOCK:
        before = mujoco.get_mju_user_warning()
        mujoco.set_mju_user_warning(said.append)
        try:
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                yield said
            said += [str(warning.message) for warning in caught]
        finally:
            mujoco.set_mju_user_warning(before)
