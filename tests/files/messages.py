"""Every message of the readers, as people see it; `python -m tests.files.messages` renews messages.txt."""

from pathlib import Path

from articulated.files.description import FileError
from articulated.files.toml.reader import read_toml
from articulated.files.urdf.reader import read_urdf

from .bad_urdf import REFUSED, REPORTED
from .test_toml import BAD

#: what the parsers of the standard library say is theirs to change
THEIRS = ("URDF002", "URDF003", "URDF006", "URDF007", "TOML001")
GOLDEN = Path(__file__).parent / "messages.txt"


def messages() -> str:
    """One paragraph per bad file."""
    cases = [(what, read_urdf, text) for what, text, code, _ in [*REFUSED, *REPORTED] if code not in THEIRS]
    cases += [(f"TOML {k}", read_toml, text) for k, (text, code, _) in enumerate(BAD) if code not in THEIRS]
    return "\n".join(f"# {what}\n{_said(read, text)}\n" for what, read, text in cases)


def _said(read, text) -> str:
    try:
        return "\n".join(map(str, read(text, "r").report))
    except FileError as problem:
        return str(problem)


if __name__ == "__main__":
    GOLDEN.write_text(messages(), encoding="utf-8")
