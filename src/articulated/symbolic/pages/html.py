"""A document as a page that needs nothing but a browser: MathML, no script, no network."""

import re
from functools import lru_cache
from html import escape

from latex2mathml.converter import convert

from ...text import plain, shortened
from .document import Math, Row, Section, Table, Text, laid_out
from .latex import LINE
from .sketch_drawing import svg

ROOM = LINE - 6  # fonts of browsers are wider than those of LaTeX
INLINE = 'xmlns="http://www.w3.org/1998/Math/MathML" display="inline"'


@lru_cache(maxsize=50000)
def mathml(tex: str) -> str:
    """An inline formula; the exponent of a matrix is attached to all of it, that of a large bracket is above it."""
    grouped = re.sub(r"(\\begin\{pmatrix\}((?!\\begin).)*?\\end\{pmatrix\}|\\bigr\))\^", r"{\1}^", tex)
    written = convert(grouped).replace(f"<math {INLINE}>", "<math>").replace(r"\_", "_")
    written = written.replace("<mo>&#x0002B;</mo>", '<mo form="infix">+</mo>')  # also where a line begins with it
    return re.sub(r"(>(?:&#x0(?:0028|003D|002C);|\(|\[)</mo>)<mo>&#x02212;", r'\1<mo form="prefix">&#x02212;', written)


def displayed(tex: str) -> str:
    """A formula with the spacing of one on a line of its own."""
    return mathml(tex).replace("<math>", '<math displaystyle="true">', 1)


STYLE = """
:root{color-scheme:light dark}
body{font:17px/1.5 Georgia,serif;max-width:62rem;margin:2rem auto;padding:0 1rem;color:#222;background:#fff}
h1,h2{line-height:1.25;overflow-wrap:anywhere}h2{margin-top:2em}h3+p,.rows+p{margin-bottom:.2em}p{overflow-wrap:anywhere}
a{color:#14569b}nav ul{columns:2 20rem}
@media(prefers-color-scheme:dark){body{color:#ddd;background:#161616}a{color:#8ab8ec}
.sketch .joint,.sketch rect{fill:#161616}}
@media(max-width:40rem){body{font-size:15px;margin:1rem auto}}
@media print{.rows{overflow:visible}}
"""
#: of formulas alone, for a notebook: nothing that would change the notebook around them
FORMULAS = """
.rows{overflow-x:auto;margin:.8em 0;padding-bottom:.3em}
.rows table{border-collapse:collapse}
.rows td{padding:.25em 0;white-space:nowrap;vertical-align:baseline}
.rows td.left{text-align:right;padding-left:1em}.rows td.equals{padding:0 .5em}.rows td.more{padding-left:1.5em}
mtd{padding:.15em .4em}
.table{overflow-x:auto;margin:.8em 0}.table table{border-collapse:collapse;margin:0 1em}
.table th,.table td{padding:.25em .8em;text-align:left;border-bottom:1px solid #8886;vertical-align:top}
.table th{font-weight:normal;border-bottom:2px solid #8888}
.robot{margin:1em}.robot figcaption{font-size:.85em;max-width:40rem}
.sketch{max-width:100%;height:auto;fill:none;stroke:currentColor}.sketch .link{stroke-width:3}
.sketch .axis{opacity:.55}
.sketch .frame{opacity:.6;stroke-width:.8}.sketch text.frame{font-size:11px}
.sketch .joint,.sketch rect{fill:var(--jp-layout-color1,#fff);stroke-width:1.5}
.sketch text{font:italic 15px Georgia,serif;fill:currentColor;stroke:none}.sketch .center{fill:currentColor}
math{font-family:"Latin Modern Math","STIX Two Math","Cambria Math","XITS Math","STIX Math","Libertinus Math",
"Noto Sans Math","DejaVu Math TeX Gyre",math;font-size:1.08em}
"""
#: on the cell itself: notebooks put every cell to the right
LEFT = 'style="text-align:left"'


def html_page(title: str, sections: list[Section]) -> str:
    """The whole document as a page."""
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"/>'
        '<meta name="viewport" content="width=device-width, initial-scale=1"/>'
        f"<title>{escape(shortened(title, 120))}</title><style>{FORMULAS}{STYLE}</style></head>\n"
        f"<body>{html_body(title, sections)}</body></html>\n"
    )


def html_body(title: str, sections: list[Section]) -> str:
    """Title, sections, and a table of contents if there are many."""
    body = [f"<h1>{escape(shortened(title, 120))}</h1>", _contents(sections) if len(sections) > 3 else ""]
    for k, section in enumerate(sections, start=1):
        body.append(f'<h2 id="s{k}">{escape(shortened(section.title))}</h2>')
        body.append(f"<p>{html_text(section.text)}</p>" if section.text else "")
        body.append(svg(section.sketch) if section.sketch else "")
        body += [table_of(table) for table in section.tables]
        body.append(formulas(laid_out(section.rows, ROOM)) if section.rows else "")
    return "".join(body)


def table_of(table: Table) -> str:
    """A table; what is wider than the screen scrolls, sentences are broken."""
    head = "".join(f"<th {LEFT}>{html_text(cell)}</th>" for cell in table.header)
    rows = ("".join(f"<td {LEFT}>{html_text(cell)}</td>" for cell in row) for row in table.rows)
    body = "".join(f"<tr>{row}</tr>" for row in rows)
    return f'<div class="table" tabindex="0"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>\n'


def fragment(body: str) -> str:
    """A part of a notebook, in the notebook's own colors and fonts."""
    return f"<div><style>{FORMULAS}</style>{body}</div>"


def _contents(sections: list[Section]) -> str:
    items = (f'<li><a href="#s{k}">{escape(shortened(s.title))}</a></li>' for k, s in enumerate(sections, start=1))
    return f'<nav aria-label="Contents"><ul>{"".join(items)}</ul></nav>'


def html_text(text: Text) -> str:
    """Words and formulas of a paragraph."""
    return "".join(mathml(part) if isinstance(part, Math) else escape(plain(part)) for part in text)


def formulas(rows: list[Row]) -> str:
    """Rows with their equals signs below each other; what is wider than the screen scrolls."""
    out = []
    for left, (first, *more) in rows:
        name, equals = (displayed(left), mathml("=")) if left else ("", "")
        out.append(
            f'<tr><td class="left">{name}</td><td class="equals">{equals}</td><td {LEFT}>{displayed(first)}</td></tr>'
        )
        for line in more:  # its minus sign stands below a plus sign
            continued = displayed(line).replace("<mo>&#x02212;", '<mo form="infix">&#x02212;', line.startswith("-"))
            out.append(f'<tr><td></td><td></td><td class="more" {LEFT}>{continued}</td></tr>')
    return f'<div class="rows" tabindex="0"><table>{"".join(out)}</table></div>\n'
