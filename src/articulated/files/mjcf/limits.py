"""How large an MJCF file may be: MuJoCo's own reader takes the square of the number of bodies and of elements."""

import re
from pathlib import Path
from xml.parsers import expat

from ..description import Findings, Position

MAX_BODIES = 5_000
MAX_ELEMENTS = 20_000
REPLICATE = re.compile(r"<replicate\b[^>]*?\bcount\s*=\s*[\"']\s*\+?(\d+)")
COUNTED = ("replicate", "composite", "flexcomp")


class _Outsized(Exception):
    """A limit is met; the text says which."""


class _Census:
    """Counts the elements of one file as they will be once MuJoCo has copied what is to be replicated."""

    def __init__(self) -> None:
        self.copies = [1]  # of everything inside each open element
        self.bodies = self.elements = 0
        self.files: list[str] = []

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        inside = self.copies[-1]
        times = _product(attributes.get("count", "1")) if tag in COUNTED else 1
        self.copies.append(inside * times)
        self.elements += inside if tag == "replicate" else inside * times
        self.bodies += inside * times if tag in ("body", "composite", "flexcomp") else 0
        if tag in ("include", "model") and "file" in attributes:
            self.files.append(attributes["file"])
        if self.bodies > MAX_BODIES:
            raise _Outsized(f"more than {MAX_BODIES} bodies, copies included")
        if self.elements > MAX_ELEMENTS:
            raise _Outsized(f"more than {MAX_ELEMENTS} elements, copies included")


def _product(counts: str) -> int:
    """Of `10 10 1`; what is no number is MuJoCo's to refuse."""
    product = 1
    for word in counts.split():
        product *= max(1, int(word)) if word.isdecimal() and len(word) < 10 else MAX_ELEMENTS + 1
    return product


def refuse_outsized(text: str | bytes, file: str, report: Findings) -> None:
    """An error for a file, or the files it includes, that MuJoCo would take long to read."""
    census, folder = _Census(), Path(file).parent
    seen: set[str] = set()
    texts = [text]
    for data in texts:
        census.copies = [1]
        parser = expat.ParserCreate("utf-8" if isinstance(data, str) else None)
        parser.StartElementHandler = census.start
        parser.EndElementHandler = lambda tag: census.copies.pop()
        try:
            parser.Parse(data, True)
        except _Outsized as problem:
            at = Position(parser.CurrentLineNumber, parser.CurrentColumnNumber + 1) if data is text else None
            raise report.refuse("MJCF004", str(problem), at or Position(1, 1)) from None
        except (expat.ExpatError, LookupError, ValueError):
            _refuse_copies(data, report)  # MuJoCo reads XML that is not quite well-formed
        for name in census.files:
            if name not in seen and file and (path := folder / name).is_file():
                texts.append(path.read_bytes())
            seen.add(name)


def _refuse_copies(data: str | bytes, report: Findings) -> None:
    """Whatever encloses what: together the copies must not be too many."""
    shown = data if isinstance(data, str) else data.decode(errors="replace")
    product = 1
    for found in REPLICATE.finditer(shown):
        product *= max(1, _product(found[1]))
        if product > MAX_BODIES:
            line = shown.count("\n", 0, found.start()) + 1
            raise report.refuse("MJCF004", f"more than {MAX_BODIES} copies", Position(line, 1))
