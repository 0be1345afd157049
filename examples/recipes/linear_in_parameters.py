"""Equations linear in the parameters.

topic: Closed forms
words: regressor, base parameters, identification, adaptive control, minimal parameters, linear parametrization
change: `eq.adaptive_regressor()` is the one of Slotine and Li.
"""

import articulated as art

eq = art.derive("2r")
found = eq.coefficients()
print(found)
print(found.Y)
