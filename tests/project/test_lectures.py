"""docs/lecture_items.md: every item of the lectures is on it, and every name on it exists."""

import importlib
import inspect
import re
import typing
from pathlib import Path

import pytest

import articulated as art
from articulated.cli.app import COMMANDS
from articulated.robot.quantities import QUANTITIES, STUDY

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "lecture_items.md").read_text("utf-8")
ROWS = [
    [cell.strip() for cell in line.strip("|").split(" | ")]
    for line in PAGE.splitlines()
    if re.match(r"\| (?:S\d\.|X\d)", line)
]
#: how many items each lecture has: Pisa, Sapienza, SUSTech, USP, Rennes; and those between them
ITEMS = {"S0.": 35, "S1.": 27, "S2.": 41, "S3.": 33, "S4.": 21, "X": 7}
NAMES = sorted({name for row in ROWS for name in re.findall(r"`([^`]+)`", row[2])})
TESTS = sorted({name for row in ROWS for name in re.findall(r"`(\w+)`", row[3])})


def test_every_item_is_there_once():
    found = [item for row in ROWS for item in row[0].split()]
    expected = [f"{lecture}{k}" for lecture, many in ITEMS.items() for k in range(1, many + 1)]
    assert sorted(found) == sorted(expected)


def test_every_item_has_a_place_and_a_test():
    for row in ROWS:
        assert len(row) == 4 and all(row), row
        assert "`" in row[2] or "](" in row[2], row
        assert re.search(r"`test_\w+`", row[3]), row


# -- the pages of the lectures ------------------------------------------------------------------------------

#: how many errata each has, and those that are a matter of wording: there is nothing to compute
ERRATA = {"pisa": ("E0.", 9), "sapienza": ("E1.", 7), "sustech": ("E2.", 13), "usp": ("E3.", 7), "rennes": ("E4.", 11)}
WORDING = {"E2.9", "E3.6"}
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
LECTURE = re.compile(r"\b(Pisa|Sapienza|SUSTech|USP|Rennes)\b|\bS[0-4]\.\d+\b")


@pytest.mark.parametrize("lecture", ERRATA)
def test_every_erratum_is_shown_and_computed(lecture):
    text = (ROOT / "docs" / "lectures" / f"{lecture}.md").read_text("utf-8")
    first, many = ERRATA[lecture]
    expected = {f"{first}{k}" for k in range(1, many + 1)}
    assert set(re.findall(r"(?m)^\| (E\d\.\d+) \|", text)) == expected
    blocks = "".join(re.findall(r"```python\n(.*?)```", text, re.S))
    assert expected - WORDING <= set(re.findall(r"E\d\.\d+", blocks))
    assert {
        name for name, row in re.findall(r"(?m)^\| (E\d\.\d+) (\|.*)$", text) if "wording only" in row
    } == expected & WORDING
    listed = (ROOT / "docs" / "lectures.md").read_text("utf-8")
    assert f"lectures/{lecture}.md) |" in listed and f"| {many} |" in listed


def test_who_cites_a_lecture_says_where_to_look_it_up():
    link = re.compile(r"\]\([./]*(?:docs/)?(?:lectures/\w+|lectures|bibliography)\.md")
    texts = {page.relative_to(ROOT).as_posix(): page.read_text("utf-8") for page in PAGES}
    citing = [page for page, text in texts.items() if LECTURE.search(re.sub(r"```.*?```", "", text, flags=re.S))]
    assert [page for page in citing if not link.search(texts[page])] == []


#: Featherstone 2008; Mistry, Buchli, Schaal 2010; Solà et al. 2018
CITED = re.compile(r"((?:[A-ZÀ-Þ][\w-]+(?:, | and | et al\. | ))+)((?:19|20)\d\d)\b")
MONTHS = {"September", "December"}


def test_what_is_cited_is_in_the_bibliography():
    bibliography = " ".join((ROOT / "docs" / "bibliography.md").read_text("utf-8").split())
    texts = [path.read_text("utf-8") for path in (*PAGES, *sorted((ROOT / "src").rglob("*.py")))]
    cited = {" ".join(match[0].split()) for text in texts for match in CITED.finditer(" ".join(text.split()))}
    assert len(cited) > 40
    assert not {name for name in cited if name not in bibliography and name.split()[0] not in MONTHS}


def test_every_entry_of_the_bibliography_is_cited():
    papers = (ROOT / "docs" / "bibliography.md").read_text("utf-8").partition("## Books")[2]
    entries = re.findall(r"(?m)^- ([^:]+ \d{4}):", papers)
    sources = [path for path in (*PAGES, *(ROOT / "src").rglob("*.py")) if path.name != "bibliography.md"]
    said = " ".join(" ".join(path.read_text("utf-8").replace("(", "").split()) for path in sources)
    assert len(entries) > 40
    assert not [entry for entry in entries if entry not in said]


# -- names ----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def known():
    robot = art.load("2r")
    dog = art.load("quadruped").floating()
    return {
        "robot": robot,
        "contacts": art.Contacts(dog, point=["FL_FOOT"]),
        "art": art,
        "eq": art.derive("2r"),
        "steps": art.moving_frames("2r"),
    }


def test_every_name_exists(known):
    for name in NAMES:
        check(name, known)


def check(name, known):
    if name.startswith("articulated "):
        assert name.split()[1] in COMMANDS
    elif given := re.fullmatch(r'(art\.\w+)\("(\w+)"\)', name):
        assert given[2] in art.robots()
        assert hasattr(art, given[1].removeprefix("art."))
    elif re.fullmatch(r"[a-z0-9_]+", name):
        assert name in art.robots()
    else:
        path, _, parameter = name.partition("(")
        thing = found(path, known)
        if parameter:
            assert parameter.removesuffix("=)") in inspect.signature(thing).parameters


def found(path, known):
    """Object that `robot.method.field` names: a field is looked up in the NamedTuple a method returns."""
    first, *rest = path.split(".")
    if first == "articulated":
        return getattr(importlib.import_module(path.rpartition(".")[0]), rest[-1])
    thing = known[first]
    for name in rest:
        if inspect.isbuiltin(thing):  # a row of a table
            rows = {**QUANTITIES, **STUDY}
            thing = rows[thing.__name__].algorithm.__annotations__["return"]
        elif inspect.ismethod(thing):
            thing = typing.get_type_hints(thing)["return"]
        thing = getattr(thing, name)
    return thing


def test_every_test_exists():
    text = "".join(path.read_text("utf-8") for path in (ROOT / "tests").rglob("test_*.py"))
    assert [name for name in TESTS if f"\ndef {name}(" not in text] == []
