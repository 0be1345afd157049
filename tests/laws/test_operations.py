"""The operation counts on the pages are those of the code."""

import re
from functools import partial
from importlib import metadata
from pathlib import Path

import pytest

from articulated.algorithms.fast.formulations import FORMULATIONS
from articulated.algorithms.fast.regrouping import regrouped
from articulated.compiler.passes.trace import trace

ROOT = Path(__file__).parents[2]
COUNTED = ROOT / "benchmarks" / "operations.md"


@pytest.fixture(scope="module")
def operations():
    """The script, if the robots it counted are those that are installed."""
    counted = re.search(r"example-robot-data ([\d.]*\d)", COUNTED.read_text("utf-8"))[1]
    try:
        installed = metadata.version("example-robot-data")
    except metadata.PackageNotFoundError:
        pytest.skip("example-robot-data is not installed")
    if counted != installed:
        pytest.skip(f"counted on the robots of example-robot-data {counted}; {installed} is installed")
    return pytest.importorskip("benchmarks.operations")


def test_pages_say_what_is_counted(operations):
    assert COUNTED.read_text("utf-8") == operations.report()
    page = operations.PAGE.read_text("utf-8")
    assert operations.short_table()[0] in page and operations.with_table(page) == page


def test_what_is_compiled_is_shorter_than_the_textbook(operations):
    for robot in operations.ROBOTS:
        found = operations.counted(robot)
        for name in {name for name, _ in found}:
            several = [numbers for (key, _), numbers in found.items() if key == name]
            assert min(n.both for n in several) < several[0].textbook, (robot, name)


def test_the_shortest_trace_has_the_fewest_operations(operations, tmp_path):
    """The compiler compares traces, the pages operations after simplification."""
    for robot in operations.ROBOTS:
        model = regrouped(operations.case(robot, tmp_path).robot.model)
        for textbook, formulations in FORMULATIONS.items():
            if len(formulations) > 1:
                arrays = operations.ARRAYS[textbook.__name__]
                sizes = {name: model.nq if name == "q" else model.nv for name in arrays}
                traced = min(formulations, key=lambda fast: len(trace(partial(fast, model), sizes)))
                counted = {fast: n.both for (name, fast), n in operations.counted(robot).items()
                           if name == textbook.__name__}  # fmt: skip
                assert traced.__name__ == min(counted, key=counted.get)
