"""Limits of size hold however the file is written; a file that is merely large pays nothing for them."""

import pytest

import articulated as art
from articulated.files import xml
from articulated.files.description import FileError

pytestmark = pytest.mark.filterwarnings("ignore::articulated.ModelWarning")  # robots with known findings

LONG = "x" * (xml.MAX_ATTRIBUTE + 1)


def code(text) -> str:
    with pytest.raises(FileError) as caught:
        art.load(text)
    return caught.value.diagnostics[0].code


@pytest.mark.parametrize("part", [f'<link name="{LONG}"/>', f"<{LONG}/>", f'<link {LONG}="1"/>'])
def test_long_names_and_values(part):
    for encoding in ("utf-8", "utf-16"):
        for before in ("", "<a/>" * 40_000):
            assert code(f"<robot>{before}{part}</robot>".encode(encoding)) == "URDF004"


def test_the_longest_value_that_is_allowed():
    name = LONG[:-50]
    assert art.load(f'<robot name="r"><link name="{name}"/></robot>').links[0].name == name


def test_depth():
    inside, outside = "<b>" * (xml.MAX_DEPTH - 1), "</b>" * (xml.MAX_DEPTH - 1)
    assert art.load(f'<robot><link name="a"/>{inside}{outside}</robot>').nv == 0
    assert code(f"<robot>{inside}<b/>{outside}</robot>") == "URDF004"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_xacro_is_recognized_in_any_encoding(encoding):
    assert code('<robot><xacro:macro name="m"/></robot>'.encode(encoding)) == "URDF009"


def test_links_that_are_turned_alike_share_their_rotation():
    joint = '<joint name="{0}" type="fixed"><parent link="a"/><child link="{0}"/><origin rpy="0 0 0.3"/></joint>'
    text = '<robot name="r"><link name="a"/><link name="b"/><link name="c"/>' + joint.format("b") + joint.format("c")
    _, b, c = art.load(f"{text}</robot>").links
    assert b.placement.R is c.placement.R and not b.placement.R.flags.writeable
