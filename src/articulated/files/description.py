"""Result of every reader: links, and the findings on the way."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from ..errors import Diagnostic, ModelError, closest
from ..model import Link
from ..model.lines import LinearActuator, Spring
from ..model.model import Poses

#: pairs of names
Pairs = Sequence[Sequence[str]]
SHOWN = 20  # findings printed by one error; all of them are in `.diagnostics`


@dataclass(frozen=True)
class Description:
    """A robot as a file describes it; `model.build` makes the tree."""

    links: list[Link]
    name: str = "robot"
    report: tuple[Diagnostic, ...] = ()
    gravity: tuple[float, ...] | None = None  # None: not in the file
    poses: Poses = field(default_factory=dict)
    expressions: bool = False  # whether numbers are expressions of SymPy, with symbols or without
    springs: tuple[Spring, ...] = ()
    actuators: tuple[LinearActuator, ...] = ()
    allowed_collisions: Pairs = ()


class FileError(ModelError):
    """A file that cannot be read as a robot; `diagnostics` lists every reason found."""

    def __init__(self, diagnostics: Sequence[Diagnostic]):
        super().__init__(diagnostics)
        self.diagnostics = tuple(diagnostics)

    def __str__(self) -> str:
        shown = [str(d) for d in self.diagnostics[:SHOWN]]
        more = len(self.diagnostics) - len(shown)
        return "\n".join(shown + ([f"… and {more} more"] if more else []))


class Rule(NamedTuple):
    """Meaning of a code: severity, why it matters, how to mend it."""

    severity: str
    why: str
    fix: str


#: findings about files of any format
RULES: dict[str, Rule] = {
    "FILE001": Rule("error", "there is nothing to read, or no reader for it",
                    "give a .urdf, .xml (MJCF), .toml or .xacro file, or the name of a robot"),
    "FILE002": Rule("error", "the content is not of the format that the ending says", "write it as docs/files.md says"),
    "FILE003": Rule("note", "a family of robots has several files; this one was taken", "load it by its full name"),
    "FILE004": Rule("warning", "the shape cannot be drawn or collide; the dynamics does not change",
                    "put the file there, or say where the package is: art.load(file, packages=…)"),
}  # fmt: skip


def did_you_mean(name: str, names: Iterable[str]) -> str:
    """The closest of `names` as the end of a sentence; nothing if none is close."""
    close = closest(name, names)
    return f"; did you mean {close!r}?" if close is not None else ""


class Position(NamedTuple):
    """Line and column in a file, from 1; findings also take anything else that has both, as XML elements."""

    line: int
    column: int


@dataclass
class Findings:
    """Collects the findings of one file; errors are raised together by `stop_on_errors`."""

    file: str
    rules: Mapping[str, Rule]
    findings: list[Diagnostic] = field(default_factory=list)
    repairing: bool = False
    hints: int = 0
    expressions: bool = False  # whether the file holds some

    def did_you_mean(self, name: str, names: Iterable[str]) -> str:
        """The closest name as the end of a sentence, for the first findings only: each looks through all the names."""
        self.hints += 1
        return did_you_mean(name, names) if self.hints <= SHOWN else ""

    def add(self, code: str, text: str, at: Any = None, element: str = "", value: str = "") -> None:
        """One finding under a known code."""
        severity, why, fix = self.rules[code]
        line, column = (at.line, at.column) if at else (0, 0)
        text = f"{element}: {text}" if element else text
        self.findings.append(
            Diagnostic(severity, code, text, self.file, line, column, element, str(value)[:200], why, fix)
        )

    def mend(self, code: str, text: str, at: Any, element: str, old: object, new: object) -> bool:
        """True if a finding is repaired: then it is a note with both values, otherwise what its rule says."""
        if not self.repairing:
            self.add(code, text, at, element, str(old))
            return False
        self.add(code, f"{text}; repaired", at, element, str(old))
        self.findings[-1] = replace(self.findings[-1], severity="note", new=str(new)[:200])
        return True

    def refuse(self, code: str, text: str, at: Any = None, element: str = "", value: str = "") -> FileError:
        """The error for a finding after which reading stops."""
        self.add(code, text, at, element, value)
        return FileError(self.errors())

    def errors(self) -> list[Diagnostic]:
        """The findings that stop the file from being read."""
        return [d for d in self.findings if d.severity == "error"]

    def stop_on_errors(self) -> None:
        """Raise everything wrong so far, if anything is."""
        if errors := self.errors():
            raise FileError(errors)
