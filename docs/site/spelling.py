"""US spelling in text and names alike: `python -m docs.site.spelling` rewrites the files of the repository.

The changelog is a record and stays; `Contacts.analyse` is an old name that is kept.
"""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
FOLDERS = ("src", "docs", "tests", "benchmarks", "examples", ".ci", ".github")
ENDINGS = (".py", ".md", ".rst", ".toml", ".c", ".h", ".js", ".ipynb", ".yml")
#: British stem → American stem; capitals alike
STEMS = {
    "centre": "center", "centring": "centering", "colour": "color", "metre": "meter", "behaviour": "behavior",
    "neighbour": "neighbor", "favour": "favor", "honour": "honor", "labelled": "labeled",
    "grey": "gray", "licence": "license", "artefact": "artifact",
    **{f"{stem}is{end}": f"{stem}iz{end}" for end in ("e", "i", "at", "ing") for stem in (
        "factor", "normal", "recogn", "regular", "parametr", "stabil", "optim", "minim", "maxim", "linear", "random",
        "general", "discret", "initial", "symmetr", "vector", "summar", "synchron", "organ", "serial")},
}  # fmt: skip
WORDS = re.compile("|".join(sorted(STEMS, key=len, reverse=True)), re.IGNORECASE)


def american(text: str) -> str:
    """The text with American stems."""

    def replaced(match: re.Match[str]) -> str:
        word, stem = match[0], STEMS[match[0].lower()]
        return stem.upper() if word.isupper() else stem.capitalize() if word[0].isupper() else stem

    return WORDS.sub(replaced, text)


def files() -> list[Path]:
    """Every text of the repository, but for the changelog and this table."""
    inside = [path for folder in FOLDERS for path in (ROOT / folder).rglob("*") if path.suffix in ENDINGS]
    return [*(path for path in inside if path != Path(__file__)), ROOT / "README.md", ROOT / "CONTRIBUTING.md"]


if __name__ == "__main__":
    for path in files():
        text = path.read_text("utf-8")
        if (changed := american(text)) != text:
            path.write_text(changed, "utf-8")
