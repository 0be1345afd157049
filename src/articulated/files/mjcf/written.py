"""An MJCF file as it is written, before MuJoCo compiles it: what it would take long for, and what it would hide."""

import re
from pathlib import Path
from xml.parsers import expat

from ...text import shortened
from ..description import Findings, Position
from .directions import lost_direction
from .limits import MAX_COPIED, Census, Outsized, product
from .sizes import Sizes

#: start tags and attributes of a text that is not quite XML; no two ways to match the same characters
TAG = re.compile(r"<([A-Za-z_][\w.-]*)((?:[^<>\"']|\"[^\"]*\"|'[^']*')*)")
ATTRIBUTE = re.compile(r"(?<![\w.-])([A-Za-z_][\w.-]*)\s*=\s*(?:\"([^\"]*)\"|'([^']*)')")


class _Lost(Exception):
    """A direction MuJoCo would lose: the element, and what it says."""


def refuse_as_written(text: str | bytes, folder: Path | None, report: Findings) -> None:
    """An error for a file, or the files it includes, that MuJoCo would take long to read or would not read as meant."""
    census, sizes = Census(), Sizes()
    seen: set[str] = set()
    texts, included = [text], []

    def start(tag: str, attributes: dict[str, str]) -> None:
        census.start(tag, attributes)
        _look_at(sizes, tag, attributes)
        if tag in ("include", "model") and "file" in attributes:
            included.append(attributes["file"])

    for data in texts:
        census.copies = [1]
        parser = expat.ParserCreate("utf-8" if isinstance(data, str) else None)
        parser.StartElementHandler, parser.EndElementHandler = start, census.end
        try:
            parser.Parse(data, True)
        except (Outsized, _Lost) as problem:
            here = Position(parser.CurrentLineNumber, parser.CurrentColumnNumber + 1)
            raise _refused(problem, here if data is text else Position(1, 1), report) from None
        except (expat.ExpatError, LookupError, ValueError):
            _refuse_unparsed(data, report)  # MuJoCo reads XML that is not quite well-formed
        for name in included:
            if name not in seen and folder and (path := folder / name).is_file():
                texts.append(path.read_bytes())
            seen.add(name)


def _look_at(sizes: Sizes, tag: str, attributes: dict[str, str]) -> None:
    sizes.start(tag, attributes)
    if lost := lost_direction(attributes):
        element = f"{tag} {attributes['name']!r}" if "name" in attributes else f"<{tag}>"
        raise _Lost(element, shortened(lost))


def _refused(problem: Exception, at: Position, report: Findings) -> Exception:
    if isinstance(problem, _Lost):
        element, text = problem.args
        return report.refuse("MJCF005", text, at, element)
    return report.refuse("MJCF004", str(problem), at)


def _refuse_unparsed(data: str | bytes, report: Findings) -> None:
    """Limits of sizes and of all copies together, however they are nested."""
    shown = data if isinstance(data, str) else data.decode(errors="replace")
    sizes, copies = Sizes(), 1
    for found in TAG.finditer(shown):
        attributes = {name: double or single for name, double, single in ATTRIBUTE.findall(found[2])}
        try:
            _look_at(sizes, found[1], attributes)
            copies *= product(attributes.get("count", "1")) if found[1] == "replicate" else 1
            if copies > MAX_COPIED:
                raise Outsized(f"more than {MAX_COPIED} copies")
        except (Outsized, _Lost) as problem:
            raise _refused(problem, Position(shown.count("\n", 0, found.start()) + 1, 1), report) from None
