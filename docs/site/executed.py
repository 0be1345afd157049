"""Every Python block of a page runs when the site is built, and what it prints and draws is shown below it, and its
value of its last line as a notebook shows it: typeset where it can be.

Each block runs alone, in an empty folder, as `tests/project/test_documents.py` runs it.  A block that fails is a
warning, and with `sphinx-build -W` the end of the build.  Where its libraries are not installed it is not run, and the
page says so.
"""

import ast
import contextlib
import hashlib
import io
import os
import re
import tempfile
import traceback
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform
from sphinx.util import logging

logger = logging.getLogger(__name__)
#: where pictures are put, below the source folder: Sphinx copies them from there
PICTURES = Path("build/executed")
IMPORTED = re.compile(r"^(?:import|from) (?:articulated\.(torch|jax|casadi|gymnasium)\b|(\w+))", re.M)
LONGEST, VALUE = 60, 14  # lines that are shown of what is printed, and of the value of the last line


class RunBlocks(SphinxTransform):
    """Puts the output of each block below it."""

    default_priority = 400

    def apply(self, **kwargs: Any) -> None:
        """Called for each page that is read."""
        if self.env.docname.startswith("docs/api/"):
            return
        for block in list(self.document.findall(nodes.literal_block)):
            if block.get("language") == "python" and ">>>" not in block.astext():
                parent = block.parent
                at = parent.index(block) + 1
                parent[at:at] = self._output(block)

    def _output(self, block: nodes.literal_block) -> list[nodes.Node]:
        text = block.astext()
        missing = [name for pair in IMPORTED.findall(text) for name in pair if name and not find_spec(name)]
        if missing:
            return [nodes.paragraph("", f"(not run here: {', '.join(missing)} not installed)", classes=["not-run"])]
        folder = Path(self.env.srcdir) / PICTURES
        try:
            printed, formula, pictures = run(text, folder)
        except Exception:
            logger.warning("this block fails:\n%s", traceback.format_exc(limit=-3), location=block)
            return []
        shown: list[nodes.Node] = []
        if printed:
            shown.append(nodes.literal_block(printed, printed, language="text", classes=["output"]))
        if formula:
            shown.append(nodes.math_block(formula, formula, nowrap=False, number=None, label=None))
        shown += [
            nodes.image(uri=f"/{(PICTURES / name).as_posix()}", alt="what the code above draws") for name in pictures
        ]
        return shown


def run(text: str, folder: Path) -> tuple[str, str, list[str]]:
    """Output of a program, its last expression in LaTeX, and the pictures it draws or writes, copied to `folder`."""
    said = io.StringIO()
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as empty:
        os.chdir(empty)
        try:
            with contextlib.redirect_stdout(said):
                formula = executed(text)
            pictures = drawn(Path(empty), hashlib.sha256(text.encode()).hexdigest()[:12], folder)
            return clipped(said.getvalue()), formula, pictures
        finally:
            os.chdir(before)


def executed(text: str) -> str:
    """Run a program; its last expression in LaTeX if it has one, else nothing."""
    names: dict[str, Any] = {"__name__": "__main__"}
    tree = ast.parse(text)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "<page>", "exec"), names)
    if last is None:
        return ""
    value = eval(compile(ast.Expression(last.value), "<page>", "eval"), names)
    latex = getattr(value, "_repr_latex_", lambda: None)() or ""
    if value is not None and not latex:
        print(clipped(repr(value), VALUE))
    return str(latex).strip("$ ").removeprefix(r"\displaystyle").strip()


def drawn(here: Path, name: str, folder: Path) -> list[str]:
    """Open figures of matplotlib, or else the pictures in the current folder, kept under `name`."""
    if find_spec("matplotlib"):
        from matplotlib import pyplot

        for number in pyplot.get_fignums():
            pyplot.figure(number).savefig(here / f"figure{number}.png", dpi=110, bbox_inches="tight")
        pyplot.close("all")
    folder.mkdir(parents=True, exist_ok=True)
    kept = []
    for k, picture in enumerate(sorted([*here.glob("*.png"), *here.glob("*.gif")])):
        kept.append(f"{'plot' if on_white(picture) else 'robot'}_{name}_{k}{picture.suffix}")
        (folder / kept[-1]).write_bytes(picture.read_bytes())
    return kept


def on_white(picture: Path) -> bool:
    """Whether it is a plot, which the dark theme turns dark."""
    from PIL import Image

    with Image.open(picture) as image:
        return image.convert("RGB").getpixel((0, 0)) == (255, 255, 255)


def clipped(text: str, longest: int = LONGEST) -> str:
    """At most so many lines."""
    lines = text.rstrip().splitlines()
    more = len(lines) - longest
    return "\n".join(lines if more <= 0 else [*lines[:longest], f"… {more} more lines"])


def setup(app: Sphinx) -> dict[str, Any]:
    """Called by Sphinx."""
    app.add_transform(RunBlocks)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
