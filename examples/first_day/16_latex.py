"""The equations of motion of a planar arm, in LaTeX."""

import articulated as art

eq = art.derive("2r")
print(eq.latex())
