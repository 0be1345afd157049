"""Messages of the readers."""

from articulated.files.description import FileError
from articulated.files.toml.reader import read_toml
from articulated.files.urdf.reader import read_urdf

from .bad_urdf import REFUSED, REPORTED
from .test_toml import BAD


def findings(read, text):
    try:
        return read(text, "r").report
    except FileError as problem:
        return problem.diagnostics


def test_no_message_is_longer_than_a_screen():
    cases = [(read_urdf, text) for _, text, *_ in [*REFUSED, *REPORTED]] + [(read_toml, text) for text, *_ in BAD]
    said = [line for case in cases for found in findings(*case) for line in str(found).splitlines()]
    assert len(said) > len(cases) and max(map(len, said)) < 400
