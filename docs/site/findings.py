"""The page of findings, from the table of the readers: `python -m docs.site.findings` writes docs/findings.md."""

from pathlib import Path

from articulated.files.rules import REPAIRS, RULES

HEAD = """# Findings

Every code that a reader of robot files can report: how serious it is, why it matters and how to fix it. An error stops
the reader, because a number would be wrong; a warning is kept in `robot.report`; a note says what was left out or
repaired. The last column says what `on_error="repair"` does; without it nothing is repaired. `articulated explain CODE`
prints the same. More on files: [Robot files](files.md). This page is written by `python -m docs.site.findings`; a test
compares it with the table of the readers.
"""
COLUMNS = "| code | severity | why it matters | how to fix it | repair |\n|---|---|---|---|---|"
KINDS = {"URDF": "URDF", "TOML": "TOML", "MJCF": "MJCF", "SRDF": "SRDF: named poses", "": "Any file"}


def kind(code: str) -> str:
    """The reader that a code belongs to."""
    return next(prefix for prefix in KINDS if code.startswith(prefix))


def page() -> str:
    """The whole page."""
    parts = [HEAD]
    for prefix, title in KINDS.items():
        rows = sorted(code for code in RULES if kind(code) == prefix)
        if rows:
            parts.append(f"## {title}\n\n{COLUMNS}")
            parts.append("".join(f"{row(code)}\n" for code in rows))
    return "\n".join(parts)


def row(code: str) -> str:
    """One line of a table."""
    rule = RULES[code]
    cells = [code, rule.severity, rule.why, rule.fix, REPAIRS.get(code, "")]
    return "| " + " | ".join(_plain(cell) for cell in cells) + " |"


def _plain(text: str) -> str:
    """Markdown that shows the text as it is."""
    for character in "\\|<>*_[]`":
        text = text.replace(character, f"\\{character}")
    return text


if __name__ == "__main__":
    Path(__file__).parents[1].joinpath("findings.md").write_text(page(), "utf-8")
