"""Bad files of our own making: refused with work that grows as they do, a line, a code, a reason and a way out."""

import pytest

import articulated as art
from articulated.files.description import FileError
from tests.cli.test_logs import BAD_CSV, BAD_NPZ
from tests.cli.test_mistakes import STATES
from tests.counting import calls

from .bad_numbers import BAD_NUMBERS
from .bad_urdf import REFUSED, REPORTED, mass, robot
from .mjcf_models import BAD as BAD_MJCF
from .test_toml import BAD as BAD_TOML


def test_wrong_numbers_are_refused():
    for what, text, code, line in BAD_NUMBERS:
        with pytest.raises(FileError) as caught:
            art.load(text)
        first = caught.value.diagnostics[0]
        assert (first.code, first.line) == (code, line) and first.column >= 1 and first.value is not None, what
        assert first.element and first.why and first.fix and len(str(first)) < 1000, what


def test_there_are_at_least_300():
    others = len(BAD_TOML) + len(BAD_MJCF) + len(BAD_CSV) + len(BAD_NPZ) + len(STATES)
    assert len(REFUSED) + len(REPORTED) + len(BAD_NUMBERS) + others >= 300


def nested(n):
    return "<x>" * n + "</x>" * n


#: files made to take long; each would, somewhere.  What a regular expression does is not counted: a pattern that tries
#: 60 000 digits in more than one way never ends
SLOW = {
    "a number of 60 000 digits and a letter": mass("1" * 60_000 + "x"),
    "a number of 60 000 points": mass("." * 60_000),
    "a row of 30 000 signs": mass("+ " * 30_000),
    "100 000 attributes": "<robot " + " ".join(f'a{i}="1"' for i in range(100_000)) + "/>",
    "100 000 levels": nested(100_000),
    "100 000 unknown elements": robot(*(["<x/>"] * 100_000)),
    "20 000 links with one name": robot(*(['<link name="a"/>'] * 20_000)),
    "20 000 roots": robot(*(f'<link name="a{i}"/>' for i in range(20_000))),
    "an open comment": robot("<!-- " + "-" * 1_000_000),
    "10 000 unknown parents": robot(
        '<link name="a"/>',
        *(f'<joint name="j{i}" type="fixed"><parent link="a"/><child link="b{i}"/></joint>' for i in range(10_000)),
    ),
    "billion laughs": '<!DOCTYPE r [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]>' + robot('<link name="&b;"/>'),
    "a megabyte of spaces": " " * 1_000_000,
    "a long word in what is not quite MJCF": f"<mujoco><!-- a -- b --><body {'x' * 200_000}></mujoco>",
    "many quotes in what is not quite MJCF": "<mujoco><!-- a -- b -->" + "<body '\"" * 50_000,
}


@pytest.mark.parametrize("text", SLOW.values(), ids=SLOW)
def test_work_grows_with_the_size_of_the_file(text):
    """At most two calls of a function for each byte."""
    messages = []

    def refused():
        with pytest.raises(FileError) as caught:
            art.load(text if text.strip() else text.encode())
        messages.append(str(caught.value))

    assert calls(refused) < 2 * len(text) + 2000
    assert len(messages[0]) < 20_000
