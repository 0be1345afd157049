"""Sizes an MJCF file asks for in a few digits: MuJoCo makes room for them, and fills it, before it says anything."""

from collections import Counter
from collections.abc import Callable

from ..numbers import LARGEST
from .limits import Outsized

Attributes = dict[str, str]
MOST_OF_USERS = 1_000  # numbers of `user`, which every body then has
#: attribute -> how much all of them in a file may add up to
MOST = {"nuserdata": 1_000_000, "nkey": 10_000, "actdim": 1_000, "nsample": 1_000_000, "dim": 1_000_000} | {
    f"nuser_{kind}": MOST_OF_USERS for kind in ("body", "jnt", "geom", "site", "cam", "tendon", "actuator", "sensor")
}


def _terrain(given: Attributes) -> float:
    return whole(given.get("nrow", "")) * whole(given.get("ncol", ""))


def _texture(given: Attributes) -> float:
    """A cube has six sides, whatever the height says; a file has a size of its own."""
    width, height = whole(given.get("width", "")), whole(given.get("height", ""))
    sides = width * (height if given.get("type") == "2d" else max(height, 6 * width))
    return 0 if "file" in given else sides


def _camera(given: Attributes) -> float:
    width, height = ([whole(word) for word in given.get("resolution", "").split()] + [0, 0])[:2]
    return width * height


def _mesh(given: Attributes) -> float:
    """The first numbers of a builtin mesh say how fine it is; the others are angles and exponents."""
    finest = max((whole(word) for word in given.get("params", "").split()[:2]), default=0)
    return finest**2 if "builtin" in given else 0


#: element -> what it is made of, how many all of them in a file may have, how many it has
AREAS: dict[str, tuple[str, int, Callable[[Attributes], float]]] = {
    "hfield": ("heights of hfields", 4_000_000, _terrain),
    "texture": ("pixels of textures", 20_000_000, _texture),
    "camera": ("pixels of cameras", 50_000_000, _camera),
    "mesh": ("vertices of builtin meshes", 40_000, _mesh),
}


class Sizes:
    """Adds up what the elements of a file ask for."""

    def __init__(self) -> None:
        self.sums: Counter[str] = Counter()

    def start(self, tag: str, attributes: Attributes) -> None:
        """An element begins."""
        for name in MOST.keys() & attributes.keys():
            self._add(f"{name} in all", MOST[name], whole(attributes[name]))
        if tag in AREAS:
            what, most, area = AREAS[tag]
            self._add(what, most, area(attributes))
        if len(attributes.get("user", "").split()) > MOST_OF_USERS:
            raise Outsized(f"user: more than {MOST_OF_USERS} numbers")

    def _add(self, what: str, most: int, size: float) -> None:
        self.sums[what] += size  # type: ignore[assignment]
        if self.sums[what] > most:
            raise Outsized(f"more than {most} {what}" if " of " in what else f"{what}: more than {most}")


def whole(text: str) -> float:
    """A size; what is none is MuJoCo's to refuse."""
    try:
        return min(max(float(text), 0.0), LARGEST)
    except ValueError:
        return 0.0
