"""Links to files of the repository that are not pages lead to where the repository is."""

from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment


def to_the_repository(
    app: Sphinx, env: BuildEnvironment, node: pending_xref, content: nodes.Element
) -> nodes.Node | None:
    """A folder, or a file that is no page of the site; None leaves the link to the others, who report it."""
    target = node.get("reftarget", "").partition("#")[0]
    here = Path(env.doc2path(node.get("refdoc", env.docname))).parent
    path = (here / target).resolve()
    root = Path(app.srcdir)
    if not target or not path.exists() or not path.is_relative_to(root):
        return None
    address = app.config.source_address + path.relative_to(root).as_posix()
    return nodes.reference("", "", *(content.children or [nodes.Text(target)]), refuri=address, internal=False)


def setup(app: Sphinx) -> dict[str, Any]:
    """Called by Sphinx."""
    app.add_config_value("source_address", "", "html", [str])
    app.connect("missing-reference", to_the_repository)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
