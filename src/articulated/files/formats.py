"""The table of robot file formats; reader and writer of a format are imported on their first use."""

import re
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ..errors import ArticulatedError

if TYPE_CHECKING:
    from ..model import Model
    from .description import Description
    from .writers import Written

COMMENTS = re.compile(rb"<!--.*?(-->|\Z)|<\?.*?(\?>|\Z)", re.DOTALL)
ELEMENT = re.compile(rb"<([A-Za-z_][\w.:-]*)")
BLANK = b"\xef\xbb\xbf \t\r\n"


class Format(NamedTuple):
    """A kind of robot file: its folder NAME holds `read_NAME` in the reader and `write_NAME` in the writer."""

    name: str
    endings: tuple[str, ...]  # the first is that of files it writes
    recognizes: Callable[[bytes], bool]  # a text of this format, by how it begins
    srdf: bool = False  # whether an SRDF file beside it names poses
    includes: bool = False  # whether its reader opens further files, below the `folder` of the first

    def read(
        self, text: str | bytes, file: str = "", *, repair: bool = False, folder: Path | None = None
    ) -> "Description":
        """The robot in a text; a FileError if it is malformed, whatever the reader trips over."""
        more = {"folder": folder} if self.includes else {}
        try:
            return self._function("reader", "read")(text, file, repair=repair, **more)
        except (ArticulatedError, OSError, MemoryError):
            raise
        except Exception as problem:
            from .description import Findings
            from .rules import RULES

            text = f"not {self.name.upper()}: {type(problem).__name__}: {problem}"
            raise Findings(file, RULES).refuse("FILE002", text) from problem

    def write(self, model: "Model") -> "Written":
        """The text of a file, and what the format cannot express."""
        return self._function("writer", "write")(model)

    def _function(self, module: str, verb: str) -> Any:
        return getattr(import_module(f".{self.name}.{module}", __package__), f"{verb}_{self.name}")


def _is_xml(text: bytes) -> bool:
    return text.lstrip(BLANK)[:1] == b"<"


def _is_mjcf(text: bytes) -> bool:
    first = ELEMENT.search(COMMENTS.sub(b"", text))
    return _is_xml(text) and first is not None and first[1] == b"mujoco"


#: by name; where two have the same ending, the first that recognizes the text reads it, and the first writes it
FORMATS = {
    "mjcf": Format("mjcf", (".xml",), _is_mjcf, srdf=True, includes=True),
    "urdf": Format("urdf", (".urdf", ".xml", ".xacro"), _is_xml, srdf=True),
    "toml": Format("toml", (".toml",), lambda text: False),
}


def endings() -> list[str]:
    """Endings of the files that can be read."""
    return list(dict.fromkeys(ending for format in FORMATS.values() for ending in format.endings))


def listed() -> str:
    """Formats that can be written, for a message: `.xml (MJCF), .urdf, .toml`."""
    return ", ".join(
        f.endings[0] if f.endings[0] == f".{f.name}" else f"{f.endings[0]} ({f.name.upper()})" for f in FORMATS.values()
    )


def of_text(text: str | bytes) -> Format | None:
    """The format that recognizes a text."""
    head = text[:65_536].encode(errors="replace") if isinstance(text, str) else text[:65_536]
    return next((format for format in FORMATS.values() if format.recognizes(head)), None)


def of_file(ending: str, data: bytes) -> Format | None:
    """The format of a file with this ending and content."""
    known = [format for format in FORMATS.values() if ending in format.endings]
    return next((format for format in known if format.recognizes(data[:65_536])), known[-1] if known else None)


def written_as(ending: str) -> Format | None:
    """The format that writes files with this ending."""
    return next((format for format in FORMATS.values() if ending == format.endings[0]), None)
