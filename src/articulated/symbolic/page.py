"""Sections as an article, as Markdown, as a page that needs nothing but a browser."""

from html import escape
from typing import Any

import sympy
from sympy.printing.mathml import MathMLPresentationPrinter

from .derivation import Section
from .latex import _named, aligned

PREAMBLE = r"""\documentclass{article}
\usepackage{amsmath}
\usepackage[margin=2cm]{geometry}
\allowdisplaybreaks
\begin{document}
"""
STYLE = (
    "body{font:17px/1.5 Georgia,serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#222}"
    "nav li{list-style:none}math{font-size:1.05em}.row{overflow-x:auto;margin:.4em 0}h2{margin-top:2em}"
)


def tex_page(title: str, sections: list[Section]) -> str:
    """A LaTeX article."""
    parts = [PREAMBLE, f"\\title{{{_tex(title)}}}\\date{{}}\\maketitle\n\\tableofcontents\n"]
    for section in sections:
        parts.append(f"\\section{{{_tex(section.title)}}}\n{_tex(section.text)}\n")
        # one row at a time, so that TeX may break the page between any two
        for row in section.rows:
            parts.append(f"\\[\n{aligned([row])}\n\\]\n")
    return "".join([*parts, "\\end{document}\n"])


def _tex(text: str) -> str:
    """Plain words for TeX."""
    special = {"_": r"\_", "&": r"\&", "%": r"\%", "#": r"\#", "ω": r"$\omega$", "σ": r"$\sigma$", "τ": r"$\tau$"}
    special |= {"ᵀ": r"$^T$", "½": r"$\tfrac12$", "·": r"$\cdot$", "Σ": r"$\Sigma$", "∂": r"$\partial$"}
    return "".join(special.get(x, x) for x in text)


def markdown_page(title: str, sections: list[Section]) -> str:
    """Markdown with LaTeX between double dollars, as GitHub and MathJax read it."""
    parts = [f"# {title}\n"]
    if len(sections) > 3:
        parts.append("\n".join(f"{k}. {section.title}" for k, section in enumerate(sections, 1)) + "\n")
    for section in sections:
        parts.append(f"## {section.title}\n")
        if section.text:
            parts.append(f"{section.text}\n")
        parts += [f"$$\n{block}\n$$\n" for block in _blocks(section)]
    return "\n".join(parts)


def _blocks(section: Section) -> list[str]:
    """Aligned blocks: short rows together, a long one alone."""
    blocks: list[list[tuple[str, Any]]] = []
    for row in section.rows:
        if blocks and len(aligned([*blocks[-1], row])) < 1500:
            blocks[-1].append(row)
        else:
            blocks.append([row])
    return [aligned(rows) for rows in blocks]


def html_page(title: str, sections: list[Section]) -> str:
    """A page with MathML: no script, no network."""
    contents = "".join(f'<li><a href="#s{k}">{escape(s.title)}</a></li>' for k, s in enumerate(sections))
    body = []
    for k, section in enumerate(sections):
        body.append(f'<h2 id="s{k}">{escape(section.title)}</h2><p>{escape(section.text)}</p>')
        body += [f'<div class="row">{mathml(left, right)}</div>' for left, right in section.rows]
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f"<style>{STYLE}</style></head><body><h1>{escape(title)}</h1><nav><ul>{contents}</ul></nav>"
        f"{''.join(body)}</body></html>\n"
    )


def mathml(left: str, right: Any) -> str:
    """`left = right` as MathML; `left` is LaTeX of a name with an index."""
    shown = f"<mtext>{escape(right)}</mtext>" if isinstance(right, str) else _mathml(right)
    return f'<math display="block"><mrow>{_name(left)}<mo>=</mo>{shown}</mrow></math>'


def _mathml(expression: Any) -> str:
    if isinstance(expression, sympy.MatrixBase):
        rows = "".join(
            "<mtr>" + "".join(f"<mtd>{_mathml(x)}</mtd>" for x in expression.row(i)) + "</mtr>"
            for i in range(expression.rows)
        )
        return f"<mrow><mo>(</mo><mtable>{rows}</mtable><mo>)</mo></mrow>"
    shown, names = _named(sympy.sympify(expression))
    return _Printer(names).doprint(shown).replace("&InvisibleTimes;", "&#x2062;").replace("&ApplyFunction;", "&#x2061;")


class _Printer(MathMLPresentationPrinter):
    """SymPy's MathML with our names."""

    def __init__(self, names: dict[sympy.Symbol, str]):
        super().__init__()
        self.names = names

    def _print_Symbol(self, symbol: sympy.Symbol, style: str = "plain") -> Any:
        name = self.names.get(symbol, symbol.name)
        head, _, index = name.partition("_")
        element = self.dom.createElement("msub" if index else "mi")
        for text in (_letter(head), index.strip("{}")) if index else ():
            part = self.dom.createElement("mi")
            part.appendChild(self.dom.createTextNode(text))
            element.appendChild(part)
        if not index:
            element.appendChild(self.dom.createTextNode(_letter(head)))
        return element


LETTERS = {r"\dot{q}": "q̇", r"\ddot{q}": "q̈", r"\omega": "ω", r"\tau": "τ", r"\sigma": "σ", r"\tau^f": "τᶠ"}


def _letter(text: str) -> str:
    plain = text.removeprefix("\\mathrm{").removesuffix("}") if text.startswith("\\mathrm") else text
    return LETTERS.get(plain, plain.lstrip("\\"))


def _name(left: str) -> str:
    """{}^{1}\\omega_{1}, M_{11}, … as MathML."""
    before = ""
    if left.startswith("{}^{"):
        before, _, left = left[4:].partition("}")
    if " = " in left:
        return "<mo>=</mo>".join(_name(part) for part in left.split(" = "))
    head, _, index = left.partition("_")
    inner = f"<mi>{escape(_letter(head))}</mi>"
    if index:
        inner = f"<msub>{inner}<mi>{escape(index.replace(chr(92) + 'text', '').strip('{}'))}</mi></msub>"
    return f"<mmultiscripts>{inner}<mprescripts/><none/><mi>{before}</mi></mmultiscripts>" if before else inner
