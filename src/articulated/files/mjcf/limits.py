"""An MJCF file as it is written: what MuJoCo would take long for, and directions that it would lose.

Its reader takes the square of the number of bodies and of elements, and makes room for sizes before it says anything.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from ...text import shortened
from ..description import Findings, Position
from ..numbers import LARGEST

Attributes = dict[str, str]
#: comments, end tags and start tags, also of a text that is not quite XML; no two ways to match the same characters
TOKEN = re.compile(r"<!--.*?(?:-->|\Z)|<(/?)([A-Za-z_][\w.-]*)((?:[^<>\"']|\"[^\"]*\"|'[^']*')*)", re.DOTALL)
ATTRIBUTE = re.compile(r"(?<![\w.-])([A-Za-z_][\w.-]*)\s*=\s*(?:\"([^\"]*)\"|'([^']*)')")
#: elements that a few words of a file make many of
COPIED = ("replicate", "composite", "flexcomp")
COPIES = f"copies of elements by <{'>, <'.join(COPIED)}>"
#: attributes whose directions MuJoCo scales to length 1; positions of a keyframe hold quaternions
DIRECTIONS = ("quat", "axisangle", "xyaxes", "zaxis", "euler", "axis", "refquat", "qpos")
USERS = ("body", "jnt", "geom", "site", "cam", "tendon", "actuator", "sensor")
#: how much all elements of a file may add up to: attributes by name, and what is counted here
MOST = {
    "nuserdata": 1_000_000, "nkey": 10_000, "actdim": 1_000, "nsample": 1_000_000, "dim": 1_000_000,
    **{f"nuser_{kind}": 1_000 for kind in USERS}, "numbers of user": 1_000,
    "heights of hfields": 4_000_000, "pixels of textures": 20_000_000, "pixels of cameras": 50_000_000,
    "vertices of builtin meshes": 40_000,
    "bodies, copies included": 5_000, "elements, copies included": 20_000, COPIES: 3_000,
}  # fmt: skip


def refuse_as_written(texts: Sequence[bytes], report: Findings) -> None:
    """An error for a file, or the files it includes, that MuJoCo would take long to read or would not read as meant."""
    sums: Counter[str] = Counter()
    for number, data in enumerate(texts):
        text = data.decode(errors="replace")
        for start, tag, attributes, copies in _elements(text):
            if lost := _lost_direction(attributes):
                element = f"{tag} {attributes['name']!r}" if "name" in attributes else f"<{tag}>"
                raise report.refuse("MJCF005", shortened(lost), _place(text, 0 if number else start), element)
            for what, size in _sizes(tag, attributes, copies):
                sums[what] += size  # type: ignore[assignment]
                if sums[what] > MOST[what]:
                    at = _place(text, 0 if number else start)
                    raise report.refuse("MJCF004", f"{what}: more than {MOST[what]}", at)


def _place(text: str, start: int) -> Position:
    return Position(text.count("\n", 0, start) + 1, start - text.rfind("\n", 0, start))


def _elements(text: str) -> Iterator[tuple[int, str, Attributes, int]]:
    """Every start tag: where it is, its attributes, and how often it is there once MuJoCo has copied it."""
    open_ = [1]  # copies of everything inside each open element
    for found in TOKEN.finditer(text):
        ends, tag, rest = found.groups()
        if ends:
            open_ = open_[:-1] or [1]
        elif tag:
            attributes = {name: double or single for name, double, single in ATTRIBUTE.findall(rest)}
            inside = open_[-1] * (_product(attributes.get("count", "1")) if tag in COPIED else 1)
            yield found.start(), tag, attributes, open_[-1] if tag == "replicate" else inside
            if not rest.endswith("/"):
                open_.append(inside)


def _sizes(tag: str, attributes: Attributes, copies: int) -> Iterator[tuple[str, float]]:
    """Amounts an element adds to the sums of MOST."""
    yield "elements, copies included", copies
    yield COPIES, copies - 1
    if tag in ("body", "composite", "flexcomp"):
        yield "bodies, copies included", copies
    for name in MOST.keys() & attributes.keys():
        yield name, _whole(attributes[name])
    if tag in AREAS:
        what, area = AREAS[tag]
        yield what, area(attributes)
    if (count := len(attributes.get("user", "").split())) > MOST["numbers of user"]:  # every body then has as many
        yield "numbers of user", count


def _texture(given: Attributes) -> float:
    """A cube has six sides, whatever the height says; a file has a size of its own."""
    width, height = _whole(given.get("width", "")), _whole(given.get("height", ""))
    sides = width * (height if given.get("type") == "2d" else max(height, 6 * width))
    return 0 if "file" in given else sides


def _camera(given: Attributes) -> float:
    width, height = ([_whole(word) for word in given.get("resolution", "").split()] + [0, 0])[:2]
    return width * height


def _mesh(given: Attributes) -> float:
    """The first numbers of a builtin mesh say how fine it is; the others are angles and exponents."""
    finest = max((_whole(word) for word in given.get("params", "").split()[:2]), default=0)
    return finest**2 if "builtin" in given else 0


#: element -> what it is made of, and how many of them it has
AREAS: dict[str, tuple[str, Callable[[Attributes], float]]] = {
    "hfield": ("heights of hfields", lambda given: _whole(given.get("nrow", "")) * _whole(given.get("ncol", ""))),
    "texture": ("pixels of textures", _texture),
    "camera": ("pixels of cameras", _camera),
    "mesh": ("vertices of builtin meshes", _mesh),
}


def _whole(text: str) -> float:
    """A size; what is none is MuJoCo's to refuse."""
    try:
        return min(max(float(text), 0.0), LARGEST)
    except ValueError:
        return 0.0


def _product(counts: str) -> int:
    """Numbers of a text such as `10 10 1`; anything else is MuJoCo's to refuse."""
    found = 1
    for word in counts.split():
        found *= max(1, int(word)) if word.isdecimal() and len(word) < 10 else MOST[COPIES] + 1
    return found


def _lost_direction(attributes: Attributes) -> str:
    """The attribute whose direction MuJoCo cannot scale, with its value; nothing if there is none."""
    lost = (name for name in DIRECTIONS if name in attributes and not all(map(_usable, attributes[name].split())))
    return next((f"{name} {attributes[name]}" for name in lost), "")


def _usable(word: str) -> bool:
    try:
        return abs(float(word)) < LARGEST  # False for NaN
    except ValueError:
        return True  # MuJoCo refuses it
