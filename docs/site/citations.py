"""An item of a lecture, as in "USP S3.10", is a link to its row in docs/lecture_items.md, in pages and in help."""

import re
from typing import Any

from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform

PAGE = "docs/lecture_items"
ITEM = re.compile(r"\bS[0-4]\.\d+\b")
NOT_IN = (nodes.literal, nodes.literal_block, nodes.reference, nodes.title, nodes.FixedTextElement, pending_xref)


def anchor(item: str) -> str:
    """Anchor of an item: s3-10 of S3.10."""
    return item.lower().replace(".", "-")


class LinkItems(SphinxTransform):
    """Text to links; on the page of the items itself the first cells of its tables become their targets."""

    default_priority = 880

    def apply(self, **kwargs: Any) -> None:
        """Called for each page that is read."""
        for text in list(self.document.findall(nodes.Text)):
            if not ITEM.search(text) or any(isinstance(above, NOT_IN) for above in ancestors(text)):
                continue
            if self.env.docname == PAGE:
                entry = next((above for above in ancestors(text) if isinstance(above, nodes.entry)), None)
                if entry is not None:
                    entry.get("ids", []).extend(anchor(item) for item in ITEM.findall(text))
            else:
                text.parent.replace(text, self._linked(str(text)))

    def _linked(self, text: str) -> list[nodes.Node]:
        parts: list[nodes.Node] = []
        at = 0
        for match in ITEM.finditer(text):
            parts.append(nodes.Text(text[at : match.start()]))
            address = self.app.builder.get_relative_uri(self.env.docname, PAGE) + "#" + anchor(match[0])
            parts.append(nodes.reference("", match[0], refuri=address, internal=True, classes=["item"]))
            at = match.end()
        return [*parts, nodes.Text(text[at:])]


def ancestors(node: nodes.Node) -> Any:
    """The elements a node is in, innermost first."""
    while (node := node.parent) is not None:
        yield node


def setup(app: Sphinx) -> dict[str, Any]:
    """Called by Sphinx."""
    app.add_transform(LinkItems)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
