"""Notebooks are pages: run when the site is built, with what their cells show.  A cell that fails is a warning."""

import base64
import hashlib
import os
from pathlib import Path
from typing import Any

import nbformat
from docutils import nodes
from myst_parser.parsers.sphinx_ import MystParser
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from sphinx.application import Sphinx
from sphinx.util import logging

from .executed import PICTURES

logger = logging.getLogger(__name__)


class NotebookParser(MystParser):
    """Runs a notebook and reads what comes of it as Markdown."""

    supported = ("notebook",)

    def parse(self, inputstring: str, document: nodes.document) -> None:
        """Called by Sphinx for each notebook."""
        env = document.settings.env
        notebook = nbformat.reads(inputstring, as_version=4)
        try:
            executed(notebook)
        except CellExecutionError as problem:
            logger.warning("a cell fails:\n%s", problem, location=env.docname)
        super().parse(markdown(notebook, Path(env.srcdir)), document)


def executed(notebook: Any) -> Any:
    """The notebook with the outputs of its cells."""
    inline = {**os.environ, "MPLBACKEND": "module://matplotlib_inline.backend_inline"}
    return NotebookClient(notebook, timeout=300, kernel_name="python3").execute(env=inline)


def markdown(notebook: Any, root: Path) -> str:
    """Its cells and what they show; pictures are written below `root`."""
    parts = []
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            parts.append(cell.source)
        else:
            parts.append(f"```{{code-block}} python3\n{cell.source}\n```")
            parts += [shown for output in cell.outputs if (shown := _shown(output, root))]
    return "\n\n".join(parts)


def _shown(output: Any, root: Path) -> str:
    """One output: the richest of its forms."""
    if output.output_type == "stream":
        return _printed(output.text) if output.name == "stdout" else ""
    data = output.get("data", {})
    if "image/png" in data:
        picture = base64.b64decode(data["image/png"])
        path = PICTURES / f"{hashlib.sha256(picture).hexdigest()[:12]}.png"
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(picture)
        return f"![what the cell above draws](/{path.as_posix()})"
    if "text/latex" in data:
        return f"$$\n{data['text/latex'].strip().strip('$').removeprefix(chr(92) + 'displaystyle').strip()}\n$$"
    if "text/html" in data:
        return f"```{{raw}} html\n{data['text/html']}\n```"
    return _printed(data.get("text/plain", ""))


def _printed(text: str) -> str:
    return f"```{{code-block}} text\n:class: output\n\n{text.rstrip()}\n```" if text.strip() else ""


def setup(app: Sphinx) -> dict[str, Any]:
    """Called by Sphinx."""
    app.add_source_suffix(".ipynb", "notebook")
    app.add_source_parser(NotebookParser)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
