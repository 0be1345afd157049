"""Output formats of the equations."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from ...errors import unknown
from .derivation import noted, quantities
from .document import Section
from .html import html_page
from .languages import LANGUAGES, function_code
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


def exported(equations: Any, form: str, what: Sequence[str], named: bool = False) -> str:
    """The quantities named, as text in the given form; `named`: a function takes each parameter by its name."""
    if isinstance(form, str) and form in LANGUAGES:
        return function_code(equations, form, what, named)
    return written(form, f"Equations of motion of {equations.name}", noted(equations, quantities(equations, what)))


def written(form: str, title: str, sections: list[Section]) -> str:
    """A document in the given form."""
    check_page("export", form, LANGUAGES)
    return PAGES[form](title, sections)


def check_page(what: str, form: Any, others: Iterable[str] = ()) -> None:
    """Refuse a form no document has, before the work is done."""
    if not isinstance(form, str) or form not in PAGES:
        raise unknown("format", form, what, [*PAGES, *others])
