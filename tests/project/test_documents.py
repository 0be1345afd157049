"""The code in README and docs runs as it is written, and what they and the source speak of is there."""

import re
import traceback
from pathlib import Path

import pytest

from articulated.files.rules import RULES
from docs.site import architecture, findings
from tests.conftest import absent

from .mentions import FENCED, everything, missing

ROOT = Path(__file__).parents[2]


def text(page: Path) -> str:
    return page.read_text("utf-8")


PAGES = [
    *(ROOT / f"{name}.md" for name in ("README", "CONTRIBUTING", "SECURITY")),
    *sorted((ROOT / "docs").rglob("*.md")),
]
#: but the programs of the first day, which tests/project/test_first_day.py runs
BLOCKS = [(page, block) for page in PAGES if page.stem != "first_day"
          for block in re.findall(r"```python\n(.*?)```", text(page), re.S)]  # fmt: skip
LINKS = [(page, link) for page in PAGES for link in re.findall(r"\]\(([^)#:]+)\)", FENCED.sub("", text(page)))]


def group(page: Path) -> str:
    folder = page.parent.name if page.parent != ROOT else "docs"
    return page.stem if page.stem == "bridges" else folder


@pytest.mark.parametrize("pages", sorted({group(page) for page, _ in BLOCKS}))
@pytest.mark.filterwarnings("ignore:.torch.jit:DeprecationWarning")  # PyTorch's own
def test_code_blocks_run_as_they_are_printed(pages, tmp_path, monkeypatch):
    """Each alone, in an empty folder, with no name that it does not import or make itself."""
    complaints = []
    for k, (page, block) in enumerate(BLOCKS):
        if group(page) != pages:
            continue
        (tmp_path / str(k)).mkdir()
        monkeypatch.chdir(tmp_path / str(k))
        try:
            exec(compile(block, str(page), "exec"), {"__name__": "__main__"})
        except Exception as problem:
            if not absent(str(problem)):  # `make test-bridges` and `make docs` have more packages
                complaints.append(f"{page.name}\n{block}\n{traceback.format_exc()}")
    assert not complaints, "\n".join(complaints)


def test_links_lead_somewhere():
    assert [f"{page.name}: {link}" for page, link in LINKS if not (page.parent / link).exists()] == []


# -- files that are spoken of -------------------------------------------------------------

FOLDERS = ["src", "tests", "docs", "benchmarks", "examples", ".github", ".ci"]
SPEAKING = [
    *sorted(p for folder in FOLDERS for p in (ROOT / folder).rglob("*") if p.suffix in (".py", ".md", ".yml")),
    *(p for p in sorted(ROOT.glob("*.md")) if p.name != "CHANGELOG.md"),  # a record: what it names may be gone
    *(ROOT / name for name in ("Makefile", "pyproject.toml", ".ci/run")),
]


@pytest.fixture(scope="module")
def known():
    return everything(ROOT, FOLDERS)


def test_what_is_spoken_of_is_there(known):
    found = {path.relative_to(ROOT).as_posix(): missing(path, known) for path in SPEAKING}
    assert {place: names for place, names in found.items() if names} == {}


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("a.py", '"""As `readers/urdf.py` says."""', ["readers/urdf.py"]),
        ("a.py", "x = 1  # see gone.py and robot.py", ["gone.py"]),
        ("a.py", 'def f():\n    """The room `readers/`."""', ["readers/"]),
        ("a.py", 'text = "gone.py"', []),
        ("a.md", "See `compiler/gone.py`, `robot/robot.py`, `fast/` and src/articulated/gone/*.toml.", None),
        ("a.md", "```\npython gone.py\n```\nhttps://example.org/gone.py", []),
        ("a.md", "`python -m tests.files.fuzz`, `python -m tests.gone`", ["tests/gone.py"]),
        ("a.md", "tests/symbolic/test\\_gone.py", ["tests/symbolic/test_gone.py"]),
    ],
)
def test_what_is_not_there_is_found(name, text, words, tmp_path, known):
    (tmp_path / name).write_text(text)
    found = missing(tmp_path / name, known)
    assert found == (["compiler/gone.py", "src/articulated/gone/*.toml"] if words is None else words)


# -- codes of findings --------------------------------------------------------------------


def test_the_page_of_findings_is_the_table_of_the_readers():
    assert text(ROOT / "docs" / "findings.md") == findings.page(), "python -m docs.site.findings writes it"


def test_every_code_that_is_reported_is_in_the_table():
    said = [p for p in (ROOT / "src").rglob("*.py") if "files" in p.parts or "model" in p.parts]
    codes = {code for path in said for code in re.findall(r"\"([A-Z]{4,}\d{3})\"", text(path))}
    assert codes == RULES.keys()


def test_the_picture_of_the_architecture_is_that_of_the_table():
    drawn = architecture.picture()
    assert text(architecture.PICTURE) == drawn, "python -m docs.site.architecture draws it"
    rooms = {p.name for p in (ROOT / "src" / "articulated").iterdir() if (p / "__init__.py").exists()}
    rooms = {name for name in rooms if not name.startswith("_")}
    assert set(re.findall(r'class="name">(\w+)<', drawn)) >= rooms


# -- walks --------------------------------------------------------------------------------

WALK = re.compile(r"`([a-z_0-9/]+\.py)`\s+`(\w+)`(?:(?:,| and)\s+`(\w+)`)*")


def test_the_walks_lead_through_functions_that_are_there():
    page = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    steps = [(m[1], name) for m in WALK.finditer(page) for name in re.findall(r"`(\w+)`", m[0])]
    assert len(steps) > 25
    for file, name in steps:
        text = (ROOT / "src" / "articulated" / file).read_text("utf-8")
        assert re.search(rf"^\s*(def|class) {name}\b", text, re.MULTILINE), (file, name)
