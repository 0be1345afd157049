"""Where tests are, and what they may not do."""

import re
from pathlib import Path

import articulated

SOURCE = Path(articulated.__file__).parent
TESTS = Path(__file__).parents[1]
FILES = sorted(TESTS.rglob("test_*.py"))

#: folders that mirror no package
OTHERS = {"laws", "oracles", "project"}
#: clocks that are read to say how long something took; a deadline is no measurement
CLOCK = re.compile(r"perf_counter|process_time|thread_time|\btime\.time\(|os\.times|timeit")


def test_folders_mirror_the_packages():
    folders = {path.parent.relative_to(TESTS) for path in FILES}
    assert Path("project") in folders
    for folder in folders:
        assert folder.parts[:1] in [(other,) for other in OTHERS] or (SOURCE / folder / "__init__.py").exists(), folder


def test_tests_count_and_do_not_time():
    """A busy machine must not change the answer; what is measured is in benchmarks/ and in commands."""
    others = [path for path in FILES if path != Path(__file__)]
    assert [path.name for path in others if CLOCK.findall(path.read_text("utf-8"))] == []
