"""Numbers as robot files write them: ASCII digits and a decimal point, nothing else.

Python's `float` also takes `nan`, `1_000`, ` infinity` and the digits of other scripts; a
robot file that holds one of these is wrong, and reading it as a number would hide that.
"""

import math
import re
from functools import lru_cache

#: no two ways to match the same digits: a long wrong number must not take long
NUMBER = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?")
PI = re.compile(r"([+-]?)(?:([0-9.]+)\*?)?pi(?:/([0-9.]+))?")
DEGREES = re.compile(r"(\S+?) ?(?:deg|degrees?|°)")
ORDINARY = re.compile(r"[-+0-9.eE \t\r\n]*")  # of these characters, `float` reads what NUMBER matches, nothing else
SPACE = " \t\r\n"
HUGE = 1e15  # nothing about a robot is this large; it is a slip
LONGEST_KEPT = 100  # characters of an ordinary text
LARGEST = 1e100  # products of a few such numbers are still finite


def plain_numbers(text: str) -> tuple[float, ...] | None:
    """The numbers in an ordinary text; None for anything that needs a closer look."""
    return _ordinary(text) if len(text) < LONGEST_KEPT else None


@lru_cache(maxsize=4096)  # a robot file says `0 0 0` and `1.5708` over and over
def _ordinary(text: str) -> tuple[float, ...] | None:
    if not ORDINARY.fullmatch(text):
        return None
    try:
        values = tuple(map(float, text.split()))
    except ValueError:
        return None
    return values if values and min(values) > -HUGE and max(values) < HUGE else None


def number(text: str) -> float:
    """The number `text` spells; a ValueError that says what is wrong with it otherwise."""
    text = text.strip(SPACE)
    if not NUMBER.fullmatch(text):
        raise ValueError(f"{text[:60]!r} is not a number{_hint(text)}")
    value = float(text)
    if abs(value) > LARGEST:
        raise OverflowError(f"{text[:60]!r} is too large for a number")
    return value


def separated(text: str, count: int) -> str | None:
    """`text` with spaces for the commas between its numbers, if it then holds `count` of them (at least two)."""
    parts = words(text.replace(",", " "))
    if count < 2 or len(parts) != count or not all(NUMBER.fullmatch(part) for part in parts):
        return None
    return " ".join(parts)


def words(text: str) -> list[str]:
    """The parts of `text` between XML white space."""
    return [word for word in re.split(f"[{SPACE}]+", text) if word]


def angle(text: str) -> float:
    """Radians of a number, of `pi/2` and its like (`-pi`, `2*pi/3`), or of `90 deg`."""
    text = text.strip(SPACE)
    if match := PI.fullmatch(text):
        sign, factor, divisor = match.groups()
        if (below := number(divisor or "1")) == 0:
            raise ValueError(f"{text[:60]!r} divides by zero")
        return (-1 if sign == "-" else 1) * number(factor or "1") * math.pi / below
    if match := DEGREES.fullmatch(text):
        return math.radians(number(match[1]))
    try:
        return number(text)
    except ValueError as problem:
        raise ValueError(f"{problem}; angles are in radians, or written as 'pi/2' or '90 deg'") from None


def _hint(text: str) -> str:
    if not text:
        return " (it is empty)"
    if "," in text:
        return " (decimal point expected, and spaces between numbers)"
    if "$" in text:
        return " (an expression that xacro should have replaced)"
    if len(words(text)) > 1:
        return " (one number expected)"
    if text.lower().lstrip("+-") in ("nan", "inf", "infinity"):
        return " (it must be finite)"
    return ""
