"""Equations of motion in LaTeX.

topic: Closed forms
words: LaTeX, symbolic, equations of motion, Lagrange, closed form, SymPy, textbook
change: `eq.derivation(format="html")` shows every step; letters are free: `art.derive("2r", letters="theta")`.
"""

import articulated as art

eq = art.derive("2r")
print(eq.latex()[:400], "…")
