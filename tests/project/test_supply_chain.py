"""Actions on the way to a release are pinned, and may do no more than they must."""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
LOCK = ROOT / ".ci" / "ubuntu-3.11.lock"


def test_actions_are_pinned_by_commit_and_permissions_are_few():
    assert WORKFLOWS
    for path in WORKFLOWS:
        text = path.read_text("utf-8")
        assert "\npermissions: { contents: read }\n" in text, path
        for use in re.findall(r"uses: (.*)", text):
            assert use.startswith("./.github/workflows/") or re.fullmatch(
                r"[\w-]+/[\w-]+@[0-9a-f]{40} # v[\d.]+", use
            ), use
    assert len({use for path in WORKFLOWS for use in re.findall(r"uses: (\w.*)", path.read_text("utf-8"))}) == 7


def test_the_lock_has_everything_that_the_tests_ask_for_with_its_hash():
    """And says nothing of the machine that wrote it."""
    lines = LOCK.read_text("utf-8").splitlines()[1:]
    held = {line.partition("==")[0] for line in lines}
    assert all(re.fullmatch(r"[a-z0-9.-]+==[\w.+!]+ --hash=sha256:[0-9a-f]{64}", line) for line in lines)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    extras, asked = project["project"]["optional-dependencies"], {"dev"}
    needed = project["project"]["dependencies"] + project["build-system"]["requires"]
    for _ in range(3):
        named = [line for extra in asked for line in extras[extra] if line.startswith("articulated[")]
        asked |= {extra for line in named for extra in line[len("articulated[") : -1].split(",")}
    needed += [line for extra in asked for line in extras[extra] if not line.startswith("articulated[")]
    assert {re.match(r"[\w.-]+", line)[0].lower() for line in needed} <= held


def test_commands_of_the_promises_run_every_night():
    page = (ROOT / "docs" / "testing.md").read_text("utf-8").partition("## Promises")[2].partition("\n## ")[0]
    nightly = (ROOT / ".github" / "workflows" / "nightly.yml").read_text("utf-8")
    commands = re.findall(r"`python -m (tests\.[\w.]+) \d+`", page)
    assert len(commands) >= 8
    assert [name for name in commands if f"{name} " not in nightly] == []
