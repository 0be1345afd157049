"""Names in the text of a page are links to the reference: `pose`, `robot.pose`, `run.animate`, `art.simulate`."""

import re
from importlib import import_module
from typing import Any

from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform

NAME = re.compile(r"(?:(\w+)\.)?([A-Za-z_]\w*)(?:\(.*\))?")
#: variables of the pages, and the classes they are of, as the reference lists them
OWNERS = {
    "robot": "articulated.Robot",
    "contacts": "articulated.Contacts",
    "run": "articulated.Trajectory",
    "law": "articulated.WholeBody",
    "sim": "articulated.Simulator",
    "scene": "articulated.Scene",
    "page": "articulated.Viewer",
    "eq": "articulated.symbolic.equations.derive.Equations",
}
#: pages on which a name without an owner belongs to another class than Robot, if that has it
PAGES = {
    "docs/contacts": "contacts", "docs/trajectories": "run", "docs/closed_form": "eq", "docs/view": "page",
    "docs/derivations/README": "eq",
}  # fmt: skip
SHORTEST = 3  # letters of a name without an owner: q is an array


def target(text: str, page: str = "") -> str | None:
    """The public name that a piece of code on a page stands for, as the reference lists it."""
    found = NAME.fullmatch(text)
    if not found:
        return None
    owner, name = found[1], found[2]
    if owner in OWNERS:
        return f"{OWNERS[owner]}.{name}" if _member(OWNERS[owner], name) is not None else None
    if owner is None and len(name) >= SHORTEST:
        for kind in (OWNERS[PAGES.get(page, "robot")], OWNERS["robot"]):
            if callable(_member(kind, name)):  # attributes are words as well: name, gravity
                return f"{kind}.{name}"
    public = owner == "art" and not name.startswith("_") and name in import_module("articulated").__all__
    return f"articulated.{name}" if public else None


def _member(path: str, name: str) -> Any:
    module, _, kind = path.rpartition(".")
    return None if name.startswith("_") else getattr(getattr(import_module(module), kind), name, None)


class LinkNames(SphinxTransform):
    """Code in running text and in tables; headings and links stay as they are."""

    default_priority = 870

    def apply(self, **kwargs: Any) -> None:
        """Called for each page that is read."""
        if self.env.docname.startswith("docs/api/"):
            return
        for code in list(self.document.findall(nodes.literal)):
            name = target(code.astext(), self.env.docname)
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
