"""Formulas as MathML, which browsers typeset without a script or a network."""

import re
from functools import lru_cache

from latex2mathml.converter import convert

INLINE = 'xmlns="http://www.w3.org/1998/Math/MathML" display="inline"'


@lru_cache(maxsize=50000)
def mathml(tex: str) -> str:
    """An inline formula; the exponent of a matrix is attached to all of it, not to its bracket."""
    grouped = re.sub(r"(\\begin\{pmatrix\}((?!\\begin).)*?\\end\{pmatrix\})\^", r"{\1}^", tex)
    written = convert(grouped).replace(f"<math {INLINE}>", "<math>").replace(r"\_", "_")
    return written.replace("<mo>&#x0002B;</mo>", '<mo form="infix">+</mo>')  # also where a line begins with it


def displayed(tex: str) -> str:
    """A formula with the spacing of one on a line of its own."""
    return mathml(tex).replace("<math>", '<math displaystyle="true">', 1)
