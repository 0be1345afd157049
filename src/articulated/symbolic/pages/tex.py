"""A document as a LaTeX article."""

import unicodedata

from ...text import shortened
from .document import Math, Section, Table, Text, block, laid_out
from .sketch_drawing import picture

PREAMBLE = r"""\documentclass[fleqn]{article}
\IfFileExists{lmodern.sty}{\usepackage[T1]{fontenc}\usepackage{lmodern}}{}
\usepackage[utf8]{inputenc}
\usepackage{amsmath}
\usepackage[a4paper,margin=2cm]{geometry}
\setlength{\mathindent}{1em}
\setcounter{secnumdepth}{0}
\renewcommand{\arraystretch}{1.15}
\allowdisplaybreaks
\raggedbottom
\sloppy
\begin{document}
"""
SPECIAL = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "%": r"\%", "#": r"\#", "_": r"\_",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}", ">": r"\textgreater{}",
    "|": r"\textbar{}", '"': "{''}", "`": r"\textasciigrave{}", "-": "{-}", "…": r"\ldots{}",
    "ω": r"$\omega$", "σ": r"$\sigma$", "τ": r"$\tau$", "×": r"$\times$", "·": r"$\cdot$", "²": "$^{2}$",
}  # fmt: skip


def tex_page(title: str, sections: list[Section]) -> str:
    """A LaTeX article; its formulas may break between any two lines of a page."""
    parts = [PREAMBLE, f"\\title{{{tex_words(title)}}}\\date{{}}\\maketitle\n"]
    if len(sections) > 3:
        parts.append("\\tableofcontents\n")
    for section in sections:
        parts.append(f"\\section{{{tex_words(section.title)}}}\n{_tex(section.text)}\n")
        if section.sketch:
            parts.append(
                f"{picture(section.sketch)}{{\\footnotesize {tex_words(section.sketch.drawn_caption, 1000)}\\par}}\n"
            )
        parts += [_table(table) for table in section.tables]
        if section.rows:
            parts.append(f"{block('align*', laid_out(section.rows))}\n")
    return "".join([*parts, "\\end{document}\n"])


def _table(table: Table) -> str:
    lines = (" & ".join(_tex(cell) for cell in row) + r" \\" for row in table.rows)
    head = " & ".join(_tex(cell) for cell in table.header) + r" \\ \hline"
    columns = "l" * len(table.header)
    body = "\n".join([head, *lines])
    return (
        f"\n\\medskip\\noindent\\hspace{{1em}}\\begin{{tabular}}{{{columns}}}\n{body}\n\\end{{tabular}}\n\\medskip\n\n"
    )


def _tex(text: Text) -> str:
    return "".join(f"${part}$" if isinstance(part, Math) else tex_words(part, 10000) for part in text)


def tex_words(text: str, longest: int = 80) -> str:
    """Text with TeX's special characters escaped; letters its standard fonts lack by code point."""
    return "".join(_escaped(x) for x in shortened(text, longest))


def _escaped(character: str) -> str:
    """One character; a line may break after a sign."""
    if character in SPECIAL:
        return rf"{SPECIAL[character]}\allowbreak{{}}"
    latin = ord(character) < 0x180 and unicodedata.category(character)[0] == "L"
    return character if character.isascii() or latin else rf"\texttt{{U+{ord(character):04X}}}\allowbreak{{}}"
