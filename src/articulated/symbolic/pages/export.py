"""Every form the equations can leave in; one line per form."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from ...errors import unknown
from .code import c_code, casadi_code, python_code
from .derivation import quantities
from .document import Section
from .html import html_page
from .markdown import markdown_page
from .terminal import text_page
from .tex import tex_page

#: how a document is written
PAGES: dict[str, Callable[[str, list[Section]], str]] = {
    "tex": tex_page,
    "md": markdown_page,
    "html": html_page,
    "text": text_page,
}
#: how a function is written
CODE: dict[str, Callable[[Any, Sequence[str]], str]] = {
    "py": python_code,
    "c": c_code,
    "casadi": casadi_code,
}


def exported(equations: Any, form: str, what: Sequence[str]) -> str:
    """The quantities named, as text in the given form."""
    wanted = [name.strip() for name in what]
    if isinstance(form, str) and form in CODE:
        return CODE[form](equations, wanted)
    return written(form, f"Equations of motion of {equations.name}", quantities(equations, wanted))


def written(form: str, title: str, sections: list[Section]) -> str:
    """A document in the given form."""
    check_page("export", form, CODE)
    return PAGES[form](title, sections)


def check_page(what: str, form: Any, others: Iterable[str] = ()) -> None:
    """Refuse a form no document has, before the work is done."""
    if not isinstance(form, str) or form not in PAGES:
        raise unknown("format", form, what, [*PAGES, *others])
