"""How large an MJCF file may be: MuJoCo's own reader takes the square of the number of bodies and of elements."""

MAX_BODIES = 5_000
MAX_ELEMENTS = 20_000
MAX_COPIED = 3_000  # a few words of a file ask for as many copies as they like
COUNTED = ("replicate", "composite", "flexcomp")


class Outsized(Exception):
    """A limit is met; the text says which."""


class Census:
    """Counts the elements of a file as they will be once MuJoCo has copied what is to be replicated."""

    def __init__(self) -> None:
        self.copies = [1]  # of everything inside each open element
        self.bodies = self.elements = self.copied = 0

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        """An element begins."""
        inside = self.copies[-1]
        times = product(attributes.get("count", "1")) if tag in COUNTED else 1
        self.copies.append(inside * times)
        here = inside if tag == "replicate" else inside * times
        self.elements += here
        self.copied += here - 1
        self.bodies += here if tag in ("body", "composite", "flexcomp") else 0
        if self.bodies > MAX_BODIES:
            raise Outsized(f"more than {MAX_BODIES} bodies, copies included")
        if self.elements > MAX_ELEMENTS:
            raise Outsized(f"more than {MAX_ELEMENTS} elements, copies included")
        if self.copied > MAX_COPIED:
            raise Outsized(f"more than {MAX_COPIED} copies of elements by <{'>, <'.join(COUNTED)}>")

    def end(self, tag: str) -> None:
        """An element ends."""
        self.copies.pop()


def product(counts: str) -> int:
    """Numbers of a text such as `10 10 1`; anything else is MuJoCo's to refuse."""
    found = 1
    for word in counts.split():
        found *= max(1, int(word)) if word.isdecimal() and len(word) < 10 else MAX_ELEMENTS + 1
    return found
