"""Typed reading of TOML tables; keys that are never read are reported."""

import math
import re
from collections.abc import Sequence
from itertools import islice
from typing import Any

from ...algebra.scalars import Scalar
from ..description import Findings, Position, Rule
from ..numbers import DEGREES, LARGEST, SPACE, angle
from .symbols import expression

RULES: dict[str, Rule] = {
    "TOML001": Rule("error", "the file is not TOML", "correct the text at this place"),
    "TOML002": Rule("error", "nothing reads this key", "correct its name, or delete it"),
    "TOML003": Rule("error", "the value is of the wrong kind", "write the kind of value named here"),
    "TOML004": Rule("error", "too few or too many numbers", "write as many numbers as the key needs"),
    "TOML005": Rule("error", "the table means nothing without this key", "add the key"),
    "TOML006": Rule("error", "it is not one of the known words", "use one of the words named here"),
    "TOML007": Rule("error", "a robot is a list of [[link]] tables or a list of [[dh]] rows", "write one of the two"),
    "TOML008": Rule("error", "no robot can have this value", "correct the value"),
    "TOML009": Rule("warning", "no real body has these values; dynamics computed with them may not conserve energy",
                    "correct mass, com and inertia"),
    "TOML010": Rule("error", "limits keep a broken or hostile file from using up the machine",
                    "write [[link]] or [[dh]] tables: no key of a robot is nested"),
    "TOML011": Rule("error", "an expression is made of the names in [symbols], numbers and pi",
                    "name every symbol in [symbols], under positive or real"),
    "TOML012": Rule("warning", "angles are in radians, and this one looks like degrees", "write 'pi/2' or '90 deg'"),
}  # fmt: skip

Numbers = tuple[float, ...]
NAMES = re.compile(r"[^\W\d]\w*")  # where one is left, a text is an expression
PLAIN = re.compile(r"\bpi\b|\bdeg(?:rees?)?\b|(?<=[0-9.])[eE](?=[-+0-9])")  # letters that numbers and angles have
KEY = re.compile(r"\s*([\w-]+)\s*=")
ANGLES = frozenset({"rpy", "theta", "alpha"})  # keys that take degrees in any table
LONGEST_SHOWN = 100  # characters of a value in a finding


class Lines:
    """Lines of the keys of a file: every section is looked through once."""

    def __init__(self, text: str):
        self.all = text.splitlines()
        self._keys: dict[int, dict[str, int]] = {}

    def of(self, key: str, section: int) -> int:
        """The line of a key in the section that begins at a line; that line itself if it is not found there."""
        if section not in self._keys:
            self._keys[section] = self._looked_through(section)
        return self._keys[section].get(key, section)

    def _looked_through(self, section: int) -> dict[str, int]:
        keys: dict[str, int] = {}
        for number, line in enumerate(islice(self.all, section - 1, None), start=section):
            if number > section and line.lstrip().startswith("["):
                break
            if found := KEY.match(line):
                keys.setdefault(found[1], number)
        return keys


class Table:
    """One table of the file, with its place; `finish` reports unknown keys."""

    def __init__(self, values: dict[str, Any], label: str, report: Findings, lines: Lines, line: int = 1):
        self.values, self.label, self.report, self.lines, self.line = values, label, report, lines, line
        self.asked: set[str] = set()
        self.symbols: dict[str, Any] = {}  # by name: what an expression may be made of
        self.variables: tuple[str, ...] = ()  # what the joint variable of a row may be called
        self.cell = ""  # the key that it is added to
        self.angles = ANGLES  # keys that take degrees

    def add(self, code: str, text: str, key: str = "") -> None:
        """A finding about this table, at the line of the key if that can be found."""
        line = self.lines.of(key, self.line) if key else self.line
        self.report.add(code, f"{key[:LONGEST_SHOWN]}: {text}" if key else text, Position(line, 1), self.label)

    def get(self, key: str) -> Any:
        """The raw value, or None."""
        self.asked.add(key)
        return self.values.get(key)

    def text(self, key: str, default: str = "", needed: bool = False) -> str:
        """A string."""
        value = self.get(key)
        if value is None:
            if needed:
                self.add("TOML005", f"the table has no {key}")
            return default
        if not isinstance(value, str) or not value.strip():
            self.add("TOML003", f"a text is expected, not {shown(value)}", key)
            return default
        return value

    def word(self, key: str, default: str, words: Sequence[str]) -> str:
        """One of the given words."""
        value = self.text(key, default)
        if value in words:
            return value
        hint = self.report.did_you_mean(value, words)
        self.add("TOML006", f"{shown(value)} is none of {', '.join(words)}{hint}", key)
        return default

    def flag(self, key: str, default: bool) -> bool:
        """true or false."""
        value = self.get(key)
        if value is None or isinstance(value, bool):
            return default if value is None else value
        self.add("TOML003", f"true or false is expected, not {shown(value)}", key)
        return default

    def names(self, key: str) -> list[str]:
        """A list of strings."""
        value = self.get(key)
        if value is None or (isinstance(value, list) and all(isinstance(x, str) for x in value)):
            return value or []
        self.add("TOML003", f"a list of names is expected, not {shown(value)}", key)
        return []

    def number(self, key: str, default: float = 0.0, unlimited: bool = False) -> float:
        """A number, also 'pi/2'; those of `angles` may be written as '90 deg'."""
        value = self.get(key)
        return default if value is None else self._number(value, key, default, unlimited)

    def scalar(self, key: str, default: Scalar = 0.0) -> Scalar:
        """A number, or an expression of the symbols."""
        value = self.get(key)
        return default if value is None else self._scalar(value, key, default)

    def scalars(self, key: str, counts: Sequence[int], default: tuple[Scalar, ...]) -> tuple[Scalar, ...]:
        """A list of numbers and expressions, as many as one of `counts`."""
        value = self._listed(key, counts)
        return default if value is None else tuple(self._scalar(x, key, 0.0) for x in value)

    def point(self, value: Any, key: str) -> tuple[Scalar, ...] | None:
        """Three numbers or expressions; None for anything else."""
        if not isinstance(value, list) or len(value) != 3:
            return None
        return tuple(self._scalar(x, key, 0.0) for x in value)

    def _scalar(self, value: Any, key: str, default: Scalar) -> Scalar:
        if isinstance(value, str):
            words = set(NAMES.findall(PLAIN.sub("", value)))
            if words and (self.symbols or not words.isdisjoint(self.variables)):
                found = expression(self, key, value)
                return default if found is None else found
        return self._number(value, key, default, False)

    def numbers(
        self, key: str, counts: Sequence[int], default: Numbers, unlimited: bool = False, turning: Sequence[bool] = ()
    ) -> Numbers:
        """A list of numbers, as many as one of `counts`; `turning` says which are angles, if only some are."""
        value = self._listed(key, counts)
        if value is None:
            return default
        angles = turning or [key in self.angles] * len(value)
        return tuple(self._number(x, key, 0.0, unlimited, turns) for x, turns in zip(value, angles, strict=True))

    def _listed(self, key: str, counts: Sequence[int]) -> list[Any] | None:
        """A list of one of these lengths; None, with a finding where there is something else."""
        value = self.get(key)
        if value is None:
            return None
        wanted = " or ".join(map(str, counts))
        if not isinstance(value, list):
            self.add("TOML003", f"a list of {wanted} numbers is expected, not {shown(value)}", key)
            return None
        if len(value) not in counts:
            self.add("TOML004", f"{wanted} numbers expected, found {len(value)}", key)
            return None
        return value

    def _number(self, value: Any, key: str, default: float, unlimited: bool, turns: bool | None = None) -> float:
        try:
            degrees = isinstance(value, str) and DEGREES.fullmatch(value.strip(SPACE))
            if degrees and not (key in self.angles if turns is None else turns):
                raise ValueError(f"{shown(value)} is an angle; a number without degrees is expected")
            result = angle(value) if isinstance(value, str) else value
            if isinstance(result, bool) or not isinstance(result, (int, float)):
                raise ValueError(f"a number is expected, not {shown(result)}")
            result = float(result)
        except (ValueError, OverflowError) as error:
            self.add("TOML003", str(error), key)
            return default
        if math.isnan(result) or (abs(result) > LARGEST and not unlimited):
            self.add("TOML003", f"{result} is not a number to compute with", key)
            return default
        return result

    def tables(self, key: str) -> list["Table"]:
        """A list of inline tables (or one)."""
        value = self.get(key)
        if value is None:
            return []
        rows = value if isinstance(value, list) else [value]
        if not all(isinstance(row, dict) for row in rows):
            self.add("TOML003", f"a list of tables {{…}} is expected, not {shown(value)}", key)
            return []
        label = f"{self.label} {key}"
        tables = [Table(row, label, self.report, self.lines, self.line) for row in rows]
        for table in tables:
            table.symbols, table.angles = self.symbols, self.angles
        return tables

    def table(self, key: str) -> "Table | None":
        """One table; None, with a finding where there are several."""
        tables = self.tables(key)
        if len(tables) > 1:
            self.add("TOML003", f"one table is expected, not {len(tables)}", key)
        return tables[0] if len(tables) == 1 else None

    def finish(self) -> None:
        """A finding for every key that was never asked for."""
        for key in self.values:
            if key not in self.asked:
                hint = self.report.did_you_mean(key, self.asked) or f"; it takes: {', '.join(sorted(self.asked))}"
                self.add("TOML002", f"no such key{hint}", key)


def shown(value: Any) -> str:
    """A value of any kind as a finding quotes it: integers may have too many digits to print, lists no end."""
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) > LARGEST:
        return f"a number of {value.bit_length()} bits"
    if isinstance(value, list) and len(value) <= 6 and not any(isinstance(x, (list, dict)) for x in value):
        return f"[{', '.join(map(shown, value))}]"
    if isinstance(value, (list, dict)):
        return f"a {'list' if isinstance(value, list) else 'table'} of {len(value)}"
    return repr(value[:LONGEST_SHOWN] if isinstance(value, str) else value)
