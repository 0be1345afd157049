"""XML as a tree of elements that know their line; strict, bounded, without recursion."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.parsers import expat

from .description import FileError, Position, Report

MAX_BYTES = 64 * 2**20
MAX_ATTRIBUTE = 64 * 2**10
MAX_DEPTH = 64
MAX_ELEMENTS = 5_000_000

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
    children: list["Element"] = field(default_factory=list)

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


def parse(text: str | bytes, report: Report, max_bytes: int = MAX_BYTES) -> Element:
    """The root element; a FileError with the line for anything that is not plain XML."""
    data = _bytes(text, report)
    if len(data) > max_bytes:
        size = f"the file has {len(data)} bytes, more than max_bytes={max_bytes}"
        raise report.refuse("URDF004", size, value=str(len(data)))
    if b"\0" in data and data[:2] not in (b"\xff\xfe", b"\xfe\xff"):
        raise report.refuse("URDF018", "the file is binary: it holds zero bytes")
    # a str is decoded already, whatever encoding its first line still declares
    parser = expat.ParserCreate("utf-8" if isinstance(text, str) else None)
    tree = _Tree(parser, report)
    try:
        # one call with everything: chunks make expat < 2.6 quadratic (CVE-2023-52425)
        parser.Parse(data, True)
    except expat.ExpatError as error:
        raise _syntax_error(error, data, tree, report) from None
    except FileError:
        raise
    except (LookupError, ValueError) as error:
        raise report.refuse("URDF003", f"the declared encoding cannot be read: {error}", Position(1, 1)) from None
    assert tree.root is not None
    return tree.root


class _Tree:
    """Builds the elements as expat meets them."""

    def __init__(self, parser: expat.XMLParserType, report: Report):
        self.parser, self.report = parser, report
        self.root: Element | None = None
        self.open: list[Element] = []
        self.count = 0
        parser.StartElementHandler = self.start
        parser.EndElementHandler = lambda tag: self.open.pop()
        parser.StartDoctypeDeclHandler = self.doctype

    def here(self) -> Position:
        return Position(self.parser.CurrentLineNumber, self.parser.CurrentColumnNumber + 1)

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        parser = self.parser
        element = Element(tag, attributes, parser.CurrentLineNumber, parser.CurrentColumnNumber + 1)
        self.count += 1
        if len(self.open) >= MAX_DEPTH or self.count > MAX_ELEMENTS:
            limit = f"{MAX_DEPTH} levels" if len(self.open) >= MAX_DEPTH else f"{MAX_ELEMENTS} elements"
            raise self.report.refuse("URDF004", f"<{tag[:60]}>: more than {limit} of XML elements", element)
        if max(map(len, (tag, *attributes, *attributes.values()))) > MAX_ATTRIBUTE:
            raise self.report.refuse("URDF004", f"<{tag[:60]}>: a name or value over {MAX_ATTRIBUTE} bytes", element)
        if self.open:
            self.open[-1].children.append(element)
        else:
            self.root = element
        self.open.append(element)

    def doctype(self, *_: object) -> None:
        raise self.report.refuse("URDF001", "DOCTYPE is not allowed in robot files", self.here())


def _bytes(text: str | bytes, report: Report) -> bytes:
    if not isinstance(text, str):
        return bytes(text)
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        line = text.count("\n", 0, error.start) + 1
        raise report.refuse("URDF003", f"character {error.start} is half a surrogate pair", Position(line, 1)) from None


def _syntax_error(error: expat.ExpatError, data: bytes, tree: _Tree, report: Report) -> Exception:
    """The finding for what expat could not read."""
    at = Position(error.lineno, error.offset + 1)
    said = expat.ErrorString(error.code)
    if error.code == NO_ELEMENT and tree.root is None:
        return report.refuse("URDF005", "the file holds no element", at)
    if error.code == NO_ELEMENT or error.code in TRUNCATED:
        inside = f" inside <{tree.open[-1].tag}> of line {tree.open[-1].line}" if tree.open else ""
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
