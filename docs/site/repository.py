"""Links to files and folders of the repository that are no pages of the site lead to where the repository is."""

from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform


class LeadToTheRepository(SphinxTransform):
    """Before Sphinx looks for pages of that name; what is neither is left to it, and reported."""

    default_priority = 870

    def apply(self, **kwargs: Any) -> None:
        """Called for each page that is read."""
        for node in list(self.document.findall(pending_xref)):
            if path := self._elsewhere(node):
                address = self.config.source_address + path
                node.replace_self(nodes.reference("", "", *node.children, refuri=address, internal=False))

    def _elsewhere(self, node: pending_xref) -> str | None:
        """The path of a file or folder of the repository that is no page."""
        root, target = Path(self.env.srcdir), node["reftarget"].partition("#")[0]
        if node.get("refdomain") == "doc":
            known, path = target in self.env.found_docs, root / f"{target}.md"
        else:
            known, path = False, Path(self.env.doc2path(self.env.docname)).parent / target
        if known or not target or not path.exists():
            return None
        return path.resolve().relative_to(root.resolve()).as_posix()


def setup(app: Sphinx) -> dict[str, Any]:
    """Called by Sphinx."""
    app.add_config_value("source_address", "", "html", [str])
    app.add_transform(LeadToTheRepository)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
