"""Newton-Euler step by step.

topic: Closed forms
words: RNEA, recursive Newton-Euler, CRBA, ABA, Featherstone, step by step, worked example
change: "crba" or "aba"; numbers instead of symbols with `art.explain("rnea", robot, q, v, a)`.
"""

import articulated as art

print(str(art.explain("rnea", "2r"))[:1500])
