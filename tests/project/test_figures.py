"""Figures on the pages are those of the tables and of the code."""

import json
import re
from pathlib import Path

import pytest

from articulated.cli.app import COMMANDS
from articulated.joints import JOINTS
from benchmarks import chart
from tests.methods import ROBOT
from tests.zoo import STRUCTURES

from .test_lectures import ERRATA, ITEMS

ROOT = Path(__file__).parents[2]


def text(path: str) -> str:
    return (ROOT / path).read_text("utf-8")


def rows(page: str) -> dict[str, list[str]]:
    """Rows of tables of ratios, 9.6×, by their first cell."""
    cells = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in page.splitlines()
        if re.match(r"\|.*\d× ", line)
    ]
    return {first: [re.sub(r" \(.*\)", "", cell) for cell in rest] for first, *rest in cells}


@pytest.mark.parametrize("page", ["docs/performance.md"])
def test_ratios_are_those_of_the_table(page):
    table = rows(text("benchmarks/results.md").partition("## panda")[0])
    shown = rows(text(page))
    assert len(table) == 7 and len(shown) >= 5
    assert {first: table.get(first) for first in shown} == shown
    head = re.search(r"(?m)^\|.*\| panda \| ur5 \| solo12 \| talos \|$", text(page))
    assert head and re.search(r"\| panda \| ur5 \| solo12 \| talos \|", text("benchmarks/results.md"))


def test_operations_are_those_of_the_table():
    panda = text("benchmarks/operations.md").partition("## ur5")[0]
    found = re.search(r"\| inverse_dynamics \| \w+ \| (\d+) .* (\d+) \|", panda)
    assert f"takes {found[1]} operations as in the textbook and {found[2]} as compiled" in flat("docs/performance.md")


def flat(path: str) -> str:
    return " ".join(text(path).split())


def test_how_much_is_tested():
    page = flat("docs/testing.md")
    cases = json.loads(text("tests/oracles/ground_truth.json"))["cases"]
    compared = re.findall(r"(\d+) robots compared", text("docs/agreement.md"))
    assert (
        f"on {len(STRUCTURES)} robots of `tests/zoo.py`" in page and f"each of the {len(JOINTS)} kinds of joint" in page
    )
    assert f"{len(cases)} cases of the lectures" in page and f"{len(ROBOT)} methods that are read" in page
    assert f"{compared[0]} robots, fixed and floating, against Pinocchio and {compared[1]} against MuJoCo" in page
    for name in re.findall(r"`(test_\w+)`", page):
        assert any(f"def {name}(" in path.read_text("utf-8") for path in (ROOT / "tests").rglob("test_*.py")), name


def test_how_much_of_the_lectures():
    items = sum(many for lecture, many in ITEMS.items() if lecture.startswith("S"))
    errata = sum(many for _, many in ERRATA.values())
    assert f"{items} items, each with a method and a test; {errata} errata" in text("README.md")


def test_how_many_commands():
    assert len(COMMANDS) - 2 == 24 and "and two dozen more" in text("README.md")


def test_the_chart_is_that_of_the_tables():
    assert chart.PICTURE.read_text("utf-8") == chart.picture(), "python -m benchmarks.chart draws it"
    kinds = {"one state": "for one state", "4096": "in batches", "MuJoCo": "for a step with contacts"}
    for kind, words in kinds.items():
        found = [x for name, row in chart.rows().items() if kind in name for x in row.values()]
        assert f"{min(found):g} to {max(found):g} times longer {words}" in text("README.md")
