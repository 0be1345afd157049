"""The code in README and docs runs as it is written."""

import re
import shutil
from pathlib import Path

import numpy as np
import pytest

import articulated as art

ROOT = Path(__file__).parents[2]


def text(page: Path) -> str:
    return page.read_text("utf-8")


PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCKS = [(page, block) for page in PAGES for block in re.findall(r"```python\n(.*?)```", text(page), re.S)]
LINKS = [(page, link) for page in PAGES for link in re.findall(r"\]\(([^)#:]+)\)", text(page))]


@pytest.fixture
def names():
    """What a reader has at hand by the time of a block."""
    robot = art.load("quadruped").floating()
    q, v = robot.neutral(), np.zeros(robot.nv)
    contacts = art.Contacts(robot, point=["FL_FOOT", "FR_FOOT", "HL_FOOT", "HR_FOOT"])
    found = contacts.inverse_dynamics(q, v, v)
    legged = {"contacts": contacts, "found": found}
    return {"art": art, "robot": robot, "q": q, "v": v, "a": v, "tau": v, "np": np, **legged}


@pytest.mark.parametrize("page, block", BLOCKS, ids=[f"{p.stem}-{k}" for k, (p, _) in enumerate(BLOCKS)])
def test_code_blocks_run(page, block, names, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # whatever a block writes, it writes there
    shutil.copy(ROOT / "tests" / "oracles" / "urdf" / "tree4.urdf", "robot.urdf")
    exec(compile(block, str(page), "exec"), names)


@pytest.mark.parametrize("page, link", LINKS, ids=[f"{p.stem}-{link}" for p, link in LINKS])
def test_links_lead_somewhere(page, link):
    assert (page.parent / link).exists()
