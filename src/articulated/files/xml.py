"""XML as a tree of elements that know their line; strict, bounded, without recursion."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from xml.parsers import expat

from .description import FileError, Findings, Position

MAX_BYTES = 64 * 2**20
MAX_ATTRIBUTE = 64 * 2**10
MAX_DEPTH = 64
LONG = re.compile(rb"[^<]{%d}" % MAX_ATTRIBUTE)

#: text before the first digit of an invalid XML version: robots are published with 0.0, which expat 2.9 refuses
_OLD_VERSION = re.compile(rb"(?:\xef\xbb\xbf)?<\?xml\s+version\s*=\s*[\"'](?=[02-9]\.\d[\"'])")
_codes = expat.errors.codes
TRUNCATED = {_codes[e] for e in (expat.errors.XML_ERROR_UNCLOSED_TOKEN, expat.errors.XML_ERROR_UNCLOSED_CDATA_SECTION)}
OUTSIDE = {_codes[e] for e in (expat.errors.XML_ERROR_JUNK_AFTER_DOC_ELEMENT, expat.errors.XML_ERROR_MISPLACED_XML_PI)}
ENCODING = {_codes[e] for e in (expat.errors.XML_ERROR_UNKNOWN_ENCODING, expat.errors.XML_ERROR_INCORRECT_ENCODING)}
NO_ELEMENT = _codes[expat.errors.XML_ERROR_NO_ELEMENTS]
INVALID = {_codes[e] for e in (expat.errors.XML_ERROR_INVALID_TOKEN, expat.errors.XML_ERROR_PARTIAL_CHAR)}


@dataclass(slots=True, eq=False)
class Element:
    """An XML element; text between elements is not kept, robot files hold none."""

    tag: str
    attributes: dict[str, str]
    line: int
    column: int
    children: list["Element"]

    def all(self, tag: str) -> list["Element"]:
        """The children with this tag."""
        return [child for child in self.children if child.tag == tag]

    def walk(self) -> Iterator["Element"]:
        """This element and everything inside it, in document order."""
        stack = [self]
        while stack:
            element = stack.pop()
            yield element
            stack.extend(reversed(element.children))

    def __str__(self) -> str:
        written = [f'{name}="{value[:60]}"' for name, value in self.attributes.items()]
        return f"<{' '.join([self.tag, *written])}>"


def parse(text: str | bytes, report: Findings, max_bytes: int = MAX_BYTES) -> Element:
    """The root element; a FileError with the line for anything that is not plain XML."""
    data = _bytes(text, report)
    if len(data) > max_bytes:
        size = f"the file has {len(data)} bytes, more than max_bytes={max_bytes}"
        raise report.refuse("URDF004", size, value=str(len(data)))
    if b"\0" in data and data[:2] not in (b"\xff\xfe", b"\xfe\xff"):
        raise report.refuse("URDF018", "the file is binary: it holds zero bytes")
    _refuse_outsized(data, report)
    if old := _OLD_VERSION.match(data):
        data = data[: old.end()] + b"1" + data[old.end() + 1 :]
    # a str is decoded already, whatever encoding its first line still declares
    parser = expat.ParserCreate("utf-8" if isinstance(text, str) else None)
    opened = [Element("", {}, 1, 1, [])]  # stack of open elements, the document first
    parser.StartElementHandler = _starter(parser, opened, report)
    parser.EndElementHandler = lambda tag: opened.pop()
    parser.StartDoctypeDeclHandler = lambda *_: _refuse_doctype(parser, report)
    try:
        # one call with everything: chunks make expat < 2.6 quadratic (CVE-2023-52425)
        parser.Parse(data, True)
    except expat.ExpatError as error:
        raise _syntax_error(error, data, opened, report) from None
    except FileError:
        raise
    except (LookupError, ValueError) as error:
        raise report.refuse("URDF003", f"the declared encoding cannot be read: {error}", Position(1, 1)) from None
    return opened[0].children[0]


def _refuse_outsized(data: bytes, report: Findings) -> None:
    """Refuse a name or a value that is too long: a tag holds no `<` but its first, so a look that costs nothing."""
    if found := LONG.search(data):
        at = Position(data.count(b"\n", 0, found.start()) + 1, 1)
        raise report.refuse("URDF004", f"a name, a value or a text over {MAX_ATTRIBUTE} bytes", at)


def _starter(
    parser: expat.XMLParserType, opened: list[Element], report: Findings
) -> Callable[[str, dict[str, str]], None]:
    """Handler of expat for every element; a closure, because a large file has millions of them."""

    def start(tag: str, attributes: dict[str, str]) -> None:
        element = Element(tag, attributes, parser.CurrentLineNumber, parser.CurrentColumnNumber + 1, [])
        if len(opened) > MAX_DEPTH:
            raise report.refuse("URDF004", f"<{tag[:60]}>: more than {MAX_DEPTH} levels of XML elements", element)
        opened[-1].children.append(element)
        opened.append(element)

    return start


def _refuse_doctype(parser: expat.XMLParserType, report: Findings) -> None:
    at = Position(parser.CurrentLineNumber, parser.CurrentColumnNumber + 1)
    raise report.refuse("URDF001", "DOCTYPE is not allowed in robot files", at)


def _bytes(text: str | bytes, report: Findings) -> bytes:
    if not isinstance(text, str):
        return bytes(text)
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        line = text.count("\n", 0, error.start) + 1
        raise report.refuse("URDF003", f"character {error.start} is a lone surrogate", Position(line, 1)) from None


def _syntax_error(error: expat.ExpatError, data: bytes, opened: list[Element], report: Findings) -> Exception:
    """The finding for what expat could not read."""
    at = Position(error.lineno, error.offset + 1)
    said = expat.ErrorString(error.code)
    if error.code == NO_ELEMENT and not opened[0].children:
        return report.refuse("URDF005", "the file holds no element", at)
    if error.code == NO_ELEMENT or error.code in TRUNCATED:
        inside = f" inside <{opened[-1].tag}> of line {opened[-1].line}" if len(opened) > 1 else ""
        return report.refuse("URDF006", f"the file ends{inside}: {said}", at)
    if error.code in OUTSIDE:
        return report.refuse("URDF007", f"text before or after the robot: {said}", at)
    if error.code in ENCODING:
        return report.refuse("URDF003", f"the encoding is not what the file declares: {said}", at)
    if error.code in INVALID:
        try:
            data.decode()
        except UnicodeDecodeError as broken:
            return report.refuse("URDF003", f"not valid UTF-8 at byte {broken.start}", at)
    return report.refuse("URDF002", f"not XML: {said}", at)
