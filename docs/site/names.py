"""Names in the text of a page are links to the reference: `pose`, `robot.pose`, `art.simulate`."""

import re
from typing import Any

from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform

NAME = re.compile(r"(?:(robot|contacts|art)\.)?([A-Za-z_]\w{3,})(?:\(.*\))?")


def target(text: str) -> str | None:
    """The public name that a piece of code stands for, as the reference lists it."""
    import articulated as art

    found = NAME.fullmatch(text)
    if not found:
        return None
    owner, name = found[1], found[2]
    if owner == "art":
        return f"articulated.{name}" if name in art.__all__ else None
    kind = "Contacts" if owner == "contacts" else "Robot"
    return f"articulated.{kind}.{name}" if callable(getattr(getattr(art, kind), name, None)) else None


class LinkNames(SphinxTransform):
    """Code in running text and in tables; headings and links stay as they are."""

    default_priority = 870

    def apply(self, **kwargs: Any) -> None:
        """Called for each page that is read."""
        if self.env.docname.startswith("docs/api/"):
            return
        for code in list(self.document.findall(nodes.literal)):
            name = target(code.astext())
            if name is None or isinstance(code.parent, (nodes.reference, pending_xref, nodes.title)):
                continue
            about = {"refdomain": "py", "reftype": "obj", "reftarget": name, "refdoc": self.env.docname}
            link = pending_xref("", refwarn=False, **about)
            code.replace_self(link)
            link += code


def setup(app: Sphinx) -> dict[str, Any]:
    """Called by Sphinx."""
    app.add_transform(LinkNames)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
