"""An MJCF file as it is written: what MuJoCo would take long for, and directions that it would lose.

Its reader takes the square of the number of bodies and of elements, and makes room for sizes before it says anything.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from math import prod

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
#: attributes by whose numbers MuJoCo makes room, and what each counts
SIZES = {"nuserdata": 50, "nkey": 5_000, "actdim": 50_000, "nsample": 50, "dim": 50}
SIZES |= {f"nuser_{x}": 50_000 for x in ("body", "jnt", "geom", "site", "cam", "tendon", "actuator", "sensor")}
#: how much all elements of a file may add up to
MOST = {"bodies, copies included": 5_000, "elements, copies included": 20_000, COPIES: 3_000, "sizes": 50_000_000}


def refuse_as_written(texts: Sequence[bytes], report: Findings) -> None:
    """An error for a file, or the files it includes, that MuJoCo would take long to read or would not read as meant."""
    sums: Counter[str] = Counter()
    for number, data in enumerate(texts):
        text = data.decode(errors="replace")
        for start, tag, attributes, copies in _elements(text):
            start = 0 if number else start
            at = Position(text.count("\n", 0, start) + 1, start - text.rfind("\n", 0, start))
            if lost := _lost_direction(attributes):
                element = f"{tag} {attributes['name']!r}" if "name" in attributes else f"<{tag}>"
                raise report.refuse("MJCF005", shortened(lost), at, element)
            sums["elements, copies included"] += copies
            sums["bodies, copies included"] += copies * (tag in ("body", "composite", "flexcomp"))
            sums[COPIES] += copies - 1
            sums["sizes"] += _size(tag, attributes)
            if over := [what for what, most in MOST.items() if sums[what] > most]:
                what = over[0] if over[0] != "sizes" else f"sizes, with those of <{tag}>"
                raise report.refuse("MJCF004", f"{what}: more than {MOST[over[0]]}", at)


def _elements(text: str) -> Iterator[tuple[int, str, Attributes, int]]:
    """Every start tag: where it is, its attributes, and how often it is there once MuJoCo has copied it."""
    open_ = [1]  # copies of everything inside each open element
    for found in TOKEN.finditer(text):
        ends, tag, rest = found.groups()
        if ends:
            open_ = open_[:-1] or [1]
        elif tag:
            attributes = {name: double or single for name, double, single in ATTRIBUTE.findall(rest)}
            counts = attributes.get("count", "1").split() if tag in COPIED else []
            inside = open_[-1] * int(prod(min(max(1.0, _number(word)), 1e6) for word in counts))
            yield found.start(), tag, attributes, open_[-1] if tag == "replicate" else inside
            if not rest.endswith("/"):
                open_.append(inside)


def _size(tag: str, given: Attributes) -> int:
    """Room that an element asks for; a file has a size of its own, and a cube of textures six sides."""

    def number(name: str, k: int = 0) -> float:
        words = given.get(name, "").split()
        return min(max(_number(words[k]), 0.0), 1e9) if len(words) > k else 0.0

    areas = {
        "texture": ("file" not in given) * number("width") * max(number("height"), 6 * number("width")),
        "hfield": 12 * number("nrow") * number("ncol"),
        "camera": number("resolution") * number("resolution", 1),
        "mesh": ("builtin" in given) * 1_000 * max(number("params"), number("params", 1)) ** 2,
    }
    users = MOST["sizes"] + 1 if len(given.get("user", "").split()) > 1_000 else 0  # every body then has as many
    return int(areas.get(tag, 0) + users + sum(cost * number(name) for name, cost in SIZES.items()))


def _number(word: str) -> float:
    """A number of the file; what is none is MuJoCo's to refuse."""
    try:
        return float(word)
    except ValueError:
        return 0.0


def _lost_direction(attributes: Attributes) -> str:
    """The attribute whose direction MuJoCo cannot scale, with its value; nothing if there is none."""
    for name in DIRECTIONS:
        if not all(abs(_number(word)) < LARGEST for word in attributes.get(name, "").split()):  # False for NaN
            return f"{name} {attributes[name]}"
    return ""
