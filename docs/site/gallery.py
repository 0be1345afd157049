"""The gallery, from the programs in examples/: `python -m docs.site.gallery` writes docs/gallery.md and docs/gallery/.

A recipe is a program of at most twelve lines.  Its docstring has a title and the lines `topic:`, `words:` (what people
search for) and `change:` (what to change).  Pages show the code; the site runs it and shows what it prints and draws.
`python -m docs.site.thumbnails` draws the small picture of each recipe that has none yet.
"""

import re
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
EXAMPLES, PAGE, FOLDER = ROOT / "examples", ROOT / "docs" / "gallery.md", ROOT / "docs" / "gallery"
PICTURES, SMALL = ROOT / "docs" / "pictures", FOLDER / "pictures"
TOPICS = (
    "Kinematics", "Dynamics", "Motions", "Simulation", "Control", "Identification", "Derivatives", "Closed forms",
    "Robot files",
)  # fmt: skip
WRITTEN = "This page is written by `python -m docs.site.gallery` from the programs in `examples/`."
HEAD = f"""# Gallery

Short programs by task, each with its output. The last column has words that others use for the same
thing. {WRITTEN}
"""
#: programs that draw what they are about
DRAWING = ("plt.", ".plot(", ".animate(")
#: programs that pages cannot run: they read files beside them, or call a compiler
APART = ("__file__", "subprocess")


class Recipe(NamedTuple):
    """One program."""

    path: Path
    title: str
    topic: str
    words: str
    change: str
    code: str


def recipe(path: Path) -> Recipe:
    """The recipe in a file."""
    _, text, code = path.read_text("utf-8").split('"""', 2)
    title, _, rest = text.partition("\n")
    facts = dict(re.findall(r"(?m)^(\w+): (.*)$", rest))
    return Recipe(path, title.rstrip("."), *(facts.get(k, "") for k in ("topic", "words", "change")), code.strip())


RECIPES = [recipe(path) for path in sorted((EXAMPLES / "recipes").glob("*.py"))]
FIRST_DAY = [recipe(path) for path in sorted((EXAMPLES / "first_day").glob("*.py"))]
LARGE = [recipe(path) for path in sorted(EXAMPLES.glob("*.py"))]


def place(topic: str) -> str:
    """Name of the page of a topic."""
    return topic.lower().replace(" ", "_")


def anchor(title: str) -> str:
    """Anchor of a heading, as MyST makes it."""
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


def pages() -> dict[Path, str]:
    """Every page with its text."""
    found = {FOLDER / f"{place(topic)}.md": _topic(topic) for topic in TOPICS}
    found |= {FOLDER / "first_day.md": _first_day(), FOLDER / "examples.md": _examples()}
    return {PAGE: _index(), **found}


def _index() -> str:
    parts = [HEAD]
    for topic in TOPICS:
        links = [(r, f"[{r.title}](gallery/{place(topic)}.md#{anchor(r.title)})") for r in _of(topic)]
        rows = [f"| {_picture(r, 'gallery/')} | {link} | {r.words} |" for r, link in links]
        parts.append("\n".join([f"## {topic}\n", "| | recipe | also called |", "|---|---|---|", *rows, ""]))
    more = (
        "## Longer\n\n[Programs of a first day](gallery/first_day.md); [examples with pictures](gallery/examples.md)."
    )
    names = "\n".join(f"gallery/{name}" for name in (*map(place, TOPICS), "first_day", "examples"))
    return "\n".join([*parts, more, "", f"```{{toctree}}\n:hidden:\n:titlesonly:\n\n{names}\n```\n"])


def _picture(r: Recipe, folder: str = "") -> str:
    """The small picture of a recipe, if it is drawn yet."""
    file = SMALL / f"{r.path.stem}.png"
    return f"![]({folder}pictures/{file.name})" if file.exists() else ""


def _of(topic: str) -> list[Recipe]:
    return [r for r in RECIPES if r.topic == topic]


def _topic(topic: str) -> str:
    shown = []
    for r in _of(topic):
        picture = "" if any(word in r.code for word in DRAWING) else _picture(r)
        shown.append(
            f"## {r.title}\n\n{picture}\n\n{_block(r)}\n\nTo change: {r.change} Also called: {r.words}.\n".replace(
                "\n\n\n\n", "\n\n"
            )
        )
    return "\n".join([f"# {topic}: recipes\n\n{WRITTEN} [All recipes](../gallery.md).\n", *shown])


def _first_day() -> str:
    head = "# Programs of a first day\n\nWhat people try first, each in at most twelve lines. " + WRITTEN
    shown = [f"## {r.title}\n\n{_block(r)}\n" for r in FIRST_DAY if not any(word in r.code for word in APART)]
    apart = [r for r in FIRST_DAY if any(word in r.code for word in APART)]
    links = [f"- {r.title}: [{r.path.name}](../../examples/first_day/{r.path.name})" for r in apart]
    return "\n".join([head, "", *shown, "## With files and a compiler\n", *links, ""])


def _examples() -> str:
    head = "# Examples with pictures\n\nLonger programs; each draws what is shown. " + WRITTEN
    shown = []
    for r in LARGE:
        still, moving = r.path.with_suffix(".png"), PICTURES / f"{r.path.stem.partition('_')[2]}.gif"
        drawn = next((p for p in (still, moving) if p.exists()), None)
        picture = f"![{r.title}](../../{drawn.relative_to(ROOT).as_posix()})\n\n" if drawn else ""
        shown.append(f"## {r.title}\n\n{picture}[{r.path.name}](../../examples/{r.path.name})\n")
    return "\n".join([head, "", *shown])


def _block(r: Recipe) -> str:
    return f"```python\n{r.code}\n```"


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for path, text in pages().items():
        path.write_text(text, "utf-8")
